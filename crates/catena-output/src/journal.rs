//! Journal of a render: one line per file. If a render is killed before it writes its manifest, the
//! journal preserves the records of its files.
//!
//! The first line has the key of the source. Each line contains its own hash and is written before
//! its file gets its name, so every file is known as catena's. A torn or changed line is ignored.

use super::{
    OutputError,
    atomic::{self, Durability},
    hash, lock,
    manifest::FrameEntry,
    names::FRAME_LIMIT,
    ownership::OwnedFiles,
};
use catena_base::read;
use serde::{Deserialize, Serialize};
use std::{
    fs::{File, OpenOptions},
    io::{self, Seek, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// First line of a journal.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    key: String,
    holder: String,
}

/// Further line of a journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JournalLine {
    /// A frame.
    Frame(FrameEntry),
    /// Name and hash of another file.
    File(String, String),
    /// Heartbeat: the writer is alive.
    Beat,
    /// The writer has stopped working on the piece.
    Left,
}

impl JournalLine {
    fn encode(&self, key: &str) -> String {
        // Enums of strings and numbers can always be serialized as JSON.
        hash::encode_line(key, &serde_json::to_string(self).unwrap_or_default())
    }
}

/// Journal open for writing.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    key: String,
    file: Mutex<File>,
}

impl Journal {
    /// Starts a journal that replaces an older one.
    ///
    /// # Errors
    /// Returns an error if the journal cannot be written.
    pub fn create(path: &Path, key: &str) -> Result<Self, OutputError> {
        Self::write_files(path, key, &[], Durability::Written)?;
        let file = atomic::open_own(path, OpenOptions::new().append(true))?;
        Ok(Self { path: path.into(), key: key.into(), file: Mutex::new(file) })
    }

    /// Writes a journal of these file names and hashes atomically, and replaces an older one.
    ///
    /// # Errors
    /// Returns an error if the journal cannot be written.
    pub fn write_files(
        path: &Path,
        key: &str,
        files: &[(String, String)],
        care: Durability,
    ) -> Result<(), OutputError> {
        let line = |(name, hash): &(String, String)| {
            JournalLine::File(name.clone(), hash.clone()).encode(key)
        };
        let text: String = [header(key)].into_iter().chain(files.iter().map(line)).collect();
        atomic::write_durably(path, text.as_bytes(), care)
    }

    /// Creates a journal exclusively, in one operation of the file system. Returns `None` if it
    /// exists.
    ///
    /// # Errors
    /// Returns an error if the journal cannot be written.
    pub fn create_new(path: &Path, key: &str) -> Result<Option<Self>, OutputError> {
        let file = match OpenOptions::new().append(true).create_new(true).open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
            Err(cause) => return Err(OutputError::new("write", path, cause)),
        };
        let journal = Self { path: path.into(), key: key.into(), file: Mutex::new(file) };
        journal.append(&header(key))?;
        Ok(Some(journal))
    }

    /// Records a frame. Call it before the file is renamed from its temporary name.
    ///
    /// # Errors
    /// Returns an error if the journal cannot be written.
    pub fn add(&self, entry: &FrameEntry) -> Result<(), OutputError> {
        self.append(&JournalLine::Frame(entry.clone()).encode(&self.key))
    }

    /// Records a file that is not a frame. Call it before the file is renamed from its temporary
    /// name.
    ///
    /// # Errors
    /// Returns an error if the journal cannot be written.
    pub fn add_file(&self, name: &str, sha256: &str) -> Result<(), OutputError> {
        self.append(&JournalLine::File(name.into(), sha256.into()).encode(&self.key))
    }

    /// Appends a line that shows other processes that this one is alive.
    ///
    /// # Errors
    /// Returns an error if the journal cannot be written.
    pub fn heartbeat(&self) -> Result<(), OutputError> {
        self.append(&JournalLine::Beat.encode(&self.key))
    }

    /// Appends a line that shows other processes that this one has stopped.
    ///
    /// # Errors
    /// Returns an error if the journal cannot be written.
    pub fn mark_left(&self) -> Result<(), OutputError> {
        self.append(&JournalLine::Left.encode(&self.key))
    }

    fn append(&self, line: &str) -> Result<(), OutputError> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes())
            .map_err(|cause| OutputError::new("write", &self.path, cause))
    }
}

/// Whether the last line of a journal records that its writer has stopped. Only this line is read.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn has_left(path: &Path, key: &str) -> io::Result<bool> {
    let line = JournalLine::Left.encode(key);
    let (mut file, bytes) = read::open(path, read::LARGE)?;
    let Some(start) = bytes.checked_sub(line.len() as u64) else { return Ok(false) };
    file.seek(io::SeekFrom::Start(start))?;
    Ok(read::up_to(line.len() as u64, file)? == line.as_bytes())
}

fn header(key: &str) -> String {
    let header = Header { key: key.into(), holder: lock::process_name() };
    hash::encode_line("", &serde_json::to_string(&header).unwrap_or_default())
}

/// Content of a journal.
#[derive(Clone, Debug, PartialEq)]
pub struct JournalContents {
    /// Key of the source of the frames.
    pub key: String,
    /// Process that wrote the journal; see [`lock::process_name`].
    pub holder: String,
    /// Frames in the order in which they were written.
    pub entries: Vec<FrameEntry>,
    /// Names and hashes of other files.
    pub files: Vec<(String, String)>,
    /// Number of damaged lines. An unfinished last line does not count.
    pub damaged: usize,
    /// Whether the writer has recorded that it stopped.
    pub has_left: bool,
    /// Length of the file in bytes. A running writer extends the file.
    pub bytes: usize,
}

impl JournalContents {
    /// Reads a journal. Returns `None` if it does not exist or has no valid first line.
    ///
    /// # Errors
    /// Returns an error if the journal exists but cannot be read.
    pub fn read(path: &Path) -> Result<Option<Self>, OutputError> {
        let bytes = read::record(path).map_err(|cause| OutputError::new("read", path, cause))?;
        Ok(bytes.and_then(|bytes| Self::parse(&bytes)))
    }

    /// Parses the bytes of a journal. Returns `None` if there is no valid first line.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let first = hash::decode_line("", lines.next()?.strip_suffix(b"\n")?)?;
        let header: Header = serde_json::from_str(first).ok()?;
        let mut past = Self {
            key: header.key,
            holder: header.holder,
            entries: Vec::new(),
            files: Vec::new(),
            damaged: 0,
            has_left: false,
            bytes: bytes.len(),
        };
        // A line without a terminator is incomplete.
        for line in lines.filter_map(|line| line.strip_suffix(b"\n")) {
            let line = hash::decode_line(&past.key, line).map(serde_json::from_str);
            match line {
                Some(Ok(JournalLine::Frame(entry))) if entry.frame < FRAME_LIMIT => {
                    past.entries.push(entry);
                }
                Some(Ok(JournalLine::File(name, hash))) => past.files.push((name, hash)),
                Some(Ok(JournalLine::Beat)) => {}
                Some(Ok(JournalLine::Left)) => past.has_left = true,
                _ => past.damaged += 1,
            }
        }
        Some(past)
    }

    /// Adds all files that the journal names to `owned`.
    pub fn add_to(&self, owned: &mut OwnedFiles) {
        self.entries.iter().for_each(|entry| owned.add(&entry.file, &entry.sha256));
        self.files.iter().for_each(|(name, hash)| owned.add(name, hash));
    }
}
