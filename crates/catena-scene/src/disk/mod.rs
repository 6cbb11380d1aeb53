//! File-system access for scenes and the files that they name.
//!
//! Scenes may be untrusted, and error messages may quote the files that they name. Links and `..`
//! are therefore resolved before a path is compared with the scene's folder.
//!
//! The feature `files` enables this module. Without it, scenes are given as text and their files as
//! bytes.

mod scene_text;
pub(super) mod similar_file;

use super::access::{ALLOW, Access};
use super::diagnostic::Fault;
use super::files::RELATIVE;
use super::limits::LIFT;
use super::slashes;
use catena_base::read;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// File that may be read.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Path with links resolved.
    pub(super) path: PathBuf,
    /// Whether the path is outside the scene's folder. Messages then quote no text of the file.
    pub(super) is_outside: bool,
}

/// Reads a file of at most `most` bytes that a scene in `folder` names.
///
/// # Errors
/// Returns an error when the file cannot be read, is not a regular file, or is too large.
pub(super) fn read_found(
    found: &Found,
    folder: &Path,
    name: &str,
    most: u64,
) -> Result<Vec<u8>, Fault> {
    read::file(&found.path, most).map_err(|error| {
        let fault = Fault::new(format!("{} cannot be read: {error}", folder.join(name).display()));
        match error.kind() {
            ErrorKind::NotFound => {
                fault.help(slashes::advice(name).unwrap_or_else(|| RELATIVE.into()))
            }
            ErrorKind::InvalidData => fault.help(LIFT),
            _ => fault.help("name an ordinary file"),
        }
    })
}

impl Access {
    /// Resolves a file that a scene in `folder` names.
    ///
    /// # Errors
    /// Returns an error when the scene may not read the file. The message does not reveal whether
    /// the file exists.
    pub(super) fn find(&self, folder: &Path, name: &str) -> Result<Found, Fault> {
        let asked = folder.join(name);
        let refused = || {
            let shown = asked.display();
            let fault = Fault::new(format!(
                "{shown} is outside of the folder of the file that names it, or a link out of it"
            ));
            fault.help(ALLOW)
        };
        let path = resolved(&asked).ok_or_else(refused)?;
        let home = resolved(folder).ok_or_else(refused)?;
        let is_outside = !path.starts_with(home);
        let allows = |folder: &PathBuf| resolved(folder).is_some_and(|it| path.starts_with(it));
        let is_allowed = !is_outside || self.is_unlimited || self.folders.iter().any(allows);
        if is_allowed { Ok(Found { path, is_outside }) } else { Err(refused()) }
    }
}

/// Resolves the links of the existing part of a path. Returns `None` if the missing part contains
/// `..`.
fn resolved(path: &Path) -> Option<PathBuf> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let mut missing = Vec::new();
    let mut known = path;
    loop {
        let here = if known.as_os_str().is_empty() { Path::new(".") } else { known };
        if let Ok(real) = here.canonicalize() {
            return Some(missing.iter().rev().fold(real, |real, name| real.join(name)));
        }
        match known.components().next_back()? {
            Component::Normal(name) => missing.push(name.to_owned()),
            Component::CurDir => {}
            _ => return None,
        }
        known = known.parent()?;
    }
}
