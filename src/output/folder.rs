//! The folder that a scene is rendered into.

use super::manifest::{self, FrameEntry, Manifest, Source};
use super::{OutputError, atomic, hash::sha256};
use std::{
    collections::HashSet,
    fs, io,
    ops::Range,
    path::{Path, PathBuf},
};

/// File name of the steady-state comparison.
pub const STEADY: &str = "steady.png";

/// File name of a frame.
pub fn frame_name(frame: u64) -> String {
    format!("frame_{frame:05}.png")
}

/// Whether a file has a name that a render gives.
fn is_ours(name: &str) -> bool {
    let number = name.strip_prefix("frame_").and_then(|rest| rest.strip_suffix(".png"));
    let is_frame = number.is_some_and(|n| n.len() >= 5 && n.bytes().all(|b| b.is_ascii_digit()));
    is_frame || name == STEADY || name == manifest::NAME
}

/// A folder that is ready to take pictures.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Makes the folder where it does not exist, and makes sure that it can be written to.
    ///
    /// # Errors
    /// When that fails.
    pub fn open(path: &Path) -> Result<Self, OutputError> {
        atomic::prepare_folder(path)?;
        Ok(Self { path: path.into() })
    }

    /// Where a file of this name lies.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Frames of an earlier render from the same source outside of `range`, if their files are still what they
    /// were.
    pub fn earlier_frames(&self, source: &Source, range: &Range<u64>) -> Vec<FrameEntry> {
        let Some(manifest) = Manifest::read(&self.path).filter(|old| old.source == *source) else {
            return Vec::new();
        };
        let is_whole = |entry: &FrameEntry| {
            entry.file == frame_name(entry.frame)
                && !range.contains(&entry.frame)
                && fs::read(self.file(&entry.file))
                    .is_ok_and(|bytes| sha256(&bytes) == entry.sha256)
        };
        manifest.frames.into_iter().filter(is_whole).collect()
    }

    /// Removes what earlier renders left, but for the frames to keep: frames of two scenes must not mix.
    ///
    /// # Errors
    /// When a file cannot be removed, or when there are such files and no manifest: then they may be somebody else's.
    pub fn clear(&self, keep: &[FrameEntry]) -> Result<(), OutputError> {
        let refuse = |cause| OutputError::new("clear the folder", &self.path, cause);
        let keep: HashSet<&str> = keep.iter().map(|entry| entry.file.as_str()).collect();
        let mut ours = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(refuse)? {
            let entry = entry.map_err(refuse)?;
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| is_ours(name)) else { continue };
            if !keep.contains(name) && !entry.file_type().map_err(refuse)?.is_dir() {
                ours.push(entry.path());
            }
        }
        let has_manifest = self.file(manifest::NAME).is_file();
        if let (Some(stranger), false) = (ours.first(), has_manifest) {
            let name = stranger.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let cause = io::Error::other(format!(
                "it holds {name} and no manifest.json, so catena did not make it; choose another \
                 --out, or remove such files"
            ));
            return Err(OutputError::new("render into", &self.path, cause));
        }
        for path in ours {
            fs::remove_file(&path).map_err(|cause| OutputError::new("remove", path, cause))?;
        }
        Ok(())
    }
}
