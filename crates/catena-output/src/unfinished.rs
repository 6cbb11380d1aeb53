//! Files under temporary names, and the list of those that this process has, so that it can remove
//! them when it ends early.

use super::OutputError;
use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io, mem,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};
use tempfile::{Builder, NamedTempFile, TempPath};

/// The temporary files and folders of this process that exist or are being made.
static UNFINISHED: Mutex<BTreeMap<PathBuf, Kind>> = Mutex::new(BTreeMap::new());

/// What is removed with a process that ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A file.
    File,
    /// A folder with all that lies in it.
    Tree,
    /// A folder that was made for a file, if nothing lies in it.
    Around,
}

impl Kind {
    pub(super) fn remove(self, path: &Path) -> io::Result<()> {
        match self {
            Self::File => fs::remove_file(path),
            Self::Tree => fs::remove_dir_all(path),
            Self::Around => fs::remove_dir(path),
        }
    }
}

fn all() -> MutexGuard<'static, BTreeMap<PathBuf, Kind>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The temporary files of this process.
pub fn unfinished() -> Vec<PathBuf> {
    all().keys().cloned().collect()
}

/// Makes a file in an unfinished folder, unless the process is ending.
pub(super) fn create_inside(path: &Path) -> io::Result<File> {
    let _listed = all();
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Removes the temporary files of this process, which must end after this: other threads that make
/// or finish one wait from now on.
pub fn remove_unfinished() {
    let all = all();
    // What lies in a folder comes before the folder.
    for (path, kind) in all.iter().rev() {
        // A file that has its final name by now, or cannot be removed, must not keep the process
        // from ending.
        let _ = kind.remove(path);
    }
    mem::forget(all);
}

/// The entry of a file or folder in the list, removed when this value is dropped.
#[derive(Debug)]
pub(super) struct Registration(PathBuf);

impl Registration {
    pub(super) fn add(path: &Path, kind: Kind) -> Self {
        all().insert(path.into(), kind);
        Self(path.into())
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        all().remove(&self.0);
    }
}

/// A file under a temporary name, removed when this value is dropped before the file takes its
/// final name.
#[derive(Debug)]
pub struct UnfinishedFile {
    // Fields are dropped in this order, so the file is listed as long as it exists.
    file: NamedTempFile,
    _listed: Registration,
}

impl UnfinishedFile {
    /// Makes a file in a folder, with a random part between prefix and suffix.
    pub(super) fn create(folder: &Path, prefix: &str, suffix: &str) -> io::Result<Self> {
        Self::build(folder, Builder::new().prefix(prefix).suffix(suffix))
    }

    /// Makes a file of this name in a folder.
    pub(super) fn create_named(folder: &Path, name: &str) -> io::Result<Self> {
        Self::build(folder, Builder::new().prefix(name).rand_bytes(0))
    }

    /// Makes a file with the permissions of an ordinary new file; tempfile's own would be stricter.
    fn build(folder: &Path, builder: &Builder<'_, '_>) -> io::Result<Self> {
        let mut listed = None;
        let create = |path: &Path| {
            // Listed before the file exists, since the process may be ended between the two.
            listed = Some(Registration::add(path, Kind::File));
            OpenOptions::new().write(true).create_new(true).open(path)
        };
        let file = builder.make_in(folder, create)?;
        let listed = listed.unwrap_or_else(|| Registration::add(file.path(), Kind::File));
        Ok(Self { file, _listed: listed })
    }

    /// Its temporary path.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// The open file. Unlike [`NamedTempFile`], its errors do not name the temporary path.
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Closes the file, since more files may wait for their names than the process can have open.
    pub fn close(self) -> ClosedFile {
        ClosedFile { path: self.file.into_temp_path(), _listed: self._listed }
    }

    /// Gives the file its final name.
    ///
    /// # Errors
    /// When the system refuses; then the file is removed.
    pub fn persist(self, path: &Path) -> io::Result<()> {
        self.file.persist(path).map(drop).map_err(|error| error.error)
    }

    /// Gives the file its final name, if no file has it.
    ///
    /// # Errors
    /// When a file has it, or when the system refuses; then this file is removed.
    pub fn persist_new(self, path: &Path) -> io::Result<()> {
        self.file.persist_noclobber(path).map(drop).map_err(|error| error.error)
    }

    /// Like [`UnfinishedFile::persist`], with an error that names the path.
    ///
    /// # Errors
    /// As [`UnfinishedFile::persist`].
    pub fn publish(self, path: &Path) -> Result<(), OutputError> {
        self.persist(path).map_err(|cause| OutputError::new("write", path, cause))
    }
}

/// A closed [`UnfinishedFile`].
#[derive(Debug)]
pub struct ClosedFile {
    path: TempPath,
    _listed: Registration,
}

impl ClosedFile {
    /// Its temporary path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its final name, as the last part of writing it.
    ///
    /// # Errors
    /// When the system refuses; then the file is removed.
    pub fn publish(self, path: &Path) -> Result<(), OutputError> {
        let named = self.path.persist(path);
        named.map_err(|error| OutputError::new("write", path, error.error))
    }
}
