//! Command line arguments of ffmpeg.

use crate::film::codec::FilmCodec;
use crate::film::error::FilmError;
use crate::film::format::FilmFormat;
use crate::film::options::FilmOptions;
use crate::film::yuv;
use std::{ffi::OsString, path::Path};

/// Codec, container and pixels of a film.
#[derive(Clone, Copy, Debug)]
pub(super) struct Encoding {
    pub(super) codec: FilmCodec,
    pub(super) format: FilmFormat,
    /// Whether the film keeps the alpha of its frames.
    pub(super) has_alpha: bool,
    /// Whether every pixel is kept because of `quality`.
    pub(super) is_lossless: bool,
}

impl Encoding {
    /// Encoding of frames that may have alpha.
    ///
    /// # Errors
    /// Returns an error if the codec does not fit the format or lacks a given option.
    pub(super) fn new(
        format: FilmFormat,
        options: &FilmOptions,
        has_alpha: bool,
    ) -> Result<Self, FilmError> {
        let codec = FilmCodec::choose(format, options.codec, has_alpha)?;
        let codec = codec.unwrap_or(FilmCodec::H264);
        let has_alpha = has_alpha && codec.keeps_alpha(format);
        if options.quality.is_some() && !codec.has_quality() {
            return Err(FilmError::Usage(format!(
                "{codec} has no quality setting: remove --quality, or use another --codec"
            )));
        }
        if options.preset.is_some() && !codec.has_preset() {
            return Err(FilmError::Usage(format!(
                "--preset is only for x264, but {codec} is another encoder: remove --preset"
            )));
        }
        let is_lossless = codec.has_quality() && options.quality() == 0;
        if is_lossless && has_alpha {
            return Err(FilmError::Usage(format!(
                "{codec} keeps every pixel only without alpha: use --codec ffv1 in .mkv, or --quality 1"
            )));
        }
        Ok(Self { codec, format, has_alpha, is_lossless })
    }

    /// Pixel format of the film.
    fn pixels(self) -> &'static str {
        match (self.is_lossless, self.codec.has_preset()) {
            // x264 and libvpx keep RGB; 4:2:0 would first halve the colour resolution.
            (true, true) => "rgb24",
            (true, false) => "gbrp",
            (false, _) => self.codec.pixels(self.has_alpha),
        }
    }

    /// Pixel format of the frames in the pipe. catena converts to 4:2:0 itself, so that the result
    /// is the same with every version of ffmpeg.
    pub(super) fn piped(self) -> &'static str {
        match self.pixels() {
            "yuv420p" => "yuv420p",
            _ if self.has_alpha => "rgba",
            _ => "rgb24",
        }
    }

    /// Whether chroma has a lower resolution than luma, so that sides are padded to even numbers.
    pub(super) fn is_subsampled(self) -> bool {
        let pixels = self.pixels();
        pixels.contains("420") || pixels.contains("422")
    }

    /// Whether the film has RGB, in full range.
    fn is_rgb(self) -> bool {
        self.is_lossless || self.codec.is_lossless()
    }
}

/// Arguments that describe the frames in the pipe.
pub(super) fn input(encoding: Encoding, options: &FilmOptions, size: [u32; 2]) -> Vec<OsString> {
    let pixels = encoding.piped();
    let is_yuv = pixels == "yuv420p";
    let [width, height] = if encoding.is_subsampled() { yuv::padded(size) } else { size };
    let words = ["-hide_banner", "-nostdin", "-loglevel", "error", "-xerror"];
    let mut words: Vec<OsString> = words.map(OsString::from).into();
    words.extend(["-f", "rawvideo", "-pix_fmt", pixels, "-video_size"].map(OsString::from));
    words.extend([format!("{width}x{height}"), "-framerate".into()].map(OsString::from));
    words.push(options.rate().to_string().into());
    words.extend(colours(!is_yuv).map(OsString::from));
    words.extend(["-i", "pipe:0"].map(OsString::from));
    words
}

/// Arguments that describe the film. Its bytes depend on the machine only through ffmpeg's number
/// of threads.
pub(super) fn output(encoding: Encoding, options: &FilmOptions) -> Vec<OsString> {
    let (encoder, own) = match encoding.codec.encoder() {
        ("libx264", own) if encoding.is_lossless => ("libx264rgb", own),
        other => other,
    };
    let mut words: Vec<OsString> = ["-c:v", encoder].map(OsString::from).into();
    words.extend(own.iter().map(OsString::from));
    if encoding.codec.has_preset() {
        words.extend(["-preset", options.preset()].map(OsString::from));
    }
    match (encoding.codec.has_quality(), encoding.is_lossless, encoding.codec.has_preset()) {
        (true, true, false) => words.extend(["-lossless", "1"].map(OsString::from)),
        (true, ..) => words.extend(["-crf".into(), options.quality().to_string().into()]),
        (false, ..) => {}
    }
    if encoding.has_alpha && encoding.codec == FilmCodec::Vp9 {
        // libvpx does not support alpha together with hidden reference frames.
        words.extend(["-auto-alt-ref", "0"].map(OsString::from));
    }
    if !encoding.is_rgb() && encoding.piped() != "yuv420p" {
        words.extend(["-vf", TO_YUV].map(OsString::from));
    }
    words.extend(["-pix_fmt", encoding.pixels()].map(OsString::from));
    words.extend(colours(encoding.is_rgb()).map(OsString::from));
    if let Some(threads) = options.threads {
        words.extend(["-threads".into(), threads.to_string()].map(OsString::from));
    }
    words.extend(container(encoding.format));
    words
}

/// Conversion from RGB to BT.709 of limited range, exact and with smooth chroma. ProRes takes its
/// colour tags from the frames.
const TO_YUV: &str = "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int\
    +full_chroma_inp+bitexact,setparams=range=tv:colorspace=bt709:color_primaries=bt709:\
    color_trc=bt709";

/// Arguments that describe the container file.
pub(super) fn container(format: FilmFormat) -> Vec<OsString> {
    let mut words: Vec<OsString> =
        ["-fflags", "+bitexact", "-flags:v", "+bitexact"].map(OsString::from).into();
    // ffmpeg writes each packet immediately, so that the growing file shows its progress.
    words.extend(["-flush_packets", "1"].map(OsString::from));
    let muxer = match format {
        FilmFormat::Mov => "mov",
        FilmFormat::Mkv => "matroska",
        FilmFormat::Webm => "webm",
        _ => "mp4",
    };
    if matches!(muxer, "mov" | "mp4") {
        words.extend(["-movflags", "+faststart"].map(OsString::from));
    }
    words.extend(["-f", muxer, "-y"].map(OsString::from));
    words
}

/// Colour encoding: BT.709, limited range, and chroma centred between four pixels, or RGB of full
/// range.
fn colours(is_rgb: bool) -> [&'static str; 10] {
    let [range, matrix, chroma] = match is_rgb {
        true => ["pc", "rgb", "unspecified"],
        false => ["tv", "bt709", "center"],
    };
    [
        "-color_range",
        range,
        "-colorspace",
        matrix,
        "-color_primaries",
        "bt709",
        "-color_trc",
        "bt709",
        "-chroma_sample_location",
        chroma,
    ]
}

/// Path as a URL, so that ffmpeg treats it as a file whatever its first characters are.
pub(super) fn file_url(path: &Path) -> OsString {
    let mut url = OsString::from("file:");
    url.push(path);
    url
}
