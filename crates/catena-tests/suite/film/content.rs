//! Films of frames: their content, read back.

use crate::catena;
use catena::output::{hash::sha256, manifest::Manifest};
use image::{AnimationDecoder, Rgb, RgbImage, codecs::png::PngDecoder, codecs::webp::WebPDecoder};
use std::{
    fs,
    io::Cursor,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

/// A rendered folder whose pictures, and their hashes in the manifest, are replaced.
pub(crate) fn render(folder: &Path, images: &[RgbImage]) {
    let other = tempfile::tempdir().unwrap();
    let scene = other.path().join("small.ron");
    fs::write(&scene, "Scene(base: (substeps: 2, rope: (nodes: 3)))").unwrap();
    catena()
        .args(["render".as_ref(), scene.as_os_str(), "--no-steady".as_ref(), "-q".as_ref()])
        .args(["--frames", &images.len().to_string(), "--size", "200x150", "--out"])
        .arg(folder)
        .assert()
        .success();
    let mut manifest = Manifest::read(folder).unwrap().unwrap();
    for (entry, image) in manifest.frames.iter_mut().zip(images) {
        let bytes = png(image);
        fs::write(folder.join(&entry.file), &bytes).unwrap();
        entry.sha256 = sha256(&bytes);
    }
    manifest.write(folder).unwrap();
}

pub(crate) fn png(image: &RgbImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// Frames of few colours: a square that moves over stripes. Two frames are equal, and one frame
/// changes a single pixel at the edge.
pub(crate) fn frames(count: u32, width: u32, height: u32) -> Vec<RgbImage> {
    let frame = |n: u32| {
        let at = if n == 2 { 1 } else { n };
        let mut image = RgbImage::from_fn(width, height, |x, y| {
            let is_in = (5 * at..5 * at + 9).contains(&x) && (3 * at..3 * at + 7).contains(&y);
            if is_in {
                Rgb([200, 10 + at as u8, 30])
            } else {
                Rgb([240, 240, (y / 8 % 4) as u8 * 60])
            }
        });
        if n == 3 {
            image.put_pixel(width - 1, height - 1, Rgb([1, 2, 3]));
        }
        image
    };
    (0..count).map(frame).collect()
}

/// Frames that change more colours than a palette has.
fn colourful(count: u32) -> Vec<RgbImage> {
    let frame = |n| {
        RgbImage::from_fn(40, 30, |x, y| {
            Rgb([(6 * x) as u8, (8 * y) as u8, (2 * (x + y) + n) as u8])
        })
    };
    (0..count).map(frame).collect()
}

struct Film {
    folder: TempDir,
    images: Vec<RgbImage>,
}

impl Film {
    fn of(images: Vec<RgbImage>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        render(&folder.path().join("frames"), &images);
        Self { folder, images }
    }

    /// Makes a film. Returns its bytes and its messages.
    fn make(&self, name: &str, options: &[&str]) -> (Vec<u8>, String) {
        let run = catena()
            .current_dir(&self.folder)
            .args(["film", "frames", &format!("--output={name}")])
            .args(options)
            .assert()
            .success();
        let output = run.get_output().clone();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let bytes = match name {
            "-" => output.stdout,
            _ => {
                assert!(output.stdout.is_empty(), "nothing but results goes to standard output");
                fs::read(self.folder.path().join(name)).unwrap()
            }
        };
        assert_eq!(hidden(self.folder.path()), Vec::<PathBuf>::new());
        (bytes, stderr)
    }
}

/// Files that should have been removed.
pub(crate) fn hidden(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.to_string_lossy().contains(".part")).collect()
}

/// Pictures of a GIF as a viewer shows them, their delays, and the repeat count.
fn read_gif(bytes: &[u8]) -> (Vec<RgbImage>, Vec<u16>, gif::Repeat) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    let mut shown = RgbImage::new(decoder.width().into(), decoder.height().into());
    let (mut images, mut delays) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (i, pixel) in frame.buffer.chunks_exact(4).enumerate() {
            let (x, y) = (i as u32 % u32::from(frame.width), i as u32 / u32::from(frame.width));
            if pixel[3] > 0 {
                let pixel = Rgb([pixel[0], pixel[1], pixel[2]]);
                shown.put_pixel(u32::from(frame.left) + x, u32::from(frame.top) + y, pixel);
            }
        }
        images.push(shown.clone());
        delays.push(frame.delay);
    }
    (images, delays, decoder.repeat())
}

