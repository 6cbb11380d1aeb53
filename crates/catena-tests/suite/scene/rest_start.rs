//! The shape `Rest`: bodies start at rest, and stay there.

use crate::scene_of;
use catena::sim::{Setup, Simulation, method::METHODS};
use std::sync::Arc;

/// Setup of a body with these settings.
fn setup(settings: &str) -> Arc<Setup> {
    let scene = scene_of(&format!("Scene(base: (frames: 2, frame_time: 0.02, {settings}))"));
    Arc::clone(&scene.panels[0].bodies[0].setup)
}

/// Maximum displacement of a node within 1,000 frames, relative to the body's length.
fn moved(setup: &Arc<Setup>) -> f64 {
    let mut run = Simulation::new(Arc::clone(setup));
    let mut maximum = 0.0_f64;
    for _ in 0..1000 {
        run.advance_frame();
        for (now, start) in run.state().x.iter().zip(&setup.initial.x) {
            maximum = maximum.max((now - start).abs());
        }
    }
    maximum / setup.model.rest_length()
}

/// Maximum displacement by rounding in 1,000 frames, relative to the length.
const ROUNDING: f64 = 1e-10;

/// Methods that leave the rest: they correct lengths in few iterations, so they rest slightly
/// lower.
const LOWER: [(&str, f64); 3] = [("ConstraintVerlet", 1e-3), ("Pbd", 1e-4), ("Xpbd", 1e-4)];

#[test]
fn every_method_that_keeps_the_rest_stays_there() {
    for method in METHODS {
        let name = method.name;
        let setup = setup(&format!(
            "gravity: (0, -10), integrator: {name}, substeps: 8,
             rope: (shape: Rest, start: (0, 0), end: (1, 0.2), length: 1.5, nodes: 9,
                stiffness: 300, mass: 0.1, pins: [First, Last])"
        ));
        assert!(setup.initial.v.iter().all(|v| *v == 0.0));
        let moved = moved(&setup);
        match LOWER.iter().find(|(other, _)| *other == name) {
            Some((_, maximum)) => {
                assert!(moved > ROUNDING && moved < *maximum, "{name}: {moved:e}");
            }
            // Explicit Euler amplifies rounding errors of an undamped rope at any step.
            None if name == "ExplicitEuler" => assert!(moved > 1.0, "{name}: {moved:e}"),
            None => assert!(moved < ROUNDING, "{name}: {moved:e}"),
        }
    }
}

