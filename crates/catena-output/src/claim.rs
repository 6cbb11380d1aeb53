//! Claims, with which several processes share the frames of a folder, on one machine or many. Each
//! process claims pieces and draws them.
//!
//! A claim is a [`Journal`] created exclusively, which is an atomic operation of file systems. The
//! holder of a growing claim is alive. If a claim has not grown for longer than a process's
//! patience, by its own monotonic clock, that process takes over the piece with a claim of the next
//! generation. If two try, only one succeeds. A piece is done when its `done` file exists, which is
//! written atomically. Clocks of different machines are never compared.

use super::{
    OutputError, atomic, hash,
    journal::{self, Journal, JournalContents},
    manifest::FrameEntry,
};
use catena_base::read;
use serde::{Serialize, de::DeserializeOwned};
use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Claims on the pieces of a render.
#[derive(Debug)]
pub struct Claims {
    folder: PathBuf,
    key: String,
    /// Time without growth after which another process takes over a piece.
    patience: Duration,
    /// Claims of other processes, by piece and generation: file length, and the time when it was
    /// first observed.
    watched: HashMap<(u64, u64), (u64, Instant)>,
}

/// Piece claimed by this process.
#[derive(Debug)]
pub struct Claim {
    /// Index of the piece.
    pub piece: u64,
    /// Number of earlier claims on the piece.
    generation: u64,
    /// Journal of the frames that this process writes.
    pub journal: Journal,
    /// Frames written by earlier holders.
    pub earlier: Vec<FrameEntry>,
}

/// Result of an attempt to claim a piece.
#[derive(Debug)]
pub enum ClaimOutcome {
    /// The piece is finished.
    Done,
    /// Another process holds the piece.
    Taken,
    /// This process now holds the piece.
    Claimed(Claim),
}

impl Claims {
    /// Opens the claims in a folder for the source with this key. Claims with another key belong to
    /// other renders.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created.
    pub fn open(folder: &Path, key: &str, patience: Duration) -> Result<Self, OutputError> {
        folder.parent().map_or(Ok(()), atomic::remove_link)?;
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

    /// Report of a finished piece; `None` if it is unfinished.
    pub fn done<T: DeserializeOwned>(&self, piece: u64) -> Option<T> {
        done(&read::file(&self.done_file(piece), read::LARGE).ok()?, &self.key)
    }

    /// Claims a piece, unless it is done or another process holds it.
    ///
    /// # Errors
    /// Returns an error if the claim cannot be written.
    pub fn claim(&mut self, piece: u64) -> Result<ClaimOutcome, OutputError> {
        if self.done_file(piece).is_file() {
            return Ok(ClaimOutcome::Done);
        }
        let is_free = |generation: &u64| !self.claim_file(piece, *generation).is_file();
        let generation = (0..).find(is_free).unwrap_or(0);
        if generation > 0 && self.watch_holder(piece, generation - 1)? {
            return Ok(ClaimOutcome::Taken);
        }
        // The holder may have finished the piece and left since the first check.
        if self.done_file(piece).is_file() {
            return Ok(ClaimOutcome::Done);
        }
        let mut earlier = Vec::new();
        for past in 0..generation {
            let bytes = self.read(piece, past)?;
            let past = bytes.as_deref().and_then(JournalContents::parse);
            earlier.extend(
                past.filter(|past| past.key == self.key).into_iter().flat_map(|past| past.entries),
            );
        }
        let journal = Journal::create_new(&self.claim_file(piece, generation), &self.key)?;
        Ok(match journal {
            Some(journal) => ClaimOutcome::Claimed(Claim { piece, generation, journal, earlier }),
            None => ClaimOutcome::Taken,
        })
    }

    /// Bytes of a claim's file; `None` if it does not exist.
    fn read(&self, piece: u64, generation: u64) -> Result<Option<Vec<u8>>, OutputError> {
        let path = self.claim_file(piece, generation);
        let bytes = read::file_if_present(&path, read::LARGE);
        bytes.map_err(|cause| OutputError::new("read", path, cause))
    }

    /// Notes the length of a claim's file, and returns whether its holder is alive. Reads no
    /// content while the length stays the same, since many processes poll many claims.
    fn watch_holder(&mut self, piece: u64, generation: u64) -> Result<bool, OutputError> {
        let path = self.claim_file(piece, generation);
        let refuse = |cause| OutputError::new("read", &path, cause);
        let bytes = match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            meta => meta.map_err(refuse)?.len(),
        };
        match self.watched.get(&(piece, generation)) {
            Some((seen, since)) if *seen == bytes => Ok(since.elapsed() < self.patience),
            _ if journal::has_left(&path, &self.key).map_err(refuse)? => Ok(false),
            _ => {
                self.watched.insert((piece, generation), (bytes, Instant::now()));
                Ok(true)
            }
        }
    }

    /// Whether this process still holds the piece. A process that was suspended for too long has
    /// lost it.
    pub fn is_mine(&self, claim: &Claim) -> bool {
        !self.claim_file(claim.piece, claim.generation + 1).is_file()
    }

    /// Marks a piece as finished, with a report for the process that collects the pieces.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn finish<T: Serialize>(&self, piece: u64, what: &T) -> Result<(), OutputError> {
        let path = self.done_file(piece);
        let text = serde_json::to_string(what);
        let text =
            text.map_err(|error| OutputError::new("write", &path, io::Error::other(error)))?;
        atomic::write_synced(&path, hash::encode_line(&self.key, &text).as_bytes())
    }

    /// Marks a piece as unfinished because some of its files are damaged. Its claims stay, since
    /// they record the other frames.
    ///
    /// # Errors
    /// Returns an error if the mark cannot be removed.
    pub fn reopen(&self, piece: u64) -> Result<(), OutputError> {
        atomic::remove(&self.done_file(piece))
    }
}

/// Parses the report of a finished piece. Returns `None` if the file is damaged or belongs to
/// another key.
pub fn done<T: DeserializeOwned>(bytes: &[u8], key: &str) -> Option<T> {
    serde_json::from_str(hash::decode_line(key, bytes.strip_suffix(b"\n")?)?).ok()
}
