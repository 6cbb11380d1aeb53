//! Fast proof that nothing touches in a step of drawn contact, without a test of each pair.
//!
//! A pair is clear if its distance at the start of a step exceeds its contact distance plus its
//! relative motion. Pieces count as balls, grouped by the clusters of their nodes. Distances of
//! pieces are computed exactly only if their balls are close. Only pairs closer than a limit are
//! listed and tested in each step.

use super::balls::{Adjacency, Balls, Far, Rows};
use super::boxes::Boxes;
use super::closest::nearest;
use super::step::DrawnStep;
use crate::body::vector::{Vec3, dot, greatest, norm, sub};
use crate::body::{Model, SpringMemory, State};
use crate::contact::BoundedMotion;
use crate::contact::clusters::{
    BLUR, Clearance, ClusterLayout, Clusters, LONG, Measure, Size, groups,
};
use crate::contact::fence::Fence;
use crate::contact::moving::Stride;
use crate::instructions::Instructions;
use std::f64::consts::{FRAC_PI_2, PI};
use std::ops::Range;

/// Cluster sizes. Pieces have smaller clearances than nodes, and small clusters can rotate farther
/// within a clearance.
const SIZE: Size = Size { run: 8, tile: 2 };

/// Indices of the kinds of pieces.
const VERTICES: usize = 0;
const EDGES: usize = 1;
const FACES: usize = 2;

/// Maximum number of close pairs per node that are kept from step to step.
const MAX: usize = 8;

/// Number of steps between a failed proof and the next attempt.
const PAUSE: u32 = 8;

/// Data of a body in which nothing touches.
pub(super) struct Guard {
    clusters: Clusters,
    /// Vertices, edges and faces.
    balls: [Balls; 3],
    edge_adjacency: Adjacency,
    face_adjacency: Adjacency,
    is_wide: bool,
    /// Close pairs, which each step tests.
    close: Vec<(usize, usize)>,
    /// Workspace of distance measurements.
    rows: Rows,
    touching: Vec<(usize, usize)>,
    /// Remaining steps without an attempt, after a failed proof.
    pause: u32,
    /// Boxes of nodes in which none of their pieces touches a collider.
    boxes: Boxes,
    /// Boxes for runs that take several steps at once.
    open: Fence,
    /// Minimum contact distance over all pairs of the body's pieces.
    minimum: f64,
}

/// Distance measure between pieces of the body.
struct Distances<'a> {
    solver: &'a DrawnStep,
    state: &'a State,
    balls: &'a mut [Balls; 3],
    close: &'a mut Vec<(usize, usize)>,
    maximum: usize,
    minimum: f64,
    edge_adjacency: &'a Adjacency,
    face_adjacency: &'a Adjacency,
    /// Whether pieces are neighbours along the springs only if they share a node.
    is_wide: bool,
    /// Predicted displacements per step, flat by axis.
    strides: &'a [f64],
    rows: Rows,
    touching: Vec<(usize, usize)>,
}

impl Measure for Distances<'_> {
    fn begin(&mut self) {
        self.close.clear();
    }

    fn end(&mut self) {
        self.close.sort_unstable();
        self.close.dedup();
    }

    fn room(&mut self, clusters: &ClusterLayout, (a, b): (usize, usize), skin: f64) -> Clearance {
        for kind in &mut *self.balls {
            kind.update(a, self.solver, self.state, self.strides);
            kind.update(b, self.solver, self.state, self.strides);
        }
        let (of_edges, of_faces) = (self.edge_adjacency, self.face_adjacency);
        let course = (clusters.horizon, skin);
        let mut room = self.among((EDGES, a), (EDGES, b), of_edges, course);
        if !self.balls[FACES].pieces.is_empty() {
            room = lower(room, self.among((VERTICES, a), (FACES, b), of_faces, course));
            if a != b {
                room = lower(room, self.among((VERTICES, b), (FACES, a), of_faces, course));
            }
        }
        Clearance::of(room, clusters.horizon)
    }

    /// Limits the relative motion per step. The full test counts a pair as touching if it needs too
    /// many advances. This cannot occur within the limit, because every pair then begins farther
    /// apart than it moves.
    fn slow(&self) -> f64 {
        15.0 * self.minimum
    }
}

/// Minimum distances or clearances at the start, at the horizon and after [`LONG`] horizons.
type Ends = [f64; 3];

fn lower(a: Ends, b: Ends) -> Ends {
    [0, 1, 2].map(|k: usize| a[k].min(b[k]))
}

