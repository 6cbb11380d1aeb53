//! Colours of films: values read by other programs, lossless formats, and transparency.

use super::content::{has_ffmpeg, hidden, png};
use crate::catena;
use catena_tests::Random;
use image::{
    AnimationDecoder, DynamicImage, Rgb, RgbImage, Rgba, RgbaImage, codecs::png::PngDecoder,
    codecs::webp::WebPDecoder,
};
use std::{fs, io::Cursor, path::Path, process::Command};

/// Makes a film of pictures in a folder without a manifest. Returns the message.
pub(super) fn film(folder: &Path, files: &[Vec<u8>], name: &str, options: &[&str]) -> String {
    let frames = folder.join("frames");
    let _ = fs::remove_dir_all(&frames);
    fs::create_dir(&frames).unwrap();
    for (index, bytes) in files.iter().enumerate() {
        fs::write(frames.join(format!("frame_{index:05}.png")), bytes).unwrap();
    }
    let run = catena()
        .current_dir(folder)
        .args(["film", "frames", "-o", name])
        .args(options)
        .assert()
        .success();
    assert_eq!(hidden(folder), Vec::<std::path::PathBuf>::new());
    String::from_utf8_lossy(&run.get_output().stderr).into_owned()
}

/// Rounding as required by the standards; without these flags, ffmpeg is off by up to three levels.
pub(super) const EXACT: &[&str] = &["-sws_flags", "accurate_rnd+full_chroma_int"];

