//! Reads sweeps: a file that starts with `Sweep(`, or a scene with axes from the command line.

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
use super::super::read::{FromRon, check_syntax, children, key, members, title, whole};
use super::super::scan::scan;
use super::super::slashes;
use super::Sweep;
use super::axis::{Axis, AxisPlace};
use super::checks::{PlacedSample, check_axes, check_kept, count, error};
use super::fields::{Content, NAMES, content_of};
use super::outside::OutsideScene;
use super::pattern::Pattern;
use super::sample::Sample;
#[cfg(feature = "files")]
use crate::sweep::kind::is_scene_like;
use crate::sweep::kind::{is_sweep, starts_with};
use catena_ron::{Node, NodeId, Tree, syntax_fault, whole_fault};
#[cfg(feature = "files")]
use std::path::Path;
use std::{ops::Range, sync::Arc};

/// Additions and overrides of a sweep by the command line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepOptions {
    /// Additional axes, each as `PATH=VALUES`.
    pub axes: Vec<String>,
    /// Sample that replaces the file's sample.
    pub sample: Option<String>,
    /// Additional patterns of excluded variants.
    pub except: Vec<String>,
    /// Measures that replace the file's measures: names separated by commas.
    pub measure: Option<String>,
    /// Number of frames per variant that replaces the file's number.
    pub frames: Option<u64>,
    /// Changes that override all axes.
    pub set: Vec<Patch>,
}

/// Measure as written in the sweep.
#[derive(Clone, Debug)]
pub struct WrittenMeasure {
    /// Name of the measure.
    pub name: String,
    /// Options as pairs of name and value.
    pub options: Vec<(String, String)>,
    place: AxisPlace,
    span: Range<usize>,
}

impl WrittenMeasure {
    /// Creates the error of an unusable measure, with advice.
    pub fn refused(&self, message: &str, help: &str) -> SceneError {
        let fault = Fault::new(message).help(help).at(self.span.clone());
        error(&self.place, fault)
    }

    /// Creates the error of an unknown name.
    pub fn unknown(&self, known: &[&str]) -> SceneError {
        error(&self.place, Fault::unknown("measure", &self.name, known).at(self.span.clone()))
    }

    /// Returns the name and the options in normalized form.
    pub(super) fn canonical(&self) -> String {
        let option = |(name, value): &(String, String)| format!("{name}={value}");
        let options: Vec<String> = self.options.iter().map(option).collect();
        format!("{}({})", self.name, options.join(","))
    }
}

