//! Fit of a scene's fields to data: least squares, with intervals.

mod document;
mod found;
mod quality;
mod refusal;
mod runs;
mod term;
mod trial;

pub use quality::Quality;
pub(super) use quality::{ROUNDED, ROUNDED_SINGLE};
pub(in crate::job) use refusal::shape_in;
pub use refusal::usual_fields;
pub use runs::Datum;
pub use term::FitTerm;
pub(super) use trial::{Trial, scanned_trial, setup_of, trial};

use super::likeness::{Better, Now, Other, Places, better};
use super::prepare::limited;
use super::{Interruption, RunError};
use catena_analysis::fit::{Estimate, FitError, Fitted, Parameter, fit as least_squares};
use catena_base::text::shell;
use catena_scene::limits::{PlannedRun, Product};
use catena_scene::recorded::{Hint, Placed, Placement, Precision, Recorded};
use catena_scene::{Body, Limits, Patch, Scene, load_whole};
use catena_sim::vector::{norm, sub};
use found::{Beyond, Found, Question};
use runs::Runs;

/// Options of a fit.
#[derive(Clone, Debug, Default)]
pub struct FitOptions {
    /// Fields that vary, at least one.
    pub vary: Vec<FitTerm>,
    /// Index of the panel of the body.
    pub panel: usize,
    /// Index of the body in its panel.
    pub body: usize,
    /// Number of frames to compare. `None` compares all frames with data.
    pub frames: Option<u64>,
    /// Whether to try only the given start values and reading. Otherwise the fit also searches for
    /// other minima, and for other numbers of the first frame.
    pub is_local: bool,
    /// Limits on each run.
    pub limits: Limits,
}

/// A file of data, with the user's description of it.
#[derive(Clone, Copy, Debug)]
pub struct FitData<'a> {
    /// Name of the file in messages.
    pub name: &'a str,
    /// Contents of the file.
    pub bytes: &'a [u8],
    /// Meaning of the columns.
    pub columns: Option<&'a str>,
    /// Assignment of the data to nodes, frames and directions.
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
    /// Sentence about another minimum that is nearly as good.
    pub rival: Option<String>,
    /// Sentences about intervals that do not follow from the slopes at the best values alone.
    pub remarks: Vec<String>,
    /// First field with a placeholder for its start value, in the syntax of `--vary`.
    pub begin: String,
    /// Command-line options that set the estimates. Undetermined estimates are omitted.
    pub set: Vec<String>,
    /// Data that the fit used.
    pub data: Vec<Datum>,
    /// Positions of the fitted run, in the order of the data.
    pub places: Vec<[f64; 3]>,
    /// Simulated time per frame.
    pub frame_time: f64,
}

/// Fits fields of a body to data. Without `data`, uses the body's own `reference`.
///
/// # Errors
/// The scene has no such body or field, the data cannot be read, or no run can be compared with the
/// data.
pub fn fit(
    scene: &Scene,
    data: Option<FitData<'_>>,
    options: &FitOptions,
    interruption: &dyn Interruption,
) -> Result<Fit, RunError> {
    FitQuestion::new(scene, data, options)?.fit(interruption)
}

/// A body, the varied fields and the data, before the first run.
pub struct FitQuestion<'a> {
    scene: Scene,
    options: &'a FitOptions,
    parameters: Vec<Parameter>,
    motion: Placed,
}

impl<'a> FitQuestion<'a> {
    /// Reads the data of a fit. Without `data`, uses the body's own `reference`.
    ///
    /// # Errors
    /// The scene has no such body or field, or the data cannot be read.
    pub fn new(
        scene: &Scene,
        data: Option<FitData<'_>>,
        options: &'a FitOptions,
    ) -> Result<Self, RunError> {
        // Panels that `--set` makes equal are still counted.
        let scene = load_whole(&scene.source_text(), &patches_of(scene)?, &options.limits)?;
        let own = body_of(&scene, options)?;
        let parameters = parameters(&scene, options).map_err(RunError::Option)?;
        let motion = motion_of(&scene, own, data, options)?;
        Ok(Self { scene, options, parameters, motion })
    }

