//! Options of `catena render`.

use super::{
    FilmOptionsArgs, FontArgs, NotesArgs, ProgressArgs, SceneArgs,
    value::{FrameRange, Size, seconds, share, size_help, whole},
};
use crate::job::{
    FrameChoice, FrameOptions, FrameOrder, MOST_FRAMES, RenderOptions, SceneFilmOptions,
    ShardOptions, ShardProduct,
};
use crate::scene::{
    Scene, SceneError, SceneText,
    sweep::{SweepOptions, load_sweep},
};
use crate::shard::ShardChoice;
use clap::{Args, ValueHint};
use std::{ffi::OsString, path::PathBuf, time::Duration};

const SHARDS: &str = "Shards";

#[derive(Debug, Args)]
pub(in crate::cli) struct RenderArgs {
    #[command(flatten)]
    pub(in crate::cli) scene: SceneArgs,
    /// Render this variant of a sweep, which then stands in place of the scene; the first one has
    /// the number 0.
    #[arg(long, value_name = "N")]
    pub(in crate::cli) variant: Option<u64>,
    /// How many frames to render [default: what the scene says].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST_FRAMES))]
    pub(in crate::cli) frames: Option<u64>,
    /// Render the frames from A to B, both included, such as 100-199, or one, such as 7; other
    /// frames of the same scene that are already there stay. Until it ends, other renders into the
    /// folder are refused: ranges that run at the same time need --claim or --shard.
    #[arg(long, value_name = "A-B", conflicts_with = "frames")]
    pub(in crate::cli) frame_range: Option<FrameRange>,
    /// The folder to render into. Frames of the same scene and options that are already there and
    /// whole are taken over; others that catena wrote are removed; what it did not write stays, or
    /// is an error where it is in the way [default: out/<scene name>].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Share the folder with other processes that render the same into it with --claim, on this
    /// machine or others: each takes 32 frames at a time.
    #[arg(long, conflicts_with = "film")]
    pub(in crate::cli) claim: bool,
    /// Take over the frames of a process that has given no sign of life for so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "claim", value_parser = whole::<u64>(1..=86_400))]
    pub(in crate::cli) claim_patience: u64,
    /// Render shard I of N alone, such as 3/64, into DIR/shards of --out; `catena merge DIR` puts
    /// all of them together. What is in it follows from the scene and the options, which are the
    /// same for all shards, so they can run anywhere and in any order.
    #[arg(long, value_name = "I/N", help_heading = SHARDS)]
    pub(in crate::cli) shard: Option<ShardChoice>,
    /// Put the frames of the shard into one tar, so that as many files never exist; film and merge
    /// read it.
    #[arg(long, requires = "shard", conflicts_with = "film", help_heading = SHARDS)]
    pub(in crate::cli) pack: bool,
    /// Compute this share of the frames of the neighbour of the shard once more, such as 1%, so
    /// that merge can name a machine that computes wrong.
    #[arg(long, value_name = "SHARE", requires = "shard", value_parser = share, help_heading = SHARDS)]
    pub(in crate::cli) audit: Option<f64>,
    /// Write a checkpoint every N frames, from which a later render can go on [default: every two
    /// seconds of work].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST_FRAMES))]
    pub(in crate::cli) checkpoint_every: Option<u64>,
    /// Write checkpoints at these frames and at the last one, such as 1000,2000, and nowhere else.
    /// All of them stay, so ranges that begin there are reached at once.
    #[arg(long, value_name = "F,F,…", value_delimiter = ',', conflicts_with = "checkpoint_every",
        value_parser = whole::<u64>(1..=MOST_FRAMES))]
    pub(in crate::cli) checkpoint_at: Vec<u64>,
    #[arg(long, value_name = "WxH", help = size_help())]
    pub(in crate::cli) size: Option<Size>,
    /// How many threads draw [default: as many as there are processors]. The
    /// bytes do not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(in crate::cli) threads: Option<u16>,
    /// Make a film, without a folder of frames: mp4, mov, mkv (which need ffmpeg), gif, apng, y4m
    /// or raw; - is standard output. There is no steady-state comparison then, and nothing that a
    /// later render could go on from. With --shard it is a name in the folder of --out: each shard
    /// makes segments of 240 frames, and merge joins them (mp4, mov and mkv).
    #[arg(long, value_name = "FILE", help_heading = "Film")]
    pub(in crate::cli) film: Option<OsString>,
    #[command(flatten)]
    pub(in crate::cli) film_options: FilmOptionsArgs,
    #[command(flatten)]
    pub(in crate::cli) font: FontArgs,
    /// Leave out the steady-state comparison, for which bodies run on until they rest, at most
    /// as long as the frames take, or 5 s where that is more (--steady-time asks for more).
    #[arg(long)]
    pub(in crate::cli) no_steady: bool,
    /// How long to wait for bodies to rest, in seconds of one core; inf waits up to the scene's
    /// `rest.limit`. What is counted is work and no clock, so the picture is the same on every
    /// machine [default: as long as simulating the frames takes, and at least 5].
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with_all = ["no_steady", "film"])]
    pub(in crate::cli) steady_time: Option<f64>,
    /// Exit with 4 when a body diverges by the last frame; the pictures are written all the same.
    #[arg(long)]
    pub(in crate::cli) strict: bool,
    /// Print at the end how long each stage took, summed over all threads, and which path the steps
    /// of each body took, and why not a faster one.
    #[arg(long)]
    pub(in crate::cli) timings: bool,
    #[command(flatten)]
    pub(in crate::cli) notes: NotesArgs,
    #[command(flatten)]
    pub(in crate::cli) progress: ProgressArgs,
}

