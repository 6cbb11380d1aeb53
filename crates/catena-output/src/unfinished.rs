//! Files under temporary names, and the list of the temporary files that this process owns. A
//! process that ends early removes its temporary files.

use super::OutputError;
use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io, mem,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};
use tempfile::{Builder, NamedTempFile, TempPath};

/// Temporary files and folders of this process that exist or are being created.
static UNFINISHED: Mutex<BTreeMap<PathBuf, UnfinishedKind>> = Mutex::new(BTreeMap::new());

/// Kind of a path that is removed when the process ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnfinishedKind {
    /// Regular file.
    File,
    /// Folder, removed with its content.
    Tree,
    /// Parent folder created for a file, removed if it is empty.
    Around,
}

impl UnfinishedKind {
    /// Removes a path, unless the process is ending and will remove it. Two threads that remove the
    /// same folder would fail at files that the other thread has removed.
    pub(super) fn remove(self, path: &Path) -> io::Result<()> {
        let _listed = all();
        self.remove_at_end(path)
    }

    fn remove_at_end(self, path: &Path) -> io::Result<()> {
        match self {
            Self::File => fs::remove_file(path),
            Self::Tree => remove_tree(path),
            Self::Around => fs::remove_dir(path),
        }
    }
}

/// File in an unfinished folder that its writer locks.
pub(super) const LOCK: &str = "lock";

/// Removes an unfinished folder, with its lock last. If the removal is interrupted, the rest of the
/// folder still has a lock, which the next writer finds free.
fn remove_tree(path: &Path) -> io::Result<()> {
    for entry in fs::read_dir(path)?.flatten().filter(|entry| entry.file_name() != LOCK) {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let inner = entry.path();
        let _ = if is_folder { fs::remove_dir_all(inner) } else { fs::remove_file(inner) };
    }
    fs::remove_dir_all(path)
}

fn all() -> MutexGuard<'static, BTreeMap<PathBuf, UnfinishedKind>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Temporary files and folders of this process.
pub fn unfinished() -> Vec<PathBuf> {
    all().keys().cloned().collect()
}

/// Creates a file in an unfinished folder, unless the process is ending.
pub(super) fn create_inside(path: &Path) -> io::Result<File> {
    let _listed = all();
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Creates a folder that is listed as unfinished, or one inside it, unless the process is ending.
pub(super) fn create_folder_inside(path: &Path) -> io::Result<()> {
    let _listed = all();
    fs::create_dir(path)
}

/// Removes the temporary files of this process, which must exit after this call. From then on,
/// other threads that create or finish a temporary file block.
pub fn remove_unfinished() {
    let all = all();
    // Reverse order removes the content of a folder before the folder.
    for (path, kind) in all.iter().rev() {
        // A file that has its final name already, or cannot be removed, must not keep the process
        // from ending.
        let _ = kind.remove_at_end(path);
    }
    mem::forget(all);
}

/// Entry of a file or folder in the list, removed when this value is dropped.
#[derive(Debug)]
pub(super) struct Registration(PathBuf);

impl Registration {
    pub(super) fn add(path: &Path, kind: UnfinishedKind) -> Self {
        all().insert(path.into(), kind);
        Self(path.into())
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        all().remove(&self.0);
    }
}

/// File under a temporary name, removed if this value is dropped before the file gets its final
/// name.
#[derive(Debug)]
pub struct UnfinishedFile {
    // Fields are dropped in this order, so the file is listed as long as it exists.
    file: NamedTempFile,
    _listed: Registration,
}

impl UnfinishedFile {
    /// Creates a file in a folder, with a random part between prefix and suffix.
    pub(super) fn create(folder: &Path, prefix: &str, suffix: &str) -> io::Result<Self> {
        Self::build(folder, Builder::new().prefix(prefix).suffix(suffix))
    }

    /// Creates a file of this name in a folder.
    pub(super) fn create_named(folder: &Path, name: &str) -> io::Result<Self> {
        Self::build(folder, Builder::new().prefix(name).rand_bytes(0))
    }

    /// Creates a file with the permissions of an ordinary new file; tempfile's own would be
    /// stricter.
    fn build(folder: &Path, builder: &Builder<'_, '_>) -> io::Result<Self> {
        let mut listed = None;
        let create = |path: &Path| {
            // Listed before the file exists, since the process may be killed in between.
            listed = Some(Registration::add(path, UnfinishedKind::File));
            OpenOptions::new().write(true).create_new(true).open(path)
        };
        let file = builder.make_in(folder, create)?;
        let listed = listed.unwrap_or_else(|| Registration::add(file.path(), UnfinishedKind::File));
        Ok(Self { file, _listed: listed })
    }

    /// Temporary path.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Open file. Its errors do not contain the temporary path, unlike the errors of
    /// [`NamedTempFile`].
    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Closes the file, since more files may wait for their names than a process may have open.
    pub fn close(self) -> ClosedFile {
        ClosedFile { path: self.file.into_temp_path(), _listed: self._listed }
    }

    /// Gives the file its final name.
    ///
    /// # Errors
    /// Returns an error if the system refuses. The file is then removed.
    pub fn persist(self, path: &Path) -> io::Result<()> {
        self.file.persist(path).map(drop).map_err(|error| error.error)
    }

    /// Gives the file its final name, if no file has it.
    ///
    /// # Errors
    /// Returns an error if a file has the name, or the system refuses. This file is then removed.
    pub fn persist_new(self, path: &Path) -> io::Result<()> {
        self.file.persist_noclobber(path).map(drop).map_err(|error| error.error)
    }

    /// Gives the file its final name, with an error that contains the path.
    ///
    /// # Errors
    /// The errors of [`UnfinishedFile::persist`].
    pub fn publish(self, path: &Path) -> Result<(), OutputError> {
        self.persist(path).map_err(|cause| OutputError::new("write", path, cause))
    }
}

/// Closed [`UnfinishedFile`].
#[derive(Debug)]
pub struct ClosedFile {
    path: TempPath,
    _listed: Registration,
}

impl ClosedFile {
    /// Temporary path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its final name, as the last step of writing it.
    ///
    /// # Errors
    /// Returns an error if the system refuses. The file is then removed.
    pub fn publish(self, path: &Path) -> Result<(), OutputError> {
        let named = self.path.persist(path);
        named.map_err(|error| OutputError::new("write", path, error.error))
    }
}
