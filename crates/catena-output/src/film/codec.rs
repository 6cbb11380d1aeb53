//! Codecs of films that ffmpeg makes: the table of names, encoders and pixel formats.

use super::error::FilmError;
use std::{fmt, str::FromStr};

/// Codec of a film that ffmpeg makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmCodec {
    /// H.264 in 4:2:0, which every player supports.
    H264,
    /// H.264 in 4:4:4: colours keep their full resolution, but fewer players support it.
    H264Full,
    /// ProRes 422 HQ, 10 bits.
    ProRes,
    /// ProRes 4444, 10 bits, with alpha.
    ProRes4444,
    /// DNxHR HQX, 4:2:2, 10 bits.
    DnxHr,
    /// DNxHR 444, 10 bits.
    DnxHr444,
    /// VP9 in 4:2:0, with alpha in WebM.
    Vp9,
    /// FFV1, lossless RGB, with alpha.
    Ffv1,
}

/// Facts about a codec.
struct CodecFacts {
    name: &'static str,
    codec: FilmCodec,
    /// Formats that can contain the codec.
    formats: &'static [FilmFormat],
    /// ffmpeg's name of the encoder.
    encoder: &'static str,
    /// Further arguments of the encoder.
    arguments: &'static [&'static str],
    /// ffmpeg's pixel format of opaque frames.
    opaque: &'static str,
    /// ffmpeg's pixel format of frames with alpha; `None` if the codec has no alpha.
    translucent: Option<&'static str>,
    /// Whether `quality` sets the size of the file.
    has_quality: bool,
    /// Format of segments that are joined. Rounding errors accumulate in Matroska and WebM, which
    /// store times in milliseconds.
    segments: FilmFormat,
}

use crate::film::format::FilmFormat;
use FilmFormat::{Mkv, Mov, Mp4, Webm};

const CODECS: [CodecFacts; 8] = [
    CodecFacts {
        name: "h264",
        codec: FilmCodec::H264,
        formats: &[Mp4, Mov, Mkv],
        encoder: "libx264",
        arguments: &[],
        opaque: "yuv420p",
        translucent: None,
        has_quality: true,
        segments: Mp4,
    },
    CodecFacts {
        name: "h264-444",
        codec: FilmCodec::H264Full,
        formats: &[Mp4, Mov, Mkv],
        encoder: "libx264",
        arguments: &[],
        opaque: "yuv444p",
        translucent: None,
        has_quality: true,
        segments: Mp4,
    },
    CodecFacts {
        name: "prores",
        codec: FilmCodec::ProRes,
        formats: &[Mov, Mkv],
        encoder: "prores_ks",
        arguments: &["-profile:v", "hq", "-vendor", "apl0"],
        opaque: "yuv422p10le",
        translucent: None,
        has_quality: false,
        segments: Mov,
    },
    CodecFacts {
        name: "prores-4444",
        codec: FilmCodec::ProRes4444,
        formats: &[Mov, Mkv],
        encoder: "prores_ks",
        arguments: &["-profile:v", "4444", "-vendor", "apl0"],
        opaque: "yuv444p10le",
        translucent: Some("yuva444p10le"),
        has_quality: false,
        segments: Mov,
    },
    CodecFacts {
        name: "dnxhr",
        codec: FilmCodec::DnxHr,
        formats: &[Mov, Mkv],
        encoder: "dnxhd",
        arguments: &["-profile:v", "dnxhr_hqx"],
        opaque: "yuv422p10le",
        translucent: None,
        has_quality: false,
        segments: Mov,
    },
    CodecFacts {
        name: "dnxhr-444",
        codec: FilmCodec::DnxHr444,
        formats: &[Mov, Mkv],
        encoder: "dnxhd",
        arguments: &["-profile:v", "dnxhr_444"],
        opaque: "yuv444p10le",
        translucent: None,
        has_quality: false,
        segments: Mov,
    },
    CodecFacts {
        name: "vp9",
        codec: FilmCodec::Vp9,
        formats: &[Webm, Mkv, Mp4],
        encoder: "libvpx-vp9",
        arguments: &["-b:v", "0", "-deadline", "good", "-cpu-used", "2", "-row-mt", "1"],
        opaque: "yuv420p",
        translucent: Some("yuva420p"),
        has_quality: true,
        segments: Mp4,
    },
    CodecFacts {
        name: "ffv1",
        codec: FilmCodec::Ffv1,
        formats: &[Mkv, Mov],
        encoder: "ffv1",
        arguments: &["-level", "3", "-slicecrc", "1"],
        opaque: "bgr0",
        translucent: Some("bgra"),
        has_quality: false,
        segments: Mov,
    },
];

