//! Fit of a scene's fields to data: least squares, with intervals.

mod document;
mod pattern;
mod runs;
mod term;

pub use runs::Datum;
pub use term::FitTerm;

use super::likeness::{Other, Places, better};
use super::prepare::limited;
use super::{Interruption, RunError};
use catena_analysis::fit::{Fitted, Parameter, fit as least_squares};
use catena_base::text::number::short;
use catena_base::text::shell;
use catena_scene::limits::{PlannedRun, Product};
use catena_scene::recorded::{Hint, Placed, Placement, Recorded};
use catena_scene::{Limits, Patch, Scene, load_whole};
use runs::Runs;

/// Options of a fit.
#[derive(Clone, Debug, Default)]
pub struct FitOptions {
    /// Fields that vary, at least one.
    pub vary: Vec<FitTerm>,
    /// Panel of the body.
    pub panel: usize,
    /// Number of the body in its panel.
    pub body: usize,
    /// Number of frames to compare. `None` takes all with data.
    pub frames: Option<u64>,
    /// Limits on each run.
    pub limits: Limits,
}

/// File of data, with what the user says about it.
#[derive(Clone, Copy, Debug)]
pub struct FitData<'a> {
    /// Name in messages.
    pub name: &'a str,
    /// Contents.
    pub bytes: &'a [u8],
    /// Meaning of the columns.
    pub columns: Option<&'a str>,
    /// Nodes, frames and directions.
    pub placement: Placement,
}

/// Result of a fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Label of the body.
    pub label: String,
    /// Description of the data as they were understood.
    pub understood: String,
    /// Estimates and their quality.
    pub fitted: Fitted,
    /// Whether the residuals have a pattern in time, so that the model lacks something.
    pub has_pattern: bool,
    /// Advice on another reading of the data that fits far better.
    pub hint: Option<String>,
    /// First field with a placeholder for its start, as `--vary` takes it.
    pub begin: String,
    /// Options of the command line that set the estimates.
    pub set: Vec<String>,
    /// Data that the fit used.
    pub data: Vec<Datum>,
    /// Positions of the fitted run, in the order of the data.
    pub places: Vec<[f64; 3]>,
    /// Simulated time per frame.
    pub frame_time: f64,
}

/// Fits fields of a body to data. Without data, the body's own `reference` is taken.
///
/// # Errors
/// The scene has no such body or field, the data cannot be read, or no run agrees with a value.
pub fn fit(
    scene: &Scene,
    data: Option<FitData<'_>>,
    options: &FitOptions,
    interruption: &dyn Interruption,
) -> Result<Fit, RunError> {
    let option = |what: String| RunError::Option(what);
    let FitOptions { vary, panel, body, limits, .. } = options;
    // Panels that `--set` makes equal still count.
    let scene = &load_whole(&scene.source_text(), &patches_of(scene)?, limits)?;
    let found = scene.panels.get(*panel).and_then(|it| it.bodies.get(*body));
    let found = found.ok_or_else(|| {
        option(format!("there is no body {body} in a panel {panel}: both are counted from 0"))
    })?;
    let mut parameters = parameters(scene, options).map_err(option)?;
    let motion = match (data, &found.reference) {
        (Some(data), _) => read(scene, data, options)?,
        (None, Some(reference)) => reference.motion.clone(),
        (None, None) => {
            let what =
                "there are no data: name a file with --data, or set `reference` in the scene";
            return Err(option(what.into()));
        }
    };
    check_length(scene, &motion, options)?;
    let data = data_of(&motion, options.frames);
    if data.is_empty() {
        return Err(option(format!("{}: no frame has data", motion.name())));
    }
    let begun = begun(scene, &parameters, options)?;
    let varied = begun.variation(*panel, *body, limits);
    let varied =
        varied.ok_or_else(|| option("the body has no run with the start values".into()))?;
    let runs = Runs::new(varied, vary, &data);
    runs.narrow(&mut parameters);
    let fitted = least_squares(&runs, &parameters, &|| !interruption.is_set());
    let fitted = fitted.map_err(|error| option(error.to_string()))?;
    let point: Vec<f64> = fitted.estimates.iter().map(|estimate| estimate.value).collect();
    let places = places(&data, &fitted.residuals);
    let set = vary
        .iter()
        .zip(&point)
        .map(|(term, value)| format!("--set {}", shell::quoted(term.setting(*value))));
    let number = scene.panels[..*panel].iter().map(|it| it.bodies.len()).sum::<usize>() + body;
    Ok(Fit {
        label: scene.body_labels().into_iter().nth(number).unwrap_or_default(),
        understood: motion.description(),
        set: set.collect(),
        hint: hint(&data, &fitted, &motion),
        fitted,
        has_pattern: pattern::has_pattern(&data, &places, &motion.precision()),
        begin: vary.first().map(FitTerm::beginning).unwrap_or_default(),
        places,
        frame_time: found.setup.frame_time,
        data,
    })
}