impl RenderArgs {
    /// Reads the scene, or a variant of the sweep.
    pub(in crate::cli) fn load(&self) -> Result<Scene, SceneError> {
        let Some(number) = self.variant else { return self.scene.load() };
        let limits = self.scene.limit.limits();
        let text = SceneText::read_within(&self.scene.scene, &limits)?;
        let options = SweepOptions { set: self.scene.set.clone(), ..SweepOptions::default() };
        load_sweep(&text, &options, &limits)?.numbered(number)
    }

    /// Selection of the requested frames.
    pub(in crate::cli) fn frames(&self) -> FrameChoice {
        FrameChoice::of_options(self.frame_range.as_ref().map(|range| &range.0), self.frames)
    }

    /// Options of a render into a folder.
    pub(in crate::cli) fn options(&self) -> RenderOptions {
        RenderOptions {
            frames: self.frames(),
            order: FrameOrder::Film,
            size: self.size.map(|size| size.0),
            shared: self.claim.then(|| Duration::from_secs(self.claim_patience)),
            checkpoint_every: self.checkpoint_every,
            checkpoint_at: self.checkpoint_at.clone(),
            steady: !self.no_steady,
            steady_time: self.steady_time,
            font: self.font.file.clone(),
            limits: self.scene.limit.limits(),
            replaces_quietly: false,
            threads: None,
        }
    }

    /// Options of a shard, with the command line.
    pub(in crate::cli) fn shard_options(
        &self,
        choice: ShardChoice,
        command: String,
    ) -> ShardOptions {
        let product = match &self.film {
            Some(film) => {
                let name = film.to_string_lossy().into_owned();
                ShardProduct::Film(name, self.film_options.options())
            }
            None if self.pack => ShardProduct::Pack,
            None => ShardProduct::Frames,
        };
        ShardOptions { choice, render: self.options(), product, audit: self.audit, command }
    }

    /// Message about the first options that exclude each other.
    pub(in crate::cli) fn conflict(&self) -> Option<&'static str> {
        let is_shard = self.shard.is_some();
        let is_film = self.film.is_some() && !is_shard;
        [
            (
                is_shard && self.claim,
                "--claim and --shard both divide the frames: with --claim processes that run at the same time share a folder, \
                 with --shard each has a folder of its own; leave out one of them",
            ),
            (
                is_shard && self.frame_range.is_some(),
                "--frame-range and --shard both say which frames: those of a shard follow from its number; leave out --frame-range, \
                 or say with --frames how many there are in all",
            ),
            (
                is_film && self.out.is_some(),
                "--film cannot be used with --out, since it makes no folder of frames; with --shard it can",
            ),
            (
                is_film && (self.checkpoint_every.is_some() || !self.checkpoint_at.is_empty()),
                "--film cannot be used with --checkpoint-every or --checkpoint-at, since it makes no folder for them; with --shard it can",
            ),
            (
                is_shard && self.film_options.leaves_frames_out(),
                "--every cannot be used with --shard: segments have every frame; merge shards of frames, and use it with `catena film`",
            ),
        ]
        .into_iter()
        .find_map(|(is_given, why)| is_given.then_some(why))
    }

    /// Options of a film without a folder of frames.
    pub(in crate::cli) fn scene_film_options(&self) -> SceneFilmOptions {
        SceneFilmOptions {
            frames: FrameOptions {
                frames: self.frames(),
                size: self.size.map(|size| size.0),
                font: self.font.file.clone(),
                limits: self.scene.limit.limits(),
                threads: None,
            },
            film: self.film_options.options(),
            needs_outcomes: self.strict,
        }
    }
}
