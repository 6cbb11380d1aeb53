//! What a render has made.

use pyo3::prelude::*;
use std::path::PathBuf;

/// A folder of frames that is rendered.
#[pyclass(frozen, get_all, module = "catena")]
pub(crate) struct Rendered {
    /// The folder: frame_00000.png and so on, and manifest.json.
    pub(crate) folder: PathBuf,
    /// How many frames there are of those that were asked for.
    pub(crate) frames: u64,
    /// The picture of the steady-state comparison; None where none was made.
    pub(crate) steady: Option<PathBuf>,
    /// The frame at which each body diverged, under its label; None where it did not.
    pub(crate) diverged: Vec<(String, Option<u64>)>,
}

#[pymethods]
impl Rendered {
    fn __repr__(&self) -> String {
        format!("<catena.Rendered {} frames in {}>", self.frames, self.folder.display())
    }
}
