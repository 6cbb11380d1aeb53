//! Tells steps of drawn contact in which certainly nothing touches, without looking at any pair.
//!
//! A pair that begins a step farther apart than it touches and its nodes move is clear, whatever
//! follows. So here pieces count as balls around their middles, in the clusters of their nodes; only
//! pieces whose balls meet are looked at themselves, and only those that are really close are
//! listed and looked at in each step.

use super::closest::nearest;
use super::step::DrawnSolver;
use crate::body::vector::{Vec3, add, greatest, norm, scaled, sub};
use crate::body::{Model, SpringMemory, State};
use crate::contact::clusters::{BLUR, Clusters, Layout, Measure, groups};
use crate::contact::collider::Shape;
use crate::contact::fence::Fence;
use crate::instructions::Instructions;
use pulp::NullaryFnOnce;
use std::collections::BTreeMap;
use std::ops::Range;

/// Pairs for each node that are worth to be kept from step to step.
const MOST: usize = 8;

/// Steps that go by after a proof has failed until the next one is tried.
const PAUSE: u32 = 8;

/// The share of the distance to a collider that the box around a node fills: begin, end and way
/// each take up one of it.
const FILLED: f64 = 0.3;

/// Pieces of one kind by the clusters of their nodes, as balls.
#[derive(Default)]
struct Balls {
    pieces: Vec<usize>,
    first: Vec<usize>,
    /// Middles by axis.
    middle: [Vec<f64>; 3],
    /// How far each piece reaches with its half thickness.
    size: Vec<f64>,
}

