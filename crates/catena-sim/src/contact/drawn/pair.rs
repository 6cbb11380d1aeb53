//! A pair of pieces that may touch in a step, and its minimum distances.

use super::DEPTH;
use crate::contact::collider::Surface;

/// Fraction of a deep overlap that contacts remove per step.
const PARTING: f64 = 0.1;

/// Overlap depth up to which contacts need no further correction, as a fraction of the maximum
/// overlap.
const BAND: f64 = 0.1;

/// Depth below the contact distance to which contacts are resolved, as a fraction of the body's
/// part. The depth prevents rounding from ending contacts.
const GRAIN: f64 = 1e-9;

/// Two pieces that may touch, or a vertex and a half-space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) a: usize,
    /// Index of a piece, or the number of pieces plus the index of a half-space.
    pub(super) b: usize,
    /// Contact distance.
    pub(super) thickness: f64,
    /// Distance at the start of the step.
    pub(super) begun: f64,
    /// The body's part of the contact distance, without the radius of a collider.
    pub(super) own: f64,
    /// Minimum distance at the end of a step.
    pub(super) floor: f64,
    /// Depth below `thickness` to which contacts are resolved.
    pub(super) grain: f64,
    /// Maximum rounding error of a distance.
    rounding: f64,
    pub(super) surface: Surface,
}

impl Pair {
    /// Creates a pair. `thickness` is the contact distance and `own` the body's part of it. `begun`
    /// is the distance at the start, and `size` the magnitude of the coordinates.
    pub(super) fn new(
        [a, b]: [usize; 2],
        thickness: f64,
        own: f64,
        begun: f64,
        size: f64,
        surface: Surface,
    ) -> Self {
        let rounding = 1e-12 * thickness + 8.0 * f64::EPSILON * size;
        let floor = (thickness - DEPTH * own).min(begun - rounding);
        let grain = GRAIN * own + 2.0 * rounding;
        Self { a, b, thickness, begun, own, floor, grain, rounding, surface }
    }

    /// Returns the minimum distance within the step. This distance is up to half of `own` below the
    /// minimum at the ends, because pieces that slide on each other move along a chord.
    pub(super) fn minimum_in_step(&self) -> f64 {
        let begun = self.begun.min(self.thickness);
        (begun - 0.5 * self.own).max(0.5 * begun)
    }

    /// Returns the distance below which contacts are corrected again while passes remain.
    pub(super) fn fine(&self) -> f64 {
        self.target() - self.band()
    }

    /// Whether a relative motion of length `reach` certainly leaves a distance that needs no
    /// correction, in spite of rounding.
    pub(super) fn stays_apart(&self, reach: f64) -> bool {
        self.begun - reach > self.fine() + self.rounding
    }

    /// Whether the pair touches at the start of the step, without a deep overlap.
    pub(super) fn touches(&self) -> bool {
        self.begun <= self.thickness && !self.is_deep()
    }

    /// Returns the depth of a contact up to which it needs no correction.
    pub(super) fn band(&self) -> f64 {
        BAND * DEPTH * self.own
    }

    fn is_deep(&self) -> bool {
        self.begun < self.thickness - 2.0 * DEPTH * self.own
    }

    /// Returns the distance that contacts restore. For a touching pair it is the initial distance,
    /// so bodies at rest stay in place. After a deep overlap it is slightly above the initial
    /// distance. Otherwise it is the thickness minus `grain`.
    pub(super) fn target(&self) -> f64 {
        let contact = self.thickness - self.grain;
        if self.is_deep() {
            self.begun + PARTING * (self.thickness - self.begun)
        } else if self.begun >= self.thickness - self.band() {
            contact.min(self.begun)
        } else {
            contact
        }
    }
}
