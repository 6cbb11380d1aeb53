//! `catena check`: cost and cautions of scenes, without rendering.

use super::{Failure, args::CheckArgs, say};
use crate::job::{self, BILLED, Checked, MIN_SECONDS};
use crate::output::names::frame_name;
use crate::render::text::Font;
use crate::scene::{Fit, Limits, RestBy, Scene, SceneText, load_within};
use crate::text::number::{bytes, compared_durations, counted, digits, duration, short};
use std::path::Path;

pub(super) fn run(args: &CheckArgs) -> Result<(), Failure> {
    let mut faults = Vec::new();
    let font = Font::new(job::faces(&args.font.files)?.0);
    let limits = args.limit.limits();
    for path in &args.scenes {
        match read(path, args, &limits, &font) {
            Ok((scene, checked)) => {
                say::lines([format!("{}: fine", path.display())])?;
                say::lines(describe(&scene, &checked, &limits, args.notes.notes))?;
                if args.prices {
                    say::lines(prices(&checked))?;
                }
            }
            Err(failure) => faults.push(failure),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(Failure::Scenes(faults)) }
}

/// Reads a scene and checks that it can be drawn.
fn read(
    path: &Path,
    args: &CheckArgs,
    limits: &Limits,
    font: &Font,
) -> Result<(Scene, Checked), Failure> {
    let mut scene = load_within(&SceneText::read_within(path, limits)?, &args.set, limits)?;
    let frames = args.frames.unwrap_or(scene.frames);
    let size = args.size.map_or(scene.size, |size| size.0);
    let checked = job::check_frames(&scene, frames, size, limits, font)?;
    (scene.frames, scene.size) = (frames, size);
    Ok((scene, checked))
}

/// Lines about the products of a render, its cost and the cautions.
fn describe(scene: &Scene, checked: &Checked, limits: &Limits, all_notes: bool) -> Vec<String> {
    let Checked { estimate, memory, near, cautions, fit, .. } = checked;
    let [width, height] = scene.size;
    let last = scene.frames - 1;
    let mut lines = vec![format!(
        "  {} of {width}x{height}, {}, into out/{}",
        counted(scene.frames, "frame"),
        if last == 0 {
            frame_name(0)
        } else {
            format!("{} to {}", frame_name(0), frame_name(last))
        },
        scene.name
    )];
    for (index, panel) in scene.panels.iter().enumerate() {
        lines.push(format!("  panel {}: {}", index + 1, panel.label));
        for (index, body) in panel.bodies.iter().enumerate() {
            let setup = &body.setup;
            lines.push(format!(
                "    body {index}: {}, {}, {}, dt = {} ({} of a frame of {})",
                body.method.name,
                counted(setup.model.nodes() as u64, "node"),
                counted(setup.model.springs.len() as u64, "spring"),
                short(setup.dt()),
                counted(setup.substeps, "substep"),
                short(setup.frame_time)
            ));
        }
    }
    lines.push(format!(
        "  {}, {}; about {} of CPU time to simulate and {} to draw; the frames take \
         {}",
        counted(estimate.nodes, "node"),
        counted(estimate.springs, "spring"),
        duration(estimate.simulation),
        duration(estimate.drawing),
        bytes(estimate.bytes)
    ));
    lines.extend(work(checked, limits));
    lines.extend(contacts(checked));
    let [all, each] = *memory;
    lines.push(format!(
        "  about {} of memory, and {} for each thread",
        bytes(all.into()),
        bytes(each.into())
    ));
    let view = fit.map(|fit| match (fit, scene.fit) {
        (Fit::Frames, _) => "  view: positions of the bodies in these frames",
        (Fit::Reach, Fit::Reach) => "  view: everything that bodies can reach",
        (Fit::Reach, Fit::Frames) => {
            "  view: everything that bodies can reach; finding their positions in these frames takes too much work"
        }
    });
    lines.extend(view.map(String::from));
    lines.extend(steady(scene));
    lines.extend(near.iter().map(|line| format!("  near its limit: {line}")));
    lines.extend(job::caution_lines(cautions, all_notes).iter().map(|line| format!("  {line}")));
    lines
}

/// Lines about how the steady-state comparison finds the rests.
fn steady(scene: &Scene) -> Vec<String> {
    let mut lines = Vec::new();
    let solves = scene.panels.iter().filter(|panel| panel.rest.by == RestBy::Solve).count();
    if solves > 0 {
        let all = scene.panels.len();
        lines.push(format!(
            "  steady.png: the shape at rest of {solves} of {all} panels is computed; bodies \
             without a solution are simulated until they rest"
        ));
    }
    if solves < scene.panels.len() {
        lines.push(format!(
            "  steady.png: the simulation continues until everything is at rest, for at most {MIN_SECONDS} s of CPU time or the time \
             spent on the frames, whichever is longer; --steady-time allows more"
        ));
    }
    lines
}

/// Lines about the operations of each command, with their prices.
fn prices(checked: &Checked) -> Vec<String> {
    let mut lines = vec![String::from("  prices in CPU time, as in the line about work above:")];
    for (command, bill) in BILLED.iter().zip(&checked.bills) {
        lines.push(format!("    {command}: {}", duration(bill.nanoseconds())));
        for (item, count) in bill.rows() {
            let price = digits(1e-3 * item.price() as f64, 4);
            lines.push(format!("      {}: {count} times {price} ns", item.name()));
        }
    }
    lines
}

/// Line about contacts that the estimates leave out.
fn contacts(checked: &Checked) -> Option<String> {
    let frame = checked.estimate.contacts_until?;
    Some(format!(
        "  contacts are counted up to frame {frame}; those that begin later can take several times \
         as long"
    ))
}

/// Nanoseconds per minute.
const MINUTE: u128 = 60_000_000_000;

/// Lines about the work of frames and of a film. Work near the limit is compared with it.
fn work(checked: &Checked, limits: &Limits) -> Vec<String> {
    let Checked { estimate, film_work, .. } = checked;
    let line = |frames: &str, film: &str| {
        format!(
            "  work: about {frames} of CPU time for the frames and the steady-state comparison, \
             {film} for a film as mp4"
        )
    };
    if limits.work == u128::MAX {
        return vec![line(&duration(estimate.work()), &duration(*film_work))];
    }
    let [frames, of_frames] = compared_durations([estimate.work(), limits.work]);
    let [film, of_film] = compared_durations([*film_work, limits.work]);
    let maximum = if of_film.len() > of_frames.len() { of_film } else { of_frames };
    let mut lines = vec![format!("{}; the limit is {maximum} (--minutes)", line(&frames, &film))];
    if *film_work > limits.work {
        let minutes = film_work.div_ceil(MINUTE);
        lines.push(format!(
            "  --film with mp4 would exceed this limit; --minutes {minutes} allows it; films as \
             apng, webp, y4m or raw take less time"
        ));
    }
    lines
}
