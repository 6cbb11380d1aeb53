//! Reads sweeps: a file that begins with `Sweep(`, or a scene with axes of the command line.

use super::super::diagnostic::Fault;
use super::super::error::SceneError;
use super::super::file::SceneText;
use super::super::limits::Limits;
use super::super::load::{finish, parsed};
use super::super::patch::Patch;
use super::super::read::{FromRon, bare, children, members, name_place, start_in};
use super::super::scan::scan;
use super::super::syntax::syntax_fault;
use super::axis::{Axis, Place, Steps};
use super::pattern::Pattern;
use super::sample::Sample;
use super::{MOST_VARIANTS, Sweep};
use std::path::Path;

/// The text of a sweep file, or of a scene.
pub type SweepText = SceneText;

/// What the command line adds to a sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepOptions {
    /// More axes, each as `PATH=VALUES`.
    pub axes: Vec<String>,
    /// A sample, in place of that of the file.
    pub sample: Option<String>,
    /// More patterns of variants that are left out.
    pub except: Vec<String>,
    /// What is measured, in place of what the file says: names with commas between them.
    pub measure: Option<String>,
    /// How many frames a variant has, in place of what the file says.
    pub frames: Option<u64>,
    /// Changes above all axes.
    pub set: Vec<Patch>,
}

/// A measure as it was written.
#[derive(Clone, Debug)]
pub struct WrittenMeasure {
    /// Its name.
    pub name: String,
    /// Its options: names and values.
    pub options: Vec<(String, String)>,
    place: Place,
    span: std::ops::Range<usize>,
}

impl WrittenMeasure {
    /// The error for a measure that cannot be used, with advice.
    pub fn refused(&self, message: &str, help: &str) -> SceneError {
        let fault = Fault::new(message).help(help).at(self.span.clone());
        error(&self.place, fault)
    }

    /// The error for a name that is not among those known.
    pub fn unknown(&self, known: &[&str]) -> SceneError {
        error(&self.place, Fault::unknown("measure", &self.name, known).at(self.span.clone()))
    }

    /// Name and options in words.
    pub(super) fn canonical(&self) -> String {
        let option = |(name, value): &(String, String)| format!("{name}={value}");
        let options: Vec<String> = self.options.iter().map(option).collect();
        format!("{}({})", self.name, options.join(","))
    }
}

/// The parts of a sweep while it is read.
struct Parts {
    scene: SceneText,
    axes: Vec<Axis>,
    sample: Option<Sample>,
    exceptions: Vec<(Place, String, usize)>,
    frames: Option<u64>,
    measures: Vec<WrittenMeasure>,
}

impl Parts {
    fn of_scene(scene: SceneText) -> Self {
        let (axes, exceptions, measures) = (Vec::new(), Vec::new(), Vec::new());
        Self { scene, axes, sample: None, exceptions, frames: None, measures }
    }
}

/// Reads a sweep and checks its axes; the scene is built once, with the first variant's values.
///
/// # Errors
/// A [`SceneError`] that points at the first thing that cannot be used.
pub fn load_sweep(
    text: &SweepText,
    options: &SweepOptions,
    limits: &Limits,
) -> Result<Sweep, SceneError> {
    let mut parts = match is_sweep(text) {
        true => of_file(text, limits)?,
        false => Parts::of_scene(text.clone()),
    };
    add_options(&mut parts, options)?;
    let Parts { scene, axes, sample, exceptions, frames, measures } = parts;
    let place =
        Place { origin: text.origin.clone(), text: text.text.as_str().into(), has_lines: true };
    check_axes(&axes, &options.set)?;
    let variants = count(&axes, sample).map_err(|fault| error(&place, fault))?;
    let paths: Vec<&str> =
        axes.iter().flat_map(|axis| &axis.paths).map(|(path, _)| path.as_str()).collect();
    let read = |(place, text, start): &(Place, String, usize)| {
        Pattern::read(text, &paths).map_err(|fault| error(place, fault.moved(*start)))
    };
    let exceptions = exceptions.iter().map(read).collect::<Result<_, _>>()?;
    let parsed = parsed(&scene, &options.set, limits)?;
    let sweep = Sweep {
        name: text.name.clone(),
        origin: text.origin.clone(),
        text: text.text.clone(),
        frames,
        measures,
        axes,
        sample,
        exceptions,
        scene_text: scene,
        parsed,
        limits: *limits,
        variants,
    };
    sweep.check_values()?;
    // A fault of the scene itself is shown as one, not as that of the first variant.
    if sweep.scene(&sweep.variant(0)).is_err() {
        finish(&sweep.scene_text, sweep.parsed.clone(), limits)?;
    }
    Ok(sweep)
}

