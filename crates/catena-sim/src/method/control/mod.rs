//! Step control: the steps that a method takes within one step of the scene, one file each.
//!
//! A control wraps a method and is an [`Integrator`] itself. The `table!` call below is the table:
//! a new control is a file and a line there.

use super::{Integrator, Method};
use crate::body::{Model, State};
use crate::budget::Cost;
use crate::named::table;
use crate::named::{BadOption, Info};
use std::{fmt::Debug, sync::Arc};

/// A way to choose steps.
pub trait StepControl: Debug + Send + Sync {
    /// The control's name and options.
    fn info(&self) -> Info;

    /// Whether it may take other steps than the scene's.
    fn chooses_steps(&self) -> bool {
        true
    }

    /// The longest step that the method gets if the scene's step is `dt`.
    fn longest(&self, dt: f64) -> f64 {
        dt
    }

    /// Refuses options that are out of range.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses what does not fit the body.
    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses methods that the control cannot wrap or would not change. [`goes_with`] refuses
    /// methods that choose their own steps.
    fn allows(&self, _method: &dyn Method) -> Result<(), Misfit> {
        Ok(())
    }

    /// The least cost of a step of the scene with a method under this control.
    fn cost(&self, method: &dyn Method) -> Cost {
        Cost { is_open: self.chooses_steps(), ..method.cost() }
    }

    /// Begins a run of the method under this control. `dt` is the scene's step, above 0, which the
    /// control may divide.
    fn start(
        &self,
        method: &Arc<dyn Method>,
        model: &Model,
        initial: &State,
        dt: f64,
    ) -> Box<dyn Integrator>;
}

/// Why a control does not go with a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The reason, as the end of a sentence.
    pub why: &'static str,
    /// What to do instead.
    pub help: &'static str,
}

/// Refuses a control and a method that do not go together.
pub fn goes_with(control: &dyn StepControl, method: &dyn Method) -> Result<(), Misfit> {
    if control.chooses_steps() && method.chooses_steps() {
        return Err(Misfit {
            why: "it chooses its own steps, so two would choose at once",
            help: "leave step_control out, or choose a method that takes the steps it is given",
        });
    }
    control.allows(method)
}

table! {
    /// Every control, in the order in which lists show them.
    STEP_CONTROLS: Info,
    /// Every control's name, as a scene writes it.
    STEP_CONTROL_NAMES,
    StepControl:
    fixed::Fixed,
    step_doubling::StepDoubling,
    stability_limit::StabilityLimit,
}