impl Balls {
    /// The pieces of this range whose first nodes are in each group.
    fn new(range: Range<usize>, solver: &DrawnSolver, groups: &[Vec<usize>], of: &[usize]) -> Self {
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

    fn range(&self, cluster: usize) -> Range<usize> {
        self.first[cluster]..self.first[cluster + 1]
    }

    /// Takes over positions.
    fn take(&mut self, solver: &DrawnSolver, state: &State) {
        self.middle.iter_mut().for_each(Vec::clear);
        self.size.clear();
        for &piece in &self.pieces {
            let (middle, size) = solver.ball(piece, state);
            for (list, value) in self.middle.iter_mut().zip(middle) {
                list.push(value);
            }
            // What is torn is far from everything.
            let is_whole = solver.is_whole.as_ref().is_none_or(|whole| whole[piece]);
            self.size.push(if is_whole { size } else { f64::NEG_INFINITY });
        }
    }
}

/// What is known of a body in which nothing touches.
pub(super) struct Guard {
    clusters: Clusters,
    vertices: Balls,
    edges: Balls,
    faces: Balls,
    edge_kin: Kin,
    face_kin: Kin,
    /// Pairs that are looked at in each step.
    close: Vec<(usize, usize)>,
    /// Steps in which no proof is tried, since there was none.
    pause: u32,
    /// The pieces of each node but half-spaces, where they begin, and its half thickness.
    of_node: Vec<usize>,
    first_of_node: Vec<usize>,
    half_of_node: Vec<f64>,
    /// Boxes of nodes in which no piece of theirs touches a collider.
    fence: Fence,
    outside: Vec<usize>,
    /// The shortest distance at which any two pieces of the body touch.
    least: f64,
}

/// The balls of one list that each ball of another shares a node with.
#[derive(Default)]
struct Kin {
    first: Vec<usize>,
    places: Vec<usize>,
}

impl Kin {
    fn new(of: &Balls, others: &Balls, solver: &DrawnSolver) -> Self {
        let nodes = |piece: usize| solver.pieces.all[piece].nodes();
        let mut by_node: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (place, &piece) in others.pieces.iter().enumerate() {
            nodes(piece).iter().for_each(|node| by_node.entry(*node).or_default().push(place));
        }
        let mut kin = Self::default();
        for &piece in &of.pieces {
            kin.first.push(kin.places.len());
            let places = nodes(piece).iter().flat_map(|node| by_node.get(node)).flatten();
            kin.places.extend(places);
        }
        kin.first.push(kin.places.len());
        kin
    }
}

/// The balls of one cluster beside those of another.
struct Far<'a> {
    balls: (&'a Balls, Range<usize>),
    others: (&'a Balls, Range<usize>),
    kin: &'a Kin,
    /// Whether each pair counts once.
    is_one: bool,
    skin: f64,
    row: &'a mut Vec<f64>,
    /// Balls that others come closer to than the skin, with their distances from all.
    close: &'a mut Vec<(usize, usize)>,
}

impl NullaryFnOnce for Far<'_> {
    type Output = f64;

    /// The least distance of two that are no kin and not closer than the skin.
    #[inline(always)]
    fn call(self) -> f64 {
        let Self { balls: (balls, range), others: (others, among), kin, is_one, .. } = self;
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
            for other in &kin.places[kin.first[place]..kin.first[place + 1]] {
                if among.contains(other) {
                    row[other - among.start] = f64::INFINITY;
                }
            }
            let least = minimum(row);
            if least >= self.skin {
                room = if least < room { least } else { room };
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

/// The least of some numbers.
#[inline(always)]
fn minimum(values: &[f64]) -> f64 {
    let mut least = [f64::INFINITY; 8];
    let chunks = values.chunks_exact(8);
    for value in chunks.remainder() {
        least[0] = if *value < least[0] { *value } else { least[0] };
    }
    for chunk in chunks {
        for lane in 0..8 {
            least[lane] = if chunk[lane] < least[lane] { chunk[lane] } else { least[lane] };
        }
    }
    least.into_iter().fold(f64::INFINITY, |least, value| if value < least { value } else { least })
}

/// Measures pieces of the body.
struct Distances<'a> {
    solver: &'a DrawnSolver,
    state: &'a State,
    balls: [&'a Balls; 3],
    close: &'a mut Vec<(usize, usize)>,
    most: usize,
    least: f64,
    edge_kin: &'a Kin,
    face_kin: &'a Kin,
    row: Vec<f64>,
    touching: Vec<(usize, usize)>,
}

impl Measure for Distances<'_> {
    fn room(&mut self, _: &Layout, (a, b): (usize, usize), skin: f64) -> f64 {
        let [vertices, edges, faces] = self.balls;
        let (of_edges, of_faces) = (self.edge_kin, self.face_kin);
        let mut room = self.among((edges, a), (edges, b), of_edges, skin);
        if !faces.pieces.is_empty() {
            room = room.min(self.among((vertices, a), (faces, b), of_faces, skin));
            if a != b {
                room = room.min(self.among((vertices, b), (faces, a), of_faces, skin));
            }
        }
        // A pair that slides far beside another in one step may count as touching; see `advance`.
        let slow = 15.0 * self.least;
        if room > slow { slow.max(room / 3.0) } else { room }
    }
}

impl Distances<'_> {
    /// The least room of pieces of one list in a cluster and those of another in another one.
    fn among(
        &mut self,
        (of_a, a): (&Balls, usize),
        (of_b, b): (&Balls, usize),
        kin: &Kin,
        skin: f64,
    ) -> f64 {
        if self.close.len() > self.most {
            return f64::NEG_INFINITY;
        }
        let mut close = std::mem::take(&mut self.touching);
        close.clear();
        let mut room = Instructions::best().run(Far {
            balls: (of_a, of_a.range(a)),
            others: (of_b, of_b.range(b)),
            kin,
            is_one: a == b && std::ptr::eq(of_a, of_b),
            skin,
            row: &mut self.row,
            close: &mut close,
        });
        for (one, other) in &close {
            room = room.min(self.look((of_a.pieces[*one], of_b.pieces[*other]), skin));
        }
        self.touching = close;
        room
    }

    /// The room of two pieces; lists them if it is too little.
    fn look(&mut self, (a, b): (usize, usize), skin: f64) -> f64 {
        let (a, b) = (a.min(b), a.max(b));
        let Some(thickness) = self.solver.thickness(a, b) else { return f64::INFINITY };
        let (distance, size) = self.solver.apart((a, b), self.state);
        let rounding = 64.0 * f64::EPSILON * size;
        let room = distance * (1.0 - BLUR) - thickness - rounding;
        if room >= skin {
            return room;
        }
        self.close.push((a, b));
        f64::INFINITY
    }
}

impl DrawnSolver {
    /// The distance of two pieces in a state, and the size of its coordinates.
    fn apart(&self, (a, b): (usize, usize), state: &State) -> (f64, f64) {
        let (n, all) = (self.body_nodes, &self.pieces.all);
        let [first, second] =
            [a, b].map(|piece| all[piece].padded().map(|node| state.position(n, node)));
        let found = nearest(&first[..all[a].count], &second[..all[b].count]);
        (found.distance, greatest(first[0]))
    }

    /// The middle of a piece in a state, and how far it reaches with its half thickness.
    fn ball(&self, piece: usize, state: &State) -> (Vec3, f64) {
        let (n, it) = (self.body_nodes, &self.pieces.all[piece]);
        let corners = it.nodes().iter().map(|&node| state.position(n, node));
        let sum = corners.clone().fold([0.0; 3], add);
        let middle = scaled(sum, 1.0 / it.count as f64);
        let reach = corners.map(|corner| norm(sub(corner, middle))).fold(0.0, f64::max);
        (middle, reach * (1.0 + BLUR) + it.half)
    }

    /// Forgets where nodes were: pins, springs or positions have changed between two steps.
    pub(crate) fn forget(&mut self) {
        self.guard = None;
    }

    /// Whether anything may touch in a step between these states.
    pub(crate) fn may_touch(
        &mut self,
        (model, springs): (&Model, &SpringMemory),
        (start, end): (&State, &State),
    ) -> bool {
        // What a collider of one's own looks like says nothing about its distances.
        if self.obstacles.all.iter().any(|it| matches!(it.shape, Shape::Other(_))) {
            return true;
        }
        let mut guard = match self.guard.take() {
            Some(guard) => guard,
            None => {
                self.know(model, springs);
                Box::new(Guard::new(self, model, start))
            }
        };
        let may_touch = guard.may_touch(self, (model, springs), (start, end));
        self.guard = Some(guard);
        may_touch
    }

    /// Hears which nodes contacts have moved.
    pub(super) fn tell_guard(&mut self, displaced: &[usize], state: &State) {
        if let Some(guard) = &mut self.guard {
            guard.follow(displaced, &state.x);
        }
    }

    /// Whether a pair of pieces may touch in a step.
    fn may_meet(&self, (a, b): (usize, usize), (start, end): (&State, &State)) -> bool {
        let n = self.body_nodes;
        let way = |node: usize| sub(end.position(n, node), start.position(n, node));
        let ways_of = |piece: usize| self.pieces.all[piece].padded().map(way);
        let (ways_a, ways_b) = (ways_of(a), ways_of(b));
        let reach = ways_a.iter().flat_map(|a| ways_b.iter().map(|b| norm(sub(*a, *b))));
        let reach = reach.fold(0.0, f64::max);
        let Some(thickness) = self.thickness(a, b) else { return false };
        let (distance, size) = self.apart((a, b), start);
        let rounding = 64.0 * f64::EPSILON * size;
        distance * (1.0 - BLUR) - reach * (1.0 + BLUR) - rounding <= thickness
    }
}

impl Guard {
    fn new(solver: &DrawnSolver, model: &Model, state: &State) -> Self {
        let mut groups = groups(model, state);
        let mut of = vec![0; model.nodes()];
        for (index, group) in groups.iter().enumerate() {
            group.iter().for_each(|&node| of[node] = index);
        }
        let balls = |range: &Range<usize>| Balls::new(range.clone(), solver, &groups, &of);
        let pieces = &solver.pieces;
        let [vertices, edges, faces] =
            [balls(&pieces.vertices), balls(&pieces.edges), balls(&pieces.faces)];
        for (index, group) in groups.iter_mut().enumerate() {
            for balls in [&edges, &faces] {
                let of_cluster = &balls.pieces[balls.range(index)];
                group.extend(of_cluster.iter().flat_map(|&piece| pieces.all[piece].nodes()));
            }
            group.sort_unstable();
            group.dedup();
        }
        let rest = model.held().iter().map(|spring| spring.rest_length / std::f64::consts::PI);
        let closer = solver.closer.values().copied();
        let least = rest.chain(closer).fold(solver.least, f64::min);
        let body = 0..pieces.faces.end;
        let mut of_node: Vec<(usize, usize)> = Vec::new();
        let mut half_of_node = vec![0.0_f64; model.nodes()];
        for piece in body {
            for &node in pieces.all[piece].nodes() {
                of_node.push((node, piece));
                half_of_node[node] = half_of_node[node].max(pieces.all[piece].half);
            }
        }
        of_node.sort_unstable();
        let before = |node: usize| of_node.partition_point(|(of, _)| *of < node);
        let first_of_node = (0..=model.nodes()).map(before).collect();
        let has_colliders = !solver.obstacles.all.is_empty();
        let nodes = if has_colliders { model.nodes() } else { 0 };
        Self {
            clusters: Clusters::new(&groups, model),
            edge_kin: Kin::new(&edges, &edges, solver),
            face_kin: Kin::new(&vertices, &faces, solver),
            vertices,
            edges,
            faces,
            close: Vec::new(),
            pause: 0,
            of_node: of_node.into_iter().map(|(_, piece)| piece).collect(),
            first_of_node,
            half_of_node,
            fence: Fence::new((nodes, model.axes)),
            outside: Vec::new(),
            least,
        }
    }

    fn may_touch(
        &mut self,
        solver: &mut DrawnSolver,
        (model, springs): (&Model, &SpringMemory),
        (start, end): (&State, &State),
    ) -> bool {
        if !solver.obstacles.all.is_empty() {
            self.fence.find_outside(&end.x, &mut self.outside);
            if !self.outside.is_empty() && !self.fence_off(solver, model, (start, end)) {
                self.clusters.forget();
                return true;
            }
        }
        if !self.clusters.hold(&end.x) {
            self.pause = self.pause.saturating_sub(1);
            if self.pause > 0 {
                self.clusters.forget();
                return true;
            }
            solver.know(model, springs);
            for balls in [&mut self.vertices, &mut self.edges, &mut self.faces] {
                balls.take(solver, start);
            }
            self.close.clear();
            let mut distances = Distances {
                solver,
                state: start,
                balls: [&self.vertices, &self.edges, &self.faces],
                close: &mut self.close,
                most: MOST * (model.nodes() + MOST),
                least: self.least,
                edge_kin: &self.edge_kin,
                face_kin: &self.face_kin,
                row: Vec::new(),
                touching: Vec::new(),
            };
            let thickest = solver.thickest();
            if !self.clusters.prove((&start.x, &end.x), thickest, &mut distances) {
                self.pause = PAUSE;
                return true;
            }
        }
        self.close.iter().any(|pair| solver.may_meet(*pair, (start, end)))
    }

    /// Draws boxes around the nodes that are out of theirs, so small that no piece with such a node
    /// touches a collider; whether all that is possible for this step.
    fn fence_off(
        &mut self,
        solver: &DrawnSolver,
        model: &Model,
        (start, end): (&State, &State),
    ) -> bool {
        let n = model.nodes();
        let share = FILLED / (model.axes as f64).sqrt();
        let mut is_clear = true;
        for &node in &self.outside {
            let at = start.position(n, node);
            let pieces = &self.of_node[self.first_of_node[node]..self.first_of_node[node + 1]];
            let mut least = f64::INFINITY;
            for (index, obstacle) in solver.obstacles.all.iter().enumerate() {
                let clearance = |point, size| solver.obstacles.clearance(index, point) - size;
                if let Shape::HalfSpace(_) = obstacle.shape {
                    least = least.min(match model.pinned[node] {
                        true => f64::INFINITY,
                        false => clearance(at, self.half_of_node[node]),
                    });
                    continue;
                }
                for &piece in pieces {
                    let (middle, size) = solver.ball(piece, start);
                    least = least.min(clearance(middle, size));
                }
            }
            self.fence.set(node, at, if least > 0.0 { share * least } else { -1.0 });
            is_clear &= self.fence.holds(node, &end.x);
        }
        is_clear
    }

    /// Hears which nodes contacts have moved, and where all are now.
    fn follow(&mut self, displaced: &[usize], x: &[f64]) {
        if !self.clusters.hold(x) {
            self.clusters.forget();
        }
        for &node in displaced {
            if !self.fence.reach.is_empty() && !self.fence.holds(node, x) {
                self.fence.remove(node);
            }
        }
    }
}
