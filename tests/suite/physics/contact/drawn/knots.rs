//! Knots: an overhand knot that is pulled tight, and the tight trefoil.

use super::{Body, distance, thick};
use catena::sim::{Checkpoint, Simulation, force::applied::PointForce, method::ImplicitEuler};
use std::f64::consts::TAU;

/// Points at equal distances along a curve through these, ends included.
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

/// A closed trefoil of so many nodes.
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
    let mut found = Vec::new();
    let full = body.model.springs[0].rest_length * count as f64;
    // Springs get shorter run by run, until the knot holds against them.
    let mut rest = full;
    while rest > 15.0 * thickness {
        rest *= 0.97;
        body.model.springs.iter_mut().for_each(|spring| spring.rest_length = rest / count as f64);
        let builder = body.setup().drag(30.0).method(ImplicitEuler::default());
        let mut simulation = Simulation::new(builder.frames(0.01, 1).build().unwrap());
        if let Some(checkpoint) = &kept {
            simulation.restore(checkpoint);
        }
        (0..40).for_each(|_| simulation.step());
        found.push((rest / thickness, length(&simulation) / thickness));
        kept = Some(simulation.checkpoint());
    }
    println!("{found:?}");
    let last = found[found.len() - 1].1;
    assert!(last > 16.372 * 0.995 && last < 16.372 * 1.06, "{last}");
}

/// An open overhand knot with long ends along x.
fn overhand(count: usize) -> Vec<[f64; 3]> {
    let point = |i: usize| {
        let t = -2.15 + 4.3 * i as f64 / 4000.0;
        let (t2, t3) = (t * t, t * t * t);
        [t3 * t2 / 6.0 - 10.0 / 6.0 * t, t3 - 3.0 * t, 0.5 * (t2 * t2 - 4.0 * t2)]
    };
    let fine: Vec<_> = (0..=4000).map(point).collect();
    let (first, last) = (fine[0], fine[4000]);
    let ends = [[first[0] - 3.0, first[1], first[2]], [last[0] + 3.0, last[1], last[2]]];
    let all: Vec<_> = [ends[0]].into_iter().chain(fine).chain([ends[1]]).collect();
    resampled(&all, count)
}

#[test]
fn an_overhand_knot_that_is_pulled_gets_tight_and_stays() {
    let (count, thickness) = (120, 0.15);
    for friction in [0.0, 0.3] {
        let mut body = Body::new(3);
        let points = overhand(count);
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
        println!("{friction} {seen:?}");
    }
}
