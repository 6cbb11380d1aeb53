//! What a frame shows of a panel, taken from its simulations.

use crate::scene::Panel;
use crate::sim::{
    Arrangement, Checkpoint, Outcome, Simulation, SpringMemory, StepReport, body::measure,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One body at one frame, or at its last frame in order when it has diverged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyShot {
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

impl BodyShot {
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
pub struct PanelShot {
    /// In the order of the scene.
    pub bodies: Vec<BodyShot>,
}

/// All that a body needs to go on from a frame, and to show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyPoint {
    simulation: Checkpoint,
    /// Nanoseconds of one core that it took so far, as they are counted.
    spent: u64,
    report: StepReport,
    /// The last frame in order, of a body that has diverged since.
    last: Option<BodyShot>,
}

/// Runs the bodies of a panel and keeps the last frame in order of each.
pub struct Tracker {
    simulations: Vec<Simulation>,
    shot: PanelShot,
}

impl Tracker {
    /// A panel at frame 0.
    pub fn new(panel: &Panel) -> Self {
        let simulations: Vec<_> =
            panel.bodies.iter().map(|body| Simulation::new(Arc::clone(&body.setup))).collect();
        let shot = PanelShot { bodies: simulations.iter().map(BodyShot::of).collect() };
        Self { simulations, shot }
    }

    /// Goes on by one frame.
    pub fn advance_frame(&mut self) {
        self.simulations.iter_mut().for_each(Simulation::advance_frame);
        self.look();
    }

    /// The simulations, to be moved on by one frame; [`Tracker::look`] comes next.
    pub fn simulations_mut(&mut self) -> &mut [Simulation] {
        &mut self.simulations
    }

    /// Takes over what the simulations show now.
    pub fn look(&mut self) {
        for (simulation, shot) in self.simulations.iter().zip(&mut self.shot.bodies) {
            match simulation.outcome() {
                Outcome::Fine => *shot = BodyShot::of(simulation),
                Outcome::Diverged { frame, .. } => shot.diverged = Some(frame),
            }
        }
    }

    /// What the panel shows now.
    pub fn shot(&self) -> &PanelShot {
        &self.shot
    }

    /// Where the panel stands.
    pub fn point(&self) -> Vec<BodyPoint> {
        let bodies = self.simulations.iter().zip(&self.shot.bodies);
        let point = |(simulation, shot): (&Simulation, &BodyShot)| BodyPoint {
            simulation: simulation.checkpoint(),
            spent: simulation.spent(),
            report: shot.report,
            last: shot.diverged.map(|_| shot.clone()),
        };
        bodies.map(point).collect()
    }

    /// Goes to where a panel of the same scene stood, and says whether it could: the points must have as many bodies, nodes and
    /// springs as the panel.
    pub fn go_to(&mut self, points: &[BodyPoint]) -> bool {
        let fits = |(simulation, point): (&Simulation, &BodyPoint)| {
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
            let now = BodyShot { report: point.report, ..BodyShot::of(simulation) };
            self.shot.bodies[index] = point.last.clone().unwrap_or(now);
        }
        true
    }

    /// The simulations, as they are, divergence or not.
    pub fn simulations(&self) -> &[Simulation] {
        &self.simulations
    }
}
