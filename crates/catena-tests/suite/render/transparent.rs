//! Frames without a background: composited over a colour, they equal the frames with this
//! background.

use crate::catena;
use catena::render::matte::translucent;
use image::{Rgb, RgbImage};
use std::{fs, path::Path};

const SCENES: [(&str, &str); 3] = [
    (
        "plane",
        "Scene(base: (size: (320, 240), decoration: Bare, BACKGROUND
            colliders: [Plane(point: (0, 60), normal: (0.1, 1))],
            style: (ghosts: 3, trails: [Last]),
            rope: (nodes: 9, end: (-200, 200))))",
    ),
    (
        "labels",
        "Scene(title: \"A title\", base: (size: (480, 320), BACKGROUND rope: (nodes: 5)),
            panels: [(label: \"one\"), (with: (integrator: ExplicitEuler))])",
    ),
    (
        "space",
        "Scene(base: (size: (320, 240), decoration: Bare, BACKGROUND
            ground: (height: -1.5, size: 20),
            rope: (start: (0, 1, 0), end: (1, 1, 0.5), nodes: 9), style: (thickness: 0.1)))",
    ),
];

fn frame(folder: &Path, name: &str, scene: &str, background: &str) -> image::DynamicImage {
    let file = folder.join(format!("{name}.ron"));
    fs::write(&file, scene.replace("BACKGROUND", background)).unwrap();
    let out = folder.join(name);
    catena()
        .args(["render".as_ref(), file.as_os_str(), "--no-steady".as_ref(), "-q".as_ref()])
        .args(["--frames", "12", "--out"])
        .arg(&out)
        .assert()
        .success();
    image::open(out.join("frame_00011.png")).unwrap()
}

/// The light colour that `Transparent` implies in pictures without a page of another colour.
const LIGHT: [u8; 3] = [0xf4, 0xf5, 0xf7];

#[test]
fn transparent_frames_over_their_background_are_opaque_frames() {
    let folder = tempfile::tempdir().unwrap();
    for (name, scene) in SCENES {
        let opaque = frame(folder.path(), name, scene, "").into_rgb8();
        let clear = frame(folder.path(), name, scene, "background: Transparent,");
        assert!(clear.color().has_alpha(), "{name}");
        let clear = clear.into_rgba8();
        let count = |test: fn(u8) -> bool| clear.pixels().filter(|pixel| test(pixel.0[3])).count();
        let all = clear.pixels().len();
        let (nothing, something) = (count(|alpha| alpha == 0), count(|alpha| alpha == 255));
        let partly = all - nothing - something;
        assert!(something > 10 && partly > 50, "{name}: {something} opaque, {partly} partly");
        assert!(nothing > all / 2, "{name}: {nothing} of {all}");
        // Panels are lighter than the page, which a transparent picture cannot represent. In space
        // there is no ground.
        if name != "plane" {
            continue;
        }
        let over = RgbImage::from_fn(clear.width(), clear.height(), |x, y| {
            let [r, g, b, alpha] = clear.get_pixel(x, y).0.map(u32::from);
            let mix = |top: u32, below: u8| {
                ((top * alpha + u32::from(below) * (255 - alpha) + 127) / 255) as u8
            };
            Rgb([mix(r, LIGHT[0]), mix(g, LIGHT[1]), mix(b, LIGHT[2])])
        });
        let off = over.as_raw().iter().zip(opaque.as_raw()).map(|(a, b)| a.abs_diff(*b));
        let off = off.max().unwrap();
        assert!(off <= 2, "{name}: off by {off}");
    }
}

#[test]
fn a_transparent_ground_shows_only_shadows() {
    let folder = tempfile::tempdir().unwrap();
    let scene = SCENES[2].1;
    let clear = frame(folder.path(), "clear", scene, "background: Transparent,").into_rgba8();
    let white = "background: \"white\",";
    let alone = scene.replace("ground: (height: -1.5, size: 20),", "");
    let alone = frame(folder.path(), "alone", &alone, white).into_rgb8();
    let mut shaded = 0;
    for (clear, alone) in clear.pixels().zip(alone.pixels()) {
        let [r, g, b, alpha] = clear.0;
        if alone.0 == [255; 3] && alpha > 0 {
            assert!([r, g, b] == [0; 3] && alpha <= 72, "{clear:?} is no shadow");
            shaded += 1;
        }
    }
    assert!(shaded > 100, "{shaded} pixels in shade");
}

#[test]
fn backgrounds_are_colours_or_transparent() {
    let folder = tempfile::tempdir().unwrap();
    let scene = SCENES[0].1;
    let half = frame(folder.path(), "half", scene, "background: \"#20304080\",").into_rgba8();
    assert_eq!(half.get_pixel(2, 2).0, [0x20, 0x30, 0x40, 0x80]);
    let file = folder.path().join("wrong.ron");
    for (text, help) in [
        ("background: transparent,", "write Transparent"),
        ("background: \"Transparentt\",", "write Transparent"),
        ("background: navy,", "\"navy\""),
    ] {
        fs::write(&file, scene.replace("BACKGROUND", text)).unwrap();
        let run = catena().args(["check".as_ref(), file.as_os_str()]).assert().code(3);
        let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(stderr.contains(help), "{text}: {stderr}");
    }
}

/// Blends a colour over a backdrop, rounded to the nearest value.
fn over(color: u8, alpha: u8, backdrop: u8) -> u8 {
    let [color, alpha, backdrop] = [color, alpha, backdrop].map(u32::from);
    ((color * alpha + backdrop * (255 - alpha) + 127) / 255) as u8
}

#[test]
fn pixels_over_black_and_white_come_back() {
    for alpha in 0..=255_u8 {
        for base in (0..=255_u8).step_by(5) {
            let color = [base, 255 - base, base / 2];
            let on = |backdrop: u8| {
                let over = color.map(|channel| over(channel, alpha, backdrop));
                RgbImage::from_pixel(1, 1, Rgb(over))
            };
            let (black, white) = (on(0), on(255));
            let [r, g, b, found] = translucent(&black, &white).get_pixel(0, 0).0;
            assert!(found.abs_diff(alpha) <= 1, "{color:?} {alpha}: {found}");
            for (channel, k) in [r, g, b].into_iter().zip(0..) {
                assert_eq!(over(channel, found, 0), black.as_raw()[k], "{color:?} {alpha}");
                let on_white = white.as_raw()[k];
                assert!(over(channel, found, 255).abs_diff(on_white) <= 1, "{color:?} {alpha}");
            }
        }
    }
}
