//! Access to files: a scene may read those at and below its own folder, and others that its reader
//! allows.
//!
//! Scenes come from strangers, and a message about a file may show text of it. Links and `..` are
//! resolved before a path is compared with the folder.

use super::diagnostic::Fault;
use std::path::{Component, Path, PathBuf};

/// Files outside of its own folder that a scene may read: none, unless its reader allows them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    folders: Vec<PathBuf>,
    is_unlimited: bool,
}

/// A file that may be read.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Path without links.
    pub(super) path: PathBuf,
    /// Whether the path is outside of the scene's folder. Messages then show no text of the file.
    pub(super) is_outside: bool,
}

/// Advice about a file that may not be read.
pub(super) const ALLOW: &str = "copy it into that folder, or allow its own folder with --allow-path DIR, or all files with \
                     --allow-any-path";

impl Access {
    /// Allows files at and below some folders. A relative one is relative to the current folder.
    pub fn to_folders(folders: Vec<PathBuf>) -> Self {
        Self { folders, is_unlimited: false }
    }

    /// Allows all files.
    pub fn unlimited() -> Self {
        Self { folders: Vec::new(), is_unlimited: true }
    }

    /// Folders that are allowed.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Whether all files are allowed.
    pub fn is_unlimited(&self) -> bool {
        self.is_unlimited
    }

    /// The options that allow the same, word by word.
    pub fn options(&self) -> Vec<String> {
        if self.is_unlimited {
            return vec!["--allow-any-path".into()];
        }
        let option = |folder: &PathBuf| ["--allow-path".into(), folder.display().to_string()];
        self.folders.iter().flat_map(option).collect()
    }

    /// Finds a file that a scene in a folder names.
    ///
    /// # Errors
    /// Where the scene may not read it. Whether it exists is not said.
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

/// A path without links, as far as it exists; `None` where `..` stands in what does not.
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
