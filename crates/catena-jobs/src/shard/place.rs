//! Paths of the files of a shard.

use super::ShardChoice;
use catena_output::{OutputError, atomic};
use std::path::{Path, PathBuf};

/// Name of the folder of shards in the output folder.
pub const SHARDS: &str = "shards";

/// File name extension of reports.
const REPORT: &str = "json";
/// File name extension of journals.
const JOURNAL: &str = "journal";

/// Paths of the files of one shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardPlace {
    folder: PathBuf,
    choice: ShardChoice,
}

impl ShardPlace {
    /// Returns the paths of a shard in this output folder.
    pub fn new(folder: &Path, choice: ShardChoice) -> Self {
        Self { folder: folder.join(SHARDS), choice }
    }

    /// Returns an error if the folder of shards or the product is a link, which would redirect
    /// writes elsewhere.
    ///
    /// # Errors
    /// One of them is a link.
    pub fn refuse_links(&self) -> Result<(), OutputError> {
        atomic::refuse_link(&self.folder)?;
        atomic::refuse_link(&self.product())
    }

    /// Folder of all shards.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Shard that the files belong to.
    pub fn choice(&self) -> ShardChoice {
        self.choice
    }

    /// Common prefix of the shard's file names: `0003-of-0064`.
    pub fn stem(&self) -> String {
        format!("{:04}-of-{:04}", self.choice.number(), self.choice.of())
    }

    /// Name of the shard's file with this extension.
    pub fn name(&self, ending: &str) -> String {
        format!("{}.{ending}", self.stem())
    }

    /// Path of the shard's report.
    pub fn report(&self) -> PathBuf {
        self.file(REPORT)
    }

    /// Path of the shard's journal.
    pub fn journal(&self) -> PathBuf {
        self.file(JOURNAL)
    }

    /// Path of the shard's product if that is a folder.
    pub fn product(&self) -> PathBuf {
        self.folder.join(self.stem())
    }

    /// Path of the shard's file with this extension.
    pub fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(self.name(ending))
    }

    /// Returns the shard that a file in the folder of shards belongs to, and the part of the file
    /// name after the stem.
    pub(super) fn parse(name: &str) -> Option<(ShardChoice, &str)> {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = name.split_at(digits(name));
        let rest = rest.strip_prefix("-of-")?;
        let (of, ending) = rest.split_at(digits(rest));
        let choice = ShardChoice::new(number.parse().ok()?, of.parse().ok()?)?;
        Some((choice, ending))
    }

    /// Returns whether `ending`, the part of a file name after the stem, identifies a report:
    /// `.json`, or `.second.json` for a copy under another name.
    pub(super) fn is_report(ending: &str) -> bool {
        ending.strip_suffix(REPORT).is_some_and(|rest| rest.starts_with('.') && rest.ends_with('.'))
    }

    /// Returns a free path for a report that disagrees with the existing one.
    pub(super) fn other_report(&self) -> PathBuf {
        let mut names = (2..).map(|count| self.file(&format!("{count}.{REPORT}")));
        // In practice a free number is always found.
        names.find(|path| !path.exists()).unwrap_or_else(|| self.report())
    }
}
