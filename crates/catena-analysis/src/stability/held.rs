//! Longest stable step of methods that correct lengths instead of integrating springs. The limit
//! comes from forces that remain forces and, under SHAKE, from tension.

use super::growth::{self, GrowthLimit};
use super::predict::{LimitCause, LimitReach, ModePlace, Prediction};
use super::stiffest::{FilmEnd, Stiffening, StiffestState, stiffest_states};
use super::tension;
use crate::budget::{CoreTime, StudyBudget};
use crate::lengths::length_warning;
use crate::shape::chain_tensions;
use catena_sim::body::hanging::LinkLaw;
use catena_sim::{
    Force, Setup, SpringMemory, State, System,
    drive::Anchors,
    force::SpringForce,
    linear::spectrum::{Spectrum, semi_implicit_limit, spectrum_bound},
};
use std::sync::Arc;

/// Budget of a run of all frames in the study of one body.
pub(super) const RUNNING: CoreTime = CoreTime { seconds: 0.2 };
/// Budget of the growth search, as a multiple of a run's budget.
const GROWING: f64 = 1.5;
/// Shares of 1/γ and 1/ω of the forces below which a step is safe without further checks.
const SAFE_DAMPING: f64 = 0.1;
const SAFE: f64 = 0.5;
/// Factor on the sum of all loads for the tension assumed before a run.
const LOADS: f64 = 8.0;
/// Relative difference within which a measured limit and the bound count as equal.
const NEAR: f64 = 0.02;
/// Relative tolerance of ω².
const EXACT: f64 = 1e-10;

/// Longest stable step of such a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HeldLimit {
    /// Predicted limit and its cause.
    pub(super) prediction: Prediction,
    /// Substeps of the run that kept its limit in all frames, for limits found by runs.
    pub(super) kept_by: Option<u64>,
}

/// Maximum cost of a prediction.
pub fn most_work() -> CoreTime {
    RUNNING.times(1.0 + GROWING)
}

/// Predicts the longest stable step of a method that integrates no springs, over `frames` frames.
/// Returns `None` if no limit is known. `is_quick` skips checks that certainly do not limit the
/// scene's step. `running` is the budget of a run of all frames.
pub(super) fn predict(
    setup: &Setup,
    frames: u64,
    is_quick: bool,
    running: CoreTime,
) -> Option<HeldLimit> {
    let of_forces = forces(setup, is_quick, running.times(GROWING));
    let of_tension = under_tension(setup, frames, is_quick, running);
    let step = |found: &HeldLimit| found.prediction.longest_step.unwrap_or(f64::INFINITY);
    of_forces
        .into_iter()
        .chain(of_tension)
        .reduce(|found, next| if step(&next) < step(&found) { next } else { found })
}

/// Limit by forces that remain forces: friction in springs, bending springs, soft pins.
fn forces(setup: &Setup, is_quick: bool, growing: CoreTime) -> Option<HeldLimit> {
    let is_external = |force: &&Arc<dyn Force>| !force.is_elastic();
    let forces: Vec<Arc<dyn Force>> = setup.forces.iter().filter(is_external).cloned().collect();
    let anchors = Anchors::new(&setup.model, &setup.initial, &setup.anchors);
    let memory = SpringMemory::default();
    let system = System::new(&setup.model, &memory, &forces, &anchors);
    let bound = spectrum_bound(&system, &setup.initial);
    let dt = setup.dt();
    let is_safe = bound.omega * dt < SAFE && bound.damping * dt < SAFE_DAMPING;
    let is_known = bound.omega.is_finite() && bound.damping.is_finite();
    let has_friction = forces.iter().any(|force| is_friction(force.as_ref()));
    let has_limit = bound.omega > 0.0 || has_friction;
    if !is_known || is_safe && (is_quick || !has_limit) {
        return None;
    }
    let guess = semi_implicit_limit(bound.omega, bound.damping);
    // Forces that act on pins alone move nothing.
    if !guess.is_finite() {
        return None;
    }
    let mut budget = StudyBudget::new(growing);
    let longest = match growth::limit(setup, guess, 4.0 * dt.max(guess), &mut budget) {
        // If corrections leave a motion unchanged, the bound is the limit.
        GrowthLimit::At(step) if (step / guess - 1.0).abs() < NEAR => step.min(guess),
        GrowthLimit::At(step) => step,
        GrowthLimit::None => return None,
        // SHAKE and XPBD leave such a motion unchanged, so the bound itself is the limit.
        GrowthLimit::Unknown => match setup.method.info().name {
            "Shake" | "Xpbd" => guess,
            _ => return None,
        },
    };
    let is_of_friction = has_friction && bound.damping >= bound.omega;
    let cause = if is_of_friction { LimitCause::Friction } else { LimitCause::Forces };
    let prediction = Prediction {
        highest: bound,
        place: ModePlace::Start,
        longest_step: Some(longest),
        reach: LimitReach::Whole,
        cause,
        is_rest_known: true,
    };
    Some(HeldLimit { prediction, kept_by: None })
}

