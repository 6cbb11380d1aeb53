//! Formulas of course material, compared with theory: printed spring laws, friction without load,
//! pins with a velocity, and pins that stop at the ground.

use crate::scene_of;
use catena::scene::Scene;
use catena::sim::force::law::{self, SpringLaw, Tensions};
use catena::sim::{Outcome, Simulation, Spring};
use std::sync::Arc;

fn law_of(text: &str) -> Box<dyn SpringLaw> {
    let (name, options) = text.split_at(text.find('(').unwrap_or(text.len()));
    let options = if options.is_empty() { "()" } else { options };
    let mut reader = ron::Deserializer::from_str(options).unwrap();
    law::read(name, &mut reader).unwrap().unwrap()
}

/// The first body of a scene after some frames.
fn after(scene: &Scene, frames: u32) -> Simulation {
    let mut run = Simulation::new(scene.panels[0].bodies[0].setup.clone());
    (0..frames).for_each(|_| run.advance_frame());
    assert_eq!(run.outcome(), Outcome::Fine);
    run
}

/// The root of a rising function between 0 and 1.
fn root(f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    low
}

/// A law, the mass, whether it hangs or stands, and the strain at rest with l = 2 and k = 100.
fn rests() -> Vec<(&'static str, f64, bool, f64)> {
    const JUMP: &str =
        "PiecewiseLinear(points: [(-0.2, -0.05), (0.02, 0.1), (0.02, 0.2), (1, 1.18)])";
    vec![
        ("Hooke", 1.0, true, 0.04905),
        // ε exp(ε) = m g/k for the printed law, m g/(k l) for the other.
        ("StrainExponential", 1.0, true, root(|e| e * libm::exp(e) - 0.0981)),
        ("Exponential", 1.0, true, root(|e| e * libm::exp(e) - 0.04905)),
        ("StrainExponential(alpha: 3)", 1.0, true, root(|e| e * libm::exp(3.0 * e) - 0.0981)),
        // Under compression, the printed law softens and the other one stiffens.
        ("StrainExponential", 1.0, false, -root(|e| e * libm::exp(-e) - 0.0981)),
        ("Exponential", 1.0, false, -root(|e| e * libm::exp(e) - 0.04905)),
        // g = m g/(k l): before and after the jump, and under compression.
        (JUMP, 1.0, true, 0.04905 / 5.0),
        (JUMP, 5.0, true, 0.02 + (0.24525 - 0.2)),
        (JUMP, 1.0, false, -0.04905 * 4.0),
        // Antisymmetric, with a jump at the origin and one at the end.
        ("PiecewiseLinear(points: [(0, 0.04), (1, 0.14)])", 1.0, true, 0.0905),
        ("PiecewiseLinear(points: [(0, 0.04), (1, 0.14)])", 1.0, false, -0.0905),
        ("PiecewiseLinear(points: [(0.01, 0.01), (0.01, 0.03)])", 1.0, true, 0.02905),
    ]
}

#[test]
fn springs_of_printed_laws_rest_where_the_formula_says() {
    let strains: Vec<f64> = rests()[1..3].iter().map(|row| row.3).collect();
    assert!((strains[0] - 0.0897).abs() < 5e-5 && (strains[1] - 0.0468).abs() < 5e-5);
    for (law, mass, hangs, expected) in rests() {
        for method in ["SemiImplicitEuler", "Rk4", "ImplicitEuler", "ImplicitMidpoint"] {
            let end = if hangs { -2 } else { 2 };
            let scene = scene_of(&format!(
                "Scene(base: (gravity: (0, -9.81), drag: 8, frame_time: 0.1, substeps: 20, integrator: {method},
                    rope: (start: (0, 0), end: (0, {end}), nodes: 2, mass: {mass:?}, stiffness: 100, law: {law})))"
            ));
            let run = after(&scene, 300);
            let length = run.state().x[3].abs();
            let strain = (length - 2.0) / 2.0;
            assert!((strain - expected).abs() < 1e-9, "{law} {method}: {strain} {expected}");
        }
    }
}

