//! Steady-state comparison of a render.
//!
//! In a panel with `rest: Solve`, the rest is solved from the balance of forces, and the bodies run
//! only up to the last rendered frame. Other bodies, and bodies without a solution, run until they
//! are at rest.

use super::{
    RenderError,
    endings::{AT_REST, DIVERGED, MOVING},
    task::Task,
};
use crate::job::{
    check::bodies,
    progress::{Stage, time},
    rest_warnings,
    statics::first_alike,
};
use catena_analysis::{
    settle::{Ending, RestRule, Settled, settle},
    shape::farthest,
    statics::{Equilibrium, NoRest, Stability, equilibrium},
};
use catena_base::text::list::quoted;
use catena_output::{
    OutputError,
    folder::Folder,
    hash::sha256,
    journal::Journal,
    manifest::{SolvedRest, SteadyBody, SteadyEntry},
    names::STEADY,
    png,
};
use catena_scene::{Body, RestBy, RestCriteria};
use catena_sim::{Simulation, body::measure};
use catena_study::figure::steady::{self, SolvedShape, SteadyColumn};
use image::RgbImage;
use rayon::prelude::*;
use std::{
    io,
    sync::atomic::{AtomicU64, Ordering},
};

/// End of a body's run, and its solved rest if the scene asks for it.
struct BodyEnd {
    settled: Settled,
    solved: Solved,
}

/// Solved rest, or the reason why there is none. `None` if the scene does not ask for it.
type Solved = Option<Result<Equilibrium, NoRest>>;

/// Makes the comparison. `None` if the job is interrupted, or `is_wanted` returns false.
pub(super) fn make(
    task: &Task<'_>,
    folder: &Folder,
    journal: &Journal,
    is_wanted: &(dyn Fn() -> bool + Sync),
) -> Result<Option<SteadyEntry>, RenderError> {
    let continues = || is_wanted() && !task.interruption.is_set();
    let outcomes = settle_all(task, &continues);
    task.progress.settling_ended();
    if !continues() {
        return Ok(None);
    }
    time(task.progress, Stage::Steady, || write(task, &outcomes, folder, journal)).map(Some)
}

/// Draws the picture without writing it. `None` if the job is interrupted.
pub(super) fn picture(task: &Task<'_>) -> Option<RgbImage> {
    let continues = || !task.interruption.is_set();
    task.interruption.started();
    let outcomes = settle_all(task, &continues);
    task.progress.settling_ended();
    let draw = || steady::draw(task.scene, &columns(task, &outcomes), task.font);
    continues().then(|| time(task.progress, Stage::Steady, draw))
}

/// Columns of the picture.
fn columns<'a>(task: &Task<'a>, outcomes: &[BodyEnd]) -> Vec<SteadyColumn<'a>> {
    let settled: Vec<Settled> = outcomes.iter().map(|end| end.settled.clone()).collect();
    let shape = |end: &BodyEnd| {
        let found = end.solved.as_ref()?.as_ref().ok()?;
        Some(SolvedShape { x: found.x.clone(), time: found.time })
    };
    let solved: Vec<Option<SolvedShape>> = outcomes.iter().map(shape).collect();
    steady::columns_with_solved(task.scene, &settled, &solved)
}

/// Solves for the rest of bodies in panels that ask for it, and reports bodies without rest.
fn solve_all(task: &Task<'_>) -> Vec<Solved> {
    let of_panel = |panel| -> Vec<(RestCriteria, &Body)> {
        let panel: &catena_scene::Panel = panel;
        panel.bodies.iter().map(|body| (panel.rest, body)).collect()
    };
    let all: Vec<(RestCriteria, &Body)> = task.scene.panels.iter().flat_map(of_panel).collect();
    let asks: Vec<bool> =
        all.iter().map(|(rest, body)| rest.by == RestBy::Solve && !body.is_rig_alone()).collect();
    let bodies: Vec<&Body> = all.iter().map(|(_, body)| *body).collect();
    let same = first_alike(&bodies);
    let solve = |(index, body): (usize, &&Body)| -> Solved {
        let is_asked = same.iter().zip(&asks).any(|(first, asks)| *first == index && *asks);
        is_asked.then(|| time(task.progress, Stage::Settle, || equilibrium(&body.setup)))
    };
    let found: Vec<Solved> = bodies.par_iter().enumerate().map(solve).collect();
    let of_body = |(first, asks): (&usize, &bool)| found[*first].clone().filter(|_| *asks);
    let solved: Vec<Solved> = same.iter().zip(&asks).map(of_body).collect();
    report_solved(task, &bodies, &solved);
    solved
}

/// Reports bodies without a solved rest, and warnings about solved rests.
fn report_solved(task: &Task<'_>, bodies: &[&Body], solved: &[Solved]) {
    let labels = task.scene.body_labels();
    let all = labels.iter().zip(bodies).zip(solved).zip(task.unrests());
    for (((label, body), solved), _) in all.filter(|(_, unrest)| unrest.is_none()) {
        let label = quoted(label);
        let rest = solved.iter().flatten();
        for warning in rest.flat_map(|rest| rest_warnings(&body.setup, rest)) {
            task.progress.note(&format!("note: {label}: {warning}"));
        }
        match solved {
            Some(Err(reason)) => task.progress.note(&format!(
                "note: {label}: the shape at rest could not be computed, so the simulation \
                 continues until the body is at rest: {reason}"
            )),
            Some(Ok(rest)) if rest.is_unstable() => {
                let [reason, help] = rest.unrest().unwrap_or_default();
                task.progress.note(&format!(
                    "note: {label}: the computed shape at rest is {reason}, so a run may come to \
                     rest elsewhere; {help}"
                ));
            }
            Some(Ok(_)) | None => {}
        }
    }
}

