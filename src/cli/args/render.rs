//! Options of `catena render`.

use super::{
    FilmOptionsArgs, FontArgs, ProgressArgs, SceneArgs,
    value::{FrameRange, Size, seconds, size_help, whole},
};
use crate::job::{FrameChoice, FrameOptions, MOST_FRAMES, RenderOptions, SceneFilmOptions};
use crate::scene::{
    Scene, SceneError, SceneText,
    sweep::{SweepOptions, load_sweep},
};
use clap::Args;
use std::{ffi::OsString, path::PathBuf, time::Duration};

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
    /// Render the frames from A to B, both included, such as 100-199; other frames of the same
    /// scene that are already there stay.
    #[arg(long, value_name = "A-B", conflicts_with = "frames")]
    pub(in crate::cli) frame_range: Option<FrameRange>,
    /// The folder to render into. Frames of the same scene and options that are already there and
    /// whole are taken over; others that catena wrote are removed; what it did not write stays, or
    /// is an error where it is in the way [default: out/<scene name>].
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Share the folder with other processes that render the same into it with --claim, on this
    /// machine or others: each takes 32 frames at a time.
    #[arg(long, conflicts_with = "film")]
    pub(in crate::cli) claim: bool,
    /// Take over the frames of a process that has given no sign of life for so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, requires = "claim", value_parser = whole::<u64>(1..=86_400))]
    pub(in crate::cli) claim_patience: u64,
    /// Write a checkpoint every N frames, from which a later render can go on [default: every two
    /// seconds of work].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST_FRAMES))]
    pub(in crate::cli) checkpoint_every: Option<u64>,
    #[arg(long, value_name = "WxH", help = size_help())]
    pub(in crate::cli) size: Option<Size>,
    /// How many threads draw [default: as many as there are processors]. The
    /// bytes do not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(in crate::cli) threads: Option<u16>,
    /// Make a film, without a folder of frames: mp4, mov, mkv (which need ffmpeg), gif, apng, y4m
    /// or raw; - is standard output. There is no steady-state comparison then, and nothing that a
    /// later render could go on from.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "checkpoint_every"], help_heading = "Film")]
    pub(in crate::cli) film: Option<OsString>,
    #[command(flatten)]
    pub(in crate::cli) film_options: FilmOptionsArgs,
    #[command(flatten)]
    pub(in crate::cli) font: FontArgs,
    /// Leave out the steady-state comparison, for which bodies run on until they rest, about as
    /// long as the frames take and at least 5 s of estimated work (--steady-time asks for more).
    #[arg(long)]
    pub(in crate::cli) no_steady: bool,
    /// How long to wait for bodies to rest, in seconds of one core; inf waits up to the scene's
    /// `rest.limit`. Seconds are estimated, so the picture is the same on every machine [default:
    /// as long as the frames take, and at least 5].
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

    /// Which frames are asked for.
    pub(in crate::cli) fn frames(&self) -> FrameChoice {
        FrameChoice::of_options(self.frame_range.as_ref().map(|range| &range.0), self.frames)
    }

    /// The options of a render into a folder.
    pub(in crate::cli) fn options(&self) -> RenderOptions {
        RenderOptions {
            frames: self.frames(),
            size: self.size.map(|size| size.0),
            shared: self.claim.then(|| Duration::from_secs(self.claim_patience)),
            checkpoint_every: self.checkpoint_every,
            steady: !self.no_steady,
            steady_time: self.steady_time,
            font: self.font.file.clone(),
            limits: self.scene.limit.limits(),
            threads: None,
        }
    }

    /// The options of a film without a folder.
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
