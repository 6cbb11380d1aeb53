//! Euler's kernels for ropes and cloth give the same bits as the plain loop.

use catena::sim::{
    Force, Method, Model, Spring, SpringMemory, State, System,
    body::shape::{
        Topology,
        cloth::Cloth,
        rope::{LastNode, Matter, Rope},
    },
    drive::Anchors,
    force::{
        Drag, ElasticSprings, Gravity, Part,
        law::{Exponential, Hooke},
    },
    instructions::Instructions,
    method::{ExplicitEuler, SemiImplicitEuler},
};
use catena_tests::Random;
use std::{process::Command, sync::Arc};

fn rope(axes: usize, nodes: usize) -> (Model, State) {
    Rope {
        start: vec![0.25; axes],
        end: [0.1 * nodes as f64, 1.0, -0.5][..axes].to_vec(),
        nodes,
        matter: Matter::Nodes { mass: 1.0, stiffness: 300.0 },
        bending: 0.0,
        pins: vec![],
        last_node: LastNode::AtEnd,
    }
    .build()
    .unwrap()
}

fn cloth(axes: usize, rows: usize, columns: usize) -> (Model, State) {
    Cloth {
        corner: vec![0.25; axes],
        across: [0.1 * columns as f64, 0.2, -0.5][..axes].to_vec(),
        down: [0.1, 0.1 * rows as f64, 0.7][..axes].to_vec(),
        rows,
        columns,
        mass: 1.0,
        stiffness: 300.0,
        poisson: 0.0,
        pins: vec![],
    }
    .build()
    .unwrap()
}

/// Displaces nodes, pins some, and changes masses.
fn disturb(random: &mut Random, model: &mut Model, state: &mut State) {
    let n = model.nodes();
    let is_power = random.below(2) == 0;
    for node in 0..n {
        model.pinned[node] = random.below(7) == 0;
        model.mass[node] =
            if is_power { [0.5, 1.0, 4.0][random.below(3)] } else { random.between(0.3, 3.0) };
    }
    for x in &mut state.x {
        *x += random.between(-0.02, 0.02);
    }
    for (index, v) in state.v.iter_mut().enumerate() {
        let v_of_free = [-0.0, random.between(-1.0, 1.0)][random.below(2)];
        *v = if model.pinned[index % n] { 0.0 } else { v_of_free };
    }
    // A spring of zero length, and non-finite numbers.
    for axis in 0..model.axes {
        state.x[axis * n + 1] = state.x[axis * n];
    }
    match random.below(6) {
        0 => state.x[n - 1] = f64::INFINITY,
        1 => state.v[n - 1] = f64::NAN,
        2 => state.x[n / 2] = -1e300,
        _ => {}
    }
}

/// Forces of all kinds, some omitted, in the order of a scene or in random order.
fn forces(random: &mut Random, axes: usize) -> Vec<Arc<dyn Force>> {
    let hooke = |part| Arc::new(ElasticSprings { law: Arc::new(Hooke {}), part });
    let mut rest: Vec<Arc<dyn Force>> = vec![
        hooke(Part::Held),
        hooke(Part::Bending),
        Arc::new(Gravity { acceleration: [-0.0, -9.81, 0.3][..axes].to_vec() }),
        Arc::new(Drag { coefficient: 0.07, wind: [1.5, -0.0, 0.2][..axes].to_vec() }),
    ];
    let is_usual = random.below(2) == 0;
    let mut forces = Vec::new();
    while !rest.is_empty() {
        let force = rest.remove(if is_usual { 0 } else { random.below(rest.len()) });
        if random.below(5) > 0 {
            forces.push(force);
        }
    }
    forces
}

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    a.len() == b.len() && a.iter().zip(b).all(same)
}

/// Compares bursts with single steps, for both methods.
fn compare(model: &Model, start: &State, forces: &[Arc<dyn Force>], bursts: &[u64], what: &str) {
    let methods: [&dyn Method; 2] = [&ExplicitEuler {}, &SemiImplicitEuler {}];
    let memory = SpringMemory::default();
    let anchors = Anchors::new(model, start, &[]);
    let system = System::new(model, &memory, forces, &anchors);
    for method in methods {
        let dt = 0.002;
        let (mut plain, mut fast) = (start.clone(), start.clone());
        let mut integrator = method.start(model, start, dt);
        for &count in bursts {
            for _ in 0..count {
                integrator.step(&system, &mut plain, dt);
                anchors.apply(&mut plain);
            }
            let mut end = State::at_rest(vec![f64::NAN; fast.x.len()]);
            assert!(integrator.burst(&system, &fast, &mut end, dt, count), "no kernel: {what}");
            fast = end;
            anchors.apply(&mut fast);
            let name = method.info().name;
            assert!(same_bits(&plain.x, &fast.x), "{name}: positions, {what}, {count}");
            assert!(same_bits(&plain.v, &fast.v), "{name}: velocities, {what}, {count}");
        }
        let mut saved = Vec::new();
        integrator.save(&mut saved);
        assert!(saved.is_empty());
    }
}

