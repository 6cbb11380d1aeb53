//! Options of films.

use super::{codec::FilmCodec, error::FilmError};
use crate::film::format::FilmFormat;
use catena_base::text::number::digits;
use std::ffi::OsString;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// Frame rate per second, as a reduced fraction; above 0 and at most 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRate {
    numerator: u32,
    denominator: u32,
}

impl FrameRate {
    /// Creates the rate `numerator / denominator`. Returns `None` if the rate is out of range, or
    /// if a term of the reduced fraction exceeds 1,000,000,000.
    pub fn new(numerator: u64, denominator: u64) -> Option<Self> {
        let (mut a, mut b) = (numerator, denominator);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        let part = |n: u64| u32::try_from(n / a.max(1)).ok().filter(|n| (1..=MAX).contains(n));
        let rate = Self { numerator: part(numerator)?, denominator: part(denominator)? };
        (u64::from(rate.numerator) <= 1000 * u64::from(rate.denominator)).then_some(rate)
    }

    /// Default rate of 30 frames per second.
    const USUAL: Self = Self { numerator: 30, denominator: 1 };

    /// Rate at which a film plays in real time, if it is an integer from 10 to 120 within a
    /// relative tolerance of 1/1000. Otherwise 30: the scene's unit of time is then not the second,
    /// or the film is in slow motion. `frame_time` is the simulated time per frame.
    pub fn of_frame_time(frame_time: f64) -> Self {
        let rate = (1.0 / frame_time).round();
        let is_real_time = (10.0..=120.0).contains(&rate) && is_near(rate * frame_time, 1.0);
        let whole = is_real_time.then(|| Self::new(rate as u64, 1)).flatten();
        whole.unwrap_or(Self::USUAL)
    }

    /// Note about a film that is slower or faster than the motion that it shows. `None` in real
    /// time, and for scenes outside 10 to 1000 frames per unit of time. `every` is the number of
    /// scene frames per film frame.
    fn speed_note(self, frame_time: f64, every: u64) -> Option<String> {
        let rate = f64::from(self.numerator) / f64::from(self.denominator);
        let (real, between) = (1.0 / frame_time, every as f64 * frame_time);
        let differs = (10.0..=1000.0).contains(&real) && !self.is_real_time(between);
        let taken = match every {
            1 => String::new(),
            _ => format!(", of which the film shows one in {every}"),
        };
        let fewer = match every == 1 && rate < real {
            true => ", and --every N skips frames",
            false => "",
        };
        differs.then(|| {
            format!(
                "note: the film has {} frames per second, but the scene {}{taken}, so it runs at \
                 {} times the scene's speed; --fps sets the rate{fewer}",
                digits(rate, 4),
                digits(real, 4),
                digits(rate * between, 3)
            )
        })
    }

    /// Whether a film with this rate runs in real time if a frame takes `frame_time` of simulated
    /// time.
    fn is_real_time(self, frame_time: f64) -> bool {
        is_near(f64::from(self.numerator) / f64::from(self.denominator) * frame_time, 1.0)
    }

    fn divided(self, by: u64) -> Option<Self> {
        Self::new(self.numerator.into(), by.checked_mul(self.denominator.into())?)
    }

    /// Maximum frame rate that GIF viewers show correctly.
    pub(super) const OF_GIFS: Self = Self { numerator: 50, denominator: 1 };

    /// Maximum frame rate that viewers of animated WebP show correctly.
    pub(super) const OF_WEBP: Self = Self { numerator: 90, denominator: 1 };

    /// Whether the rate exceeds another.
    pub(super) fn exceeds(self, other: Self) -> bool {
        let product = |a: u32, b: u32| u64::from(a) * u64::from(b);
        product(self.numerator, other.denominator) > product(other.numerator, self.denominator)
    }

    /// Numerator of the reduced fraction.
    pub fn numerator(self) -> u32 {
        self.numerator
    }

    /// Denominator of the reduced fraction.
    pub fn denominator(self) -> u32 {
        self.denominator
    }
}

const MAX: u32 = 1_000_000_000;

/// Whether two numbers are equal within a relative tolerance of 1/1000.
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
            "expected frames per second such as 30, 29.97 or 30000/1001, above 0 and at most 1000"
                .into()
        })
    }
}

impl fmt::Display for FrameRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

/// Options of a film. [`FilmOptions::default`] equals a command line without options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilmOptions {
    /// Output format; `None` selects the format of the file's extension.
    pub format: Option<FilmFormat>,
    /// Frames per second; `None` selects [`FrameRate::of_frame_time`] of the scene.
    pub rate: Option<FrameRate>,
    /// Interval N: the film takes the first frame and every Nth after it; at least 1.
    pub every: u64,
    /// File names of the frames in a folder, with `*` in place of the number. `None` selects the
    /// frames of the manifest or, without a manifest, the only numbered sequence.
    pub sequence: Option<String>,
    /// Codec of mp4, mov, mkv and webm; `None` selects the default of [`FilmCodec::choose`].
    pub codec: Option<FilmCodec>,
    /// Constant rate factor of H.264 and VP9, from 1 (best) to 51 (worst); 18 if omitted. 0 is
    /// lossless RGB, which few players support.
    pub quality: Option<u8>,
    /// Number of plays of GIF, APNG and WebP; 0 for endless.
    pub plays: u16,
    /// Preset of x264, one of [`PRESETS`]; "medium" if omitted.
    pub preset: Option<String>,
    /// Number of threads of ffmpeg, from 1 to 1024; `None` for ffmpeg's own choice.
    pub threads: Option<u16>,
    /// Program that makes mp4, mov, mkv and webm: a name in PATH, or a path.
    pub ffmpeg: OsString,
    /// Program that counts the frames of mp4, mov, mkv and webm: a name in PATH, or a path.
    pub ffprobe: OsString,
    /// Time without reading or writing after which ffmpeg counts as hung, and maximum run time of
    /// ffprobe: 0.1 s to one day.
    pub patience: Duration,
}

