//! Numbers for figures: modes, orders, shapes, settling.

use crate::{scene, scene_of};
use catena::analysis::{
    budget::CoreTime,
    catenary::ContinuousRope,
    modes::{self, eigen, fourier, natural::natural_modes},
    node_path::{NodeMoment, node_paths, swing, telling_nodes},
    order::{self, DampingForces, SlopeVerdict},
    settle::{Ending, RestRule, over_drag, over_substeps, rest_state, settle},
    shape::shape,
};
use catena::scene::{Body, Scene};
use catena::sim::State;
use std::f64::consts::PI;

fn first(scene: &Scene) -> &Body {
    &scene.panels[0].bodies[0]
}

#[test]
fn eigenvalues_of_a_symmetric_matrix() {
    // The second difference of n points: 2 - 2 cos(jπ/(n+1)).
    let n = 24;
    let mut matrix = eigen::Matrix::zeros(n);
    for i in 0..n {
        matrix.add(i, i, 2.0);
        if i + 1 < n {
            matrix.add(i, i + 1, -1.0);
        }
    }
    let found = eigen::symmetric(matrix);
    for (j, (value, vector)) in found.iter().enumerate() {
        let expected = 2.0 - 2.0 * libm::cos(PI * (j as f64 + 1.0) / (n as f64 + 1.0));
        assert!((value - expected).abs() < 1e-13, "{j}: {value} {expected}");
        let length: f64 = vector.iter().map(|v| v * v).sum();
        assert!((length - 1.0).abs() < 1e-12);
    }
}

#[test]
fn a_peak_is_found_between_bins() {
    let place = 37.3;
    let signal: Vec<f64> =
        (0..1024).map(|i| 3.0 + libm::sin(2.0 * PI * place * f64::from(i) / 1024.0)).collect();
    let magnitudes = fourier::magnitudes(&signal);
    let found = fourier::peak_within(&magnitudes, [32.0, 40.0], 2.0).unwrap();
    assert!((found - place).abs() < 0.02, "{found}");
    assert_eq!(fourier::peak_within(&magnitudes, [199.0, 201.0], 2.0), None);
}

#[test]
fn natural_frequencies_of_a_chain() {
    let scene = scene_of(
        "Scene(base: (gravity: (0, 0), drag: 0.3, rope: (nodes: 9, stiffness: 70, mass: 0.5)))",
    );
    let setup = &first(&scene).setup;
    let modes = natural_modes(setup, &setup.initial).unwrap();
    // No force acts across the rope; along it, the chain has its known modes.
    let along: Vec<_> = modes.iter().filter(|mode| mode.omega_squared > 1e-9).collect();
    assert_eq!(along.len(), 8);
    for (j, mode) in along.iter().enumerate() {
        let angle = (2.0 * j as f64 + 1.0) * PI / (2.0 * 17.0);
        let expected = 2.0 * (70.0_f64 / 0.5).sqrt() * libm::sin(angle);
        assert!((mode.omega() / expected - 1.0).abs() < 1e-11, "{j}: {} {expected}", mode.omega());
        assert!((mode.damping - 0.6).abs() < 1e-10);
    }
}

#[test]
fn a_hanging_chain_swings_with_its_natural_frequencies() {
    // Stiff links with N = 10, l = 0.1, g = 9.81: ω² l/g are the zeros of a Laguerre polynomial.
    let scene = scene_of(
        "Scene(base: (gravity: (0, -9.81), frame_time: 0.01, substeps: 40, integrator: VelocityVerlet,
            rope: (start: (0, 0), end: (0, -1), nodes: 11, stiffness: 200000, mass: 0.1)))",
    );
    let body = first(&scene);
    let rest = rest_state(&body.setup, 100).unwrap();
    let natural = modes::natural_about(&body.setup, &rest).unwrap();
    let found = modes::compare(&body.setup, &rest, natural, CoreTime { seconds: 5.0 }).unwrap();
    assert_eq!(found.peaks.len(), found.modes.len());
    for ((tone, peak), expected) in
        found.modes.iter().zip(&found.peaks).zip([3.676_621, 8.459_284, 13.319_101])
    {
        assert!((tone.natural / expected - 1.0).abs() < 1e-3, "{tone:?} {expected}");
        let measured = peak.measured.unwrap();
        assert!((measured / tone.natural - 1.0).abs() < 1e-3, "{tone:?} {measured}");
        assert!((tone.expected / tone.natural - 1.0).abs() < 1e-5, "{tone:?}");
    }
    assert_eq!(found.node, 10);
}

