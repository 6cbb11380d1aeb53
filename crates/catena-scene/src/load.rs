//! Loading of scenes: parses text into the schema, adds field paths to faults, and builds the
//! scene.

use super::build::build;
use super::diagnostic::Fault;
use super::error::SceneError;
use super::file::SceneText;
use super::files::{Files, GivenFiles};
use super::limits::{Limits, PlannedRun};
use super::parts::Scene;
use super::patch::Patch;
use super::read::{FromRon, check_syntax, read_text};
use super::scan::scan;
use super::schema::{DEFAULTS, SceneFile, Settings, fields};
use super::source::Source;
use super::stack::{ParsedScene, SourceLayer};
use super::sweep::is_sweep;
use super::{file, unknown_field, value_advice};
use catena_ron::{Node, Tree, whole_fault};
use std::iter::successors;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

impl FromStr for Scene {
    type Err = SceneError;

    /// Reads the text of a scene within the default limits. The scene is called `scene`.
    fn from_str(text: &str) -> Result<Self, SceneError> {
        let limits = Limits::default();
        let name = file::STDIN.to_owned();
        let bytes = text.as_bytes().to_vec();
        let text = SceneText::of_bytes(name.clone(), name, bytes, limits.file_bytes)?;
        load_within(&text, &[], &limits)
    }
}

/// Reads and builds a scene with the default limits.
///
/// # Errors
/// Returns a [`SceneError`] at the first part that cannot be used.
pub fn load(text: &SceneText, patches: &[Patch]) -> Result<Scene, SceneError> {
    load_within(text, patches, &Limits::default())
}

/// Reads and builds a scene within limits. [`Limits::check_run`] checks the cost of a run
/// separately. [`Limits::allot`] gives the simulations the budget of `catena render` without
/// options.
///
/// # Errors
/// Returns a [`SceneError`] at the first part that cannot be used.
pub fn load_within(
    text: &SceneText,
    patches: &[Patch],
    limits: &Limits,
) -> Result<Scene, SceneError> {
    load_with_files(text, patches, limits).0
}

/// Reads and builds a scene like [`load_within`], with all panels and bodies. Panels and bodies
/// keep their indices in the text, while [`load_within`] merges panels and bodies that `patches`
/// make equal.
///
/// # Errors
/// Returns a [`SceneError`] at the first part that cannot be used.
pub fn load_whole(
    text: &SceneText,
    patches: &[Patch],
    limits: &Limits,
) -> Result<Scene, SceneError> {
    let parsed = parsed(text, patches, limits)?;
    finish(text, ParsedScene { keeps_equal: true, ..parsed }, limits)
}

/// Reads and builds a scene whose files are given as bytes. The file system is not used.
///
/// # Errors
/// Returns a [`SceneError`] at the first part that cannot be used, such as the name of a file that
/// is not given.
pub fn load_with_given(
    text: &SceneText,
    patches: &[Patch],
    limits: &Limits,
    files: GivenFiles,
) -> Result<Scene, SceneError> {
    let parsed = parsed_with(text, patches, limits, &Files::given(files, limits))?;
    finish(text, parsed, limits)
}

/// Reads and builds a scene like [`load_within`]. Also returns the paths of all files that the
/// scene requested, including missing ones.
pub fn load_with_files(
    text: &SceneText,
    patches: &[Patch],
    limits: &Limits,
) -> (Result<Scene, SceneError>, Vec<PathBuf>) {
    let files = Files::of_scene(&text.origin, limits);
    let parsed = parsed_with(text, patches, limits, &files);
    (parsed.and_then(|parsed| finish(text, parsed, limits)), files.requested())
}

/// Builds a parsed scene and sets the budgets of its simulations.
pub(super) fn finish(
    text: &SceneText,
    parsed: ParsedScene,
    limits: &Limits,
) -> Result<Scene, SceneError> {
    let mut scene = build(text, parsed, limits)?;
    let run = PlannedRun::of(&scene);
    limits.allot(&mut scene, &run);
    Ok(scene)
}

