//! The kernel that sums forces gives the same bits as the plain loops, for any body and any forces.

use catena::sim::{
    Assembly, Force, Method, Model, Rope, Setup, Simulation, Spring, SpringMemory, State, System,
    body::shape::{Topology, cloth::Cloth},
    drive::Anchors,
    force::{
        ChangingGravity, Drag, ElasticSprings, Gravity, Part, SpringCoefficient, SpringDamping,
        SpringFriction,
        applied::PointForce,
        law::{
            Exponential, Hooke, PiecewiseLinear, Plastic, SpringLaw, StrainExponential,
            exp::exp_in_place,
        },
    },
    instructions::Instructions,
    kernel::force_sum::ForceSum,
    method::{METHODS, with_defaults},
};
use catena::sim::{Components, drive::curve};
use catena_tests::Random;
use std::{cell::RefCell, process::Command, sync::Arc};

fn rope(axes: usize, nodes: usize, bending: f64) -> Rope {
    let end = [0.1 * nodes as f64, 1.0, -0.5][..axes].to_vec();
    Rope::new(vec![0.25; axes], end, nodes).of(1.0, 300.0).bending(bending)
}

/// A body of one of five kinds.
fn body(random: &mut Random, kind: usize) -> (Model, State) {
    let axes = 2 + random.below(2);
    match kind {
        0 => {
            let nodes = [2, 3, 9, 31, 255, 256, 257, 258, 700][random.below(9)];
            rope(axes, nodes, if nodes > 2 { 0.5 } else { 0.0 }).build().unwrap()
        }
        1 => {
            let (rows, columns) = (2 + random.below(30), 2 + random.below(40));
            let across = [0.1 * columns as f64, 0.2, -0.5][..axes].to_vec();
            let down = [0.1, 0.1 * rows as f64, 0.7][..axes].to_vec();
            Cloth::new(vec![0.25; axes], across, down, (rows, columns)).build().unwrap()
        }
        2 => {
            let part = |at: f64, nodes| {
                let end = [at + 0.1 * nodes as f64, 1.0, -0.5][..axes].to_vec();
                Rope::new(vec![at; axes], end, nodes)
            };
            let sizes = [2 + random.below(20), 2 + random.below(300), 2 + random.below(9)];
            let [a, b, c] = [part(0.0, sizes[0]), part(30.0, sizes[1]), part(70.0, sizes[2])];
            Assembly::new().part("a", &a).part("b", &b).part("c", &c).build().unwrap()
        }
        // Springs in random order, some between the same nodes.
        _ => {
            let (mut model, state) = rope(axes, 2 + random.below(400), 0.0).build().unwrap();
            let n = model.nodes();
            let mut spring = |a: usize| {
                let b = (a + 1 + random.below(n - 1)) % n;
                let (stiffness, rest_length) = (random.between(1.0, 9.0), random.between(0.1, 2.0));
                Spring { a, b, stiffness, rest_length }
            };
            let more: Vec<Spring> = (0..n).map(&mut spring).collect();
            model.springs.extend(more);
            (model.structural, model.held) = (model.springs.len(), model.springs.len());
            (model, state)
        }
    }
}

