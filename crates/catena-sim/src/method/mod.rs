//! Methods that carry a state from one step to the next, by family.
//!
//! A [`Method`] is what a scene names, options included. [`Method::start`] makes the [`Integrator`]
//! that runs it and keeps what the method remembers between steps. The `table!` call below is the
//! table: a new method is a file, or a row where its family has rows, and a line at the table's end.
//! Pictures give a method the colour of its place in the table.

use crate::body::{Model, Spring, State};
use crate::budget::Cost;
use crate::force::System;
use crate::kernel::chain_lanes::ChainLane;
use crate::named::{BadOption, OptionInfo, table};
use serde::de::value::{Error, MapDeserializer};
use std::{fmt::Debug, sync::Arc};

/// What a method is, for people and for checks.
#[derive(Clone, Copy, Debug)]
pub struct MethodInfo {
    /// The name that a scene writes.
    pub name: &'static str,
    /// The name in pictures.
    pub title: &'static str,
    /// One line that says what it does.
    pub summary: &'static str,
    /// Order of the global error on a smooth problem; `None` where the method does not integrate springs.
    pub order: Option<u32>,
    /// The same where forces depend on velocity, as drag and friction in springs do. It is lower
    /// for methods that take them at a velocity of another time.
    pub damped_order: Option<u32>,
    /// The greatest ωdt at which an undamped oscillator of frequency ω stays bounded: 0 for methods that grow at any short
    /// step, infinite for those that never do, damped or not. `None` where the method does not integrate springs.
    pub limit: Option<f64>,
    /// Whether it keeps springs at their rest length instead of integrating their force, with the options at their
    /// defaults.
    pub holds_lengths: bool,
    /// Whether the velocity in the state carries the motion on. Where it does not, it is only reported,
    /// and scaling it would change nothing.
    pub velocity_carries: bool,
    /// What a scene may write in parentheses behind the name.
    pub options: &'static [OptionInfo],
}

/// A method with its options.
pub trait Method: Debug + Send + Sync {
    /// What it is.
    fn info(&self) -> MethodInfo;

    /// Refuses options that are out of range.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses what does not fit the body.
    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    /// Whether it keeps springs at their rest length, with these options.
    fn holds_lengths(&self) -> bool {
        self.info().holds_lengths
    }

    /// Whether it divides the step it is given as it sees fit.
    fn chooses_steps(&self) -> bool {
        false
    }

    /// How many equal steps of its own it takes within each step it is given.
    fn inner_steps(&self) -> u32 {
        1
    }

    /// Stiffness that it gives to a structural or shear spring, where it does not hold its length.
    fn stiffness_of(&self, spring: &Spring) -> f64 {
        spring.stiffness
    }

    /// The drag that it has of its own, as c/m, when it takes steps of `dt`; per time, at least 0.
    fn drag_rate(&self, _dt: f64) -> f64 {
        0.0
    }

    /// What a step takes at least, with these options.
    fn cost(&self) -> Cost;

    /// Begins a run. `dt` is the step that [`Integrator::step`] will be called with.
    fn start(&self, model: &Model, initial: &State, dt: f64) -> Box<dyn Integrator>;
}

/// The method of this name with all options at their defaults; `None` where there is no such method.
pub fn with_defaults(name: &str) -> Option<Arc<dyn Method>> {
    let options = MapDeserializer::<_, Error>::new(std::iter::empty::<(String, u64)>());
    Some(read(name, options)?.ok()?.into())
}

/// What contacts and impulses did after a step.
#[derive(Clone, Copy, Debug)]
pub struct Displaced<'a> {
    /// The nodes that they changed, in order.
    pub nodes: &'a [usize],
    /// The body.
    pub model: &'a Model,
    /// The state that the step led to.
    pub before: &'a State,
    /// The state that they made of it.
    pub state: &'a State,
}

/// A method at work on one body.
pub trait Integrator: Send {
    /// Moves `state.x` and `state.v` on by `dt`. Time and pins are the simulation's.
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64);

    /// Takes `count` steps of `dt` from `start` at once, with the bits that [`Integrator::step`] would give, and says whether it did.
    /// Positions and velocities of `end`, which are as many as those of `start`, are then where they lead. `false` leaves all as it
    /// was: there is no kernel for this system. Pinned nodes stay where they are, and nothing but the method acts between the
    /// steps.
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

    /// Remembers again what it did before the last burst, after which nothing else has happened. A method that has bursts and remembers
    /// something must have this too.
    fn undo_burst(&mut self) {}

    /// What a kernel needs that moves many chains on side by side by constraint Verlet; `None` for all that move otherwise.
    /// What [`Integrator::save`] gives must be [`ChainLane::last`], and nothing else.
    fn lane(&mut self, _system: &System<'_>, _state: &State) -> Option<ChainLane<'_>> {
        None
    }

    /// What the last step did, for methods that divide it or iterate; `None` where it was one step of `dt`.
    fn report(&self) -> Option<StepReport> {
        None
    }

    /// Tension of each structural and shear spring in the last step, pulling above 0, of methods that solve for it.
    fn tensions(&self) -> Option<&[f64]> {
        None
    }

    /// Keeps from now on with what impulse springs and tethers pull at pins, where it does not integrate their force.
    fn keep_reactions(&mut self) {}

    /// The impulse on each pin in the last step by springs that are held and by tethers, flat by axis and 0 for free nodes;
    /// `None` where none is kept. Every method that holds lengths has it once it is asked to keep it.
    fn reactions(&self) -> Option<&[f64]> {
        None
    }

    /// Is told after a step that contacts or impulses changed positions and velocities of some nodes. Methods that remember
    /// more than the state make their memory agree with it.
    fn displaced(&mut self, _what: &Displaced<'_>, _dt: f64) {}

    /// Appends what it remembers from step to step beside the state; nothing for most.
    fn save(&self, _memory: &mut Vec<f64>) {}

    /// Takes back what [`Integrator::save`] gave.
    fn restore(&mut self, _memory: &[f64]) {}
}

mod adams;
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
}
