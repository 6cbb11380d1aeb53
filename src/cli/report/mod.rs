//! `catena report`: every figure about a scene, and one page that shows them.

mod films;
mod frames;
mod maps;
mod studies;

use super::{Failure, args::ReportArgs, cautions, say, threads, typeface};
use crate::figure::{
    chart::{Typeface, paper},
    export,
    page::{PageFigure, ReportPage, html, settings},
    study::{Study, subjects},
};
use crate::output::{
    OutputError,
    pages::{PAGE, PageFolder, StagedFile},
    png,
};
use crate::render::{Painter, text::Font};
use crate::scene::{
    Patch, Scene,
    limits::{PlannedRun, Product},
};
use crate::text::shell;
use rayon::prelude::*;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Pixels of a PNG figure for each CSS pixel.
const PNG_SCALE: f64 = 2.0;
/// Frames of a contact sheet.
const MOST_STRIP: usize = 12;
/// How many frames the player has where nobody says.
pub(super) const PLAYER_FRAMES: u64 = 120;

pub(super) fn run(args: &ReportArgs) -> Result<(), Failure> {
    let (text, scene) = args.scene.load(|scene| planned(scene, args))?;
    check(&scene, args)?;
    let path =
        args.out.clone().unwrap_or_else(|| Path::new("out").join(&scene.name).join("report"));
    let (faces, _) = typeface::faces(&args.font)?;
    let font = Font::new(faces.clone());
    let small = frames::scene(&text, args, &font)?;
    let painter = Painter::new(&small, font).map_err(|error| Failure::paint(&text, error))?;
    let folder = PageFolder::open(&path)?;
    let typeface = Typeface::new(faces);
    let plan = studies::Plan::new(&scene, args);
    let tell = |line: &str| {
        if !args.quiet {
            say::aside(line);
        }
    };
    threads::pool(threads::wanted(args.threads), "report", args.quiet)?.install(|| {
        // First, since a scene whose frames take more than they may is refused here.
        let frames = frames::frames(&painter, &small, args, plan.frames)?;
        let made = studies::all(&plan, &tell);
        let (inlined, files): (Vec<PageFigure>, Vec<[StagedFile; 4]>) = made
            .studies
            .par_iter()
            .map(|study| write(study, &folder, &typeface))
            .collect::<Result<Vec<_>, Failure>>()?
            .into_iter()
            .unzip();
        missing(&made.studies, &typeface).iter().for_each(|note| tell(&format!("note: {note}")));
        tell("page");
        let (columns, rows) = settings(&subjects(&scene));
        let page = ReportPage {
            title: scene.title.clone().unwrap_or_else(|| scene.name.clone()),
            columns,
            rows,
            notes: notes(&scene, plan.frames, made.left_out, missing(&made.studies, &typeface)),
            frames,
            frame_size: small.size,
            figures: inlined,
            scene: scene.text.clone(),
            command: command(args),
            program: format!("catena {}", env!("CARGO_PKG_VERSION")),
        };
        let text = html(&page);
        let written = folder.stage(Path::new(PAGE), |file| file.write_all(text.as_bytes()))?;
        folder.publish(files.into_iter().flatten().collect(), Some(written))?;
        let count = page.figures.len();
        tell(&format!("{count} figures and {PAGE} in {}", path.display()));
        Ok(())
    })
}

/// What it makes of a scene.
fn planned(scene: &Scene, args: &ReportArgs) -> PlannedRun {
    let product = Product::Pictures { size: scene.size, settles: true };
    PlannedRun::up_to(args.frames.unwrap_or(scene.frames), product)
}

