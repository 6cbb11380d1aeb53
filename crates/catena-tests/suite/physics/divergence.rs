//! Times at which a run counts as diverged: exactly when the maximum strain of a frame exceeds the
//! limit, or a number is not finite.

use crate::physics::bodies;
use catena::sim::{Checkpoint, Outcome, Setup, Simulation, body::measure};
use std::sync::Arc;

/// Ropes and a sheet, in the plane and in space.
const BODIES: [&str; 5] = [
    "rope: (nodes: 16)",
    "rope: (nodes: 3, pins: [0, 2])",
    "integrator: ConstraintVerlet(damping: 0), rope: (nodes: 40)",
    "gravity: (0, -1, 0), frame_time: 0.05, substeps: 4,
     cloth: (corner: (0, 0, 0), across: (11, 0, 0), down: (0, 0, 11), rows: 12, columns: 12, pins: TopCorners)",
    "gravity: (0, -1, 0), rope: (nodes: 9, start: (0, 0, 0), end: (3, 4, 5))",
];

const FRAMES: u64 = 40;

/// Maximum strain of each frame.
fn strains(setup: &Setup) -> Vec<f64> {
    let mut simulation = Simulation::new(Arc::new(setup.clone()));
    let frames = (0..FRAMES).map(|_| {
        simulation.advance_frame();
        measure::greatest_strain(&setup.model, simulation.springs(), &simulation.state().x)
    });
    frames.collect()
}

/// The first diverged frame.
fn diverged(setup: Setup) -> Option<u64> {
    let mut simulation = Simulation::new(Arc::new(setup));
    (0..FRAMES).for_each(|_| simulation.advance_frame());
    match simulation.outcome() {
        Outcome::Diverged { frame, .. } => Some(frame),
        Outcome::Fine => None,
    }
}

#[test]
fn the_limit_is_exact() {
    for body in BODIES {
        let mut setup = Setup::clone(&bodies::setup(body));
        setup.strain_limit = f64::INFINITY;
        let strains = strains(&setup);
        let greatest = strains.iter().copied().fold(0.0, f64::max);
        assert!(greatest > 0.0, "{body}");
        for limit in [greatest, greatest.next_down(), 0.5 * greatest, 0.1 * greatest] {
            let first = strains.iter().position(|strain| *strain > limit);
            setup.strain_limit = limit;
            let expected = first.map(|index| index as u64 + 1);
            assert_eq!(diverged(setup.clone()), expected, "{body}, limit {limit:e}");
        }
    }
}

/// Kernels compute a whole frame at once. If it ends above the limit, the first step above the
/// limit is found nevertheless, and the run continues as it would without kernels.
#[test]
fn the_step_is_the_first_one_above_the_limit() {
    for body in BODIES {
        let mut setup = Setup::clone(&bodies::setup(body));
        setup.strain_limit = f64::INFINITY;
        setup.strain_limit = 0.7 * strains(&setup).into_iter().fold(0.0, f64::max);
        let setup = Arc::new(setup);
        let (mut framed, mut stepped) =
            (Simulation::new(setup.clone()), Simulation::new(setup.clone()));
        let is_strained = |run: &Simulation| {
            measure::greatest_strain(&setup.model, run.springs(), &run.state().x)
                > setup.strain_limit
        };
        let mut expected = None;
        for frame in 1..=FRAMES {
            framed.advance_frame();
            let mut steps = (1..=setup.substeps).filter(|_| {
                stepped.step();
                is_strained(&stepped)
            });
            let first = steps.next();
            steps.for_each(drop);
            if let (None, true, Some(number)) = (expected, is_strained(&stepped), first) {
                expected = Some((frame, (frame - 1) * setup.substeps + number));
            }
            let outcome = match expected {
                Some((frame, step)) => Outcome::Diverged { frame, step },
                None => Outcome::Fine,
            };
            let checkpoint = Checkpoint { outcome, ..stepped.checkpoint() };
            assert_eq!(framed.checkpoint(), checkpoint, "{body}, frame {frame}");
        }
        assert!(expected.is_some(), "{body}");
    }
}

