//! Constraints that hold a body at all times. Events may release pins, cut springs and change
//! gravity.

use catena_sim::drive::event::Target;
use catena_sim::{Model, Setup, State};
use std::borrow::Cow;

/// Pins and springs that no event removes, and all values of gravity.
#[derive(Clone)]
pub(super) struct Held<'a> {
    setup: &'a Setup,
    /// Bodies with the maximum length of every spring over all times.
    pub(super) model: Cow<'a, Model>,
    /// Whether each node is pinned throughout.
    pub(super) pinned: Vec<bool>,
    /// Whether each spring may be cut.
    pub(super) cut: Vec<bool>,
    /// Gravity at the start, followed by the values set by events.
    pub(super) gravities: Vec<Vec<f64>>,
}

impl<'a> Held<'a> {
    /// Constraints at the start.
    fn at_start(setup: &'a Setup) -> Self {
        let (pinned, cut) = (setup.model.pinned.clone(), vec![false; setup.model.springs.len()]);
        let model = setup.longest_model();
        Self { setup, model, pinned, cut, gravities: vec![setup.gravity()] }
    }

    /// Constraints that hold throughout. Every event is assumed to happen.
    pub(super) fn throughout(setup: &'a Setup) -> Self {
        let mut held = Self::at_start(setup);
        for event in &setup.events {
            // An event without effect changes nothing here either.
            let _ = event.action.happen(&mut held);
        }
        held
    }

    /// Initial constraints with `pin` as the only pin, and all springs.
    pub(super) fn by_one(&self, pin: usize) -> Self {
        let mut held = Self::at_start(self.setup);
        held.pinned.fill(false);
        held.pinned[pin] = true;
        Self { gravities: self.gravities.clone(), ..held }
    }

    /// Maximum magnitude of gravity.
    pub(super) fn gravity_strength(&self) -> f64 {
        let square = |g: &Vec<f64>| g.iter().map(|g| g * g).sum::<f64>();
        let later = self.gravities[1..].iter().map(|g| square(g).sqrt());
        later.fold(self.setup.gravity_strength(), f64::max)
    }

    /// Sign of gravity (-1.0 or 1.0) if every value is along this axis in the same direction.
    pub(super) fn sign_along(&self, axis: usize) -> Option<f64> {
        let sign = |g: &Vec<f64>| {
            let is_alone = g.iter().enumerate().all(|(other, g)| other == axis || *g == 0.0);
            (is_alone && g[axis] != 0.0).then(|| g[axis].signum())
        };
        let first = sign(&self.gravities[0])?;
        self.gravities.iter().all(|g| sign(g) == Some(first)).then_some(first)
    }
}

impl Target for Held<'_> {
    fn model(&self) -> &Model {
        &self.setup.model
    }

    fn state(&self) -> &State {
        &self.setup.initial
    }

    /// Returns true: any pin may be released, including one made by an event.
    fn is_pinned(&self, _node: usize) -> bool {
        true
    }

    fn is_whole(&self, spring: usize) -> bool {
        !self.cut[spring]
    }

    fn release(&mut self, node: usize) {
        self.pinned[node] = false;
    }

    fn pin(&mut self, _node: usize) {}

    fn cut(&mut self, spring: usize) {
        self.cut[spring] = true;
    }

    fn join(&mut self, _rest_length: f64) {}

    fn push(&mut self, _node: usize, _impulse: [f64; 3]) {}

    fn set_gravity(&mut self, acceleration: &[f64]) {
        self.gravities.push(acceleration.to_vec());
    }

    fn set_wind(&mut self, _velocity: &[f64]) {}

    fn set_winch(&mut self, _speed: f64) -> bool {
        true
    }

    fn reel(&mut self, _node: Option<usize>, _length: f64, _over: f64) -> Result<(), String> {
        Ok(())
    }
}
