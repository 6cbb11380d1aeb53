//! Joined segments of a film: every timestamp equals that of a film made by one process.

use super::content::{frames, has_ffmpeg};
use catena::film::{FilmFormat, FilmOptions, FilmSegment, FilmShape, FilmTarget, join, open};
use image::RgbImage;
use std::{path::Path, process::Command};

/// Frames of each segment. At most rates, the length of a segment is not a whole number of
/// milliseconds.
const SEGMENTS: [usize; 3] = [61, 61, 20];

fn make(path: &Path, format: FilmFormat, options: &FilmOptions, images: &[&RgbImage]) {
    let (width, height) = images[0].dimensions();
    let shape = FilmShape::opaque([width, height], images.len() as u64);
    let target = FilmTarget::File(path.into());
    let mut sink = open(&target, format, options, shape, &|| false).unwrap();
    images.iter().for_each(|image| sink.add_frame(image).unwrap());
    sink.finish().unwrap();
}

/// Rates and lengths, and the ascending timestamps of frames.
fn times(path: &Path) -> (Vec<String>, Vec<i64>) {
    let entries = "packet=pts:stream=r_frame_rate,avg_frame_rate,duration,time_base,color_space:format=duration";
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-select_streams", "v:0", "-of", "csv", "-show_entries", entries])
        .arg(path)
        .output()
        .unwrap();
    let (mut shown, mut rest) = (Vec::new(), Vec::new());
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        match line.strip_prefix("packet,") {
            Some(time) => shown.push(time.trim_end_matches(',').parse().unwrap()),
            None => rest.push(line.to_owned()),
        }
    }
    shown.sort_unstable();
    (rest, shown)
}

#[test]
fn joined_films_have_the_times_of_whole_ones() {
    if !has_ffmpeg() {
        return;
    }
    let pictures = frames(7, 64, 48);
    let all: Vec<&RgbImage> = pictures.iter().cycle().take(SEGMENTS.iter().sum()).collect();
    let folder = tempfile::tempdir().unwrap();
    let rates = ["29.97", "1000/7", "12.5", "30", "59.94", "23.976", "30000/1001"];
    // MKV and WebM round times to milliseconds, so each rate is a separate case; MP4 does not.
    // ffmpeg writes MOV with the code for MP4, and WebM with the code for MKV. The last rates have
    // frames that are not whole milliseconds, like the rates before them: the nightly job includes
    // them.
    let few = [1, 1, 4, 1];
    let all_counts = [3, 1, 7, 1];
    let counts = if crate::is_thorough() { all_counts } else { few };
    let formats = [FilmFormat::Mp4, FilmFormat::Mov, FilmFormat::Mkv, FilmFormat::Webm];
    for (format, count) in formats.into_iter().zip(counts) {
        for rate in &rates[..count] {
            let rate = rate.parse().unwrap();
            let options = FilmOptions {
                rate: Some(rate),
                threads: Some(1),
                preset: (format != FilmFormat::Webm).then(|| "veryfast".into()),
                ..FilmOptions::default()
            };
            let path = |name: &str| folder.path().join(name);
            let whole = path("whole").with_extension(format.name());
            make(&whole, format, &options, &all);
            let mut rest = &all[..];
            let (part, of_segments) = options.of_segments(format, false).unwrap();
            let segments = SEGMENTS.iter().enumerate().map(|(index, count)| {
                let file = format!("segment_{index}.{}", part.name());
                let (own, others) = rest.split_at(*count);
                rest = others;
                make(&path(&file), part, &of_segments, own);
                FilmSegment { file, frames: *count as u64 }
            });
            let segments: Vec<FilmSegment> = segments.collect();
            let joined = path("joined").with_extension(format.name());
            let film = join(folder.path(), &segments, &joined, format, &options, &|| false);
            film.unwrap().publish().unwrap();
            let (found, wanted) = (times(&joined), times(&whole));
            assert_eq!((found.0.len(), found.1.len()), (2, all.len()), "{format} at {rate}");
            assert_eq!(found.0, wanted.0, "{format} at {rate}");
            assert_eq!(found.1, wanted.1, "{format} at {rate}");
            if !matches!(format, FilmFormat::Mkv | FilmFormat::Webm) {
                let mut steps: Vec<i64> = found.1.windows(2).map(|two| two[1] - two[0]).collect();
                steps.dedup();
                assert_eq!(steps.len(), 1, "{format} at {rate}: {steps:?}");
            }
        }
    }
}
