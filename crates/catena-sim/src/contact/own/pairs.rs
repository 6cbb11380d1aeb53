//! Pairs of nodes of one body that may meet, kept from step to step.

use super::{ContactFault, Hit, is_beyond};
use crate::body::vector::{Vec3, sub};
use crate::body::{Model, Spring, SpringMemory, State};
use crate::budget::Meter;
use crate::contact::clusters::{
    BLUR, Clearance, ClusterLayout, Clusters, LARGEST, LONG, Measure, Size, groups,
};
use crate::contact::{BoundedMotion, SelfContact, hash};
use crate::instructions::Instructions;
use pulp::NullaryFnOnce;

/// Cluster sizes.
const SIZE: Size = Size { run: LARGEST, tile: 4 };

/// Maximum number of close pairs per node that are kept from step to step.
const MAX: usize = 16;

/// Data of self-contact that is kept from step to step.
pub(in crate::contact) struct Pairs {
    clusters: Clusters,
    joined: Joined,
    /// Pairs that may meet. Valid while the proof of `clusters` holds, or while all nodes stay
    /// close to `seen`.
    pub(super) near: Vec<(usize, usize)>,
    /// Positions at the end of the step, as used in the last hash search for `near`. Empty if the
    /// proof of `clusters` lists the pairs in `near` instead.
    seen: Vec<f64>,
    /// Whether `near` is complete for this step.
    is_fresh: bool,
    /// Deliberate fault of the search, set by a slip.
    pub(in crate::contact) fault: Option<ContactFault>,
    /// Whether each step searches all pairs, for tests.
    pub(super) is_plain: bool,
    /// Pairs that meet, unordered. `knows_hits` is `true` if the list is complete, except for
    /// marked nodes.
    pub(super) meeting: Vec<Hit>,
    pub(super) knows_hits: bool,
    /// Nodes that have moved since the hits were found.
    is_marked: Vec<bool>,
    marked: Vec<usize>,
    /// Hits of the last pass, in the order (time, i, j).
    pub(super) hits: Vec<Hit>,
    /// Hits of the last pass against held nodes.
    pub(super) touching_held: Vec<Hit>,
}

/// Pairs of nodes that unbroken springs join.
#[derive(Default)]
struct Joined {
    /// Broken springs at the last update; `None` if unknown.
    broken: Option<Vec<bool>>,
    /// Nodes joined to each node, concatenated; `first` is the start index of each node.
    others: Vec<usize>,
    first: Vec<usize>,
    /// Cluster of each node, and its index there.
    place: Vec<(usize, usize)>,
}

impl Joined {
    /// Whether the lists are up to date with the broken springs.
    fn is_known(&self, springs: &SpringMemory) -> bool {
        self.broken.as_ref() == Some(&springs.broken)
    }

    fn renew(&mut self, model: &Model, springs: &SpringMemory, clusters: &ClusterLayout) {
        let unbroken = model.held().iter().enumerate().filter(|(j, _)| !springs.is_broken(*j));
        let both = |(_, spring): (usize, &Spring)| [(spring.a, spring.b), (spring.b, spring.a)];
        let mut pairs: Vec<(usize, usize)> = unbroken.flat_map(both).collect();
        pairs.sort_unstable();
        self.first.clear();
        for node in 0..=model.nodes() {
            self.first.push(pairs.partition_point(|(from, _)| *from < node));
        }
        self.others.clear();
        self.others.extend(pairs.into_iter().map(|(_, to)| to));
        self.place.resize(model.nodes(), (0, 0));
        for cluster in 0..clusters.first.len() - 1 {
            for place in clusters.range(cluster) {
                self.place[clusters.nodes[place]] = (cluster, place - clusters.first[cluster]);
            }
        }
        self.broken = Some(springs.broken.clone());
    }

    fn of(&self, node: usize) -> &[usize] {
        &self.others[self.first[node]..self.first[node + 1]]
    }

    fn has(&self, i: usize, j: usize) -> bool {
        self.of(i).contains(&j)
    }
}

/// Distance measure between nodes of clusters, which also lists close pairs.
struct Distances<'a> {
    joined: &'a Joined,
    pinned: &'a [bool],
    thickness: f64,
    near: &'a mut Vec<(usize, usize)>,
    /// Maximum number of listed pairs. With more pairs the proof fails.
    maximum: usize,
}

