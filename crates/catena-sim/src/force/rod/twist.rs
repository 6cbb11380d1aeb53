//! Twist of a rod between sections that are held.

use super::clamp::{Frame, Holder, carried};
use super::joint::{Edge, holonomy};
use super::layout::{Layout, Slot, Span};
use crate::body::vector::{Vec3, along};
use std::f64::consts::TAU;

/// A span at a state: its torque and the angle by which carried frames turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Twisted {
    pub span: Span,
    /// Angle from the carried normal of the first section to that of the last one without its own
    /// turn, in radians.
    pub angle: f64,
    /// Twist beyond the rest twist, in radians.
    pub twist: f64,
    /// Stiffness: torque per twist.
    pub stiffness: f64,
}

impl Twisted {
    /// Torque, force · length.
    pub(super) fn torque(&self) -> f64 {
        self.stiffness * self.twist
    }

    /// Stored energy.
    pub(super) fn energy(&self) -> f64 {
        0.5 * self.stiffness * self.twist * self.twist
    }
}

/// Returns the multiple of a turn away from an angle that is nearest to another.
pub(super) fn near(angle: f64, other: f64) -> f64 {
    angle + TAU * libm::round((other - angle) / TAU)
}

/// Normal at the end of a span, carried from its start.
fn carried_along(edges: &[Edge], span: &Span, start: Vec3) -> Vec3 {
    let mut normal = start;
    for k in span.first..span.first + span.joints {
        let (from, to) = (&edges[k % edges.len()], &edges[(k + 1) % edges.len()]);
        normal = carried(normal, from.t, to.t);
    }
    normal
}

/// Measures a span. `expected` is the angle of the memory.
pub(super) fn measure(
    layout: &Layout,
    holders: &[Holder],
    edges: &[Edge],
    span: Span,
    turns: f64,
    expected: f64,
    t: f64,
) -> Twisted {
    let (mut compliance, mut rest) = (0.0, 0.0);
    for k in span.first..span.first + span.joints {
        let joint = &layout.joints[k % layout.joints.len()];
        compliance += 1.0 / joint.torsion;
        rest += joint.rest_twist;
    }
    let last = (span.first + span.joints) % edges.len();
    let (from, to, turned) = match span.clamps {
        Some((from, to)) => {
            let turned = holders[to].turned(t) - holders[from].turned(t);
            (holders[from].frame(t), holders[to].frame(t), turned)
        }
        None => {
            let frame = Frame::any(edges[span.first].t);
            (frame, frame, TAU * turns)
        }
    };
    let end = Frame { tangent: edges[last].t, normal: carried_along(edges, &span, from.normal) };
    let angle = near(end.angle_to(to.normal), expected);
    Twisted { span, angle, twist: turned + angle - rest, stiffness: 1.0 / compliance }
}

/// Adds `factor` times the gradient of the twist by the edges of a span.
pub(super) fn add_gradient(span: &Span, edges: &[Edge], factor: f64, gradient: &mut [Vec3]) {
    for k in span.first..span.first + span.joints {
        let (e, f) = (k % edges.len(), (k + 1) % edges.len());
        let by = holonomy::gradient(&edges[e], &edges[f]);
        gradient[e] = along(gradient[e], factor, by.e);
        gradient[f] = along(gradient[f], factor, by.f);
    }
}

/// Whether the slot is an edge.
pub(super) fn ends(slot: Slot) -> Option<(usize, usize)> {
    match slot {
        Slot::Edge { a, b } => Some((a, b)),
        Slot::Clamp(_) => None,
    }
}
