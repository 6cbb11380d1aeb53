//! The kernel of implicit Euler for chains gives the same bits as the general path, over random
//! ropes.

use catena::sim::{
    Arrangement, Blocks, Body, Curve, Force, Integrator, Method, Model, Spring, SpringMemory,
    State, System,
    body::shape::{Topology, cloth::Cloth},
    drive::{Anchor, Anchors},
    force::{AtRest, Drag, ElasticSprings, ForceEnergy, Gravity, Part, Term, law::Hooke},
    instructions::Instructions,
    kernel::chain_implicit::{
        ChainImplicit,
        lanes::{ImplicitLanes, LANES, LaneChain},
    },
    method::ImplicitEuler,
    named::{BadOption, Info},
};
use catena_tests::Random;
use std::sync::Arc;

/// A force that kernels do not support, so that the general path is taken.
#[derive(Debug)]
pub(super) struct Opaque(pub(super) Arc<dyn Force>);
catena_sim::identity!(Opaque(force));

impl Force for Opaque {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        self.0.add_to(body, state, f);
    }

    fn add_jacobian(&self, body: &Body<'_>, state: &State, blocks: &mut Blocks<'_>) {
        self.0.add_jacobian(body, state, blocks);
    }

    fn load(&self, model: &Model) -> f64 {
        self.0.load(model)
    }

    fn at_rest(&self) -> AtRest<'_> {
        self.0.at_rest()
    }

    fn energy(&self) -> ForceEnergy<'_> {
        self.0.energy()
    }
}

/// A pin that shakes.
#[derive(Debug)]
struct Shaking(f64);
catena_sim::identity!(Shaking(width));

impl Curve for Shaking {
    fn info(&self) -> Info {
        Info { name: "Shaking", summary: "", options: &[] }
    }

    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        ([self.0 * t, t * t, -t], [self.0, 2.0 * t, -1.0])
    }

    fn places(&self) -> Vec<(f64, [f64; 3])> {
        Vec::new()
    }
}

/// A random rope, and everything that acts on it.
struct Case {
    model: Model,
    state: State,
    springs: SpringMemory,
    forces: Vec<Arc<dyn Force>>,
    opaque: Vec<Arc<dyn Force>>,
    anchors: Anchors,
    dt: f64,
}

fn force(kind: usize, values: &[f64]) -> Arc<dyn Force> {
    let vector = values[1..].to_vec();
    match kind {
        0 => Arc::new(Gravity { acceleration: vector }),
        1 => Arc::new(Drag { coefficient: values[0].abs(), wind: vector }),
        2 => Arc::new(ElasticSprings { law: Arc::new(Hooke {}), part: Part::Bending }),
        _ => Arc::new(ElasticSprings { law: Arc::new(Hooke {}), part: Part::Held }),
    }
}

/// Masses and springs of a chain. The values of each kind are either all equal or all different.
fn masses_and_springs(random: &mut Random, n: usize, size: f64) -> (Vec<f64>, Vec<Spring>) {
    let [masses, stiffnesses, lengths] = [0; 3].map(|_| if random.one_in(2) { n } else { 1 });
    let masses: Vec<_> = (0..masses).map(|_| random.between(0.01, 2.0)).collect();
    let stiffnesses: Vec<_> = (0..stiffnesses).map(|_| size * random.between(1.0, 1e5)).collect();
    let lengths: Vec<_> = (0..lengths).map(|_| random.between(0.01, 0.2)).collect();
    let springs = (1..n).map(|b| {
        let stiffness = stiffnesses[b % stiffnesses.len()];
        Spring { a: b - 1, b, stiffness, rest_length: lengths[b % lengths.len()] }
    });
    let masses = (0..n).map(|i| masses[i % masses.len()]).collect();
    (masses, springs.collect())
}

impl Case {
    /// `size` is the magnitude of numbers: 1 for values of typical ropes.
    fn new(random: &mut Random, n: usize, size: f64) -> Self {
        let axes = 2 + random.below(2);
        let (pins, kind) = (random.below(4), random.below(4));
        let pinned = |random: &mut Random, i| match pins {
            0 => false,
            1 => i == 0 || i == n - 1,
            2 => random.one_in(5),
            _ => random.one_in(50),
        };
        let mut x = random.many(axes * n, 0.01 * size);
        for i in 0..n {
            // Straight, folded, or all in one place; some nodes coincide.
            x[i] += if kind == 0 { 0.0 } else { 0.1 * i as f64 };
            if i > 0 && random.one_in(20) {
                (0..axes).for_each(|axis| x[axis * n + i] = x[axis * n + i - 1]);
            }
        }
        let (masses, springs) = masses_and_springs(random, n, size);
        let model = Model {
            axes,
            mass: masses,
            pinned: (0..n).map(|i| pinned(random, i)).collect(),
            springs,
            structural: n - 1,
            held: n - 1,
            arrangement: Arrangement::Chain,
            parts: Vec::new(),
        };
        let speed = if random.one_in(3) { 0.0 } else { size };
        let v = random.many(axes * n, speed);
        let weak = if random.one_in(3) { n - 1 } else { 0 };
        let broken = (0..weak).map(|_| random.one_in(10)).collect();
        let mut kinds: Vec<_> = (0..random.below(4)).map(|_| random.below(3)).collect();
        let place = random.below(kinds.len() + 1);
        kinds.insert(place, 3);
        let kinds: Vec<_> = kinds.iter().map(|&kind| (kind, random.many(4, 10.0))).collect();
        let forces = || kinds.iter().map(|(kind, values)| force(*kind, values));
        let opaque = forces().map(|force| -> Arc<dyn Force> { Arc::new(Opaque(force)) });
        let state = State { t: 0.0, x, v };
        let moves = |i: &usize| kind == 2 && model.pinned[*i];
        let curve = || Arc::new(Shaking(size));
        let moving: Vec<_> =
            (0..n).filter(moves).take(2).map(|node| Anchor { node, curve: curve() }).collect();
        Self {
            anchors: Anchors::new(&model, &state, &moving),
            springs: SpringMemory { broken, ..SpringMemory::default() },
            opaque: opaque.collect(),
            forces: forces().collect(),
            dt: random.between(1e-4, 0.1),
            model,
            state,
        }
    }