#[test]
fn energies_are_integrals_of_the_tension_across_jumps() {
    let spring = Spring { a: 0, b: 1, stiffness: 70.0, rest_length: 0.4 };
    for text in [
        "StrainExponential(alpha: 5)",
        "PiecewiseLinear(points: [(-0.5, -0.9), (-0.1, -0.2), (-0.1, -0.05), (0.1, 0.1), (0.1, 0.05), (1, 2)])",
        "PiecewiseLinear(points: [(-1, 0), (1, 1)])",
        "PiecewiseLinear(points: [(0, 0.1), (0.3, 0.1), (0.3, 0.4)])",
    ] {
        let law = law_of(text);
        law.check().unwrap();
        assert_eq!((law.tension(&spring, 0.4, 0.0), law.energy(&spring, 0.4, 0.0)), (0.0, 0.0));
        for end in [0.1, 0.35, 0.361, 0.43, 0.45, 0.7, 1.2] {
            const PARTS: u32 = 100_000;
            let width = (end - 0.4) / f64::from(PARTS);
            let middle = |part: u32| 0.4 + (f64::from(part) + 0.5) * width;
            let sum: f64 = (0..PARTS).map(|part| law.tension(&spring, middle(part), 0.0)).sum();
            let energy = law.energy(&spring, end, 0.0);
            assert!((sum * width - energy).abs() < 1e-4 * energy.abs().max(1e-3), "{text} {end}");
        }
        // A rope in a batch with other springs gives the same bits as alone.
        let length: Vec<f64> = (0..64).map(|i| 0.1 + 0.02 * f64::from(i)).collect();
        let all = |value: f64| vec![value; length.len()];
        let (stiffness, rest, plastic) = (all(70.0), all(0.4), all(0.0));
        let mut out = all(f64::NAN);
        let (stiffness, rest, plastic) = (&*stiffness, &*rest, &*plastic);
        law.tensions(&Tensions { stiffness, rest, length: &length, plastic }, &mut out);
        for (length, tension) in length.iter().zip(&out) {
            assert_eq!(tension.to_bits(), law.tension(&spring, *length, 0.0).to_bits(), "{text}");
        }
    }
}

#[test]
fn a_jump_has_the_value_and_slope_of_the_side_near_rest() {
    let spring = Spring { a: 0, b: 1, stiffness: 10.0, rest_length: 1.0 };
    let law = law_of(
        "PiecewiseLinear(points: [(-0.25, -1), (-0.25, -0.25), (0.5, 0.5), (0.5, 1), (1, 3)])",
    );
    law.check().unwrap();
    let at = |length: f64| (law.tension(&spring, length, 0.0), law.slope(&spring, length, 0.0));
    assert_eq!([at(1.5), at(0.75), at(1.75)], [(5.0, 10.0), (-2.5, 10.0), (20.0, 40.0)]);
    // Beyond a jump at the last point, the slope continues.
    assert_eq!(at(0.5), (-12.5, 10.0));
}

#[test]
fn laws_that_make_no_sense_are_refused() {
    for points in [
        "[]",
        "[(0, 0)]",
        "[(0.2, 0.1), (0.1, 0.2)]",
        "[(0.1, 0.2), (0.2, 0.1)]",
        "[(0.1, -0.2), (0.2, 0.1)]",
        "[(-0.1, 0.2), (0.2, 0.3)]",
        "[(-0.1, -0.2)]",
        "[(-0.2, -0.1), (-0.1, -0.2), (1, 1)]",
    ] {
        let law = law_of(&format!("PiecewiseLinear(points: {points})"));
        assert!(law.check().is_err(), "{points}");
    }
}