impl Measure for Distances<'_> {
    fn begin(&mut self) {
        self.near.clear();
    }

    fn end(&mut self) {
        self.near.sort_unstable();
        self.near.dedup();
    }

    fn room(&mut self, clusters: &ClusterLayout, pair: (usize, usize), skin: f64) -> Clearance {
        Instructions::best().run(Room { distances: self, clusters, pair, skin })
    }
}

/// Computation of [`Measure::room`] for nodes.
struct Room<'a, 'b> {
    distances: &'a mut Distances<'b>,
    clusters: &'a ClusterLayout,
    pair: (usize, usize),
    skin: f64,
}

/// Squared distances of a node from others, and lower bounds on their changes per step of the
/// predicted motion. The bounds hold for any number of steps.
struct Squares {
    now: [f64; LARGEST],
    change: [f64; LARGEST],
}

impl NullaryFnOnce for Room<'_, '_> {
    type Output = Clearance;

    #[inline(always)]
    fn call(self) -> Clearance {
        let Self { distances, clusters, pair: (a, b), skin } = self;
        if distances.near.len() > distances.maximum {
            return Clearance::NONE;
        }
        let (of_a, of_b) = (clusters.range(a), clusters.range(b));
        let of = |values: &'_ [Vec<f64>; 3], place: usize| {
            [0, 1, 2].map(|k: usize| values[k].get(place).copied().unwrap_or(0.0))
        };
        let others: [[&[f64]; 2]; 3] =
            std::array::from_fn(|axis| match clusters.at[axis].is_empty() {
                true => [&[][..]; 2],
                false => [&clusters.at[axis], &clusters.pace[axis]].map(|it| &it[of_b.clone()]),
            });
        let nodes_of_b = &clusters.nodes[of_b.clone()];
        let mut squares = Squares { now: [f64::INFINITY; LARGEST], change: [0.0; LARGEST] };
        // Minima at the start, at the horizon and after LONG horizons.
        let times = [0.0, clusters.horizon, LONG * clusters.horizon];
        let mut lowest = [[f64::INFINITY; LARGEST]; 3];
        let close = (distances.thickness + skin) / (1.0 - BLUR);
        let close = close * close;
        for place in of_a {
            let node = clusters.nodes[place];
            measure(of(&clusters.at, place), of(&clusters.pace, place), others, &mut squares);
            let now = &mut squares.now[..nodes_of_b.len()];
            let passed = if a == b { place + 1 - of_b.start } else { 0 };
            now[..passed].fill(f64::INFINITY);
            for other in distances.joined.of(node) {
                if let (cluster, place) = distances.joined.place[*other]
                    && cluster == b
                {
                    now[place] = f64::INFINITY;
                }
            }
            if distances.pinned[node] {
                let both = now.iter_mut().zip(nodes_of_b).filter(|(_, j)| distances.pinned[**j]);
                both.for_each(|(square, _)| *square = f64::INFINITY);
            }
            squares.take_close(close, |k| {
                distances.near.push((node.min(nodes_of_b[k]), node.max(nodes_of_b[k])));
            });
            for k in 0..LARGEST {
                for (time, lowest) in times.iter().zip(&mut lowest) {
                    let square = squares.now[k] + time * squares.change[k];
                    lowest[k] = if square < lowest[k] { square } else { lowest[k] };
                }
            }
        }
        let minimum = |values: [f64; LARGEST]| values.into_iter().fold(f64::INFINITY, f64::min);
        clearance(lowest.map(minimum), clusters.horizon, distances.thickness)
    }
}

impl Squares {
    /// Calls `take` for each node whose squared distance may fall below `close` in the first step,
    /// and no longer counts it.
    #[inline(always)]
    fn take_close(&mut self, close: f64, mut take: impl FnMut(usize)) {
        let mut has_close = false;
        for (now, change) in self.now.iter().zip(&self.change) {
            has_close |= now + change < close;
        }
        if !has_close {
            return;
        }
        for k in 0..LARGEST {
            if self.now[k] + self.change[k] < close {
                take(k);
                self.now[k] = f64::INFINITY;
            }
        }
    }
}

