//! Energy that a method gains or loses.

use super::{after, assert_near, kept, ledger};
use catena::sim::{Simulation, run::ledger::Balance};

/// A mass on a spring along x with ωdt = `x`, stretched and moving, with a ledger.
fn oscillator(method: &str, x: f64) -> Simulation {
    let stiffness = x * x;
    let mut simulation = kept(&format!(
        "integrator: {method}, gravity: (0, 0), substeps: 1,
         rope: (start: (0, 0), end: (1, 0), nodes: 2, stiffness: {stiffness})"
    ));
    let mut start = simulation.checkpoint();
    (start.state.x[1], start.state.v[1], start.ledger) = (1.1, 0.02, None);
    simulation.restore(&start);
    simulation
}

#[test]
fn what_a_method_makes_or_loses_is_its_growth() {
    for x in [0.25_f64, 0.5, 1.0] {
        let (x2, x4) = (x * x, x * x * x * x);
        let cases = [
            ("ExplicitEuler", 1.0 + x2),
            ("Midpoint", 1.0 + x4 / 4.0),
            ("Heun", 1.0 + x4 / 4.0),
            ("Rk4", 1.0 - x4 * x2 / 72.0 + x4 * x4 / 576.0),
            ("ImplicitEuler", 1.0 / (1.0 + x2)),
            ("ImplicitMidpoint", 1.0),
        ];
        for (method, growth) in cases {
            let mut simulation = oscillator(method, x);
            for _ in 0..5 {
                simulation.step();
                let Balance { start, gains, .. } = ledger(&simulation).frame;
                let off = gains.method - start.total() * (growth - 1.0);
                assert!(off.abs() < 1e-14, "{method} at {x}: {off:e}");
                assert_eq!(gains.method, gains.total(), "{method}");
            }
        }
    }
}

#[test]
fn symplectic_methods_make_and_lose_in_turn() {
    for method in ["SemiImplicitEuler", "VelocityVerlet", "StormerVerlet", "Yoshida4"] {
        let mut simulation = oscillator(method, 0.2);
        let start = ledger(&simulation).run.start.total();
        (0..3000).for_each(|_| simulation.step());
        let run = ledger(&simulation).run;
        assert!(run.gains.method.abs() < 0.3 * start, "{method}: {run:?}");
        assert!(run.turned_over > 300.0 * start, "{method}: {run:?}");
    }
}

#[test]
fn a_free_fall_gains_half_of_its_last_step() {
    // Explicit Euler falls too little for its speed: m g² dt²/2 per step and node. The other method
    // falls too far.
    for (method, sign) in
        [("ExplicitEuler", 1.0), ("SemiImplicitEuler", -1.0), ("VelocityVerlet", 0.0), ("Rk4", 0.0)]
    {
        let run = after(
            &format!(
                "integrator: {method}, gravity: (1, -2), substeps: 10,
                 rope: (nodes: 3, pins: [], mass: 0.7, stiffness: 1e-90)"
            ),
            3,
        );
        let expected = sign * 3.0 * 30.0 * 0.7 * 5.0 * 0.01 / 2.0;
        assert!((run.gains.method - expected).abs() < 1e-9, "{method}: {run:?}");
        assert_near(run.end.kinetic, 0.5 * 2.1 * 45.0, 1e-12, method);
    }
}

#[test]
fn what_a_method_makes_or_loses_vanishes_with_its_order() {
    // At these numbers of steps, the leading term dominates; the loss of Rk4 changes its sign at
    // 128.
    for (method, order, steps) in [
        ("ExplicitEuler", 1, 512),
        ("SemiImplicitEuler", 1, 512),
        ("VelocityVerlet", 2, 128),
        ("ImplicitMidpoint", 2, 128),
        ("Midpoint", 2, 256),
        ("AdamsBashforth3", 3, 256),
        ("Rk4", 4, 32),
        ("Yoshida4", 4, 64),
    ] {
        let lost = |substeps: u32| {
            let settings = format!(
                "integrator: {method}, substeps: {substeps}, gravity: (0, -10),
                 rope: (start: (0, 0), end: (1, 0), nodes: 3, stiffness: 40, mass: 0.5)"
            );
            after(&settings, 1).gains.method.abs()
        };
        let (coarse, fine) = (lost(steps), lost(2 * steps));
        let minimum = libm::exp2(f64::from(order) - 0.15);
        assert!(coarse > minimum * fine, "{method}: {coarse:e} and {fine:e}");
        assert!(fine < 0.5, "{method}: {fine:e}");
    }
}
