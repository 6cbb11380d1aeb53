//! The kernels of PBD and XPBD give the same bits as the plain loop, for any chain or cloth.

use catena::sim::{
    Cloth, Force, Integrator, Method, Model, Spring, SpringMemory, State, StepReport, System,
    body::shape::Topology,
    drive::Anchors,
    force::{Drag, Gravity},
    instructions::Instructions,
    kernel::{
        Law,
        chain_sweeps::{self, SweptChain as Chain, SweptStates, Workspace},
        sheet_sweeps::{SheetSweeps, SweepPlan},
    },
    method::{LengthCorrection, Pbd, StiffnessPer, Xpbd},
};
use catena_tests::Random;
use std::sync::Arc;

/// A chain with all relevant variations, in `axes` axes.
struct Case {
    model: Model,
    initial: State,
    forces: Vec<Arc<dyn Force>>,
    method: Arc<dyn Method>,
    dt: f64,
}

/// Random positions; sometimes zeros of both signs, springs of zero length, non-finite numbers, and
/// numbers whose squares leave the normal range.
fn positions(random: &mut Random, axes: usize, nodes: usize) -> Vec<f64> {
    let mut x: Vec<f64> = (0..axes * nodes).map(|_| random.signed()).collect();
    if random.below(3) == 0 {
        x[..nodes].iter_mut().for_each(|x| *x = *random.one(&[0.0, -0.0]));
        for i in (1..nodes).filter(|i| i % 4 == 1) {
            (0..axes).for_each(|axis| x[axis * nodes + i] = x[axis * nodes + i - 1]);
        }
    }
    if random.below(8) == 0 {
        let index = random.below(axes * nodes);
        x[index] = *random.one(&[f64::NAN, f64::INFINITY, 1e200, 1e-310]);
    }
    if random.below(6) == 0 {
        for _ in 0..nodes {
            let index = random.below(axes * nodes);
            x[index] = *random.one(&[1e-310, 1e-290, 1e-160, 1e-150, 1e150]) * random.signed();
        }
    }
    x
}

fn model(random: &mut Random, axes: usize, nodes: usize) -> Model {
    let mut pinned = vec![false; nodes];
    match random.below(6) {
        0 => {}
        1 => pinned[0] = true,
        2 => pinned[nodes - 1] = true,
        3 => (pinned[0], pinned[nodes - 1]) = (true, true),
        // Many pins, or long stretches without pins.
        pins => {
            let one_in = if pins == 4 { 3 } else { 80 };
            pinned.iter_mut().for_each(|pinned| *pinned = random.one_in(one_in));
        }
    }
    let mut springs = Vec::new();
    for b in 1..nodes {
        let (stiffness, rest_length) =
            (*random.one(&[1.0, 50.0, 1e9]), 0.1 + random.signed().abs());
        springs.push(Spring { a: b - 1, b, stiffness, rest_length });
    }
    let mut mass = vec![0.5 + random.signed().abs(); nodes];
    match random.below(3) {
        0 => {}
        1 => mass[random.below(nodes)] = 1e9,
        _ => mass.iter_mut().for_each(|mass| *mass = 0.5 + random.signed().abs()),
    }
    let held = springs.len();
    Model { axes, mass, pinned, springs, structural: held, held, ..Model::default() }
}

fn forces(random: &mut Random, axes: usize) -> Vec<Arc<dyn Force>> {
    let mut forces: Vec<Arc<dyn Force>> = Vec::new();
    if random.below(3) > 0 {
        let acceleration = (0..axes).map(|_| random.signed()).collect();
        forces.push(Arc::new(Gravity { acceleration }));
    }
    if random.below(2) == 0 {
        let wind = (0..axes).map(|_| random.signed()).collect();
        forces.push(Arc::new(Drag { coefficient: 0.1, wind }));
    }
    if random.below(2) == 0 {
        forces.reverse();
    }
    forces
}

