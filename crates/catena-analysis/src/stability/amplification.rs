//! Amplification matrix of a method: one step on the model problem.
//!
//! On a linear problem a step is a linear map of position, velocity and the method's memory. Its
//! columns are steps from the unit vectors, taken by the method itself with its options, so no
//! formula is derived by hand. N steps are a power of the matrix and cost log₂ N products. Motions
//! stay bounded if the spectral radius is at most 1.
//!
//! The restoring force is -ω² u in every direction. A spring would not be linear, because of its
//! rest length.

use catena_sim::force::{Account, AtRest, ForceEnergy};
use catena_sim::{
    Arrangement, Blocks, Body, Budget, Checkpoint, Force, Method, Model, Setup, Simulation, Spring,
    State, contact::Contacts, diagonal, force::Drag, method::control::Fixed,
};
use std::sync::Arc;

/// Number of steps that fill the memory of every method.
const STARTING: usize = 8;
/// Number of squarings for the spectral radius. Over 2⁶⁰ steps transient growth is negligible.
const SQUARINGS: i32 = 60;
/// Maximum number of balancing rounds.
const ROUNDS: usize = 20;
/// Index of the free node's first coordinate in a flat vector of two nodes.
const FREE: usize = 1;

/// Force of -stiffness · x on every node.
#[derive(Debug)]
struct RestoringForce {
    stiffness: f64,
}

impl Force for RestoringForce {
    fn add_to(&self, _body: &Body<'_>, state: &State, f: &mut [f64]) {
        f.iter_mut().zip(&state.x).for_each(|(f, x)| *f -= self.stiffness * x);
    }

    fn add_jacobian(&self, body: &Body<'_>, _state: &State, blocks: &mut Blocks<'_>) {
        let axes = body.model.axes;
        for i in 0..body.model.nodes() {
            blocks.add_own(i, diagonal(axes, -self.stiffness), diagonal(axes, 0.0));
        }
    }

    /// No load: the force depends on positions alone.
    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    fn at_rest(&self) -> AtRest<'_> {
        AtRest::Other
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::External)
    }
}

/// One step of size 1 on u'' + γ u' + ω² u = 0. With the step as the unit of time, only ωdt and γdt
/// matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ModelProblem {
    /// Angular frequency per step, ωdt.
    pub(super) omega: f64,
    /// Damping per step, γdt.
    pub(super) damping: f64,
    /// Factors applied to velocities and positions after the step.
    pub(super) factors: [f64; 2],
}

impl ModelProblem {
    fn setup(self, method: &Arc<dyn Method>) -> Setup {
        let drag = Drag { coefficient: self.damping, wind: vec![0.0; 2] };
        Setup {
            model: Model {
                axes: 2,
                mass: vec![1.0; 2],
                pinned: vec![true, false],
                // The spring only gives the body its size; it exerts no force.
                springs: vec![Spring { a: 0, b: 1, stiffness: 1.0, rest_length: 1.0 }],
                structural: 1,
                held: 1,
                arrangement: Arrangement::Chain,
                parts: Vec::new(),
            },
            initial: State::at_rest(vec![0.0; 4]),
            forces: vec![
                Arc::new(RestoringForce { stiffness: self.omega * self.omega }),
                Arc::new(drag),
            ],
            flow: None,
            breaks_at: None,
            anchors: Vec::new(),
            method: Arc::clone(method),
            step_control: Arc::new(Fixed {}),
            impulses: Vec::new(),
            contacts: Contacts::default(),
            frame_time: 1.0,
            substeps: 1,
            velocity_factor: self.factors[0],
            position_factor: self.factors[1],
            strain_limit: f64::INFINITY,
            start_time: 0.0,
            warm_up: 0,
            events: Vec::new(),
            budget: Budget::UNLIMITED,
        }
    }
}

/// Linear map of one or more steps, on position, velocity and the method's memory.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AmplificationMatrix {
    size: usize,
    /// Entries by rows.
    entries: Vec<f64>,
}

