//! Accounts with known answers: damping, anchors, contact, external, yielding.

use super::{after, assert_near, kept, ledger};
use catena::sim::{method::METHODS, run::ledger::Balance};

#[test]
fn drag_takes_what_it_must() {
    let run = |substeps: u32, motion: &str| {
        let settings = format!(
            "integrator: Rk4, drag: 0.3, substeps: {substeps}, {motion},
             rope: (nodes: 2, start: (0, 0), end: (4, -3), pins: [], mass: 0.5, stiffness: 1e-90)"
        );
        after(&settings, 1)
    };
    // Only drag: the trapezoid rule is exact, since c Δx is the lost momentum.
    let push =
        "gravity: (0, 0), impulses: [(node: 0, impulse: (1.5, 2)), (node: 1, impulse: (1.5, 2))]";
    let rate = 0.3 / 0.5;
    let expected = 12.5 * (libm::exp(-2.0 * rate) - 1.0);
    assert_near(run(32, push).gains.damping, expected, 1e-9, "drag alone");
    // A fall towards v = g m/c: -c ∫v² dt, with an error that decreases as dt².
    let fast = 2.0 / rate;
    let time =
        1.0 - 2.0 / rate * (1.0 - libm::exp(-rate)) + 0.5 / rate * (1.0 - libm::exp(-2.0 * rate));
    let expected = -2.0 * 0.3 * fast * fast * time;
    let error = |substeps: u32| {
        let Balance { gains, .. } = run(substeps, "gravity: (0, -2)");
        // The error of the trapezoid rule is booked to the method.
        assert!((gains.damping + gains.method - expected).abs() < 1e-6, "{gains:?}");
        (gains.damping - expected).abs() / expected.abs()
    };
    let (coarse, fine) = (error(16), error(32));
    assert!(fine < 1e-3, "{fine}");
    assert!((3.9..4.1).contains(&(coarse / fine)), "{coarse} {fine}");
}

#[test]
fn wind_gives_and_factors_take() {
    // From rest in a wind: v = w (1 - e^(-c t/m)), so the wind does the work w m v, the body keeps
    // m v²/2, and friction with the air takes the rest.
    let run = after(
        "gravity: (0, 0), drag: 0.1, wind: (3, 1), integrator: Rk4, rope: (nodes: 3, mass: 1, pins: [])",
        5,
    );
    let share = 1.0 - libm::exp(-0.1 * 5.0);
    let (given, kept) = (3.0 * 10.0 * share, 0.5 * 3.0 * 10.0 * share * share);
    assert_near(run.gains.external, given, 1e-3, "given by the wind");
    assert_near(run.gains.damping, kept - given, 1e-3, "taken by the air");
    let scene = "gravity: (0, 0), drag: 0.1, wind: (0, 0), rope: (pins: [])";
    assert_eq!(after(scene, 5).gains.external, 0.0, "still air gives nothing");
    let run = after(
        "gravity: (0, 0), velocity_factor: 0.9, substeps: 4, impulses: [(node: 0, impulse: (0, 2))],
         rope: (nodes: 2, stiffness: 1e-90, pins: [1])",
        1,
    );
    assert_near(run.gains.damping, 2.0 * (libm::pow(0.9, 8.0) - 1.0), 1e-12, "velocity factor");
    assert!(run.gains.method.abs() < 1e-14, "{run:?}");
}

#[test]
fn a_damping_of_the_method_is_the_drag_that_it_amounts_to() {
    let rope = "substeps: 64, rope: (nodes: 9), anchors: [(node: 0, curve: Linear(keys: [(0, (0, 200)), (9, (9, 200))]))]";
    let (own, drag) = (
        after(&format!("integrator: ForceVerlet(damping: 0.00015625), {rope}"), 20).gains,
        after(&format!("integrator: SemiImplicitEuler, drag: 0.01, {rope}"), 20).gains,
    );
    // The pin also has drag, at a speed of 1 for a time of 9; the damping of the method does not
    // act on it.
    let at_the_pin = 0.01 * 9.0;
    assert!(drag.damping < -1.0, "{drag:?}");
    assert_near(own.damping, drag.damping + at_the_pin, 1e-6, "damping");
    assert_near(own.anchors, drag.anchors - at_the_pin, 1e-5, "anchors");
}

