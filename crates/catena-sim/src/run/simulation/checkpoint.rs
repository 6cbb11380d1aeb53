//! Saves and restores the state of a run. The continuation of a restored run is bit-identical to
//! the original run.

use super::{Outcome, Simulation, Steering};
use crate::body::{SpringMemory, State};
use crate::drive::event::EventMemory;
use crate::named::BadSetup;
use crate::run::Setup;
use crate::run::ledger::Ledger;
use serde::{Deserialize, Serialize};

/// Everything that a run needs to continue from a point with bit-identical results.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Number of steps taken.
    pub steps: u64,
    /// Time, positions and velocities.
    pub state: State,
    /// Memory of the method. With contact of everything that is drawn, the contact impulses and
    /// their count follow.
    pub method: Vec<f64>,
    /// Name of the method and its control.
    pub method_name: String,
    /// Memory of the springs.
    pub springs: SpringMemory,
    /// Effects of events so far.
    pub events: EventMemory,
    /// Outcome of the run so far.
    pub outcome: Outcome,
    /// Changes from outside so far. Checkpoint files contain none, because renders are not steered.
    #[serde(skip)]
    pub steering: Steering,
    /// The energy ledger so far, if one is kept. Checkpoint files contain none.
    #[serde(skip)]
    pub ledger: Option<Ledger>,
}

impl Simulation {
    /// Returns a checkpoint of the current state.
    pub fn checkpoint(&self) -> Checkpoint {
        let mut checkpoint = Checkpoint::default();
        self.save(&mut checkpoint);
        checkpoint
    }

    /// Restores a checkpoint of a run of the same setup, earlier or later than the current state.
    /// An enabled ledger continues from the checkpoint's ledger, or starts again if the checkpoint
    /// has none. A checkpoint that does not [fit](Simulation::fits) ends the run: see
    /// [`Simulation::bad_setup`].
    pub fn restore(&mut self, checkpoint: &Checkpoint) {
        if !self.fits(checkpoint) {
            let message = "it belongs to a run with another setup: other nodes, other springs or \
                           another method";
            self.refuse(BadSetup::new("checkpoint", message));
            return;
        }
        self.contact_forces.clear();
        self.tensions_before.clear();
        self.forget_places();
        self.steps = checkpoint.steps;
        self.state.clone_from(&checkpoint.state);
        self.springs.clone_from(&checkpoint.springs);
        self.sum = None;
        self.restore_changes(checkpoint);
        self.change_lengths(self.state.t);
        let memory = match &mut self.drawn {
            Some(drawn) => drawn.restore(&checkpoint.method),
            None => &checkpoint.method,
        };
        self.integrator.restore(memory);
        self.outcome = checkpoint.outcome;
        if let Some(forces) = &mut self.forces {
            forces.forget();
        }
        if let Some(mut keeper) = self.keeper.take() {
            keeper.resume(checkpoint.ledger, &self.system(), &self.state);
            self.keeper = Some(keeper);
        }
    }

    /// Continues from a checkpoint of another run of the same setup. `spent` is the cost of that
    /// run in nanoseconds, so that an interrupted run is refused at the same step as an
    /// uninterrupted one.
    pub fn resume(&mut self, checkpoint: &Checkpoint, spent: u64) {
        self.restore(checkpoint);
        if self.bad_setup.is_none() {
            self.meter.resume(spent);
        }
    }

    /// Whether a checkpoint may belong to a run of this setup. Method, control and all list lengths
    /// must match, except the length of the method's memory, which may vary.
    pub fn fits(&self, checkpoint: &Checkpoint) -> bool {
        let lengths = |state: &State, springs: &SpringMemory| {
            let SpringMemory { plastic, broken, rods } = springs;
            [state.x.len(), state.v.len(), plastic.len(), broken.len(), rods.len()]
        };
        let mut name = String::new();
        self.write_method_name(&mut name);
        self.bad_setup.is_none()
            && checkpoint.method_name == name
            && self.first_setup.has_memory(&checkpoint.events)
            && checkpoint.steering.fits(&self.first_setup.model)
            && lengths(&checkpoint.state, &checkpoint.springs)
                == lengths(&self.state, &self.springs)
    }

    /// Overwrites a checkpoint with the current state and reuses its memory.
    pub(super) fn save(&self, checkpoint: &mut Checkpoint) {
        checkpoint.steps = self.steps;
        checkpoint.state.clone_from(&self.state);
        checkpoint.springs.clone_from(&self.springs);
        checkpoint.events.clone_from(&self.events);
        checkpoint.steering.clone_from(&self.steering);
        checkpoint.outcome = self.outcome;
        checkpoint.ledger = self.ledger().copied();
        checkpoint.method_name.clear();
        self.write_method_name(&mut checkpoint.method_name);
        checkpoint.method.clear();
        self.integrator.save(&mut checkpoint.method);
        if let Some(drawn) = &self.drawn {
            drawn.save(&mut checkpoint.method);
        }
    }

    fn write_method_name(&self, name: &mut String) {
        let Setup { method, step_control, slips, .. } = &*self.setup;
        for part in [method.info().name, " under ", step_control.info().name] {
            name.push_str(part);
        }
        for slip in slips {
            name.push_str(" with ");
            name.push_str(slip.info().name);
        }
    }
}
