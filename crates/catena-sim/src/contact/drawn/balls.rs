//! Bounding balls of pieces, and the minimum distance between the balls of two clusters.

use super::step::DrawnStep;
use crate::body::State;
use crate::body::vector::{Vec3, add, norm, scaled, sub};
use crate::contact::clusters::{BLUR, LONG};
use pulp::NullaryFnOnce;
use std::collections::BTreeMap;
use std::ops::Range;

impl DrawnStep {
    /// Returns the centre of a piece in a state, and the radius of its ball including the half
    /// thickness.
    pub(super) fn ball(&self, piece: usize, state: &State) -> (Vec3, f64) {
        let (n, it) = (self.body_nodes, &self.pieces.all[piece]);
        let (middle, reach) = around(it.nodes(), |node| state.position(n, node));
        (middle, reach + it.half)
    }
}

/// Balls of pieces of one kind, sorted by the clusters of their nodes.
#[derive(Default)]
pub(super) struct Balls {
    pub(super) pieces: Vec<usize>,
    first: Vec<usize>,
    /// Centres per axis.
    middle: [Vec<f64>; 3],
    /// Radius of each ball, including the half thickness.
    size: Vec<f64>,
    /// Predicted displacements of the centres per step and axis.
    pace: [Vec<f64>; 3],
    /// Maximum difference between the displacement of a corner and that of its centre.
    spread: Vec<f64>,
    /// Whether the balls of each cluster are up to date.
    is_fresh: Vec<bool>,
}

impl Balls {
    /// Sorts the pieces of `range` into the groups of their first nodes.
    pub(super) fn new(
        range: Range<usize>,
        solver: &DrawnStep,
        groups: &[Vec<usize>],
        of: &[usize],
    ) -> Self {
        let mut by_group = vec![Vec::new(); groups.len()];
        for piece in range {
            by_group[of[solver.pieces.all[piece].nodes()[0]]].push(piece);
        }
        let mut balls = Self::default();
        for pieces in by_group {
            balls.first.push(balls.pieces.len());
            balls.pieces.extend(pieces);
        }
        balls.first.push(balls.pieces.len());
        let count = balls.pieces.len();
        let lists = balls.middle.iter_mut().chain(&mut balls.pace);
        let lists = lists.chain([&mut balls.size, &mut balls.spread]);
        lists.for_each(|list| list.resize(count, 0.0));
        balls.is_fresh.resize(groups.len(), false);
        balls
    }

    pub(super) fn range(&self, cluster: usize) -> Range<usize> {
        self.first[cluster]..self.first[cluster + 1]
    }

    /// Marks all balls as out of date.
    pub(super) fn forget(&mut self) {
        self.is_fresh.fill(false);
    }

    /// Updates the balls of a cluster to the positions of a state, and to displacements per step,
    /// flat by axis, unless they are up to date.
    pub(super) fn update(
        &mut self,
        cluster: usize,
        solver: &DrawnStep,
        state: &State,
        strides: &[f64],
    ) {
        if std::mem::replace(&mut self.is_fresh[cluster], true) {
            return;
        }
        for place in self.range(cluster) {
            let piece = self.pieces[place];
            let it = &solver.pieces.all[piece];
            let position = |node: usize| state.position(solver.body_nodes, node);
            let pace = |node: usize| at(strides, solver.body_nodes, node);
            let (middle, size) = around(it.nodes(), position);
            let (mean, spread) = around(it.nodes(), pace);
            for axis in 0..3 {
                self.middle[axis][place] = middle[axis];
                self.pace[axis][place] = mean[axis];
            }
            // Torn pieces count as infinitely far from everything.
            let is_whole = solver.is_whole.as_ref().is_none_or(|whole| whole[piece]);
            self.size[place] = if is_whole { size + it.half } else { f64::NEG_INFINITY };
            self.spread[place] = spread;
        }
    }
}

/// Returns the vector of a node in a list that is flat by axis.
#[inline]
fn at(flat: &[f64], nodes: usize, node: usize) -> Vec3 {
    let mut vector = [0.0; 3];
    let of_node = flat[node..].iter().step_by(nodes);
    vector.iter_mut().zip(of_node).for_each(|(to, from)| *to = *from);
    vector
}

/// Returns the mean of the vectors of some nodes, and the maximum distance of a vector from it.
#[inline]
fn around(nodes: &[usize], of_node: impl Fn(usize) -> Vec3) -> (Vec3, f64) {
    if let [node] = nodes {
        return (of_node(*node), 0.0);
    }
    let sum = nodes.iter().fold([0.0; 3], |sum, node| add(sum, of_node(*node)));
    let middle = scaled(sum, 1.0 / nodes.len() as f64);
    let reach = nodes.iter().map(|&node| norm(sub(of_node(node), middle))).fold(0.0, f64::max);
    (middle, reach * (1.0 + BLUR))
}

/// For each ball of one list, the balls of another list that share a node with it.
#[derive(Default)]
pub(super) struct Adjacency {
    first: Vec<usize>,
    places: Vec<usize>,
}

