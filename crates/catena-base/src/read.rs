//! Files read into memory, as far as there is a limit for them.
//!
//! Only scenes may come through pipes. All other files are ordinary ones: a pipe would have the
//! process wait, and a device may never end.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read},
    path::Path,
};

/// Bytes of a picture, a manifest, a journal or a page: what a million frames need, several times
/// over.
pub const LARGE: u64 = 1 << 30;
/// Bytes of a font; the largest collections of typefaces have about half.
pub const FONT: u64 = 256 << 20;
/// Bytes of a name or of an answer of another program.
pub const NOTE: u64 = 1 << 12;

/// All bytes of an ordinary file.
///
/// # Errors
/// When it cannot be read, is no ordinary file, has more than `most` bytes, or more than there is
/// memory for.
pub fn file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (file, length) = open(path, most)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))?;
    append(file, most + 1, &mut bytes)?;
    // It may have grown since its length was asked for.
    if bytes.len() as u64 > most { Err(too_large(bytes.len() as u64, most)) } else { Ok(bytes) }
}

/// All bytes of an ordinary file; `None` where nothing has its name.
///
/// # Errors
/// As [`file()`], but for a name that nothing has.
pub fn file_if_present(path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    match file(path, most) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether an error says what a file is or holds. Any other error says that it cannot be read at
/// the moment: a record is then unknown, not broken.
pub fn is_about_content(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, IsADirectory, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | IsADirectory | UnexpectedEof)
}

/// All bytes of a record; `None` where there is none, or what has its name is no ordinary file.
///
/// # Errors
/// When the record cannot be read at the moment.
pub fn record(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match file_if_present(path, LARGE) {
        Err(error) if is_about_content(&error) => Ok(None),
        other => other,
    }
}

/// The text of an ordinary file.
///
/// # Errors
/// As [`file()`], and when it is not UTF-8.
pub fn text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(file(path, most)?).map_err(io::Error::other)
}

/// An ordinary file of at most `most` bytes, opened for reading, with its length.
///
/// # Errors
/// When it cannot be opened, is no ordinary file, or has more bytes.
pub fn open(path: &Path, most: u64) -> io::Result<(File, u64)> {
    let mut options = OpenOptions::new();
    options.read(true);
    // To open a pipe would wait for somebody who writes.
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
    if meta.len() > most { Err(too_large(meta.len(), most)) } else { Ok((file, meta.len())) }
}

/// The first bytes of an ordinary file, `most` at the maximum.
///
/// # Errors
/// When it cannot be read, or is no ordinary file.
pub fn start(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (file, _) = open(path, u64::MAX)?;
    up_to(most, file)
}

/// What comes from a stream, up to so many bytes.
///
/// # Errors
/// When it cannot be read, or there is too little memory.
pub fn up_to(most: u64, stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    append(stream, most, &mut bytes)?;
    Ok(bytes)
}

fn append(stream: impl Read, most: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    stream.take(most).read_to_end(bytes).map(drop)
}

fn too_large(length: u64, most: u64) -> io::Error {
    let what = format!("it has {length} bytes, more than the {most} that it can have");
    io::Error::new(io::ErrorKind::InvalidData, what)
}
