//! Colliders from files: valid files, and messages about files that do not form a solid.

use catena::scene::{Scene, SceneText, load};
use catena::sim::Simulation;
use std::fs;

const TETRAHEDRON: &str =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

/// Loads a rope and a collider, with a file of this content.
fn scene_with_file(
    collider: &str,
    axes: usize,
    name: &str,
    content: &str,
) -> Result<Scene, String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), content).unwrap();
    let third = if axes == 3 { ", 0" } else { "" };
    let text = format!(
        "(base: (gravity: (0, -10{third}), frames: 2, frame_time: 0.01, colliders: [{collider}],
         rope: (start: (-3, 3{third}), end: (3, 3{third}), nodes: 3)))"
    );
    let origin = folder.path().join("scene.ron").display().to_string();
    load(&SceneText { origin, name: "test".into(), text }, &[]).map_err(|error| error.report(false))
}

/// Distance of a point from the collider of a scene.
fn distance(scene: &Scene, point: [f64; 3]) -> f64 {
    scene.panels[0].bodies[0].setup.contacts.colliders[0].distance(point).0
}

#[test]
fn a_mesh_is_placed_scaled_and_turned() {
    let options = "file: \"a.obj\", place: (1, 0, 0), scale: 2, turn: 90, axis: (0, 0, 3)";
    let scene = scene_with_file(&format!("Mesh({options})"), 3, "a.obj", TETRAHEDRON).unwrap();
    // The side x = 0 of the file is the side y = 0 of the scene, and the side y = 0 of the file is
    // x = 1 in the scene.
    for (point, expected) in
        [([0.5, -1.0, 0.5], 1.0), ([2.0, 0.3, 0.3], 1.0), ([0.8, 0.3, -0.5], 0.5)]
    {
        let found = distance(&scene, point);
        assert!((found - expected).abs() < 1e-12, "{point:?}: {found}");
    }
    let moving = "Moving(of: Mesh(file: \"a.obj\"), along: Linear(keys: [(0, (0, 0, 0))]))";
    let scene = scene_with_file(moving, 3, "a.obj", TETRAHEDRON).unwrap();
    assert!((distance(&scene, [0.2, 0.2, -1.0]) - 1.0).abs() < 1e-12);
}

#[test]
fn heights_are_read_from_files_and_lists() {
    let file = "HeightField(file: \"a.csv\", spacing: 1, place: (-1, 0, -1))";
    let list =
        "HeightField(heights: [[0, 1, 0], [0, 1, 0], [0, 1, 0]], spacing: 1, place: (-1, 0, -1))";
    for (collider, name) in [(file, "a.csv"), (list, "unused.csv")] {
        let scene = scene_with_file(collider, 3, name, "0,1,0\n0; 1; 0\n0 1 0\n").unwrap();
        assert!((distance(&scene, [0.0, 2.0, 0.0]) - 1.0).abs() < 1e-12, "{collider}");
        assert!(distance(&scene, [0.0, 0.5, 0.0]) < 0.0, "{collider}");
    }
    let line = "HeightField(file: \"a.csv\", spacing: 1, place: (-1, 0))";
    let scene = scene_with_file(line, 2, "a.csv", "0,1,0\n").unwrap();
    assert!((distance(&scene, [0.0, 2.0, 0.0]) - 1.0).abs() < 1e-12);
    assert!((distance(&scene, [-0.5, 1.5, 0.0]) - 0.5_f64.sqrt()).abs() < 1e-12);
}

