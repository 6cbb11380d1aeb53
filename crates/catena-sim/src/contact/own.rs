//! Self-contact: nodes that no spring joins stay a thickness apart throughout a step.
//!
//! The relative path of a pair is straight in a step, so the time at which it comes too close is
//! the root of a quadratic. Hits are resolved pair by pair in the order (time, i, j), in several
//! passes. Impulses and shifts are shared by inverse mass: momentum and centre of mass stay, and
//! kinetic energy never grows. Pairs that begin too close, as an initial shape or a collider may
//! force them to, come no closer and part slowly. Source: Bridson, Fedkiw, Anderson 2002, "Robust
//! Treatment of Collisions, Contact and Friction for Cloth Animation".

use super::clusters::{BLUR, Clusters, LARGEST, Layout, Measure, groups};
use super::collider::geometry::reach;
use super::impact::{kept_share, rebound};
use super::nodes::Step;
use super::{ContactForces, SelfContact, hash, put};
use crate::body::vector::{Vec3, along, dot, greatest, scaled, scaled_norm, sub};
use crate::body::{Model, Spring, SpringMemory, State};
use crate::budget::Meter;

/// A contact leaves two nodes farther apart than the thickness by this share of their overlap,
const OVERSHOOT: f64 = 0.25;

/// but by at most this share of the thickness. Without the margin piles would need endless passes.
const MARGIN: f64 = 0.01;

/// The share of an initial overlap that a contact removes in a step.
const PARTING: f64 = 0.1;

/// Nanoseconds of checking a pair, and of resolving one.
const LOOK: u64 = 10;
const RESPONSE: u64 = 120;

/// Pairs for each node that are worth to be kept from step to step.
const MOST: usize = 16;

/// Two nodes that come too close, and the share of the step after which they do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) share: f64,
    pub(super) i: usize,
    pub(super) j: usize,
}

/// What self-contact keeps from step to step.
pub(super) struct OwnMemory {
    clusters: Clusters,
    joined: Joined,
    /// Pairs that may meet: as long as the clusters hold, or the search is valid.
    near: Vec<(usize, usize)>,
    /// Positions at the end of the step when the pairs were searched for; empty where the clusters
    /// know them.
    seen: Vec<f64>,
    /// Whether the pairs are those of this step.
    is_fresh: bool,
}

/// Which nodes whole springs join.
#[derive(Default)]
struct Joined {
    /// Which springs were broken then; `None` where that is not known.
    broken: Option<Vec<bool>>,
    /// The nodes that each node is joined to, and where they begin.
    others: Vec<usize>,
    first: Vec<usize>,
    /// The first place of each node in the clusters, and its cluster.
    place: Vec<(usize, usize)>,
}

impl Joined {
    /// Whether these are still the springs that are whole.
    fn is_known(&self, springs: &SpringMemory) -> bool {
        self.broken.as_ref() == Some(&springs.broken)
    }

    fn renew(&mut self, model: &Model, springs: &SpringMemory, clusters: &Layout) {
        let whole = model.held().iter().enumerate().filter(|(j, _)| !springs.is_broken(*j));
        let both = |(_, spring): (usize, &Spring)| [(spring.a, spring.b), (spring.b, spring.a)];
        let mut pairs: Vec<(usize, usize)> = whole.flat_map(both).collect();
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

/// Measures the distances of free nodes in clusters, and lists those that are close.
struct Distances<'a> {
    joined: &'a Joined,
    pinned: &'a [bool],
    thickness: f64,
    near: &'a mut Vec<(usize, usize)>,
    /// More pairs than these are not listed.
    most: usize,
}

impl Measure for Distances<'_> {
    fn room(&mut self, clusters: &Layout, (a, b): (usize, usize), skin: f64) -> f64 {
        if self.near.len() > self.most {
            return f64::NEG_INFINITY;
        }
        let (of_a, of_b) = (clusters.range(a), clusters.range(b));
        let others: [&[f64]; 3] = std::array::from_fn(|axis| match clusters.at[axis].is_empty() {
            true => &[][..],
            false => &clusters.at[axis][of_b.clone()],
        });
        let nodes_of_b = &clusters.nodes[of_b.clone()];
        let (mut squares, mut room) = ([f64::INFINITY; LARGEST], f64::INFINITY);
        let close = (self.thickness + skin) / (1.0 - BLUR);
        let close = close * close;
        for place in of_a {
            let node = clusters.nodes[place];
            let at = [0, 1, 2].map(|k: usize| clusters.at[k].get(place).copied().unwrap_or(0.0));
            let squares = &mut squares[..nodes_of_b.len()];
            distances(at, others, squares);
            let passed = if a == b { place + 1 - of_b.start } else { 0 };
            squares[..passed].fill(f64::INFINITY);
            for other in self.joined.of(node) {
                if let (cluster, place) = self.joined.place[*other]
                    && cluster == b
                {
                    squares[place] = f64::INFINITY;
                }
            }
            if self.pinned[node] {
                let both = squares.iter_mut().zip(nodes_of_b).filter(|(_, j)| self.pinned[**j]);
                both.for_each(|(square, _)| *square = f64::INFINITY);
            }
            let mut least = f64::INFINITY;
            for (square, j) in squares.iter().zip(nodes_of_b) {
                if *square < close {
                    self.near.push((node.min(*j), node.max(*j)));
                } else {
                    least = if *square < least { *square } else { least };
                }
            }
            room = room.min(least);
        }
        room.sqrt() * (1.0 - BLUR) - self.thickness
    }
}