#[test]
fn fitted_orders_are_the_stated_ones() {
    let scene = scene("compare", &[]);
    let found = order::orders(&first(&scene).setup, DampingForces::Without).unwrap();
    assert!(found.reference.error < 1e-11, "{}", found.reference.error);
    assert!(found.curves.len() >= 19);
    for curve in &found.curves {
        let SlopeVerdict::Straight { slope } = curve.verdict else {
            panic!("{}: {:?}", curve.method.name, curve.verdict)
        };
        let order = f64::from(curve.method.order.unwrap());
        assert!((slope - order).abs() < 0.1, "{}: {slope}, not {order}", curve.method.name);
    }
    let of = |name: &str| found.curves.iter().find(|curve| curve.method.name == name).unwrap();
    assert_eq!(of("LectureAdamsBashforth2").order, 1);
    // The cost is counted, not assumed.
    let last = of("Rk4").points.last().unwrap();
    assert_eq!(last.work.forces, 4 * last.steps);
    let last = of("SemiImplicitEuler").points.last().unwrap();
    assert_eq!(last.work.forces, last.steps);
    let last = of("ImplicitEuler").points.last().unwrap();
    assert!(last.work.jacobians >= last.steps);
}

#[test]
fn the_continuous_rope_is_the_catenary() {
    let rigid = ContinuousRope { length: 1.5, weight: 9.81, stiffness: f64::INFINITY };
    let found = rigid.between([1.0, 0.0], [3.0, 7.0]).unwrap();
    assert!((found.sag() - 0.502_633_3).abs() < 1e-7, "{}", found.sag());
    let elastic = ContinuousRope { stiffness: 1000.0, ..rigid };
    let found = elastic.between([1.0, 0.0], [3.0, 7.0]).unwrap();
    assert!(
        (found.horizontal - 2.992_407).abs() < 1e-6 && (found.sag() - 0.507_381_4).abs() < 1e-7,
        "{found:?}"
    );
    // The span is too short, then vertical.
    assert!(rigid.between([1.6, 0.0], [3.0, 7.0]).is_none());
    assert!(rigid.between([0.0, 1.0], [3.0, 7.0]).is_none());
    let hanging = elastic.hanging();
    assert!((hanging.position(1.5)[1] - 1.5 - 9.81 * 1.5 * 1.5 / 2000.0).abs() < 1e-12);
}

#[test]
fn a_rope_at_rest_has_the_tensions_of_its_references() {
    for (rope, names) in [
        (
            "start: (0, 0), end: (0, -1.5), nodes: 31, pins: [0]",
            ["chain of elastic links", "hanging rope, elastic"],
        ),
        (
            "start: (0, 0), end: (1, 0), nodes: 31, pins: [0, 30]",
            ["chain of elastic links", "catenary, elastic"],
        ),
    ] {
        let scene = scene_of(&format!(
            "Scene(base: (gravity: (0, -9.81), frame_time: 0.02, substeps: 64, drag: 0.05, rope: ({rope}, stiffness: 20000, mass: 0.05)))"
        ));
        let body = first(&scene);
        let rule = RestRule::for_body(&body.setup, Some(1e-9), None, 20_000);
        let settled = settle(&body.setup, rule, &|_| true);
        assert!(matches!(settled.ending, Ending::AtRest { .. }));
        let found = shape(&body.setup, &settled.state, &settled.springs);
        assert_eq!([found.discrete_name.unwrap(), found.continuous_name.unwrap()], names);
        assert!(found.distance.unwrap() < 1e-6, "{:?}", found.distance);
        let maximum = found.segments.iter().filter_map(|s| s.tension).fold(0.0, f64::max);
        for (j, segment) in found.segments.iter().enumerate() {
            let (discrete, continuous) = (segment.discrete.unwrap(), segment.continuous.unwrap());
            let tension = segment.tension.unwrap();
            assert!(
                (tension - discrete.tension).abs() < 1e-5 * maximum,
                "{j}: {tension} {discrete:?}"
            );
            assert!(
                (tension - continuous.tension).abs() < 0.06 * maximum,
                "{j}: {tension} {continuous:?}"
            );
        }
    }
}