impl Distances<'_> {
    /// Returns the minimum clearances between the pieces of one kind in a cluster and the pieces of
    /// another kind in another cluster.
    fn among(
        &mut self,
        (kind_a, a): (usize, usize),
        (kind_b, b): (usize, usize),
        adjacency: &Adjacency,
        (horizon, skin): (f64, f64),
    ) -> Ends {
        if self.close.len() > self.maximum {
            return [f64::NEG_INFINITY; 3];
        }
        let mut close = std::mem::take(&mut self.touching);
        close.clear();
        let (of_a, of_b) = (&self.balls[kind_a], &self.balls[kind_b]);
        let mut room = Instructions::best().run(Far {
            balls: (of_a, of_a.range(a)),
            others: (of_b, of_b.range(b)),
            adjacency,
            is_one: a == b && kind_a == kind_b,
            horizon,
            skin,
            rows: &mut self.rows,
            close: &mut close,
        });
        for (one, other) in &close {
            let [one, other] = [self.balls[kind_a].pieces[*one], self.balls[kind_b].pieces[*other]];
            room = lower(room, self.clearance(one, other, horizon, skin));
        }
        self.touching = close;
        room
    }

    /// Returns the clearances of two pieces. If they may fall below `skin` in the first step, lists
    /// the pair and returns infinity.
    fn clearance(&mut self, a: usize, b: usize, horizon: f64, skin: f64) -> Ends {
        let (a, b) = (a.min(b), a.max(b));
        let thickness = match self.is_wide {
            true => self.solver.pieces.all[a].half + self.solver.pieces.all[b].half,
            false => match self.solver.thickness(a, b) {
                Some(thickness) => thickness,
                None => return [f64::INFINITY; 3],
            },
        };
        let Approach { ends, first, size } =
            self.solver.approach(a, b, self.state, self.strides, horizon);
        let rounding = 64.0 * f64::EPSILON * size + BLUR * ends[0];
        if first - thickness - rounding >= skin {
            return ends.map(|distance| distance - thickness - rounding);
        }
        self.close.push((a, b));
        [f64::INFINITY; 3]
    }
}

/// Lower bounds for the distance of two pieces in the predicted motion.
struct Approach {
    ends: Ends,
    /// After the first step.
    first: f64,
    /// Magnitude of the coordinates.
    size: f64,
}

impl DrawnStep {
    /// Returns the distance of two pieces in a state, and the magnitude of their coordinates.
    fn apart(&self, a: usize, b: usize, state: &State) -> (f64, f64) {
        let (n, all) = (self.body_nodes, &self.pieces.all);
        let [first, second] =
            [a, b].map(|piece| all[piece].padded().map(|node| state.position(n, node)));
        let found = nearest(&first[..all[a].count], &second[..all[b].count]);
        (found.distance, greatest(first[0]))
    }

    /// Returns the distance of two pieces that move by `strides` per step. The
    /// distance of the corners along the direction of the nearest points is a lower bound.
    fn approach(
        &self,
        a: usize,
        b: usize,
        state: &State,
        strides: &[f64],
        horizon: f64,
    ) -> Approach {
        let (n, all) = (self.body_nodes, &self.pieces.all);
        let [first, second] =
            [a, b].map(|piece| all[piece].padded().map(|node| state.position(n, node)));
        let found = nearest(&first[..all[a].count], &second[..all[b].count]);
        // Position along the normal, and its change per step, of each corner.
        let along = |piece: usize, corners: [Vec3; 3]| {
            let nodes = all[piece].padded();
            [0, 1, 2].map(|k: usize| {
                let of_node = strides[nodes[k]..].iter().step_by(n);
                let mut pace = [0.0; 3];
                pace.iter_mut().zip(of_node).for_each(|(to, from)| *to = *from);
                (dot(found.normal, sub(corners[k], first[0])), dot(found.normal, pace))
            })
        };
        let (of_a, of_b) = (along(a, first), along(b, second));
        let (mut ends, mut soon) = ([f64::INFINITY; 3], f64::INFINITY);
        for (at_a, pace_a) in of_a {
            for (at_b, pace_b) in of_b {
                let (apart, change) = (at_a - at_b, (pace_a - pace_b).min(0.0));
                let after = |steps: f64| apart + steps * change;
                ends = lower(ends, [0.0, horizon, LONG * horizon].map(after));
                soon = soon.min(after(1.0));
            }
        }
        Approach { ends, first: soon, size: greatest(first[0]) }
    }

    /// Whether a pair of pieces may touch in a step.
    fn may_meet(&self, a: usize, b: usize, start: &State, end: &State) -> bool {
        let n = self.body_nodes;
        let displacement = |node: usize| sub(end.position(n, node), start.position(n, node));
        let displacements_of = |piece: usize| self.pieces.all[piece].padded().map(displacement);
        let (displacements_a, displacements_b) = (displacements_of(a), displacements_of(b));
        let reach =
            displacements_a.iter().flat_map(|a| displacements_b.iter().map(|b| norm(sub(*a, *b))));
        let reach = reach.fold(0.0, f64::max);
        let Some(thickness) = self.thickness(a, b) else { return false };
        let (distance, size) = self.apart(a, b, start);
        let rounding = 64.0 * f64::EPSILON * size;
        distance * (1.0 - BLUR) - reach * (1.0 + BLUR) - rounding <= thickness
    }
}

