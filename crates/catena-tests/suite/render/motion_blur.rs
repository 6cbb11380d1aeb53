//! Motion blur: a frame is the mean of pictures at several times, which are states of the
//! simulation.

use crate::rendered::Bench;
use catena::render::motion_blur::{light_of, nearest};
use image::RgbImage;
use std::path::Path;

/// A swinging rope and a moving ball in a fixed view.
const PLANE: &str =
    "Scene(base: (size: (96, 96), frames: FRAMES, frame_time: TIME, substeps: STEPS,
    decoration: Bare, fit: Reach, view: (center: (-100, 0), extent: (500, 500)),
    gravity: (0, -900), velocities: [(velocity: (0, -900))], MORE
    colliders: [Moving(of: Sphere(center: (-300, -100), radius: 40),
        along: Linear(keys: [(0, (0, 0)), (1, (400, 0))]))],
    rope: (nodes: 5, stiffness: 40000)))";

/// A rope in space with a circling camera.
const SPACE: &str =
    "Scene(base: (size: (96, 96), frames: FRAMES, frame_time: TIME, substeps: STEPS,
    decoration: Bare, camera: (eye: (0, 1, 4), turntable: 3), ground: (height: -2, size: 9),
    gravity: (0, -9, 0), velocities: [(velocity: (0, -3, 1))], MORE
    rope: (start: (0, 1, 0), end: (1, 1, 0.5), nodes: 5, stiffness: 4000),
    style: (thickness: 0.1)))";

fn scene(text: &str, frames: u32, time: f64, steps: u32, more: &str) -> String {
    let text = text.replace("FRAMES", &frames.to_string()).replace("TIME", &time.to_string());
    text.replace("STEPS", &steps.to_string()).replace("MORE", more)
}

fn picture(folder: &Path, name: &str) -> RgbImage {
    image::open(folder.join(name)).unwrap().into_rgb8()
}

/// Linear light of the channels of a picture.
fn light(picture: &RgbImage) -> Vec<f64> {
    picture.as_raw().iter().map(|value| light_of(f64::from(*value) / 255.0)).collect()
}

/// Mean of pictures in linear light.
fn mean(pictures: &[RgbImage]) -> Vec<f64> {
    let mut sum = vec![0.0; pictures[0].as_raw().len()];
    for picture in pictures {
        sum.iter_mut().zip(light(picture)).for_each(|(sum, light)| *sum += light);
    }
    sum.into_iter().map(|sum| sum / pictures.len() as f64).collect()
}

fn rendered(text: &str, options: &[&str]) -> Bench {
    let bench = Bench::new(text);
    bench.render("out", &[&["--no-steady"], options].concat(), 0);
    bench
}

#[test]
fn moments_are_256_frames_between_two_frames() {
    for text in [PLANE, SPACE] {
        let (count, time) = (256, 0.0625);
        // Every second of 512 frames is a sample of one blurred frame.
        let fine = rendered(&scene(text, 2 * count + 1, time / 512.0, 1, ""), &[]);
        let frame = |at: u32| picture(&fine.path("out"), &format!("frame_{at:05}.png"));
        let frames: Vec<RgbImage> = (0..count).map(|at| frame(2 * at + 1)).collect();
        let wanted = mean(&frames);
        let moved = frames[0].as_raw().iter().zip(frames[255].as_raw()).filter(|(a, b)| a != b);
        assert!(moved.count() > 300, "the scene hardly moves");
        for (samples, maximum, usual) in [(256, 2e-5, 2e-5), (16, 0.03, 5e-4)] {
            let more = format!("motion_blur: (samples: {samples}, shutter: 360),");
            let blurred = rendered(&scene(text, 2, time, 512, &more), &[]);
            let found = picture(&blurred.path("out"), "frame_00001.png");
            // Light has 16 bits, and each value is rounded to the nearest amount.
            let all: Vec<f64> =
                (0..=255_u8).map(|value| light_of(f64::from(value) / 255.0)).collect();
            let off = |(value, wanted): (&u8, &f64)| {
                let far = all.iter().map(|light| (light - wanted).abs());
                (all[usize::from(*value)] - wanted).abs() - far.fold(f64::INFINITY, f64::min)
            };
            let off: Vec<f64> = found.as_raw().iter().zip(&wanted).map(off).collect();
            let greatest = off.iter().copied().fold(0.0, f64::max);
            let on_average = off.iter().sum::<f64>() / off.len() as f64;
            assert!(greatest <= maximum, "{samples} moments: off by {greatest}");
            assert!(on_average <= usual, "{samples} moments: off by {on_average} on average");
        }
    }
}

