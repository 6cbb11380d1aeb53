//! Runs a setup. Only this module defines the sequence of a step. The other files of the folder add
//! methods to `Simulation`, one subject each, such as checkpoints, events or readings.

mod checkpoint;
mod clearance;
mod contact;
mod events;
mod forces;
mod frame;
mod lengths;
mod path;
mod readings;
mod steering;

pub use checkpoint::Checkpoint;
pub use forces::{ColliderForce, GuideForce, PinForce};
pub use path::{Path, Taken};
pub use steering::{Push, SteeredPin, Steering};

use super::{
    Setup,
    ledger::{Keeper, Ledger},
    watch::Watch,
};
use crate::body::{Body, SpringMemory, State};
use crate::budget::{Excess, Meter, Refusal};
use crate::contact::{ContactForces, NodeSolver, drawn::DrawnSolver};
use crate::drive::{Anchors, event::EventMemory};
use crate::force::{Account, System, first_memory};
use crate::kernel::force_sum::ForceSum;
use crate::method::{Integrator, StepReport};
use crate::named::BadSetup;
use clearance::Attempts;
use contact::{drawn_solver, impulses_between, node_solver};
use forces::ForceRecorder;
use lengths::Lengths;
use serde::{Deserialize, Serialize};
use std::{cell::RefCell, sync::Arc};

/// Outcome of a run so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// All numbers are valid.
    #[default]
    Fine,
    /// The method diverged. The run continues, but its state is invalid.
    Diverged {
        /// First frame with an invalid state.
        frame: u64,
        /// First step with an invalid state, counted from the start.
        step: u64,
    },
}

/// A simulation of a setup, from its start to the current step.
pub struct Simulation {
    /// Setup with all changes by events.
    setup: Arc<Setup>,
    /// Setup at the start.
    first_setup: Arc<Setup>,
    /// Effects of events.
    events: EventMemory,
    /// Changes from outside.
    steering: Steering,
    /// Indices of the events that have not happened, in order.
    pending: Vec<usize>,
    integrator: Box<dyn Integrator>,
    anchors: Anchors,
    state: State,
    springs: SpringMemory,
    /// Buffer for the next memory of rods.
    next_rods: Vec<f64>,
    steps: u64,
    outcome: Outcome,
    /// Statistics of the steps in this frame so far.
    report: StepReport,
    /// State at the start of the step, kept if there are contacts.
    step_start: State,
    /// State at the end of the step before contacts and impulses, if there are any.
    undisturbed: State,
    /// Nodes that contacts and impulses have moved in this step.
    displaced: Vec<usize>,
    /// Solver for contact of nodes, if there is any.
    nodes: Option<Box<NodeSolver>>,
    /// Sum of forces for the current setup and springs; created on first use.
    sum: Option<Box<RefCell<ForceSum>>>,
    /// Spring lengths, if springs flow or break; created on first use.
    lengths: Option<Box<Lengths>>,
    /// Solver for contact of the drawn geometry, if there is any.
    drawn: Option<Box<DrawnSolver>>,
    /// Forces of contacts in the last step.
    contact_forces: ContactForces,
    /// Checkpoint at the start of the frame, to find the step that diverged. If a kernel took the
    /// frame, it contains the state only.
    frame_start: Checkpoint,
    /// Keeper of the energy ledger, if one is kept.
    keeper: Option<Box<Keeper>>,
    /// Whether the method records impulses on pins and tensions, for a ledger, forces or colours.
    keeps_reactions: bool,
    /// Tensions before the last event that restarted the method.
    tensions_before: Vec<f64>,
    /// Recorder of the forces on pins and colliders, if requested.
    forces: Option<Box<ForceRecorder>>,
    watch: Watch,
    /// Execution path of the steps of the last frame.
    taken: Taken,
    /// Attempts to take frames at once in spite of contacts.
    attempts: Attempts,
    pub(in crate::run) meter: Meter,
    /// Number of times that rest lengths have changed.
    length_changes: u64,
    /// Reason why the run cannot continue, if any.
    refusal: Option<Refusal>,
    bad_setup: Option<BadSetup>,
}

