//! Report of a shard: its source, its content, and the machine that it ran on.

use super::{ShardChoice, ShardPlace};
use catena_base::read;
use catena_base::text::printable;
use catena_output::hash::{sha256, sha256_of_file};
use catena_output::{OutputError, atomic, lock};
use catena_sim::instructions::Instructions;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fs, io};

/// Kind of work that is divided into shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShardKind {
    /// The frames of a scene.
    Render,
    /// The variants of a sweep.
    Sweep,
}

impl ShardKind {
    /// Command that the shards run.
    pub fn command(self) -> &'static str {
        match self {
            Self::Render => "render",
            Self::Sweep => "sweep",
        }
    }
}

/// Report of a finished shard. The file has an additional field `sha256`, the hash of everything
/// that a merge uses. The hash is verified when a report is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShardReport {
    /// Kind of work that is divided.
    pub kind: ShardKind,
    /// Key of the source. Only shards with equal keys can be merged.
    pub key: String,
    /// Everything that the results depend on.
    pub source: ShardSource,
    /// Number of the shard, from 1.
    pub number: u32,
    /// Total number of shards.
    pub of: u32,
    /// First item and end of the half-open range of the shard's items, which are frames or
    /// variants.
    pub items: [u64; 2],
    /// Number of the shard's rows or frames.
    pub rows: u64,
    /// Files of the shard.
    pub files: Vec<ShardFile>,
    /// Further data for the merge, depending on the kind.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub content: serde_json::Value,
    /// Audit of a neighbour's items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<ShardAudit>,
    /// Machine and command line. They are not part of the key.
    pub ran_on: RanOn,
}

/// A file of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardFile {
    /// Path in the folder of shards, with `/` as the separator.
    pub file: String,
    /// SHA-256 of the content.
    pub sha256: String,
    /// Length in bytes.
    pub bytes: u64,
}

/// Hashes of a neighbour's items, to be compared with the neighbour's report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardAudit {
    /// Number of the neighbour.
    pub number: u32,
    /// Index of each item, and the SHA-256 that the neighbour's report should have for it.
    pub hashes: Vec<(u64, String)>,
}

/// Machine, duration and command of a shard.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RanOn {
    /// Name of the machine. Empty if unknown.
    pub host: String,
    /// Vector instructions that were used.
    pub instructions: String,
    /// Elapsed seconds of the process that finished the shard.
    pub seconds: f64,
    /// Command line, quoted for a shell. Empty if a program called the job.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// Command that computes the whole result without shards.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub repeat: String,
    /// Original text of the scene or sweep.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl RanOn {
    /// Data of this machine, with the time since `start` and the command line.
    pub fn here(start: Instant, command: String) -> Self {
        Self {
            host: lock::host_name().unwrap_or_default(),
            instructions: Instructions::best().name().into(),
            seconds: start.elapsed().as_secs_f64(),
            command,
            ..Self::default()
        }
    }
}

impl ShardFile {
    /// Describes an existing file in the folder of shards.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of(folder: &Path, file: String) -> Result<Self, OutputError> {
        let path = folder.join(&file);
        let refuse = |cause| OutputError::new("read", &path, cause);
        let sha256 = sha256_of_file(&path, u64::MAX).map_err(refuse)?;
        let bytes = path.metadata().map_err(refuse)?.len();
        Ok(Self { file, sha256, bytes })
    }

    /// Returns the reason why the file cannot match its report, if it is missing, a link, or of
    /// another length. Does not read its content.
    pub fn shape_fault(&self, folder: &Path) -> Option<String> {
        let mut path = folder.to_path_buf();
        let mut length = 0;
        for part in Path::new(&self.file) {
            path.push(part);
            match fs::symlink_metadata(&path) {
                Ok(meta) if meta.is_symlink() => {
                    let shown = path.strip_prefix(folder).unwrap_or(&path).display();
                    return Some(format!("{shown} is a symbolic link; replace it with the file"));
                }
                Ok(meta) => length = meta.len(),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Some(format!("{} is missing", self.file));
                }
                Err(error) => return Some(format!("{} cannot be read: {error}", self.file)),
            }
        }
        let (file, bytes) = (&self.file, self.bytes);
        (length != bytes).then(|| {
            format!("{file} does not match its report: it has {length} bytes, not {bytes}")
        })
    }

    /// Returns the reason why the file does not match its report. `None` if length and hash match.
    pub fn fault(&self, folder: &Path) -> Option<String> {
        if let Some(fault) = self.shape_fault(folder) {
            return Some(fault);
        }
        let path = folder.join(&self.file);
        match sha256_of_file(&path, u64::MAX) {
            Ok(found) if found == self.sha256 => None,
            Ok(_) => Some(format!("{} does not match its report", self.file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Some(format!("{} is missing", self.file))
            }
            Err(error) => Some(format!("{} cannot be read: {error}", self.file)),
        }
    }
}

impl ShardReport {
    /// Creates a report without files and content, which the caller fills in.
    pub fn new(kind: ShardKind, source: &ShardSource, choice: ShardChoice, total: u64) -> Self {
        let Range { start, end } = choice.slice(total);
        Self {
            kind,
            key: source.key(),
            source: source.clone(),
            number: choice.number(),
            of: choice.of(),
            items: [start, end],
            rows: 0,
            files: Vec::new(),
            content: serde_json::Value::Null,
            audit: None,
            ran_on: RanOn::default(),
        }
    }

    /// Returns the shard. `None` if the numbers are invalid.
    pub fn choice(&self) -> Option<ShardChoice> {
        ShardChoice::new(self.number, self.of)
    }

