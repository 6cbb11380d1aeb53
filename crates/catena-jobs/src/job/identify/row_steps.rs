//! Detection of files whose rows are a number of steps apart that is not a frame.
//!
//! A program often prints every k steps. If it prints no times, each row is read as a frame, which
//! has another number of steps. So each method runs step by step. The steps have the lengths that
//! result from common numbers of substeps. Each step is compared with the first row after the
//! start, and the nearest are compared with all rows.

use super::Question;
use super::base::Bases;
use super::candidate::{Candidate, Plan};
use super::data::Data;
use super::race::{distance_of, run_whole};
use super::verdict::decide;
use super::words::phrase;
use catena_sim::Simulation;
use rayon::prelude::*;
use std::sync::Arc;

/// Maximum number of steps between two rows.
const MAX: u64 = 1100;
/// Ratio of the work of a run to its estimate above which the run is given up: a motion that
/// explodes would iterate endlessly.
const PATIENCE: u128 = 20;
/// Minimum number of rows that determine the number of steps between them.
const MIN_ROWS: usize = 4;
/// Number of programs that are compared with all rows.
const FINALISTS: usize = 24;
/// Maximum estimated work of the first runs, in nanoseconds of one core.
const MAX_WORK: u128 = 1_000_000_000;
/// Maximum estimated work of the last runs, in nanoseconds of one core.
const MAX_WORK_OF_LAST: u128 = 500_000_000;

/// A program with a number of steps between two rows.
struct Rows<'a> {
    /// Program with one substep per frame of the scene.
    program: &'a Candidate,
    /// Number of steps that a frame of the scene would have.
    substeps: u64,
    /// Number of steps between two rows.
    steps: u64,
    /// Distance from the first row after the start, divided by the size of that row.
    distance: f64,
}

/// Describes a reading of the file as rows that are a number of steps apart and not frames. `None`
/// if the file has times, or if no number of steps explains all rows.
pub(super) fn find(question: &Question<'_>) -> Option<String> {
    let Question { bases, plan, .. } = *question;
    let counts_frames = bases.all.iter().all(|base| base.data.counts_frames);
    if plan.are_substeps_given || !counts_frames {
        return None;
    }
    let programs = programs(bases, plan);
    let mut work = MAX_WORK;
    let mut choices: Vec<(&Candidate, u64)> = Vec::new();
    for program in &programs {
        let of_program = program.setup.frame_cost() * u128::from(MAX);
        for substeps in &plan.substeps {
            if of_program <= work {
                work -= of_program;
                choices.push((program, *substeps));
            }
        }
    }
    let near = choices.into_par_iter().filter_map(|(it, substeps)| nearest(bases, it, substeps));
    let mut near: Vec<Rows<'_>> = near.collect();
    near.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.steps.cmp(&b.steps)));
    let mut left = MAX_WORK_OF_LAST;
    let made = near.iter().take(FINALISTS).filter_map(|rows| {
        let made = with_rows(bases, rows)?;
        let own = made.setup.frame_cost() * u128::from(bases.all[made.base].data.last());
        left = left.checked_sub(own)?;
        Some((rows, made))
    });
    let (rows, made): (Vec<&Rows<'_>>, Vec<Candidate>) = made.unzip();
    let verdict = decide(run_whole(&made, bases), &made, bases, &plan.slips);
    let (best, agreement) = verdict.all.first().filter(|_| verdict.fits > 0)?;
    let is_whole = agreement.horizon >= best.data.last() || agreement.is_within_digits();
    // With too few rows of few digits, many numbers of steps agree.
    let is_conclusive = best.data.frames.len() >= MIN_ROWS && is_whole;
    (is_conclusive && !verdict.is_loose() && !verdict.is_stretched())
        .then(|| describe(bases, rows[best.index], best.candidate))
}

/// Programs on the bodies of the scene: methods with default options, and with options that panels
/// set.
fn programs(bases: &Bases, plan: &Plan) -> Vec<Candidate> {
    let mut all = Vec::new();
    for base in (0..bases.all.len()).filter(|base| !bases.all[*base].from_data) {
        for method in &plan.methods {
            let made = bases
                .gives_all(method)
                .then(|| Candidate::new(bases, base, method, &[], 1))
                .flatten();
            all.extend(made.filter(|it| !it.setup.method.chooses_steps()));
        }
    }
    all.sort_by_key(|it| it.setup.frame_cost());
    all
}

/// Runs a program step by step. Returns the number of steps after which it is nearest to the first
/// row after the start. `None` if that number of steps is a frame.
fn nearest<'a>(bases: &Bases, program: &'a Candidate, substeps: u64) -> Option<Rows<'a>> {
    let base = &bases.all[program.base];
    let (number, first) = first_row(&base.data)?;
    let step = base.setup.frame_time / substeps as f64;
    let mut setup = (*program.setup).clone().with_steps(step, 1);
    // Here each step is a frame. The program's own work limit assumes fewer frames.
    let work = setup.frame_cost().saturating_mul(PATIENCE * u128::from(MAX));
    setup.budget.work = u64::try_from(work).unwrap_or(u64::MAX);
    let mut run = Simulation::new(Arc::new(setup));
    let mut best: Option<Rows<'_>> = None;
    for steps in 1..=MAX / first.max(1) {
        while run.frame() < steps * first {
            run.advance_frame();
        }
        if run.refusal().is_some() {
            break;
        }
        let distance = distance_of(&base.data, number, &run)?;
        if best.as_ref().is_none_or(|best| distance < best.distance) {
            best = Some(Rows { program, substeps, steps, distance });
        }
    }
    best.filter(|best| best.steps != substeps && best.distance.is_finite())
}

/// Number of the first row after the start, in the file and counted from the start. The first row
/// of a file that counts from 1 may be the start.
fn first_row(data: &Data) -> Option<(u64, u64)> {
    let start = *data.frames.keys().next()?;
    match start {
        0 => Some((data.first_moving(), data.first_moving())),
        _ if data.starts_as_scene => {
            let next = data.frames.keys().copied().nth(1)?;
            Some((next, next - start))
        }
        _ => Some((start, start)),
    }
}

/// Returns the program with rows as its frames.
fn with_rows(bases: &Bases, rows: &Rows<'_>) -> Option<Candidate> {
    let step = bases.all[rows.program.base].setup.frame_time / rows.substeps as f64;
    // With this number of substeps, the work limit suffices for a row.
    let program = rows.program.with_substeps(bases, rows.steps)?;
    program.with_frame_time(step * rows.steps as f64)
}

/// Describes the reading.
fn describe(bases: &Bases, rows: &Rows<'_>, found: &Candidate) -> String {
    let (steps, substeps) = (rows.steps, rows.substeps);
    let frame_time = found.setup.frame_time;
    let step = if steps == 1 { "step".to_owned() } else { format!("{steps} steps") };
    format!(
        "rows of the file are {step} apart and not frames: `{}` reproduces all of them with steps \
         of 1/{substeps} of a frame: --set frame_time={frame_time:?} --set substeps={steps} makes \
         a frame of each row",
        phrase(found, bases)
    )
}
