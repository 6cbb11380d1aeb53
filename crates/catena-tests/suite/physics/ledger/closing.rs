//! The ledger closes for every method and body, even after a resume, and changes no bit.

use super::{after, assert_near, bits, kept, ledger, try_setup};
use crate::scene_of;
use catena::sim::{
    Body, Outcome, Setup, Simulation, State, System,
    body::measure,
    drive::Anchors,
    force::{Account, ForceEnergy},
    method::METHODS,
    run::ledger::Ledger,
};
use std::sync::Arc;

/// Cases that run with every method: a name, and the other settings. `METHOD` is replaced by the
/// name of the method if it has options.
const BODIES: &[(&str, &str)] = &[
    ("swing", "drag: 0.02, rope: (nodes: 9)"),
    (
        "every force",
        "drag: 0.02, wind: (2, 0.5), forces: [PointForce(node: 3, force: (1, 2), from: 0.7, until: 2.1),
         PointForce(node: 0, force: (5, 0)), PenaltyGround(height: 150, repulsion: 30, friction: 0.2, absorption: 0.5)],
         impulses: [(node: 2, at: 1.5, impulse: (3, -2)), (node: 4, at: 2, impulse: (0, 9))],
         rope: (nodes: 7, damping: 0.05, friction: 0.05)",
    ),
    (
        "in water",
        "forces: [LineDrag(density: 0.0005, diameter: 4, along: 0.1, flow: Uniform(velocity: (3, 1))),
         LineDrag(density: 0.0003, diameter: 4, flow: Airy(height: 20, period: 6, gravity: 1)),
         Buoyancy(density: 0.02, diameter: 4, gravity: 1, surface: 100)], rope: (nodes: 7)",
    ),
    (
        "over pulleys",
        "forces: [Route(from: Last, axial: 2000, damping: 50, speed: 2, via: [Pulley(at: (-300, 300), radius: 20, friction: 0.2),
         Pulley(at: (-200, 260), radius: 10, inertia: 300), Drum(at: (-100, 320), radius: 20)])], rope: (nodes: 7)",
    ),
    ("exponential", "drag: 0.1, rope: (nodes: 6, law: Exponential(alpha: 3))"),
    ("piecewise", "rope: (nodes: 6, law: PiecewiseLinear(points: [(0.01, 0.01), (0.3, 0.9)]))"),
    (
        "piecewise with a pushed side",
        "rope: (nodes: 6, law: PiecewiseLinear(points: [(-0.2, -0.1), (0.01, 0.01), (0.3, 0.9)]))",
    ),
    ("exponential as printed", "drag: 0.1, rope: (nodes: 6, stiffness: 9000, law: StrainExponential)"),
    (
        "friction without load",
        "colliders: [Plane(point: (0, 150), normal: (0.1, 1), friction: 0.1)],
         contact: (viscous: 0.3), rope: (nodes: 9)",
    ),
    (
        "a pin that stops",
        "colliders: [Plane(point: (0, 150), normal: (0.1, 1))], rope: (nodes: 9),
         anchors: [(node: 0, velocity: [(0, (1, -9)), (20, (-2, 5))], stops_at_colliders: true)]",
    ),
    ("plastic", "rope: (nodes: 6, stiffness: 20, law: Plastic(yield_strain: 0.01), breaks_at: 0.1)"),
    ("breaking", "rope: (nodes: 6, stiffness: 20, breaks_at: 0.04, damping: 0.1)"),
    (
        "plane and sphere",
        "colliders: [Plane(point: (0, 150), normal: (0.1, 1), restitution: 0.7, friction: 0.3),
         Sphere(center: (-200, 160), radius: 20, restitution: 0.5, friction: 0.2)], rope: (nodes: 9)",
    ),
    (
        "capsule without pins",
        "colliders: [Capsule(a: (-300, 180), b: (-100, 190), radius: 5, friction: 0.5)], contact: (radius: 1),
         rope: (nodes: 9, pins: [])",
    ),
    (
        "self-contact",
        "contact: (thickness: 12, restitution: 0.3, friction: 0.4),
         colliders: [Plane(point: (0, 190), normal: (0, 1), restitution: 0.2)],
         rope: (nodes: 12, start: (0, 200), end: (150, 260), pins: [])",
    ),
    (
        "moving colliders",
        "colliders: [
            Moving(of: Capsule(a: (-60, 0), b: (60, 10), radius: 15, restitution: 0.4, friction: 0.3),
                along: CatmullRom(keys: [(0, (-200, 150)), (2, (-190, 240)), (4, (-260, 170))]), turn: [(0, 0), (4, 250)]),
            Moving(of: Plane(point: (0, 0), normal: (0.1, 1), friction: 0.5),
                along: Linear(keys: [(0, (0, 60)), (3, (50, 170))])),
            Sphere(center: (-100, 110), radius: 20)],
         contact: (radius: 1, thickness: 8), rope: (nodes: 9)",
    ),
    (
        "soft pins",
        "drag: 0.02, anchors: [
            (node: 8, curve: CatmullRom(keys: [(0, (-380, 200)), (2, (-330, 260)), (4, (-420, 180))]), stiffness: 3, damping: 0.4),
            (node: 4, curve: Step(keys: [(0, (-190, 200)), (1.5, (-180, 215))]), stiffness: 0.5),
            (node: 0, curve: Linear(keys: [(0, (0, 200)), (4, (20, 220))]))],
         rope: (nodes: 9)",
    ),
    (
        "moving anchors",
        "drag: 0.02, anchors: [
            (node: 0, curve: CatmullRom(keys: [(0, (0, 200)), (2, (30, 240)), (4, (-20, 200))])),
            (node: 6, curve: Step(keys: [(0, (-400, 200)), (1.5, (-380, 210))]))],
         rope: (nodes: 7, pins: [0, 6])",
    ),
    (
        "cloth",
        "gravity: (0, -1, 0), drag: 0.05, wind: (1, 0, 0.5), cloth: (corner: (0, 0, 0), across: (4, 0, 0),
         down: (0, 0, 3), rows: 4, columns: 5, pins: TopCorners, damping: 0.02)",
    ),
    (
        "space",
        "gravity: (0, -9.81, 0), colliders: [Sphere(center: (1, -1, 0.1), radius: 0.7, friction: 0.3, restitution: 0.2)],
         impulses: [(node: 7, impulse: (0, 0, 0.4))],
         anchors: [(node: 0, curve: Linear(keys: [(0, (0, 0, 0)), (3, (1, 1, 0.5))]))],
         rope: (nodes: 8, start: (0, 0, 0), end: (2, 0, 0), stiffness: 200, mass: 0.1)",
    ),
    ("bending", "rope: (nodes: 8, bending: 5)"),
    ("step doubling", "drag: 0.02, step_control: StepDoubling(tolerance: 1e-4), rope: (nodes: 5)"),
    (
        "step doubling and moving anchors",
        "step_control: StepDoubling(tolerance: 0.5), rope: (nodes: 5, pins: [0, 4]),
         anchors: [(node: 0, curve: Linear(keys: [(0, (0, 200)), (4, (-40, 230))])),
                   (node: 4, curve: Step(keys: [(0, (-400, 200)), (1.5, (-380, 210))]))]",
    ),
    ("stability limit", "drag: 0.02, step_control: StabilityLimit, substeps: 8, rope: (nodes: 5)"),
    ("velocity factor", "velocity_factor: 0.99, rope: (nodes: 6)"),
    (
        "both factors and an anchor",
        "velocity_factor: 0.99, position_factor: 0.99995, rope: (nodes: 6),
         anchors: [(node: 0, curve: Linear(keys: [(0, (0, 200)), (4, (40, 200))]))]",
    ),
    ("position factor", "position_factor: 0.999995, rope: (nodes: 6)"),
    (
        "method options",
        "integrator: METHOD(damping: 0.001), anchors: [(node: 0, curve: Linear(keys: [(0, (0, 200)), (4, (40, 200))]))]",
    ),
    (
        "tethers",
        "integrator: METHOD(tethers: true), rope: (nodes: 7),
         anchors: [(node: 0, curve: Linear(keys: [(0, (0, 200)), (4, (40, 230))]))]",
    ),
    (
        "compliance",
        "integrator: METHOD(compliance: 0.05, substeps: 3), rope: (nodes: 7),
         anchors: [(node: 0, curve: Linear(keys: [(0, (0, 200)), (4, (40, 230))]))]",
    ),
    ("materials", "rope: (nodes: 5, material: Elastic(young: 1e5, density: 0.1), area: 0.1)"),
    ("nothing acts", "gravity: (0, 0), rope: (nodes: 4, pins: [])"),
];

