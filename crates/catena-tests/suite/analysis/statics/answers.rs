//! Messages of `catena statics`, compared with its numbers: unstable equilibria, a body that passes
//! through itself, moments lost in rounding, limits, and fields without effect.

use super::{rope, solved};
use crate::scene_of;
use catena::analysis::statics::{NoRest, Stability, equilibrium, equilibrium_within};
use catena::job::{self, StaticsOptions};
use catena::scene::Limits;

/// Standard output and standard error of the command for a scene.
fn printed(scene: &str, args: &[&str]) -> String {
    let mut command = crate::catena();
    let run = command.args(["statics", "-"]).args(args).write_stdin(scene.to_owned());
    let output = run.output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

fn setup_of(scene: &str) -> std::sync::Arc<catena::sim::Setup> {
    std::sync::Arc::clone(&scene_of(scene).panels[0].bodies[0].setup)
}

/// A rope over a ball, from which the slightest push makes it slide.
const OVER_A_BALL: &str = "Scene(base: (gravity: (0, -9.81), contact: (radius: 0.01),
    colliders: [Sphere(center: (0, -1), radius: 0.5)],
    rope: (start: (-1, 0), end: (1, 0), nodes: 21, mass: 0.02, stiffness: 1000, pins: [])))";

#[test]
fn an_unstable_balance_is_no_rest() {
    let rest = solved(&setup_of(OVER_A_BALL));
    assert_eq!(rest.stability, Stability::Unstable);
    assert!(matches!(rest.beyond.as_deref(), Some(NoRest::Lies { node: 0 })), "{:?}", rest.beyond);
    let table = printed(OVER_A_BALL, &[]);
    for part in [
        "  no rest      an unstable equilibrium: its smallest ω² is -",
        "from there towards lower energy, only contact can hold node 0",
        "  what to do   pin a node",
        "  stability    unstable: ω² = -",
    ] {
        assert!(table.contains(part), "{part}: {table}");
    }
    assert!(!table.contains("  rest  "), "{table}");
    let json: serde_json::Value = serde_json::from_str(&printed(OVER_A_BALL, &["--json"])).unwrap();
    let body = &json["bodies"][0];
    assert_eq!((&body["rest"], &body["stability"]), (&false.into(), &"unstable".into()));
    assert!(body["reason"].as_str().unwrap().starts_with("an unstable equilibrium"), "{body}");
    assert!(body["positions"][0][0].is_f64());
}

/// A ring that is straight at rest and closed by rotations, without contact.
fn ring(turns: f64) -> String {
    format!(
        "Scene(base: (gravity: (0, 0, 0), rope: (start: (-1, 0, 0), end: (1, 0, 0), shape: Ring,
          nodes: 24, mass: 0.1, pins: [], rod: (bending: 1, torsion: 1, axial: 2000, turns: {turns}))))"
    )
}

#[test]
fn passages_of_a_twisted_rod_through_itself_are_said() {
    for (turns, passes) in [(1.0, false), (3.0, true)] {
        let rest = solved(&setup_of(&ring(turns)));
        assert_eq!(rest.passages > 0, passes, "{turns}: {}", rest.passages);
        let table = printed(&ring(turns), &[]);
        let warns = table.contains("  warning      the body passed through itself");
        assert_eq!(warns, passes, "{turns}: {table}");
    }
    let json: serde_json::Value = serde_json::from_str(&printed(&ring(3.0), &["--json"])).unwrap();
    let warning = json["bodies"][0]["warnings"][0].as_str().unwrap();
    assert!(warning.contains("it may have lost up to two turns of twist"), "{warning}");
}

/// A rod of stiffness EI between clamps.
fn clamped(bending: &str, clamps: &str) -> String {
    format!(
        "Scene(base: (gravity: (0, -1), rope: (start: (0.3, 0.7), end: (0.9, 1.5), nodes: 11,
          mass: 0.1, rod: (bending: {bending}, axial: {bending}, clamps: [{clamps}]))))"
    )
}

