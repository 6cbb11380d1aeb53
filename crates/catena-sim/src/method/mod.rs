//! Methods that advance a state by a step, by family.
//!
//! A [`Method`] is the method that a scene names, with its options. [`Method::start`] creates the
//! [`Integrator`] that runs it and keeps its memory between steps. The `table!` call below lists
//! the methods. To add a method, add a file (or a row, if its family has rows) and a line at the
//! end of the table. The position in the table determines a method's colour in pictures.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use crate::body::{Model, Spring, State};
use crate::budget::Cost;
use crate::force::System;
use crate::identity::Identity;
use crate::kernel::chain_lanes::ChainLane;
use crate::named::{BadOption, OptionInfo, table};
use serde::de::value::{Error, MapDeserializer};
use std::{fmt::Debug, sync::Arc};

/// Description of a method, for users and for checks.
#[derive(Clone, Copy, Debug)]
pub struct MethodInfo {
    /// Name in scenes.
    pub name: &'static str,
    /// Name in pictures.
    pub title: &'static str,
    /// One-line description.
    pub summary: &'static str,
    /// Order of the global error on a smooth problem; `None` if the method does not integrate
    /// springs.
    pub order: Option<u32>,
    /// Order if forces depend on velocity, such as drag and friction in springs. It is lower for
    /// methods that evaluate these forces with the velocity of a different time.
    pub damped_order: Option<u32>,
    /// Maximum ωdt at which an undamped oscillator of frequency ω stays bounded. 0 for methods that
    /// diverge at every step size, infinite for methods that never diverge. `None` if the method
    /// does not integrate springs.
    pub limit: Option<f64>,
    /// Whether the method, with default options, keeps springs at their rest length instead of
    /// integrating their force.
    pub holds_lengths: bool,
    /// Whether the velocity in the state determines the motion. Otherwise the method only reports
    /// the velocity, and scaling it has no effect.
    pub velocity_carries: bool,
    /// Options that a scene may write in parentheses after the name.
    pub options: &'static [OptionInfo],
}

/// A method with its options.
pub trait Method: Debug + Identity + Send + Sync {
    /// Name and properties of the method.
    fn info(&self) -> MethodInfo;

    /// Refuses options that are out of range.
    ///
    /// # Errors
    /// The first invalid option.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses options that do not fit the body.
    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    /// Whether these options keep springs at their rest length.
    fn holds_lengths(&self) -> bool {
        self.info().holds_lengths
    }

    /// Whether the method divides its steps into inner steps of its own choice.
    fn chooses_steps(&self) -> bool {
        false
    }

    /// Number of equal inner steps within each step of the method, at least 1.
    fn inner_steps(&self) -> u32 {
        1
    }

    /// Maximum number of iterations per step to correct lengths; `None` if the method does not
    /// iterate.
    fn iterations(&self) -> Option<u32> {
        None
    }

    /// Returns the method with another number of iterations; `None` if it does not iterate.
    fn with_iterations(&self, _iterations: u32) -> Option<Arc<dyn Method>> {
        None
    }

    /// Stiffness that the method uses for a structural or shear spring, for methods that do not
    /// hold lengths.
    fn stiffness_of(&self, spring: &Spring) -> f64 {
        spring.stiffness
    }

    /// Drag of the method itself as a rate c/m, 1/time, at steps of `dt`; at least 0.
    fn drag_rate(&self, _dt: f64) -> f64 {
        0.0
    }

    /// Kind of kernel in which runs of this method, with these options, advance side by side.
    fn side_by_side(&self) -> SideBySide {
        SideBySide::Alone
    }

    /// Warning for the user if the method cannot achieve its purpose with this body.
    fn caution(&self, _model: &Model) -> Option<String> {
        None
    }

    /// Warning for the user if the options do not fit the scene's step `dt`.
    fn step_caution(&self, _dt: f64) -> Option<String> {
        None
    }

    /// Minimum cost of a step with these options.
    fn cost(&self) -> Cost;

    /// Returns the method itself if slips read its options.
    #[doc(hidden)]
    fn as_any(&self) -> Option<&dyn std::any::Any> {
        None
    }

    /// Starts a run of a body from `initial`. `dt`, above 0, is the step of every
    /// [`Integrator::step`].
    fn start(&self, model: &Model, initial: &State, dt: f64) -> Box<dyn Integrator>;
}

/// Kind of kernel in which runs advance side by side. Results are bit-identical to separate runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideBySide {
    /// Each run advances separately.
    Alone,
    /// Constraint Verlet: one lane per chain. See [`Integrator::lane`].
    Lanes,
    /// Implicit Euler: a step is a linear solve that depends only on the state. Chains of the same
    /// shape are solved together.
    Solved,
    /// A step applies the same arithmetic to every component of positions and velocities, and
    /// requests accelerations. Bodies with equal methods are interleaved in one model.
    Interleaved,
}

/// Returns the method of this name with default options; `None` if there is none.
pub fn with_defaults(name: &str) -> Option<Arc<dyn Method>> {
    let options = MapDeserializer::<_, Error>::new(std::iter::empty::<(String, u64)>());
    Some(read(name, options)?.ok()?.into())
}