    /// Deserializes the content.
    ///
    /// # Errors
    /// The content does not have this type.
    pub fn content<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        T::deserialize(&self.content)
    }

    /// Whether two reports have the same results for the same shard. Machine, command line and
    /// audits may differ.
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.results() == other.results()
    }

    /// Fields that describe the shard and its results.
    fn results(&self) -> impl Serialize + PartialEq + '_ {
        let Self { kind, key, source, number, of, items, rows, files, content, .. } = self;
        (kind, key, source, number, of, items, rows, files, content)
    }

    /// SHA-256 of everything that a merge uses.
    fn own_hash(&self) -> serde_json::Result<String> {
        let RanOn { repeat, text, .. } = &self.ran_on;
        let typed = (repeat, text);
        Ok(sha256(&serde_json::to_vec(&(self.results(), &self.audit, typed))?))
    }

    /// Name of the machine for messages, or `an unknown machine`.
    pub fn host(&self) -> String {
        match self.ran_on.host.as_str() {
            "" => "an unknown machine".into(),
            host => printable::line(host).into_owned(),
        }
    }

    /// Returns the text of the file.
    ///
    /// # Errors
    /// A value cannot be written as JSON.
    pub fn text(&self) -> io::Result<String> {
        let hashed = HashedReport { report: self, sha256: self.own_hash()? };
        Ok(printable::json(&(serde_json::to_string_pretty(&hashed)? + "\n")).to_string())
    }

    /// Parses the content of a report file.
    ///
    /// # Errors
    /// The bytes are not a report, or the hash does not match.
    pub fn parse(bytes: &[u8]) -> io::Result<Self> {
        let refuse = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what);
        let report: Self = serde_json::from_slice(bytes)?;
        let HashField { sha256 } = serde_json::from_slice(bytes)?;
        if sha256 != report.own_hash()? || report.key != report.source.key() {
            return Err(refuse("it was changed after it was written"));
        }
        match report.choice() {
            Some(_) => Ok(report),
            None => Err(refuse("its shard numbers are invalid")),
        }
    }

    /// Reads the report of a finished shard with this key. `None` if there is no intact report.
    ///
    /// # Errors
    /// The file cannot be read at the moment.
    pub fn read(place: &ShardPlace, key: &str) -> Result<Option<Self>, OutputError> {
        let found = Self::read_intact(&place.report())?;
        let is_it = |it: &Self| it.choice() == Some(place.choice()) && it.key == key;
        Ok(found.filter(is_it))
    }

    /// Reads the report in a file. `None` if there is no intact report.
    fn read_intact(path: &Path) -> Result<Option<Self>, OutputError> {
        let bytes = read::record(path).map_err(|cause| OutputError::new("read", path, cause))?;
        Ok(bytes.and_then(|bytes| Self::parse(&bytes).ok()))
    }

    /// Returns an error if the place holds a report of another kind of shards.
    ///
    /// # Errors
    /// Such a report exists, or the file cannot be read at the moment.
    pub fn refuse_other_kind(place: &ShardPlace, kind: ShardKind) -> Result<(), OutputError> {
        let path = place.report();
        match Self::read_intact(&path)? {
            Some(there) if there.kind != kind => {
                let what = format!(
                    "it belongs to a shard of `catena {}`; choose another --out",
                    there.kind.command()
                );
                Err(OutputError::new("replace", &path, io::Error::other(what)))
            }
            _ => Ok(()),
        }
    }

    /// Writes the report as the last file of the shard, which marks the shard as finished. An equal
    /// report is not replaced. If the existing report disagrees, the new one gets another name, and
    /// the merge reports both, because one of the two machines is faulty. Returns the path.
    ///
    /// # Errors
    /// The file cannot be written, or an existing report cannot be read.
    pub fn publish(&self, place: &ShardPlace) -> Result<PathBuf, OutputError> {
        let path = match Self::read(place, &self.key)? {
            Some(there) if there.agrees_with(self) && there.audit == self.audit => {
                return Ok(place.report());
            }
            Some(there) if !there.agrees_with(self) => place.other_report(),
            _ => place.report(),
        };
        let text = self.text().map_err(|cause| OutputError::new("write", &path, cause))?;
        atomic::write_synced(&path, text.as_bytes())?;
        Ok(path)
    }
}

/// A report with its hash, as stored in the file.
#[derive(Serialize)]
struct HashedReport<'a> {
    #[serde(flatten)]
    report: &'a ShardReport,
    sha256: String,
}

/// Hash in a report file.
#[derive(Deserialize)]
struct HashField {
    sha256: String,
}

/// Everything that the results of a shard depend on, as names and values: the build of catena, the
/// scene and its options. Only shards with equal sources can be merged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ShardSource(BTreeMap<String, String>);

impl ShardSource {
    /// Creates a source with the version and the build of this program.
    pub fn new() -> Self {
        let version =
            [("catena", env!("CARGO_PKG_VERSION")), ("build of catena", env!("CATENA_BUILD"))];
        let named = version.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self(named.into_iter().collect())
    }

    /// Returns the source with one more value. Messages show `name`, so it should be familiar to
    /// users, such as `--size`.
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.0.insert(name.into(), value.into());
        self
    }

    /// Returns the key: SHA-256 of all names and values.
    pub fn key(&self) -> String {
        // A map of strings can always be serialized as JSON.
        sha256(&serde_json::to_vec(self).unwrap_or_default())
    }

    /// Returns the value with this name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Returns the names of values that differ between two sources, in alphabetical order.
    pub fn differences<'a>(&'a self, other: &'a Self) -> Vec<&'a str> {
        let names = self.0.keys().chain(other.0.keys().filter(|name| self.get(name).is_none()));
        let mut names: Vec<&str> = names.map(String::as_str).collect();
        names.retain(|name| self.get(name) != other.get(name));
        names.sort_unstable();
        names
    }
}
