//! The report of a shard: what it was made from, what is in it, and where it ran.

use super::{ShardChoice, ShardPlace, ShardSource};
use catena_base::read;
use catena_base::text::printable;
use catena_output::{
    OutputError, atomic,
    hash::{sha256, sha256_of_file},
    lock,
};
use catena_sim::instructions::Instructions;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{
    fs, io,
    ops::Range,
    path::{Path, PathBuf},
    time::Instant,
};

/// What is divided into shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShardKind {
    /// The frames of a scene.
    Render,
    /// The variants of a sweep.
    Sweep,
}

impl ShardKind {
    /// The command whose shards they are.
    pub fn command(self) -> &'static str {
        match self {
            Self::Render => "render",
            Self::Sweep => "sweep",
        }
    }
}

/// The report of a finished shard. The file has one more field, `sha256`, the hash of all that the
/// merge takes over, which is checked when the file is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShardReport {
    /// What is divided.
    pub kind: ShardKind,
    /// The key of the source: shards of one key can be put together.
    pub key: String,
    /// What the results depend on.
    pub source: ShardSource,
    /// The number of the shard, from 1 on.
    pub number: u32,
    /// How many shards there are.
    pub of: u32,
    /// Its items: frames or variants, from the first to before the second number.
    pub items: [u64; 2],
    /// How many rows or frames it has.
    pub rows: u64,
    /// Its files.
    pub files: Vec<ShardFile>,
    /// What else the merge needs, by kind.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub content: serde_json::Value,
    /// What it has computed of its neighbour's items.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<ShardAudit>,
    /// Where it ran and what was typed; the key has none of it.
    pub ran_on: RanOn,
}

/// A file of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardFile {
    /// Its path in the folder of shards, with `/` between folder and file.
    pub file: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// Its length.
    pub bytes: u64,
}

/// What a shard has computed of its neighbour's items, to be held against the neighbour's report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardAudit {
    /// The number of the neighbour.
    pub number: u32,
    /// Items, and SHA-256 of each as the neighbour should have it.
    pub hashes: Vec<(u64, String)>,
}

/// Where and how long a shard ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RanOn {
    /// The name of the machine; empty where it is not known.
    pub host: String,
    /// The vector instructions that it ran with.
    pub instructions: String,
    /// How many seconds the process took that finished it.
    pub seconds: f64,
    /// The command, as a shell reads it; empty where a program called the job.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// The command that makes the whole, without shards.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub repeat: String,
    /// The text of what was divided, as it was written.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl RanOn {
    /// This machine, from `start` to now, with the command that was typed.
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
    /// A file of a shard that is there, in the folder of shards.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn of(folder: &Path, file: String) -> Result<Self, OutputError> {
        let path = folder.join(&file);
        let refuse = |cause| OutputError::new("read", &path, cause);
        let sha256 = sha256_of_file(&path, u64::MAX).map_err(refuse)?;
        let bytes = path.metadata().map_err(refuse)?.len();
        Ok(Self { file, sha256, bytes })
    }

    /// Returns why the file cannot be the one of the report, before any of it is read: a link, or
    /// another length.
    pub fn shape_fault(&self, folder: &Path) -> Option<String> {
        let mut path = folder.to_path_buf();
        let mut length = 0;
        for part in Path::new(&self.file) {
            path.push(part);
            match fs::symlink_metadata(&path) {
                Ok(meta) if meta.is_symlink() => {
                    let shown = path.strip_prefix(folder).unwrap_or(&path).display();
                    return Some(format!("{shown} is a link; put the file in its place"));
                }
                Ok(meta) => length = meta.len(),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Some(format!("{} is not there", self.file));
                }
                Err(error) => return Some(format!("{} cannot be read: {error}", self.file)),
            }
        }
        let (file, bytes) = (&self.file, self.bytes);
        (length != bytes).then(|| {
            format!("{file} is not what its report says: it has {length} bytes, not {bytes}")
        })
    }

    /// What is wrong with the file in the folder of shards, in words; `None` where it has the hash
    /// that the report says.
    pub fn fault(&self, folder: &Path) -> Option<String> {
        if let Some(fault) = self.shape_fault(folder) {
            return Some(fault);
        }
        let path = folder.join(&self.file);
        match sha256_of_file(&path, u64::MAX) {
            Ok(found) if found == self.sha256 => None,
            Ok(_) => Some(format!("{} is not what its report says", self.file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Some(format!("{} is not there", self.file))
            }
            Err(error) => Some(format!("{} cannot be read: {error}", self.file)),
        }
    }
}

