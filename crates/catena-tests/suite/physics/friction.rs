//! Friction inside springs: the amount for each spring, and continuity as a bending stiffness goes
//! to 0.

use crate::physics::bodies::setup;
use crate::{repository, scene_of};
use catena::sim::{Setup, Simulation, SpringMemory, System, drive::Anchors};
use std::{fs, sync::Arc};

fn after(setup: &Arc<Setup>, frames: u64) -> Vec<f64> {
    let mut run = Simulation::new(Arc::clone(setup));
    (0..frames).for_each(|_| run.advance_frame());
    run.state().x.clone()
}

fn distance(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn a_bending_stiffness_of_next_to_nothing_is_one_of_nothing() {
    let text = fs::read_to_string(repository("tests/defects/12_bending_friction.ron")).unwrap();
    let scene = scene_of(&text);
    let [without, with] = [0, 1].map(|panel: usize| &scene.panels[panel].bodies[0].setup);
    assert_eq!((without.model.springs.len(), with.model.springs.len()), (20, 39));
    let off = distance(&after(without, 40), &after(with, 40));
    assert!(off < 1e-9, "{off:e}");
    assert_eq!(without.strain_limit, with.strain_limit);
    // Smaller stiffness gives a smaller difference.
    for friction in ["friction: 0.2", "damping: 0.2", "damping: 0.1, friction: 0.1"] {
        for method in ["Rk4", "ImplicitEuler", "ConstraintVerlet", "Xpbd"] {
            let body = |bending: &str| {
                setup(&format!(
                    "integrator: {method}, gravity: (0, -9.81), frame_time: 0.05, substeps: 40,
                     rope: (start: (0, 0), end: (2, 0), nodes: 11, mass: 0.05, {friction}, bending: {bending})"
                ))
            };
            let without = after(&body("0"), 10);
            let off = ["1e-2", "1e-4", "1e-6"].map(|b| distance(&after(&body(b), 10), &without));
            let falls = off.windows(2).all(|pair| pair[1] < 0.02 * pair[0]);
            assert!(falls && off[0] > 1e-7, "{method}, {friction}: {off:?}");
        }
    }
}

/// Forces on nodes 0 to 2 along y if only node 2 moves.
fn forces(setup: &Setup) -> [f64; 3] {
    let anchors = Anchors::new(&setup.model, &setup.initial, &[]);
    let memory = SpringMemory::default();
    let system = System::new(&setup.model, &memory, &setup.forces, &anchors);
    let (mut state, n) = (setup.initial.clone(), setup.model.nodes());
    state.v[n + 2] = 1.0;
    let mut f = vec![0.0; state.x.len()];
    setup.forces.iter().for_each(|force| force.add_to(&system.body(), &state, &mut f));
    [f[n], f[n + 1], f[n + 2]]
}

#[test]
fn friction_in_a_spring_goes_with_its_stiffness_in_a_rope() {
    for (stiffness, expected) in [
        ("stiffness: 50, mass: 1", 0.8 * 20.0 / 50.0),
        // E A/l = 1e3 over segments of 2.
        ("material: Elastic(young: 2e3, density: 1), area: 1", 0.8 * 20.0 / 1e3),
    ] {
        let along_y = "start: (0, 0), end: (0, 4), nodes: 3, pins: [0]";
        for kind in ["friction", "damping"] {
            let setup = setup(&format!(
                "gravity: (0, 0), rope: ({along_y}, {stiffness}, {kind}: 0.8, bending: 20)"
            ));
            let found = forces(&setup);
            let wanted = [expected, 0.8, -0.8 - expected];
            assert!(distance(&found, &wanted) < 1e-12, "{kind}, {stiffness}: {found:?}");
        }
    }
}

#[test]
fn all_springs_of_a_cloth_have_the_same_friction() {
    // Only one row of three nodes matters: node 2 has a spring to node 1, and a bending spring to
    // node 0.
    let setup = setup(
        "gravity: (0, 0), cloth: (corner: (0, 0), across: (0, 4), down: (50, 0), rows: 2, columns: 3, damping: 0.8)",
    );
    let [first, second, _] = forces(&setup);
    assert!((first - 0.8).abs() < 1e-12 && (second - 0.8).abs() < 1e-12, "{first} {second}");
}
