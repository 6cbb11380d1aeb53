//! Runs a setup: the only place where the sequence of a step is written.

mod checkpoint;
mod clearance;
mod contact;
mod events;
mod forces;
mod frame;
mod lengths;
mod path;
mod readings;

pub use checkpoint::Checkpoint;
pub use forces::{ColliderForce, PinForce};
pub use path::{Path, Taken};

use super::{
    Setup,
    ledger::{Keeper, Ledger},
    watch::Watch,
};
use crate::body::{SpringMemory, State};
use crate::budget::{Excess, Meter, Refusal};
use crate::contact::{ContactForces, NodeSolver, drawn::DrawnSolver};
use crate::drive::{Anchors, event::EventMemory};
use crate::force::{Account, System};
use crate::kernel::force_sum::ForceSum;
use crate::method::{Integrator, StepReport};
use crate::named::BadSetup;
use contact::{drawn_solver, impulses_between, node_solver};
use forces::ForceRecorder;
use lengths::Lengths;
use serde::{Deserialize, Serialize};
use std::{cell::RefCell, sync::Arc};

/// How a run stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// All numbers are in order.
    #[default]
    Fine,
    /// The method lost the rope. The run goes on, but its numbers mean nothing any more.
    Diverged {
        /// The first frame whose state is out of order.
        frame: u64,
        /// The step, counted from the start, after which it was so.
        step: u64,
    },
}

/// A setup at work.
pub struct Simulation {
    /// As events have left it.
    setup: Arc<Setup>,
    /// As it was at the start.
    first_setup: Arc<Setup>,
    /// What events have done.
    events: EventMemory,
    /// Numbers of the events that have not happened, in order.
    pending: Vec<usize>,
    integrator: Box<dyn Integrator>,
    anchors: Anchors,
    state: State,
    springs: SpringMemory,
    steps: u64,
    outcome: Outcome,
    /// What steps were taken in this frame so far.
    report: StepReport,
    /// The start of the step, kept where there are contacts.
    step_start: State,
    /// The end of the step before contacts and impulses, where there are any.
    undisturbed: State,
    /// Nodes that contacts and impulses have moved in this step.
    displaced: Vec<usize>,
    /// Contact of nodes at work, where there is any.
    nodes: Option<Box<NodeSolver>>,
    /// Sums forces; made when it is first needed, for the setup and the springs as they are.
    sum: Option<Box<RefCell<ForceSum>>>,
    /// Measures springs where they flow or break; made when it is first needed, for the model.
    lengths: Option<Box<Lengths>>,
    /// Contact of what is drawn at work, where there is any.
    drawn: Option<Box<DrawnSolver>>,
    /// What contacts did in the last step.
    contact_forces: ContactForces,
    /// The start of the frame, to find the step that diverged. Where a kernel took the frame, its
    /// state alone.
    frame_start: Checkpoint,
    /// Who keeps the energy ledger, where one is kept.
    keeper: Option<Box<Keeper>>,
    /// Whether the method records impulses on pins and tensions, for a ledger, forces or colours.
    keeps_reactions: bool,
    /// The tensions before the last event that restarted the method.
    tensions_before: Vec<f64>,
    /// Who records the forces on pins and colliders, where they are asked for.
    forces: Option<Box<ForceRecorder>>,
    watch: Watch,
    /// How the last frame was taken.
    taken: Taken,
    meter: Meter,
    /// Why it does not go on, if it does not.
    refusal: Option<Refusal>,
    bad_setup: Option<BadSetup>,
}

impl Simulation {
    /// A run that stands at frame 0, the initial state. A setup that [`Setup::check`] would refuse
    /// does not move: [`Simulation::bad_setup`] says why, and a single pinned node stands for it.
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

