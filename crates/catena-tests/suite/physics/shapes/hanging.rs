//! Ropes that hang at rest, carry weights, or rotate.

use crate::scene_of;
use catena::sim::{
    Simulation,
    body::hanging::LinkLaw,
    body::measure::segment_lengths,
    body::shape::{Profile, Rope, Topology, path::Hanging},
    vector::{norm, sub},
};
use catena_tests::Random;
use std::sync::Arc as Shared;

/// Maximum displacement of a node over some frames, relative to the rope's length.
fn drift(scene: &str, frames: u32) -> f64 {
    let scene = scene_of(scene);
    let setup = Shared::clone(&scene.panels[0].bodies[0].setup);
    let (n, length) = (setup.model.nodes(), setup.model.rest_length());
    let start = setup.initial.clone();
    let mut simulation = Simulation::new(setup);
    let mut greatest = 0.0_f64;
    for _ in 0..frames {
        simulation.advance_frame();
        for i in 0..n {
            let distance = norm(sub(simulation.state().position(n, i), start.position(n, i)));
            greatest = if distance.is_finite() { greatest.max(distance) } else { f64::INFINITY };
        }
    }
    greatest / length
}

#[test]
fn a_hanging_rope_stands_still() {
    // Level and uneven supports, slack and stretched, with weights, tapered, and in space.
    let ropes = [
        "start: (0, 0), end: (1, 0), length: 1.5",
        "start: (0, 0), end: (1, 0.6), length: 1.5, weights: [(node: Middle, mass: 0.5)]",
        "start: (0, 0), end: (1, -0.3), taper: (mass: (1, 0.1), stiffness: (1, 0.2)), bending: 5",
        "start: (0, 0, 0), end: (1, -0.3, 0.5), length: 1.6, ranges: [(from: 2, to: 6, mass: 0.3)]",
    ];
    let methods = [
        ("SemiImplicitEuler", 16),
        ("VelocityVerlet", 16),
        ("Rk4", 16),
        ("ImplicitEuler", 4),
        ("ImplicitMidpoint", 4),
        ("Leapfrog", 16),
        ("Shake(tolerance: 1e-12)", 4),
    ];
    for rope in ropes {
        for (method, substeps) in methods {
            let is_spatial = rope.contains("0, 0, 0");
            let gravity = if is_spatial { "(0, -9.81, 0)" } else { "(0, -9.81)" };
            // Rigid links need slack.
            if method.starts_with("Shake") && !rope.contains("length") {
                continue;
            }
            let drift = drift(
                &format!(
                    "Scene(base: (gravity: {gravity}, frame_time: 0.016, substeps: {substeps}, integrator: {method},
                     rope: ({rope}, nodes: 13, shape: Hanging, pins: [First, Last], mass: 0.1, stiffness: 2000)))"
                ),
                600,
            );
            assert!(drift < 1e-9, "{method}, {rope}: {drift}");
        }
    }
}

/// Points on the catenary of a length over uneven supports: `count` equal parts, by bisection of
/// √(S² - h²) = 2a sinh(X/2a).
fn catenary(span: f64, rise: f64, length: f64, count: usize) -> Vec<[f64; 2]> {
    let wanted = (length * length - rise * rise).sqrt();
    let (mut low, mut high) = (1e-3, 1e3);
    for _ in 0..200 {
        let a: f64 = 0.5 * (low + high);
        if 2.0 * a * libm::sinh(0.5 * span / a) > wanted { low = a } else { high = a }
    }
    let a = 0.5 * (low + high);
    // The lowest point: the tanh of the middle is rise divided by length.
    let middle = a * libm::atanh(rise / length);
    let left = middle - 0.5 * span;
    let from_lowest = a * libm::sinh(left / a);
    let at = |i: usize| {
        let s = from_lowest + length * i as f64 / count as f64;
        let x = a * libm::asinh(s / a);
        [x - left, a * (libm::cosh(x / a) - libm::cosh(left / a))]
    };
    (0..=count).map(at).collect()
}

#[test]
fn uneven_supports_have_the_catenary_between_them() {
    for (rise, length) in [(0.0, 1.5), (0.4, 1.5), (-0.7, 1.3), (0.2, 3.0)] {
        // The masses of half segments at the ends make no difference, since both ends are held.
        let rope = Rope::new([0.0, 0.0], [1.0, rise], 1001).of(0.001, 1e9);
        let rope = rope.shaped(Hanging {}).length(length);
        let (_, state) = rope.hanging_by([0.0, -9.81], LinkLaw::Rigid).build().unwrap();
        for (i, [x, y]) in catenary(1.0, rise, length, 1000).into_iter().enumerate() {
            let [found_x, found_y, _] = state.position(1001, i);
            let error = libm::hypot(found_x - x, found_y - y);
            assert!(error < 2e-6 * length, "{rise}, {length}, node {i}: {error}");
        }
    }
}

