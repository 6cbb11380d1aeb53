//! Slips: named faults of students' programs and printed formulas, one file each.
//!
//! A slip turns a correct setup into a setup with the fault, so that both can run side by side. A
//! slip of the forces replaces forces. A slip of the method replaces the method by another that
//! runs without kernels and has the name of the original. The `table!` call below lists the slips.
//! To add one, add a file and a line there. No slip is ever a default.

mod operations;
mod other_weight;
mod per_spring;
mod scaled_drag;
mod slipped;
mod target;
mod wrapped_force;

pub use target::SlipTarget;

use crate::identity::Identity;
use crate::named::{BadOption, OptionInfo, table};
use std::fmt::Debug;

/// Description of a slip, for users and for checks.
#[derive(Clone, Copy, Debug)]
pub struct SlipInfo {
    /// Name in scenes.
    pub name: &'static str,
    /// Words after the method's title in labels, such as `gravity as a force`.
    pub title: &'static str,
    /// One-line description of the wrong code.
    pub summary: &'static str,
    /// Visible effect, in the words that a user would search for.
    pub symptom: &'static str,
    /// The correct form, in one sentence.
    pub correct: &'static str,
    /// Options that a scene may write in parentheses after the name.
    pub options: &'static [OptionInfo],
}

/// A slip with its options.
pub trait Slip: Debug + Identity + Send + Sync {
    /// Name and description of the slip.
    fn info(&self) -> SlipInfo;

    /// Returns the correct form, in one sentence.
    fn correct(&self) -> &'static str {
        self.info().correct
    }

    /// Returns the visible effect, in the words that a user would search for.
    fn symptom(&self) -> &'static str {
        self.info().symptom
    }

    /// Refuses options that are out of range.
    ///
    /// # Errors
    /// The first invalid option.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses options that do not fit the body.
    ///
    /// # Errors
    /// The first option that does not fit.
    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    /// Turns a correct setup into a setup with the slip.
    ///
    /// # Errors
    /// The slip does not fit the setup; the message says why, and what would fit.
    fn apply(&self, target: &mut SlipTarget<'_>) -> Result<(), String>;

    /// Whether the stability limit still follows from the forces and the method's own limit.
    /// Otherwise the limit can only be measured.
    fn keeps_limit(&self) -> bool {
        false
    }

    /// Property that the slip replaces. Its value in the changed setup differs from the scene.
    /// `None` if the slip replaces no property.
    fn replaces(&self) -> Option<ReplacedProperty> {
        None
    }
}

/// Property of a scene that a slip may replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplacedProperty {
    /// Masses of nodes, and therefore rates per mass.
    Masses,
    /// Law and stiffness of springs.
    Springs,
    /// The time step.
    Step,
}

table! {
    /// All slips, in the order in which lists show them.
    SLIPS: SlipInfo,
    /// Names of all slips, as scenes write them.
    SLIP_NAMES,
    Slip:
    gravity_as_force::GravityAsForce,
    mass_forgotten::MassForgotten,
    damping_reversed::DampingReversed,
    drag_reversed::DragReversed,
    drag_per_spring::DragPerSpring,
    gravity_per_spring::GravityPerSpring,
    spring_sign_reversed::SpringSignReversed,
    reaction_forgotten::ReactionForgotten,
    verlet_damping_reversed::VerletDampingReversed,
    last_is_new::LastIsNew,
    forces_not_cleared::ForcesNotCleared,
    strain_as_force::StrainAsForce,
    direction_not_normalized::DirectionNotNormalized,
    frozen_neighbours::FrozenNeighbours,
    no_spring_forces::NoSpringForces,
    in_place::InPlace,
    old_acceleration::OldAcceleration,
    shared_history::SharedHistory,
    dt_in_frames::DtInFrames,
    float32::Float32,
    new_direction::NewDirection,
    growth_exponent::GrowthExponent,
    grid_by_truncation::GridByTruncation,
    later_root::LaterRoot,
}
