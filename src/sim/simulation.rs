//! Runs a setup: the only place where the sequence of a step is written.

use super::{Force, Integrator, Method, Model, State, System, anchor::Anchors, measure};
use std::sync::Arc;

/// Everything that defines a run. Two runs of one setup give the same bits.
#[derive(Debug)]
pub struct Setup {
    /// Masses, springs and pins.
    pub model: Model,
    /// Where it starts.
    pub initial: State,
    /// The forces, in the order in which they are summed.
    pub forces: Vec<Box<dyn Force>>,
    /// The method, with its options.
    pub method: Box<dyn Method>,
    /// Simulated time from one frame to the next, above zero.
    pub frame_time: f64,
    /// Steps a frame, at least 1.
    pub substeps: u64,
    /// Every velocity is multiplied by this after each step; 1 changes nothing.
    pub velocity_factor: f64,
    /// Every free position is multiplied by this after each step, which pulls towards the origin; 1 changes
    /// nothing.
    pub position_factor: f64,
    /// A strain beyond this counts as diverged, as does a number that is not finite. It must be far above what
    /// the forces can explain, and small enough that the last frame in order can still be recognised.
    pub strain_limit: f64,
}

impl Setup {
    /// The fixed step: frame time over substeps.
    pub fn dt(&self) -> f64 {
        self.frame_time / self.substeps as f64
    }
}

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All numbers are in order.
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
    setup: Arc<Setup>,
    integrator: Box<dyn Integrator>,
    anchors: Anchors,
    state: State,
    steps: u64,
    outcome: Outcome,
    /// State and method's memory at the start of the frame, to find the step that diverged.
    saved: (State, Vec<f64>),
}

impl Simulation {
    /// A run that stands at frame 0, the initial state.
    pub fn new(setup: Arc<Setup>) -> Self {
        let integrator = setup.method.start(&setup.model, &setup.initial, setup.dt());
        let state = setup.initial.clone();
        Self {
            anchors: Anchors::new(&setup.model, &state),
            saved: (state.clone(), integrator.memory().to_vec()),
            integrator,
            state,
            steps: 0,
            outcome: Outcome::Fine,
            setup,
        }
    }

    /// What is run.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Time, positions and velocities now.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The frame that the state belongs to.
    pub fn frame(&self) -> u64 {
        self.steps / self.setup.substeps
    }

    /// Whether it has diverged, and when.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// What the method remembers beside the state, for checkpoints.
    pub fn memory(&self) -> &[f64] {
        self.integrator.memory()
    }

    /// One step of dt: method, factors, anchors, time.
    pub fn step(&mut self) {
        let system = System::new(&self.setup.model, &self.setup.forces);
        self.integrator.step(&system, &mut self.state, self.setup.dt());

        if self.setup.velocity_factor != 1.0 {
            self.state.v.iter_mut().for_each(|v| *v *= self.setup.velocity_factor);
        }
        if self.setup.position_factor != 1.0 {
            self.state.x.iter_mut().for_each(|x| *x *= self.setup.position_factor);
        }
        self.anchors.apply(&mut self.state);

        // Counted rather than summed, so that long runs do not drift.
        self.steps += 1;
        self.state.t = self.steps as f64 * self.setup.dt();
    }

    /// All steps of one frame. Divergence is judged at its end; only then is the guilty step searched for.
    pub fn advance_frame(&mut self) {
        if self.outcome != Outcome::Fine {
            (0..self.setup.substeps).for_each(|_| self.step());
            return;
        }
        self.save();
        (0..self.setup.substeps).for_each(|_| self.step());
        if self.is_out_of_order() {
            self.find_divergence();
        }
    }

    fn is_out_of_order(&self) -> bool {
        let strain = measure::greatest_strain(&self.setup.model, &self.state.x);
        // Written so that NaN counts as out of order.
        !(strain <= self.setup.strain_limit) || !self.state.is_finite()
    }

    fn save(&mut self) {
        self.saved.0.clone_from(&self.state);
        self.saved.1.clear();
        self.saved.1.extend_from_slice(self.integrator.memory());
    }

    /// Runs the frame once more, looking after each step. It ends in the same state as before.
    fn find_divergence(&mut self) {
        let (frame, end) = (self.frame(), self.steps);
        self.state.clone_from(&self.saved.0);
        self.integrator.restore(&self.saved.1);
        self.steps -= self.setup.substeps;
        while self.steps < end {
            self.step();
            if self.outcome == Outcome::Fine && self.is_out_of_order() {
                self.outcome = Outcome::Diverged { frame, step: self.steps };
            }
        }
    }
}