#[test]
fn a_gif_shows_the_frames() {
    let film = Film::of(frames(7, 67, 65));
    let (bytes, message) = film.make("film.gif", &["--fps", "30"]);
    let (images, delays, repeat) = read_gif(&bytes);
    assert_eq!(images, film.images);
    assert_eq!(delays, [3, 4, 3, 3, 4, 3, 3], "hundredths of a second that keep the mean rate");
    assert_eq!(repeat, gif::Repeat::Infinite);
    assert!(message.contains("7 frames in film.gif"), "{message}");
    assert!(!message.contains("colours"), "{message}");
    let (stdout, _) = film.make("-", &["--format", "gif"]);
    assert_eq!(stdout, bytes);
    let (thrice, _) = film.make("thrice.gif", &["--loop", "3", "--frames", "1-3"]);
    let (images, _, repeat) = read_gif(&thrice);
    assert_eq!(images, film.images[1..4]);
    assert_eq!(repeat, gif::Repeat::Finite(2), "repeated twice after the first time");
    // Every third of 30 frames per second is shown three times as long; other frames may be
    // missing.
    fs::remove_file(film.folder.path().join("frames/frame_00001.png")).unwrap();
    let (third, _) = film.make("third.gif", &["--every", "3"]);
    let (images, delays, _) = read_gif(&third);
    assert_eq!(images, [0, 3, 6].map(|frame: usize| film.images[frame].clone()));
    assert_eq!(delays, [10; 3]);
}

#[test]
fn a_gif_of_many_colours_is_near_to_the_frames() {
    let film = Film::of(colourful(3));
    let (bytes, message) = film.make("film.gif", &[]);
    let (images, ..) = read_gif(&bytes);
    assert_eq!(images.len(), 3);
    for (shown, image) in images.iter().zip(&film.images) {
        let off = shown.as_raw().iter().zip(image.as_raw()).map(|(a, b)| u64::from(a.abs_diff(*b)));
        let mean = off.sum::<u64>() as f64 / image.as_raw().len() as f64;
        assert!(mean < 10.0, "{mean}");
    }
    assert!(message.contains("in 3 of 3 frames more than 255 colours change"), "{message}");
}

#[test]
fn an_apng_is_exact() {
    for images in [frames(5, 67, 65), colourful(3)] {
        let film = Film::of(images);
        let (bytes, _) = film.make("film.apng", &["--fps", "30000/1001", "--loop", "2"]);
        let decoder = PngDecoder::new(Cursor::new(&bytes)).unwrap().apng().unwrap();
        let shown = decoder.into_frames().collect_frames().unwrap();
        assert_eq!(shown.len(), film.images.len());
        for (shown, image) in shown.iter().zip(&film.images) {
            assert_eq!(&image::DynamicImage::from(shown.buffer().clone()).into_rgb8(), image);
        }
        let control = png::Decoder::new(Cursor::new(&bytes)).read_info().unwrap();
        let (info, control) = (control.info(), control.info().animation_control.unwrap());
        assert_eq!((control.num_frames, control.num_plays), (film.images.len() as u32, 2));
        let delay = info.frame_control.unwrap();
        assert_eq!((delay.delay_num, delay.delay_den), (1001, 30000));
        // Viewers without support for animation show the first picture.
        assert_eq!(image::load_from_memory(&bytes).unwrap().into_rgb8(), film.images[0]);
    }
}