impl AmplificationMatrix {
    /// Computes the matrix of one step.
    pub(super) fn of(problem: ModelProblem, method: &Arc<dyn Method>) -> Self {
        let mut run = Simulation::new(Arc::new(problem.setup(method)));
        (0..STARTING).for_each(|_| run.step());
        let still = run.checkpoint();
        let remembered = remembered(&mut run, &still);
        let size = 2 + remembered.len();
        let mut entries = vec![0.0; size * size];
        for column in 0..size {
            let mut start = still.clone();
            match column {
                0 => start.state.x[FREE] = 1.0,
                1 => start.state.v[FREE] = 1.0,
                _ => start.method[remembered[column - 2]] = 1.0,
            }
            run.restore(&start);
            run.step();
            let end = run.checkpoint();
            let values = [end.state.x[FREE], end.state.v[FREE]].into_iter();
            let values = values.chain(remembered.iter().map(|&index| end.method[index]));
            values.enumerate().for_each(|(row, value)| entries[row * size + column] = value);
        }
        Self { size, entries }
    }

    /// Applies the map to a state in place, and returns the position, its first component.
    pub(super) fn apply(&self, state: &mut Vec<f64>) -> f64 {
        let row = |row: &[f64]| row.iter().zip(&*state).map(|(a, b)| a * b).sum();
        *state = self.entries.chunks_exact(self.size).map(row).collect();
        state[0]
    }

    /// State at position 1, at rest, with an empty memory.
    pub(super) fn displaced(&self) -> Vec<f64> {
        let mut state = vec![0.0; self.size];
        state[0] = 1.0;
        state
    }

    /// Whether the method has a memory.
    pub(super) fn remembers(&self) -> bool {
        self.size > 2
    }

    /// Map of `count` times as many steps; 0 counts as 1.
    pub(super) fn power(&self, count: u64) -> Self {
        let bits = 63 - count.max(1).leading_zeros();
        (0..bits).rev().fold(self.clone(), |power, bit| {
            let twice = power.times(&power);
            if count >> bit & 1 == 1 { twice.times(self) } else { twice }
        })
    }

    fn times(&self, other: &Self) -> Self {
        let n = self.size;
        let entry = |index: usize| {
            let (row, column) = (index / n, index % n);
            (0..n).map(|k| self.entries[row * n + k] * other.entries[k * n + column]).sum()
        };
        Self { size: n, entries: (0..n * n).map(entry).collect() }
    }

    /// Spectral radius: ‖Aᴺ‖^(1/N) for N = 2⁶⁰ (Gelfand 1941), infinite if a step overflows. The
    /// rounding error of each squaring has half the weight of the previous one.
    pub(super) fn radius(&self) -> f64 {
        let mut power = self.balanced();
        // Logarithm of all divisors of the power, divided by the number of steps.
        let mut logarithm = 0.0;
        for squaring in 0..SQUARINGS {
            let norm = power.entries.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
            if !power.entries.iter().all(|entry| entry.is_finite()) {
                return f64::INFINITY;
            }
            if norm == 0.0 {
                return 0.0;
            }
            power.entries.iter_mut().for_each(|entry| *entry /= norm);
            logarithm += libm::ldexp(libm::log(norm), -squaring);
            power = power.times(&power);
        }
        libm::exp(logarithm)
    }

    /// Scales the map by powers of 2 that balance rows and columns (Parlett, Reinsch 1969).
    /// Positions, velocities and accelerations differ by powers of ωdt, and rounding of the largest
    /// would hide the others.
    fn balanced(&self) -> Self {
        let n = self.size;
        let mut entries = self.entries.clone();
        for _ in 0..ROUNDS {
            let mut is_done = true;
            for i in 0..n {
                let others = || (0..n).filter(|&j| j != i);
                let row: f64 = others().map(|j| entries[i * n + j].abs()).sum();
                let column: f64 = others().map(|j| entries[j * n + i].abs()).sum();
                let ratio = (row / column).sqrt();
                if !(ratio > 0.0 && ratio.is_finite()) || (0.7..1.5).contains(&ratio) {
                    continue;
                }
                let scale = libm::exp2(libm::round(libm::log2(ratio)));
                for j in 0..n {
                    entries[i * n + j] /= scale;
                    entries[j * n + i] *= scale;
                }
                is_done = false;
            }
            if is_done {
                break;
            }
        }
        Self { size: n, entries }
    }
}

/// Indices in a method's memory that depend on the motion. Their values differ from those of a run
/// at rest.
fn remembered(run: &mut Simulation, still: &Checkpoint) -> Vec<usize> {
    let mut moved = still.clone();
    (moved.state.x[FREE], moved.state.v[FREE]) = (1.0, 0.7);
    run.restore(&moved);
    (0..STARTING / 2).for_each(|_| run.step());
    let memory = run.checkpoint().method;
    let pairs = memory.iter().zip(&still.method).enumerate();
    pairs.filter(|(_, (moved, still))| moved != still).map(|(index, _)| index).collect()
}
