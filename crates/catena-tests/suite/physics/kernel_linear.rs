//! Linear systems that are assembled and solved many nodes at a time give the same bits as the
//! plain code, over random bodies.

use super::kernel_implicit::{Opaque, same};
use catena::instructions::Instructions;
use catena::sim::{
    Force, Method, Model, Rope, SpringMemory, State, System,
    body::shape::{Topology, cloth::Cloth},
    drive::{
        Anchors, curve,
        track::{Animated, KeyTrack},
    },
    force::{
        ChangingDrag, Drag, ElasticSprings, Gravity, Part, SpringCoefficient, SpringDamping,
        SpringFriction, SpringLaw, law,
    },
    linear::{Kind, Limits, LinearSystem, Motion, Weights},
    method::{ImplicitEuler, ImplicitMidpoint},
};
use catena_tests::Random;
use std::sync::Arc;

/// A random body, and everything that acts on it.
struct Case {
    model: Model,
    state: State,
    springs: SpringMemory,
    /// Forces that fast assembly supports, and the same forces hidden from it.
    forces: [Vec<Arc<dyn Force>>; 2],
    anchors: Anchors,
    dt: f64,
}

fn body(random: &mut Random) -> (Model, State) {
    if random.one_in(2) {
        let axes = 2 + random.below(2);
        let end = random.many(axes, 5.0);
        let nodes = 3 + random.below(70);
        let mut rope = Rope::new(vec![0.0; axes], end, nodes).of(0.2, 300.0);
        if random.one_in(2) {
            rope.bending = 20.0;
        }
        return rope.build().unwrap();
    }
    let axes = 2 + random.below(2);
    let corner = random.many(axes, 1.0);
    let side = |random: &mut Random, axis: usize| {
        let mut side = random.many(axes, 0.1);
        side[axis] += 1.0;
        side
    };
    let (across, down) = (side(random, 0), side(random, 1));
    let (rows, columns) = (2 + random.below(9), 2 + random.below(20));
    let (mass, stiffness, pins) = (0.02, 50.0, Vec::new());
    Cloth { corner, across, down, rows, columns, mass, stiffness, poisson: 0.0, pins }
        .build()
        .unwrap()
}

fn law(random: &mut Random) -> Arc<dyn SpringLaw> {
    match random.below(6) {
        0 => Arc::new(law::Exponential { alpha: 2.0 }),
        1 => Arc::new(law::PiecewiseLinear::default()),
        2 => Arc::new(law::Plastic::default()),
        _ => Arc::new(law::Hooke {}),
    }
}

fn forces(random: &mut Random, model: &Model) -> Vec<Arc<dyn Force>> {
    let values = random.many(3, 10.0);
    let axes = model.axes;
    let coefficient = SpringCoefficient::new(values[0].abs(), model);
    let law = law(random);
    let mut forces: Vec<Arc<dyn Force>> = Vec::new();
    for part in [Part::Held, Part::Bending] {
        if !random.one_in(8) {
            forces.push(Arc::new(ElasticSprings { law: Arc::clone(&law), part }));
        }
    }
    if random.one_in(3) {
        forces.push(Arc::new(SpringDamping { coefficient: coefficient.clone() }));
    }
    if random.one_in(3) {
        forces.push(Arc::new(SpringFriction { coefficient }));
    }
    forces.push(Arc::new(Gravity { acceleration: values[..axes].to_vec() }));
    if random.one_in(2) {
        let wind = values[..axes].to_vec();
        forces.push(Arc::new(Drag { coefficient: values[1].abs(), wind }));
    }
    if random.one_in(4) {
        let coefficient = KeyTrack::linear(&[(0.0, [0.1]), (1.0, [2.0])]).unwrap();
        let wind = curve::constant(&values[..axes]);
        forces.push(Arc::new(ChangingDrag::new(Animated::moving(coefficient), wind)));
    }
    if random.one_in(4) {
        forces.rotate_left(1);
    }
    forces
}

impl Case {
    /// `size` is the magnitude of numbers: 1 for values of typical bodies.
    fn new(random: &mut Random, size: f64) -> Self {
        let (mut model, mut state) = body(random);
        let n = model.nodes();
        if random.one_in(2) {
            model.mass.iter_mut().for_each(|mass| *mass *= random.between(0.1, 3.0));
            model.springs.iter_mut().for_each(|one| one.stiffness *= random.between(0.1, 3.0));
        }
        let often = [3, 20, 1000][random.below(3)];
        model.pinned.iter_mut().for_each(|pinned| *pinned = random.one_in(often));
        let (far, fast) = (random.between(0.0, 0.3), random.between(0.0, 3.0));
        for (x, off) in state.x.iter_mut().zip(random.many(n * model.axes, far)) {
            *x = (*x + off) * size;
        }
        state.v = random.many(n * model.axes, fast * size);
        for i in 1..n {
            if random.one_in(20) {
                (0..model.axes).for_each(|axis| state.x[axis * n + i] = state.x[axis * n + i - 1]);
            }
        }
        let weak = if random.one_in(3) { model.springs.len() } else { 0 };
        let broken = (0..weak).map(|_| random.one_in(10)).collect();
        let plastic = (0..weak).map(|_| random.between(-0.1, 0.2)).collect();
        let known = forces(random, &model);
        let hidden =
            known.iter().cloned().map(|force| -> Arc<dyn Force> { Arc::new(Opaque(force)) });
        Self {
            anchors: Anchors::new(&model, &state, &[]),
            springs: SpringMemory { plastic, broken, ..SpringMemory::default() },
            forces: [known.clone(), hidden.collect()],
            dt: random.between(1e-4, 0.05),
            model,
            state,
        }
    }

