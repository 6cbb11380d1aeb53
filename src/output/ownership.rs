//! Which files in a folder are catena's.
//!
//! A file is ours when its bytes have a hash that a record of ours names. A name that we give
//! proves nothing: a person may have put a picture there since. So a file is replaced or removed
//! only when it is ours, when it is damaged and one of ours had that name, when it is empty, or
//! when every byte of it is in what takes its place. Damaged files are kept aside.

use super::{OutputError, chunks::PngChunks, hash::sha256, png::is_named_png};
use crate::read;
use std::{
    collections::HashSet,
    fs, io,
    path::{Path, PathBuf},
};

/// More bytes than any file of ours has.
const MOST_BYTES: u64 = 1 << 30;
/// Where damaged files are kept, in the folder of what only catena needs.
const ASIDE: &str = "replaced";

/// What the records of a folder name.
#[derive(Clone, Debug, Default)]
pub struct OwnedFiles {
    hashes: HashSet<String>,
    names: HashSet<String>,
}

/// What lies under a name.
#[derive(Debug, PartialEq, Eq)]
pub enum Occupant {
    /// Nothing.
    Nothing,
    /// What we have written, there or under another name, with this hash.
    Owned(String),
    /// A link, wherever it leads.
    Link,
    /// A file without bytes, or of zeros alone, as a power failure leaves it.
    Blank,
    /// A file that is no whole picture, where ours was one.
    Damaged,
    /// Something else with these bytes; none of them where it is no ordinary file, or one that is
    /// larger than any of ours.
    Foreign(Option<Vec<u8>>),
}

impl OwnedFiles {
    /// Takes in what a record says of a file.
    pub fn add(&mut self, name: &str, hash: &str) {
        self.names.insert(name.into());
        self.hashes.insert(hash.into());
    }

    /// Whether a record speaks of a file of this name.
    pub fn has_name(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Looks at what lies at a path, under this name in the records.
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
        } else if self.has_name(name) && is_named_png(Path::new(name)) && !is_whole_picture(&bytes)
        {
            Occupant::Damaged
        } else {
            Occupant::Foreign(Some(bytes))
        })
    }
}

/// Makes sure that these bytes may take a place: there is nothing, a link, or a file whose bytes
/// they hold as well.
///
/// # Errors
/// When something else lies there, or it cannot be read.
pub fn check_replaceable(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    match present(path)? {
        PathContent::Nothing | PathContent::Link => Ok(()),
        PathContent::File(old) if is_torn_copy(bytes, &old) => Ok(()),
        PathContent::File(_) | PathContent::Other => Err(foreign_file(path)),
    }
}

/// Whether a file may be one of these bytes that a power failure has torn: what was not written yet
/// is missing at its end, or zeros.
pub fn is_torn_copy(new: &[u8], old: &[u8]) -> bool {
    old.len() <= new.len() && old.iter().zip(new).all(|(old, new)| old == new || *old == 0)
}

/// The error about a file that is in the way and not ours.
pub fn foreign_file(path: &Path) -> OutputError {
    let cause = io::Error::other(
        "catena did not write it, or it was changed since; move it, or choose another --out",
    );
    OutputError::new("replace", path, cause)
}

/// A free name for a file that is kept aside, in the folder of what only catena needs.
///
/// # Errors
/// When there is no place for it.
pub fn free_path_aside(private: &Path, name: &str) -> Result<PathBuf, OutputError> {
    let folder = private.join(ASIDE);
    fs::create_dir_all(&folder)
        .map_err(|cause| OutputError::new("make the folder", &folder, cause))?;
    let numbered = (2..).map(|count| folder.join(format!("{count}-{name}")));
    let mut names = [folder.join(name)].into_iter().chain(numbered);
    let free = names.find(|path| fs::symlink_metadata(path).is_err());
    // There is always one more number.
    Ok(free.unwrap_or_else(|| folder.join(name)))
}

/// Whether there is nothing in a file.
pub fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// What there is at a path.
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

/// Whether these are the bytes of a PNG file, to its last chunk.
fn is_whole_picture(bytes: &[u8]) -> bool {
    PngChunks::of(bytes).is_ok_and(|chunks| chunks.decodable().is_ok())
}
