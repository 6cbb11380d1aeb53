//! Shapes of ropes: nodes equally far apart, knots that are knots, ropes that hang still.

use crate::scene_of;
use catena::sim::{
    Simulation,
    body::hanging::LinkLaw,
    body::measure::segment_lengths,
    body::shape::{
        Rope, Topology,
        path::{Arc, Hanging, Helix, Knot, KnotName, Points, Ring},
        profile::{Profile, Range},
    },
    vector::{norm, sub},
};
use std::sync::Arc as Shared;

type Point = [f64; 3];

/// The places of the nodes of a rope in space from (0, 0, 0) to (1, 0, 0) with this shape.
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

/// Distances from node to node, round a ring where it is one.
fn chords(places: &[Point], is_ring: bool) -> Vec<f64> {
    let count = if is_ring { places.len() } else { places.len() - 1 };
    (0..count).map(|i| norm(sub(places[(i + 1) % places.len()], places[i]))).collect()
}

/// Shapes, whether they are rings, and the place of their last node where they are not.
const SHAPES: &[(&str, Option<Point>)] = &[
    ("Straight", Some([1.0, 0.0, 0.0])),
    ("Arc(height: 0.3)", Some([1.0, 0.0, 0.0])),
    ("Arc(angle: -300, toward: (0, 0, 1))", Some([1.0, 0.0, 0.0])),
    ("Helix(turns: 5, radius: 0.1)", Some([1.0, 0.0, 0.0])),
    ("Ring", None),
    ("Ring(toward: (0, 0, 1))", None),
    ("Points(points: [(0, 0, 0), (1, 0, 0), (1, 2, 0.5), (0, 2, 0.4)])", Some([0.0, 2.0, 0.4])),
    ("Points(points: [(0, 0, 0), (1, 0, 0), (1, 1, 0.5)], closed: true)", None),
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
fn circles_and_helices_have_their_size() {
    let (arc, _) = places("Arc(height: 0.25)", 101);
    assert!((arc[50][1] - 0.25).abs() < 1e-12 && (arc[50][0] - 0.5).abs() < 1e-12, "{:?}", arc[50]);
    // The radius over a chord of 1 with the height 1/4 is 5/8.
    let center = [0.5, 0.25 - 0.625, 0.0];
    assert!(arc.iter().all(|at| (norm(sub(*at, center)) - 0.625).abs() < 1e-12));
    let (ring, _) = places("Ring", 100);
    assert!(ring.iter().all(|at| (norm(sub(*at, [0.5, 0.0, 0.0])) - 0.5).abs() < 1e-12));
    assert!(norm(sub(ring[50], [1.0, 0.0, 0.0])) < 1e-12);
    let (helix, _) = places("Helix(turns: 3, radius: 0.2)", 301);
    assert!(helix.iter().all(|at| (libm::hypot(at[1] - 0.2, at[2]) - 0.2).abs() < 1e-12));
    // A quarter of a turn: on the right of the axis, so a right-handed screw.
    let quarter = helix[25];
    assert!((quarter[1] - 0.2).abs() < 1e-12 && (quarter[2] - 0.2).abs() < 1e-12, "{quarter:?}");
}

/// A crossing of a line seen from one side: places along it over and under.
type Crossing = (f64, f64);

/// The crossings of a line seen from a side that nothing is in line with.
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
            let way = sub(q, p);
            let t = (way[0] * s[1] - way[1] * s[0]) / turn;
            let u = (way[0] * r[1] - way[1] * r[0]) / turn;
            if (0.0..1.0).contains(&t) && (0.0..1.0).contains(&u) {
                let (first, second) = (i as f64 + t, j as f64 + u);
                let is_over = p[2] + t * r[2] > q[2] + u * s[2];
                found.push(if is_over { (first, second) } else { (second, first) });
            }
        }
    }
    found
}

