//! Time-dependent values: one grammar for numbers, pairs, points, vectors and colours.

use crate::scene_of;
use catena::scene::comparability::differences;
use catena::scene::{Color, Lens, Scene};
use catena::sim::{Curve, Simulation, drive::curve, force::Derivative};
use std::sync::Arc;

/// A kind of value: two values in scene syntax, their components, and a function that reads them at
/// a time from a scene with such a curve.
struct Kind {
    name: &'static str,
    texts: [&'static str; 2],
    values: [&'static [f64]; 2],
    /// Rate from the first value to the second in 2 units of time.
    rate: &'static str,
    scene: fn(&str) -> String,
    read: fn(&Scene, f64) -> Vec<f64>,
    /// Whether values are rounded: colours have 256 levels.
    rounds: bool,
}

/// Settings of a body in space for a camera.
const SPACE: &str = "rope: (start: (0, 0, 0), end: (1, 0, 0)), gravity: (0, -1, 0)";

fn drag(scene: &Scene, t: f64) -> Vec<f64> {
    let forces = &scene.panels[0].bodies[0].setup.forces;
    let drag = forces.iter().find_map(|force| match force.derivative(t) {
        Some(Derivative::Drag(c)) => Some(c),
        _ => None,
    });
    vec![drag.unwrap()]
}

fn wind(scene: &Scene, t: f64) -> Vec<f64> {
    let forces = &scene.panels[0].bodies[0].setup.forces;
    forces.iter().find_map(|force| force.medium(t)).unwrap().to_vec()
}

const KINDS: [Kind; 6] = [
    Kind {
        name: "number",
        texts: ["0.25", "1"],
        values: [&[0.25], &[1.0]],
        rate: "0.375",
        scene: |curve| format!("Scene(base: (drag: {curve}))"),
        read: drag,
        rounds: false,
    },
    Kind {
        name: "angle",
        texts: ["20", "100"],
        values: [&[20.0], &[100.0]],
        rate: "40",
        scene: |curve| {
            format!("Scene(base: ({SPACE}, camera: (eye: (0, 0, 4), field_of_view: {curve})))")
        },
        read: |scene, t| match scene.panels[0].viewpoint_at(t).unwrap().lens {
            Lens::Perspective { field_of_view } => vec![field_of_view],
            Lens::Orthographic { height } => vec![height],
        },
        rounds: false,
    },
    Kind {
        name: "pair",
        texts: ["(4, 2)", "(1, 8)"],
        values: [&[4.0, 2.0], &[1.0, 8.0]],
        rate: "(-1.5, 3)",
        scene: |curve| format!("Scene(base: (view: (center: (0, 0), extent: {curve})))"),
        read: |scene, t| scene.panels[0].view_at(t).unwrap().extent.to_vec(),
        rounds: false,
    },
    Kind {
        name: "point",
        texts: ["(-1, 2)", "(3, 0)"],
        values: [&[-1.0, 2.0], &[3.0, 0.0]],
        rate: "(2, -1)",
        scene: |curve| format!("Scene(base: (view: (center: {curve}, extent: (1, 1))))"),
        read: |scene, t| scene.panels[0].view_at(t).unwrap().center.to_vec(),
        rounds: false,
    },
    Kind {
        name: "vector",
        texts: ["(-1, 2, 5)", "(3, 0, 7)"],
        values: [&[-1.0, 2.0, 5.0], &[3.0, 0.0, 7.0]],
        rate: "(2, -1, 1)",
        scene: |curve| format!("Scene(base: ({SPACE}, drag: 1, wind: {curve}))"),
        read: wind,
        rounds: false,
    },
    Kind {
        name: "colour",
        texts: ["\"#204060\"", "\"rgb(100, 200, 0)\""],
        values: [&[32.0, 64.0, 96.0], &[100.0, 200.0, 0.0]],
        rate: "(0.13333333333333333, 0.26666666666666666, -0.18823529411764706)",
        scene: |curve| format!("Scene(base: (style: (color: {curve})))"),
        read: |scene, t| {
            let Color(parts) = scene.panels[0].bodies[0].style_at(t).color.unwrap();
            parts.map(f64::from).to_vec()
        },
        rounds: true,
    },
];

/// Curves from $a at 0 to $b at 2 ($r is the rate between them), with the fraction of the
/// difference at some times. Handles at thirds, and rates of the straight line, give straight
/// lines.
const CURVES: &[(&str, &[(f64, f64)])] = &[
    ("$a", &[(0.0, 0.0), (7.0, 0.0)]),
    ("[(0, $a)]", &[(-1.0, 0.0), (0.0, 0.0), (3.0, 0.0)]),
    ("[(0, $a), (2, $b)]", &[(-1.0, 0.0), (0.0, 0.0), (0.5, 0.25), (2.0, 1.0), (9.0, 1.0)]),
    ("[(0, $a, Linear), (2, $b)]", &[(1.0, 0.5)]),
    ("[(0, $a, Step), (2, $b)]", &[(1.999, 0.0), (2.0, 1.0)]),
    ("[(0, $a, CatmullRom), (2, $b)]", &[(0.5, 0.25), (1.5, 0.75)]),
    // s²(3 - 2s) at ¼ is 5/32.
    ("[(0, $a, Hermite()), (2, $b)]", &[(0.5, 0.15625), (1.0, 0.5)]),
    ("[(0, $a, Hermite(leave: $r)), (2, $b, Hermite(arrive: $r))]", &[(0.5, 0.25), (1.5, 0.75)]),
    // A handle at the value of its key is a rate of 0: again s²(3 - 2s).
    (
        "[(0, $a, Bezier(after: (0.6666666666666666, $a))), (2, $b, Bezier(before: (1.3333333333333333, $b)))]",
        &[(0.5, 0.15625), (1.0, 0.5)],
    ),
    ("Keys(keys: [(0, $a), (2, $b)])", &[(0.5, 0.25)]),
    (
        "Keys(keys: [(0, $a), (2, $b)], speed: 2, offset: 0.5)",
        &[(0.5, 0.0), (1.0, 0.5), (1.5, 1.0)],
    ),
    ("Keys(keys: [(0, $a), (2, $b)], speed: -1)", &[(0.0, 1.0), (0.5, 0.75), (2.0, 0.0)]),
    ("Keys(keys: [(0, $a), (2, $b)], repeat: Loop)", &[(4.5, 0.25), (-0.5, 0.75), (2.0, 0.0)]),
    ("Keys(keys: [(0, $a), (2, $b)], repeat: PingPong)", &[(2.5, 0.75), (4.5, 0.25)]),
    ("BSpline(degree: 1, points: [$a, $b], knots: [0, 0, 2, 2])", &[(0.5, 0.25), (3.0, 1.0)]),
    ("BSpline(degree: 1, points: [$a, $b], end: 2)", &[(0.5, 0.25), (-1.0, 0.0)]),
    // Clamped, so the quadratic is (1-s)² a + 2s(1-s) a + s² b.
    ("BSpline(degree: 2, points: [$a, $a, $b], start: 0, end: 2, clamped: true)", &[(1.0, 0.25)]),
    // In the middle of a uniform cubic, the points have the weights 1, 23, 23 and 1 of 48.
    (
        "BSpline(points: [$a, $a, $b, $b], end: 2)",
        &[(0.0, 1.0 / 6.0), (1.0, 0.5), (2.0, 5.0 / 6.0)],
    ),
    ("BSpline(points: [$a, $a, $b, $b], end: 2, repeat: Loop, offset: 1)", &[(4.0, 0.5)]),
];

#[test]
fn one_grammar_serves_all_kinds_of_values() {
    for Kind { name, texts, values, rate, scene, read, rounds } in KINDS {
        for (curve, times) in CURVES {
            let text = curve.replace("$a", texts[0]).replace("$b", texts[1]).replace("$r", rate);
            let scene = scene_of(&scene(&text));
            for (t, share) in *times {
                let found = read(&scene, *t);
                let between = |(a, b): (&f64, &f64)| a + (b - a) * share;
                let expected: Vec<f64> = values[0].iter().zip(values[1]).map(between).collect();
                let maximum = if rounds { 0.5 + 1e-9 } else { 1e-14 * 100.0 };
                let off = found.iter().zip(&expected).map(|(a, b)| (a - b).abs());
                assert!(off.fold(0.0, f64::max) <= maximum, "{name} {text} {t}: {found:?}");
            }
        }
    }
}

/// Blends of red and blue, and the cubic of glTF 2.0: known results.
#[test]
fn curves_meet_known_answers() {
    let color = |curve: &str, t: f64| {
        let scene = scene_of(&format!("Scene(base: (style: (color: {curve})))"));
        scene.panels[0].bodies[0].style_at(t).color.unwrap().0
    };
    let keys = "[(0, \"red\"), (1, \"blue\")]";
    // 127.5, 187.516, and (140.362, 83.033, 162.308).
    for (curve, expected) in [
        (keys.to_owned(), [128, 0, 128]),
        (format!("Colors(keys: {keys})"), [128, 0, 128]),
        (format!("Colors(space: Srgb, keys: {keys})"), [128, 0, 128]),
        (format!("Colors(space: Linear, keys: {keys})"), [188, 0, 188]),
        (format!("Colors(space: Oklab, keys: {keys})"), [140, 83, 162]),
        (format!("Colors(space: Oklab, keys: {keys}, speed: 0.5, offset: -0.5)"), [140, 83, 162]),
        (
            "Colors(space: Oklab, degree: 1, points: [\"red\", \"blue\"], end: 1)".into(),
            [140, 83, 162],
        ),
        (
            "Colors(space: Linear, points: [\"red\", \"red\", \"blue\", \"blue\"], end: 1)".into(),
            [188, 0, 188],
        ),
    ] {
        assert_eq!(color(&curve, 0.5), expected, "{curve}");
    }
    assert_eq!(color(keys, -1.0), [255, 0, 0]);
    let scene = scene_of("Scene(base: (drag: [(0, 0, Hermite(leave: 1)), (2, 1, Hermite())]))");
    assert_eq!(drag(&scene, 1.0), [0.75]);
}

#[test]
fn keys_are_the_linear_curve_bit_for_bit() {
    let keys = "[(0, (0.1, -0.3)), (0.7, (2.9, 1.1)), (1.9, (-0.4, 0.2))]";
    let read = |text: &str| {
        let (name, options) = text.split_at(text.find('(').unwrap());
        curve::read(name, &mut ron::Deserializer::from_str(options).unwrap()).unwrap().unwrap()
    };
    let linear: Box<dyn Curve> = read(&format!("Linear(keys: {keys})"));
    let short: Box<dyn Curve> = read(&format!("Keys(keys: {keys})"));
    assert_eq!(linear.places(), short.places());
    for i in 0..500 {
        let t = -0.3 + 0.005 * f64::from(i);
        assert_eq!(linear.at(t), short.at(t), "{t}");
    }
    // Values that depend on them.
    let run = |curve: &str| {
        let scene = scene_of(&format!(
            "Scene(base: (frame_time: 0.1, drag: 0.2, wind: {curve}, gravity: {curve},
                rope: (start: (0, 0), end: (8, 0), nodes: 5, stiffness: 50),
                anchors: [(node: 0, curve: {curve})]))"
        ));
        let mut run = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
        (0..30).for_each(|_| run.advance_frame());
        (run.setup().strain_limit, run.state().clone())
    };
    let expected = run(&format!("Linear(keys: {keys})"));
    assert!(run(keys) == expected);
    assert!(run(&format!("Keys(keys: {keys})")) == expected);
}

