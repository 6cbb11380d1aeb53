//! Rotations: known results of slerp and nlerp, and rates that are derivatives of the values.

use crate::rigs::{Numbers, about, apart, farthest};
use catena_sim::drive::rig::{
    MovingRotation, RotationTrack, angle_between, nlerp, normalised, slerp,
};
use catena_sim::drive::track::{Animated, Interpolation, Key, KeyTrack, SplineTrack};
use catena_sim::glam::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, PI};

const Z: DVec3 = DVec3::Z;

#[test]
fn slerp_meets_known_answers() {
    let third = 1.0 / 3.0;
    let expected = [0.0, 0.0, 0.258_819_045_102_520_74, 0.965_925_826_289_068_3];
    let found = slerp(DQuat::IDENTITY, about(Z, FRAC_PI_2), third);
    assert!(farthest(found.to_array(), expected) <= 2e-16, "{found:?}");

    // The short path: the other sign of the end is the same rotation.
    let q = about(DVec3::new(0.6, 0.0, 0.8), 1.1);
    let turned = q * about(Z, FRAC_PI_2);
    assert!(apart(slerp(q, -turned, third), slerp(q, turned, third)) <= 2e-16);
    let track = RotationTrack::slerps(&[(0.0, q), (1.0, -turned)]).unwrap();
    assert!(apart(track.at(third).turn, slerp(q, turned, third)) <= 2e-16);
    assert_eq!(slerp(q, q, 0.3), q);
}

#[test]
fn slerp_turns_at_a_constant_speed() {
    let end = about(Z, 170.0_f64.to_radians());
    let track = RotationTrack::slerps(&[(0.0, DQuat::IDENTITY), (100.0, end)]).unwrap();
    let angle = |k: u32| 2.0 * angle_between(DQuat::IDENTITY, track.at(f64::from(k)).turn);
    for k in 1..99 {
        let second = angle(k - 1) - 2.0 * angle(k) + angle(k + 1);
        assert!(second.abs() <= 1e-14, "{k}: {second}");
        let omega = track.at(f64::from(k) + 0.5).angular_velocity();
        let expected = [0.0, 0.0, 170.0_f64.to_radians() / 100.0];
        assert!(farthest(omega.to_array(), expected) <= 1e-15, "{k}: {omega}");
    }
}

/// Keys about a degree apart. An nlerp blend would rotate at another speed: its error is up to 2e-8
/// rad at an angle of 1°, and 1e-6 rad at a dot product of 0.9995, where nlerp would take over.
#[test]
fn slerp_turns_at_a_constant_speed_between_near_keys() {
    let axis = DVec3::new(0.48, 0.6, 0.64);
    for degrees in [1e-3_f64, 0.3, 1.0, 3.6, 3.7] {
        let angle = degrees.to_radians();
        let start = about(DVec3::new(0.0, 0.8, -0.6), 2.0);
        let end = about(axis, angle) * start;
        let track = RotationTrack::slerps(&[(0.0, start), (1.0, end)]).unwrap();
        for k in 0..100 {
            let s = f64::from(k) / 100.0;
            let moving = track.at(s);
            let off = (moving.angular_velocity() - axis * angle).length();
            assert!(off <= 1e-12 * angle.max(1e-3), "{degrees}° at {s}: {off}");
            let expected = about(axis, s * angle) * start;
            assert!(apart(moving.turn, expected) <= 1e-15, "{degrees}° at {s}");
            assert!(apart(slerp(start, end, s), expected) <= 1e-15, "{degrees}° at {s}");
        }
    }
    // The error of the blend itself agrees with its series: at most θ³/144√3.
    let angle = 1.0_f64.to_radians();
    let off = |k: i32| {
        let (s, end) = (f64::from(k) / 1000.0, about(Z, angle));
        2.0 * angle_between(nlerp(DQuat::IDENTITY, end, s), slerp(DQuat::IDENTITY, end, s))
    };
    let maximum = (0..=1000).map(off).fold(0.0, f64::max);
    let expected = angle * angle * angle / (144.0 * 3.0_f64.sqrt());
    assert!((maximum / expected - 1.0).abs() < 1e-3, "{maximum} beside {expected}");
}

#[test]
fn nlerp_differs_from_slerp_as_known() {
    let end = about(Z, PI);
    let off = |s: f64| {
        let [n, s] = [nlerp(DQuat::IDENTITY, end, s), slerp(DQuat::IDENTITY, end, s)];
        2.0 * angle_between(n, s)
    };
    let (mut low, mut high) = (0.0, 0.5);
    for _ in 0..200 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if off(a) < off(b) { low = a } else { high = b }
    }
    assert!((off(low) - 0.142_229_275_204_874_94).abs() <= 1e-9, "{}", off(low));
    assert!((low - 0.238_638_5).abs() <= 1e-6, "{low}");
}

