//! Morph targets: displacements of points and normals, weights, clips and layers.

use super::document::{Document, arm};
use super::{playing, read_alone};
use catena::job::draw;
use catena::scene::{Scene, SceneText, load};
use catena::sim::glam::DVec3;
use image::RgbImage;
use serde_json::{Value, json};
use std::fs;

const PRIMITIVE: &str = "/meshes/0/primitives/0";

/// The square of the arm with two targets: to the right by 1, and the upper edge up by 1.
fn morphed() -> Document {
    let mut arm = arm();
    let right = arm.accessor(&[[1.0_f32, 0.0, 0.0]; 4]);
    let up = arm.accessor(&[[0.0_f32; 3], [0.0; 3], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]);
    // The first target tilts normals from z towards x.
    let tilt = arm.accessor(&[[1.0_f32, 0.0, 0.0]; 4]);
    arm.with(
        &format!("{PRIMITIVE}/targets"),
        json!([{"POSITION": right, "NORMAL": tilt}, {"POSITION": up}]),
    )
    .with("/meshes/0/weights", json!([0.25, 0.5]))
    .with("/animations", json!([]))
}

/// The document with a clip of both weights, at times 0 and 1.
fn animated(interpolation: &str, values: &[[f32; 1]]) -> Document {
    let mut document = morphed();
    let times = document.accessor(&[[0.0_f32], [1.0]]);
    let values = document.accessor(values);
    let sampler = json!({"input": times, "output": values, "interpolation": interpolation});
    let channel = json!({"sampler": 0, "target": {"node": 0, "path": "weights"}});
    document.with("/animations", json!([{"samplers": [sampler], "channels": [channel]}]))
}

/// Weights of the square at some times.
fn weights(document: &Document, times: &[f64]) -> Vec<Vec<(f64, f64)>> {
    let figure = read_alone(&document.embedded()).unwrap();
    let rest = figure.meshes[0].morphs.as_ref().unwrap().weights.clone();
    let animation = playing(&figure);
    times.iter().map(|t| animation.morph_weights(0, &rest, *t)).collect()
}

#[test]
fn weights_are_those_of_clips_nodes_and_meshes() {
    let still = |document: &Document| weights(document, &[0.7])[0].clone();
    assert_eq!(still(&morphed()), [(0.25, 0.0), (0.5, 0.0)]);
    let of_node = morphed().with("/nodes/0/weights", json!([1.0, 0.0]));
    assert_eq!(still(&of_node), [(1.0, 0.0), (0.0, 0.0)]);
    assert_eq!(still(&morphed().with("/meshes/0/weights", Value::Null)), [(0.0, 0.0); 2]);
    let linear = animated("LINEAR", &[[0.0], [1.0], [1.0], [0.5]]);
    assert_eq!(
        weights(&linear, &[0.0, 0.5]),
        [[(0.0, 1.0), (1.0, -0.5)], [(0.5, 1.0), (0.75, -0.5)]]
    );
    let step = animated("STEP", &[[0.0], [1.0], [1.0], [0.5]]);
    assert_eq!(weights(&step, &[0.9]), [[(0.0, 0.0), (1.0, 0.0)]]);
    // Arriving tangents, values and leaving tangents of both targets, for each key.
    let key = |at: [f32; 2]| [[0.0], [0.0], [at[0]], [at[1]], [0.0], [0.0]];
    let spline = animated("CUBICSPLINE", &[key([0.0, 1.0]), key([1.0, 0.0])].concat());
    assert_eq!(weights(&spline, &[0.5]), [[(0.5, 1.5), (0.5, -1.5)]]);
}

/// A scene that shows the file in front of black, from the front.
fn scene(document: &Document, more: &str) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("arm.gltf"), document.embedded()).unwrap();
    let view = "gravity: (0, 0, 0), background: \"#000000\", camera: (eye: (0, 1, 5),
        target: (0, 1, 0), projection: Orthographic, height: 4)";
    let text = format!(
        "(base: (size: (96, 96), frames: 31, frame_time: 0.03333333333333333, decoration: Bare,
         rig: (file: \"arm.gltf\", color: \"white\", {more}), {view}))"
    );
    let origin = folder.path().join("scene.ron").display().to_string();
    load(&SceneText { origin, name: "arm".into(), text }, &[]).unwrap()
}

