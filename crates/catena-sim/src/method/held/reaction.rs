//! Impulses on pins by held springs and by tethers, and tensions of held springs.
//!
//! Methods that correct lengths move nodes and compute no forces. In a step of length h, a
//! correction moves a node of mass m by s along the line to its pin. The node gets the impulse m
//! s/h, and the pin the opposite impulse. A spring that moves an end of mass m by s in total has
//! the tension m s/h². In a step that begins with half a kick, corrections act for h/2: the impulse
//! is 2 m s/h.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use crate::body::{Model, State};
use crate::force::System;

/// Receives every correction. `()` ignores them at no cost.
pub(crate) trait Listener {
    /// Reports that `node` moved by `by` along an axis, because of `pin`.
    fn moved(&mut self, model: &Model, axis: usize, pin: usize, node: usize, by: f64);

    /// Reports that a held spring moved each of its free ends towards the other by `amount` divided
    /// by the mass of the end.
    fn pulled(&mut self, spring: usize, amount: f64);

    /// Whether the listener needs any report.
    fn needs_reports(&self) -> bool {
        true
    }
}

impl Listener for () {
    #[inline(always)]
    fn moved(&mut self, _: &Model, _: usize, _: usize, _: usize, _: f64) {}

    #[inline(always)]
    fn pulled(&mut self, _: usize, _: f64) {}

    #[inline(always)]
    fn needs_reports(&self) -> bool {
        false
    }
}

/// Impulses and tensions of one step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reactions {
    /// Impulses on pins, flat by axis.
    impulses: Vec<f64>,
    /// Tension of each held spring.
    tensions: Vec<f64>,
    /// Times of the current corrections.
    times: Times,
}

/// Times that relate corrections to impulses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Times {
    /// Length h of the step.
    pub(super) step: f64,
    /// Time during which forces act on velocities before positions move: h, or h/2 with half a
    /// kick.
    pub(super) kick: f64,
}

impl Times {
    /// Returns the times of a step with a full kick.
    pub(super) fn with_full_kick(step: f64) -> Self {
        Self { step, kick: step }
    }
}

impl Reactions {
    /// Clears the values of the last step.
    fn begin(&mut self, model: &Model, times: Times) {
        self.impulses.clear();
        self.impulses.resize(model.axes * model.nodes(), 0.0);
        self.tensions.clear();
        self.tensions.resize(model.held, 0.0);
        self.times = times;
    }

    /// Impulses on nodes, flat by axis; 0 for free nodes.
    pub(crate) fn impulses(&self) -> &[f64] {
        &self.impulses
    }

    /// Tension of each held spring, above 0 for a pull; empty before the first step.
    pub(crate) fn tensions(&self) -> &[f64] {
        &self.tensions
    }
}

impl Listener for Reactions {
    fn moved(&mut self, model: &Model, axis: usize, pin: usize, node: usize, by: f64) {
        self.impulses[axis * model.nodes() + pin] -= model.mass[node] * by / self.times.kick;
    }

    fn pulled(&mut self, spring: usize, amount: f64) {
        self.tensions[spring] += amount / (self.times.step * self.times.kick);
    }
}

/// A method that corrects positions and can record reactions.
pub(super) trait Corrector {
    /// Takes one step of dt and reports its corrections to `listener`.
    fn advance(
        &mut self,
        system: &System<'_>,
        state: &mut State,
        dt: f64,
        listener: &mut impl Listener,
    );

    /// Storage of the reactions; `None` unless requested.
    fn kept(&mut self) -> &mut Option<Reactions>;

    /// Times of each correction in a step of dt.
    fn times(&self, dt: f64) -> Times {
        Times::with_full_kick(dt)
    }
}

/// Takes one step of dt and records the reactions if requested.
pub(super) fn step(
    corrector: &mut impl Corrector,
    system: &System<'_>,
    state: &mut State,
    dt: f64,
) {
    match corrector.kept().take() {
        None => corrector.advance(system, state, dt, &mut ()),
        Some(mut reactions) => {
            reactions.begin(system.model, corrector.times(dt));
            corrector.advance(system, state, dt, &mut reactions);
            *corrector.kept() = Some(reactions);
        }
    }
}