/// Whether a text is that of a sweep.
pub fn is_sweep(text: &SceneText) -> bool {
    bare(&text.text).starts_with("Sweep")
}

fn error(place: &Place, fault: Fault) -> SceneError {
    match place.has_lines {
        true => SceneError::new(&place.origin, &place.text, fault),
        false => SceneError::of_option(&place.origin, &place.text, fault),
    }
}

fn of_file(text: &SweepText, limits: &Limits) -> Result<Parts, SceneError> {
    const NAMES: &[&str] = &["scene", "axes", "sample", "except", "frames", "measure"];
    let whole = &text.text;
    let place = Place { origin: text.origin.clone(), text: whole.as_str().into(), has_lines: true };
    let refuse = |fault| error(&place, fault);
    scan(whole, limits).map_err(refuse)?;
    let all = members(whole, "Sweep", NAMES).map_err(|fault| {
        let is_sound = ron::value::RawValue::from_ron(whole).is_ok();
        refuse((!is_sound).then(|| syntax_fault(whole)).flatten().unwrap_or(fault))
    })?;
    let Some((_, scene, start)) = all.iter().find(|(name, ..)| name == "scene") else {
        let help = "write scene: \"compare.ron\", or the scene itself: scene: Scene(…)";
        return Err(refuse(Fault::new("a sweep needs a `scene`").help(help).at(0..5)));
    };
    let mut parts =
        Parts::of_scene(scene_of(text, (scene, *start), limits).map_err(|it| match it {
            SceneFault::Here(fault) => refuse(fault),
            SceneFault::There(error) => error,
        })?);
    for (name, value, start) in all {
        let moved = |fault: Fault| refuse(fault.moved(start));
        match name.as_str() {
            "axes" => parts.axes = axes(&place, value, start)?,
            "sample" => parts.sample = Some(Sample::read(value).map_err(moved)?),
            "except" => {
                for child in children(value).map_err(moved)? {
                    let at = start + start_in(value, child.value);
                    parts.exceptions.push((place.clone(), child.value.into(), at));
                }
            }
            "frames" => parts.frames = Some(frames(value).map_err(moved)?),
            "measure" => parts.measures = measures(&place, value, start)?,
            _ => {}
        }
    }
    Ok(parts)
}

/// A fault of the sweep file, or the error of the scene that it names.
enum SceneFault {
    Here(Fault),
    There(SceneError),
}

/// The scene of a sweep: the file that it names, beside its own, or what stands in it.
fn scene_of(
    text: &SweepText,
    (value, start): (&str, usize),
    limits: &Limits,
) -> Result<SceneText, SceneFault> {
    if bare(value).starts_with("Scene") {
        // With what stands before it as spaces, places in the scene are those in the file.
        let before = text.text[..start].chars();
        let blank: String = before
            .flat_map(|c| {
                let (letter, count) = if c == '\n' { (c, 1) } else { (' ', c.len_utf8()) };
                std::iter::repeat_n(letter, count)
            })
            .collect();
        return Ok(SceneText { text: blank + value, ..text.clone() });
    }
    let span = start..start + value.len();
    let name = String::from_ron(value).map_err(|_| {
        let fault = Fault::new("expected the name of a scene file, or Scene(…)").at(span.clone());
        SceneFault::Here(fault.help("names of files are relative to the sweep"))
    })?;
    let path = Path::new(&text.origin).parent().unwrap_or(Path::new("")).join(&name);
    if !path.is_file() {
        let fault = Fault::new(format!("there is no scene {}", path.display())).at(span);
        return Err(SceneFault::Here(fault.help("names of files are relative to the sweep")));
    }
    SceneText::read_within(&path, limits).map_err(SceneFault::There)
}

