//! Light, backgrounds, grounds and colliders of scenes in space, as set by scenes.

use crate::scene_of;
use catena::render::{Painter, PanelRun, text::Font, theme::Theme};
use catena::scene::{Scene, SceneText, load};
use image::RgbImage;

/// A scene without decoration: a rope above a white ground, with black shadows.
fn bare(more: &str) -> Scene {
    scene_of(&format!(
        "Scene(base: (
            size: (320, 240), decoration: Bare, gravity: (0, -1, 0), camera: (eye: (0, 0.5, 4)),
            style: (node_size: 1, color: \"red\", thickness: 0.2),
            ground: (height: -1, size: 9, near: \"white\", far: \"white\", shadow: \"black\"),
            rope: (start: (-0.6, 0, 0), end: (0.6, 0, 0), nodes: 5), {more}
        ))"
    ))
}

fn picture(scene: &Scene) -> RgbImage {
    let painter = Painter::new(scene, Font::built_in().unwrap()).unwrap();
    let frames: Vec<_> =
        scene.panels.iter().map(|panel| PanelRun::new(panel).current().clone()).collect();
    let mut canvas = painter.canvas();
    painter.draw(&mut canvas, &frames);
    canvas.into_image()
}

/// Mean column of the almost black pixels.
fn shade(image: &RgbImage) -> Option<f64> {
    let dark = image.enumerate_pixels().filter(|(_, _, pixel)| pixel.0.iter().all(|c| *c < 40));
    let columns: Vec<f64> = dark.map(|(x, _, _)| f64::from(x)).collect();
    (!columns.is_empty()).then(|| columns.iter().sum::<f64>() / columns.len() as f64)
}

#[test]
fn shadows_fall_away_from_the_direction_to_the_sun() {
    let column = |light: &str| shade(&picture(&bare(light))).unwrap();
    let usual = column("");
    assert!(usual < 150.0, "the sun is on the right: {usual}");
    let same = column("light: (direction: (0.8, 2, 1.2))");
    assert!((usual - same).abs() < 0.1, "the length does not count: {usual} {same}");
    let left = column("light: (direction: (-0.4, 1, 0.6))");
    assert!((left - (320.0 - usual)).abs() < 4.0, "{usual} {left}");
}

#[test]
fn the_strength_and_colour_of_light_change_surfaces() {
    let body = |light: &str| -> [u64; 3] {
        let text = "Scene(base: (size: (160, 120), decoration: Bare, background: \"black\",
            gravity: (0, -1, 0), camera: (eye: (0, 0.5, 4)),
            style: (node_size: 1, color: \"#808080\", thickness: 0.4),
            rope: (start: (-0.6, 0, 0), end: (0.6, 0, 0), nodes: 3), light: (LIGHT)))";
        let image = picture(&scene_of(&text.replace("LIGHT", light)));
        [0, 1, 2].map(|k| image.pixels().map(|pixel| u64::from(pixel.0[k])).sum())
    };
    let usual = body("");
    let is_more = |a: u64, b: u64| 20 * a > 21 * b;
    assert!(is_more(body("sun: 1.5")[1], usual[1]) && is_more(body("sky: 1.5")[1], usual[1]));
    assert!(is_more(usual[1], body("sun: 0")[1]) && is_more(usual[1], body("sky: 0")[1]));
    let warm = body("color: \"#ff8000\"");
    assert!(warm[0] == usual[0] && is_more(usual[1], warm[1]) && is_more(warm[1], warm[2]));
}

#[test]
fn a_gradient_goes_from_its_top_to_its_bottom_and_a_colour_stays() {
    let rows = |background: &str| -> Vec<[u8; 3]> {
        let scene = scene_of(&format!(
            "Scene(base: (size: (64, 256), decoration: Bare, gravity: (0, -1, 0), {background}
                camera: (eye: (0, 0, 4)), rope: (start: (9, 0, 0), end: (9, 1, 0), nodes: 2)))"
        ));
        let image = picture(&scene);
        (0..256).map(|y| image.get_pixel(3, y).0).collect()
    };
    let all = rows("background: Gradient(top: \"#000080\", bottom: \"#ff0080\"),");
    for (y, row) in (0_u8..=255).zip(&all) {
        assert!(row[0].abs_diff(y) <= 1 && row[1] == 0 && row[2] == 128, "{y}: {row:?}");
    }
    assert!(rows("background: \"#123456\",").iter().all(|row| *row == [0x12, 0x34, 0x56]));
    let soft = rows("");
    assert!(soft[0] != soft[255] && soft.windows(2).all(|two| two[0][0] <= two[1][0]), "{soft:?}");
    let dark = Theme::of(&scene_of(
        "Scene(base: (background: \"#101418\", gravity: (0, -1, 0), rope: (start: (0, 0, 0), end: (1, 0, 0))))",
    ));
    let [top, bottom] = dark.backdrop.unwrap();
    assert!(top.0 == dark.panel.0 && bottom.0[0] > top.0[0] && bottom.0[0] < 80, "{dark:?}");
}

