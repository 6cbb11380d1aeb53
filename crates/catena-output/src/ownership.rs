//! Decides which files of a folder are catena's.
//!
//! A file is catena's if a record of catena contains the hash of its bytes. A file name proves
//! nothing, since a person may have put a picture there later. Catena therefore replaces or removes
//! a file only in these cases: a record has its hash, it is a symbolic link, it is damaged and a
//! record has its name, it is blank, or the new file contains all of its bytes. Damaged files are
//! set aside, and the target of a link is unchanged. Only catena writes into the folder of a shard,
//! so any changed file there counts as damaged.

use super::{
    OutputError, atomic, chunks::PngChunks, exr, hash::sha256, names::FrameFormat,
    png::is_named_png, webp,
};
use catena_base::read;
use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

/// Maximum size in bytes of catena's files, with a margin.
const MAX_BYTES: u64 = 1 << 30;
/// Name of the folder of damaged files, in the private folder.
const ASIDE: &str = "replaced";

/// Names and hashes of all files in the records of a folder.
#[derive(Clone, Debug, Default)]
pub struct OwnedFiles {
    hashes: HashSet<String>,
    names: HashSet<String>,
    /// Whether only catena writes into the folder.
    is_catena_alone: bool,
}

/// Content of a path in a folder.
#[derive(Debug, PartialEq, Eq)]
pub enum Occupant {
    /// The path does not exist.
    Nothing,
    /// File that catena has written, under this or another name, with this hash.
    Owned(String),
    /// Link to any target.
    Link,
    /// File that is empty or contains only zeros, as a power failure leaves it.
    Blank,
    /// Damaged picture under the recorded name of a picture. In a folder into which only catena
    /// writes, any changed file under a recorded name is damaged.
    Damaged,
    /// Any other file with these bytes; `None` if it is not a regular file, or exceeds the maximum
    /// size of catena's files.
    Foreign(Option<Vec<u8>>),
}

impl OwnedFiles {
    /// Creates an empty set, for a folder into which only catena writes. A changed file under a
    /// recorded name counts as damaged there.
    pub fn of_catena_alone() -> Self {
        Self { is_catena_alone: true, ..Self::default() }
    }

    /// Whether a file with these bytes is a damaged version of a recorded one.
    fn is_damaged(&self, name: &str, bytes: &[u8]) -> bool {
        let is_no_picture = || match FrameFormat::of_name(name) {
            Some(FrameFormat::WebP) => !webp::is_whole(bytes),
            Some(FrameFormat::Exr) => !exr::is_whole(bytes),
            _ => is_named_png(Path::new(name)) && !is_whole_picture(bytes),
        };
        self.has_name(name) && (self.is_catena_alone || is_no_picture())
    }

    /// Adds a file that a record names.
    pub fn add(&mut self, name: &str, hash: &str) {
        self.names.insert(name.into());
        self.hashes.insert(hash.into());
    }

    /// Whether a record contains this file name.
    pub fn has_name(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Determines the content of a path; `name` is its name in the records.
    ///
    /// # Errors
    /// Returns an error if the path cannot be read.
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

/// Checks that these bytes may take a path: the path is free, or holds a link, or a torn copy of
/// the bytes.
///
/// # Errors
/// Returns an error if the path holds another file, or cannot be read.
pub fn check_replaceable(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    match present(path)? {
        PathContent::Nothing | PathContent::Link => Ok(()),
        PathContent::File(old) if is_torn_copy(bytes, &old) => Ok(()),
        PathContent::File(_) | PathContent::Other => Err(foreign_file(path)),
    }
}

/// Whether `old` may be `new` after a power failure: unwritten bytes are missing at its end, or
/// zero.
pub fn is_torn_copy(new: &[u8], old: &[u8]) -> bool {
    old.len() <= new.len() && old.iter().zip(new).all(|(old, new)| old == new || *old == 0)
}

/// Error about a foreign file that blocks a path.
pub fn foreign_file(path: &Path) -> OutputError {
    let cause = io::Error::other(
        "catena did not write it, or it was changed since; move it, or choose another --out",
    );
    OutputError::new("replace", path, cause)
}

/// Free path in the private folder for a file that is set aside.
///
/// # Errors
/// Returns an error if the folder for such files cannot be created.
pub fn free_path_aside(private: &Path, name: &str) -> Result<PathBuf, OutputError> {
    let folder = private.join(ASIDE);
    atomic::remove_link(&folder)?;
    fs::create_dir_all(&folder)
        .map_err(|cause| OutputError::new("make the folder", &folder, cause))?;
    let numbered = (2..).map(|count| folder.join(format!("{count}-{name}")));
    let mut names = [folder.join(name)].into_iter().chain(numbered);
    let free = names.find(|path| fs::symlink_metadata(path).is_err());
    // Unreachable: there is always another number.
    Ok(free.unwrap_or_else(|| folder.join(name)))
}

/// Whether a file is empty, or contains only zeros.
pub fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// Content of a path.
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
    if !meta.is_file() || meta.len() > MAX_BYTES {
        return Ok(PathContent::Other);
    }
    read::file(path, MAX_BYTES).map(PathContent::File).map_err(refuse)
}

/// Whether these bytes are an intact PNG file.
fn is_whole_picture(bytes: &[u8]) -> bool {
    PngChunks::of(bytes).is_ok_and(|chunks| chunks.decodable().is_ok())
}