#[test]
fn blur_is_off_by_default_and_changes_no_state() {
    let text = |more: &str| scene(PLANE, 6, 0.0625, 16, more);
    let sharp = rendered(&text(""), &[]);
    let hashes = |bench: &Bench| {
        let manifest = std::fs::read_to_string(bench.path("out").join("manifest.json")).unwrap();
        let lines = manifest.lines().filter(|line| line.contains("state_sha256"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let frames = |bench: &Bench| {
        let mut tree = bench.tree("out");
        tree.remove("manifest.json").unwrap();
        tree
    };
    let one = rendered(&text("motion_blur: (samples: 1),"), &[]);
    assert_eq!(frames(&one), frames(&sharp), "one moment is no blur");
    let blurred = rendered(&text("motion_blur: (samples: 8),"), &[]);
    assert_eq!(hashes(&blurred), hashes(&sharp));
    let (a, b) = (frames(&blurred), frames(&sharp));
    assert_eq!(a["frame_00000.png"], b["frame_00000.png"], "nothing is before frame 0");
    assert!((1..6).all(|at| a[&format!("frame_{at:05}.png")] != b[&format!("frame_{at:05}.png")]));
    // Parts, checkpoints and films give equal frames.
    let options = ["--checkpoint-every", "1"];
    let parts =
        rendered(&text("motion_blur: (samples: 8),"), &[&options[..], &["--frames", "4"]].concat());
    parts.render(
        "out",
        &[&["--no-steady", "--frame-range", "4-"], &options[..1], &["1"]].concat(),
        0,
    );
    assert_eq!(frames(&parts), a);
    let film = |args: &[&str]| {
        let output = blurred.run(args);
        assert!(output.status.success(), "{output:?}");
        std::fs::read(blurred.path("a.raw")).unwrap()
    };
    let straight = film(&["render", "scene.ron", "--film", "a.raw", "--fps", "16"]);
    assert!(straight == film(&["film", "out", "-o", "a.raw", "--fps", "16"]));
}

#[test]
fn transparent_frames_are_blurred_too() {
    let more = "background: Transparent, motion_blur: (samples: 8),";
    let clear = rendered(&scene(PLANE, 3, 0.0625, 16, more), &[]);
    let sharp = rendered(&scene(PLANE, 3, 0.0625, 16, "background: Transparent,"), &[]);
    let partly = |bench: &Bench| {
        let image = image::open(bench.path("out").join("frame_00002.png")).unwrap().into_rgba8();
        image.pixels().filter(|pixel| (1..255).contains(&pixel.0[3])).count()
    };
    assert!(partly(&clear) > 2 * partly(&sharp), "{} {}", partly(&clear), partly(&sharp));
}

#[test]
fn settings_out_of_range_are_refused() {
    let bench = Bench::new(&scene(PLANE, 2, 0.1, 8, ""));
    for (set, wanted) in [
        ("motion_blur=(samples: 0)", "from 1 to 1024"),
        ("motion_blur=(shutter: 400)", "longer than a frame"),
        ("motion_blur=(shutter: 0)", "above 0"),
        ("motion_blur=(angle: 90)", "motion_blur"),
    ] {
        let message = bench.render("out", &["--set", set], 3);
        assert!(message.contains(wanted), "{set}: {message}");
    }
}

#[test]
fn values_come_back_and_means_lie_between() {
    let light = |value: u8| (65_535.0 * light_of(f64::from(value) / 255.0)).round() as u16;
    for value in 0..=255_u8 {
        assert_eq!(nearest(light(value)), value);
    }
    let half = (u32::from(light(0)) + u32::from(light(255))) / 2;
    assert_eq!(nearest(half as u16), 188, "half of the light of white");
}
