//! Rest with friction: positions where it holds a body, distances that the body slid, and strained
//! starts.

use crate::scene_of;
use catena::analysis::statics::{Contact, EXACT_FORCE, Friction, NoRest, equilibrium_with};
use catena::sim::Setup;
use std::sync::Arc;

/// Starts of a rope over a round bar of radius 0.25: one away from the bar, and one close to it.
const OFF: &str = "(-0.3, -0.5), (-0.3, 0.29), (0.3, 0.29), (0.3, -0.9)";
const NEAR: &str =
    "(-0.29, -0.7), (-0.29, 0), (-0.22, 0.22), (0, 0.3), (0.22, 0.22), (0.29, 0), (0.29, -0.9)";

fn over_bar(points: &str, friction: f64) -> Arc<Setup> {
    let scene = scene_of(&format!(
        "Scene(base: (gravity: (0, -9.81), frame_time: 0.0333, substeps: 100, drag: 0.02,
            colliders: [Sphere(center: (0, 0), radius: 0.25, friction: {friction})],
            rope: (shape: Points(points: [{points}]), nodes: 31, mass: 0.04, stiffness: 1e4,
                damping: 1, pins: [])))"
    ));
    Arc::clone(&scene.panels[0].bodies[0].setup)
}

#[test]
fn a_rope_over_a_bar_rests_by_friction_or_slides_off() {
    // If contact forces and friction do not agree, the search uses its whole effort.
    for (points, friction, effort) in [(OFF, 0.6, 1.0), (OFF, 3.0, 0.2), (NEAR, 0.6, 1.0)] {
        let setup = over_bar(points, friction);
        let rest = equilibrium_with(&setup, effort, Friction::Limit)
            .unwrap_or_else(|reason| panic!("{friction}: {reason}"));
        assert!(rest.residual <= rest.rounding.max(EXACT_FORCE), "{friction}: {}", rest.residual);
        assert!(rest.contacts.len() > 5 && !rest.is_unstable(), "{friction}");
        let (mut up, n) = (0.0, setup.model.nodes());
        for contact in &rest.contacts {
            // Within the cone of friction, and along the bar.
            let [held, normal] = [contact.held, contact.normal];
            let size = held.iter().map(|it| it * it).sum::<f64>().sqrt();
            assert!(size <= contact.friction * contact.force * (1.0 + 1e-6), "{contact:?}");
            let across = held.iter().zip(&normal).map(|(a, b)| a * b).sum::<f64>();
            assert!(across.abs() <= 1e-9 * rest.weight, "{contact:?}");
            // The bar carries the weight of the rope.
            up += held[1] + contact.force * normal[1];
            let node = contact.nodes[0].0;
            let from = (rest.x[node] * rest.x[node] + rest.x[n + node] * rest.x[n + node]).sqrt();
            assert!((from - 0.25).abs() < 1e-9, "{from}");
        }
        let weight = 31.0 * 0.04 * 9.81;
        assert!((up / weight - 1.0).abs() < 1e-9, "{friction}: {up} {weight}");
    }
    let slides = equilibrium_with(&over_bar(OFF, 0.05), 1.0, Friction::Limit).unwrap_err();
    assert_eq!(slides, NoRest::Slides { node: 0 });
}

/// Output of the command for a mooring line whose start has these points.
fn moored(points: &str, more: &str) -> String {
    let scene = format!(
        "Scene(base: (gravity: (0, -9.81), frame_time: 0.5, substeps: 40, drag: 400,
            integrator: ImplicitEuler,
            colliders: [Plane(point: (0, 0), normal: (0, 1), friction: 0.4)],
            rope: (shape: Points(points: [{points}]), nodes: 51, length: 500, mass: 800,
                pins: [First, Last], stiffness: 1e8){more}))"
    );
    let mut command = crate::catena();
    let output = command.args(["statics", "-", "--friction"]).write_stdin(scene).output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

#[test]
fn the_way_in_which_a_line_slid_and_a_strained_start_are_told() {
    let out = ", anchors: [(node: Last, curve: Linear(keys: [(0, (380, 200)), (20, (400, 200))]))]";
    for (points, more, direction, is_strained) in [
        ("(0, 0), (260, 0), (400, 200)", "", "slid along the rope towards node 0", true),
        ("(0, 0), (270, 0), (380, 200)", out, "slid along the rope towards node 50", false),
    ] {
        let message = moored(points, more);
        assert!(
            message.contains(direction) && message.contains("forces depend on this direction"),
            "{message}"
        );
        let warns = message.contains("longer than the 500 of the body without load");
        assert_eq!(warns, is_strained, "{message}");
    }
}

