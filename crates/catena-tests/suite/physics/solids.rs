//! Rigid bodies: pendulums, rotation, suspension by ropes, rolling and collisions.

use crate::scene_of;
use catena::sim::body::{Form, Model, Part, SolidKind, rigid};
use catena::sim::{Simulation, State, method::METHODS};
use std::f64::consts::TAU;
use std::sync::Arc;

fn body(settings: &str) -> Simulation {
    let scene = scene_of(&format!("Scene(base: ({settings}))"));
    Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup))
}

/// Time per period, from `count` upward passes of a quantity through 0.
fn period(simulation: &mut Simulation, count: usize, of: impl Fn(&State) -> f64) -> f64 {
    let (mut times, mut before) = (Vec::new(), of(simulation.state()));
    for _ in 0..200_000 {
        let t = simulation.state().t;
        simulation.step();
        let (now, end) = (of(simulation.state()), simulation.state().t);
        if before < 0.0 && now >= 0.0 {
            times.push(t + (end - t) * before / (before - now));
            if times.len() > count {
                return (times[count] - times[0]) / count as f64;
            }
        }
        before = now;
    }
    f64::NAN
}

#[test]
fn a_physical_pendulum_has_its_period_with_every_method() {
    // A rod of mass 2 and sides 0.2 and 1, on a pivot at its upper end, displaced by 3°.
    let (sin, cos) = libm::sincos(3.0_f64.to_radians());
    let rod = format!(
        "solid: (shape: Box(size: (0.2, 1)), mass: 2, turn: 3, at: ({:?}, {:?}), points: [(0, 0.5)]",
        0.5 * sin,
        -0.5 * cos
    );
    // On a hook, and with its own pin, which is faster because it has no hook mass.
    let hung = format!(
        "parts: [(name: \"hook\", with: (rope: (start: (0, 0), end: (0, 1), nodes: 2, pins: [0, 1]))),
                 (name: \"rod\", with: ({rod})))], joins: [(from: (\"hook\", 0), to: (\"rod\", 1))]"
    );
    let supports = [(hung, 2), (format!("{rod}, pins: [Last])"), 0)];
    for (method, (rod, centre)) in
        METHODS.iter().flat_map(|it| supports.iter().map(move |support| (it, support)))
    {
        let mut simulation = body(&format!(
            "gravity: (0, -10), frame_time: 0.02, substeps: 20, integrator: {}, {rod}",
            method.name
        ));
        let n = simulation.setup().model.nodes();
        let found = period(&mut simulation, 2, |state| state.position(n, *centre)[0]);
        // I = m (0.2² + 1²)/12 + m 0.5²; the amplitude θ lengthens the period by the fraction
        // θ²/16.
        let inertia: f64 = (0.04 + 1.0) / 12.0 + 0.25;
        let expected = TAU * (inertia / (10.0 * 0.5)).sqrt() * (1.0 + 0.0523 * 0.0523 / 16.0);
        let error = found / expected - 1.0;
        assert!(error.abs() < 0.02, "{}: {found} instead of {expected}", method.name);
    }
}

#[test]
fn a_solid_on_two_pins_is_a_hinge_in_space_and_does_not_move_in_the_plane() {
    for method in METHODS {
        // A plate on a horizontal hinge along z, displaced by 3°.
        let (sin, cos) = libm::sincos(3.0_f64.to_radians());
        let mut simulation = body(&format!(
            "gravity: (0, -10, 0), frame_time: 0.02, substeps: 20, integrator: {},
             parts: [(name: \"left\", with: (rope: (start: (0, 0, -0.3), end: (0, 1, -0.3), nodes: 2, pins: [0, 1]))),
                     (name: \"right\", with: (rope: (start: (0, 0, 0.3), end: (0, 1, 0.3), nodes: 2, pins: [0, 1]))),
                     (name: \"plate\", with: (solid: (shape: Box(size: (0.2, 1, 0.6)), mass: 2, turn: 3,
                      at: ({:?}, {:?}, 0), points: [(0, 0.5, -0.3), (0, 0.5, 0.3)])))],
             joins: [(from: (\"left\", 0), to: (\"plate\", 1)), (from: (\"right\", 0), to: (\"plate\", 2))]",
            method.name,
            0.5 * sin,
            -0.5 * cos
        ));
        let n = simulation.setup().model.nodes();
        let found = period(&mut simulation, 2, |state| state.position(n, 4)[0]);
        let inertia: f64 = (0.04 + 1.0) / 12.0 + 0.25;
        let expected = TAU * (inertia / (10.0 * 0.5)).sqrt() * (1.0 + 0.0523 * 0.0523 / 16.0);
        let error = found / expected - 1.0;
        assert!(error.abs() < 0.02, "{}: {found} instead of {expected}", method.name);
        // There is no motion along the hinge.
        let along = simulation.state().position(n, 4)[2];
        assert!(along.abs() < 1e-9, "{}: {along}", method.name);
        let start = body(&format!(
            "gravity: (1, -10), frame_time: 0.02, substeps: 20, integrator: {},
             parts: [(name: \"top\", with: (rope: (start: (0.5, 0.6), end: (0.5, 1), nodes: 2, pins: [0, 1]))),
                     (name: \"foot\", with: (rope: (start: (0.5, -0.4), end: (0.5, -1), nodes: 2, pins: [0, 1]))),
                     (name: \"rod\", with: (solid: (shape: Box(size: (0.2, 1)), mass: 2, at: (0.5, 0.1),
                      points: [(0, 0.5), (0, -0.5)])))],
             joins: [(from: (\"top\", 0), to: (\"rod\", 1)), (from: (\"foot\", 0), to: (\"rod\", 2))]",
            method.name
        ));
        let mut held = Simulation::new(Arc::clone(start.setup()));
        (0..50).for_each(|_| held.advance_frame());
        for (a, b) in start.state().x.iter().zip(&held.state().x) {
            assert!((a - b).abs() < 1e-12, "{}: {:?}", method.name, held.state().x);
        }
    }
}

/// Momentum, angular momentum about the origin, and kinetic energy.
fn moments(simulation: &Simulation) -> ([f64; 3], [f64; 3], f64) {
    let (model, state) = (&simulation.setup().model, simulation.state());
    let n = model.nodes();
    let (mut p, mut l, mut kinetic) = ([0.0; 3], [0.0; 3], 0.0);
    for i in 0..n {
        let (m, x, v) = (model.mass[i], state.position(n, i), state.velocity(n, i));
        for k in 0..3 {
            let (a, b) = ((k + 1) % 3, (k + 2) % 3);
            p[k] += m * v[k];
            l[k] += m * (x[a] * v[b] - x[b] * v[a]);
            kinetic += 0.5 * m * v[k] * v[k];
        }
    }
    (p, l, kinetic)
}

#[test]
fn a_solid_has_its_mass_and_inertia() {
    for (shape, expected) in [
        ("Ball(radius: 0.5)", [0.4 * 0.25; 3]),
        ("Box(size: (0.4, 0.2, 0.1))", [0.05 / 12.0, 0.17 / 12.0, 0.2 / 12.0]),
    ] {
        for (axis, inertia) in expected.into_iter().enumerate() {
            let unit = ["(1, 0, 0)", "(0, 1, 0)", "(0, 0, 1)"][axis];
            let simulation = body(&format!(
                "gravity: (0, 0, 0), solid: (shape: {shape}, mass: 3, spin: 2, spin_axis: {unit},
                 points: [(0.05, 0.05, 0.02)])"
            ));
            let (p, l, kinetic) = moments(&simulation);
            assert!(p.iter().all(|p| p.abs() < 1e-12), "{shape}: {p:?}");
            assert!((l[axis] - 3.0 * inertia * 2.0).abs() < 1e-12, "{shape}, {axis}: {l:?}");
            assert!((kinetic - 0.5 * 3.0 * inertia * 4.0).abs() < 1e-12, "{shape}: {kinetic}");
        }
    }
}

#[test]
fn a_free_solid_keeps_momentum_angular_momentum_and_energy() {
    let run = |substeps: u32| {
        let mut simulation = body(&format!(
            "gravity: (0, 0, 0), frame_time: 0.02, substeps: {substeps},
             solid: (shape: Box(size: (0.4, 0.2, 0.1)), mass: 3, velocity: (0.3, 0.1, 0),
             spin: 3, spin_axis: (1, 1, 0.2))"
        ));
        let (p, l, kinetic) = moments(&simulation);
        (0..100).for_each(|_| simulation.advance_frame());
        let (p_end, l_end, end) = moments(&simulation);
        for k in 0..3 {
            assert!((p_end[k] - p[k]).abs() < 1e-12, "{p:?} {p_end:?}");
            assert!((l_end[k] - l[k]).abs() < 1e-12, "{l:?} {l_end:?}");
        }
        (end / kinetic - 1.0).abs()
    };
    let errors = [5, 10, 20].map(run);
    assert!(errors[2] < 0.01, "{errors:?}");
    assert!(errors[1] < 0.7 * errors[0] && errors[2] < 0.7 * errors[1], "{errors:?}");
}

#[test]
fn three_ropes_turn_a_plate_with_the_period_of_the_trifilar_pendulum() {
    // Ropes of length 1 at r = 0.3 from the axis of a plate of 0.8 by 0.8.
    let places = [(0.3, 0.0), (-0.15, 0.259_807_621_135), (-0.15, -0.259_807_621_135)];
    let rope = |k: usize| {
        let (x, z) = places[k];
        format!(
            "(name: \"rope {k}\", with: (rope: (start: ({x}, 1, {z}), end: ({x}, 0, {z}), nodes: 2,
             pins: [0], mass: 0.00001, stiffness: 20000)))"
        )
    };
    let points = places.map(|(x, z)| format!("({x}, 0, {z})")).join(", ");
    let joins = [0, 1, 2].map(|k| format!("(from: (\"rope {k}\", 1), to: (\"plate\", {}))", k + 1));
    let mut simulation = body(&format!(
        "gravity: (0, -10, 0), frame_time: 0.02, substeps: 80,
         parts: [{}, {}, {}, (name: \"plate\", with: (solid: (shape: Box(size: (0.8, 0.02, 0.8)), mass: 1,
         spin: 0.1, spin_axis: (0, 1, 0), points: [{points}])))], joins: [{}]",
        rope(0),
        rope(1),
        rope(2),
        joins.join(", ")
    ));
    let n = simulation.setup().model.nodes();
    // Node 1 is the end of the first rope, at z = 0 at rest.
    let found = period(&mut simulation, 1, |state| -state.position(n, 1)[2]);
    let inertia: f64 = (0.64 + 0.64) / 12.0;
    let expected = TAU * (inertia / (10.0 * 0.09)).sqrt();
    assert!((found / expected - 1.0).abs() < 0.01, "{found} instead of {expected}");
}

#[test]
fn a_light_rope_carries_a_thousand_times_its_mass() {
    for method in ["ImplicitEuler", "SemiImplicitEuler"] {
        let mut simulation = body(&format!(
            "gravity: (0, -10), frame_time: 0.02, substeps: 100, drag: 2, integrator: {method},
             parts: [(name: \"rope\", with: (rope: (start: (0, 0), end: (0, -1), nodes: 11, pins: [0], mass: 0.001, stiffness: 20000))),
                     (name: \"ball\", with: (solid: (shape: Ball(radius: 0.2), mass: 11, at: (0, -1.2), points: [(0, 0.2)])))],
             joins: [(from: (\"rope\", 10), to: (\"ball\", 1))]"
        ));
        let n = simulation.setup().model.nodes();
        let mut sum = 0.0;
        for _ in 0..200 {
            simulation.advance_frame();
            sum += simulation.state().position(n, 11)[1];
        }
        // The ball oscillates about its rest position, below ten springs in series that carry 11 g.
        let (mean, expected) = (sum / 200.0, -1.2 - 10.0 * 110.0 / 20000.0);
        assert!((mean - expected).abs() < 0.004, "{method}: {mean} instead of {expected}");
    }
}

#[test]
fn a_ball_rolls_down_a_slope_with_five_sevenths_and_a_disc_with_two_thirds() {
    let (sin, cos) = libm::sincos(0.3);
    for (third, share) in [(", 0", 5.0 / 7.0), ("", 2.0 / 3.0)] {
        let mut simulation = body(&format!(
            "gravity: (0, -10{third}), frame_time: 0.02, substeps: 20,
             colliders: [Plane(point: (0, 0{third}), normal: ({sin:?}, {cos:?}{third}), friction: 0.8)],
             contact: (of: Drawn, thickness: 0.05),
             parts: [(name: \"ball\", with: (solid: (shape: Ball(radius: 0.2), mass: 2, at: ({:?}, {:?}{third}))))]",
            0.2 * sin,
            0.2 * cos
        ));
        let n = simulation.setup().model.nodes();
        let along = |simulation: &Simulation| {
            let [x, y, _] = simulation.state().position(n, 0);
            x * cos - y * sin
        };
        (0..5).for_each(|_| simulation.advance_frame());
        let begun = along(&simulation);
        (0..45).for_each(|_| simulation.advance_frame());
        let distance = along(&simulation) - begun;
        let expected = 0.5 * share * 10.0 * sin * (1.0 - 0.01);
        assert!(
            (distance / expected - 1.0).abs() < 0.03,
            "{third:?}: {distance} instead of {expected}"
        );
    }
}

#[test]
fn balls_exchange_their_momentum() {
    let mut simulation = body(
        "gravity: (0, 0, 0), frame_time: 0.02, substeps: 10,
         contact: (of: Drawn, thickness: 0.02, restitution: 1, friction: 0.3),
         parts: [(name: \"a\", with: (solid: (shape: Ball(radius: 0.2), mass: 2, at: (-0.5, 0.05, 0), velocity: (2, 0, 0)))),
                 (name: \"b\", with: (solid: (shape: Ball(radius: 0.2), mass: 1, at: (0.5, 0, 0))))]",
    );
    let (p, l, kinetic) = moments(&simulation);
    (0..40).for_each(|_| simulation.advance_frame());
    let (p_end, l_end, end) = moments(&simulation);
    for k in 0..3 {
        assert!((p_end[k] - p[k]).abs() < 1e-9, "{p:?} {p_end:?}");
        // Contact is found at the end of a step. The impulse is (1 + e) v/(1/2 + 1/1). The lines of
        // action on the two balls are at most v dt apart.
        let (impulse, offset) = (2.0 * 2.0 / 1.5, 2.0 * 0.002);
        assert!((l_end[k] - l[k]).abs() < impulse * offset, "{l:?} {l_end:?}");
    }
    let n = simulation.setup().model.nodes();
    let [a, b] = [0, 5].map(|node| simulation.state().velocity(n, node)[0]);
    assert!(b > a + 1.5, "{a} {b}");
    assert!(end <= kinetic * (1.0 + 1e-9) && end > 0.9 * kinetic, "{kinetic} {end}");
}

#[test]
fn ropes_cloths_and_meshes_carry_a_ball() {
    // Part below the ball, third vector component, and number of nodes of the part.
    let rope = "(name: \"rope\", with: (rope: (start: (-1, 0), end: (1, 0), nodes: 17, pins: [0, 16], mass: 0.05, stiffness: 4000, damping: 1))),";
    let cloth = "(name: \"cloth\", with: (cloth: (corner: (-1, 0, -1), across: (2, 0, 0), down: (0, 0, 2), rows: 9, columns: 9,
                  pins: [0, 8, 72, 80], mass: 0.01, stiffness: 800, damping: 0.3))),";
    for (below, third, nodes) in [(rope, "", 17), (cloth, ", 0", 81)] {
        let mut simulation = body(&format!(
            "gravity: (0, -10{third}), frame_time: 0.02, substeps: 40, drag: 0.2,
             contact: (of: Drawn, thickness: 0.04, friction: 0.4),
             parts: [{below} (name: \"ball\", with: (solid: (shape: Ball(radius: 0.3), mass: 0.5, at: (0.05, 0.4{third}))))]"
        ));
        let n = simulation.setup().model.nodes();
        for frame in 0..150 {
            simulation.advance_frame();
            let state = simulation.state();
            let ball = state.position(n, nodes);
            for node in 0..nodes {
                let at = state.position(n, node);
                let squares = (0..3).map(|k| (at[k] - ball[k]) * (at[k] - ball[k]));
                let gap = squares.sum::<f64>().sqrt() - 0.3;
                assert!(gap > 0.0, "{third:?}, frame {frame}, node {node}: {gap}");
            }
        }
        let (x, v) = (simulation.state().position(n, nodes), simulation.state().velocity(n, nodes));
        let lowest = (0..nodes).map(|node| simulation.state().position(n, node)[1]);
        let lowest = lowest.fold(f64::INFINITY, f64::min);
        assert!(x[1] > lowest && x[1] < 0.33 && lowest < -0.01, "{third:?}: {x:?} {lowest}");
        assert!(v.iter().all(|v| v.abs() < 0.3), "{third:?}: {v:?}");
    }
}

#[test]
fn a_box_slides_down_a_slope_by_its_friction_and_stays_on_a_rough_one() {
    let angle = 0.3_f64;
    let (sin, cos) = libm::sincos(angle);
    for (third, turn) in [("", ""), (", 0", ", axis: (0, 0, 1)")] {
        for friction in [0.0, 0.15, 0.6] {
            let size = if third.is_empty() { "(0.4, 0.2)" } else { "(0.4, 0.2, 0.3)" };
            let mut simulation = body(&format!(
                "gravity: (0, -10{third}), frame_time: 0.02, substeps: 20, drag: 0,
                 colliders: [Plane(point: (0, 0{third}), normal: ({sin:?}, {cos:?}{third}), friction: {friction})],
                 contact: (of: Drawn, thickness: 0.05),
                 solid: (shape: Box(size: {size}), mass: 2, at: ({:?}, {:?}{third}), turn: {:?}{turn})",
                0.1 * sin,
                0.1 * cos,
                -angle.to_degrees()
            ));
            let n = simulation.setup().model.nodes();
            (0..50).for_each(|_| simulation.advance_frame());
            let [x, y, _] = simulation.state().position(n, 0);
            let (along, across) = (x * cos - y * sin, x * sin + y * cos);
            let acceleration = 10.0 * (sin - friction * cos).max(0.0);
            let expected = 0.5 * acceleration;
            let what = format!("{third:?}, {friction}: {along}, {across}");
            assert!((along - expected).abs() < 0.01 * expected + 1e-4, "{what}, not {expected}");
            assert!((across - 0.1).abs() < 1e-3, "{what}");
        }
    }
}

const SHAPES: [&str; 3] =
    ["Ball(radius: 0.2)", "Capsule(radius: 0.12, length: 0.3)", "Box(size: (0.5, 0.3, 0.4))"];

#[test]
fn solids_of_all_kinds_exchange_their_momentum() {
    for (third, axis) in [("", ""), (", 0", ", axis: (1, 2, 0.5)")] {
        for first in SHAPES {
            for second in SHAPES {
                let [first, second] = [first, second].map(|shape| match third {
                    "" => shape.replace(", 0.4))", "))"),
                    _ => shape.to_string(),
                });
                let mut simulation = body(&format!(
                    "gravity: (0, 0{third}), frame_time: 0.02, substeps: 20, drag: 0,
                     contact: (of: Drawn, thickness: 0.02, restitution: 0.8, friction: 0.3),
                     parts: [(name: \"a\", with: (solid: (shape: {first}, mass: 2, at: (-0.6, 0.1{third}), velocity: (2, 0{third}), turn: 25{axis}))),
                             (name: \"b\", with: (solid: (shape: {second}, mass: 1, at: (0.3, 0{third}), turn: -15{axis})))]"
                ));
                let n = simulation.setup().model.nodes();
                let second_part = simulation.setup().model.parts[1].nodes[0];
                let (p, l, kinetic) = moments(&simulation);
                (0..40).for_each(|_| simulation.advance_frame());
                let (p_end, l_end, end) = moments(&simulation);
                let what = format!("{first}, {second}");
                for k in 0..3 {
                    assert!((p_end[k] - p[k]).abs() < 1e-9, "{what}: {p:?} {p_end:?}");
                    // Friction acts on two surfaces that are a thickness apart.
                    let (impulse, offset) = (1.8 * 2.0 / 1.5, 2.0 * 0.001 + 0.3 * 0.02);
                    assert!((l_end[k] - l[k]).abs() < impulse * offset, "{what}: {l:?} {l_end:?}");
                }
                let speed = simulation.state().velocity(n, second_part)[0];
                assert!(speed > 1.0, "{what}: {speed}");
                assert!(end <= kinetic * (1.0 + 1e-9) && end > 0.4 * kinetic, "{what}: {end}");
            }
        }
    }
}

#[test]
fn a_stack_of_solids_comes_to_rest_and_keeps_every_bit() {
    for third in ["", ", 0"] {
        let [lower, upper] = match third {
            "" => ["(0.6, 0.3)", "(0.4, 0.2)"],
            _ => ["(0.6, 0.3, 0.5)", "(0.4, 0.2, 0.3)"],
        };
        let mut simulation = body(&format!(
            "gravity: (0, -10{third}), frame_time: 0.02, substeps: 10, drag: 0,
             colliders: [Plane(point: (0, 0{third}), normal: (0, 1{third}), friction: 0.5)],
             contact: (of: Drawn, thickness: 0.04, friction: 0.4),
             parts: [(name: \"lower\", with: (solid: (shape: Box(size: {lower}), mass: 2, at: (0, 0.151{third})))),
                     (name: \"upper\", with: (solid: (shape: Box(size: {upper}), mass: 1, at: (0.05, 0.403{third})))),
                     (name: \"rod\", with: (solid: (shape: Capsule(radius: 0.1, length: 0.4), mass: 1, at: (1, 0.101{third}))))]"
        ));
        (0..100).for_each(|_| simulation.advance_frame());
        let rest = simulation.state().x.clone();
        (0..50).for_each(|_| simulation.advance_frame());
        let (n, state) = (simulation.setup().model.nodes(), simulation.state());
        let moved = rest.iter().zip(&state.x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(moved < 1e-9, "{third:?}: {moved}");
        let heights = simulation.setup().model.parts.iter().map(|p| state.position(n, p.nodes[0]));
        for (at, height) in heights.zip([0.15, 0.4, 0.1]) {
            assert!((at[1] - height).abs() < 2e-4, "{third:?}: {at:?}");
        }
    }
}

#[test]
fn ropes_and_cloths_carry_boxes_and_capsules() {
    let rope = "(name: \"below\", with: (rope: (start: (-1, 0), end: (1, 0), nodes: 17, pins: [0, 16], mass: 0.05, stiffness: 4000, damping: 1))),";
    let cloth = "(name: \"below\", with: (cloth: (corner: (-1, 0, -1), across: (2, 0, 0), down: (0, 0, 2), rows: 9, columns: 9,
                  pins: [0, 8, 72, 80], mass: 0.01, stiffness: 800, damping: 0.3))),";
    for (below, third, nodes) in [(rope, "", 17), (cloth, ", 0", 81)] {
        for shape in &SHAPES[1..] {
            let shape =
                if third.is_empty() { shape.replace(", 0.4))", "))") } else { (*shape).into() };
            let mut simulation = body(&format!(
                "gravity: (0, -10{third}), frame_time: 0.02, substeps: 40, drag: 0.2,
                 contact: (of: Drawn, thickness: 0.04, friction: 0.4),
                 parts: [{below} (name: \"it\", with: (solid: (shape: {shape}, mass: 0.5, at: (0.05, 0.4{third}), turn: 10)))]"
            ));
            let (n, model) = (simulation.setup().model.nodes(), simulation.setup().model.clone());
            let half = 0.5 * 0.04;
            for frame in 0..100 {
                simulation.advance_frame();
                let state = simulation.state();
                for node in 0..nodes {
                    let depth = outside(&model, &model.parts[1], state, state.position(n, node));
                    assert!(depth > 0.8 * half, "{shape}, frame {frame}, node {node}: {depth}");
                }
            }
            let v = simulation.state().velocity(n, nodes);
            assert!(v.iter().all(|v| v.abs() < 0.6), "{shape}: {v:?}");
        }
    }
}

/// Distance of a point from the surface of a rigid capsule or box.
fn outside(model: &Model, part: &Part, state: &State, point: [f64; 3]) -> f64 {
    let Form::Solid(form) = &part.form else { panic!("no solid") };
    let frame = rigid::frame(model, part, &state.x).unwrap();
    let offset = [0, 1, 2].map(|k| point[k] - frame.place[k]);
    let own = frame.axes.map(|axis| (0..3).map(|k| axis[k] * offset[k]).sum::<f64>());
    let sizes = form.lengths();
    let (half, round) = match form.kind {
        SolidKind::Box => (sizes.map(|side| 0.5 * side), 0.0),
        _ => ([0.5 * sizes[1], 0.0, 0.0], sizes[0]),
    };
    let beyond = (0..model.axes).map(|k| own[k].abs() - half[k]);
    let far = beyond.clone().map(|d| d.max(0.0) * d.max(0.0)).sum::<f64>().sqrt();
    far + beyond.fold(f64::NEG_INFINITY, f64::max).min(0.0) - round
}

#[test]
fn ten_thousand_frames_of_solids_neither_drift_nor_explode_and_resume_with_the_same_bits() {
    let mut simulation = body(
        "gravity: (0, -10), frame_time: 0.02, substeps: 4, drag: 0.02,
         colliders: [Plane(point: (0, -1.5), normal: (0, 1), friction: 0.5)],
         contact: (of: Drawn, thickness: 0.04, friction: 0.4, restitution: 0.3),
         parts: [(name: \"rope\", with: (rope: (start: (0, 0), end: (0.5, -0.4), nodes: 4, pins: [0], mass: 0.1, stiffness: 900, damping: 0.2))),
                 (name: \"hung\", with: (solid: (shape: Box(size: (0.3, 0.2)), mass: 1, at: (0.5, -0.5), points: [(0, 0.1)], stiffness: 900))),
                 (name: \"lying\", with: (solid: (shape: Box(size: (0.3, 0.2)), mass: 1, at: (-0.6, -1.3), turn: 20))),
                 (name: \"rod\", with: (solid: (shape: Capsule(radius: 0.1, length: 0.3), mass: 1, at: (-0.5, -0.9)))),
                 (name: \"ball\", with: (solid: (shape: Ball(radius: 0.1), mass: 1, at: (1, -1.2), velocity: (-1, 0))))],
         joins: [(from: (\"rope\", Last), to: (\"hung\", 1))]",
    );
    let mut middle = None;
    let mut late = Vec::new();
    for frame in 0..10_000 {
        if frame == 9_600 {
            middle = Some(simulation.checkpoint());
        }
        simulation.advance_frame();
        if frame == 9_000 {
            late = simulation.state().x.clone();
        }
    }
    let state = simulation.state();
    assert!(state.x.iter().all(|x| x.abs() < 20.0), "{:?}", state.x);
    let moved = late.iter().zip(&state.x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(moved < 1e-3, "{moved}");
    let mut resumed = Simulation::new(Arc::clone(simulation.setup()));
    resumed.restore(&middle.unwrap());
    (9_600..10_000).for_each(|_| resumed.advance_frame());
    assert_eq!(resumed.state(), simulation.state());
}

/// A ball of 5 kg on pins of 1 kg each, in the plane and in space. Methods that evaluate forces at
/// other times than the ends of a step have an error of second order in dt, which is 0.001.
#[test]
fn pins_carry_the_weight_of_solids() {
    let plane = ("(-0.2, 0.2), (0.2, 0.2)", "(0, 0)", "(0, -9.81)", 2.0);
    let space = ("(-0.2, 0.2, 0), (0.2, 0.2, 0), (0, 0.2, 0.3)", "(0, 0, 0)", "(0, -9.81, 0)", 3.0);
    for method in METHODS {
        for (points, at, gravity, pins) in [plane, space] {
            let indices: Vec<usize> = (0..pins as usize).collect();
            let joins: Vec<String> = indices
                .iter()
                .map(|k| format!("(from: (\"hooks\", {k}), to: (\"ball\", {}))", k + 1))
                .collect();
            let mut simulation = body(&format!(
                "gravity: {gravity}, frame_time: 0.02, substeps: 20, integrator: {},
                 parts: [(name: \"hooks\", with: (graph: (nodes: [{points}], mass: 1, springs: [], pins: {indices:?}))),
                         (name: \"ball\", with: (solid: (shape: Ball(radius: 0.3), mass: 5, at: {at},
                          points: [{points}])))],
                 joins: [{}]",
                method.name,
                joins.join(", ")
            ));
            simulation.keep_forces();
            (0..20).for_each(|_| simulation.advance_frame());
            let weight = 9.81 * (5.0 + pins);
            let sum = simulation.pin_forces().iter().map(|pin| pin.frame[1]).sum::<f64>();
            assert!((sum + weight).abs() < 1e-4 * weight, "{}: {sum} of {weight}", method.name);
            if pins == 2.0 {
                for pin in simulation.pin_forces() {
                    let error = pin.frame[1] + 0.5 * weight;
                    assert!(error.abs() < 1e-4 * weight, "{}: {pin:?}", method.name);
                }
            }
        }
    }
}

/// The pin gets the momentum that a swinging solid loses.
#[test]
fn the_pin_of_a_pendulum_gets_what_the_solid_loses() {
    for method in ["SemiImplicitEuler", "VelocityVerlet", "ConstraintVerlet", "Xpbd"] {
        let mut simulation = body(&format!(
            "gravity: (0, -10), frame_time: 0.02, substeps: 20, integrator: {method},
             parts: [(name: \"hook\", with: (graph: (nodes: [(0, 0)], mass: 1, springs: [], pins: [0]))),
                     (name: \"rod\", with: (solid: (shape: Box(size: (1, 0.2)), mass: 2,
                      at: (0.5, 0), points: [(-0.5, 0)])))],
             joins: [(from: (\"hook\", 0), to: (\"rod\", 1))]"
        ));
        simulation.keep_forces();
        let momentum = |simulation: &Simulation| {
            let model = &simulation.setup().model;
            let n = model.nodes();
            let free = (0..n).filter(|node| !model.pinned[*node]);
            free.fold([0.0; 2], |sum, node| {
                let v = simulation.state().velocity(n, node);
                [0, 1].map(|axis| sum[axis] + model.mass[node] * v[axis])
            })
        };
        for _ in 0..200 {
            let before = momentum(&simulation);
            simulation.step();
            let (after, dt) = (momentum(&simulation), 0.001);
            let mass = simulation.setup().model.mass.iter().sum::<f64>();
            let pin = simulation.pin_forces()[0].step;
            let all = [-pin[0], -pin[1] - 10.0 * mass];
            for axis in [0, 1] {
                let error = (after[axis] - before[axis]) / dt - all[axis];
                assert!(error.abs() < 1e-9 * 30.0, "{method}: axis {axis}: {error:e}");
            }
        }
    }
}
