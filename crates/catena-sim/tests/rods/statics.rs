//! Equilibria of rods compared with closed forms: Newton's method on the forces with their exact
//! derivative, and the sign of the second variation.

use crate::bodies::{clamp, clamp_along, line, memory_of, ring};
use catena_sim::drive::Anchors;
use catena_sim::force::applied::PointForce;
use catena_sim::force::law::Hooke;
use catena_sim::force::rod::{Rod, Rods, Section};
use catena_sim::force::{ElasticSprings, Gravity, Part};
use catena_sim::linear::{Kind, Limits, LinearSystem, Weights};
use catena_sim::{Components, Force, Model, SpringMemory, State, System, vector::norm};
use std::sync::Arc;

pub struct Problem {
    pub model: Model,
    pub state: State,
    pub memory: SpringMemory,
    pub forces: Vec<Arc<dyn Force>>,
}

impl Problem {
    pub fn new(
        made: (Model, State),
        pins: &[usize],
        rod: impl Fn(Rod) -> Rod,
        own: Section,
    ) -> Self {
        let (mut model, state) = made;
        pins.iter().for_each(|&pin| model.pinned[pin] = true);
        let rod = rod(Rod { section: own, ..crate::bodies::rod(&model, 1.0, 1.0) });
        let rods = Rods::new(&model, &state, vec![rod]).unwrap();
        let memory = memory_of(&rods, &model, &state);
        let springs = ElasticSprings { law: Arc::new(Hooke {}), part: Part::Held };
        Self { model, state, memory, forces: vec![Arc::new(springs), Arc::new(rods)] }
    }

    /// Applies a force to a node.
    pub fn load(&mut self, node: usize, force: [f64; 3]) {
        let force: Components = match self.model.axes {
            2 => [force[0], force[1]].into(),
            _ => force.into(),
        };
        self.forces.truncate(2);
        let from = f64::NEG_INFINITY;
        self.forces.push(Arc::new(PointForce { force, node, from, until: f64::INFINITY }));
    }

    fn system<'a>(&'a self, anchors: &'a Anchors) -> System<'a> {
        System::new(&self.model, &self.memory, &self.forces, anchors)
    }

    /// Finds the equilibrium near the state. Returns the remaining force.
    pub fn settle(&mut self) -> f64 {
        let anchors = Anchors::new(&self.model, &self.state, &[]);
        let limits = Limits { tolerance: 1e-12, iterations: 20_000 };
        let mut linear = LinearSystem::new(&self.model, limits);
        let mut rest = f64::INFINITY;
        let length = self.model.rest_length();
        for _ in 0..60 {
            let (n, size) = (self.model.nodes(), self.state.x.len());
            let mut change = vec![0.0; size];
            {
                let system = self.system(&anchors);
                let mut f = vec![0.0; size];
                self.forces
                    .iter()
                    .for_each(|force| force.add_to(&system.body(), &self.state, &mut f));
                (0..size).filter(|i| self.model.pinned[i % n]).for_each(|i| f[i] = 0.0);
                rest = norm(&f);
                let weights = Weights { by_v: 0.0, by_x: 1e9 };
                assert!(linear.assemble(&system, &self.state, weights, Kind::Full, None));
                f.iter_mut().for_each(|f| *f *= 1e9);
                linear.solve(&f, &mut change);
            }
            let maximum = change.iter().fold(0.0, |maximum: f64, c| maximum.max(c.abs()));
            let share = (0.05 * length / maximum).min(1.0);
            self.state.x.iter_mut().zip(&change).for_each(|(x, c)| *x += share * c);
            let body = catena_sim::Body { model: &self.model, springs: &self.memory };
            let mut memory = self.memory.rods.clone();
            self.forces[1].remember(&body, &self.state, &mut memory);
            self.memory.rods = memory;
            if maximum < 1e-11 * length {
                break;
            }
        }
        rest
    }

