//! OpenEXR and WebP frames: their contents, read back, and the meaning of their numbers.

use crate::rendered::{Bench, TINY};
use catena::render::motion_blur::light_of;
use exr::prelude::{FlatSamples, ReadChannels, ReadLayers, read};
use std::{collections::BTreeMap, fs, path::Path};

/// A falling ball and a rope in the plane: two bodies that are easy to find.
const PLANE: &str = "Scene(base: (size: (64, 64), frames: 4, frame_time: 0.1, substeps: 4,
    decoration: Bare, view: (center: (0, 0), extent: (64, 64)), gravity: (0, -100),
    style: (line_width: 40, node_size: 40),
    rope: (start: (-20, 20), end: (-20, -20), nodes: 5, pins: [], stiffness: 10000),
    bodies: [(), (with: (rope: (start: (10, 0), end: (20, 0), nodes: 2, pins: [0, 1])))]))";

/// A horizontal rope at the height of the camera, seen along -z from a distance of 4.
const SPACE: &str = "Scene(base: (size: (64, 64), frames: 4, frame_time: 0.1, substeps: 4,
    decoration: Bare, camera: (eye: (0, 0, 4), field_of_view: 60), gravity: (0, 0, 0),
    rope: (start: (-0.5, 0, 0), end: (0.5, 0, 0), nodes: 5, pins: []),
    velocities: [(velocity: (0, 1, 0))], style: (thickness: 0.5, mark_pins: false)))";

type Channels = BTreeMap<String, Vec<f64>>;

/// Channels of a file, in double precision.
fn channels(path: &Path) -> ([usize; 2], Channels) {
    let layers = read().no_deep_data().largest_resolution_level().all_channels().all_layers();
    let image = layers.all_attributes().non_parallel().from_file(path).unwrap();
    assert_eq!(image.layer_data.len(), 1);
    let layer = &image.layer_data[0];
    let samples = |samples: &FlatSamples| match samples {
        FlatSamples::F32(all) => all.iter().map(|it| f64::from(*it)).collect(),
        FlatSamples::U32(all) => all.iter().map(|it| f64::from(*it)).collect::<Vec<_>>(),
        FlatSamples::F16(_) => panic!("16 bits"),
    };
    let list = layer.channel_data.list.iter();
    let all = list.map(|it| (it.name.to_string(), samples(&it.sample_data))).collect();
    ([layer.size.0, layer.size.1], all)
}

fn rendered(scene: &str, options: &[&str]) -> Bench {
    let bench = Bench::new(scene);
    bench.render("png", &[&["--no-steady"], options].concat(), 0);
    bench.render("exr", &[&["--no-steady", "--name", "f_##.exr"], options].concat(), 0);
    bench
}

#[test]
fn colours_are_the_light_of_the_png_file_times_alpha() {
    for background in ["background=\"white\"", "background=Transparent"] {
        let bench = rendered(PLANE, &["--set", background]);
        for frame in [0, 3] {
            let png = bench.path(format!("png/frame_{frame:05}.png"));
            let png = image::open(png).unwrap().into_rgba8();
            let (size, all) = channels(&bench.path(format!("exr/f_{frame:02}.exr")));
            assert_eq!(size, [64, 64]);
            for (index, pixel) in png.pixels().enumerate() {
                let alpha = f64::from(pixel.0[3]) / 255.0;
                assert!((all["A"][index] - alpha).abs() < 1e-7);
                for (k, name) in ["R", "G", "B"].into_iter().enumerate() {
                    let wanted = light_of(f64::from(pixel.0[k]) / 255.0) * alpha;
                    assert!((all[name][index] - wanted).abs() < 1e-6, "{name} {index}");
                }
            }
        }
    }
}

#[test]
fn data_in_the_plane_name_bodies_nodes_and_motion() {
    let bench = rendered(PLANE, &[]);
    let (_, all) = channels(&bench.path("exr/f_02.exr"));
    let names = [
        "A", "B", "G", "N.X", "N.Y", "N.Z", "R", "Z", "id.body", "id.node", "motion.X", "motion.Y",
    ];
    assert_eq!(all.keys().collect::<Vec<_>>(), names);
    // Pixel (x, y) shows the point (x - 31.5, 31.5 - y). After 0.2 s the rope has fallen by 2.
    let at = |name: &str, x: usize, y: usize| all[name][64 * y + x];
    for (x, y, body, node) in
        [(11, 14, 1.0, 0.0), (11, 34, 1.0, 2.0), (42, 31, 2.0, 0.0), (50, 31, 2.0, 1.0)]
    {
        assert_eq!([at("id.body", x, y), at("id.node", x, y)], [body, node], "{x}, {y}");
        assert_eq!([at("Z", x, y), at("N.Z", x, y)], [0.0, 1.0]);
        // Free fall from 0.1 s to 0.2 s, by the steps of semi-implicit Euler.
        let fall: f64 = (5..=8).map(|step| f64::from(step) * 100.0 * 0.025 * 0.025).sum();
        let motion = if body == 1.0 { fall } else { 0.0 };
        assert!((at("motion.Y", x, y) - motion).abs() < 1e-3, "{}", at("motion.Y", x, y));
        assert!(at("motion.X", x, y).abs() < 1e-3);
    }
    assert_eq!(
        [at("id.body", 0, 0), at("Z", 0, 0), at("N.Z", 0, 0)],
        [0.0, f64::from(1e10_f32), 0.0]
    );
    let (_, first) = channels(&bench.path("exr/f_00.exr"));
    assert!(first["motion.Y"].iter().all(|motion| *motion == 0.0));
}

