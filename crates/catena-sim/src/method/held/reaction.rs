//! The impulses on pins by held springs and by tethers, and the tensions of held springs.
//!
//! Methods that put lengths right move nodes and compute no forces. A correction that moves a node
//! of mass m by s along the line to its pin, in a step of h, gives the node the impulse m s/h, and
//! the pin the opposite. A spring that moves both of its ends by m s has the tension m s/h². In a
//! step that begins with half a kick, corrections act for h/2: the impulse is 2 m s/h.

use crate::body::{Model, State};
use crate::force::System;

/// Hears of every correction. `()` ignores them and costs nothing.
pub(crate) trait Listener {
    /// `node` moved by this much along an axis, because of `pin`.
    fn moved(&mut self, model: &Model, axis: usize, pin: usize, node: usize, by: f64);

    /// A held spring moved each of its free ends towards the other one by `amount` over the mass.
    fn pulled(&mut self, spring: usize, amount: f64);

    /// Whether it wants to hear anything.
    fn hears(&self) -> bool {
        true
    }
}

impl Listener for () {
    #[inline(always)]
    fn moved(&mut self, _: &Model, _: usize, _: usize, _: usize, _: f64) {}

    #[inline(always)]
    fn pulled(&mut self, _: usize, _: f64) {}

    #[inline(always)]
    fn hears(&self) -> bool {
        false
    }
}

/// The impulses of one step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reactions {
    /// On each pin, flat by axis.
    impulses: Vec<f64>,
    /// Tension of each held spring.
    tensions: Vec<f64>,
    /// The times that corrections belong to.
    times: Times,
}

/// The times that the corrections of a step belong to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Times {
    /// h, the length of the step.
    pub(super) step: f64,
    /// Time for which forces act on velocities before positions move: h, or h/2 with half a kick.
    pub(super) kick: f64,
}

impl Times {
    /// Times of a step with a whole kick.
    pub(super) fn whole(step: f64) -> Self {
        Self { step, kick: step }
    }
}

impl Reactions {
    /// Forgets the last step.
    fn begin(&mut self, model: &Model, times: Times) {
        self.impulses.clear();
        self.impulses.resize(model.axes * model.nodes(), 0.0);
        self.tensions.clear();
        self.tensions.resize(model.held, 0.0);
        self.times = times;
    }

    /// The impulse on each node, flat by axis; 0 for free ones.
    pub(crate) fn impulses(&self) -> &[f64] {
        &self.impulses
    }

    /// Tension of each held spring, above 0 when pulling; empty before the first step.
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

/// A method that corrects positions, and keeps the reactions if asked to.
pub(super) trait Corrector {
    /// One step of dt. `listener` hears of its corrections.
    fn advance(
        &mut self,
        system: &System<'_>,
        state: &mut State,
        dt: f64,
        listener: &mut impl Listener,
    );

    /// Where the reactions are kept, `None` until someone asks for them.
    fn kept(&mut self) -> &mut Option<Reactions>;

    /// The times that each correction of a step of dt belongs to.
    fn times(&self, dt: f64) -> Times {
        Times::whole(dt)
    }
}

/// One step of dt, keeping the reactions if asked to.
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
