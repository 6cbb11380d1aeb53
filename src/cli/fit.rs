//! `catena fit`: values of fields that make a scene agree with data.

use super::table::read_table;
use super::{Failure, args::FitArgs, figure, interrupt::Interrupt, paths::GivenPaths, say};
use crate::figure::study::fit::{FitCurves, FitMoment, interval, study};
use crate::job::{
    self, Datum, FigureFormat, FigureWriter, Fit, FitData, FitOptions, FitQuestion, scene_inputs,
};
use crate::output::{OutputError, atomic, stdout};
use crate::text::list::quoted;
use crate::text::number::{counted, digits, short};
use crate::text::{printable, shell};
use std::path::Path;

/// Maximum size in bytes of a data file.
const MAX: u64 = 64 << 20;

pub(super) fn run(
    args: &FitArgs,
    paths: &GivenPaths,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let scene = args.scene.load()?;
    let mut inputs = scene_inputs(&scene);
    args.data.iter().for_each(|path| inputs.add("the data", path));
    paths.keep(&inputs)?;
    let format = args.figure.as_ref().map(|path| figure::format("--figure", path)).transpose()?;
    figure::check_style(&args.style, args.figure.is_some())?;
    let writer = FigureWriter::new(&args.style.style())?;
    let limits = args.scene.limit.limits();
    let panel = args.panel.as_deref().map(|wanted| job::panel_index(&scene, wanted, &limits));
    let panel = panel.transpose()?.unwrap_or_default();
    let data = args.data.as_deref().map(|path| read_table(path, MAX)).transpose()?;
    let data = data.as_ref().map(|(name, bytes)| FitData {
        name,
        bytes,
        columns: args.columns.as_deref(),
        placement: args.placement(panel),
    });
    let (vary, body, frames) = (args.terms(), args.body, args.frames);
    let options = FitOptions { vary, panel, body, frames, limits, ..FitOptions::default() };
    let watched = interrupt.watched(|| "interrupted: the fit has no result".into());
    let question = FitQuestion::new(&scene, data, &options)?;
    // Such a fit takes long, and the reading of the data may be wrong.
    if let Some(what) = question.sparse_data() {
        say::aside(&format!("note: {what}"));
    }
    let found = question.fit(&watched)?;
    if let (Some(path), Some(format)) = (&args.figure, format) {
        draw(path, format, &found, scene.axes, &writer)?;
    }
    let to_stdout = args.json.as_deref().is_some_and(stdout::is_stdout);
    if let Some(path) = &args.json {
        write_json(path, &found)?;
    }
    if to_stdout {
        say::aside(&format!("note: {}", found.understood));
    } else {
        let mut lines = report(&found);
        lines.extend(identify_command(&found, args));
        say::lines(lines)?;
    }
    // Estimates of a model that does not fit are not a result. The exit code is 1, as in `diff` and
    // `identify`.
    if found.is_usable() { Ok(()) } else { Err(Failure::Different) }
}

/// Returns the command that finds the method or slip behind data that the model does not fit.
fn identify_command(found: &Fit, args: &FitArgs) -> Option<String> {
    let is_misfit = !found.quality.fits() && found.hint.is_none();
    let data = args.data.as_ref().filter(|_| is_misfit)?;
    let changes = args.scene.set.iter().map(|it| format!(" --set {}", shell::quoted(it.text())));
    Some(format!(
        "try: catena identify {} {}{}{}",
        shell::quoted(data),
        shell::quoted(&args.scene.scene),
        changes.collect::<String>(),
        args.reading()
    ))
}

/// Draws the figure.
fn draw(
    path: &Path,
    format: FigureFormat,
    found: &Fit,
    axes: usize,
    writer: &FigureWriter,
) -> Result<(), Failure> {
    let pairs = found.data.iter().zip(&found.places);
    let moment = |(datum, run): (&Datum, &[f64; 3])| FitMoment {
        node: datum.node,
        t: datum.frame as f64 * found.frame_time,
        data: datum.place,
        run: *run,
    };
    let (label, fitted) = (&*found.label, &found.fitted);
    let curves = FitCurves { label, fitted, moments: pairs.map(moment).collect(), axes };
    let Some(study) = study(&curves) else { return Ok(()) };
    let bytes = writer.file(&study, format)?;
    let refuse = |cause| OutputError::new("write", path, cause);
    atomic::write_to(path, |file| file.write_all(&bytes).map_err(refuse))?;
    say::aside(&format!("wrote {}", printable::path(path)));
    Ok(())
}

fn write_json(path: &Path, found: &Fit) -> Result<(), Failure> {
    let refuse = |cause| OutputError::new("write", path, cause);
    let text = found.json().map_err(refuse)?;
    if stdout::is_stdout(path) {
        return say::json(&text);
    }
    Ok(atomic::write_to(path, |file| file.write_all(text.as_bytes()).map_err(refuse))?)
}

/// Lines for the terminal.
fn report(found: &Fit) -> Vec<String> {
    let fitted = &found.fitted;
    let mut lines = vec![found.understood.clone()];
    lines.push(format!(
        "{}: {} after {}; rms residual {}, at the start {}",
        quoted(&found.label),
        counted(fitted.numbers as u64, "number"),
        counted(fitted.iterations, "iteration"),
        short(fitted.rms),
        short(fitted.start_rms)
    ));
    let width = fitted.estimates.iter().map(|it| it.name.chars().count()).max().unwrap_or(0);
    for it in &fitted.estimates {
        let value = digits(it.value, 7);
        let interval = match it.interval {
            Some(ends) => format!("{} (95 %)", interval(ends, 7)),
            None if it.is_at_bound => "at the end of its range".into(),
            None if !fitted.has_converged => "no interval: the search did not converge".into(),
            None if !found.is_usable() => "no interval: the model does not fit the data".into(),
            None if !found.quality.has_intervals()
                || found.rival.is_some()
                || it.error.is_some() =>
            {
                "no interval: see the warning".into()
            }
            None => "not determined".into(),
        };
        lines.push(format!("  {:width$}  {value:<12}  {interval}", it.name));
    }
    lines.extend(found.warnings().iter().map(|text| format!("warning: {text}")));
    if found.is_usable() && !found.set.is_empty() {
        lines.push(format!("use these values: {}", found.set.join(" ")));
    }
    lines
}
