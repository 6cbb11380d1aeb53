//! Paths of equilibria over a load, past limit points.

use super::rope;
use catena::analysis::statics::{NoRest, Path, Stability, follow};
use catena::job::{LoadRange, StaticsOptions, load_paths};
use catena::scene::SceneText;
use catena::sim::Setup;
use std::sync::Arc;

/// Two shallow bars between pins, with a mass on their joint under the gravity `g`.
fn truss(half: f64, height: f64, g: f64) -> Setup {
    let mut setup = rope([2.0 * half, 0.0], 3, &[0, 2], g);
    setup.initial.x[4] = height;
    let length = (half * half + height * height).sqrt();
    setup.model.springs.iter_mut().for_each(|spring| spring.rest_length = length);
    setup
}

#[test]
fn the_truss_of_von_mises_snaps_through_at_its_limit_load() {
    let (half, height) = (1.0_f64, 0.1_f64);
    let setup = truss(half, height, 0.0);
    let (k, l) = (setup.model.springs[0].stiffness, setup.model.springs[0].rest_length);
    // Force at height y: 2 k (l/d - 1) y with d² = half² + y²; its maximum is at d³ = half² l.
    let force = |y: f64| 2.0 * k * (l / (half * half + y * y).sqrt() - 1.0) * y;
    let d = libm::cbrt(half * half * l);
    let y = (d * d - half * half).sqrt();
    let (limit, mass) = (force(y), setup.model.mass[1]);
    let range = [0.05 * limit / mass, 1.5 * limit / mass];
    let at = |g: f64| Ok::<_, NoRest>(Arc::new(truss(half, height, g)));
    let path = follow(at, range, 2000).unwrap();
    assert!(path.is_complete());
    for point in &path.points {
        let carried = force(point.x[4]);
        let expected = mass * point.load;
        assert!((carried - expected).abs() < 1e-9 * limit, "{point:?} {carried}");
        assert!(point.x[1].abs() - 1.0 < 1e-12 && (point.x[1] - 1.0).abs() < 1e-9);
        if !point.is_limit && (point.x[4].abs() - y).abs() > 1e-3 {
            let is_stable = point.x[4].abs() > y;
            let expected = if is_stable { Stability::Stable } else { Stability::Unstable };
            assert_eq!(point.stability, expected, "{point:?}");
        }
    }
    // Up to the limit, down the unstable branch to minus the limit, and up again.
    let limits: Vec<f64> = path.limits().map(|point| mass * point.load).collect();
    assert_eq!(limits.len(), 2, "{limits:?}");
    for (found, expected) in limits.iter().zip([limit, -limit]) {
        assert!((found - expected).abs() < 1e-9 * limit, "{found} {expected}");
    }
    assert!(path.points.iter().any(|point| point.x[4].abs() < 0.5 * y));
}

#[test]
fn a_loss_of_stability_without_a_turn_of_the_load_is_said() {
    let output = printed("gravity=(0,0):(0,-0.3)", "scenes/arch.ron", &[]);
    // The arch buckles sideways at about half of its limit load. An arch with an initial sideways
    // displacement has a limit point there instead.
    assert_eq!(output.matches("stability is lost at -0.252").count(), 1, "{output}");
    assert_eq!(output.matches("critical     -0.252").count(), 1, "{output}");
    assert_eq!(output.matches("limit        -0.2498").count(), 1, "{output}");
}

