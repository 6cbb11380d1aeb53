//! Reads scene text into the schema, and says where it failed.

use super::build::{Scene, build};
use super::diagnostic::{Fault, SceneError};
use super::limits::{LIFT, Limits, Run};
use super::locate::path_at;
use super::name;
use super::read::FromRon;
use super::scan::scan;
use super::schema::{DEFAULTS, SceneFile, Settings, fields};
use super::written::Written;
use crate::read;
use ron::{Options, extensions::Extensions};
use std::{fs, io, path::Path};

/// How RON is read everywhere: optional fields are written without `Some`.
pub(super) fn ron_options() -> Options {
    Options::default().with_default_extension(Extensions::IMPLICIT_SOME)
}

/// The text of a scene and what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneText {
    /// What messages call it: the path as it was given.
    pub origin: String,
    /// The scene's name: the file name without its ending.
    pub name: String,
    /// The text, without a byte-order mark.
    pub text: String,
}

impl SceneText {
    /// Reads a file; `-` is standard input.
    ///
    /// # Errors
    /// When it cannot be read, is no text, is empty or is larger than a scene can be.
    pub fn read(path: &Path) -> Result<Self, SceneError> {
        Self::read_within(path, &Limits::default())
    }

    /// The same with other limits.
    ///
    /// # Errors
    /// When it cannot be read, is no text, is empty or is larger than the limit.
    pub fn read_within(path: &Path, limits: &Limits) -> Result<Self, SceneError> {
        let most = limits.file_bytes;
        let (origin, name, bytes) = if path == Path::new("-") {
            ("standard input".into(), name::STDIN.into(), read::up_to(most + 1, io::stdin()))
        } else {
            // A scene may come through a pipe, as `<(…)` of a shell.
            let bytes = fs::File::open(path).and_then(|file| read::up_to(most + 1, file));
            (path.display().to_string(), name::of(path), bytes)
        };
        let refuse = |text: &str, fault: Fault| Err(SceneError::new(&origin, text, fault));
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) if path.is_dir() => {
                let fault = Fault::new(format!("this is a folder, not a scene file ({error})"));
                return refuse("", fault.help("name a file in it, such as scenes/compare.ron"));
            }
            Err(error) => return refuse("", Fault::new(format!("cannot be read: {error}"))),
        };
        if bytes.len() as u64 > most {
            let fault = Fault::new(format!("the file has more than the limit of {most} bytes"));
            return refuse("", fault.help(LIFT));
        }
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let good = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let fault =
                    Fault::new("the file is not UTF-8 text").at(good..good + '\u{fffd}'.len_utf8());
                return refuse(&text, fault.help("save it as UTF-8"));
            }
        };
        let text = text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned);
        if text.trim().is_empty() {
            let fault = Fault::new("the file is empty").at(0..0);
            return refuse(
                &text,
                fault.help("the shortest scene is `Scene()`; see docs/scene-format.md"),
            );
        }
        Ok(Self { origin, name, text })
    }
}

/// A change of one field from the command line, laid over everything in the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The field's path, such as `rope.nodes`.
    path: String,
    value: String,
}

impl std::str::FromStr for Patch {
    type Err = String;

    /// Reads `PATH=VALUE`.
    fn from_str(text: &str) -> Result<Self, String> {
        let Some((path, value)) = text.split_once('=') else {
            return Err("expected PATH=VALUE, such as rope.nodes=8".into());
        };
        let is_name =
            |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !path.split('.').all(is_name) {
            return Err(format!(
                "`{path}` is not a path of names joined by dots, such as rope.nodes"
            ));
        }
        if value.trim().is_empty() {
            return Err(format!("there is no value behind `{path}=`"));
        }
        // Text such as `1, b: 2` would set more than one field.
        if let Err(error) = ron::value::RawValue::from_ron(value) {
            return Err(format!("`{value}` is not one value: {}", error.code));
        }
        Ok(Self { path: path.into(), value: value.into() })
    }
}

impl Patch {
    /// `PATH=VALUE`, as it was given.
    pub fn text(&self) -> String {
        format!("{}={}", self.path, self.value)
    }

    fn origin(&self) -> String {
        format!("--set {}", self.text())
    }

    /// As a layer: `rope.nodes=8` is `(rope: (nodes: 8))`.
    fn ron(&self) -> String {
        let open: String = self.path.split('.').map(|part| format!("({part}: ")).collect();
        format!("{open}{}{}", self.value, ")".repeat(self.path.split('.').count()))
    }
}

/// A text that a layer came from.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) origin: String,
    pub(super) text: String,
}

/// Reads a scene and builds what it means.
///
/// # Errors
/// A [`SceneError`] that points at the first thing that cannot be used.
pub fn load(text: &SceneText, patches: &[Patch]) -> Result<Scene, SceneError> {
    load_within(text, patches, &Limits::default())
}

/// The same with other limits. What a run of the scene takes is left to [`Limits::check_run`]; simulations get what
/// [`Limits::allot`] gives them for `catena render` without options.
///
/// # Errors
/// A [`SceneError`] that points at the first thing that cannot be used.
pub fn load_within(
    text: &SceneText,
    patches: &[Patch],
    limits: &Limits,
) -> Result<Scene, SceneError> {
    let source = Source { origin: text.origin.clone(), text: text.text.clone() };
    let file: SceneFile = parse(&source, limits)?;
    let defaults = Source { origin: "defaults".into(), text: DEFAULTS.into() };
    let mut tops = Vec::new();
    for patch in patches {
        let source = Source { origin: patch.origin(), text: patch.ron() };
        let settings: Settings = parse(&source, limits)?;
        tops.push((source, settings));
    }
    let lowest = parse(&defaults, &Limits::unlimited())?;
    let written = Written { source, file, defaults: (defaults, lowest), tops };
    let mut scene = build(text, written, limits)?;
    let run = Run::of(&scene);
    limits.allot(&mut scene, &run);
    Ok(scene)
}

/// Reads a text that stands for itself.
pub(super) fn parse<T: FromRon>(source: &Source, limits: &Limits) -> Result<T, SceneError> {
    scan(&source.text, limits)
        .map_err(|fault| SceneError::new(&source.origin, &source.text, fault))?;
    T::from_ron(&source.text).map_err(|fault| {
        let path = fault.span.as_ref().map(|span| path_at(&source.text, span.start));
        let fault = with_field(fault, &path.unwrap_or_default());
        SceneError::new(&source.origin, &source.text, fault)
    })
}

/// Adds the field's path and, where the fault has no advice yet, what the field expects.
fn with_field(fault: Fault, path: &str) -> Fault {
    if path.is_empty() {
        return fault;
    }
    let expected = fields()
        .into_iter()
        .find(|field| field.path == field_path(path))
        .map(|field| format!("`{}` is {}", field.path, field.expected));
    Fault { field: Some(path.into()), help: fault.help.or(expected), ..fault }
}

/// The path inside of Settings: what follows `base` or the last `with`, without indices.
fn field_path(path: &str) -> String {
    let after_with = path.rsplit_once("with.").map_or(path, |(_, rest)| rest);
    let inside = after_with.strip_prefix("base.").unwrap_or(after_with);
    inside.split('[').next().unwrap_or(inside).into()
}