fn axes(place: &Place, text: &str, start: usize) -> Result<Vec<Axis>, SceneError> {
    let refuse = |fault: Fault| error(place, fault.moved(start));
    if !bare(text).starts_with('{') {
        let fault = Fault::new("expected {\"FIELD\": VALUES, …}").at(0..text.len());
        return Err(refuse(fault.help("such as {\"rope.stiffness\": Log(1, 1e4, 32)}")));
    }
    let mut all = Vec::new();
    for child in children(text).map_err(refuse)? {
        let name = name_place(text, &child.name, child.value).start + start;
        let value = start_in(text, child.value) + start;
        let axis = Axis::read(place, (&child.name, name), (child.value, value));
        all.push(axis.map_err(|fault| error(place, fault))?);
    }
    Ok(all)
}

fn frames(text: &str) -> Result<u64, Fault> {
    let frames = u64::from_ron(text)?;
    if frames > 0 {
        return Ok(frames);
    }
    Err(Fault::new("expected a number of frames of at least 1").at(0..text.len()))
}

/// Reads a list of measures.
fn measures(place: &Place, text: &str, start: usize) -> Result<Vec<WrittenMeasure>, SceneError> {
    let refuse = |fault: Fault| error(place, fault.moved(start));
    let mut all = Vec::new();
    for child in children(text).map_err(refuse)? {
        let at = start_in(text, child.value);
        let (name, rest) = match child.value.find('(') {
            Some(open) => child.value.split_at(open),
            None => (child.value, "()"),
        };
        let options = children(rest).map_err(|fault| refuse(fault.moved(at + name.len())))?;
        let options = options.into_iter().map(|it| (it.name, it.value.to_owned())).collect();
        let span = start + at..start + at + child.value.len();
        all.push(WrittenMeasure { name: name.trim().into(), options, place: place.clone(), span });
    }
    Ok(all)
}

/// Adds what the command line says.
fn add_options(parts: &mut Parts, options: &SweepOptions) -> Result<(), SceneError> {
    let option = |name: &str, text: &str| {
        let origin = format!("{name} {text}");
        Place { origin, text: text.into(), has_lines: false }
    };
    for text in &options.axes {
        let place = option("--axis", text);
        let Some((names, values)) = text.split_once('=') else {
            let fault = Fault::new("expected PATH=VALUES").at(0..text.len());
            return Err(error(&place, fault.help("such as 'rope.stiffness=Log(1, 1e4, 32)'")));
        };
        check_text(&place, values, names.len() + 1)?;
        let axis = Axis::read(&place, (names, 0), (values, names.len() + 1));
        parts.axes.push(axis.map_err(|fault| error(&place, fault))?);
    }
    if let Some(text) = &options.sample {
        let place = option("--sample", text);
        check_text(&place, text, 0)?;
        parts.sample = Some(Sample::read(text).map_err(|fault| error(&place, fault))?);
    }
    for text in &options.except {
        let place = option("--except", text);
        check_text(&place, text, 0)?;
        parts.exceptions.push((place, text.clone(), 0));
    }
    if let Some(text) = &options.measure {
        let list = format!("[{text}]");
        let place = option("--measure", &list);
        check_text(&place, &list, 0)?;
        parts.measures = measures(&place, &list, 0)?;
    }
    parts.frames = options.frames.or(parts.frames);
    Ok(())
}