/// A rod from (0, 0) to (0, 1) with EI = 1, compressed by forces or by length. The critical load
/// does not depend on the width of the range.
#[test]
fn loads_at_which_a_strut_buckles_are_found_in_wide_ranges() {
    let strut = "Scene(base: (gravity: (0, 0), integrator: ImplicitEuler,
        rope: (start: (0, 0), end: (0, 1), nodes: 21, mass: 0.05,
            rod: (bending: 1, axial: 1e6, clamps: [(node: First)])),
        forces: [PointForce(node: Last, force: (0, 0))]))";
    let pinned = "Scene(base: (gravity: (0, 0), integrator: ImplicitEuler,
        rope: (start: (0, 0), end: (0, 1), nodes: 21, mass: 0.05, length: 1,
            pins: [First, Last], rod: (bending: 1, axial: 1e6))))";
    let force = |from: f64, to: f64| {
        let one = |force: f64| format!("[PointForce(node: Last, force: (0, {force}))]");
        format!("forces={}:{}", one(from), one(to))
    };
    let euler = std::f64::consts::PI * std::f64::consts::PI;
    for (scene, load, exact) in [
        (strut, force(0.0, -5.0), -0.25 * euler),
        (strut, force(0.0, -100.0), -0.25 * euler),
        (strut, force(0.0, -2000.0), -0.25 * euler),
        (pinned, "rope.length=1:1.00004".into(), 1.0 + 1e-6 * euler),
        (pinned, "rope.length=1:1.3".into(), 1.0 + 1e-6 * euler),
    ] {
        let mut command = crate::catena();
        let run = command.args(["statics", "-", "--json", "--load", &load]).write_stdin(scene);
        let output = run.output().unwrap();
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let points = json["bodies"][0]["points"].as_array().unwrap();
        let is_critical = |point: &&serde_json::Value| point["critical"] == true;
        let critical: Vec<f64> =
            points.iter().filter(is_critical).map(|it| it["load"].as_f64().unwrap()).collect();
        // The rod has 20 segments and an error of order 2. At a length of 1 there is no load.
        let free = if load.starts_with("rope") { 1.0 } else { 0.0 };
        assert_eq!(critical.len(), 1, "{load}: {critical:?}");
        let error = (critical[0] - free) / (exact - free) - 1.0;
        assert!(error.abs() < 3e-3, "{load}: {critical:?}");
    }
}

#[test]
fn a_table_says_which_balances_it_leaves_out() {
    let rope = "Scene(base: (gravity: (0, -1),
        rope: (start: (0, 0), end: (1, 0), nodes: 5, length: 1.2, pins: [First, Last])))";
    let mut command = crate::catena();
    let load = "rope.length=1.2:3";
    let output = command.args(["statics", "-", "--load", load]).write_stdin(rope).output().unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let count = |before: &str, after: &str| -> usize {
        let rest = &stdout[stdout.find(before).unwrap() + before.len()..];
        rest[..rest.find(after).unwrap()].trim().parse().unwrap()
    };
    let (all, shown) = (count("to 3: ", " equilibrium points"), count("  table ", " of "));
    let rows = stdout.lines().filter(|line| line.contains("  stable  ")).count();
    assert!(all > shown && shown == rows, "{all} {shown} {rows}: {stdout}");
    assert!(stdout.contains("--json and -o FILE.csv contain all"), "{stdout}");
}

/// Output of the command for a path.
fn printed(load: &str, scene: &str, more: &[&str]) -> String {
    let mut command = crate::catena();
    command.arg("statics").arg(crate::repository(scene)).args(["--load", load]).args(more);
    let output = command.output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

#[test]
fn paths_of_stiff_cables_reach_their_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cable.ron");
    for stiffness in ["1e4", "1e7", "1e10"] {
        let text = format!(
            "(base: (gravity: (0, -9.81), rope: (start: (0, 0), end: (1, 0), shape: Hanging,
              length: 1.2, nodes: 11, mass: 0.1, pins: [First, Last], stiffness: {stiffness})))"
        );
        std::fs::write(&path, text).unwrap();
        for load in ["rope.end=(1,0):(1.1,0.1)", "rope.length=1.2:1.05", "gravity=(0,-1):(0,-20)"] {
            let output = printed(load, path.to_str().unwrap(), &[]);
            assert!(
                output.contains("equilibrium points\n") && !output.contains("no next"),
                "{load}: {output}"
            );
        }
    }
}