#[test]
fn curves_count_as_physics_where_they_are() {
    let differ = |here: &str, there: &str| {
        let scene = scene_of(&format!(
            "Scene(base: (drag: 0.1), panels: [(with: ({here})), (with: ({there}))])"
        ));
        let names: Vec<_> = differences(&scene).iter().map(|found| found.quantity.name).collect();
        names
    };
    let looped = "drag: Keys(keys: [(0, 0.1), (1, 0.5)], repeat: Loop";
    let blows = "wind: [(0, (0, 0)), (1, (1, 1), CatmullRom), (2, (0, 0))]";
    for (here, there, expected) in [
        (format!("{looped})"), format!("{looped})"), &[][..]),
        (format!("{looped})"), format!("{looped}, speed: 2)"), &["c/m"]),
        (format!("{looped})"), "drag: 0.1".into(), &["c/m"]),
        (blows.into(), blows.into(), &[]),
        (blows.into(), blows.replace("CatmullRom", "Step"), &["wind"]),
        (blows.replace("wind", "gravity"), "gravity: (0, 0)".into(), &["gravity"]),
        (
            "style: (color: [(0, \"red\"), (1, \"blue\")])".into(),
            "view: (center: [(0, (0, 0)), (1, (1, 1))], extent: (9, 9))".into(),
            &[],
        ),
    ] {
        assert_eq!(differ(&here, &there), expected, "{here} beside {there}");
    }
}

