//! Tracks: known answers, rates that are those of the values, and playback.

use crate::rigs::farthest;
use catena_sim::drive::curve::Curve;
use catena_sim::drive::track::{
    Animated, Followed, Interpolation, Key, KeyTrack, Playback, Played, Repeat, SplineTrack, Track,
    TrackCurve,
};
use catena_sim::drive::{Series, curve};
use std::sync::Arc;

/// Keys of three components with rates and handles, unevenly apart.
fn keys(interpolation: Interpolation) -> Vec<Key<3>> {
    let table: &[(f64, [f64; 3])] = &[
        (-1.0, [0.1, 2.0, -0.0]),
        (-0.2, [1.3, -1.0, 4.0]),
        (1.1, [-2.7, 0.5, 0.3]),
        (2.0, [0.6, 1.0 / 3.0, 9.0]),
    ];
    let key = |&(t, value): &(f64, [f64; 3])| {
        let [arriving, leaving] = [value.map(|x| 1.0 - x), value.map(|x| 0.5 * x + 2.0)];
        let key = Key::new(t, value).rates(arriving, leaving);
        key.handles((t - 0.7, leaving), (t + 0.1, arriving)).to_next(interpolation)
    };
    table.iter().map(key).collect()
}

const ALL: [Interpolation; 5] = [
    Interpolation::Step,
    Interpolation::Linear,
    Interpolation::Hermite,
    Interpolation::Bezier,
    Interpolation::CatmullRom,
];

fn every_track() -> Vec<(String, Arc<dyn Track<3>>)> {
    let mut tracks: Vec<(String, Arc<dyn Track<3>>)> = ALL
        .iter()
        .map(|&kind| (format!("{kind:?}"), Arc::new(KeyTrack::new(keys(kind)).unwrap()) as _))
        .collect();
    let mixed = keys(Interpolation::Step).into_iter().zip([
        Interpolation::Bezier,
        Interpolation::Linear,
        Interpolation::Hermite,
        Interpolation::Step,
    ]);
    let mixed = mixed.map(|(key, kind)| key.to_next(kind)).collect();
    tracks.push(("mixed".into(), Arc::new(KeyTrack::new(mixed).unwrap())));
    let points: Vec<[f64; 3]> = keys(Interpolation::Step).iter().map(|key| key.value).collect();
    let points = [points.clone(), points].concat();
    for degree in 1..8 {
        let spline = SplineTrack::clamped(degree, (-1.0, 2.0), points.clone()).unwrap();
        tracks.push((format!("clamped {degree}"), Arc::new(spline)));
        let knots = (0..9 + degree).map(|i| f64::from(i as u32 / 2) - 2.0).collect();
        if let Ok(spline) = SplineTrack::new(degree, knots, points.clone()) {
            tracks.push((format!("double knots {degree}"), Arc::new(spline)));
        }
    }
    tracks
}

#[test]
fn a_cubic_meets_its_known_answer() {
    let keys =
        vec![Key::new(0.0, [0.0]).rates([0.0], [1.0]), Key::new(2.0, [1.0]).rates([0.0], [0.0])];
    assert_eq!(KeyTrack::new(keys).unwrap().at(1.0), ([0.75], [0.5]));
}

#[test]
fn rates_are_those_of_values() {
    let h = 1e-6;
    for (name, track) in every_track() {
        for i in 0..300 {
            let t = -1.3 + 0.012 * f64::from(i) + 0.000_71;
            let [before, after] = [t - h, t + h].map(|t| track.at(t).0);
            let difference = [0, 1, 2].map(|axis| (after[axis] - before[axis]) / (2.0 * h));
            let off = farthest(difference, track.at(t).1);
            // Splines of double knots bend within h of a knot.
            let far = i != 0 && farthest(track.at(t - 2.0 * h).1, track.at(t + 2.0 * h).1) < 0.01;
            assert!(!far || off < 2e-7, "{name} at {t}: {off}");
        }
    }
}