/// Loads the scene with the start values.
fn begun(scene: &Scene, parameters: &[Parameter], options: &FitOptions) -> Result<Scene, RunError> {
    let settings = options.vary.iter().zip(parameters).map(|(term, it)| term.setting(it.start));
    let patches = settings.map(|setting| setting.parse::<Patch>().map_err(RunError::Option));
    let mut all = patches_of(scene)?;
    all.extend(patches.collect::<Result<Vec<_>, _>>()?);
    Ok(load_whole(&scene.source_text(), &all, &options.limits)?)
}

/// Positions of the fitted run, from the data and what is left between them.
fn places(data: &[Datum], residuals: &[f64]) -> Vec<[f64; 3]> {
    let pairs = data.iter().zip(residuals.chunks_exact(3));
    pairs.map(|(datum, left)| [0, 1, 2].map(|k| datum.place[k] + left[k])).collect()
}

/// Advice on another reading of the data under which the first run or the fitted one is far nearer.
fn hint(data: &[Datum], fitted: &Fitted, motion: &Placed) -> Option<String> {
    let key = |datum: &Datum| (datum.frame, datum.node as u64);
    let of_data: Places = data.iter().map(|datum| (key(datum), datum.place)).collect();
    let runs = [&fitted.start_residuals, &fitted.residuals];
    let found = runs.into_iter().find_map(|residuals| {
        let places = places(data, residuals);
        better(&data.iter().map(key).zip(places).collect(), &of_data)
    })?;
    Some(found.told(|other| match other {
        Other::YDown if motion.points_down() => "--y up".into(),
        Other::YDown => "--y down".into(),
        Other::FirstFrame(first) => format!("--first-frame {first}"),
        Other::Steps(_) => format!("--columns {}", motion.columns().replacen("frame", "step", 1)),
        Other::Scale(factor) => format!("--scale {}", short(factor)),
    }))
}

/// Refuses data of more frames than the limits allow.
fn check_length(scene: &Scene, motion: &Placed, options: &FitOptions) -> Result<(), RunError> {
    let last = *motion.frames().end();
    let end = options.frames.map_or(last, |frames| frames.saturating_sub(1)).min(last);
    let run = PlannedRun::up_to(end.saturating_add(1), Product::Numbers);
    limited(scene, &options.limits, &run).map(drop)
}

/// Changes of a scene as patches.
fn patches_of(scene: &Scene) -> Result<Vec<Patch>, RunError> {
    scene.changes().iter().map(|change| change.parse().map_err(RunError::Option)).collect()
}

/// Reads a file of data for a body.
fn read(scene: &Scene, data: FitData<'_>, options: &FitOptions) -> Result<Placed, RunError> {
    let setup = &scene.panels[options.panel].bodies[options.body].setup;
    let recorded = Recorded::read(data.bytes, data.name, data.columns, Hint::of(setup));
    let placed = recorded.and_then(|recorded| recorded.place(setup, &data.placement));
    placed.map_err(|error| RunError::Data(error.to_string()))
}

/// Data of the frames to compare, by frame and node.
fn data_of(motion: &Placed, frames: Option<u64>) -> Vec<Datum> {
    let (first, last) = motion.frames().into_inner();
    let last = frames.map_or(last, |frames| last.min(frames.saturating_sub(1)));
    let of_frame =
        |frame| motion.at(frame).into_iter().map(move |(node, place)| Datum { frame, node, place });
    (first..=last).flat_map(of_frame).collect()
}

/// Parameters with their start values and ranges.
fn parameters(scene: &Scene, options: &FitOptions) -> Result<Vec<Parameter>, String> {
    if options.vary.is_empty() {
        return Err("--vary names at least one field, such as drag".into());
    }
    let one = |(index, term): (usize, &FitTerm)| {
        let bounds = term.bounds()?;
        if term.path == "frame_time" {
            let why = "a time of the file belongs to a frame by it";
            return Err(format!("`frame_time` cannot be varied: {why}"));
        }
        if options.vary[..index].iter().any(|other| other.path == term.path) {
            return Err(format!("`{}` is varied twice", term.path));
        }
        let start = match term.start {
            Some(start) => start,
            None => start_of(scene, options, term)?,
        };
        Ok(Parameter { name: term.path.clone(), start, bounds })
    };
    options.vary.iter().enumerate().map(one).collect()
}

/// Value of the scene, from which a fit begins.
fn start_of(scene: &Scene, options: &FitOptions, term: &FitTerm) -> Result<f64, String> {
    let path = &term.path;
    let written = scene.value_of(options.panel, options.body, path);
    let number = written.as_ref().and_then(|text| text.parse::<f64>().ok());
    number.ok_or_else(|| match written {
        Some(text) => format!(
            "`{path}` is {text}, not a number; {path}=…{{START}}… varies the number in braces"
        ),
        None => format!("`{path}` has no value in the scene; say where to begin: {path}=START"),
    })
}
