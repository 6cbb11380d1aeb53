//! The wavefront of constraint Verlet gives the bits of the plain loop, whatever the chain.

use catena::sim::{
    Arrangement, Force, Integrator, Method, Model, Spring, SpringMemory, State, System,
    drive::Anchors,
    force::{Drag, Gravity},
    instructions::Instructions,
    kernel::{
        chain_lanes::{ChainLane, LANES, LaneChains, LaneMotions},
        chain_projection::{self, Chain, Motion, Workspace},
    },
    method::ConstraintVerlet,
};
use std::sync::Arc;

/// A small generator (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// From -1 to 1.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A chain with everything that makes a difference, in `axes` axes.
#[derive(Clone)]
struct Case {
    model: Model,
    initial: State,
    forces: Vec<Arc<dyn Force>>,
    method: ConstraintVerlet,
    dt: f64,
}

fn case(random: &mut Random, axes: usize, nodes: usize) -> Case {
    let mut x: Vec<f64> = (0..axes * nodes).map(|_| random.unit()).collect();
    if random.below(3) == 0 {
        // Straight down along an axis, with zeros of both signs, and springs without length.
        x[..nodes].iter_mut().for_each(|x| *x = if random.below(2) == 0 { 0.0 } else { -0.0 });
        for i in 1..nodes {
            if random.below(4) == 0 {
                (0..axes).for_each(|axis| x[axis * nodes + i] = x[axis * nodes + i - 1]);
            }
        }
    }
    if random.below(8) == 0 {
        let index = random.below((axes * nodes) as u64) as usize;
        x[index] = [f64::NAN, f64::INFINITY, 1e200, 1e-310][random.below(4) as usize];
    }
    if random.below(6) == 0 {
        // Where quotients and their remainders leave the ordinary range.
        for _ in 0..nodes {
            let index = random.below((axes * nodes) as u64) as usize;
            let scale = [1e-310, 1e-290, 1e-270, 1e-160, 1e-150, 1e150][random.below(6) as usize];
            x[index] = scale * random.unit();
        }
    }
    let mut pinned = vec![false; nodes];
    match random.below(6) {
        0 => {}
        1 => pinned[0] = true,
        2 => pinned[nodes - 1] = true,
        3 => (pinned[0], pinned[nodes - 1]) = (true, true),
        // Many pins, or long stretches without.
        pins => {
            let one_in = if pins == 4 { 3 } else { 80 };
            pinned.iter_mut().for_each(|pinned| *pinned = random.below(one_in) == 0);
        }
    }
    let springs = (1..nodes).map(|b| Spring {
        a: b - 1,
        b,
        stiffness: 1.0,
        rest_length: 0.1 + random.unit().abs(),
    });
    let springs: Vec<Spring> = springs.collect();
    let held = springs.len();
    let mass = masses(random, nodes);
    let arrangement = Arrangement::Chain;
    let model = Model { axes, mass, pinned, springs, structural: held, held, arrangement };
    let mut initial = State::at_rest(x);
    initial.v.iter_mut().for_each(|v| *v = random.unit());
    let accelerations = (0..random.below(3)).map(|_| (0..axes).map(|_| random.unit()).collect());
    let forces = accelerations
        .map(|acceleration| Arc::new(Gravity { acceleration }) as Arc<dyn Force>)
        .collect();
    let damping = [0.0, 0.0001, 0.3, 1.0][random.below(4) as usize];
    let method = ConstraintVerlet { damping, tethers: false };
    Case { model, initial, forces, method, dt: 0.001 + random.unit().abs() * 0.1 }
}

/// All alike, as along a material with half a mass at either end, alike but for a few, or all
/// different.
fn masses(random: &mut Random, nodes: usize) -> Vec<f64> {
    let one = 0.5 + random.unit().abs();
    let mut mass = vec![one; nodes];
    match random.below(4) {
        0 => {}
        1 => (mass[0], mass[nodes - 1]) = (0.5 * one, 0.5 * one),
        2 => mass[random.below(nodes as u64) as usize] = 1e9,
        _ => mass.iter_mut().for_each(|mass| *mass = 0.5 + random.unit().abs()),
    }
    mass
}

/// Equal bits, or both no number.
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

/// Where a run stands: state and memory.
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

    /// Each step by itself.
    fn step(&self, run: &mut Run, count: u64) {
        let (anchors, springs) = (self.anchors(), SpringMemory::default());
        let system = System::new(&self.model, &springs, &self.forces, &anchors);
        for _ in 0..count {
            run.integrator.step(&system, &mut run.state, self.dt);
            anchors.apply(&mut run.state);
        }
    }

    /// All steps at once; says whether there is a kernel.
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

