//! Twist of a rod between sections that are held.

use super::clamp::{Frame, Holder};
use super::joint::{Edge, holonomy};
use super::layout::{Slot, Span};
use super::phase::{self, Complex};
use crate::body::vector::{Vec3, along};
use std::f64::consts::TAU;

/// A span at a state, with its twist and the angle by which carried frames turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Twisted {
    pub span: Span,
    /// Angle from the carried normal of the first section to the normal of the last section without
    /// its own turn, in radians.
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

/// Returns `angle` plus the multiple of a whole turn that is nearest to `other`.
pub(super) fn near(angle: f64, other: f64) -> f64 {
    angle + TAU * libm::round((other - angle) / TAU)
}

/// Product of the overlaps from the first slot of a span to its last one.
pub(super) fn phase_along(edges: &[Edge], span: &Span) -> Complex<f64> {
    let next = edges.iter().cycle().skip(span.first + 1).take(span.joints);
    phase::along(edges[span.first].t, next.map(|edge| edge.t))
}

/// Sections at the ends of a span at a time.
pub(super) struct Held {
    from: Frame,
    to: Frame,
    /// Own turn of the last section relative to the first section, in radians.
    turned: f64,
}

impl Held {
    /// Creates the sections of the clamps of a span.
    pub(super) fn by_clamps(holders: &[Holder], [from, to]: [usize; 2], t: f64) -> Self {
        let turned = holders[to].turned(t) - holders[from].turned(t);
        Self { from: holders[from].frame(t), to: holders[to].frame(t), turned }
    }

    /// Creates the sections of a ring without clamps, whose first direction is `tangent`.
    pub(super) fn by_ring(tangent: Vec3, turns: f64) -> Self {
        let frame = Frame::any(tangent);
        Self { from: frame, to: frame, turned: TAU * turns }
    }

    /// Measures the span. `along` is the result of [`phase_along`], and `expected` the angle in the
    /// memory.
    pub(super) fn measure(&self, span: Span, along: Complex<f64>, expected: f64) -> Twisted {
        let angle = near(phase::angle(self.from, self.to, along), expected);
        let twist = self.turned + angle - span.rest_twist;
        Twisted { span, angle, twist, stiffness: 1.0 / span.compliance }
    }
}

/// Adds `factor` times the gradient of the twist with respect to the edges of a span.
pub(super) fn add_gradient(span: &Span, edges: &[Edge], factor: f64, gradient: &mut [Vec3]) {
    for k in span.first..span.first + span.joints {
        let (e, f) = (k % edges.len(), (k + 1) % edges.len());
        let by = holonomy::gradient(&edges[e], &edges[f]);
        gradient[e] = along(gradient[e], factor, by.e);
        gradient[f] = along(gradient[f], factor, by.f);
    }
}

/// Returns the nodes of an edge; `None` for a clamp.
pub(super) fn ends(slot: Slot) -> Option<(usize, usize)> {
    match slot {
        Slot::Edge { a, b } => Some((a, b)),
        Slot::Clamp(_) => None,
    }
}
