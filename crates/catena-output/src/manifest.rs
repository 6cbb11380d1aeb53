//! Manifest `manifest.json`: the source of a render and its files, with a hash of each.

use super::{
    OutputError,
    atomic::{self, Durability},
    hash::sha256,
    names::{FRAME_LIMIT, FrameNames, MANIFEST, PRIVATE},
    ownership::OwnedFiles,
};
use catena_base::{read, text::printable};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use std::{
    fmt, io,
    path::{Component, Path},
};

/// Content of a manifest. The file has an additional field `sha256`, the hash of all others, which
/// is checked on reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Source of the pictures. All pictures in a folder have the same source.
    pub source: RenderSource,
    /// Frames in the folder, ascending.
    pub frames: Vec<FrameEntry>,
    /// First and last frame of a render in progress; `None` once all exist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under_way: Option<[u64; 2]>,
    /// Packs that contain the frames, if frames are not separate files: paths relative to the
    /// folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packs: Vec<String>,
    /// Steady-state comparison; `None` while a render is in progress, or if there is no comparison.
    pub steady: Option<SteadyEntry>,
}

/// Everything that determines the pictures of a render.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RenderSource {
    /// Version of catena.
    pub catena: String,
    /// Build of catena: a hash of its source text and of the versions of all crates.
    pub build: String,
    /// Name of the scene.
    pub scene: String,
    /// SHA-256 of the scene's text.
    pub scene_sha256: String,
    /// Text of the scene.
    pub scene_text: String,
    /// Width and height of a picture in pixels.
    pub size: [u32; 2],
    /// Values of `--set`, in order.
    pub set: Vec<String>,
    /// Names of files that the scene reads, and SHA-256 of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<(String, String)>,
    /// SHA-256 of the font file, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub font_sha256: Option<String>,
    /// Names of the files of frames.
    #[serde(default, skip_serializing_if = "FrameNames::is_usual")]
    pub names: FrameNames,
}

/// Frame in a manifest or journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrameEntry {
    /// Number of the frame; frame 0 is the initial state.
    pub frame: u64,
    /// Name of the file.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// SHA-256 of time, positions and velocities of all bodies in order, as little-endian f64.
    pub state_sha256: String,
}

impl RenderSource {
    /// Key of the source: SHA-256 of all fields. Frames and checkpoints with the same key can be
    /// combined.
    pub fn key(&self) -> String {
        // A struct of strings and numbers can always be serialized as JSON.
        sha256(&serde_json::to_vec(self).unwrap_or_default())
    }
}

/// Steady-state comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SteadyEntry {
    /// Last frame of the wait for bodies to rest, per panel.
    pub limits: Vec<u64>,
    /// Duration of the wait, in words.
    #[serde(default)]
    pub waited: String,
    /// Name of the file.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Outcome of each body, in the order of panels and bodies.
    pub bodies: Vec<SteadyBody>,
}

/// Outcome of a body in the steady-state comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SteadyBody {
    /// Label of the panel.
    pub panel: String,
    /// Label of the body.
    pub body: String,
    /// Outcome: `at rest`, `moving` or `diverged`.
    pub ending: String,
    /// First frame at rest, last frame of the wait, or frame of the divergence, depending on
    /// `ending`.
    pub frame: u64,
    /// Maximum speed of the body's nodes in that frame, if the body was still moving.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Length of each segment.
    pub segment_lengths: Vec<f64>,
    /// Length of each segment of the hanging chain, if there is one.
    pub hanging_lengths: Option<Vec<f64>>,
    /// Rest from the balance of forces, if the scene asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<SolvedRest>,
    /// Reason why the balance of forces has no solution, if the scene asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_rest: Option<String>,
}

/// Rest of a body from the balance of its forces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolvedRest {
    /// Number of linear systems solved.
    pub steps: u64,
    /// Forces left on free nodes, as a share of the weight.
    pub residual: f64,
    /// Stability: `stable`, `neutral` or `unstable`.
    pub stability: String,
    /// Maximum distance of a node from the solved rest at the end of the run.
    pub distance: f64,
    /// Length of each segment.
    pub segment_lengths: Vec<f64>,
}

impl Manifest {
    /// Reads the manifest of a folder. Returns `None` if it does not exist.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is not a manifest of this version.
    pub fn read(folder: &Path) -> Result<Option<Self>, OutputError> {
        let path = folder.join(MANIFEST);
        let refuse = |cause| OutputError::new("read", &path, cause);
        let bytes = read::file_if_present(&path, read::LARGE).map_err(refuse)?;
        bytes.map(|bytes| Self::parse(&bytes).map_err(refuse)).transpose()
    }

    /// Whether the manifest of a folder belongs to another program: JSON without a source of catena
    /// or, in a folder that catena has not used, a file that is not JSON.
    pub fn is_foreign(folder: &Path, is_known: bool) -> bool {
        let Ok(bytes) = read::file(&folder.join(MANIFEST), read::LARGE) else { return false };
        match has_text(&bytes, &["source", "catena"]) {
            Ok(has_source) => !has_source,
            Err(_) => !is_known,
        }
    }

