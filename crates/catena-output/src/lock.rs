//! Locks on folders. The system releases a lock when its holder ends in any way. On a file system
//! without locks, every process gets a lock whose [`Lock::is_held`] is false.

use super::{OutputError, atomic};
use catena_base::read;
use catena_base::text::printable;
use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
};

/// Name of the file that is locked.
const LOCK: &str = "lock";
/// Name of the file that identifies the holder of the lock.
const HOLDER: &str = "holder";
/// Name of the file that is locked for the gate.
const GATE: &str = "gate";

/// Host name of this machine, if known.
pub fn host_name() -> Option<String> {
    let host = read::text(Path::new("/proc/sys/kernel/hostname"), read::NOTE)
        .ok()
        .or_else(|| std::env::var("HOSTNAME").ok())
        .or_else(|| std::env::var("COMPUTERNAME").ok());
    host.map(|host| host.trim().to_owned()).filter(|host| !host.is_empty())
}

/// Name of this process in messages of other processes: its process id and, if known, its host.
pub fn process_name() -> String {
    let id = std::process::id();
    host_name().map_or(format!("process {id}"), |host| format!("process {id} on {host}"))
}

/// Lock on a folder, released when this value is dropped.
#[derive(Debug)]
pub struct Lock {
    file: File,
    /// Whether the lock excludes other processes.
    pub is_held: bool,
}

/// Whether other processes can hold the lock at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockMode {
    /// One process holds the lock.
    Exclusive,
    /// All processes that share the folder hold the lock.
    Shared,
}

impl Lock {
    /// Takes the lock in a private folder. Returns `None` if another process holds it.
    ///
    /// # Errors
    /// Returns an error if the lock file cannot be created or locked.
    pub fn acquire(private: &Path, hold: LockMode) -> Result<Option<Self>, OutputError> {
        let lock = Self::acquire_file(private.join(LOCK), hold)?;
        if lock.is_some() {
            atomic::write(&private.join(HOLDER), process_name().as_bytes())?;
        }
        Ok(lock)
    }

    /// Takes the gate, a second lock that processes sharing a folder hold briefly. Its holder
    /// prepares the folder or changes its manifest.
    ///
    /// # Errors
    /// The errors of [`Lock::acquire`].
    pub fn gate(private: &Path) -> Result<Option<Self>, OutputError> {
        Self::acquire_file(private.join(GATE), LockMode::Exclusive)
    }

    fn acquire_file(path: PathBuf, hold: LockMode) -> Result<Option<Self>, OutputError> {
        let refuse = |cause| OutputError::new("lock", &path, cause);
        atomic::remove_link(&path)?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = atomic::open_no_link(&path, &mut options).map_err(refuse)?;
        let taken = match hold {
            LockMode::Exclusive => file.try_lock(),
            LockMode::Shared => file.try_lock_shared(),
        };
        match taken {
            Ok(()) => Ok(Some(Self { file, is_held: true })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(cause)) if is_unsupported(&cause) => {
                Ok(Some(Self { file, is_held: false }))
            }
            Err(TryLockError::Error(cause)) => Err(refuse(cause)),
        }
    }
}

/// Unlocks explicitly, because closing the file is not enough: a process that another thread has
/// just started has the file open until its program begins, and would keep the lock that long.
impl Drop for Lock {
    fn drop(&mut self) {
        if self.is_held {
            let _ = self.file.unlock();
        }
    }
}

/// Whether an error means that the file system has no locks, such as Lustre without `-o flock` and
/// some user-space file systems.
pub fn is_unsupported(cause: &io::Error) -> bool {
    #[cfg(unix)]
    let is_named = cause
        .raw_os_error()
        .is_some_and(|code| [libc::ENOSYS, libc::EOPNOTSUPP, libc::ENOTSUP].contains(&code));
    #[cfg(not(unix))]
    let is_named = false;
    is_named || cause.kind() == io::ErrorKind::Unsupported
}

/// Note about a folder whose file system has no locks.
pub fn without_locks(folder: &Path) -> String {
    format!(
        "note: the file system of {} does not support locks: run only one render at a time in it, or use --shard",
        printable::path(folder)
    )
}

/// Error if another process renders into a folder.
pub fn held_error(folder: &Path, private: &Path) -> OutputError {
    let what = "wait for it, choose another --out, let all share the folder with --claim, or give each a part with --shard";
    refused("render into", folder, private, what)
}

/// Error if another process writes a page into a folder.
pub fn page_held_error(folder: &Path, private: &Path) -> OutputError {
    refused("write into", folder, private, "wait for it, or choose another --out")
}

/// Error if another process holds the gate for too long.
pub fn gate_held_error(folder: &Path, private: &Path) -> OutputError {
    refused(
        "render into",
        folder,
        private,
        "writing the manifest takes too long; the same command can resume later",
    )
}

fn refused(action: &'static str, folder: &Path, private: &Path, what: &str) -> OutputError {
    let holder = read::text(&private.join(HOLDER), read::NOTE);
    let holder = holder.unwrap_or_else(|_| "another process".into());
    let cause = io::Error::other(format!("it is in use by {holder}; {what}"));
    OutputError::new(action, folder, cause)
}
