//! Files that a scene names, such as points of ropes, meshes and figures.
//!
//! Each file is read once and cached, so that all uses see the same bytes. A scene may read files
//! in or below its own folder, and others that the caller allows.

use super::diagnostic::Fault;
#[cfg(feature = "files")]
use super::disk;
use super::limits::Limits;
use super::recorded::{Hint, Recorded};
use super::rig::FileFigure;
use super::slashes;
#[cfg(feature = "files")]
use crate::access::Access;
use crate::access::RELATIVE;
use crate::decode::{decode_lines, decode_utf8};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// File contents by the names that a scene uses.
pub type GivenFiles = BTreeMap<String, Arc<[u8]>>;

/// File that a scene names, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedFile {
    /// Name as the scene writes it.
    pub name: String,
    /// Contents of the file.
    pub bytes: Arc<[u8]>,
}

/// Name of a file, list of its columns, and facts about the body.
type MotionKey = (String, Option<String>, Hint);

/// Origin of the files that a scene names.
#[derive(Debug)]
enum FileOrigin {
    /// Only the bytes that the caller gave.
    Given,
    /// File system, restricted to files that the scene may read.
    #[cfg(feature = "files")]
    Disk {
        access: Access,
        /// Maximum size of a file in bytes.
        maximum: u64,
    },
}

/// Cache of the files of a scene.
#[derive(Debug)]
pub(super) struct Files {
    /// Folder that file names are relative to.
    folder: PathBuf,
    origin: FileOrigin,
    /// Maximum number of points in a file.
    max_points: u64,
    read: Mutex<GivenFiles>,
    figures: Mutex<BTreeMap<String, Arc<FileFigure>>>,
    /// Motions by file name, list of columns, and facts about the body.
    motions: Mutex<BTreeMap<MotionKey, Arc<Recorded>>>,
    /// Names that were requested, including the names of missing files.
    requested: Mutex<BTreeSet<String>>,
}

impl Files {
    /// Creates the files of a scene whose origin is its path or another name.
    pub(super) fn of_scene(origin: &str, limits: &Limits) -> Arc<Self> {
        let folder = Path::new(origin).parent().unwrap_or(Path::new("")).to_owned();
        #[cfg(feature = "files")]
        let origin = FileOrigin::Disk { access: limits.access.clone(), maximum: limits.data_bytes };
        #[cfg(not(feature = "files"))]
        let origin = FileOrigin::Given;
        Arc::new(Self::new(folder, origin, limits, BTreeMap::new()))
    }

    /// Creates files from bytes, by the names that a scene uses. Nothing else is read.
    pub(super) fn given(files: GivenFiles, limits: &Limits) -> Arc<Self> {
        Arc::new(Self::new(PathBuf::new(), FileOrigin::Given, limits, files))
    }

    fn new(folder: PathBuf, origin: FileOrigin, limits: &Limits, read: GivenFiles) -> Self {
        let (figures, motions, requested) = Default::default();
        let max_points = limits.nodes;
        Self { folder, origin, max_points, read: Mutex::new(read), figures, motions, requested }
    }

    /// Returns the maximum number of points in a file.
    pub(super) fn max_points(&self) -> u64 {
        self.max_points
    }

    /// Returns the bytes of a file.
    pub(super) fn bytes(&self, name: &str) -> Result<Arc<[u8]>, Fault> {
        let mut all = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = all.get(name) {
            self.note(name);
            return Ok(Arc::clone(bytes));
        }
        let bytes = self.read(name)?;
        let bytes: Arc<[u8]> = bytes.into();
        all.insert(name.into(), Arc::clone(&bytes));
        Ok(bytes)
    }

    fn note(&self, name: &str) {
        self.requested.lock().unwrap_or_else(PoisonError::into_inner).insert(name.into());
    }

    /// Reads a file and records that it was requested.
    fn read(&self, name: &str) -> Result<Vec<u8>, Fault> {
        match &self.origin {
            FileOrigin::Given => {
                self.note(name);
                let fault = Fault::new(format!("{name} cannot be read: it was not provided"));
                Err(fault.help(slashes::advice(name).unwrap_or_else(|| RELATIVE.into())))
            }
            #[cfg(feature = "files")]
            FileOrigin::Disk { access, maximum } => {
                let found = access.find(&self.folder, name)?;
                self.note(name);
                disk::read_found(&found, &self.folder, name, *maximum)
            }
        }
    }

    /// Returns the text of a file without a byte-order mark.
    pub(super) fn text(&self, name: &str) -> Result<Arc<str>, Fault> {
        let bytes = self.bytes(name)?;
        let is_json = name.len() > 5 && name.to_ascii_lowercase().ends_with(".json");
        let text = if is_json { decode_utf8 } else { decode_lines };
        text(name, &bytes).map(Arc::from)
    }

    /// Whether messages may quote a file. Files outside the scene's folder are not quoted.
    #[cfg(feature = "files")]
    pub(super) fn shows_text(&self, name: &str) -> bool {
        match &self.origin {
            FileOrigin::Given => true,
            FileOrigin::Disk { access, .. } => {
                access.find(&self.folder, name).is_ok_and(|found| !found.is_outside)
            }
        }
    }

    /// Whether messages may quote a file: always, because the caller gave its bytes.
    #[cfg(not(feature = "files"))]
    pub(super) fn shows_text(&self, _: &str) -> bool {
        true
    }

    /// Returns the figure that a file contains.
    pub(super) fn figure(&self, name: &str) -> Result<Arc<FileFigure>, Fault> {
        let known = || self.figures.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(figure) = known().get(name) {
            return Ok(Arc::clone(figure));
        }
        let figure = Arc::new(FileFigure::read(name, self)?);
        known().insert(name.into(), Arc::clone(&figure));
        Ok(figure)
    }

    /// Returns the motion that a file contains.
    pub(super) fn motion(
        &self,
        name: &str,
        columns: Option<&str>,
        hint: Hint,
    ) -> Result<Arc<Recorded>, Fault> {
        let known = || self.motions.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (name.to_owned(), columns.map(str::to_owned), hint);
        if let Some(motion) = known().get(&key) {
            return Ok(Arc::clone(motion));
        }
        let bytes = self.bytes(name)?;
        let motion = Recorded::read(&bytes, name, columns, hint);
        let motion = motion.map_err(|error| error.fault(self.shows_text(name)))?;
        known().insert(key, Arc::clone(&motion));
        Ok(motion)
    }

    /// Returns the paths of all files that were requested, readable or not.
    pub(super) fn requested(&self) -> Vec<PathBuf> {
        let requested = self.requested.lock().unwrap_or_else(PoisonError::into_inner);
        requested.iter().map(|name| self.folder.join(name)).collect()
    }

    /// Returns all requested names in order with their contents, or `None` for files that could not
    /// be read.
    pub(super) fn named(&self) -> Vec<(String, Option<Arc<[u8]>>)> {
        // The locks are taken in the same order as in `bytes`, to avoid a deadlock.
        let all = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let requested = self.requested.lock().unwrap_or_else(PoisonError::into_inner);
        requested.iter().map(|name| (name.clone(), all.get(name).map(Arc::clone))).collect()
    }

    /// Returns all files that were read, by name.
    pub(super) fn used(&self) -> Vec<UsedFile> {
        let all = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let used = |(name, bytes): (&String, &Arc<[u8]>)| UsedFile {
            name: name.clone(),
            bytes: Arc::clone(bytes),
        };
        let requested = self.requested.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter(|(name, _)| requested.contains(*name)).map(used).collect()
    }
}