/// Whether a force is friction inside springs.
fn is_friction(force: &dyn Force) -> bool {
    matches!(force.spring_force(), Some(SpringForce::Damping(_) | SpringForce::Friction(_)))
}

/// Limit by tension: at the start, during the run, and hanging at rest.
fn under_tension(
    setup: &Setup,
    frames: u64,
    is_quick: bool,
    running: CoreTime,
) -> Option<HeldLimit> {
    if setup.method.info().name != "Shake" || is_quick && is_safe_by_loads(setup) {
        return None;
    }
    // Tensions are meaningless if lengths cannot be kept.
    if length_warning(setup, frames).is_some() {
        return None;
    }
    let at_rest = at_rest(setup);
    let mut budget = StudyBudget::new(running);
    let passing = stiffest_states(setup, Stiffening::Tension, frames, &mut budget);
    let passing = passing.and_then(|states| of_run(setup, states));
    let step = |found: &HeldLimit| found.prediction.longest_step.unwrap_or(f64::INFINITY);
    let all = at_rest.into_iter().chain(passing);
    all.reduce(|found, next| if step(&next) < step(&found) { next } else { found })
}

/// Whether loads are too small for a tension that limits the step. Only bodies that start at rest
/// and are moved by nothing else qualify.
fn is_safe_by_loads(setup: &Setup) -> bool {
    let Setup { model, initial, forces, .. } = setup;
    let is_still = initial.v.iter().all(|v| *v == 0.0)
        && setup.anchors.is_empty()
        && setup.impulses.is_empty()
        && setup.events.is_empty()
        && setup.contacts.colliders.iter().all(|collider| collider.motion().is_none());
    let load: f64 = forces.iter().map(|force| force.load_from(model, initial)).sum();
    let tensions = vec![LOADS * load; model.held];
    is_still && tension::bound(model, &tensions) * setup.dt() < 2.0 * SAFE
}

/// Limit of a chain that hangs at rest.
fn at_rest(setup: &Setup) -> Option<HeldLimit> {
    let x = setup.hanging_chain(LinkLaw::Rigid)?;
    let tensions = chain_tensions(setup, &x);
    if !tensions.iter().all(|tension| tension.is_finite()) {
        return None;
    }
    let rest = State::at_rest(x);
    let highest = tension::mode(setup, (&rest, &SpringMemory::default()), &tensions, EXACT);
    of_mode(highest, ModePlace::Rest, LimitReach::Whole, None)
}

/// Limit from the run with the scene's substeps and from the run that survived. A step that
/// survived all frames is stable, even if tension briefly exceeds its limit.
fn of_run(setup: &Setup, [own, last]: [StiffestState; 2]) -> Option<HeldLimit> {
    let (stiffest, reach, kept_by) = match (own.end, last.end) {
        (FilmEnd::Film, _) | (_, FilmEnd::Film) => (last, LimitReach::Whole, Some(last.substeps)),
        (FilmEnd::StudyBudget, _) => (last, LimitReach::Until(last.until), None),
        (FilmEnd::Lost, _) => (own, LimitReach::TooLong, None),
    };
    let place = ModePlace::Passing { time: stiffest.time };
    let mut found = of_mode(stiffest.highest, place, reach, kept_by)?;
    if let Some(substeps) = kept_by {
        let step = found.prediction.longest_step;
        let kept = setup.frame_time / substeps as f64;
        found.prediction.longest_step = step.map(|step| step.max(kept));
    }
    Some(found)
}

fn of_mode(
    highest: Spectrum,
    place: ModePlace,
    reach: LimitReach,
    kept_by: Option<u64>,
) -> Option<HeldLimit> {
    if !(highest.omega.is_finite() && highest.omega > 0.0) {
        return None;
    }
    let longest = semi_implicit_limit(highest.omega, highest.damping.max(0.0));
    let prediction = Prediction {
        highest,
        place,
        longest_step: Some(longest),
        reach,
        cause: LimitCause::Tension,
        is_rest_known: true,
    };
    Some(HeldLimit { prediction, kept_by })
}
