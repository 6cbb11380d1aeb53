//! Knots: an overhand knot that is tightened or pulled against a gap, and the tight trefoil.

use super::{Body, distance, thick};
use catena::analysis::topology::{Curve, Watch, crossings, gauss_code, reduced};
use catena::sim::contact::collider::Capsule;
use catena::sim::method::{ImplicitEuler, Xpbd};
use catena::sim::{Checkpoint, Method, Simulation, force::applied::PointForce};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Equidistant points along a curve through these points, including the ends.
fn resampled(points: &[[f64; 3]], count: usize) -> Vec<[f64; 3]> {
    let mut at = vec![0.0];
    points.windows(2).for_each(|pair| at.push(at[at.len() - 1] + distance(pair[0], pair[1])));
    let total = at[at.len() - 1];
    let point = |i: usize| {
        let s = total * i as f64 / (count - 1) as f64;
        let next = at.partition_point(|other| *other < s).clamp(1, points.len() - 1);
        let share = (s - at[next - 1]) / (at[next] - at[next - 1]);
        [0, 1, 2].map(|k| points[next - 1][k] + share * (points[next][k] - points[next - 1][k]))
    };
    (0..count).map(point).collect()
}

/// A closed trefoil with `count` nodes.
fn trefoil(count: usize) -> Vec<[f64; 3]> {
    let point = |i: usize| {
        let t = TAU * i as f64 / 4000.0;
        let (s1, c1) = libm::sincos(t);
        let (s2, c2) = libm::sincos(2.0 * t);
        [s1 + 2.0 * s2, c1 - 2.0 * c2, -1.2 * libm::sin(3.0 * t)]
    };
    let fine: Vec<_> = (0..=4000).map(point).collect();
    let mut points = resampled(&fine, count + 1);
    points.pop();
    points
}

#[test]
fn a_tight_trefoil_is_sixteen_diameters_long() {
    let (count, thickness) = (96, 0.6);
    let mut body = Body::new(3);
    body.rope("", &trefoil(count), true, (1.0, 1e4), thick(thickness, 0.0, 0.0));
    let length = |simulation: &Simulation| {
        let points: Vec<_> = simulation.positions().collect();
        (0..count).map(|i| distance(points[i], points[(i + 1) % count])).sum::<f64>()
    };
    let mut kept: Option<Checkpoint> = None;
    let mut found = f64::INFINITY;
    let full = body.model.springs[0].rest_length * count as f64;
    // Springs get shorter from run to run, until the knot resists.
    let mut rest = full;
    while rest > 15.5 * thickness {
        rest *= 0.95;
        body.model.springs.iter_mut().for_each(|spring| spring.rest_length = rest / count as f64);
        let builder = body.setup().drag(30.0).method(ImplicitEuler::default());
        let mut simulation = Simulation::new(builder.frames(0.01, 1).build().unwrap());
        if let Some(checkpoint) = &kept {
            simulation.restore(checkpoint);
        }
        (0..40).for_each(|_| simulation.step());
        found = length(&simulation) / thickness;
        kept = Some(simulation.checkpoint());
    }
    // Pieranski 1998; polygons may be slightly shorter, since their segments are straight.
    assert!(found > 16.372 * 0.995 && found < 16.372 * 1.06, "{found}");
}

/// An open overhand knot with ends of these lengths along x.
fn overhand(count: usize, [tail, lead]: [f64; 2]) -> Vec<[f64; 3]> {
    let point = |i: usize| {
        let t = -2.15 + 4.3 * i as f64 / 4000.0;
        let (t2, t3) = (t * t, t * t * t);
        [t3 * t2 / 6.0 - 10.0 / 6.0 * t, t3 - 3.0 * t, 0.5 * (t2 * t2 - 4.0 * t2)]
    };
    let fine: Vec<_> = (0..=4000).map(point).collect();
    let (first, last) = (fine[0], fine[4000]);
    let ends = [[first[0] - tail, first[1], first[2]], [last[0] + lead, last[1], last[2]]];
    let all: Vec<_> = [ends[0]].into_iter().chain(fine).chain([ends[1]]).collect();
    resampled(&all, count)
}

#[test]
fn an_overhand_knot_that_is_pulled_gets_tight_and_stays() {
    let (count, thickness) = (120, 0.15);
    for friction in [0.0, 0.3] {
        let mut body = Body::new(3);
        let points = overhand(count, [3.0, 3.0]);
        body.rope("", &points, false, (0.01, 400.0), thick(thickness, 0.0, friction));
        let pull = |node, force: f64| PointForce {
            node,
            force: [force, 0.0, 0.0].into(),
            from: 0.0,
            until: f64::INFINITY,
        };
        let builder = body.setup().drag(0.02).method(ImplicitEuler::default());
        let builder = builder.force(pull(0, -2.0)).force(pull(count - 1, 2.0));
        let mut simulation = Simulation::new(builder.frames(0.005, 1).build().unwrap());
        let mut seen = Vec::new();
        for _ in 0..20 {
            (0..40).for_each(|_| simulation.step());
            let points: Vec<_> = simulation.positions().collect();
            let length: f64 = points.windows(2).map(|pair| distance(pair[0], pair[1])).sum();
            seen.push((length - distance(points[0], points[count - 1])) / thickness);
        }
        // Rope in the knot, in diameters: at first most of the rope, then as much as the tight knot
        // needs.
        let (first, last) = (seen[0], seen[seen.len() - 1]);
        assert!(first > 60.0, "{friction}: {seen:?}");
        assert!((10.0..16.0).contains(&last), "{friction}: {seen:?}");
    }
}

