//! Bounding balls of pieces, and the minimum distance between the balls of two clusters.

use super::step::DrawnStep;
use crate::body::State;
use crate::body::vector::{Vec3, add, norm, scaled, sub};
use crate::contact::clusters::BLUR;
use pulp::NullaryFnOnce;
use std::collections::BTreeMap;
use std::ops::Range;

impl DrawnStep {
    /// Returns the centre of a piece in a state, and the radius of its ball including the half
    /// thickness.
    pub(super) fn ball(&self, piece: usize, state: &State) -> (Vec3, f64) {
        let (n, it) = (self.body_nodes, &self.pieces.all[piece]);
        let corners = it.nodes().iter().map(|&node| state.position(n, node));
        let sum = corners.clone().fold([0.0; 3], add);
        let middle = scaled(sum, 1.0 / it.count as f64);
        let reach = corners.map(|corner| norm(sub(corner, middle))).fold(0.0, f64::max);
        (middle, reach * (1.0 + BLUR) + it.half)
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
        balls
    }

    pub(super) fn range(&self, cluster: usize) -> Range<usize> {
        self.first[cluster]..self.first[cluster + 1]
    }

    /// Updates all balls to the positions of a state.
    pub(super) fn update(&mut self, solver: &DrawnStep, state: &State) {
        self.middle.iter_mut().for_each(Vec::clear);
        self.size.clear();
        for &piece in &self.pieces {
            let (middle, size) = solver.ball(piece, state);
            for (list, value) in self.middle.iter_mut().zip(middle) {
                list.push(value);
            }
            // Torn pieces count as infinitely far from everything.
            let is_whole = solver.is_whole.as_ref().is_none_or(|whole| whole[piece]);
            self.size.push(if is_whole { size } else { f64::NEG_INFINITY });
        }
    }
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

/// Distance computation between the balls of two clusters.
pub(super) struct Far<'a> {
    pub(super) balls: (&'a Balls, Range<usize>),
    pub(super) others: (&'a Balls, Range<usize>),
    pub(super) adjacency: &'a Adjacency,
    /// Whether both clusters are the same one. Each pair then counts once.
    pub(super) is_one: bool,
    pub(super) skin: f64,
    pub(super) row: &'a mut Vec<f64>,
    /// Ball pairs closer than the skin.
    pub(super) close: &'a mut Vec<(usize, usize)>,
}

impl NullaryFnOnce for Far<'_> {
    type Output = f64;

    /// Returns the minimum distance of two balls that share no node and are at least `skin` apart.
    #[inline(always)]
    fn call(self) -> f64 {
        let Self { balls: (balls, range), others: (others, among), adjacency, is_one, .. } = self;
        let [x, y, z] = [0, 1, 2].map(|axis: usize| &others.middle[axis][among.clone()]);
        let sizes = &others.size[among.clone()];
        let mut room = f64::INFINITY;
        self.row.resize(sizes.len(), 0.0);
        let row = &mut self.row[..];
        for place in range {
            let at = [0, 1, 2].map(|axis: usize| balls.middle[axis][place]);
            let own = balls.size[place];
            for ((((far, size), x), y), z) in row.iter_mut().zip(sizes).zip(x).zip(y).zip(z) {
                let (dx, dy, dz) = (x - at[0], y - at[1], z - at[2]);
                let far_off = (dx * dx + dy * dy + dz * dz).sqrt() * (1.0 - BLUR);
                *far = far_off - size - own;
            }
            if is_one {
                row[..=place - among.start].fill(f64::INFINITY);
            }
            for other in &adjacency.places[adjacency.first[place]..adjacency.first[place + 1]] {
                if among.contains(other) {
                    row[other - among.start] = f64::INFINITY;
                }
            }
            let minimum = minimum(row);
            if minimum >= self.skin {
                room = if minimum < room { minimum } else { room };
                continue;
            }
            for (k, far) in row.iter().enumerate() {
                match *far >= self.skin {
                    true => room = if *far < room { *far } else { room },
                    false => self.close.push((place, among.start + k)),
                }
            }
        }
        room
    }
}

/// Returns the minimum of a list.
#[inline(always)]
fn minimum(values: &[f64]) -> f64 {
    let mut minimum = [f64::INFINITY; 8];
    let chunks = values.chunks_exact(8);
    for value in chunks.remainder() {
        minimum[0] = if *value < minimum[0] { *value } else { minimum[0] };
    }
    for chunk in chunks {
        for lane in 0..8 {
            minimum[lane] = if chunk[lane] < minimum[lane] { chunk[lane] } else { minimum[lane] };
        }
    }
    minimum
        .into_iter()
        .fold(f64::INFINITY, |minimum, value| if value < minimum { value } else { minimum })
}