/// The determinant of the knot of a line, closed far away: 1 for no knot, 3 for a trefoil, 5 for a
/// figure eight (Fox colourings: twice the arc above is the sum of those that end below).
fn determinant(line: &[Point]) -> f64 {
    let crossings = crossings(line);
    let count = crossings.len();
    let mut under: Vec<f64> = crossings.iter().map(|crossing| crossing.1).collect();
    under.sort_by(f64::total_cmp);
    let arc = |place: f64| under.partition_point(|at| *at < place);
    // The first arc and the last are one.
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
    // A minor of it, by elimination.
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
    // The least distance of strands as a share of the size, or of the width of a closed knot.
    for (shape, expected, least) in [
        ("Knot(name: Overhand, size: 1)", 3.0, 0.08),
        ("Knot(name: FigureEight, size: 1)", 5.0, 0.07),
        ("Knot(name: Trefoil)", 3.0, 0.3),
        ("Knot(name: ClosedFigureEight)", 5.0, 0.19),
        ("Arc(height: 0.3)", 1.0, 0.2),
    ] {
        let (mut line, is_ring) = places(shape, 400);
        let length: f64 = chords(&line, is_ring).iter().sum();
        let mut nearest = f64::INFINITY;
        for i in 0..line.len() {
            for j in 0..i {
                let along = (i - j) as f64 * length / 400.0;
                let along = if is_ring { along.min(length - along) } else { along };
                if along > 0.3 {
                    nearest = nearest.min(norm(sub(line[i], line[j])));
                }
            }
        }
        assert!(nearest >= least && nearest < 1.3 * least.max(0.25), "{shape}: {nearest}");
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
                let way = model.span(x, spring).1;
                assert!(
                    (spring.rest_length / way / (asked / placed) - 1.0).abs() < 1e-9,
                    "{shape}"
                );
            }
        }
    }
}

/// The greatest way of a node over some frames, as a share of the rope's length.
fn drift(scene: &str, frames: u32) -> f64 {
    let scene = scene_of(scene);
    let setup = Shared::clone(&scene.panels[0].bodies[0].setup);
    let (n, length) = (setup.model.nodes(), setup.model.rest_length());
    let start = setup.initial.clone();
    let mut simulation = Simulation::new(setup);
    let mut greatest = 0.0_f64;
    for _ in 0..frames {
        simulation.advance_frame();
        for i in 0..n {
            let way = norm(sub(simulation.state().position(n, i), start.position(n, i)));
            greatest = if way.is_finite() { greatest.max(way) } else { f64::INFINITY };
        }
    }
    greatest / length
}

#[test]
fn a_hanging_rope_stands_still() {
    // Level and uneven supports, slack and stretched, with weights, tapered, in space.
    let ropes = [
        "start: (0, 0), end: (1, 0), length: 1.5",
        "start: (0, 0), end: (1, 0.6), length: 1.5, weights: [(node: Middle, mass: 0.5)]",
        "start: (0, 0), end: (1, -0.3), taper: (mass: (1, 0.1), stiffness: (1, 0.2)), bending: 5",
        "start: (0, 0, 0), end: (1, -0.3, 0.5), length: 1.6, ranges: [(from: 2, to: 6, mass: 0.3)]",
    ];
    let methods = [
        ("SemiImplicitEuler", 64),
        ("VelocityVerlet", 64),
        ("Rk4", 64),
        ("ImplicitEuler", 8),
        ("ImplicitMidpoint", 8),
        ("Xpbd(compliance: 1e-4, iterations: 200)", 8),
        ("Shake(tolerance: 1e-12)", 16),
    ];
    for rope in ropes {
        for (method, substeps) in methods {
            let is_spatial = rope.contains("0, 0, 0");
            let gravity = if is_spatial { "(0, -9.81, 0)" } else { "(0, -9.81)" };
            // Rigid links need slack.
            if method.starts_with("Shake") && !rope.contains("length") {
                continue;
            }
            let way = drift(
                &format!(
                    "Scene(base: (gravity: {gravity}, frame_time: 0.016, substeps: {substeps}, integrator: {method},
                     rope: ({rope}, nodes: 17, shape: Hanging, pins: [First, Last], mass: 0.1, stiffness: 2000)))"
                ),
                600,
            );
            assert!(way < 1e-9, "{method}, {rope}: {way}");
        }
    }
}