impl Simulation {
    /// Creates a run at frame 0, in the initial state. A setup that [`Setup::check`] refuses never
    /// moves: [`Simulation::bad_setup`] returns the reason, and a single pinned node replaces the
    /// body.
    pub fn new(setup: impl Into<Arc<Setup>>) -> Self {
        let setup = setup.into();
        match setup.check() {
            Ok(()) => Self::of_checked(setup),
            Err(bad) => {
                let mut run = Self::of_checked(Arc::new(Setup::stand_in()));
                run.refuse(bad);
                run
            }
        }
    }

    /// Ends the run, because its setup cannot continue. Stores the error as
    /// [`Simulation::bad_setup`].
    fn refuse(&mut self, bad: BadSetup) {
        let frame = self.steps / self.setup.substeps;
        self.refusal = Some(Refusal { excess: Excess::Setup, frame });
        self.meter.end(Excess::Setup);
        self.bad_setup = Some(bad);
    }

    fn of_checked(setup: Arc<Setup>) -> Self {
        let mut simulation = match setup.warm_up {
            0 => Self::standing(Arc::clone(&setup), setup.initial.clone()),
            frames => Self::warmed_up(setup, frames),
        };
        simulation.trigger_events(f64::NEG_INFINITY);
        simulation
    }

    /// Creates a run after `frames` hidden frames before its start. Their cost counts towards the
    /// budget of the run.
    fn warmed_up(setup: Arc<Setup>, frames: u64) -> Self {
        let before = Setup {
            warm_up: 0,
            start_time: setup.start_time - frames as f64 * setup.frame_time,
            breaks_at: None,
            impulses: Vec::new(),
            ..(*setup).clone()
        };
        let initial = before.initial.clone();
        let mut warming = Self::standing(Arc::new(before), initial);
        warming.pending.clear();
        for _ in 0..frames {
            warming.advance_frame();
        }
        let rods = std::mem::take(&mut warming.springs.rods);
        let mut simulation = Self::standing(setup, warming.state);
        simulation.springs.rods = rods;
        simulation.integrator.resume();
        simulation.meter.resume(warming.meter.spent());
        if let Some(excess) = warming.meter.excess() {
            simulation.meter.end(excess);
        }
        simulation.check_meter();
        simulation
    }

    /// Creates a run at its start, in a given state, before any events.
    fn standing(setup: Arc<Setup>, mut state: State) -> Self {
        let anchors = Anchors::new(&setup.model, &setup.initial, &setup.anchors);
        state.t = setup.start_time;
        anchors.apply(&mut state);
        impulses_between(&setup, f64::NEG_INFINITY, 0.0, &mut state, &mut Vec::new());
        let count = setup.model.springs.len();
        let springs = SpringMemory {
            plastic: if setup.flow.is_some() { vec![0.0; count] } else { Vec::new() },
            broken: breaks(&setup),
            rods: Vec::new(),
        };
        let springs = with_memory(&setup, springs, &state);
        let needs_tension = setup.needs_tension();
        let mut simulation = Self {
            integrator: setup.step_control.start(&setup.method, &setup.model, &state, setup.dt()),
            anchors,
            state,
            springs,
            next_rods: Vec::new(),
            steps: 0,
            outcome: Outcome::Fine,
            report: StepReport::none(),
            step_start: State::default(),
            undisturbed: State::default(),
            displaced: Vec::new(),
            nodes: node_solver(&setup),
            sum: None,
            lengths: None,
            drawn: drawn_solver(&setup),
            contact_forces: ContactForces::default(),
            frame_start: Checkpoint::default(),
            keeper: None,
            keeps_reactions: false,
            tensions_before: Vec::new(),
            forces: None,
            watch: Watch::new(&setup),
            taken: Taken::None,
            attempts: Attempts::default(),
            length_changes: 0,
            meter: Meter::within(setup.budget, setup.prices()),
            refusal: None,
            bad_setup: None,
            first_setup: Arc::clone(&setup),
            events: EventMemory::default(),
            steering: Steering::default(),
            pending: (0..setup.events.len()).collect(),
            setup,
        };
        simulation.change_lengths(simulation.state.t);
        if needs_tension {
            simulation.keep_tensions();
        }
        simulation
    }

