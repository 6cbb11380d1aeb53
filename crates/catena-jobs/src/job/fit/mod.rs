//! Fit of a scene's fields to data: least squares, with intervals.

mod document;
mod quality;
mod refusal;
mod runs;
mod term;
mod trial;

pub use quality::Quality;
pub(super) use quality::{ROUNDED, ROUNDED_SINGLE};
pub use refusal::usual_fields;
pub use runs::Datum;
pub use term::FitTerm;
pub(super) use trial::{setup_of, trial};

use super::likeness::{Better, Now, Other, Places, better};
use super::prepare::limited;
use super::{Interruption, RunError};
use catena_analysis::fit::{Estimate, FitError, Fitted, Parameter, fit as least_squares};
use catena_base::text::shell;
use catena_scene::limits::{PlannedRun, Product};
use catena_scene::recorded::{Hint, Placed, Placement, Precision, Recorded};
use catena_scene::{Body, Limits, Patch, Scene, load_whole};
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
    /// Comparison of the residuals with the noise of the data.
    pub quality: Quality,
    /// Advice on another reading of the data that fits far better.
    pub hint: Option<String>,
    /// First field with a placeholder for its start, as `--vary` takes it.
    pub begin: String,
    /// Options of the command line that set the estimates that the data determine.
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
    let own = scene.panels.get(*panel).and_then(|it| it.bodies.get(*body));
    let own = own.ok_or_else(|| {
        let panel = panel + 1;
        option(format!(
            "there is no body {body} in a panel {panel}: panels are counted from 1, bodies from 0"
        ))
    })?;
    let mut parameters = parameters(scene, options).map_err(option)?;
    let motion = motion_of(scene, own, data, options)?;
    let data = data_of(&motion, options.frames);
    if data.is_empty() {
        return Err(option(format!("{}: no frame has data", motion.name())));
    }
    let begun = begun(scene, &parameters, options)?;
    let varied = begun.variation(*panel, *body, limits);
    let varied = varied.ok_or_else(|| option("the start values give no body".into()))?;
    let runs = Runs::new(&varied, vary, &data);
    runs.narrow(&mut parameters);
    let proceeds = || !interruption.is_set();
    let found = Found::best(&runs, &parameters, &motion.precision(), &proceeds);
    let found = found.map_err(|error| match error {
        FitError::Start => option(refusal::no_run(scene, &runs, &parameters, options)),
        other => option(other.to_string()),
    })?;
    let is_fine = found.is_fine();
    let Found { mut fitted, data, places, quality, blurred, is_lost } = found;
    let set = settings(vary, &fitted);
    let now = Now::of(&motion, scene.axes);
    let is_told = is_fine && quality.has_intervals();
    let proposed = motion.proposal_with_options();
    let proposed = proposed.or_else(|| (!is_told).then(|| hint(&data, &fitted, &now))?);
    let proposed = proposed.or_else(|| {
        let precision = motion.precision();
        let later = || from_another_frame(&runs, &parameters, (&fitted, precision), &proceeds);
        (!is_fine).then(later)?.map(|later| later.told(&now))
    });
    judge(&mut fitted, &quality, is_fine && !is_lost);
    Ok(Fit {
        label: label_of(scene, *panel, *body),
        understood: understood(&motion, scene.frames) + &blurred.unwrap_or_default(),
        set,
        hint: proposed,
        fitted,
        quality,
        begin: vary.first().map(FitTerm::beginning).unwrap_or_default(),
        places,
        frame_time: own.setup.frame_time,
        data,
    })
}

/// Options of the command line that set the estimates. Values that the data do not determine are
/// arbitrary, so they are left out.
fn settings(vary: &[FitTerm], fitted: &Fitted) -> Vec<String> {
    let is_told = |it: &Estimate| it.error.is_some() || it.is_at_bound;
    let pairs = vary.iter().zip(&fitted.estimates).filter(|(_, it)| is_told(it));
    let settings = pairs.map(|(term, estimate)| term.setting(estimate.value));
    settings.map(|setting| format!("--set {}", shell::quoted(setting))).collect()
}