#[test]
fn numbers_that_are_not_finite_are_seen_wherever_they_are() {
    for body in BODIES {
        let setup = bodies::setup(body);
        let is_free = |place: &usize| !setup.model.pinned[place % setup.model.nodes()];
        let numbers = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        let places = (0..setup.initial.v.len()).filter(is_free).step_by(3);
        for (place, number) in places.zip(numbers.into_iter().cycle()) {
            let mut simulation = Simulation::new(Arc::clone(&setup));
            let mut start = simulation.checkpoint();
            start.state.x[place] = number;
            simulation.restore(&start);
            simulation.advance_frame();
            let is_seen = matches!(simulation.outcome(), Outcome::Diverged { frame: 1, .. });
            assert!(is_seen, "{body}, {number} at {place}");
        }
    }
}

/// A softening law yields under a load without diverging; the limit follows the law.
#[test]
fn a_law_that_softens_has_a_higher_limit() {
    let pulled = |law: &str| {
        bodies::setup(&format!(
            "frame_time: 0.05, substeps: 20, gravity: (0, 0), drag: 0.1, integrator: VelocityVerlet,
             forces: [PointForce(node: Last, force: (0.02, 0))],
             rope: (start: (0, 0), end: (0.01, 0), nodes: 2, mass: 1, stiffness: 1, law: {law}, pins: [First])"
        ))
    };
    // The load divided by k l is 2. Strains at which each law balances the load, and 1 for the
    // linear spring.
    let limits = [
        ("Hooke", 3.0),
        (
            "PiecewiseLinear(points: [(1, 1), (2, 1.001), (400, 1.1)])",
            1.0 + 400.0 + 0.9 * 398.0 / 0.099,
        ),
        ("PiecewiseLinear(points: [(1, 1), (2, 1)])", f64::INFINITY),
        ("PiecewiseLinear(points: [(1, 4)])", 3.0),
        ("Exponential", 3.0),
        ("Plastic(yield_strain: 0.5, hardening: 0.01)", 1.0 + 0.5 + 1.5 * 101.0),
        ("Plastic(yield_strain: 0.5, hardening: 0)", f64::INFINITY),
    ];
    for (law, strain) in limits {
        let found = pulled(law).strain_limit;
        let is_right = found == 10.0 * strain || (found / (10.0 * strain) - 1.0).abs() < 1e-4;
        assert!(is_right, "{law}: {found}, not {}", 10.0 * strain);
    }
    let mut simulation = Simulation::new(pulled(limits[1].0));
    (0..200).for_each(|_| simulation.advance_frame());
    assert_eq!(simulation.outcome(), Outcome::Fine);
    let [x, ..] = simulation.state().position(2, 1);
    assert!((x - 0.42).abs() < 0.02, "{x}");
}

/// Pins that move the ends of a rope apart forever stretch it, and the method is not to blame.
#[test]
fn a_rope_that_pins_pull_apart_has_not_diverged() {
    let driven = |method: &str, velocity: &str, substeps: u32| {
        bodies::setup(&format!(
            "frame_time: 0.02, gravity: (0, -9.81), substeps: {substeps}, drag: 0.2, integrator: {method},
             rope: (start: (0, 0), end: (1, 0), nodes: 9, mass: 0.1, stiffness: 200, pins: [First, Last]),
             anchors: [(node: First, velocity: {velocity}), (node: Last, velocity: (30, 0))]"
        ))
    };
    for method in ["SemiImplicitEuler", "ConstraintVerlet", "ImplicitEuler", "Pbd", "Rk4"] {
        for velocity in ["(-30, 0)", "Step(keys: [(0, (0, 0)), (0.1, (-60, 5))])"] {
            let setup = driven(method, velocity, 64);
            let greatest = strains(&setup)[FRAMES as usize - 1];
            assert!(greatest > setup.strain_limit, "{method} {velocity}: {greatest}");
            assert_eq!(diverged(Setup::clone(&setup)), None, "{method} {velocity}");
        }
    }
    // A step beyond the limit is still found.
    assert!(diverged(Setup::clone(&driven("ExplicitEuler", "(-30, 0)", 1))).is_some());
}
