//! Reports the execution path of a run's steps, and the obstacles to a faster one. Results of all
//! paths are bit-identical; the report helps to explain run times.

use super::Simulation;
use crate::run::Setup;
use std::fmt;

/// Execution path of the steps of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Taken {
    /// No frame has been taken yet.
    #[default]
    None,
    /// All steps at once, side by side with other runs.
    SideBySide,
    /// All steps at once, in a kernel of the method.
    WholeFrames,
    /// One step after the other.
    StepByStep,
}

/// Execution path of the last frame of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Execution path of its steps.
    pub taken: Taken,
    /// Obstacles to a faster path, as phrases; empty if there are none.
    pub obstacles: Vec<String>,
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.taken {
            Taken::None => "no frame",
            Taken::SideBySide => "in a batch with other bodies",
            Taken::WholeFrames => "whole frames by a kernel",
            Taken::StepByStep => "step by step",
        })?;
        match &self.obstacles[..] {
            [] => Ok(()),
            obstacles => write!(f, ": {}", obstacles.join(", ")),
        }
    }
}

impl Simulation {
    /// Execution path of the last frame, and the obstacles to a faster one.
    pub fn path(&self) -> Path {
        let mut obstacles = Vec::new();
        if self.taken == Taken::StepByStep {
            obstacles = self.setup.obstacles();
            if self.is_step_by_step() {
                obstacles.push("a ledger or forces on pins are recorded".into());
            }
            if obstacles.is_empty() {
                let name = self.setup.method.info().name;
                obstacles.push(format!("{name} has no kernel for this body and these forces"));
            }
            if let Some(sum) = self.sum.as_ref().and_then(|sum| sum.try_borrow().ok()) {
                obstacles.extend(sum.obstacles(&self.setup.forces));
            }
        }
        Path { taken: self.taken, obstacles }
    }
}

impl Setup {
    /// Obstacles to kernels of whole frames that do not depend on the method.
    fn obstacles(&self) -> Vec<String> {
        let has_factors = self.velocity_factor != 1.0 || self.position_factor != 1.0;
        let control = self.step_control.info().name;
        [
            (!self.contacts.is_empty(), "contacts"),
            (!self.impulses.is_empty(), "impulses"),
            (!self.events.is_empty(), "events"),
            (self.flow.is_some(), "springs that yield or creep"),
            (self.breaks_at.is_some(), "springs that may break"),
            (!self.anchors.is_empty(), "moving pins"),
            (has_factors, "a velocity or position factor"),
            (self.step_control.chooses_steps(), control),
        ]
        .into_iter()
        .filter(|(is_there, _)| *is_there)
        .map(|(_, what)| what.to_owned())
        .collect()
    }
}