/// Label of a body.
fn label_of(scene: &Scene, panel: usize, body: usize) -> String {
    let before: usize = scene.panels[..panel].iter().map(|it| it.bodies.len()).sum();
    scene.body_labels().into_iter().nth(before + body).unwrap_or_default()
}

/// Reads the data, or takes those of the body's own `reference`.
fn motion_of(
    scene: &Scene,
    body: &Body,
    data: Option<FitData<'_>>,
    options: &FitOptions,
) -> Result<Placed, RunError> {
    let motion = match (data, &body.reference) {
        (Some(data), _) => read(scene, data, options)?,
        (None, Some(reference)) => reference.motion.clone(),
        (None, None) => {
            let what =
                "there are no data: name a file with --data, or set `reference` in the scene";
            return Err(RunError::Option(what.into()));
        }
    };
    check_length(scene, &motion, options)?;
    Ok(motion)
}

/// Estimates with the data that they come from.
struct Found {
    fitted: Fitted,
    data: Vec<Datum>,
    places: Vec<[f64; 3]>,
    quality: Quality,
    /// Remark about frames that rounding blurs.
    blurred: Option<String>,
    /// Whether blurred frames had to count, since the others are too few.
    is_lost: bool,
}

/// Residuals of more frames, as a multiple of those of fewer, up to which both are the same noise.
const ALIKE: f64 = 1.5;

/// Remark about the frame from which rounding separates two runs.
fn separates(end: u64) -> String {
    format!("; after frame {end} rounding alone separates two runs of this method")
}

/// Remark about frames that are left out.
fn blurred_after(end: u64) -> String {
    format!(
        "; compared up to frame {end}: later on, rounding alone separates two runs of this method"
    )
}

impl Found {
    /// Fits all data.
    fn of(
        runs: &Runs<'_>,
        parameters: &[Parameter],
        precision: &Precision,
        proceeds: &dyn Fn() -> bool,
    ) -> Result<Self, FitError> {
        let fitted = least_squares(runs, parameters, proceeds)?;
        let data = runs.data.to_vec();
        let places = places(&data, &fitted.residuals);
        let quality = Quality::of(&data, &places, precision);
        Ok(Self { fitted, data, places, quality, blurred: None, is_lost: false })
    }

    /// Fits the data up to the frame from which rounding separates two runs of the method by more
    /// than the digits of the file, or by more than the noise of the data. Later frames depend on
    /// the order of additions as much as on what varies.
    fn best(
        runs: &Runs<'_>,
        parameters: &[Parameter],
        precision: &Precision,
        proceeds: &dyn Fn() -> bool,
    ) -> Result<Self, FitError> {
        let whole = Self::of(runs, parameters, precision, proceeds)?;
        if !proceeds() {
            return Ok(whole);
        }
        let last = whole.data.last().map_or(0, |datum| datum.frame);
        let [share, rounding] = Quality::rounding(&whole.data, precision);
        let sharp_end = |found: &Self, most: f64| {
            let point: Vec<f64> = found.fitted.estimates.iter().map(|it| it.value).collect();
            runs.sharp_end(&point, share, most).unwrap_or(0)
        };
        let until = |end: u64| {
            let data = &whole.data[..whole.data.partition_point(|datum| datum.frame <= end)];
            let found = Self::of(&runs.with(data), parameters, precision, proceeds).ok()?;
            Some(Self { blurred: Some(blurred_after(end)), ..found })
        };
        let end = sharp_end(&whole, rounding);
        if end >= last {
            return Ok(whole);
        }
        let Some(sharp) = until(end) else {
            let told = format!("{}, so no interval is given", separates(end));
            return Ok(Self { blurred: Some(told), is_lost: true, ..whole });
        };
        match (sharp.is_fine(), whole.is_fine()) {
            // A wrong model does not fit the beginning either.
            (false, false) => return Ok(whole),
            (false, true) => return Ok(sharp),
            (true, _) => {}
        }
        // Noise hides what rounding does up to its own size.
        let noise = if sharp.quality.has_intervals() { sharp.quality.rms } else { 0.0 };
        let later = sharp_end(&sharp, rounding.max(noise));
        let longer = match later {
            later if later <= end => None,
            later if later >= last => Some(whole),
            later => until(later),
        };
        let is_alike = |longer: &Self| longer.is_fine() && longer.quality.rms <= ALIKE * noise;
        Ok(longer.filter(is_alike).unwrap_or(sharp))
    }

