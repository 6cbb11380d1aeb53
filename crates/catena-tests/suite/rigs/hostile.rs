//! Invalid input gives an error or a number, never a panic.

use catena_sim::drive::rig::{MovingRotation, RotationTrack, angle_between, nlerp, slerp};
use catena_sim::drive::track::{
    Animated, Interpolation, Key, KeyTrack, Playback, Repeat, SplineTrack, Track,
};
use catena_sim::glam::{DQuat, DVec3};

const ODD: [f64; 7] = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, 5e-324];

#[test]
fn keys_are_refused_in_words() {
    let key = |t: f64| Key::new(t, [1.0]);
    let bezier = |t: f64, handles: [Option<(f64, [f64; 1])>; 2]| Key {
        handles,
        interpolation: Interpolation::Bezier,
        ..key(t)
    };
    let (some, none) = (|t: f64| Some((t, [0.0])), None);
    let table: Vec<(Vec<Key<1>>, &str)> = vec![
        (vec![], "keys: expected at least one key"),
        (vec![key(f64::NAN)], "keys[0]: expected finite numbers"),
        (vec![key(0.0).rates([f64::INFINITY], [0.0])], "keys[0]: expected finite numbers"),
        (
            vec![key(0.0), key(0.0)],
            "keys[1]: expected a time later than the time of the previous key",
        ),
        (
            vec![bezier(0.0, [none, none]), key(1.0)],
            "keys[0]: expected a handle after it, at a time between the two keys: Bezier(after: (time, value))",
        ),
        (
            vec![bezier(0.0, [none, some(0.5)]), bezier(1.0, [some(0.0), none])],
            "keys[1]: expected a handle before it, at a time between the two keys: Bezier(before: (time, value))",
        ),
        (
            vec![bezier(0.0, [none, some(1.0)]), bezier(1.0, [some(0.5), none])],
            "keys[0]: expected a handle after it, at a time between the two keys: Bezier(after: (time, value))",
        ),
        (
            vec![key(0.0).to_next(Interpolation::Slerp)],
            "keys[0]: expected a piece other than Slerp, which is only for rotations",
        ),
    ];
    for (keys, expected) in table {
        assert_eq!(KeyTrack::new(keys).unwrap_err().to_string(), expected);
    }
    let zero = Key::new(0.0, [0.0; 4]);
    let error = RotationTrack::new(vec![zero]).unwrap_err().to_string();
    assert_eq!(error, "keys[0]: expected a finite rotation that is not of length 0");
    assert!(RotationTrack::about(DVec3::ZERO, Animated::number(1.0)).is_err());
}

#[test]
fn splines_are_refused_in_words() {
    let points = |n: usize| vec![[0.0]; n];
    let knots = |n: u32| (0..n).map(f64::from).collect::<Vec<f64>>();
    let table = [
        (SplineTrack::new(0, knots(5), points(4)), "degree: expected a whole number from 1 to 15"),
        (
            SplineTrack::new(16, knots(50), points(33)),
            "degree: expected a whole number from 1 to 15",
        ),
        (
            SplineTrack::new(3, knots(7), points(3)),
            "points: expected at least 4 points of finite numbers",
        ),
        (
            SplineTrack::new(3, knots(7), points(4)),
            "knots: expected 8 knots: number of points + degree + 1",
        ),
        (
            SplineTrack::new(1, vec![0.0, 1.0, 0.5, 2.0], points(2)),
            "knots: expected finite times in non-decreasing order",
        ),
        (
            SplineTrack::new(1, vec![0.0, 1.0, 1.0, 2.0], points(2)),
            "knots: expected knots[1] below knots[2]",
        ),
        (
            SplineTrack::clamped(usize::MAX, 0.0, 1.0, points(2)),
            "points: expected more points than the degree",
        ),
    ];
    for (spline, expected) in table {
        assert_eq!(spline.unwrap_err().to_string(), expected);
    }
    let high = SplineTrack::clamped(15, 0.0, 1.0, points(16)).unwrap();
    assert_eq!(high.at(0.3), ([0.0], [0.0]));
}

#[test]
fn odd_times_and_numbers_do_not_panic() {
    let kinds = [Interpolation::Linear, Interpolation::Bezier, Interpolation::CatmullRom];
    for t in ODD {
        for kind in kinds {
            let key = |time: f64| {
                let key = Key::new(time, [1e300]).handles((time - 0.5, [0.0]), (time + 0.5, [0.0]));
                key.to_next(kind)
            };
            let track = KeyTrack::new(vec![key(0.0), key(1.0), key(1e15)]).unwrap();
            let _ = track.at(t);
            let [extremes] = track.extremes().unwrap();
            assert!(extremes.greatest.value >= 1e300, "{extremes:?}");
        }
        let spline = SplineTrack::clamped(3, 0.0, 1.0, vec![[1.0]; 5]).unwrap();
        let _ = spline.at(t);
        for repeat in [Repeat::Once, Repeat::Loop, Repeat::PingPong] {
            for speed in [0.0, 1e300, -1.0] {
                let _ = Playback::new((0.0, 1.0), 0.0, speed, repeat).unwrap().local(t);
            }
        }
        for u in ODD {
            let [a, b] = [t, u].map(|x| DQuat::from_xyzw(x, u, t, 1.0));
            let _ = (angle_between(a, b), nlerp(a, b, t), slerp(a, b, u));
            let _ =
                MovingRotation::of(a, b).map(|moving| moving.slerp(MovingRotation::IDENTITY, t, u));
        }
    }
}

#[test]
fn angles_are_never_nan() {
    let q = DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5);
    for other in
        [q, -q, q * (1.0 + 1e-15), DQuat::from_xyzw(0.5, 0.5, 0.5, 0.500_000_000_000_000_1)]
    {
        assert!(angle_between(q, other).is_finite());
        assert!(slerp(q, other, 0.3).is_finite());
    }
}