/// Parses a scene and its overrides.
pub(super) fn parsed(
    text: &SceneText,
    patches: &[Patch],
    limits: &Limits,
) -> Result<ParsedScene, SceneError> {
    parsed_with(text, patches, limits, &Files::of_scene(&text.origin, limits))
}

/// Parses a scene and its overrides, with the given files.
pub(super) fn parsed_with(
    text: &SceneText,
    patches: &[Patch],
    limits: &Limits,
    files: &Arc<Files>,
) -> Result<ParsedScene, SceneError> {
    let source = Source::new(&*text.origin, &*text.text, files);
    if is_sweep(text) {
        let fault = Fault::new("this is a sweep, not a scene").at(0..0);
        let help = "use `catena sweep` to make its table, or `catena render --variant N` to draw \
                    one of its variants";
        return Err(source.error(fault.help(help)));
    }
    let file: SceneFile = parse_unplaced(&source, limits).map_err(|fault| {
        match whole_fault(&source.text, "Scene") {
            Some(whole) => source.error(whole),
            None => {
                let others = further::<SceneFile>(&source, &fault);
                source.error(fault).with_others(others)
            }
        }
    })?;
    let defaults = Source::new("defaults", DEFAULTS, files);
    let mut overrides = Vec::new();
    let shapes = unknown_field::shapes_in(source.root());
    for patch in patches {
        let source = patch.source(files);
        let settings: Settings = parse_unplaced(&source, limits).map_err(|fault| {
            let is_read = |text: &str| read_text::<Settings>(text).is_ok();
            source.error(patch.advise(fault, &shapes, is_read))
        })?;
        overrides.push(SourceLayer { source, settings });
    }
    let lowest = parse(&defaults, &Limits::unlimited())?;
    let defaults = SourceLayer { source: defaults, settings: lowest };
    Ok(ParsedScene { source, file, defaults, overrides, axes: 0, keeps_equal: false })
}

/// Parses a whole text as one value.
pub(super) fn parse<T: FromRon>(source: &Source, limits: &Limits) -> Result<T, SceneError> {
    parse_unplaced(source, limits).map_err(|fault| source.error(fault))
}

/// Parses a whole text as one value; `advise` may add advice to its fault.
pub(super) fn parse_placed<T: FromRon>(
    source: &Source,
    limits: &Limits,
    advise: impl Fn(Fault) -> Fault,
) -> Result<T, SceneError> {
    parse_unplaced(source, limits).map_err(|fault| source.error(advise(fault)))
}

/// Parses a whole text as one value; the fault has no source yet.
fn parse_unplaced<T: FromRon>(source: &Source, limits: &Limits) -> Result<T, Fault> {
    scan(&source.text, limits)?;
    check_syntax(&source.text, |fault| value_advice::advise(fault, &source.text))?;
    T::from_ron(source.root()).map_err(|fault| advised(source, fault))
}

/// Adds the path of its field and advice to a fault.
fn advised(source: &Source, fault: Fault) -> Fault {
    let path = fault.span.as_ref().map(|span| source.root().path_at(span.start));
    let path = path.unwrap_or_default();
    let fault = with_field(unknown_field::advise(fault, source.root(), &path), &path);
    value_advice::advise(fault, &source.text)
}

/// Maximum number of further faults of a text.
const MAX_OTHERS: usize = 7;
/// Maximum number of fields that are removed to find further faults.
const MAX_LEFT_OUT: usize = 24;

/// Returns the faults of a text after the first one, in the order in which they are found. Each
/// field at fault is replaced by spaces, and the text is read again. A text that is not valid RON
/// has only its first fault.
fn further<T: FromRon>(source: &Source, first: &Fault) -> Vec<Fault> {
    let (mut text, mut next, mut others) = (source.text.to_string(), first.clone(), Vec::new());
    if check_syntax(&text, |fault| fault).is_err() {
        return others;
    }
    for _ in 0..MAX_LEFT_OUT {
        let Some(at) = next.span.as_ref().map(|span| span.start) else { break };
        let Some(rest) = without_field(&text, at) else { break };
        text = rest;
        let Err(fault) = T::from_ron(Tree::parse(text.as_str()).root()) else { break };
        // A missing field may be one that was removed above.
        if !fault.is_missing_field() {
            others.push(advised(source, fault.clone()));
        }
        if others.len() == MAX_OTHERS {
            break;
        }
        next = fault;
    }
    others
}

