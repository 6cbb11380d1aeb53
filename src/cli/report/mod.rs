//! `catena report`: every figure about a scene, and one page that shows them.

mod frames;
mod studies;

use super::{Failure, args::ReportArgs, threads, typeface};
use crate::figure::{
    chart::{Typeface, paper},
    export,
    page::{Inlined, Page, html, settings},
    study::{Study, subjects},
};
use crate::output::{OutputError, atomic, png};
use crate::render::text::Font;
use crate::scene::{Patch, Scene, SceneText, equal, load};
use rayon::prelude::*;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Pixels of a PNG figure for each CSS pixel.
const PNG_SCALE: f64 = 2.0;

pub(super) fn run(args: &ReportArgs) -> Result<(), Failure> {
    let text = SceneText::read(&args.scene.scene)?;
    let scene = load(&text, &args.scene.set)?;
    let folder =
        args.out.clone().unwrap_or_else(|| Path::new("out").join(&scene.name).join("report"));
    atomic::prepare_folder(&folder)?;
    let (faces, _) = typeface::faces(&args.font)?;
    let typeface = Typeface::new(faces.clone());
    let plan = studies::Plan::new(&scene, args);
    let say = |line: &str| {
        if !args.quiet {
            let _ = writeln!(io::stderr(), "{line}");
        }
    };
    threads::pool(args.threads, "report")?.install(|| {
        let made = studies::all(&plan, &say);
        let inlined = made
            .studies
            .par_iter()
            .map(|study| write(study, &folder, &typeface))
            .collect::<Result<Vec<Inlined>, Failure>>()?;
        missing(&made.studies, &typeface).iter().for_each(|note| say(&format!("note: {note}")));
        say("page");
        let (frames, frame_size) = frames::frames(&text, args, plan.frames, Font::new(faces))?;
        let (columns, rows) = settings(&subjects(&scene));
        let page = Page {
            title: scene.title.clone().unwrap_or_else(|| scene.name.clone()),
            columns,
            rows,
            notes: notes(&scene, made.left_out, missing(&made.studies, &typeface)),
            frames,
            frame_size,
            figures: inlined,
            scene: scene.text.clone(),
            command: command(&scene, args),
            program: format!("catena {}", env!("CARGO_PKG_VERSION")),
        };
        atomic::write(&folder.join("index.html"), html(&page).as_bytes())?;
        let count = page.figures.len();
        say(&format!("{count} figures and index.html in {}", folder.display()));
        Ok(())
    })
}

/// What the page says first: panels that are not equal physics, steps over their limit, and figures that there is no reason for.
fn notes(scene: &Scene, left_out: Vec<String>, missing: Option<String>) -> Vec<String> {
    let mut notes = equal::notes(scene);
    for subject in subjects(scene) {
        let warning = crate::analysis::stability::warning(&subject.body.setup);
        notes.extend(warning.map(|warning| format!("{}: {warning}", subject.label)));
    }
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

/// What was typed, apart from where things lie.
fn command(scene: &Scene, args: &ReportArgs) -> String {
    let mut words = vec![format!("catena report {}.ron", scene.name)];
    words.extend(args.scene.set.iter().map(|patch| format!("--set '{}'", Patch::text(patch))));
    words.extend(args.frames.map(|frames| format!("--frames {frames}")));
    words.extend(args.node.map(|node| format!("--node {node}")));
    if let Some(strip) = &args.strip {
        let frames: Vec<String> = strip.iter().map(u64::to_string).collect();
        words.push(format!("--strip {}", frames.join(",")));
    }
    words.join(" ")
}
