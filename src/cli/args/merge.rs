//! Options of `catena merge`.

use super::{FigureStyleArgs, ProgressArgs};
use crate::film::{FilmOptions, options::ffprobe_of};
use crate::job::MergeOptions;
use clap::{Args, ValueHint};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

#[derive(Debug, Args)]
pub(in crate::cli) struct MergeArgs {
    /// Folder given to the shards with --out. The merge checks their contents and moves them into
    /// this folder, which then equals the result of a run without shards.
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(in crate::cli) folder: PathBuf,
    /// Path of the ffmpeg that joins the segments of a film [default: found in PATH].
    #[arg(long, value_name = "PATH")]
    pub(in crate::cli) ffmpeg: Option<PathBuf>,
    /// Path of the ffprobe that counts the frames of the film [default: next to --ffmpeg, or found
    /// in PATH].
    #[arg(long, value_name = "PATH")]
    pub(in crate::cli) ffprobe: Option<PathBuf>,
    /// Style of the figures of a sweep.
    #[command(flatten)]
    style: FigureStyleArgs,
    #[command(flatten)]
    pub(in crate::cli) progress: ProgressArgs,
}

impl MergeArgs {
    /// Options of the job.
    pub(in crate::cli) fn options(&self) -> MergeOptions {
        let usual = FilmOptions::default();
        let ffmpeg = self.ffmpeg.clone().map_or(usual.ffmpeg, OsString::from);
        let sibling = ffprobe_of(Path::new(&ffmpeg));
        let ffprobe = self.ffprobe.clone().map_or(sibling, OsString::from);
        let film = FilmOptions { ffmpeg, ffprobe, ..FilmOptions::default() };
        MergeOptions { film, figures: self.style.style() }
    }
}
