//! What is to be handed out, for any engine.

use catena_base::text::{printable, shell};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What the shards of a job are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Frames of a scene.
    Render,
    /// Variants of a sweep.
    Sweep,
}

impl Work {
    /// The command of a shard, and what its file is.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Render => ("render", "scene"),
            Self::Sweep => ("sweep", "sweep"),
        }
    }

    /// The command of a shard.
    pub fn command(self) -> &'static str {
        self.words().0
    }

    /// What the file is called that the shards are of.
    pub fn noun(self) -> &'static str {
        self.words().1
    }
}

/// A file that every shard reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its path; a relative one counts from where the job is submitted.
    pub path: PathBuf,
    /// Its path from the folder of the scene.
    pub name: PathBuf,
    /// How large it is.
    pub bytes: u64,
}

/// A word of a shard's command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// As it is.
    Plain(OsString),
    /// The path of an input, by its place among [`ClusterJob::inputs`].
    Input(usize),
}

/// A film behind the merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilmStep {
    /// The film.
    pub file: OsString,
    /// The options of `catena film`.
    pub options: Vec<OsString>,
    /// The longest that it may take, in minutes.
    pub minutes: u32,
    /// Memory in MiB.
    pub memory: u64,
}

/// A sweep or a render in shards, the merge behind them, and a film behind that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterJob {
    /// The name of the source, which can hold anything.
    pub name: String,
    /// What the shards are of.
    pub work: Work,
    /// The scene or the sweep, and after it the files that it names.
    pub inputs: Vec<Input>,
    /// The options of a shard's command, beside `--shard` and `--out`.
    pub options: Vec<Word>,
    /// The folder that all shards write to.
    pub out: PathBuf,
    /// How many shards there are, from 1.
    pub shards: u32,
    /// How many of them have nothing to do.
    pub idle: u32,
    /// The longest that a shard may take at a time, in minutes.
    pub minutes: u32,
    /// The longest that the merge may take, in minutes.
    pub merge_minutes: u32,
    /// Memory of a shard and of the merge in MiB.
    pub memory: u64,
    /// Processors of a shard.
    pub threads: u16,
    /// The film.
    pub film: Option<FilmStep>,
    /// How shards, time and memory were chosen, in lines.
    pub reasons: Vec<String>,
    /// The file that the job is written to, where it is known.
    pub file: Option<PathBuf>,
}

impl ClusterJob {
    /// The scene or the sweep. It does not begin as an option does.
    pub(super) fn source(&self) -> PathBuf {
        self.inputs.first().map_or_else(PathBuf::new, |input| no_option(&input.path))
    }

    /// The folder. It does not begin as an option does.
    pub(super) fn folder(&self) -> PathBuf {
        no_option(&self.out)
    }

    /// The options, each input as `path_of` has it by its number.
    pub(super) fn words<'a>(&'a self, path_of: &dyn Fn(usize) -> OsString) -> Vec<OsString> {
        let word = |word: &'a Word| match word {
            Word::Plain(text) => text.clone(),
            Word::Input(number) => path_of(*number),
        };
        self.options.iter().map(word).collect()
    }

    /// The options where inputs lie at their own paths.
    pub(super) fn own_words(&self) -> Vec<OsString> {
        self.words(&|number| {
            let path = self.inputs.get(number).map(|input| no_option(&input.path));
            path.unwrap_or_default().into_os_string()
        })
    }

    /// The first line about the job.
    pub fn title(&self) -> String {
        let (what, work) = (printable::line(&self.name), self.work.command());
        let shards = match self.shards {
            1 => "1 shard".to_owned(),
            shards => format!("{shards} shards"),
        };
        let film = if self.film.is_some() { ", then a film" } else { "" };
        format!("{work} of {what} in {shards}, then their merge{film}")
    }

    /// The name for engines: small letters, digits and `-`, at most 40 of them.
    pub(super) fn slug(&self) -> String {
        let mut slug = String::from("catena-");
        for letter in self.name.chars().map(|letter| letter.to_ascii_lowercase()) {
            match letter.is_ascii_alphanumeric() {
                true => slug.push(letter),
                false if slug.ends_with('-') => {}
                false => slug.push('-'),
            }
        }
        slug.truncate(40);
        slug.trim_end_matches('-').to_owned()
    }

    /// The file that the job is written to, as a shell reads it.
    pub(super) fn file_word(&self, usual: &str) -> String {
        shell::quoted(self.file.as_deref().map_or(OsStr::new(usual), Path::as_os_str))
    }

    /// What is read, a line each.
    pub(super) fn input_lines(&self) -> Vec<String> {
        self.inputs.iter().map(|input| format!("  {}", printable::path(&input.path))).collect()
    }
}

/// The path in a form that no command line takes for an option.
pub(super) fn no_option(path: &Path) -> PathBuf {
    match path.as_os_str().as_encoded_bytes().first() {
        Some(b'-') => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}
