//! Stability regions: the bodies that have a region, and the budget of their amplification
//! matrices.

use super::budgets::REGIONS;
use super::plan::{Figures, ReportPlan};
use crate::job::report::grouping::grouped;
use catena_analysis::{
    budget::{CoreTime, StudyBudget},
    stability::region::{
        EVALUATIONS, MATRIX, PlaneFrame, Region, SceneModes, has_region, modes, region,
    },
};
use catena_base::text::list::listed;
use catena_sim::Setup;
use catena_sim::identity::identity_of;
use catena_study::figure::study::{
    Subject,
    regions::{self as regions_figure, BodyRegion, frame_of},
};
use rayon::prelude::*;

/// Makes the figure of stability regions for a report.
pub(super) fn regions(plan: &ReportPlan<'_>) -> Figures {
    let subjects = plan.subjects();
    let all = subjects.len() as u64;
    plan.learn_limits();
    made(subjects, plan.scaled(REGIONS), &|| plan.extent.add_one(all))
}

/// Makes the figure for some bodies within a budget. `each` is called after every body.
fn made(subjects: Vec<Subject<'_>>, maximum: CoreTime, each: &(dyn Fn() + Sync)) -> Figures {
    let share = maximum.times(0.5).shared(subjects.len());
    let mut budget = StudyBudget::new(maximum.times(0.5));
    let found: Vec<Result<BodyFrame<'_>, (String, String)>> = subjects
        .into_par_iter()
        .map(|subject| {
            let found = framed(&subject.body.setup, share);
            each();
            match found {
                Ok((frame, modes)) => Ok(BodyFrame { subject, frame, modes }),
                Err(reason) => Err((subject.label, reason)),
            }
        })
        .collect();
    // Bodies with the same method and the same part of the plane share a region.
    let mut keys: Vec<Vec<u8>> = Vec::new();
    let mut wanted: Vec<(&Setup, PlaneFrame)> = Vec::new();
    for body in found.iter().flatten() {
        let key = body.key();
        if !keys.contains(&key) && budget.spend(EVALUATIONS as f64, MATRIX as u64) {
            keys.push(key);
            wanted.push((&body.subject.body.setup, body.frame));
        }
    }
    let made: Vec<Option<Region>> =
        wanted.into_par_iter().map(|(setup, frame)| region(setup, frame)).collect();
    let found = found.into_iter().map(|body| {
        let body = body?;
        let place = keys.iter().position(|key| *key == body.key());
        with_region(body, place.and_then(|place| made[place].clone()))
    });
    let (mut bodies, mut missing) = (Vec::new(), Vec::new());
    for body in found {
        match body {
            Ok(body) => bodies.push(body),
            Err(reason) => missing.push(reason),
        }
    }
    Figures {
        studies: regions_figure::study(&bodies).into_iter().collect(),
        left_out: grouped("No stability region", missing),
    }
}

/// Reason for a body whose method does not integrate springs.
const HELD: &str =
    "its method corrects lengths instead of integrating springs, so hλ is not defined";

/// Reason for a body with slips that change its stability. A region is computed for one mass on one
/// spring, where such slips may have no effect.
fn slipped(setup: &Setup) -> String {
    let changing = setup.slips.iter().filter(|slip| !slip.keeps_limit());
    let names: Vec<String> = changing.map(|slip| slip.info().name.to_owned()).collect();
    let change = if names.len() == 1 { "changes" } else { "change" };
    format!(
        "its slip {} {change} its stability, but a region could only be computed without the slip",
        listed(&names)
    )
}

/// Body with its modes and the part of the plane that shows them.
struct BodyFrame<'a> {
    subject: Subject<'a>,
    frame: PlaneFrame,
    modes: Option<SceneModes>,
}

impl BodyFrame<'_> {
    /// Identity of everything that a region depends on.
    fn key(&self) -> Vec<u8> {
        let setup = &self.subject.body.setup;
        let factors = [setup.velocity_factor, setup.position_factor];
        identity_of(&(&setup.method, factors, self.frame))
    }
}

fn with_region(
    body: BodyFrame<'_>,
    region: Option<Region>,
) -> Result<BodyRegion<'_>, (String, String)> {
    let BodyFrame { subject, frame, modes } = body;
    match region {
        Some(region) => Ok(BodyRegion { subject, frame, region, modes }),
        None => Err((subject.label, "the work limit of the figure was reached".into())),
    }
}

/// Modes of a body and the part of the plane that shows them.
///
/// # Errors
/// The method has no region.
fn framed(setup: &Setup, maximum: CoreTime) -> Result<(PlaneFrame, Option<SceneModes>), String> {
    if setup.chooses_its_step() {
        return Err("its steps are adaptive, so hλ is not a single point".into());
    }
    if !has_region(setup.method.as_ref()) {
        return Err(HELD.into());
    }
    if !setup.has_known_limit() {
        return Err(slipped(setup));
    }
    let modes = modes(setup, maximum);
    Ok((frame_of(modes.as_ref()), modes))
}
