//! Templates of scenes: small, commented and complete files.

use catena_output::{OutputError, atomic::create_unfinished};
use std::{fs, io, io::Write, path::Path};

/// A template of a scene or sweep.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// Name of the template.
    pub name: &'static str,
    /// Description of its content.
    pub summary: &'static str,
    /// Text of its file.
    pub text: &'static str,
    /// Whether it is a sweep rather than a scene.
    pub is_sweep: bool,
}

/// All templates. The first is the default.
pub const TEMPLATES: &[Template] = &[
    Template {
        name: "rope",
        summary: "a rope that is held at one end and falls over a ball",
        text: include_str!("rope.ron"),
        is_sweep: false,
    },
    Template {
        name: "homework",
        summary: "the rope of GAMES101, assignment 8: three methods at 64 and 1024 steps per frame",
        text: include_str!("homework.ron"),
        is_sweep: false,
    },
    Template {
        name: "compare",
        summary: "three methods side by side on the same rope",
        text: include_str!("compare.ron"),
        is_sweep: false,
    },
    Template {
        name: "cloth",
        summary: "a cloth on two pins in gusts of wind",
        text: include_str!("cloth.ron"),
        is_sweep: false,
    },
    Template {
        name: "knot",
        summary: "a knot that is pulled tight and held by friction",
        text: include_str!("knot.ron"),
        is_sweep: false,
    },
    Template {
        name: "cape",
        summary: "a cape on the shoulders of a figure that turns",
        text: include_str!("cape.ron"),
        is_sweep: false,
    },
    Template {
        name: "sweep",
        summary: "the longest stable step of a method: many runs, one table",
        text: include_str!("sweep.ron"),
        is_sweep: true,
    },
];

/// Error of writing a template.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// A file or folder with this path exists.
    #[error("a file or folder with this name already exists")]
    Taken,
    /// A folder or the file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl Template {
    /// Returns the template with this name.
    pub fn of(name: &str) -> Option<&'static Self> {
        TEMPLATES.iter().find(|template| template.name == name)
    }

    /// Writes the template to a new file, and creates its parent folders.
    ///
    /// # Errors
    /// The path exists, in which case nothing changes, or a folder or file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), TemplateError> {
        write_new(path, self.text)
    }
}

/// Writes a text to a new file, and creates its parent folders.
///
/// # Errors
/// The path exists, in which case nothing changes, or a folder or file cannot be written.
pub fn write_new(path: &Path, text: &str) -> Result<(), TemplateError> {
    if path.symlink_metadata().is_ok() {
        return Err(TemplateError::Taken);
    }
    let refuse = |cause| TemplateError::Output(OutputError::new("write", path, cause));
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)
            .map_err(|cause| OutputError::new("make the folder", folder, cause))?;
    }
    let mut file = create_unfinished(path).map_err(refuse)?;
    file.file().write_all(text.as_bytes()).map_err(refuse)?;
    file.persist_new(path).map_err(|cause| match cause.kind() {
        io::ErrorKind::AlreadyExists => TemplateError::Taken,
        _ => refuse(cause),
    })
}