/// Changes by contacts and impulses after a step.
#[derive(Clone, Copy, Debug)]
pub struct Displaced<'a> {
    /// Indices of the changed nodes, in order.
    pub nodes: &'a [usize],
    /// The body.
    pub model: &'a Model,
    /// The state at the end of the step, without the changes.
    pub before: &'a State,
    /// The state with the changes.
    pub state: &'a State,
}

/// A method in a run of one body, with its memory between steps.
pub trait Integrator: Send {
    /// Advances `state.x` and `state.v` by `dt`. The caller then sets the time and the pins.
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64);

    /// Takes `count` steps of `dt` from `start` to `end` at once. The result is bit-identical to
    /// `count` calls of [`Integrator::step`]. Returns `false` and changes nothing if no kernel
    /// supports this system. The vectors of `end` have the same sizes as the vectors of `start`.
    /// Between the steps, pinned nodes must not move and only the method may act.
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

    /// Whether a step changes velocities by dt F/m with the forces F at its start, and moves
    /// positions with the velocities at its start or its end.
    fn follows_forces(&self) -> bool {
        false
    }

    /// Rolls the method's memory back to before the last [`Integrator::burst`]. Every method with
    /// bursts and a memory must implement it.
    fn undo_burst(&mut self) {}

    /// Input of the kernel of many chains, if the method advances in [lanes](SideBySide::Lanes) and
    /// the body is a chain. [`Integrator::save`] must then return [`ChainLane::last`] and nothing
    /// else.
    #[doc(hidden)]
    fn lane<'a>(&'a mut self, _system: &System<'a>, _state: &State) -> Option<ChainLane<'a>> {
        None
    }

    /// Returns the report of the last step or burst, for methods that divide steps or iterate;
    /// `None` means steps of `dt`.
    fn report(&self) -> Option<StepReport> {
        None
    }

    /// Tension of each structural and shear spring in the last step, above 0 for a pull; empty
    /// before the first step. `None` if the method does not solve for tensions, or only after a
    /// call of [`Integrator::keep_reactions`].
    fn tensions(&self) -> Option<&[f64]> {
        None
    }

    /// Records the impulses on pins and the tensions of held springs from now on, if the method
    /// holds lengths or has tethers.
    fn keep_reactions(&mut self) {}

    /// Impulse on each pin in the last step by held springs and tethers, flat by axis and 0 for
    /// free nodes. `None` if impulses are not recorded. Every method that holds lengths must record
    /// them on request.
    fn reactions(&self) -> Option<&[f64]> {
        None
    }

    /// Weight of the forces at the start of a step in the change of velocity, 0 to 1. The forces at
    /// the end of the step have the remaining weight. For methods that evaluate forces at other
    /// times, the error is of second order in dt.
    fn share_of_start(&self) -> f64 {
        0.5
    }

    /// Time within a step, as a share of it, at which changing rest lengths are evaluated: 0 for
    /// its start, 1 for its end. Rest lengths are constant within a step. Methods that carry
    /// accelerations or displacements from step to step need a time other than the middle, so that
    /// the error is of second order in dt. Methods that hold lengths use the lengths at the end.
    fn share_of_lengths(&self) -> f64 {
        0.5
    }

    /// Notifies the method after a step that contacts or impulses have changed nodes. Methods with
    /// a memory beyond the state make it consistent.
    fn displaced(&mut self, _what: &Displaced<'_>, _dt: f64) {}

    /// Takes over the memory that a run of the same method and step saved before an event. The
    /// event has changed pins, springs or forces, and the method has restarted from the state.
    /// `anew` lists the nodes that were pinned or released. Only methods whose motion does not
    /// follow from the state need it.
    fn take_over(&mut self, _memory: &[f64], _model: &Model, _anew: &[usize]) {}

    /// Prepares the first step from a state that an earlier run of the same method has reached,
    /// such as the end of a warm-up.
    fn resume(&mut self) {}

    /// Appends the method's memory beyond the state; nothing for most methods.
    fn save(&self, _memory: &mut Vec<f64>) {}

    /// Restores the result of [`Integrator::save`].
    fn restore(&mut self, _memory: &[f64]) {}
}

mod adams;
pub(crate) mod arithmetic;
pub mod control;
mod euler;
pub mod held;
mod implicit;
mod predictor_corrector;
mod report;
mod rows;
mod runge_kutta;
pub(crate) mod step_size;
pub(crate) mod verlet;

pub use adams::*;
pub use control::StepControl;
pub use euler::*;
pub(crate) use held::sweep as held_sweep;
pub use held::{
    ConstraintVerlet, LengthCorrection, Pbd, ProjectionPlace, Shake, StiffnessPer, Xpbd,
};
pub use implicit::{ImplicitEuler, ImplicitMidpoint};
pub use predictor_corrector::LecturePredictorCorrector;
pub use report::StepReport;
pub use runge_kutta::*;
pub use verlet::{
    DampingOf, ForceVelocity, ForceVerlet, Leapfrog, PositionVerlet, StormerVerlet, VelocityVerlet,
    Yoshida4,
};

table! {
    /// All methods, in the order in which lists show them.
    METHODS: MethodInfo,
    /// Names of all methods, as scenes write them.
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
    LectureAdamsBashforth3,
    LecturePredictorCorrector,
}