/// The squares of the distances of a node from others.
#[inline(always)]
fn distances(at: Vec3, others: [&[f64]; 3], squares: &mut [f64]) {
    let [x, y, z] = others;
    if z.is_empty() {
        for ((square, x), y) in squares.iter_mut().zip(x).zip(y) {
            let (dx, dy) = (x - at[0], y - at[1]);
            *square = dx * dx + dy * dy;
        }
        return;
    }
    for (((square, x), y), z) in squares.iter_mut().zip(x).zip(y).zip(z) {
        let (dx, dy, dz) = (x - at[0], y - at[1], z - at[2]);
        *square = dx * dx + dy * dy + dz * dz;
    }
}

impl OwnMemory {
    pub(super) fn new(model: &Model, state: &State) -> Self {
        Self {
            clusters: Clusters::new(&groups(model, state), model),
            joined: Joined::default(),
            near: Vec::new(),
            seen: Vec::new(),
            is_fresh: false,
        }
    }

    /// Forgets what belongs to a setup or a place.
    pub(super) fn forget(&mut self) {
        self.clusters.forget();
        self.joined.broken = None;
    }

    /// Knows the pairs that may meet on paths between the two ends of a step; whether any does.
    pub(super) fn look(
        &mut self,
        contact: SelfContact,
        (model, springs): (&Model, &SpringMemory),
        (start, end): (&State, &State),
    ) -> bool {
        if !self.joined.is_known(springs) {
            self.joined.renew(model, springs, &self.clusters.layout);
            self.clusters.forget();
        }
        self.seen.clear();
        self.is_fresh = self.clusters.hold(&end.x);
        if !self.is_fresh {
            self.near.clear();
            let (joined, near) = (&self.joined, &mut self.near);
            let (pinned, thickness) = (&model.pinned, contact.thickness);
            let most = MOST * (model.nodes() + MOST);
            let mut distances = Distances { joined, pinned, thickness, near, most };
            let ends = (&*start.x, &*end.x);
            self.is_fresh = self.clusters.prove(ends, thickness, &mut distances);
        }
        let n = model.nodes();
        let ends = |&(i, j): &(usize, usize)| {
            let from = sub(start.position(n, j), start.position(n, i));
            let to = sub(end.position(n, j), end.position(n, i));
            !is_beyond(from, sub(to, from), contact.thickness)
        };
        !self.is_fresh || self.near.iter().any(ends)
    }
}

/// Whether two nodes certainly do not meet that are so far apart and move so beside each other.
#[inline]
fn is_beyond(from: Vec3, way: Vec3, thickness: f64) -> bool {
    if dot(from, way) >= 0.0 {
        return true;
    }
    let (apart, step, near) = (dot(from, from), dot(way, way), thickness * thickness);
    // Whether |from| > |way| + thickness, without roots.
    let rest = apart * (1.0 - 4.0 * BLUR) - step - near;
    rest > 0.0 && rest * rest > 4.0 * near * step
}

/// Self-contact of a body in one step.
pub(super) struct SelfContacts<'a> {
    pub(super) model: &'a Model,
    pub(super) start: &'a State,
    pub(super) meter: &'a Meter,
    contact: SelfContact,
    memory: &'a mut OwnMemory,
}