/// Parts of a sweep during reading.
struct Parts {
    scene: SceneText,
    outside: Option<OutsideScene>,
    axes: Vec<Axis>,
    sample: Option<PlacedSample>,
    exceptions: Vec<(AxisPlace, Tree, NodeId)>,
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

/// Reads a sweep and checks its axes. The scene is built once, with the values of the first
/// variant.
///
/// # Errors
/// Returns a [`SceneError`] at the first invalid part.
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
    let read = |(place, tree, id): &(AxisPlace, Tree, NodeId)| {
        Pattern::read(tree.node(*id), &axes).map_err(|fault| error(place, fault))
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
    if let Some((place, tree, id)) = last {
        check_kept(&sweep).map_err(|fault| error(&place, fault.at(tree.node(id).span())))?;
    }
    // A fault of the scene itself is reported without the first variant.
    if sweep.scene(&sweep.variant(0)).is_err() {
        let built = finish(&sweep.scene_text, sweep.parsed.clone(), limits);
        built.map_err(|error| sweep.without_outside_text(error))?;
    }
    Ok(sweep)
}

/// Expected values of options, for messages.
const EXPECTED: &str = "a list such as [8, 16], a name with numbers such as Log(1, 1e4, 32), or a pattern such as {\"substeps\": 16}";

fn of_file(text: &SceneText, limits: &Limits) -> Result<Parts, SceneError> {
    let whole = &text.text;
    let place =
        AxisPlace { origin: text.origin.clone(), text: whole.as_str().into(), has_lines: true };
    let refuse = |fault| error(&place, fault);
    scan(whole, limits).map_err(refuse)?;
    let tree = Tree::parse(Arc::clone(&place.text));
    let all = check_syntax(whole, |fault| fault)
        .and_then(|()| members(tree.root(), "Sweep", &NAMES))
        .map_err(|fault| refuse(whole_fault(whole, "Sweep").unwrap_or(fault)))?;
    let is_scene = |member: &&Node<'_>| content_of(member.name()) == Some(Content::Scene);
    let Some(scene) = all.iter().find(is_scene) else {
        let help = "write scene: \"compare.ron\", or the scene itself: scene: Scene(…)";
        return Err(refuse(Fault::new("a sweep needs a `scene`").help(help).at(0..5)));
    };
    let found = scene_of(text, &place, *scene, limits).map_err(|it| match it {
        SceneFault::Here(fault) => refuse(fault),
        SceneFault::There(error) => error,
    })?;
    let mut parts = Parts { outside: found.1, ..Parts::of_scene(found.0) };
    for member in all {
        match content_of(member.name()) {
            Some(Content::Axes) => parts.axes = axes(&place, member)?,
            Some(Content::Sample) => {
                let (sample, span) = (Sample::read(member).map_err(refuse)?, member.span());
                parts.sample = Some(PlacedSample { sample, place: place.clone(), span });
            }
            Some(Content::Patterns) => {
                for child in children(member).map_err(refuse)? {
                    parts.exceptions.push((place.clone(), tree.clone(), child.id()));
                }
            }
            Some(Content::Count) => parts.frames = Some(frames(member).map_err(refuse)?),
            Some(Content::Measures) => parts.measures = measures(&place, member)?,
            Some(Content::Scene) | None => {}
        }
    }
    Ok(parts)
}

/// Fault of the sweep file, or error of the scene that the sweep names.
enum SceneFault {
    Here(Fault),
    There(SceneError),
}

/// Returns the scene of a sweep, which is inline or in a file. The file's name is relative to the
/// sweep.
fn scene_of(
    text: &SceneText,
    place: &AxisPlace,
    value: Node<'_>,
    limits: &Limits,
) -> Result<(SceneText, Option<OutsideScene>), SceneFault> {
    if value.text().starts_with("Scene") {
        // Spaces replace the text before the scene, so that positions in the scene equal positions
        // in the file.
        let before = text.text[..value.start()].chars();
        let blank: String = before
            .flat_map(|c| {
                let (letter, count) = if c == '\n' { (c, 1) } else { (' ', c.len_utf8()) };
                std::iter::repeat_n(letter, count)
            })
            .collect();
        return Ok((SceneText { text: blank + value.text(), ..text.clone() }, None));
    }
    let span = value.span();
    let name = String::from_ron(value).map_err(|_| {
        let fault = Fault::new("expected the name of a scene file, or Scene(…)").at(span.clone());
        let advice = slashes::advice_as_written(value.text().trim_matches('"'));
        let usual = || "file names are relative to the sweep file".into();
        SceneFault::Here(fault.help(advice.unwrap_or_else(usual)))
    })?;
    named_scene(place, &name, span, limits)
}

/// Reads the scene from a file. The file's name has a span in the text of the sweep.
#[cfg(feature = "files")]
fn named_scene(
    place: &AxisPlace,
    name: &str,
    span: Range<usize>,
    limits: &Limits,
) -> Result<(SceneText, Option<OutsideScene>), SceneFault> {
    let folder = Path::new(&place.origin).parent().unwrap_or(Path::new(""));
    let found = limits.access.find(folder, name);
    let found = found.map_err(|fault| SceneFault::Here(fault.at(span.clone())))?;
    let path = folder.join(name);
    if !path.is_file() {
        let fault = Fault::new(format!("there is no scene {}", path.display())).at(span);
        let similar = crate::disk::similar_path(&path);
        let similar = similar.map_or(String::new(), |path| format!("did you mean {path}? "));
        let help = slashes::advice(name)
            .unwrap_or_else(|| format!("{similar}file names are relative to the sweep file"));
        return Err(SceneFault::Here(fault.help(help)));
    }
    let scene = SceneText::read_within(&path, limits).map_err(SceneFault::There);
    let origin = path.display().to_string();
    let named = OutsideScene { origin, place: place.clone(), span };
    let refused = |why: &str| Err(SceneFault::Here(named.fault(why)));
    // A file that is not a scene may contain secrets, so no text of it is shown.
    match scene {
        Ok(scene) if !is_scene_like(&scene) => refused("is not a scene"),
        Ok(scene) if found.is_outside => match parsed(&scene, &[], limits) {
            Ok(_) => Ok((scene, Some(named))),
            Err(error) => Err(SceneFault::There(named.hidden(error))),
        },
        Err(SceneFault::There(_)) if found.is_outside => refused("is not a scene"),
        scene => scene.map(|scene| (scene, None)),
    }
}

#[cfg(not(feature = "files"))]
fn named_scene(
    _: &AxisPlace,
    _: &str,
    span: Range<usize>,
    _: &Limits,
) -> Result<(SceneText, Option<OutsideScene>), SceneFault> {
    let fault = Fault::new("files cannot be read here").at(span);
    Err(SceneFault::Here(fault.help("write the scene itself in place of its name: Scene(…)")))
}

fn axes(place: &AxisPlace, node: Node<'_>) -> Result<Vec<Axis>, SceneError> {
    let refuse = |fault: Fault| error(place, fault);
    if !node.opens('{') {
        let fault = Fault::new("expected {\"FIELD\": VALUES, …}").at(node.span());
        return Err(refuse(fault.help("such as {\"rope.stiffness\": Log(1, 1e4, 32)}")));
    }
    let all = children(node).map_err(refuse)?;
    let names = all.iter().map(|child| key(*child)).collect::<Result<Vec<_>, _>>();
    let names = names.map_err(refuse)?;
    let read = |(child, name): (&Node<'_>, String)| {
        Axis::read(place, &name, child.name_place().start, *child).map_err(refuse)
    };
    all.iter().zip(names).map(read).collect()
}

fn frames(node: Node<'_>) -> Result<u64, Fault> {
    whole(node, "the number of frames", 1)
}

/// Reads a list of measures.
fn measures(place: &AxisPlace, node: Node<'_>) -> Result<Vec<WrittenMeasure>, SceneError> {
    let measure = |node: Node<'_>| WrittenMeasure {
        name: title(node).map_or(node.text(), |(name, _)| name).into(),
        options: node.entries().map(|it| (it.name().into(), it.text().into())).collect(),
        place: place.clone(),
        span: node.span(),
    };
    let all = children(node).map_err(|fault| error(place, fault))?;
    Ok(all.into_iter().map(measure).collect())
}