/// A scene of one free node of mass 2 in contact with colliders, with 100 steps of 0.01 per frame.
fn sliding(settings: &str, start: &str, velocity: &str) -> Scene {
    scene_of(&format!(
        "Scene(base: (frame_time: 1, substeps: 100, {settings},
            graph: (nodes: [{start}], mass: 2), velocities: [(velocity: {velocity})]))"
    ))
}

#[test]
fn friction_without_load_slows_by_the_printed_formula() {
    // v is multiplied by (1 - c dt/m) in each step, whatever presses on the node.
    let expected = libm::pow(1.0 - 0.3 * 0.01 / 2.0, 300.0);
    let plane = "colliders: [Plane(point: (0, 0), normal: (0, 1))]";
    let moving = "colliders: [Moving(of: Plane(point: (0, 0), normal: (0, 1)), along: Linear(keys: [(0, (0, 0)), (9, (-18, 0))]))]";
    let shelf = "colliders: [Box(center: (0, -5), size: (99, 10))]";
    for (colliders, gravity, start, change) in [
        (plane, 1.0, 5.0, 5.0),
        (plane, 100.0, 5.0, 5.0),
        (shelf, 10.0, -3.0, -3.0),
        // Relative to the surface, which moves at -2.
        (moving, 10.0, 5.0, 7.0),
    ] {
        let settings = format!("{colliders}, contact: (viscous: 0.3), gravity: (0, -{gravity:?})");
        let scene = sliding(&settings, "(0, 0)", &format!("({start:?}, 0)"));
        let run = after(&scene, 3);
        let v = run.state().v[0];
        let found = start - change + change * expected;
        assert!((v - found).abs() < 1e-12, "{colliders} {gravity}: {v} {found}");
        assert!(run.state().x[1].abs() < 1e-12);
    }
}

#[test]
fn friction_without_load_does_not_hold_a_node_on_a_slope() {
    // Finally m g sin θ = c v; Coulomb friction holds the node if μ is above tan θ.
    let slope = |surface: &str, contact: &str| {
        let settings = format!(
            "gravity: (0, -10), colliders: [Plane(point: (0, 0), normal: (0.6, 0.8){surface})]{contact}"
        );
        let run = after(&sliding(&settings, "(0, 0)", "(0, 0)"), 60);
        let v = &run.state().v;
        (v[0] * v[0] + v[1] * v[1]).sqrt()
    };
    let printed = slope("", ", contact: (viscous: 4)");
    assert!((printed - 2.0 * 10.0 * 0.6 / 4.0).abs() < 1e-9, "{printed}");
    assert_eq!(slope(", friction: 0.76", ""), 0.0);
    // In the air there is no friction.
    let settings =
        "gravity: (0, 0), colliders: [Sphere(center: (0, -9), radius: 1)], contact: (viscous: 4)";
    assert_eq!(after(&sliding(settings, "(0, 0)", "(3, 0)"), 9).state().v[0], 3.0);
}

#[test]
fn friction_without_load_acts_in_all_methods_and_in_space() {
    let run = |method: &str, y: f64, contact: &str| {
        let scene = scene_of(&format!(
            "Scene(base: (integrator: {method}, frame_time: 0.1, substeps: 50, gravity: (0, -10, 0),
                colliders: [Plane(point: (0, 0, 0), normal: (0, 1, 0))], contact: ({contact}),
                rope: (start: (0, {y:?}, 0), end: (4, {y:?}, 0), nodes: 5, pins: [], mass: 2),
                velocities: [(velocity: (3, 0, 4))]))"
        ));
        let run = after(&scene, 20);
        let v = &run.state().v;
        [v[..5].iter().sum::<f64>(), v[10..].iter().sum()]
    };
    let kept = libm::exp(-0.3 * 2.0 / 2.0);
    let check = |method: &str, y: f64, contact: &str| {
        let free = run(method, y, contact);
        let slowed = run(method, y, &format!("{contact}viscous: 0.3"));
        for axis in 0..2 {
            let share = slowed[axis] / free[axis];
            assert!((share - kept).abs() < 2e-3, "{method} {contact}: {share} {kept}");
        }
        assert!((free[0] - 15.0).abs() < 0.2, "{method}: {free:?}");
    };
    for info in catena::sim::method::METHODS {
        check(info.name, 0.0, "");
    }
    check("SemiImplicitEuler", 0.1, "of: Drawn, thickness: 0.2, ");
}

