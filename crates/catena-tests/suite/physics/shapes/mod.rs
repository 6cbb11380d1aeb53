//! Shapes of ropes: nodes are equidistant, and knots are knots.

mod hanging;

use crate::scene_of;
use catena::sim::{
    body::hanging::LinkLaw,
    body::measure::segment_lengths,
    body::shape::{
        Rope, Topology,
        path::{Arc, Hanging, Helix, Knot, KnotName, Points, Ring},
        profile::{Profile, Range},
    },
    vector::{norm, sub},
};

type Point = [f64; 3];

/// Positions of the nodes of a rope in space from (0, 0, 0) to (1, 0, 0) with this shape.
fn places(shape: &str, nodes: usize) -> (Vec<Point>, bool) {
    let has_own_ends = shape.starts_with("Points") || shape.starts_with("Curve");
    let ends = if has_own_ends { "" } else { "start: (0, 0, 0), end: (1, 0, 0), " };
    let scene = scene_of(&format!(
        "Scene(base: (gravity: (0, -9.81, 0), rope: ({ends}nodes: {nodes}, shape: {shape})))"
    ));
    let setup = &scene.panels[0].bodies[0].setup;
    let all = (0..nodes).map(|i| setup.initial.position(nodes, i)).collect();
    (all, setup.model.structural == nodes)
}

/// Distances from node to node, around the ring if the shape is one.
fn chords(places: &[Point], is_ring: bool) -> Vec<f64> {
    let count = if is_ring { places.len() } else { places.len() - 1 };
    (0..count).map(|i| norm(sub(places[(i + 1) % places.len()], places[i]))).collect()
}

/// Shapes, and the position of the last node of each shape that is not a ring.
const SHAPES: &[(&str, Option<Point>)] = &[
    ("Straight", Some([1.0, 0.0, 0.0])),
    ("Arc(height: 0.3)", Some([1.0, 0.0, 0.0])),
    ("Arc(angle: -300, toward: (0, 0, 1))", Some([1.0, 0.0, 0.0])),
    ("Helix(turns: 5, radius: 0.1)", Some([1.0, 0.0, 0.0])),
    ("Ring", None),
    ("Ring(toward: (0, 0, 1))", None),
    ("Points(points: [(0, 0, 0), (1, 0, 0), (1, 2, 0.5), (0, 2, 0.4)])", Some([0.0, 2.0, 0.4])),
    ("Points(points: [(0, 0, 0), (1, 0, 0), (1, 1, 0.5), (0, 1, 0.5)], closed: true)", None),
    (
        "Curve(curve: CatmullRom(keys: [(0, (0, 0, 0)), (1, (1, 0, 0)), (3, (1, 1, 1))]))",
        Some([1.0, 1.0, 1.0]),
    ),
    ("Knot(name: Overhand)", Some([1.0, 0.0, 0.0])),
    ("Knot(name: FigureEight, size: 1)", Some([1.0, 0.0, 0.0])),
    ("Knot(name: Trefoil)", None),
    ("Knot(name: ClosedFigureEight, toward: (0, 0, 1))", None),
];

#[test]
fn nodes_are_equally_far_apart() {
    for (shape, end) in SHAPES {
        for nodes in [24, 100, 1001] {
            let (all, is_ring) = places(shape, nodes);
            assert_eq!(is_ring, end.is_none(), "{shape}");
            let apart = chords(&all, is_ring);
            let mean = apart.iter().sum::<f64>() / apart.len() as f64;
            for (i, chord) in apart.iter().enumerate() {
                assert!(
                    (chord / mean - 1.0).abs() < 1e-9,
                    "{shape}, {nodes}, {i}: {chord}, {mean}"
                );
            }
            let first = if shape.starts_with("Points") { [0.0; 3] } else { all[0] };
            assert!(norm(sub(first, [0.0; 3])) < 1e-12, "{shape}: {first:?}");
            if let Some(end) = end {
                assert!(norm(sub(all[nodes - 1], *end)) < 1e-9, "{shape}: {:?}", all[nodes - 1]);
            }
        }
    }
}

#[test]
fn a_rope_round_a_sharp_corner_is_at_rest() {
    let scene = scene_of(
        "Scene(base: (rope: (nodes: 24, shape: Points(points: [(0, 0), (1, 0), (0.1, 0.2)], closed: true))))",
    );
    let setup = &scene.panels[0].bodies[0].setup;
    for spring in setup.model.structural() {
        let distance = setup.model.span(&setup.initial.x, spring).1;
        assert!((distance / spring.rest_length - 1.0).abs() < 1e-9, "{spring:?}: {distance}");
    }
}