/// Displaces nodes, pins some, changes masses, and reverses some springs.
fn disturb(random: &mut Random, model: &mut Model, state: &mut State) {
    let n = model.nodes();
    let is_power = random.below(2) == 0;
    for node in 0..n {
        model.pinned[node] = random.below(7) == 0;
        model.mass[node] =
            if is_power { [0.5, 1.0, 4.0][random.below(3)] } else { random.between(0.3, 3.0) };
    }
    for spring in &mut model.springs {
        if random.below(9) == 0 {
            (spring.a, spring.b) = (spring.b, spring.a);
            spring.stiffness *= 1.5;
        }
    }
    for (x, v) in state.x.iter_mut().zip(&mut state.v) {
        *x += random.between(-0.02, 0.02);
        *v = [-0.0, 0.0, random.between(-1.0, 1.0)][random.below(3)];
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

fn law(random: &mut Random) -> Arc<dyn SpringLaw> {
    match random.below(8) {
        5 => Arc::new(StrainExponential { alpha: random.between(0.0, 5.0) }),
        6 => {
            let points = vec![(-0.3, -0.5), (-0.1, -0.2), (-0.1, -0.1), (0.1, 0.3), (0.1, 0.2)];
            Arc::new(PiecewiseLinear { points })
        }
        7 => Arc::new(PiecewiseLinear { points: vec![(0.02, 0.01), (0.02, 0.1), (0.5, 0.3)] }),
        0 => Arc::new(Exponential { alpha: random.between(0.0, 20.0) }),
        1 => Arc::new(PiecewiseLinear { points: vec![(0.02, 0.01), (0.1, 0.3), (0.5, 0.3)] }),
        2 => Arc::new(Plastic::default()),
        _ => Arc::new(Hooke {}),
    }
}

/// Forces of all kinds, some omitted, in the order of a scene or in random order.
fn forces(random: &mut Random, model: &Model) -> Vec<Arc<dyn Force>> {
    let axes = model.axes;
    let each: Vec<f64> = model.springs.iter().map(|_| random.between(0.0, 0.3)).collect();
    let vector = |by: f64| [-0.0, -9.81 * by, 0.3][..axes].to_vec();
    let law = law(random);
    let acceleration = curve::constant(&vector(0.5));
    let force = Components::from([1.0, 2.0]);
    let (node, from, until) = (random.below(model.nodes()), 0.0, 1.0);
    let mut rest: Vec<Arc<dyn Force>> = vec![
        Arc::new(ElasticSprings { law: Arc::clone(&law), part: Part::Held }),
        Arc::new(ElasticSprings { law, part: Part::Bending }),
        Arc::new(SpringDamping { coefficient: SpringCoefficient::new(0.2, model) }),
        Arc::new(SpringFriction { coefficient: SpringCoefficient::of_each(each.into()) }),
        Arc::new(Gravity { acceleration: vector(1.0) }),
        Arc::new(Drag { coefficient: 0.07, wind: vector(-0.2) }),
        Arc::new(PointForce { node, force, from, until }),
        Arc::new(ChangingGravity { acceleration }),
    ];
    let is_usual = random.below(2) == 0;
    let mut forces = Vec::new();
    while !rest.is_empty() {
        let force = rest.remove(if is_usual { 0 } else { random.below(rest.len()) });
        if random.below(3) > 0 {
            forces.push(force);
        }
    }
    forces
}

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    a.len() == b.len() && a.iter().zip(b).all(same)
}

#[test]
fn accelerations_are_those_of_the_plain_loops() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    for round in 0..400 {
        let (mut model, mut state) = body(&mut random, round % 4);
        disturb(&mut random, &mut model, &mut state);
        let forces = forces(&mut random, &model);
        let springs = model.springs.len();
        let memory = SpringMemory {
            plastic: (0..springs).map(|_| random.between(-0.1, 0.1)).collect(),
            broken: (0..springs).map(|_| random.below(12) == 0).collect(),
            rods: Vec::new(),
        };
        let anchors = Anchors::new(&model, &state, &[]);
        let plain = System::new(&model, &memory, &forces, &anchors);
        let sum = RefCell::new(ForceSum::new(&model, &memory, &forces));
        let fast = plain.summed(&sum);
        let (mut a, mut b) = (vec![1.0; state.x.len()], vec![2.0; state.x.len()]);
        // The second call must not contain anything of the first.
        for _ in 0..2 {
            plain.accelerations(&state, &mut a);
            fast.accelerations(&state, &mut b);
            assert!(same_bits(&a, &b), "round {round}: all forces {forces:?}");
            plain.external_accelerations(&state, &mut a);
            fast.external_accelerations(&state, &mut b);
            assert!(same_bits(&a, &b), "round {round}: external forces {forces:?}");
            state.x.iter_mut().for_each(|x| *x += 0.001);
        }
    }
}

/// A body with one run of springs: node i is joined with node i + `offset`.
fn lattice(random: &mut Random, nodes: usize, offset: usize) -> (Model, State) {
    let (mut model, state) = rope(2 + random.below(2), nodes, 0.0).build().unwrap();
    model.springs = (0..nodes - offset)
        .map(|a| {
            let (stiffness, rest_length) = (random.between(1.0, 9.0), random.between(0.1, 2.0));
            Spring { a, b: a + offset, stiffness, rest_length }
        })
        .collect();
    (model.structural, model.held) = (model.springs.len(), model.springs.len());
    (model, state)
}

#[test]
fn one_run_of_springs_and_weight_give_the_accelerations_of_the_plain_loops() {
    let mut random = Random::new(0x51ed_270b_9f3c_aa01);
    let offsets = [1, 2, 3, 4, 5, 8, 12, 16, 31, 32, 100, 256, 300];
    for (round, offset) in offsets.into_iter().cycle().take(26 * offsets.len()).enumerate() {
        let nodes = offset + 6 + random.below(600);
        let (mut model, mut state) = lattice(&mut random, nodes, offset);
        if round % 2 == 0 {
            disturb(&mut random, &mut model, &mut state);
        }
        let gravity = Gravity { acceleration: [-0.0, -9.81, 0.3][..model.axes].to_vec() };
        let springs = ElasticSprings { law: Arc::new(Hooke {}), part: Part::Held };
        let mut forces: Vec<Arc<dyn Force>> = vec![Arc::new(springs)];
        if random.below(4) > 0 {
            forces.push(Arc::new(gravity));
        }
        let broken = (0..model.springs.len()).map(|j| j % 7 == round % 40).collect();
        let memory = SpringMemory { plastic: Vec::new(), broken, rods: Vec::new() };
        let anchors = Anchors::new(&model, &state, &[]);
        let plain = System::new(&model, &memory, &forces, &anchors);
        let sum = RefCell::new(ForceSum::new(&model, &memory, &forces));
        let fast = plain.summed(&sum);
        let (mut a, mut b) = (vec![1.0; state.x.len()], vec![2.0; state.x.len()]);
        for _ in 0..2 {
            plain.accelerations(&state, &mut a);
            fast.accelerations(&state, &mut b);
            assert!(same_bits(&a, &b), "round {round}: {nodes} nodes, offset {offset}");
            state.x.iter_mut().for_each(|x| *x += 0.001);
        }
    }
}

