//! Clearance of parts during a predicted motion, and what remains of it in the next prediction.

/// Number of horizons for which clearances are measured, so that the next proofs can reuse them.
pub(in crate::contact) const LONG: f64 = 4.0;

/// Minimum fraction of a measured clearance that the next proofs reuse.
const KEPT: f64 = 0.5;

/// Distance minus contact distance: at least a linear function of the number of steps.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) struct Clearance {
    /// Clearance at the time of the proof.
    room: f64,
    /// Change per step, at most 0.
    slope: f64,
    /// Number of steps for which the function is known.
    until: f64,
    /// Clearance when it was measured.
    measured: f64,
}

impl Clearance {
    /// Clearance of parts of which none counts.
    pub(in crate::contact) const INFINITE: Self = Self::constant(f64::INFINITY, f64::INFINITY);

    /// A clearance that certainly does not suffice.
    pub(in crate::contact) const NONE: Self = Self::constant(f64::NEG_INFINITY, f64::INFINITY);

    /// A clearance that stays the same for a number of steps.
    pub(super) const fn constant(room: f64, until: f64) -> Self {
        Self { room, slope: 0.0, until, measured: room }
    }

    /// Clearance with these minimum values at the start, at the horizon and after [`LONG`]
    /// horizons, of a concave function.
    pub(in crate::contact) fn of([room, last, late]: [f64; 3], horizon: f64) -> Self {
        if late >= KEPT * room {
            Self::between(room, late, LONG * horizon)
        } else {
            Self::between(room, last, horizon)
        }
    }

    /// Clearance with these values at the start and after a number of steps.
    pub(in crate::contact) fn between(room: f64, last: f64, steps: f64) -> Self {
        if room == f64::INFINITY {
            return Self::INFINITE;
        }
        Self { room, slope: (last - room).min(0.0) / steps, until: steps, measured: room }
    }

    /// Returns the clearance minus a margin.
    pub(super) fn reduced(self, margin: f64) -> Self {
        Self { room: self.room - margin, ..self }
    }

    /// Returns the clearance after a number of steps.
    #[inline]
    pub(super) fn after(&self, steps: f64) -> f64 {
        self.room + steps * self.slope
    }

    /// Whether enough of the measured clearance is left for a number of steps.
    pub(super) fn suffices(&self, steps: f64) -> bool {
        self.until >= steps && self.after(steps) >= KEPT * self.measured
    }

    /// Returns the clearance in a prediction that begins after a number of steps of this one, for
    /// parts with a relative `deviation` from it and a relative `change` of their strides.
    pub(super) fn carried(&self, steps: f64, deviation: f64, change: f64) -> Self {
        Self {
            room: self.after(steps) - deviation,
            slope: self.slope - change,
            until: self.until - steps,
            measured: self.measured,
        }
    }
}