    fn system<'a>(&'a self, forces: &'a [Arc<dyn Force>]) -> System<'a> {
        System::new(&self.model, &self.springs, forces, &self.anchors)
    }

    fn lane(&self) -> LaneChain<'_> {
        let terms = self.forces.iter().map(|force| force.term().expect("known")).collect();
        LaneChain { model: &self.model, terms, dt: self.dt }
    }

    fn start(&self) -> Box<dyn Integrator> {
        ImplicitEuler::default().start(&self.model, &self.state, self.dt)
    }

    /// Steps with every instruction set, and compares with the general path. Returns the number of
    /// steps without a solution.
    fn compare(&self, steps: usize, what: &str) -> u64 {
        let (known, opaque) = (self.system(&self.forces), self.system(&self.opaque));
        let (mut method, mut reference) = (self.start(), self.start());
        let (mut state, mut expected) = (self.state.clone(), self.state.clone());
        let sets = Instructions::ALL.into_iter().filter(|set| set.is_available());
        let new = || ChainImplicit::new(&self.model).expect("a chain");
        let mut kernels: Vec<_> = sets.map(|set| (set, new(), self.state.clone())).collect();
        let mut lost = 0;
        for step in 0..steps {
            reference.step(&opaque, &mut expected, self.dt);
            method.step(&known, &mut state, self.dt);
            same(&state, &expected, &format!("{what}, step {step}"));
            assert_eq!(method.report(), reference.report(), "{what}, step {step}");
            let unconverged = reference.report().map_or(0, |report| report.unconverged);
            lost += unconverged;
            for (set, kernel, state) in &mut kernels {
                state.t += self.dt;
                let is_exact = kernel.step(*set, &known, state, self.dt);
                known.hold(state);
                assert_eq!(is_exact, Some(unconverged == 0), "{what}, step {step}, {set:?}");
                same(state, &expected, &format!("{what}, step {step}, {set:?}"));
            }
        }
        lost
    }
}

/// Asserts equal bits; all NaN values count as equal.
pub(super) fn same(a: &State, b: &State, what: &str) {
    assert_eq!(a.t.to_bits(), b.t.to_bits(), "{what}: time");
    for (name, a, b) in [("x", &a.x, &b.x), ("v", &a.v, &b.v)] {
        let differs = |(a, b): (&f64, &f64)| {
            let is_same = a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
            (!is_same).then_some((*a, *b))
        };
        let first = a.iter().zip(b).map(differs).enumerate().find(|(_, pair)| pair.is_some());
        assert_eq!((a.len(), first), (b.len(), None), "{what}: {name}");
    }
}

#[test]
fn kernel_gives_the_bits_of_the_general_path() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    // Chains of 320 nodes and more are solved in segments.
    let sizes = [2, 3, 4, 7, 8, 9, 16, 63, 64, 65, 66, 127, 128, 129, 200, 319, 320, 321, 390];
    for case in 0..300 {
        let n = sizes[case % sizes.len()];
        let what = format!("case {case} of {n} nodes");
        Case::new(&mut random, n, 1.0).compare(12, &what);
    }
}

#[test]
fn kernel_follows_numbers_that_run_away() {
    let mut random = Random::new(0x1234_5678_9abc_def1);
    let (mut lost, mut others) = (0, 0);
    for case in 0..200 {
        let size = [1e60, 1e120, 1e154, 1e300, 1e-300, 1e-155][case % 6];
        let mut rope = Case::new(&mut random, 2 + case % 80, size);
        if case % 4 == 0 {
            let (at, value) = (random.below(rope.state.x.len()), [f64::NAN, f64::INFINITY]);
            rope.state.x[at] = value[random.below(2)];
        }
        let steps = 4;
        let without = rope.compare(steps, &format!("case {case}, numbers of {size}"));
        lost += without;
        others += steps as u64 - without;
    }
    assert!(lost > 0 && others > 0, "{lost} steps without and {others} with a solution");
}