/// Refuses frames and nodes that the scene does not have.
fn check(scene: &Scene, args: &ReportArgs) -> Result<(), Failure> {
    let last = args.frames.unwrap_or(scene.frames) - 1;
    let strip = args.strip.as_deref().unwrap_or_default();
    if let Some(frame) = strip.iter().find(|frame| **frame > last) {
        return Err(Failure::Usage(format!("--strip {frame}: the frames are 0 to {last}")));
    }
    if strip.len() > MOST_STRIP {
        return Err(Failure::Usage(format!("--strip takes at most {MOST_STRIP} frames")));
    }
    let bodies = subjects(scene);
    let most = bodies.iter().map(|subject| subject.body.setup.model.nodes()).max().unwrap_or(1);
    match args.node.filter(|node| *node >= most as u64) {
        Some(node) => {
            Err(Failure::Usage(format!("--node {node}: the nodes are 0 to {}", most - 1)))
        }
        None => Ok(()),
    }
}

/// What the page says first: panels that are not equal physics, steps over their limit, and figures that there is no reason for.
fn notes(
    scene: &Scene,
    frames: u64,
    left_out: Vec<String>,
    missing: Option<String>,
) -> Vec<String> {
    let mut notes: Vec<String> =
        cautions::physics(scene, frames).into_iter().map(|caution| caution.text).collect();
    notes.extend(missing);
    notes.extend(left_out);
    notes
}

/// Says which letters of the figures no face has.
fn missing(studies: &[Study], typeface: &Typeface) -> Option<String> {
    let mut letters: Vec<char> =
        studies.iter().flat_map(|study| study.chart.missing(typeface)).collect();
    letters.sort_unstable();
    letters.dedup();
    let letters: String = letters.into_iter().collect();
    (!letters.is_empty()).then(|| {
        format!("No typeface has these letters, and figures show boxes for them: {letters}. `--font FILE` names one that has.")
    })
}

/// One figure, as four files that have no names yet.
fn write(
    study: &Study,
    folder: &PageFolder,
    typeface: &Typeface,
) -> Result<(PageFigure, [StagedFile; 4]), Failure> {
    let svg = study.chart.svg(&study.name, typeface, &paper());
    let name = |ending: &str| PathBuf::from(format!("{}.{ending}", study.name));
    let drawn = |ending: &str, cause: io::Error| OutputError::new("draw", name(ending), cause);
    let picture = export::png(&svg, PNG_SCALE).map_err(io::Error::other);
    let picture = picture.and_then(|picture| png::encode(&picture).map_err(io::Error::other));
    let picture = picture.map_err(|cause| drawn("png", cause))?;
    let pdf = export::pdf(&svg).map_err(|error| drawn("pdf", io::Error::other(error)))?;
    let write =
        |ending: &str, bytes: &[u8]| folder.stage(&name(ending), |file| file.write_all(bytes));
    let files = [
        write("png", &picture)?,
        write("pdf", &pdf)?,
        write("svg", svg.as_bytes())?,
        write("csv", study.chart.csv().as_bytes())?,
    ];
    let inlined = PageFigure {
        name: study.name.clone(),
        title: study.chart.title.clone(),
        svg,
        finding: study.finding.clone(),
    };
    Ok((inlined, files))
}

/// What repeats the report from the same folder, wherever it was written to.
fn command(args: &ReportArgs) -> String {
    let mut words = vec![format!("catena report {}", shell::quoted(&args.scene.scene))];
    let patches = args.scene.set.iter().map(Patch::text);
    words.extend(patches.map(|patch| format!("--set {}", shell::quoted(&patch))));
    words.extend(args.frames.map(|frames| format!("--frames {frames}")));
    words.extend(args.node.map(|node| format!("--node {node}")));
    if let Some(strip) = &args.strip {
        let frames: Vec<String> = strip.iter().map(u64::to_string).collect();
        words.push(format!("--strip {}", frames.join(",")));
    }
    words.extend(args.font.file.iter().map(|path| format!("--font {}", shell::quoted(path))));
    if args.player_frames != PLAYER_FRAMES {
        words.push(format!("--player-frames {}", args.player_frames));
    }
    words.extend(args.scene.limit.option());
    words.join(" ")
}