impl<'a> SelfContacts<'a> {
    /// After [`OwnMemory::look`].
    pub(super) fn new(contact: SelfContact, step: Step<'a>, memory: &'a mut OwnMemory) -> Self {
        let Step { model, start, meter } = step;
        Self { model, start, meter, contact, memory }
    }

    /// Resolves each hit once and returns the hits. Held nodes are obstacles only.
    pub(super) fn pass(
        &mut self,
        state: &mut State,
        is_held: &[bool],
        displaced: &mut Vec<usize>,
        forces: &mut ContactForces,
    ) -> Vec<Hit> {
        let hits = self.hits(state, |i, j| !(is_held[i] && is_held[j]));
        if !self.meter.spend(RESPONSE * hits.len() as u64) {
            return hits;
        }
        for &hit in &hits {
            // An earlier hit of this pass may have moved the pair apart.
            if let Some(share) = self.meet(state, hit.i, hit.j) {
                self.respond(state, Hit { share, ..hit }, is_held, forces);
                displaced.extend([hit.i, hit.j].into_iter().filter(|&k| !is_held[k]));
            }
        }
        hits
    }

    /// Moves nodes that hit held ones until they no longer touch, and holds them too.
    pub(super) fn lean(
        &self,
        state: &mut State,
        hits: Vec<Hit>,
        is_held: &mut [bool],
        displaced: &mut Vec<usize>,
        forces: &mut ContactForces,
    ) {
        let leaning = hits.into_iter().filter(|hit| is_held[hit.i] != is_held[hit.j]);
        let leaning: Vec<Hit> = leaning.collect();
        // A node may touch several held ones.
        for hit in (0..3).flat_map(|_| &leaning) {
            if let Some(share) = self.meet(state, hit.i, hit.j) {
                self.respond(state, Hit { share, ..*hit }, is_held, forces);
                displaced.extend([hit.i, hit.j].into_iter().filter(|&k| !is_held[k]));
            }
        }
        leaning.iter().for_each(|hit| (is_held[hit.i], is_held[hit.j]) = (true, true));
    }

    /// Pairs that come too close on their paths from the start to `state`, in the order (time, i,
    /// j).
    pub(super) fn hits(
        &mut self,
        state: &State,
        counts: impl Fn(usize, usize) -> bool,
    ) -> Vec<Hit> {
        self.find_near(state);
        let mut hits = Vec::new();
        if !self.meter.spend(LOOK * self.memory.near.len() as u64) {
            return hits;
        }
        for &(i, j) in self.memory.near.iter().filter(|(i, j)| counts(*i, *j)) {
            if let Some(share) = self.meet(state, i, j) {
                hits.push(Hit { share, i, j });
            }
        }
        hits.sort_unstable_by(|a, b| a.share.total_cmp(&b.share).then((a.i, a.j).cmp(&(b.i, b.j))));
        hits
    }

    /// Finds the pairs that may meet, unless those that are known still are all.
    fn find_near(&mut self, state: &State) {
        if std::mem::take(&mut self.memory.is_fresh) {
            return;
        }
        let memory = &mut *self.memory;
        if memory.seen.is_empty() && memory.clusters.hold(&state.x) {
            return;
        }
        memory.clusters.forget();
        let thickness = self.contact.thickness;
        // Two nodes that move by 0.14 of the thickness along each axis come closer by less than
        // half of it.
        let is_close = |(x, seen): (&f64, &f64)| (x - seen).abs() <= 0.14 * thickness;
        if !memory.seen.is_empty() && state.x.iter().zip(&memory.seen).all(is_close) {
            return;
        }
        memory.seen.clone_from(&state.x);
        let meter = self.meter;
        let size = (self.model.nodes(), self.model.axes);
        let (near, joined, pinned) = (&mut memory.near, &memory.joined, &self.model.pinned);
        near.clear();
        hash::near_pairs(size, self.start, state, 1.5 * thickness, meter, |i, j| {
            let is_held = pinned[i] && pinned[j];
            let is_free = !is_held && !joined.has(i, j);
            if is_free && meter.allows_pairs(near.len() + 1) {
                near.push((i, j));
            }
        });
    }

    /// The vector from node i to node j.
    fn apart(&self, state: &State, i: usize, j: usize) -> [f64; 3] {
        let n = self.model.nodes();
        sub(state.position(n, j), state.position(n, i))
    }

