//! Folders that a scene may read files from.

use std::path::PathBuf;

/// Advice about the name of a missing file.
pub(crate) const RELATIVE: &str = "file names are relative to the scene file";

/// Advice about a file that may not be read.
pub(crate) const ALLOW: &str = "copy it into that folder, or allow its own folder with --allow-path DIR, or all files with \
                     --allow-any-path";

/// Files outside its own folder that a scene may read. The default allows none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) is_unlimited: bool,
}

impl Access {
    /// Allows files in or below `folders`. Relative paths are relative to the current folder.
    pub fn to_folders(folders: Vec<PathBuf>) -> Self {
        Self { folders, is_unlimited: false }
    }

    /// Allows all files.
    pub fn unlimited() -> Self {
        Self { folders: Vec::new(), is_unlimited: true }
    }

    /// Returns the allowed folders.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Whether all files are allowed.
    pub fn is_unlimited(&self) -> bool {
        self.is_unlimited
    }

    /// Returns the command-line arguments that allow the same files.
    pub fn options(&self) -> Vec<String> {
        if self.is_unlimited {
            return vec!["--allow-any-path".into()];
        }
        let option = |folder: &PathBuf| ["--allow-path".into(), folder.display().to_string()];
        self.folders.iter().flat_map(option).collect()
    }
}
