//! Input of kernels of Euler's methods: the steps, the start state and the end state.

use crate::body::State;

/// Velocity that moves positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionUpdate {
    /// Velocity at the start of the step.
    OldVelocity,
    /// Velocity at the end of the step.
    NewVelocity,
}

/// Start state and end state of a sequence of steps, of equal size.
#[derive(Debug)]
pub struct StartAndEnd<'a> {
    /// Start state; `None` after the first sweep, because the next sweep continues from `end`.
    pub start: Option<&'a State>,
    /// Output of positions and velocities.
    pub end: &'a mut State,
}

impl StartAndEnd<'_> {
    /// Returns the start state of the next sweep.
    #[inline(always)]
    pub(super) fn from(&self) -> &State {
        self.start.unwrap_or(self.end)
    }

    /// Copies the start to the end, unless a sweep has replaced it.
    pub(super) fn copy_start(&mut self) {
        if let Some(start) = self.start.take() {
            self.end.x.copy_from_slice(&start.x);
            self.end.v.copy_from_slice(&start.v);
        }
    }
}

/// Parameters of the steps.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// Length of each step.
    pub dt: f64,
    /// Number of steps.
    pub count: u64,
    /// Whether the velocity at the end of the step moves positions (`true`), or the velocity at its
    /// start (`false`).
    pub with_new: bool,
    /// Whether the reciprocal of every mass is exact.
    pub is_exact: bool,
}
