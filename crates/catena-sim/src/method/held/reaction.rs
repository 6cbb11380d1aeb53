//! With what impulse springs whose length is held, and tethers, pull at pins.
//!
//! Methods that put lengths right move nodes, and say nothing of forces. A node of mass m that is moved by s between its
//! pin and itself, in a step of h, has got an impulse m s/h, and its pin the opposite.

use crate::body::Model;

/// Is told of every correction between a pin and a free node. `()` does not listen, and costs nothing.
pub(crate) trait Listener {
    /// The node was moved so far along an axis.
    fn moved(&mut self, model: &Model, axis: usize, pin: usize, node: usize, by: f64);
}

impl Listener for () {
    #[inline(always)]
    fn moved(&mut self, _: &Model, _: usize, _: usize, _: usize, _: f64) {}
}

/// The impulses of one step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reactions {
    /// On each pin, flat by axis.
    impulses: Vec<f64>,
    /// h.
    step: f64,
}

impl Reactions {
    /// Forgets the last step; corrections of this one are made in steps of h.
    pub(crate) fn begin(&mut self, model: &Model, h: f64) {
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
