//! `catena render`: frames, the steady-state comparison and a manifest.

use super::{
    Failure,
    args::RenderArgs,
    frames,
    progress::Progress,
    timings::{Stage, Timings},
    typeface,
};
use crate::analysis::{
    settle::{Ending, RestRule, Settled, settle},
    stability::warning,
};
use crate::figure::steady;
use crate::output::{
    folder::{Folder, STEADY},
    hash::sha256,
    manifest::{Manifest, Source, Steady, SteadyBody},
    png,
};
use crate::render::{Painter, text::Font};
use crate::scene::{Arrangement, Body, Panel, Scene, SceneText, equal, load};
use rayon::prelude::*;
use std::{io, path::Path, path::PathBuf};

pub(super) fn run(args: &RenderArgs) -> Result<(), Failure> {
    let timings = Timings::new();
    let (text, mut scene) = timings.time(Stage::Prepare, || -> Result<_, Failure> {
        let text = SceneText::read(&args.scene.scene)?;
        let scene = load(&text, &args.scene.set)?;
        Ok((text, scene))
    })?;
    if let Some(size) = args.size {
        scene.size = size.0;
    }
    let range = match (&args.frame_range, args.frames) {
        (Some(range), _) => range.0.clone(),
        (None, frames) => 0..frames.unwrap_or(scene.frames),
    };
    let last = range.end - 1;
    let (faces, font_sha256) = typeface::faces(&args.font)?;
    let font = Font::new(faces);
    let painter = timings
        .time(Stage::Prepare, || Painter::new(&scene, font.clone()))
        .map_err(|error| Failure::paint(&text, error))?;

    // The folder is made ready before anything is simulated, so that a bad one costs no time.
    let path = args.out.clone().unwrap_or_else(|| default_folder(&scene));
    let folder = Folder::open(&path)?;
    let source = source(&scene, args, font_sha256);
    let mut entries = match args.frame_range {
        Some(_) => folder.earlier_frames(&source, &range),
        None => Vec::new(),
    };
    timings.time(Stage::Prepare, || folder.clear(&entries))?;
    // Marks the folder as ours, and keeps what is kept known, should this render be interrupted.
    Manifest { source: source.clone(), frames: entries.clone(), steady: None }
        .write(folder.path())?;

    let progress = Progress::new(&args.progress, range.end - range.start);
    // Each thread has a canvas of its own; together they take at most about 2 GiB.
    let canvas_bytes = 12 * scene.size.map(u64::from).iter().product::<u64>();
    let most = ((2 << 30) / canvas_bytes).max(1) as usize;
    let wanted = args.threads.map_or_else(rayon::current_num_threads, usize::from);
    let threads = wanted.min(most);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| {
        crate::output::OutputError::new("start threads for", &path, io::Error::other(error))
    })?;
    let (steady, endings, drawn) = pool.install(|| -> Result<_, Failure> {
        let mut drawn =
            frames::write(&scene, &painter, range.clone(), &folder, &timings, |done| {
                progress.frames(done);
            })?;
        entries.append(&mut drawn.entries);
        if args.no_steady {
            return Ok((None, drawn.diverged.clone(), drawn));
        }
        let settled = timings.time(Stage::Settle, || settle_all(&scene, last, &progress));
        let steady =
            timings.time(Stage::Steady, || write_steady(&scene, &settled, &folder, &font))?;
        let endings = settled.iter().map(|settled| Some(settled.ending)).collect();
        Ok((Some(steady), endings, drawn))
    })?;
    entries.sort_by_key(|entry| entry.frame);
    let what = if steady.is_some() {
        "frames, steady.png and manifest.json"
    } else {
        "frames and manifest.json"
    };
    Manifest { source, frames: entries, steady }.write(folder.path())?;

    let mut said = cautions(&scene, &font);
    said.extend(notes(&scene, &endings));
    said.extend(unconverged(&scene, &drawn.unconverged));
    progress.done(what, &path.display().to_string(), &said);
    if args.timings {
        progress.table(&timings.table(range.end - range.start));
    }
    match diverged(&scene, &drawn.diverged) {
        lines if args.strict && !lines.is_empty() => Err(Failure::Diverged(lines.join("; "))),
        _ => Ok(()),
    }
}

fn default_folder(scene: &Scene) -> PathBuf {
    Path::new("out").join(&scene.name)
}

fn source(scene: &Scene, args: &RenderArgs, font_sha256: Option<String>) -> Source {
    Source {
        catena: env!("CARGO_PKG_VERSION").into(),
        scene: scene.name.clone(),
        scene_sha256: sha256(scene.text.as_bytes()),
        scene_text: scene.text.clone(),
        size: scene.size,
        set: args.scene.set.iter().map(crate::scene::Patch::text).collect(),
        font_sha256,
    }
}

