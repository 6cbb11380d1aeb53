//! Description of a cluster job, independent of the engine.

use catena_base::text::{printable, shell};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Kind of work that the shards divide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Frames of a scene.
    Render,
    /// Variants of a sweep.
    Sweep,
}

impl Work {
    /// The shard's command, and the noun for its input file.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Render => ("render", "scene"),
            Self::Sweep => ("sweep", "sweep"),
        }
    }

    /// Command that a shard runs.
    pub fn command(self) -> &'static str {
        self.words().0
    }

    /// Noun for the input file: `scene` or `sweep`.
    pub fn noun(self) -> &'static str {
        self.words().1
    }
}

/// An input file that every shard reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Path of the file. A relative path starts at the folder of submission.
    pub path: PathBuf,
    /// Path relative to the folder of the scene.
    pub name: PathBuf,
    /// Size in bytes.
    pub bytes: u64,
}

/// An argument of a shard's command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// An argument that is passed unchanged.
    Plain(OsString),
    /// The path of an input, given as an index into [`ClusterJob::inputs`].
    Input(usize),
}

/// The film that is made after the merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilmStep {
    /// Output path of the film.
    pub file: OsString,
    /// The options of `catena film`.
    pub options: Vec<OsString>,
    /// Time limit in minutes.
    pub minutes: u32,
    /// Memory in MiB.
    pub memory: u64,
}

/// A sweep or a render in shards, followed by the merge and, optionally, a film.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterJob {
    /// File name of the scene or sweep; it may contain any character.
    pub name: String,
    /// Kind of work that is divided.
    pub work: Work,
    /// The scene or the sweep, followed by the files that it names.
    pub inputs: Vec<Input>,
    /// Options of a shard's command, except `--shard` and `--out`.
    pub options: Vec<Word>,
    /// The folder that all shards write to.
    pub out: PathBuf,
    /// Number of shards, at least 1.
    pub shards: u32,
    /// Number of shards that have no work.
    pub idle: u32,
    /// Time limit of one run of a shard, in minutes.
    pub minutes: u32,
    /// Time limit of the merge, in minutes.
    pub merge_minutes: u32,
    /// Memory for a shard or the merge, in MiB.
    pub memory: u64,
    /// Processors per shard.
    pub threads: u16,
    /// The film, if one is wanted.
    pub film: Option<FilmStep>,
    /// Reasons for the number of shards, the time and the memory, one line each.
    pub reasons: Vec<String>,
    /// Path that the job is written to, if known.
    pub file: Option<PathBuf>,
}

impl ClusterJob {
    /// Path of the scene or sweep, in a form that cannot be mistaken for an option.
    pub(super) fn source(&self) -> PathBuf {
        self.inputs.first().map_or_else(PathBuf::new, |input| no_option(&input.path))
    }

    /// Path of the output folder, in a form that cannot be mistaken for an option.
    pub(super) fn folder(&self) -> PathBuf {
        no_option(&self.out)
    }

    /// The options as words. `path_of` maps the index of an input to its path.
    pub(super) fn words<'a>(&'a self, path_of: &dyn Fn(usize) -> OsString) -> Vec<OsString> {
        let word = |word: &'a Word| match word {
            Word::Plain(text) => text.clone(),
            Word::Input(number) => path_of(*number),
        };
        self.options.iter().map(word).collect()
    }

    /// The options, with each input at its own path.
    pub(super) fn own_words(&self) -> Vec<OsString> {
        self.words(&|number| {
            let path = self.inputs.get(number).map(|input| no_option(&input.path));
            path.unwrap_or_default().into_os_string()
        })
    }

    /// First line of the job's header comment.
    pub fn title(&self) -> String {
        let (what, work) = (printable::line(&self.name), self.work.command());
        let shards = match self.shards {
            1 => "1 shard".to_owned(),
            shards => format!("{shards} shards"),
        };
        let film = if self.film.is_some() { ", then a film" } else { "" };
        format!("{work} of {what} in {shards}, then a merge{film}")
    }

    /// Name of the job for engines: at most 40 lowercase letters, digits and `-`.
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

    /// Path of the job's file quoted for a shell, or `usual` if the path is unknown.
    pub(super) fn file_word(&self, usual: &str) -> String {
        shell::quoted(self.file.as_deref().map_or(OsStr::new(usual), Path::as_os_str))
    }

    /// Input paths, one line each.
    pub(super) fn input_lines(&self) -> Vec<String> {
        self.inputs.iter().map(|input| format!("  {}", printable::path(&input.path))).collect()
    }
}

/// Returns the path with `./` in front if it starts with `-`, so that it cannot be mistaken for an
/// option.
pub(super) fn no_option(path: &Path) -> PathBuf {
    match path.as_os_str().as_encoded_bytes().first() {
        Some(b'-') => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}
