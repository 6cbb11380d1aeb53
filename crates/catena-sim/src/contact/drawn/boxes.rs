//! Boxes of nodes in which none of their pieces touches a collider.

use super::step::DrawnStep;
use crate::body::{Model, State};
use crate::contact::BoundedMotion;
use crate::contact::collider::Shape;
use crate::contact::fence::Fence;
use crate::contact::moving::{Odometer, Stride};

/// Fraction of the clearance from fixed colliders that the half diagonal of a node's box fills. The
/// start, the end and the motion of a piece each use this fraction.
const FILLED: f64 = 0.3;

/// Value of [`FILLED`] for moving colliders. Their own motion uses most of the remaining clearance.
const FILLED_MOVING: f64 = 0.1;

/// Maximum collider motion in the step that creates a box, as a fraction of the clearance.
const STRIDE: f64 = 0.35;

/// Boxes of nodes, and the data to create them.
pub(super) struct Boxes {
    /// Pieces of each node, concatenated, without half-spaces. `first_of_node` is the start index
    /// of each node, and `half_of_node` its half thickness.
    of_node: Vec<usize>,
    first_of_node: Vec<usize>,
    half_of_node: Vec<f64>,
    pub(super) fence: Fence,
    odometer: Odometer,
    outside: Vec<usize>,
}

impl Boxes {
    pub(super) fn new(solver: &DrawnStep, model: &Model) -> Self {
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

    /// Gives nodes that have left their boxes new boxes, in which none of their pieces touches a
    /// collider. Adds the collider motion `stride` to the odometer. Returns whether certainly
    /// nothing touches a collider in the step.
    pub(super) fn hold(
        &mut self,
        solver: &DrawnStep,
        model: &Model,
        start: &State,
        end: &State,
        stride: Stride,
    ) -> bool {
        if !solver.obstacles.movers.is_empty() {
            self.odometer.advance(stride, &mut self.fence);
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

    /// Whether nothing touches a fixed collider in a motion from `state`. Gives nodes new boxes if
    /// necessary.
    pub(super) fn cover(
        &mut self,
        solver: &DrawnStep,
        model: &Model,
        state: &State,
        course: &BoundedMotion,
    ) -> bool {
        let BoundedMotion { middles, ends, error, .. } = course;
        let n = model.nodes();
        (0..n).all(|node| {
            let is_inside = |fence: &Fence| {
                [&state.x, middles, ends].into_iter().all(|x| fence.holds_with(node, x, *error))
            };
            if is_inside(&self.fence) {
                return true;
            }
            let (still, _) = self.clearances(node, solver, model, state);
            let reach = FILLED * still / (model.axes as f64).sqrt();
            let reach = if reach > 0.0 { reach } else { -1.0 };
            self.fence.set(node, state.position(n, node), reach);
            is_inside(&self.fence)
        })
    }

    /// Returns lower bounds for the distances of a node's pieces from fixed colliders and from
    /// moving ones.
    fn clearances(
        &self,
        node: usize,
        solver: &DrawnStep,
        model: &Model,
        start: &State,
    ) -> (f64, f64) {
        let pieces = &self.of_node[self.first_of_node[node]..self.first_of_node[node + 1]];
        let (mut still, mut moving) = (f64::INFINITY, f64::INFINITY);
        for (index, obstacle) in solver.obstacles.all.iter().enumerate() {
            let clearance = |point, size| solver.obstacles.clearance(index, point) - size;
            let minimum = match obstacle.shape {
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
                None => still = still.min(minimum),
                Some(_) => moving = moving.min(minimum),
            }
        }
        (still, moving)
    }

    /// Removes the boxes of displaced nodes that are outside their boxes at `x`.
    pub(super) fn follow(&mut self, displaced: &[usize], x: &[f64]) {
        for &node in displaced {
            if !self.fence.reach.is_empty() && !self.fence.holds(node, x) {
                self.fence.remove(node);
            }
        }
    }
}