/// Position and velocity of the first anchor of a scene at a time.
fn pin_at(anchor: &str, more: &str, t: f64) -> ([f64; 3], [f64; 3]) {
    let scene = scene_of(&format!(
        "Scene(base: (frame_time: 0.1, substeps: 10{more}, rope: (start: (1, 2), end: (1, 0), nodes: 3), anchors: [({anchor})]))"
    ));
    scene.panels[0].bodies[0].setup.anchors[0].curve.at(t)
}

#[test]
fn a_pin_with_a_velocity_is_at_the_integral() {
    let ramp = "velocity: Linear(keys: [(0, (0, 0)), (2, (4, -2))])";
    let wave = "velocity: Keys(keys: [(0, (0, 0)), (1, (2, 0)), (2, (0, 0))], repeat: Loop)";
    for (anchor, t, x, v) in [
        ("node: 0, velocity: (3, -1)", 2.0, [7.0, 0.0], [3.0, -1.0]),
        ("velocity: (3, -1)", 2.0, [7.0, 0.0], [3.0, -1.0]),
        ("node: 0, velocity: (3, -1), from: 1", 0.5, [1.0, 2.0], [0.0, 0.0]),
        ("node: 0, velocity: (3, -1), from: 1, until: 2", 1.5, [2.5, 1.5], [3.0, -1.0]),
        ("node: 0, velocity: (3, -1), from: 1, until: 2", 9.0, [4.0, 1.0], [0.0, 0.0]),
        // Quadratic between the keys, and linear after them.
        (&format!("node: 0, {ramp}"), 1.0, [2.0, 1.5], [2.0, -1.0]),
        (&format!("node: 0, {ramp}"), 3.0, [9.0, -2.0], [4.0, -2.0]),
        (&format!("node: 0, {ramp}, from: 1"), 2.0, [4.0, 0.5], [4.0, -2.0]),
        ("node: 0, velocity: Step(keys: [(0, (1, 0)), (1, (0, 5))])", 3.0, [2.0, 12.0], [0.0, 5.0]),
        // Each lap takes 2 units of time.
        (&format!("node: 0, {wave}"), 6.0, [7.0, 2.0], [0.0, 0.0]),
        (&format!("node: 0, {wave}"), 6.5, [7.25, 2.0], [1.0, 0.0]),
    ] {
        let (place, velocity) = pin_at(anchor, "", t);
        for axis in 0..2 {
            assert!((place[axis] - x[axis]).abs() < 1e-12, "{anchor} at {t}: {place:?}");
            assert!((velocity[axis] - v[axis]).abs() < 1e-12, "{anchor} at {t}: {velocity:?}");
        }
    }
    // The run has the node at this position, even after a checkpoint.
    let scene = scene_of(&format!(
        "Scene(base: (frame_time: 0.1, substeps: 10, rope: (start: (1, 2), end: (1, 0), nodes: 3), anchors: [(node: 0, {ramp})]))"
    ));
    let half = after(&scene, 5).checkpoint();
    let mut run = after(&scene, 0);
    run.restore(&half);
    (0..5).for_each(|_| run.advance_frame());
    assert_eq!(run.state(), after(&scene, 10).state());
    assert!((run.state().x[0] - 2.0).abs() < 1e-12 && (run.state().v[0] - 2.0).abs() < 1e-12);
}