#[test]
fn the_table_tells_the_deflection_and_a_panel_alone() {
    let scene = "Scene(base: (gravity: (0, -1), integrator: ImplicitEuler,
        rope: (start: (0, 0), end: (1, 0), nodes: 3, mass: 0.1, pins: [First, Last])),
        panels: [(label: \"soft\", with: (rope: (stiffness: 10))),
            (label: \"stiff\", with: (rope: (stiffness: 1000)))])";
    for (panel, label, number) in [("2", "stiff", 2), ("soft", "soft", 1)] {
        let run = |more: &[&str]| {
            let mut command = crate::catena();
            let args = command.args(["statics", "-", "--panel", panel]).args(more);
            let output = args.write_stdin(scene).output().unwrap();
            String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
        };
        let message = run(&[]);
        assert!(message.contains(&format!("panel {number}: {label} (")), "{message}");
        assert_eq!(message.matches("panel ").count(), 1, "{message}");
        let line = message.lines().find(|line| line.contains("deflection")).unwrap();
        assert!(line.contains("node 1 moves from its start by (0, -"), "{line}");
        let json: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
        let bodies = json["bodies"].as_array().unwrap();
        assert_eq!((bodies.len(), bodies[0]["panel"].as_u64()), (1, Some(number - 1)));
        let [deflection, place] = ["deflection", "positions"].map(|key| &bodies[0][key]);
        assert_eq!(deflection["way"][1], place[1][1]);
        let path = run(&["--load", "gravity=(0,-1):(0,-2)"]);
        assert!(path.contains(&format!("panel {number}: {label}")), "{path}");
        assert_eq!(path.matches("panel ").count(), 1, "{path}");
    }
    // A body that starts at rest moves only by rounding.
    let scene = scene_of(
        "Scene(base: (gravity: (0, -10), colliders: [Sphere(center: (0, 0), radius: 0.3)],
        rope: (shape: Rest(via: [(-0.36, 0), (-0.27, 0.27), (0, 0.36), (0.27, 0.27), (0.36, 0)]),
            start: (-0.35, -1), end: (0.35, -1), nodes: 61, mass: 0.01, pins: [First],
            rod: (bending: 0.01, axial: 100), weights: [(node: Last, mass: 0.3)])))",
    );
    let setup = &scene.panels[0].bodies[0].setup;
    let rest = equilibrium_with(setup, 1.0, Friction::LeftOut).unwrap();
    assert!(rest.contacts.len() > 9, "{}", rest.contacts.len());
    assert_eq!(rest.deflection(setup), None);
}

#[test]
fn no_rest_is_held_by_what_the_body_does_not_have() {
    // A slope of 0.2 below free bodies: a search with tethers would keep them in the air.
    let plane = "colliders: [Plane(point: (0, 0), normal: (0.2, 1), friction: 0.5)]";
    let point =
        |y: f64| format!("graph: (nodes: [(0, {y})], springs: [], mass: 1, stiffness: 1), {plane}");
    let rope = format!("rope: (nodes: 8, start: (0, 1), end: (2, 1), pins: [], mass: 1), {plane}");
    for body in [point(1.0), point(0.3), point(0.05), point(1e-4), point(0.0), rope] {
        let scene = scene_of(&format!("Scene(base: (gravity: (0, -9.81), {body}))"));
        let setup = &scene.panels[0].bodies[0].setup;
        let Ok(rest) = equilibrium_with(setup, 0.2, Friction::Limit) else { continue };
        // Only contacts carry the weight.
        let up = |it: &Contact| it.held[1] + it.force * it.normal[1];
        let carried: f64 = rest.contacts.iter().map(up).sum();
        let weight = 9.81 * setup.model.mass.iter().sum::<f64>();
        assert!((carried / weight - 1.0).abs() < 1e-9, "{body}: {carried} of {weight}");
    }
}

/// A free body, described by the fields of its shape, above a slope of 0.2.
fn above_slope(body: &str, friction: f64) -> Arc<Setup> {
    let plane =
        format!("colliders: [Plane(point: (0, 0), normal: (0.2, 1), friction: {friction})]");
    let scene = scene_of(&format!("Scene(base: (gravity: (0, -9.81), {plane}, {body}))"));
    Arc::clone(&scene.panels[0].bodies[0].setup)
}

fn point_at(x: f64, y: f64) -> String {
    format!("graph: (nodes: [({x}, {y})], springs: [], mass: 1, stiffness: 1)")
}

#[test]
fn free_bodies_fall_onto_a_slope_and_rest_there_or_slide() {
    let pair = |y: f64| {
        format!("graph: (nodes: [(0, {y}), (1, {y})], springs: [(0, 1)], mass: 1, stiffness: 100)")
    };
    for body in [
        point_at(0.0, 1.0),
        point_at(0.0, 0.0),
        point_at(0.0, 0.01),
        point_at(0.0, 1.05),
        point_at(3.0, 0.05),
        point_at(-2.0, 900.0),
        pair(1.0),
        pair(40.0),
    ] {
        let setup = above_slope(&body, 0.5);
        let rest = equilibrium_with(&setup, 1.0, Friction::Limit)
            .unwrap_or_else(|reason| panic!("{body}: {reason}"));
        assert!(rest.residual <= rest.rounding.max(EXACT_FORCE), "{body}: {}", rest.residual);
        let n = setup.model.nodes();
        for node in 0..n {
            // The body is on the slope, near the place to which it fell.
            let height = 0.2 * rest.x[node] + rest.x[n + node];
            let far = setup.initial.x.iter().fold(1.0_f64, |maximum, x| maximum.max(x.abs()));
            assert!(height.abs() < 1e-9 * far, "{body}: {height}");
        }
        let friction = |contact: &Contact| contact.held.iter().map(|it| it * it).sum::<f64>();
        let push: f64 = rest.contacts.iter().map(|contact| contact.force).sum();
        let weight = 9.81 * n as f64;
        assert!((push * 1.04_f64.sqrt() / weight - 1.0).abs() < 1e-9, "{body}: {push}");
        assert!(rest.contacts.iter().all(|it| friction(it).sqrt() < 0.5 * it.force), "{body}");
        // Contact and friction leave no free motion.
        assert!(rest.modes.is_empty() && !rest.is_unstable(), "{body}: {:?}", rest.modes);
    }
    for body in [point_at(0.0, 1.0), point_at(0.0, 0.0), pair(1.0)] {
        let slides = equilibrium_with(&above_slope(&body, 0.1), 1.0, Friction::Limit).unwrap_err();
        assert_eq!(slides, NoRest::Slides { node: 0 }, "{body}");
    }
}
