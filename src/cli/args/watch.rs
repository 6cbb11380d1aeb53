//! Options of `catena watch`.

use super::{
    FontArgs, NotesArgs, ProgressArgs, SceneArgs,
    value::{Size, size_help, whole},
};
use crate::job::{FrameChoice, FrameOptions, MOST_FRAMES, RenderOptions};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct WatchArgs {
    #[command(flatten)]
    pub(in crate::cli) scene: SceneArgs,
    /// How many frames to render [default: what the scene says].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST_FRAMES))]
    pub(in crate::cli) frames: Option<u64>,
    /// The folder to render into, as for `catena render`, which takes over all frames that are
    /// there [default: out/<scene name>].
    #[arg(long, value_name = "DIR", conflicts_with = "serve")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Show the frames on a page at http://127.0.0.1:PORT/, which this machine alone can open, and
    /// which shows each save by itself. Nothing is written [default port: 8642, or a free one where
    /// that is in use].
    #[arg(long, value_name = "PORT", num_args = 0..=1, value_parser = whole::<u16>(1..=65_535))]
    pub(in crate::cli) serve: Option<Option<u16>>,
    #[arg(long, value_name = "WxH", help = size_help())]
    pub(in crate::cli) size: Option<Size>,
    /// How many threads draw [default: as many as there are processors]. The
    /// bytes do not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(in crate::cli) threads: Option<u16>,
    #[command(flatten)]
    pub(in crate::cli) font: FontArgs,
    /// Leave out the steady-state comparison, which is made when all frames are there.
    #[arg(long)]
    pub(in crate::cli) no_steady: bool,
    #[command(flatten)]
    pub(in crate::cli) notes: NotesArgs,
    #[command(flatten)]
    pub(in crate::cli) progress: ProgressArgs,
}

impl WatchArgs {
    fn frames(&self) -> FrameChoice {
        FrameChoice::of_options(None, self.frames)
    }

    /// The options of a folder.
    pub(in crate::cli) fn render_options(&self) -> RenderOptions {
        RenderOptions {
            frames: self.frames(),
            size: self.size.map(|size| size.0),
            steady: !self.no_steady,
            font: self.font.file.clone(),
            limits: self.scene.limit.limits(),
            ..RenderOptions::default()
        }
    }

    /// The options of pictures in memory.
    pub(in crate::cli) fn frame_options(&self) -> FrameOptions {
        FrameOptions {
            frames: self.frames(),
            size: self.size.map(|size| size.0),
            font: self.font.file.clone(),
            limits: self.scene.limit.limits(),
            threads: None,
        }
    }
}