/// All bodies with their panels, in the order of the scene.
fn bodies(scene: &Scene) -> Vec<(&Panel, &Body)> {
    scene
        .panels
        .iter()
        .flat_map(|panel| panel.bodies.iter().map(move |body| (panel, body)))
        .collect()
}

/// Runs every body until it rests, each on its own thread; past the last frame before any is given up.
fn settle_all(scene: &Scene, last: u64, progress: &Progress) -> Vec<Settled> {
    bodies(scene)
        .par_iter()
        .map(|(panel, body)| {
            let rest = panel.rest;
            let rule = RestRule::for_body(
                &body.setup,
                &body.gravity,
                rest.speed,
                rest.frames,
                rest.limit.max(last),
            );
            settle(&body.setup, rule, &|frame| progress.settling(frame))
        })
        .collect()
}

fn write_steady(
    scene: &Scene,
    settled: &[Settled],
    folder: &Folder,
    font: &Font,
) -> Result<Steady, Failure> {
    let columns = steady::columns(scene, settled);
    let picture = steady::draw(scene, &columns, font);
    let bytes = png::write(&folder.file(STEADY), &picture)?;
    let bodies = bodies(scene)
        .into_iter()
        .zip(settled)
        .zip(&columns)
        .map(|(((panel, body), settled), column)| {
            let (ending, frame) = match settled.ending {
                Ending::AtRest { frame } => ("at rest", frame),
                Ending::Moving { frame, .. } => ("moving", frame),
                Ending::Diverged { frame } => ("diverged", frame),
            };
            SteadyBody {
                panel: panel.label.clone(),
                body: body.label.clone(),
                ending: ending.into(),
                frame,
                segment_lengths: column.lengths.clone(),
                hanging_lengths: column.reference.clone(),
            }
        })
        .collect();
    Ok(Steady { file: STEADY.into(), sha256: sha256(&bytes), bodies })
}

/// What should be known before the pictures are believed: panels that are not equal physics, and steps over their limit.
fn cautions(scene: &Scene, font: &Font) -> Vec<String> {
    let mut lines: Vec<String> =
        equal::notes(scene).into_iter().map(|note| format!("note: {note}")).collect();
    lines.extend(missing_letters(scene, font));
    for (panel, body) in bodies(scene) {
        let warning = warning(&body.setup)
            .map(|warning| format!("warning: {}: {warning}", name(panel, body)));
        lines.extend(warning);
    }
    lines
}

/// Says which letters of titles and labels no typeface can draw.
fn missing_letters(scene: &Scene, font: &Font) -> Option<String> {
    let mut text = scene.title.clone().unwrap_or_default();
    if let Arrangement::Grid { rows, columns } = &scene.arrangement {
        rows.iter().chain(columns).for_each(|label| text += label);
    }
    for (panel, body) in bodies(scene) {
        text += &panel.label;
        text += &body.label;
    }
    let letters: String = font.missing(&text).into_iter().collect();
    (!letters.is_empty()).then(|| {
        format!("note: no typeface has the letters {letters}, boxes stand for them; --font FILE names one that has them")
    })
}

/// What is worth saying about how the bodies ended.
fn notes(scene: &Scene, endings: &[Option<Ending>]) -> Vec<String> {
    let lines = bodies(scene).into_iter().zip(endings).filter_map(|((panel, body), ending)| {
        let name = name(panel, body);
        let line = match (*ending)? {
            Ending::AtRest { frame } => format!("{name}: at rest from frame {frame}"),
            Ending::Moving { frame, speed } => {
                format!("{name}: still moving at frame {frame}, greatest speed {speed:.3e}")
            }
            Ending::Diverged { frame } => format!("{name}: diverged at frame {frame}"),
        };
        Some(line)
    });
    lines.collect()
}

/// Which bodies took steps that are less exact than asked for.
fn unconverged(scene: &Scene, counts: &[u64]) -> Vec<String> {
    let counts = bodies(scene).into_iter().zip(counts).filter(|(_, count)| **count > 0);
    let line = |((panel, body), count): ((&Panel, &Body), &u64)| {
        format!("{}: {count} steps did not converge", name(panel, body))
    };
    counts.map(line).collect()
}

fn diverged(scene: &Scene, endings: &[Option<Ending>]) -> Vec<String> {
    let endings = bodies(scene).into_iter().zip(endings);
    let lines = endings.filter_map(|((panel, body), ending)| match ending {
        Some(Ending::Diverged { frame }) => {
            Some(format!("{} diverged at frame {frame}", name(panel, body)))
        }
        _ => None,
    });
    lines.collect()
}

fn name(panel: &Panel, body: &Body) -> String {
    match panel.bodies.len() {
        1 => panel.label.clone(),
        _ => format!("{}: {}", panel.label, body.label),
    }
}
