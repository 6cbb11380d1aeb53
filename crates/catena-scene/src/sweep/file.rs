//! Reads sweeps: a file that begins with `Sweep(`, or a scene with axes of the command line.

#![cfg_attr(
    not(feature = "files"),
    expect(dead_code, reason = "only a scene in a file of its own needs it")
)]

use super::super::diagnostic::Fault;
use super::super::error::SceneError;
use super::super::file::SceneText;
use super::super::limits::Limits;
use super::super::load::{finish, parsed};
use super::super::patch::Patch;
use super::super::read::{FromRon, bare, children, members, name_place, start_in};
use super::super::scan::scan;
use super::super::slashes;
use super::super::syntax::{syntax_fault, whole_fault};
use super::Sweep;
use super::axis::{Axis, Place};
use super::checks::{PlacedSample, check_axes, check_kept, count};
use super::fields::{Content, NAMES, content_of};
use super::outside::OutsideScene;
use super::pattern::Pattern;
use super::sample::Sample;
use std::ops::Range;
#[cfg(feature = "files")]
use std::path::Path;

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
    span: Range<usize>,
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
    outside: Option<OutsideScene>,
    axes: Vec<Axis>,
    sample: Option<PlacedSample>,
    exceptions: Vec<(Place, String, usize)>,
    frames: Option<u64>,
    measures: Vec<WrittenMeasure>,
}

impl Parts {
    fn of_scene(scene: SceneText) -> Self {
        let (axes, exceptions, measures) = (Vec::new(), Vec::new(), Vec::new());
        let (outside, sample, frames) = (None, None, None);
        Self { scene, outside, axes, sample, exceptions, frames, measures }
    }
}

/// Reads a sweep and checks its axes; the scene is built once, with the first variant's values.
///
/// # Errors
/// A [`SceneError`] that points at the first thing that cannot be used.
pub fn load_sweep(
    text: &SceneText,
    options: &SweepOptions,
    limits: &Limits,
) -> Result<Sweep, SceneError> {
    let mut parts = match is_sweep(text) {
        true => of_file(text, limits)?,
        false => Parts::of_scene(text.clone()),
    };
    add_options(&mut parts, options)?;
    let Parts { scene, outside, axes, sample, exceptions, frames, measures } = parts;
    check_axes(&axes, &options.set)?;
    let variants = count(&axes, sample.as_ref())?;
    let read = |(place, text, start): &(Place, String, usize)| {
        Pattern::read(text, &axes).map_err(|fault| error(place, fault.moved(*start)))
    };
    let last = exceptions.last().cloned();
    let exceptions = exceptions.iter().map(read).collect::<Result<_, _>>()?;
    let parsed = parsed(&scene, &options.set, limits).map_err(|error| match &outside {
        Some(outside) => outside.hidden(error),
        None => error,
    })?;
    let sweep = Sweep {
        name: text.name.clone(),
        origin: text.origin.clone(),
        text: text.text.clone(),
        frames,
        measures,
        axes,
        sample: sample.map(|placed| placed.sample),
        exceptions,
        scene_text: scene,
        outside,
        parsed,
        limits: limits.clone(),
        variants,
    };
    sweep.check_values()?;
    if let Some((place, text, start)) = last {
        check_kept(&sweep).map_err(|fault| error(&place, fault.at(start..start + text.len())))?;
    }
    // A fault of the scene itself is shown as one, not as that of the first variant.
    if sweep.scene(&sweep.variant(0)).is_err() {
        let built = finish(&sweep.scene_text, sweep.parsed.clone(), limits);
        built.map_err(|error| sweep.without_outside_text(error))?;
    }
    Ok(sweep)
}

/// Whether a text is that of a sweep.
pub fn is_sweep(text: &SceneText) -> bool {
    bare(&text.text).starts_with("Sweep")
}

/// What options take, in words.
const EXPECTED: &str = "a list such as [8, 16], a name with numbers such as Log(1, 1e4, 32), or a pattern such as {\"substeps\": 16}";

pub(super) fn error(place: &Place, fault: Fault) -> SceneError {
    match place.has_lines {
        true => SceneError::new(&place.origin, &place.text, fault),
        false => SceneError::of_option(&place.origin, &place.text, fault),
    }
}

