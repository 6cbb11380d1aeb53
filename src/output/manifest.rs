//! `manifest.json`: what was rendered from what, with a hash of everything.

use super::{
    OutputError,
    atomic::{self, Care},
    folder::frame_name,
    hash::sha256,
};
use crate::read;
use crate::text::printable;
use serde::{Deserialize, Serialize};
use std::{io, path::Path};

/// The name of the file.
pub const NAME: &str = "manifest.json";

/// More than any render has.
const MOST_FRAMES: u64 = 1 << 32;

/// All that a manifest says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// What the pictures were made from. Pictures with the same source can lie in one folder.
    pub source: Source,
    /// Every frame in the folder, in order.
    pub frames: Vec<FrameEntry>,
    /// The first and the last frame that were asked for, until all of them are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under_way: Option<[u64; 2]>,
    /// The steady-state comparison; not there while a render is under way.
    pub steady: Option<Steady>,
}

/// What pictures are made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Version of the program.
    pub catena: String,
    /// What the program was built from: a hash of its source text and of the versions of all crates.
    pub build: String,
    /// Name of the scene.
    pub scene: String,
    /// SHA-256 of its text.
    pub scene_sha256: String,
    /// Its text.
    pub scene_text: String,
    /// Width and height of a picture.
    pub size: [u32; 2],
    /// What the command line changed, in order.
    pub set: Vec<String>,
    /// SHA-256 of the font file, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub font_sha256: Option<String>,
}

/// A frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameEntry {
    /// Its number, frame 0 being the initial state.
    pub frame: u64,
    /// Its file.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// SHA-256 of time, positions and velocities of all bodies in order, as little-endian f64.
    pub state_sha256: String,
}

impl Source {
    /// SHA-256 of all of it. Frames and checkpoints of one key may be mixed.
    pub fn key(&self) -> String {
        // A struct of strings and numbers can always be written as JSON.
        sha256(&serde_json::to_vec(self).unwrap_or_default())
    }
}

/// The steady-state comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Steady {
    /// For each panel the frame after which its bodies were waited for no longer.
    pub limits: Vec<u64>,
    /// Its file.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// What each body came to.
    pub bodies: Vec<SteadyBody>,
}

/// What a body came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SteadyBody {
    /// Label of the panel.
    pub panel: String,
    /// Label of the body.
    pub body: String,
    /// `at rest`, `moving` or `diverged`.
    pub ending: String,
    /// The frame from which it rested, after which waiting was given up, or at which it diverged.
    pub frame: u64,
    /// Its greatest speed there, where it still moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Length of each segment.
    pub segment_lengths: Vec<f64>,
    /// Length of each segment of the hanging chain, where there is one.
    pub hanging_lengths: Option<Vec<f64>>,
}

impl Manifest {
    /// Reads the manifest of a folder; `None` where there is none.
    ///
    /// # Errors
    /// When there is one that cannot be read, or is no manifest of this version.
    pub fn read(folder: &Path) -> Result<Option<Self>, OutputError> {
        let path = folder.join(NAME);
        let refuse = |cause| OutputError::new("read", &path, cause);
        match read::file(&path, read::LARGE) {
            Ok(bytes) => Self::parse(&bytes).map(Some).map_err(refuse),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(refuse(error)),
        }
    }

    /// Whether a folder has a file of this name that is another program's: sound JSON that says nothing of a source, or what cannot be
    /// read at all, where catena has not been before.
    pub fn is_strange(folder: &Path, is_known: bool) -> bool {
        let Ok(bytes) = read::file(&folder.join(NAME), read::LARGE) else { return false };
        match serde_json::from_slice::<serde_json::Value>(&bytes) {
            Ok(value) => value.get("source").is_none(),
            Err(_) => !is_known,
        }
    }

    /// Reads the bytes of a manifest.
    ///
    /// # Errors
    /// When they are no manifest, or a frame has a name that is not its own.
    pub fn parse(bytes: &[u8]) -> io::Result<Self> {
        let manifest: Self = serde_json::from_slice(bytes)?;
        let is_wrong = |entry: &&FrameEntry| {
            entry.file != frame_name(entry.frame) || entry.frame >= MOST_FRAMES
        };
        match manifest.frames.iter().find(is_wrong) {
            None => Ok(manifest),
            Some(entry) => {
                let what = format!("frame {} cannot be the file {:?}", entry.frame, entry.file);
                Err(io::Error::new(io::ErrorKind::InvalidData, what))
            }
        }
    }

    /// Writes it into a folder, and waits until the disk has it if it vouches for anything.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), OutputError> {
        let path = folder.join(NAME);
        let mut text = serde_json::to_string_pretty(self)
            .map_err(|error| OutputError::new("write", &path, io::Error::other(error)))?;
        text.push('\n');
        // A manifest is looked at in terminals.
        let text = printable::json(&text);
        let is_empty = self.frames.is_empty() && self.steady.is_none();
        let care = if is_empty { Care::Written } else { Care::Synced };
        atomic::write_carefully(&path, text.as_bytes(), care)
    }
}