#[test]
fn a_webp_film_is_exact() {
    for images in [frames(5, 67, 65), colourful(3)] {
        let film = Film::of(images);
        let (bytes, message) = film.make("film.webp", &["--fps", "30000/1001", "--loop", "2"]);
        assert!(!message.contains("transparent"), "{message}");
        let shown = WebPDecoder::new(Cursor::new(&bytes)).unwrap().into_frames();
        let shown = shown.collect_frames().unwrap();
        assert_eq!(shown.len(), film.images.len());
        for (shown, image) in shown.iter().zip(&film.images) {
            assert_eq!(&image::DynamicImage::from(shown.buffer().clone()).into_rgb8(), image);
        }
        // A frame takes 33.37 ms, and the sum of all delays is correct to half a millisecond.
        let until: u32 = shown.iter().map(|frame| frame.delay().numer_denom_ms().0).sum();
        let exact = shown.len() as f64 * 1001.0 / 30.0;
        assert!((f64::from(until) - exact).abs() <= 0.5, "{until}, {exact}");
        // The file contains its length, is an animation without alpha, and is played twice.
        let length = u32::from_le_bytes(bytes[4..8].try_into().unwrap());
        assert_eq!((length as usize + 8, bytes[20], bytes[42]), (bytes.len(), 2, 2));
        assert_eq!(&bytes[30..34], b"ANIM");
    }
}

/// Shares of red, green and blue in luma.
const BT709: [f64; 3] = [0.2126, 0.7152, 0.0722];
const BT601: [f64; 3] = [0.299, 0.587, 0.114];

/// Luma of a colour in the limited range.
fn luma(pixel: &Rgb<u8>, shares: [f64; 3]) -> f64 {
    let [r, g, b] = pixel.0.map(f64::from);
    16.0 + 219.0 / 255.0 * (shares[0] * r + shares[1] * g + shares[2] * b)
}

/// Cb and Cr of the mean of four pixels.
fn chroma(pixels: [&Rgb<u8>; 4], shares: [f64; 3]) -> [f64; 2] {
    let mean = |i: usize| pixels.iter().map(|pixel| f64::from(pixel.0[i])).sum::<f64>() / 4.0;
    let (r, g, b) = (mean(0), mean(1), mean(2));
    let y = shares[0] * r + shares[1] * g + shares[2] * b;
    [(b - y) / (2.0 - 2.0 * shares[2]), (r - y) / (2.0 - 2.0 * shares[0])]
        .map(|c| 128.0 + 224.0 / 255.0 * c)
}

#[test]
fn raw_and_y4m_are_the_frames() {
    for images in [frames(5, 68, 66), frames(5, 67, 65), colourful(3)] {
        let film = Film::of(images);
        let (width, height) = film.images[0].dimensions();
        let all: Vec<u8> = film.images.iter().flat_map(|image| image.as_raw().clone()).collect();
        assert_eq!(film.make("-", &["--format", "raw", "-q"]), (all.clone(), String::new()));
        assert_eq!(film.make("film.raw", &[]).0, all);

        let (bytes, message) = film.make("-", &["--format", "y4m", "--fps", "29.97"]);
        let (across, down) = (width.next_multiple_of(2), height.next_multiple_of(2));
        assert_eq!(message.contains("padded"), across > width, "{message}");
        let header =
            format!("YUV4MPEG2 W{across} H{down} F2997:100 Ip A1:1 C420jpeg XCOLORRANGE=LIMITED\n");
        let mut rest = bytes.strip_prefix(header.as_bytes()).unwrap();
        for image in &film.images {
            let pixel = |x: u32, y: u32| image.get_pixel(x.min(width - 1), y.min(height - 1));
            let planes = rest.strip_prefix(b"FRAME\n").unwrap();
            let (luma_plane, chromas) = planes.split_at((across * down) as usize);
            let (halves, quarter) = ((across / 2, down / 2), (across * down / 4) as usize);
            let places = (0..down).flat_map(|y| (0..across).map(move |x| (x, y)));
            for ((x, y), found) in places.zip(luma_plane) {
                let off = f64::from(*found) - luma(pixel(x, y), BT601);
                // Luma is rounded up from a fraction of 0.25 on, since ffmpeg truncates fractions.
                assert!((off - 0.25).abs() < 0.51, "luma at {x},{y}: {off}");
            }
            let places = (0..halves.1).flat_map(|y| (0..halves.0).map(move |x| (2 * x, 2 * y)));
            for (i, (x, y)) in places.enumerate() {
                let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(a, b)| pixel(x + a, y + b));
                for (plane, expected) in [0, quarter].into_iter().zip(chroma(four, BT601)) {
                    let off = f64::from(chromas[plane + i]) - expected;
                    assert!(off.abs() < 0.52, "chroma at {x},{y}: {off}");
                }
            }
            rest = &chromas[2 * quarter..];
        }
        assert!(rest.is_empty());
    }
}

