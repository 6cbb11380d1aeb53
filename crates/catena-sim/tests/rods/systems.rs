//! Linear systems of rods: the exact matrix is solved, at a cost proportional to the number of
//! nodes.

use crate::bodies::{Numbers, clamp, disturbed, line, memory_of, ring};
use catena_sim::drive::Anchors;
use catena_sim::force::law::Hooke;
use catena_sim::force::rod::{Rod, Rods, Section};
use catena_sim::force::{ElasticSprings, Part};
use catena_sim::linear::{Kind, Limits, LinearSystem, Weights};
use catena_sim::{Force, Model, State, System};
use std::sync::Arc;

/// Name of a rod, its body, its pinned nodes, and a function that sets its other properties.
type RodCase = (&'static str, (Model, State), Vec<usize>, Box<dyn Fn(Rod) -> Rod>);

/// Solves a system of a rod with random right sides. Returns the maximum residual relative to the
/// right side, and the number of operations.
fn solved(made: (Model, State), pins: &[usize], rod: impl Fn(Rod) -> Rod) -> (f64, u64) {
    let (mut model, state) = made;
    pins.iter().for_each(|&pin| model.pinned[pin] = true);
    let rod = rod(crate::bodies::rod(&model, 1.0, 0.7));
    let rods = Rods::new(&model, &state, vec![rod]).unwrap();
    let memory = memory_of(&rods, &model, &state);
    let springs = ElasticSprings { law: Arc::new(Hooke {}), part: Part::Held };
    let forces: Vec<Arc<dyn Force>> = vec![Arc::new(springs), Arc::new(rods)];
    let anchors = Anchors::new(&model, &state, &[]);
    let system = System::new(&model, &memory, &forces, &anchors);
    let state = disturbed(&state, 0.01, 5);
    let (n, size) = (model.nodes(), state.x.len());
    let mut numbers = Numbers(11);
    let right: Vec<f64> = (0..size).map(|_| numbers.next()).collect();
    let weights = Weights { by_v: 0.0, by_x: 1e-5 };
    let mut linear = LinearSystem::new(&model, Limits { tolerance: 1e-12, iterations: 1 });
    assert!(linear.assemble(&system, &state, weights, Kind::Full, None));
    let mut y = vec![0.0; size];
    assert!(linear.solve(&right, &mut y), "a direct solution needs no iterations");
    // Rows of pinned nodes are rows of the identity, and their columns are omitted.
    let mut image: Vec<f64> = y.iter().enumerate().map(|(i, y)| model.mass[i % n] * y).collect();
    for entry in system.jacobian(&state).entries {
        if model.pinned[entry.i] || model.pinned[entry.j] {
            continue;
        }
        for p in 0..model.axes {
            for q in 0..model.axes {
                let change = weights.by_x * entry.by_x[p][q] * y[q * n + entry.j];
                image[p * n + entry.i] -= change;
            }
        }
    }
    let free = (0..size).filter(|i| !model.pinned[i % n]);
    let residual = free.map(|i| (image[i] - right[i]).abs()).fold(0.0, f64::max);
    (residual, linear.operations())
}

#[test]
fn systems_of_rods_are_solved_directly_and_exactly() {
    let flat = Section { bending: [1.0, 0.4], torsion: 0.7 };
    let cases: Vec<RodCase> = vec![
        ("plane", line(2, 1.0, 20, 1.0, 50.0), vec![0], Box::new(|rod| rod.clamp(clamp(0, 0.0)))),
        ("space", line(3, 1.0, 20, 1.0, 50.0), vec![0], Box::new(|rod| rod.clamp(clamp(0, 0.0)))),
        (
            "twisted",
            line(3, 1.0, 20, 1.0, 50.0),
            vec![0, 20],
            Box::new(|rod| rod.clamp(clamp(0, 0.0)).clamp(clamp(20, 0.6))),
        ),
        (
            "flat",
            line(3, 1.0, 20, 1.0, 50.0),
            vec![0, 20],
            Box::new(move |rod| {
                Rod { section: flat, ..rod }.clamp(clamp(0, 0.0)).clamp(clamp(20, 0.6))
            }),
        ),
        (
            "free and curved",
            line(3, 1.0, 20, 1.0, 50.0),
            vec![],
            Box::new(|rod| rod.curved([1.0, 0.5])),
        ),
        ("ring", ring(1.0, 20, 1.0, 50.0), vec![], Box::new(|rod| Rod { turns: 0.4, ..rod })),
        (
            "flat ring",
            ring(1.0, 20, 1.0, 50.0),
            vec![3],
            Box::new(move |rod| Rod { section: flat, turns: 1.0, ..rod }),
        ),
    ];
    for (name, made, pins, rod) in cases {
        let (residual, _) = solved(made, &pins, rod);
        assert!(residual < 1e-11, "{name}: {residual}");
    }
}

#[test]
fn the_cost_of_a_system_grows_with_the_nodes() {
    let flat = Section { bending: [1.0, 0.4], torsion: 0.7 };
    let line = |n: usize| {
        solved(line(3, 1.0, n, 1.0, 50.0), &[0], |rod| {
            Rod { section: flat, ..rod }.clamp(clamp(0, 0.0))
        })
    };
    let ring = |n: usize| {
        solved(ring(1.0, n, 1.0, 50.0), &[], |rod| Rod { section: flat, turns: 1.0, ..rod })
    };
    for (name, [few, many]) in
        [("line", [line(50).1, line(100).1]), ("ring", [ring(50).1, ring(100).1])]
    {
        assert!(many <= 2 * few + few / 10, "{name}: {few} and {many} operations");
    }
}