impl Default for FilmOptions {
    fn default() -> Self {
        Self {
            format: None,
            rate: None,
            every: 1,
            sequence: None,
            codec: None,
            quality: None,
            plays: 0,
            preset: None,
            threads: None,
            ffmpeg: "ffmpeg".into(),
            ffprobe: "ffprobe".into(),
            patience: Duration::from_secs(60),
        }
    }
}

/// Presets of x264, from the fastest to the one with the smallest files.
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
    /// Frame rate of the film if the scene is unknown.
    pub fn rate(&self) -> FrameRate {
        self.rate.unwrap_or_else(|| self.slowed(FrameRate::USUAL))
    }

    /// Rate of the selected frames, given the rate of all frames.
    fn slowed(&self, all: FrameRate) -> FrameRate {
        all.divided(self.every).unwrap_or(all)
    }

    /// Simulated time between frames of the film, given the simulated time between frames of the
    /// scene.
    fn time_between(&self, frame_time: f64) -> f64 {
        self.every as f64 * frame_time
    }

    /// Note about a film that is slower or faster than its scene, if it is.
    pub fn speed_note(&self, frame_time: f64) -> Option<String> {
        self.rate().speed_note(frame_time, self.every)
    }

    /// Rate of the selected frames: real time if possible, otherwise the rate for all frames
    /// divided by the interval.
    fn rate_of(&self, frame_time: f64) -> FrameRate {
        let between = self.time_between(frame_time);
        let own = FrameRate::of_frame_time(between);
        let all = FrameRate::of_frame_time(frame_time);
        if own.is_real_time(between) { own } else { self.slowed(all) }
    }

    /// Copy of the options with the rate for a scene with `frame_time` of simulated time per frame.
    /// A GIF gets at most 50 frames per second unless a rate is given, since viewers show faster
    /// GIFs far too slowly.
    pub fn at_frame_time(&self, frame_time: f64, format: FilmFormat) -> Self {
        let of_scene = self.rate_of(frame_time);
        let is_too_fast = format == FilmFormat::Gif && of_scene.exceeds(FrameRate::OF_GIFS);
        let usual = if is_too_fast { FrameRate::OF_GIFS } else { of_scene };
        Self { rate: Some(self.rate.unwrap_or(usual)), ..self.clone() }
    }

    /// Format and options for the segments of a film in the format `film`. `has_alpha` states
    /// whether frames may have alpha.
    ///
    /// # Errors
    /// Returns an error if the format cannot contain the codec, or segments would lose the alpha of
    /// the film.
    pub fn of_segments(
        &self,
        film: FilmFormat,
        has_alpha: bool,
    ) -> Result<(FilmFormat, Self), FilmError> {
        let codec = FilmCodec::choose(film, self.codec, has_alpha)?;
        if has_alpha
            && let Some(codec) = codec
            && codec.keeps_alpha(film)
            && !codec.keeps_alpha(codec.segment_format(film))
        {
            return Err(FilmError::Usage(format!(
                "segments of {codec} lose alpha when they are joined: use --codec ffv1 or \
                 prores-4444, or make the film without --shard"
            )));
        }
        let format = codec.map_or(film, |codec| codec.segment_format(film));
        Ok((format, Self { codec, ..self.clone() }))
    }

    /// Constant rate factor.
    pub fn quality(&self) -> u8 {
        self.quality.unwrap_or(18)
    }

    /// Preset of x264.
    pub fn preset(&self) -> &str {
        self.preset.as_deref().unwrap_or("medium")
    }

    /// Rejects options that are out of range.
    pub(super) fn check(&self) -> Result<(), FilmError> {
        let seconds = self.patience.as_secs_f64();
        let wrong = match self {
            _ if self.every == 0 => "every: expected a number of at least 1, found 0".into(),
            _ if self.quality() > 51 => format!("quality: {} is not from 0 to 51", self.quality()),
            _ if !PRESETS.contains(&self.preset()) => {
                format!("preset: \"{}\" is not one of {}", self.preset(), PRESETS.join(", "))
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

/// ffprobe for a given ffmpeg: in the same folder if ffmpeg's path has a folder, otherwise in PATH.
pub fn ffprobe_of(ffmpeg: &Path) -> OsString {
    let name = if cfg!(windows) { "ffprobe.exe" } else { "ffprobe" };
    let has_folder = ffmpeg.parent().is_some_and(|folder| !folder.as_os_str().is_empty());
    let sibling = ffmpeg.with_file_name(name);
    if has_folder && sibling.is_file() { sibling.into() } else { "ffprobe".into() }
}
