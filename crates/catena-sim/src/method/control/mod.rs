//! Step control: the steps that a method takes within one step of the scene, one file each.
//!
//! A control wraps a method and is an [`Integrator`] itself. The `table!` call below lists the
//! controls. To add one, add a file and a line there.

use super::{Integrator, Method};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::identity::Identity;
use crate::named::table;
use crate::named::{BadOption, Info};
use std::{fmt::Debug, sync::Arc};

/// A rule for choosing steps.
pub trait StepControl: Debug + Identity + Send + Sync {
    /// Name and options of the control.
    fn info(&self) -> Info;

    /// Whether the control may take steps other than the scene's.
    fn chooses_steps(&self) -> bool {
        true
    }

    /// Maximum step that the method takes if the scene's step is `dt`.
    fn longest(&self, dt: f64) -> f64 {
        dt
    }

    /// Refuses options that are out of range.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses options that do not fit the body.
    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses methods that the control cannot wrap or would not change. [`check_fit`] refuses
    /// methods that choose their own steps.
    fn allows(&self, _method: &dyn Method) -> Result<(), Misfit> {
        Ok(())
    }

    /// Warning for the user if the options do not fit the scene's step `dt`.
    fn step_caution(&self, _dt: f64) -> Option<String> {
        None
    }

    /// Minimum cost of a step of the scene with a method under this control.
    fn cost(&self, method: &dyn Method) -> Cost {
        Cost { is_open: self.chooses_steps(), ..method.cost() }
    }

    /// Returns the control itself if slips read its options.
    #[doc(hidden)]
    fn as_any(&self) -> Option<&dyn std::any::Any> {
        None
    }

    /// Starts a run of the method under this control. `dt` is the scene's step, above 0, which the
    /// control may divide.
    fn start(
        &self,
        method: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
        dt: f64,
    ) -> Box<dyn Integrator>;
}

/// Reason why a control and a method do not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The reason, as the end of a sentence.
    pub why: &'static str,
    /// Advice for the user.
    pub help: &'static str,
}

/// Refuses a control and a method that do not fit.
pub fn check_fit(control: &dyn StepControl, method: &dyn Method) -> Result<(), Misfit> {
    if control.chooses_steps() && method.chooses_steps() {
        return Err(Misfit {
            why: "the method chooses its own steps",
            help: "remove `step_control`, or choose a method that does not choose its own steps",
        });
    }
    control.allows(method)
}

mod equal_substeps;

table! {
    /// All controls, in the order in which lists show them.
    STEP_CONTROLS: Info,
    /// Names of all controls, as scenes write them.
    STEP_CONTROL_NAMES,
    StepControl:
    fixed::Fixed,
    step_doubling::StepDoubling,
    stability_limit::StabilityLimit,
    cfl::Cfl,
}
