//! The arguments of ffmpeg.

use crate::film::{
    options::{FilmFormat, FilmOptions},
    yuv,
};
use std::{ffi::OsString, path::Path};

/// The arguments that describe the frames in the pipe.
pub(super) fn input(options: &FilmOptions, size: [u32; 2]) -> Vec<OsString> {
    let [width, height] = yuv::padded(size);
    let words = ["-hide_banner", "-nostdin", "-loglevel", "error", "-xerror"];
    let mut words: Vec<OsString> = words.map(OsString::from).into();
    words.extend(["-f", "rawvideo", "-pix_fmt", "yuv420p", "-video_size"].map(OsString::from));
    words.extend([format!("{width}x{height}"), "-framerate".into()].map(OsString::from));
    words.push(options.rate().to_string().into());
    words.extend(COLOURS.map(OsString::from));
    words.extend(["-i", "pipe:0"].map(OsString::from));
    words
}

/// The arguments that describe the film. Its bytes depend on the machine only through ffmpeg's
/// number of threads.
pub(super) fn output(options: &FilmOptions, format: FilmFormat) -> Vec<OsString> {
    let mut words: Vec<OsString> = ["-c:v", "libx264", "-preset"].map(OsString::from).into();
    words.extend(
        [options.preset.clone(), "-crf".into(), options.quality.to_string()].map(OsString::from),
    );
    words.extend(["-pix_fmt", "yuv420p"].map(OsString::from));
    words.extend(COLOURS.map(OsString::from));
    if let Some(threads) = options.threads {
        words.extend(["-threads".into(), threads.to_string()].map(OsString::from));
    }
    words.extend(container(format));
    words
}

/// The arguments that describe the file around the film.
pub(super) fn container(format: FilmFormat) -> Vec<OsString> {
    let mut words: Vec<OsString> =
        ["-fflags", "+bitexact", "-flags:v", "+bitexact"].map(OsString::from).into();
    // ffmpeg writes each packet at once, so that the growing file shows that it works.
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

/// How pixels encode colour: BT.709, limited range, chroma in the middle of four pixels.
const COLOURS: [&str; 10] = [
    "-color_range",
    "tv",
    "-colorspace",
    "bt709",
    "-color_primaries",
    "bt709",
    "-color_trc",
    "bt709",
    "-chroma_sample_location",
    "center",
];

/// A path as a URL, so that ffmpeg takes it for a file whatever it begins with.
pub(super) fn file_url(path: &Path) -> OsString {
    let mut url = OsString::from("file:");
    url.push(path);
    url
}