/// Returns the clearance for the minimum squared distances at the start, at the horizon and after
/// [`LONG`] horizons, of a concave function.
fn clearance(squares: [f64; 3], horizon: f64, thickness: f64) -> Clearance {
    let [first, last, late] = squares;
    if first == f64::INFINITY {
        return Clearance::INFINITE;
    }
    // The root of a concave function is concave as well.
    let room = |square: f64| square.sqrt() * (1.0 - BLUR) - thickness;
    if late >= 0.0 {
        return Clearance::of(squares.map(room), horizon);
    }
    if last >= 0.0 {
        return Clearance::between(room(first), room(last), horizon);
    }
    // The room lies above the line to where the squares vanish.
    Clearance::between(room(first), room(0.0), horizon * (first / (first - last)))
}

/// Computes the squared distances of a node from others, and their changes.
#[inline(always)]
fn measure(at: Vec3, pace: Vec3, others: [[&[f64]; 2]; 3], squares: &mut Squares) {
    let [[x, u], [y, v], [z, w]] = others;
    let (count, Squares { now, change }) = (x.len().min(LARGEST), squares);
    for (k, (now, change)) in now.iter_mut().zip(change).enumerate().take(count) {
        let (dx, dy) = (x[k] - at[0], y[k] - at[1]);
        let (du, dv) = (u[k] - pace[0], v[k] - pace[1]);
        let (mut square, mut rate) = (dx * dx + dy * dy, dx * du + dy * dv);
        if !z.is_empty() {
            let (dz, dw) = (z[k] - at[2], w[k] - pace[2]);
            (square, rate) = (square + dz * dz, rate + dz * dw);
        }
        // The bound BLUR covers rounding errors of the square.
        *now = square;
        *change = if rate < 0.0 { 2.0 * rate } else { 0.0 };
    }
}

impl Pairs {
    pub(in crate::contact) fn new(model: &Model, state: &State) -> Self {
        Self {
            clusters: Clusters::new(&groups(model, state, SIZE), model),
            joined: Joined::default(),
            near: Vec::new(),
            seen: Vec::new(),
            is_fresh: false,
            fault: None,
            is_plain: false,
            meeting: Vec::new(),
            knows_hits: false,
            is_marked: vec![false; model.nodes()],
            marked: Vec::new(),
            hits: Vec::new(),
            touching_held: Vec::new(),
        }
    }

    /// Returns the number of pairs that a pass charges to the meter. If the pairs are known from
    /// earlier steps, this is one per node, so that the cost does not depend on the cache.
    pub(super) fn charged_pairs(&self, nodes: usize) -> usize {
        if self.seen.is_empty() { nodes } else { self.near.len() }
    }

    /// Whether a node has moved since hits were found.
    #[inline]
    pub(super) fn has_moved(&self, node: usize) -> bool {
        self.is_marked[node]
    }

    /// Marks a node as moved.
    pub(super) fn mark(&mut self, node: usize) {
        if !std::mem::replace(&mut self.is_marked[node], true) {
            self.marked.push(node);
        }
    }

    /// Removes all marks, because all hits are up to date.
    pub(super) fn unmark_all(&mut self) {
        for node in self.marked.drain(..) {
            self.is_marked[node] = false;
        }
    }

    /// Invalidates the hits.
    pub(super) fn forget_hits(&mut self) {
        self.knows_hits = false;
        self.unmark_all();
    }

    /// Makes each step search all pairs.
    pub(in crate::contact) fn test_everything(&mut self) {
        self.is_plain = true;
    }

    /// Removes everything that depends on springs or positions.
    pub(in crate::contact) fn forget(&mut self) {
        self.clusters.restart();
        self.joined.broken = None;
    }

    /// Updates the pairs of nodes that may come into contact during the step from `start` to `end`.
    /// Returns whether any pair may.
    pub(in crate::contact) fn find_candidates(
        &mut self,
        contact: SelfContact,
        model: &Model,
        springs: &SpringMemory,
        start: &State,
        end: &State,
    ) -> bool {
        if !self.joined.is_known(springs) {
            self.joined.renew(model, springs, &self.clusters.layout);
            self.clusters.forget();
        }
        self.seen.clear();
        if self.is_plain {
            self.clusters.forget();
        }
        self.is_fresh = self.clusters.follow(start, end);
        if !self.is_fresh && !self.is_plain {
            self.clusters.plan(start, end);
            self.is_fresh = self.prove(contact, model, &start.x, &end.x);
        }
        let n = model.nodes();
        let ends = |&(i, j): &(usize, usize)| {
            let from = sub(start.position(n, j), start.position(n, i));
            let to = sub(end.position(n, j), end.position(n, i));
            !is_beyond(from, sub(to, from), contact.thickness)
        };
        // Separating nodes do not approach each other, but may be at the later root.
        let parts = self.fault == Some(ContactFault::LaterRoot);
        parts || !self.is_fresh || self.near.iter().any(ends)
    }

