//! Creates unfinished files and folders next to user-specified paths, and removes unfinished ones
//! of killed processes.
//!
//! The name contains a random part, and a hash of that part and the final file name. The hash
//! proves that catena created the file for that name. A name of any length has a hash of the same
//! length. The process that writes the file holds a lock on it.

use super::{
    hash::sha256,
    unfinished::{
        LOCK, Registration, UnfinishedFile, UnfinishedKind, create_folder_inside, create_inside,
    },
};
use catena_base::read;
use std::{
    ffi::OsStr,
    fs::{self, File, TryLockError},
    hash::{BuildHasher, RandomState},
    io,
    path::{Path, PathBuf},
};

const PREFIX: &str = ".part-";
const SUFFIX: &str = ".part";
/// Number of hexadecimal digits of the hash in a name.
const CHECKSUM_DIGITS: usize = 16;
/// Maximum number of attempts to create a file. Another process may remove it before it is locked.
const TRIES: usize = 8;

/// Creates an unfinished file for a path, and removes unfinished files for it that killed processes
/// left.
///
/// # Errors
/// Returns an error if no file can be created in the path's folder.
pub(super) fn create(path: &Path) -> io::Result<UnfinishedFile> {
    sweep(path);
    for _ in 0..TRIES {
        let mut file = UnfinishedFile::create_named(folder_of(path), &name(target(path)))?;
        if lock_new_file(&mut file) {
            return Ok(file);
        }
    }
    Err(io::Error::other("other processes remove its unfinished files"))
}

/// Tests whether a file can be created in a folder.
///
/// # Errors
/// Returns an error if no file can be created there.
pub(super) fn probe(folder: &Path) -> io::Result<()> {
    let path = folder.join("probe");
    sweep(&path);
    // Another process may remove the file first, which does no harm.
    UnfinishedFile::create_named(folder, &name(target(&path))).map(drop)
}

/// Folder of a path; `.` for a bare name.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Locks a new file, and returns whether it still exists. On a file system without locks, no
/// process removes such files.
fn lock_new_file(file: &mut UnfinishedFile) -> bool {
    // On Windows a lock would block ffmpeg, which writes the file.
    if !cfg!(unix) {
        return true;
    }
    let is_taken = matches!(file.file().try_lock(), Err(TryLockError::WouldBlock));
    !is_taken && fs::symlink_metadata(file.path()).is_ok()
}

/// Creates an unfinished folder for a path, with its writer's lock. Removes unfinished folders for
/// the path that killed processes left. The folder stays on the list of unfinished files until the
/// registration is dropped.
///
/// # Errors
/// Returns an error if no folder can be created next to the path.
pub(super) fn create_folder(path: &Path) -> io::Result<(PathBuf, File, Registration)> {
    sweep(path);
    for _ in 0..TRIES {
        let folder = folder_of(path).join(name(target(path)));
        let listed = Registration::add(&folder, UnfinishedKind::Tree);
        create_folder_inside(&folder)?;
        let lock = create_inside(&folder.join(LOCK))?;
        let is_taken = matches!(lock.try_lock(), Err(TryLockError::WouldBlock));
        if !is_taken && fs::symlink_metadata(folder.join(LOCK)).is_ok() {
            return Ok((folder, lock, listed));
        }
    }
    Err(io::Error::other("other processes remove its unfinished files"))
}

/// Whether the writer of an unfinished folder has ended.
fn is_left(folder: &Path) -> bool {
    read::open(&folder.join(LOCK), u64::MAX).is_ok_and(|(lock, _)| lock.try_lock().is_ok())
}

/// Removes unfinished files and folders for a path whose writers have ended. Best effort: skips any
/// that cannot be removed.
fn sweep(path: &Path) {
    let entries = fs::read_dir(folder_of(path)).into_iter().flatten().flatten();
    for entry in entries.filter(|_| cfg!(unix)) {
        let is_meant = entry.file_name().to_str().is_some_and(|name| is_for(name, target(path)));
        let Some(kind) = entry.file_type().ok().filter(|_| is_meant) else { continue };
        if kind.is_dir() {
            if is_left(&entry.path()) {
                let _ = fs::remove_dir_all(entry.path());
            }
        } else if kind.is_file()
            && let Ok((file, _)) = read::open(&entry.path(), u64::MAX)
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn target(path: &Path) -> &OsStr {
    path.file_name().unwrap_or(path.as_os_str())
}

/// Creates a new name for an unfinished file.
fn name(target: &OsStr) -> String {
    // Every `RandomState` has its own random keys.
    let random = format!("{:016x}", RandomState::new().hash_one(std::process::id()));
    format!("{PREFIX}{random}-{}{SUFFIX}", checksum(&random, target))
}

/// Whether `name` is the name of an unfinished file for `target`.
fn is_for(name: &str, target: &OsStr) -> bool {
    let inner = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    let parts = inner.and_then(|inner| inner.split_once('-'));
    parts.is_some_and(|(random, found)| found == checksum(random, target))
}

fn checksum(random: &str, target: &OsStr) -> String {
    let mut hash = sha256(&[random.as_bytes(), b"/", target.as_encoded_bytes()].concat());
    hash.truncate(CHECKSUM_DIGITS);
    hash
}