/// Places on the catenary of a length over uneven supports: `count` equal parts of it, by bisection
/// of √(S² - h²) = 2a sinh(X/2a).
fn catenary(span: f64, rise: f64, length: f64, count: usize) -> Vec<[f64; 2]> {
    let wanted = (length * length - rise * rise).sqrt();
    let (mut low, mut high) = (1e-3, 1e3);
    for _ in 0..200 {
        let a: f64 = 0.5 * (low + high);
        if 2.0 * a * libm::sinh(0.5 * span / a) > wanted { low = a } else { high = a }
    }
    let a = 0.5 * (low + high);
    // The lowest point: tanh of the middle is rise over length.
    let middle = a * libm::atanh(rise / length);
    let left = middle - 0.5 * span;
    let from_lowest = a * libm::sinh(left / a);
    let at = |i: usize| {
        let s = from_lowest + length * i as f64 / count as f64;
        let x = a * libm::asinh(s / a);
        [x - left, a * (libm::cosh(x / a) - libm::cosh(left / a))]
    };
    (0..=count).map(at).collect()
}

#[test]
fn uneven_supports_have_the_catenary_between_them() {
    for (rise, length) in [(0.0, 1.5), (0.4, 1.5), (-0.7, 1.3), (0.2, 3.0)] {
        // Weights of half a segment at the ends make no difference, since both are held.
        let rope = Rope::new([0.0, 0.0], [1.0, rise], 1001).of(0.001, 1e9);
        let rope = rope.shaped(Hanging {}).length(length);
        let (_, state) = rope.hanging_by([0.0, -9.81], LinkLaw::Rigid).build().unwrap();
        for (i, [x, y]) in catenary(1.0, rise, length, 1000).into_iter().enumerate() {
            let [found_x, found_y, _] = state.position(1001, i);
            let error = libm::hypot(found_x - x, found_y - y);
            assert!(error < 2e-6 * length, "{rise}, {length}, node {i}: {error}");
        }
    }
}

#[test]
fn a_slack_rope_sags_as_the_catenary_does() {
    for links in [LinkLaw::Rigid, LinkLaw::Elastic] {
        let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 2001).of(1.0 / 2000.0, 1e12);
        let rope = rope.shaped(Hanging {}).length(1.5).hanging_by([0.0, -9.81], links);
        let (_, state) = rope.build().unwrap();
        let sag = -state.position(2001, 1000)[1];
        assert!((sag - 0.502_633_3).abs() < 1e-6, "{links:?}: {sag}");
    }
}

#[test]
fn a_weight_in_the_middle_of_a_light_rope_pulls_two_straight_halves() {
    let (weight, length) = (2.0 * 9.81, 1.2);
    let profile = Profile { weights: vec![(50, 2.0)], ..Profile::default() };
    let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 101).of(1e-10, 1e6);
    let rope = rope.shaped(Hanging {}).length(length).profile(profile);
    let (model, state) = rope.hanging_by([0.0, -9.81], LinkLaw::Elastic).build().unwrap();
    let depth = -state.position(101, 50)[1];
    let sine = depth / (depth * depth + 0.25).sqrt();
    let expected = 0.5 * weight / sine;
    let stretched = 100.0 * expected / 1e6;
    let taut = (0.25 / (1.0 - sine * sine)).sqrt() - 0.5 * (length + stretched);
    assert!(taut.abs() < 1e-6, "halves are longer by {taut} than their segments");
    for (j, spring) in model.structural().iter().enumerate() {
        let (d, long) = model.span(&state.x, spring);
        let slope = if j < 50 { -sine } else { sine };
        assert!((d[1] / long - slope).abs() < 1e-6, "segment {j}: {}, not {slope}", d[1] / long);
        let tension = spring.stiffness * (long - spring.rest_length);
        assert!((tension / expected - 1.0).abs() < 1e-6, "segment {j}: {tension}, not {expected}");
    }
}

