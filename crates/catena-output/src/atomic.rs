//! Atomic writes: a file gets its name only when it is complete.

use super::{
    OutputError,
    partial::{self, folder_of},
    unfinished::UnfinishedFile,
};
use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};
#[cfg(unix)]
use std::{
    thread,
    time::{Duration, Instant},
};

pub use super::unfinished::{remove_unfinished, unfinished};

/// Prefix of the names of unfinished files in catena's private folder. The next process removes
/// unfinished files of killed processes.
const PREFIX: &str = ".catena-";
/// Suffix of the names of unfinished files in catena's private folder.
const SUFFIX: &str = ".part";

/// Whether `name` is the name of an unfinished file in a private folder.
pub(super) fn is_temporary(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Creates an unfinished file next to a user-specified path.
///
/// # Errors
/// Returns an error if [`check_target`] rejects the path, or no file can be created in its folder.
pub fn create_unfinished(path: &Path) -> io::Result<UnfinishedFile> {
    check_target(path)?;
    partial::create(path)
}

/// Rejects a path that cannot be an output folder. A path that does not exist is accepted.
///
/// # Errors
/// Returns an error if the path is not a folder, or is read-only.
pub fn check_target_folder(path: &Path) -> io::Result<()> {
    let Ok(meta) = fs::metadata(path) else { return Ok(()) };
    if !meta.is_dir() {
        let what = "it is not a folder; choose another name";
        return Err(io::Error::new(io::ErrorKind::NotADirectory, what));
    }
    // On Windows a folder's read-only attribute does not apply to its files.
    if cfg!(unix) && meta.permissions().readonly() {
        let what = "it is read-only; choose another folder, or make it writable";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
    }
    Ok(())
}

/// Rejects a path that cannot be an output file, before anything is computed. A path that does not
/// exist is accepted.
///
/// # Errors
/// Returns an error if the path is a folder or a read-only file.
pub fn check_target(path: &Path) -> io::Result<()> {
    let Ok(meta) = fs::metadata(path) else { return Ok(()) };
    let refuse = |kind: io::ErrorKind, what: &str| Err(io::Error::new(kind, what));
    match meta.is_file() && meta.permissions().readonly() {
        _ if meta.is_dir() => {
            refuse(io::ErrorKind::IsADirectory, "it is a directory; name a file, or a file in it")
        }
        true => refuse(
            io::ErrorKind::PermissionDenied,
            "it is read-only; choose another name, or make it writable",
        ),
        false => Ok(()),
    }
}

/// Maximum wait for a pipe's reader.
#[cfg(unix)]
const READER_PATIENCE: Duration = Duration::from_secs(2);
/// Interval between attempts to open such a pipe.
#[cfg(unix)]
const READER_POLL: Duration = Duration::from_millis(20);

/// Opens a pipe or a device for writing. A pipe needs a reader; without one, a plain open would
/// block forever.
///
/// # Errors
/// Returns an error if it cannot be opened, or no program reads from the pipe within 2 seconds.
pub fn open_device(path: &Path) -> io::Result<fs::File> {
    // Stays open until the second writer exists: without a writer, the reader would see the end of
    // the pipe.
    #[cfg(unix)]
    let _first = await_reader(path)?;
    // Reopened in blocking mode, so that writes wait for a slow reader.
    fs::OpenOptions::new().write(true).open(path)
}

/// Waits until a pipe has a reader, and returns the open pipe. Returns `None` if the path is not a
/// pipe.
#[cfg(unix)]
fn await_reader(path: &Path) -> io::Result<Option<fs::File>> {
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
    if !fs::metadata(path)?.file_type().is_fifo() {
        return Ok(None);
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).custom_flags(libc::O_NONBLOCK);
    let start = Instant::now();
    loop {
        match options.open(path) {
            Err(error) if error.raw_os_error() == Some(libc::ENXIO) => {}
            opened => return opened.map(Some),
        }
        if start.elapsed() > READER_PATIENCE {
            return Err(io::Error::other(
                "no program reads from this pipe; start the reader first",
            ));
        }
        thread::sleep(READER_POLL);
    }
}

/// Whether a path leads to a pipe, a device, or a system name for an open file. No regular file can
/// replace these.
pub fn is_device(path: &Path) -> bool {
    let is_named_by_system = path.parent().is_some_and(is_system_folder);
    fs::metadata(path).is_ok_and(|meta| !meta.is_dir() && (is_named_by_system || !meta.is_file()))
}

/// Whether a folder holds names of devices and open files, such as `/dev/stderr`, which no file may
/// replace.
fn is_system_folder(folder: &Path) -> bool {
    let folders = ["/dev", "/dev/fd", "/proc/self/fd"];
    folders.into_iter().any(|name| folder == Path::new(name))
}

/// Writes the output of `fill` to a user-specified path: directly into a pipe or a device,
/// otherwise atomically like [`write_with`].
///
/// # Errors
/// Returns an error if the folder, the disk or `fill` fails. A regular file at the path is then
/// unchanged.
pub fn write_to<E>(path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<(), E>) -> Result<(), E>
where
    E: From<OutputError>,
{
    let refuse = |cause| E::from(OutputError::new("write", path, cause));
    if is_device(path) {
        let file = open_device(path).map_err(refuse)?;
        let mut writer = io::BufWriter::new(file);
        fill(&mut writer)?;
        return writer.flush().map_err(refuse);
    }
    fill_and_name(create_unfinished(path).map_err(refuse)?, path, fill)
}

/// Creates an unfinished file in catena's private folder.
///
/// # Errors
/// Returns an error if no file can be created there.
pub fn unfinished_in(private: &Path) -> io::Result<UnfinishedFile> {
    UnfinishedFile::create(private, PREFIX, SUFFIX)
}

/// Writes the output of `fill` atomically to a file in catena's private folder. A link at the path
/// is replaced, not followed.
///
/// # Errors
/// Returns an error if the folder, the disk or `fill` fails. The path then keeps its previous
/// content.
pub fn write_with<E>(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E>
where
    E: From<OutputError>,
{
    let file = unfinished_in(folder_of(path))
        .map_err(|cause| E::from(OutputError::new("write", path, cause)))?;
    fill_and_name(file, path, fill)
}

fn fill_and_name<E>(
    mut file: UnfinishedFile,
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E>
where
    E: From<OutputError>,
{
    let refuse = |cause| E::from(OutputError::new("write", path, cause));
    let mut writer = io::BufWriter::with_capacity(1 << 16, file.file());
    fill(&mut writer)?;
    writer.flush().map_err(refuse)?;
    drop(writer);
    file.persist(path).map_err(refuse)
}

/// Durability of a file's bytes before it gets its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Written to the system; a power failure may lose them.
    Written,
    /// Synchronized to the disk or file server, which has reported any delayed error.
    Synced,
}

/// Writes bytes to an unfinished file in catena's private folder. Errors name `path`, its future
/// name.
///
/// # Errors
/// Returns an error if the file cannot be created or written.
pub fn stage(
    private: &Path,
    path: &Path,
    bytes: &[u8],
    care: Durability,
) -> Result<UnfinishedFile, OutputError> {
    let refuse = |cause| OutputError::new("write", path, cause);
    let mut file = unfinished_in(private).map_err(refuse)?;
    file.file().write_all(bytes).map_err(refuse)?;
    if care == Durability::Synced {
        file.file().sync_data().map_err(refuse)?;
    }
    Ok(file)
}

/// Writes bytes atomically to a file in catena's private folder.
///
/// # Errors
/// Returns an error if the file cannot be created or written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    write_durably(path, bytes, Durability::Written)
}

/// Writes like [`write()`], and waits until the bytes are on the disk.
///
/// # Errors
/// Returns an error if the file cannot be created or written.
pub fn write_synced(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    write_durably(path, bytes, Durability::Synced)
}

/// Writes like [`write()`], with the given durability.
///
/// # Errors
/// Returns an error if the file cannot be created or written.
pub(super) fn write_durably(
    path: &Path,
    bytes: &[u8],
    care: Durability,
) -> Result<(), OutputError> {
    stage(folder_of(path), path, bytes, care)?.publish(path)
}

/// Removes a file, if it exists.
///
/// # Errors
/// Returns an error if the file cannot be removed.
pub fn remove(path: &Path) -> Result<(), OutputError> {
    ignore_absent(path, fs::remove_file(path))
}

/// Removes a folder with all its content, if it exists.
///
/// # Errors
/// Returns an error if the folder cannot be removed.
pub fn remove_folder(path: &Path) -> Result<(), OutputError> {
    ignore_absent(path, fs::remove_dir_all(path))
}

fn ignore_absent(path: &Path, removed: io::Result<()>) -> Result<(), OutputError> {
    match removed {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
            Err(OutputError::new("remove", path, cause))
        }
        _ => Ok(()),
    }
}