#[test]
fn paths_over_forces_have_the_bits_of_scenes_that_are_built_at_each_load() {
    let line = "start: (0, 0), end: (1, 0), nodes: 7, length: 1.2, pins: [First, Last]";
    // The start depends on gravity, so each load needs its own start.
    let rest = format!("shape: Rest, {line}");
    let gravity = |g: f64| format!("(0.1, {g:?})");
    let force = |f: f64| format!("[PointForce(node: 3, force: (0.1, {f:?}))]");
    let fields: [(&str, &dyn Fn(f64) -> String); 2] = [("gravity", &gravity), ("forces", &force)];
    for (rope, (field, value)) in [(line, fields[0]), (rest.as_str(), fields[0]), (line, fields[1])]
    {
        let scene = |x: f64| format!("Scene(base: (rope: ({rope}), {field}: {}))", value(x));
        let name = String::from("path");
        let text = SceneText { origin: name.clone(), name, text: scene(-1.0) };
        let load = format!("{field}={}:{}", value(-1.0), value(-3.0));
        let load: LoadRange = load.parse().unwrap();
        let found = load_paths(&text, &[], &load, &StaticsOptions::default(), None).unwrap();
        let found = found.into_iter().next().flatten().unwrap().unwrap();
        let at = |x: f64| {
            // Computed with the same operations as the interpolation of the option.
            let share = (x + 1.0) / -2.0;
            let scene = crate::scene_of(&scene(-1.0 + share * -2.0));
            Ok::<_, NoRest>(Arc::clone(&scene.panels[0].bodies[0].setup))
        };
        let expected = follow(at, load.ends(), 2000).unwrap();
        assert!(expected.points.len() > 3, "{field}, {rope}");
        let numbers = |path: &Path| -> Vec<(f64, Vec<f64>)> {
            path.points.iter().map(|point| (point.load, point.x.clone())).collect()
        };
        assert_eq!(numbers(&found), numbers(&expected), "{field}, {rope}");
    }
}

#[test]
fn bad_loads_are_refused_under_their_own_name() {
    for (load, parts) in [
        ("rope.stiffness=1000:-5", ["--load rope.stiffness=-5", "a number above 0"]),
        ("rope.nodes=10:20", ["--load rope.nodes=10:20", "no values between 10 and 20"]),
        ("rope.stiff=10:20", ["did you mean --load rope.stiffness=10?", "no field `stiff`"]),
    ] {
        let output = printed(load, "scenes/compare.ron", &[]);
        assert!(parts.iter().all(|part| output.contains(part)), "{load}: {output}");
        assert!(!output.contains("--set"), "{load}: {output}");
    }
    // Node indices inside a list stay integers.
    let weights = "rope.weights=[(node: 3, mass: 1)]:[(node: 3, mass: 2)]";
    let output = printed(weights, "scenes/compare.ron", &[]);
    assert!(output.contains("rope.weights from 1 to 2: "), "{output}");
}

#[test]
fn ropes_of_routes_have_the_length_of_the_load() {
    let scene = "Scene(base: (gravity: (0, -10), integrator: VelocityVerlet,
        graph: (nodes: [(0, -3)], springs: [], mass: 8)), panels: [(with: (
        forces: [Route(from: First, axial: 1e5, length: 3, via: [Ring(at: (0, 0))])]))])";
    let route = |length: u8| {
        format!("[Route(from: First, axial: 1e5, length: {length}, via: [Ring(at: (0, 0))])]")
    };
    for (from, to, last) in [(3, 1, "-1.0008"), (1, 3, "-3.0024")] {
        let load = format!("forces={}:{}", route(from), route(to));
        let mut command = crate::catena();
        let run = command.args(["statics", "-", "--load", &load]).write_stdin(scene);
        let output = run.output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
        assert!(!err.contains("no influence") && !out.contains("no influence"), "{out}{err}");
        assert!(out.contains(last), "{from} to {to}: {out}{err}");
    }
}
