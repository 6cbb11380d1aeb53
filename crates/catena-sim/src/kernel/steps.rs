//! Input of kernels of Euler's methods: which steps, from which state to which.

use crate::body::State;

/// Which velocity moves positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionUpdate {
    /// The one at the beginning of the step.
    OldVelocity,
    /// The one at its end.
    NewVelocity,
}

/// The state that steps begin with and the state that they lead to, of equal size.
#[derive(Debug)]
pub struct StartAndEnd<'a> {
    /// `None` after the first sweep: the next one goes on from `end`.
    pub start: Option<&'a State>,
    /// Receives positions and velocities.
    pub end: &'a mut State,
}

impl StartAndEnd<'_> {
    /// The state that the next sweep begins with.
    #[inline(always)]
    pub(super) fn from(&self) -> &State {
        self.start.unwrap_or(self.end)
    }

    /// Copies the start to the end, unless a sweep has taken its place.
    pub(super) fn copy_start(&mut self) {
        if let Some(start) = self.start.take() {
            self.end.x.copy_from_slice(&start.x);
            self.end.v.copy_from_slice(&start.v);
        }
    }
}

/// Which steps to take.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// The length of each.
    pub dt: f64,
    /// Number of steps.
    pub count: u64,
    /// Whether positions move with the new velocity; else with the old one.
    pub with_new: bool,
    /// Whether the reciprocal of every mass is exact.
    pub is_exact: bool,
}
