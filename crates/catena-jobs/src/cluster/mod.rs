//! Cluster jobs: scripts and templates that a user submits to an engine.
//!
//! catena does not schedule anything itself. An engine is an entry of [`ENGINES`] and a file of its
//! own, which turns a [`ClusterJob`] into text.

mod htcondor;
mod job;
mod kubernetes;
mod openjd;
mod parallel;
mod parts;
mod slurm;

pub use job::{ClusterJob, FilmStep, Input, Word, Work};

use std::ffi::OsStr;

/// An engine that distributes work among machines.
pub struct Engine {
    /// Name, as typed on the command line.
    pub name: &'static str,
    /// Default file name of a job for this engine.
    pub file: &'static str,
    /// Description in a few words.
    pub what: &'static str,
    print: fn(&ClusterJob) -> Result<String, String>,
}

/// All engines, in the order of the help text.
pub const ENGINES: [Engine; 5] =
    [slurm::ENGINE, openjd::ENGINE, kubernetes::ENGINE, htcondor::ENGINE, parallel::ENGINE];

impl Engine {
    /// Returns the engine with this name.
    pub fn of(name: &str) -> Option<&'static Self> {
        ENGINES.iter().find(|engine| engine.name == name)
    }

    /// Returns the text of a job file.
    ///
    /// # Errors
    /// A message about a path or an option that the engine's format cannot express.
    pub fn print(&self, job: &ClusterJob) -> Result<String, String> {
        (self.print)(job)
    }
}

/// Returns a word as UTF-8, which every template needs. `engine` is named in the error.
fn text_of<'a>(word: &'a OsStr, engine: &str) -> Result<&'a str, String> {
    word.to_str().ok_or_else(|| {
        format!("{}: {engine} supports only file names in UTF-8; rename the file", word.display())
    })
}