/// The settings with the method inserted.
fn with(method: &str, body: &str) -> String {
    if body.contains("METHOD") {
        body.replace("METHOD", method)
    } else if method == "Shake" {
        // A cloth with its shear springs never converges, and would iterate for long.
        format!("integrator: Shake(iterations: 100), {body}")
    } else {
        format!("integrator: {method}, {body}")
    }
}

/// Kinetic energy of the nodes and of the wheels of routes.
fn kinetic(run: &Simulation) -> f64 {
    let (setup, state) = (run.setup(), run.state());
    let body = Body { model: &setup.model, springs: run.springs() };
    let of_nodes = measure::kinetic_energy(&setup.model, state);
    setup.forces.iter().fold(of_nodes, |sum, force| sum + force.energy().of_motion(&body, state))
}

/// Maximum residual relative to the energy turnover, over frames with finite numbers. Also checks
/// that states equal those of a run without a ledger, and that frames add up.
fn worst_residual(setup: &Arc<Setup>, what: &str) -> f64 {
    let mut plain = Simulation::new(Arc::clone(setup));
    let mut simulation = Simulation::new(Arc::clone(setup));
    simulation.keep_ledger();
    let (mut worst, mut last) = (0.0_f64, ledger(&simulation).frame.end);
    for frame in 0..4 {
        plain.advance_frame();
        simulation.advance_frame();
        assert_eq!(bits(simulation.state()), bits(plain.state()), "{what}");
        assert_eq!((simulation.report(), simulation.outcome()), (plain.report(), plain.outcome()));
        let Ledger { frame: now, run } = ledger(&simulation);
        if !run.turned_over.is_finite() || !now.end.total().is_finite() {
            assert!(frame > 0, "{what}: {now:?}");
            break;
        }
        assert_eq!(now.start, last, "{what}");
        last = now.end;
        assert_eq!(now.end.kinetic, kinetic(&simulation), "{what}");
        for balance in [now, run] {
            let residual = balance.residual().abs();
            assert!(residual <= 1e-9 * balance.turned_over, "{what}, frame {frame}: {balance:?}");
            if balance.turned_over > 0.0 {
                worst = worst.max(residual / balance.turned_over);
            }
        }
    }
    worst
}

