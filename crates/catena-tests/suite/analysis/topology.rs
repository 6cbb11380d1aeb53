//! Linking numbers, writhe and crossings of known curves, and passages compared with the changes of
//! these numbers.

use catena::analysis::topology::{
    Crossing, Curve, ElementKind, Passage, TopologyError, crossings, gauss_code, gauss_integral,
    linking_number, passages, reduced, writhe,
};
use catena::sim::vector::{Vec3, add, cross, dot, norm, scaled, sub};
use catena_tests::Random;
use std::f64::consts::{PI, TAU};

const Z: Vec3 = [0.0, 0.0, 1.0];

/// A closed curve with `count` points of a function on [0, 2π).
fn ring(count: usize, point: impl Fn(f64) -> Vec3) -> Curve {
    let points: Vec<Vec3> =
        (0..count).map(|i| point(TAU * (i as f64 + 0.3) / count as f64)).collect();
    Curve::closed(&points)
}

fn random_points(count: usize, seed: usize) -> Vec<Vec3> {
    let mut random = Random::new(seed as u64);
    (0..count).map(|_| [(); 3].map(|()| random.signed())).collect()
}

fn moved(curve: &Curve, by: impl Fn(Vec3) -> Vec3) -> Curve {
    Curve { points: curve.points.iter().map(|point| by(*point)).collect(), ..*curve }
}

fn circle(count: usize) -> Curve {
    ring(count, |t| [libm::cos(t), libm::sin(t), 0.0])
}

fn hopf() -> [Curve; 2] {
    [circle(40), ring(30, |t| [1.0 + libm::cos(t), 0.0, libm::sin(t)])]
}

/// One of the two strands of a link on a torus; each strand winds k times around it.
fn torus_strand(k: f64, phase: f64) -> Curve {
    ring(160, |t| {
        let (out, up) = (2.0 + 0.7 * libm::cos(k * t + phase), 0.7 * libm::sin(k * t + phase));
        [out * libm::cos(t), out * libm::sin(t), up]
    })
}

fn trefoil(t: f64) -> Vec3 {
    let out = 2.0 + libm::cos(3.0 * t);
    [out * libm::cos(2.0 * t), out * libm::sin(2.0 * t), libm::sin(3.0 * t)]
}

/// A circle woven alternately through a figure eight.
fn whitehead() -> [Curve; 2] {
    let meets = libm::asin((1.0 - 0.75_f64.sqrt()).sqrt());
    let knots = [0.0, meets, PI - meets, PI, PI + meets, TAU - meets, TAU];
    let eight = ring(120, |t| {
        let piece = knots.iter().rposition(|knot| *knot <= t).unwrap().min(5);
        let share = (t - knots[piece]) / (knots[piece + 1] - knots[piece]);
        let end = if piece % 2 == 0 { 1.0 } else { -1.0 };
        [2.0 * libm::sin(t), libm::sin(2.0 * t), 0.4 * end * (1.0 - 2.0 * share)]
    });
    [circle(60), eight]
}

#[test]
fn linking_numbers_of_known_links() {
    let mirror = |point: Vec3| [point[0], point[1], -point[2]];
    let [a, b] = hopf();
    let [w, v] = whitehead();
    let ellipses = [[0, 1, 2], [1, 2, 0], [2, 0, 1]].map(|axes: [usize; 3]| {
        ring(60, |t| {
            let mut point = [0.0; 3];
            (point[axes[0]], point[axes[1]]) = (2.0 * libm::cos(t), libm::sin(t));
            point
        })
    });
    let far = |by: f64| moved(&b, |point| add(point, [by, 0.0, 0.0]));
    let mut cases = vec![
        ("hopf", a.clone(), b.clone(), -1),
        ("its mirror image", moved(&a, mirror), moved(&b, mirror), 1),
        ("small", moved(&a, |p| scaled(p, 1e-160)), moved(&b, |p| scaled(p, 1e-160)), -1),
        ("large", moved(&a, |p| scaled(p, 1e200)), moved(&b, |p| scaled(p, 1e200)), -1),
        ("side by side", a.clone(), far(5.0), 0),
        ("whitehead", w, v, 0),
        ("borromean 1 2", ellipses[0].clone(), ellipses[1].clone(), 0),
        ("borromean 2 3", ellipses[1].clone(), ellipses[2].clone(), 0),
    ];
    for k in 1..7 {
        let [one, other] = [0.0, PI].map(|phase| torus_strand(f64::from(k), phase));
        // Upwards on the outside is left-handed.
        cases.push(("torus", one, other, -i64::from(k)));
    }
    for (name, a, b, expected) in cases {
        let linking = linking_number(&a, &b).unwrap();
        assert_eq!(linking.number, expected, "{name}");
        assert!(linking.deviation.abs() < 1e-11, "{name}: {linking:?}");
        // Half the sum of the signs of the crossings between the two curves.
        for toward in [Z, [0.3, -0.2, 0.8], [1.0, 0.0, 0.0]] {
            let found = crossings(&[a.clone(), b.clone()], toward).unwrap();
            let between = found.iter().filter(|crossing| crossing.first.0 != crossing.second.0);
            let signs: i64 = between.map(|crossing| i64::from(crossing.sign)).sum();
            assert_eq!(signs, 2 * expected, "{name} from {toward:?}");
        }
    }
    let open = Curve::open(&a.points);
    assert_eq!(linking_number(&open, &b), Err(TopologyError::Open));
}