    /// Parses the bytes of a manifest.
    ///
    /// # Errors
    /// Returns an error if they are not a manifest, a frame has another frame's file name, or the
    /// hash of the manifest does not match.
    pub fn parse(bytes: &[u8]) -> io::Result<Self> {
        let refuse = |what: String| io::Error::new(io::ErrorKind::InvalidData, what);
        let manifest: Self = serde_json::from_slice(bytes)?;
        let is_wrong = |entry: &&FrameEntry| {
            let name = manifest.source.names.file(entry.frame);
            entry.file != name || entry.frame >= FRAME_LIMIT
        };
        if let Some(entry) = manifest.frames.iter().find(is_wrong) {
            let what = format!("the file of frame {} cannot be {:?}", entry.frame, entry.file);
            return Err(refuse(what));
        }
        let is_inside = |pack: &String| {
            Path::new(pack).components().all(|part| matches!(part, Component::Normal(_)))
        };
        if let Some(pack) = manifest.packs.iter().find(|pack| !is_inside(pack)) {
            return Err(refuse(format!("the pack {pack:?} would be outside the folder")));
        }
        match serde_json::from_slice::<HashField>(bytes)?.sha256 {
            Some(found) if found == manifest.own_hash()? => Ok(manifest),
            Some(_) => Err(refuse("it was changed after it was written".into())),
            None => Err(refuse("it has no checksum, so another version wrote it".into())),
        }
    }

    /// Formats the text of the file.
    ///
    /// # Errors
    /// Returns an error if a value cannot be serialized as JSON.
    pub fn text(&self) -> io::Result<String> {
        let hashed = HashedManifest { manifest: self, sha256: self.own_hash()? };
        // Hidden characters are escaped, since people print manifests in terminals.
        Ok(printable::json(&(serde_json::to_string_pretty(&hashed)? + "\n")).to_string())
    }

    /// SHA-256 of the content, independent of white space in the file.
    fn own_hash(&self) -> io::Result<String> {
        Ok(sha256(&serde_json::to_vec(self)?))
    }

    /// Adds all files that the manifest names to `owned`.
    pub fn add_to(&self, owned: &mut OwnedFiles) {
        self.frames.iter().for_each(|entry| owned.add(&entry.file, &entry.sha256));
        self.steady.iter().for_each(|steady| owned.add(&steady.file, &steady.sha256));
    }

    /// Writes the manifest into a prepared folder. If it names any file, waits until it is on the
    /// disk.
    ///
    /// # Errors
    /// Returns an error if the manifest cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), OutputError> {
        let is_empty = self.frames.is_empty() && self.steady.is_none();
        self.write_with(folder, if is_empty { Durability::Written } else { Durability::Synced })
    }

    /// Writes like [`Manifest::write`], with the given durability.
    ///
    /// # Errors
    /// Returns an error if the manifest cannot be written.
    pub fn write_with(&self, folder: &Path, care: Durability) -> Result<(), OutputError> {
        let path = folder.join(MANIFEST);
        let text = self.text().map_err(|cause| OutputError::new("write", &path, cause))?;
        let written = atomic::stage(&folder.join(PRIVATE), &path, text.as_bytes(), care)?;
        written.publish(&path)
    }
}

/// Manifest with the hash that its file contains.
#[derive(Serialize)]
struct HashedManifest<'a> {
    #[serde(flatten)]
    manifest: &'a Manifest,
    sha256: String,
}

/// Hash field of a manifest file.
#[derive(Deserialize)]
struct HashField {
    sha256: Option<String>,
}

/// Whether the bytes are a JSON object with a string at this path of fields.
///
/// # Errors
/// Returns an error if the bytes are not JSON.
fn has_text(bytes: &[u8], path: &[&str]) -> serde_json::Result<bool> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let has_text = FieldPath(path).deserialize(&mut json)?;
    json.end().map(|()| has_text)
}

/// Names of the fields that lead to a value.
struct FieldPath<'a>(&'a [&'a str]);

impl<'de> DeserializeSeed<'de> for FieldPath<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FieldPath<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_str<E>(self, _text: &str) -> Result<bool, E> {
        Ok(self.0.is_empty())
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<bool, M::Error> {
        let mut has_text = false;
        while let Some(name) = map.next_key::<String>()? {
            match self.0.split_first() {
                // If a field name occurs more than once, the last one counts.
                Some((first, rest)) if *first == name => {
                    has_text = map.next_value_seed(FieldPath(rest))?;
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(has_text)
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<bool, S::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(false)
    }

    fn visit_bool<E>(self, _value: bool) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_i64<E>(self, _value: i64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_u64<E>(self, _value: u64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_f64<E>(self, _value: f64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(false)
    }
}
