//! Options of `catena job`.

use super::{
    FilmOptionsArgs, FontArgs, LimitArgs, SweepChoiceArgs,
    value::{Size, seconds, share, size_help, step_minutes, whole},
};
use crate::cli::Failure;
use crate::cli::complete;
use crate::cluster::{ENGINES, Engine};
use crate::film::{FilmFormat, FilmTarget};
use crate::job::{ClusterOptions, FrameChoice, MOST_FRAMES, RenderOptions};
use crate::scene::{
    Patch, SceneText,
    sweep::{SweepOptions, is_sweep},
};
use crate::shard::MOST_SHARDS;
use clap::{Args, ValueHint, builder::PossibleValuesParser};
use std::{ffi::OsString, path::PathBuf};

#[derive(Debug, Args)]
pub(in crate::cli) struct JobArgs {
    /// The file of the scene or sweep. A sweep begins with Sweep(; a scene with --axis is one too.
    #[arg(value_name = "SCENE|SWEEP", add = complete::scenes())]
    pub(in crate::cli) source: PathBuf,
    #[arg(long = "for", value_name = "ENGINE", value_parser = engines(), hide_possible_values = true, help = engine_help())]
    engine: String,
    /// How many shards [default: by the estimated work].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u64::from(MOST_SHARDS)))]
    shards: Option<u32>,
    /// The longest that a shard may take at a time, in minutes, or as 2h or 02:00:00; it goes on
    /// after that [default: four times its estimate and ten minutes].
    #[arg(long, value_name = "MIN", value_parser = step_minutes)]
    time: Option<u32>,
    /// The file to write the job to, in place of an older one; - is standard output [default: -].
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// The folder that all shards write to, and that has what is merged [default: out/<name>, for a
    /// sweep out/<name>/sweep].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
    /// Change a field of the scene in all panels, such as substeps=128 or rope.nodes=8. Text needs
    /// its quotes: 'style.color="red"'. It can be given several times.
    #[arg(long, value_name = "PATH=VALUE", add = complete::patches())]
    pub(in crate::cli) set: Vec<Patch>,
    #[command(flatten)]
    pub(in crate::cli) limit: LimitArgs,
    #[command(flatten)]
    choice: SweepChoiceArgs,
    /// How many frames to render, or how many each variant has [default: what the scene or sweep
    /// says].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST_FRAMES))]
    frames: Option<u64>,
    #[arg(long, value_name = "WxH", help = size_help())]
    size: Option<Size>,
    #[command(flatten)]
    font: FontArgs,
    /// Leave out the steady-state comparison.
    #[arg(long)]
    no_steady: bool,
    /// How long to wait for bodies to rest, in seconds of one core, as `catena render` has it.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "no_steady")]
    steady_time: Option<f64>,
    /// Have each shard put its frames into one tar, which the merge leaves as it is.
    #[arg(long)]
    pack: bool,
    /// Have each shard compute this share of its neighbour's once more, such as 1%, so that the
    /// merge can name a machine that computes wrong.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    audit: Option<f64>,
    /// How many processors a shard has. More shards gain more than more processors for each.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u16>(1..=1024))]
    threads: u16,
    /// Make a film of the merged frames, as a step of its own.
    #[arg(long, value_name = "FILE", help_heading = "Film")]
    film: Option<OsString>,
    #[command(flatten)]
    film_options: FilmOptionsArgs,
}

/// Names of all engines.
fn engines() -> PossibleValuesParser {
    PossibleValuesParser::new(ENGINES.iter().map(|engine| engine.name))
}

/// Help text of `--for`.
fn engine_help() -> String {
    let all: Vec<String> =
        ENGINES.iter().map(|engine| format!("{} ({})", engine.name, engine.what)).collect();
    format!("The engine: {}", all.join(", "))
}

impl JobArgs {
    /// Requested engine.
    pub(in crate::cli) fn engine(&self) -> Option<&'static Engine> {
        Engine::of(&self.engine)
    }

    /// Options of the render.
    pub(in crate::cli) fn render(&self) -> RenderOptions {
        RenderOptions {
            frames: FrameChoice::of_options(None, self.frames),
            size: self.size.map(|size| size.0),
            steady: !self.no_steady,
            steady_time: self.steady_time,
            font: self.font.file.clone(),
            limits: self.limit.limits(),
            ..RenderOptions::default()
        }
    }

    /// Name of a given option that sweeps do not support.
    pub(in crate::cli) fn of_renders(&self) -> Option<&'static str> {
        let all = [
            ("--size", self.size.is_some()),
            ("--font", self.font.file.is_some()),
            ("--no-steady", self.no_steady),
            ("--steady-time", self.steady_time.is_some()),
            ("--pack", self.pack),
            ("--film", self.film.is_some()),
        ];
        all.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }

    /// Returns an error for a film that its step could not make.
    pub(in crate::cli) fn check_film(&self) -> Result<(), Failure> {
        let Some(film) = &self.film else {
            let given = self.film_options.given();
            let what = |option| format!("{option} is an option of films and needs --film FILE");
            return given.map_or(Ok(()), |option| Err(Failure::Usage(what(option))));
        };
        let target = FilmTarget::new(film);
        if target == FilmTarget::Stdout {
            let what = "--film: the film is made by a step of the job, so it needs a file";
            return Err(Failure::Usage(what.into()));
        }
        FilmFormat::choose(&target, self.film_options.options().format)?;
        Ok(())
    }

    /// Options of a sweep from the command line. `None` if neither they nor the file define a
    /// sweep.
    pub(in crate::cli) fn sweep(&self, text: &SceneText) -> Option<SweepOptions> {
        let is_one = is_sweep(text) || !self.choice.words().is_empty();
        is_one.then(|| self.choice.options(self.frames, &self.set))
    }

    /// Options of the cluster job. `usual` is the default folder.
    pub(in crate::cli) fn options(&self, usual: PathBuf) -> ClusterOptions {
        ClusterOptions {
            out: self.out.clone().unwrap_or(usual),
            words: self.words(),
            shards: self.shards,
            minutes: self.time,
            threads: self.threads,
            film: self.film.clone().map(|file| (file, self.film_words())),
            file: self.output.clone(),
        }
    }

    /// Options of a shard as typed.
    fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        for patch in &self.set {
            words.extend(["--set".into(), patch.text().into()]);
        }
        words.extend(self.choice.words());
        words.extend(self.limit.words().into_iter().map(OsString::from));
        let numbers = [
            ("--frames", self.frames.map(|frames| frames.to_string())),
            ("--size", self.size.map(|Size([width, height])| format!("{width}x{height}"))),
            ("--steady-time", self.steady_time.map(|seconds| seconds.to_string())),
            ("--audit", self.audit.map(|share| share.to_string())),
        ];
        for (name, value) in numbers {
            words.extend(value.into_iter().flat_map(|value| [name.into(), value.into()]));
        }
        let flags = [("--no-steady", self.no_steady), ("--pack", self.pack)];
        words.extend(flags.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name.into()));
        words
    }

    /// Options of the film. A single thread of ffmpeg gives the same film on every machine.
    fn film_words(&self) -> Vec<OsString> {
        let mut words = self.film_options.words();
        if !words.iter().any(|word| word == "--ffmpeg-threads") {
            words.extend(["--ffmpeg-threads".into(), "1".into()]);
        }
        words
    }
}