#[test]
fn kernel_leaves_alone_what_it_does_not_know() {
    let mut random = Random::new(77);
    let mut case = Case::new(&mut random, 40, 1.0);
    let mut kernel = ChainImplicit::new(&case.model).expect("a chain");
    let (before, best) = (case.state.clone(), Instructions::best());
    let mut state = before.clone();
    assert_eq!(kernel.step(best, &case.system(&case.opaque), &mut state, 0.01), None);
    assert_eq!(kernel.step(best, &case.system(&case.forces), &mut state, f64::MAX), None);
    case.forces.push(Arc::new(Drag { coefficient: f64::INFINITY, wind: vec![0.0; 3] }));
    assert!(matches!(case.forces[case.forces.len() - 1].term(), Some(Term::Drag { .. })));
    assert_eq!(kernel.step(best, &case.system(&case.forces), &mut state, 0.01), None);
    same(&state, &before, "untouched");

    let (corner, across, down) = (vec![0.0; 3], vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 0.0]);
    let (rows, columns, mass, stiffness, pins) = (3, 3, 1.0, 10.0, vec![0]);
    let cloth = Cloth { corner, across, down, rows, columns, mass, stiffness, poisson: 0.0, pins };
    assert!(ChainImplicit::new(&cloth.build().unwrap().0).is_none());
    case.model.springs.swap(3, 4);
    assert!(ChainImplicit::new(&case.model).is_none());
}

/// Ropes of one shape in some of the lanes, each with other values.
fn lane_cases(random: &mut Random, n: usize, size: f64) -> Vec<Case> {
    let first = Case::new(random, n, size);
    let mut kinds: Vec<_> = (0..random.below(4)).map(|_| random.below(3)).collect();
    kinds.insert(random.below(kinds.len() + 1), 3);
    let (axes, pinned, count) = (first.model.axes, first.model.pinned.clone(), random.below(LANES));
    let mut cases = vec![first];
    while cases.len() <= count {
        cases.extend(Some(Case::new(random, n, size)).filter(|case| case.model.axes == axes));
    }
    for case in &mut cases {
        case.model.pinned.clone_from(&pinned);
        case.springs = SpringMemory::default();
        case.anchors = Anchors::new(&case.model, &case.state, &[]);
        case.anchors.apply(&mut case.state);
        case.forces = kinds.iter().map(|kind| force(*kind, &random.many(4, 10.0))).collect();
        let opaque = |force: &Arc<dyn Force>| Arc::new(Opaque(Arc::clone(force))) as _;
        case.opaque = case.forces.iter().map(opaque).collect();
    }
    cases
}

/// Runs all cases in lanes, and compares each with the general path. Returns whether all could be
/// solved.
fn compare_lanes(cases: &[Case], steps: u64, what: &str) -> bool {
    let chains: Vec<LaneChain<'_>> = cases.iter().map(Case::lane).collect();
    assert!(chains.iter().all(|chain| chain.fits() && chain.is_like(&chains[0])), "{what}");
    let mut lost = 0;
    let end = |case: &Case| {
        let (mut method, mut state) = (case.start(), case.state.clone());
        for _ in 0..steps {
            method.step(&case.system(&case.opaque), &mut state, case.dt);
            lost += method.report().map_or(0, |report| report.unconverged);
        }
        state
    };
    let expected: Vec<State> = cases.iter().map(end).collect();
    for set in Instructions::ALL.into_iter().filter(|set| set.is_available()) {
        let mut lanes = ImplicitLanes::new(&chains).expect("some chains");
        for (lane, case) in cases.iter().enumerate() {
            lanes.put(lane, &case.state);
        }
        assert_eq!(lanes.advance(set, steps), lost == 0, "{what}, {set:?}");
        for (lane, expected) in expected.iter().enumerate().filter(|_| lost == 0) {
            let mut state = expected.clone();
            lanes.store(lane, &mut state);
            same(&state, expected, &format!("{what}, lane {lane}, {set:?}"));
        }
    }
    lost == 0
}

#[test]
fn chains_in_lanes_get_the_bits_of_the_general_path() {
    let mut random = Random::new(0x0fed_cba9_8765_4321);
    for round in 0..150 {
        let n = [2, 3, 4, 7, 16, 23, 24, 40, 130][round % 9];
        let cases = lane_cases(&mut random, n, 1.0);
        let what = format!("round {round}, {} ropes of {n} nodes", cases.len());
        assert!(compare_lanes(&cases, 12, &what), "{what}");
    }
    let mut solved = 0;
    for round in 0..100 {
        let size = [1e60, 1e120, 1e154, 1e300, 1e-300, 1e-155][round % 6];
        let mut cases = lane_cases(&mut random, 2 + round % 20, size);
        if round % 10 == 0 {
            // Pins always keep their velocity.
            let free = cases[0].model.pinned.iter().position(|pinned| !pinned);
            free.into_iter().for_each(|node| cases[0].state.v[node] = f64::NAN);
        }
        let what = format!("round {round}, numbers of {size}");
        solved += u32::from(compare_lanes(&cases, 3, &what));
    }
    assert!((20..80).contains(&solved), "{solved} of 100");
}