    /// Returns a description of the data if most simulated frames have none, for example because
    /// step numbers were read as frame numbers.
    pub fn sparse_data(&self) -> Option<String> {
        self.motion.is_sparse().then(|| self.motion.description_with_options())
    }

    /// Fits the fields.
    ///
    /// # Errors
    /// No frame has data, or no run can be compared with the data.
    pub fn fit(self, interruption: &dyn Interruption) -> Result<Fit, RunError> {
        let Self { scene, options, mut parameters, motion } = self;
        let (scene, motion) = (&scene, &motion);
        let option = |what: String| RunError::Option(what);
        let FitOptions { vary, panel, body, limits, .. } = options;
        let own = body_of(scene, options)?;
        let data = data_of(motion, options.frames);
        if data.is_empty() {
            return Err(option(format!("{}: no frame has data", motion.name())));
        }
        let begun = begun(scene, &parameters, options)?;
        let varied = begun.variation(*panel, *body, limits);
        let varied = varied.ok_or_else(|| option("the start values give no body".into()))?;
        let precision = motion.precision();
        let runs = Runs::new(&varied, vary, &data).printed_with(&precision);
        runs.narrow(&mut parameters);
        let proceeds = || !interruption.is_set();
        let question = Question { runs: &runs, precision: &precision, proceeds: &proceeds };
        let found = question.answer(&parameters, options.is_local);
        let found = found.map_err(|error| match error {
            FitError::Start => option(refusal::no_run(scene, &runs, &parameters, options)),
            FitError::TooFew { numbers: 0, .. } if data.iter().all(|it| it.frame == 0) => {
                option(refusal::only_start(motion.name()))
            }
            FitError::TooFew { numbers: 0, .. } => {
                option(refusal::no_effect(scene, &own.setup, &parameters, options))
            }
            other => option(other.to_string()),
        })?;
        let (is_fine, has_intervals) = (found.is_fine(), found.has_intervals());
        let Found { mut fitted, data, places, quality, blurred, rival, beyond, .. } = found;
        let set = settings(vary, &fitted);
        let now = Now::of(motion, scene.axes);
        let is_named = is_fine && quality.has_intervals();
        let proposed = motion.proposal_with_options();
        let proposed = proposed.or_else(|| (!is_named).then(|| hint(&data, &fitted, &now))?);
        let proposed = proposed.or_else(|| {
            let later = || from_another_frame(&runs, &parameters, &fitted, &precision, &proceeds);
            (!is_fine && !options.is_local).then(later)?.map(|later| later.description(&now))
        });
        let mut remarks = judge_intervals(&mut fitted, &quality, &beyond, has_intervals);
        remarks.extend(forgotten_length(own, &fitted));
        Ok(Fit {
            label: label_of(scene, *panel, *body),
            understood: understood(motion, scene.frames) + &blurred.unwrap_or_default(),
            set,
            hint: proposed,
            rival,
            remarks,
            fitted,
            quality,
            begin: vary.first().map(FitTerm::beginning).unwrap_or_default(),
            places,
            frame_time: own.setup.frame_time,
            data,
        })
    }
}

/// The body that is fitted.
fn body_of<'a>(scene: &'a Scene, options: &FitOptions) -> Result<&'a Body, RunError> {
    let own = scene.panels.get(options.panel).and_then(|it| it.bodies.get(options.body));
    own.ok_or_else(|| {
        let (panel, body) = (options.panel + 1, options.body);
        RunError::Option(format!(
            "there is no body {body} in a panel {panel}: panels are counted from 1, bodies from 0"
        ))
    })
}

/// Command-line options that set the estimates. Values that the data do not determine are arbitrary
/// and are omitted. A value that differs from its start is kept even if small changes of it have no
/// effect, because the motion needs it.
fn settings(vary: &[FitTerm], fitted: &Fitted) -> Vec<String> {
    let is_needed =
        |it: &Estimate| document::has_moved(it) && fitted.without_effect.contains(&it.name);
    let is_named = |it: &Estimate| it.error.is_some() || it.is_at_bound || is_needed(it);
    let all = FitTerm::divide(vary, &fitted.estimates).into_iter();
    let remarks = all.filter(|(_, own)| own.iter().any(is_named));
    let numbers = |own: &[Estimate]| own.iter().map(|it| it.value).collect::<Vec<_>>();
    let settings = remarks.map(|(term, own)| term.setting(&numbers(own)));
    settings.map(|setting| format!("--set {}", shell::quoted(setting))).collect()
}