/// Pixels of a film as read by ffmpeg, in red, green and blue.
pub(super) fn read(film: &Path, options: &[&str]) -> Vec<u8> {
    let output = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(film)
        .args(options)
        .args(["-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
        .output()
        .unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

pub(super) fn probe(film: &Path, entries: &str) -> String {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-select_streams", "v:0", "-of", "csv=p=0", "-show_entries"])
        .arg(format!("stream={entries}"))
        .arg(film)
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).trim().trim_end_matches(',').into()
}

/// The matrix named in a film is the one used in its conversion, in every format and at any size.
#[test]
fn ffmpeg_reads_the_colours_of_the_frames() {
    if !has_ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let colors = [
        [200, 30, 30],
        [30, 200, 30],
        [30, 30, 200],
        [255, 255, 0],
        [0, 160, 160],
        [255, 255, 255],
        [0, 0, 0],
        [127, 127, 127],
    ];
    // Includes HD sizes, at which players guess another matrix if none is named.
    for size in [[64, 48], [65, 47], [1280, 720]] {
        let [width, height] = size;
        let colors = if width > 1000 { &colors[..2] } else { &colors[..] };
        let files: Vec<Vec<u8>> = colors
            .iter()
            .map(|color| png(&RgbImage::from_pixel(width, height, Rgb(*color))))
            .collect();
        for (name, options, maximum) in [
            ("film.y4m", &[][..], 2),
            ("film.mp4", &["--quality", "1", "--preset", "ultrafast"], 2),
            ("film.mov", &["--quality", "1", "--preset", "ultrafast"], 2),
            ("film.mkv", &["--quality", "1", "--preset", "ultrafast"], 2),
            ("film.mp4", &["--quality", "0", "--preset", "ultrafast"], 0),
        ] {
            film(folder.path(), &files, name, options);
            let found = read(&folder.path().join(name), EXACT);
            let frame = found.len() / colors.len();
            for (color, pixels) in colors.iter().zip(found.chunks_exact(frame)) {
                // Nearly all parts of a flat colour are equal.
                let mut parts: Vec<&[u8]> = pixels.chunks(3 * 64).collect();
                parts.dedup();
                let off = parts.into_iter().flatten().zip(color.iter().cycle());
                let off = off.map(|(a, b)| a.abs_diff(*b)).max().unwrap();
                assert!(off <= maximum, "{name} {size:?} {color:?}: off by {off}");
            }
        }
    }
}

/// A scene piped to ffmpeg without options.
#[test]
fn a_pipe_to_ffmpeg_keeps_the_background() {
    if !has_ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let scene = crate::repository("tests/defects/07_y4m_colours.ron");
    let args = ["--film", "-", "--format", "y4m"];
    let run = catena().arg("render").arg(scene).args(args).assert().success();
    let film = folder.path().join("film.y4m");
    fs::write(&film, &run.get_output().stdout).unwrap();
    let found = read(&film, &[]);
    let off = found.iter().zip([200_u8, 30, 30]).map(|(a, b)| a.abs_diff(b)).max();
    assert!(off <= Some(1), "{:?}", &found[..3]);
}

/// Frames of noise, which no encoder keeps by chance.
fn noise(count: u32, width: u32, height: u32) -> Vec<RgbImage> {
    let mut random = Random::new(7);
    let mut next = || random.below(256) as u8;
    (0..count)
        .map(|_| RgbImage::from_fn(width, height, |_, _| Rgb([next(), next(), next()])))
        .collect()
}

#[test]
fn quality_0_keeps_every_pixel_and_says_who_reads_it() {
    if !has_ffmpeg() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for [width, height] in [[64, 48], [67, 45]] {
        let images = noise(3, width, height);
        let files: Vec<Vec<u8>> = images.iter().map(png).collect();
        let all: Vec<u8> = images.iter().flat_map(|image| image.as_raw().clone()).collect();
        for name in ["film.mp4", "film.mov", "film.mkv"] {
            let path = folder.path().join(name);
            let message = film(folder.path(), &files, name, &["--quality", "0"]);
            assert!(read(&path, &[]) == all, "{name}: pixels differ");
            let found = probe(&path, "profile,width,height,pix_fmt,color_range,color_space");
            assert_eq!(
                found,
                format!("High 4:4:4 Predictive,{width},{height},gbrp,pc,gbr"),
                "{name}"
            );
            assert!(message.contains("--quality 0 keeps every pixel"), "{message}");
            assert!(message.contains("--quality 1") && !message.contains("padded"), "{message}");
            if width == 64 {
                let message = film(folder.path(), &files, name, &["--quality", "1"]);
                assert!(!message.contains("every pixel"), "{message}");
                assert!(probe(&path, "profile,pix_fmt").starts_with("High,yuv420p"), "{name}");
            }
        }
    }
}

/// A PNG file with these samples, whose alpha is in a channel or in the tRNS chunk.
fn raw_png(color: png::ColorType, depth: png::BitDepth, samples: &[u8], trns: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 2, 1);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == png::ColorType::Indexed {
        encoder.set_palette(vec![255, 0, 0, 0, 0, 255]);
    }
    if !trns.is_empty() {
        encoder.set_trns(trns.to_vec());
    }
    encoder.write_header().unwrap().write_image_data(samples).unwrap();
    bytes
}

/// A kind of frame, its file, its two pixels as RGBA, and whether one of them is translucent.
type AlphaCase = (&'static str, Vec<u8>, [[u8; 4]; 2], bool);

fn alpha_cases() -> [AlphaCase; 7] {
    use png::{BitDepth::*, ColorType::*};
    let deep = [255, 255, 0, 0, 0, 0, 80, 80, 0, 0, 255, 255, 0, 0, 255, 255];
    [
        (
            "alpha",
            raw_png(Rgba, Eight, &[255, 0, 0, 80, 0, 0, 255, 0], &[]),
            [[255, 0, 0, 80], [0, 0, 255, 0]],
            true,
        ),
        (
            "opaque alpha",
            raw_png(Rgba, Eight, &[255, 0, 0, 255, 0, 9, 255, 255], &[]),
            [[255, 0, 0, 255], [0, 9, 255, 255]],
            false,
        ),
        (
            "grey and alpha",
            raw_png(GrayscaleAlpha, Eight, &[90, 128, 7, 255], &[]),
            [[90, 90, 90, 128], [7, 7, 7, 255]],
            true,
        ),
        (
            "palette",
            raw_png(Indexed, Eight, &[0, 1], &[80]),
            [[255, 0, 0, 80], [0, 0, 255, 255]],
            true,
        ),
        (
            "transparent colour",
            raw_png(Rgb, Eight, &[1, 2, 3, 4, 5, 6], &[0, 1, 0, 2, 0, 3]),
            [[1, 2, 3, 0], [4, 5, 6, 255]],
            true,
        ),
        ("16 bits", raw_png(Rgba, Sixteen, &deep, &[]), [[255, 0, 0, 80], [0, 255, 0, 255]], true),
        (
            "opaque",
            raw_png(Rgb, Eight, &[1, 2, 3, 4, 5, 6], &[]),
            [[1, 2, 3, 255], [4, 5, 6, 255]],
            false,
        ),
    ]
}

#[test]
fn an_apng_keeps_alpha_and_other_formats_lie_over_white_with_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let opaque = png(&RgbImage::from_fn(2, 1, |x, _| Rgb([9 * x as u8, 8, 7])));
    for (kind, file, pixels, is_translucent) in alpha_cases() {
        // Opaque frames before and after have alpha 255 in a film with alpha.
        let files = [opaque.clone(), file, opaque.clone()];
        let message = film(folder.path(), &files, "film.apng", &["-q"]);
        assert_eq!(message, "", "{kind}: nothing is lost");
        let bytes = fs::read(folder.path().join("film.apng")).unwrap();
        // An alpha channel that is opaque everywhere is dropped. The file begins with its colour
        // type.
        assert_eq!(bytes[25], if is_translucent { 6 } else { 2 }, "{kind}");
        let shown = PngDecoder::new(Cursor::new(&bytes)).unwrap().apng().unwrap();
        let shown: Vec<RgbaImage> = shown
            .into_frames()
            .collect_frames()
            .unwrap()
            .into_iter()
            .map(image::Frame::into_buffer)
            .collect();
        let ends = image::load_from_memory(&opaque).unwrap().into_rgba8();
        assert_eq!([&shown[0], &shown[2]], [&ends; 2], "{kind}");
        assert_eq!([0, 1].map(|x| shown[1].get_pixel(x, 0).0), pixels, "{kind}");

        let message = film(folder.path(), &files, "film.webp", &["-q"]);
        assert_eq!(message, "", "{kind}: nothing is lost");
        let bytes = fs::read(folder.path().join("film.webp")).unwrap();
        assert_eq!(bytes[20], if is_translucent { 0x12 } else { 2 }, "{kind}");
        let shown = WebPDecoder::new(Cursor::new(&bytes)).unwrap().into_frames();
        let shown = shown.collect_frames().unwrap();
        let at = |frame: usize, x: u32| {
            let pixel = shown[frame].buffer().get_pixel(x, 0).0;
            // The colour of an invisible pixel is arbitrary.
            if pixel[3] == 0 { [0; 4] } else { pixel }
        };
        for x in 0..2 {
            let [end, own] = [ends.get_pixel(x, 0).0, pixels[x as usize]];
            let own = if own[3] == 0 { [0; 4] } else { own };
            assert_eq!([at(0, x), at(1, x), at(2, x)], [end, own, end], "{kind}");
        }

        let message = film(folder.path(), &files, "film.raw", &[]);
        let bytes = fs::read(folder.path().join("film.raw")).unwrap();
        let over_white = pixels.map(|[r, g, b, a]| {
            let a = f64::from(a) / 255.0;
            [r, g, b].map(|channel| (f64::from(channel) * a + 255.0 * (1.0 - a)).round() as u8)
        });
        assert_eq!(bytes[6..12], over_white.concat(), "{kind}");
        let is_noted = message.contains("transparent pixels") && message.contains("drawn on white");
        assert_eq!(is_noted, is_translucent, "{kind}: {message}");
        assert_eq!(message.contains("16 bits per channel"), kind == "16 bits", "{kind}: {message}");
        film(folder.path(), &files, "film.gif", &[]);
    }
}

#[test]
fn an_animated_frame_is_refused_and_so_are_other_sizes() {
    let folder = tempfile::tempdir().unwrap();
    let frames = folder.path().join("frames");
    fs::create_dir(&frames).unwrap();
    let one = RgbaImage::from_pixel(4, 4, Rgba([1, 2, 3, 4]));
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(one).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    fs::write(frames.join("frame_00000.png"), bytes.into_inner()).unwrap();
    let mut film = Vec::new();
    let mut encoder = png::Encoder::new(&mut film, 4, 4);
    encoder.set_animated(1, 0).unwrap();
    encoder.write_header().unwrap().write_image_data(&[9; 16]).unwrap();
    for (file, words) in [
        (film, "frame_00001.png cannot be filmed: it is an animated PNG"),
        (png(&RgbImage::new(4, 5)), "frame_00001.png is 4x5, but the frames before it are 4x4"),
    ] {
        fs::write(frames.join("frame_00001.png"), file).unwrap();
        let run = catena()
            .current_dir(&folder)
            .args(["film", "frames", "-o", "film.apng"])
            .assert()
            .code(5);
        let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(stderr.contains(words), "{stderr}");
    }
}