#[test]
fn a_slack_rope_sags_as_the_catenary_does() {
    for links in [LinkLaw::Rigid, LinkLaw::Elastic] {
        let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 2001).of(1.0 / 2000.0, 1e12);
        let rope = rope.shaped(Hanging {}).length(1.5).hanging_by([0.0, -9.81], links);
        let (_, state) = rope.build().unwrap();
        let sag = -state.position(2001, 1000)[1];
        assert!((sag - 0.502_633_3).abs() < 1e-6, "{links:?}: {sag}");
    }
}

#[test]
fn a_weight_in_the_middle_of_a_light_rope_pulls_two_straight_halves() {
    let (weight, length) = (2.0 * 9.81, 1.2);
    let profile = Profile { weights: vec![(50, 2.0)], ..Profile::default() };
    let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 101).of(1e-10, 1e6);
    let rope = rope.shaped(Hanging {}).length(length).profile(profile);
    let (model, state) = rope.hanging_by([0.0, -9.81], LinkLaw::Elastic).build().unwrap();
    let depth = -state.position(101, 50)[1];
    let sine = depth / (depth * depth + 0.25).sqrt();
    let expected = 0.5 * weight / sine;
    let stretched = 100.0 * expected / 1e6;
    let taut = (0.25 / (1.0 - sine * sine)).sqrt() - 0.5 * (length + stretched);
    assert!(taut.abs() < 1e-6, "halves are longer by {taut} than their segments");
    for (j, spring) in model.structural().iter().enumerate() {
        let (d, long) = model.span(&state.x, spring);
        let slope = if j < 50 { -sine } else { sine };
        assert!((d[1] / long - slope).abs() < 1e-6, "segment {j}: {}, not {slope}", d[1] / long);
        let tension = spring.stiffness * (long - spring.rest_length);
        assert!((tension / expected - 1.0).abs() < 1e-6, "segment {j}: {tension}, not {expected}");
    }
}

#[test]
fn a_bridge_with_equal_hangers_hangs_as_a_parabola() {
    // The cable carries only 39 equal weights one metre apart. It is so shallow that equal segments
    // have equal horizontal distances. Its nodes are on y = w x²/2H, with the load w per metre.
    let (count, span, dip) = (40_usize, 40.0, 1.0);
    let weights = (1..count).map(|i| (i, 50.0)).collect();
    let profile = Profile { weights, ..Profile::default() };
    let rope = Rope::new([-0.5 * span, dip], [0.5 * span, dip], count + 1).of(1e-6, 1e9);
    let length = span * (1.0 + 8.0 / 3.0 * (dip / span) * (dip / span));
    let rope = rope.shaped(Hanging {}).length(length).profile(profile);
    let (model, state) = rope.hanging_by([0.0, -9.81], LinkLaw::Elastic).build().unwrap();
    let lowest = state.position(count + 1, count / 2);
    let (offset, long) = model.span(&state.x, &model.springs[count / 2]);
    let pull = 1e9 * (long - model.springs[0].rest_length) * offset[0] / long;
    let load = 50.0 * 9.81;
    for i in 0..=count {
        let [x, y, _] = state.position(count + 1, i);
        let expected = load * x * x / (2.0 * pull);
        assert!((y - lowest[1] - expected).abs() < 1e-3 * dip, "node {i}: {y}, not {expected}");
    }
    let sag = dip - lowest[1];
    assert!((pull * 8.0 * sag / (load * span * span) - 1.0).abs() < 2e-3, "{pull}, {sag}");
}

#[test]
fn a_rotating_ring_is_as_tight_as_its_speed_has_it() {
    // T = λ v² of a ring, with λ and v of the rotating ring (Routh).
    let (nodes, rate) = (64, 3.0);
    let scene = scene_of(&format!(
        "Scene(base: (gravity: (0, 0), frame_time: 0.01, substeps: 64, integrator: VelocityVerlet,
         rope: (start: (-1, 0), end: (1, 0), nodes: {nodes}, shape: Ring, pins: [], mass: 0.03, stiffness: 1000, damping: 30),
         velocities: [(spin: {rate})]))"
    ));
    let setup = Shared::clone(&scene.panels[0].bodies[0].setup);
    let mut simulation = Simulation::new(Shared::clone(&setup));
    (0..300).for_each(|_| simulation.advance_frame());
    let (model, state) = (&setup.model, simulation.state());
    let round: f64 = segment_lengths(model, &state.x).iter().sum();
    let density = 0.03 * nodes as f64 / round;
    for (j, spring) in model.structural().iter().enumerate() {
        let tension = spring.stiffness * (model.span(&state.x, spring).1 - spring.rest_length);
        let speed = norm(state.velocity(nodes, j));
        let expected = density * speed * speed;
        assert!((tension / expected - 1.0).abs() < 1e-3, "segment {j}: {tension}, not {expected}");
    }
}

