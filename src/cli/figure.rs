//! `catena figure`: one figure of a report, its findings and its numbers.

use super::{Failure, args::FigureArgs, paths::GivenPaths, say, threads};
use crate::job::{self, FigureFormat, RunError, SceneFigure, scene_inputs};
use crate::output::{OutputError, atomic};
use crate::text::{printable, wrap::wrapped};
use std::path::Path;

pub(super) fn run(args: &FigureArgs, paths: &GivenPaths) -> Result<(), Failure> {
    let scene = args.scene.load()?;
    paths.keep(&scene_inputs(&scene))?;
    if let Some(warning) = scene.override_warning(false) {
        say::aside(&format!("warning: {warning}"));
    }
    let pool = threads::pool(threads::wanted(args.threads), "figure", false)?;
    let made = pool.install(|| job::figure(&scene, &args.figure, &args.options(), &()))?;
    if let Some(path) = &args.output {
        write(&made, path)?;
    }
    match (&made.study, args.csv) {
        (Some(study), true) => say::lines(study.table.csv()),
        _ => say::lines(text(&made)),
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

/// Writes a figure to a path, whose ending names the format.
///
/// # Errors
/// The scene has no such figure, or the file cannot be written.
pub(super) fn write(made: &SceneFigure, path: &Path) -> Result<(), Failure> {
    let Some(format) = FigureFormat::of(path).filter(|_| made.study.is_some()) else {
        return Err(Failure::from(RunError::Option(made.left_out.join(" "))));
    };
    let bytes = made.file(format)?;
    atomic::write_to(path, |out| {
        out.write_all(&bytes).map_err(|cause| OutputError::new("write", path, cause))
    })?;
    if let Some(warning) = made.missing_letters() {
        say::aside(&format!("warning: {warning}; --font FILE names a typeface that has them"));
    }
    say::aside(&format!("wrote {}", printable::path(path)));
    Ok(())
}
