//! Unfinished files beside places that the user has named, and what killed processes have left of
//! them.
//!
//! The name of such a file holds a random part and a hash of it with the name that the file is to
//! take. So it is known for sure as ours and as one for that name, however long that is. While its
//! writer lives it is locked.

use super::{hash::sha256, unfinished::UnfinishedFile};
use std::{
    ffi::OsStr,
    fs::{self, File, TryLockError},
    hash::{BuildHasher, RandomState},
    io,
    path::Path,
};

const PREFIX: &str = ".part-";
const SUFFIX: &str = ".part";
/// Digits of the hash in a name.
const CHECK: usize = 16;
/// Others may sweep a new file before it is locked.
const TRIES: usize = 8;

/// Makes one for a place, and removes those that killed processes have left there.
///
/// # Errors
/// When the folder around the place refuses.
pub(super) fn create(path: &Path) -> io::Result<UnfinishedFile> {
    sweep(path);
    for _ in 0..TRIES {
        let mut file = UnfinishedFile::create_as(folder_of(path), &name(target(path)))?;
        if is_held(&mut file) {
            return Ok(file);
        }
    }
    Err(io::Error::other("other processes remove its unfinished files"))
}

/// Tries whether files can be made in a folder.
///
/// # Errors
/// When it refuses.
pub(super) fn probe(folder: &Path) -> io::Result<()> {
    let path = folder.join("probe");
    sweep(&path);
    // Nobody minds when another process removes it first.
    UnfinishedFile::create_as(folder, &name(target(&path))).map(drop)
}

/// The folder around a place.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Locks a new file; whether it is still there then. Without locks nothing is swept.
fn is_held(file: &mut UnfinishedFile) -> bool {
    // Elsewhere a lock would keep out ffmpeg, which writes the file.
    if !cfg!(unix) {
        return true;
    }
    let is_taken = matches!(file.file().try_lock(), Err(TryLockError::WouldBlock));
    !is_taken && fs::symlink_metadata(file.path()).is_ok()
}

/// Removes unfinished files for a place that nobody writes any more. One that stays does no harm.
fn sweep(path: &Path) {
    let entries = fs::read_dir(folder_of(path)).into_iter().flatten().flatten();
    let is_file = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
    for entry in entries.filter(|entry| cfg!(unix) && is_file(entry)) {
        let is_meant = entry.file_name().to_str().is_some_and(|name| is_for(name, target(path)));
        if is_meant
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn target(path: &Path) -> &OsStr {
    path.file_name().unwrap_or(path.as_os_str())
}

/// A new name for an unfinished file.
fn name(target: &OsStr) -> String {
    // Each of these has keys of its own.
    let random = format!("{:016x}", RandomState::new().hash_one(std::process::id()));
    format!("{PREFIX}{random}-{}{SUFFIX}", check(&random, target))
}

/// Whether a file has a name that an unfinished file for this one is given.
fn is_for(name: &str, target: &OsStr) -> bool {
    let inner = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    let parts = inner.and_then(|inner| inner.split_once('-'));
    parts.is_some_and(|(random, found)| found == check(random, target))
}

fn check(random: &str, target: &OsStr) -> String {
    let mut hash = sha256(&[random.as_bytes(), b"/", target.as_encoded_bytes()].concat());
    hash.truncate(CHECK);
    hash
}
