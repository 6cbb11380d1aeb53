//! Interleaves bodies of one shape into a single body: variants of a rope under a method that sums
//! forces and moves each node independently.
//!
//! With L variants, node i of variant l is node i L + l of the combined body. Corresponding springs
//! of the variants are adjacent, and their two ends are L nodes apart. The force kernel therefore
//! fills its vectors even if each rope is short. Values of one variant do not affect another, so
//! each variant is bit-identical to a separate run.

use super::ledger::{LaneStates, LedgerEntry, SideBySideLedgers};
use super::{Setup, Simulation};
use crate::body::{Arrangement, Body, Model, Spring, SpringMemory, State};
use crate::drive::Anchors;
use crate::force::{
    Account, Blocks, Force, ForceEnergy, Known, SpringCoefficient, SpringDamping, SpringForce,
    SpringFriction, System,
};
use crate::identity::is_same;
use crate::kernel::force_sum::ForceSum;
use crate::method::Integrator;
use crate::method::arithmetic::wide;
use crate::run::entries::entries;
use std::{cell::RefCell, sync::Arc};

/// Maximum number of variants per body.
pub(super) const MAX: usize = 32;

/// Minimum number of variants for which copying at the ends of frames pays off.
pub(super) const MIN: usize = 4;

/// Maximum number of nodes per variant.
const MAX_NODES: usize = 256;

/// Maximum number of nodes for which the variants of a rope take less time together.
pub(super) const FASTER_CHAIN_NODES: usize = 96;

/// Maximum number of nodes for which the variants of any other body take less time together.
pub(super) const FASTER_NODES: usize = 64;

/// Variants combined into one body.
pub(super) struct Interleaved {
    /// Simulation indices in order.
    pub(super) numbers: Vec<usize>,
    model: Model,
    forces: Vec<Arc<dyn Force>>,
    anchors: Anchors,
    springs: SpringMemory,
    integrator: Box<dyn Integrator>,
    sum: RefCell<ForceSum>,
    ledgers: Option<SideBySideLedgers>,
    state: State,
    /// Memory of the method, for all variants and for a single one.
    memory: Vec<f64>,
    own: (State, Vec<f64>),
}

/// Whether a run can be one variant of a combined body.
pub(super) fn fits(simulation: &Simulation) -> bool {
    let setup = simulation.setup();
    setup.is_plain()
        && simulation.is_free()
        && !setup.step_control.chooses_steps()
        && setup.model.nodes() <= MAX_NODES
        && setup.forces.iter().all(|force| force.known().is_some())
}

/// Whether two runs that fit can share a body: same shape, method, step and kinds of forces.
pub(super) fn are_alike(one: &Setup, other: &Setup) -> bool {
    let (a, b) = (&one.model, &other.model);
    let joins = |spring: &Spring| (spring.a, spring.b);
    a.axes == b.axes
        && a.pinned == b.pinned
        && a.held == b.held
        && a.springs.iter().map(joins).eq(b.springs.iter().map(joins))
        && one.dt() == other.dt()
        && one.substeps == other.substeps
        && is_same(&*one.method, &*other.method)
        && have_like_forces(one, other)
}

/// Whether the forces of two setups are of the same kinds in the same order.
pub(super) fn have_like_forces(one: &Setup, other: &Setup) -> bool {
    one.forces.len() == other.forces.len()
        && one.forces.iter().zip(&other.forces).all(|(a, b)| are_of_one_kind(&**a, &**b))
}

fn are_of_one_kind(one: &dyn Force, other: &dyn Force) -> bool {
    match (one.known(), other.known()) {
        (Some(Known::Gravity { .. }), Some(Known::Gravity { .. }))
        | (Some(Known::Drag { .. }), Some(Known::Drag { .. })) => true,
        (Some(Known::Springs(one)), Some(Known::Springs(other))) => match (one, other) {
            (
                SpringForce::Elastic { law: a, part: one },
                SpringForce::Elastic { law: b, part: other },
            ) => one == other && is_same(a, b),
            (SpringForce::Damping(_), SpringForce::Damping(_))
            | (SpringForce::Friction(_), SpringForce::Friction(_)) => true,
            _ => false,
        },
        _ => false,
    }
}

impl Interleaved {
    /// Combines at least one run into one body. Every two of the runs must satisfy `are_alike`.
    pub(super) fn new(
        numbers: &[usize],
        setups: &[Arc<Setup>],
        ledgers: Option<SideBySideLedgers>,
    ) -> Self {
        let first = &setups[0];
        let model = combined_model(setups);
        let forces: Vec<_> =
            (0..first.forces.len()).map(|force| joint_force(force, setups)).collect();
        let mut state = State::at_rest(vec![0.0; first.initial.x.len() * setups.len()]);
        for (lane, setup) in setups.iter().enumerate() {
            put(&setup.initial.x, &mut state.x, lane, setups.len());
            put(&setup.initial.v, &mut state.v, lane, setups.len());
        }
        let springs = SpringMemory::default();
        Self {
            numbers: numbers.to_vec(),
            anchors: Anchors::new(&model, &state, &[]),
            integrator: first.method.start(&model, &state, first.dt()),
            sum: RefCell::new(ForceSum::new(&model, &springs, &forces)),
            ledgers,
            own: (first.initial.clone(), Vec::new()),
            memory: Vec::new(),
            model,
            forces,
            springs,
            state,
        }
    }

