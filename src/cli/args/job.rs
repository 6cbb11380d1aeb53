//! Options of `catena job`.

use super::{
    FilmOptionsArgs, FontArgs, LimitArgs, SweepChoiceArgs,
    value::{Size, seconds, share, size_help, step_minutes, whole},
};
use crate::cli::Failure;
use crate::cli::args::completers;
use crate::cluster::{ENGINES, Engine};
use crate::film::{FilmFormat, FilmTarget};
use crate::job::{
    ClusterFilm, ClusterOptions, FrameChoice, MAX_FRAMES, RenderOptions, film_encoding,
};
use crate::scene::{
    Patch, SceneText,
    sweep::{SweepOptions, is_sweep},
};
use crate::shard::MAX_SHARDS;
use clap::{Args, ValueHint, builder::PossibleValuesParser};
use std::{ffi::OsString, path::PathBuf};

#[derive(Debug, Args)]
pub(in crate::cli) struct JobArgs {
    /// Scene or sweep file. A sweep begins with Sweep(; a scene with --axis is also a sweep.
    #[arg(value_name = "SCENE|SWEEP", add = completers::scenes())]
    pub(in crate::cli) source: PathBuf,
    #[arg(long = "for", value_name = "ENGINE", value_parser = engines(), hide_possible_values = true, help = engine_help())]
    engine: String,
    /// Number of shards [default: from the estimated work].
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u64::from(MAX_SHARDS)))]
    shards: Option<u32>,
    /// Time limit of a shard, in minutes or as 2h or 02:00:00. A shard that exceeds it is resumed
    /// [default: four times its estimate plus ten minutes].
    #[arg(long, value_name = "MIN", value_parser = step_minutes)]
    time: Option<u32>,
    /// Output file, which is replaced if it exists; - writes to standard output [default: -].
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Folder for all shards and the merged result [default: out/<name>, for a sweep
    /// out/<name>/sweep].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
    /// Set a field of the scene in all panels, such as substeps=128 or rope.nodes=8. Quote text:
    /// 'style.color="red"'. Can be repeated.
    #[arg(long, value_name = "PATH=VALUE", add = completers::patches())]
    pub(in crate::cli) set: Vec<Patch>,
    #[command(flatten)]
    pub(in crate::cli) limit: LimitArgs,
    #[command(flatten)]
    choice: SweepChoiceArgs,
    /// Number of frames to render, or of each variant [default: the value of the scene or sweep].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_FRAMES))]
    frames: Option<u64>,
    #[arg(long, value_name = "WxH", help = size_help())]
    size: Option<Size>,
    #[command(flatten)]
    font: FontArgs,
    /// Skip the steady-state comparison.
    #[arg(long)]
    no_steady: bool,
    /// Maximum time to wait for rest, in seconds of CPU time, as for `catena render`.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "no_steady")]
    steady_time: Option<f64>,
    /// Store the frames of each shard in one tar file, which the merge keeps as it is.
    #[arg(long)]
    pack: bool,
    /// Recompute this share of the neighbouring shard in each shard, such as 1%. The merge compares
    /// them to find machines that compute wrong results.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    audit: Option<f64>,
    /// Number of processors per shard. Increasing --shards is more efficient than increasing this.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u16>(1..=1024))]
    threads: u16,
    /// Create a film from the merged frames in a separate step.
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
    format!("Engine: {}", all.join(", "))
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
            fonts: self.font.files.clone(),
            limits: self.limit.limits(),
            ..RenderOptions::default()
        }
    }

    /// Name of a given option that sweeps do not support.
    pub(in crate::cli) fn of_renders(&self) -> Option<&'static str> {
        let all = [
            ("--size", self.size.is_some()),
            ("--font", !self.font.files.is_empty()),
            ("--no-steady", self.no_steady),
            ("--steady-time", self.steady_time.is_some()),
            ("--pack", self.pack),
            ("--film", self.film.is_some()),
        ];
        all.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }

    /// Film that a step of the job makes.
    ///
    /// # Errors
    /// The step could not make the film.
    fn checked_film(&self) -> Result<Option<ClusterFilm>, Failure> {
        let Some(film) = &self.film else {
            let given = self.film_options.given();
            let what = |option| format!("{option} is an option for films and needs --film FILE");
            return given.map_or(Ok(None), |option| Err(Failure::Usage(what(option))));
        };
        let target = FilmTarget::new(film);
        if target == FilmTarget::Stdout {
            let what = "--film needs a file name here, because a step of the job writes the film";
            return Err(Failure::Usage(what.into()));
        }
        let options = self.film_options.options();
        let format = FilmFormat::choose(&target, options.format)?;
        let encoding = film_encoding(format, &options)?;
        Ok(Some(ClusterFilm { file: film.clone(), words: self.film_words(), encoding }))
    }

    /// Options of a sweep from the command line. `None` if neither the options nor the file define
    /// a sweep.
    pub(in crate::cli) fn sweep(&self, text: &SceneText) -> Option<SweepOptions> {
        let is_one = is_sweep(text) || !self.choice.words().is_empty();
        is_one.then(|| self.choice.options(self.frames, &self.set))
    }

    /// Options of the cluster job. `usual` is the default folder.
    ///
    /// # Errors
    /// A step could not make the film.
    pub(in crate::cli) fn options(&self, usual: PathBuf) -> Result<ClusterOptions, Failure> {
        Ok(ClusterOptions {
            out: self.out.clone().unwrap_or(usual),
            words: self.words(),
            shards: self.shards,
            minutes: self.time,
            threads: self.threads,
            film: self.checked_film()?,
            file: self.output.clone(),
        })
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
