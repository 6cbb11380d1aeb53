//! Files that a scene names: points of ropes, meshes, figures. Each is read once and kept, so that
//! all that is made from it is made from the same bytes.

#[cfg(feature = "files")]
use super::access::Access;
use super::data_text;
use super::diagnostic::Fault;
#[cfg(feature = "files")]
use super::disk;
use super::limits::Limits;
use super::rig::FileFigure;
use super::slashes;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of files, by the names that a scene writes.
pub type GivenFiles = BTreeMap<String, Arc<[u8]>>;

/// Advice about a name of a file that is not there.
pub(super) const RELATIVE: &str = "names of files are relative to the scene";

/// A file that a scene names, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedFile {
    /// Its name, as the scene writes it.
    pub name: String,
    /// What stands in it.
    pub bytes: Arc<[u8]>,
}

/// Origin of the files that a scene names.
#[derive(Debug)]
enum FileOrigin {
    /// Bytes that the caller gave, and nothing else.
    Given,
    /// The file system, as far as the scene may read it.
    #[cfg(feature = "files")]
    Disk {
        access: Access,
        /// Maximum number of bytes of a file.
        most: u64,
    },
}

/// The files of a scene so far.
#[derive(Debug)]
pub(super) struct Files {
    /// What names are relative to.
    folder: PathBuf,
    origin: FileOrigin,
    /// Points that one may have.
    most_points: u64,
    read: Mutex<GivenFiles>,
    figures: Mutex<BTreeMap<String, Arc<FileFigure>>>,
    /// Names that were asked for, of files that may be missing.
    asked: Mutex<BTreeSet<String>>,
}

impl Files {
    /// The files of a scene that messages call `origin`: its path, if it has one.
    pub(super) fn beside(origin: &str, limits: &Limits) -> Arc<Self> {
        let folder = Path::new(origin).parent().unwrap_or(Path::new("")).to_owned();
        #[cfg(feature = "files")]
        let origin = FileOrigin::Disk { access: limits.access.clone(), most: limits.data_bytes };
        #[cfg(not(feature = "files"))]
        let origin = FileOrigin::Given;
        Arc::new(Self::new(folder, origin, limits, BTreeMap::new()))
    }

    /// Files given as bytes, by the names that a scene writes; nothing else is read.
    pub(super) fn given(files: GivenFiles, limits: &Limits) -> Arc<Self> {
        Arc::new(Self::new(PathBuf::new(), FileOrigin::Given, limits, files))
    }

    fn new(folder: PathBuf, origin: FileOrigin, limits: &Limits, read: GivenFiles) -> Self {
        let (figures, asked) = Default::default();
        let most_points = limits.nodes;
        Self { folder, origin, most_points, read: Mutex::new(read), figures, asked }
    }

    /// Maximum number of points in a file.
    pub(super) fn most_points(&self) -> u64 {
        self.most_points
    }

    /// The bytes of a file.
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
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(name.into());
    }

    /// Reads a file, and notes that it was asked for.
    fn read(&self, name: &str) -> Result<Vec<u8>, Fault> {
        match &self.origin {
            FileOrigin::Given => {
                self.note(name);
                let fault = Fault::new(format!("{name} cannot be read: it is not given"));
                Err(fault.help(slashes::advice(name).unwrap_or_else(|| RELATIVE.into())))
            }
            #[cfg(feature = "files")]
            FileOrigin::Disk { access, most } => {
                let found = access.find(&self.folder, name)?;
                self.note(name);
                disk::read_found(&found, &self.folder, name, *most)
            }
        }
    }

    /// The text of a file, without a byte-order mark.
    pub(super) fn text(&self, name: &str) -> Result<Arc<str>, Fault> {
        let bytes = self.bytes(name)?;
        let is_json = name.len() > 5 && name.to_ascii_lowercase().ends_with(".json");
        let text = if is_json { data_text::strict } else { data_text::by_line };
        text(name, &bytes).map(Arc::from)
    }

    /// Whether messages may show text of a file: nothing is shown of files outside.
    #[cfg(feature = "files")]
    pub(super) fn shows_text(&self, name: &str) -> bool {
        match &self.origin {
            FileOrigin::Given => true,
            FileOrigin::Disk { access, .. } => {
                access.find(&self.folder, name).is_ok_and(|found| !found.is_outside)
            }
        }
    }

    /// Whether messages may show text of a file: its bytes were given, so they may.
    #[cfg(not(feature = "files"))]
    pub(super) fn shows_text(&self, _: &str) -> bool {
        true
    }

    /// The figure that a file has.
    pub(super) fn figure(&self, name: &str) -> Result<Arc<FileFigure>, Fault> {
        let known = || self.figures.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(figure) = known().get(name) {
            return Ok(Arc::clone(figure));
        }
        let figure = Arc::new(FileFigure::read(name, self)?);
        known().insert(name.into(), Arc::clone(&figure));
        Ok(figure)
    }

    /// The paths of all files that were asked for, whether they can be read or not.
    pub(super) fn asked(&self) -> Vec<PathBuf> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.iter().map(|name| self.folder.join(name)).collect()
    }

    /// All names that were asked for, in their order, each with what stands in the file; `None` for
    /// one that cannot be read.
    pub(super) fn named(&self) -> Vec<(String, Option<Arc<[u8]>>)> {
        // In the order in which `bytes` takes both.
        let all = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.iter().map(|name| (name.clone(), all.get(name).map(Arc::clone))).collect()
    }

    /// All files that were read, by name.
    pub(super) fn used(&self) -> Vec<UsedFile> {
        let all = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let used = |(name, bytes): (&String, &Arc<[u8]>)| UsedFile {
            name: name.clone(),
            bytes: Arc::clone(bytes),
        };
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().filter(|(name, _)| asked.contains(*name)).map(used).collect()
    }
}
