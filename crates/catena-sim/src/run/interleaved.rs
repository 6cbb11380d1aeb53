//! Bodies of one shape as a single one: variants of a rope under a method that sums forces and
//! moves each node by itself.
//!
//! Node i of variant l is node i L + l of the whole, with L variants. So springs of the variants
//! lie side by side, L nodes apart, and the kernel that sums forces takes as many of them at a time
//! as a vector holds, however short each rope is. No number of one variant reaches another, so each
//! gets its own bits.

use super::batch::entries;
use super::ledger::{LaneStates, LedgerEntry, SideBySideLedgers};
use super::{Setup, Simulation};
use crate::body::{Arrangement, Body, Model, Spring, SpringMemory, State};
use crate::drive::Anchors;
use crate::force::{
    Account, Blocks, Force, ForceEnergy, Known, SpringCoefficient, SpringDamping, SpringForce,
    SpringFriction, System,
};
use crate::kernel::force_sum::ForceSum;
use crate::method::Integrator;
use std::{borrow::BorrowMut, cell::RefCell, sync::Arc};

/// The most variants in one body.
pub(super) const MOST: usize = 32;

/// The fewest for which it is worth the exchange at the ends of frames.
pub(super) const LEAST: usize = 4;

/// The most nodes of a variant: longer ropes fill vectors by themselves.
const LONGEST: usize = 256;

/// Variants that are one body.
pub(super) struct Interleaved {
    /// By number, in order.
    pub(super) numbers: Vec<usize>,
    model: Model,
    forces: Vec<Arc<dyn Force>>,
    anchors: Anchors,
    springs: SpringMemory,
    integrator: Box<dyn Integrator>,
    sum: RefCell<ForceSum>,
    ledgers: Option<SideBySideLedgers>,
    state: State,
    /// What the method remembers, of all and of one.
    memory: Vec<f64>,
    own: (State, Vec<f64>),
}

/// Whether a run can be one of several in a body.
pub(super) fn fits(simulation: &Simulation) -> bool {
    let setup = simulation.setup();
    setup.is_plain()
        && simulation.is_free()
        && !setup.step_control.chooses_steps()
        && setup.model.nodes() <= LONGEST
        && setup.forces.iter().all(|force| force.known().is_some())
}

/// Whether two runs that fit can be in one body: of one shape, method, step and kind of forces.
pub(super) fn are_alike(one: &Setup, other: &Setup) -> bool {
    let (a, b) = (&one.model, &other.model);
    let joins = |spring: &Spring| (spring.a, spring.b);
    a.axes == b.axes
        && a.pinned == b.pinned
        && a.held == b.held
        && a.springs.iter().map(joins).eq(b.springs.iter().map(joins))
        && one.dt() == other.dt()
        && one.substeps == other.substeps
        && one.method.side_by_side() == other.method.side_by_side()
        && have_like_forces(one, other)
}

/// Whether the forces of two setups are of the same kinds, in the same order.
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
            ) => one == other && a.key().is_some_and(|key| b.key() == Some(key)),
            (SpringForce::Damping(_), SpringForce::Damping(_))
            | (SpringForce::Friction(_), SpringForce::Friction(_)) => true,
            _ => false,
        },
        _ => false,
    }
}

impl Interleaved {
    /// Makes one body of runs that are alike, at least one.
    pub(super) fn new(
        numbers: &[usize],
        setups: &[Arc<Setup>],
        ledgers: Option<SideBySideLedgers>,
    ) -> Self {
        let first = &setups[0];
        let model = whole(setups);
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

    /// Takes one frame with all of them, and says how many were together: all, or none where one
    /// has left the others.
    pub(super) fn advance_frame<S: BorrowMut<Simulation>>(
        &mut self,
        simulations: &mut [S],
    ) -> usize {
        if !self.load(simulations) {
            let numbers = self.numbers.iter();
            numbers.for_each(|&number| simulations[number].borrow_mut().advance_frame());
            return 0;
        }
        let setup = Arc::clone(simulations[self.numbers[0]].borrow().setup());
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

    /// Takes over where each run stands; `false` where one cannot go with the others.
    fn load<S: BorrowMut<Simulation>>(&mut self, simulations: &[S]) -> bool {
        let lanes = self.numbers.len();
        self.memory.clear();
        for (lane, &number) in self.numbers.iter().enumerate() {
            let simulation = simulations[number].borrow();
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
        true
    }

    /// Gives each run the end of its frame.
    fn hand_out<S: BorrowMut<Simulation>>(&mut self, simulations: &mut [S]) {
        let lanes = self.numbers.len();
        self.memory.clear();
        self.integrator.save(&mut self.memory);
        let (end, memory) = &mut self.own;
        memory.resize(self.memory.len() / lanes, 0.0);
        let booked: &[LedgerEntry] = self.ledgers.as_mut().map_or(&[], SideBySideLedgers::end);
        for (lane, &number) in self.numbers.iter().enumerate() {
            take(&self.state.x, &mut end.x, lane, lanes);
            take(&self.state.v, &mut end.v, lane, lanes);
            take(&self.memory, memory, lane, lanes);
            simulations[number].borrow_mut().arrive(end, memory, booked.get(lane));
        }
    }
}

/// The state of all variants; `shape` has how many nodes they have in all, and how many they are.
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

/// Writes the numbers of one variant among those of all.
fn put(own: &[f64], all: &mut [f64], lane: usize, lanes: usize) {
    for (all, own) in all.iter_mut().skip(lane).step_by(lanes).zip(own) {
        *all = *own;
    }
}

/// Reads the numbers of one variant from those of all.
fn take(all: &[f64], own: &mut [f64], lane: usize, lanes: usize) {
    for (all, own) in all.iter().skip(lane).step_by(lanes).zip(own) {
        *own = *all;
    }
}

/// The model of all variants.
fn whole(setups: &[Arc<Setup>]) -> Model {
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

/// One force of all variants.
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

/// Weight or drag with other numbers for each variant.
#[derive(Debug)]
struct ForceOfEach {
    /// g, or the wind, axis by axis and variant by variant.
    vectors: Vec<Vec<f64>>,
    /// Of drag, variant by variant.
    drag: Option<Vec<f64>>,
}

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

impl Force for ForceOfEach {
    fn add_to(&self, body: &Body<'_>, state: &State, f: &mut [f64]) {
        let n = body.model.nodes();
        let axes = f.chunks_exact_mut(n).zip(state.v.chunks_exact(n)).zip(&self.vectors);
        for ((f, v), own) in axes {
            let nodes = f.chunks_exact_mut(own.len()).zip(v.chunks_exact(own.len()));
            for ((f, v), mass) in nodes.zip(body.model.mass.chunks_exact(own.len())) {
                match &self.drag {
                    Some(drag) => {
                        for ((f, v), (c, w)) in f.iter_mut().zip(v).zip(drag.iter().zip(own)) {
                            *f -= c * (v - w);
                        }
                    }
                    None => {
                        for ((f, mass), g) in f.iter_mut().zip(mass).zip(own) {
                            *f += mass * g;
                        }
                    }
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
