//! Codecs of films: pixel formats, colours, alpha and refusals, read back with ffprobe and ffmpeg.

use super::colors::{EXACT, film, probe, read};
use super::content::{has_ffmpeg, png};
use crate::catena;
use image::{DynamicImage, Rgb, RgbImage, Rgba, RgbaImage};
use std::{io::Cursor, process::Command};

/// A codec in a format, the output of ffprobe, and the maximum error of a flat colour.
const OPAQUE: &[(&str, &[&str], &str, u8)] = &[
    ("film.mp4", &["--codec", "h264"], "h264,yuv420p,tv,bt709", 2),
    ("film.mp4", &["--codec", "h264-444", "--quality", "1"], "h264,yuv444p,tv,bt709", 2),
    ("film.mov", &["--codec", "prores"], "prores,yuv422p10le,tv,bt709", 2),
    ("film.mov", &["--codec", "prores-4444"], "prores,yuv444p12le,tv,bt709", 2),
    ("film.mov", &["--codec", "dnxhr"], "dnxhd,yuv422p10le,tv,bt709", 2),
    ("film.mkv", &["--codec", "dnxhr-444"], "dnxhd,yuv444p10le,tv,bt709", 2),
    ("film.webm", &[], "vp9,yuv420p,tv,bt709", 2),
    ("film.webm", &["--quality", "0"], "vp9,gbrp,pc,gbr", 0),
    ("film.mkv", &["--codec", "ffv1"], "ffv1,bgr0,pc,gbr", 0),
];

#[test]
fn each_codec_has_its_pixel_format_and_the_colours_of_the_frames() {
    if !has_ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let colors = [[200, 30, 30], [30, 200, 30], [30, 30, 200], [255, 255, 0], [127, 127, 127]];
    let files: Vec<Vec<u8>> =
        colors.iter().map(|color| png(&RgbImage::from_pixel(257, 121, Rgb(*color)))).collect();
    for (name, options, wanted, maximum) in OPAQUE {
        let message = film(folder.path(), &files, name, options);
        let is_padded = wanted.contains("420") || wanted.contains("422");
        assert_eq!(
            message.contains("257x121 are padded to 258x122"),
            is_padded,
            "{name}: {message}"
        );
        let is_rare = name.ends_with("webm") && options.contains(&"0");
        assert_eq!(message.contains("VP9 Profile 1"), is_rare, "{name}: {message}");
        let path = folder.path().join(name);
        let found = probe(&path, "codec_name,pix_fmt,color_range,color_space");
        assert_eq!(found, *wanted, "{name} {options:?}");
        let pixels = read(&path, EXACT);
        for (color, frame) in colors.iter().zip(pixels.chunks_exact(pixels.len() / colors.len())) {
            let off = frame.chunks_exact(3).flat_map(|pixel| pixel.iter().zip(color));
            let off = off.map(|(a, b)| a.abs_diff(*b)).max().unwrap();
            assert!(off <= *maximum, "{name} {options:?} {color:?}: off by {off}");
        }
    }
}

/// A disc that fades from opaque to transparent.
fn fading() -> RgbaImage {
    RgbaImage::from_fn(128, 96, |x, y| Rgba([220, 60, 20, (2 * x).min(255 - y) as u8]))
}

#[test]
fn films_with_alpha_composite_as_the_frames_do() {
    if !has_ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let image = fading();
    let mut file = Cursor::new(Vec::new());
    DynamicImage::from(image.clone()).write_to(&mut file, image::ImageFormat::Png).unwrap();
    let files = vec![file.into_inner(); 2];
    // VP9 stores alpha in a second 4:2:0 film, which only libvpx reads back.
    let cases: [(&str, &[&str], &[&str], u8); 4] = [
        ("film.mov", &[], &[], 3),
        ("film.mov", &["--codec", "prores-4444"], &[], 3),
        ("film.webm", &["--quality", "4"], &["-c:v", "libvpx-vp9"], 8),
        ("film.mkv", &["--codec", "ffv1"], &[], 0),
    ];
    for (name, options, decoder, maximum) in cases {
        let message = film(folder.path(), &files, name, options);
        assert!(!message.contains("white"), "{name}: {message}");
        let output = Command::new("ffmpeg")
            .args(["-v", "error"])
            .args(decoder)
            .arg("-i")
            .arg(folder.path().join(name))
            .args(EXACT)
            .args(["-f", "rawvideo", "-pix_fmt", "rgba", "-"])
            .output()
            .unwrap();
        assert_eq!(output.stdout.len(), 2 * image.as_raw().len(), "{name}");
        let over_blue = |pixel: &[u8]| {
            let alpha = u32::from(pixel[3]);
            let over = |top: u8, below: u32| (u32::from(top) * alpha + below * (255 - alpha)) / 255;
            [over(pixel[0], 0), over(pixel[1], 0), over(pixel[2], 255)]
        };
        let pairs = output.stdout.chunks_exact(4).zip(image.as_raw().chunks_exact(4).cycle());
        let off = pairs.flat_map(|(a, b)| {
            over_blue(a).into_iter().zip(over_blue(b)).map(|(a, b)| a.abs_diff(b) as u8)
        });
        let off = off.max().unwrap();
        assert!(off <= maximum, "{name} {options:?}: off by {off}");
    }
    let message = film(folder.path(), &files, "film.mp4", &[]);
    assert!(message.contains("drawn on white"), "{message}");
}

#[test]
fn options_that_a_codec_lacks_are_refused_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&str, &[&str], &str); 6] = [
        ("film.mp4", &["--codec", "prores"], "use .mov, .mkv"),
        ("film.gif", &["--codec", "h264"], "the codec of a .gif film cannot be chosen"),
        ("film.mov", &["--codec", "prores", "--quality", "3"], "prores has no quality"),
        ("film.webm", &["--preset", "fast"], "--preset is only for x264"),
        ("film.webm", &["--codec", "h264"], "codecs for .webm: vp9"),
        ("film.mp4", &["--codec", "x265"], "expected one of h264, h264-444"),
    ];
    for (name, options, wanted) in cases {
        let run = catena()
            .current_dir(folder.path())
            .arg("render")
            .arg(crate::repository("scenes/compare.ron"))
            .args(["--frames", "3", "--film", name])
            .args(options)
            .assert()
            .code(2);
        let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(stderr.contains(wanted), "{name} {options:?}: {stderr}");
        assert!(!folder.path().join(name).exists());
    }
}

/// Shards make the same film as a single process, or are refused: alpha is never lost silently.
#[test]
fn shards_keep_alpha_or_say_that_they_do_not() {
    if !has_ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("film.mov", 0, "", "prores,yuva444p12le"),
        ("film.mp4", 0, "drawn on white", "h264,yuv420p"),
        ("film.webm", 2, "segments of vp9 lose alpha", ""),
    ];
    for (name, code, expected, pixels) in cases {
        let run = catena()
            .current_dir(folder.path())
            .arg("render")
            .arg(crate::repository("scenes/compare.ron"))
            .args(["--frames", "3", "--size", "256x144", "--set", "background=Transparent"])
            .args(["--shard", "1/1", "--film", name, "--out", name.trim_start_matches("film.")])
            .assert()
            .code(code);
        let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(stderr.contains(expected), "{name}: {stderr}");
        if code == 0 {
            let out = folder.path().join(name.trim_start_matches("film."));
            catena().arg("merge").arg(&out).assert().success();
            assert_eq!(probe(&out.join(name), "codec_name,pix_fmt"), pixels, "{name}");
        }
    }
}