#[test]
fn a_pin_stops_at_the_ground_as_in_nehe_lesson_40() {
    // By hand: down at a speed of 1 from y = 2, y = 0 at t = 2, and up again from the ground at t =
    // 3.
    let path =
        "node: 0, velocity: Step(keys: [(0, (0.5, -1)), (3, (0.5, 1))]), stops_at_colliders: true";
    let ground = ", colliders: [Plane(point: (0, 0), normal: (0, 1))]";
    for (anchor, more, t, x, v) in [
        (path, ground, 1.0, [1.5, 1.0], [0.5, -1.0]),
        (path, ground, 2.5, [2.25, 0.0], [0.5, 0.0]),
        (path, ground, 4.0, [3.0, 1.0], [0.5, 1.0]),
        // A point on a curve leaves the ground again when the curve does.
        (
            "node: 0, curve: Linear(keys: [(0, (0, 1)), (2, (0, -1)), (4, (0, 1))]), stops_at_colliders: true",
            ground,
            1.5,
            [0.0, 0.0],
            [0.0, 0.0],
        ),
        (
            "node: 0, curve: Linear(keys: [(0, (0, 1)), (2, (0, -1)), (4, (0, 1))]), stops_at_colliders: true",
            ground,
            3.5,
            [0.0, 0.5],
            [0.0, 1.0],
        ),
        // At the contact radius of a ball, straight towards its centre.
        (
            "node: 0, velocity: (-1, 0), stops_at_colliders: true",
            ", colliders: [Sphere(center: (-1, 2), radius: 0.5)], contact: (radius: 0.25)",
            9.0,
            [-0.25, 2.0],
            [0.0, 0.0],
        ),
        // A rising ground lifts the pin.
        (
            "node: 0, velocity: (0, -1), stops_at_colliders: true",
            ", colliders: [Moving(of: Plane(point: (0, 0), normal: (0, 1)), along: Linear(keys: [(0, (0, 0)), (9, (0, 4.5))]))]",
            6.0,
            [1.0, 3.0],
            [0.0, 0.5],
        ),
    ] {
        let (place, velocity) = pin_at(anchor, more, t);
        for axis in 0..2 {
            assert!((place[axis] - x[axis]).abs() < 1e-12, "{anchor} at {t}: {place:?}");
            assert!((velocity[axis] - v[axis]).abs() < 1e-12, "{anchor} at {t}: {velocity:?}");
        }
    }
}

#[test]
fn stops_do_not_depend_on_the_order_of_questions() {
    let anchor = "node: 0, velocity: Keys(keys: [(0, (0, -3)), (1, (1, 3))], repeat: PingPong), stops_at_colliders: true";
    let curve = || {
        let scene = scene_of(&format!(
            "Scene(base: (frame_time: 0.1, substeps: 100, colliders: [Plane(point: (0, 1.5), normal: (0.1, 1))],
                rope: (start: (1, 2), end: (1, 4), nodes: 3), anchors: [({anchor})]))"
        ));
        Arc::clone(&scene.panels[0].bodies[0].setup.anchors[0].curve)
    };
    let (forward, backward) = (curve(), curve());
    let times: Vec<f64> = (0..500).map(|i| 0.0173 * f64::from(i)).collect();
    let first: Vec<_> = times.iter().map(|t| forward.at(*t)).collect();
    let mut last: Vec<_> = times.iter().rev().map(|t| backward.at(*t)).collect();
    last.reverse();
    assert_eq!(first, last);
    assert!(first.iter().all(|(place, _)| place[1] + 0.1 * place[0] > 1.5 - 1e-9));
}

/// Springs of a scene: ends, stiffness and rest length.
fn springs(base: &str) -> Vec<(usize, usize, f64, f64)> {
    let scene = scene_of(&format!("Scene(base: ({base}))"));
    let model = &scene.panels[0].bodies[0].setup.model;
    model.springs.iter().map(|it| (it.a, it.b, it.stiffness, it.rest_length)).collect()
}