impl Adjacency {
    pub(super) fn new(of: &Balls, others: &Balls, solver: &DrawnStep) -> Self {
        let nodes = |piece: usize| solver.pieces.all[piece].nodes();
        let mut by_node: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (place, &piece) in others.pieces.iter().enumerate() {
            nodes(piece).iter().for_each(|node| by_node.entry(*node).or_default().push(place));
        }
        let mut adjacency = Self::default();
        for &piece in &of.pieces {
            adjacency.first.push(adjacency.places.len());
            let places = nodes(piece).iter().flat_map(|node| by_node.get(node)).flatten();
            adjacency.places.extend(places);
        }
        adjacency.first.push(adjacency.places.len());
        adjacency
    }
}

/// Distance of close balls, as a fraction of the radius of the first one.
const CLOSE: f64 = 0.25;

/// Workspace of [`Far`]: distances, and their changes per step, at most 0.
#[derive(Default)]
pub(super) struct Rows {
    far: Vec<f64>,
    change: Vec<f64>,
}

/// Distance computation between the balls of two clusters.
pub(super) struct Far<'a> {
    pub(super) balls: (&'a Balls, Range<usize>),
    pub(super) others: (&'a Balls, Range<usize>),
    pub(super) adjacency: &'a Adjacency,
    /// Whether both clusters are the same one. Each pair then counts once.
    pub(super) is_one: bool,
    /// Number of steps of the predicted motion.
    pub(super) horizon: f64,
    pub(super) skin: f64,
    pub(super) rows: &'a mut Rows,
    /// Close pairs of balls, at the start or after the first step: closer than the skin, or so
    /// close that the distance of the pieces may be much greater.
    pub(super) close: &'a mut Vec<(usize, usize)>,
}

impl NullaryFnOnce for Far<'_> {
    type Output = [f64; 3];

    /// Returns the minimum distances of two balls that share no node and are not close: at the
    /// start, at the horizon and after [`LONG`] horizons. Distances are lower bounds.
    #[inline(always)]
    fn call(self) -> [f64; 3] {
        let Self { balls: (balls, range), others: (others, among), adjacency, is_one, .. } = self;
        let count = among.len();
        let times = [0.0, self.horizon, LONG * self.horizon];
        let mut lowest = [f64::INFINITY; 3];
        self.rows.far.resize(count, 0.0);
        self.rows.change.resize(count, 0.0);
        for place in range {
            measure(balls, place, others, among.clone(), self.rows);
            let (far, change) = (&mut self.rows.far[..count], &self.rows.change[..count]);
            if is_one {
                far[..=place - among.start].fill(f64::INFINITY);
            }
            for other in &adjacency.places[adjacency.first[place]..adjacency.first[place + 1]] {
                if among.contains(other) {
                    far[other - among.start] = f64::INFINITY;
                }
            }
            let close = self.skin.max(CLOSE * balls.size[place]);
            if minimum(far, change, 1.0) < close {
                for (k, (far, change)) in far.iter_mut().zip(change).enumerate() {
                    if *far + change < close {
                        self.close.push((place, among.start + k));
                        *far = f64::INFINITY;
                    }
                }
            }
            for (time, lowest) in times.iter().zip(&mut lowest) {
                let own = minimum(far, change, *time);
                *lowest = if own < *lowest { own } else { *lowest };
            }
        }
        lowest
    }
}

/// Computes the distances of a ball from others, and lower bounds on their changes per step. The
/// distance of the centres is at least its projection on their direction at the start.
#[inline(always)]
fn measure(balls: &Balls, place: usize, others: &Balls, among: Range<usize>, rows: &mut Rows) {
    let count = among.len();
    let at = [0, 1, 2].map(|axis: usize| balls.middle[axis][place]);
    let pace = [0, 1, 2].map(|axis: usize| balls.pace[axis][place]);
    let [x, y, z] = [0, 1, 2].map(|axis: usize| &others.middle[axis][among.clone()]);
    let [u, v, w] = [0, 1, 2].map(|axis: usize| &others.pace[axis][among.clone()]);
    let (sizes, spreads) = (&others.size[among.clone()], &others.spread[among]);
    let (far, change) = (&mut rows.far[..count], &mut rows.change[..count]);
    for k in 0..count {
        let (dx, dy, dz) = (x[k] - at[0], y[k] - at[1], z[k] - at[2]);
        let (du, dv, dw) = (u[k] - pace[0], v[k] - pace[1], w[k] - pace[2]);
        let apart = (dx * dx + dy * dy + dz * dz).sqrt();
        let rate = (dx * du + dy * dv + dz * dw) / apart;
        let rate = if rate < 0.0 { rate * (1.0 + BLUR) } else { 0.0 };
        far[k] = apart * (1.0 - BLUR) - sizes[k] - balls.size[place];
        change[k] = rate - spreads[k] - balls.spread[place];
    }
}

/// Returns the minimum of a list after a number of steps.
#[inline(always)]
fn minimum(values: &[f64], changes: &[f64], steps: f64) -> f64 {
    let mut minimum = [f64::INFINITY; 8];
    let (values, rest) = values.as_chunks::<8>();
    let (changes, rest_of_changes) = changes.as_chunks::<8>();
    for (value, change) in rest.iter().zip(rest_of_changes) {
        let value = value + steps * change;
        minimum[0] = if value < minimum[0] { value } else { minimum[0] };
    }
    for (values, changes) in values.iter().zip(changes) {
        for lane in 0..8 {
            let value = values[lane] + steps * changes[lane];
            minimum[lane] = if value < minimum[lane] { value } else { minimum[lane] };
        }
    }
    minimum
        .into_iter()
        .fold(f64::INFINITY, |minimum, value| if value < minimum { value } else { minimum })
}
