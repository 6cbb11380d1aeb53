//! Steady-state comparison of a render.

use super::{
    RenderError,
    endings::{AT_REST, DIVERGED, MOVING},
    task::Task,
};
use crate::job::{
    check::bodies,
    progress::{Stage, time},
};
use catena_analysis::settle::{Ending, RestRule, Settled, settle};
use catena_output::{
    OutputError,
    folder::Folder,
    hash::sha256,
    journal::Journal,
    manifest::{SteadyBody, SteadyEntry},
    names::STEADY,
    png,
};
use catena_scene::Body;
use catena_sim::Simulation;
use catena_study::figure::steady;
use image::RgbImage;
use rayon::prelude::*;
use std::{
    io,
    sync::atomic::{AtomicU64, Ordering},
};

/// Makes the comparison. `None` if the job is interrupted, or `is_wanted` returns false.
pub(super) fn make(
    task: &Task<'_>,
    (folder, journal): (&Folder, &Journal),
    is_wanted: &(dyn Fn() -> bool + Sync),
) -> Result<Option<SteadyEntry>, RenderError> {
    let go_on = || is_wanted() && !task.interruption.is_set();
    let settled = settle_all(task, &go_on);
    task.progress.settling_ends();
    if !go_on() {
        return Ok(None);
    }
    time(task.progress, Stage::Steady, || write(task, &settled, folder, journal)).map(Some)
}

/// Draws the picture without writing it. `None` if the job is interrupted.
pub(super) fn picture(task: &Task<'_>) -> Option<RgbImage> {
    let go_on = || !task.interruption.is_set();
    task.interruption.begins();
    let settled = settle_all(task, &go_on);
    task.progress.settling_ends();
    let draw = || steady::draw(task.scene, &steady::columns(task.scene, &settled), task.font);
    go_on().then(|| time(task.progress, Stage::Steady, draw))
}

/// Simulates every body until it is at rest, and at least up to the last frame. Several bodies run
/// in parallel.
fn settle_all(task: &Task<'_>, go_on: &(dyn Fn() -> bool + Sync)) -> Vec<Settled> {
    let progress = task.progress;
    let (limits, patience) = (task.limits(), task.patience());
    let bodies: Vec<(&Body, RestRule)> = task
        .scene
        .panels
        .iter()
        .zip(limits)
        .flat_map(|(panel, limit)| panel.bodies.iter().map(move |body| (panel.rest, body, limit)))
        .map(|(rest, body, limit)| {
            let rule = RestRule::for_body(&body.setup, rest.speed, rest.frames, limit);
            (body, rule)
        })
        .collect();
    progress.settling_begins(bodies.iter().map(|(_, rule)| rule.limit).sum());
    let run = |(body, rule): &(&Body, RestRule)| {
        let (last, at_last) = (AtomicU64::new(0), AtomicU64::new(0));
        let go_on = |simulation: &Simulation| {
            let (frame, spent) = (simulation.frame(), simulation.spent());
            last.store(frame, Ordering::Relaxed);
            if frame <= task.last_of_all {
                at_last.store(spent, Ordering::Relaxed);
            }
            progress.settling(frame, rule.limit);
            let counted = [spent, at_last.load(Ordering::Relaxed)];
            go_on() && patience.lasts(&body.setup, frame, counted)
        };
        // Each body is timed separately: a thread that waits for the others draws frames in the
        // meantime.
        let settled =
            time(progress, Stage::Settle, || settle(&patience.allow(&body.setup), *rule, &go_on));
        progress.settled(rule.limit.saturating_sub(last.into_inner()));
        settled
    };
    bodies.par_iter().map(run).collect()
}

fn write(
    task: &Task<'_>,
    settled: &[Settled],
    folder: &Folder,
    journal: &Journal,
) -> Result<SteadyEntry, RenderError> {
    let scene = task.scene;
    let columns = steady::columns(scene, settled);
    let picture = steady::draw(scene, &columns, task.font);
    let path = folder.file(STEADY);
    let bytes = png::encode(&picture)
        .map_err(|error| OutputError::new("encode", &path, io::Error::other(error)))?;
    let hash = sha256(&bytes);
    folder.write(STEADY, &bytes, task.care, || journal.add_file(STEADY, &hash))?;
    let bodies = bodies(scene)
        .into_iter()
        .zip(settled)
        .zip(&columns)
        .map(|(((panel, body), settled), column)| {
            let (ending, frame, speed) = match settled.ending {
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
            }
        })
        .collect();
    let (limits, waited) = (task.limits(), task.patience().words());
    Ok(SteadyEntry { limits, waited, file: STEADY.into(), sha256: hash, bodies })
}
