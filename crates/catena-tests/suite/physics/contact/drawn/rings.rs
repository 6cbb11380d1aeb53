//! Two linked rings stay linked under all conditions.

use super::super::Random;
use super::measure::{linking, of_segments};
use super::{Body, circle, stable_methods, thick};
use catena::sim::{Method, Setup, Simulation};
use std::sync::Arc;

const COUNT: usize = 12;
const THICKNESS: f64 = 0.12;

/// A held ring, and a second ring through it that falls and is thrown around.
fn linked(method: Arc<dyn Method>, dt: f64, hold: &[usize]) -> Arc<Setup> {
    let mut body = Body::new(3);
    let upper = circle([0.0; 3], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], 1.0, COUNT);
    let lower = circle([0.0, -1.0, 0.0], [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], 1.0, COUNT);
    let stiffness = 2000.0;
    body.rope("held", &upper, true, (1.0, stiffness), thick(THICKNESS, 0.2, 0.1));
    body.rope("falls", &lower, true, (1.0, stiffness), thick(THICKNESS, 0.2, 0.1));
    hold.iter().for_each(|&node| body.model.pinned[node] = true);
    let mut builder = body.setup().gravity([0.0, -9.81, 0.0]).drag(0.2).method_of(method);
    let mut random = Random::new(11);
    for k in 0..100 {
        let node = COUNT + (k * 7) % COUNT;
        let impulse = random.many(3, 6.0);
        builder = builder.impulse(node, 20.0 * k as f64 * dt, [impulse[0], impulse[1], impulse[2]]);
    }
    builder.frames(dt, 1).build().unwrap().into()
}

fn polygons(simulation: &Simulation) -> [Vec<[f64; 3]>; 2] {
    let all: Vec<_> = simulation.positions().collect();
    [all[..COUNT].to_vec(), all[COUNT..].to_vec()]
}

fn depth([a, b]: &[Vec<[f64; 3]>; 2]) -> f64 {
    let edge = |points: &[[f64; 3]], i: usize| [points[i], points[(i + 1) % COUNT]];
    let pairs = (0..COUNT).flat_map(|i| (0..COUNT).map(move |j| (i, j)));
    pairs.map(|(i, j)| of_segments(edge(a, i), edge(b, j))).fold(f64::INFINITY, f64::min)
}

/// Runs the rings for 2,000 frames with every method that is stable at these steps, and checks
/// every third frame; the nightly job checks each. Rings that separate stay separate.
fn assert_linked(steps: &[f64], hold: &[usize]) {
    let stride = if crate::is_thorough() { 1 } else { 3 };
    for (name, method) in stable_methods() {
        for &dt in steps {
            let mut simulation = Simulation::new(linked(Arc::clone(&method), dt, hold));
            let begun = linking(&polygons(&simulation)[0], &polygons(&simulation)[1]);
            assert!((begun.abs() - 1.0).abs() < 1e-9);
            for frame in 0..2000 {
                simulation.advance_frame();
                if frame % stride > 0 {
                    continue;
                }
                let rings = polygons(&simulation);
                let case = format!("{name}, dt = {dt}, frame {frame}");
                assert!(simulation.state().is_finite(), "{case}");
                let number = linking(&rings[0], &rings[1]);
                assert!((number - begun).abs() < 1e-9, "{case}: {number}");
                let minimum = depth(&rings);
                assert!(minimum >= THICKNESS * (1.0 - 1e-3), "{case}: {minimum}");
            }
        }
    }
}

#[test]
fn rings_of_which_one_is_held_stay_linked() {
    let all: Vec<usize> = (0..COUNT).collect();
    assert_linked(&[1.0 / 240.0, 1.0 / 30.0], &all);
}

#[test]
fn rings_of_which_one_hangs_on_a_nail_stay_linked() {
    assert_linked(&[1.0 / 240.0, 1.0 / 30.0], &[3]);
}

#[test]
fn rings_stay_linked_at_a_step_that_is_far_too_long() {
    // The ring would fall by more than its diameter per step.
    let all: Vec<usize> = (0..COUNT).collect();
    assert_linked(&[0.5], &all);
}
