//! `manifest.json`: what was rendered from what, with a hash of everything.

use super::{
    OutputError,
    atomic::{self, Durability},
    hash::sha256,
    json_field,
    names::{MANIFEST, PRIVATE, frame_name},
    ownership::OwnedFiles,
};
use crate::read;
use crate::text::printable;
use serde::{Deserialize, Serialize};
use std::{io, path::Path};

/// More than any render has.
const MOST_FRAMES: u64 = 1 << 32;

/// All that a manifest says. The file has one more field, `sha256`: that of all the others, which
/// is checked when it is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// What the pictures were made from. Pictures with the same source can lie in one folder.
    pub source: RenderSource,
    /// Every frame in the folder, in order.
    pub frames: Vec<FrameEntry>,
    /// The first and the last frame that were asked for, until all of them are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under_way: Option<[u64; 2]>,
    /// The steady-state comparison; not there while a render is under way.
    pub steady: Option<SteadyEntry>,
}

/// What pictures are made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenderSource {
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

impl RenderSource {
    /// SHA-256 of all of it. Frames and checkpoints of one key may be mixed.
    pub fn key(&self) -> String {
        // A struct of strings and numbers can always be written as JSON.
        sha256(&serde_json::to_vec(self).unwrap_or_default())
    }
}

/// The steady-state comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SteadyEntry {
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
        let path = folder.join(MANIFEST);
        let refuse = |cause| OutputError::new("read", &path, cause);
        let bytes = read::file_if_present(&path, read::LARGE).map_err(refuse)?;
        bytes.map(|bytes| Self::parse(&bytes).map_err(refuse)).transpose()
    }

    /// Whether a folder has a file of this name that is another program's: sound JSON that says
    /// nothing of a source of ours, or what cannot be read at all, where catena has not been
    /// before.
    pub fn is_foreign(folder: &Path, is_known: bool) -> bool {
        let Ok(bytes) = read::file(&folder.join(MANIFEST), read::LARGE) else { return false };
        match json_field::has_text(&bytes, &["source", "catena"]) {
            Ok(has_source) => !has_source,
            Err(_) => !is_known,
        }
    }

    /// Reads the bytes of a manifest.
    ///
    /// # Errors
    /// When they are no manifest, a frame has a name that is not its own, or something is not as it
    /// was written.
    pub fn parse(bytes: &[u8]) -> io::Result<Self> {
        let refuse = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
        let manifest: Self = serde_json::from_slice(bytes)?;
        let is_wrong = |entry: &&FrameEntry| {
            entry.file != frame_name(entry.frame) || entry.frame >= MOST_FRAMES
        };
        if let Some(entry) = manifest.frames.iter().find(is_wrong) {
            let what = format!("frame {} cannot be the file {:?}", entry.frame, entry.file);
            return Err(refuse(what));
        }
        match serde_json::from_slice::<HashField>(bytes)?.sha256 {
            Some(found) if found == manifest.own_hash()? => Ok(manifest),
            Some(_) => Err(refuse("it was changed after it was written".into())),
            None => Err(refuse("it has no hash of itself, as another version writes it".into())),
        }
    }

    /// The text of the file.
    ///
    /// # Errors
    /// When it cannot be written as JSON, as when a number is none.
    pub fn text(&self) -> io::Result<String> {
        let hashed = HashedManifest { manifest: self, sha256: self.own_hash()? };
        // A manifest is looked at in terminals.
        Ok(printable::json(&(serde_json::to_string_pretty(&hashed)? + "\n")).to_string())
    }

    /// SHA-256 of all that it says, whatever the spaces between.
    fn own_hash(&self) -> io::Result<String> {
        Ok(sha256(&serde_json::to_vec(self)?))
    }

    /// Adds all files that it names.
    pub fn add_to(&self, owned: &mut OwnedFiles) {
        self.frames.iter().for_each(|entry| owned.add(&entry.file, &entry.sha256));
        self.steady.iter().for_each(|steady| owned.add(&steady.file, &steady.sha256));
    }

    /// Writes it into a folder that is prepared, and waits until the disk has it if it vouches for
    /// anything.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), OutputError> {
        let is_empty = self.frames.is_empty() && self.steady.is_none();
        self.write_with(folder, if is_empty { Durability::Written } else { Durability::Synced })
    }

    /// The same with as much care as is asked for.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_with(&self, folder: &Path, care: Durability) -> Result<(), OutputError> {
        let path = folder.join(MANIFEST);
        let text = self.text().map_err(|cause| OutputError::new("write", &path, cause))?;
        let written = atomic::stage(&folder.join(PRIVATE), &path, text.as_bytes(), care)?;
        written.publish(&path)
    }
}

/// A manifest as its file has it.
#[derive(Serialize)]
struct HashedManifest<'a> {
    #[serde(flatten)]
    manifest: &'a Manifest,
    sha256: String,
}

/// The field that only the file has.
#[derive(Deserialize)]
struct HashField {
    sha256: Option<String>,
}
