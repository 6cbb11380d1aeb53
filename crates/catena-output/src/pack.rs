//! Packs: many files in one tar, with the same bytes on every machine.
//!
//! A pack grows at its end. After a kill, writing continues after the last file that a journal
//! names.

use super::{OutputError, atomic, ownership::is_torn_copy};
use catena_base::read;
use std::{
    collections::BTreeMap,
    fs::{File, OpenOptions},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};
use tar::{Archive, Builder, EntryType, Header};

/// Extension of packs.
pub const PACK: &str = "tar";

/// Pack open for writing.
pub struct PackWriter {
    path: PathBuf,
    builder: Builder<File>,
}

impl PackWriter {
    /// Opens a pack, truncated to its first `bytes` bytes, and creates it if necessary.
    ///
    /// # Errors
    /// Returns an error if the pack cannot be written.
    pub fn open(path: &Path, bytes: u64) -> Result<Self, OutputError> {
        let refuse = |cause| OutputError::new("write", path, cause);
        let mut file = atomic::open_own(path, OpenOptions::new().write(true).truncate(false))?;
        file.set_len(bytes).map_err(refuse)?;
        file.seek(SeekFrom::Start(bytes)).map_err(refuse)?;
        Ok(Self { path: path.into(), builder: Builder::new(file) })
    }

    /// Appends a file, and returns the new length of the pack in bytes.
    ///
    /// # Errors
    /// Returns an error if the pack cannot be written.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result<u64, OutputError> {
        let refuse = |cause| OutputError::new("write", &self.path, cause);
        let header = header_of(name, bytes.len() as u64).map_err(refuse)?;
        self.builder.append(&header, bytes).map_err(refuse)?;
        self.builder.get_mut().stream_position().map_err(refuse)
    }

    /// Ends the pack, and waits until it is on the disk.
    ///
    /// # Errors
    /// Returns an error if the pack cannot be written.
    pub fn finish(self) -> Result<(), OutputError> {
        let refuse = |cause| OutputError::new("write", &self.path, cause);
        let file = self.builder.into_inner().map_err(refuse)?;
        file.sync_all().map_err(refuse)
    }
}

/// Header of a file in a pack, which depends only on name and size.
fn header_of(name: &str, size: u64) -> io::Result<Header> {
    let mut header = Header::new_ustar();
    header.set_path(name)?;
    header.set_entry_type(EntryType::Regular);
    header.set_size(size);
    header.set_mode(0o644);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header.set_cksum();
    Ok(header)
}

/// Name of the first file of a pack that begins with these bytes. Returns `None` unless they are a
/// complete or torn header of a [`PackWriter`].
pub fn first_name(start: &[u8]) -> Option<String> {
    let mut found = Header::new_old();
    let block = found.as_mut_bytes();
    let start = &start[..start.len().min(block.len())];
    block[..start.len()].copy_from_slice(start);
    let name = name_of(&found).ok()?;
    // A torn header may lack the size.
    let written = header_of(&name, found.entry_size().unwrap_or_default()).ok()?;
    is_torn_copy(written.as_bytes(), start).then_some(name)
}

/// Reads the files of a pack in order, and passes name and bytes of each to `receive` until it
/// returns false.
///
/// # Errors
/// Returns an error if the pack cannot be read, or is damaged.
pub fn walk(path: &Path, mut receive: impl FnMut(&str, &[u8]) -> bool) -> io::Result<()> {
    let (file, length) = read::open(path, u64::MAX)?;
    let mut archive = Archive::new(io::BufReader::with_capacity(1 << 17, file));
    let mut bytes = Vec::new();
    for entry in archive.entries()? {
        let mut entry = entry?;
        let size = checked_size(&entry.header().clone(), length)?;
        let name = name_of(entry.header())?;
        bytes.clear();
        entry.read_to_end(&mut bytes)?;
        if bytes.len() as u64 != size {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if !receive(&name, &bytes) {
            break;
        }
    }
    Ok(())
}

/// Pack with random access to its files.
#[derive(Clone, Debug)]
pub struct Pack {
    path: PathBuf,
    /// Offset and length in bytes of each file's data.
    files: BTreeMap<String, (u64, u64)>,
}

impl Pack {
    /// Reads the positions of the files in a pack.
    ///
    /// # Errors
    /// Returns an error if the pack cannot be read, or is damaged.
    pub fn open(path: &Path) -> io::Result<Self> {
        let (file, length) = read::open(path, u64::MAX)?;
        let mut archive = Archive::new(file);
        let mut files = BTreeMap::new();
        for entry in archive.entries_with_seek()? {
            let entry = entry?;
            let size = checked_size(entry.header(), length)?;
            files.insert(name_of(entry.header())?, (entry.raw_file_position(), size));
        }
        Ok(Self { path: path.into(), files })
    }

    /// Path of the pack.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Names of the files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Length of a pack that ends after this file, without the tar trailer; `None` if the file does
    /// not exist.
    pub fn end(&self, name: &str) -> Option<u64> {
        let (start, size) = self.files.get(name)?;
        start.checked_add(size.checked_next_multiple_of(512)?)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// Returns an error if no file has this name, or the pack cannot be read.
    pub fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let (start, size) = *self.files.get(name).ok_or(io::ErrorKind::NotFound)?;
        let (mut file, _) = read::open(&self.path, u64::MAX)?;
        file.seek(SeekFrom::Start(start))?;
        let bytes = read::up_to(size, file)?;
        if bytes.len() as u64 == size {
            Ok(bytes)
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }
}

/// Size of a file, checked against the length of the pack.
fn checked_size(header: &Header, length: u64) -> io::Result<u64> {
    let size = header.entry_size()?;
    if size <= length.min(read::LARGE) { Ok(size) } else { Err(io::ErrorKind::InvalidData.into()) }
}

fn name_of(header: &Header) -> io::Result<String> {
    String::from_utf8(header.path_bytes().into_owned()).map_err(io::Error::other)
}