#[test]
fn colliders_have_the_colour_of_their_body_in_space_and_in_the_plane() {
    for scene in [
        "gravity: (0, -1, 0), camera: (eye: (0, 0, 4)),
         colliders: [Sphere(center: (0, -1, 0), radius: 0.7)],
         rope: (start: (-1, 1, 0), end: (1, 1, 0), nodes: 5)",
        "view: (center: (0, 0), extent: (4, 3)),
         colliders: [Sphere(center: (0, -1), radius: 0.7)],
         rope: (start: (-1, 1), end: (1, 1), nodes: 5)",
    ] {
        let green = |style: &str| {
            let text = format!("Scene(base: (size: (320, 240), {style} {scene}))");
            let image = picture(&scene_of(&text));
            let is_green = |pixel: &&image::Rgb<u8>| {
                let [r, g, b] = pixel.0;
                g > 90 && g / 2 > r && g / 2 > b
            };
            image.pixels().filter(is_green).count()
        };
        assert_eq!(green(""), 0, "{scene}");
        let count = green("style: (collider_color: \"#20c040\"),");
        assert!(count > 1000, "{scene}: {count}");
    }
}

/// Colliders, a style, and whether green and red are visible.
const PAINTED: [(&str, &str, [bool; 2]); 6] = [
    ("BALL, Painted(of: OTHER)", "", [false, false]),
    ("Painted(of: BALL, color: \"#20c040\"), OTHER", "", [true, false]),
    (
        "Painted(of: BALL, color: \"#20c040\"), Painted(of: OTHER, color: \"#d02020\")",
        "",
        [true, true],
    ),
    ("Painted(of: BALL, color: \"#20c040\"), OTHER", "collider_color: \"#d02020\"", [true, true]),
    ("Painted(of: BALL, gloss: 0), OTHER", "collider_color: \"#d02020\"", [false, true]),
    (
        "OnBone(bone: \"arm\", of: BALL, color: \"#20c040\"), Painted(of: OTHER, color: \"#d02020\")",
        "",
        [true, true],
    ),
];

#[test]
fn a_collider_may_have_a_colour_of_its_own_in_space_and_in_the_plane() {
    for (place, scene) in [
        (
            ["-0.8, 0, 0", "0.8, 0, 0"],
            "gravity: (0, -1, 0), camera: (eye: (0, 0, 5)), rope: (start: (-1, 2, 0), end: (1, 2, 0))",
        ),
        (
            ["-0.8, 0", "0.8, 0"],
            "view: (center: (0, 0), extent: (4, 3)), rope: (start: (-1, 2), end: (1, 2))",
        ),
    ] {
        let zero = if scene.contains("camera") { "(0, 0, 0)" } else { "(0, 0)" };
        for (colliders, style, expected) in PAINTED {
            let [ball, other] = place.map(|at| format!("Sphere(center: ({at}), radius: 0.5)"));
            let colliders = colliders.replace("BALL", &ball).replace("OTHER", &other);
            let text = format!(
                "Scene(base: (size: (320, 240), {scene}, colliders: [{colliders}], style: ({style}),
                    rig: (bones: [(name: \"arm\", place: {zero})])))"
            );
            let image = picture(&scene_of(&text));
            let found = [1, 0].map(|main| {
                let is_main = |pixel: &&image::Rgb<u8>| {
                    (0..3).all(|k| k == main || pixel.0[main] / 2 > pixel.0[k])
                };
                image.pixels().filter(is_main).count() > 300
            });
            assert_eq!(found, expected, "{text}");
        }
    }
}

#[test]
fn wrong_lights_and_gradients_are_refused_at_their_place() {
    let space = "gravity: (0, -1, 0), rope: (start: (0, 0, 0), end: (1, 0, 0))";
    for (settings, place, expected) in [
        (format!("{space}, light: (direction: (0, 0, 0))"), "direction", "length above 0"),
        (format!("{space}, light: (softness: 30)"), "softness", "greater than the maximum of 20"),
        (format!("{space}, light: (sun: -1)"), "sun", "at least 0"),
        ("light: (sun: 2)".into(), "light", "three-dimensional"),
        (
            "background: Gradient(top: \"red\", bottom: \"blue\")".into(),
            "background",
            "a gradient is for three-dimensional scenes",
        ),
        (format!("{space}, background: Gradient(top: \"red\")"), "background", "`bottom`"),
        (format!("{space}, background: Gradient"), "background", "`top` and `bottom`"),
        (
            format!("{space}, background: Gradient(top: red, bottom: \"blue\")"),
            "background",
            "expected text in quotes",
        ),
    ] {
        let text = SceneText {
            origin: "scene.ron".into(),
            name: "scene".into(),
            text: format!("(base: ({settings}))"),
        };
        let error = load(&text, &[]).unwrap_err().to_string();
        assert!(error.contains(expected), "{settings}: {error}");
        let column = error.strip_prefix("scene.ron:1:").and_then(|rest| rest.split(':').next());
        let column: usize = column.and_then(|column| column.parse().ok()).unwrap_or(0);
        // The message points at the field, or at a part of its value.
        let field = format!("(base: ({settings}))").find(&format!("{place}:")).unwrap();
        assert!(column > field, "{settings}: {error}");
    }
}
