//! Where the files of a shard lie.

use super::ShardChoice;
use catena_output::{OutputError, atomic};
use std::path::{Path, PathBuf};

/// Name of the folder of shards, in the folder that they are merged into.
pub const SHARDS: &str = "shards";

/// The endings of reports and journals.
const REPORT: &str = "json";
const JOURNAL: &str = "journal";

/// The files of one shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardPlace {
    folder: PathBuf,
    choice: ShardChoice,
}

impl ShardPlace {
    /// Those of a shard in the folder that shards are merged into.
    pub fn new(folder: &Path, choice: ShardChoice) -> Self {
        Self { folder: folder.join(SHARDS), choice }
    }

    /// Refuses links in place of the folder of shards and of the product, which lead elsewhere.
    ///
    /// # Errors
    /// When one of them is a link.
    pub fn refuse_links(&self) -> Result<(), OutputError> {
        atomic::refuse_link(&self.folder)?;
        atomic::refuse_link(&self.product())
    }

    /// The folder of all shards.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Which shard it is.
    pub fn choice(&self) -> ShardChoice {
        self.choice
    }

    /// The name that all its files begin with: `0003-of-0064`.
    pub fn stem(&self) -> String {
        format!("{:04}-of-{:04}", self.choice.number(), self.choice.of())
    }

    /// The name of its file with this ending.
    pub fn name(&self, ending: &str) -> String {
        format!("{}.{ending}", self.stem())
    }

    /// Its report.
    pub fn report(&self) -> PathBuf {
        self.file(REPORT)
    }

    /// Its journal.
    pub fn journal(&self) -> PathBuf {
        self.file(JOURNAL)
    }

    /// Its product, where that is a folder.
    pub fn product(&self) -> PathBuf {
        self.folder.join(self.stem())
    }

    /// Its file with this ending.
    pub fn file(&self, ending: &str) -> PathBuf {
        self.folder.join(self.name(ending))
    }

    /// The shard that a file name in the folder of shards belongs to, and what follows the stem.
    pub(super) fn parse(name: &str) -> Option<(ShardChoice, &str)> {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = name.split_at(digits(name));
        let rest = rest.strip_prefix("-of-")?;
        let (of, ending) = rest.split_at(digits(rest));
        let choice = ShardChoice::new(number.parse().ok()?, of.parse().ok()?)?;
        Some((choice, ending))
    }

    /// Whether what follows the stem is the ending of a report, be it of a copy under another name,
    /// as `.json` and `.second.json` are.
    pub(super) fn is_report(ending: &str) -> bool {
        ending.strip_suffix(REPORT).is_some_and(|rest| rest.starts_with('.') && rest.ends_with('.'))
    }

    /// A free name for a report that says something else than the one that is there.
    pub(super) fn other_report(&self) -> PathBuf {
        let mut names = (2..).map(|count| self.file(&format!("{count}.{REPORT}")));
        // There is always one more number.
        names.find(|path| !path.exists()).unwrap_or_else(|| self.report())
    }
}
