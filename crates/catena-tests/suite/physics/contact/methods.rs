//! Contacts with every method.

use super::{bits, body, kinetic, thrown};
use catena::sim::{Simulation, State, method::METHODS};

#[test]
fn a_dropped_rope_comes_to_rest_on_the_ground_whatever_the_method() {
    for method in METHODS {
        let mut simulation = body(&format!(
            "gravity: (0, -10), drag: 0.3, frame_time: 0.1, substeps: 20, integrator: {},
             colliders: [Plane(point: (0, 0), normal: (0, 1), friction: 0.5, restitution: 0.3)],
             contact: (radius: 0.05),
             rope: (start: (0, 0.5), end: (3, 1), nodes: 7, pins: [], stiffness: 500, damping: 0.5)",
            method.name
        ));
        let lowest = |simulation: &Simulation| {
            simulation.state().x[7..].iter().copied().fold(f64::INFINITY, f64::min)
        };
        for _ in 0..2000 {
            simulation.step();
            assert!(lowest(&simulation) >= 0.05, "{}", method.name);
        }
        if method.limit == Some(0.0) {
            continue;
        }
        let before = simulation.state().x.clone();
        (0..200).for_each(|_| simulation.step());
        let State { x, v, .. } = simulation.state();
        let moved = x.iter().zip(&before).map(|(x, before)| (x - before).abs());
        let moved = moved.fold(0.0, f64::max);
        let fastest = v.iter().map(|v| v.abs()).fold(0.0, f64::max);
        // Gravity changes the speed by 0.05 per step.
        assert!(moved < 1e-3 && fastest < 0.11, "{}: {moved} {fastest}", method.name);
        assert!(x[7..].iter().all(|y| *y < 0.06), "{}: {x:?}", method.name);
    }
}

/// Momentum divided by mass, by axis, of a rope whose nodes have equal masses.
fn momentum(state: &State) -> [f64; 2] {
    let (x, y) = state.v.split_at(state.v.len() / 2);
    [x.iter().sum(), y.iter().sum()]
}

#[test]
fn meeting_itself_changes_no_momentum_whatever_the_method() {
    for method in METHODS {
        let mut simulation = thrown(method.name, 0.003, "thickness: 0.8, restitution: 0.3");
        // Methods that start from two positions round the first velocity.
        simulation.step();
        let before = momentum(simulation.state());
        (0..600).for_each(|_| simulation.step());
        let after = momentum(simulation.state());
        for axis in 0..2 {
            let change = (after[axis] - before[axis]).abs();
            assert!(change < 1e-6, "{}: {before:?} {after:?}", method.name);
        }
    }
}

#[test]
fn bouncing_makes_no_energy_whatever_the_method() {
    for method in METHODS.iter().filter(|method| method.limit != Some(0.0)) {
        let mut simulation = body(&format!(
            "gravity: (0, -10), frame_time: 0.02, substeps: 40, integrator: {},
             colliders: [Plane(point: (0, 0), normal: (0, 1), restitution: 0.5, friction: 0.3)],
             rope: (start: (0, 0.75), end: (1.5, 1.2), nodes: 11, mass: 0.1, pins: [])",
            method.name
        ));
        // Without the energy of springs, which is never negative.
        let energy = |simulation: &Simulation| {
            let (model, state) = (&simulation.setup().model, simulation.state());
            let height: f64 = state.x[model.nodes()..].iter().sum();
            kinetic(model, state) + 0.1 * 10.0 * height
        };
        let start = energy(&simulation);
        for step in 0..4000 {
            simulation.step();
            let now = energy(&simulation);
            assert!(now < 1.02 * start, "{}, step {step}: {start} to {now}", method.name);
        }
    }
}

#[test]
fn an_impulse_of_nothing_changes_little() {
    for method in METHODS {
        let run = |impulses: &str| {
            let mut simulation =
                body(&format!("substeps: 64, integrator: {}, impulses: [{impulses}]", method.name));
            (0..40 * 64).for_each(|_| simulation.step());
            simulation.state().x.clone()
        };
        let (alone, pushed) = (run(""), run("(node: 7, at: 20, impulse: (0, 0))"));
        let apart = alone.iter().zip(&pushed).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // Methods with memory restart, which is an error of their order in one step.
        assert!(apart < 1e-2 || method.limit == Some(0.0), "{}: {apart}", method.name);
    }
}

#[test]
fn contacts_give_the_same_bits_twice_and_after_a_break() {
    for method in METHODS {
        let new = || {
            body(&format!(
                "gravity: (0, -10), frame_time: 0.1, substeps: 20, integrator: {}, drag: 0.1,
                 colliders: [Plane(point: (0, 0), normal: (0.1, 1), friction: 0.3, restitution: 0.4),
                             Sphere(center: (0, 0), radius: 1)],
                 contact: (thickness: 0.2, friction: 0.1),
                 rope: (start: (0, 1.5), end: (0.3, 4), nodes: 9, pins: [])",
                method.name
            ))
        };
        let (mut one, mut two) = (new(), new());
        for _ in 0..30 {
            let checkpoint = one.checkpoint();
            one.advance_frame();
            two = {
                let mut resumed = new();
                resumed.restore(&checkpoint);
                drop(two);
                resumed
            };
            two.advance_frame();
            assert_eq!(bits(one.state()), bits(two.state()), "{}", method.name);
        }
    }
}

#[test]
fn what_contacts_push_is_read_as_impulses() {
    // Two nodes at rest on a ground, one of them pinned: the ground feels the weight of the other.
    let mut simulation = body(
        "gravity: (0, -10), frame_time: 0.1, substeps: 10,
         colliders: [Plane(point: (0, 0), normal: (0, 1), friction: 0.5)],
         rope: (start: (0, 0), end: (1, 0), nodes: 2, pins: [0], mass: 2)",
    );
    assert!(simulation.contact_impulses().is_empty());
    (0..30).for_each(|_| simulation.step());
    let (model, dt) = (simulation.setup().model.clone(), simulation.setup().dt());
    let forces = simulation.contact_impulses();
    let weight = model.mass[1] * 10.0 * dt;
    assert!((forces.on_colliders[0][1] + weight).abs() < 1e-12 * weight, "{forces:?}");
    assert!((forces.on_node(2, 1)[1] - weight).abs() < 1e-12 * weight, "{forces:?}");
    assert_eq!(forces.on_node(2, 0), [0.0; 3]);
    let checkpoint = simulation.checkpoint();
    simulation.restore(&checkpoint);
    assert!(simulation.contact_impulses().is_empty());
}
