//! Settings of shapes in scenes: node names, files, meshes, graphs, velocities, and their faults.

use crate::{catena, scene_of};
use catena::scene::{Scene, SceneText, load};
use catena::sim::{Form, Setup};
use std::{fs, path::Path, sync::Arc};

/// The setup of the first body of a base.
fn setup(base: &str) -> Arc<Setup> {
    Arc::clone(&scene_of(&format!("Scene(base: ({base}))")).panels[0].bodies[0].setup)
}

/// A scene in a folder of files.
fn in_folder(folder: &Path, base: &str) -> Result<Scene, String> {
    let path = folder.join("scene.ron");
    fs::write(&path, format!("Scene(base: ({base}))")).unwrap();
    let text = SceneText::read(&path).map_err(|error| error.to_string())?;
    load(&text, &[]).map_err(|error| error.report(false))
}

#[test]
fn nodes_have_names() {
    let pins = |base: &str| -> Vec<usize> {
        let setup = setup(base);
        (0..setup.model.nodes()).filter(|&i| setup.model.pinned[i]).collect()
    };
    assert_eq!(pins("rope: (nodes: 9, pins: [First, Last, Middle, -3])"), [0, 4, 6, 8]);
    let cloth = "corner: (0, 0), across: (1, 0), down: (0, -1), rows: 3, columns: 4";
    assert_eq!(
        pins(&format!("cloth: ({cloth}, pins: [(0, 0), (-1, -1), (1, 2), 1])")),
        [0, 1, 6, 11]
    );
    let setup = setup(
        "rope: (nodes: 5, pins: [Last]), impulses: [(node: Middle, impulse: (1, 0))],
         anchors: [(node: -1, curve: Linear(keys: [(0, (-400, 200)), (1, (-390, 200))]))]",
    );
    assert_eq!((setup.impulses[0].node, setup.anchors[0].node), (2, 4));
}

#[test]
fn velocities_add_up_and_leave_pins_alone() {
    let setup = setup(
        "rope: (start: (0, 0), end: (4, 0), nodes: 5, pins: [0]),
         velocities: [(velocity: (1, 2)), (node: Last, velocity: (0, 5)), (spin: 3, about: (1, 0))]",
    );
    assert_eq!(setup.initial.v[..5], [0.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(setup.initial.v[5..], [0.0, 2.0, 5.0, 8.0, 16.0]);
    // The momentum about the centre of mass is zero.
    let setup = self::setup(
        "gravity: (0, -1, 0), rope: (start: (0, 0, 0), end: (4, 0, 0), nodes: 5, pins: [], weights: [(node: 0, mass: 3)]),
         velocities: [(spin: 2, axis: (0, 3, 4))]",
    );
    let momentum: Vec<f64> = setup
        .initial
        .v
        .chunks(5)
        .map(|axis| axis.iter().zip(&setup.model.mass).map(|(v, m)| v * m).sum())
        .collect();
    assert!(momentum.iter().all(|sum: &f64| sum.abs() < 1e-12), "{momentum:?}");
    let speed = setup.initial.velocity(5, 4);
    // ω × r with ω = 2 (0, 0.6, 0.8) and r = 4 - 10/8 along x.
    assert!((speed[1] - 1.6 * 2.75).abs() < 1e-12 && (speed[2] + 1.2 * 2.75).abs() < 1e-12);
}

/// Two triangles with a common edge, a separate square of four corners, and names.
const OBJ: &str = "# a strip\no strip\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng left top\nf 1 2 3\nf 1/1 3/2/2 4//1\ng right\nv 2 0 0\nv 2 1 0\nf 2 -2 -1 3\n";

#[test]
fn a_mesh_has_an_edge_a_spring_and_bends_across_those_that_are_shared() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("strip.obj"), OBJ).unwrap();
    let base = "gravity: (0, -1, 0), mesh: (file: \"strip.obj\", density: 3, stiffness: 7, bending: 2, scale: 2, translate: (0, 0, 5), pins: [\"right\", First], weights: [(node: 3, mass: 1)])";
    let scene = in_folder(folder.path(), base).unwrap();
    let model = &scene.panels[0].bodies[0].setup.model;
    let state = &scene.panels[0].bodies[0].setup.initial;
    assert_eq!((model.nodes(), model.structural, model.held, model.springs.len()), (6, 9, 9, 12));
    assert_eq!(state.position(6, 5), [4.0, 2.0, 5.0]);
    assert_eq!(model.pinned, [true, true, true, false, true, true]);
    let total: f64 = model.mass.iter().sum();
    assert!((total - 25.0).abs() < 1e-12, "3 of an area of 8, and a weight: {total}");
    let Form::Mesh { facets } = &model.parts[0].form else { panic!("{:?}", model.parts) };
    assert_eq!(facets, &[[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]]);
    let mut bends: Vec<(usize, usize)> = model.springs[9..].iter().map(|s| (s.a, s.b)).collect();
    bends.sort_unstable();
    assert_eq!(bends, [(0, 5), (1, 3), (2, 4)]);
    assert!(
        model.springs.iter().all(|s| (model.span(&state.x, s).1 - s.rest_length).abs() < 1e-12)
    );
}

