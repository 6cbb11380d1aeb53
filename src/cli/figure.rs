//! `catena figure`: one figure of a report, its findings and its numbers.

use super::{
    Failure,
    args::{FigureArgs, FigureStyleArgs},
    paths::GivenPaths,
    say, threads,
};
use crate::job::{self, FigureFormat, RunError, SceneFigure, scene_inputs};
use crate::output::{OutputError, atomic};
use crate::scene::Scene;
use crate::text::{printable, wrap::wrapped};
use std::path::Path;

pub(super) fn run(args: &FigureArgs, paths: &GivenPaths) -> Result<(), Failure> {
    let scene = args.scene.load()?;
    paths.keep(&scene_inputs(&scene))?;
    check_reference(&scene, &args.figure)?;
    let format = args.output.as_ref().map(|path| format("-o", path)).transpose()?;
    if let Some(warning) = scene.override_warning(false) {
        say::aside(&format!("warning: {warning}"));
    }
    let pool = threads::pool(threads::wanted(args.threads), "figure", false)?;
    let made = pool.install(|| job::figure(&scene, &args.figure, &args.options(), &()))?;
    if let (Some(path), Some(format)) = (&args.output, format) {
        write(&made, path, format)?;
    }
    match (&made.study, args.csv) {
        (Some(study), true) => say::lines(study.table.csv()),
        _ => say::lines(text(&made)),
    }
}

/// Returns an error if a figure needs a reference, and no body has one.
fn check_reference(scene: &Scene, figure: &str) -> Result<(), Failure> {
    let mut bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    match figure == "reference" && !bodies.any(|body| body.reference.is_some()) {
        true => Err(Failure::Usage(
            "no body has a reference to compare with; set `reference`, as in --set \
             'reference=(file: \"mine.csv\")'"
                .into(),
        )),
        false => Ok(()),
    }
}

/// Findings and table of a figure, with wrapped sentences.
pub(super) fn text(made: &SceneFigure) -> Vec<String> {
    let wrapped = made.sentences().into_iter().flat_map(|line| match line.as_str() {
        "" => vec![String::new()],
        line => wrapped("", line, 0),
    });
    wrapped.chain(made.table()).collect()
}

/// Returns the format of an option's path by its extension.
///
/// # Errors
/// No format has the extension.
pub(super) fn format(option: &str, path: &Path) -> Result<FigureFormat, Failure> {
    FigureFormat::of(path).ok_or_else(|| {
        Failure::Usage(format!(
            "{option} {}: the extension must be .svg, .pdf, .png, or .csv for the data of the \
             chart",
            path.display()
        ))
    })
}

/// Returns an error if a command without a figure has options for it.
pub(super) fn check_style(style: &FigureStyleArgs, has_figure: bool) -> Result<(), Failure> {
    match style.words().first().filter(|_| !has_figure) {
        Some(option) => Err(Failure::Usage(format!(
            "{option} applies only to a figure; add \
            --figure FILE"
        ))),
        None => Ok(()),
    }
}

/// Writes a figure to a path.
///
/// # Errors
/// The scene has no such figure, or the file cannot be written.
pub(super) fn write(made: &SceneFigure, path: &Path, format: FigureFormat) -> Result<(), Failure> {
    if made.study.is_none() {
        return Err(Failure::from(RunError::Option(made.left_out.join(" "))));
    }
    let bytes = made.file(format)?;
    atomic::write_to(path, |out| {
        out.write_all(&bytes).map_err(|cause| OutputError::new("write", path, cause))
    })?;
    if let Some(warning) = made.missing_letters() {
        say::aside(&format!("warning: {warning}; use --font FILE with a font that contains them"));
    }
    say::aside(&format!("wrote {}", printable::path(path)));
    Ok(())
}
