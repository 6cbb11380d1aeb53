//! The options of films.

use super::{error::FilmError, pattern::refuse_pattern};
use crate::stdout::is_stdout;
use catena_base::text::number::digits;
use std::{
    ffi::{OsStr, OsString},
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

/// Where a film goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilmTarget {
    /// A file.
    File(PathBuf),
    /// Standard output.
    Stdout,
}

impl FilmTarget {
    /// `-` and `/dev/stdout` are standard output, all else is a file.
    pub fn new(text: &OsStr) -> Self {
        if is_stdout(Path::new(text)) { Self::Stdout } else { Self::File(text.into()) }
    }
}

impl fmt::Display for FilmTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Stdout => f.write_str("standard output"),
        }
    }
}

/// The format of a film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmFormat {
    /// H.264 in MP4, through ffmpeg.
    Mp4,
    /// H.264 in QuickTime, through ffmpeg.
    Mov,
    /// H.264 in Matroska, through ffmpeg.
    Mkv,
    /// Animated GIF: exact while what changes in a frame has at most 255 colours.
    Gif,
    /// Animated PNG, exact.
    Apng,
    /// YUV4MPEG2, C420jpeg, BT.601, limited range.
    Y4m,
    /// Red, green and blue bytes of one frame after the other, and nothing else.
    Raw,
}

impl FilmFormat {
    /// Every format with its name, which is also the extension of its files.
    pub const ALL: [(&'static str, Self); 7] = [
        ("mp4", Self::Mp4),
        ("mov", Self::Mov),
        ("mkv", Self::Mkv),
        ("gif", Self::Gif),
        ("apng", Self::Apng),
        ("y4m", Self::Y4m),
        ("raw", Self::Raw),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name)
    }

    /// Whether ffmpeg makes the format.
    pub fn needs_ffmpeg(self) -> bool {
        matches!(self, Self::Mp4 | Self::Mov | Self::Mkv)
    }

    /// The format that was asked for, or else that of the file's extension.
    ///
    /// # Errors
    /// When the extension names no format, or the format cannot go to standard output.
    pub fn choose(target: &FilmTarget, asked: Option<Self>) -> Result<Self, FilmError> {
        if let FilmTarget::File(path) = target {
            refuse_pattern(path)?;
        }
        match (target, asked) {
            (FilmTarget::Stdout, Some(format)) if format.needs_ffmpeg() => Err(FilmError::Usage(
                "mp4, mov and mkv need a file; standard output takes --format y4m, raw, gif or apng".into(),
            )),
            (FilmTarget::Stdout, None) => Err(FilmError::Usage(
                "standard output needs --format: y4m, raw, gif or apng".into(),
            )),
            (_, Some(format)) => Ok(format),
            (FilmTarget::File(path), None) => Self::of_ending(path),
        }
    }

    fn of_ending(path: &Path) -> Result<Self, FilmError> {
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let ending = ending.to_ascii_lowercase();
        let name = match ending.as_str() {
            "m4v" => "mp4",
            "png" => "apng",
            "rgb" => "raw",
            other => other,
        };
        let found = Self::ALL.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, format)| format).ok_or_else(|| {
            FilmError::Usage(format!(
                "the ending of {} names no format of films: .mp4, .mov, .mkv, .gif, .apng, .y4m and .raw do, \
                 or --format",
                path.display()
            ))
        })
    }
}

impl FromStr for FilmFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|(name, _)| *name == text);
        let names = Self::ALL.map(|(name, _)| name).join(", ");
        found.map(|(_, format)| format).ok_or_else(|| format!("expected one of {names}"))
    }
}

impl fmt::Display for FilmFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::ALL.into_iter().find(|(_, format)| format == self);
        f.write_str(name.map_or("", |(name, _)| name))
    }
}

/// Frames a second, as a fraction in lowest terms; above 0 and at most 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRate {
    numerator: u32,
    denominator: u32,
}

impl FrameRate {
    /// The rate `numerator / denominator`; `None` outside of the range, or where a part in lowest
    /// terms is above 1,000,000,000.
    pub fn new(numerator: u64, denominator: u64) -> Option<Self> {
        let (mut a, mut b) = (numerator, denominator);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        let part = |n: u64| u32::try_from(n / a.max(1)).ok().filter(|n| (1..=MOST).contains(n));
        let rate = Self { numerator: part(numerator)?, denominator: part(denominator)? };
        (u64::from(rate.numerator) <= 1000 * u64::from(rate.denominator)).then_some(rate)
    }