#[test]
fn a_bridge_with_equal_hangers_hangs_as_a_parabola() {
    // The cable carries 39 equal weights a metre apart, so shallow that equal segments are level
    // apart, and nothing else. Its nodes lie on y = w x²/2H, w the load of a metre.
    let (count, span, dip) = (40_usize, 40.0, 1.0);
    let weights = (1..count).map(|i| (i, 50.0)).collect();
    let profile = Profile { weights, ..Profile::default() };
    let rope = Rope::new([-0.5 * span, dip], [0.5 * span, dip], count + 1).of(1e-6, 1e9);
    let length = span * (1.0 + 8.0 / 3.0 * (dip / span) * (dip / span));
    let rope = rope.shaped(Hanging {}).length(length).profile(profile);
    let (model, state) = rope.hanging_by([0.0, -9.81], LinkLaw::Elastic).build().unwrap();
    let lowest = state.position(count + 1, count / 2);
    let (way, long) = model.span(&state.x, &model.springs[count / 2]);
    let pull = 1e9 * (long - model.springs[0].rest_length) * way[0] / long;
    let load = 50.0 * 9.81;
    for i in 0..=count {
        let [x, y, _] = state.position(count + 1, i);
        let expected = load * x * x / (2.0 * pull);
        assert!((y - lowest[1] - expected).abs() < 1e-3 * dip, "node {i}: {y}, not {expected}");
    }
    let sag = dip - lowest[1];
    assert!((pull * 8.0 * sag / (load * span * span) - 1.0).abs() < 2e-3, "{pull}, {sag}");
}

#[test]
fn a_rotating_ring_is_as_tight_as_its_speed_has_it() {
    // T = λ v² of a ring, λ and v those of the ring as it turns (Routh).
    let (nodes, rate) = (200, 3.0);
    let scene = scene_of(&format!(
        "Scene(base: (gravity: (0, 0), frame_time: 0.01, substeps: 64, drag: 0, integrator: VelocityVerlet,
         rope: (start: (-1, 0), end: (1, 0), nodes: {nodes}, shape: Ring, pins: [], mass: 0.01, stiffness: 2e5, damping: 2),
         velocities: [(spin: {rate})]))"
    ));
    let setup = Shared::clone(&scene.panels[0].bodies[0].setup);
    let mut simulation = Simulation::new(Shared::clone(&setup));
    (0..200).for_each(|_| simulation.advance_frame());
    let (model, state) = (&setup.model, simulation.state());
    let round: f64 = segment_lengths(model, &state.x).iter().sum();
    let density = 0.01 * nodes as f64 / round;
    for (j, spring) in model.structural().iter().enumerate() {
        let tension = spring.stiffness * (model.span(&state.x, spring).1 - spring.rest_length);
        let speed = norm(state.velocity(nodes, j));
        let expected = density * speed * speed;
        assert!((tension / expected - 1.0).abs() < 1e-3, "segment {j}: {tension}, not {expected}");
    }
}

#[test]
fn tapers_ranges_and_weights_add_up() {
    let profile = Profile {
        mass: Some([1.0, 0.5]),
        stiffness: Some([2.0, 1.0]),
        ranges: vec![Range { from: 4, to: 6, mass: Some(9.0), stiffness: Some(7.0) }],
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
            4..=6 => 9.0,
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
        (&short.clone().hanging_by([0.0, 0.0], LinkLaw::Elastic), "without gravity"),
        (&rope().shaped(Ring { toward: Some([1.0, 0.0].into()) }), "along the way"),
        (&short.length(f64::NAN), "above 0"),
    ];
    for (shape, words) in cases {
        let message = shape.build().unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    }
}
