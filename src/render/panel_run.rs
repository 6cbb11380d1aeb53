//! Runs the bodies of a panel, and tells what a frame shows of them.

use crate::scene::Panel;
use crate::sim::{Arrangement, Checkpoint, Outcome, Simulation, SpringMemory, StepReport, measure};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One body at one frame; when it has diverged, at its last frame before that.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyFrame {
    /// Simulated time.
    pub t: f64,
    /// Positions, flat by axis.
    pub x: Vec<f64>,
    /// What the springs have been through: broken ones are not drawn.
    pub springs: SpringMemory,
    /// Length of all springs of a rope together that are whole; a sheet has none.
    pub length: Option<f64>,
    /// The greatest strain of a spring.
    pub strain: f64,
    /// Kinetic energy.
    pub kinetic: f64,
    /// What steps were taken in the frame.
    pub report: StepReport,
    /// The frame at which it diverged.
    pub diverged: Option<u64>,
}

impl BodyFrame {
    /// What a simulation shows now.
    pub fn of(simulation: &Simulation) -> Self {
        let (model, state) = (&simulation.setup().model, simulation.state());
        Self {
            t: state.t,
            x: state.x.clone(),
            springs: simulation.springs().clone(),
            length: (model.arrangement == Arrangement::Chain)
                .then(|| measure::length(model, simulation.springs(), &state.x)),
            strain: measure::greatest_strain(model, simulation.springs(), &state.x),
            kinetic: measure::kinetic_energy(model, state),
            report: simulation.report(),
            diverged: None,
        }
    }
}

/// The bodies of one panel at one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelFrame {
    /// In the order of the scene.
    pub bodies: Vec<BodyFrame>,
}

/// All that a body needs to go on from a frame, and to show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyCheckpoint {
    simulation: Checkpoint,
    /// Nanoseconds of one core that it took so far, as they are counted.
    spent: u64,
    report: StepReport,
    /// The last frame before it diverged, where it has.
    last: Option<BodyFrame>,
}

/// Runs the bodies of a panel and keeps the last frame of each before it diverged.
pub struct PanelRun {
    simulations: Vec<Simulation>,
    frame: PanelFrame,
}

impl PanelRun {
    /// A panel at frame 0.
    pub fn new(panel: &Panel) -> Self {
        let simulations: Vec<_> =
            panel.bodies.iter().map(|body| Simulation::new(Arc::clone(&body.setup))).collect();
        let frame = PanelFrame { bodies: simulations.iter().map(BodyFrame::of).collect() };
        Self { simulations, frame }
    }

    /// Goes on by one frame.
    pub fn advance_frame(&mut self) {
        self.simulations.iter_mut().for_each(Simulation::advance_frame);
        self.update();
    }

    /// The simulations, to be moved on by one frame; [`PanelRun::update`] comes next.
    pub fn simulations_mut(&mut self) -> &mut [Simulation] {
        &mut self.simulations
    }

    /// Updates what the panel shows after its simulations were moved on.
    pub fn update(&mut self) {
        for (simulation, shown) in self.simulations.iter().zip(&mut self.frame.bodies) {
            match simulation.outcome() {
                Outcome::Fine => *shown = BodyFrame::of(simulation),
                Outcome::Diverged { frame, .. } => shown.diverged = Some(frame),
            }
        }
    }

    /// What the panel shows now.
    pub fn frame(&self) -> &PanelFrame {
        &self.frame
    }

    /// Checkpoints of all bodies.
    pub fn checkpoint(&self) -> Vec<BodyCheckpoint> {
        let bodies = self.simulations.iter().zip(&self.frame.bodies);
        let of_body = |(simulation, frame): (&Simulation, &BodyFrame)| BodyCheckpoint {
            simulation: simulation.checkpoint(),
            spent: simulation.spent(),
            report: frame.report,
            last: frame.diverged.map(|_| frame.clone()),
        };
        bodies.map(of_body).collect()
    }

    /// Goes to the checkpoints of a panel of the same scene, and says whether it could: they must
    /// have as many bodies, nodes and springs as the panel.
    pub fn go_to(&mut self, points: &[BodyCheckpoint]) -> bool {
        let fits = |(simulation, point): (&Simulation, &BodyCheckpoint)| {
            simulation.fits(&point.simulation)
                && point.last.as_ref().is_none_or(|last| last.x.len() == simulation.state().x.len())
        };
        let is_same = self.simulations.len() == points.len();
        if !is_same || !self.simulations.iter().zip(points).all(fits) {
            return false;
        }
        for (index, point) in points.iter().enumerate() {
            let simulation = &mut self.simulations[index];
            simulation.resume(&point.simulation, point.spent);
            let now = BodyFrame { report: point.report, ..BodyFrame::of(simulation) };
            self.frame.bodies[index] = point.last.clone().unwrap_or(now);
        }
        true
    }

    /// The simulations, as they are, divergence or not.
    pub fn simulations(&self) -> &[Simulation] {
        &self.simulations
    }
}
