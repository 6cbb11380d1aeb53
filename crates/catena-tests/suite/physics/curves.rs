//! Curves: they pass through their points, their velocity is the derivative of their position, and
//! anchors follow them.

use crate::{scene, scene_of};
use catena::scene::{SceneText, load};
use catena::sim::{Curve, Outcome, Simulation, drive::curve};
use catena_tests::Random;
use std::sync::Arc;

/// Every curve with options, the times of its joints, and whether its velocity is continuous there.
const CASES: &[(&str, &str, &[f64], bool)] = &[
    ("Linear", "(keys: [(-1, (0, 0)), (0.5, (3, 1)), (2, (2, 5))])", &[-1.0, 0.5, 2.0], false),
    ("Step", "(keys: [(-1, (0, 0)), (0.5, (3, 1)), (2, (2, 5))])", &[-1.0, 0.5, 2.0], false),
    (
        "Hermite",
        "(keys: [(-1, (0, 0), (1, 2)), (0.5, (3, 1), (0, -2)), (2, (2, 5), (0.5, 0))])",
        &[-1.0, 0.5, 2.0],
        true,
    ),
    (
        "CatmullRom",
        "(keys: [(-1, (0, 0)), (-0.2, (2, -1)), (1.1, (3, 1)), (2, (2, 5))])",
        &[-1.0, -0.2, 1.1, 2.0],
        true,
    ),
    (
        "Bezier",
        "(start: -1, end: 2, points: [(0, 0), (1, 4), (3, 3), (4, 0), (9, 1), (2, 2), (5, 5)])",
        &[-1.0, 0.5, 2.0],
        false,
    ),
    (
        "BSpline",
        "(start: -1, end: 2, points: [(0, 0), (1, 4), (3, 3), (4, 0), (9, 1), (2, 2)])",
        &[-1.0, 0.0, 1.0, 2.0],
        true,
    ),
    (
        "Keys",
        "(keys: [(-1, (0, 0), Linear), (0.5, (3, 1), CatmullRom), (2, (2, 5))])",
        &[-1.0, 0.5, 2.0],
        false,
    ),
    ("Gusts", "(mean: (1, 0), strength: 1, seed: 3)", &[], true),
    ("Sine", "(center: (1, 0), amplitude: (2, -1), period: 3, phase: 20)", &[], true),
    (
        "Series",
        "(file: \"crates/catena-tests/suite/physics/rows.csv\", scale: 2)",
        &[-1.0, 0.5, 2.0],
        false,
    ),
];

/// The curve with a name and options. The rows of a series come from its file.
fn read(name: &str, options: &str) -> Box<dyn Curve> {
    let options = &mut ron::Deserializer::from_str(options).unwrap();
    let curve = curve::read(name, options).unwrap().unwrap();
    let rows = [(-1.0, vec![0.0, 0.0]), (0.5, vec![3.0, 1.0]), (2.0, vec![2.0, 5.0])];
    let with_rows = curve.series().map(|series| series.with_rows(&rows));
    with_rows.map_or(curve, |keys| Box::new(keys))
}