/// Whether ffmpeg is available; if it is required, its absence is a failure.
pub(crate) fn has_ffmpeg() -> bool {
    let found = Command::new("ffmpeg").arg("-version").output().is_ok();
    assert!(found || std::env::var_os("CATENA_REQUIRE_FFMPEG").is_none(), "ffmpeg is missing");
    if !found {
        eprintln!("ffmpeg is not installed: a test of films is left out");
    }
    found
}

fn probe(path: &Path, entries: &str) -> String {
    let output = Command::new("ffprobe")
        .args(["-v", "error", "-count_frames", "-select_streams", "v:0", "-of", "csv=p=0"])
        .args(["-show_entries", &format!("stream={entries}")])
        .arg(format!("file:{}", path.display()))
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).trim().trim_end_matches(',').into()
}

#[test]
fn ffmpeg_makes_the_film_that_was_asked_for() {
    if !has_ffmpeg() {
        return;
    }
    let film = Film::of(frames(9, 67, 65));
    for name in ["film.mp4", "film.mov", "film.mkv"] {
        let (_, message) = film.make(name, &["--fps", "25", "--quality", "12"]);
        assert!(message.contains("67x65 are padded to 68x66"), "{message}");
        let path = film.folder.path().join(name);
        assert_eq!(
            probe(
                &path,
                "codec_name,width,height,pix_fmt,color_range,color_space,color_transfer,color_primaries,r_frame_rate,nb_read_frames"
            ),
            "h264,68,66,yuv420p,tv,bt709,bt709,bt709,25/1,9",
            "{name}"
        );
        let decoded = Command::new("ffmpeg")
            .args(["-v", "error", "-i"])
            .arg(&path)
            .args(["-f", "rawvideo", "-pix_fmt", "gray", "-"])
            .output()
            .unwrap();
        let planes: Vec<&[u8]> = decoded.stdout.chunks_exact(68 * 66).collect();
        assert_eq!(planes.len(), 9, "{}", String::from_utf8_lossy(&decoded.stderr));
        // ffmpeg expands grey to the full range.
        for (plane, image) in planes.iter().zip(&film.images) {
            let grey = |x: u32, y: u32| (luma(image.get_pixel(x, y), BT709) - 16.0) * 255.0 / 219.0;
            let places = (0..65).flat_map(|y| (0..67).map(move |x| (x, y)));
            let off =
                places.map(|(x, y)| (f64::from(plane[(y * 68 + x) as usize]) - grey(x, y)).abs());
            let mean = off.sum::<f64>() / (65.0 * 67.0);
            assert!(mean < 4.0, "{name}: {mean}");
        }
    }
    let (once, _) = film.make("once.mp4", &["--ffmpeg-threads", "1", "--preset", "ultrafast"]);
    let (twice, _) = film.make("again.mp4", &["--ffmpeg-threads", "1", "--preset", "ultrafast"]);
    assert!(once == twice, "one ffmpeg with one thread makes one film");
    let moov = |bytes: &[u8], name: &[u8]| bytes.windows(4).position(|four| four == name);
    assert!(moov(&once, b"moov") < moov(&once, b"mdat"), "a film can be shown while it is loaded");
}