#[test]
fn circles_and_helices_have_their_size() {
    let (arc, _) = places("Arc(height: 0.25)", 101);
    assert!((arc[50][1] - 0.25).abs() < 1e-12 && (arc[50][0] - 0.5).abs() < 1e-12, "{:?}", arc[50]);
    // The radius over a chord of length 1 with height 1/4 is 5/8.
    let center = [0.5, 0.25 - 0.625, 0.0];
    assert!(arc.iter().all(|at| (norm(sub(*at, center)) - 0.625).abs() < 1e-12));
    let (ring, _) = places("Ring", 100);
    assert!(ring.iter().all(|at| (norm(sub(*at, [0.5, 0.0, 0.0])) - 0.5).abs() < 1e-12));
    assert!(norm(sub(ring[50], [1.0, 0.0, 0.0])) < 1e-12);
    let (helix, _) = places("Helix(turns: 3, radius: 0.2)", 301);
    assert!(helix.iter().all(|at| (libm::hypot(at[1] - 0.2, at[2]) - 0.2).abs() < 1e-12));
    // The helix begins below its axis; a right-handed helix along x then turns away from z.
    let quarter = helix[25];
    assert!((quarter[1] - 0.2).abs() < 1e-12 && (quarter[2] + 0.2).abs() < 1e-12, "{quarter:?}");
}

/// A crossing of a line seen from one side: positions along the over and under strands.
type Crossing = (f64, f64);

/// Crossings of a line, seen from a direction in general position.
fn crossings(line: &[Point]) -> Vec<Crossing> {
    let turned = |[x, y, z]: Point| {
        let (y, z) = (0.992 * y - 0.123 * z, 0.123 * y + 0.992 * z);
        [0.976 * x - 0.217 * z, y, 0.217 * x + 0.976 * z]
    };
    let line: Vec<Point> = line.iter().copied().map(turned).collect();
    let mut found = Vec::new();
    for i in 0..line.len() - 1 {
        for j in i + 2..line.len() - 1 {
            let (p, q) = (line[i], line[j]);
            let (r, s) = (sub(line[i + 1], p), sub(line[j + 1], q));
            let turn = r[0] * s[1] - r[1] * s[0];
            let offset = sub(q, p);
            let t = (offset[0] * s[1] - offset[1] * s[0]) / turn;
            let u = (offset[0] * r[1] - offset[1] * r[0]) / turn;
            if (0.0..1.0).contains(&t) && (0.0..1.0).contains(&u) {
                let (first, second) = (i as f64 + t, j as f64 + u);
                let is_over = p[2] + t * r[2] > q[2] + u * s[2];
                found.push(if is_over { (first, second) } else { (second, first) });
            }
        }
    }
    found
}

/// Determinant of the knot of a line, closed far away: 1 for no knot, 3 for a trefoil, 5 for a
/// figure eight (Fox colourings: twice the arc above is the sum of the arcs that end below).
fn determinant(line: &[Point]) -> f64 {
    let crossings = crossings(line);
    let count = crossings.len();
    let mut under: Vec<f64> = crossings.iter().map(|crossing| crossing.1).collect();
    under.sort_by(f64::total_cmp);
    let arc = |place: f64| under.partition_point(|at| *at < place);
    // The first and the last arc are the same.
    let mut rows: Vec<Vec<f64>> = crossings
        .iter()
        .map(|(over, under)| {
            let mut row = vec![0.0; count];
            row[arc(*over) % count] += 2.0;
            row[arc(*under) % count] -= 1.0;
            row[(arc(*under) + 1) % count] -= 1.0;
            row
        })
        .collect();
    // A minor, by elimination.
    rows.pop();
    for row in &mut rows {
        row.pop();
    }
    let mut product = 1.0;
    for i in 0..rows.len() {
        let best = (i..rows.len()).max_by(|a, b| rows[*a][i].abs().total_cmp(&rows[*b][i].abs()));
        rows.swap(i, best.unwrap());
        product *= rows[i][i];
        for r in i + 1..rows.len() {
            let factor = rows[r][i] / rows[i][i];
            let upper = rows[i].clone();
            rows[r].iter_mut().zip(&upper).for_each(|(a, b)| *a -= factor * b);
        }
    }
    product.abs()
}

#[test]
fn knots_are_knots_and_do_not_touch_themselves() {
    // Minimum distance of strands relative to the size, or to the width of a closed knot.
    for (shape, expected, minimum) in [
        ("Knot(name: Overhand, size: 1)", 3.0, 0.08),
        ("Knot(name: FigureEight, size: 1)", 5.0, 0.07),
        ("Knot(name: Trefoil)", 3.0, 0.3),
        ("Knot(name: ClosedFigureEight)", 5.0, 0.19),
        ("Arc(height: 0.3)", 1.0, 0.4),
    ] {
        let (mut line, is_ring) = places(shape, 400);
        let length: f64 = chords(&line, is_ring).iter().sum();
        let mut nearest = f64::INFINITY;
        for i in 0..line.len() {
            for j in 0..i {
                let along = (i - j) as f64 * length / 400.0;
                let along = if is_ring { along.min(length - along) } else { along };
                if along > 0.5 {
                    nearest = nearest.min(norm(sub(line[i], line[j])));
                }
            }
        }
        assert!(nearest >= minimum && nearest < 1.3 * minimum, "{shape}: {nearest}");
        if is_ring {
            line.push(line[0]);
        }
        let found = if crossings(&line).is_empty() { 1.0 } else { determinant(&line) };
        assert!((found - expected).abs() < 1e-9, "{shape}: determinant {found}, not {expected}");
    }
}

