//! Moving cameras, views and colours: each frame equals a picture with a fixed object at the
//! current position of the moving one.

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
fn what_a_camera_sees_of_space_is_what_its_curves_say() {
    for (moving, standing) in [
        ("eye: (0, 0, 4), field_of_view: [(0, 30), (2, 90)]", "eye: (0, 0, 4), field_of_view: 60"),
        (
            "eye: (0, 0, 4), projection: Orthographic, height: [(0, 1), (2, 4)]",
            "eye: (0, 0, 4), projection: Orthographic, height: 2.5",
        ),
        (
            "eye: (0, 0, 4), up: [(0, (0, 1, 0)), (2, (1, 0, 0))]",
            "eye: (0, 0, 4), up: (0.5, 0.5, 0)",
        ),
        (
            "eye: Keys(keys: [(0, (0, 0, 4)), (0.5, (2, 0, 4))], repeat: PingPong, offset: 0.25)",
            "eye: (1, 0, 4)",
        ),
    ] {
        let found = picture(moving, 1);
        assert!(found == picture(standing, 1), "{moving}");
        assert!(found != picture("eye: (0, 0, 4)", 1), "{moving}");
    }
}

/// A moving view of the plane with colliders, in two panels.
#[test]
fn a_view_of_the_plane_moves() {
    let picture = |view: &str, decoration: &str, frame: u64| {
        let text = format!(
            "Scene(base: (size: (480, 240), frames: 4, substeps: 32, decoration: {decoration},
                rope: (start: (-1, 0), end: (1, 0), nodes: 9, stiffness: 10, mass: 0.1),
                style: (trails: [Last], ghosts: 2, arrows: All),
                colliders: [Sphere(center: (0, -0.8), radius: 0.2)]),
                panels: [(with: (view: ({view}))), (with: (drag: 0.1))])"
        );
        draw(&scene_of(&text), frame).unwrap()
    };
    for decoration in ["Full", "Bare"] {
        for (moving, standing) in [
            (
                "center: [(0, (0, 0)), (2, (2, -1))], extent: (4, 4)",
                "center: (1, -0.5), extent: (4, 4)",
            ),
            (
                "center: (0, 0), extent: [(0, (8, 4)), (2, (4, 2))]",
                "center: (0, 0), extent: (6, 3)",
            ),
            (
                "center: CatmullRom(keys: [(0, (0, 0)), (1, (1, 0))]), extent: (3, 3)",
                "center: (1, 0), extent: (3, 3)",
            ),
        ] {
            // The layout follows the initial view.
            let aspect = if moving.contains("8, 4") { "extent: (8, 4)" } else { "extent: (4, 4)" };
            let still = picture(&format!("center: (0, 0), {aspect}"), decoration, 1);
            let found = picture(moving, decoration, 1);
            assert!(found == picture(standing, decoration, 1), "{decoration}: {moving}");
            assert!(found != still, "{decoration}: {moving}");
        }
    }
}

/// Moving colours: frames have the colour of their time, and labels the initial colour.
#[test]
fn bodies_have_the_colour_of_their_time() {
    let picture = |color: &str, decoration: &str, frame: u64| {
        let text = format!(
            "Scene(base: (size: (320, 240), frames: 4, substeps: 32, decoration: {decoration},
                rope: (start: (-1, 0), end: (1, 0), nodes: 9, stiffness: 10, mass: 0.1),
                style: (color: {color}, trails: [Last], ghosts: 2)), panels: [(label: \"One\")])"
        );
        draw(&scene_of(&text), frame).unwrap()
    };
    let moving = "Colors(space: Oklab, keys: [(0, \"red\"), (2, \"blue\")])";
    for (frame, color) in [(0, "\"red\""), (1, "\"rgb(140, 83, 162)\""), (3, "\"blue\"")] {
        assert!(picture(moving, "Bare", frame) == picture(color, "Bare", frame), "{frame}");
    }
    // The sample next to the label has the initial colour.
    let count = |picture: &image::RgbImage, color: [u8; 3]| {
        picture.pixels().filter(|pixel| pixel.0 == color).count()
    };
    let last = picture(moving, "Full", 3);
    let label = count(&picture("\"red\"", "Full", 3), [255, 0, 0]);
    assert!(label > 0 && count(&last, [255, 0, 0]) > 0 && count(&last, [0, 0, 255]) > 0);
    // A colour scale takes precedence, as over a constant colour.
    let by_scale = |color: &str| {
        let text = format!(
            "Scene(base: (size: (320, 240), frames: 4, substeps: 32, decoration: Bare,
                rope: (start: (-1, 0), end: (1, 0), nodes: 9, stiffness: 10, mass: 0.1),
                style: (color: {color}, color_by: Speed)))"
        );
        draw(&scene_of(&text), 2).unwrap()
    };
    assert!(by_scale(moving) == by_scale("\"red\""));
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
    assert!(wrong.contains("the camera is at the point that it looks at"), "{wrong}");
    let planar = scene_of_error("eye: Linear(keys: [(0, (0, 0)), (2, (1, 0))])");
    assert!(planar.contains("3") || planar.contains("three"), "{planar}");
}

fn scene_of_error(camera: &str) -> String {
    let text = format!("Scene(base: ({SPACE}, camera: ({camera})))");
    text.parse::<catena::scene::Scene>().unwrap_err().to_string()
}
