//! Command line arguments of ffmpeg.

use crate::film::{
    options::{FilmFormat, FilmOptions},
    yuv,
};
use std::{ffi::OsString, path::Path};

/// Arguments that describe the frames in the pipe.
pub(super) fn input(options: &FilmOptions, size: [u32; 2]) -> Vec<OsString> {
    let ([width, height], pixels) = match options.is_lossless() {
        true => (size, "rgb24"),
        false => (yuv::padded(size), "yuv420p"),
    };
    let words = ["-hide_banner", "-nostdin", "-loglevel", "error", "-xerror"];
    let mut words: Vec<OsString> = words.map(OsString::from).into();
    words.extend(["-f", "rawvideo", "-pix_fmt", pixels, "-video_size"].map(OsString::from));
    words.extend([format!("{width}x{height}"), "-framerate".into()].map(OsString::from));
    words.push(options.rate().to_string().into());
    words.extend(colours(options).map(OsString::from));
    words.extend(["-i", "pipe:0"].map(OsString::from));
    words
}

/// Arguments that describe the film. Its bytes depend on the machine only through ffmpeg's number
/// of threads.
pub(super) fn output(options: &FilmOptions, format: FilmFormat) -> Vec<OsString> {
    // x264 preserves RGB at a crf of 0; 4:2:0 would first halve the colour resolution.
    let (encoder, pixels) = match options.is_lossless() {
        true => ("libx264rgb", "rgb24"),
        false => ("libx264", "yuv420p"),
    };
    let mut words: Vec<OsString> = ["-c:v", encoder, "-preset"].map(OsString::from).into();
    words.extend(
        [options.preset.clone(), "-crf".into(), options.quality.to_string()].map(OsString::from),
    );
    words.extend(["-pix_fmt", pixels].map(OsString::from));
    words.extend(colours(options).map(OsString::from));
    if let Some(threads) = options.threads {
        words.extend(["-threads".into(), threads.to_string()].map(OsString::from));
    }
    words.extend(container(format));
    words
}

/// Arguments that describe the container file.
pub(super) fn container(format: FilmFormat) -> Vec<OsString> {
    let mut words: Vec<OsString> =
        ["-fflags", "+bitexact", "-flags:v", "+bitexact"].map(OsString::from).into();
    // ffmpeg writes each packet immediately, so that the growing file shows its progress.
    words.extend(["-flush_packets", "1"].map(OsString::from));
    let muxer = match format {
        FilmFormat::Mov => "mov",
        FilmFormat::Mkv => "matroska",
        _ => "mp4",
    };
    if muxer != "matroska" {
        words.extend(["-movflags", "+faststart"].map(OsString::from));
    }
    words.extend(["-f", muxer, "-y"].map(OsString::from));
    words
}

/// Colour encoding. A film has BT.709, limited range, and chroma centred between four pixels. A
/// lossless one has RGB of full range.
fn colours(options: &FilmOptions) -> [&'static str; 10] {
    let [range, matrix, chroma] = match options.is_lossless() {
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
