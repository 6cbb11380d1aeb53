//! Parses scene text into the schema and builds the scene, adding field paths to faults.

use super::build::build;
use super::diagnostic::Fault;
use super::error::SceneError;
use super::file::SceneText;
use super::files::{Files, GivenFiles};
use super::limits::{Limits, PlannedRun};
use super::name;
use super::parsed::ParsedScene;
use super::parts::Scene;
use super::patch::Patch;
use super::read::{FromRon, check_syntax, read_text};
use super::scan::scan;
use super::schema::{DEFAULTS, SceneFile, Settings, fields};
use super::source::Source;
use super::sweep::is_sweep;
use super::unknown_field;
use super::value_advice;
use catena_ron::whole_fault;
use std::{iter::successors, path::PathBuf, str::FromStr, sync::Arc};

impl FromStr for Scene {
    type Err = SceneError;

    /// Reads the text of a scene file within the default limits. Its name is `scene`.
    fn from_str(text: &str) -> Result<Self, SceneError> {
        let limits = Limits::default();
        let name = name::STDIN.to_owned();
        let bytes = text.as_bytes().to_vec();
        let text = SceneText::of_bytes(name.clone(), name, bytes, limits.file_bytes)?;
        load_within(&text, &[], &limits)
    }
}

/// Reads a scene with the default limits and builds it.
///
/// # Errors
/// A [`SceneError`] that points at the first thing that cannot be used.
pub fn load(text: &SceneText, patches: &[Patch]) -> Result<Scene, SceneError> {
    load_within(text, patches, &Limits::default())
}

/// Reads a scene within limits and builds it. [`Limits::check_run`] judges what a run of it takes;
/// simulations get the budget of `catena render` without options, by [`Limits::allot`].
///
/// # Errors
/// A [`SceneError`] that points at the first thing that cannot be used.
pub fn load_within(
    text: &SceneText,
    patches: &[Patch],
    limits: &Limits,
) -> Result<Scene, SceneError> {
    load_with_files(text, patches, limits).0
}

/// Reads a scene whose files are given as bytes, and builds it. No file system is used.
///
/// # Errors
/// A [`SceneError`] that points at the first thing that cannot be used, such as the name of a file
/// that is not given.
pub fn load_with_given(
    text: &SceneText,
    patches: &[Patch],
    limits: &Limits,
    files: GivenFiles,
) -> Result<Scene, SceneError> {
    let parsed = parsed_beside(text, patches, limits, &Files::given(files, limits))?;
    finish(text, parsed, limits)
}

/// The same as [`load_within`], and beside it the paths of all files that the scene asked for, also of those that are
/// missing.
pub fn load_with_files(
    text: &SceneText,
    patches: &[Patch],
    limits: &Limits,
) -> (Result<Scene, SceneError>, Vec<PathBuf>) {
    let files = Files::beside(&text.origin, limits);
    let parsed = parsed_beside(text, patches, limits, &files);
    (parsed.and_then(|parsed| finish(text, parsed, limits)), files.asked())
}

/// Builds a scene that was parsed, and allots the budgets of its simulations.
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

/// Parses a scene and the changes above it.
pub(super) fn parsed(
    text: &SceneText,
    patches: &[Patch],
    limits: &Limits,
) -> Result<ParsedScene, SceneError> {
    parsed_beside(text, patches, limits, &Files::beside(&text.origin, limits))
}

/// The same with the files beside it.
fn parsed_beside(
    text: &SceneText,
    patches: &[Patch],
    limits: &Limits,
    files: &Arc<Files>,
) -> Result<ParsedScene, SceneError> {
    let source = Source::new(&*text.origin, &*text.text, files);
    if is_sweep(text) {
        let fault = Fault::new("this is a sweep of many scenes").at(0..0);
        let help = "`catena sweep` makes its table, and `catena render --variant N` draws one of its variants";
        return Err(source.error(fault.help(help)));
    }
    let file: SceneFile =
        parse_placed(&source, limits, |fault| whole_fault(&source.text, "Scene").unwrap_or(fault))?;
    let defaults = Source::new("defaults", DEFAULTS, files);
    let mut overrides = Vec::new();
    for patch in patches {
        let source = patch.source(files);
        let settings: Settings = parse_unplaced(&source, limits).map_err(|fault| {
            let is_read = |text: &str| read_text::<Settings>(text).is_ok();
            source.error(patch.advise(fault, is_read))
        })?;
        overrides.push((source, settings));
    }
    let lowest = parse(&defaults, &Limits::unlimited())?;
    Ok(ParsedScene {
        source,
        file,
        defaults: (defaults, lowest),
        overrides,
        axes: 0,
        keeps_equal: false,
    })
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

/// Parses a whole text as one value; the fault does not yet say which source it is in.
fn parse_unplaced<T: FromRon>(source: &Source, limits: &Limits) -> Result<T, Fault> {
    scan(&source.text, limits)?;
    check_syntax(&source.text, |fault| value_advice::advise(fault, &source.text))?;
    T::from_ron(source.root()).map_err(|fault| {
        let path = fault.span.as_ref().map(|span| source.root().path_at(span.start));
        let fault = with_field(unknown_field::advise(fault), &path.unwrap_or_default());
        value_advice::advise(fault, &source.text)
    })
}

/// Adds the field's path and, where the fault has no advice yet, what the field expects.
fn with_field(fault: Fault, path: &str) -> Fault {
    if path.is_empty() {
        return fault;
    }
    let (all, inside) = (fields(), field_path(path));
    // A part of a value has what the whole value is.
    let around = successors(Some(inside.as_str()), |path| Some(path.rsplit_once('.')?.0));
    let known = around.filter_map(|path| all.iter().find(|field| field.path == path)).next();
    let expected = known.map(|field| format!("`{}` is {}", field.path, field.expected));
    Fault { field: Some(path.into()), help: fault.help.or(expected), ..fault }
}

/// The path inside Settings: what follows `base` or the last `with`, without indices.
fn field_path(path: &str) -> String {
    let after_with = path.rsplit_once("with.").map_or(path, |(_, rest)| rest);
    let inside = after_with.strip_prefix("base.").unwrap_or(after_with);
    inside.split('[').next().unwrap_or(inside).into()
}
