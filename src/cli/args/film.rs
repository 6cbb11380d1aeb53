//! Options of `catena film`, and of films that other commands make.

use super::{FrameRange, ProgressArgs};
use crate::film::{FilmError, FilmOptions, Format, Rate, Target, options::ffprobe_of};
use clap::{Args, builder::PossibleValuesParser};
use std::{ffi::OsString, path::PathBuf, time::Duration};

const EXAMPLES: &str = "catena film out/compare -o compare.mp4\ncatena film out/compare -o compare.gif --fps 25\n\
catena film out/compare -o - --format y4m | ffplay -\n\nmp4, mov and mkv need ffmpeg and ffprobe; gif, apng, y4m and raw are \
built in. Every frame is checked against manifest.json first, and the frames of the film are counted afterwards. The same frames \
give the same film with the same ffmpeg and the same number of its threads (--ffmpeg-threads).\n\nExit codes: 0 done, 2 wrong usage, 5 a \
frame or file failed, 6 ffmpeg is missing or failed; the frames are kept.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct FilmArgs {
    /// The folder with the frames.
    #[arg(value_name = "DIR")]
    pub(in crate::cli) folder: PathBuf,
    /// The film; - is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(in crate::cli) output: OsString,
    /// Film the frames from A to B, both included [default: all].
    #[arg(long, value_name = "A-B")]
    pub(in crate::cli) frames: Option<FrameRange>,
    #[command(flatten)]
    pub(in crate::cli) film: FilmOptionsArgs,
    #[command(flatten)]
    pub(in crate::cli) progress: ProgressArgs,
}

/// How a film is made, whoever makes it.
#[derive(Debug, Args)]
pub(in crate::cli) struct FilmOptionsArgs {
    /// Frames a second of the film: 30, 29.97 or 30000/1001.
    #[arg(long, alias = "rate", value_name = "RATE", default_value = "30", help_heading = HEADING)]
    pub(in crate::cli) fps: Rate,
    /// Quality of mp4, mov and mkv: x264's crf, 0 lossless, 51 worst.
    #[arg(long, value_name = "CRF", default_value_t = 18, value_parser = clap::value_parser!(u8).range(0..=51), help_heading = HEADING)]
    pub(in crate::cli) quality: u8,
    /// How often a GIF or APNG plays; 0 is for ever.
    #[arg(long = "loop", value_name = "N", default_value_t = 0, help_heading = HEADING)]
    pub(in crate::cli) plays: u16,
    /// mp4, mov, mkv, gif, apng, y4m or raw [default: by the ending of the file].
    #[arg(long, alias = "film-format", value_name = "FORMAT", help_heading = HEADING)]
    pub(in crate::cli) format: Option<Format>,
    /// How hard x264 works for a small file.
    #[arg(long, value_name = "PRESET", default_value = "medium", hide_possible_values = true, help_heading = HEADING,
        value_parser = PossibleValuesParser::new(PRESETS))]
    pub(in crate::cli) preset: String,
    /// Threads of ffmpeg; with 1 the film does not depend on the number of processors [default: what ffmpeg takes].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = HEADING)]
    pub(in crate::cli) ffmpeg_threads: Option<u16>,
    /// The ffmpeg to use.
    #[arg(long, value_name = "PATH", default_value = "ffmpeg", help_heading = HEADING)]
    pub(in crate::cli) ffmpeg: PathBuf,
    /// The ffprobe to use [default: the one beside --ffmpeg, or in PATH].
    #[arg(long, value_name = "PATH", help_heading = HEADING)]
    pub(in crate::cli) ffprobe: Option<PathBuf>,
    /// Stop ffmpeg when it neither reads nor writes for so many seconds.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = patience, help_heading = HEADING)]
    pub(in crate::cli) ffmpeg_patience: Duration,
}

const HEADING: &str = "Film";

const PRESETS: [&str; 10] = [
    "ultrafast",
    "superfast",
    "veryfast",
    "faster",
    "fast",
    "medium",
    "slow",
    "slower",
    "veryslow",
    "placebo",
];

impl FilmOptionsArgs {
    /// The options as films take them.
    pub(in crate::cli) fn options(&self) -> FilmOptions {
        let beside = || ffprobe_of(&self.ffmpeg);
        FilmOptions {
            rate: self.fps,
            quality: self.quality,
            plays: self.plays,
            preset: self.preset.clone(),
            threads: self.ffmpeg_threads,
            ffmpeg: self.ffmpeg.clone().into(),
            ffprobe: self.ffprobe.clone().map_or_else(beside, OsString::from),
            patience: self.ffmpeg_patience,
        }
    }

    /// Where a film goes, and in what format.
    pub(in crate::cli) fn target(&self, output: &OsString) -> Result<(Target, Format), FilmError> {
        let target = Target::new(output);
        let format = Format::choose(&target, self.format)?;
        Ok((target, format))
    }
}

fn patience(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.1..=86_400.0).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "expected seconds from 0.1 to 86400".into())
}
