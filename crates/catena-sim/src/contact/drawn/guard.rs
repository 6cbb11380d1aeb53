//! Fast proof that nothing touches in a step of drawn contact, without a test of each pair.
//!
//! A pair is clear if its distance at the start of a step exceeds its contact distance plus its
//! relative motion. Pieces count as balls, grouped by the clusters of their nodes. Distances of
//! pieces are computed exactly only if their balls are close. Only pairs closer than a limit are
//! listed and tested in each step.

use super::balls::{Adjacency, Balls, Far};
use super::boxes::Boxes;
use super::closest::nearest;
use super::step::DrawnStep;
use crate::body::vector::{greatest, norm, sub};
use crate::body::{Model, SpringMemory, State};
use crate::contact::clusters::{BLUR, ClusterLayout, Clusters, Measure, Size, groups};
use crate::contact::fence::Fence;
use crate::contact::moving::Stride;
use crate::instructions::Instructions;
use std::f64::consts::{FRAC_PI_2, PI};
use std::ops::Range;

/// Cluster sizes. Pieces have smaller clearances than nodes, and small clusters can rotate farther
/// within a clearance.
const SIZE: Size = Size { run: 8, tile: 2 };

/// Maximum number of close pairs per node that are kept from step to step.
const MAX: usize = 8;

/// Number of steps between a failed proof and the next attempt.
const PAUSE: u32 = 8;

/// Data of a body in which nothing touches.
pub(super) struct Guard {
    clusters: Clusters,
    vertices: Balls,
    edges: Balls,
    faces: Balls,
    edge_adjacency: Adjacency,
    face_adjacency: Adjacency,
    is_wide: bool,
    /// Close pairs, which each step tests.
    close: Vec<(usize, usize)>,
    /// Workspace of distance measurements.
    row: Vec<f64>,
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
    balls: [&'a Balls; 3],
    close: &'a mut Vec<(usize, usize)>,
    maximum: usize,
    minimum: f64,
    edge_adjacency: &'a Adjacency,
    face_adjacency: &'a Adjacency,
    /// Whether pieces are neighbours along the springs only if they share a node.
    is_wide: bool,
    row: Vec<f64>,
    touching: Vec<(usize, usize)>,
}

impl Measure for Distances<'_> {
    fn room(&mut self, _: &ClusterLayout, (a, b): (usize, usize), skin: f64) -> f64 {
        let [vertices, edges, faces] = self.balls;
        let (of_edges, of_faces) = (self.edge_adjacency, self.face_adjacency);
        let mut room = self.among(edges, a, edges, b, of_edges, skin);
        if !faces.pieces.is_empty() {
            room = room.min(self.among(vertices, a, faces, b, of_faces, skin));
            if a != b {
                room = room.min(self.among(vertices, b, faces, a, of_faces, skin));
            }
        }
        room
    }

    /// Limits the relative motion per step. The full test counts a pair as touching if it needs too
    /// many advances. This cannot occur within the limit, because every pair then begins farther
    /// apart than it moves.
    fn usable(&self, free: f64) -> f64 {
        let slow = 15.0 * self.minimum;
        if free > slow { slow.max(free / 3.0) } else { free }
    }
}

impl Distances<'_> {
    /// Returns the minimum clearance between the pieces of one list in cluster `a` and the pieces
    /// of another list in cluster `b`.
    fn among(
        &mut self,
        of_a: &Balls,
        a: usize,
        of_b: &Balls,
        b: usize,
        adjacency: &Adjacency,
        skin: f64,
    ) -> f64 {
        if self.close.len() > self.maximum {
            return f64::NEG_INFINITY;
        }
        let mut close = std::mem::take(&mut self.touching);
        close.clear();
        let mut room = Instructions::best().run(Far {
            balls: (of_a, of_a.range(a)),
            others: (of_b, of_b.range(b)),
            adjacency,
            is_one: a == b && std::ptr::eq(of_a, of_b),
            skin,
            row: &mut self.row,
            close: &mut close,
        });
        for (one, other) in &close {
            room = room.min(self.clearance(of_a.pieces[*one], of_b.pieces[*other], skin));
        }
        self.touching = close;
        room
    }

    /// Returns the clearance of two pieces. If it is below `skin`, lists the pair and returns
    /// infinity.
    fn clearance(&mut self, a: usize, b: usize, skin: f64) -> f64 {
        let (a, b) = (a.min(b), a.max(b));
        let thickness = match self.is_wide {
            true => self.solver.pieces.all[a].half + self.solver.pieces.all[b].half,
            false => match self.solver.thickness(a, b) {
                Some(thickness) => thickness,
                None => return f64::INFINITY,
            },
        };
        let (distance, size) = self.solver.apart(a, b, self.state);
        let rounding = 64.0 * f64::EPSILON * size;
        let room = distance * (1.0 - BLUR) - thickness - rounding;
        if room >= skin {
            return room;
        }
        self.close.push((a, b));
        f64::INFINITY
    }
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
            vertices,
            edges,
            faces,
            close: Vec::new(),
            row: Vec::new(),
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
            self.clusters.forget();
            return true;
        }
        if !self.clusters.hold(&end.x) {
            self.pause = self.pause.saturating_sub(1);
            if self.pause > 0 {
                self.clusters.forget();
                return true;
            }
            solver.know(model, springs);
            for balls in [&mut self.vertices, &mut self.edges, &mut self.faces] {
                balls.update(solver, start);
            }
            self.close.clear();
            let mut distances = Distances {
                solver,
                state: start,
                balls: [&self.vertices, &self.edges, &self.faces],
                close: &mut self.close,
                maximum: MAX * (model.nodes() + MAX),
                minimum: self.minimum,
                edge_adjacency: &self.edge_adjacency,
                face_adjacency: &self.face_adjacency,
                is_wide: self.is_wide,
                row: std::mem::take(&mut self.row),
                touching: std::mem::take(&mut self.touching),
            };
            let thickest = solver.thickest();
            let is_proved = self.clusters.prove(&start.x, &end.x, thickest, &mut distances);
            (self.row, self.touching) = (distances.row, distances.touching);
            if !is_proved {
                self.pause = PAUSE;
                return true;
            }
        }
        self.close.iter().any(|pair| solver.may_meet(pair.0, pair.1, start, end))
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
