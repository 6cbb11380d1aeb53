//! Several processes, on one machine or many, that share a folder: each claims a piece of the frames, and draws it.
//!
//! A claim is a [`Journal`] that a process creates where there was none, which file systems do as one step. It is alive while it grows. Whoever
//! sees it stand still for long enough, by a clock of his own that nobody can set, takes the piece over with a claim of the next
//! generation; of two that try one succeeds. A piece is done when its `done` file is there, which is whole from the beginning.
//! Clocks of machines are never compared.

use super::{
    OutputError, atomic, hashed_line,
    journal::{Journal, JournalContents},
    manifest::FrameEntry,
};
use crate::read;
use serde::{Serialize, de::DeserializeOwned};
use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// The claims of a render.
#[derive(Debug)]
pub struct Claims {
    folder: PathBuf,
    key: String,
    /// How long a claim may stand still.
    patience: Duration,
    /// For each claim of others how long its file was, and since when it is so.
    watched: HashMap<(u64, u64), (usize, Instant)>,
}

/// A piece that this process has claimed.
#[derive(Debug)]
pub struct Claim {
    /// Which piece.
    pub piece: u64,
    /// How many have claimed it before.
    generation: u64,
    /// What this process writes of it.
    pub journal: Journal,
    /// Frames that others had written before they were gone.
    pub earlier: Vec<FrameEntry>,
}

/// How a piece stands.
#[derive(Debug)]
pub enum ClaimOutcome {
    /// Somebody has finished it.
    Done,
    /// Somebody else works on it.
    Taken,
    /// It is this process's now.
    Claimed(Claim),
}

impl Claims {
    /// Claims in a folder for what has this key. Claims of another key are another render's.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn open(folder: &Path, key: &str, patience: Duration) -> Result<Self, OutputError> {
        atomic::remove_link(folder)?;
        atomic::prepare_folder(folder)?;
        Ok(Self { folder: folder.into(), key: key.into(), patience, watched: HashMap::new() })
    }

    fn done_file(&self, piece: u64) -> PathBuf {
        self.folder.join(format!("{piece:06}.done"))
    }

    fn claim_file(&self, piece: u64, generation: u64) -> PathBuf {
        self.folder.join(format!("{piece:06}.{generation}"))
    }

    /// What was said of a finished piece; `None` where it is not finished.
    pub fn done<T: DeserializeOwned>(&self, piece: u64) -> Option<T> {
        done(&read::file(&self.done_file(piece), read::LARGE).ok()?, &self.key)
    }

    /// Claims a piece, unless it is done or somebody works on it.
    ///
    /// # Errors
    /// When the claim cannot be written.
    pub fn claim(&mut self, piece: u64) -> Result<ClaimOutcome, OutputError> {
        if self.done_file(piece).is_file() {
            return Ok(ClaimOutcome::Done);
        }
        let mut earlier = Vec::new();
        let mut generation = 0;
        while let Some(bytes) = self.read(piece, generation)? {
            let is_last = !self.claim_file(piece, generation + 1).is_file();
            let past = JournalContents::parse(&bytes).filter(|past| past.key == self.key);
            let has_left = past.as_ref().is_some_and(|past| past.has_left);
            if is_last && !has_left && self.is_alive(piece, generation, bytes.len()) {
                return Ok(ClaimOutcome::Taken);
            }
            earlier.extend(past.into_iter().flat_map(|past| past.entries));
            generation += 1;
        }
        let journal = Journal::create_new(&self.claim_file(piece, generation), &self.key)?;
        Ok(match journal {
            Some(journal) => ClaimOutcome::Claimed(Claim { piece, generation, journal, earlier }),
            None => ClaimOutcome::Taken,
        })
    }

    /// The bytes of a claim; `None` where there is none.
    fn read(&self, piece: u64, generation: u64) -> Result<Option<Vec<u8>>, OutputError> {
        let path = self.claim_file(piece, generation);
        let bytes = read::file_if_present(&path, read::LARGE);
        bytes.map_err(|cause| OutputError::new("read", path, cause))
    }

    fn is_alive(&mut self, piece: u64, generation: u64, bytes: usize) -> bool {
        let now = (bytes, Instant::now());
        let seen = self.watched.entry((piece, generation)).or_insert(now);
        if seen.0 != bytes {
            *seen = now;
        }
        seen.1.elapsed() < self.patience
    }

    /// Whether the piece is still this process's: one that slept for too long has lost it.
    pub fn is_mine(&self, claim: &Claim) -> bool {
        !self.claim_file(claim.piece, claim.generation + 1).is_file()
    }

    /// Says that a piece is finished, and what is to be known of it.
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn finish<T: Serialize>(&self, piece: u64, what: &T) -> Result<(), OutputError> {
        let path = self.done_file(piece);
        let text = serde_json::to_string(what);
        let text =
            text.map_err(|error| OutputError::new("write", &path, io::Error::other(error)))?;
        atomic::write_synced(&path, hashed_line::encode(&self.key, &text).as_bytes())
    }

    /// Takes back that a piece is finished: what it speaks of is damaged. Its claims stay, and with them what they say of other frames.
    ///
    /// # Errors
    /// When its file cannot be removed.
    pub fn reopen(&self, piece: u64) -> Result<(), OutputError> {
        atomic::remove(&self.done_file(piece))
    }
}

/// What the file of a finished piece says; `None` where it is not as it was written for what has
/// this key.
pub fn done<T: DeserializeOwned>(bytes: &[u8], key: &str) -> Option<T> {
    serde_json::from_str(hashed_line::decode(key, bytes.strip_suffix(b"\n")?)?).ok()
}
