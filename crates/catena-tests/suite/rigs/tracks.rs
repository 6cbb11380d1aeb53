//! Tracks: known results, rates that are derivatives of the values, and playback.

use crate::rigs::farthest;
use catena_sim::drive::curve;
use catena_sim::drive::curve::Curve;
use catena_sim::drive::track::{
    Animated, Extent, Extremes, Followed, Interpolation, Key, KeyTrack, Moment, Playback, Played,
    Repeat, SplineTrack, Track, TrackCurve, WrittenSpline,
};
use catena_tests::Random;
use std::sync::Arc;

/// Unevenly spaced keys of three components, with rates and handles.
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
        let spline = SplineTrack::clamped(degree, -1.0, 2.0, points.clone()).unwrap();
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
            // Splines with double knots have bends within h of a knot.
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
        let (start, end) = track.extent().window().unwrap();
        for (edge, times) in [(start, [start - 1e-9, -1e300]), (end, [end, 1e300])] {
            for t in times {
                assert_eq!(track.at(t), (track.at(edge).0, [0.0; 3]), "{name} at {t}");
            }
        }
    }
}

/// Curves of scenes compared with tracks with the same keys: the same arithmetic gives the same
/// bits.
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
        assert_eq!(followed.extent(), track.extent());
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
    let written = five.iter().map(|point| (*point).into()).collect();
    let scene = curve::BSpline::from(WrittenSpline::cubic(0.0, 3.0, written));
    let even = SplineTrack::uniform(3, (0.0, 3.0), five.clone()).unwrap();
    assert_eq!(even, cubic);
    // Four points over clamped knots are a single Bézier piece.
    let clamped = SplineTrack::clamped(3, 0.0, 3.0, points.clone()).unwrap();
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

/// Handles at thirds of the time give an ordinary Bézier curve of the values.
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
    // Part, offset, speed and repeat, then times with the time and the speed within the track.
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
fn numbers_move_or_stay() {
    let moving = Animated::moving(KeyTrack::linear(&[(0.0, [1.0]), (2.0, [5.0])]).unwrap());
    let table = [(-1.0, 1.0, 0.0), (0.0, 1.0, 2.0), (0.5, 2.0, 2.0), (2.0, 5.0, 0.0)];
    for (t, value, rate) in table {
        assert_eq!(moving.at(t), ([value], [rate]), "{t}");
    }
    assert_eq!(moving.extent(), Extent::Bounded(0.0, 2.0));
    let [extremes] = moving.extremes().unwrap();
    let expected = Extremes {
        minimum: Moment { t: 0.0, value: 1.0 },
        greatest: Moment { t: 2.0, value: 5.0 },
    };
    assert_eq!(extremes, expected);
    assert_eq!(
        (Animated::number(4.0).at(1.0), Animated::number(4.0).extent()),
        (([4.0], [0.0]), Extent::Still)
    );
}

/// Extremes whose times and values can be computed by hand.
#[test]
fn extremes_lie_between_keys() {
    let key = |t: f64, value: f64| Key::new(t, [value]);
    // 8.1 s(1-s)², with h = 2, has the value 8.1·4/27 at s = 1/3.
    let up = vec![key(1.0, 0.0).rates([0.0], [4.05]), key(3.0, 0.0).rates([0.0], [0.0])];
    let handles = vec![
        key(0.0, 0.0).handles((-1.0, [0.0]), (1.0, [3.0])),
        key(3.0, 0.0).handles((2.0, [3.0]), (4.0, [0.0])),
    ];
    let parabola = vec![[1.0], [-1.0], [1.0]];
    let spline = |degree, points| Arc::new(SplineTrack::clamped(degree, 0.0, 2.0, points).unwrap());
    let track = |keys| Arc::new(KeyTrack::new(keys).unwrap());
    let stays = vec![key(0.0, 1.0).to_next(Interpolation::Step), key(1.0, -1.0)];
    // Minimum and maximum, each with its time and value.
    type Row = (Arc<dyn Track<1>>, (f64, f64), (f64, f64));
    let table: Vec<Row> = vec![
        (track(up), (1.0, 0.0), (1.0 + 2.0 / 3.0, 1.2)),
        (track(handles), (0.0, 0.0), (1.5, 2.25)),
        (track(stays), (1.0, -1.0), (0.0, 1.0)),
        (spline(2, parabola), (1.0, 0.0), (0.0, 1.0)),
        (spline(1, vec![[2.0], [5.0], [-1.0]]), (2.0, -1.0), (1.0, 5.0)),
    ];
    for (index, (track, minimum, greatest)) in table.iter().enumerate() {
        let [found] = track.extremes().unwrap();
        for (found, (t, value)) in [(found.minimum, minimum), (found.greatest, greatest)] {
            assert!((found.t - t).abs() < 1e-5, "{index}: {found:?}");
            assert!((found.value - value).abs() < 1e-12, "{index}: {found:?}");
        }
    }
}

/// Extremes compared with values at many times, over random tracks of every kind.
#[test]
fn no_value_is_beyond_its_extremes() {
    let mut generator = Random::new(7);
    let mut random = || generator.unit();
    for case in 0..200 {
        let track: Arc<dyn Track<2>> = if case % 3 == 0 {
            let (degree, count) = (1 + case / 3 % 7, 8 + case % 5);
            let points = (0..count).map(|_| [random() - 0.5, 10.0 * random()]).collect();
            let mut t = 0.0;
            let knots = (0..count + degree + 1).map(|_| {
                t += (3.0 * random()).floor() * 0.1;
                t
            });
            match SplineTrack::new(degree, knots.collect(), points) {
                Ok(spline) => Arc::new(spline),
                Err(_) => continue,
            }
        } else {
            let key = |i: u32| {
                let mut value = || [random() - 0.5, 4.0 * random()];
                let t = f64::from(i);
                let key = Key::new(t, value()).rates(value(), value());
                let key = key.handles((t - 0.4, value()), (t + 0.7, value()));
                key.to_next(ALL[(case + i as usize) % ALL.len()])
            };
            Arc::new(KeyTrack::new((0..5).map(key).collect()).unwrap())
        };
        let (from, until) = track.extent().window().unwrap();
        let found = track.extremes().unwrap();
        let mut met = [[f64::INFINITY, f64::NEG_INFINITY]; 2];
        for i in 0..=4000 {
            let (value, _) = track.at(from + (until - from) * f64::from(i) / 4000.0);
            for (met, value) in met.iter_mut().zip(value) {
                *met = [met[0].min(value), met[1].max(value)];
            }
        }
        for (axis, ([low, high], found)) in met.iter().zip(found).enumerate() {
            let size = 1e-11 * (1.0 + low.abs() + high.abs());
            assert!(found.minimum.value <= low + size, "{case} {axis}: {found:?}, {low}");
            assert!(found.greatest.value >= high - size, "{case} {axis}: {found:?}, {high}");
            // The extremes are reached at the times that they state.
            for moment in [found.minimum, found.greatest] {
                let value = track.at(moment.t).0[axis];
                let before = track.at(moment.t - 1e-12).0[axis];
                let off = (value - moment.value).abs().min((before - moment.value).abs());
                assert!(off < 1e-9, "{case} {axis}: {moment:?}, {value}");
            }
        }
    }
}