#[test]
fn a_graph_is_what_it_says() {
    let setup = setup(
        "graph: (nodes: [(0, 0), (3, 4), (6, 0)], springs: [(0, 1), (1, Last, 50), (0, 2, 20, 9)], stiffness: 5, pins: [0], mass: 2)",
    );
    let found: Vec<_> =
        setup.model.springs.iter().map(|s| (s.a, s.b, s.stiffness, s.rest_length)).collect();
    assert_eq!(found, [(0, 1, 5.0, 5.0), (1, 2, 50.0, 5.0), (0, 2, 20.0, 9.0)]);
    assert_eq!(
        (setup.model.mass.clone(), setup.model.parts[0].form.clone()),
        (vec![2.0; 3], Form::Graph)
    );
}

#[test]
fn points_come_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let name =
        |file: &str, more: &str| format!("rope: (nodes: 5, shape: File(file: \"{file}\"{more}))");
    fs::write(folder.path().join("a.csv"), "\u{feff}x, y\n0, 0\n# a corner\n2, 0\n2, 2\n").unwrap();
    fs::write(folder.path().join("b.json"), "[[0, 0], [2, 0], [2, 2]]").unwrap();
    for file in ["a.csv", "b.json"] {
        let scene = in_folder(folder.path(), &name(file, "")).unwrap();
        let x = &scene.panels[0].bodies[0].setup.initial.x;
        let expected = [0.0, 1.0, 2.0, 2.0, 2.0, 0.0, 0.0, 0.0, 1.0, 2.0];
        // A node at a right angle moves by the square root of a chord's rounding error.
        assert!(x.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-7), "{file}: {x:?}");
        let chords = (0..4).map(|i| ((x[i + 1] - x[i]), (x[i + 6] - x[i + 5])));
        let chords: Vec<f64> = chords.map(|(dx, dy)| (dx * dx + dy * dy).sqrt()).collect();
        assert!(chords.iter().all(|chord| (chord - chords[0]).abs() < 1e-9), "{chords:?}");
        assert_eq!(scene.files.len(), 1);
        assert_eq!(scene.files[0].name, file);
    }
    let ring = in_folder(folder.path(), &name("b.json", ", closed: true")).unwrap();
    assert_eq!(ring.panels[0].bodies[0].setup.model.structural, 5);
}

