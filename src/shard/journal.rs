//! The journal of a shard while it works: what is done so far, a hash a line.

use super::ShardPlace;
use crate::output::{OutputError, atomic, hashed_line};
use crate::read;
use serde::{Serialize, de::DeserializeOwned};
use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Write},
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

/// The first line of a journal, behind its hash.
const FIRST: &str = "shard";

/// A journal that is being written. Its process holds a lock on it, as far as the file system has
/// locks.
#[derive(Debug)]
pub struct ShardJournal {
    path: PathBuf,
    key: String,
    file: Mutex<File>,
}

impl ShardJournal {
    /// Opens the journal of a shard and returns the lines that are whole, in order. One that
    /// belongs to another key begins anew.
    ///
    /// # Errors
    /// When it cannot be read or written, or another process works on the same shard.
    pub fn open<T: DeserializeOwned>(
        place: &ShardPlace,
        key: &str,
    ) -> Result<(Self, Vec<T>), OutputError> {
        atomic::prepare_folder(place.folder())?;
        let path = place.journal();
        atomic::remove_link(&path)?;
        let refuse = |cause| OutputError::new("write", &path, cause);
        let file = OpenOptions::new().append(true).create(true).open(&path).map_err(refuse)?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            let what =
                format!("another process works on shard {} here; wait for it", place.choice());
            return Err(OutputError::new("go on with", &path, io::Error::other(what)));
        }
        let bytes = read::file(&path, u64::MAX - 1);
        let bytes = bytes.map_err(|cause| OutputError::new("read", &path, cause))?;
        let (lines, whole) = parse(&bytes, key);
        file.set_len(whole as u64).map_err(refuse)?;
        let journal = Self { path, key: key.into(), file: Mutex::new(file) };
        if whole == 0 {
            journal.append(FIRST)?;
        }
        Ok((journal, lines))
    }

    /// Adds a line.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add<T: Serialize>(&self, line: &T) -> Result<(), OutputError> {
        let text = serde_json::to_string(line);
        let refuse = |error| OutputError::new("write", &self.path, io::Error::other(error));
        self.append(&text.map_err(refuse)?)
    }

    fn append(&self, text: &str) -> Result<(), OutputError> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(hashed_line::encode(&self.key, text).as_bytes())
            .map_err(|cause| OutputError::new("write", &self.path, cause))
    }

    /// Waits until the disk has all lines.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn sync(&self) -> Result<(), OutputError> {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.sync_data().map_err(|cause| OutputError::new("write", &self.path, cause))
    }

    /// Removes the journal, once the report is written.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(self) -> Result<(), OutputError> {
        fs::remove_file(&self.path).map_err(|cause| OutputError::new("remove", &self.path, cause))
    }
}

/// The lines of a journal up to the first that is damaged or torn, and how many bytes they have.
fn parse<T: DeserializeOwned>(bytes: &[u8], key: &str) -> (Vec<T>, usize) {
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let text = |line: &[u8]| hashed_line::decode(key, line.strip_suffix(b"\n")?).map(str::to_owned);
    let first = lines.next().filter(|line| text(line).as_deref() == Some(FIRST));
    let mut whole = first.map_or(0, <[u8]>::len);
    let mut all = Vec::new();
    for line in lines.take_while(|_| first.is_some()) {
        let Some(value) = text(line).and_then(|text| serde_json::from_str(&text).ok()) else {
            break;
        };
        all.push(value);
        whole += line.len();
    }
    (all, whole)
}