/// Methods with options that make them accurate enough for a slowly moving body.
fn slow_methods() -> impl Iterator<Item = String> {
    METHODS.iter().map(|method| match method.name {
        "Pbd" | "Xpbd" => format!("{}(iterations: 40)", method.name),
        name => name.to_owned(),
    })
}

#[test]
fn who_lifts_a_chain_does_the_work_of_its_weight() {
    for method in slow_methods() {
        // The force acts only along its own direction, so only lifting needs work.
        let mut simulation = kept(&format!(
            "integrator: {method}, gravity: (0, -2), frame_time: 1, substeps: 128,
             anchors: [(node: 0, curve: Hermite(keys: [(15, (0, 0), (0, 0)), (40, (0, 3), (0, 0))]))],
             rope: (start: (0, 0), end: (0, -8), nodes: 5, stiffness: 100, mass: 0.5, damping: 2)"
        ));
        (0..15).for_each(|_| simulation.advance_frame());
        simulation.keep_ledger();
        (0..30).for_each(|_| simulation.advance_frame());
        let run = ledger(&simulation).run;
        let expected = 5.0 * 0.5 * 2.0 * 3.0;
        assert_near(run.gains.anchors, expected, 1e-3, &method);
        assert_near(run.end.gravitational - run.start.gravitational, expected, 1e-3, &method);
        assert!(run.gains.method.abs() < 1e-2 * expected, "{method}: {run:?}");
    }
}

#[test]
fn who_spreads_a_sagging_chain_does_the_work_of_lifting_it() {
    // Two pins, one of which moves: the forces on each must be known, not only their sum.
    for method in slow_methods() {
        let mut simulation = kept(&format!(
            "integrator: {method}, gravity: (0, -2), frame_time: 1, substeps: 128, drag: 0.6,
             anchors: [(node: 6, curve: Hermite(keys: [(0, (6, 0), (0, 0)), (8, (3, 0), (0, 0)), (24, (3, 0), (0, 0)),
                                                        (54, (5, 1), (0, 0))]))],
             rope: (start: (0, 0), end: (6, 0), nodes: 7, stiffness: 100, mass: 0.5, pins: [0, 6], damping: 1)"
        ));
        (0..24).for_each(|_| simulation.advance_frame());
        simulation.keep_ledger();
        (0..36).for_each(|_| simulation.advance_frame());
        let Balance { start, end, gains, .. } = ledger(&simulation).run;
        let lifted = end.total() - start.total();
        assert!(lifted > 3.0 && -gains.damping < lifted, "{method}: {gains:?}");
        assert_near(gains.anchors + gains.damping, lifted, 0.01, &method);
    }
}

#[test]
fn a_bounce_takes_its_share() {
    for (method, restitution) in METHODS.iter().flat_map(|m| [0.0, 0.6, 1.0].map(|e| (m.name, e))) {
        // No weight, so that the speed at the contact is known; friction changes the tangential
        // speed by μ (1 + e) v.
        let run = after(
            &format!(
                "integrator: {method}, gravity: (0, 0), substeps: 8,
                 colliders: [Plane(point: (0, 0), normal: (0, 1), restitution: {restitution:?}, friction: 0.1)],
                 impulses: [(node: 0, impulse: (3, -4)), (node: 1, impulse: (3, -4))],
                 rope: (start: (0, 1.1), end: (1, 1.1), nodes: 2, pins: [], mass: 2, stiffness: 1e-90)"
            ),
            1,
        );
        let (fast, along) = (2.0, 1.5 - 0.1 * (1.0 + restitution) * 2.0);
        let normal = (restitution * restitution - 1.0) * fast * fast;
        let expected = 2.0 * (normal + along * along - 1.5 * 1.5);
        assert_near(run.gains.contact, expected, 1e-9, &format!("{method}, {restitution}"));
    }
    let heavy = after(
        "integrator: VelocityVerlet, substeps: 1000,
         colliders: [Plane(point: (0, 0), normal: (0, 1), restitution: 0.6)],
         rope: (start: (0, 0.4), end: (1, 0.4), nodes: 2, pins: [], stiffness: 1e-90)",
        1,
    );
    assert_near(heavy.gains.contact, -(1.0 - 0.36) * 2.0 * 0.4, 0.01, "a fall");
}