fn of_file(text: &SceneText, limits: &Limits) -> Result<Parts, SceneError> {
    let whole = &text.text;
    let place = Place { origin: text.origin.clone(), text: whole.as_str().into(), has_lines: true };
    let refuse = |fault| error(&place, fault);
    scan(whole, limits).map_err(refuse)?;
    let all = members(whole, "Sweep", &NAMES).map_err(|fault| {
        let is_sound = ron::value::RawValue::from_ron(whole).is_ok();
        let found = whole_fault(whole, "Sweep");
        let found = found.or_else(|| (!is_sound).then(|| syntax_fault(whole)).flatten());
        refuse(found.unwrap_or(fault))
    })?;
    let is_scene = |(name, ..): &&(String, &str, usize)| content_of(name) == Some(Content::Scene);
    let Some((_, scene, start)) = all.iter().find(is_scene) else {
        let help = "write scene: \"compare.ron\", or the scene itself: scene: Scene(…)";
        return Err(refuse(Fault::new("a sweep needs a `scene`").help(help).at(0..5)));
    };
    let found = scene_of((text, &place), (scene, *start), limits).map_err(|it| match it {
        SceneFault::Here(fault) => refuse(fault),
        SceneFault::There(error) => error,
    })?;
    let mut parts = Parts { outside: found.1, ..Parts::of_scene(found.0) };
    for (name, value, start) in all {
        let moved = |fault: Fault| refuse(fault.moved(start));
        match content_of(&name) {
            Some(Content::Axes) => parts.axes = axes(&place, value, start)?,
            Some(Content::Sample) => {
                let (sample, span) =
                    (Sample::read(value).map_err(moved)?, start..start + value.len());
                parts.sample = Some(PlacedSample { sample, place: place.clone(), span });
            }
            Some(Content::Patterns) => {
                for child in children(value).map_err(moved)? {
                    let at = start + start_in(value, child.value);
                    parts.exceptions.push((place.clone(), child.value.into(), at));
                }
            }
            Some(Content::Count) => parts.frames = Some(frames(value).map_err(moved)?),
            Some(Content::Measures) => parts.measures = measures(&place, value, start)?,
            Some(Content::Scene) | None => {}
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
    (text, place): (&SceneText, &Place),
    (value, start): (&str, usize),
    limits: &Limits,
) -> Result<(SceneText, Option<OutsideScene>), SceneFault> {
    if bare(value).starts_with("Scene") {
        // With what stands before it as spaces, places in the scene are those in the file.
        let before = text.text[..start].chars();
        let blank: String = before
            .flat_map(|c| {
                let (letter, count) = if c == '\n' { (c, 1) } else { (' ', c.len_utf8()) };
                std::iter::repeat_n(letter, count)
            })
            .collect();
        return Ok((SceneText { text: blank + value, ..text.clone() }, None));
    }
    let span = start..start + value.len();
    let name = String::from_ron(value).map_err(|_| {
        let fault = Fault::new("expected the name of a scene file, or Scene(…)").at(span.clone());
        let advice = slashes::advice_as_written(value.trim().trim_matches('"'));
        let usual = || "names of files are relative to the sweep".into();
        SceneFault::Here(fault.help(advice.unwrap_or_else(usual)))
    })?;
    named_scene((text, place), (&name, span), limits)
}

/// A scene in a file beside that of a sweep; its name stands at a span of the sweep's text.
#[cfg(feature = "files")]
fn named_scene(
    (text, place): (&SceneText, &Place),
    (name, span): (&str, Range<usize>),
    limits: &Limits,
) -> Result<(SceneText, Option<OutsideScene>), SceneFault> {
    let folder = Path::new(&text.origin).parent().unwrap_or(Path::new(""));
    let found = limits.access.find(folder, name);
    let found = found.map_err(|fault| SceneFault::Here(fault.at(span.clone())))?;
    let path = folder.join(name);
    if !path.is_file() {
        let fault = Fault::new(format!("there is no scene {}", path.display())).at(span);
        let similar = crate::disk::similar_path(&path);
        let similar = similar.map_or(String::new(), |path| format!("did you mean {path}? "));
        let help = slashes::advice(name)
            .unwrap_or_else(|| format!("{similar}names of files are relative to the sweep"));
        return Err(SceneFault::Here(fault.help(help)));
    }
    let scene = SceneText::read_within(&path, limits).map_err(SceneFault::There);
    let origin = path.display().to_string();
    let named = OutsideScene { origin, place: place.clone(), span };
    let refused = |why: &str| Err(SceneFault::Here(named.fault(why)));
    // A file that is no scene may hold secrets, so no text of it is shown.
    match scene {
        Ok(scene) if !is_scene_like(&scene) => refused("is no scene"),
        Ok(scene) if found.is_outside => match parsed(&scene, &[], limits) {
            Ok(_) => Ok((scene, Some(named))),
            Err(error) => Err(SceneFault::There(named.hidden(error))),
        },
        Err(SceneFault::There(_)) if found.is_outside => refused("is no scene"),
        scene => scene.map(|scene| (scene, None)),
    }
}

#[cfg(not(feature = "files"))]
fn named_scene(
    _: (&SceneText, &Place),
    (_, span): (&str, Range<usize>),
    _: &Limits,
) -> Result<(SceneText, Option<OutsideScene>), SceneFault> {
    let fault = Fault::new("files cannot be read here").at(span);
    Err(SceneFault::Here(fault.help("write the scene itself in place of its name: Scene(…)")))
}

/// Whether a text begins as a scene does.
fn is_scene_like(text: &SceneText) -> bool {
    let start = bare(&text.text);
    ["(", "Scene", "Sweep", "#!["].iter().any(|word| start.starts_with(word))
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
        let sample = Sample::read(text).map_err(|fault| error(&place, fault))?;
        parts.sample = Some(PlacedSample { sample, place, span: 0..text.len() });
    }
    for text in &options.except {
        let place = option("--except", text);
        // What does not begin like a pattern is none.
        if bare(text).starts_with('{') {
            check_text(&place, text, 0)?;
        }
        parts.exceptions.push((place, text.clone(), 0));
    }
    if let Some(text) = &options.measure {
        let list = format!("[{text}]");
        let place = option("--measure", &list);
        if text.trim().is_empty() {
            let fault = Fault::new("this names no measure").at(0..list.len());
            let help = "name some with commas between them, such as Diverged,Strain; without --measure the usual ones are taken";
            return Err(error(&place, fault.help(help)));
        }
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
            Some(None) => {
                let fault = Fault::new("this is not one value").at(0..text.len());
                let is_list = text.contains(',') && !text.contains(['(', '[', '{']);
                Err(fault.help(match is_list {
                    true => format!("write a list in brackets: [{text}]"),
                    false => format!("expected {EXPECTED}"),
                }))
            }
        }
    });
    checked.map_err(|fault| error(place, fault.moved(start)))
}