#[test]
fn an_adjacency_matrix_has_the_springs_of_its_list() {
    const NODES: &str = "nodes: [(0, 0), (3, 0), (3, 4)]";
    for (matrix, list) in [
        ("adjacency: [[0, 1, 0], [1, 0, 1], [0, 1, 0]]", "springs: [(0, 1), (1, 2)]"),
        (
            "adjacency: [[0, 2, 1], [2, 0, 0], [1, 0, 0]], stiffness: 7, lengths: [[0, 0, 6], [0, 0, 0], [6, 0, 0]]",
            "stiffness: 7, springs: [(0, 1, 14), (0, 2, 7, 6)]",
        ),
        (
            "adjacency: [[0, 0, 0], [0, 0, 0.5], [0, 0.5, 0]], springs: [(0, 1, 3)]",
            "springs: [(1, 2, 50), (0, 1, 3)]",
        ),
        ("adjacency: [[0, 0, 0], [0, 0, 0], [0, 0, 0]]", "springs: []"),
    ] {
        let [matrix, list] = [matrix, list].map(|it| springs(&format!("graph: ({NODES}, {it})")));
        assert_eq!(matrix, list);
    }
}

#[test]
fn materials_damp_and_shear() {
    let setup =
        |base: &str| scene_of(&format!("Scene(base: ({base}))")).panels[0].bodies[0].setup.clone();
    // The lowest longitudinal mode loses the fraction η of its energy per radian, so its damping
    // ratio is η/2.
    for nodes in [21, 81] {
        let material = "Elastic(young: 1e4, density: 100, loss_factor: 0.1)";
        let scene = scene_of(&format!(
            "Scene(base: (gravity: (0, 0), frame_time: 0.01, substeps: 100, integrator: Rk4,
                rope: (start: (0, 0), end: (1, 0), nodes: {nodes}, pins: [0], material: {material}, area: 1e-2, material_damping: true)))"
        ));
        let body = &scene.panels[0].bodies[0].setup;
        let mut run = Simulation::new(body.clone());
        let mut start = run.checkpoint();
        let n = body.model.nodes();
        for i in 0..n {
            start.state.x[i] +=
                1e-4 * libm::sin(std::f64::consts::FRAC_PI_2 * i as f64 / (n - 1) as f64);
        }
        run.restore(&start);
        // Four periods of the mode, each 4 L/√(E/ρ) = 0.4.
        (0..160).for_each(|_| run.advance_frame());
        let left = (run.state().x[n - 1] - 1.0) / 1e-4;
        let expected = libm::exp(-0.05 * std::f64::consts::TAU * 4.0);
        assert!((left - expected).abs() < 0.02 * expected + 0.003, "{nodes}: {left} {expected}");
    }
    let sheet = |more: &str| {
        setup(&format!(
            "cloth: (corner: (0, 0), across: (2, 0), down: (0, -1), rows: 3, columns: 5{more})"
        ))
    };
    let shear = |more: &str| {
        let model = &sheet(more).model;
        (model.springs[0].stiffness, model.springs[model.structural].stiffness)
    };
    assert_eq!(shear(""), (100.0, 50.0));
    assert_eq!(shear(", poisson: 0.25"), (100.0, 40.0));
    // E t and G t of a sheet of thickness 1 mm.
    let (k, g) = shear(", material: Rubber, thickness: 0.001");
    assert!((k - 1e4).abs() < 1e-8 && (g - 1e4 / 2.98).abs() < 1e-8, "{k} {g}");
    assert_eq!(shear(", material: Rubber, thickness: 0.001, poisson: 0").1, k / 2.0);
    let mass: f64 = sheet(", material: Rubber, thickness: 0.001").model.mass.iter().sum();
    assert!((mass - 1000.0 * 0.001 * 2.0).abs() < 1e-12, "{mass}");
}
