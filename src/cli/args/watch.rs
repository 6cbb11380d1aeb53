//! Options of `catena watch`.

use super::{
    FontArgs, NotesArgs, ProgressArgs, SceneArgs,
    value::{Size, size_help, whole},
};
use crate::job::{FrameChoice, FrameOptions, MAX_FRAMES, RenderOptions};
use clap::Args;
use std::net::IpAddr;
use std::path::PathBuf;

// The scene is read on each save, so it cannot come from standard input.
#[derive(Debug, Args)]
#[command(mut_arg("scene", |scene| scene.help("Scene file")))]
pub(in crate::cli) struct WatchArgs {
    #[command(flatten)]
    pub(in crate::cli) scene: SceneArgs,
    /// Number of frames to render [default: the scene's value].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_FRAMES))]
    pub(in crate::cli) frames: Option<u64>,
    /// Output folder, as for `catena render`. A later render reuses its frames [default: out/<scene
    /// name>].
    #[arg(long, value_name = "DIR", conflicts_with = "serve")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Show the frames on a page at http://127.0.0.1:PORT/, which updates on each save. Only this
    /// machine can open it. No files are written. The default port is 8642, or a free port if that
    /// is in use.
    #[arg(long, value_name = "PORT", num_args = 0..=1, value_parser = whole::<u16>(1..=65_535))]
    pub(in crate::cli) serve: Option<Option<u16>>,
    /// Address at which the page is served: 0.0.0.0 for all networks of this machine. Other
    /// machines can then see the pictures, but only this machine can change numbers [default:
    /// 127.0.0.1].
    #[arg(long, value_name = "ADDRESS", requires = "serve")]
    pub(in crate::cli) host: Option<IpAddr>,
    #[arg(long, value_name = "WxH", help = size_help())]
    pub(in crate::cli) size: Option<Size>,
    /// Number of threads [default: one per processor]. The output does not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(in crate::cli) threads: Option<u16>,
    #[command(flatten)]
    pub(in crate::cli) font: FontArgs,
    /// Skip the steady-state comparison, which is created after the last frame.
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

    /// Returns the options of a render into a folder.
    pub(in crate::cli) fn render_options(&self) -> RenderOptions {
        RenderOptions {
            frames: self.frames(),
            size: self.size.map(|size| size.0),
            steady: !self.no_steady,
            fonts: self.font.files.clone(),
            limits: self.scene.limit.limits(),
            ..RenderOptions::default()
        }
    }

    /// Returns the options of pictures in memory.
    pub(in crate::cli) fn frame_options(&self) -> FrameOptions {
        FrameOptions {
            frames: self.frames(),
            size: self.size.map(|size| size.0),
            fonts: self.font.files.clone(),
            limits: self.scene.limit.limits(),
            threads: None,
        }
    }
}
