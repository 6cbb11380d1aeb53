//! The kernels of constraint Verlet give the same bits as the plain loop, for any chain.

mod lanes;
mod wave;

use catena::sim::{
    Force, Integrator, Method, Model, Spring, SpringMemory, State, System,
    drive::Anchors,
    force::Gravity,
    instructions::Instructions,
    kernel::chain_projection::{self, BurstStates, ProjectedChain as Chain, Workspace},
    method::{ConstraintVerlet, DampingOf, LengthCorrection, ProjectionPlace},
};
use catena_tests::Random;
use std::sync::Arc;

/// A chain with all relevant variations, in `axes` axes.
#[derive(Clone)]
struct Case {
    model: Model,
    initial: State,
    forces: Vec<Arc<dyn Force>>,
    method: ConstraintVerlet,
    dt: f64,
}

fn case(random: &mut Random, axes: usize, nodes: usize) -> Case {
    let mut x: Vec<f64> = (0..axes * nodes).map(|_| random.signed()).collect();
    if random.below(3) == 0 {
        // Straight down along an axis, with zeros of both signs, and springs of zero length.
        x[..nodes].iter_mut().for_each(|x| *x = if random.below(2) == 0 { 0.0 } else { -0.0 });
        for i in 1..nodes {
            if random.below(4) == 0 {
                (0..axes).for_each(|axis| x[axis * nodes + i] = x[axis * nodes + i - 1]);
            }
        }
    }
    if random.below(8) == 0 {
        let index = random.below(axes * nodes);
        x[index] = [f64::NAN, f64::INFINITY, 1e200, 1e-310][random.below(4)];
    }
    if random.below(6) == 0 {
        // Values at which quotients and their remainders leave the normal range.
        for _ in 0..nodes {
            let index = random.below(axes * nodes);
            let scale = [1e-310, 1e-290, 1e-270, 1e-160, 1e-150, 1e150][random.below(6)];
            x[index] = scale * random.signed();
        }
    }
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
    let springs = (1..nodes).map(|b| Spring {
        a: b - 1,
        b,
        stiffness: 1.0,
        rest_length: 0.1 + random.signed().abs(),
    });
    let springs: Vec<Spring> = springs.collect();
    let held = springs.len();
    let mass = masses(random, nodes);
    let model = Model { axes, mass, pinned, springs, structural: held, held, ..Model::default() };
    let mut initial = State::at_rest(x);
    initial.v.iter_mut().for_each(|v| *v = random.signed());
    let accelerations = (0..random.below(3)).map(|_| (0..axes).map(|_| random.signed()).collect());
    let forces = accelerations
        .map(|acceleration| Arc::new(Gravity { acceleration }) as Arc<dyn Force>)
        .collect();
    let method = method(random);
    Case { model, initial, forces, method, dt: 0.001 + random.signed().abs() * 0.1 }
}

/// Random options for which a kernel exists.
fn method(random: &mut Random) -> ConstraintVerlet {
    use LengthCorrection::{Full, HalfBesidePin, HalfShare, WholeAtBothEnds};
    ConstraintVerlet {
        iterations: 1,
        projection: ProjectionPlace::First,
        damping: [0.0, 0.0001, 0.3, 1.0][random.below(4)],
        damping_of: [DampingOf::Displacement, DampingOf::Step][random.below(2)],
        correction: [Full, HalfBesidePin, HalfShare, WholeAtBothEnds][random.below(4)],
        tethers: false,
    }
}

/// Factor of a dt² in the displacement of nodes per step.
fn push_factor(method: &ConstraintVerlet) -> f64 {
    match method.damping_of {
        DampingOf::Displacement => 1.0,
        DampingOf::Step => 1.0 - method.damping,
    }
}

