//! Options of `catena render`.

use super::{
    FilmOptionsArgs, FontArgs, NotesArgs, ProgressArgs, SceneArgs,
    value::{Size, seconds, share, size_help, whole},
};
use crate::job::{
    FrameChoice, FrameList, FrameOptions, FrameOrder, MAX_FRAMES, RenderOptions, SceneFilmOptions,
    ShardOptions, ShardProduct,
};
use crate::output::names::FrameNames;
use crate::scene::{
    Scene, SceneError, SceneText,
    sweep::{MAX_VARIANTS, SweepOptions, load_sweep},
};
use crate::shard::ShardChoice;
use clap::{Args, ValueHint};
use std::{ffi::OsString, path::PathBuf, time::Duration};

const SHARDS: &str = "Shards";

#[derive(Debug, Args)]
pub(in crate::cli) struct RenderArgs {
    #[command(flatten)]
    pub(in crate::cli) scene: SceneArgs,
    /// Render this variant of a sweep. SCENE is then the sweep file; the first variant is 0.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=MAX_VARIANTS - 1))]
    pub(in crate::cli) variant: Option<u64>,
    /// Number of frames to render [default: the scene's value].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_FRAMES))]
    pub(in crate::cli) frames: Option<u64>,
    /// Render only these frames, such as 7, 100-199, 100- for all from 100 on, 1-10x2 for every
    /// second one, or a list such as 1-10x2,15. Keeps existing frames of the same scene. Only one
    /// such render at a time can use a folder; use --claim or --shard to render ranges in parallel.
    #[arg(long, value_name = "LIST", conflicts_with = "frames")]
    pub(in crate::cli) frame_range: Option<FrameList>,
    /// File names of the frames, with #### or %04d for the number, such as 'shot_####.png'. The
    /// extension selects the format: .png, .webp (lossless) or .exr (32 bits, linear light)
    /// [default: frame_#####.png].
    #[arg(long, value_name = "NAME", value_parser = FrameNames::parse, conflicts_with = "film")]
    pub(in crate::cli) name: Option<FrameNames>,
    /// Number of frame 0 in file names. Other options count frames from 0 [default: 0].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=MAX_FRAMES), conflicts_with = "film")]
    pub(in crate::cli) start_number: Option<u64>,
    /// Output folder. Reuses intact frames of the same scene and options, and removes other frames
    /// that catena wrote. Never overwrites a file that catena did not write: if one blocks a frame,
    /// the render stops with an error [default: out/<scene name>].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Share the folder with other processes that render the same scene with --claim. They can run
    /// on this or other machines; each takes 32 frames at a time.
    #[arg(long, conflicts_with = "film")]
    pub(in crate::cli) claim: bool,
    /// Take over the frames of a process that has been silent for this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "claim", value_parser = whole::<u64>(1..=86_400))]
    pub(in crate::cli) claim_patience: u64,
    /// Render only shard I of N, such as 3/64, into DIR/shards of --out. `catena merge DIR` joins
    /// all shards. Use the same scene and options for all shards; they can run on any machine and
    /// in any order.
    #[arg(long, value_name = "I/N", help_heading = SHARDS)]
    pub(in crate::cli) shard: Option<ShardChoice>,
    /// Store the frames of the shard in one tar file instead of many files. film and merge can read
    /// it.
    #[arg(long, requires = "shard", conflicts_with = "film", help_heading = SHARDS)]
    pub(in crate::cli) pack: bool,
    /// Recompute this share of the neighbouring shard's frames, such as 1%. merge compares them to
    /// find machines that compute wrong results.
    #[arg(long, value_name = "SHARE", requires = "shard", value_parser = share, help_heading = SHARDS)]
    pub(in crate::cli) audit: Option<f64>,
    /// Write a checkpoint every N frames, from which a later render can resume [default: every two
    /// seconds of CPU time].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_FRAMES))]
    pub(in crate::cli) checkpoint_every: Option<u64>,
    /// Write checkpoints only at these frames, such as 1000,2000, and at the last one. They are
    /// kept, so ranges that start there need no simulation of earlier frames.
    #[arg(long, value_name = "F,F,…", value_delimiter = ',', conflicts_with = "checkpoint_every",
        value_parser = whole::<u64>(1..=MAX_FRAMES))]
    pub(in crate::cli) checkpoint_at: Vec<u64>,
    #[arg(long, value_name = "WxH", help = size_help())]
    pub(in crate::cli) size: Option<Size>,
    /// Number of threads [default: one per processor]. The output does not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(in crate::cli) threads: Option<u16>,
    /// Create a film instead of a folder of frames: mp4, mov, mkv, webm (with ffmpeg), gif, apng,
    /// webp, y4m or raw; - writes to standard output. Such a render has no steady-state comparison
    /// and cannot be resumed. With --shard, FILE is a name in the folder of --out: each shard
    /// writes segments of 240 frames, and merge joins them (mp4, mov, mkv and webm).
    #[arg(long, value_name = "FILE", help_heading = "Film")]
    pub(in crate::cli) film: Option<OsString>,
    #[command(flatten)]
    pub(in crate::cli) film_options: FilmOptionsArgs,
    #[command(flatten)]
    pub(in crate::cli) font: FontArgs,
    /// Skip the steady-state comparison. For the comparison, the simulation continues until
    /// everything is at rest, for at most 5 s of CPU time or the time spent on the frames,
    /// whichever is longer. --steady-time sets another limit.
    #[arg(long)]
    pub(in crate::cli) no_steady: bool,
    /// Maximum time to wait for rest, in seconds of CPU time; inf waits up to the scene's
    /// `rest.limit`. The time is estimated rather than measured, so the picture is the same on
    /// every machine [default: as long as the frames take, and at least 5].
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with_all = ["no_steady", "film"])]
    pub(in crate::cli) steady_time: Option<f64>,
    /// Exit with code 4 if a body diverges by the last frame. All pictures are still written.
    #[arg(long)]
    pub(in crate::cli) strict: bool,
    /// Print the time spent in each stage, summed over all threads, at the end. Also prints the
    /// code path used for the steps of each body, and why it is not a faster one.
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
        FrameChoice::of_options(self.frame_range.as_ref(), self.frames)
    }

    /// Names of the files of frames.
    fn names(&self) -> FrameNames {
        let names = self.name.clone().unwrap_or_default();
        names.starting_at(self.start_number.unwrap_or(0))
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
            fonts: self.font.files.clone(),
            names: self.names(),
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
                "--claim and --shard cannot be combined: with --claim, processes that run at the same time share a folder; with --shard, each has its own. Use one of them",
            ),
            (
                is_shard && self.frame_range.is_some(),
                "--frame-range and --shard cannot be combined: the frames of a shard follow from its number. Omit --frame-range, or set the total number of frames with --frames",
            ),
            (
                is_film && self.out.is_some(),
                "--film cannot be combined with --out, because a film has no folder of frames: omit one of them, or add --shard, which allows both",
            ),
            (
                is_film && (self.checkpoint_every.is_some() || !self.checkpoint_at.is_empty()),
                "--film cannot be combined with --checkpoint-every or --checkpoint-at, because a film has no folder for checkpoints: omit one of them, or add --shard, which allows both",
            ),
            (
                is_shard && self.film_options.leaves_frames_out(),
                "--every cannot be combined with --shard: segments contain every frame. Merge shards of frames, and use --every with `catena film`",
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
                fonts: self.font.files.clone(),
                limits: self.scene.limit.limits(),
                threads: None,
            },
            film: self.film_options.options(),
            needs_outcomes: self.strict,
        }
    }
}