#[test]
fn data_in_space_have_the_distance_the_normal_and_the_motion() {
    let bench = rendered(SPACE, &[]);
    let (_, all) = channels(&bench.path("exr/f_01.exr"));
    // After 0.1 s the axis is at y = 0.1. A tube of radius 0.25 is nearest at its middle.
    let focal = 32.0 / libm::tan(30.0_f64.to_radians());
    let (x, y) = (32, (32.0 - focal * 0.1 / 3.75) as usize);
    let at = |name: &str| all[name][64 * y + x];
    let up = (32.0 - (y as f64 + 0.5)) / focal;
    // The line of sight (0, up, -1) from (0, 0, 4) meets the circle around (0.1, 0) in y and z.
    let [a, b, c] = [up * up + 1.0, -2.0 * (0.1 * up + 4.0), 16.0 + 0.01 - 0.0625];
    let depth = (-b - (b * b - 4.0 * a * c).sqrt()) / (2.0 * a);
    assert!((at("Z") - depth).abs() < 0.02, "{} {depth}", at("Z"));
    let normal = [0.0, (up * depth - 0.1) / 0.25, (4.0 - depth) / 0.25];
    for (name, wanted) in ["N.X", "N.Y", "N.Z"].into_iter().zip(normal) {
        assert!((at(name) - wanted).abs() < 0.1, "{name}: {} {wanted}", at(name));
    }
    let length: f64 = ["N.X", "N.Y", "N.Z"].iter().map(|name| at(name) * at(name)).sum();
    assert!((length - 1.0).abs() < 1e-5);
    assert_eq!([at("id.body"), at("id.node")], [1.0, 2.0]);
    // Up by 0.1 at this depth.
    let motion = -0.1 * focal / depth;
    assert!((at("motion.Y") - motion).abs() < 0.01, "{} {motion}", at("motion.Y"));
    let covered = all["id.body"].iter().filter(|body| **body == 1.0).count();
    let opaque = all["Z"].iter().filter(|depth| **depth < 100.0).count();
    assert!(covered > 100 && covered == opaque);
}

/// A plate in front of the camera that slides to the right and rotates about the line of sight, by
/// a quarter turn per second.
const PLATE: &str = "Scene(base: (size: (64, 64), frames: 3, frame_time: 0.1, substeps: 4,
    decoration: Bare, camera: (eye: (0, 0, 4), projection: Orthographic, height: 4),
    gravity: (0, 0, 0), rope: (start: (-0.1, 5, 0), end: (0.1, 5, 0), nodes: 2, pins: [0, 1]),
    colliders: [Moving(
        of: Box(center: (0, 0, 0), size: (1.8, 1.8, 0.2)),
        along: Linear(keys: [(0, (0, 0, 0)), (1, (1, 0, 0))]),
        turn: [(0, 0), (1, 90)],
    )]))";

#[test]
fn data_in_space_have_the_motion_of_colliders() {
    let bench = rendered(PLATE, &[]);
    let (_, all) = channels(&bench.path("exr/f_01.exr"));
    // A pixel is 1/16 long. The plate's centre is at (0.1, 0); it was at (0, 0), with the plate
    // rotated by 9° less.
    let (sin, cos) = libm::sincos(9.0_f64.to_radians());
    let mut count = 0;
    for y in 0..64 {
        for x in 0..64 {
            let index = 64 * y + x;
            if all["Z"][index] > 100.0 {
                continue;
            }
            count += 1;
            let at = [(x as f64 - 31.5) / 16.0, (31.5 - y as f64) / 16.0];
            let from = [at[0] - 0.1, at[1]];
            let was = [cos * from[0] + sin * from[1], cos * from[1] - sin * from[0]];
            let moved = [at[0] - was[0], was[1] - at[1]].map(|side| 16.0 * side);
            for (name, wanted) in ["motion.X", "motion.Y"].into_iter().zip(moved) {
                let found = all[name][index];
                // Corners of triangles are rounded to a grid of 1/256 pixel.
                let off = 256.0 * (found - wanted).abs();
                assert!(off < 1.0, "{name} at {x}, {y}: {found}, {wanted}");
            }
        }
    }
    assert!((750..900).contains(&count), "{count} pixels of the plate");
}

