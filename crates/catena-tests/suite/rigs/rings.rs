//! Frames, twist and tubes of ropes: known results.

use crate::rigs::Numbers;
use catena_sim::glam::{DQuat, DVec3};
use catena_sim::skin::{Frame, Frames, Tube, central_tangents, signed_angle, transport, volume};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Angle between the frame and the principal normal after one turn of the helix (1, ½).
fn turn_of_a_helix(steps: usize) -> f64 {
    let angle = |i: usize| TAU * (i as f64 - 1.0) / steps as f64;
    let at = |i: usize| {
        let (sine, cosine) = libm::sincos(angle(i));
        DVec3::new(cosine, sine, 0.5 * angle(i))
    };
    // An additional node at either end, so that all differences are central.
    let nodes: Vec<DVec3> = (0..steps + 3).map(at).collect();
    let mut tangents = Vec::new();
    central_tangents(&nodes, &mut tangents);
    let (nodes, tangents) = (&nodes[1..steps + 2], &tangents[1..steps + 2]);
    let inward = -DVec3::X;
    let frames = Frames::along(nodes, tangents, inward).unwrap();
    let end = frames.frames()[steps];
    // The principal normal has rotated once and is back at its start.
    let off = signed_angle(end.tangent, inward, end.normal);
    if off > 0.0 { off - TAU } else { off }
}

#[test]
fn frames_on_a_helix_are_of_fourth_order() {
    let exact = -2.809_925_892_416_290_4;
    let found = [32, 64, 128, 256].map(|steps| (turn_of_a_helix(steps) - exact).abs());
    assert!((found[1] - 1.2e-6).abs() < 1e-7, "{found:?}");
    for pair in found.windows(2) {
        let order = libm::log2(pair[0] / pair[1]);
        assert!((order - 4.0).abs() <= 0.1, "order {order}: {found:?}");
    }
}

#[test]
fn transport_around_a_corner_of_a_cube_is_known() {
    let edges = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::X];
    let carried =
        edges.windows(2).fold(DVec3::Y, |normal, pair| transport(normal, pair[0], pair[1]));
    assert!((carried - DVec3::Z).length() <= 2e-16, "{carried}");
    assert_eq!(transport(DVec3::Y, DVec3::X, -DVec3::X), DVec3::Y);
}

fn straight(nodes: u32) -> Vec<DVec3> {
    let direction = DVec3::new(1.0, 2.0, 2.0) / 3.0;
    // Unevenly spaced.
    (0..nodes).map(|i| direction * (f64::from(i) + 0.02 * f64::from(i * i))).collect()
}

#[test]
fn twist_between_ends_is_even() {
    let nodes = straight(11);
    let mut frames = Frames::default();
    frames.follow(&nodes);
    let plain = frames.clone();
    let first = plain.frames()[0];
    let turned = DQuat::from_axis_angle(first.tangent, FRAC_PI_2) * first.normal;
    let angles = frames.angles_to(first.normal, turned, [0.0; 2]);
    frames.twist(angles[0], angles[1]);
    let whole = frames.lengths()[10];
    for i in 0..11 {
        let [before, after] = [&plain, &frames].map(|frames| frames.frames()[i]);
        let angle = signed_angle(before.tangent, before.normal, after.normal);
        let expected = FRAC_PI_2 * frames.lengths()[i] / whole;
        assert!((angle - expected).abs() <= 1e-12, "{i}: {angle}");
    }
}

#[test]
fn ends_turn_more_than_once() {
    let nodes = straight(5);
    let mut frames = Frames::default();
    frames.follow(&nodes);
    let first = frames.frames()[0];
    let mut angles = [0.0; 2];
    for step in 1..=100 {
        let angle = 0.2 * f64::from(step);
        let held = DQuat::from_axis_angle(first.tangent, angle) * first.normal;
        angles = frames.angles_to(first.normal, held, angles);
        assert!((angles[1] - angle).abs() < 1e-12 && angles[0].abs() < 1e-12, "{angles:?}");
    }
}