/// Replaces the field around a byte by spaces. This is an unknown field, or a field of the settings
/// with its whole value, so that no part of the value can be missing. Returns `None` if there is
/// no such field.
fn without_field(text: &str, at: usize) -> Option<String> {
    let tree = Tree::parse(text);
    let (mut node, mut field, mut path) = (tree.root(), None, String::new());
    let known = fields();
    let holds = |entry: &Node<'_>| (entry.written_name().1..entry.span().end.max(at)).contains(&at);
    while let Some(entry) = node.entries().find(holds) {
        if !entry.name().is_empty() {
            field = Some(entry.written_name().1..entry.span().end);
            path = format!("{path}.{}", entry.name());
            let inside = field_path(path.trim_start_matches('.'));
            if known.iter().any(|field| field.path == inside) {
                break;
            }
        }
        node = entry;
    }
    let mut field = field?;
    let rest = &text[field.end..];
    let spaces = rest.len() - rest.trim_start().len();
    if rest.trim_start().starts_with(',') {
        field.end += spaces + 1;
    }
    let blank: String = text[field.clone()].bytes().map(|_| ' ').collect();
    Some([&text[..field.start], &blank, &text[field.end..]].concat())
}

/// Adds the field's path to a fault, and advice if the fault has none: the expected value, or where
/// to read more if the message already contains it.
fn with_field(fault: Fault, path: &str) -> Fault {
    if path.is_empty() {
        return fault;
    }
    let (all, inside) = (fields(), field_path(path));
    // A part of a value is described by the whole value.
    let around = successors(Some(inside.as_str()), |path| Some(path.rsplit_once('.')?.0));
    let known = around.filter_map(|path| all.iter().find(|field| field.path == path)).next();
    let advice = known.map(|field| match fault.message.contains(&field.expected) {
        true => format!("`catena fields {}` explains this field", field.path),
        false => format!("`{}` is {}", field.path, field.expected),
    });
    Fault { field: Some(path.into()), help: fault.help.or(advice), ..fault }
}

/// Returns the path inside the settings: the part after `base` or the last `with`, without indices.
fn field_path(path: &str) -> String {
    let after_with = path.rsplit_once("with.").map_or(path, |(_, rest)| rest);
    let inside = after_with.strip_prefix("base.").unwrap_or(after_with);
    inside.split('[').next().unwrap_or(inside).into()
}

impl Scene {
    /// Returns the simulated time per frame, which is equal for all bodies without slips.
    pub fn frame_time(&self) -> f64 {
        frame_time(&self.parsed).unwrap_or(1.0)
    }
}

/// Returns the simulated time per frame of an unbuilt scene, from its text and the values of
/// `--set`. Returns `None` if they cannot be parsed. Files that the scene names are not read.
pub fn frame_time_of(text: &str, set: &[String]) -> Option<f64> {
    let limits = Limits::default();
    let bytes = text.as_bytes().to_vec();
    let text = SceneText::of_bytes(String::new(), String::new(), bytes, limits.file_bytes).ok()?;
    let patches: Vec<Patch> = set.iter().map(|one| one.parse().ok()).collect::<Option<_>>()?;
    frame_time(&parsed(&text, &patches, &limits).ok()?)
}

/// Returns the frame time that the highest layer of a scene sets.
fn frame_time(layers: &ParsedScene) -> Option<f64> {
    let set = layers.overrides.iter().rev().map(|layer| &layer.settings);
    let below = [&layers.file.base, &layers.defaults.settings];
    set.chain(below).find_map(|settings| settings.frame_time.as_ref()).map(|time| time.0)
}
