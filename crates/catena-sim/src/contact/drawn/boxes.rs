//! Boxes of nodes in which no piece of theirs touches a collider.

use super::step::DrawnSolver;
use crate::body::{Model, State};
use crate::contact::collider::Shape;
use crate::contact::fence::Fence;
use crate::contact::moving::{Odometer, Stride};

/// The share of the distance to a collider that the box around a node fills: begin, end and way
/// each take up one of it.
const FILLED: f64 = 0.3;

/// The same beside a collider that moves, which takes most of the rest.
const FILLED_MOVING: f64 = 0.1;

/// The share of the distance by which such a collider may move in the step that a box begins with.
const STRIDE: f64 = 0.35;

/// What is known of nodes beside colliders.
pub(super) struct Boxes {
    /// The pieces of each node but half-spaces, where they begin, and its half thickness.
    of_node: Vec<usize>,
    first_of_node: Vec<usize>,
    half_of_node: Vec<f64>,
    pub(super) fence: Fence,
    odometer: Odometer,
    outside: Vec<usize>,
}

impl Boxes {
    pub(super) fn new(solver: &DrawnSolver, model: &Model) -> Self {
        let pieces = &solver.pieces;
        let mut of_node: Vec<(usize, usize)> = Vec::new();
        let mut half_of_node = vec![0.0_f64; model.nodes()];
        for piece in 0..pieces.faces.end {
            for &node in pieces.all[piece].nodes() {
                of_node.push((node, piece));
                half_of_node[node] = half_of_node[node].max(pieces.all[piece].half);
            }
        }
        of_node.sort_unstable();
        let before = |node: usize| of_node.partition_point(|(of, _)| *of < node);
        let first_of_node = (0..=model.nodes()).map(before).collect();
        let nodes = if solver.obstacles.all.is_empty() { 0 } else { model.nodes() };
        Self {
            of_node: of_node.into_iter().map(|(_, piece)| piece).collect(),
            first_of_node,
            half_of_node,
            fence: Fence::new(nodes, model.axes),
            odometer: Odometer::new(nodes),
            outside: Vec::new(),
        }
    }

    /// Whether nothing touches a collider in a step in which those that move go so far. Draws the
    /// boxes anew around the nodes that are out of theirs, so small that no piece with such a node
    /// touches.
    pub(super) fn hold(
        &mut self,
        solver: &DrawnSolver,
        model: &Model,
        start: &State,
        end: &State,
        stride: Stride,
    ) -> bool {
        if !solver.obstacles.movers.is_empty() {
            self.odometer.go_on(stride, &mut self.fence);
        }
        self.fence.find_outside(&end.x, &mut self.outside);
        let outside = std::mem::take(&mut self.outside);
        let mut is_clear = true;
        for &node in &outside {
            let (still, moving) = self.clearances(node, solver, model, start);
            let root = (model.axes as f64).sqrt();
            let reach = (FILLED * still / root).min(FILLED_MOVING * moving / root);
            let is_far = reach > 0.0 && stride.length <= STRIDE * moving;
            let at = start.position(model.nodes(), node);
            self.fence.set(node, at, if is_far { reach } else { -1.0 });
            if moving < f64::INFINITY {
                self.odometer.set(node, moving);
            }
            is_clear &= self.fence.holds(node, &end.x);
        }
        self.outside = outside;
        is_clear
    }

    /// How far the pieces of a node are at least from colliders that stand, and from those that
    /// move.
    fn clearances(
        &self,
        node: usize,
        solver: &DrawnSolver,
        model: &Model,
        start: &State,
    ) -> (f64, f64) {
        let pieces = &self.of_node[self.first_of_node[node]..self.first_of_node[node + 1]];
        let (mut still, mut moving) = (f64::INFINITY, f64::INFINITY);
        for (index, obstacle) in solver.obstacles.all.iter().enumerate() {
            let clearance = |point, size| solver.obstacles.clearance(index, point) - size;
            let least = match obstacle.shape {
                Shape::HalfSpace(_) if model.pinned[node] => f64::INFINITY,
                Shape::HalfSpace(_) => {
                    clearance(start.position(model.nodes(), node), self.half_of_node[node])
                }
                _ => {
                    let balls = pieces.iter().map(|&piece| solver.ball(piece, start));
                    balls
                        .map(|(middle, size)| clearance(middle, size))
                        .fold(f64::INFINITY, f64::min)
                }
            };
            match obstacle.mover {
                None => still = still.min(least),
                Some(_) => moving = moving.min(least),
            }
        }
        (still, moving)
    }

    /// Hears which nodes contacts have moved, and where all are now.
    pub(super) fn follow(&mut self, displaced: &[usize], x: &[f64]) {
        for &node in displaced {
            if !self.fence.reach.is_empty() && !self.fence.holds(node, x) {
                self.fence.remove(node);
            }
        }
    }
}