#[test]
fn files_that_make_no_solid_are_refused_with_their_place() {
    let open = TETRAHEDRON.trim_end().rsplit_once('\n').unwrap().0;
    let flat = format!("{TETRAHEDRON}v 5 5 5\nf 1 1 5\n");
    let strip = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let cases = [
        (3, "Mesh(file: \"a.obj\")", "a.obj", open, "belongs to only one triangle"),
        (3, "Mesh(file: \"a.obj\")", "a.obj", strip, "a.obj:4: "),
        (3, "Mesh(file: \"a.obj\")", "a.obj", "v 0 0 0\n", "no triangles"),
        (3, "Mesh(file: \"a.obj\")", "a.obj", "f 1 2 3\n", "a.obj:1"),
        (3, "Mesh(file: \"none.obj\")", "a.obj", open, "none.obj"),
        (3, "Mesh(file: \"a.obj\", scale: 0)", "a.obj", TETRAHEDRON, "a number above 0"),
        (2, "Mesh(file: \"a.obj\")", "a.obj", TETRAHEDRON, "planar"),
        (3, "Moving(of: Mesh(file: \"a.obj\"))", "a.obj", open, "only one triangle"),
        (3, "HeightField(file: \"a.csv\", spacing: 1)", "a.csv", "0,1\n0\n", "a.csv:2"),
        (3, "HeightField(file: \"a.csv\", spacing: 1)", "a.csv", "0,1\n0,x\n", "a.csv:2"),
        (3, "HeightField(file: \"a.csv\", spacing: 1)", "a.csv", "0,1\n", "at least 2 rows"),
        (2, "HeightField(heights: [[0]], spacing: 1)", "a.csv", "", "heights"),
        (3, "HeightField(file: \"a.csv\", spacing: 1e-170)", "a.csv", "0,1\n0,0\n", "similar size"),
        (3, "HeightField(heights: [[0, 1], [0, 0]], spacing: 1e-170)", "a.csv", "", "similar size"),
        (2, "HeightField(spacing: 1)", "a.csv", "", "heights"),
        (3, "Skin(friction: 0.2)", "a.csv", "", "no rig"),
    ];
    for (axes, collider, name, content, expected) in cases {
        let message = scene_with_file(collider, axes, name, content).err().unwrap_or_default();
        assert!(message.contains(expected), "{collider} with {content:?}: {message}");
        assert!(message.contains("test.ron") || message.contains("scene.ron"), "{message}");
    }
    // A triangle of zero area is ignored, as in other programs, so the rest is closed.
    assert!(scene_with_file("Mesh(file: \"a.obj\")", 3, "a.obj", &flat).is_ok());
}

#[test]
fn loose_vertices_of_a_moving_mesh_change_nothing() {
    let end = |vertices: &str, first: usize| {
        let sides = [[1, 3, 2], [1, 2, 4], [2, 3, 4], [1, 4, 3]];
        let faces = sides.map(|side| {
            let [a, b, c] = side.map(|corner| corner + first);
            format!("f {a} {b} {c}\n")
        });
        let corners = "v -1 1 -1\nv 1 1 -1\nv 0 1 1.5\nv 0 2 0\n";
        let moving = "Plane(point: (0, 0, 0), normal: (0, 1, 0)), Moving(of: Mesh(file: \"a.obj\"), \
                      along: Linear(keys: [(0, (0, 0, 0)), (0.3, (0.5, 0.6, 0))]))";
        let folder = tempfile::tempdir().unwrap();
        let content = format!("{vertices}{corners}{}", faces.concat());
        fs::write(folder.path().join("a.obj"), content).unwrap();
        let text = format!(
            "(base: (gravity: (0, -10, 0), frames: 30, frame_time: 0.01, substeps: 10,
             contact: (of: Drawn, thickness: 0.1), colliders: [{moving}],
             rope: (start: (-2, 2.2, 0.1), end: (2, 2.3, 0), nodes: 20, mass: 0.01, pins: [])))"
        );
        let origin = folder.path().join("scene.ron").display().to_string();
        let scene = load(&SceneText { origin, name: "test".into(), text }, &[]).unwrap();
        let mut run = Simulation::new(scene.panels[0].bodies[0].setup.clone());
        (0..30).for_each(|_| run.advance_frame());
        run.state().x.clone()
    };
    assert_eq!(end("", 0), end("v 0.2 0.3 0.4\nv 5 5 5\nv 0 9 0\n", 3));
}