/// Refuses a text of the command line that is not one value.
fn check_text(place: &Place, text: &str, start: usize) -> Result<(), SceneError> {
    let checked = scan(text, &Limits::default()).and_then(|()| {
        let is_sound = ron::value::RawValue::from_ron(text).is_ok();
        match (!is_sound).then(|| syntax_fault(text)) {
            None => Ok(()),
            Some(Some(fault)) => Err(fault),
            Some(None) => Err(Fault::new("this is not one value").at(0..text.len())),
        }
    });
    checked.map_err(|fault| error(place, fault.moved(start)))
}

/// Refuses two axes of one field, and `--set` of a field of an axis.
fn check_axes(axes: &[Axis], set: &[Patch]) -> Result<(), SceneError> {
    let is_inside = |inner: &str, outer: &str| {
        inner == outer || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'))
    };
    let mut seen: Vec<&str> = Vec::new();
    for axis in axes {
        let mut own = Vec::new();
        for (path, at) in &axis.paths {
            let fault = |message: String| Fault::new(message).at(*at..at + path.len());
            if path == "frames" {
                let fault = fault("all variants of a sweep have the same number of frames".into());
                let help = "`frames` of the sweep, or --frames, says how many; Trace(every: 60) shows a run on its way";
                return Err(error(&axis.place, fault.help(help)));
            }
            let meets = |other: &str| is_inside(path, other) || is_inside(other, path);
            if let Some(other) = seen.iter().find(|other| meets(other)) {
                let fault = fault(format!("two axes set `{path}` and `{other}`"));
                let help = "leave one out; fields that go together make one axis: \"rope.nodes, substeps\": [(8, 16), (16, 64)]";
                return Err(error(&axis.place, fault.help(help)));
            }
            if let Some(patch) = set.iter().find(|patch| meets(patch.path())) {
                let fault = fault(format!("--set {} would undo this axis", patch.text()));
                return Err(error(&axis.place, fault.help("leave out the axis or the --set")));
            }
            own.push(path.as_str());
        }
        seen.extend(own);
    }
    Ok(())
}

/// How many variants there are.
fn count(axes: &[Axis], sample: Option<Sample>) -> Result<u64, Fault> {
    let sampled: Vec<&Axis> =
        axes.iter().filter(|axis| matches!(axis.steps, Steps::Sampled(_))).collect();
    let refused = |message: String, help: &str| Fault::new(message).help(help).at(0..0);
    match (sample, sampled.first()) {
        (None, Some(axis)) => {
            let path = axis.paths.first().map_or("", |(path, _)| path);
            let message = format!("the axis of `{path}` has no count, and there is no sample");
            return Err(refused(
                message,
                "write Linear(from, to, count), or a sample such as Sobol(1000)",
            ));
        }
        (Some(sample), None) => {
            let message = format!("the sample {} has no axis to fill", sample.name());
            return Err(refused(message, "an axis that is sampled has no count: Log(1, 1e4)"));
        }
        (Some(sample), Some(_)) if sampled.len() > sample.most_sides() => {
            let message = format!(
                "{} axes are sampled, and {} has {}",
                sampled.len(),
                sample.name(),
                sample.most_sides()
            );
            return Err(refused(message, "LatinHypercube and Random have any number"));
        }
        _ => {}
    }
    let points = sample.map_or(1, |sample| u128::from(sample.count));
    let all = axes
        .iter()
        .filter_map(Axis::count)
        .fold(points, |product, count| product.saturating_mul(u128::from(count)));
    if all > u128::from(MOST_VARIANTS) {
        let message = format!("{all} variants are more than the limit of {MOST_VARIANTS}");
        return Err(refused(
            message,
            "fewer values, or a smaller sample; a sweep of several files has any number",
        ));
    }
    Ok(all as u64)
}