fn method(random: &mut Random) -> Arc<dyn Method> {
    use LengthCorrection::{Full, HalfShare};
    let iterations = *random.one(&[1, 2, 3, 5, 10, 17, 40]);
    if random.below(2) == 0 {
        let stiffness = *random.one(&[1.0, 0.5, 0.0]);
        return Arc::new(Pbd {
            iterations,
            stiffness,
            stiffness_per: *random.one(&[StiffnessPer::Solve, StiffnessPer::Iteration]),
            // The correction that halves only next to a pin has no kernel.
            correction: *random.one(&[Full, HalfShare]),
            tethers: false,
        });
    }
    let compliance = *random.one(&[None, None, Some(0.0), Some(0.3)]);
    Arc::new(Xpbd { compliance, iterations, substeps: *random.one(&[1, 1, 3]), tethers: false })
}

fn case(random: &mut Random, axes: usize, nodes: usize) -> Case {
    let x = positions(random, axes, nodes);
    let model = model(random, axes, nodes);
    let mut initial = State::at_rest(x);
    for (index, v) in initial.v.iter_mut().enumerate() {
        *v = if model.pinned[index % nodes] { 0.0 } else { random.signed() };
    }
    let (forces, method) = (forces(random, axes), method(random));
    Case { model, initial, forces, method, dt: 0.001 + random.signed().abs() * 0.1 }
}

/// Asserts equal bits, or that both values are NaN.
fn assert_same(left: &[f64], right: &[f64], what: &str) {
    assert_eq!(left.len(), right.len());
    for (index, (left, right)) in left.iter().zip(right).enumerate() {
        let is_same = left.to_bits() == right.to_bits() || left.is_nan() && right.is_nan();
        assert!(is_same, "{what}, number {index}: {left:?} is not {right:?}");
    }
}

/// State of a run.
struct Run {
    integrator: Box<dyn Integrator>,
    state: State,
}

impl Case {
    fn start(&self) -> Run {
        let integrator = self.method.start(&self.model, &self.initial, self.dt);
        let mut run = Run { integrator, state: self.initial.clone() };
        self.anchors().apply(&mut run.state);
        run
    }

    fn anchors(&self) -> Anchors {
        Anchors::new(&self.model, &self.initial, &[])
    }

    /// Takes steps one by one. Returns the number of steps that did not converge.
    fn step(&self, run: &mut Run, count: u64) -> u64 {
        let (anchors, springs) = (self.anchors(), SpringMemory::default());
        let system = System::new(&self.model, &springs, &self.forces, &anchors);
        let mut report = StepReport::none();
        for _ in 0..count {
            run.integrator.step(&system, &mut run.state, self.dt);
            report = report.and(run.integrator.report().unwrap());
            anchors.apply(&mut run.state);
        }
        report.unconverged
    }

    /// Takes all steps at once. Returns the number of steps that did not converge, if a kernel
    /// exists.
    fn burst(&self, run: &mut Run, count: u64) -> Option<u64> {
        let (anchors, springs) = (self.anchors(), SpringMemory::default());
        let system = System::new(&self.model, &springs, &self.forces, &anchors);
        let mut end = State::at_rest(vec![f64::NAN; run.state.x.len()]);
        let is_done = run.integrator.burst(&system, &run.state, &mut end, self.dt, count);
        if is_done {
            run.integrator.undo_burst();
            run.state = end;
        }
        anchors.apply(&mut run.state);
        is_done.then(|| run.integrator.report().unwrap().unconverged)
    }
}

#[test]
fn bursts_of_sweeps_give_the_bits_of_the_plain_loop() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let mut bursts = 0;
    for round in 0..400 {
        let nodes = *random.one(&[2, 3, 7, 8, 9, 15, 16, 17, 33, 64, 65, 130, 161, 201, 300]);
        let case = case(&mut random, 2 + round % 2, nodes);
        let (mut plain, mut fast) = (case.start(), case.start());
        for _ in 0..3 {
            let count = 1 + random.below(if round % 3 == 0 { 5 } else { 70 }) as u64;
            let expected = case.step(&mut plain, count);
            let what = format!("round {round}, {nodes} nodes, {count} steps, {:?}", case.method);
            if let Some(found) = case.burst(&mut fast, count) {
                bursts += 1;
                assert_eq!(found, expected, "{what}");
            } else {
                assert!(count < 2 || nodes < 15, "{what} have no kernel");
                case.step(&mut fast, count);
            }
            assert_same(&fast.state.x, &plain.state.x, &what);
            assert_same(&fast.state.v, &plain.state.v, &what);
            match (fast.integrator.tensions(), plain.integrator.tensions()) {
                (Some(fast), Some(plain)) => assert_same(fast, plain, &what),
                (fast, plain) => assert_eq!(fast, plain),
            }
        }
    }
    assert!(bursts > 700, "only {bursts} bursts");
}