#[test]
fn the_ledger_closes_for_every_method_and_body_and_changes_no_bit() {
    let mut count = 0;
    // The maximum for each body, and the number of methods that support it.
    let mut by_body = vec![(0.0_f64, 0); BODIES.len()];
    for method in METHODS {
        let mut worst = (0.0, "none");
        for ((name, body), of_body) in BODIES.iter().zip(&mut by_body) {
            // Incompatible settings are refused: laws, factors, or options that a method lacks.
            let Ok(setup) = try_setup(&with(method.name, body)) else { continue };
            let found = worst_residual(&setup, &format!("{}, {name}", method.name));
            *of_body = (of_body.0.max(found), of_body.1 + 1);
            worst = if found > worst.0 { (found, *name) } else { worst };
            count += 1;
        }
        eprintln!("{}: {:.1e} in {}", method.name, worst.0, worst.1);
    }
    for ((name, _), (worst, methods)) in BODIES.iter().zip(&by_body) {
        eprintln!("{name}: {worst:.1e} with {methods} methods");
        assert!(*methods > 0, "{name}");
    }
    assert!(count > METHODS.len() * (BODIES.len() - 6), "{count} of them run");
}

/// The force of a potential on a coordinate, by finite differences.
fn pull(potential: impl Fn(&State) -> f64, state: &State, index: usize) -> f64 {
    let at = |by: f64| {
        let mut state = state.clone();
        state.x[index] += by;
        potential(&state)
    };
    (at(-1e-4) - at(1e-4)) / 2e-4
}

#[test]
fn every_force_is_what_it_stores_and_what_it_does_beside_that() {
    let setup = try_setup(
        "drag: 0.3, wind: (2, 1), forces: [PointForce(node: 0, force: (1, 2)), PointForce(node: 2, force: (1, 2)),
         PenaltyGround(height: 0.5, repulsion: 7, friction: 0.2, absorption: 0.5)],
         rope: (nodes: 6, start: (0, 0), end: (5, 1), stiffness: 20, bending: 3, damping: 0.05, friction: 0.04,
                law: Exponential(alpha: 2))",
    )
    .unwrap();
    let Setup { model, initial, forces, .. } = &*setup;
    let mut state = initial.clone();
    for (index, (x, v)) in state.x.iter_mut().zip(&mut state.v).enumerate() {
        *x += 0.1 * (((index * 7919) % 13) as f64 / 13.0 - 0.5);
        *v = ((index * 6007) % 11) as f64 / 11.0 - 0.5;
    }
    let simulation = Simulation::new(Arc::clone(&setup));
    let anchors = Anchors::new(model, initial, &[]);
    let system = System::new(model, simulation.springs(), forces, &anchors);
    let (mut accounts, mut felt) = (Vec::new(), 0);
    for force in forces {
        let zeros = vec![0.0; state.x.len()];
        let (mut whole, mut rest) = (zeros.clone(), zeros);
        force.add_to(&system.body(), &state, &mut whole);
        match force.energy() {
            ForceEnergy::Stored(_) => {}
            ForceEnergy::Booked(_) => force.add_to(&system.body(), &state, &mut rest),
            ForceEnergy::Split(_, more) => more.add_unstored(&system.body(), &state, &mut rest),
        }
        for index in 0..state.x.len() {
            let potential = |state: &State| force.energy().potential(&system.body(), state);
            let stored = pull(potential, &state, index);
            let off = (whole[index] - rest[index] - stored).abs();
            assert!(off < 1e-6, "{force:?} on {index}: {off:e}");
        }
        felt += usize::from(whole[0] != 0.0 || whole[6] != 0.0);
        accounts
            .extend((rest.iter().any(|f| *f != 0.0)).then(|| force.energy().account().unwrap()));
    }
    // The pin feels all forces except the push on another node.
    assert_eq!(felt, forces.len() - 1);
    let damping = accounts.iter().filter(|account| **account == Account::Damping).count();
    let external = accounts.iter().filter(|account| **account == Account::External).count();
    assert_eq!((damping, external, accounts.len()), (3, 2, 6), "{accounts:?}");
}