impl Guard {
    /// Creates a guard for pieces at a state, without a proof.
    pub(super) fn new(solver: &DrawnStep, model: &Model, state: &State) -> Self {
        let mut groups = groups(model, state, SIZE);
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
        let lengths = model.held().iter().map(|spring| spring.rest_length);
        let shortest = lengths.fold(f64::INFINITY, f64::min);
        let closer = solver.closer.values().copied();
        let minimum = closer.fold(solver.minimum.min(shortest / PI), f64::min);
        Self {
            clusters: Clusters::new(&groups, model),
            is_wide: shortest > FRAC_PI_2 * solver.thickest() * (1.0 + BLUR),
            edge_adjacency: Adjacency::new(&edges, &edges, solver),
            face_adjacency: Adjacency::new(&vertices, &faces, solver),
            balls: [vertices, edges, faces],
            close: Vec::new(),
            rows: Rows::default(),
            touching: Vec::new(),
            pause: 0,
            boxes: Boxes::new(solver, model),
            open: Fence::default(),
            minimum,
        }
    }

    /// Returns whether anything may touch in a step between two states. Updates the boxes, and
    /// creates a new proof if the last one does not hold.
    pub(super) fn may_touch(
        &mut self,
        solver: &mut DrawnStep,
        model: &Model,
        springs: &SpringMemory,
        start: &State,
        end: &State,
        stride: Stride,
    ) -> bool {
        let has_colliders = !solver.obstacles.all.is_empty();
        if has_colliders && !self.boxes.hold(solver, model, start, end, stride) {
            self.clusters.skip(start, end);
            return true;
        }
        if !self.clusters.follow(start, end) {
            self.pause = self.pause.saturating_sub(1);
            if self.pause > 0 {
                self.clusters.forget();
                return true;
            }
            solver.know(model, springs);
            self.clusters.plan(start, end);
            if !self.prove(solver, model, start, &end.x) {
                self.pause = PAUSE;
                return true;
            }
        }
        self.close.iter().any(|pair| solver.may_meet(pair.0, pair.1, start, end))
    }

    /// Creates a proof for the planned motion, and a step that ends at `end`. Returns `false` if
    /// there is none.
    fn prove(&mut self, solver: &DrawnStep, model: &Model, start: &State, end: &[f64]) -> bool {
        let strides = std::mem::take(self.clusters.strides());
        self.balls.iter_mut().for_each(Balls::forget);
        let mut distances = Distances {
            solver,
            state: start,
            balls: &mut self.balls,
            close: &mut self.close,
            maximum: MAX * (model.nodes() + MAX),
            minimum: self.minimum,
            edge_adjacency: &self.edge_adjacency,
            face_adjacency: &self.face_adjacency,
            is_wide: self.is_wide,
            strides: &strides,
            rows: std::mem::take(&mut self.rows),
            touching: std::mem::take(&mut self.touching),
        };
        let is_proved =
            self.clusters.prove(&start.x, end, &strides, solver.thickest(), &mut distances);
        (self.rows, self.touching) = (distances.rows, distances.touching);
        *self.clusters.strides() = strides;
        is_proved
    }

    /// Whether certainly nothing touches in a motion. Colliders must not move.
    pub(super) fn covers(
        &mut self,
        solver: &DrawnStep,
        model: &Model,
        state: &State,
        course: &BoundedMotion,
    ) -> bool {
        let has_colliders = !solver.obstacles.all.is_empty();
        if has_colliders && !self.boxes.cover(solver, model, state, course) {
            return false;
        }
        if self.close.is_empty() && self.clusters.covers(state, course) {
            return true;
        }
        if self.clusters.is_young(state) {
            return false;
        }
        self.clusters.plan_motion(state, course);
        self.prove(solver, model, state, &course.first(state))
            && self.close.is_empty()
            && self.clusters.covers(state, course)
    }

    /// Counts the steps of a motion in which nothing touched.
    pub(super) fn pass(&mut self, course: &BoundedMotion, time: f64) {
        self.clusters.pass(course, time);
    }

    /// Returns boxes around the positions of a state, within which nothing touches. Returns `None`
    /// if there are close pairs, or if a box would be empty.
    pub(super) fn fence(&mut self, nodes: usize, state: &State) -> Option<&Fence> {
        if !self.close.is_empty() {
            return None;
        }
        self.open.centre.clone_from(&state.x);
        self.open.reach.clear();
        match self.boxes.fence.reach.is_empty() {
            true => self.open.reach.resize(nodes, f64::INFINITY),
            false => self.open.reach.extend_from_slice(&self.boxes.fence.reach),
        }
        self.clusters.limit(&mut self.open.reach);
        self.open.reach.iter().all(|reach| *reach > 0.0).then_some(&self.open)
    }

    /// Updates the proof and the boxes after contacts have moved nodes.
    pub(super) fn follow(&mut self, displaced: &[usize], x: &[f64]) {
        if !self.clusters.hold(x) {
            self.clusters.forget();
        }
        self.boxes.follow(displaced, x);
    }
}
