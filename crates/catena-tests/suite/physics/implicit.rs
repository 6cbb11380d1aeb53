//! Implicit methods and their linear systems.

use crate::scene_of;
use catena::sim::{
    Entry, Setup, Simulation, SpringMemory, State, System,
    body::measure,
    drive::Anchors,
    linear::{Kind, Limits, LinearSystem, Weights},
};
use catena_tests::Random;
use rsparse::data::Trpl;
use std::{collections::BTreeMap, sync::Arc};

fn setup(body: &str) -> Arc<Setup> {
    Arc::clone(&scene_of(&format!("Scene(base: ({body}))")).panels[0].bodies[0].setup)
}

/// The initial state with every free node displaced and moving.
fn disturbed(setup: &Setup, seed: u64, by: f64) -> State {
    let mut state = setup.initial.clone();
    let n = setup.model.nodes();
    let mut random = Random::new(seed);
    for index in 0..state.x.len() {
        let (x, v) = (by * random.signed(), by * random.signed());
        if !setup.model.pinned[index % n] {
            state.x[index] += x;
            state.v[index] += v;
        }
    }
    state
}

/// Passes the system of a setup to `inspect`.
fn with_system<T>(setup: &Setup, inspect: impl FnOnce(&System<'_>) -> T) -> T {
    let anchors = Anchors::new(&setup.model, &setup.initial, &setup.anchors);
    let memory = SpringMemory::default();
    inspect(&System::new(&setup.model, &memory, &setup.forces, &anchors))
}

/// M - α ∂f/∂v - β ∂f/∂x without pinned nodes, entry by entry, with the indices of flat vectors.
fn entries(
    system: &System<'_>,
    state: &State,
    weights: Weights,
    kind: Kind,
) -> Vec<(usize, usize, f64)> {
    let model = system.model;
    let n = model.nodes();
    let mut all: Vec<_> = (0..state.x.len())
        .map(|index| {
            (index, index, if model.pinned[index % n] { 1.0 } else { model.mass[index % n] })
        })
        .collect();
    system.each_block(state, kind == Kind::Definite, &mut |entry: &Entry| {
        if model.pinned[entry.i] || model.pinned[entry.j] {
            return;
        }
        for p in 0..model.axes {
            for q in 0..model.axes {
                let value = weights.by_v * entry.by_v[p][q] + weights.by_x * entry.by_x[p][q];
                all.push((p * n + entry.i, q * n + entry.j, -value));
            }
        }
    });
    all
}

/// The solution by a general sparse LU with partial pivoting, without knowledge of ropes.
fn reference(size: usize, entries: &[(usize, usize, f64)], rhs: &[f64]) -> Vec<f64> {
    let mut sums = BTreeMap::new();
    for &(i, j, value) in entries {
        *sums.entry((i, j)).or_insert(0.0) += value;
    }
    let mut triplets = Trpl::new();
    for ((i, j), value) in sums {
        triplets.append(i, j, value);
    }
    let mut solution = rhs.to_vec();
    let natural_order = -1;
    rsparse::lusol(&triplets.to_sprs(), &mut solution, natural_order, 1.0).unwrap();
    assert_eq!(solution.len(), size);
    solution
}

/// Distance between our solution and the reference, relative to the reference.
fn disagreement(setup: &Setup, state: &State, weights: Weights, kind: Kind) -> f64 {
    with_system(setup, |system| {
        let size = state.x.len();
        let mut random = Random::new(77);
        let rhs = random.many(size, 1.0);
        let mut linear =
            LinearSystem::new(&setup.model, Limits { tolerance: 1e-14, iterations: 10_000 });
        assert!(linear.assemble(system, state, weights, kind, None));
        let mut found = vec![0.0; size];
        assert!(linear.solve(&rhs, &mut found));
        let expected = reference(size, &entries(system, state, weights, kind), &rhs);
        let greatest = expected.iter().fold(0.0_f64, |maximum, value| maximum.max(value.abs()));
        let off = |(a, b): (&f64, &f64)| (a - b).abs();
        found.iter().zip(&expected).map(off).fold(0.0, f64::max) / greatest
    })
}

const CLOTH: &str = "corner: (0, 0, 0), across: (1, 0, 0), down: (0, 0, 1), rows: 8, columns: 8";

#[test]
fn the_banded_solver_agrees_with_a_general_sparse_solver() {
    // Chains of 64 nodes and more are solved in segments.
    for nodes in [61, 90] {
        let planar = format!("start: (0, 0), end: (30, 20), nodes: {nodes}");
        let spatial = format!("start: (0, 0, 0), end: (30, 20, -10), nodes: {nodes}");
        let gravity = "gravity: (0, -1, 0.5), wind: (0, 0, 1)";
        let cases = [
            format!("rope: ({planar}, pins: [])"),
            format!("drag: 0.3, rope: ({planar}, pins: [0, 20, 21, 60], damping: 0.7)"),
            format!(
                "drag: 0.3, rope: ({planar}, pins: [30], bending: 40, damping: 2, friction: 0.2)"
            ),
            format!("{gravity}, rope: ({spatial}, pins: [])"),
            format!("{gravity}, drag: 0.3, rope: ({spatial}, pins: [0, 25], damping: 0.7)"),
            format!(
                "{gravity}, drag: 0.3, rope: ({spatial}, pins: [7, 60], bending: 40, damping: 2)"
            ),
        ];
        for case in &cases {
            let setup = setup(case);
            for (seed, dt, by, kind) in [
                (1, 1.0 / 64.0, 0.3, Kind::Full),
                (2, 1.0 / 64.0, 0.3, Kind::Definite),
                (3, 1.0, 0.3, Kind::Definite),
                (4, 10.0, 5.0, Kind::Definite),
            ] {
                let weights = Weights { by_v: dt, by_x: dt * dt };
                let off = disagreement(&setup, &disturbed(&setup, seed, by), weights, kind);
                assert!(off < 1e-10, "{case}, step {dt}, {kind:?}: {off}");
            }
        }
    }
}

#[test]
fn conjugate_gradients_agree_with_a_general_sparse_solver() {
    for (more, dt) in [("", 0.01), ("pins: TopCorners, damping: 0.4", 0.01), ("damping: 0.4", 0.5)]
    {
        let setup = setup(&format!("gravity: (0, -1, 0), drag: 0.1, cloth: ({CLOTH}, {more})"));
        for kind in [Kind::Definite, Kind::Full] {
            // At long steps, compressed springs make the full matrix indefinite, which this solver
            // does not support.
            if kind == Kind::Definite || dt < 0.1 {
                let weights = Weights { by_v: dt, by_x: dt * dt };
                let off = disagreement(&setup, &disturbed(&setup, 5, 0.03), weights, kind);
                assert!(off < 1e-10, "{more}, step {dt}, {kind:?}: {off}");
            }
        }
    }
}

#[test]
fn blocks_are_the_derivative_of_the_forces() {
    let setup = setup(
        "drag: 0.3, wind: (0, 0, 2), gravity: (0, -1, 0), forces: [PenaltyGround(height: 0.1, friction: 2)],
         rope: (start: (0, 0, 0), end: (8, 5, 2), nodes: 9, pins: [], bending: 20, damping: 0.5, friction: 0.2,
             law: Exponential)",
    );
    // The derivative omits the rotation of damping with the spring, which is zero at rest.
    let mut state = disturbed(&setup, 9, 0.2);
    state.v.fill(0.0);
    let size = state.x.len();
    with_system(&setup, |system| {
        for (weights, is_velocity) in
            [(Weights { by_v: 1.0, by_x: 0.0 }, true), (Weights { by_v: 0.0, by_x: 1.0 }, false)]
        {
            let mut matrix = vec![0.0; size * size];
            // Without the mass, and with the sign reversed.
            for &(i, j, value) in &entries(system, &state, weights, Kind::Full)[size..] {
                matrix[i * size + j] -= value;
            }
            for j in 0..size {
                let at = |shift: f64| {
                    let (mut moved, mut a) = (state.clone(), vec![0.0; size]);
                    let vector = if is_velocity { &mut moved.v } else { &mut moved.x };
                    vector[j] += shift;
                    system.accelerations(&moved, &mut a);
                    a
                };
                let (up, down) = (at(1e-6), at(-1e-6));
                for i in 0..size {
                    let expected = (up[i] - down[i]) / 2e-6;
                    let off = (matrix[i * size + j] - expected).abs();
                    assert!(off < 1e-5, "{i} by {j}: {} not {expected}", matrix[i * size + j]);
                }
            }
        }
    });
}

#[test]
fn compression_leaves_the_definite_matrix_definite() {
    let setup = setup("rope: (start: (0, 0), end: (10, 0), nodes: 11, pins: [])");
    let mut state = setup.initial.clone();
    state.x.iter_mut().for_each(|x| *x *= 0.5);
    // Alternating displacements across the rope, in which a compressed spring buckles.
    let bend: Vec<f64> =
        (0..22).map(|index| if index < 11 { 0.0 } else { [1.0, -1.0][index % 2] }).collect();
    let energy = |kind| {
        let weights = Weights { by_v: 1.0, by_x: 1.0 };
        with_system(&setup, |system| {
            let entries = entries(system, &state, weights, kind);
            entries.iter().map(|&(i, j, value)| bend[i] * value * bend[j]).sum::<f64>()
        })
    };
    assert!(energy(Kind::Full) < -1000.0, "{}", energy(Kind::Full));
    assert!((energy(Kind::Definite) - 11.0).abs() < 1e-9, "{}", energy(Kind::Definite));
}

#[test]
fn the_cost_is_linear_in_nodes() {
    let operations = |nodes: usize, bending: u32| {
        let setup = setup(&format!("rope: (nodes: {nodes}, bending: {bending})"));
        with_system(&setup, |system| {
            let limits = Limits { tolerance: 1e-9, iterations: 1 };
            let mut linear = LinearSystem::new(&setup.model, limits);
            let weights = Weights { by_v: 0.1, by_x: 0.01 };
            let mut y = vec![0.0; 2 * nodes];
            linear.assemble(system, &setup.initial, weights, Kind::Definite, None);
            assert!(linear.solve(&vec![1.0; 2 * nodes], &mut y));
            linear.operations()
        })
    };
    for (bending, maximum) in [(0, 6), (10, 12)] {
        let (few, many) = (operations(1000, bending), operations(4000, bending));
        assert!(many <= 4 * few + 100, "{few} operations became {many}");
        assert!(many <= maximum * 4000, "{many} operations for 4000 nodes");
    }
}

/// Maximum coordinate at the end of any of these frames, and the number of steps that did not
/// converge.
fn run(setup: &Arc<Setup>, frames: u32) -> (f64, u64) {
    let mut simulation = Simulation::new(Arc::clone(setup));
    let (mut greatest, mut unconverged) = (0.0_f64, 0);
    for _ in 0..frames {
        simulation.advance_frame();
        unconverged += simulation.report().unconverged;
        for value in &simulation.state().x {
            greatest = if value.is_nan() { f64::INFINITY } else { greatest.max(value.abs()) };
        }
    }
    (greatest, unconverged)
}

#[test]
fn implicit_euler_takes_any_step() {
    for rope in ["stiffness: 1e6", "stiffness: 1e6, pins: [0, 15]", "stiffness: 1e4, bending: 1e3"]
    {
        // ωdt is up to 2000. The rope is 400 long and hangs from (0, 200).
        let (greatest, unconverged) =
            run(&setup(&format!("integrator: ImplicitEuler, substeps: 1, rope: ({rope})")), 600);
        assert!(greatest < 401.0 && unconverged == 0, "{rope}: {greatest}, {unconverged}");
    }
    let (greatest, unconverged) = run(
        &setup(&format!(
            "integrator: ImplicitEuler, substeps: 1, frame_time: 0.1, gravity: (0, -9.81, 0),
             cloth: ({CLOTH}, pins: TopCorners, stiffness: 1e6)"
        )),
        100,
    );
    assert!(greatest < 1.1 && unconverged == 0, "cloth: {greatest}, {unconverged}");
}

#[test]
fn implicit_midpoint_keeps_energy_far_beyond_the_explicit_limit() {
    // ωdt is up to 31, whereas explicit methods have a limit of about 2.
    let setup = setup("integrator: ImplicitMidpoint, rope: (stiffness: 1e6)");
    let energy = |simulation: &Simulation| {
        simulation.potential() + measure::kinetic_energy(&setup.model, simulation.state())
    };
    let mut simulation = Simulation::new(Arc::clone(&setup));
    let before = energy(&simulation);
    let mut unconverged = 0;
    for _ in 0..200 {
        simulation.advance_frame();
        unconverged += simulation.report().unconverged;
    }
    let change = energy(&simulation) / before - 1.0;
    assert!(change.abs() < 2e-3 && unconverged == 0, "{change}, {unconverged}");
}

#[test]
fn what_did_not_converge_is_reported() {
    let cloth = format!(
        "gravity: (0, -9.81, 0), substeps: 4, frame_time: 0.2, cloth: ({CLOTH}, pins: TopCorners)"
    );
    for (body, converges) in [
        ("integrator: ImplicitMidpoint".into(), true),
        (
            "integrator: ImplicitMidpoint(iterations: 1), substeps: 2, rope: (stiffness: 10000)"
                .into(),
            false,
        ),
        ("integrator: ImplicitEuler(iterations: 1)".into(), true),
        (format!("integrator: ImplicitEuler, {cloth}"), true),
        (format!("integrator: ImplicitEuler(iterations: 1), {cloth}"), false),
    ] {
        let (_, unconverged) = run(&setup(&body), 5);
        assert_eq!(unconverged == 0, converges, "{body}: {unconverged}");
    }
}

#[test]
fn a_rope_that_is_towed_ends_with_the_velocity_of_its_anchor() {
    for method in ["ImplicitEuler", "ImplicitMidpoint"] {
        let setup = setup(&format!(
            "integrator: {method}, drag: 2, gravity: (0, 0), substeps: 4,
             anchors: [(node: 0, curve: Linear(keys: [(0, (0, 0)), (1000, (5000, 0))]))],
             rope: (start: (0, 0), end: (0, -15), nodes: 16)"
        ));
        let mut simulation = Simulation::new(setup);
        (0..900).for_each(|_| simulation.advance_frame());
        let state = simulation.state();
        for node in 0..16 {
            let [x, y, _] = state.velocity(16, node);
            assert!((x - 5.0).abs() < 1e-6 && y.abs() < 1e-6, "{method}, node {node}: {x} {y}");
        }
        // Spring 1 pulls 15 nodes against a drag of c v each.
        let stretch = state.x[0] - state.x[1] - 1.0;
        assert!((stretch - 15.0 * 2.0 * 5.0 / 100.0).abs() < 1e-6, "{method}: {stretch}");
    }
}

#[test]
fn the_order_holds_with_friction_and_a_moving_anchor() {
    let tip = |method: &str, steps: u32| {
        let mut simulation = Simulation::new(setup(&format!(
            "integrator: {method}, substeps: {steps}, drag: 0.4, gravity: (0, -10),
             anchors: [(node: 0, curve: Linear(keys: [(0, (0, 0)), (2, (1, 1))]))],
             rope: (start: (0, 0), end: (1, 0), nodes: 4, stiffness: 40, mass: 0.5, damping: 0.6, bending: 5)"
        )));
        simulation.advance_frame();
        simulation.state().x.clone()
    };
    let exact = tip("Rk4", 4000);
    for (method, order, steps) in [("ImplicitEuler", 1.0, 2048), ("ImplicitMidpoint", 2.0, 256)] {
        let error = |steps| {
            let found = tip(method, steps);
            found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let measured = libm::log2(error(steps) / error(2 * steps));
        assert!((measured - order).abs() < 0.1, "{method}: order {measured}");
    }
}

#[test]
fn a_lost_run_goes_on() {
    let cloth = format!("gravity: (0, -1, 0), cloth: ({CLOTH}, pins: TopCorners)");
    for method in ["ImplicitEuler", "ImplicitMidpoint"] {
        for body in ["rope: (nodes: 16)", "rope: (nodes: 16, bending: 10)", &cloth] {
            for value in [f64::NAN, f64::INFINITY, 1e200, 1e308] {
                let setup = setup(&format!("integrator: {method}, substeps: 2, {body}"));
                let mut simulation = Simulation::new(Arc::clone(&setup));
                let mut lost = simulation.checkpoint();
                lost.state.x[5] = value;
                simulation.restore(&lost);
                (0..3).for_each(|_| simulation.advance_frame());
                assert_eq!(simulation.frame(), 3, "{method}, {body}, {value}");
            }
        }
    }
}