fn farthest(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn every_curve_is_tested() {
    let tested: Vec<&str> = CASES.iter().map(|case| case.0).collect();
    assert_eq!(tested, curve::CURVE_NAMES);
    for (name, options, ..) in CASES {
        let curve = read(name, options);
        assert!(curve.check().is_ok() && curve.fits(2, 9).is_ok(), "{name}");
    }
}

#[test]
fn curves_pass_where_they_say() {
    // By hand: at keys, and where the formulas are easy.
    let table: &[(&str, f64, [f64; 2], [f64; 2])] = &[
        ("Linear", -0.25, [1.5, 0.5], [2.0, 2.0 / 3.0]),
        ("Linear", 0.5, [3.0, 1.0], [-2.0 / 3.0, 8.0 / 3.0]),
        ("Step", 0.499, [0.0, 0.0], [0.0, 0.0]),
        ("Step", 0.5, [3.0, 1.0], [0.0, 0.0]),
        ("Hermite", -1.0, [0.0, 0.0], [1.0, 2.0]),
        ("Hermite", 0.5, [3.0, 1.0], [0.0, -2.0]),
        // Half-way: the mean of the points plus h/8 of the difference of the tangents.
        ("Hermite", -0.25, [1.5 + 1.5 / 8.0, 0.5 + 1.5 * 4.0 / 8.0], [3.0 - 0.25, 1.0]),
        ("CatmullRom", -1.0, [0.0, 0.0], [2.5, -1.25]),
        ("CatmullRom", -0.2, [2.0, -1.0], [3.0 / 2.1, 1.0 / 2.1]),
        ("CatmullRom", 1.1, [3.0, 1.0], [0.0, 6.0 / 2.2]),
        ("Bezier", -1.0, [0.0, 0.0], [2.0, 8.0]),
        ("Bezier", -0.25, [2.0, 21.0 / 8.0], [3.0, -0.5]),
        ("Bezier", 0.5, [4.0, 0.0], [10.0, 2.0]),
        ("Series", -0.25, [3.0, 1.0], [4.0, 4.0 / 3.0]),
        ("Keys", -0.25, [1.5, 0.5], [2.0, 2.0 / 3.0]),
        ("Keys", 0.5, [3.0, 1.0], [2.0 / 3.0, 5.0 / 3.0]),
        ("BSpline", -1.0, [7.0 / 6.0, 19.0 / 6.0], [1.5, 1.5]),
        ("BSpline", 0.0, [17.0 / 6.0, 16.0 / 6.0], [1.5, -2.0]),
    ];
    for (name, t, position, velocity) in table {
        let case = CASES.iter().find(|case| case.0 == *name).unwrap();
        let (p, v) = read(name, case.1).at(*t);
        let [expected_p, expected_v] = [position, velocity].map(|a| [a[0], a[1], 0.0]);
        assert!(farthest(p, expected_p) < 1e-12, "{name} at {t}: {p:?}");
        assert!(farthest(v, expected_v) < 1e-12, "{name} at {t}: velocity {v:?}");
    }
}

#[test]
fn velocity_is_the_derivative_of_position() {
    let h = 1e-6;
    for (name, options, joints, _) in CASES {
        let curve = read(name, options);
        let mut random = Random::new(12345);
        let mut tested = 0;
        for _ in 0..500 {
            let t = random.between(-1.5, 2.5);
            if joints.iter().any(|joint| (joint - t).abs() < 2.0 * h) {
                continue;
            }
            let ((before, _), (after, _)) = (curve.at(t - h), curve.at(t + h));
            let by_position = [0, 1, 2].map(|axis| (after[axis] - before[axis]) / (2.0 * h));
            let off = farthest(by_position, curve.at(t).1);
            assert!(off < 1e-6, "{name} at {t}: {off}");
            tested += 1;
        }
        assert!(tested > 450);
    }
}

#[test]
fn curves_are_as_smooth_as_they_say() {
    let e = 1e-9;
    for (name, options, joints, is_smooth) in CASES {
        let curve = read(name, options);
        for (index, &t) in joints.iter().enumerate() {
            let (before, after) = (curve.at(t - e), curve.at(t + e));
            let is_continuous = farthest(before.0, after.0) < 1e-6;
            let is_inner = index > 0 && index + 1 < joints.len();
            let jumps = *name == "Step" && index > 0;
            assert_eq!(is_continuous, !jumps, "{name} at {t}");
            if is_inner && *name != "Step" {
                let turn = farthest(before.1, after.1);
                assert_eq!(turn < 1e-6, *is_smooth, "{name} at {t}: velocity jumps by {turn}");
            }
        }
    }
}

#[test]
fn curves_stand_still_outside() {
    // Gusts and sines never end.
    for (name, options, joints, _) in CASES.iter().filter(|case| !case.2.is_empty()) {
        let curve = read(name, options);
        let (first, last) = (joints[0], joints[joints.len() - 1]);
        for (edge, times) in [(first, [first - 1e-9, -1e300]), (last, [last, 1e300])] {
            for t in times {
                assert_eq!(curve.at(t), (curve.at(edge).0, [0.0; 3]), "{name} at {t}");
            }
        }
    }
    // A single key gives a constant position.
    for (name, key) in [
        ("Linear", "(3, (1, 2))"),
        ("Step", "(3, (1, 2))"),
        ("CatmullRom", "(3, (1, 2))"),
        ("Hermite", "(3, (1, 2), (5, 5))"),
    ] {
        let curve = read(name, &format!("(keys: [{key}])"));
        assert!(curve.check().is_ok());
        for t in [0.0, 3.0, 4.0] {
            assert_eq!(curve.at(t), ([1.0, 2.0, 0.0], [0.0; 3]), "{name}");
        }
    }
}

#[test]
fn bad_curves_are_refused_with_their_option() {
    const LATER: &str = "each later than the one before it";
    const TWO: &str = "two components (x, y)";
    for (curve, option, why) in [
        ("Linear(keys: [(1, (0, 0)), (0, (1, 1))])", "keys", LATER),
        ("Step(keys: [(1, (0, 0)), (1, (1, 1))])", "keys", LATER),
        ("Hermite(keys: [(1, (0, 0), (0, 0)), (0, (1, 1), (0, 0))])", "keys", LATER),
        ("CatmullRom(keys: [(0, (0, 0)), (2, (0, 0)), (1, (1, 1))])", "keys", LATER),
        ("CatmullRom(keys: [(NaN, (0, 0))])", "keys", "finite"),
        ("Hermite(keys: [(inf, (0, 0), (0, 0))])", "keys", "finite"),
        ("Step(keys: [])", "keys", "at least one"),
        ("Step(keys: [(0, (0, 0, 0))])", "keys", TWO),
        ("Hermite(keys: [(0, (0, 0), (0, 0, 0))])", "keys", TWO),
        ("CatmullRom(keys: [(0, (0, 0)), (1, (0, 0, 1))])", "keys", TWO),
        ("Bezier(start: 1, end: 1, points: [(0, 0), (0, 0), (0, 0), (0, 0)])", "end", "`start`"),
        ("Bezier(start: NaN, end: 1, points: [(0, 0)])", "start", "finite"),
        ("Bezier(start: 0, end: 1, points: [(0, 0), (0, 0), (0, 0)])", "points", "4, 7, 10"),
        (
            "Bezier(start: 0, end: 1, points: [(0, 0), (0, 0), (0, 0), (0, 0), (1, 1)])",
            "points",
            "4, 7, 10",
        ),
        ("Bezier(start: 0, end: 1, points: [(0, 0), (0, 0), (0, 0), (0, 0, 0)])", "points", TWO),
        ("BSpline(start: 0, end: -1, points: [(0, 0)])", "end", "`start`"),
        ("BSpline(start: 0, end: 1, points: [(0, 0), (0, 0), (0, 0)])", "points", "at least 4"),
        ("BSpline(start: 0, end: 1, points: [(0, 0, 0), (0, 0), (0, 0), (0, 0)])", "points", TWO),
    ] {
        let text = format!("Scene(base: (anchors: [(node: 0, curve: {curve})]))");
        let text = SceneText { origin: "test".into(), name: "test".into(), text };
        let message = load(&text, &[]).expect_err(curve).to_string();
        assert!(message.contains(&format!("`{option}")), "{curve}: {message}");
        assert!(message.contains(why), "{curve}: {message}");
    }
}

#[test]
fn a_pin_moves_along_its_curve() {
    const METHODS: [&str; 5] =
        ["SemiImplicitEuler", "Rk4", "ConstraintVerlet", "DormandPrince", "DormandPrince8"];
    for (name, options, ..) in CASES {
        for method in METHODS {
            let scene = scene_of(&format!(
                "Scene(base: (integrator: {method}, frame_time: 0.1, substeps: 20,
                    rope: (start: (0, 0), end: (8, 0), nodes: 5, stiffness: 50),
                    anchors: [(node: 0, curve: {name}{options})]))"
            ));
            let curve = read(name, options);
            let mut simulation = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
            for frame in 0..30 {
                let state = simulation.state();
                assert!((state.t - 0.1 * f64::from(frame)).abs() < 1e-12);
                let found = (state.position(5, 0), state.velocity(5, 0));
                assert_eq!(found, curve.at(state.t), "{name}, {method}, frame {frame}");
                simulation.advance_frame();
            }
            // The rope follows.
            let end = simulation.state().position(5, 4);
            assert!(farthest(end, [8.0, 0.0, 0.0]) > 1.0, "{name}, {method}: {end:?}");
            assert!(simulation.state().is_finite());
        }
    }
}

#[test]
fn a_whip_cracks() {
    let scene = scene("whip", &[]);
    let mut simulation = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
    let speed = |simulation: &Simulation, node: usize| {
        simulation.state().velocity(40, node).iter().map(|v| v * v).sum::<f64>().sqrt()
    };
    let (mut hand, mut tip, mut crack) = (0.0_f64, 0.0, 0);
    for frame in 0..scene.frames {
        hand = hand.max(speed(&simulation, 0));
        if speed(&simulation, 39) > tip {
            (tip, crack) = (speed(&simulation, 39), frame);
        }
        simulation.advance_frame();
    }
    assert_eq!(simulation.outcome(), Outcome::Fine);
    assert_eq!(crack, 155);
    assert!(hand < 10.5 && tip > 3.5 * hand, "{hand} {tip}");
}