#[test]
fn a_burst_gives_the_bits_of_the_plain_loop() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut bursts = 0;
    for round in 0..300 {
        let axes = 2 + round % 2;
        let nodes = [2, 3, 4, 5, 15, 16, 17, 31, 33, 63, 64, 65, 130, 201, 300];
        let nodes = nodes[random.below(15) as usize];
        let case = case(&mut random, axes, nodes);
        let (mut plain, mut fast) = (case.start(), case.start());
        for _ in 0..3 {
            let count = 1 + random.below(if round % 3 == 0 { 5 } else { 70 });
            case.step(&mut plain, count);
            if case.burst(&mut fast, count) {
                bursts += 1;
            } else {
                assert!(count < 8 || nodes < 8, "{count} steps of {nodes} nodes have no kernel");
                case.step(&mut fast, count);
            }
            let what = format!("round {round}, {nodes} nodes, {count} steps");
            assert_same(&fast.state.x, &plain.state.x, &what);
            assert_same(&fast.state.v, &plain.state.v, &what);
            assert_same(&memory(&*fast.integrator), &memory(&*plain.integrator), &what);
        }
    }
    assert!(bursts > 400, "only {bursts} bursts");
}

#[test]
fn all_instructions_give_the_same_bits() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for round in 0..120 {
        let nodes = [4, 16, 40, 64, 100, 128, 300][random.below(7) as usize];
        let case = case(&mut random, 2 + round % 2, nodes);
        let count = 3 + random.below(100);
        for set in Instructions::ALL.into_iter().filter(|set| set.is_available()) {
            assert_wave_as_plain(&case, set, count);
        }
    }
}

/// The kernel beside the same chain step by step.
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
        dt: case.dt,
    };
    let all_wrong = vec![f64::NAN; case.initial.x.len()];
    let (mut x, mut last, mut v) = (all_wrong.clone(), all_wrong.clone(), all_wrong);
    let motion =
        Motion { start: [&case.initial.x, &first_last], end: [&mut x, &mut last], v: &mut v };
    assert!(chain_projection::advance(set, &chain, motion, &mut Workspace::default(), count));
    assert_same(&x, &plain.state.x, set.name());
    let is_free = |index: &usize| !case.model.pinned[index % nodes];
    for index in (0..v.len()).filter(is_free) {
        assert_same(&v[index..][..1], &plain.state.v[index..][..1], set.name());
    }
    assert_same(&last, &memory(&*plain.integrator), set.name());
}

/// Ropes of one shape, straight along an axis for half of the rounds, in some of the lanes.
#[test]
fn lanes_of_variants_give_the_bits_of_the_plain_loop() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for round in 0..60 {
        let (axes, nodes) = (2 + round % 2, 2 + random.below(20) as usize);
        let mut cases: Vec<Case> =
            (0..1 + random.below(LANES as u64)).map(|_| case(&mut random, axes, nodes)).collect();
        let pinned = cases[0].model.pinned.clone();
        for case in &mut cases {
            case.model.pinned.clone_from(&pinned);
            if round % 4 < 2 {
                (0..nodes).for_each(|i| case.initial.x[i] = 0.0);
                case.initial.v[..nodes].fill(0.0);
            }
        }
        let count = 1 + random.below(40);
        for set in Instructions::ALL.into_iter().filter(|set| set.is_available()) {
            assert_lanes_as_alone(&cases, set, count, &format!("round {round}, {}", set.name()));
        }
    }
}

fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// All in lanes, beside each by itself, step by step.
fn assert_lanes_as_alone(cases: &[Case], set: Instructions, count: u64, what: &str) {
    let (mut chains, mut motions) = (LaneChains::default(), LaneMotions::default());
    let pinned = &cases[0].model.pinned;
    let is_reversed = !pinned[0] && pinned[pinned.len() - 1];
    for (lane, case) in cases.iter().enumerate() {
        let (springs, anchors) = (SpringMemory::default(), case.anchors());
        let mut accelerations = vec![0.0; case.initial.x.len()];
        System::new(&case.model, &springs, &case.forces, &anchors)
            .external_accelerations(&case.initial, &mut accelerations);
        let last = memory(&*case.start().integrator);
        let damping = case.method.damping;
        let method = ChainLane { last: &last, accelerations: &accelerations, damping, is_reversed };
        chains.put(lane, &case.model, case.dt, &method);
        motions.put(&chains, lane, &case.initial, &last);
    }
    chains.advance(set, &mut motions, count);
    for (lane, case) in cases.iter().enumerate() {
        let mut plain = case.start();
        case.step(&mut plain, count);
        let what = format!("{what}, lane {lane}");
        let (state, last) = motions.take(&chains, lane);
        assert_same(&state.x, &plain.state.x, &what);
        let is_free = |index: usize| !pinned[index % pinned.len()];
        for index in (0..state.v.len()).filter(|&index| is_free(index)) {
            assert_same(&state.v[index..][..1], &plain.state.v[index..][..1], &what);
        }
        assert_same(last, &memory(&*plain.integrator), &what);
    }
}