#[test]
fn moments_of_rods_of_any_stiffness_balance_the_weight() {
    for bending in ["1e3", "1e6", "1e9"] {
        let rest = solved(&setup_of(&clamped(bending, "(node: First)")));
        // Eleven nodes of weight 0.1, along x from 0 to 0.6.
        let expected = -1.1 * 0.3_f64;
        let moment = rest.pins[0].moment.unwrap()[2];
        let sag = 1.0 / bending.parse::<f64>().unwrap();
        let maximum = (1e-9 + sag) * expected.abs();
        assert!((moment - expected).abs() < maximum, "{bending}: {moment}");
    }
    // Between two clamps, the equilibrium of torques is one equation for two moments.
    for (bending, warns) in [("1e3", false), ("1e9", true)] {
        let table = printed(&clamped(bending, "(node: First), (node: Last)"), &[]);
        assert_eq!(
            table.contains("  warning      the moments on clamps have a total error"),
            warns,
            "{table}"
        );
    }
    for clamps in ["(node: First)", "(node: First), (node: Last)"] {
        let reason = equilibrium(&setup_of(&clamped("1e15", clamps))).unwrap_err();
        assert!(matches!(reason, NoRest::Rounded { .. }), "{reason}");
        assert!(reason.help().contains("lower the stiffness"), "{}", reason.help());
    }
}

#[test]
fn limits_of_work_name_what_raises_them() {
    let cloth = "Scene(base: (gravity: (0, -9.81, 0), cloth: (corner: (-0.5, 0, 0),
        across: (1, 0, 0), down: (0, 0, 1), rows: 160, columns: 160, pins: TopCorners)))";
    let table = printed(cloth, &[]);
    assert!(table.contains("--minutes N` allows N times as much work"), "{table}");
    let setup = setup_of("Scene(base: (rope: (pins: [First, Last])))");
    let limited = equilibrium_within(&setup, 1e-12).unwrap_err();
    assert!(matches!(limited, NoRest::TooLarge { .. }), "{limited}");
    assert_eq!(equilibrium_within(&setup, f64::INFINITY), equilibrium(&setup));
    let minutes = |minutes: f64| Limits::default().with_minutes(minutes).effort();
    assert_eq!([minutes(0.1), minutes(1.0), minutes(4.0)], [1.0, 1.0, 4.0]);
    assert_eq!(Limits::unlimited().effort(), f64::INFINITY);
    assert_eq!(job::max_balances(&Limits::default()), 2000);
}

#[test]
fn equal_bodies_have_one_rest() {
    let scene = scene_of(
        "Scene(base: (gravity: (0, -1)), panels: [(label: \"a\"), (label: \"b\", with: (style: (node_size: 9))),
          (label: \"c\", with: (drag: 0.5, rope: (mass: 2)))])",
    );
    let rests = job::statics(&scene, &StaticsOptions::default()).unwrap();
    assert_eq!(rests.len(), 3);
    assert!(rests[0] == rests[1] && rests[0] != rests[2]);
}

#[test]
fn bodies_without_a_free_node_are_told_in_a_sentence() {
    let scene = "Scene(base: (gravity: (0, -1), rope: (start: (0, 0), end: (1, 0), nodes: 3,
        pins: [0, 1, 2], mass: 0.1, rod: (bending: 1, axial: 100))))";
    let table = printed(scene, &[]);
    for part in ["rest         every node is pinned", "stability    stable: no node is free"] {
        assert!(table.contains(part), "{part}: {table}");
    }
    assert!(!table.contains("unbalanced force"), "{table}");
}

#[test]
fn flows_that_change_are_named_by_their_place() {
    let scene = "Scene(base: (gravity: (0, -9.81), forces: [
        PointForce(node: 2, force: (0, 1)),
        LineDrag(density: 1025, diameter: 0.05, flow: Airy(height: 4, period: 9, depth: 60))],
        rope: (start: (0, -5), end: (9, -2), nodes: 11, mass: 1, pins: [First, Last])))";
    assert!(
        printed(scene, &[]).contains("`forces[1].flow` changes with time"),
        "{}",
        printed(scene, &[])
    );
}

