//! Lengths that no shape can keep are reported before the run, with advice that helps.

use crate::{repository, scene_of};
use catena::analysis::lengths::{LengthFault, is_beyond_help, length_fault, length_warning};
use catena::sim::Setup;
use std::{fs, sync::Arc};

fn setup_of(text: &str) -> Arc<Setup> {
    Arc::clone(&scene_of(text).panels[0].bodies[0].setup)
}

fn of(method: &str, body: &str) -> Arc<Setup> {
    setup_of(&format!("Scene(base: (gravity: (0, -9.81), integrator: {method}, {body}))"))
}

/// Ropes of two segments each, from pins at these angles on a circle to a common knot.
fn star(angles: &[f64]) -> String {
    let at = |r: f64, angle: f64| {
        let angle = angle.to_radians();
        format!("({}, {})", r * libm::cos(angle), r * libm::sin(angle))
    };
    let nodes = angles.iter().map(|angle| format!("{}, {}", at(1.0, *angle), at(2.0, *angle)));
    let springs =
        (0..angles.len()).map(|k| format!("(0, {}), ({}, {})", 2 * k + 1, 2 * k + 1, 2 * k + 2));
    let pins = (0..angles.len()).map(|k| (2 * k + 2).to_string());
    let list = |all: Vec<String>| all.join(", ");
    format!(
        "graph: (nodes: [(0, 0), {}], springs: [{}], pins: [{}])",
        list(nodes.collect()),
        list(springs.collect()),
        list(pins.collect())
    )
}

#[test]
fn locked_lengths_are_told_from_those_that_can_move() {
    let taut = "rope: (start: (-1, 0), end: (1, 0), nodes: 21, mass: 0.01, pins: [First, Last])";
    let slack = "rope: (shape: Hanging, start: (-1, 0), end: (1, 0), length: 2.1, nodes: 21, mass: 0.01, pins: [First, Last])";
    let net =
        "net: (corner: (0, 0, 0), across: (1, 0, 0), down: (0, 0, 1), rows: 5, columns: 5, pins: ";
    let space = "Scene(base: (gravity: (0, -9.81, 0), integrator: Shake, ";
    let all_edges: Vec<String> = (0..25)
        .filter(|i| [0, 4].contains(&(i % 5)) || [0, 4].contains(&(i / 5)))
        .map(|i: i32| i.to_string())
        .collect();
    for (setup, is_locked) in [
        (of("Shake", taut), true),
        (of("Xpbd(compliance: 0)", taut), true),
        (of("Shake", slack), false),
        (of("Shake", "rope: (start: (0, 0), end: (1, 0), nodes: 11, pins: [First])"), false),
        // Along gravity, no force pushes it aside.
        (of("Shake", "rope: (start: (0, 0), end: (0, -1), nodes: 11, pins: [First, Last])"), false),
        (of("Shake", "rope: (start: (0, 0), end: (2, 0), nodes: 11, pins: [0, 5])"), true),
        (of("Shake", &star(&[0.0, 60.0, 120.0, 180.0, 240.0, 300.0])), true),
        // No two ropes are in line, but the knot is locked.
        (of("Shake", &star(&[90.0, 210.0, 330.0])), true),
        // All pins are on one side, so the knot can move.
        (of("Shake", &star(&[10.0, 70.0])), false),
        (setup_of(&format!("{space}{net}[{}])))", all_edges.join(", "))), true),
        (setup_of(&format!("{space}{net}TopEdge)))")), false),
    ] {
        let what = format!("{:?} {:?}", setup.method, setup.model.pinned);
        let fault = length_fault(&setup, 60);
        assert_eq!(fault.is_some(), is_locked, "{what}: {fault:?}");
        assert_eq!(is_beyond_help(&setup, 60), is_locked, "{what}");
        if let Some(line) = length_warning(&setup, 60) {
            assert!(line.contains("more `iterations` or `substeps` do not help"), "{line}");
        }
        assert_eq!(length_warning(&setup, 60).is_some(), is_locked, "{what}");
    }
    // Methods with elastic springs need no such report.
    for method in ["Xpbd", "VelocityVerlet", "ImplicitEuler"] {
        assert_eq!(length_warning(&of(method, taut), 60), None, "{method}");
    }
}

#[test]
fn pins_that_are_too_far_apart_are_named_with_their_time() {
    let short = of(
        "Shake",
        "rope: (start: (0, 0), end: (2, 0), length: 1.5, nodes: 11, pins: [First, Last])",
    );
    let Some(LengthFault::Short { pins, length, distance, time }) = length_fault(&short, 60) else {
        panic!("{:?}", length_fault(&short, 60))
    };
    assert_eq!((pins, distance, time), ([0, 10], 2.0, None));
    assert!((length - 1.5).abs() < 1e-12, "{length}");
    let led = of(
        "Shake",
        "frame_time: 0.1, rope: (shape: Hanging, start: (0, 0), end: (1, 0), length: 1.5, nodes: 11, pins: [First, Last]),
         anchors: [(node: 10, curve: Linear(keys: [(0, (1, 0)), (2, (3, 0))]))]",
    );
    assert_eq!(length_fault(&led, 4), None);
    let line = length_warning(&led, 31).unwrap();
    assert!(line.contains("from pin 0 to pin 10 its springs are 1.5 long"), "{line}");
    assert!(line.contains("at time 0.6 the pins are 1.6 apart"), "{line}");
}

#[test]
fn a_start_far_from_its_lengths_names_the_spring_and_what_to_do() {
    let line = length_warning(
        &of("Shake", "substeps: 10, frame_time: 0.1, graph: (nodes: [(0, 0), (1, 0), (2, 0)], springs: [(0, 1), (1, 2, 10, 0.8)], pins: [0])"),
        60,
    )
    .unwrap();
    for part in [
        "spring 1, from node 1 to node 2, is 1 long at the start, but its rest length is 0.8 (25 % \
         off)",
        "speed of about 20",
        "ImplicitEuler",
    ] {
        assert!(line.contains(part), "{part}: {line}");
    }
    let slack = "rope: (start: (0, 0), end: (1, 0), length: 1.3, nodes: 5, pins: [0])";
    assert!(length_warning(&of("Shake", slack), 60).is_some());
    assert_eq!(length_warning(&of("Pbd", slack), 60), None);
}

#[test]
fn a_taut_rope_is_not_told_to_iterate_more() {
    let text = fs::read_to_string(repository("tests/defects/shake_taut.ron")).unwrap();
    let bench =
        crate::rendered::Bench::new(&text.replace("frames: 31", "size: (96, 64), frames: 3"));
    let checked = String::from_utf8(bench.run(["check", "scene.ron"]).stdout).unwrap();
    assert!(checked.contains("SHAKE cannot keep all lengths"), "{checked}");
    let rendered = bench.run(["render", "scene.ron", "--out", "out", "--no-steady"]);
    let stderr = String::from_utf8(rendered.stderr).unwrap();
    assert!(stderr.contains("more `iterations` or `substeps` do not help"), "{stderr}");
    assert!(!stderr.contains("more `iterations` help"), "{stderr}");
}