/// All equal (as along a material, with half a mass at either end), equal with a few exceptions, or
/// all different.
fn masses(random: &mut Random, nodes: usize) -> Vec<f64> {
    let one = 0.5 + random.signed().abs();
    let mut mass = vec![one; nodes];
    match random.below(4) {
        0 => {}
        1 => (mass[0], mass[nodes - 1]) = (0.5 * one, 0.5 * one),
        2 => mass[random.below(nodes)] = 1e9,
        _ => mass.iter_mut().for_each(|mass| *mass = 0.5 + random.signed().abs()),
    }
    mass
}

/// Asserts equal bits, or that both values are NaN.
fn assert_same(left: &[f64], right: &[f64], what: &str) {
    assert_eq!(left.len(), right.len());
    for (index, (left, right)) in left.iter().zip(right).enumerate() {
        let is_same = left.to_bits() == right.to_bits() || left.is_nan() && right.is_nan();
        assert!(is_same, "{what}, number {index}: {left:?} is not {right:?}");
    }
}

fn memory(run: &dyn Integrator) -> Vec<f64> {
    let mut memory = Vec::new();
    run.save(&mut memory);
    memory
}

/// State of a run, including its memory.
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

    /// Takes steps one by one.
    fn step(&self, run: &mut Run, count: u64) {
        let (anchors, springs) = (self.anchors(), SpringMemory::default());
        let system = System::new(&self.model, &springs, &self.forces, &anchors);
        for _ in 0..count {
            run.integrator.step(&system, &mut run.state, self.dt);
            anchors.apply(&mut run.state);
        }
    }

    /// Takes all steps at once. Returns whether a kernel exists.
    fn burst(&self, run: &mut Run, count: u64) -> bool {
        let (anchors, springs) = (self.anchors(), SpringMemory::default());
        let system = System::new(&self.model, &springs, &self.forces, &anchors);
        let mut end = State::at_rest(vec![f64::NAN; run.state.x.len()]);
        let before = memory(&*run.integrator);
        let is_done = run.integrator.burst(&system, &run.state, &mut end, self.dt, count);
        if is_done {
            let after = memory(&*run.integrator);
            run.integrator.undo_burst();
            assert_same(&memory(&*run.integrator), &before, "taken back");
            run.integrator.restore(&after);
            run.state = end;
        }
        anchors.apply(&mut run.state);
        is_done
    }
}

/// Compares the kernel with the same chain step by step.
fn assert_wave_as_plain(case: &Case, set: Instructions, count: u64) {
    let nodes = case.model.nodes();
    let mut plain = case.start();
    let first_last = memory(&*plain.integrator);
    case.step(&mut plain, count);
    let (springs, anchors) = (SpringMemory::default(), case.anchors());
    let mut accelerations = vec![0.0; case.initial.x.len()];
    System::new(&case.model, &springs, &case.forces, &anchors)
        .external_accelerations(&case.initial, &mut accelerations);
    let ends = (case.model.pinned[0], case.model.pinned[nodes - 1]);
    let chain = Chain {
        model: &case.model,
        is_reversed: ends == (false, true),
        accelerations: &accelerations,
        damping: case.method.damping,
        push_factor: push_factor(&case.method),
        factors: case.method.correction.factors(),
        dt: case.dt,
    };
    let all_wrong = vec![f64::NAN; case.initial.x.len()];
    let (mut x, mut last, mut v) = (all_wrong.clone(), all_wrong.clone(), all_wrong);
    let motion =
        BurstStates { start: [&case.initial.x, &first_last], end: [&mut x, &mut last], v: &mut v };
    assert!(chain_projection::advance(set, &chain, motion, &mut Workspace::default(), count));
    assert_same(&x, &plain.state.x, set.name());
    let is_free = |index: &usize| !case.model.pinned[index % nodes];
    for index in (0..v.len()).filter(is_free) {
        assert_same(&v[index..][..1], &plain.state.v[index..][..1], set.name());
    }
    assert_same(&last, &memory(&*plain.integrator), set.name());
}
