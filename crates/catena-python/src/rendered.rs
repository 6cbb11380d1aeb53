//! Result of a render.

use pyo3::prelude::*;
use std::path::PathBuf;

/// A rendered folder of frames.
#[pyclass(frozen, get_all, module = "catena")]
pub(crate) struct Rendered {
    /// Folder with frame_00000.png and so on, and manifest.json.
    pub(crate) folder: PathBuf,
    /// Number of requested frames that exist.
    pub(crate) frames: u64,
    /// Path of the steady-state comparison; None if there is none.
    pub(crate) steady: Option<PathBuf>,
    /// Label of each body and the frame at which it diverged; None if it did not.
    pub(crate) diverged: Vec<(String, Option<u64>)>,
}

#[pymethods]
impl Rendered {
    fn __repr__(&self) -> String {
        format!("<catena.Rendered {} frames in {}>", self.frames, self.folder.display())
    }
}