impl FilmCodec {
    /// All codecs, with their names.
    pub fn all() -> impl Iterator<Item = (&'static str, Self)> {
        CODECS.iter().map(|facts| (facts.name, facts.codec))
    }

    fn facts(self) -> &'static CodecFacts {
        CODECS.iter().find(|facts| facts.codec == self).unwrap_or(&CODECS[0])
    }

    /// Name of the codec, as in `--codec`.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Requested codec, or the default of the format: VP9 for WebM, ProRes 4444 for QuickTime with
    /// alpha, H.264 otherwise. `None` for formats without ffmpeg.
    ///
    /// # Errors
    /// Returns an error if the format cannot contain the requested codec.
    pub fn choose(
        format: FilmFormat,
        asked: Option<Self>,
        has_alpha: bool,
    ) -> Result<Option<Self>, FilmError> {
        let Some(asked) = asked else {
            return Ok(match format {
                Mov if has_alpha => Some(Self::ProRes4444),
                Mp4 | Mov | Mkv => Some(Self::H264),
                Webm => Some(Self::Vp9),
                _ => None,
            });
        };
        if asked.facts().formats.contains(&format) {
            return Ok(Some(asked));
        }
        let formats = asked.facts().formats.iter().map(|format| format!(".{format}"));
        let formats = formats.collect::<Vec<_>>().join(", ");
        let fitting = CODECS.iter().filter(|facts| facts.formats.contains(&format));
        let fitting = fitting.map(|facts| facts.name).collect::<Vec<_>>().join(", ");
        let others = match fitting.is_empty() {
            true => format!("the codec of a .{format} film cannot be chosen"),
            false => format!("codecs for .{format}: {fitting}"),
        };
        Err(FilmError::Usage(format!(
            "--codec {asked} does not fit a .{format} film; use {formats}, or remove --codec ({others})"
        )))
    }

    /// ffmpeg's name of the encoder, with its fixed arguments.
    pub(super) fn encoder(self) -> (&'static str, &'static [&'static str]) {
        (self.facts().encoder, self.facts().arguments)
    }

    /// ffmpeg's pixel format.
    pub(super) fn pixels(self, has_alpha: bool) -> &'static str {
        let facts = self.facts();
        if has_alpha { facts.translucent.unwrap_or(facts.opaque) } else { facts.opaque }
    }

    /// Whether a film in this format keeps alpha. Only Matroska and WebM can store the alpha of
    /// VP9.
    pub(super) fn keeps_alpha(self, format: FilmFormat) -> bool {
        self.facts().translucent.is_some() && (self != Self::Vp9 || matches!(format, Webm | Mkv))
    }

    /// Whether `quality` sets the size of the file.
    pub(super) fn has_quality(self) -> bool {
        self.facts().has_quality
    }

    /// Whether x264 encodes the film, and `preset` sets its speed.
    pub(super) fn has_preset(self) -> bool {
        matches!(self, Self::H264 | Self::H264Full)
    }

    /// Whether the codec keeps every pixel at any setting.
    pub(super) fn is_lossless(self) -> bool {
        self == Self::Ffv1
    }

    /// Format of segments that are joined to a film.
    pub fn segment_format(self, film: FilmFormat) -> FilmFormat {
        if film == Mov { Mov } else { self.facts().segments }
    }
}

impl FromStr for FilmCodec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::all().find(|(name, _)| *name == text);
        let names = Self::all().map(|(name, _)| name).collect::<Vec<_>>().join(", ");
        found.map(|(_, codec)| codec).ok_or_else(|| format!("expected one of {names}"))
    }
}

impl fmt::Display for FilmCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