/// Bounds of the visible pixels: left, right, top and bottom.
fn shown(picture: &RgbImage) -> [u32; 4] {
    let lit = picture.enumerate_pixels().filter(|(.., pixel)| pixel.0.iter().any(|it| *it > 60));
    lit.fold([u32::MAX, 0, u32::MAX, 0], |[l, r, t, b], (x, y, _)| {
        [l.min(x), r.max(x), t.min(y), b.max(y)]
    })
}

#[test]
fn a_morphed_mesh_is_drawn_and_moves() {
    let still = animated("STEP", &[[0.0], [0.0], [0.0], [0.0]]);
    // The square is 24 pixels wide and 48 high around the middle of its lower half.
    assert_eq!(shown(&draw(&scene(&still, ""), 0).unwrap()), [36, 59, 24, 71]);
    // After half a second: to the right by 0.5, and the upper edge up by 0.75 instead of 1.
    let moving = animated("LINEAR", &[[0.0], [0.0], [1.0], [1.0]]);
    let moving = scene(&moving, "layers: [(clip: \"animation 0\", repeat: Once)]");
    assert_eq!(shown(&draw(&moving, 15).unwrap()), [48, 71, 12, 71]);
    assert_eq!(shown(&draw(&moving, 30).unwrap()), [60, 83, 0, 71]);
    // Half the weight of the layer, blended with the rest weights, 0.25 and 0.5.
    let half = animated("LINEAR", &[[0.0], [0.0], [1.0], [1.0]]);
    let half = scene(&half, "layers: [(clip: \"animation 0\", repeat: Once, weight: 0.5)]");
    assert_eq!(shown(&draw(&half, 30).unwrap()), [51, 74, 6, 71]);
}

#[test]
fn normals_follow_the_targets_or_the_triangles() {
    let normal = |document: &Document| {
        let built = scene(document, "");
        let rig = &built.panels[0].bodies[0].rig.as_ref().unwrap().rig;
        rig.at(0.0).skins[0].normals[3]
    };
    let tilted = morphed().with("/nodes/0/weights", json!([1.0, 0.0]));
    let diagonal = DVec3::new(1.0, 0.0, 1.0).normalize();
    assert!((normal(&tilted) - diagonal).length() < 1e-12, "{}", normal(&tilted));
    // Without normals, the normals come from the square, whose upper edge moves towards the viewer.
    let mut bent = morphed().with("/nodes/0/weights", json!([0.0, 1.0]));
    let forward = bent.accessor(&[[0.0_f32; 3], [0.0; 3], [0.0, 0.0, 2.0], [0.0, 0.0, 2.0]]);
    let bent = bent
        .with(&format!("{PRIMITIVE}/targets/1/POSITION"), forward.into())
        .with(&format!("{PRIMITIVE}/attributes/NORMAL"), Value::Null);
    let slanted = DVec3::new(0.0, -1.0, 1.0).normalize();
    assert!((normal(&bent) - slanted).length() < 1e-12, "{}", normal(&bent));
}

#[test]
fn wrong_targets_are_refused() {
    let mut short = morphed();
    let three = short.accessor(&[[0.0_f32; 3]; 3]);
    let short = short.with(&format!("{PRIMITIVE}/targets/1/POSITION"), three.into());
    for (document, expected) in [
        (
            morphed().with("/meshes/0/weights", json!([1.0])),
            "meshes[0].weights: 1 weights, but there are 2 morph targets",
        ),
        (
            morphed().with("/nodes/0/weights", json!([1.0, 0.0, 0.0])),
            "nodes[0].weights: 3 weights, but there are 2 morph targets",
        ),
        (short, "meshes[0].primitives[0].targets[1].POSITION: "),
        (animated("LINEAR", &[[0.0]; 3]), "animations[0].samplers[0].output: "),
    ] {
        let error = read_alone(&document.embedded()).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}
