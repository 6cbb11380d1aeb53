//! Momentum and angular momentum of bodies without external forces, with a different mass at every
//! node.

use crate::{repository, scene_of};
use catena::sim::{Setup, Simulation, drive::Impulse, method::METHODS, run::batch::Batch};
use catena_tests::Random;
use std::{fs, sync::Arc};

const ROPE: &str = "rope: (start: (0, 0), end: (1, 0.2), nodes: 7, stiffness: 50, pins: [])";
const SPATIAL_ROPE: &str =
    "rope: (start: (0, 0, 0), end: (1, 0.2, 0.4), nodes: 7, stiffness: 50, pins: [])";
const CLOTH: &str = "cloth: (corner: (0, 0, 0), across: (1, 0, 0), down: (0, 0, 1), rows: 4, columns: 5, stiffness: 50)";

/// The body of a scene in motion, with masses from 0.1 to 1.9.
fn body(method: &str, more: &str, substeps: u64) -> Simulation {
    moving(method, more, substeps, |index| 0.3 * Random::at(index + 100))
}

/// A simulation with velocities given by their index in the flat vector.
fn moving(method: &str, more: &str, substeps: u64, v: impl Fn(usize) -> f64) -> Simulation {
    let gravity = if more.contains("0, 0, 0") { "(0, 0, 0)" } else { "(0, 0)" };
    let scene = scene_of(&format!(
        "Scene(base: (integrator: {method}, gravity: {gravity}, frame_time: 0.1, substeps: {substeps}, {more}))"
    ));
    let mut setup: Setup = (*scene.panels[0].bodies[0].setup).clone();
    setup.model.mass.iter_mut().enumerate().for_each(|(i, m)| *m = 1.0 + 0.9 * Random::at(7 * i));
    setup.initial.v = (0..setup.initial.v.len()).map(v).collect();
    Simulation::new(Arc::new(setup))
}

/// Σ m v and Σ m x × v about the origin, and the sums of absolute values.
fn momenta(simulation: &Simulation) -> ([f64; 3], [f64; 3], f64) {
    let (model, state) = (&simulation.setup().model, simulation.state());
    let (mut linear, mut angular, mut size) = ([0.0; 3], [0.0; 3], 0.0_f64);
    let n = model.nodes();
    for (i, mass) in model.mass.iter().enumerate() {
        let (x, v) = (state.position(n, i), state.velocity(n, i));
        for axis in 0..3 {
            let (next, after) = ((axis + 1) % 3, (axis + 2) % 3);
            linear[axis] += mass * v[axis];
            angular[axis] += mass * (x[next] * v[after] - x[after] * v[next]);
            size += mass * v[axis].abs();
        }
    }
    (linear, angular, size)
}

fn difference(one: &[f64; 3], other: &[f64; 3]) -> f64 {
    one.iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
}

/// Maximum change of momentum and angular momentum after the first step, relative to the sums of
/// absolute values. Before its first step, a method reports the scene's velocity, which need not be
/// its own.
fn drifts(simulation: &mut Simulation, steps: u64) -> (f64, f64) {
    let start = momenta(simulation);
    simulation.step();
    let first = momenta(simulation);
    (1..steps).for_each(|_| simulation.step());
    let end = momenta(simulation);
    assert!(end.2.is_finite() && end.2 > 0.05 * start.2, "it has come to rest, or run away");
    (difference(&start.0, &end.0) / start.2, difference(&first.1, &end.1) / start.2)
}

/// Methods that keep Σ m x × v up to rounding: when the velocity changes, the force of a spring
/// points along the spring.
const TURNING_ALIKE: [&str; 9] = [
    "SemiImplicitEuler",
    "ForceVerlet",
    "PositionVerlet",
    "VelocityVerlet",
    "Leapfrog",
    "StormerVerlet",
    "Yoshida4",
    "ImplicitMidpoint",
    "Shake",
];

/// Whether a method supports the settings. SHAKE does not converge on a cloth with its shear
/// springs.
fn fits(method: &str, more: &str) -> bool {
    method != "Shake" || !more.starts_with("cloth")
}

/// The method with a strict tolerance: a solver that stops early leaves an error of this size in
/// the momentum.
fn exact(method: &str) -> &str {
    if method == "ImplicitEuler" { "ImplicitEuler(tolerance: 1e-14)" } else { method }
}

