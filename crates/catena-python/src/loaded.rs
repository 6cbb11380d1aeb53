//! A loaded scene, and reading of scene files.

use crate::{errors, waiting::wait_for};
use catena::scene::{self, Access, Limits, Patch, SceneText};
use pyo3::prelude::*;
use std::{fs::File, path::Path};

/// Content of a scene, shared with work that outlives a call.
pub(crate) struct Loaded {
    pub(crate) scene: scene::Scene,
    pub(crate) text: SceneText,
    pub(crate) patches: Vec<Patch>,
    pub(crate) limits: Limits,
}

/// Limits for reading a scene.
pub(crate) fn limits(unlimited: bool, access: Access) -> Limits {
    let limits = if unlimited { Limits::unlimited() } else { Limits::default() };
    limits.with_access(access)
}

/// Reads the text of a scene file. If the file cannot be opened, raises OSError, with a suggestion
/// if a similar path exists.
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