#[test]
fn rest_lengths_are_equal_and_as_long_as_asked_for() {
    for shape in ["Straight", "Arc(height: 0.3)", "Ring", "Knot(name: Overhand)"] {
        for (length, bending) in [("", 0.0), ("length: 2.5,", 0.0), ("length: 2.5,", 3.0)] {
            let scene = scene_of(&format!(
                "Scene(base: (gravity: (0, -1, 0), rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: 60, {length} bending: {bending}, shape: {shape})))"
            ));
            let setup = &scene.panels[0].bodies[0].setup;
            let (model, x) = (&setup.model, &setup.initial.x);
            let placed: f64 = segment_lengths(model, x).iter().sum();
            let asked = if length.is_empty() { placed } else { 2.5 };
            assert!((model.rest_length() / asked - 1.0).abs() < 1e-12, "{shape} {length}");
            let each = model.springs[0].rest_length;
            assert!(model.structural().iter().all(|s| (s.rest_length / each - 1.0).abs() < 1e-9));
            for spring in &model.springs[model.held..] {
                let distance = model.span(x, spring).1;
                assert!(
                    (spring.rest_length / distance / (asked / placed) - 1.0).abs() < 1e-9,
                    "{shape}"
                );
            }
        }
    }
}

#[test]
fn tapers_ranges_and_weights_add_up() {
    let profile = Profile {
        mass: Some([1.0, 0.5]),
        stiffness: Some([2.0, 1.0]),
        ranges: vec![
            Range { from: 4, to: 6, mass: Some(9.0), stiffness: Some(7.0) },
            Range { from: 5, to: 5, mass: Some(4.0), stiffness: None },
        ],
        weights: vec![(0, 3.0), (10, 1.0)],
    };
    let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 11).of(2.0, 100.0).bending(10.0);
    let (model, _) = rope
        .shaped(Points { points: vec![[0.0, 0.0].into(), [1.0, 0.0].into()], closed: false })
        .profile(profile)
        .build()
        .unwrap();
    let mass: Vec<f64> = (0..11)
        .map(|i| match i {
            5 => 4.0,
            4 | 6 => 9.0,
            0 => 5.0,
            10 => 2.0,
            i => 2.0 * (1.0 - 0.05 * f64::from(i)),
        })
        .collect();
    assert!(model.mass.iter().zip(&mass).all(|(a, b)| (a - b).abs() < 1e-12), "{:?}", model.mass);
    let factor = |j: usize| if j == 4 || j == 5 { 0.07 } else { 2.0 - j as f64 / 9.0 };
    for (j, spring) in model.springs.iter().enumerate() {
        let expected = match j {
            0..10 => 100.0 * factor(j),
            _ => 10.0 * 0.5 * (factor(j - 10) + factor(j - 9)),
        };
        assert!((spring.stiffness - expected).abs() < 1e-9, "spring {j}: {}", spring.stiffness);
    }
}

#[test]
fn what_cannot_be_is_refused_in_words() {
    let rope = || Rope::new([0.0, 0.0], [1.0, 0.0], 30);
    let knot = Knot { name: KnotName::Overhand, size: None, toward: None };
    let arc = |height, angle| Arc { height, angle, toward: None };
    let short = rope().shaped(Hanging {}).length(0.9);
    let cases: [(&dyn Topology, &str); 9] = [
        (&rope().shaped(knot), "three axes"),
        (&rope().shaped(Helix { turns: 3, radius: 0.1, toward: None }), "three axes"),
        (&rope().shaped(arc(None, None)), "one of height"),
        (&rope().shaped(arc(Some(1.0), Some(3.0))), "one of height"),
        (&rope().shaped(Hanging {}), "hanging_by"),
        (&short.clone().hanging_by([0.0, -1.0], LinkLaw::Rigid), "must be longer"),
        (&short.clone().hanging_by([0.0, 0.0], LinkLaw::Elastic), "needs gravity"),
        (&rope().shaped(Ring { toward: Some([1.0, 0.0].into()) }), "parallel to the line"),
        (&short.length(f64::NAN), "above 0"),
    ];
    for (shape, words) in cases {
        let message = shape.build().unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    }
}
