//! A scene that is read, and how its text is read from a file.

use crate::{errors, waiting::wait_for};
use catena::scene::{self, Access, Limits, Patch, SceneText};
use pyo3::prelude::*;
use std::{fs::File, path::Path};

/// The content of a scene. Work that outlives a call shares it.
pub(crate) struct Loaded {
    pub(crate) scene: scene::Scene,
    pub(crate) text: SceneText,
    pub(crate) patches: Vec<Patch>,
    pub(crate) limits: Limits,
}

/// The limits that a scene is read within.
pub(crate) fn limits(unlimited: bool, access: Access) -> Limits {
    let limits = if unlimited { Limits::unlimited() } else { Limits::default() };
    limits.with_access(access)
}

/// Reads the text of a file. A file that the system does not give is an OSError, with the path
/// that may have been meant.
pub(crate) fn read_text(py: Python<'_>, path: &Path, limits: &Limits) -> PyResult<SceneText> {
    let (own_path, limits) = (path.to_owned(), limits.clone());
    let read = wait_for(py, move |_| SceneText::read_within(&own_path, &limits))?;
    read.map_err(|error| match File::open(path) {
        Err(cause) => {
            let help = error.help().map_or(String::new(), |help| format!("; {help}"));
            errors::of_file(&cause, format!("cannot read a scene{help}"), path)
        }
        Ok(_) => errors::of_scene(py, &error),
    })
}