    /// Advances all runs by one frame and returns the number of runs that advanced together: all,
    /// or 0 if one no longer fits the group.
    pub(super) fn advance_frame(&mut self, simulations: &mut [&mut Simulation]) -> usize {
        if !self.load(simulations) {
            let numbers = self.numbers.iter();
            numbers.for_each(|&number| simulations[number].advance_frame());
            return 0;
        }
        let setup = Arc::clone(simulations[self.numbers[0]].setup());
        let shape = [self.model.nodes(), self.numbers.len()];
        if let Some(ledgers) = &mut self.ledgers {
            let states = Rows { state: &self.state, shape };
            ledgers.begin(&states, entries(&self.numbers, simulations));
        }
        let system = System::new(&self.model, &self.springs, &self.forces, &self.anchors);
        let system = system.summed(&self.sum);
        let (start, going_on) = (self.state.t, system.going_on());
        let mut next = &system;
        for step in 0..setup.substeps {
            self.integrator.step(next, &mut self.state, setup.dt());
            self.state.t = start + (step + 1) as f64 * setup.dt();
            self.anchors.apply(&mut self.state);
            if let Some(ledgers) = &mut self.ledgers {
                ledgers.book(&Rows { state: &self.state, shape });
            }
            next = &going_on;
        }
        self.hand_out(simulations);
        self.numbers.len()
    }

    /// Copies the state of each run into the combined body. Returns `false` if one cannot join.
    fn load(&mut self, simulations: &[&mut Simulation]) -> bool {
        let lanes = self.numbers.len();
        self.memory.clear();
        for (lane, &number) in self.numbers.iter().enumerate() {
            let simulation = &*simulations[number];
            if !simulation.is_free() {
                return false;
            }
            let own = &mut self.own.1;
            own.clear();
            simulation.save_method(own);
            if lane == 0 {
                self.memory.resize(own.len() * lanes, 0.0);
            } else if own.len() * lanes != self.memory.len() {
                return false;
            }
            put(&simulation.state().x, &mut self.state.x, lane, lanes);
            put(&simulation.state().v, &mut self.state.v, lane, lanes);
            put(own, &mut self.memory, lane, lanes);
            self.state.t = simulation.state().t;
        }
        self.integrator.restore(&self.memory);
        self.anchors.hold_at(&self.state);
        true
    }

    /// Copies the state at the end of the frame back to each run.
    fn hand_out(&mut self, simulations: &mut [&mut Simulation]) {
        let lanes = self.numbers.len();
        self.memory.clear();
        self.integrator.save(&mut self.memory);
        let (end, memory) = &mut self.own;
        memory.resize(self.memory.len() / lanes, 0.0);
        let booked: &[LedgerEntry] = self.ledgers.as_mut().map_or(&[], SideBySideLedgers::end);
        for (lane, &number) in self.numbers.iter().enumerate() {
            gather(&self.state.x, &mut end.x, lane, lanes);
            gather(&self.state.v, &mut end.v, lane, lanes);
            gather(&self.memory, memory, lane, lanes);
            simulations[number].arrive(end, memory, booked.get(lane));
        }
    }
}

/// State of all variants. `shape` holds the total number of nodes of all variants and the number of
/// variants.
struct Rows<'a> {
    state: &'a State,
    shape: [usize; 2],
}

impl Rows<'_> {
    fn of<'a>(&self, numbers: &'a [f64], axis: usize, node: usize) -> &'a [f64] {
        let [nodes, lanes] = self.shape;
        &numbers[axis * nodes + node * lanes..][..lanes]
    }
}

impl LaneStates for Rows<'_> {
    fn x(&self, axis: usize, node: usize) -> &[f64] {
        self.of(&self.state.x, axis, node)
    }

    fn v(&self, axis: usize, node: usize) -> &[f64] {
        self.of(&self.state.v, axis, node)
    }
}

/// Writes the values of one variant into the interleaved list.
fn put(own: &[f64], all: &mut [f64], lane: usize, lanes: usize) {
    for (all, own) in all.iter_mut().skip(lane).step_by(lanes).zip(own) {
        *all = *own;
    }
}

/// Reads the values of one variant from the interleaved list.
fn gather(all: &[f64], own: &mut [f64], lane: usize, lanes: usize) {
    for (all, own) in all.iter().skip(lane).step_by(lanes).zip(own) {
        *own = *all;
    }
}

