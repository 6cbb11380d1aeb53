//! Journal of a running shard: the finished items, one hashed line each.

use super::ShardPlace;
use catena_base::read;
use catena_output::{OutputError, atomic, hash, lock::is_unsupported};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufRead, BufReader, Write},
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

/// Text of the first line of a journal, after its hash.
const FIRST: &str = "shard";
/// Number of hexadecimal digits in the hash at the start of a line.
const HASH_DIGITS: usize = 64;

/// Returns whether a file starts like a journal. A kill or a power failure may have truncated the
/// first line.
pub(super) fn is_start(start: &[u8]) -> bool {
    // After a power failure, unwritten bytes may be zeros.
    let end = start.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let (hash, rest) = start[..end].split_at(end.min(HASH_DIGITS));
    let line = format!(" {FIRST}\n");
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    hash.iter().all(is_digit) && rest.iter().zip(line.as_bytes()).all(|(is, shall)| is == shall)
}

/// An open journal. The process locks it if the file system supports locks.
#[derive(Debug)]
pub struct ShardJournal {
    path: PathBuf,
    key: String,
    file: Mutex<File>,
    is_locked: bool,
    has_begun_anew: bool,
}

/// Unlocks as [`Lock`](catena_output::lock::Lock) does, for the same reason.
impl Drop for ShardJournal {
    fn drop(&mut self) {
        if self.is_locked {
            let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
            let _ = file.unlock();
        }
    }
}

impl ShardJournal {
    /// Opens the journal of a shard and returns its intact lines in order. A journal with another
    /// key is emptied.
    ///
    /// # Errors
    /// The journal cannot be read or written, or another process works on the same shard.
    pub fn open<T: DeserializeOwned>(
        place: &ShardPlace,
        key: &str,
    ) -> Result<(Self, Vec<T>), OutputError> {
        let mut lines = Vec::new();
        let journal = Self::open_each(place, key, |line| {
            lines.push(line);
            Ok(())
        })?;
        Ok((journal, lines))
    }

    /// Opens the journal like [`ShardJournal::open`], but passes each line to `receive` as it is
    /// read. The journal may thus exceed the available memory.
    ///
    /// # Errors
    /// The errors of [`ShardJournal::open`] and of `receive`.
    pub fn open_each<T: DeserializeOwned>(
        place: &ShardPlace,
        key: &str,
        receive: impl FnMut(T) -> Result<(), OutputError>,
    ) -> Result<Self, OutputError> {
        atomic::prepare_folder(place.folder())?;
        let path = place.journal();
        let refuse = |cause| OutputError::new("write", &path, cause);
        let file = atomic::open_own(&path, OpenOptions::new().append(true))?;
        let is_locked = match file.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => {
                let what = format!(
                    "another process is working on shard {} in this folder; wait until it \
                             ends",
                    place.choice()
                );
                return Err(OutputError::new("resume", &path, io::Error::other(what)));
            }
            Err(TryLockError::Error(cause)) if is_unsupported(&cause) => false,
            Err(TryLockError::Error(cause)) => return Err(refuse(cause)),
        };
        let unread = |cause| OutputError::new("read", &path, cause);
        let text = BufReader::new(read::open(&path, u64::MAX).map_err(unread)?.0);
        let whole = read_lines(text, key, receive, &unread)?;
        let has_begun_anew = whole == 0 && file.metadata().map_err(unread)?.len() > 0;
        file.set_len(whole).map_err(refuse)?;
        let (key, file) = (key.into(), Mutex::new(file));
        let journal = Self { path, key, file, is_locked, has_begun_anew };
        if whole == 0 {
            journal.append(FIRST)?;
        }
        Ok(journal)
    }

    /// Whether a lock excludes other processes. Some file systems do not support locks.
    pub fn is_locked(&self) -> bool {
        self.is_locked
    }

    /// Whether an existing journal was emptied, because it had another key or a damaged first line.
    pub fn has_begun_anew(&self) -> bool {
        self.has_begun_anew
    }

    /// Appends a line.
    ///
    /// # Errors
    /// The line cannot be written.
    pub fn add<T: Serialize>(&self, line: &T) -> Result<(), OutputError> {
        let text = serde_json::to_string(line);
        let refuse = |error| OutputError::new("write", &self.path, io::Error::other(error));
        self.append(&text.map_err(refuse)?)
    }

    fn append(&self, text: &str) -> Result<(), OutputError> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(hash::encode_line(&self.key, text).as_bytes())
            .map_err(|cause| OutputError::new("write", &self.path, cause))
    }

    /// Waits until all lines are on the disk.
    ///
    /// # Errors
    /// The disk reports an error.
    pub fn sync(&self) -> Result<(), OutputError> {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.sync_data().map_err(|cause| OutputError::new("write", &self.path, cause))
    }

    /// Removes the journal after the report has been written.
    ///
    /// # Errors
    /// The file cannot be removed.
    pub fn remove(self) -> Result<(), OutputError> {
        fs::remove_file(&self.path).map_err(|cause| OutputError::new("remove", &self.path, cause))
    }
}

/// Passes the lines of a journal to `receive`, up to the first damaged or torn line. Returns the
/// length of the intact part in bytes.
fn read_lines<T: DeserializeOwned>(
    mut text: impl BufRead,
    key: &str,
    mut receive: impl FnMut(T) -> Result<(), OutputError>,
    unread: &dyn Fn(io::Error) -> OutputError,
) -> Result<u64, OutputError> {
    let (mut whole, mut line) = (0, Vec::new());
    loop {
        line.clear();
        text.read_until(b'\n', &mut line).map_err(unread)?;
        let text = line.strip_suffix(b"\n").and_then(|line| hash::decode_line(key, line));
        match text {
            Some(FIRST) if whole == 0 => {}
            Some(text) if whole > 0 => match serde_json::from_str(text) {
                Ok(value) => receive(value)?,
                Err(_) => return Ok(whole),
            },
            _ => return Ok(whole),
        }
        whole += line.len() as u64;
    }
}
