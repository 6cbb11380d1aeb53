//! What an action can do to a body.

use crate::body::{Model, State};

/// A body to which something happens. The simulation is one, and so is the plan that looks at
/// events before a run.
pub trait Target {
    /// Masses and springs; [`Target::is_pinned`] and [`Target::is_whole`] say how they are now.
    fn model(&self) -> &Model;

    /// Positions and velocities now.
    fn state(&self) -> &State;

    /// Whether a node is pinned now.
    fn is_pinned(&self, node: usize) -> bool;

    /// Whether a spring is whole now.
    fn is_whole(&self, spring: usize) -> bool;

    /// Lets a pinned node go, with the velocity of its anchor.
    fn release(&mut self, node: usize);

    /// Holds a node: on its curve where the setup has an anchor of it, where it is otherwise.
    fn pin(&mut self, node: usize);

    /// Breaks a structural spring, and the shear and bending springs across it.
    fn cut(&mut self, spring: usize);

    /// Makes the event's joint a spring of this rest length, above 0.
    fn join(&mut self, rest_length: f64);

    /// Gives a node an impulse, mass · length/time.
    fn push(&mut self, node: usize, impulse: [f64; 3]);

    /// Changes the acceleration of gravity.
    fn set_gravity(&mut self, acceleration: &[f64]);

    /// Changes the velocity of the medium.
    fn set_wind(&mut self, velocity: &[f64]);
}