    /// Stores the refusal if the budget stops the run.
    fn check_meter(&mut self) {
        if let (Some(excess), None) = (self.meter.excess(), self.refusal) {
            let frame = self.steps.div_ceil(self.setup.substeps).max(1);
            self.refusal = Some(Refusal { excess, frame });
        }
    }

    /// Starts an energy ledger and discards an older one. States stay bit-identical. The run then
    /// advances step by step, or in lanes of a [`super::batch::Batch`], and computes energies in
    /// each step.
    pub fn keep_ledger(&mut self) {
        self.keeper = Some(Box::new(Keeper::new(&self.setup, &self.system(), &self.state)));
        // Only moving pins and changing lengths do work. A method that records reactions cannot use
        // its kernels.
        let setup = &self.setup;
        let has_holders = !setup.anchors.is_empty() || !setup.lengths.is_empty();
        if has_holders || !setup.events.is_empty() {
            self.keep_reactions();
        }
    }

    /// Energy ledger since [`Simulation::keep_ledger`], which includes the ledger of the last
    /// frame; `None` if none is kept.
    pub fn ledger(&self) -> Option<&Ledger> {
        self.keeper.as_ref().map(|keeper| keeper.ledger())
    }

    /// Starts recording the forces on pins and colliders and discards older records. States stay
    /// bit-identical. The run then advances step by step and evaluates forces up to two additional
    /// times per step.
    pub fn keep_forces(&mut self) {
        self.forces = Some(Box::new(ForceRecorder::new(&self.setup)));
        self.keep_reactions();
    }

    /// Starts recording the tensions of held springs, for methods that record only on request: see
    /// [`Simulation::tensions`]. States stay bit-identical, but no kernel takes steps of such a
    /// method.
    pub fn keep_tensions(&mut self) {
        if self.integrator.tensions().is_none() {
            self.keep_reactions();
        }
    }

    /// Enables the method's records, also after a restart.
    fn keep_reactions(&mut self) {
        self.keeps_reactions = true;
        self.integrator.keep_reactions();
    }

    /// Books the change of energy since the last entry.
    fn book(&mut self, account: Account) {
        if let Some(mut keeper) = self.keeper.take() {
            keeper.book(account, &self.system(), &self.state);
            self.keeper = Some(keeper);
        }
    }

    /// Takes one step of dt, if the budget allows it. Divergence is checked only by
    /// [`Simulation::advance_frame`], at the ends of frames. After single steps call
    /// [`Simulation::is_out_of_order`].
    pub fn step(&mut self) {
        self.meter.spend(self.meter.prices().step);
        self.take_step();
    }