/// Every method in the plain loops, compared with whole frames of a simulation.
#[test]
fn frames_of_every_method_are_those_of_the_plain_loops() {
    for (number, name) in METHODS.iter().map(|info| info.name).enumerate() {
        for kind in 0..3 {
            let mut random = Random::new(0x2545_f491_4f6c_dd1d + number as u64);
            let (mut model, initial) = body(&mut random, kind);
            model.pinned[0] = true;
            let method: Arc<dyn Method> = with_defaults(name).unwrap();
            let gravity = [0.0, -9.81, 0.0][..model.axes].to_vec();
            let mut setup = Setup::of_body(model, initial).gravity(gravity).method_of(method);
            setup = setup.frames(0.004, 4);
            if number % 2 == 0 {
                setup = setup.spring_damping(0.01);
            }
            let setup = setup.check().unwrap();
            let mut simulation = Simulation::new(Arc::clone(&setup));
            let mut state = setup.initial.clone();
            let memory = SpringMemory::default();
            let anchors = Anchors::new(&setup.model, &state, &[]);
            let system = System::new(&setup.model, &memory, &setup.forces, &anchors);
            let mut integrator = setup.method.start(&setup.model, &state, setup.dt());
            for frame in 0..3 {
                for step in 0..4 {
                    integrator.step(&system, &mut state, setup.dt());
                    state.t = f64::from(frame * 4 + step + 1) * setup.dt();
                    anchors.apply(&mut state);
                }
                simulation.advance_frame();
                let fast = simulation.state();
                assert!(same_bits(&state.x, &fast.x), "{name}: positions, body {kind}");
                assert!(same_bits(&state.v, &fast.v), "{name}: velocities, body {kind}");
            }
        }
    }
}

#[test]
fn springs_flow_as_one_by_one() {
    let mut random = Random::new(0x1234_5678_9abc_def1);
    let mut flows = 0;
    for round in 0..40 {
        let (mut model, initial) = body(&mut random, round % 3);
        model.pinned[0] = true;
        let law = Plastic { yield_strain: 0.001, hardening: random.between(0.0, 0.5) };
        let gravity = [0.0, -9.81, 0.0][..model.axes].to_vec();
        let setup = Setup::of_body(model, initial).gravity(gravity).law(law.clone());
        let setup = setup.frames(0.004, 4).check().unwrap();
        let mut simulation = Simulation::new(Arc::clone(&setup));
        for _ in 0..8 {
            let before = simulation.springs().plastic.clone();
            simulation.step();
            let springs = setup.model.springs.iter().zip(&before);
            let flow = |(spring, before): (&Spring, &f64)| {
                let length = setup.model.span(&simulation.state().x, spring).1;
                law.flow(spring, length, *before, setup.dt())
            };
            let plain: Vec<f64> = springs.map(flow).collect();
            assert!(same_bits(&plain, &simulation.springs().plastic), "round {round}");
            flows += usize::from(plain != before);
        }
    }
    assert!(flows > 50, "only {flows} steps with flow");
}

#[test]
fn exponentials_are_those_of_libm() {
    let mut random = Random::new(77);
    for _ in 0..2000 {
        let greatest = libm::exp(random.between(-40.0, 5.0));
        let numbers: Vec<f64> = (0..37).map(|_| random.between(0.0, greatest)).collect();
        let mut fast = numbers.clone();
        exp_in_place(&mut fast);
        let plain: Vec<f64> = numbers.iter().map(|x| libm::exp(*x)).collect();
        assert!(same_bits(&plain, &fast), "{numbers:?}");
    }
    let edges = [0x3E30_0000, 0x3E30_0001, 0x3FD6_2E42, 0x3FD6_2E43].map(|high: u64| high << 32);
    for bits in edges.into_iter().flat_map(|bits| [bits - 1, bits, bits + 1]) {
        let x = f64::from_bits(bits);
        let mut fast = [x, 0.1, 0.0];
        exp_in_place(&mut fast);
        assert_eq!(fast[0].to_bits(), libm::exp(x).to_bits(), "{bits:x}");
    }
    let mut fast = [f64::NAN, f64::INFINITY, 800.0];
    exp_in_place(&mut fast);
    assert!(fast[0].is_nan() && fast[1] == f64::INFINITY && fast[2] == f64::INFINITY);
}

/// The instruction set is chosen once per process, so each set gets its own process.
#[test]
fn narrower_instructions_sum_the_same() {
    for set in Instructions::ALL.into_iter().filter(|set| *set != Instructions::best()) {
        let mut tests = Command::new(std::env::current_exe().unwrap());
        let tests = tests.arg("force_sum::").env(Instructions::VARIABLE, set.name());
        let output = tests.arg("--skip=narrower").output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("5 passed"), "{}: {text}", set.name());
    }
}
