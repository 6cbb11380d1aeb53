//! The files of a report: figures, each in four formats, and what the page shows of them.

use super::{ReportOptions, plan::Figures};
use crate::figure::{
    chart::{Typeface, Words, paper},
    export,
    page::{PageFigure, ReportPage, html, settings},
    study::{Study, subjects},
};
use crate::job::{Progress, RunError, cautions};
use crate::output::{
    OutputError,
    pages::{PAGE, PageFolder, StagedFile},
    png,
};
use crate::scene::Scene;
use rayon::prelude::*;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Pixels of a PNG figure for each CSS pixel.
const PNG_SCALE: f64 = 2.0;

/// CSS pixels of a millimetre on paper.
const PIXELS_PER_MILLIMETRE: f64 = 96.0 / 25.4;

/// What a page is made of.
pub(super) struct Contents<'a> {
    pub(super) scene: &'a Scene,
    pub(super) frame_count: u64,
    pub(super) made: Figures,
    pub(super) frames: super::player::Frames,
    pub(super) frame_size: [u32; 2],
    pub(super) options: &'a ReportOptions,
}

/// Writes figures and page, which take their names together; how many figures there are.
pub(super) fn publish(
    contents: Contents<'_>,
    folder: &PageFolder,
    typeface: &Typeface,
    progress: &dyn Progress,
) -> Result<usize, RunError> {
    let Contents { scene, frame_count, made, frames, frame_size, options } = contents;
    let text = (options.figure_text == Words::Text)
        .then(|| Typeface::new(typeface.faces().clone()).with_words(Words::Text));
    let (figures, files): (Vec<PageFigure>, Vec<[StagedFile; 4]>) = made
        .studies
        .par_iter()
        .map(|study| write(study, folder, typeface, &text, options.figure_width))
        .collect::<Result<Vec<_>, OutputError>>()?
        .into_iter()
        .unzip();
    let missing = missing(&made.studies, typeface);
    missing.iter().for_each(|note| progress.note(&format!("note: {note}")));
    progress.part("page");
    let (columns, rows) = settings(&subjects(scene));
    let page = ReportPage {
        title: scene.title.clone().unwrap_or_else(|| scene.name.clone()),
        columns,
        rows,
        notes: notes(scene, frame_count, made.left_out, missing),
        frames,
        frame_size,
        figures,
        scene: scene.text.clone(),
        command: options.command.clone(),
        program: format!("catena {}", env!("CARGO_PKG_VERSION")),
    };
    let text = html(&page);
    let written = folder.stage(Path::new(PAGE), |file| file.write_all(text.as_bytes()))?;
    folder.publish(files.into_iter().flatten().collect(), Some(written))?;
    Ok(page.figures.len())
}

/// What the page says first: panels that are not equal physics, steps over their limit, letters
/// that are missing, and why figures are left out.
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
    text: &Option<Typeface>,
    width: Option<f64>,
) -> Result<(PageFigure, [StagedFile; 4]), OutputError> {
    let fitted = width.map(|width| study.chart.fitted(width * PIXELS_PER_MILLIMETRE, typeface));
    let chart = fitted.as_ref().unwrap_or(&study.chart);
    let svg = chart.svg(&study.name, typeface, &paper());
    // Pixels are of outlines, and so is the page, which then looks the same everywhere.
    let written = text.as_ref().map(|text| chart.svg(&study.name, text, &paper()));
    let file = written.as_ref().unwrap_or(&svg);
    let name = |ending: &str| PathBuf::from(format!("{}.{ending}", study.name));
    let drawn = |ending: &str, cause: io::Error| OutputError::new("draw", name(ending), cause);
    let picture = export::png(&svg, PNG_SCALE).map_err(io::Error::other);
    let picture = picture.and_then(|picture| png::encode(&picture).map_err(io::Error::other));
    let picture = picture.map_err(|cause| drawn("png", cause))?;
    let pdf = export::pdf(file).map_err(|error| drawn("pdf", io::Error::other(error)))?;
    let write =
        |ending: &str, bytes: &[u8]| folder.stage(&name(ending), |file| file.write_all(bytes));
    let files = [
        write("png", &picture)?,
        write("pdf", &pdf)?,
        write("svg", file.as_bytes())?,
        write("csv", study.chart.csv().as_bytes())?,
    ];
    let inlined = PageFigure {
        name: study.name.clone(),
        title: study.chart.title.clone(),
        svg,
        caption: study.caption.clone(),
        remarks: study.remarks.clone(),
        table: study.table.clone(),
    };
    Ok((inlined, files))
}
