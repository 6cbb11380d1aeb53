//! Reads files into memory, up to a size limit.
//!
//! Only scenes may come through pipes; every other input must be a regular file. A pipe would block
//! the process, and a device may never end.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read},
    path::Path,
};

/// Size limit in bytes for a picture, a manifest, a journal or a page: several times the size for a
/// million frames.
pub const LARGE: u64 = 1 << 30;
/// Size limit in bytes for a font: about twice the largest font collections.
pub const FONT: u64 = 256 << 20;
/// Size limit in bytes for a name or for another program's answer.
pub const NOTE: u64 = 1 << 12;

/// Reads all bytes of a regular file.
///
/// # Errors
/// Returns an error if the file cannot be read, is not a regular file, is larger than `maximum`
/// bytes, or does not fit into memory.
pub fn file(path: &Path, maximum: u64) -> io::Result<Vec<u8>> {
    let (file, length) = open(path, maximum)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))?;
    append(file, maximum + 1, &mut bytes)?;
    // The file may have grown since its length was read.
    if bytes.len() as u64 > maximum {
        Err(too_large(bytes.len() as u64, maximum))
    } else {
        Ok(bytes)
    }
}

/// Reads all bytes of a regular file, or returns `None` if the path does not exist.
///
/// # Errors
/// The errors of [`file()`], except for a path that does not exist.
pub fn file_if_present(path: &Path, maximum: u64) -> io::Result<Option<Vec<u8>>> {
    match file(path, maximum) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether an error concerns the type or content of a file. After any other error the file's
/// content is unknown, not invalid.
pub fn is_about_content(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, IsADirectory, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | IsADirectory | UnexpectedEof)
}

/// Reads all bytes of a record. Returns `None` if the path does not exist or is not a regular file.
///
/// # Errors
/// Returns an error if the record exists but cannot be read.
pub fn record(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match file_if_present(path, LARGE) {
        Err(error) if is_about_content(&error) => Ok(None),
        other => other,
    }
}

/// Reads a regular file as UTF-8 text.
///
/// # Errors
/// The errors of [`file()`], and an error if the bytes are not UTF-8.
pub fn text(path: &Path, maximum: u64) -> io::Result<String> {
    String::from_utf8(file(path, maximum)?).map_err(io::Error::other)
}

/// Name and command of the program that fetches a large file, if these bytes are a pointer to one.
pub fn pointer_of(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    const LFS: &[u8] = b"version https://git-lfs.github.com/spec/";
    const ANNEX: &[u8] = b"/annex/objects/";
    match bytes {
        _ if bytes.starts_with(LFS) => Some(("Git LFS", "git lfs pull")),
        _ if bytes.starts_with(ANNEX) => Some(("git-annex", "git annex get")),
        _ => None,
    }
}

/// Opens a regular file of at most `maximum` bytes for reading, and returns it with its length.
///
/// # Errors
/// Returns an error if the file cannot be opened, is not a regular file, or is larger than
/// `maximum` bytes.
pub fn open(path: &Path, maximum: u64) -> io::Result<(File, u64)> {
    let mut options = OpenOptions::new();
    options.read(true);
    // Opening a pipe would block until another process writes to it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    let meta = file.metadata()?;
    if meta.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !meta.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not an ordinary file"));
    }
    if meta.len() > maximum { Err(too_large(meta.len(), maximum)) } else { Ok((file, meta.len())) }
}

/// Reads the first bytes of a regular file, at most `maximum`.
///
/// # Errors
/// Returns an error if the file cannot be read, or is not a regular file.
pub fn start(path: &Path, maximum: u64) -> io::Result<Vec<u8>> {
    let (file, _) = open(path, u64::MAX)?;
    up_to(maximum, file)
}

/// Reads a stream to its end, or to `maximum` bytes.
///
/// # Errors
/// Returns an error if the stream cannot be read, or memory runs out.
pub fn up_to(maximum: u64, stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    append(stream, maximum, &mut bytes)?;
    Ok(bytes)
}

fn append(stream: impl Read, maximum: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    stream.take(maximum).read_to_end(bytes).map(drop)
}

fn too_large(length: u64, maximum: u64) -> io::Error {
    let what = format!("it has {length} bytes, more than the limit of {maximum}");
    io::Error::new(io::ErrorKind::InvalidData, what)
}
