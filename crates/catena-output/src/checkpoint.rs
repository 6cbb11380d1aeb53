//! Checkpoints from which a render can resume: the complete state at a frame, with a hash at the
//! end of each file.

use super::{OutputError, atomic, hash::Hashing};
use catena_base::read;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sha2::{Digest, Sha256};
use std::{
    fs, io,
    io::Write,
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

/// First bytes of a checkpoint file, with the version of the format.
const MAGIC: &[u8] = b"catena checkpoint 3\n";
/// Length of the SHA-256 hash at the end of a checkpoint file, in bytes.
const HASH_BYTES: usize = 32;
/// File name prefix of temporary checkpoints, which are removed if there are too many.
const PASSING: &str = "state_";
/// File name prefix of requested checkpoints, which are kept when newer ones are written.
const STAYING: &str = "asked_";

/// Maximum number of temporary checkpoints. The last checkpoint is never removed.
const MAX_FILES: usize = 16;
/// Maximum total size of the temporary checkpoints, in bytes. Two checkpoints are kept even if they
/// are larger.
const MAX_TOTAL_BYTES: u64 = 512 << 20;
/// Maximum size of a checkpoint file that is read, in bytes: several times the state of the largest
/// allowed scene.
const MAX_FILE_BYTES: u64 = 4 << 30;

#[derive(Serialize)]
struct CheckpointRecord<'a, T> {
    key: &'a str,
    frame: u64,
    state: &'a T,
}

#[derive(Deserialize)]
struct OwnedRecord<T> {
    key: String,
    frame: u64,
    state: T,
}

/// Checkpoints of a render: one file per frame, in catena's private folder.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    key: String,
}

impl Checkpoints {
    /// Creates access to the checkpoints in a private folder that belong to the source with this
    /// key.
    pub fn new(private: &Path, key: &str) -> Self {
        Self { folder: private.into(), key: key.into() }
    }

    fn file(&self, prefix: &str, frame: u64) -> PathBuf {
        self.folder.join(format!("{prefix}{frame:07}"))
    }

    /// Paths that a checkpoint may have: as a temporary and as a requested one.
    fn files(&self, frame: u64) -> [PathBuf; 2] {
        [PASSING, STAYING].map(|prefix| self.file(prefix, frame))
    }

    /// Writes the state at a frame. If there are too many temporary checkpoints, removes those
    /// closest to their neighbours.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write<T: Serialize>(&self, frame: u64, state: &T) -> Result<(), OutputError> {
        self.write_file(&self.file(PASSING, frame), frame, state)?;
        self.remove_closest();
        Ok(())
    }

    /// Writes the state at a frame as a requested checkpoint, which newer ones never replace.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write_to_stay<T: Serialize>(&self, frame: u64, state: &T) -> Result<(), OutputError> {
        self.write_file(&self.file(STAYING, frame), frame, state)
    }

    fn write_file<T: Serialize>(
        &self,
        path: &Path,
        frame: u64,
        state: &T,
    ) -> Result<(), OutputError> {
        atomic::write_with(path, |file| {
            let mut hashing = Hashing::new(file);
            let page = CheckpointRecord { key: &self.key, frame, state };
            let written = hashing.write_all(MAGIC).and_then(|()| encode(&page, &mut hashing));
            let (file, hash) = hashing.finish();
            written
                .and_then(|()| file.write_all(&hash))
                .map_err(|cause| OutputError::new("write", path, cause))
        })
    }

    /// Whether a frame has the file of a requested checkpoint, intact or damaged.
    pub fn has(&self, frame: u64) -> bool {
        self.file(STAYING, frame).is_file()
    }

    /// Frame and state of the last intact checkpoint within a range of frames.
    pub fn last<T: DeserializeOwned>(&self, frames: RangeInclusive<u64>) -> Option<(u64, T)> {
        let mut all = self.frames(&[PASSING, STAYING]);
        all.retain(|frame| frames.contains(frame));
        let read = |frame: u64, path: &PathBuf| {
            let (found, state) = parse(&read::file(path, MAX_FILE_BYTES).ok()?, &self.key)?;
            (found == frame).then_some((frame, state))
        };
        let mut files = all.into_iter().rev().map(|frame| (frame, self.files(frame)));
        files.find_map(|(frame, files)| files.iter().find_map(|path| read(frame, path)))
    }

    /// Frames of all files with these prefixes, ascending, including damaged files.
    fn frames(&self, prefixes: &[&str]) -> Vec<u64> {
        let files = atomic::files_in(&self.folder);
        let frame = |file: &PathBuf| {
            let name = file.file_name()?.to_str()?;
            prefixes.iter().find_map(|prefix| name.strip_prefix(prefix))?.parse().ok()
        };
        let mut frames: Vec<u64> = files.iter().filter_map(frame).collect();
        frames.sort_unstable();
        frames.dedup();
        frames
    }

    fn remove_closest(&self) {
        let mut frames = self.frames(&[PASSING]);
        let bytes =
            |frame: &u64| fs::metadata(self.file(PASSING, *frame)).map_or(0, |meta| meta.len());
        let mut all = frames.iter().map(bytes).fold(0, u64::saturating_add);
        while frames.len() > 2 && (frames.len() > MAX_FILES || all > MAX_TOTAL_BYTES) {
            let gap = |i: &usize| frames[i + 1] - if *i == 0 { 0 } else { frames[i - 1] };
            let Some(index) = (0..frames.len() - 1).min_by_key(gap) else { return };
            all = all.saturating_sub(bytes(&frames[index]));
            // Best effort: another process may have removed the file, and an extra checkpoint does
            // no harm.
            let _ = fs::remove_file(self.file(PASSING, frames[index]));
            frames.remove(index);
        }
    }

    /// Removes all checkpoints.
    ///
    /// # Errors
    /// Returns an error if a file cannot be removed.
    pub fn clear(&self) -> Result<(), OutputError> {
        let frames = self.frames(&[PASSING, STAYING]);
        let mut files = frames.into_iter().flat_map(|frame| self.files(frame));
        files.try_for_each(|path| atomic::remove(&path))
    }
}

fn encode<T: Serialize>(page: &CheckpointRecord<'_, T>, file: &mut Hashing<'_>) -> io::Result<()> {
    let mut failed = None;
    let written = postcard::to_io(page, ErrorCapture { file, failed: &mut failed }).map(|_| ());
    match (failed, written) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(io::Error::other(error)),
        (None, Ok(())) => Ok(()),
    }
}

/// Parses frame and state of a checkpoint. Returns `None` if the bytes are not a checkpoint, are
/// damaged, or belong to another key.
pub fn parse<T: DeserializeOwned>(bytes: &[u8], key: &str) -> Option<(u64, T)> {
    let (body, hash) = bytes.split_at_checked(bytes.len().checked_sub(HASH_BYTES)?)?;
    if Sha256::digest(body).as_slice() != hash {
        return None;
    }
    let (page, rest) =
        postcard::take_from_bytes::<OwnedRecord<T>>(body.strip_prefix(MAGIC)?).ok()?;
    (rest.is_empty() && page.key == key).then_some((page.frame, page.state))
}

/// Writer that captures the file's error, since postcard's error does not contain it.
struct ErrorCapture<'a, 'b> {
    file: &'a mut Hashing<'b>,
    failed: &'a mut Option<io::Error>,
}

impl Write for ErrorCapture<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|error| {
            let kind = error.kind();
            *self.failed = Some(error);
            kind.into()
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