/// Returns the combined model of all variants.
fn combined_model(setups: &[Arc<Setup>]) -> Model {
    let (first, lanes) = (&setups[0].model, setups.len());
    let lane_of = |of: &dyn Fn(&Model, usize) -> f64| {
        let nodes = (0..first.nodes()).flat_map(|i| setups.iter().map(move |setup| (setup, i)));
        nodes.map(|(setup, i)| of(&setup.model, i)).collect()
    };
    let spring = |j: usize, lane: usize| {
        let Spring { a, b, stiffness, rest_length } = setups[lane].model.springs[j];
        Spring { a: a * lanes + lane, b: b * lanes + lane, stiffness, rest_length }
    };
    Model {
        axes: first.axes,
        mass: lane_of(&|model, i| model.mass[i]),
        pinned: first.pinned.iter().flat_map(|pinned| vec![*pinned; lanes]).collect(),
        springs: (0..first.springs.len())
            .flat_map(|j| (0..lanes).map(move |lane| (j, lane)))
            .map(|(j, lane)| spring(j, lane))
            .collect(),
        structural: first.structural * lanes,
        held: first.held * lanes,
        arrangement: Arrangement::Parts,
        parts: Vec::new(),
    }
}

/// Returns one force for all variants.
fn joint_force(force: usize, setups: &[Arc<Setup>]) -> Arc<dyn Force> {
    let of_each = || -> Vec<f64> {
        let springs = (0..setups[0].model.springs.len())
            .flat_map(|j| setups.iter().map(move |setup| (setup, j)));
        let coefficient =
            |(setup, j): (&Arc<Setup>, usize)| match setup.forces[force].spring_force() {
                Some(SpringForce::Damping(c) | SpringForce::Friction(c)) => c.of(&setup.model, j),
                _ => 0.0,
            };
        springs.map(coefficient).collect()
    };
    let first = &setups[0].forces[force];
    let is_same = |setup: &Arc<Setup>| setup.forces[force].term() == first.term();
    match first.known() {
        Some(Known::Springs(SpringForce::Damping(_))) => {
            let coefficient = SpringCoefficient::of_each(of_each().into());
            Arc::new(SpringDamping { coefficient })
        }
        Some(Known::Springs(SpringForce::Friction(_))) => {
            let coefficient = SpringCoefficient::of_each(of_each().into());
            Arc::new(SpringFriction { coefficient })
        }
        // Springs have their constants in the model.
        Some(Known::Springs(_)) => Arc::clone(first),
        _ if setups.iter().all(is_same) => Arc::clone(first),
        _ => Arc::new(ForceOfEach::new(force, setups)),
    }
}

/// Weight or drag with different values per variant.
#[derive(Debug)]
struct ForceOfEach {
    /// Acceleration of gravity or wind velocity, by axis and variant.
    vectors: Vec<Vec<f64>>,
    /// Drag coefficient per variant; `None` for weight.
    drag: Option<Vec<f64>>,
}
crate::identity!(ForceOfEach { vectors, drag });

impl ForceOfEach {
    fn new(force: usize, setups: &[Arc<Setup>]) -> Self {
        let mut vectors = vec![Vec::new(); setups[0].model.axes];
        let mut drag = Vec::new();
        for setup in setups {
            let vector = match setup.forces[force].known() {
                Some(Known::Gravity { acceleration }) => acceleration,
                Some(Known::Drag { coefficient, wind }) => {
                    drag.push(coefficient);
                    wind
                }
                _ => &[],
            };
            for (axis, component) in vectors.iter_mut().zip(vector) {
                axis.push(*component);
            }
        }
        Self { vectors, drag: (!drag.is_empty()).then_some(drag) }
    }
}

/// Adds the drag of one node of each variant along an axis, with coefficients `c` and winds `w`.
fn add_drag(f: &mut [f64], v: &[f64], c: &[f64], w: &[f64]) {
    wide(
        #[inline(always)]
        || {
            for ((f, v), (c, w)) in f.iter_mut().zip(v).zip(c.iter().zip(w)) {
                *f -= c * (v - w);
            }
        },
    );
}

/// Adds the weight of one node of each variant along an axis, with accelerations `g`.
fn add_weight(f: &mut [f64], mass: &[f64], g: &[f64]) {
    wide(
        #[inline(always)]
        || {
            for ((f, mass), g) in f.iter_mut().zip(mass).zip(g) {
                *f += mass * g;
            }
        },
    );
}

impl Force for ForceOfEach {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        let axes = f.chunks_exact_mut(n).zip(state.v.chunks_exact(n)).zip(&self.vectors);
        for ((f, v), own) in axes {
            let nodes = f.chunks_exact_mut(own.len()).zip(v.chunks_exact(own.len()));
            for ((f, v), mass) in nodes.zip(body.model.mass.chunks_exact(own.len())) {
                match &self.drag {
                    Some(drag) => add_drag(f, v, drag, own),
                    None => add_weight(f, mass, own),
                }
            }
        }
    }

    fn add_jacobian(&self, _body: &Body<'_>, _state: &State, _blocks: &mut Blocks<'_>) {}

    fn load(&self, _model: &Model) -> f64 {
        0.0
    }

    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::External)
    }
}