    /// Stiffness -∂f/∂x of the free coordinates.
    pub fn stiffness(&self) -> Vec<Vec<f64>> {
        let anchors = Anchors::new(&self.model, &self.state, &[]);
        let (n, size) = (self.model.nodes(), self.state.x.len());
        let free: Vec<usize> = (0..size).filter(|i| !self.model.pinned[i % n]).collect();
        let mut place = vec![usize::MAX; size];
        free.iter().enumerate().for_each(|(k, &i)| place[i] = k);
        let mut matrix = vec![vec![0.0; free.len()]; free.len()];
        for entry in self.system(&anchors).jacobian(&self.state).entries {
            for p in 0..self.model.axes {
                for q in 0..self.model.axes {
                    let (i, j) = (place[p * n + entry.i], place[q * n + entry.j]);
                    if i != usize::MAX && j != usize::MAX {
                        matrix[i][j] -= entry.by_x[p][q];
                    }
                }
            }
        }
        matrix
    }
}

/// Number of eigenvalues of a symmetric matrix below a number: the number of negative pivots of A -
/// s.
pub fn count_below(mut a: Vec<Vec<f64>>, s: f64, mass: impl Fn(usize) -> f64) -> usize {
    let n = a.len();
    for (i, row) in a.iter_mut().enumerate() {
        row[i] -= s * mass(i);
    }
    let mut count = 0;
    for k in 0..n {
        let pivot = a[k][k];
        count += usize::from(pivot < 0.0);
        for i in k + 1..n {
            let share = a[i][k] / pivot;
            if share != 0.0 {
                let (top, bottom) = a.split_at_mut(i);
                for j in k + 1..n {
                    bottom[0][j] -= share * top[k][j];
                }
            }
        }
    }
    count
}