#[test]
fn every_method_keeps_momentum_with_unequal_masses() {
    for more in [
        ROPE.to_string(),
        ROPE.replace("pins", "bending: 3, damping: 0.1, friction: 0.05, pins"),
        SPATIAL_ROPE.into(),
        CLOTH.into(),
    ] {
        for method in METHODS.iter().filter(|method| fits(method.name, &more)) {
            let (linear, _) = drifts(&mut body(exact(method.name), &more, 40), 200);
            assert!(linear < 1e-11, "{}, {more}: {linear:e}", method.name);
        }
    }
}

/// Explicit methods and implicit Euler change the angular momentum by the error of a step. PBD,
/// XPBD and constraint Verlet move nodes along springs in the middle of a correction, and compute
/// the velocity from the start of the step.
#[test]
fn angular_momentum_stays_or_its_error_falls_with_the_step() {
    for more in [ROPE, SPATIAL_ROPE] {
        for method in METHODS {
            let drift = |substeps| drifts(&mut body(method.name, more, substeps), 10 * substeps).1;
            let (coarse, fine) = (drift(20), drift(80));
            let what = format!("{}, {more}: {coarse:e}, {fine:e}", method.name);
            if TURNING_ALIKE.contains(&method.name) {
                assert!(coarse < 1e-11 && fine < 1e-11, "{what}");
            } else {
                assert!(fine < 0.6 * coarse || fine < 1e-11, "{what}");
            }
        }
    }
    let names: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
    assert!(TURNING_ALIKE.iter().all(|name| names.contains(name)));
}

#[test]
fn nodes_that_meet_keep_momentum_with_unequal_masses_whatever_the_method() {
    // The halves are thrown at each other, so that the body meets itself.
    let more = "contact: (thickness: 0.15, restitution: 0.5, friction: 0.3),
        rope: (start: (0, 0), end: (2, 0), nodes: 9, stiffness: 50, pins: [])";
    for method in METHODS {
        let together = |index: usize| match index {
            0..9 => -0.75 * (index as f64 - 4.0),
            _ => 0.1 * (index as f64 - 13.0) * (index as f64 - 13.0) + 0.3 * Random::at(index),
        };
        let mut run = moving(method.name, more, 40, together);
        let closest = |run: &Simulation| {
            let at = |node| run.state().position(9, node);
            let pairs = (0..9).flat_map(|i| (i + 2..9).map(move |j| (at(i), at(j))));
            pairs.map(|(a, b)| distance(a, b)).fold(f64::INFINITY, f64::min)
        };
        let before = momenta(&run);
        let mut minimum = f64::INFINITY;
        // The time until both meet, and half of it afterwards.
        let mut steps = 0..2000;
        while steps.next().is_some() {
            run.step();
            minimum = minimum.min(closest(&run));
            if minimum < 0.17 && steps.end == 2000 {
                steps.end = steps.start + steps.start / 2;
            }
        }
        let off = difference(&before.0, &momenta(&run).0) / before.2;
        assert!(minimum < 0.17, "{}: never met, {minimum}", method.name);
        assert!(off < 1e-11, "{}: {off:e}", method.name);
    }
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|axis| (a[axis] - b[axis]) * (a[axis] - b[axis])).sum::<f64>().sqrt()
}

#[test]
fn a_material_keeps_momentum_step_by_step_and_in_kernels() {
    let text = fs::read_to_string(repository("tests/defects/04_momentum.ron")).unwrap();
    let scene = scene_of(&text);
    let mut setup = (*scene.panels[0].bodies[0].setup).clone();
    // Kernels do not support impulses, so the velocities that they would give are set at the start.
    let n = setup.model.nodes();
    for Impulse { node, impulse, .. } in std::mem::take(&mut setup.impulses) {
        (0..2).for_each(|axis| {
            setup.initial.v[axis * n + node] = impulse[axis] / setup.model.mass[node];
        });
    }
    let setup = &Arc::new(setup);
    assert_eq!(setup.model.mass[0], 0.5 * setup.model.mass[1]);
    let momentum = |run: &Simulation| momenta(run).0;
    let off = |found: [f64; 3]| difference(&found, &[0.2, -0.2, 0.0]);
    let start = || Simulation::new(Arc::clone(setup));
    let (mut plain, mut fast) = (start(), start());
    let mut crew: Vec<Simulation> = (0..8).map(|_| start()).collect();
    let mut batch = Batch::default();
    for frame in 1..=50 {
        (0..setup.substeps).for_each(|_| plain.step());
        fast.advance_frame();
        assert_eq!(batch.advance_frames(&mut crew), crew.len());
        assert!(off(momentum(&plain)) < 1e-12, "frame {frame}: {:?}", momentum(&plain));
        for run in [&fast, &crew[0], &crew[7]] {
            assert_eq!(run.state(), plain.state(), "frame {frame}");
        }
    }
}