/// Bodies in the plane and in space, with other forces, laws, parts and slack.
const BODIES: [(&str, &str); 13] = [
    (
        "arc",
        "gravity: (0, -10), starts_at_rest: true, rope: (shape: Arc(height: 0.3), start: (0, 0), end: (1, 0),
            stiffness: 300, mass: 0.1, pins: [First, Last])",
    ),
    (
        "cloth",
        "gravity: (0, -10, 0), starts_at_rest: true, cloth: (corner: (0, 0, 0), across: (1, 0, 0), down: (0, 0, 1),
            rows: 5, columns: 5, stiffness: 300, mass: 0.05, pins: TopEdge)",
    ),
    (
        "net",
        "gravity: (0, -10), starts_at_rest: true, net: (corner: (0, 0), across: (1, 0), down: (0, -1),
            rows: 5, columns: 5, stiffness: 300, mass: 0.05, pins: TopEdge)",
    ),
    (
        "graph",
        "gravity: (0, -10), starts_at_rest: true, graph: (nodes: [(0, 0), (1, 0), (0.5, -0.2)],
            springs: [(0, 2), (1, 2)], stiffness: 300, mass: 0.1, pins: [0, 1])",
    ),
    ("hanging", "gravity: (0, -10), rope: (shape: Rest, start: (0, 0), end: (1, 1), stiffness: 300, mass: 0.1)"),
    ("weights", "gravity: (0, -10), rope: (shape: Rest, start: (0, 0), end: (1, 0), length: 1.2, stiffness: 300, mass: 0.1, pins: [First, Last], weights: [(node: 5, mass: 2)])"),
    ("taper", "gravity: (0, -10), rope: (shape: Rest, start: (0, 0), end: (1, 0), length: 1.2, stiffness: 300, mass: 0.1, pins: [First, Last], taper: (mass: (1, 0.1)))"),
    ("law", "gravity: (0, -10), rope: (shape: Rest, start: (0, 0), end: (1, 0), length: 1.2, stiffness: 300, mass: 0.1, pins: [First, Last], law: Exponential)"),
    ("wind", "gravity: (0, -10), wind: (3, 0), drag: 0.1, rope: (shape: Rest, start: (0, 0), end: (1, 1), stiffness: 300, mass: 0.1)"),
    ("via", "gravity: (0, -10), rope: (shape: Rest(via: [(0.5, 0.5)]), start: (0, 0), end: (1, 0), stiffness: 300, mass: 0.1, pins: [First, Last])"),
    ("bending", "gravity: (0, -10), rope: (shape: Rest, start: (0, 0), end: (1, 0), length: 1.2, stiffness: 300, mass: 0.1, pins: [First, Last], bending: 5)"),
    ("space", "gravity: (0, -10, 0), rope: (shape: Rest, start: (0, 0, 0), end: (1, 0, 1), length: 2, stiffness: 300, mass: 0.1, pins: [First, Last])"),
    ("parts", "gravity: (0, -10), parts: [
        (name: \"line\", with: (rope: (shape: Rest, start: (0, 0), end: (1, 0), length: 1.2, nodes: 9, stiffness: 300, mass: 0.1, pins: [First, Last]))),
        (name: \"load\", with: (rope: (start: (0.5, 0), end: (0.5, -0.5), nodes: 5, stiffness: 300, mass: 0.3, pins: []))),
     ], joins: [Touching]"),
];

#[test]
fn bodies_of_all_kinds_start_at_their_rest() {
    for (name, settings) in BODIES {
        let setup = setup(&format!("substeps: 16, {settings}"));
        assert!(setup.initial.v.iter().all(|v| *v == 0.0), "{name}");
        let moved = moved(&setup);
        assert!(moved < ROUNDING, "{name}: {moved:e}");
    }
}

#[test]
fn commands_variants_and_checkpoints_share_the_start() {
    let rope = "rope: (shape: Rest, start: (0, 0), end: (1, 0.2), length: 1.5, nodes: 9, stiffness: 300, mass: 0.1, pins: [First, Last])";
    let text = format!("Scene(base: (frames: 4, frame_time: 0.02, gravity: (0, -10), {rope}))");
    let [soft, hard] = ["300", "900"]
        .map(|stiffness| setup(&format!("gravity: (0, -10), {}", rope.replace("300", stiffness))));
    assert!(soft.initial.x != hard.initial.x);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scene.ron"), text).unwrap();
    let run = |args: &[&str]| {
        let output = crate::catena().current_dir(folder.path()).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    // The search finds that the start is already at rest.
    for (args, setup) in [
        (&["statics", "scene.ron", "--json"][..], &soft),
        (&["statics", "scene.ron", "--json", "--set", "rope.stiffness=900"], &hard),
    ] {
        let found: serde_json::Value = serde_json::from_str(&run(args)).unwrap();
        let body = &found["bodies"][0];
        assert_eq!(body["iterations"], 0, "{args:?}");
        assert_eq!(body["positions"][4][1].as_f64(), Some(setup.initial.x[13]));
    }
    let rows = run(&[
        "sweep",
        "scene.ron",
        "--axis",
        "rope.stiffness=[300, 900]",
        "--measure",
        "Tip(node: 4)",
        "--frames",
        "1",
        "--out",
        "-",
    ]);
    for (row, setup) in rows.lines().skip(1).zip([&soft, &hard]) {
        let place = setup.initial.x[13].to_string();
        assert!(row.split(',').any(|cell| cell == place), "{row}: {place}");
    }
}

#[test]
fn a_start_without_rest_is_refused_with_the_reason() {
    let rope = "gravity: (0, -10), rope: (shape: Rest, start: (0, 0), end: (1, 0.2), length: 1.5, nodes: 9, stiffness: 300, mass: 0.1, pins: [First, Last]";
    let table = [
        (format!("{rope}), position_factor: 0.99"), "position_factor"),
        (format!("{rope}, breaks_at: 0.001)"), "breaks"),
        (rope.replace("[First, Last]", "[]") + ")", "nothing holds"),
        (format!("{rope}), drag: 0.1, wind: [(0, (0, 0)), (9, (1, 0))]"), "changes with time"),
        (rope.replace("nodes: 9", "nodes: 30000") + ")", "at most 10000 nodes"),
        (
            format!("{rope}), events: [(at: 1, do: Join(a: 2, b: 5, stiffness: 10))]"),
            "the scene has events",
        ),
    ];
    for (settings, part) in table {
        let text = format!("Scene(base: ({settings}))");
        let error = text.parse::<catena::scene::Scene>().unwrap_err().report(false);
        assert!(error.contains(part) && error.contains("base.rope.shape"), "{part}: {error}");
    }
    let flat = "Scene(base: (starts_at_rest: true, rope: (pins: [])))";
    let error = flat.parse::<catena::scene::Scene>().unwrap_err().report(false);
    assert!(error.contains("nothing holds") && error.contains("base.starts_at_rest"), "{error}");
    // Moving pins and events take effect after the start.
    for more in [
        "anchors: [(node: 0, curve: Keys(keys: [(0, (0, 0)), (1, (1, 0))], repeat: PingPong))]",
        "events: [(at: 1, do: Release(node: 0))]",
    ] {
        let setup = setup(&format!("{rope}), {more}"));
        let plain = setup_of_rest(rope);
        assert_eq!(setup.initial.x, plain.initial.x, "{more}");
    }
}

fn setup_of_rest(rope: &str) -> Arc<Setup> {
    setup(&format!("{rope})"))
}
