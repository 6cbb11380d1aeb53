//! Files that get their names only when they are whole.

use super::{
    OutputError,
    beside::{self, folder_of},
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

/// Names of unfinished files in catena's private folder. The next process removes those that a
/// killed one leaves.
const PREFIX: &str = ".catena-";
const SUFFIX: &str = ".part";

/// Whether a file has the name of an unfinished file in a private folder.
pub(super) fn is_temporary(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// Makes an unfinished file beside a path that the user has named.
///
/// # Errors
/// When [`check_target`] refuses the path, or no file can be made in the folder around it.
pub fn unfinished_beside(path: &Path) -> io::Result<UnfinishedFile> {
    check_target(path)?;
    beside::create(path)
}

/// Refuses a path that no folder of outputs may have.
///
/// # Errors
/// When it is no folder, or nobody may write to it.
pub fn check_target_folder(path: &Path) -> io::Result<()> {
    let Ok(meta) = fs::metadata(path) else { return Ok(()) };
    if !meta.is_dir() {
        let what = "it is not a folder; choose another name";
        return Err(io::Error::new(io::ErrorKind::NotADirectory, what));
    }
    // On Windows the attribute of a folder says nothing about its files.
    if cfg!(unix) && meta.permissions().readonly() {
        let what = "it is read-only; choose another folder, or make it writable";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
    }
    Ok(())
}

/// Refuses a path that no file may take, before there is anything to write.
///
/// # Errors
/// When the path is a folder or a read-only file.
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

/// Time that a pipe without a reader is waited for.
#[cfg(unix)]
const READER_PATIENCE: Duration = Duration::from_secs(2);
/// Time between two attempts to open such a pipe.
#[cfg(unix)]
const READER_POLL: Duration = Duration::from_millis(20);

/// Opens a pipe or a device for writing. A pipe needs a reader, and without one the system would
/// wait for ever.
///
/// # Errors
/// When it cannot be opened, or nobody reads from the pipe for some seconds.
pub fn open_device(path: &Path) -> io::Result<fs::File> {
    // Open until the end: between two writers the reader would see the end of the pipe.
    #[cfg(unix)]
    let _first = await_reader(path)?;
    // Opened anew, so that writes wait for a slow reader.
    fs::OpenOptions::new().write(true).open(path)
}

/// Waits until a pipe has a reader, and returns the pipe; `None` for what is no pipe.
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

/// Whether a path leads to a pipe, a device or one of the system's names of open files: no other
/// file can take their names.
pub fn is_device(path: &Path) -> bool {
    let is_named_by_system = path.parent().is_some_and(is_system_folder);
    fs::metadata(path).is_ok_and(|meta| !meta.is_dir() && (is_named_by_system || !meta.is_file()))
}

/// Whether a folder holds the names of devices and open files, such as `/dev/stderr`. No file may
/// replace one of these.
fn is_system_folder(folder: &Path) -> bool {
    let folders = ["/dev", "/dev/fd", "/proc/self/fd"];
    folders.into_iter().any(|name| folder == Path::new(name))
}

/// Writes what `fill` gives to a path that the user has named: straight into a pipe or a device,
/// and otherwise whole or not at all, as [`write_with`] does.
///
/// # Errors
/// When the folder, the disk or `fill` fails; the path then holds what it held before.
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
    fill_and_name(unfinished_beside(path).map_err(refuse)?, path, fill)
}

/// Makes an unfinished file in catena's private folder.
///
/// # Errors
/// When no file can be made there.
pub fn unfinished_in(private: &Path) -> io::Result<UnfinishedFile> {
    UnfinishedFile::create(private, PREFIX, SUFFIX)
}

/// Writes what `fill` gives to a file in catena's private folder, whole or not at all. A link of
/// its name is replaced.
///
/// # Errors
/// When the folder, the disk or `fill` fails; the path then holds what it held before.
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

/// How safe the bytes of a file are before it takes its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The system has them; a power failure may lose them.
    Written,
    /// The disk or the file server has them, and has reported any late error.
    Synced,
}

/// Writes bytes to an unfinished file in catena's private folder. Errors name `path`, which the
/// file is to take.
///
/// # Errors
/// When the folder or the disk refuses.
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

/// Writes bytes to a file in catena's private folder, whole or not at all.
///
/// # Errors
/// When the folder or the disk refuses.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    write_durably(path, bytes, Durability::Written)
}

/// Like [`write()`], and waits until the disk has the bytes.
///
/// # Errors
/// When the folder or the disk refuses.
pub fn write_synced(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    write_durably(path, bytes, Durability::Synced)
}

/// Like [`write`], with the given durability.
///
/// # Errors
/// When the folder or the disk refuses.
pub(super) fn write_durably(
    path: &Path,
    bytes: &[u8],
    care: Durability,
) -> Result<(), OutputError> {
    stage(folder_of(path), path, bytes, care)?.publish(path)
}

/// Removes a file; one that does not exist is no error.
///
/// # Errors
/// When it cannot be removed.
pub fn remove(path: &Path) -> Result<(), OutputError> {
    unless_absent(path, fs::remove_file(path))
}

/// Removes a folder with all its content; one that does not exist is no error.
///
/// # Errors
/// When it cannot be removed.
pub fn remove_folder(path: &Path) -> Result<(), OutputError> {
    unless_absent(path, fs::remove_dir_all(path))
}

fn unless_absent(path: &Path, removed: io::Result<()>) -> Result<(), OutputError> {
    match removed {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
            Err(OutputError::new("remove", path, cause))
        }
        _ => Ok(()),
    }
}

/// Removes a link, so that no write follows it.
///
/// # Errors
/// When it cannot be removed.
pub fn remove_link(path: &Path) -> Result<(), OutputError> {
    match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_symlink() => remove(path),
        _ => Ok(()),
    }
}

/// Refuses a folder or a file of catena's that is a link: what is written there would lie
/// elsewhere.
///
/// # Errors
/// When it is a link.
pub fn refuse_link(path: &Path) -> Result<(), OutputError> {
    if !fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink()) {
        return Ok(());
    }
    let what =
        "it is a link, and catena does not write through links; remove it, or choose another --out";
    Err(OutputError::new("write into", path, io::Error::other(what)))
}

/// Opens a file of catena's own for writing at its end, and makes it where it does not exist. A
/// link of its name is replaced, and a pipe is refused without waiting for its reader.
///
/// # Errors
/// When it cannot be opened, or is no ordinary file.
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

/// Opens a file of catena's own. A link of its name, which may have come since links were looked
/// for, is not followed, and a pipe is not waited for.
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

/// The ordinary files of a folder, sorted by path; none where it cannot be read.
pub(super) fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_file = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
    let mut files: Vec<PathBuf> = entries.filter(is_file).map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Makes a folder where there is none, and tries whether files can be made in it.
///
/// # Errors
/// When the folder cannot be made or written to.
pub fn prepare_folder(folder: &Path) -> Result<(), OutputError> {
    fs::create_dir_all(folder)
        .map_err(|cause| OutputError::new("make the folder", folder, cause))?;
    beside::probe(folder).map_err(|cause| OutputError::new("write to the folder", folder, cause))
}