#[test]
fn a_rope_whose_search_went_in_circles_hangs() {
    let end = [5.863_761_962_473_444, -1.733_561_399_165_611_3, 4.397_823_520_632_057];
    let rope = Rope::new([0.0; 3], end, 33).of(0.227_831_032_862_149_4, 535.942_957_016_817_4);
    let rope = rope.shaped(Hanging {}).length(18.590_807_136_872_69);
    rope.hanging_by([0.0, -9.81, 0.0], LinkLaw::Elastic).build().unwrap();
}

/// Rounding of lengths, times a large stiffness, exceeds a billionth of a small weight.
#[test]
fn a_light_rope_of_stiff_springs_hangs() {
    for stiffness in [154_654.086_447_443_84, 1e6, 1e7] {
        let end = [-0.810_094_386_703_722_7, 0.132_347_914_531_805_17, 4.944_797_521_400_968];
        for nodes in [4, 5, 12] {
            let rope = Rope::new([0.0; 3], end, nodes).of(0.007_551_676_822_176_803, stiffness);
            let rope = rope.shaped(Hanging {}).length(32.994_845_597_945_9);
            let hung = rope.hanging_by([0.0, -9.81, 0.0], LinkLaw::Elastic).build();
            assert!(hung.is_ok(), "{stiffness}, {nodes}: {}", hung.unwrap_err().message);
        }
    }
}

#[test]
fn random_ropes_hang_in_balance() {
    let mut random = Random::new(16);
    let mut pushed = 0;
    for index in 0..600 {
        let mut number = |low: f64, high: f64| random.between(low, high);
        // Every fourth rope has its ends almost vertically above each other, every tenth exactly.
        let aside = match index {
            _ if index % 10 == 0 => 0.0,
            _ if index % 4 == 0 => 1e-3,
            _ => 1.0,
        };
        let end = [aside * number(-5.0, 5.0), number(-5.0, 5.0), aside * number(-5.0, 5.0)];
        let nodes = number(3.0, 60.0) as usize;
        let length = norm(end) * (1.0 + libm::pow(10.0, number(-3.0, 1.0)));
        let (mass, stiffness) =
            (libm::pow(10.0, number(-3.0, 0.0)), libm::pow(10.0, number(2.0, 6.0)));
        let links = if index % 3 == 0 { LinkLaw::Rigid } else { LinkLaw::Elastic };
        let rope = Rope::new([0.0; 3], end, nodes).of(mass, stiffness).shaped(Hanging {});
        let rope = rope.length(length).hanging_by([0.0, -9.81, 0.0], links);
        let case = format!(
            "{index}: {end:?}, {nodes} nodes, {length} long, {mass}, {stiffness}, {links:?}"
        );
        let (model, state) = rope.build().unwrap_or_else(|bad| panic!("{case}: {}", bad.message));
        let weight = 9.81 * mass * nodes as f64;
        let mut force = vec![[0.0, -9.81 * mass, 0.0]; nodes];
        for (j, spring) in model.structural().iter().enumerate() {
            let (offset, long) = model.span(&state.x, spring);
            if links == LinkLaw::Rigid {
                let error = (long - spring.rest_length).abs();
                assert!(error < 1e-9 * length, "{case}: segment {j} is longer by {error}");
                continue;
            }
            let pull = stiffness * (long - spring.rest_length);
            pushed += usize::from(pull < 0.0);
            for axis in 0..3 {
                force[j][axis] += pull * offset[axis] / long;
                force[j + 1][axis] -= pull * offset[axis] / long;
            }
        }
        if links == LinkLaw::Elastic {
            for (i, force) in force.iter().enumerate().take(nodes - 1).skip(1) {
                let left = norm(*force);
                let allowed = 1e-7 * weight + 2e-12 * stiffness * length;
                assert!(left < allowed, "{case}: a force of {left} is left at node {i}");
            }
        }
    }
    assert!(pushed > 20, "only {pushed} ropes have a segment that is pushed");
}