    /// The share of the step after which two nodes are too close, if they ever are.
    fn meet(&self, state: &State, i: usize, j: usize) -> Option<f64> {
        let from = self.apart(self.start, i, j);
        let way = sub(self.apart(state, i, j), from);
        if is_beyond(from, way, self.contact.thickness) {
            return None;
        }
        reach(from, way, self.contact.thickness.min(scaled_norm(from)))
    }

    /// Applies restitution and friction, and parts the nodes by at least the thickness.
    fn respond(
        &self,
        state: &mut State,
        Hit { share, i, j }: Hit,
        is_held: &[bool],
        forces: &mut ContactForces,
    ) {
        let (n, surface) = (self.model.nodes(), self.contact.surface);
        let from = self.apart(self.start, i, j);
        let to = self.apart(state, i, j);
        let way = sub(to, from);
        let met = along(from, share, way);
        let gap = scaled_norm(met);
        if gap == 0.0 {
            return;
        }
        let normal = met.map(|value| value / gap);

        let begun = sub(self.start.velocity(n, j), self.start.velocity(n, i));
        let v = sub(state.velocity(n, j), state.velocity(n, i));
        let change = sub(v, begun);
        let now = dot(normal, v);
        let at_hit = dot(normal, along(begun, share, change));
        let after = rebound(surface.restitution, at_hit, now, dot(normal, change));
        let tangent = along(v, -now, normal);
        let kept = kept_share(surface.friction, after - now, scaled_norm(tangent));
        let kick = along(scaled(normal, after - now), kept - 1.0, tangent);

        let left = scaled(way, 1.0 - share);
        let slide = along(left, -dot(normal, left), normal).map(|value| value * kept);
        let distance = self.target(state, (scaled_norm(from), dot(normal, to)), (i, j));
        let end = along(slide, distance, normal);
        let gained = self.push(state, (i, j), is_held, sub(end, to), kick);
        if self.model.pinned[i] != self.model.pinned[j] {
            let pin = if self.model.pinned[i] { i } else { j };
            forces.push_pin(self.model, pin, scaled(gained, -1.0));
        }
    }

    /// The distance at the end of a contact for nodes that were `before` apart at the start of the
    /// step and would end `wanted` apart.
    fn target(&self, state: &State, (before, wanted): (f64, f64), (i, j): (usize, usize)) -> f64 {
        let (n, thickness) = (self.model.nodes(), self.contact.thickness);
        let coordinates = greatest(state.position(n, i)).max(greatest(state.position(n, j)));
        let rounding = 1e-12 * thickness + 8.0 * f64::EPSILON * coordinates;
        let margin = (OVERSHOOT * (thickness - wanted)).clamp(0.0, MARGIN * thickness);
        let overlap = (thickness - before).max(0.0);
        thickness.min(before + PARTING * overlap) + margin + rounding
    }

    /// Changes the relative position and velocity of two nodes, shared by inverse mass. Returns by
    /// how much their momentum changed together, which is 0 where both are free.
    fn push(
        &self,
        state: &mut State,
        (i, j): (usize, usize),
        is_held: &[bool],
        shift: [f64; 3],
        kick: [f64; 3],
    ) -> [f64; 3] {
        let (n, axes) = (self.model.nodes(), self.model.axes);
        let inverse = |k: usize| if is_held[k] { 0.0 } else { 1.0 / self.model.mass[k] };
        let sum = inverse(i) + inverse(j);
        // A pinned node may do work. A node held in any other way may not, so nothing gets faster
        // on it.
        let may_gain = (!is_held[i] && !is_held[j]) || self.model.pinned[i] || self.model.pinned[j];
        let mut gained = [0.0; 3];
        for (k, share) in [(i, -inverse(i) / sum), (j, inverse(j) / sum)] {
            if share == 0.0 {
                continue;
            }
            let before = state.velocity(n, k);
            let mut v = along(before, share, kick);
            let (most, speed) = (scaled_norm(before), scaled_norm(v));
            if !may_gain && speed > most {
                v = scaled(v, most / speed);
            }
            gained = along(gained, self.model.mass[k], sub(v, before));
            let x = along(state.position(n, k), share, shift);
            put(&mut state.x, (n, axes), k, x);
            put(&mut state.v, (n, axes), k, v);
        }
        gained
    }
}
