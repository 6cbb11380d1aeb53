//! Jobs for engines that hand out work, as the text that a user submits: scripts and templates.
//!
//! catena schedules nothing itself. An engine is a row of [`ENGINES`] and a file of its own, which
//! turns a [`ClusterJob`] into text.

mod exit_codes;
mod fill;
mod htcondor;
mod job;
mod kubernetes;
mod openjd;
mod parallel;
mod shell_parts;
mod slurm;

pub use job::{ClusterJob, FilmStep, Input, Word, Work};

use std::ffi::OsStr;

/// An engine that hands out work.
pub struct Engine {
    /// Its name, as it is typed.
    pub name: &'static str,
    /// The name of a file with a job for it.
    pub file: &'static str,
    /// What it is, in a few words.
    pub what: &'static str,
    print: fn(&ClusterJob) -> Result<String, String>,
}

/// All engines, in the order in which help lists them.
pub const ENGINES: [Engine; 5] =
    [slurm::ENGINE, openjd::ENGINE, kubernetes::ENGINE, htcondor::ENGINE, parallel::ENGINE];

impl Engine {
    /// The engine of this name.
    pub fn of(name: &str) -> Option<&'static Self> {
        ENGINES.iter().find(|engine| engine.name == name)
    }

    /// The text of a job: all of a file.
    ///
    /// # Errors
    /// A path or an option that the engine's language cannot say, in words.
    pub fn print(&self, job: &ClusterJob) -> Result<String, String> {
        (self.print)(job)
    }
}

/// A word as UTF-8, without which a template cannot hold it. `engine` is for the message.
fn text_of<'a>(word: &'a OsStr, engine: &str) -> Result<&'a str, String> {
    word.to_str().ok_or_else(|| {
        format!("{}: {engine} reads UTF-8 alone; give the file another name", word.display())
    })
}