/// Reports bodies that are not simulated until rest, because they never rest.
fn report_unrest(task: &Task<'_>) {
    let unrests = task.scene.body_labels().into_iter().zip(task.unrests());
    for (label, unrest) in unrests.filter_map(|(label, unrest)| Some((label, unrest?))) {
        task.progress.note(&format!(
            "note: {}: {unrest}, so it never comes to rest: steady.png shows it at frame {}",
            quoted(&label),
            task.last_of_all.max(1)
        ));
    }
}

/// Simulates every body until it is at rest or reaches its limit. The limit is the last frame if
/// the shape at rest was solved, or if the body can never rest. Several bodies run in parallel.
fn settle_all(task: &Task<'_>, continues: &(dyn Fn() -> bool + Sync)) -> Vec<BodyEnd> {
    let progress = task.progress;
    let (limits, patience) = (task.limits(), task.patience());
    let solved = solve_all(task);
    report_unrest(task);
    let bodies: Vec<(&Body, RestRule)> = task
        .scene
        .panels
        .iter()
        .zip(limits)
        .flat_map(|(panel, limit)| panel.bodies.iter().map(move |body| (panel.rest, body, limit)))
        .zip(&solved)
        .map(|((rest, body, limit), solved)| {
            let limit = match solved {
                Some(Ok(_)) => task.last_of_all.max(1),
                _ => limit,
            };
            let rule = RestRule::for_body(&body.setup, rest.speed, rest.frames, limit);
            (body, rule.without_vain_wait(&body.setup, task.last_of_all.max(1)))
        })
        .collect();
    progress.settling_started(bodies.iter().map(|(_, rule)| rule.limit).sum());
    let run = |(body, rule): &(&Body, RestRule)| {
        let (last, at_last) = (AtomicU64::new(0), AtomicU64::new(0));
        let continues = |simulation: &Simulation| {
            let (frame, spent) = (simulation.frame(), simulation.spent());
            last.store(frame, Ordering::Relaxed);
            if frame <= task.last_of_all {
                at_last.store(spent, Ordering::Relaxed);
            }
            progress.settling(frame, rule.limit);
            let counted = [spent, at_last.load(Ordering::Relaxed)];
            continues() && patience.lasts(&body.setup, frame, counted)
        };
        // Each body is timed separately, because a thread that waits for other bodies draws frames.
        let settled = time(progress, Stage::Settle, || {
            settle(&patience.allow(&body.setup), *rule, &continues)
        });
        progress.settled(rule.limit.saturating_sub(last.into_inner()));
        settled
    };
    let settled: Vec<Settled> = bodies.par_iter().map(run).collect();
    let outcomes = settled.into_iter().zip(solved);
    outcomes.map(|(settled, solved)| BodyEnd { settled, solved }).collect()
}

fn write(
    task: &Task<'_>,
    outcomes: &[BodyEnd],
    folder: &Folder,
    journal: &Journal,
) -> Result<SteadyEntry, RenderError> {
    let scene = task.scene;
    let columns = columns(task, outcomes);
    let picture = steady::draw(scene, &columns, task.font);
    let path = folder.file(STEADY);
    let bytes = png::encode(&picture)
        .map_err(|error| OutputError::new("encode", &path, io::Error::other(error)))?;
    let hash = sha256(&bytes);
    folder.write(STEADY, &bytes, task.care, || journal.add_file(STEADY, &hash))?;
    let bodies = bodies(scene)
        .into_iter()
        .zip(outcomes)
        .zip(&columns)
        .map(|(((panel, body), end), column)| {
            let (ending, frame, speed) = match end.settled.ending {
                Ending::AtRest { frame } => (AT_REST, frame, None),
                Ending::Moving { frame, speed } => (MOVING, frame, Some(speed)),
                Ending::Diverged { frame } => (DIVERGED, frame, None),
            };
            SteadyBody {
                panel: panel.label.clone(),
                body: body.label.clone(),
                ending: ending.into(),
                frame,
                speed,
                segment_lengths: column.lengths.clone(),
                hanging_lengths: column.reference.clone(),
                solved: end.solved_rest(body),
                no_rest: end.solved.as_ref().and_then(|it| Some(it.as_ref().err()?.to_string())),
            }
        })
        .collect();
    let (limits, waited) = (task.limits(), task.wait());
    Ok(SteadyEntry { limits, waited, file: STEADY.into(), sha256: hash, bodies })
}

impl BodyEnd {
    /// Solved rest of a body, for the manifest.
    fn solved_rest(&self, body: &Body) -> Option<SolvedRest> {
        let found = self.solved.as_ref()?.as_ref().ok()?;
        let model = &body.setup.model;
        let stability = match found.stability {
            Stability::Stable => "stable",
            Stability::Neutral => "neutral",
            Stability::Unstable => "unstable",
        };
        Some(SolvedRest {
            steps: found.iterations as u64,
            residual: found.residual,
            stability: stability.into(),
            distance: farthest(model, &self.settled.state.x, &found.x),
            segment_lengths: measure::segment_lengths(model, &found.x),
        })
    }
}
