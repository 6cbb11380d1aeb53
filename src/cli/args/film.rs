//! Options of `catena film`, and of films that other commands make.

use super::{ProgressArgs, value::whole};
use crate::film::{
    FilmCodec, FilmFormat, FilmOptions, FrameRate,
    options::{PRESETS, ffprobe_of},
};
use crate::job::FrameList;
use clap::{Args, ValueHint, builder::PossibleValuesParser};
use std::{
    ffi::OsString,
    fmt::Display,
    path::{Path, PathBuf},
    time::Duration,
};

#[derive(Debug, Args)]
pub(in crate::cli) struct FilmArgs {
    /// Folder of frames.
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(in crate::cli) folder: PathBuf,
    /// Output file; - writes to standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: OsString,
    /// Use only these frames, such as 100-199, 100- for all from 100 on, 1-10x2 for every second
    /// one, or a list such as 1-10x2,15 [default: all].
    #[arg(long, value_name = "LIST")]
    pub(in crate::cli) frames: Option<FrameList>,
    /// File names of the frames with * for the number, such as 'shot.*.png' [default: from the
    /// manifest, or the only numbered sequence of PNG files].
    #[arg(long, value_name = "NAMES")]
    pub(in crate::cli) sequence: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) film: FilmOptionsArgs,
    #[command(flatten)]
    pub(in crate::cli) progress: ProgressArgs,
}

/// Options shared by all commands that create films.
#[derive(Debug, Args)]
pub(in crate::cli) struct FilmOptionsArgs {
    /// Frames per second, such as 30, 29.97 or 30000/1001 [default: the scene's own speed if it is
    /// a whole number from 10 to 120, otherwise 30].
    #[arg(long, alias = "rate", value_name = "RATE", help_heading = HEADING)]
    fps: Option<FrameRate>,
    /// Use only the first frame and every Nth after it, for a smaller film. The default rate keeps
    /// the scene's speed if possible; --fps counts the used frames.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=1_000_000), help_heading = HEADING)]
    every: Option<u64>,
    /// Codec: h264, h264-444, prores, prores-4444, dnxhr, dnxhr-444, vp9 or ffv1 [default: h264 in
    /// mp4, mov and mkv; vp9 in webm; prores-4444 in mov for frames with alpha].
    #[arg(long, value_name = "CODEC", help_heading = HEADING)]
    codec: Option<FilmCodec>,
    /// Quality of h264 and vp9: CRF from 1 (best) to 51 (worst). 0 is lossless RGB, which few
    /// players support [default: 18].
    #[arg(long, value_name = "CRF", value_parser = whole::<u8>(0..=51), help_heading = HEADING)]
    quality: Option<u8>,
    /// Number of times a GIF, APNG or WebP plays; 0 repeats it forever [default: 0].
    #[arg(long = "loop", value_name = "N", value_parser = whole::<u16>(0..=u64::from(u16::MAX)), help_heading = HEADING)]
    plays: Option<u16>,
    /// Film format: mp4, mov, mkv, webm, gif, apng, webp, y4m or raw [default: from the file
    /// extension].
    #[arg(long, alias = "film-format", value_name = "FORMAT", help_heading = HEADING)]
    format: Option<FilmFormat>,
    /// x264 preset, from fastest encoding to smallest file: ultrafast, superfast, veryfast, faster,
    /// fast, medium, slow, slower, veryslow or placebo [default: medium].
    #[arg(long, value_name = "PRESET", hide_possible_values = true, help_heading = HEADING,
        value_parser = PossibleValuesParser::new(PRESETS))]
    preset: Option<String>,
    /// Number of ffmpeg threads. With 1, the film does not depend on the number of processors
    /// [default: ffmpeg's choice].
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024), help_heading = HEADING)]
    ffmpeg_threads: Option<u16>,
    /// Path of ffmpeg [default: found in PATH].
    #[arg(long, value_name = "PATH", help_heading = HEADING)]
    ffmpeg: Option<PathBuf>,
    /// Path of ffprobe [default: next to --ffmpeg, or found in PATH].
    #[arg(long, value_name = "PATH", help_heading = HEADING)]
    ffprobe: Option<PathBuf>,
    /// Stop ffmpeg after this many seconds without reading or writing [default: 60].
    #[arg(long, value_name = "SECONDS", value_parser = patience, help_heading = HEADING)]
    ffmpeg_patience: Option<Duration>,
}

const HEADING: &str = "Film";

impl FilmOptionsArgs {
    /// Options of the job.
    pub(in crate::cli) fn options(&self) -> FilmOptions {
        let usual = FilmOptions::default();
        let ffmpeg = self.ffmpeg.clone().map_or(usual.ffmpeg, OsString::from);
        let sibling = ffprobe_of(Path::new(&ffmpeg));
        FilmOptions {
            format: self.format,
            rate: self.fps,
            every: self.every.unwrap_or(usual.every),
            sequence: None,
            codec: self.codec,
            quality: self.quality,
            plays: self.plays.unwrap_or(usual.plays),
            preset: self.preset.clone(),
            threads: self.ffmpeg_threads,
            ffmpeg,
            ffprobe: self.ffprobe.clone().map_or(sibling, OsString::from),
            patience: self.ffmpeg_patience.unwrap_or(usual.patience),
        }
    }

    /// Returns the given options as typed, for another command.
    pub(in crate::cli) fn words(&self) -> Vec<OsString> {
        let text = |value: &dyn Display| OsString::from(value.to_string());
        let seconds = |patience: &Duration| text(&patience.as_secs_f64());
        let all = [
            ("--fps", self.fps.as_ref().map(|it| text(it))),
            ("--every", self.every.as_ref().map(|it| text(it))),
            ("--codec", self.codec.as_ref().map(|it| text(it))),
            ("--quality", self.quality.as_ref().map(|it| text(it))),
            ("--loop", self.plays.as_ref().map(|it| text(it))),
            ("--format", self.format.as_ref().map(|it| text(it))),
            ("--preset", self.preset.as_ref().map(|it| text(it))),
            ("--ffmpeg-threads", self.ffmpeg_threads.as_ref().map(|it| text(it))),
            ("--ffmpeg", self.ffmpeg.clone().map(OsString::from)),
            ("--ffprobe", self.ffprobe.clone().map(OsString::from)),
            ("--ffmpeg-patience", self.ffmpeg_patience.as_ref().map(seconds)),
        ];
        let given = all.into_iter().filter_map(|(name, value)| Some([name.into(), value?]));
        given.flatten().collect()
    }

    /// Whether some frames are omitted.
    pub(in crate::cli) fn leaves_frames_out(&self) -> bool {
        self.every.is_some_and(|every| every > 1)
    }

    /// Returns the name of the first given option, regardless of its value.
    pub(in crate::cli) fn given(&self) -> Option<&'static str> {
        let all = [
            ("--fps", self.fps.is_some()),
            ("--every", self.every.is_some()),
            ("--codec", self.codec.is_some()),
            ("--quality", self.quality.is_some()),
            ("--loop", self.plays.is_some()),
            ("--format", self.format.is_some()),
            ("--preset", self.preset.is_some()),
            ("--ffmpeg-threads", self.ffmpeg_threads.is_some()),
            ("--ffmpeg", self.ffmpeg.is_some()),
            ("--ffprobe", self.ffprobe.is_some()),
            ("--ffmpeg-patience", self.ffmpeg_patience.is_some()),
        ];
        all.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }
}

fn patience(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.1..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected seconds from 0.1 to 86400".into())
}
