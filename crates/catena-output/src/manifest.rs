//! `manifest.json`: the source of a render and its files, with a hash of each.

use super::{
    OutputError,
    atomic::{self, Durability},
    hash::sha256,
    json_field,
    names::{FRAME_LIMIT, MANIFEST, PRIVATE, frame_name},
    ownership::OwnedFiles,
};
use catena_base::read;
use catena_base::text::printable;
use serde::{Deserialize, Serialize};
use std::{
    io,
    path::{Component, Path},
};

/// The content of a manifest. The file has one more field, `sha256`, the hash of all others, which
/// is checked when the file is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The source of the pictures. Pictures of one source can lie in one folder.
    pub source: RenderSource,
    /// The frames in the folder, in order.
    pub frames: Vec<FrameEntry>,
    /// The first and the last frame of a render that is under way; `None` once all are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under_way: Option<[u64; 2]>,
    /// The packs that the frames lie in, where they have no files of their own: paths in the
    /// folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packs: Vec<String>,
    /// The steady-state comparison; `None` while a render is under way, and without one.
    pub steady: Option<SteadyEntry>,
}

/// All that determines the pictures of a render.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenderSource {
    /// The version of catena.
    pub catena: String,
    /// The build of catena: a hash of its source text and of the versions of all crates.
    pub build: String,
    /// The name of the scene.
    pub scene: String,
    /// SHA-256 of the scene's text.
    pub scene_sha256: String,
    /// The text of the scene.
    pub scene_text: String,
    /// Width and height of a picture in pixels.
    pub size: [u32; 2],
    /// The values of `--set`, in order.
    pub set: Vec<String>,
    /// Names of files that the scene reads, and SHA-256 of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<(String, String)>,
    /// SHA-256 of the font file, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub font_sha256: Option<String>,
}

/// A frame in a manifest or journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameEntry {
    /// Its number; frame 0 is the initial state.
    pub frame: u64,
    /// Its file.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// SHA-256 of time, positions and velocities of all bodies in order, as little-endian f64.
    pub state_sha256: String,
}

impl RenderSource {
    /// The key: SHA-256 of all fields. Frames and checkpoints with the same key can be mixed.
    pub fn key(&self) -> String {
        // A struct of strings and numbers can always be written as JSON.
        sha256(&serde_json::to_vec(self).unwrap_or_default())
    }
}

/// The steady-state comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SteadyEntry {
    /// For each panel the last frame of the wait for its bodies to rest.
    pub limits: Vec<u64>,
    /// How long they were waited for, in words.
    #[serde(default)]
    pub waited: String,
    /// Its file.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// How each body ended, in the order of panels and bodies.
    pub bodies: Vec<SteadyBody>,
}

/// How a body ended in the steady-state comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SteadyBody {
    /// The label of the panel.
    pub panel: String,
    /// The label of the body.
    pub body: String,
    /// `at rest`, `moving` or `diverged`.
    pub ending: String,
    /// The frame from which the body rested, after which the wait for it ended, or at which it
    /// diverged.
    pub frame: u64,
    /// Its greatest speed in that frame, if it was still moving.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// The length of each segment.
    pub segment_lengths: Vec<f64>,
    /// The length of each segment of the hanging chain, if there is one.
    pub hanging_lengths: Option<Vec<f64>>,
}

impl Manifest {
    /// Reads the manifest of a folder; `None` where it does not exist.
    ///
    /// # Errors
    /// When it cannot be read, or is no manifest of this version.
    pub fn read(folder: &Path) -> Result<Option<Self>, OutputError> {
        let path = folder.join(MANIFEST);
        let refuse = |cause| OutputError::new("read", &path, cause);
        let bytes = read::file_if_present(&path, read::LARGE).map_err(refuse)?;
        bytes.map(|bytes| Self::parse(&bytes).map_err(refuse)).transpose()
    }

    /// Whether the manifest of a folder is another program's file: JSON without a source of
    /// catena's, or, in a folder that catena has not used, a file that is no JSON.
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
    /// When they are no manifest, a frame has another frame's file name, or the hash of the
    /// manifest does not match.
    pub fn parse(bytes: &[u8]) -> io::Result<Self> {
        let refuse = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
        let manifest: Self = serde_json::from_slice(bytes)?;
        let is_wrong = |entry: &&FrameEntry| {
            entry.file != frame_name(entry.frame) || entry.frame >= FRAME_LIMIT
        };
        if let Some(entry) = manifest.frames.iter().find(is_wrong) {
            let what = format!("frame {} cannot be the file {:?}", entry.frame, entry.file);
            return Err(refuse(what));
        }
        let is_inside = |pack: &String| {
            Path::new(pack).components().all(|part| matches!(part, Component::Normal(_)))
        };
        if let Some(pack) = manifest.packs.iter().find(|pack| !is_inside(pack)) {
            return Err(refuse(format!("the pack {pack:?} would lie elsewhere")));
        }
        match serde_json::from_slice::<HashField>(bytes)?.sha256 {
            Some(found) if found == manifest.own_hash()? => Ok(manifest),
            Some(_) => Err(refuse("it was changed after it was written".into())),
            None => Err(refuse("it has no hash of itself, so another version wrote it".into())),
        }
    }

    /// The text of the file.
    ///
    /// # Errors
    /// When a value cannot be written as JSON.
    pub fn text(&self) -> io::Result<String> {
        let hashed = HashedManifest { manifest: self, sha256: self.own_hash()? };
        // People print manifests in terminals.
        Ok(printable::json(&(serde_json::to_string_pretty(&hashed)? + "\n")).to_string())
    }

    /// SHA-256 of the content, whatever the white space in the file.
    fn own_hash(&self) -> io::Result<String> {
        Ok(sha256(&serde_json::to_vec(self)?))
    }

    /// Adds all files that the manifest names.
    pub fn add_to(&self, owned: &mut OwnedFiles) {
        self.frames.iter().for_each(|entry| owned.add(&entry.file, &entry.sha256));
        self.steady.iter().for_each(|steady| owned.add(&steady.file, &steady.sha256));
    }

    /// Writes the manifest into a prepared folder, and waits until the disk has it if it names any
    /// file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), OutputError> {
        let is_empty = self.frames.is_empty() && self.steady.is_none();
        self.write_with(folder, if is_empty { Durability::Written } else { Durability::Synced })
    }

    /// Like [`Manifest::write`], with the given durability.
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

/// A manifest with the hash that its file has.
#[derive(Serialize)]
struct HashedManifest<'a> {
    #[serde(flatten)]
    manifest: &'a Manifest,
    sha256: String,
}

/// The hash in the file of a manifest.
#[derive(Deserialize)]
struct HashField {
    sha256: Option<String>,
}
