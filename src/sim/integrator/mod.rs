//! Methods that carry a state from one step to the next, one file each.
//!
//! A [`Method`] is what a scene names, options included. [`Method::start`] makes the [`Integrator`] that
//! runs it and keeps what the method remembers between steps. The `table!` call below is the table:
//! a new method is a file and a line at its end (pictures give a method the colour of its place in the table).

use super::{
    Model, Spring, State, StepReport, System,
    option::{BadOption, OptionInfo},
    table::table,
};
use std::fmt::Debug;

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
    /// The greatest ωdt at which an undamped oscillator of frequency ω stays bounded: 0 for methods that grow at any
    /// step, infinite for those that never do. `None` where the method does not integrate springs.
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

    /// Stiffness that it gives to a structural or shear spring, where it does not hold its length.
    fn stiffness_of(&self, spring: &Spring) -> f64 {
        spring.stiffness
    }

    /// Begins a run. `dt` is the step that [`Integrator::step`] will be called with.
    fn start(&self, model: &Model, initial: &State, dt: f64) -> Box<dyn Integrator>;
}

/// A method at work on one body.
pub trait Integrator: Send {
    /// Moves `state.x` and `state.v` on by `dt`. Time and pins are the simulation's.
    fn step(&mut self, system: &System<'_>, state: &mut State, dt: f64);

    /// What the last step did, for methods that divide it or iterate; `None` where it was one step of `dt`.
    fn report(&self) -> Option<StepReport> {
        None
    }

    /// Tension of each structural and shear spring in the last step, pulling above 0, of methods that solve for it.
    fn tensions(&self) -> Option<&[f64]> {
        None
    }

    /// Is told after a step that contacts or impulses changed positions and velocities of these nodes in `state`. Methods
    /// that remember more than the state make their memory agree with it.
    fn displaced(&mut self, _nodes: &[usize], _model: &Model, _state: &State, _dt: f64) {}

    /// Appends what it remembers from step to step beside the state; nothing for most.
    fn save(&self, _memory: &mut Vec<f64>) {}

    /// Takes back what [`Integrator::save`] gave.
    fn restore(&mut self, _memory: &[f64]) {}
}

mod multistep;
mod projection;
mod runge_kutta;
mod verlet;

table! {
    /// Every method, in the order in which lists show them.
    METHODS: MethodInfo,
    /// Every method's name, as a scene writes it.
    METHOD_NAMES,
    Method:
    explicit_euler::ExplicitEuler,
    semi_implicit_euler::SemiImplicitEuler,
    force_verlet::ForceVerlet,
    constraint_verlet::ConstraintVerlet,
    position_verlet::PositionVerlet,
    velocity_verlet::VelocityVerlet,
    leapfrog::Leapfrog,
    stormer_verlet::StormerVerlet,
    midpoint::Midpoint,
    heun::Heun,
    rk4::Rk4,
    adams_bashforth2::AdamsBashforth2,
    adams_bashforth3::AdamsBashforth3,
    adams_bashforth4::AdamsBashforth4,
    adams_bashforth_moulton2::AdamsBashforthMoulton2,
    adams_bashforth_moulton3::AdamsBashforthMoulton3,
    adams_bashforth_moulton4::AdamsBashforthMoulton4,
    lecture_adams_bashforth2::LectureAdamsBashforth2,
    yoshida4::Yoshida4,
    dormand_prince::DormandPrince,
    shake::Shake,
    pbd::Pbd,
    xpbd::Xpbd,
    implicit_euler::ImplicitEuler,
    implicit_midpoint::ImplicitMidpoint,
}