#[test]
fn all_instructions_give_the_same_bits() {
    let mut random = Random::new(0x2545_f491_4f6c_dd1d);
    for round in 0..60 {
        let nodes = *random.one(&[8, 16, 40, 64, 100, 170, 300]);
        let case = case(&mut random, 2 + round % 2, nodes);
        let iterations = *random.one(&[1, 3, 10]);
        let compliance: Vec<f64> = case.model.springs.iter().map(|s| 1.0 / s.stiffness).collect();
        let law = *random.one(&[Law::Share(0.7), Law::Compliance(&compliance, 1e-3)]);
        let weights = case.model.mass.iter().zip(&case.model.pinned);
        let weights: Vec<f64> =
            weights.map(|(mass, pinned)| if *pinned { 0.0 } else { 1.0 / mass }).collect();
        let terms: Vec<_> = case.forces.iter().map(|force| force.term().unwrap()).collect();
        let model = &case.model;
        let is_reversed = round % 5 == 0;
        let chain = Chain {
            model,
            weights: &weights,
            is_reversed,
            iterations,
            law,
            terms: &terms,
            h: case.dt,
        };
        // A multiple of every number of lanes, so that no instruction set leaves steps over.
        let count = 8 * (1 + random.below(4) as u64);
        let mut ends = Vec::new();
        for set in Instructions::ALL.into_iter().filter(|set| set.is_available()) {
            let wrong = vec![f64::NAN; case.initial.x.len()];
            let (mut x, mut v, mut tension) = (wrong.clone(), wrong, vec![0.0; model.held]);
            let start = Some([&case.initial.x[..], &case.initial.v[..]]);
            let motion = SweptStates { start, end: [&mut x, &mut v], tension: &mut tension };
            let done = chain_sweeps::advance(set, &chain, motion, &mut Workspace::default(), count);
            // With few nodes and many iterations, no instruction set has a kernel.
            let Some(done) = done.filter(|done| done.steps > 0) else { continue };
            assert_eq!(done.steps, count);
            ends.push((set.name(), x, v, tension, done.unconverged));
        }
        for (name, x, v, tension, unconverged) in ends.iter().skip(1) {
            assert_same(x, &ends[0].1, name);
            assert_same(v, &ends[0].2, name);
            assert_same(tension, &ends[0].3, name);
            assert_eq!(*unconverged, ends[0].4, "{name}");
        }
    }
}

#[test]
fn what_the_kernel_does_not_know_is_left_as_it_was() {
    let mut random = Random::new(7);
    for round in 0..4 {
        let mut case = case(&mut random, 2, 32);
        let (mut springs, anchors) = (SpringMemory::default(), case.anchors());
        match round {
            0 => case.forces.extend([(); 2].map(|()| {
                Arc::new(Drag { coefficient: 0.1, wind: vec![1.0, 0.0] }) as Arc<dyn Force>
            })),
            1 => case.method = Arc::new(Xpbd { tethers: true, ..Xpbd::default() }),
            2 => case.model.springs.swap(3, 4),
            _ => springs.broken = (0..31).map(|spring| spring == 5).collect(),
        }
        let mut run = case.start();
        let before = run.state.clone();
        let system = System::new(&case.model, &springs, &case.forces, &anchors);
        let mut end = before.clone();
        assert!(!run.integrator.burst(&system, &run.state, &mut end, case.dt, 64));
        assert_same(&end.x, &before.x, "positions");
        assert_same(&end.v, &before.v, "velocities");
    }
}

