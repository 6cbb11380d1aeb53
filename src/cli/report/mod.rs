//! `catena report`: every figure about a scene, and one page that shows them.

mod budget;
mod films;
mod frames;
mod maps;
mod studies;

use super::{Failure, args::ReportArgs, cautions, say, threads, typeface};
use crate::figure::{
    chart::{Typeface, paper},
    export,
    page::{Inlined, Page, html, settings},
    study::{NAMES, Study, subjects},
};
use crate::output::{OutputError, atomic, png};
use crate::render::{Painter, text::Font};
use crate::scene::{
    Patch, Scene,
    limits::{Product, Run},
};
use crate::text::shell;
use rayon::prelude::*;
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Pixels of a PNG figure for each CSS pixel.
const PNG_SCALE: f64 = 2.0;
/// Frames of a contact sheet.
const MOST_STRIP: usize = 12;
/// How many frames the player has where nobody says.
pub(super) const PLAYER_FRAMES: u64 = 120;

pub(super) fn run(args: &ReportArgs) -> Result<(), Failure> {
    let run = |scene: &Scene| {
        let product = Product::Pictures { size: scene.size, settles: true };
        Run::up_to(args.frames.unwrap_or(scene.frames), product)
    };
    let (text, scene) = args.scene.load(run)?;
    check(&scene, args)?;
    let folder =
        args.out.clone().unwrap_or_else(|| Path::new("out").join(&scene.name).join("report"));
    let (faces, _) = typeface::faces(&args.font)?;
    let font = Font::new(faces.clone());
    let small = frames::scene(&text, args, &font)?;
    let painter = Painter::new(&small, font).map_err(|error| Failure::paint(&text, error))?;
    atomic::prepare_folder(&folder)?;
    let typeface = Typeface::new(faces);
    let plan = studies::Plan::new(&scene, args);
    let tell = |line: &str| {
        if !args.quiet {
            say::aside(line);
        }
    };
    threads::pool(threads::wanted(args.threads), "report", args.quiet)?.install(|| {
        let made = studies::all(&plan, &tell);
        clear(&folder, &made.studies)?;
        let inlined = made
            .studies
            .par_iter()
            .map(|study| write(study, &folder, &typeface))
            .collect::<Result<Vec<Inlined>, Failure>>()?;
        missing(&made.studies, &typeface).iter().for_each(|note| tell(&format!("note: {note}")));
        tell("page");
        let frames = frames::frames(&painter, &small, args, plan.frames);
        let (columns, rows) = settings(&subjects(&scene));
        let page = Page {
            title: scene.title.clone().unwrap_or_else(|| scene.name.clone()),
            columns,
            rows,
            notes: notes(&scene, made.left_out, missing(&made.studies, &typeface)),
            frames,
            frame_size: small.size,
            figures: inlined,
            scene: scene.text.clone(),
            command: command(args),
            program: format!("catena {}", env!("CARGO_PKG_VERSION")),
        };
        atomic::write(&folder.join("index.html"), html(&page).as_bytes())?;
        let count = page.figures.len();
        tell(&format!("{count} figures and index.html in {}", folder.display()));
        Ok(())
    })
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

/// Removes figures that an earlier report in this folder had and this one has not.
fn clear(folder: &Path, studies: &[Study]) -> Result<(), Failure> {
    if !folder.join("index.html").is_file() {
        return Ok(());
    }
    let is_made = |name: &&&str| studies.iter().any(|study| study.name == ***name);
    for name in NAMES.iter().filter(|name| !is_made(name)) {
        for ending in ["svg", "png", "pdf", "csv"] {
            let path = folder.join(format!("{name}.{ending}"));
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(OutputError::new("remove", path, error).into());
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// What the page says first: panels that are not equal physics, steps over their limit, and figures that there is no reason for.
fn notes(scene: &Scene, left_out: Vec<String>, missing: Option<String>) -> Vec<String> {
    let mut notes: Vec<String> =
        cautions::physics(scene).into_iter().map(|caution| caution.text).collect();
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

/// One figure, as four files.
fn write(study: &Study, folder: &Path, typeface: &Typeface) -> Result<Inlined, Failure> {
    let svg = study.chart.svg(&study.name, typeface, &paper());
    let file = |ending: &str| folder.join(format!("{}.{ending}", study.name));
    let refuse = |path: PathBuf| {
        move |error: export::ExportError| {
            Failure::from(OutputError::new("draw", &path, io::Error::other(error)))
        }
    };
    let picture = export::png(&svg, PNG_SCALE).map_err(refuse(file("png")))?;
    let pdf = export::pdf(&svg).map_err(refuse(file("pdf")))?;
    png::write(&file("png"), &picture)?;
    atomic::write(&file("pdf"), &pdf)?;
    atomic::write(&file("svg"), svg.as_bytes())?;
    atomic::write(&file("csv"), study.chart.csv().as_bytes())?;
    Ok(Inlined {
        name: study.name.clone(),
        title: study.chart.title.clone(),
        svg,
        finding: study.finding.clone(),
    })
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
    words.extend(args.scene.limit.is_lifted().then(|| "--unlimited".into()));
    words.join(" ")
}