    /// Ends the run: it cannot go on as it is set up.
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
        simulation.let_happen(f64::NEG_INFINITY);
        simulation
    }

    /// A run that stands where so many frames before its start lead. They are charged to it.
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
        let mut simulation = Self::standing(setup, warming.state);
        simulation.integrator.go_on();
        simulation.meter.resume(warming.meter.spent());
        if let Some(excess) = warming.meter.excess() {
            simulation.meter.end(excess);
        }
        simulation.look_at_meter();
        simulation
    }

    /// A run at its start, in a state that begins there, before any event.
    fn standing(setup: Arc<Setup>, mut state: State) -> Self {
        let anchors = Anchors::new(&setup.model, &setup.initial, &setup.anchors);
        state.t = setup.start_time;
        anchors.apply(&mut state);
        impulses_between(&setup, f64::NEG_INFINITY, 0.0, &mut state, &mut Vec::new());
        let count = setup.model.springs.len();
        let springs = SpringMemory {
            plastic: if setup.flow.is_some() { vec![0.0; count] } else { Vec::new() },
            broken: breaks(&setup),
        };
        let needs_tension = setup.needs_tension();
        let mut simulation = Self {
            integrator: setup.step_control.start(&setup.method, &setup.model, &state, setup.dt()),
            anchors,
            state,
            springs,
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
            meter: Meter::within(setup.budget, setup.prices()),
            refusal: None,
            bad_setup: None,
            first_setup: Arc::clone(&setup),
            events: EventMemory::default(),
            pending: (0..setup.events.len()).collect(),
            setup,
        };
        if needs_tension {
            simulation.keep_tensions();
        }
        simulation
    }

    /// Keeps why the run does not go on, where it does not.
    fn look_at_meter(&mut self) {
        if let (Some(excess), None) = (self.meter.excess(), self.refusal) {
            let frame = self.steps.div_ceil(self.setup.substeps).max(1);
            self.refusal = Some(Refusal { excess, frame });
        }
    }

    /// Keeps an energy ledger from here on; an older one is forgotten. It changes no bit of the
    /// states, but the run goes step by step, or in lanes of a [`super::batch::Batch`], and
    /// computes energies in each step.
    pub fn keep_ledger(&mut self) {
        self.keeper = Some(Box::new(Keeper::new(&self.setup, &self.system(), &self.state)));
        // Only pins that move do work, and a method that records goes without its kernels.
        if !self.setup.anchors.is_empty() || !self.setup.events.is_empty() {
            self.keep_reactions();
        }
    }

    /// The energy ledger since [`Simulation::keep_ledger`], and that of the last frame.
    pub fn ledger(&self) -> Option<&Ledger> {
        self.keeper.as_ref().map(|keeper| keeper.ledger())
    }

    /// Records the forces on pins and colliders from here on; what was recorded is forgotten. It
    /// changes no bit of the states, but the run goes step by step and computes forces up to twice
    /// more in each.
    pub fn keep_forces(&mut self) {
        self.forces = Some(Box::new(ForceRecorder::new(&self.setup)));
        self.keep_reactions();
    }

    /// Records the tensions of held springs from here on, of methods that do so only when asked to:
    /// see [`Simulation::tensions`]. States keep their bits, but no kernel takes steps of such a
    /// method.
    pub fn keep_tensions(&mut self) {
        if self.integrator.tensions().is_none() {
            self.keep_reactions();
        }
    }

    /// Lets the method record, also after it has begun anew.
    fn keep_reactions(&mut self) {
        self.keeps_reactions = true;
        self.integrator.keep_reactions();
    }

    /// Books all energy that came or went since the last entry.
    fn book(&mut self, account: Account) {
        if let Some(mut keeper) = self.keeper.take() {
            keeper.book(account, &self.system(), &self.state);
            self.keeper = Some(keeper);
        }
    }

    /// Takes one step of dt, if its budget allows it. Divergence is judged at the ends of frames,
    /// by [`Simulation::advance_frame`] alone; after single steps ask
    /// [`Simulation::is_out_of_order`].
    pub fn step(&mut self) {
        self.meter.spend(self.setup.step_cost());
        self.take_step();
    }

    /// One step of dt, which is counted: method, factors, time, anchors, contacts, impulses,
    /// commit, events.
    fn take_step(&mut self) {
        if self.meter.is_over() {
            self.steps += 1;
            self.look_at_meter();
            return;
        }
        let setup = Arc::clone(&self.setup);
        let sum = self.sum.get_or_insert_with(|| new_sum(&setup, &self.springs));
        let system = System::new(&setup.model, &self.springs, &setup.forces, &self.anchors)
            .summed(sum.as_ref())
            .metered(&self.meter);
        if !setup.contacts.is_empty() {
            self.step_start.clone_from(&self.state);
        }
        if let Some(keeper) = &mut self.keeper {
            keeper.begin(&self.state, self.steps.is_multiple_of(setup.substeps));
        }
        if let Some(forces) = &mut self.forces {
            forces.begin(&self.state, self.steps.is_multiple_of(setup.substeps));
        }
        self.integrator.step(&system, &mut self.state, setup.dt());
        let report = self.integrator.report().unwrap_or(StepReport::one(setup.dt()));
        self.report = self.report.and(report);
        // Counted rather than summed, so that long runs do not drift.
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
        self.let_happen(setup.time_after(self.steps - 1));
        if let Some(keeper) = &mut self.keeper {
            keeper.end();
        }
        self.look_at_meter();
    }

    /// Plastic flow and breaks, once a step.
    fn commit(&mut self) {
        let Setup { model, flow, breaks_at, .. } = &*self.setup;
        if flow.is_none() && breaks_at.is_none() {
            return;
        }
        let lengths = self.lengths.get_or_insert_with(|| Box::new(Lengths::new(model)));
        lengths.measure(model.axes, &self.state);
        if let Some(law) = flow {
            lengths.flow(law.as_ref(), &mut self.springs.plastic);
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

/// A sum of the forces of a setup, for springs that have been through this.
fn new_sum(setup: &Setup, springs: &SpringMemory) -> Box<RefCell<ForceSum>> {
    Box::new(RefCell::new(ForceSum::new(&setup.model, springs, &setup.forces)))
}

/// Which springs count as broken at the start: those that events make. Empty where none can break.
fn breaks(setup: &Setup) -> Vec<bool> {
    if setup.breaks_at.is_none() && !setup.changes_springs() {
        return Vec::new();
    }
    let count = setup.model.springs.len();
    let first_joint = count - setup.joints();
    (0..count).map(|spring| spring >= first_joint).collect()
}