/// A cloth whose masses, pins, lengths and positions are as random as in a chain.
fn cloth(random: &mut Random, axes: usize) -> Case {
    let (rows, columns) = (2 + random.below(20), 2 + random.below(20));
    let corner = |x: f64, y: f64| [x, y, 0.0][..axes].to_vec();
    let edges = (corner(1.0, 0.0), corner(0.0, 1.0));
    let cloth = Cloth::new(corner(0.0, 0.0), edges.0, edges.1, (rows, columns));
    let (mut body, _) = cloth.build().unwrap();
    let other = model(random, axes, rows * columns);
    (body.mass, body.pinned) = (other.mass, other.pinned);
    for spring in &mut body.springs {
        (spring.stiffness, spring.rest_length) =
            (*random.one(&[1.0, 50.0, 1e9]), 0.1 + random.signed().abs());
    }
    if random.below(4) == 0 {
        // Threads without springs that resist shear.
        body.held = body.structural;
    }
    let x = positions(random, axes, rows * columns);
    let mut case = case(random, axes, rows * columns);
    case.model = body;
    case.initial.x = x;
    case
}

#[test]
fn sweeps_over_cloths_give_the_bits_of_the_plain_loop() {
    let mut random = Random::new(0x1234_5678_9abc_def1);
    for round in 0..150 {
        let case = cloth(&mut random, 2 + round % 2);
        let (mut plain, mut fast) = (case.start(), case.start());
        // A caller that requests the forces on pins gets the plain loop.
        plain.integrator.keep_reactions();
        let mut springs = SpringMemory::default();
        let anchors = case.anchors();
        for step in 0..4 {
            if step == 2 && round % 3 == 0 {
                springs.broken = case.model.springs.iter().map(|_| random.below(6) == 0).collect();
            }
            let system = System::new(&case.model, &springs, &case.forces, &anchors);
            for run in [&mut plain, &mut fast] {
                run.integrator.step(&system, &mut run.state, case.dt);
                anchors.apply(&mut run.state);
            }
            let what = format!("round {round}, step {step}, {:?}", case.method);
            assert_same(&fast.state.x, &plain.state.x, &what);
            assert_same(&fast.state.v, &plain.state.v, &what);
            assert_eq!(fast.integrator.report(), plain.integrator.report(), "{what}");
            // PBD has tensions only if it records reactions, which no kernel does.
            let [of_fast, of_plain] = [&fast, &plain].map(|run| run.integrator.tensions());
            match of_fast {
                Some(of_fast) => assert_same(of_fast, of_plain.unwrap(), &what),
                None => assert!(format!("{:?}", case.method).starts_with("Pbd"), "{what}"),
            }
        }
    }
}

#[test]
fn all_instructions_sweep_over_cloths_with_the_same_bits() {
    let mut random = Random::new(0xfedc_ba98_7654_3211);
    for round in 0..60 {
        let Case { model, initial, dt, .. } = cloth(&mut random, 2 + round % 2);
        let weights: Vec<f64> = model.mass.iter().map(|mass| 1.0 / mass).collect();
        let compliance: Vec<f64> = model.held().iter().map(|s| 1.0 / s.stiffness).collect();
        let law = *random.one(&[Law::Share(0.7), Law::Compliance(&compliance, 1e-3)]);
        let mut ends = Vec::new();
        for set in Instructions::ALL.into_iter().filter(|set| set.is_available()) {
            let mut sheet = SheetSweeps::new(&model, &weights, round % 5 == 0, law).unwrap();
            let (mut x, mut tension) = (initial.x.clone(), vec![0.0; model.held]);
            let to = if matches!(law, Law::Share(_)) { &mut [][..] } else { &mut tension };
            let plan = SweepPlan { law, h: dt, iterations: 3 };
            let is_exact = sheet.sweep(set, &model, &[], plan, &mut x, to);
            ends.push((set.name(), x, tension, is_exact));
        }
        for (name, x, tension, is_exact) in &ends[1..] {
            assert_same(x, &ends[0].1, name);
            assert_same(tension, &ends[0].2, name);
            assert_eq!(*is_exact, ends[0].3, "{name}");
        }
    }
}