    /// 30 frames a second.
    const USUAL: Self = Self { numerator: 30, denominator: 1 };

    /// The rate at which a film takes as long as what it shows, where that is a whole number from
    /// 10 to 120, to a thousandth; 30 elsewhere, where a scene's unit of time is not the second or
    /// its motion is shown slower. `frame_time` is the simulated time a frame.
    pub fn of_frame_time(frame_time: f64) -> Self {
        let rate = (1.0 / frame_time).round();
        let is_real_time = (10.0..=120.0).contains(&rate) && is_near(rate * frame_time, 1.0);
        let whole = is_real_time.then(|| Self::new(rate as u64, 1)).flatten();
        whole.unwrap_or(Self::USUAL)
    }

    /// What is said where the film is slower or faster than the motion that it shows, in scenes
    /// whose frames are such as films have them. The film has one frame in so many.
    fn speed_note(self, frame_time: f64, every: u64) -> Option<String> {
        let rate = f64::from(self.numerator) / f64::from(self.denominator);
        let (real, between) = (1.0 / frame_time, every as f64 * frame_time);
        let differs = (10.0..=1000.0).contains(&real) && !self.is_real_time(between);
        let taken = match every {
            1 => String::new(),
            _ => format!(", of which it shows one in {every}"),
        };
        let fewer = match every == 1 && rate < real {
            true => ", and --every N leaves frames out",
            false => "",
        };
        differs.then(|| {
            format!(
                "note: the film has {} frames a second and the scene {}{taken}, so it runs at {} times the scene's speed; --fps sets the rate{fewer}",
                digits(rate, 4),
                digits(real, 4),
                digits(rate * between, 3)
            )
        })
    }

    /// Whether a film with this rate runs at the speed of a scene with so much simulated time a
    /// frame.
    fn is_real_time(self, frame_time: f64) -> bool {
        is_near(f64::from(self.numerator) / f64::from(self.denominator) * frame_time, 1.0)
    }

    fn divided(self, by: u64) -> Option<Self> {
        Self::new(self.numerator.into(), by.checked_mul(self.denominator.into())?)
    }

    /// The most frames a second that viewers of GIFs show.
    pub(super) const OF_GIFS: Self = Self { numerator: 50, denominator: 1 };

    /// Whether it is above another.
    pub(super) fn exceeds(self, other: Self) -> bool {
        let product = |a: u32, b: u32| u64::from(a) * u64::from(b);
        product(self.numerator, other.denominator) > product(other.numerator, self.denominator)
    }

    /// The numerator in lowest terms.
    pub fn numerator(self) -> u32 {
        self.numerator
    }

    /// The denominator in lowest terms.
    pub fn denominator(self) -> u32 {
        self.denominator
    }
}

const MOST: u32 = 1_000_000_000;

/// Whether two numbers are equal to a thousandth.
fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-3 * b
}

impl FromStr for FrameRate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = match (text.split_once('/'), text.split_once('.')) {
            (Some((above, below)), _) => {
                above.parse().ok().zip(below.parse().ok()).and_then(|(a, b)| Self::new(a, b))
            }
            (None, Some((whole, part)))
                if part.len() <= 6 && part.bytes().all(|byte| byte.is_ascii_digit()) =>
            {
                let ones = (0..part.len()).fold(1, |ones, _| 10 * ones);
                format!("{whole}{part}").parse().ok().and_then(|digits| Self::new(digits, ones))
            }
            _ => text.parse().ok().and_then(|whole| Self::new(whole, 1)),
        };
        parsed.ok_or_else(|| {
            "expected frames a second such as 30, 29.97 or 30000/1001, above 0 and at most 1000"
                .into()
        })
    }
}

impl fmt::Display for FrameRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

/// The options of a film. [`FilmOptions::default`] has those of a command line without options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilmOptions {
    /// The format; `None` takes that of the file's ending.
    pub format: Option<FilmFormat>,
    /// Frames a second; `None` takes [`FrameRate::of_frame_time`] of the scene.
    pub rate: Option<FrameRate>,
    /// N: the first frame is taken and every Nth after it; at least 1.
    pub every: u64,
    /// File names of the frames in a folder, with `*` in place of the number; `None` takes those of
    /// the manifest, or the one numbered sequence.
    pub sequence: Option<String>,
    /// The constant rate factor of x264, from 1 (best) to 51 (worst); 0 keeps every pixel, as RGB,
    /// which few players show.
    pub quality: u8,
    /// How often GIF and APNG play; 0 for ever.
    pub plays: u16,
    /// The preset of x264, one of [`PRESETS`].
    pub preset: String,
    /// The number of threads of ffmpeg, from 1 to 1024; `None` for its own choice.
    pub threads: Option<u16>,
    /// The program that makes mp4, mov and mkv: a name in PATH, or a path.
    pub ffmpeg: OsString,
    /// The program that counts their frames: a name in PATH, or a path.
    pub ffprobe: OsString,
    /// How long ffmpeg may neither read nor write before it counts as hung, and how long ffprobe
    /// may take: from 0.1 s to a day.
    pub patience: Duration,
}