#[test]
fn a_soft_ground_stores_and_takes() {
    let drop = |ground: &str| {
        let scene = format!(
            "integrator: VelocityVerlet, substeps: 2000, frame_time: 2, forces: [PenaltyGround(height: 0, {ground})],
             rope: (start: (0, 0.2), end: (1, 0.2), nodes: 2, pins: [], stiffness: 1e-90)"
        );
        after(&scene, 1)
    };
    let soft = drop("repulsion: 100");
    assert!(soft.gains.total().abs() < 1e-4 && soft.gains.contact == 0.0, "{soft:?}");
    let braking = drop("repulsion: 100, absorption: 1");
    assert!(braking.gains.contact < -0.05 && braking.gains.method.abs() < 1e-3, "{braking:?}");
}

#[test]
fn impulses_and_pushes_give_what_they_give() {
    for method in METHODS {
        let mut simulation = kept(&format!(
            "integrator: {}, gravity: (0, 0), substeps: 4, impulses: [(node: 1, at: 0.6, impulse: (3, -4))],
             rope: (start: (0, 0), end: (9, 0), nodes: 2, mass: 2, stiffness: 1e-90, pins: [0])",
            method.name
        ));
        simulation.advance_frame();
        let run = ledger(&simulation).run;
        assert_eq!(run.gains.external, 6.25, "{}", method.name);
        // Methods with rigid lengths redirect the impulse along a rod.
        if method.order.is_some() {
            assert_near(run.turned_over, 12.5, 1e-9, method.name);
        }
    }
    let mut simulation = kept(
        "gravity: (0, 0), forces: [PointForce(node: 1, force: (3, -4))],
         rope: (start: (0, 0), end: (9, 0), nodes: 2, mass: 2, stiffness: 1e-90, pins: [0])",
    );
    simulation.advance_frame();
    let moved = 3.0 * (simulation.state().x[1] - 9.0) - 4.0 * simulation.state().x[3];
    assert_near(ledger(&simulation).run.gains.external, moved, 1e-12, "push");
}

#[test]
fn springs_that_yield_or_break_take_what_they_stored() {
    let mut simulation = kept(
        "gravity: (0, 0), substeps: 1, frame_time: 0.01, rope: (start: (0, 0), end: (1, 0), nodes: 2, breaks_at: 0.1)",
    );
    let mut start = simulation.checkpoint();
    (start.state.x[1], start.ledger) = (1.3, None);
    simulation.restore(&start);
    simulation.advance_frame();
    // The spring broke only after it had pulled for a step.
    let stretch = simulation.state().x[1] - 1.0;
    let run = ledger(&simulation).run;
    assert_eq!(run.end.elastic, 0.0);
    assert_near(run.gains.yielding, -50.0 * stretch * stretch, 1e-12, "break");

    let plastic = after(
        "drag: 0.5, rope: (nodes: 4, law: Plastic(yield_strain: 0.1), stiffness: 1, start: (0, 0), end: (0, -30))",
        40,
    );
    assert!(plastic.gains.yielding < -1.0 && plastic.gains.method.abs() < 0.5, "{plastic:?}");
}

#[test]
fn xpbd_stores_energy_by_its_compliance() {
    let mut simulation = kept(
        "integrator: Xpbd(compliance: 0.02, iterations: 30), drag: 1, gravity: (0, -2),
         rope: (start: (0, 0), end: (0, -3), nodes: 2, mass: 1.5, stiffness: 1e4)",
    );
    (0..60).for_each(|_| simulation.advance_frame());
    let stored = ledger(&simulation).run.end.elastic;
    assert_near(stored, 0.5 * 0.02 * 9.0, 1e-6, "½ α T²");
}
