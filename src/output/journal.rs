//! What a render has written so far, a line a frame: it is known even when the render is killed before it writes its manifest.
//!
//! The first line says what the frames are made from. A line that is torn, or is no entry, counts for nothing.

use super::{OutputError, atomic, lock, manifest::FrameEntry};
use crate::read;
use serde::{Deserialize, Serialize};
use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    key: String,
    holder: String,
}

/// Lines without an entry.
const BEAT: &str = "beat";
const LEFT: &str = "left";

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Mutex<File>,
}

impl Journal {
    /// Begins one, in place of an older one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path, key: &str) -> Result<Self, OutputError> {
        atomic::write(path, header(key).as_bytes())?;
        let file = OpenOptions::new().append(true).open(path);
        let file = file.map_err(|cause| OutputError::new("write", path, cause))?;
        Ok(Self { path: path.into(), file: Mutex::new(file) })
    }

    /// Begins one where there is none, as one step of the file system; `None` where there is one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create_new(path: &Path, key: &str) -> Result<Option<Self>, OutputError> {
        let file = match OpenOptions::new().append(true).create_new(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
            Err(cause) => return Err(OutputError::new("write", path, cause)),
        };
        let journal = Self { path: path.into(), file: Mutex::new(file) };
        journal.append(&header(key))?;
        Ok(Some(journal))
    }

    /// Adds a frame whose file is written.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&self, entry: &FrameEntry) -> Result<(), OutputError> {
        // A struct of strings and numbers can always be written as JSON.
        let mut line = serde_json::to_string(entry).unwrap_or_default();
        line.push('\n');
        self.append(&line)
    }

    /// Shows others that this process is alive.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn beat(&self) -> Result<(), OutputError> {
        self.append(&format!("{BEAT}\n"))
    }

    /// Tells others that nobody works on this any more.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn leave(&self) -> Result<(), OutputError> {
        self.append(&format!("{LEFT}\n"))
    }

    fn append(&self, line: &str) -> Result<(), OutputError> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes())
            .map_err(|cause| OutputError::new("write", &self.path, cause))
    }
}

fn header(key: &str) -> String {
    let header = Header { key: key.into(), holder: lock::own_name() };
    format!("{}\n", serde_json::to_string(&header).unwrap_or_default())
}

/// What a journal says.
#[derive(Clone, Debug, PartialEq)]
pub struct Past {
    /// What its frames were made from.
    pub key: String,
    /// Who wrote it.
    pub holder: String,
    /// The frames, in the order in which they were written.
    pub entries: Vec<FrameEntry>,
    /// Whether its writer says that it has gone.
    pub has_left: bool,
    /// How long the file is; it grows while its writer lives.
    pub bytes: usize,
}

impl Past {
    /// Reads a journal; `None` where there is none, or none that begins as one.
    pub fn read(path: &Path) -> Option<Self> {
        Self::parse(&read::file(path, read::LARGE).ok()?)
    }

    /// Reads the bytes of a journal; `None` where they do not begin as one.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let header: Header = serde_json::from_slice(lines.next()?).ok()?;
        // Only a line that ends is whole.
        let whole = lines.filter_map(|line| line.strip_suffix(b"\n"));
        let mut past = Self {
            key: header.key,
            holder: header.holder,
            entries: Vec::new(),
            has_left: false,
            bytes: bytes.len(),
        };
        for line in whole {
            past.has_left |= line == LEFT.as_bytes();
            past.entries.extend(serde_json::from_slice::<FrameEntry>(line));
        }
        Some(past)
    }
}
