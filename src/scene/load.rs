//! Reads scene text into the schema, and says where it failed.

use super::build::{Scene, build};
use super::diagnostic::Fault;
use super::error::SceneError;
use super::limits::{LIFT, Limits, Run};
use super::locate::path_at;
use super::name;
use super::patch::{Patch, Typed};
use super::read::FromRon;
use super::scan::scan;
use super::schema::{DEFAULTS, SceneFile, Settings, fields};
use super::slips::slip;
use super::whereabouts;
use super::written::Written;
use crate::read;
use ron::{Options, extensions::Extensions};
use std::{fs, io, path::Path, str::FromStr};

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
                let first = whereabouts::first(path);
                let first = first.map_or(String::new(), |path| format!(", such as {path}"));
                return refuse("", fault.help(format!("name a file in it{first}")));
            }
            Err(error) => {
                let fault = Fault::new(format!("cannot be read: {error}"));
                let meant = Some(()).filter(|()| error.kind() == io::ErrorKind::NotFound);
                return refuse(
                    "",
                    match meant.and_then(|()| whereabouts::meant(path)) {
                        Some(meant) => fault.help(format!("did you mean {meant}?")),
                        None => fault,
                    },
                );
            }
        };
        Self::of_bytes(origin, name, bytes, most)
    }

    /// A text of at most so many bytes, which must be UTF-8 and not empty.
    fn of_bytes(
        origin: String,
        name: String,
        bytes: Vec<u8>,
        most: u64,
    ) -> Result<Self, SceneError> {
        let refuse = |text: &str, fault: Fault| Err(SceneError::new(&origin, text, fault));
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

impl FromStr for Scene {
    type Err = SceneError;

    /// Reads the text of a scene file, within the default limits. Its name is `scene`.
    fn from_str(text: &str) -> Result<Self, SceneError> {
        let limits = Limits::default();
        let name = name::STDIN.to_owned();
        let bytes = text.as_bytes().to_vec();
        let text = SceneText::of_bytes(name.clone(), name, bytes, limits.file_bytes)?;
        load_within(&text, &[], &limits)
    }
}

/// A text that a layer came from.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) origin: String,
    pub(super) text: String,
    /// What was typed, where the text was made from an option.
    pub(super) typed: Option<Typed>,
}

impl Source {
    /// The error for a fault in the text.
    pub(super) fn error(&self, fault: Fault) -> SceneError {
        match &self.typed {
            Some(typed) => typed.error(&self.origin, fault),
            None => SceneError::new(&self.origin, &self.text, fault),
        }
    }
}

/// Reads a scene and builds what it means.
///
/// # Errors
/// A [`SceneError`] that points at the first thing that cannot be used.
pub fn load(text: &SceneText, patches: &[Patch]) -> Result<Scene, SceneError> {
    load_within(text, patches, &Limits::default())
}

/// The same with other limits. What a run of the scene takes is left to [`Limits::check_run`];
/// simulations get what [`Limits::allot`] gives them for `catena render` without options.
///
/// # Errors
/// A [`SceneError`] that points at the first thing that cannot be used.
pub fn load_within(
    text: &SceneText,
    patches: &[Patch],
    limits: &Limits,
) -> Result<Scene, SceneError> {
    let source = Source { origin: text.origin.clone(), text: text.text.clone(), typed: None };
    let file: SceneFile = parse(&source, limits)?;
    let defaults = Source { origin: "defaults".into(), text: DEFAULTS.into(), typed: None };
    let mut tops = Vec::new();
    for patch in patches {
        let source = patch.source();
        let settings: Settings = read_source(&source, limits).map_err(|fault| {
            let is_read = |text: &str| Settings::from_ron(text).is_ok();
            source.error(patch.advise(fault, is_read))
        })?;
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
    read_source(source, limits).map_err(|fault| source.error(fault))
}

fn read_source<T: FromRon>(source: &Source, limits: &Limits) -> Result<T, Fault> {
    scan(&source.text, limits)?;
    T::from_ron(&source.text).map_err(|fault| {
        // Where the text as such cannot be read, what stands in it means nothing yet.
        let is_sound = ron::value::RawValue::from_ron(&source.text).is_ok();
        if let Some(slip) = (!is_sound).then(|| slip(&source.text)).flatten() {
            return slip;
        }
        let path = fault.span.as_ref().map(|span| path_at(&source.text, span.start));
        with_field(fault, &path.unwrap_or_default())
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
