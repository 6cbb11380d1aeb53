//! Cameras that move: each frame is the picture of a camera that stands where the moving one is.

use crate::scene_of;
use catena::job::draw;

const SPACE: &str =
    "size: (320, 240), frames: 4, gravity: (0, -1, 0), ground: (height: -1, size: 6),
    colliders: [Sphere(center: (0, -0.8, 0), radius: 0.2)], substeps: 32,
    rope: (start: (-1, 0, 0), end: (1, 0, 0), nodes: 9, stiffness: 10, mass: 0.1)";

fn picture(camera: &str, frame: u64) -> image::RgbImage {
    draw(&scene_of(&format!("Scene(base: ({SPACE}, camera: ({camera})))")), frame).unwrap()
}

#[test]
fn frames_are_seen_from_where_the_camera_is() {
    let eye = "eye: Linear(keys: [(0, (0, 0, 4)), (2, (4, 0, 4))])";
    for (frame, standing) in [(0, "(0, 0, 4)"), (1, "(2, 0, 4)"), (2, "(4, 0, 4)")] {
        assert!(picture(eye, frame) == picture(&format!("eye: {standing}"), frame), "{frame}");
    }
    let target = "eye: (0, 0, 4), target: Linear(keys: [(0, (0, 0, 0)), (2, (1, -1, 0))])";
    assert!(picture(target, 1) == picture("eye: (0, 0, 4), target: (0.5, -0.5, 0)", 1));
    assert!(picture(target, 1) != picture("eye: (0, 0, 4)", 1));
}

#[test]
fn a_turntable_leads_the_camera_around_its_target() {
    let scene = scene_of(&format!(
        "Scene(base: ({SPACE}, camera: (eye: (1, 2, 4), target: (1, 0, 0), turntable: 8)))"
    ));
    let panel = &scene.panels[0];
    for (t, expected) in [
        (0.0, [1.0, 2.0, 4.0]),
        (2.0, [5.0, 2.0, 0.0]),
        (4.0, [1.0, 2.0, -4.0]),
        (6.0, [-3.0, 2.0, 0.0]),
        (8.0, [1.0, 2.0, 4.0]),
    ] {
        let eye = panel.viewpoint_at(t).unwrap().eye;
        assert!((0..3).all(|axis| (eye[axis] - expected[axis]).abs() < 1e-12), "{t}: {eye:?}");
    }
}

#[test]
fn a_camera_that_meets_its_target_is_where_it_started() {
    let through = "eye: Linear(keys: [(0, (0, 0, 4)), (2, (0, 0, -4))])";
    assert!(picture(through, 1) == picture("eye: (0, 0, 4)", 1));
    let wrong = scene_of_error("eye: Linear(keys: [(0, (0, 0, 0)), (2, (0, 0, -4))])");
    assert!(wrong.contains("the camera looks at the point where it is"), "{wrong}");
    let planar = scene_of_error("eye: Linear(keys: [(0, (0, 0)), (2, (1, 0))])");
    assert!(planar.contains("3") || planar.contains("three"), "{planar}");
}

fn scene_of_error(camera: &str) -> String {
    let text = format!("Scene(base: ({SPACE}, camera: ({camera})))");
    text.parse::<catena::scene::Scene>().unwrap_err().to_string()
}