/// A tube along x. A bone below its middle rotates it about the line of sight, by a quarter turn
/// per second. Only its collider is drawn.
const TUBE: &str = "Scene(base: (size: (64, 64), frames: 3, frame_time: 0.1, substeps: 4,
    decoration: Bare, camera: (eye: (0, 0, 4), projection: Orthographic, height: 4),
    gravity: (0, 0, 0), rope: (start: (-0.1, 5, 0), end: (0.1, 5, 0), nodes: 2, pins: [0, 1]),
    colliders: [Skin(friction: 0)],
    rig: (show: None, skin: Tube(radius: 0.4, sides: 32), bones: [
        (name: \"arm\", place: (-0.8, 0, 0), length: 1.6, turn: About(axis: (0, 0, 1), angle: [(0, 0), (1, 90)]))])))";

#[test]
fn data_in_space_have_the_motion_of_colliders_that_deform() {
    let bench = rendered(TUBE, &[]);
    let (_, all) = channels(&bench.path("exr/f_01.exr"));
    let (sin, cos) = libm::sincos(9.0_f64.to_radians());
    let mut count = 0;
    for y in 0..64 {
        for x in 0..64 {
            let index = 64 * y + x;
            if all["Z"][index] > 100.0 {
                continue;
            }
            count += 1;
            let at = [(x as f64 - 31.5) / 16.0, (31.5 - y as f64) / 16.0];
            // The bone rotates about its start.
            let from = [at[0] + 0.8, at[1]];
            let was = [cos * from[0] + sin * from[1] - 0.8, cos * from[1] - sin * from[0]];
            let moved = [at[0] - was[0], was[1] - at[1]].map(|side| 16.0 * side);
            for (name, wanted) in ["motion.X", "motion.Y"].into_iter().zip(moved) {
                let found = all[name][index];
                let off = 256.0 * (found - wanted).abs();
                assert!(off < 2.0, "{name} at {x}, {y}: {found}, {wanted}");
            }
        }
    }
    assert!(count > 300, "{count} pixels of the tube");
}

#[test]
fn bytes_do_not_depend_on_threads_parts_and_interruptions() {
    for ending in ["exr", "webp"] {
        let name = format!("f_##.{ending}");
        let bench = Bench::new(TINY);
        let options = ["--name", &name, "--frames", "12"];
        bench.render("one", &[&options[..], &["--threads", "1"]].concat(), 0);
        let one = bench.tree("one");
        assert_eq!(one.len(), 14);
        bench.render("two", &[&options[..], &["--threads", "2"]].concat(), 0);
        assert_eq!(bench.tree("two"), one);
        let part = ["--checkpoint-every", "2", "--no-steady", "--name", &name];
        bench.render("part", &[&part[..], &["--frame-range", "8-11"]].concat(), 0);
        bench.render("part", &[&part[..], &["--frame-range", "3-7"]].concat(), 0);
        for (file, hash) in bench.tree("part") {
            assert!(file == "manifest.json" || one[&file] == hash, "{file}");
        }
        // A truncated file under a recorded name is damaged, and any other file is foreign.
        let path = bench.path("one").join(format!("f_03.{ending}"));
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        let (drawn, notes) = bench.drawn("one", &options);
        assert_eq!(drawn, 1);
        assert!(notes.contains("was damaged and is rendered again"), "{notes}");
        assert_eq!(bench.tree("one"), one);
        let output = bench.run(["film", "one", "-o", "a.gif"]);
        assert_eq!(output.status.code(), Some(5));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            stderr.contains(&format!("contains .{ending} frames, but a film needs PNG")),
            "{stderr}"
        );
    }
}

#[test]
fn webp_has_the_pixels_of_png() {
    for background in ["background=\"white\"", "background=Transparent"] {
        let bench = Bench::new(PLANE);
        let options = ["--no-steady", "--set", background];
        bench.render("png", &options, 0);
        bench.render("webp", &[&options[..], &["--name", "f_####.webp"]].concat(), 0);
        for frame in 0..4 {
            let png = image::open(bench.path(format!("png/frame_{frame:05}.png"))).unwrap();
            let webp = image::open(bench.path(format!("webp/f_{frame:04}.webp"))).unwrap();
            assert_eq!(webp.color(), png.color());
            assert!(webp == png, "{background}, frame {frame}");
        }
    }
}