/// The Gauss integral of two segments as a sum over points.
fn quadrature(a: &Curve, b: &Curve, fine: usize) -> f64 {
    let pieces = |curve: &Curve| -> Vec<(Vec3, Vec3)> {
        let count = curve.points.len();
        (0..curve.segments())
            .flat_map(|i| {
                let (from, to) = (curve.points[i], curve.points[(i + 1) % count]);
                let offset = scaled(sub(to, from), 1.0 / fine as f64);
                (0..fine).map(move |k| (add(from, scaled(offset, k as f64 + 0.5)), offset))
            })
            .collect()
    };
    let (one, other) = (pieces(a), pieces(b));
    let mut sum = 0.0;
    for (x, dx) in &one {
        for (y, dy) in &other {
            let r = sub(*x, *y);
            let distance = norm(r);
            sum += dot(cross(*dx, *dy), r) / (distance * distance * distance);
        }
    }
    sum / (4.0 * PI)
}

#[test]
fn gauss_integrals_of_random_polygons_are_those_of_a_quadrature() {
    for seed in 0..12 {
        let apart = |points: Vec<Vec3>| -> Vec<Vec3> {
            points.into_iter().map(|point| add(point, [1.2, 0.7, 2.3])).collect()
        };
        let (a, b) = (random_points(7, seed), apart(random_points(5, seed + 100)));
        let (a, b) = match seed % 3 {
            0 => (Curve::open(&a), Curve::open(&b)),
            1 => (Curve::closed(&a), Curve::open(&b)),
            _ => (Curve::closed(&a), Curve::closed(&b)),
        };
        let exact = gauss_integral(&a, &b).unwrap();
        let summed = quadrature(&a, &b, 60);
        assert!((exact - summed).abs() < 2e-4, "{seed}: {exact} {summed}");
        assert!((exact - gauss_integral(&b, &a).unwrap()).abs() < 1e-14);
    }
}

#[test]
fn writhe_of_known_curves() {
    let tilted = |point: Vec3| {
        let [x, y, _] = point;
        [x, 0.6 * y + 0.1 * x, 0.8 * y - 0.3 * x]
    };
    for curve in [circle(50), moved(&circle(50), tilted)] {
        assert!(writhe(&curve).unwrap().abs() < 1e-12);
        assert!(writhe(&Curve::open(&curve.points)).unwrap().abs() < 1e-12);
    }
    // The smooth trefoil as a sum over its points. The integrand is smooth and periodic, except on
    // the diagonal, where it vanishes.
    let count = 1200;
    let step = TAU / f64::from(count);
    let derivative = |t: f64| {
        let h = 1e-5;
        scaled(sub(trefoil(t + h), trefoil(t - h)), 0.5 / h)
    };
    let places: Vec<(Vec3, Vec3)> =
        (0..count).map(|i| f64::from(i) * step).map(|t| (trefoil(t), derivative(t))).collect();
    let mut sum = 0.0;
    for (i, (x, dx)) in places.iter().enumerate() {
        for (y, dy) in &places[i + 1..] {
            let r = sub(*x, *y);
            sum += 2.0 * dot(cross(*dx, *dy), r) / (dot(r, r) * norm(r));
        }
    }
    let smooth = sum * step * step / (4.0 * PI);
    let polygon = writhe(&ring(600, trefoil)).unwrap();
    assert!((polygon - smooth).abs() < 2e-3, "{polygon} {smooth}");
    assert!((polygon.abs() - 3.39).abs() < 0.25, "near that of the ideal trefoil: {polygon}");
    let mirrored = writhe(&moved(&ring(600, trefoil), |[x, y, z]| [x, y, -z])).unwrap();
    assert!((mirrored + polygon).abs() < 1e-12);
}