#[test]
fn names_mean_nothing_to_ffmpeg() {
    if !has_ffmpeg() {
        return;
    }
    let mut names: Vec<std::ffi::OsString> =
        vec!["100%05d".into(), "-dash".into(), "a:b c'd".into(), "[x],;*".into()];
    #[cfg(target_os = "linux")]
    names.push(std::os::unix::ffi::OsStringExt::from_vec(b"not\xff\xfeutf8".to_vec()));
    for name in names {
        let folder = tempfile::tempdir().unwrap();
        let frames_folder = folder.path().join(&name).join(&name);
        render(&frames_folder, &frames(3, 64, 64));
        let mut film = name.clone();
        film.push(".mp4");
        let mut option = std::ffi::OsString::from("--output=");
        option.push(&film);
        catena()
            .current_dir(frames_folder.parent().unwrap())
            .args(["film", "--preset", "ultrafast"])
            .arg(option)
            .args(["--".as_ref(), name.as_os_str()])
            .assert()
            .success();
        assert!(frames_folder.with_file_name(film).is_file(), "{name:?}");
        assert_eq!(hidden(frames_folder.parent().unwrap()), Vec::<PathBuf>::new());
    }
}

#[test]
fn a_film_lasts_as_long_as_what_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    let film = |args: &[&str]| {
        let mut command = catena();
        let run =
            command.current_dir(&folder).args(args).args(["--format", "y4m"]).assert().success();
        let output = run.get_output();
        let head = output.stdout.split(|byte| *byte == b'\n').next().unwrap();
        let head = String::from_utf8_lossy(head).into_owned();
        let rate = head.split(' ').find_map(|word| word.strip_prefix('F')).unwrap().to_owned();
        (rate, String::from_utf8_lossy(&output.stderr).into_owned())
    };
    // The rate of all frames, and the rate of every fourth frame.
    for (frame_time, rate, fourth, note) in [
        ("0.016666667", "60:1", "15:1", ""),
        ("0.04", "25:1", "25:4", ""),
        // The scene's time is not meant as film time: no author of a scene intends one frame per
        // second.
        ("1.0", "30:1", "15:2", ""),
        (
            "0.005",
            "30:1",
            "50:1",
            "30 frames per second, but the scene 200, so it runs at 0.15 times",
        ),
    ] {
        let text = format!(
            "Scene(base: (size: (64, 64), decoration: Bare, frames: 2, rope: (nodes: 3), frame_time: {frame_time}))"
        );
        fs::write(folder.path().join("s.ron"), text).unwrap();
        let (found, message) = film(&["render", "s.ron", "--film", "-"]);
        assert_eq!(found, rate, "{frame_time}");
        let (found, _) = film(&["render", "s.ron", "--film", "-", "--every", "4"]);
        assert_eq!(found, fourth, "{frame_time}");
        let (_, slow) = film(&["render", "s.ron", "--film", "-", "--every", "4", "--fps", "2"]);
        let words = "frames per second, but the scene 25, of which the film shows one in 4, so it runs at 0.32 times";
        assert_eq!(slow.contains(words), frame_time == "0.04", "{slow}");
        assert!(
            message.contains(note) && message.contains("times the scene's") != note.is_empty(),
            "{message}"
        );
        // A folder of frames records its scene, and the changes to it.
        let set = format!("frame_time={frame_time}");
        let args = ["render", "s.ron", "--set", &set, "--no-steady", "--out", "frames", "-q"];
        catena().current_dir(&folder).args(args).assert().success();
        assert_eq!(film(&["film", "frames", "-o", "-"]).0, rate, "{frame_time}");
        let (found, message) = film(&["film", "frames", "-o", "-", "--fps", "10"]);
        assert_eq!(found, "10:1");
        assert_eq!(message.contains("times the scene's speed"), frame_time != "1.0", "{message}");
    }
}