impl Default for FilmOptions {
    fn default() -> Self {
        Self {
            format: None,
            rate: None,
            every: 1,
            sequence: None,
            quality: 18,
            plays: 0,
            preset: "medium".into(),
            threads: None,
            ffmpeg: "ffmpeg".into(),
            ffprobe: "ffprobe".into(),
            patience: Duration::from_secs(60),
        }
    }
}

/// The presets of x264, from the fastest to the one that makes the smallest file.
pub const PRESETS: [&str; 10] = [
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

impl FilmOptions {
    /// Frames a second, where the scene is not known.
    pub fn rate(&self) -> FrameRate {
        self.rate.unwrap_or_else(|| self.slowed(FrameRate::USUAL))
    }

    /// The rate of those frames that are taken, where all of them have this one.
    fn slowed(&self, all: FrameRate) -> FrameRate {
        all.divided(self.every).unwrap_or(all)
    }

    /// The simulated time from a frame of the film to the next, where it is `frame_time` in the
    /// scene.
    fn time_between(&self, frame_time: f64) -> f64 {
        self.every as f64 * frame_time
    }

    /// What is said where the film is slower or faster than its scene.
    pub fn speed_note(&self, frame_time: f64) -> Option<String> {
        self.rate().speed_note(frame_time, self.every)
    }

    /// The rate of those frames that are taken: at the scene's speed where there is one for it, and
    /// else at that of a film of all frames.
    fn rate_of(&self, frame_time: f64) -> FrameRate {
        let between = self.time_between(frame_time);
        let own = FrameRate::of_frame_time(between);
        let all = FrameRate::of_frame_time(frame_time);
        if own.is_real_time(between) { own } else { self.slowed(all) }
    }

    /// The same options with the rate for a scene of so much simulated time a frame. Viewers show
    /// faster GIFs than `FrameRate::OF_GIFS` far too slowly, so that only who asks for one gets
    /// it.
    pub fn at_frame_time(&self, frame_time: f64, format: FilmFormat) -> Self {
        let of_scene = self.rate_of(frame_time);
        let is_too_fast = format == FilmFormat::Gif && of_scene.exceeds(FrameRate::OF_GIFS);
        let usual = if is_too_fast { FrameRate::OF_GIFS } else { of_scene };
        Self { rate: Some(self.rate.unwrap_or(usual)), ..self.clone() }
    }

    /// Whether the film keeps every pixel.
    pub(super) fn is_lossless(&self) -> bool {
        self.quality == 0
    }

    /// Refuses what is out of its range.
    pub(super) fn check(&self) -> Result<(), FilmError> {
        let seconds = self.patience.as_secs_f64();
        let wrong = match self {
            _ if self.every == 0 => "every: 0 is not 1 or more".into(),
            _ if self.quality > 51 => format!("quality: {} is not from 0 to 51", self.quality),
            _ if !PRESETS.contains(&self.preset.as_str()) => {
                format!("preset: \"{}\" is not one of {}", self.preset, PRESETS.join(", "))
            }
            Self { threads: Some(threads), .. } if !(1..=1024).contains(threads) => {
                format!("threads: {threads} is not from 1 to 1024")
            }
            _ if !(0.1..=86_400.0).contains(&seconds) => {
                format!("patience: {seconds} s is not from 0.1 s to 86400 s")
            }
            _ => return Ok(()),
        };
        Err(FilmError::Usage(wrong))
    }
}

/// The ffprobe that belongs to an ffmpeg: the one beside it, where that was named with a folder, or
/// else the one in PATH.
pub fn ffprobe_of(ffmpeg: &Path) -> OsString {
    let name = if cfg!(windows) { "ffprobe.exe" } else { "ffprobe" };
    let has_folder = ffmpeg.parent().is_some_and(|folder| !folder.as_os_str().is_empty());
    let beside = ffmpeg.with_file_name(name);
    if has_folder && beside.is_file() { beside.into() } else { "ffprobe".into() }
}