    fn systems(&self) -> [System<'_>; 2] {
        let of = |forces| System::new(&self.model, &self.springs, forces, &self.anchors);
        [of(&self.forces[0]), of(&self.forces[1])]
    }

    /// Takes steps of a method on both paths.
    fn steps(&self, method: &dyn Method, what: &str) {
        let ends = self.systems().map(|system| {
            let mut integrator = method.start(&self.model, &self.state, self.dt);
            let mut state = self.state.clone();
            let reports = (0..4).map(|_| {
                integrator.step(&system, &mut state, self.dt);
                integrator.report()
            });
            (reports.collect::<Vec<_>>(), state)
        });
        assert_eq!(ends[0].0, ends[1].0, "{what}");
        same(&ends[0].1, &ends[1].1, what);
    }

    /// Assembles and solves with every instruction set and with plain code. Returns whether there
    /// was a solution.
    fn solve(&self, random: &mut Random, what: &str) -> bool {
        let size = self.state.x.len();
        let limits = Limits { tolerance: 1e-9, iterations: 1 + random.below(200) as u64 };
        let kind = if random.one_in(2) { Kind::Full } else { Kind::Definite };
        let weights = Weights { by_v: self.dt, by_x: random.between(0.0, self.dt) };
        let vectors: [_; 3] = std::array::from_fn(|_| random.many(size, 1.0));
        let [known, hidden] = self.systems();
        let solve = |system: &System<'_>, set: Instructions| {
            let mut linear = LinearSystem::with(&self.model, limits, set);
            assert!(linear.has_directions(), "{what}");
            let [mut right, displacement, change] = vectors.clone();
            let motion = Motion { displacement: &displacement, change: &change, right: &mut right };
            let is_regular = linear.assemble(system, &self.state, weights, kind, Some(motion));
            let mut y = vec![0.0; size];
            let is_exact = linear.solve(&right, &mut y);
            let is_regular_again = linear.assemble(system, &self.state, weights, kind, None);
            assert_eq!(is_regular_again, is_regular, "{what}");
            let mut z = vec![0.0; size];
            assert_eq!(linear.solve(&right, &mut z), is_exact, "{what}");
            let found = [(is_regular, is_exact), (is_regular_again, is_exact)];
            (found, linear.operations(), State { t: 0.0, x: y, v: z }, right)
        };
        let expected = solve(&hidden, Instructions::best());
        for set in Instructions::ALL.into_iter().filter(|set| set.is_available()) {
            let found = solve(&known, set);
            let what = format!("{what}, {set:?}");
            assert_eq!((found.0, found.1), (expected.0, expected.1), "{what}");
            let [found, expected] = [found, expected.clone()]
                .map(|(_, _, y, right)| [y, State { t: 0.0, x: right, v: Vec::new() }]);
            found.iter().zip(&expected).for_each(|(a, b)| same(a, b, &what));
        }
        expected.0[0].1
    }
}

#[test]
fn matrices_by_diagonals_give_the_bits_of_plain_ones() {
    let mut random = Random::new(0x2545_f491_4f6c_dd1d);
    let (mut solved, mut others) = (0, 0);
    for case in 0..300 {
        let size = [1.0, 1.0, 1.0, 1e60, 1e154, 1e300, 1e-155, 1e-300][case % 8];
        let body = Case::new(&mut random, size);
        let is_solved = body.solve(&mut random, &format!("case {case}, numbers of {size}"));
        *(if is_solved { &mut solved } else { &mut others }) += 1;
    }
    assert!(solved > 100 && others > 10, "{solved} with a solution and {others} without");
}

#[test]
fn implicit_methods_give_the_bits_of_plain_matrices() {
    let mut random = Random::new(0x1234_5678_9abc_def1);
    for case in 0..100 {
        let mut body = Case::new(&mut random, 1.0);
        if case % 10 == 9 {
            let at = random.below(body.state.x.len());
            body.state.v[at] = [f64::NAN, f64::INFINITY, 1e300][random.below(3)];
        }
        body.steps(&ImplicitEuler::default(), &format!("case {case}, Euler"));
        body.steps(&ImplicitMidpoint::default(), &format!("case {case}, midpoint"));
    }
}

#[test]
fn springs_without_an_order_take_the_plain_path() {
    let mut random = Random::new(5);
    let mut case = Case::new(&mut random, 1.0);
    let limits = Limits { tolerance: 1e-9, iterations: 100 };
    assert!(LinearSystem::new(&case.model, limits).has_directions());
    let spring = &mut case.model.springs[0];
    (spring.a, spring.b) = (spring.b, spring.a);
    assert!(!LinearSystem::new(&case.model, limits).has_directions());
}