/// Finds the load at which a condition begins to hold, between two loads.
pub fn onset(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    assert!(!holds(low) && holds(high));
    while high - low > 2e-6 * high {
        let middle = 0.5 * (low + high);
        if holds(middle) { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}

/// Tip of a clamped rod of length 1 and EI = 1 under a transverse force, in small steps of load.
fn elastica(axes: usize, segments: usize, load: f64) -> [f64; 2] {
    let own = Section::round(1.0, 0.0);
    let mut problem = Problem::new(
        line(axes, 1.0, segments, 1.0, 1e7),
        &[0],
        |rod| rod.clamp(clamp(0, 0.0)),
        own,
    );
    for step in 1..=10 {
        problem.load(segments, [0.0, 0.1 * f64::from(step) * load, 0.0]);
        let rest = problem.settle();
        assert!(rest < 1e-3 * load, "{load}: {rest}");
    }
    let tip = problem.state.position(segments + 1, segments);
    [tip[1], 1.0 - tip[0]]
}

#[test]
fn a_cantilever_is_the_elastica_to_order_2() {
    // Runge-Kutta on θ'' = -P cos θ, which agrees with the five digits of Bisshopp and Drucker.
    for (load, w, shortening) in [
        (1.0, 0.301_720_8, 0.056_433_2),
        (2.0, 0.493_457_5, 0.160_641_7),
        (3.0, 0.603_253_4, 0.254_420_2),
        (5.0, 0.713_791_5, 0.387_628_4),
        (10.0, 0.810_609_0, 0.554_995_6),
    ] {
        let all: Vec<_> = [32, 64, 128].map(|segments| elastica(2, segments, load)).into();
        for (axis, exact) in [w, shortening].into_iter().enumerate() {
            let errors: Vec<f64> = all.iter().map(|tip| tip[axis] - exact).collect();
            // The errors are in even powers of the segment length; combining three results removes
            // the first two.
            let [first, second] =
                [0, 1].map(|level| (4.0 * all[level + 1][axis] - all[level][axis]) / 3.0);
            let best = (16.0 * second - first) / 15.0;
            assert!((best - exact).abs() < 1e-5, "{load}: {best} beside {exact}");
            // Below this error, the stretch of the springs is visible.
            let order = libm::log2(errors[1] / errors[2]);
            let is_clear = errors[2].abs() > 1e-5;
            assert!(!is_clear || (order - 2.0).abs() < 0.15, "{load}: {order}, {errors:?}");
        }
        let [w3, s3] = elastica(3, 32, load);
        let [w2, s2] = all[0];
        assert!((w3 - w2).abs() < 1e-9 && (s3 - s2).abs() < 1e-9, "space: {w3} {s3}");
    }
}

#[test]
fn a_bend_of_45_degrees_leaves_its_plane() {
    // Bathe and Bolourchi 1979. A square section of side 1 has J = 0.1406.
    let bend = |segments: usize| {
        let made = arc(100.0, std::f64::consts::FRAC_PI_4, segments, 1.0);
        let own = Section { bending: [1e7 / 12.0; 2], torsion: 5e6 * 0.1406 };
        let mut problem = Problem::new(
            made,
            &[0],
            |rod| {
                let curved = rod.curved([0.0, 0.0]);
                let rest = vec![[0.0, -0.01]; segments + 1];
                Rod { rest_curvature: rest, normal: Some([0.0, 0.0, 1.0]), ..curved }
                    .clamp(clamp_along(0, [0.0, 1.0, 0.0], 0.0))
            },
            own,
        );
        let start = problem.state.position(segments + 1, segments);
        let rest = problem.settle();
        assert!(rest < 1e-3, "not at rest without load: {rest}");
        for step in 1..=12 {
            problem.load(segments, [0.0, 0.0, 50.0 * f64::from(step)]);
            let rest = problem.settle();
            assert!(rest < 1e-3, "{rest}");
        }
        let tip = problem.state.position(segments + 1, segments);
        [0, 1, 2].map(|axis| tip[axis] - start[axis])
    };
    let [coarse, fine] = [16, 32].map(bend);
    let best = [0, 1, 2].map(|axis| (4.0 * fine[axis] - coarse[axis]) / 3.0);
    // Towards the centre, along the initial tangent of the bend, and along the force.
    let published = [13.72, -23.65, 53.58];
    for axis in 0..3 {
        assert!((best[axis] - published[axis]).abs() < 0.25, "{best:?} beside {published:?}");
    }
}

/// A circular arc in the xy plane that starts along y, with its nodes on the circle.
fn arc(radius: f64, angle: f64, segments: usize, area: f64) -> (Model, State) {
    let (mut model, mut state) = line(3, radius * angle, segments, 1.0, 1e7 * area);
    let n = segments + 1;
    for i in 0..n {
        let turn = angle * i as f64 / segments as f64;
        state.x[i] = radius * (libm::cos(turn) - 1.0);
        state.x[n + i] = radius * libm::sin(turn);
    }
    for j in 0..segments {
        let spring = model.springs[j];
        model.springs[j].rest_length = model.span(&state.x, &spring).1;
    }
    (model, state)
}

#[test]
fn a_strut_buckles_at_the_load_of_euler() {
    let critical = |segments: usize| {
        onset(2.0, 3.0, |load| {
            let own = Section::round(1.0, 0.0);
            let made = line(2, 1.0, segments, 1.0, 1e6);
            let mut problem = Problem::new(made, &[0], |rod| rod.clamp(clamp(0, 0.0)), own);
            problem.load(segments, [-load, 0.0, 0.0]);
            for i in 0..=segments {
                problem.state.x[i] *= 1.0 - load / 1e6;
            }
            count_below(problem.stiffness(), 0.0, |_| 1.0) > 0
        })
    };
    let [coarse, fine] = [16, 32].map(critical);
    let exact = std::f64::consts::PI * std::f64::consts::PI / 4.0;
    let best = (4.0 * fine - coarse) / 3.0;
    assert!((best / exact - 1.0).abs() < 2e-5, "{coarse} {fine} {best} beside {exact}");
    let order = libm::log2((coarse - exact) / (fine - exact));
    assert!((order - 2.0).abs() < 0.1, "{order}");
}

#[test]
fn a_standing_column_buckles_under_its_weight() {
    let critical = |segments: usize| {
        onset(6.0, 9.0, |weight| {
            let own = Section::round(1.0, 0.0);
            let ea = 1e6;
            let made = line(2, 1.0, segments, weight, ea);
            let mut problem = Problem::new(made, &[0], |rod| rod.clamp(clamp(0, 0.0)), own);
            problem.forces.push(Arc::new(Gravity { acceleration: vec![-1.0, 0.0] }));
            problem.settle();
            let n = segments + 1;
            assert!((0..n).all(|i| problem.state.x[n + i] == 0.0));
            count_below(problem.stiffness(), 0.0, |_| 1.0) > 0
        })
    };
    let [coarse, fine] = [16, 32].map(critical);
    let best = (4.0 * fine - coarse) / 3.0;
    assert!((best / 7.8373 - 1.0).abs() < 5e-5, "{coarse} {fine} {best}");
}

#[test]
fn a_twisted_ring_leaves_its_plane_at_the_twist_of_michell() {
    let torsion = 0.7;
    let critical = |segments: usize| {
        onset(10.5, 12.2, |twist| {
            let own = Section::round(1.0, torsion);
            let made = ring(1.0, segments, 1.0, 1e4);
            let turns = twist / torsion / std::f64::consts::TAU;
            let mut problem = Problem::new(made, &[], |rod| Rod { turns, ..rod }, own);
            problem.settle();
            // Six rigid motions have zero stiffness, up to rounding.
            count_below(problem.stiffness(), -1e-4, |_| 1.0) > 0
        })
    };
    let all = [20, 40].map(critical);
    let exact = 2.0 * std::f64::consts::PI * libm::sqrt(3.0);
    let best = (4.0 * all[1] - all[0]) / 3.0;
    assert!((best / exact - 1.0).abs() < 1e-3, "{all:?} {best} beside {exact}");
    let order = libm::log2((all[0] - exact) / (all[1] - exact));
    assert!((order - 2.0).abs() < 0.1, "{order}");
}

#[test]
fn a_clamped_shaft_buckles_at_the_moment_of_greenhill() {
    // Between clamps, tan(ML/2EI) = ML/2EI: ML/EI = 8.98682.
    let critical = |segments: usize| {
        onset(7.0, 11.0, |moment| {
            let own = Section::round(1.0, 1.0);
            let made = line(3, 1.0, segments, 1.0, 1e6);
            let turns = moment / std::f64::consts::TAU;
            let problem = Problem::new(
                made,
                &[0, segments],
                |rod| rod.clamp(clamp(0, 0.0)).clamp(clamp(segments, turns)),
                own,
            );
            count_below(problem.stiffness(), 0.0, |_| 1.0) > 0
        })
    };
    let [coarse, fine] = [16, 32].map(critical);
    let best = (4.0 * fine - coarse) / 3.0;
    assert!((best / 8.986_82 - 1.0).abs() < 2e-3, "{coarse} {fine} {best}");
}

#[test]
fn a_clamped_beam_has_the_frequencies_of_euler_and_bernoulli() {
    let own = Section::round(1.0, 0.0);
    let frequencies = |segments: usize| -> Vec<f64> {
        let made = line(2, 1.0, segments, 1.0, 1e7);
        let problem = Problem::new(made, &[0], |rod| rod.clamp(clamp(0, 0.0)), own);
        let matrix = problem.stiffness();
        let mass = |k: usize| problem.model.mass[1 + k % segments];
        [1.8751, 4.6941, 7.8548]
            .iter()
            .enumerate()
            .map(|(mode, wave)| {
                let square: f64 = wave * wave * wave * wave;
                let found = onset(0.5 * square, 1.5 * square, |omega| {
                    count_below(matrix.clone(), omega, mass) > mode
                });
                libm::sqrt(found)
            })
            .collect()
    };
    let (coarse, fine) = (frequencies(16), frequencies(32));
    for (mode, wave) in [1.8751_f64, 4.6941, 7.8548].into_iter().enumerate() {
        let best = (4.0 * fine[mode] - coarse[mode]) / 3.0;
        let exact = wave * wave;
        assert!((best / exact - 1.0).abs() < 5e-4, "{mode}: {coarse:?} {fine:?} beside {exact}");
    }
}

#[test]
fn torsion_alone_twists_evenly_and_bends_nothing() {
    let own = Section::round(1.0, 0.8);
    let problem = Problem::new(
        line(3, 2.0, 10, 1.0, 1e3),
        &[0, 10],
        |rod| rod.clamp(clamp(0, 0.0)).clamp(clamp(10, 3.0)),
        own,
    );
    let body = catena_sim::Body { model: &problem.model, springs: &problem.memory };
    let rods = problem.forces[1].rods().unwrap();
    let reading = &rods.readings(&body, &problem.state)[0];
    let rate = 3.0 * std::f64::consts::TAU / 2.0;
    assert!(reading.twist.iter().all(|twist| (twist - rate).abs() < 1e-12), "{reading:?}");
    assert!((reading.turns - 3.0).abs() < 1e-12);
    let mut f = vec![0.0; problem.state.x.len()];
    problem.forces[1].add_to(&body, &problem.state, &mut f);
    assert!(f.iter().all(|f| f.abs() < 1e-12), "{f:?}");
    let energy = problem.forces[1].energy().potential(&body, &problem.state);
    assert!((energy - 0.5 * 0.8 * rate * rate * 2.0).abs() < 1e-9, "{energy}");
}