/// Removes the path if it is a link, so that no write follows it.
///
/// # Errors
/// Returns an error if the link cannot be removed.
pub fn remove_link(path: &Path) -> Result<(), OutputError> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => remove(path),
        _ => Ok(()),
    }
}

/// Rejects a folder or file of catena that is a link: writes would go to its target.
///
/// # Errors
/// Returns an error if the path is a link.
pub fn refuse_link(path: &Path) -> Result<(), OutputError> {
    if !fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink()) {
        return Ok(());
    }
    let what =
        "it is a link, and catena does not write through links; remove it, or choose another --out";
    Err(OutputError::new("write into", path, io::Error::other(what)))
}

/// Opens a file of catena for writing, and creates it if necessary. A link at the path is replaced,
/// and a pipe is rejected without waiting for its reader.
///
/// # Errors
/// Returns an error if the file cannot be opened, or is not a regular file.
pub fn open_own(path: &Path, options: &mut fs::OpenOptions) -> Result<fs::File, OutputError> {
    let refuse = |cause| OutputError::new("write", path, cause);
    remove_link(path)?;
    let is_pipe = fs::metadata(path).is_ok_and(|meta| !meta.is_file());
    let file = open_no_link(path, options.create(true));
    match file {
        Ok(file) if file.metadata().is_ok_and(|meta| meta.is_file()) => Ok(file),
        Err(cause) if !is_pipe => Err(refuse(cause)),
        _ => Err(refuse(io::Error::other("it is not an ordinary file; remove it"))),
    }
}

/// Opens a file of catena without following a link or waiting for a pipe. A link may have appeared
/// since the caller checked for one.
pub(super) fn open_no_link(path: &Path, options: &mut fs::OpenOptions) -> io::Result<fs::File> {
    #[cfg(unix)]
    {
        let flags = libc::O_NONBLOCK | libc::O_NOFOLLOW;
        std::os::unix::fs::OpenOptionsExt::custom_flags(options, flags);
    }
    options.open(path).map_err(|cause| match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => {
            io::Error::new(cause.kind(), "it is a link, which catena does not follow; remove it")
        }
        _ => cause,
    })
}

/// Regular files of a folder, sorted by path. The list is empty if the folder cannot be read.
pub(super) fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_file = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
    let mut files: Vec<PathBuf> = entries.filter(is_file).map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Creates a folder if necessary, and tests whether files can be created in it.
///
/// # Errors
/// Returns an error if the folder cannot be created or written to.
pub fn prepare_folder(folder: &Path) -> Result<(), OutputError> {
    fs::create_dir_all(folder)
        .map_err(|cause| OutputError::new("make the folder", folder, cause))?;
    partial::probe(folder).map_err(|cause| OutputError::new("write to the folder", folder, cause))
}