/// A rod whose clamp rotates and approaches.
const TURNED: &str = "Scene(base: (gravity: (0, -1, 0), frames: 10, rope: (start: (0, 0, 0), end: (1, 0, 0),
    nodes: 9, mass: 0.1, rod: (bending: 1, torsion: 1, axial: 400, clamps: [
      (node: First, tangent: (1, 0, 0)), (node: Last, tangent: (1, 0, 0), turn: [(0, 0), (5, 0.5)])])),
    anchors: [(node: Last, curve: Linear(keys: [(0, (1, 0, 0)), (3, (0.9, 0, 0))]))]))";

#[test]
fn paths_say_what_the_field_does() {
    let panels = "Scene(base: (rope: (start: (0, 0), end: (1, 0), nodes: 5, pins: [First, Last])),
        panels: [(label: \"light\", with: (gravity: (0, -1))), (label: \"heavy\", with: (gravity: (0, -9)))])";
    let rope = "Scene(base: (gravity: (0, -1), rope: (start: (0, 0), end: (1, 0), nodes: 5, pins: [First, Last])))";
    let table: [(&str, &str, &[&str], &[&str]); 4] = [
        // Both panels get the load, so their labels have other texts.
        (
            panels,
            "gravity=(0,-1):(0,-2)",
            &["--load overrides the panels' own values: `gravity`", "the same run"],
            &["heavy: ", "light ("],
        ),
        (rope, "drag=0:1", &["drag has no influence"], &["no node moves"]),
        (rope, "gravity=(0,-1):(0,-2)", &["gravity in y from -1 to -2"], &["warning"]),
        // The clamps rotate before the path begins.
        (TURNED, "gravity=(0,-1,0):(0,-1.2,0)", &["gravity in y from -1 to -1.2"], &["no rest"]),
    ];
    for (scene, load, parts, without) in table {
        let table = printed(scene, &["--load", load]);
        assert!(parts.iter().all(|part| table.contains(part)), "{load}: {table}");
        assert!(without.iter().all(|part| !table.contains(part)), "{load}: {table}");
    }
}

#[test]
fn the_path_begins_where_the_rest_is() {
    let rest = solved(&setup_of(TURNED));
    let json = printed(TURNED, &["--load", "gravity=(0,-1,0):(0,-1.1,0)", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let first = &json["bodies"][0]["points"][0]["positions"];
    for node in 0..9 {
        for axis in 0..3 {
            let found = first[node][axis].as_f64().unwrap();
            assert!((found - rest.x[9 * axis + node]).abs() < 1e-9, "{node} {axis}: {found}");
        }
    }
}

#[test]
fn a_rope_is_neutral_only_where_no_force_holds_it() {
    // The same rope with increasing numbers of segments.
    let divided = |nodes: usize| {
        let (mass, stiffness) = (0.5 / nodes as f64, 2e7 * (nodes - 1) as f64);
        let rope = format!("length: 12, nodes: {nodes}, mass: {mass}, stiffness: {stiffness}");
        setup_of(&format!(
            "Scene(base: (gravity: (0, -9.81), rope: (start: (0, 0), end: (10, 0), {rope},
                pins: [First, Last])))"
        ))
    };
    let few = solved(&divided(201));
    for nodes in [1001, 5001] {
        let many = solved(&divided(nodes));
        assert_eq!(many.stability, Stability::Stable, "{nodes}: {:?}", many.smallest());
        let (one, other) = (few.smallest().unwrap(), many.smallest().unwrap());
        assert!((other / one - 1.0).abs() < 0.02, "{nodes}: {other} {one}");
    }
    // Without pins and gravity, the rope may move and rotate.
    let rest = solved(&rope([1.0, 0.0], 1001, &[], 0.0));
    assert_eq!(rest.stability, Stability::Neutral, "{:?}", rest.smallest());
}

#[test]
fn modes_and_sums_of_forces_count_in_the_limit_of_work() {
    let long = rope([1.0, 0.0], 2001, &[0, 2000], 9.81);
    let reason = equilibrium_within(&long, 1e-4).unwrap_err();
    assert!(matches!(reason, NoRest::TooLong { .. }), "{reason}");
    assert!(equilibrium_within(&long, 1.0).is_ok());
}