/// Every kind of track, with distant keys of both signs.
fn every_track() -> Vec<(&'static str, RotationTrack)> {
    let mut numbers = Numbers::new(7);
    let mut keys = |interpolation| {
        let key = |i: usize| {
            let value = numbers.rotation().to_array();
            let [a, b] = [numbers.rotation(), numbers.rotation()].map(|q| q.to_array());
            let t = i as f64 * 0.8;
            let key = Key::new(t, value).rates(a, b).handles((t - 0.3, a), (t + 0.2, b));
            key.to_next(interpolation)
        };
        RotationTrack::new((0..6).map(key).collect()).unwrap()
    };
    let mut tracks = vec![
        ("Step", keys(Interpolation::Step)),
        ("Linear", keys(Interpolation::Linear)),
        ("Slerp", keys(Interpolation::Slerp)),
        ("Hermite", keys(Interpolation::Hermite)),
        ("Bezier", keys(Interpolation::Bezier)),
        ("CatmullRom", keys(Interpolation::CatmullRom)),
    ];
    let points =
        (0..7).map(|i| [libm::sincos(f64::from(i)).0, 0.3, 0.1 * f64::from(i), 1.0]).collect();
    let spline = SplineTrack::clamped(4, 0.0, 4.0, points).unwrap();
    tracks.push(("Spline", RotationTrack::spline(spline)));
    let angle = KeyTrack::new(vec![
        Key::new(0.0, [0.2]).rates([0.0], [5.0]),
        Key::new(4.0, [-7.0]).rates([1.0], [0.0]),
    ]);
    let axis = DVec3::new(1.0, -2.0, 0.5);
    let angle = Animated::moving(angle.unwrap());
    tracks.push(("Axis", RotationTrack::about(axis, angle).unwrap()));
    tracks
}

#[test]
fn rates_and_angular_velocities_are_those_of_rotations() {
    let h = 1e-6;
    for (name, track) in every_track() {
        for i in 0..200 {
            let t = -0.5 + 0.025 * f64::from(i) + 0.0071;
            let [before, now, after] = [t - h, t, t + h].map(|t| track.at(t));
            assert!((now.turn.dot(now.turn) - 1.0).abs() < 4e-15, "{name} at {t}");
            let difference = (after.turn - before.turn) * (0.5 / h);
            let off = farthest(difference.to_array(), now.rate.to_array());
            assert!(off < 1e-7, "{name} at {t}: {off}");
            // ω from the rotation between two moments.
            let rotation = after.turn * before.turn.conjugate();
            let rotation = DVec3::new(rotation.x, rotation.y, rotation.z) * rotation.w.signum() / h;
            let off = (rotation - now.angular_velocity()).length();
            assert!(off < 1e-7, "{name} at {t}: ω is off by {off}");
        }
    }
}

#[test]
fn slerps_of_what_moves_have_exact_rates() {
    let mut numbers = Numbers::new(3);
    let h = 1e-6;
    // From almost coincident to distant ends.
    for size in [0.0, 1e-9, 1e-4, 9e-3, 1.1e-2, 0.3, 1.0] {
        for _ in 0..20 {
            let (q, w) = (numbers.rotation(), 2.0 * numbers.next());
            let (omega, other) = (numbers.vector(), numbers.vector());
            let offset = about(Z, size * numbers.next());
            let at = |t: f64| {
                let turn = |omega: DVec3| about(omega.normalize(), omega.length() * t);
                let a = MovingRotation::turning(turn(omega) * q, omega);
                let b = MovingRotation::turning(turn(other) * offset * q, other);
                a.slerp(b, w + 0.4 * t, 0.4)
            };
            // Coincident ends have no direction between them, so there is no rate to compare with.
            if size < 1e-5 {
                assert!(at(0.0).rate.is_finite());
                continue;
            }
            let h = if size < 1e-3 { 1e-8 } else { h };
            let difference = (at(h).turn - at(-h).turn) * (0.5 / h);
            let off = farthest(difference.to_array(), at(0.0).rate.to_array());
            assert!(off < if size < 1e-3 { 1e-6 } else { 1e-7 }, "{size}: {off}");
        }
    }
}

#[test]
fn at_a_key_and_outside_the_keys_own_bits_stand() {
    // The numbers of `every_track`, where each kind of track takes the next ones.
    let mut numbers = Numbers::new(7);
    for (name, track) in every_track().into_iter().take(6) {
        for i in 0..6 {
            let expected = normalised(numbers.rotation()).unwrap();
            let _ = [numbers.rotation(), numbers.rotation()];
            let bits = |turn: DQuat| turn.to_array().map(f64::to_bits);
            let found = track.at(f64::from(i) * 0.8).turn;
            assert_eq!(bits(found), bits(expected), "{name}, key {i}");
        }
    }
    for (name, track) in every_track() {
        let (start, end) = track.extent().window().unwrap();
        for (t, edge) in [(start - 1.0, start), (end + 1e9, end)] {
            let outside = track.at(t);
            assert_eq!(outside.turn, track.at(edge).turn, "{name} at {t}");
            assert_eq!(outside.angular_velocity(), DVec3::ZERO, "{name} at {t}");
        }
    }
}

#[test]
fn quaternions_become_unit_ones_once() {
    let mut numbers = Numbers::new(11);
    for _ in 0..1000 {
        let q = normalised(numbers.rotation() * (1.0 + 0.9 * numbers.next())).unwrap();
        assert_eq!(normalised(q), Some(q));
    }
    let huge = DQuat::from_xyzw(1e300, 0.0, 0.0, -1e300);
    let half = 0.5_f64.sqrt();
    assert!(apart(normalised(huge).unwrap(), DQuat::from_xyzw(half, 0.0, 0.0, -half)) < 2e-16);
    assert_eq!(normalised(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)), None);
    assert_eq!(normalised(DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0)), None);
}