/// A file, its text, settings of the base, and words of the message.
const BAD_FILES: &[(&str, &str, &str, &[&str])] = &[
    ("a.csv", "", "S", &["a.csv has no points", "base.rope.shape"]),
    ("a.csv", "0,0\n1,two\n", "S", &["a.csv:2", "\"two\""]),
    ("a.csv", "0,0\n1,2,3\n", "S", &["a.csv:2", "expected 2 numbers", "planar"]),
    ("a.csv", "0,0\n1,nan\n", "S", &["a.csv:2", "-1e100 to 1e100"]),
    ("a.csv", "0,0\n0,0\n", "S", &["no length"]),
    ("a.csv", "0,0\n", "S", &["at least 2 points, found 1"]),
    ("a.json", "{}", "S", &["a.json:1:", "list of lists"]),
    ("a.json", "[[0,0],[1]]", "S", &["a.json, point 1", "found 1"]),
    ("a.png", "", "S", &[".csv or .json"]),
    ("b.obj", "", "M", &["expected from 3"]),
    ("b.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "M", &["b.obj:4", "no area"]),
    ("b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "M", &["b.obj:4", "no vertex 4"]),
    ("b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "M", &["b.obj:4", "no vertex 0"]),
    ("b.obj", "v 0 0 zero\n", "M", &["b.obj:1", "\"zero\""]),
    ("b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "M", &["b.obj:4", "three corners"]),
    (
        "b.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 2\nf 1 2 3\nf 1 2 4\nf 1 2 5\n",
        "M",
        &["b.obj:8", "more than two triangles"],
    ),
    (
        "b.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nf 1 2 3\n",
        "M",
        &["b.obj:4: node 3 belongs to no triangle"],
    ),
    (
        "b.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv 1 0 1\nf 1 2 3\nf 4 2 5\n",
        "M",
        &["b.obj:4: nodes 0 and 3 have the same position"],
    ),
    ("c.obj", "", "M", &["b.obj cannot be read", "base.mesh.file", "relative to the scene"]),
    ("c.csv", "", "S", &["a.csv cannot be read", "base.rope.shape"]),
];

#[test]
fn files_that_cannot_be_used_are_refused_with_their_line() {
    for (file, text, base, words) in BAD_FILES {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(file), text).unwrap();
        let named = match *file {
            "a.json" | "a.png" => *file,
            _ if *base == "S" => "a.csv",
            _ => "b.obj",
        };
        let base = match *base {
            "S" => format!("rope: (nodes: 5, shape: File(file: \"{named}\"))"),
            _ => format!("gravity: (0, -1, 0), mesh: (file: \"{named}\")"),
        };
        let message = in_folder(folder.path(), &base).unwrap_err();
        for word in *words {
            assert!(message.contains(word), "{file}, {text:?}: {word}\n{message}");
        }
    }
    // A folder and a device are not readable files, and a million triangles are refused as too many
    // nodes or springs before they are read.
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("b.obj")).unwrap();
    let base = "gravity: (0, -1, 0), mesh: (file: \"b.obj\")";
    assert!(in_folder(folder.path(), base).unwrap_err().contains("cannot be read"));
    fs::remove_dir(folder.path().join("b.obj")).unwrap();
    fs::write(folder.path().join("b.obj"), "f 1 2 3\n".repeat(1_000_000)).unwrap();
    assert!(in_folder(folder.path(), base).unwrap_err().contains("springs of all bodies"));
}

/// A base and words of the message.
const BAD: &[(&str, &[&str])] = &[
    ("rope: (shape: Helix(turns: 2, radius: 1))", &["`turns` of Helix", "three axes"]),
    ("rope: (shape: Knot(name: Overhand))", &["`name` of Knot", "three axes"]),
    ("rope: (shape: Knot(name: Bowline))", &["Overhand"]),
    ("rope: (shape: Arc)", &["`height` of Arc"]),
    ("rope: (shape: Arc(height: 0))", &["`height` of Arc"]),
    ("rope: (nodes: 2, shape: Ring)", &["at least 3 nodes"]),
    ("rope: (shape: Points(points: [(0, 0)]))", &["`points` of Points", "at least 2"]),
    ("rope: (shape: Points(points: [(0, 0), (1, 1, 1)]))", &["`points[1]` of Points", "planar"]),
    (
        "rope: (start: (1, 1), shape: Points(points: [(0, 0), (1, 1)]))",
        &["`rope.start` is determined by the points"],
    ),
    ("rope: (shape: Curve(curve: Bogus(keys: [])))", &["Bogus"]),
    ("rope: (shape: Curve(curve: Step(keys: [(0, (0, 0)), (1, (1, 0))])))", &["`curve` of Curve"]),
    ("rope: (shape: Sagging)", &["there is no shape `Sagging`", "Hanging"]),
    ("rope: (length: 0)", &["above 0"]),
    (
        "gravity: (0, 0), rope: (shape: Hanging)",
        &["a hanging shape needs gravity", "base.rope.shape"],
    ),
    ("integrator: Shake, rope: (shape: Hanging, length: 300)", &["must be longer", "400"]),
    ("rope: (shape: Hanging, stiffness: 1e-9)", &["too soft for the weight"]),
    ("rope: (shape: Hanging, law: Exponential)", &["needs Hooke's law", "base.rope.law"]),
    (
        "colliders: [Plane(point: (0, 150), normal: (0, 1))], rope: (shape: Hanging, length: 600, pins: [First, Last])",
        &["starts inside this Plane", "`Hanging` ignores contact", "base.colliders[0]"],
    ),
    (
        "contact: (of: Drawn, thickness: 2), colliders: [Sphere(center: (-200, 0), radius: 20)], \
         rope: (shape: Hanging, length: 600, nodes: 101, pins: [First, Last], stiffness: 1e5)",
        &["`Hanging` ignores contact"],
    ),
    ("rope: (last_node: OneSpacingShort, shape: Ring)", &["a ring has no end"]),
    ("rope: (weights: [(node: 16, mass: 1)])", &["no node 16", "base.rope.weights[0].node"]),
    ("rope: (weights: [(node: 1, mass: 0)])", &["above 0"]),
    ("rope: (ranges: [(from: 6, to: 5, mass: 1)])", &["from node 6 to node 5"]),
    (
        "rope: (ranges: [(from: 5, to: 5, stiffness: 1)])",
        &["one node", "base.rope.ranges[0].stiffness"],
    ),
    ("rope: (ranges: [(from: 1, to: 5)])", &["changes nothing"]),
    ("rope: (taper: (mass: (1, 0)))", &["base.rope.taper.mass", "above 0"]),
    ("velocities: [(node: 0, velocity: (1, 0))]", &["node 0 is pinned", "velocities[0].node"]),
    ("velocities: [(spin: 1, axis: (0, 1))]", &["`axis` is not allowed in a planar scene"]),
    ("gravity: (0, -1, 0), velocities: [(spin: 1)]", &["needs an `axis`"]),
    ("velocities: [(velocity: (1, 0), spin: 2)]", &["expected `velocity`"]),
    ("velocities: [(velocity: (1, 0), about: (0, 0))]", &["`axis` and `about`"]),
    ("mesh: (file: \"none.obj\")", &["cannot be read"]),
    ("mesh: (mass: 1)", &["planar"]),
    ("graph: (nodes: [])", &["no nodes"]),
    ("graph: (nodes: [(0, 0), (1, 0)], springs: [(0, 2)])", &["no node 2", "springs[0]"]),
    ("graph: (nodes: [(0, 0), (1, 0)], springs: [(0, 0)])", &["to itself"]),
    ("graph: (nodes: [(0, 0), (0, 0)], springs: [(0, 1)])", &["no length"]),
    ("graph: (nodes: [(0, 0), (1, 0)], springs: [(0, 1, -1)])", &["above 0"]),
    ("graph: (nodes: [(0, 0)]), mesh: (file: \"a.obj\")", &["can be only one of"]),
];

#[test]
fn what_is_wrong_with_a_shape_is_said_with_its_place() {
    for (base, words) in BAD {
        let text = format!("Scene(base: ({base}))");
        let output = catena().args(["check", "-"]).write_stdin(text).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{base}: {message}");
        assert!(message.contains(":1:"), "{base} has no place: {message}");
        for word in *words {
            assert!(message.contains(word), "{base}: {word}\n{message}");
        }
    }
}

/// Panels of a scene whose shared settings fit only the first panel, and the name given for the
/// other one.
#[test]
fn the_panel_that_shared_settings_do_not_fit_is_named() {
    let base = "integrator: Shake, rope: (shape: Hanging, length: 300)";
    let cases = [
        ("(label: \"A\", with: (rope: (length: 500))), (label: \"B\")", "in panel \"B\": "),
        ("(with: (rope: (length: 500))), ()", "in panel 2: "),
        // The position is in the panel itself, which needs no name.
        (
            "(label: \"A\", with: (rope: (length: 500))), (label: \"B\", with: (rope: (shape: Hanging)))",
            "test:1:157: the method keeps",
        ),
    ];
    for (panels, words) in cases {
        let text = format!("Scene(base: ({base}), panels: [{panels}])");
        let text = SceneText { origin: "test".into(), name: "test".into(), text };
        let error = load(&text, &[]).unwrap_err().to_string();
        assert!(error.contains(words), "{panels}: {error}");
    }
}

#[test]
fn the_key_of_a_render_follows_what_its_files_say() {
    let folder = tempfile::tempdir().unwrap();
    let scene = "Scene(base: (size: (64, 64), decoration: Bare, frames: 2, rope: (nodes: 5, shape: File(file: \"a.csv\"))))";
    fs::write(folder.path().join("scene.ron"), scene).unwrap();
    let render = |points: &str| {
        fs::write(folder.path().join("a.csv"), points).unwrap();
        let mut run = catena();
        run.current_dir(folder.path()).args(["render", "scene.ron", "--no-steady", "--out", "o"]);
        run.assert().success();
        fs::read(folder.path().join("o/manifest.json")).unwrap()
    };
    let first = render("0,0\n1,0\n");
    let json: serde_json::Value = serde_json::from_slice(&first).unwrap();
    assert_eq!(json["source"]["files"][0][0], "a.csv");
    assert_ne!(first, render("0,0\n1,1\n"));
    assert_eq!(first, render("0,0\n1,0\n"));
}