/// Directions distributed evenly over the sphere.
fn directions(count: usize) -> impl Iterator<Item = Vec3> {
    (0..count).map(move |i| {
        let z = 1.0 - (2.0 * i as f64 + 1.0) / count as f64;
        let (out, turn) = ((1.0 - z * z).sqrt(), i as f64 * PI * (3.0 - 5.0_f64.sqrt()));
        [out * libm::cos(turn), out * libm::sin(turn), z]
    })
}

#[test]
fn writhe_is_the_mean_of_signed_crossings() {
    for (seed, is_closed) in [(3, true), (4, false), (5, true)] {
        let curve = Curve { points: random_points(14, seed), is_closed };
        let views = 4000;
        let sum: i64 = directions(views)
            .flat_map(|toward| crossings(std::slice::from_ref(&curve), toward).unwrap())
            .map(|crossing| i64::from(crossing.sign))
            .sum();
        let (mean, exact) = (sum as f64 / views as f64, writhe(&curve).unwrap());
        assert!((mean - exact).abs() < 0.02, "{seed}: {mean} {exact}");
    }
}

#[test]
fn codes_of_knots() {
    let closed = [ring(90, trefoil)];
    let code = |curves: &[Curve], toward: Vec3| {
        let code = gauss_code(curves.len(), &crossings(curves, toward).unwrap());
        let closed: Vec<bool> = curves.iter().map(|curve| curve.is_closed).collect();
        (code.to_string(), reduced(&code, &closed))
    };
    let (text, whole) = code(&closed, Z);
    assert_eq!(text, "O1- U2- O3- U1- O2- U3-");
    assert_eq!((whole.crossings(), whole.sum_of_signs()), (3, -3));
    // The overhand knot is the trefoil, cut open with its ends led out.
    let mut points: Vec<Vec3> =
        (0..90).map(|i| trefoil(0.5 + (TAU - 0.02) * f64::from(i) / 89.0)).collect();
    let far = |point: Vec3| scaled(point, 2.5);
    points.insert(0, far(points[0]));
    points.push(far(points[points.len() - 1]));
    let knot = [Curve::open(&points)];
    for toward in directions(400).filter(|toward| toward[2] > 0.8) {
        for curves in [&closed, &knot] {
            let (_, left) = code(curves, toward);
            assert_eq!(left.crossings(), 3, "{toward:?}: {left}");
            assert_eq!(left.sum_of_signs(), -3);
        }
    }
    for toward in directions(100) {
        assert!(code(&closed, toward).1.crossings() >= 3, "a knot does not go away");
    }
    let (_, link) = code(&whitehead(), [0.01, 0.02, 1.0]);
    assert_eq!(link.crossings(), 5, "{link}");
    let (_, loose) = code(&[circle(20), moved(&circle(20), |p| add(p, [0.5, 0.1, 1.0]))], Z);
    assert_eq!(loose.crossings(), 0);
}

#[test]
fn projections_that_are_not_generic_have_their_crossings_too() {
    // A cross in a plane, whose strands meet at their middle nodes.
    let open = |points: &[[f64; 2]]| {
        Curve::open(&points.iter().map(|[x, y]| [*x, *y, 0.0]).collect::<Vec<Vec3>>())
    };
    let level = open(&[[-1.0, 0.0], [0.0, 0.0], [1.0, 0.0]]);
    let upright = open(&[[0.0, -1.0], [0.0, 0.0], [0.0, 1.0]]);
    let found = crossings(&[level.clone(), upright], Z).unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].gap, found[0].first_is_over), (0.0, false));
    assert!((found[0].first.1 - 1.0).abs() < 1e-9 && (found[0].second.1 - 1.0).abs() < 1e-9);
    // Lifted, shifted along itself, and seen end on.
    let lifted = moved(&level, |[x, y, _]| [x, y, 1.0]);
    for toward in [Z, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]] {
        assert!(crossings(&[level.clone(), lifted.clone()], toward).unwrap().len() <= 2);
    }
    let point = Curve::closed(&[[1.0, 2.0, 3.0]; 5]);
    assert_eq!(writhe(&point), Ok(0.0));
    assert!(gauss_integral(&point, &circle(9)).unwrap().abs() < 1e-15);
    for empty in [Curve::open(&[]), Curve::closed(&[]), Curve::closed(&[[0.0; 3]])] {
        assert_eq!(writhe(&empty), Ok(0.0));
        assert_eq!(crossings(&[empty], Z), Ok(Vec::<Crossing>::new()));
    }
    let bad = Curve::closed(&[[0.0; 3], [f64::NAN, 0.0, 0.0], [1.0, f64::INFINITY, 0.0]]);
    assert_eq!(writhe(&bad), Err(TopologyError::NotFinite));
    let bad = [bad];
    assert_eq!(crossings(&bad, Z), Err(TopologyError::NotFinite));
    assert_eq!(passages(&bad, &bad).unwrap(), []);
    for toward in [[0.0; 3], [f64::NAN, 0.0, 1.0], [f64::INFINITY, 0.0, 0.0]] {
        assert_eq!(crossings(&[circle(5)], toward), Err(TopologyError::NoDirection));
    }
    // Zero-length segments change nothing.
    let [a, b] = hopf();
    let doubled: Vec<Vec3> = a.points.iter().flat_map(|point| [*point, *point]).collect();
    assert_eq!(linking_number(&Curve::closed(&doubled), &b).unwrap().number, -1);
}