#[test]
fn at_a_key_and_outside_the_keys_own_bits_stand() {
    for kind in ALL {
        let track = KeyTrack::new(keys(kind)).unwrap();
        for (time, value) in track.times().iter().zip(track.values()) {
            let bits = |value: [f64; 3]| value.map(f64::to_bits);
            assert_eq!(bits(track.at(*time).0), bits(*value), "{kind:?} at {time}");
        }
    }
    for (name, track) in every_track() {
        let (start, end) = track.span().unwrap();
        for (edge, times) in [(start, [start - 1e-9, -1e300]), (end, [end, 1e300])] {
            for t in times {
                assert_eq!(track.at(t), (track.at(edge).0, [0.0; 3]), "{name} at {t}");
            }
        }
    }
}

/// Curves of scenes beside tracks with the same keys: one arithmetic, so the same bits.
#[test]
fn curves_of_scenes_have_the_bits_of_tracks() {
    let table = keys(Interpolation::Linear);
    let pairs = || table.iter().map(|key| (key.time, key.value.into())).collect::<Vec<_>>();
    let triples = table.iter().map(|key| (key.time, key.value.into(), key.rates[1].into()));
    let both = |key: &Key<3>| key.rates(key.rates[1], key.rates[1]);
    let kinds: Vec<(Arc<dyn Curve>, Vec<Key<3>>)> = vec![
        (Arc::new(curve::Linear { keys: pairs() }), keys(Interpolation::Linear)),
        (Arc::new(curve::Step { keys: pairs() }), keys(Interpolation::Step)),
        (Arc::new(curve::CatmullRom { keys: pairs() }), keys(Interpolation::CatmullRom)),
        (Arc::new(curve::Hermite { keys: triples.collect() }), table.iter().map(both).collect()),
    ];
    for (curve, keys) in kinds {
        let track = KeyTrack::new(keys).unwrap();
        let followed = Followed(curve.clone());
        let back = TrackCurve(Arc::new(track.clone()));
        assert_eq!(followed.span(), track.span());
        for i in 0..400 {
            let t = -1.5 + 0.01 * f64::from(i);
            assert_eq!(curve.at(t), track.at(t), "{curve:?} at {t}");
            assert_eq!(followed.at(t), back.at(t));
        }
        assert!(back.fits(3, 1).is_ok() && back.fits(2, 1).is_err());
    }
}

#[test]
fn splines_are_the_curves_of_scenes_over_their_knots() {
    let points: Vec<[f64; 3]> = keys(Interpolation::Step).iter().map(|key| key.value).collect();
    let five: Vec<[f64; 3]> = points.iter().copied().chain([[1.0; 3]]).collect();
    let uniform = (0..9).map(|i| 1.5 * f64::from(i - 3)).collect();
    let cubic = SplineTrack::new(3, uniform, five.clone()).unwrap();
    let scene = curve::BSpline {
        start: 0.0,
        end: 3.0,
        points: five.iter().map(|point| (*point).into()).collect(),
    };
    // Four points over clamped knots are one Bézier piece.
    let clamped = SplineTrack::clamped(3, (0.0, 3.0), points.clone()).unwrap();
    let bezier = curve::Bezier {
        start: 0.0,
        end: 3.0,
        points: points.iter().map(|point| (*point).into()).collect(),
    };
    for i in 0..40 {
        let t = -0.5 + 0.1 * f64::from(i);
        for (spline, curve) in [(&cubic, &scene as &dyn Curve), (&clamped, &bezier)] {
            let (found, expected) = (spline.at(t), curve.at(t));
            assert!(farthest(found.0, expected.0) < 1e-14, "{t}: {found:?}, {expected:?}");
            assert!(farthest(found.1, expected.1) < 1e-13, "{t}: {found:?}, {expected:?}");
        }
    }
}