/// Adds the options of the command line.
fn add_options(parts: &mut Parts, options: &SweepOptions) -> Result<(), SceneError> {
    let option = |name: &str, text: &str| {
        let origin = format!("{name} {text}");
        AxisPlace { origin, text: text.into(), has_lines: false }
    };
    for text in &options.axes {
        let place = option("--axis", text);
        let Some((names, values)) = text.split_once('=') else {
            let fault = Fault::new("expected PATH=VALUES").at(0..text.len());
            return Err(error(&place, fault.help("such as 'rope.stiffness=Log(1, 1e4, 32)'")));
        };
        check_text(&place, values, names.len() + 1)?;
        let tree = Tree::parse_from(Arc::clone(&place.text), names.len() + 1);
        let axis = Axis::read(&place, names, 0, tree.root());
        parts.axes.push(axis.map_err(|fault| error(&place, fault))?);
    }
    if let Some(text) = &options.sample {
        let place = option("--sample", text);
        check_text(&place, text, 0)?;
        let tree = Tree::parse(text.as_str());
        let sample = Sample::read(tree.root()).map_err(|fault| error(&place, fault))?;
        parts.sample = Some(PlacedSample { sample, place, span: 0..text.len() });
    }
    for text in &options.except {
        let place = option("--except", text);
        // Text that does not start with `{` is rejected later, because it is not a pattern.
        if starts_with(text, "{") {
            check_text(&place, text, 0)?;
        }
        let tree = Tree::parse(Arc::clone(&place.text));
        let id = tree.root().id();
        parts.exceptions.push((place, tree, id));
    }
    if let Some(text) = &options.measure {
        parts.measures = typed_measures(text)?;
    }
    parts.frames = options.frames.or(parts.frames);
    Ok(())
}

/// Reads the measures of `--measure`: names separated by commas.
fn typed_measures(text: &str) -> Result<Vec<WrittenMeasure>, SceneError> {
    let list = format!("[{text}]");
    // Messages quote the text without the brackets, at the same offsets.
    let shown = format!(" {text} ").into();
    let place = AxisPlace { origin: "--measure".into(), text: shown, has_lines: false };
    let help = "write names with commas and without spaces between them, such as Diverged,Strain; \
                or omit --measure for the default measures";
    let refuse = |message: &str, span| Err(error(&place, Fault::new(message).help(help).at(span)));
    let inner = text.trim_end();
    if inner.is_empty() {
        return refuse("the list of measures is empty", 0..list.len());
    }
    if inner.ends_with(',') {
        return refuse("a measure is missing after the last comma", inner.len()..inner.len() + 1);
    }
    check_text(&place, &list, 0)?;
    measures(&place, Tree::parse(list.as_str()).root())
}

/// Rejects a text of the command line that is not a single value.
fn check_text(place: &AxisPlace, text: &str, start: usize) -> Result<(), SceneError> {
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
