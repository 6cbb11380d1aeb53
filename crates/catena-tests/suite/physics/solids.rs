//! Rigid bodies: pendulums, rotation, ropes that hold them, rolling and collisions.

use crate::scene_of;
use catena::sim::{Simulation, State, method::METHODS};
use std::f64::consts::TAU;
use std::sync::Arc;

fn body(settings: &str) -> Simulation {
    let scene = scene_of(&format!("Scene(base: ({settings}))"));
    Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup))
}

/// Time between upward passes of a quantity through 0, over `count` of them.
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
    // A rod of mass 2 and sides 0.2 and 1, on a pivot at its upper end, 3° from rest.
    let (sin, cos) = libm::sincos(3.0_f64.to_radians());
    for method in METHODS {
        let mut simulation = body(&format!(
            "gravity: (0, -10), frame_time: 0.02, substeps: 20, integrator: {},
             parts: [(name: \"hook\", with: (rope: (start: (0, 0), end: (0, 1), nodes: 2, pins: [0, 1]))),
                     (name: \"rod\", with: (solid: (shape: Box(size: (0.2, 1)), mass: 2, turn: 3,
                      at: ({:?}, {:?}), points: [(0, 0.5)])))],
             joins: [(from: (\"hook\", 0), to: (\"rod\", 1))]",
            method.name,
            0.5 * sin,
            -0.5 * cos
        ));
        let n = simulation.setup().model.nodes();
        let found = period(&mut simulation, 2, |state| state.position(n, 2)[0]);
        // I = m (0.2² + 1²)/12 + m 0.5², and amplitudes lengthen the period by θ²/16.
        let inertia: f64 = (0.04 + 1.0) / 12.0 + 0.25;
        let expected = TAU * (inertia / (10.0 * 0.5)).sqrt() * (1.0 + 0.0523 * 0.0523 / 16.0);
        let error = found / expected - 1.0;
        assert!(error.abs() < 0.02, "{}: {found} instead of {expected}", method.name);
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
        // The ball bounces about its rest, below ten springs in a row that carry 11 g.
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
        let way = along(&simulation) - begun;
        let expected = 0.5 * share * 10.0 * sin * (1.0 - 0.01);
        assert!((way / expected - 1.0).abs() < 0.03, "{third:?}: {way} instead of {expected}");
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
        assert!((l_end[k] - l[k]).abs() < 0.01, "{l:?} {l_end:?}");
    }
    let n = simulation.setup().model.nodes();
    let [a, b] = [0, 5].map(|node| simulation.state().velocity(n, node)[0]);
    assert!(b > a + 1.5, "{a} {b}");
    assert!(end <= kinetic * (1.0 + 1e-9) && end > 0.9 * kinetic, "{kinetic} {end}");
}

#[test]
fn ropes_cloths_and_meshes_carry_a_ball() {
    // Part below the ball, third component of vectors, and number of nodes of the part.
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