    /// Takes and counts one step of dt, in this order: method, factors, time, anchors, contacts,
    /// impulses, commit, events.
    fn take_step(&mut self) {
        if self.meter.is_over() {
            self.steps += 1;
            self.check_meter();
            return;
        }
        if let Some(keeper) = &mut self.keeper {
            keeper.begin(&self.state, self.steps.is_multiple_of(self.setup.substeps));
        }
        self.lengthen_for_step();
        self.measure_start();
        let setup = Arc::clone(&self.setup);
        let sum = self.sum.get_or_insert_with(|| new_sum(&setup, &self.springs));
        let system = System::new(&setup.model, &self.springs, &setup.forces, &self.anchors)
            .summed(sum.as_ref())
            .metered(&self.meter)
            .with_length_changes(self.length_changes);
        if !setup.contacts.is_empty() {
            self.step_start.clone_from(&self.state);
        }
        if let Some(forces) = &mut self.forces {
            forces.begin(&self.state, self.steps.is_multiple_of(setup.substeps));
        }
        self.integrator.step(&system, &mut self.state, setup.dt());
        let report = self.integrator.report().unwrap_or(StepReport::one(setup.dt()));
        self.report = self.report.and(report);
        // The time is a product, not a sum, so that long runs do not drift.
        self.steps += 1;
        let end = setup.time_after(self.steps);
        if let Some(keeper) = &mut self.keeper {
            keeper.book_method(&system, &self.state, end, self.integrator.as_ref());
        }
        if let Some(forces) = &mut self.forces {
            forces.record(&system, &self.state, end, setup.dt(), self.integrator.as_ref());
        }

        if setup.velocity_factor != 1.0 {
            self.state.v.iter_mut().for_each(|v| *v *= setup.velocity_factor);
        }
        if setup.position_factor != 1.0 {
            self.state.x.iter_mut().for_each(|x| *x *= setup.position_factor);
        }
        self.state.t = end;
        self.anchors.apply(&mut self.state);
        if setup.velocity_factor != 1.0 || setup.position_factor != 1.0 {
            self.book(Account::Damping);
        }
        self.displace(&setup);
        if let Some(forces) = &mut self.forces {
            forces.finish(&setup, &self.state, &self.contact_forces);
        }
        self.commit();
        self.lengthen_to_state();
        self.trigger_events(setup.time_after(self.steps - 1));
        self.end_pushes();
        if let Some(keeper) = &mut self.keeper {
            keeper.end();
        }
        self.check_meter();
    }

    /// Measures springs before a step, for laws that depend on the path of the strain.
    fn measure_start(&mut self) {
        let Setup { model, flow, .. } = &*self.setup;
        if flow.as_ref().is_some_and(|law| law.depends_on_path()) {
            let lengths = self.lengths.get_or_insert_with(|| Box::new(Lengths::new(model)));
            lengths.measure_start(model.axes, &self.state);
        }
    }

    /// Applies plastic flow and breaks, and updates the memory of rods, once per step.
    fn commit(&mut self) {
        self.remember();
        let Setup { model, flow, breaks_at, .. } = &*self.setup;
        if flow.is_none() && breaks_at.is_none() {
            return;
        }
        let lengths = self.lengths.get_or_insert_with(|| Box::new(Lengths::new(model)));
        lengths.measure(model.axes, &self.state);
        if let Some(law) = flow {
            lengths.flow(law.as_ref(), &mut self.springs.plastic, self.setup.dt());
        }
        if let Some(breaking) = breaks_at {
            for (j, (spring, length)) in model.springs.iter().zip(lengths.all()).enumerate() {
                let strain = (length - spring.rest_length) / spring.rest_length;
                if strain > breaking.of(j) && !self.springs.broken[j] {
                    self.springs.broken[j] = true;
                    self.sum = None;
                }
            }
        }
        self.book(Account::Yielding);
    }
}

/// Returns the memory of springs with the values that forces remember.
fn with_memory(setup: &Setup, mut springs: SpringMemory, state: &State) -> SpringMemory {
    let body = Body { model: &setup.model, springs: &springs };
    springs.rods = first_memory(&setup.forces, &body, state);
    springs
}

/// Creates a sum of the forces of a setup, for springs with this memory.
fn new_sum(setup: &Setup, springs: &SpringMemory) -> Box<RefCell<ForceSum>> {
    Box::new(RefCell::new(ForceSum::new(&setup.model, springs, &setup.forces)))
}

/// Flags of the springs that count as broken at the start: the springs that events create. Empty if
/// no spring can break.
fn breaks(setup: &Setup) -> Vec<bool> {
    if setup.breaks_at.is_none() && !setup.changes_springs() {
        return Vec::new();
    }
    let count = setup.model.springs.len();
    let first_joint = count - setup.joints();
    (0..count).map(|spring| spring >= first_joint).collect()
}
