//! Methods that carry a state from one step to the next, by family.
//!
//! A [`Method`] is what a scene names, options included. [`Method::start`] makes the [`Integrator`]
//! that runs it and keeps what the method remembers between steps. The `table!` call below is the
//! table: a new method is a file, or a row where its family has rows, and a line at the table's
//! end. Pictures give a method the colour of its place in the table.

use crate::body::{Model, Spring, State};
use crate::budget::Cost;
use crate::force::System;
use crate::kernel::chain_lanes::ChainLane;
use crate::named::{BadOption, Key, OptionInfo, table};
use serde::de::value::{Error, MapDeserializer};
use std::{fmt::Debug, sync::Arc};

/// The description of a method, for people and for checks.
#[derive(Clone, Copy, Debug)]
pub struct MethodInfo {
    /// The name that a scene writes.
    pub name: &'static str,
    /// The name in pictures.
    pub title: &'static str,
    /// One line that says what it does.
    pub summary: &'static str,
    /// Order of the global error on a smooth problem; `None` if the method does not integrate
    /// springs.
    pub order: Option<u32>,
    /// The same if forces depend on velocity, as drag and friction in springs do. It is lower for
    /// methods that evaluate them at a velocity of another time.
    pub damped_order: Option<u32>,
    /// The greatest ωdt at which an undamped oscillator of frequency ω stays bounded: 0 for
    /// methods that grow at any step, infinite for those that never do, damped or not. `None` if
    /// the method does not integrate springs.
    pub limit: Option<f64>,
    /// Whether the method, with default options, keeps springs at their rest length instead of
    /// integrating their force.
    pub holds_lengths: bool,
    /// Whether the velocity in the state carries the motion on. If not, it is only reported, and
    /// scaling it changes nothing.
    pub velocity_carries: bool,
    /// What a scene may write in parentheses behind the name.
    pub options: &'static [OptionInfo],
}

/// A method with its options.
pub trait Method: Debug + Send + Sync {
    /// The method's name and properties.
    fn info(&self) -> MethodInfo;

    /// Refuses options that are out of range.
    ///
    /// # Errors
    /// The first option that is.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses what does not fit the body.
    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    /// Whether these options keep springs at their rest length.
    fn holds_lengths(&self) -> bool {
        self.info().holds_lengths
    }

    /// Whether the method divides the steps it is given.
    fn chooses_steps(&self) -> bool {
        false
    }

    /// Number of equal steps that it takes within each step it is given, at least 1.
    fn inner_steps(&self) -> u32 {
        1
    }

    /// The stiffness that it gives to a structural or shear spring, if it does not hold its length.
    fn stiffness_of(&self, spring: &Spring) -> f64 {
        spring.stiffness
    }

    /// The drag of the method itself, as c/m, at steps of `dt`; per time, at least 0.
    fn drag_rate(&self, _dt: f64) -> f64 {
        0.0
    }

    /// Kind of kernel in which runs of this method, with these options, go side by side.
    fn side_by_side(&self) -> SideBySide {
        SideBySide::Alone
    }

    /// What a user should know before the method moves this body: that it cannot do what it is for.
    fn caution(&self, _model: &Model) -> Option<String> {
        None
    }

    /// The least cost of a step with these options.
    fn cost(&self) -> Cost;

    /// Begins a run of a body from `initial`. `dt`, above 0, is the step of every
    /// [`Integrator::step`].
    fn start(&self, model: &Model, initial: &State, dt: f64) -> Box<dyn Integrator>;
}

/// Kinds of kernels in which runs go side by side, with the bits of a run by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SideBySide {
    /// Each run goes by itself.
    Alone,
    /// Constraint Verlet: chains take a lane each. See [`Integrator::lane`].
    Lanes,
    /// A step is the linear solve of implicit Euler, which the state alone determines. Chains of
    /// one shape take it together.
    Solved,
    /// A step is the same arithmetic on every number of positions and velocities, around
    /// accelerations that it asks for. Bodies under methods of one key lie interleaved in one
    /// model.
    Interleaved(Key),
}

/// The method of this name with default options; `None` if there is none.
pub fn with_defaults(name: &str) -> Option<Arc<dyn Method>> {
    let options = MapDeserializer::<_, Error>::new(std::iter::empty::<(String, u64)>());
    Some(read(name, options)?.ok()?.into())
}

/// What contacts and impulses changed after a step.
#[derive(Clone, Copy, Debug)]
pub struct Displaced<'a> {
    /// The changed nodes, in order.
    pub nodes: &'a [usize],
    /// The body.
    pub model: &'a Model,
    /// The state at the end of the step, without the changes.
    pub before: &'a State,
    /// The state with the changes.
    pub state: &'a State,
}