/// Maximum estimate of a rest length that counts as 0, as a share of the rope's initial length.
const NO_LENGTH: f64 = 1e-4;

/// Remark about a rest length of 0, as in a program that omits the rest length.
fn forgotten_length(body: &Body, fitted: &Fitted) -> Option<String> {
    let (model, start) = (&body.setup.model, &body.setup.initial);
    let place = |node: usize| start.position(model.nodes(), node);
    let lengths = model.held().iter().map(|it| norm(sub(place(it.b), place(it.a))));
    let length: f64 = lengths.sum();
    let is_none = |it: &&Estimate| {
        it.name == "rope.length" && it.value.abs() <= NO_LENGTH * length && length > 0.0
    };
    fitted.estimates.iter().find(is_none).map(|it| {
        format!(
            "`{}` is near 0, as in a program that forgets the rest length: its tension is k L in \
             place of k (L - rest_length)",
            it.name
        )
    })
}

/// Label of a body.
fn label_of(scene: &Scene, panel: usize, body: usize) -> String {
    let before: usize = scene.panels[..panel].iter().map(|it| it.bodies.len()).sum();
    scene.body_labels().into_iter().nth(before + body).unwrap_or_default()
}

/// Reads the data, or returns the data of the body's own `reference`.
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
    let varies_time = options.vary.iter().any(|term| term.path == "frame_time");
    if varies_time && !motion.counts_frames() {
        let why = "it assigns the times of the file to frames";
        return Err(RunError::Option(format!("`frame_time` cannot be varied: {why}")));
    }
    Ok(motion)
}

/// Describes the reading of the data, and the frames without data. Data after the last frame of the
/// scene are compared too.
fn understood(motion: &Placed, frames: u64) -> String {
    let frames = frames.max(motion.frames().end().saturating_add(1));
    let missing = motion.missing_frames(frames).map_or(String::new(), |text| format!("; {text}"));
    motion.description_with_options() + &missing
}

/// Fits the data with the number of their first frame lowered or raised by one. Returns that
/// reading if the model fits it better.
fn from_another_frame(
    runs: &Runs<'_>,
    parameters: &[Parameter],
    fitted: &Fitted,
    precision: &Precision,
    proceeds: &dyn Fn() -> bool,
) -> Option<Better> {
    let first = runs.data.first()?.frame;
    let shifted = |shift: i64| {
        let moved =
            |datum: &Datum| Some(Datum { frame: datum.frame.checked_add_signed(shift)?, ..*datum });
        let data: Vec<Datum> = runs.data.iter().map(moved).collect::<Option<_>>()?;
        let found = least_squares(&runs.with(&data), parameters, proceeds).ok()?;
        let places = places(&data, &found.residuals);
        let quality = Quality::of(&data, &places, precision, || None);
        let other = Other::FirstFrame(first.checked_add_signed(shift)?);
        let is_usable = quality.fits() && found.has_converged && found.rms < fitted.rms;
        is_usable.then_some(Better { other, rms: [fitted.rms, found.rms] })
    };
    let found = [1, -1].into_iter().filter_map(shifted);
    found.min_by(|a, b| a.rms[1].total_cmp(&b.rms[1]))
}

/// Loads the scene with the start values.
fn begun(scene: &Scene, parameters: &[Parameter], options: &FitOptions) -> Result<Scene, RunError> {
    let starts: Vec<f64> = parameters.iter().map(|it| it.start).collect();
    let all = FitTerm::divide(&options.vary, &starts).into_iter();
    let settings = all.map(|(term, starts)| term.setting(starts));
    let patches = settings.map(|setting| setting.parse::<Patch>().map_err(RunError::Option));
    let mut all = patches_of(scene)?;
    all.extend(patches.collect::<Result<Vec<_>, _>>()?);
    Ok(load_whole(&scene.source_text(), &all, &options.limits)?)
}