impl ShardReport {
    /// A report without files, to be filled in.
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

    /// Which shard it is; `None` where its numbers are those of no shard.
    pub fn choice(&self) -> Option<ShardChoice> {
        ShardChoice::new(self.number, self.of)
    }

    /// The content, as what it is.
    ///
    /// # Errors
    /// When it is something else.
    pub fn content<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        T::deserialize(&self.content)
    }

    /// Whether another report says the same of the same shard, wherever both ran, however the
    /// command was typed, and whatever they have audited.
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.results() == other.results()
    }

    /// All that a shard's results are.
    fn results(&self) -> impl Serialize + PartialEq + '_ {
        let Self { kind, key, source, number, of, items, rows, files, content, .. } = self;
        (kind, key, source, number, of, items, rows, files, content)
    }

    /// SHA-256 of all that the merge takes over.
    fn own_hash(&self) -> serde_json::Result<String> {
        let RanOn { repeat, text, .. } = &self.ran_on;
        let typed = (repeat, text);
        Ok(sha256(&serde_json::to_vec(&(self.results(), &self.audit, typed))?))
    }

    /// Where it ran, for messages: `host` or `an unknown machine`.
    pub fn host(&self) -> String {
        match self.ran_on.host.as_str() {
            "" => "an unknown machine".into(),
            host => printable::line(host).into_owned(),
        }
    }

    /// The text of the file.
    ///
    /// # Errors
    /// When a value cannot be written as JSON.
    pub fn text(&self) -> io::Result<String> {
        let hashed = HashedReport { report: self, sha256: self.own_hash()? };
        Ok(printable::json(&(serde_json::to_string_pretty(&hashed)? + "\n")).to_string())
    }

    /// Reads the bytes of a report.
    ///
    /// # Errors
    /// When they are no report, or were changed.
    pub fn parse(bytes: &[u8]) -> io::Result<Self> {
        let refuse = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what);
        let report: Self = serde_json::from_slice(bytes)?;
        let HashField { sha256 } = serde_json::from_slice(bytes)?;
        if sha256 != report.own_hash()? || report.key != report.source.key() {
            return Err(refuse("it was changed after it was written"));
        }
        match report.choice() {
            Some(_) => Ok(report),
            None => Err(refuse("its numbers are those of no shard")),
        }
    }

    /// The report of a shard that is finished, if it is of this key; `None` where there is none
    /// that is whole.
    ///
    /// # Errors
    /// When it cannot be read at the moment.
    pub fn read(place: &ShardPlace, key: &str) -> Result<Option<Self>, OutputError> {
        let found = Self::there(&place.report())?;
        let is_it = |it: &Self| it.choice() == Some(place.choice()) && it.key == key;
        Ok(found.filter(is_it))
    }

    /// The report in a file; `None` where there is none that is whole.
    fn there(path: &Path) -> Result<Option<Self>, OutputError> {
        let bytes = read::record(path).map_err(|cause| OutputError::new("read", path, cause))?;
        Ok(bytes.and_then(|bytes| Self::parse(&bytes).ok()))
    }

    /// Refuses a place where the report of another kind of shards lies, which would be lost.
    ///
    /// # Errors
    /// When there is one, or it cannot be read at the moment.
    pub fn refuse_other_kind(place: &ShardPlace, kind: ShardKind) -> Result<(), OutputError> {
        let path = place.report();
        match Self::there(&path)? {
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

    /// Writes the report, which says that the shard is finished: the last of its files. A report of
    /// the same source that is there and says the same stays. One that says something else stays as
    /// well, and this one is written beside it, so that the merge names both: one of two machines
    /// is broken. Returns the path.
    ///
    /// # Errors
    /// When it cannot be written, or one that is there cannot be read.
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

/// A report with the hash that its file has.
#[derive(Serialize)]
struct HashedReport<'a> {
    #[serde(flatten)]
    report: &'a ShardReport,
    sha256: String,
}

/// The hash in the file of a report.
#[derive(Deserialize)]
struct HashField {
    sha256: String,
}