/// Handles at thirds of the time make an ordinary Bézier curve of the values.
#[test]
fn handles_at_thirds_are_an_ordinary_cubic() {
    let keys = vec![
        Key::new(0.0, [1.0]).handles((-1.0, [0.0]), (1.0, [4.0])),
        Key::new(3.0, [2.0]).handles((2.0, [-5.0]), (4.0, [0.0])),
    ];
    let track = KeyTrack::new(keys).unwrap();
    let points = [[1.0, 0.0], [4.0, 0.0], [-5.0, 0.0], [2.0, 0.0]];
    let points = points.map(Into::into).to_vec();
    let curve = curve::Bezier { start: 0.0, end: 3.0, points };
    for i in 0..30 {
        let t = 0.1 * f64::from(i);
        let (found, expected) = (track.at(t), curve.at(t));
        assert!((found.0[0] - expected.0[0]).abs() < 1e-14, "{t}");
        assert!((found.1[0] - expected.1[0]).abs() < 1e-13, "{t}");
    }
}

#[test]
fn playback_maps_times() {
    // Part, offset, speed, repeat, then times with the time and the speed within the track.
    let table: &[((f64, f64), f64, f64, Repeat, &[(f64, f64, f64)])] = &[
        ((0.0, 2.0), 1.0, 2.0, Repeat::Once, &[(0.0, 0.0, 0.0), (1.5, 1.0, 2.0), (2.0, 2.0, 0.0)]),
        ((1.0, 3.0), 0.0, -1.0, Repeat::Once, &[(0.5, 2.5, -1.0), (2.5, 1.0, 0.0)]),
        ((1.0, 3.0), 0.0, 1.0, Repeat::Loop, &[(0.5, 1.5, 1.0), (2.0, 1.0, 1.0), (-0.5, 2.5, 1.0)]),
        ((1.0, 3.0), 0.5, -1.0, Repeat::Loop, &[(1.0, 2.5, -1.0), (3.0, 2.5, -1.0)]),
        (
            (1.0, 3.0),
            0.0,
            1.0,
            Repeat::PingPong,
            &[(0.5, 1.5, 1.0), (2.5, 2.5, -1.0), (4.0, 1.0, 1.0), (-0.5, 1.5, -1.0)],
        ),
    ];
    for (part, offset, speed, repeat, times) in table {
        let playback = Playback::new(*part, *offset, *speed, *repeat).unwrap();
        for &(t, local, rate) in *times {
            assert_eq!(playback.local(t), (local, rate), "{playback:?} at {t}");
        }
    }
    for bad in [(0.0, 0.0), (1.0, 0.0), (0.0, f64::NAN), (-1e308, 1e308)] {
        assert!(Playback::new(bad, 0.0, 1.0, Repeat::Once).is_err(), "{bad:?}");
    }
}

#[test]
fn played_tracks_have_the_rates_of_their_values() {
    let h = 1e-6;
    for repeat in [Repeat::Once, Repeat::Loop, Repeat::PingPong] {
        for speed in [2.5, -0.7] {
            let track = Arc::new(KeyTrack::new(keys(Interpolation::CatmullRom)).unwrap());
            let playback = Playback::new((-1.0, 2.0), 0.3, speed, repeat).unwrap();
            let played = Played { track, playback };
            for i in 0..200 {
                let t = -4.0 + 0.05 * f64::from(i) + 0.003;
                let [before, after] = [t - h, t + h].map(|t| played.at(t).0);
                let difference = [0, 1, 2].map(|axis| (after[axis] - before[axis]) / (2.0 * h));
                let off = farthest(difference, played.at(t).1);
                assert!(off < 1e-7, "{repeat:?} {speed} at {t}: {off}");
            }
        }
    }
}

#[test]
fn numbers_over_time_are_tracks_too() {
    let series = Series { keys: vec![(0.0, 1.0), (2.0, 5.0)] };
    let table = [(-1.0, 1.0, 0.0), (0.0, 1.0, 2.0), (0.5, 2.0, 2.0), (2.0, 5.0, 0.0)];
    for (t, value, rate) in table {
        assert_eq!(Track::at(&series, t), ([value], [rate]), "{t}");
    }
    let moving = Animated::moving(series);
    assert_eq!((moving.at(1.0), moving.span()), (([3.0], [2.0]), Some((0.0, 2.0))));
    assert_eq!(
        (Animated::number(4.0).at(1.0), Animated::number(4.0).span()),
        (([4.0], [0.0]), None)
    );
}
