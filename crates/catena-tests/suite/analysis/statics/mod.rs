//! Computed rest states: equal to the rest of a run that waits, accurate, and with their stability.

mod answers;
mod contact;
mod friction;
mod modes;
mod path;
mod refused;
mod rod_joints;
mod rods;
mod routes;
mod scenes;
mod twisted;

use crate::{repository, scene_of};
use catena::analysis::{
    settle::{Ending, RestRule, settle},
    statics::{EXACT_FORCE, Equilibrium, NoRest, Stability, equilibrium},
};
use catena::sim::{
    Rope, Setup,
    force::Drag,
    method::{SemiImplicitEuler, with_defaults},
};
use std::sync::Arc;

/// The setup of a panel of one of the repository's scenes.
fn panel(scene: &str, panel: usize) -> Arc<Setup> {
    let path = repository("scenes").join(scene);
    let scene = scene_of(&std::fs::read_to_string(path).unwrap());
    Arc::clone(&scene.panels[panel].bodies[0].setup)
}

fn solved(setup: &Setup) -> Equilibrium {
    equilibrium(setup).unwrap_or_else(|reason| panic!("{reason}"))
}

fn farthest(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// A rope in the plane from the origin.
fn rope(end: [f64; 2], nodes: usize, pins: &[usize], g: f64) -> Setup {
    let mut rope = Rope::new([0.0, 0.0], end, nodes).of(0.1, 2000.0);
    for pin in pins {
        rope = rope.pin(*pin);
    }
    let setup = Setup::new(&rope).gravity([0.0, -g]).method(SemiImplicitEuler {});
    (*setup.frames(1.0 / 60.0, 64).check().unwrap()).clone()
}

#[test]
fn the_solved_rest_is_that_of_a_run_that_waits() {
    for (scene, index) in [
        ("adjacency.ron", 0),
        ("printed_springs.ron", 0),
        ("printed_springs.ron", 1),
        ("printed_springs.ron", 2),
        ("printed_springs.ron", 3),
        ("classroom.ron", 0),
        ("ladder.ron", 0),
        ("translucent.ron", 0),
    ] {
        let setup = panel(scene, index);
        let rest = solved(&setup);
        let apart = farthest(&rest.x, &waited(&setup, &rest));
        let length = setup.model.rest_length();
        assert!(apart < 1e-9 * length, "{scene} {index}: {apart}");
    }
}

/// Positions after a run that waits for rest. Drag at the critical damping of the slowest mode
/// makes it fastest; drag does not change the rest position.
fn waited(setup: &Setup, rest: &Equilibrium) -> Vec<f64> {
    waited_until_below(setup, rest, 1e-11)
}

/// Positions after a run until all speeds are below a fraction of the slowest mode's speed.
fn waited_until_below(setup: &Setup, rest: &Equilibrium, share: f64) -> Vec<f64> {
    let omega = rest.modes[0].omega_squared.sqrt();
    let model = &setup.model;
    let mass = model.mass.iter().sum::<f64>() / model.nodes() as f64;
    let mut damped = setup.clone();
    damped.forces.retain(|force| force.resistance() == 0.0);
    let coefficient = 2.0 * omega * mass;
    damped.forces.push(Arc::new(Drag { coefficient, wind: vec![0.0; model.axes] }));
    let rule = RestRule { speed: share * model.rest_length() * omega, frames: 30, limit: 20_000 };
    let settled = settle(&Arc::new(damped), rule, &|_| true);
    assert!(matches!(settled.ending, Ending::AtRest { .. }), "{:?}", settled.ending);
    settled.state.x
}

#[test]
fn newton_converges_quadratically_to_rounding() {
    for nodes in [3, 16, 100] {
        for pins in [vec![0], vec![0, nodes - 1]] {
            let rest = solved(&rope([1.0, 0.0], nodes, &pins, 9.81));
            assert_eq!(rest.stability, Stability::Stable);
            assert!(rest.residual <= EXACT_FORCE, "{nodes} {pins:?}: {}", rest.residual);
            assert!(rest.iterations <= 25, "{nodes} {pins:?}: {}", rest.iterations);
            // Below 1e-2, every step multiplies the exponent by at least 1.5, down to rounding.
            let near: Vec<f64> =
                rest.history.iter().copied().skip_while(|left| *left > 1e-2).collect();
            for pair in near.windows(2).filter(|pair| pair[0] > 1e-9) {
                assert!(pair[1] < libm::pow(pair[0], 1.5), "{nodes} {pins:?}: {:?}", rest.history);
            }
        }
    }
}

#[test]
fn chains_hang_as_their_closed_form_does() {
    for (method, end) in [("SemiImplicitEuler", 0.8), ("Shake", 0.8), ("Pbd", 0.8)] {
        let mut setup = rope([1.0, 0.0], 20, &[0, 19], 9.81);
        setup.initial.x[19] = end;
        setup.method = with_defaults(method).unwrap();
        let expected = setup.hanging_chain(setup.link_law()).unwrap();
        let rest = solved(&setup);
        assert!(farthest(&rest.x, &expected) < 1e-9, "{method}");
        // The pins carry the whole weight, including the pinned nodes.
        let carried: f64 = rest.pins.iter().map(|pin| pin.force[1]).sum();
        let weight = 9.81 * setup.model.mass.iter().sum::<f64>();
        assert!((carried + weight).abs() < 1e-9 * weight, "{method}: {carried} {weight}");
    }
}

#[test]
fn frequencies_of_one_mass_on_a_spring_are_those_of_a_pendulum_and_of_the_spring() {
    let setup = rope([1.0, 0.0], 2, &[0], 9.81);
    let (k, m) = (setup.model.springs[0].stiffness, setup.model.mass[1]);
    let length = 1.0 + m * 9.81 / k;
    let rest = solved(&setup);
    let found: Vec<f64> = rest.modes.iter().map(|mode| mode.omega_squared).collect();
    for (found, expected) in found.iter().zip([9.81 / length, k / m]) {
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
    }
    // Upside down, the same mass is in equilibrium on a compressed spring, but falls.
    let above = solved(&rope([0.0, 1.0], 2, &[0], 9.81));
    assert_eq!(above.stability, Stability::Stable);
    assert!((above.x[3] + length).abs() < 1e-12, "{:?}", above.x);
    let left = above.left.unwrap();
    assert_eq!(left.stability, Stability::Unstable);
    let expected = -9.81 / (1.0 - m * 9.81 / k);
    assert!((left.modes[0].omega_squared / expected - 1.0).abs() < 1e-9);
}

#[test]
fn a_shallow_arch_snaps_through_at_its_limit_load() {
    let (half, height) = (1.0_f64, 0.1_f64);
    let arch = |g: f64| {
        let mut setup = rope([2.0, 0.0], 3, &[0, 2], g);
        setup.initial.x[4] = height;
        let length = (half * half + height * height).sqrt();
        setup.model.springs.iter_mut().for_each(|spring| spring.rest_length = length);
        setup
    };
    let setup = arch(0.0);
    let (k, l) = (setup.model.springs[0].stiffness, setup.model.springs[0].rest_length);
    // Load of two bars with their apex at height y: 2 k (l - |d|) y/|d|.
    let load = |y: f64| {
        let d = (half * half + y * y).sqrt();
        2.0 * k * (l - d) * y / d
    };
    let limit = (0..=100_000).map(|i| load(height * f64::from(i) / 1e5)).fold(0.0, f64::max);
    let g = limit / setup.model.mass[1];
    for (share, is_above) in [(0.5, true), (0.95, true), (1.05, false), (2.0, false)] {
        let rest = solved(&arch(share * g));
        assert_eq!(rest.stability, Stability::Stable);
        assert_eq!(rest.x[4] > 0.0, is_above, "{share} of the limit: {}", rest.x[4]);
        let carried = if is_above { load(rest.x[4]) } else { -load(-rest.x[4]) };
        assert!((carried / (share * limit) - 1.0).abs() < 1e-9, "{share}: {carried}");
    }
}

#[test]
fn a_body_without_rest_gets_the_reason() {
    let reason = |scene, index| equilibrium(&panel(scene, index)).unwrap_err();
    assert!(matches!(reason("flag_on_line.ron", 0), NoRest::ChangingForce { .. }));
    assert_eq!(reason("cut_chain.ron", 0), NoRest::Events);
    assert!(matches!(reason("breaking.ron", 0), NoRest::Breaks { spring: 0, .. }));
    assert_eq!(reason("breaking.ron", 2), NoRest::Yields { spring: 0 });
    // The floor is inclined.
    assert_eq!(reason("bounce.ron", 0), NoRest::Lies { node: 0 });
    let free = rope([1.0, 0.0], 5, &[], 9.81);
    assert_eq!(equilibrium(&free).unwrap_err(), NoRest::Falls { node: 0 });
    let pulled = Setup { position_factor: 0.99, ..rope([1.0, 0.0], 5, &[0], 9.81) };
    assert_eq!(equilibrium(&pulled).unwrap_err(), NoRest::PositionFactor);
    // The second ring rests in the first one.
    assert_eq!(reason("linked_rings.ron", 0), NoRest::Hangs { node: 48 });
    assert_eq!(reason("lantern.ron", 0), NoRest::Solid { name: "part \"lantern\"".into() });
}

#[test]
fn the_command_prints_a_table_json_and_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let scene = repository("scenes/compare.ron");
    let run = |args: &[&str]| {
        let mut command = crate::catena();
        command.current_dir(folder.path()).arg("statics").arg(&scene).args(args);
        command.output().unwrap()
    };
    let table = run(&[]);
    assert!(table.status.success());
    let table = String::from_utf8(table.stdout).unwrap();
    for part in [
        "panel 1: Semi-implicit Euler (SemiImplicitEuler)",
        "  stability    stable: the smallest ω² is ",
        "  lengths      fixed: the limit of many iterations",
        "  pins         node 0 carries ",
    ] {
        assert!(table.contains(part), "{part}: {table}");
    }
    let json: serde_json::Value = serde_json::from_slice(&run(&["--json"]).stdout).unwrap();
    let body = &json["bodies"][0];
    assert_eq!((&body["rest"], &body["stability"]), (&true.into(), &"stable".into()));
    assert!(body["residual"].as_f64().unwrap() <= EXACT_FORCE);
    let refused = run(&["-o", "rest.jpg"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(!folder.path().join("rest.jpg").exists());
    assert!(run(&["-o", "rest.png"]).status.success());
    assert!(image::open(folder.path().join("rest.png")).is_ok());
}

#[test]
fn modes_are_drawn_and_filmed() {
    let folder = tempfile::tempdir().unwrap();
    let run = |scene: &str, args: &[&str]| {
        let mut command = crate::catena();
        let scene = repository("scenes").join(scene);
        command.current_dir(folder.path()).arg("statics").arg(scene).args(args);
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let read = |name: &str| image::open(folder.path().join(name)).unwrap().into_rgb8();
    let table: [(&str, &[&str], Option<&str>); 5] = [
        ("compare.ron", &["--modes", "2", "-o", "two.png"], Some("two.png")),
        ("compare.ron", &["--modes", "3", "-o", "three.png"], Some("three.png")),
        ("hammock.ron", &["--modes", "1", "-o", "space.png"], Some("space.png")),
        ("cantilever.ron", &["--modes", "2", "-o", "forces.png"], Some("forces.png")),
        ("compare.ron", &["-o", "rest.png"], Some("rest.png")),
    ];
    for (scene, args, file) in table {
        let (code, message) = run(scene, args);
        assert_eq!(code, Some(0), "{args:?}: {message}");
        file.map(read);
    }
    assert!(read("two.png") != read("three.png") && read("two.png") != read("rest.png"));
    let (code, message) = run("compare.ron", &["--mode", "2", "-o", "mode.y4m"]);
    assert_eq!((code, message.contains("mode.y4m, 48 frames")), (Some(0), true), "{message}");
    let film = std::fs::read(folder.path().join("mode.y4m")).unwrap();
    // Frames of a planar film have equal sizes, and half a period later the other side is shown.
    let header = film.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let size = (film.len() - header) / 48;
    let frame = |index: usize| &film[header + index * size..header + (index + 1) * size];
    assert!((0..48).all(|index| frame(index).starts_with(b"FRAME\n")));
    let apart = |a: usize, b: usize| frame(a).iter().zip(frame(b)).filter(|(a, b)| a != b).count();
    assert!(apart(0, 24) > 2 * apart(0, 1).min(apart(0, 47)), "the body does not swing");
    for (args, part) in [
        (&["--modes", "5", "-o", "x.png"][..], "from 1 to 4"),
        (&["--mode", "1"], "-o"),
        (&["--mode", "1", "--modes", "2", "-o", "x.png"], "cannot be used with"),
        (&["--mode", "1", "-o", "x.txt"], ".gif"),
    ] {
        let (code, message) = run("compare.ron", args);
        assert_eq!((code, message.contains(part)), (Some(2), true), "{args:?}: {message}");
    }
    let (code, message) = run("cut_chain.ron", &["--mode", "1", "-o", "x.gif"]);
    assert_eq!((code, message.contains("no body has a mode 1")), (Some(2), true), "{message}");
}

#[test]
fn forces_that_end_are_taken_as_they_are_then() {
    let rest = |settings: &str| {
        let scene = scene_of(&format!(
            "Scene(base: (frames: 2, {settings}
              rope: (start: (0, 0), end: (1, 0.5), nodes: 7, stiffness: 500, mass: 0.1)))"
        ));
        equilibrium(&scene.panels[0].bodies[0].setup)
    };
    for (changing, last, time) in [
        ("gravity: [(0, (0, -1)), (2, (3, -10))],", "gravity: (3, -10),", 2.0),
        (
            "gravity: (0, -10), drag: 0.1, wind: [(0, (0, 0)), (3, (20, 0))],",
            "gravity: (0, -10), drag: 0.1, wind: (20, 0),",
            3.0,
        ),
        (
            "gravity: (0, -10), forces: [PointForce(node: 3, force: (2, 0), from: 1)],",
            "gravity: (0, -10), forces: [PointForce(node: 3, force: (2, 0))],",
            1.0,
        ),
        (
            "gravity: (0, -10), forces: [PointForce(node: 3, force: (2, 0), until: 4)],",
            "gravity: (0, -10),",
            4.0,
        ),
    ] {
        let (found, expected) = (rest(changing).unwrap(), rest(last).unwrap());
        assert_eq!(found.time, time, "{changing}");
        assert!(farthest(&found.x, &expected.x) < 1e-12, "{changing}");
    }
    let gusts = "gravity: (0, -10), drag: 0.1, wind: Gusts(mean: (6, 0), strength: 2, period: 1.5, seed: 7),";
    let reason = rest(gusts).unwrap_err();
    assert!(reason.to_string().contains("`wind`"), "{reason}");
    assert!(!reason.to_string().contains("Changing"), "{reason}");
    assert!(reason.help().contains("last key"), "{}", reason.help());
}

#[test]
fn long_ropes_rest_up_to_the_rounding_of_their_nodes() {
    for nodes in [500, 3000] {
        let rest = solved(&rope([1.0, 0.0], nodes, &[0, nodes - 1], 9.81));
        assert_eq!(rest.stability, Stability::Stable);
        assert!(rest.residual <= rest.rounding.max(EXACT_FORCE), "{nodes}: {}", rest.residual);
        // A few units in the last place of the positions, relative to the length of a segment.
        let maximum = 1e-16 * (nodes * nodes) as f64;
        assert!(rest.rounding < maximum, "{nodes}: {}", rest.rounding);
        assert!(rest.iterations < 40, "{nodes}: {}", rest.iterations);
    }
}