#[test]
fn ropes_of_all_lengths_keep_their_bits() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let lengths = (2..36).chain([64, 383, 385, 575, 576, 577, 585, 1200]);
    for nodes in lengths {
        for axes in [2, 3] {
            let (mut model, mut state) = rope(axes, nodes);
            disturb(&mut random, &mut model, &mut state);
            let forces = forces(&mut random, axes);
            let bursts = [1, 2 + random.below(9) as u64, 60 + random.below(20) as u64, 0];
            compare(&model, &state, &forces, &bursts, &format!("{nodes} nodes, {axes} axes"));
        }
    }
}

#[test]
fn cloths_of_all_shapes_keep_their_bits() {
    let mut random = Random::new(0x2545_f491_4f6c_dd1d);
    for round in 0..60 {
        let axes = 2 + random.below(2);
        let (rows, columns) = match round {
            0 => (2, 2),
            1 => (2, 64),
            2 => (70, 3),
            _ => (2 + random.below(24), 2 + random.below(40)),
        };
        let (mut model, mut state) = cloth(axes, rows, columns);
        disturb(&mut random, &mut model, &mut state);
        let forces = forces(&mut random, axes);
        let bursts = [1, 2, 3 + random.below(9) as u64, 0, 4];
        compare(&model, &state, &forces, &bursts, &format!("{rows} by {columns}, {axes} axes"));
    }
}

/// The instruction set is chosen once per process, so each set gets its own process.
#[test]
fn narrower_instructions_give_the_same() {
    for set in Instructions::ALL.into_iter().filter(|set| *set != Instructions::best()) {
        let mut tests = Command::new(std::env::current_exe().unwrap());
        let tests = tests.arg("_keep_their_bits").env(Instructions::VARIABLE, set.name());
        let output = tests.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("2 passed"), "{}: {text}", set.name());
    }
}

/// Whether a kernel takes a burst of one step. If not, it must leave everything unchanged.
fn takes(model: &Model, state: &State, forces: &[Arc<dyn Force>], memory: &SpringMemory) -> bool {
    let anchors = Anchors::new(model, state, &[]);
    let system = System::new(model, memory, forces, &anchors);
    let before = State::at_rest(vec![7.0; state.x.len()]);
    let mut end = before.clone();
    let mut integrator = SemiImplicitEuler {}.start(model, state, 0.01);
    let took = integrator.burst(&system, state, &mut end, 0.01, 1);
    assert!(took || end == before);
    took
}

#[test]
fn what_does_not_fit_is_left_to_the_plain_loop() {
    let whole = SpringMemory::default();
    let hooke = || -> Arc<dyn Force> {
        Arc::new(ElasticSprings { law: Arc::new(Hooke {}), part: Part::Held })
    };
    let gravity = |axes| -> Arc<dyn Force> { Arc::new(Gravity { acceleration: vec![1.0; axes] }) };
    for (model, state) in [rope(2, 20), cloth(3, 6, 5)] {
        assert!(takes(&model, &state, &[hooke()], &whole));
        assert!(takes(&model, &state, &[], &whole));
        assert!(!takes(&model, &state, &[hooke(), hooke()], &whole));
        assert!(!takes(&model, &state, &[gravity(model.axes + 1)], &whole));
        let law = Arc::new(Exponential { alpha: 1.0 });
        let bent: Arc<dyn Force> = Arc::new(ElasticSprings { law, part: Part::Held });
        assert!(!takes(&model, &state, &[bent], &whole));
        let broken = vec![false; model.springs.len()];
        let mut torn = SpringMemory { broken, ..SpringMemory::default() };
        torn.broken[3] = true;
        assert!(!takes(&model, &state, &[hooke()], &torn));
        let mut other = model.clone();
        other.springs.swap(1, 2);
        assert!(!takes(&other, &state, &[hooke()], &whole));
        let mut other = model.clone();
        let Spring { a, b, .. } = other.springs[2];
        (other.springs[2].a, other.springs[2].b) = (b, a);
        assert!(!takes(&other, &state, &[hooke()], &whole));
    }
}
