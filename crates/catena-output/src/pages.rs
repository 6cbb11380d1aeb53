//! Folder of a page and its files: the figures of a report, the failures of a comparison.
//!
//! All files are first written to the private folder. When all are complete, the previous page is
//! removed, then the files are renamed to their final names, and the new page is renamed last. A
//! page therefore never refers to files of another page, and an earlier error leaves the previous
//! page unchanged. A page that takes long to compute is published early with few files, and
//! replaced as further files are published.

use super::{
    OutputError,
    atomic::{self, Durability},
    folder,
    hash::{Hashing, hex},
    journal::{Journal, JournalContents},
    lock::{self, Lock, LockMode},
    names::PRIVATE,
    ownership::{self, Occupant, OwnedFiles},
    unfinished::ClosedFile,
};
use catena_base::read;
use catena_base::text::link;
use std::{
    collections::HashSet,
    fs,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

/// File name of the page.
pub const PAGE: &str = "index.html";
/// File name of the record of the last page and its files, in the private folder.
const RECORD: &str = "page";

/// Folder of a page, locked by this process while this value exists.
pub struct PageFolder {
    path: PathBuf,
    private: PathBuf,
    /// Names and hashes of the files of the previous page.
    old: Vec<(String, String)>,
    owned: OwnedFiles,
    /// Whether this process created the private folder, and no file has its name yet.
    is_new: AtomicBool,
    /// Whether the folder itself existed before.
    was_there: bool,
    _lock: Lock,
}

/// Complete file that does not have its name yet.
pub struct StagedFile {
    name: PathBuf,
    sha256: String,
    file: ClosedFile,
}

impl StagedFile {
    /// Future path of the file, relative to the folder.
    pub fn place(&self) -> &Path {
        &self.name
    }
}

impl PageFolder {
    /// Whether a folder contains a page or a private folder.
    pub fn is_used(path: &Path) -> bool {
        path.join(PRIVATE).is_dir() || fs::symlink_metadata(path.join(PAGE)).is_ok()
    }

    /// Creates the folder if necessary, tests that it is writable, and locks it.
    ///
    /// # Errors
    /// Returns an error if any of this fails, another process writes into the folder, or it
    /// contains a foreign page.
    pub fn open(path: &Path) -> Result<Self, OutputError> {
        let is_new = !path.join(PRIVATE).is_dir();
        let was_there = path.is_dir();
        let private = folder::prepare(path)?;
        let lock = Lock::acquire(&private, LockMode::Exclusive)?;
        let lock = lock.ok_or_else(|| lock::page_held_error(path, &private))?;
        folder::sweep(&private);
        folder::write_gitignore(&private)?;
        let past = JournalContents::read(&private.join(RECORD))?;
        let mut owned = OwnedFiles::default();
        past.iter().for_each(|past| past.add_to(&mut owned));
        let old = past.map_or_else(Vec::new, |past| past.files);
        let is_new = AtomicBool::new(is_new);
        let page = path.join(PAGE);
        let path = path.into();
        let folder = Self { path, private, old, owned, is_new, was_there, _lock: lock };
        match folder.owned.occupant(&page, PAGE)? {
            Occupant::Foreign(_) => Err(ownership::foreign_file(&page)),
            _ => Ok(folder),
        }
    }

    /// Opens a subfolder of a user-specified folder. A link in its place is rejected, since it
    /// leads to another folder.
    ///
    /// # Errors
    /// The errors of [`PageFolder::open`], and an error if the path is a link.
    pub fn open_in(folder: &Path, name: &str) -> Result<Self, OutputError> {
        let path = folder.join(name);
        atomic::refuse_link(&path)?;
        Self::open(&path)
    }

    /// Files of the last page in a folder, which the next page replaces.
    pub fn recorded(path: &Path) -> Vec<PathBuf> {
        // An unreadable record prevents the page from being replaced; `open` reports that.
        let past = JournalContents::read(&path.join(PRIVATE).join(RECORD)).ok().flatten();
        let names = past.into_iter().flat_map(|past| past.files);
        names.filter_map(|(name, _)| Some(path.join(link::decoded(&name)?))).collect()
    }

    /// Writes the output of `fill` to an unfinished file for a path relative to the folder.
    ///
    /// # Errors
    /// Returns an error if the disk or `fill` fails, or the path leads through a link.
    pub fn stage(
        &self,
        name: &Path,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<StagedFile, OutputError> {
        let path = self.place_of(name)?;
        let refuse = |cause| OutputError::new("write", &path, cause);
        let mut file = atomic::unfinished_in(&self.private).map_err(refuse)?;
        let mut hashing = Hashing::new(file.file());
        let mut writer = BufWriter::with_capacity(1 << 16, &mut hashing);
        fill(&mut writer).and_then(|()| writer.flush()).map_err(refuse)?;
        drop(writer);
        let sha256 = hex(&hashing.finish().1);
        // After a power failure, too, a page must refer only to complete files.
        file.file().sync_data().map_err(refuse)?;
        Ok(StagedFile { name: name.into(), sha256, file: file.close() })
    }

    /// Gives all files their names, and replaces the files of the previous page. If `page` is
    /// `None`, the previous page is removed.
    ///
    /// # Errors
    /// Returns an error if a foreign file blocks a path, which is detected before anything is
    /// changed, or if the file system fails.
    pub fn publish(
        &self,
        files: Vec<StagedFile>,
        page: Option<StagedFile>,
    ) -> Result<(), OutputError> {
        let record = self.private.join(RECORD);
        let all = || files.iter().chain(&page);
        let damaged: Vec<PathBuf> =
            all().map(|staged| self.check(staged)).collect::<Result<Vec<_>, _>>()?.concat();
        let new: Vec<(String, String)> =
            all().map(|staged| (link::encoded(&staged.name), staged.sha256.clone())).collect();
        // From here on, all files, old and new, are recorded as catena's, even after a power
        // failure.
        let all = [&self.old[..], &new].concat();
        Journal::write_files(&record, RECORD, &all, Durability::Synced)?;
        self.is_new.store(false, Ordering::Relaxed);
        self.remove(PAGE)?;
        let kept: HashSet<&str> = new.iter().map(|(name, _)| name.as_str()).collect();
        for (name, _) in self.old.iter().filter(|(name, _)| !kept.contains(name.as_str())) {
            self.remove(name)?;
        }
        self.set_aside(damaged)?;
        files.into_iter().chain(page).try_for_each(|staged| self.give_name(staged))?;
        Journal::write_files(&record, RECORD, &new, Durability::Written)
    }

    /// Checks that files may take these paths, relative to the folder, before they are created.
    ///
    /// # Errors
    /// Returns an error if a foreign file blocks a path.
    pub fn check_free(&self, names: impl IntoIterator<Item = PathBuf>) -> Result<(), OutputError> {
        for name in names {
            let path = self.place_of(&name)?;
            if let Occupant::Foreign(_) = self.owned.occupant(&path, &link::encoded(&name))? {
                return Err(ownership::foreign_file(&path));
            }
        }
        Ok(())
    }

    /// Gives files and a page their names, and replaces the previous page and its files. Further
    /// files follow with [`GrowingPage::add`].
    ///
    /// # Errors
    /// The errors of [`PageFolder::publish`].
    pub fn begin(
        &self,
        files: Vec<StagedFile>,
        page: StagedFile,
    ) -> Result<GrowingPage<'_>, OutputError> {
        let hash = page.sha256.clone();
        let names = files.iter().map(|staged| (link::encoded(&staged.name), staged.sha256.clone()));
        let names = names.collect();
        self.publish(files, Some(page))?;
        Ok(GrowingPage { folder: self, files: names, page: (PAGE.into(), hash) })
    }

    /// Gives a file its name.
    fn give_name(&self, staged: StagedFile) -> Result<(), OutputError> {
        let path = self.place_of(&staged.name)?;
        let above = path.parent().unwrap_or(&self.path);
        fs::create_dir_all(above)
            .map_err(|cause| OutputError::new("make the folder", above, cause))?;
        staged.file.publish(&path)
    }

    /// Moves damaged files to the private folder, where nothing overwrites them.
    fn set_aside(&self, damaged: Vec<PathBuf>) -> Result<(), OutputError> {
        for path in damaged {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let to = ownership::free_path_aside(&self.private, &name)?;
            fs::rename(&path, to).map_err(|cause| OutputError::new("move aside", path, cause))?;
        }
        Ok(())
    }

    /// Checks that a file may take its path. Returns the path if a damaged file must first be set
    /// aside.
    fn check(&self, staged: &StagedFile) -> Result<Vec<PathBuf>, OutputError> {
        let path = self.place_of(&staged.name)?;
        match self.owned.occupant(&path, &link::encoded(&staged.name))? {
            Occupant::Nothing | Occupant::Owned(_) | Occupant::Link | Occupant::Blank => {
                Ok(Vec::new())
            }
            Occupant::Damaged => Ok(vec![path]),
            Occupant::Foreign(old) => {
                let new = read::file(staged.file.path(), read::LARGE)
                    .map_err(|cause| OutputError::new("write", &path, cause))?;
                match old.is_some_and(|old| ownership::is_torn_copy(&new, &old)) {
                    true => Ok(Vec::new()),
                    false => Err(ownership::foreign_file(&path)),
                }
            }
        }
    }

    /// Removes an unchanged file of the last page, and folders that become empty.
    fn remove(&self, name: &str) -> Result<(), OutputError> {
        let Some(below) = link::decoded(name) else { return Ok(()) };
        let path = self.place_of(&below)?;
        if !matches!(self.owned.occupant(&path, name)?, Occupant::Owned(_)) {
            return Ok(());
        }
        atomic::remove(&path)?;
        let above = below.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty());
        for folder in above {
            // A folder with content is kept, with its parents.
            if fs::remove_dir(self.path.join(folder)).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Path of a file in this folder. A link among its parent folders is an error, since it leads
    /// to another folder.
    fn place_of(&self, name: &Path) -> Result<PathBuf, OutputError> {
        let mut path = self.path.clone();
        for part in name.parent().into_iter().flatten() {
            path.push(part);
            if fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_symlink()) {
                let cause =
                    io::Error::other("it is a link, and catena does not write through links");
                return Err(OutputError::new("write into", path, cause));
            }
        }
        Ok(self.path.join(name))
    }
}

/// Page that gets its files in batches. Files get their names before the page that shows them, so a
/// page only shows existing files.
pub struct GrowingPage<'a> {
    folder: &'a PageFolder,
    /// Names and hashes of the published files.
    files: Vec<(String, String)>,
    /// Name and hash of the page.
    page: (String, String),
}