/// Positions of the fitted run: the data plus the residuals.
fn places(data: &[Datum], residuals: &[f64]) -> Vec<[f64; 3]> {
    let pairs = data.iter().zip(residuals.chunks_exact(3));
    pairs.map(|(datum, left)| [0, 1, 2].map(|k| datum.place[k] + left[k])).collect()
}

/// Advice on another reading of the data that brings the first run or the fitted run far nearer.
/// Returns `None` if only noise is left.
fn hint(data: &[Datum], fitted: &Fitted, now: &Now) -> Option<String> {
    let key = |datum: &Datum| (datum.frame, datum.node as u64);
    let of_data: Places = data.iter().map(|datum| (key(datum), datum.place)).collect();
    let runs = [&fitted.start_residuals, &fitted.residuals];
    let found = runs.into_iter().find_map(|residuals| {
        let places = places(data, residuals);
        let known = data.iter().map(key).zip(places).collect();
        better(&known, &of_data, now.of_times().as_slice())
    })?;
    Some(found.description(now))
}

/// Refuses data of more frames than the limits allow.
fn check_length(scene: &Scene, motion: &Placed, options: &FitOptions) -> Result<(), RunError> {
    let last = *motion.frames().end();
    let end = options.frames.map_or(last, |frames| frames.saturating_sub(1)).min(last);
    let run = PlannedRun::up_to(end.saturating_add(1), Product::Numbers);
    limited(scene, &options.limits, &run).map(drop)
}

/// Returns the changes of a scene as patches.
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
    let mut all = Vec::new();
    for (index, term) in options.vary.iter().enumerate() {
        let bounds = term
            .bounds(&|shape| refusal::has_shape(scene, options, shape))
            .map_err(|wrong| refusal::other_field(scene, options, &term.path).unwrap_or(wrong))?;
        if let Some(other) = options.vary[..index].iter().find(|other| other.path == term.path) {
            return Err(refusal::twice(other, term));
        }
        for (number, start) in term.starts.iter().enumerate() {
            let start = match start {
                Some(start) if bounds.contains(*start) => *start,
                Some(start) => return Err(refusal::outside(term, *start)),
                None => start_of(scene, options, term)?,
            };
            all.push(Parameter { name: term.name(number), start, bounds });
        }
    }
    Ok(all)
}

/// Value in the scene, at which the fit begins.
fn start_of(scene: &Scene, options: &FitOptions, term: &FitTerm) -> Result<f64, String> {
    let path = &term.path;
    let written = scene.value_of(options.panel, options.body, path);
    let number = written.as_ref().and_then(|text| text.parse::<f64>().ok());
    number.ok_or_else(|| match written {
        Some(text) => refusal::no_number(path, &text),
        None => format!("`{path}` has no value in the scene; say where to begin: {path}=START"),
    })
}

/// Removes all intervals if the model does not fit or leaves unexplained residuals. Otherwise
/// widens the intervals for correlated residuals and for accepted values beyond their ends. Returns
/// sentences about intervals with accepted values beyond them.
fn judge_intervals(
    fitted: &mut Fitted,
    quality: &Quality,
    beyond: &Beyond,
    is_fine: bool,
) -> Vec<String> {
    let (widening, is_fine) = (quality.widening(), is_fine && quality.has_intervals());
    let mut remarks = Vec::new();
    for (k, it) in fitted.estimates.iter_mut().enumerate() {
        let value = it.value;
        let widened = |end: f64| value + widening * (end - value);
        it.error = it.error.filter(|_| is_fine).map(|error| error * widening);
        it.interval = it.interval.filter(|_| is_fine).map(|ends| ends.map(widened));
        if let Some(linear) = it.interval {
            let accepted = beyond.accepted.as_ref().map(|it| it.ends);
            let other = accepted.or(beyond.profiles.get(k).copied().flatten()).unwrap_or(linear);
            let all = [linear[0].min(other[0]), linear[1].max(other[1])];
            it.interval = Some(all).filter(|ends| ends.iter().all(|end| end.is_finite()));
            remarks.extend(beyond.interval_remark(it));
        }
    }
    remarks
}

impl Found {
    /// Whether intervals around the best values are valid.
    fn has_intervals(&self) -> bool {
        self.is_fine() && !self.is_lost && self.rival.is_none()
    }
}