#[test]
fn variants_come_to_rest_sooner_with_more_drag_until_it_is_too_much() {
    let scene = scene("compare", &[]);
    let body = first(&scene);
    let rule = RestRule::for_body(&body.setup, None, None, 5000);
    let frames = |variants: Vec<catena::analysis::settle::SettledVariant>| -> Vec<u64> {
        let frame = |ending| match ending {
            Ending::AtRest { frame } => frame,
            _ => u64::MAX,
        };
        variants.into_iter().map(|variant| frame(variant.ending)).collect()
    };
    let found = frames(over_drag(&body.setup, rule, &[0.01, 0.03, 0.1]));
    assert!(found[0] > found[1] && found[1] > found[2], "{found:?}");
    let found = frames(over_substeps(&body.setup, rule, &[16, 64]));
    assert!(found.iter().all(|frame| *frame < 5000), "{found:?}");
}

#[test]
fn the_telling_nodes_are_the_one_farthest_from_the_pins_and_the_one_half_way_to_it() {
    for (rope, expected) in [
        ("nodes: 6, pins: [0]", &[5, 3][..]),
        ("nodes: 7, pins: [0, 6]", &[3, 2]),
        ("nodes: 5, pins: [4]", &[0, 1]),
        ("nodes: 2, pins: [0]", &[1]),
        ("nodes: 3, pins: []", &[2]),
    ] {
        let scene = scene_of(&format!("Scene(base: (rope: ({rope})))"));
        assert_eq!(telling_nodes(&first(&scene).setup), expected, "{rope}");
    }
    let scene = scene_of("Scene(base: (rope: (nodes: 4)))");
    let setup = &first(&scene).setup;
    let (found, _) = node_paths(setup, &[3, 1], 5);
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [5, 5]);
    let (tip, middle) = (&found[0], &found[1]);
    assert_eq!(tip[0].x, State::position(&setup.initial, 4, 3));
    assert_eq!(middle[0].x, State::position(&setup.initial, 4, 1));
    assert!(tip[4].t == 4.0 && tip[4].x[1] < tip[0].x[1]);
}

#[test]
fn a_swing_has_its_frequency_and_its_amplitude() {
    let (frame_time, omega, size) = (0.1, 2.0 * PI * 8.0 / 25.6, 0.25);
    let moment = |frame: u32| {
        let t = frame_time * f64::from(frame);
        NodeMoment { t, x: [0.0, 3.0 + size * libm::cos(omega * t), 0.0], v: [0.0; 3] }
    };
    // The count exceeds a power of two, so the first moments are omitted.
    let moments: Vec<NodeMoment> = (0..300).map(moment).collect();
    let found = swing(&moments, frame_time);
    assert_eq!(found.len(), 128);
    let top = found.iter().max_by(|a, b| a[1].total_cmp(&b[1])).unwrap();
    assert!((top[0] - omega).abs() < 1e-12 && (top[1] - size).abs() < 1e-3, "{top:?}");
}

/// A rope that has just been released is as slow as one at rest: a note about rest must not appear
/// before a swing could be visible.
#[test]
fn a_rope_that_begins_to_fall_is_not_at_rest() {
    let scene = scene_of("Scene(base: (frame_time: 1e-6, gravity: (0, -9.81)))");
    let body = first(&scene);
    for limit in [1, 10, 200] {
        let rule = RestRule::for_body(&body.setup, None, None, limit);
        let settled = settle(&body.setup, rule, &|_| true);
        assert!(
            matches!(settled.ending, Ending::Moving { frame, .. } if frame == limit),
            "{settled:?}"
        );
    }
}