/// A method in a run of one body, with what it remembers between steps.
pub trait Integrator: Send {
    /// Moves `state.x` and `state.v` on by `dt`. The simulation sets the time and holds pins
    /// afterwards.
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64);

    /// Takes `count` steps of `dt` from `start` to `end` at once, with the bits that
    /// [`Integrator::step`] gives. Returns `false` and changes nothing if no kernel knows this
    /// system. `end` has as many positions and velocities as `start`. Pinned nodes stay where they
    /// are, and nothing but the method acts between the steps.
    fn burst(
        &mut self,
        _system: &System<'_>,
        _start: &State,
        _end: &mut State,
        _dt: f64,
        _count: u64,
    ) -> bool {
        false
    }

    /// Whether a step changes velocities by dt times the forces at its start over mass, and moves
    /// positions with the velocities at its start or its end.
    fn follows_forces(&self) -> bool {
        false
    }

    /// Rolls the method's memory back to before the last [`Integrator::burst`]. Every method with
    /// bursts and a memory needs it.
    fn undo_burst(&mut self) {}

    /// Input for the kernel of many chains, if the method goes in [lanes](SideBySide::Lanes) and
    /// the body is a chain. [`Integrator::save`] must give
    /// [`ChainLane::last`] then, and nothing else.
    #[doc(hidden)]
    fn lane<'a>(&'a mut self, _system: &System<'a>, _state: &State) -> Option<ChainLane<'a>> {
        None
    }

    /// The steps taken within the last step or burst, for methods that divide steps or iterate;
    /// `None` means steps of `dt`.
    fn report(&self) -> Option<StepReport> {
        None
    }

    /// Tension of each structural and shear spring in the last step, above 0 when pulling; empty
    /// before the first step. `None` if the method does not solve for it, or does only once asked
    /// to [keep reactions](Integrator::keep_reactions).
    fn tensions(&self) -> Option<&[f64]> {
        None
    }

    /// Records the impulses on pins and the tensions of held springs from now on, if the method
    /// holds lengths or has tethers.
    fn keep_reactions(&mut self) {}

    /// The impulse on each pin in the last step by held springs and tethers, flat by axis and 0 for
    /// free nodes; `None` if none is recorded. Every method that holds lengths records them once
    /// asked to.
    fn reactions(&self) -> Option<&[f64]> {
        None
    }

    /// The share of the forces at the start of a step in the change of velocity; the rest is that
    /// of the forces at its end. What it leaves out is of the second order in dt for methods that
    /// take forces elsewhere.
    fn share_of_start(&self) -> f64 {
        0.5
    }

    /// Hears after a step that contacts or impulses changed some nodes. Methods that remember more
    /// than the state make their memory agree with it.
    fn displaced(&mut self, _what: &Displaced<'_>, _dt: f64) {}

    /// Takes over what a run of the same method and step has saved, after an event has changed the
    /// pins, springs or forces of the body and the method has started anew from the state. `anew`
    /// are the nodes that were pinned or released. Only a method whose motion the state does not
    /// hold needs it.
    fn take_over(&mut self, _memory: &[f64], _model: &Model, _anew: &[usize]) {}

    /// Prepares for a first step from a state that a run of the same method has reached, as at the
    /// end of a warm-up.
    fn go_on(&mut self) {}

    /// Appends what the method remembers besides the state; nothing for most methods.
    fn save(&self, _memory: &mut Vec<f64>) {}

    /// Restores what [`Integrator::save`] gave.
    fn restore(&mut self, _memory: &[f64]) {}
}

mod adams;
mod arithmetic;
pub mod control;
mod euler;
pub mod held;
mod implicit;
mod report;
mod runge_kutta;
mod step_size;
mod verlet;
mod without_options;

pub use adams::*;
pub use control::StepControl;
pub use euler::*;
pub use held::{ConstraintVerlet, Pbd, Shake, Xpbd};
pub use implicit::{ImplicitEuler, ImplicitMidpoint};
pub use report::StepReport;
pub use runge_kutta::*;
pub use verlet::{ForceVerlet, Leapfrog, PositionVerlet, StormerVerlet, VelocityVerlet, Yoshida4};

table! {
    /// Every method, in the order in which lists show them.
    METHODS: MethodInfo,
    /// Every method's name, as a scene writes it.
    METHOD_NAMES,
    Method:
    ExplicitEuler,
    SemiImplicitEuler,
    ForceVerlet,
    ConstraintVerlet,
    PositionVerlet,
    VelocityVerlet,
    Leapfrog,
    StormerVerlet,
    Midpoint,
    Heun,
    Rk4,
    AdamsBashforth2,
    AdamsBashforth3,
    AdamsBashforth4,
    AdamsBashforthMoulton2,
    AdamsBashforthMoulton3,
    AdamsBashforthMoulton4,
    LectureAdamsBashforth2,
    Yoshida4,
    DormandPrince,
    Shake,
    Pbd,
    Xpbd,
    ImplicitEuler,
    ImplicitMidpoint,
    DormandPrince8,
}