    /// Creates a proof for the planned motion.
    fn prove(&mut self, contact: SelfContact, model: &Model, start: &[f64], end: &[f64]) -> bool {
        let (joined, near) = (&self.joined, &mut self.near);
        let (pinned, thickness) = (&model.pinned, contact.thickness);
        let maximum = MAX * (model.nodes() + MAX);
        let mut distances = Distances { joined, pinned, thickness, near, maximum };
        let strides = std::mem::take(self.clusters.strides());
        let is_proved = self.clusters.prove(start, end, &strides, thickness, &mut distances);
        *self.clusters.strides() = strides;
        is_proved
    }

    /// Whether no two nodes can meet in a motion.
    pub(in crate::contact) fn covers(
        &mut self,
        contact: SelfContact,
        model: &Model,
        springs: &SpringMemory,
        state: &State,
        course: &BoundedMotion,
    ) -> bool {
        if self.is_plain || self.fault.is_some() {
            return false;
        }
        if !self.joined.is_known(springs) {
            self.joined.renew(model, springs, &self.clusters.layout);
            self.clusters.forget();
        }
        let is_alone = self.seen.is_empty() && self.near.is_empty();
        if is_alone && self.clusters.covers(state, course) {
            return true;
        }
        if self.clusters.is_young(state) {
            return false;
        }
        self.seen.clear();
        self.clusters.plan_motion(state, course);
        self.prove(contact, model, &state.x, &course.first(state))
            && self.near.is_empty()
            && self.clusters.covers(state, course)
    }

    /// Counts the steps of a motion in which no two nodes met.
    pub(in crate::contact) fn pass(&mut self, course: &BoundedMotion, time: f64) {
        self.clusters.pass(course, time);
    }

    /// Removes the proof if contacts have moved nodes too far.
    pub(in crate::contact) fn follow(&mut self, x: &[f64]) {
        if !self.clusters.hold(x) {
            self.clusters.forget();
        }
    }

    /// Lowers `reach` to a displacement of each node within which no two nodes meet. Returns
    /// `false` if two nodes may already meet.
    pub(in crate::contact) fn limit(
        &mut self,
        contact: SelfContact,
        model: &Model,
        springs: &SpringMemory,
        state: &State,
        reach: &mut [f64],
    ) -> bool {
        self.clusters.restart();
        let is_clear =
            !self.find_candidates(contact, model, springs, state, state) && self.near.is_empty();
        if is_clear {
            self.clusters.limit(reach);
        }
        is_clear
    }

    /// Finds the pairs that may meet, unless the known list is still complete.
    pub(super) fn find_near(
        &mut self,
        contact: SelfContact,
        model: &Model,
        start: &State,
        end: &State,
        meter: &Meter,
    ) {
        if std::mem::take(&mut self.is_fresh) {
            return;
        }
        if self.seen.is_empty() && self.clusters.hold(&end.x) {
            return;
        }
        self.clusters.forget();
        let thickness = contact.thickness;
        // Two nodes that each move by 0.14 of the thickness per axis approach by less than half of
        // the thickness.
        let is_close = |(x, seen): (&f64, &f64)| (x - seen).abs() <= 0.14 * thickness;
        if !self.seen.is_empty() && end.x.iter().zip(&self.seen).all(is_close) {
            return;
        }
        self.knows_hits = false;
        self.seen.clone_from(&end.x);
        let (near, joined, pinned) = (&mut self.near, &self.joined, &model.pinned);
        near.clear();
        hash::near_pairs(model.nodes(), model.axes, start, end, 1.5 * thickness, meter, |i, j| {
            let is_held = pinned[i] && pinned[j];
            let is_free = !is_held && !joined.has(i, j);
            if is_free && meter.allows_pairs(near.len() + 1) {
                near.push((i, j));
            }
        });
    }
}