/// Springs along an axis, whose length is a number that is hard to divide by: just below a power of two, or any. What is too much of their
/// length is nearly all of it, so that the other axis ends where the last bits of a quotient are left.
#[test]
fn quotients_are_rounded_as_by_a_division() {
    let mut random = Random(0x0dd0_5eed_0dd0_5eed);
    for round in 0..400 {
        let mut cases: Vec<Case> = (0..LANES).map(|_| case(&mut random, 2, 2)).collect();
        for (lane, case) in cases.iter_mut().enumerate() {
            let below = match round % 2 {
                0 => (lane + LANES * round / 2) as u64,
                _ => random.next() >> 12,
            };
            let length = f64::from_bits(2.0_f64.to_bits() - 1 - below);
            let scale = power_of_two(-30 - random.below(200) as i64);
            let aside = if round % 4 == 0 { scale } else { scale * random.unit() };
            (case.initial.x, case.initial.v) = (vec![0.0, length, 0.0, aside], vec![0.0; 4]);
            case.model.pinned = vec![true, false];
            case.model.springs[0].rest_length = length * power_of_two(-60);
            case.method.damping = 1.0;
            case.forces.clear();
        }
        for set in Instructions::ALL.into_iter().filter(|set| set.is_available()) {
            assert_lanes_as_alone(&cases, set, 1, &format!("round {round}, {}", set.name()));
        }
    }
}

/// 1 over the length of one spring is the hardest of all to round: between two free nodes in lanes, and far along a rope that is at rest up to it,
/// where a wave is under way in all lanes.
#[test]
fn the_hardest_reciprocal_is_rounded_as_by_a_division() {
    let mut random = Random(7);
    let aside = f64::from_bits(0x3ffb_b67a_e858_4caa);
    for (nodes, hardest, is_alone) in [(160, 100, true), (2, 0, false)] {
        let mut case = case(&mut random, 2, nodes);
        let (x, y): (Vec<f64>, Vec<f64>) = (0..nodes)
            .map(|node| (node as f64 - hardest as f64, if node > hardest { aside } else { 0.0 }))
            .unzip();
        (case.initial.x, case.initial.v) = ([x, y].concat(), vec![0.0; 2 * nodes]);
        case.model.pinned.fill(false);
        case.model.springs.iter_mut().for_each(|spring| spring.rest_length = 1.0);
        case.model.springs[hardest].rest_length = 0.1;
        case.forces.clear();
        assert_eq!((1.0 + aside * aside).sqrt().to_bits(), 2.0_f64.to_bits() - 1);
        for set in Instructions::ALL.into_iter().filter(|set| set.is_available()) {
            if is_alone {
                assert_wave_as_plain(&case, set, 40);
            } else {
                let cases: Vec<Case> = vec![case.clone(); LANES];
                assert_lanes_as_alone(&cases, set, 3, set.name());
            }
        }
    }
}

/// Springs that need care in every round of a wave, while nodes move: without length, or aside of an axis by next to nothing. What a block has
/// put back must not be what it begins with when it is run again.
#[test]
fn springs_may_need_care_in_every_round() {
    let mut random = Random(9);
    for (spacing, aside) in [(0.0, 0.0), (1.0, 1e-160)] {
        for is_reversed in [false, true] {
            let nodes = 300;
            let mut case = case(&mut random, 2, nodes);
            let along = |step: f64| (0..nodes).map(move |node| step * node as f64);
            case.initial.x = along(spacing).chain(along(aside)).collect();
            case.initial.v = along(0.0).map(|_| 1.0).chain(along(0.0)).collect();
            case.model.pinned.fill(false);
            case.model.pinned[nodes - 1] = is_reversed;
            case.model.springs.iter_mut().for_each(|spring| spring.rest_length = 1.0);
            (case.method.damping, case.dt) = (0.0, 0.01);
            case.forces.clear();
            for set in Instructions::ALL.into_iter().filter(|set| set.is_available()) {
                assert_wave_as_plain(&case, set, 100);
            }
        }
    }
}

#[test]
fn what_the_kernel_does_not_know_is_left_as_it_was() {
    let mut random = Random(7);
    for round in 0..4 {
        let mut case = case(&mut random, 2, 32);
        let (mut springs, anchors) = (SpringMemory::default(), case.anchors());
        match round {
            0 => case.forces.push(Arc::new(Drag { coefficient: 0.1, wind: vec![1.0, 0.0] })),
            1 => case.method.tethers = true,
            2 => case.model.springs.swap(3, 4),
            _ => springs.broken = (0..31).map(|spring| spring == 5).collect(),
        }
        let mut run = case.start();
        let (before, last) = (run.state.clone(), memory(&*run.integrator));
        let system = System::new(&case.model, &springs, &case.forces, &anchors);
        let mut end = before.clone();
        assert!(!run.integrator.burst(&system, &run.state, &mut end, case.dt, 64));
        assert_same(&end.x, &before.x, "positions");
        assert_same(&end.v, &before.v, "velocities");
        assert_same(&memory(&*run.integrator), &last, "memory");
    }
}