#[test]
fn a_rope_that_turns_as_a_whole_takes_its_frames_along() {
    let mut numbers = Numbers::new(12);
    let nodes: Vec<DVec3> =
        (0..40).map(|i| DVec3::new(f64::from(i), 0.0, 0.0) + numbers.vector() * 0.4).collect();
    let mut frames = Frames::default();
    frames.follow(&nodes);
    for frame in frames.frames() {
        assert!(frame.tangent.dot(frame.normal).abs() < 1e-15);
        assert!((frame.normal.length() - 1.0).abs() < 1e-15);
        assert!((frame.binormal().length() - 1.0).abs() < 1e-15);
    }
    // The rope again: nothing rotates.
    let before = frames.clone();
    frames.follow(&nodes);
    for (a, b) in before.frames().iter().zip(frames.frames()) {
        assert!((a.normal - b.normal).length() < 1e-14);
    }
    let turn = DQuat::from_rotation_z(0.3);
    let turned: Vec<DVec3> = nodes.iter().map(|node| turn * *node).collect();
    let tangents: Vec<DVec3> = frames.frames().iter().map(|frame| turn * frame.tangent).collect();
    let other = Frames::along(&turned, &tangents, turn * frames.frames()[0].normal).unwrap();
    for (a, b) in frames.frames().iter().zip(other.frames()) {
        assert!((turn * a.normal - b.normal).length() < 1e-13);
    }
}

#[test]
fn a_straight_tube_is_a_prism() {
    let table =
        [(8, 0.900_316_316_157_106_1), (16, 0.974_495_358_404_432_7), (3, 0.413_496_671_566_344_1)];
    for (sides, share) in table {
        let nodes = straight(7);
        let mut frames = Frames::default();
        frames.follow(&nodes);
        let tube = Tube::new(sides, 0.3).unwrap();
        let mut vertices = Vec::new();
        tube.vertices(&nodes, frames.frames(), &mut vertices);
        let length = frames.lengths()[6];
        let found = volume(&vertices, &tube.triangles(7)).unwrap();
        let found = found / (PI * 0.3 * 0.3 * length);
        assert!((found - share).abs() <= 1e-14, "{sides}: {found}");
    }
    for (sides, radius) in [(2, 1.0), (8, 0.0), (8, f64::NAN)] {
        assert!(Tube::new(sides, radius).is_err());
    }
}

#[test]
fn strands_wind_around_their_rope() {
    let nodes: Vec<DVec3> = (0..9).map(|i| DVec3::X * f64::from(i)).collect();
    let mut frames = Frames::default();
    frames.follow(&nodes);
    let tube = Tube::new(8, 0.5).unwrap();
    let mut line = Vec::new();
    for strand in 0..3 {
        tube.strand(strand, 3, 4.0, &nodes, &frames, &mut line);
        for (i, point) in line.iter().enumerate() {
            let Frame { tangent, normal } = frames.frames()[i];
            let angle = TAU * (strand as f64 / 3.0 + i as f64 / 4.0);
            let off = signed_angle(tangent, normal, *point - nodes[i]) - angle;
            assert!((off - TAU * (off / TAU).round()).abs() < 1e-14, "{strand} {i}: {off}");
            assert!(((*point - nodes[i]).length() - 0.5).abs() < 1e-15);
        }
    }
}

#[test]
fn ropes_without_shape_have_frames() {
    let odd: [Vec<DVec3>; 6] = [
        vec![],
        vec![DVec3::X],
        vec![DVec3::X; 5],
        vec![DVec3::ZERO, DVec3::X],
        vec![DVec3::ZERO, DVec3::X, DVec3::ZERO, DVec3::X],
        vec![DVec3::ZERO, DVec3::ZERO, DVec3::Y, DVec3::Y, DVec3::Z],
    ];
    for nodes in odd {
        let mut frames = Frames::default();
        for _ in 0..2 {
            frames.follow(&nodes);
            assert_eq!(frames.frames().len(), nodes.len());
            for frame in frames.frames() {
                assert!((frame.normal.length() - 1.0).abs() < 1e-15, "{nodes:?}");
                assert!((frame.tangent.length() - 1.0).abs() < 1e-15, "{nodes:?}");
                assert!(frame.normal.dot(frame.tangent).abs() < 1e-15, "{nodes:?}");
            }
        }
        frames.twist(1.0, 2.0);
        assert!(frames.angles_to(DVec3::Y, DVec3::Z, [0.0; 2]).iter().all(|a| a.is_finite()));
        let tube = Tube::new(3, 1.0).unwrap();
        let mut vertices = Vec::new();
        tube.vertices(&nodes, frames.frames(), &mut vertices);
        assert!(volume(&vertices, &tube.triangles(nodes.len())).is_some());
    }
    assert!(Frames::along(&[DVec3::X], &[], DVec3::Y).is_err());
    assert_eq!(volume(&[DVec3::X], &[[0, 0, 1]]), None);
}
