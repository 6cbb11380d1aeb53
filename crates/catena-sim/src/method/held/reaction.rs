//! The impulses on pins by held springs and by tethers.
//!
//! Methods that put lengths right move nodes and compute no forces. A correction that moves a node
//! of mass m by s along the line to its pin, in a step of h, gives the node the impulse m s/h, and
//! the pin the opposite.

use crate::body::{Model, State};
use crate::force::System;

/// Hears of every correction between a pin and a free node. `()` ignores them and costs nothing.
pub(crate) trait Listener {
    /// `node` moved by this much along an axis, because of `pin`.
    fn moved(&mut self, model: &Model, axis: usize, pin: usize, node: usize, by: f64);

    /// Whether it wants to hear anything.
    fn hears(&self) -> bool {
        true
    }
}

impl Listener for () {
    #[inline(always)]
    fn moved(&mut self, _: &Model, _: usize, _: usize, _: usize, _: f64) {}

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
    /// The h that corrections belong to.
    step: f64,
}

impl Reactions {
    /// Forgets the last step. The corrections of this one belong to steps of h.
    fn begin(&mut self, model: &Model, h: f64) {
        self.impulses.clear();
        self.impulses.resize(model.axes * model.nodes(), 0.0);
        self.step = h;
    }

    /// The impulse on each node, flat by axis; 0 for free ones.
    pub(crate) fn impulses(&self) -> &[f64] {
        &self.impulses
    }
}

impl Listener for Reactions {
    fn moved(&mut self, model: &Model, axis: usize, pin: usize, node: usize, by: f64) {
        self.impulses[axis * model.nodes() + pin] -= model.mass[node] * by / self.step;
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

    /// The time that each correction belongs to, for a step of dt.
    fn inner_step(&self, dt: f64) -> f64 {
        dt
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
            reactions.begin(system.model, corrector.inner_step(dt));
            corrector.advance(system, state, dt, &mut reactions);
            *corrector.kept() = Some(reactions);
        }
    }
}
