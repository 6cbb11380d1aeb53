//! Folders of files that belong together, written atomically.
//!
//! The files are written into an unfinished folder next to the final one. The folder gets the final
//! name when all files are complete. The folder holds a list of the files' hashes. The next write
//! replaces a folder only if all its files are listed and unchanged.

use super::{
    OutputError,
    hash::{Hashing, hex, sha256_of_file},
    names::PRIVATE,
    partial,
    unfinished::{Registration, UnfinishedKind, create_folder_inside, create_inside},
};
use catena_base::read;
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// File name of the list of hashes in the private folder. The list has the format of `sha256sum`.
const LIST: &str = "SHA256SUMS";
/// Name of the subfolder of the unfinished folder with the new files.
const CONTENT: &str = "content";
/// Name of the subfolder of the unfinished folder to which the replaced folder is moved.
const OLD: &str = "old";

/// Folder under construction.
pub struct Bundle {
    path: PathBuf,
    unfinished: PathBuf,
    files: Vec<(String, String)>,
    // Dropped in this order, after `drop` has removed the folder.
    _lock: File,
    _listed: Registration,
}

impl Bundle {
    /// Starts a folder for a path.
    ///
    /// # Errors
    /// Returns an error if the path holds something that catena did not write, or no folder can be
    /// created next to the path.
    pub fn begin(path: &Path) -> Result<Self, OutputError> {
        check_free(path)?;
        let refuse = |cause| OutputError::new("make the folder", path, cause);
        let (unfinished, lock, listed) = partial::create_folder(path).map_err(refuse)?;
        let bundle =
            Self { path: path.into(), unfinished, files: Vec::new(), _lock: lock, _listed: listed };
        for folder in [bundle.content(), bundle.content().join(PRIVATE)] {
            create_folder_inside(&folder).map_err(refuse)?;
        }
        Ok(bundle)
    }

    fn content(&self) -> PathBuf {
        self.unfinished.join(CONTENT)
    }

    /// Writes the output of `fill` to a file called `name`.
    ///
    /// # Errors
    /// Returns an error if the disk or `fill` fails.
    pub fn add<E: From<OutputError>>(
        &mut self,
        name: &str,
        fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<(), E> {
        let path = self.path.join(name);
        let refuse = |cause| E::from(OutputError::new("write", &path, cause));
        let mut file = create_inside(&self.content().join(name)).map_err(refuse)?;
        let mut hashing = Hashing::new(&mut file);
        let mut writer = BufWriter::with_capacity(1 << 16, &mut hashing);
        fill(&mut writer)?;
        writer.flush().map_err(refuse)?;
        drop(writer);
        self.files.push((name.into(), hex(&hashing.finish().1)));
        Ok(())
    }

    /// Gives the folder its final name, and replaces an older folder that catena wrote.
    ///
    /// # Errors
    /// Returns an error if something else has taken the name, or the system refuses. The path then
    /// keeps its previous content.
    pub fn publish(self) -> Result<(), OutputError> {
        let refuse = |cause| OutputError::new("write", &self.path, cause);
        let list: String =
            self.files.iter().map(|(name, hash)| format!("{hash}  {name}\n")).collect();
        let mut file = create_inside(&self.content().join(PRIVATE).join(LIST)).map_err(refuse)?;
        file.write_all(list.as_bytes()).map_err(refuse)?;
        // Windows cannot rename a folder that contains an open file.
        drop(file);
        let is_there = check_free(&self.path)?;
        let old = self.unfinished.join(OLD);
        if is_there {
            fs::rename(&self.path, &old).map_err(refuse)?;
        }
        fs::rename(self.content(), &self.path).map_err(|cause| {
            // Restores the older folder, best effort.
            let _ = fs::rename(&old, &self.path);
            refuse(cause)
        })
    }
}

impl Drop for Bundle {
    fn drop(&mut self) {
        let _ = UnfinishedKind::Tree.remove(&self.unfinished);
    }
}

/// Checks that a folder may take a path: the path is free, or holds an empty folder, or an
/// unchanged folder that catena wrote. Returns whether the path exists.
///
/// # Errors
/// Returns an error if the path holds anything else.
pub fn check_free(path: &Path) -> Result<bool, OutputError> {
    let refuse = |cause| OutputError::new("replace", path, cause);
    let meta = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        meta => meta.map_err(refuse)?,
    };
    if !meta.is_dir() {
        return Err(refuse(io::Error::other(
            "it is not a folder, but this format writes a folder of files; choose another -o",
        )));
    }
    let hashes = hashes(path);
    for entry in fs::read_dir(path).map_err(refuse)? {
        let entry = entry.map_err(refuse)?;
        let name = entry.file_name();
        let is_private = name == PRIVATE && holds_nothing_but_list(&entry.path());
        let hash = name.to_str().and_then(|name| hashes.get(name));
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let is_own = || {
            hash.is_some_and(|hash| {
                sha256_of_file(&entry.path(), read::LARGE).is_ok_and(|it| it == *hash)
            })
        };
        let is_known = is_private || (is_file && is_own());
        if !is_known {
            let cause = io::Error::other(
                "catena did not write it, or it was changed since; move it, or choose another -o",
            );
            return Err(OutputError::new("replace", entry.path(), cause));
        }
    }
    Ok(true)
}

/// Whether a private folder contains at most the list of a bundle.
fn holds_nothing_but_list(private: &Path) -> bool {
    let entries = fs::read_dir(private).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name());
    names.all(|name| name == LIST)
}

/// Hashes by file name, from the list in a folder.
fn hashes(path: &Path) -> BTreeMap<String, String> {
    let list = read::text(&path.join(PRIVATE).join(LIST), read::LARGE).unwrap_or_default();
    let line = |line: &str| line.split_once("  ").map(|(hash, name)| (name.into(), hash.into()));
    list.lines().filter_map(line).collect()
}

/// Parent folders created for a file, and removed again if they stay empty.
#[derive(Debug, Default)]
pub struct Around {
    /// Created folders, outermost first.
    made: Vec<(PathBuf, Registration)>,
}

impl Around {
    /// Creates the missing parent folders of a path.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be created.
    pub fn of(path: &Path) -> Result<Self, OutputError> {
        let folder = partial::folder_of(path);
        let missing = folder.ancestors().take_while(|above| {
            !above.as_os_str().is_empty() && fs::symlink_metadata(above).is_err()
        });
        let mut missing: Vec<&Path> = missing.collect();
        missing.reverse();
        let mut around = Self::default();
        for folder in missing {
            let listed = Registration::add(folder, UnfinishedKind::Around);
            match create_folder_inside(folder) {
                Ok(()) => around.made.push((folder.into(), listed)),
                // Another process has created the folder in the meantime.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(cause) => return Err(OutputError::new("make the folder", folder, cause)),
            }
        }
        Ok(around)
    }
}

impl Drop for Around {
    fn drop(&mut self) {
        for (folder, _) in self.made.iter().rev() {
            let _ = UnfinishedKind::Around.remove(folder);
        }
    }
}