/// Minimum number of crossings that a loose rope keeps in one of three projections; 0 without a
/// knot.
fn knottedness(points: &[[f64; 3]]) -> usize {
    let curve = [Curve::open(points)];
    let kept = |toward| {
        let code = gauss_code(1, &crossings(&curve, toward).unwrap());
        reduced(&code, &[false]).crossings()
    };
    let views = [[0.05, 0.07, 1.0], [0.03, 1.0, 0.11], [0.04, 0.8, -0.6]];
    views.into_iter().map(kept).min().unwrap()
}

/// Number of nodes and thickness of a rope that is pulled through a gap, and the position of the
/// gap along x.
const NODES: usize = 80;
const THICKNESS: f64 = 0.26;
const GAP: f64 = 5.0;

/// A rope with an overhand knot and one end in a square gap, 1.7 diameters wide, between four
/// smooth bars. Both ends are pulled until the knot is tight. Then only the end beyond the gap is
/// pulled, at first with the same force and finally with three times this force; the tail is free
/// and smooth.
///
/// Returns the rope when the knot is tight, twice during the pull, and after the stronger pull.
fn stopper(method: Arc<dyn Method>, friction: f64) -> [Vec<[f64; 3]>; 4] {
    let (half, radius, far) = (0.22, 0.26, 1.5);
    let mut body = Body::new(3);
    let points = overhand(NODES, [0.3, 3.0]);
    body.rope("", &points, false, (0.01, 400.0), thick(THICKNESS, 0.0, friction));
    let pull = |node, force: f64, from, until| PointForce {
        node,
        force: [force, 0.0, 0.0].into(),
        from,
        until,
    };
    let end = NODES - 1;
    let builder = body.setup().drag(0.01).method_of(method).force(pull(0, -4.0, 0.0, 2.0));
    let builder = builder.force(pull(end, 4.0, 0.0, f64::INFINITY));
    let mut builder = builder.force(pull(end, 8.0, 12.0, f64::INFINITY));
    let [_, y, z] = points[end];
    for side in [-half - radius, half + radius] {
        let upright = [[GAP, y + side, z - far], [GAP, y + side, z + far]];
        let level = [[GAP, y - far, z + side], [GAP, y + far, z + side]];
        for [a, b] in [upright, level] {
            let (a, b) = (a.into(), b.into());
            builder = builder.collider(Capsule { a, b, radius, restitution: 0.0, friction: 0.0 });
        }
    }
    let mut simulation = Simulation::new(builder.frames(0.005, 1).build().unwrap());
    let mut watch = Watch::new(&simulation.setup().model, simulation.state());
    [400, 800, 1200, 400].map(|steps| {
        for _ in 0..steps {
            simulation.step();
            let (model, state) = (&simulation.setup().model, simulation.state());
            let passages = watch.advance(model, state, simulation.springs()).unwrap();
            assert!(passages.is_empty(), "{friction}: {passages:?}");
        }
        simulation.positions().collect()
    })
}

#[test]
fn an_overhand_knot_jams_at_a_gap_and_slips_off_a_smooth_end_without_friction() {
    let methods: [(&str, Arc<dyn Method>); 2] = [
        ("Xpbd", Arc::new(Xpbd::default())),
        ("ImplicitEuler", Arc::new(ImplicitEuler::default())),
    ];
    for (name, method) in methods {
        let through = |points: &Vec<[f64; 3]>| points.iter().filter(|p| p[0] > GAP).count();
        let run = |friction| {
            let moments = stopper(Arc::clone(&method), friction);
            let knots = moments.each_ref().map(|points| knottedness(points));
            let nodes = moments.each_ref().map(through);
            let ends = [1, 2].map(|moment: usize| moments[moment][NODES - 1]);
            (knots, nodes, distance(ends[0], ends[1]) / THICKNESS)
        };
        // The knot stays behind the gap and lets no more rope through, even at three times the
        // tightening force.
        let (knots, nodes, distance) = run(0.3);
        assert!(knots.iter().all(|crossings| *crossings >= 3), "{name}: {knots:?}");
        assert!(nodes[1] == nodes[2] && nodes[2] == nodes[3], "{name}: {nodes:?}");
        assert!(nodes[1] < NODES / 2 && distance < 0.5, "{name}: {nodes:?}, {distance}");
        // Without friction the tail slides through the knot, and the whole rope passes through the
        // gap.
        let (knots, nodes, distance) = run(0.0);
        assert!(knots[0] >= 3 && knots[2..] == [0; 2], "{name}: {knots:?}");
        assert!(nodes[0] < NODES / 2 && nodes[2..] == [NODES; 2], "{name}: {nodes:?}");
        assert!(distance > 40.0, "{name}: {distance}");
    }
}
