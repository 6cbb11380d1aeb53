//! Sequence of edges and clamps along a rod, and the joints between them.
//!
//! A clamp is an edge of fixed direction at its node. The joint between a clamp and an edge is half
//! as long as a joint between two edges. The direction is therefore held at the node itself.

use super::{Rod, clamp::Holder};
use crate::body::Body;

/// An edge of a rod, or a clamp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Slot {
    /// A spring from node `a` to node `b`.
    Edge { a: usize, b: usize },
    /// Direction of a clamp, by its index.
    Clamp(usize),
}

/// Joint between a slot and the next slot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Joint {
    /// Bending stiffness over length, for the two directions of the section; 0 if broken.
    pub bend: [f64; 2],
    /// Torsional stiffness over length; 0 if broken.
    pub torsion: f64,
    /// Rest curvature times length.
    pub rest: [f64; 2],
    /// Rest twist times length.
    pub rest_twist: f64,
    /// Length of rod that the joint represents; 0 if broken.
    pub length: f64,
}

/// Slots and joints of a rod with given pins and breaks.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub slots: Vec<Slot>,
    /// Joint i joins slots i and i + 1. In a ring the last joint joins the last slot and slot 0.
    pub joints: Vec<Joint>,
    /// Whether each clamp holds.
    pub holds: Vec<bool>,
}

impl Layout {
    /// Creates the layout of a rod with the pins and breaks of a body.
    pub(super) fn new(rod: &Rod, holders: &[Holder], body: &Body<'_>) -> Self {
        let mut layout = Self { holds: holds(holders, body), ..Self::default() };
        let (nodes, springs) = (&rod.nodes, &rod.springs);
        let length = |k: usize| body.model.springs[springs[k]].rest_length;
        let is_whole = |k: usize| !body.springs.is_broken(springs[k]);
        for (k, &node) in nodes.iter().enumerate() {
            let before = match k.checked_sub(1) {
                None => rod.is_closed.then(|| springs.len() - 1),
                before => before,
            };
            let after = (k < springs.len()).then_some(k);
            let holder = holders.iter().position(|holder| holder.node == node);
            let half = |edge: Option<usize>| match edge.filter(|&k| is_whole(k)) {
                Some(edge) => rod.joint(k, &[(edge, length(edge))]),
                None => Joint::default(),
            };
            match holder.filter(|&holder| layout.holds[holder]) {
                Some(holder) => {
                    if before.is_some() {
                        layout.joints.push(half(before));
                    }
                    layout.slots.push(Slot::Clamp(holder));
                    if after.is_some() {
                        layout.joints.push(half(after));
                    }
                }
                None => {
                    if let (Some(before), Some(after)) = (before, after) {
                        let is_whole = is_whole(before) && is_whole(after);
                        layout.joints.push(match is_whole {
                            true => {
                                rod.joint(k, &[(before, length(before)), (after, length(after))])
                            }
                            false => Joint::default(),
                        });
                    }
                }
            }
            if after.is_some() {
                let b = nodes[(k + 1) % nodes.len()];
                layout.slots.push(Slot::Edge { a: node, b });
            }
        }
        // In a ring, the joint at node 0 was pushed first, but belongs at the end.
        if rod.is_closed {
            layout.joints.rotate_left(1);
        }
        layout
    }

    /// Whether the layout has the pins and breaks of this body.
    pub(super) fn fits(&self, rod: &Rod, holders: &[Holder], body: &Body<'_>) -> bool {
        let is_pinned =
            |(holder, holds): (&Holder, &bool)| body.model.pinned[holder.node] == *holds;
        holders.iter().zip(&self.holds).all(is_pinned)
            && (body.springs.broken.is_empty()
                || rod.springs.iter().all(|&spring| !body.springs.broken[spring]))
    }
}

/// Returns whether each clamp holds: a clamp holds while its node is pinned.
fn holds(holders: &[Holder], body: &Body<'_>) -> Vec<bool> {
    holders.iter().map(|holder| body.model.pinned[holder.node]).collect()
}

/// Joints between two slots whose material angles are fixed, or all joints of a ring without
/// clamps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Span {
    /// Index of the slot at the start.
    pub first: usize,
    /// Number of joints.
    pub joints: usize,
    /// Indices of the clamps at the two ends; `None` for a ring without clamps.
    pub clamps: Option<(usize, usize)>,
    /// Whether the span contains the joint from the last slot of a ring to the first.
    pub wraps: bool,
    /// Twist per torque.
    pub compliance: f64,
    /// Twist at rest, in radians.
    pub rest_twist: f64,
}

impl Layout {
    /// Spans whose twist is determined, in order.
    pub(super) fn spans(&self, is_closed: bool) -> Vec<Span> {
        let slots = self.slots.len();
        let clamp = |slot: usize| match self.slots[slot % slots] {
            Slot::Clamp(clamp) => Some(clamp),
            Slot::Edge { .. } => None,
        };
        let is_whole = |joint: usize| self.joints[joint % slots].torsion > 0.0;
        let reach = |first: usize| if is_closed { first + slots } else { slots - 1 };
        let mut spans = Vec::new();
        for first in 0..slots {
            let Some(from) = clamp(first) else { continue };
            let mut last = first;
            while last < reach(first) && is_whole(last) {
                last += 1;
                if let Some(to) = clamp(last) {
                    let (joints, wraps) = (last - first, last >= slots);
                    let clamps = Some((from, to));
                    let span = Span { first, joints, clamps, wraps, ..Span::default() };
                    spans.push(self.summed(span));
                    break;
                }
            }
        }
        let is_free = self.slots.iter().all(|slot| matches!(slot, Slot::Edge { .. }));
        if is_closed && is_free && (0..slots).all(is_whole) {
            let span = Span { joints: slots, wraps: true, ..Span::default() };
            spans.push(self.summed(span));
        }
        spans
    }

    /// Returns a span with the sums over its joints.
    fn summed(&self, mut span: Span) -> Span {
        for joint in self.joints.iter().cycle().skip(span.first).take(span.joints) {
            span.compliance += 1.0 / joint.torsion;
            span.rest_twist += joint.rest_twist;
        }
        span
    }
}
