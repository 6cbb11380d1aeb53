//! Claims, by which several processes, on one machine or many, share the frames of a folder: each
//! process claims pieces and draws them.
//!
//! A claim is a [`Journal`] that a process creates where there was none, which file systems do in
//! one step. A claim whose file grows has a living holder. A process that sees it stand still for
//! longer than its patience, by its own monotonic clock, takes the piece over with a claim of the
//! next generation; if two try, one succeeds. A piece is done when its `done` file exists, which is
//! whole from the start. The clocks of machines are never compared.

use super::{
    OutputError, atomic, hashed_line,
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

/// The claims on the pieces of a render.
#[derive(Debug)]
pub struct Claims {
    folder: PathBuf,
    key: String,
    /// How long a claim may stand still before another process takes it over.
    patience: Duration,
    /// For each claim of others, by piece and generation, the length of its file and when that was
    /// first seen.
    watched: HashMap<(u64, u64), (u64, Instant)>,
}

/// A piece that this process has claimed.
#[derive(Debug)]
pub struct Claim {
    /// The index of the piece.
    pub piece: u64,
    /// How many claims on the piece came before this one.
    generation: u64,
    /// The journal of what this process writes of the piece.
    pub journal: Journal,
    /// Frames that earlier holders have written.
    pub earlier: Vec<FrameEntry>,
}

/// What came of the attempt to claim a piece.
#[derive(Debug)]
pub enum ClaimOutcome {
    /// The piece is finished.
    Done,
    /// Another process works on the piece.
    Taken,
    /// The piece is this process's now.
    Claimed(Claim),
}

impl Claims {
    /// Opens the claims in a folder for the source with this key. Claims with another key belong to
    /// other renders.
    ///
    /// # Errors
    /// When the folder cannot be made.
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

    /// The report of a finished piece; `None` where it is not finished.
    pub fn done<T: DeserializeOwned>(&self, piece: u64) -> Option<T> {
        done(&read::file(&self.done_file(piece), read::LARGE).ok()?, &self.key)
    }

    /// Claims a piece, unless it is done or another process works on it.
    ///
    /// # Errors
    /// When the claim cannot be written.
    pub fn claim(&mut self, piece: u64) -> Result<ClaimOutcome, OutputError> {
        if self.done_file(piece).is_file() {
            return Ok(ClaimOutcome::Done);
        }
        let is_free = |generation: &u64| !self.claim_file(piece, *generation).is_file();
        let generation = (0..).find(is_free).unwrap_or(0);
        if generation > 0 && self.is_held(piece, generation - 1)? {
            return Ok(ClaimOutcome::Taken);
        }
        // Its holder may have finished the piece and left since the first look at the file.
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

    /// The bytes of a claim's file; `None` where it does not exist.
    fn read(&self, piece: u64, generation: u64) -> Result<Option<Vec<u8>>, OutputError> {
        let path = self.claim_file(piece, generation);
        let bytes = read::file_if_present(&path, read::LARGE);
        bytes.map_err(|cause| OutputError::new("read", path, cause))
    }

    /// Whether a claim has a holder that lives. Only lengths are looked at as long as nothing
    /// changes, since many look at many claims many times a second.
    fn is_held(&mut self, piece: u64, generation: u64) -> Result<bool, OutputError> {
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

    /// Whether the piece is still this process's: a process that was suspended for too long has
    /// lost it.
    pub fn is_mine(&self, claim: &Claim) -> bool {
        !self.claim_file(claim.piece, claim.generation + 1).is_file()
    }

    /// Marks a piece as finished, with a report for those who collect the pieces.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn finish<T: Serialize>(&self, piece: u64, what: &T) -> Result<(), OutputError> {
        let path = self.done_file(piece);
        let text = serde_json::to_string(what);
        let text =
            text.map_err(|error| OutputError::new("write", &path, io::Error::other(error)))?;
        atomic::write_synced(&path, hashed_line::encode(&self.key, &text).as_bytes())
    }

    /// Marks a piece as unfinished, since files of it are damaged. Its claims stay, with what they
    /// say of other frames.
    ///
    /// # Errors
    /// When the mark cannot be removed.
    pub fn reopen(&self, piece: u64) -> Result<(), OutputError> {
        atomic::remove(&self.done_file(piece))
    }
}

/// The report in the file of a finished piece; `None` where the file is damaged or belongs to
/// another key.
pub fn done<T: DeserializeOwned>(bytes: &[u8], key: &str) -> Option<T> {
    serde_json::from_str(hashed_line::decode(key, bytes.strip_suffix(b"\n")?)?).ok()
}