impl GrowingPage<'_> {
    /// Gives files their names, then replaces the page with one that shows them.
    ///
    /// # Errors
    /// Returns an error if a foreign file blocks a path, which is detected before anything is
    /// changed, or if the file system fails.
    pub fn add(&mut self, files: Vec<StagedFile>, page: StagedFile) -> Result<(), OutputError> {
        let folder = self.folder;
        let damaged: Vec<PathBuf> = files
            .iter()
            .map(|staged| folder.check(staged))
            .collect::<Result<Vec<_>, _>>()?
            .concat();
        let new = files.iter().map(|staged| (link::encoded(&staged.name), staged.sha256.clone()));
        self.files.extend(new);
        let next = (PAGE.into(), page.sha256.clone());
        let record = folder.private.join(RECORD);
        // An error may leave either page in place, so the record contains both pages and their
        // files.
        let all = [&self.files[..], &[self.page.clone(), next.clone()]].concat();
        Journal::write_files(&record, RECORD, &all, Durability::Synced)?;
        folder.set_aside(damaged)?;
        files.into_iter().chain([page]).try_for_each(|staged| folder.give_name(staged))?;
        self.page = next;
        let all = [&self.files[..], std::slice::from_ref(&self.page)].concat();
        Journal::write_files(&record, RECORD, &all, Durability::Written)
    }
}

impl Drop for PageFolder {
    fn drop(&mut self) {
        // A folder without a page is restored to its previous state, and a folder with other files
        // is kept.
        if self.is_new.load(Ordering::Relaxed) {
            let _ = fs::remove_dir_all(&self.private);
            if !self.was_there {
                let _ = fs::remove_dir(&self.path);
            }
        }
    }
}