    fn is_fine(&self) -> bool {
        self.quality.fits() && self.fitted.has_converged
    }
}

/// Describes the data as they were understood, and the frames without data. Data after the last
/// frame of the scene are compared too.
fn understood(motion: &Placed, frames: u64) -> String {
    let frames = frames.max(motion.frames().end().saturating_add(1));
    let missing = motion.missing_frames(frames).map_or(String::new(), |text| format!("; {text}"));
    motion.description_with_options() + &missing
}

/// Removes the intervals of a model that does not fit or leaves an unexplained rest, and widens
/// those of correlated residuals.
fn judge(fitted: &mut Fitted, quality: &Quality, is_fine: bool) {
    let (widening, is_fine) = (quality.widening(), is_fine && quality.has_intervals());
    for it in &mut fitted.estimates {
        let value = it.value;
        let widened = |end: f64| value + widening * (end - value);
        it.error = it.error.filter(|_| is_fine).map(|error| error * widening);
        it.interval = it.interval.filter(|_| is_fine).map(|ends| ends.map(widened));
    }
}

/// Fits the data as if their first frame were the one before or after. Returns the reading if the
/// model fits it.
fn from_another_frame(
    runs: &Runs<'_>,
    parameters: &[Parameter],
    (fitted, precision): (&Fitted, Precision),
    proceeds: &dyn Fn() -> bool,
) -> Option<Better> {
    let first = runs.data.first()?.frame;
    let shifted = |shift: i64| {
        let moved =
            |datum: &Datum| Some(Datum { frame: datum.frame.checked_add_signed(shift)?, ..*datum });
        let data: Vec<Datum> = runs.data.iter().map(moved).collect::<Option<_>>()?;
        let found = least_squares(&runs.with(&data), parameters, proceeds).ok()?;
        let quality = Quality::of(&data, &places(&data, &found.residuals), &precision);
        let other = Other::FirstFrame(first.checked_add_signed(shift)?);
        let is_usable = quality.fits() && found.has_converged && found.rms < fitted.rms;
        is_usable.then_some(Better { other, rms: [fitted.rms, found.rms] })
    };
    let found = [1, -1].into_iter().filter_map(shifted);
    found.min_by(|a, b| a.rms[1].total_cmp(&b.rms[1]))
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
/// None is, where noise is all that is left.
fn hint(data: &[Datum], fitted: &Fitted, now: &Now) -> Option<String> {
    let key = |datum: &Datum| (datum.frame, datum.node as u64);
    let of_data: Places = data.iter().map(|datum| (key(datum), datum.place)).collect();
    let runs = [&fitted.start_residuals, &fitted.residuals];
    let found = runs.into_iter().find_map(|residuals| {
        let places = places(data, residuals);
        let known = data.iter().map(key).zip(places).collect();
        better(&known, &of_data, now.of_times().as_slice())
    })?;
    Some(found.told(now))
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
        let bounds = term
            .bounds(&|shape| refusal::has_shape(scene, options, shape))
            .map_err(|wrong| refusal::other_field(scene, options, &term.path).unwrap_or(wrong))?;
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
        Ok(Parameter { name: term.name(), start, bounds })
    };
    options.vary.iter().enumerate().map(one).collect()
}

/// Value of the scene, from which a fit begins.
fn start_of(scene: &Scene, options: &FitOptions, term: &FitTerm) -> Result<f64, String> {
    let path = &term.path;
    let written = scene.value_of(options.panel, options.body, path);
    let number = written.as_ref().and_then(|text| text.parse::<f64>().ok());
    number.ok_or_else(|| match written {
        Some(text) => refusal::no_number(path, &text),
        None => format!("`{path}` has no value in the scene; say where to begin: {path}=START"),
    })
}
