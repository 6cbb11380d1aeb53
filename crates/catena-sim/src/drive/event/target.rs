//! Interface through which actions change a body.

use crate::body::{Model, State};

/// A body that actions can change: the simulation, or the plan that checks events before a run.
pub trait Target {
    /// Returns masses and springs. For their current state, see [`Target::is_pinned`] and
    /// [`Target::is_whole`].
    fn model(&self) -> &Model;

    /// Returns the current positions and velocities.
    fn state(&self) -> &State;

    /// Whether a node is currently pinned.
    fn is_pinned(&self, node: usize) -> bool;

    /// Whether a spring is currently unbroken.
    fn is_whole(&self, spring: usize) -> bool;

    /// Unpins a node, which keeps the velocity of its anchor.
    fn release(&mut self, node: usize);

    /// Pins a node: to its curve if the setup has an anchor for it, otherwise at its current
    /// position.
    fn pin(&mut self, node: usize);

    /// Breaks a structural spring, and the shear and bending springs across it.
    fn cut(&mut self, spring: usize);

    /// Creates the event's joint with this rest length, above 0.
    fn join(&mut self, rest_length: f64);

    /// Applies an impulse to a node, in units of mass · length/time.
    fn push(&mut self, node: usize, impulse: [f64; 3]);

    /// Sets the acceleration of gravity.
    fn set_gravity(&mut self, acceleration: &[f64]);

    /// Sets the velocity of the medium.
    fn set_wind(&mut self, velocity: &[f64]);

    /// Sets the speed at which routes pay out rope. Returns whether there is one that can.
    fn set_winch(&mut self, speed: f64) -> bool;

    /// Starts the change of the length of the rope that contains `node`, or of the body's only
    /// rope: to `length` within the time `over`.
    ///
    /// # Errors
    /// The reason why no rope of the body can change its length, as the end of a sentence.
    fn reel(&mut self, node: Option<usize>, length: f64, over: f64) -> Result<(), String>;
}