fn line(from: Vec3, to: Vec3) -> Curve {
    Curve::open(&[from, to])
}

#[test]
fn passages_are_found_when_and_where_they_are() {
    let level = line([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let across = |z: f64, x: f64| line([x, -1.0, z], [x, 1.0, z]);
    let times = |from: Curve, to: Curve| -> Vec<f64> {
        let found = passages(&[level.clone(), from], &[level.clone(), to]).unwrap();
        found.iter().map(|passage| passage.share).collect()
    };
    let cases: [(&str, Curve, Curve, &[f64]); 8] = [
        ("through", across(1.0, 0.2), across(-3.0, 0.2), &[0.25]),
        ("back", across(-3.0, 0.2), across(1.0, 0.2), &[0.75]),
        ("beside", across(1.0, 1.2), across(-3.0, 1.2), &[]),
        ("not so far", across(1.0, 0.2), across(1e-6, 0.2), &[]),
        ("through the end", across(1.0, 1.0), across(-1.0, 1.0), &[0.5]),
        ("over, around and back beside it", across(0.5, 0.0), across(-0.5, 3.0), &[]),
        ("in the plane", line([2.0, -1.0, 0.0], [2.0, 1.0, 0.0]), across(0.0, 0.0), &[]),
        (
            "in and out",
            line([0.0, -1.0, 0.3], [0.0, 1.0, 0.3]),
            line([0.0, -1.0, 0.3], [0.0, 1.0, 0.3]),
            &[],
        ),
    ];
    for (name, from, to, expected) in cases {
        let found = times(from, to);
        assert_eq!(found.len(), expected.len(), "{name}: {found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-9, "{name}: {found}");
        }
    }
    // A passage at the end of one step and the beginning of the next counts once.
    let [above, on, below] = [1.0, 0.0, -1.0].map(|z| across(z, 0.2));
    let counts = [[&above, &on], [&on, &below], [&below, &on], [&on, &above]]
        .map(|[from, to]| times(from.clone(), to.clone()).len());
    assert_eq!(counts[0] + counts[1], 1);
    assert_eq!(counts[2] + counts[3], 1);
}

#[test]
fn a_passage_through_a_joint_is_one_passage() {
    let bent = Curve::open(&[[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    let cross = |z: f64| Curve::open(&[[0.0, -1.0, z], [0.0, 0.0, z], [0.0, 1.0, z]]);
    let found = passages(&[bent.clone(), cross(1.0)], &[bent, cross(-1.0)]).unwrap();
    let [Passage { a, b, .. }] = found[..] else { panic!("{found:?}") };
    assert_eq!((a.part, b.part, a.kind), (0, 1, ElementKind::Segment));
}

#[test]
fn linking_numbers_change_by_passages_alone() {
    let (mut changed, mut passed) = (0, 0);
    for seed in 0..60 {
        let state = |shift: usize| {
            [0, 1].map(|curve| Curve::closed(&random_points(9, seed * 10 + 4 * shift + curve)))
        };
        let (before, after) = (state(0), state(1));
        let number = |[a, b]: &[Curve; 2]| linking_number(a, b).unwrap().number;
        let change = number(&after) - number(&before);
        let found = passages(&before, &after).unwrap();
        let between = found.iter().filter(|passage| passage.a.part != passage.b.part).count();
        assert_eq!(change.rem_euclid(2), between as i64 % 2, "{seed}: {change} {between}");
        assert!(change.unsigned_abs() <= between as u64, "{seed}");
        changed += i64::from(change != 0);
        passed += between;
        // Observes the run in two halves.
        let half = [0, 1].map(|i: usize| Curve {
            points: std::iter::zip(&before[i].points, &after[i].points)
                .map(|(a, b)| scaled(add(*a, *b), 0.5))
                .collect(),
            is_closed: true,
        });
        let halves =
            passages(&before, &half).unwrap().len() + passages(&half, &after).unwrap().len();
        assert_eq!(halves, found.len(), "{seed}");
    }
    assert!(changed > 20 && passed > 200, "{changed} {passed}");
}
