//! Which files of a folder are catena's.
//!
//! A file is catena's when a record of catena names the hash of its bytes. A file name proves
//! nothing: a person may have put a picture there since. So catena replaces or removes a file only
//! when it is its own, when it is damaged and a record has its name, when it is blank, or when the
//! new file holds all of its bytes. Damaged files are set aside. Into the folder of a shard nobody
//! else writes: whatever has changed there is damaged.

use super::{OutputError, atomic, chunks::PngChunks, hash::sha256, png::is_named_png};
use catena_base::read;
use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

/// More bytes than any file of catena's has.
const MOST_BYTES: u64 = 1 << 30;
/// Name of the folder of damaged files, in the private folder.
const ASIDE: &str = "replaced";

/// The names and hashes of all files in the records of a folder.
#[derive(Clone, Debug, Default)]
pub struct OwnedFiles {
    hashes: HashSet<String>,
    names: HashSet<String>,
    /// Whether nobody but catena writes into the folder.
    is_catena_alone: bool,
}

/// What a file name in a folder leads to.
#[derive(Debug, PartialEq, Eq)]
pub enum Occupant {
    /// Nothing.
    Nothing,
    /// A file that catena has written, under this or another name, with this hash.
    Owned(String),
    /// A link, wherever it leads.
    Link,
    /// A file without bytes or with zeros alone, as a power failure leaves it.
    Blank,
    /// A damaged picture, where a record names a picture, or in a folder of catena's alone any file
    /// that a record names and that has changed.
    Damaged,
    /// Any other file with these bytes; `None` for one that is not ordinary, or larger than any of
    /// catena's.
    Foreign(Option<Vec<u8>>),
}

impl OwnedFiles {
    /// No files yet, of a folder that only catena writes into: one of a recorded name that has
    /// changed is damaged.
    pub fn of_catena_alone() -> Self {
        Self { is_catena_alone: true, ..Self::default() }
    }

    /// Whether a file that a record names is damaged, now that it has these bytes.
    fn is_damaged(&self, name: &str, bytes: &[u8]) -> bool {
        let is_no_picture = || is_named_png(Path::new(name)) && !is_whole_picture(bytes);
        self.has_name(name) && (self.is_catena_alone || is_no_picture())
    }

    /// Adds a file that a record names.
    pub fn add(&mut self, name: &str, hash: &str) {
        self.names.insert(name.into());
        self.hashes.insert(hash.into());
    }

    /// Whether a record names a file of this name.
    pub fn has_name(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Finds what lies at a path; `name` is its name in the records.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn occupant(&self, path: &Path, name: &str) -> Result<Occupant, OutputError> {
        let bytes = match present(path)? {
            PathContent::Nothing => return Ok(Occupant::Nothing),
            PathContent::Link => return Ok(Occupant::Link),
            PathContent::Other => return Ok(Occupant::Foreign(None)),
            PathContent::File(bytes) => bytes,
        };
        let hash = sha256(&bytes);
        Ok(if is_blank(&bytes) {
            Occupant::Blank
        } else if self.hashes.contains(&hash) {
            Occupant::Owned(hash)
        } else if self.is_damaged(name, &bytes) {
            Occupant::Damaged
        } else {
            Occupant::Foreign(Some(bytes))
        })
    }
}

/// Makes sure that these bytes may take a path: nothing lies there, or a link, or a file that they
/// may be the whole of.
///
/// # Errors
/// When another file lies there, or it cannot be read.
pub fn check_replaceable(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    match present(path)? {
        PathContent::Nothing | PathContent::Link => Ok(()),
        PathContent::File(old) if is_torn_copy(bytes, &old) => Ok(()),
        PathContent::File(_) | PathContent::Other => Err(foreign_file(path)),
    }
}

/// Whether `old` may be `new` after a power failure: bytes that were not written yet are missing at
/// its end, or zeros.
pub fn is_torn_copy(new: &[u8], old: &[u8]) -> bool {
    old.len() <= new.len() && old.iter().zip(new).all(|(old, new)| old == new || *old == 0)
}

/// The error about a file that is in the way and not catena's.
pub fn foreign_file(path: &Path) -> OutputError {
    let cause = io::Error::other(
        "catena did not write it, or it was changed since; move it, or choose another --out",
    );
    OutputError::new("replace", path, cause)
}

/// A free path for a file that is set aside, in the private folder.
///
/// # Errors
/// When the folder for such files cannot be made.
pub fn free_path_aside(private: &Path, name: &str) -> Result<PathBuf, OutputError> {
    let folder = private.join(ASIDE);
    atomic::remove_link(&folder)?;
    fs::create_dir_all(&folder)
        .map_err(|cause| OutputError::new("make the folder", &folder, cause))?;
    let numbered = (2..).map(|count| folder.join(format!("{count}-{name}")));
    let mut names = [folder.join(name)].into_iter().chain(numbered);
    let free = names.find(|path| fs::symlink_metadata(path).is_err());
    // There is always one more number.
    Ok(free.unwrap_or_else(|| folder.join(name)))
}

/// Whether a file is empty, or holds zeros alone.
pub fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// What lies at a path.
enum PathContent {
    Nothing,
    Link,
    File(Vec<u8>),
    Other,
}

fn present(path: &Path) -> Result<PathContent, OutputError> {
    let refuse = |cause| OutputError::new("read", path, cause);
    let meta = match fs::symlink_metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(PathContent::Nothing),
        Err(cause) => return Err(refuse(cause)),
    };
    if meta.is_symlink() {
        return Ok(PathContent::Link);
    }
    if !meta.is_file() || meta.len() > MOST_BYTES {
        return Ok(PathContent::Other);
    }
    read::file(path, MOST_BYTES).map(PathContent::File).map_err(refuse)
}

/// Whether these are the bytes of a whole PNG file.
fn is_whole_picture(bytes: &[u8]) -> bool {
    PngChunks::of(bytes).is_ok_and(|chunks| chunks.decodable().is_ok())
}
