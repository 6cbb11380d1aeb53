//! Springs that events create. They are the last springs of a model from the start of the run.

use super::SetupBuilder;
use crate::body::{Model, Spring};
use crate::drive::Event;
use crate::drive::event::action::Joint;
use crate::named::BadSetup;
use crate::run::BreakingStrain;
use crate::run::events::check_actions;
use std::sync::Arc;

impl SetupBuilder {
    /// Appends the springs that events create to the model and to every list with one entry per
    /// spring.
    pub(super) fn add_joints(&mut self) -> Result<(), BadSetup> {
        let Ok((model, _)) = &mut self.body else { return Ok(()) };
        // The actions define the new springs, so they must be valid first.
        check_actions(&self.events, model)?;
        let springs = model.springs.len();
        append_joints(model, &self.events);
        // If values are given per spring, joints get no friction and never break.
        let joints = model.springs.len() - springs;
        let with_joints = |each: &[f64], joint: f64| -> Arc<[f64]> {
            each.iter().copied().chain(std::iter::repeat_n(joint, joints)).collect()
        };
        if let Some(BreakingStrain::Each(strains)) = &mut self.breaks_at {
            *strains = with_joints(strains, f64::INFINITY);
        }
        for each in [&mut self.damping_each, &mut self.friction_each].into_iter().flatten() {
            *each = with_joints(each, 0.0);
        }
        Ok(())
    }
}

/// Appends the springs that events create. Their rest length is a placeholder until then.
fn append_joints(model: &mut Model, events: &[Event]) {
    let structural = model.structural().iter().map(|spring| spring.stiffness);
    let stiffest = structural.fold(0.0, f64::max);
    let least = Joint::least_length(model);
    for joint in events.iter().filter_map(|event| event.action.joint()) {
        let Joint { a, b, stiffness, length } = joint;
        let stiffness = stiffness.unwrap_or(if stiffest > 0.0 { stiffest } else { 1.0 });
        model.springs.push(Spring { a, b, stiffness, rest_length: length.unwrap_or(least) });
    }
}