#[test]
fn frames_add_up_and_nothing_is_counted_twice() {
    for method in ["ExplicitEuler", "AdamsBashforth3", "ConstraintVerlet", "Xpbd"] {
        let settings =
            format!("integrator: {method}, substeps: 5, drag: 0.05, rope: (breaks_at: 20)");
        let mut framed = kept(&settings);
        let mut stepped = kept(&settings);
        let mut sum = 0.0;
        for _ in 0..12 {
            framed.advance_frame();
            (0..5).for_each(|_| stepped.step());
            assert_eq!(framed.ledger(), stepped.ledger(), "{method}");
            sum += ledger(&framed).frame.turned_over;
        }
        // Explicit Euler diverged during the frame, and the responsible step was searched.
        let has_diverged = matches!(framed.outcome(), Outcome::Diverged { .. });
        assert_eq!(has_diverged, method != "ConstraintVerlet" && method != "Xpbd", "{method}");
        assert_near(ledger(&framed).run.turned_over, sum, 1e-12, method);
    }
}

#[test]
fn a_resumed_ledger_is_the_unbroken_one() {
    for method in METHODS {
        let settings = format!("integrator: {}, drag: 0.05, rope: (nodes: 5)", method.name);
        let mut unbroken = kept(&settings);
        unbroken.advance_frame();
        (0..7).for_each(|_| unbroken.step());
        let checkpoint = unbroken.checkpoint();
        unbroken.advance_frame();
        let mut resumed = kept(&settings);
        resumed.restore(&checkpoint);
        assert_eq!(resumed.ledger(), checkpoint.ledger.as_ref(), "{}", method.name);
        resumed.advance_frame();
        assert_eq!(resumed.ledger(), unbroken.ledger(), "{}", method.name);
        // A run without a ledger to continue begins with the current state.
        let mut begun = Simulation::new(try_setup(&settings).unwrap());
        begun.restore(&checkpoint);
        assert!(begun.ledger().is_none());
        begun.keep_ledger();
        assert_eq!(ledger(&begun).run.start, checkpoint.ledger.unwrap().run.end);
        assert_eq!(ledger(&begun).run.turned_over, 0.0);
    }
}

#[test]
fn numbers_that_run_away_are_no_panic() {
    for method in METHODS {
        for body in ["nodes: 6", "nodes: 6, breaks_at: 0.5, damping: 1"] {
            let mut simulation =
                kept(&format!("integrator: {}, substeps: 2, rope: ({body})", method.name));
            let mut start = simulation.checkpoint();
            start.state.v[3] = 1e300;
            simulation.restore(&start);
            (0..6).for_each(|_| simulation.advance_frame());
            assert!(simulation.ledger().is_some());
        }
    }
}

#[test]
fn a_batch_keeps_ledgers_too() {
    let scene = scene_of(
        "Scene(base: (integrator: ConstraintVerlet, rope: (nodes: 5)), panels: [(), (), (), (), (), (), (), ()])",
    );
    let mut simulations: Vec<Simulation> =
        scene.panels.iter().map(|p| Simulation::new(Arc::clone(&p.bodies[0].setup))).collect();
    simulations.iter_mut().step_by(2).for_each(Simulation::keep_ledger);
    catena::sim::run::batch::Batch::default().advance_frames(&mut simulations);
    let alone = after("integrator: ConstraintVerlet, rope: (nodes: 5)", 1);
    for (number, simulation) in simulations.iter().enumerate() {
        let expected = (number % 2 == 0).then_some(alone);
        assert_eq!(simulation.ledger().map(|ledger| ledger.run), expected);
        assert_eq!(bits(simulation.state()), bits(simulations[0].state()));
    }
}