#[test]
fn parts_and_legends_have_their_colours() {
    let text = "Scene(base: (style: (color: [(0, \"red\"), (1, \"blue\")]), parts: [
        (name: \"a\", with: (rope: (start: (0, 0), end: (1, 0), nodes: 3))),
        (name: \"b\", with: (rope: (start: (0, 1), end: (1, 1), nodes: 3),
            style: (color: [(0, \"white\"), (2, \"black\", Step)]))),
        (name: \"c\", with: (rope: (start: (0, 2), end: (1, 2), nodes: 3),
            style: (color: \"green\"))),
    ], rope: (stiffness: 10)))";
    let scene = scene_of(text);
    let body = &scene.panels[0].bodies[0];
    let colors = |t: f64| -> Vec<[u8; 3]> {
        body.part_styles_at(t).map(|style| style.color.unwrap().0).collect()
    };
    assert_eq!(colors(0.0), [[255, 0, 0], [255; 3], [0, 128, 0]]);
    assert_eq!(colors(1.0), [[0, 0, 255], [128; 3], [0, 128, 0]]);
    assert_eq!(colors(9.0), [[0, 0, 255], [0; 3], [0, 128, 0]]);
    assert_eq!(body.style.color, Some(Color([255, 0, 0])));
    assert_eq!(body.style_at(1.0).color, Some(Color([0, 0, 255])));
}
