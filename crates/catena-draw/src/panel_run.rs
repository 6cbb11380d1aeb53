//! Runs the simulations of a panel, and keeps what a frame shows of them.

use super::events::BodyChanges;
use super::past::{Past, ShownPast};
use super::quantity::Values;
use super::wound::WoundRope;
use catena_scene::{Body, ColorBy, Panel};
use catena_sim::{
    Arrangement, Checkpoint, Form, Model, Outcome, Simulation, SpringMemory, StepReport,
    body::measure,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The force of a body on a pin or a collider, as a mean over a frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownForce {
    /// The pinned node; `None` for a collider.
    pub pin: Option<usize>,
    /// Where it acts.
    pub at: [f64; 3],
    /// The force.
    pub force: [f64; 3],
}

/// What a frame shows of a body; after it diverged, of its last frame in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyFrame {
    /// Simulated time.
    pub t: f64,
    /// Positions, flat by axis.
    pub x: Vec<f64>,
    /// Plastic strain and breaks of the springs; broken ones are not drawn.
    pub springs: SpringMemory,
    /// What events have changed.
    pub changes: BodyChanges,
    /// Sum of the lengths of all whole springs of a rope; `None` for a sheet.
    pub length: Option<f64>,
    /// The greatest strain of a spring.
    pub strain: f64,
    /// Kinetic energy.
    pub kinetic: f64,
    /// Which steps were taken in the frame.
    pub report: StepReport,
    /// What pins and colliders feel; empty where no arrows are drawn.
    pub forces: Vec<ShownForce>,
    /// What its colours show.
    pub values: Values,
    /// Where it was before.
    pub past: ShownPast,
    /// How the strands of a rope lie.
    pub wound: Option<WoundRope>,
    /// The frame at which the body diverged.
    pub diverged: Option<u64>,
}

impl BodyFrame {
    /// The frame of the simulation of a body as it is now, after a past.
    pub fn of(
        body: &Body,
        simulation: &Simulation,
        (past, before): (&Past, Option<&WoundRope>),
    ) -> Self {
        let (model, state) = (&simulation.setup().model, simulation.state());
        Self {
            t: state.t,
            x: state.x.clone(),
            springs: simulation.springs().clone(),
            changes: BodyChanges::of(simulation),
            length: is_one_rope(model)
                .then(|| measure::length(model, simulation.springs(), &state.x)),
            strain: measure::greatest_strain(model, simulation.springs(), &state.x),
            kinetic: measure::kinetic_energy(model, state),
            report: simulation.report(),
            forces: shown_forces(simulation),
            values: Values::of(body, simulation),
            past: past.shown(body),
            wound: WoundRope::of(body, simulation, before),
            diverged: None,
        }
    }
}

/// Whether a body is one rope, open or closed, which has a length.
pub fn is_one_rope(model: &Model) -> bool {
    let is_alone = || matches!(&model.parts[..], [part] if matches!(part.form, Form::Rope { .. }));
    model.arrangement == Arrangement::Chain || is_alone()
}

/// What pins and colliders feel in a frame, where it is recorded.
fn shown_forces(simulation: &Simulation) -> Vec<ShownForce> {
    let at = |node: usize| simulation.position(node).unwrap_or_default();
    let pins = simulation.pin_forces().iter().map(|it| ShownForce {
        pin: Some(it.node),
        at: at(it.node),
        force: it.frame,
    });
    let colliders = simulation.collider_forces().iter();
    pins.chain(colliders.map(|it| ShownForce { pin: None, at: it.at, force: it.frame })).collect()
}

/// What a frame shows of the bodies of a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelFrame {
    /// One a body, in the order of the scene.
    pub bodies: Vec<BodyFrame>,
}

/// All that a body needs to go on from a frame, and to show it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyCheckpoint {
    simulation: Checkpoint,
    /// Counted work up to here, in nanoseconds of one core.
    spent: u64,
    report: StepReport,
    /// What the frame showed of forces: they belong to the steps that led to it.
    forces: Vec<ShownForce>,
    /// Values that its colours showed: tensions belong to these steps, too.
    values: Values,
    /// Where it was before.
    past: Past,
    /// How the strands of a rope lie.
    wound: Option<WoundRope>,
    /// The last frame in order, if the body has diverged since.
    last: Option<BodyFrame>,
}

/// Runs the bodies of a panel, and keeps the last frame in order of each.
pub struct PanelRun {
    bodies: Vec<Body>,
    simulations: Vec<Simulation>,
    pasts: Vec<Past>,
    current: PanelFrame,
}

/// Records the frames of a body from its simulation.
pub struct BodyRun<'a> {
    body: &'a Body,
    past: &'a mut Past,
    current: &'a mut BodyFrame,
}

impl BodyRun<'_> {
    /// Records the current frame of the simulation.
    pub fn update(&mut self, simulation: &Simulation) {
        let Self { body, past, current } = self;
        match simulation.outcome() {
            Outcome::Fine => {
                past.push(body, &current.x);
                **current = BodyFrame::of(body, simulation, (past, current.wound.as_ref()));
            }
            Outcome::Diverged { frame, .. } => current.diverged = Some(frame),
        }
    }

    /// The current frame.
    pub fn current(&self) -> &BodyFrame {
        self.current
    }
}

/// A body at frame 0, which records forces and tensions where its style shows them.
fn simulation(body: &Body) -> Simulation {
    let mut simulation = Simulation::new(Arc::clone(&body.setup));
    if body.style.color_by == ColorBy::Tension {
        simulation.keep_tensions();
    }
    if body.shows_forces() {
        simulation.keep_forces();
    }
    simulation
}

impl PanelRun {
    /// The panel at frame 0.
    pub fn new(panel: &Panel) -> Self {
        let simulations: Vec<_> = panel.bodies.iter().map(simulation).collect();
        let bodies = panel.bodies.clone();
        let pasts = vec![Past::default(); bodies.len()];
        let of = |((body, simulation), past)| BodyFrame::of(body, simulation, (past, None));
        let frames = bodies.iter().zip(&simulations).zip(&pasts).map(of).collect();
        Self { bodies, simulations, pasts, current: PanelFrame { bodies: frames } }
    }

    /// Goes on by one frame.
    pub fn advance_frame(&mut self) {
        self.simulations.iter_mut().for_each(Simulation::advance_frame);
        self.update();
    }

    /// The simulations, for a caller that advances them by one frame and then calls
    /// [`PanelRun::update`].
    pub fn simulations_mut(&mut self) -> &mut [Simulation] {
        &mut self.simulations
    }

    /// Takes the current frame from the simulations.
    pub fn update(&mut self) {
        self.bodies_mut().for_each(|(simulation, mut body)| body.update(simulation));
    }

    /// The simulations and the recorders of their frames, for a caller that advances bodies one by
    /// one.
    pub fn bodies_mut(&mut self) -> impl Iterator<Item = (&mut Simulation, BodyRun<'_>)> {
        let bodies = self.bodies.iter().zip(&mut self.pasts).zip(&mut self.current.bodies);
        let runs = bodies.map(|((body, past), current)| BodyRun { body, past, current });
        self.simulations.iter_mut().zip(runs)
    }

    /// A second run of the same panel, at the same frame.
    pub fn fork(&self, panel: &Panel) -> Self {
        let mut fork = Self::new(panel);
        if self.simulations.iter().any(|simulation| simulation.frame() > 0) {
            fork.resume(&self.checkpoint());
        }
        fork
    }

    /// The current frame.
    pub fn current(&self) -> &PanelFrame {
        &self.current
    }

    /// A checkpoint of each body.
    pub fn checkpoint(&self) -> Vec<BodyCheckpoint> {
        let bodies = self.simulations.iter().zip(&self.current.bodies).zip(&self.pasts);
        let checkpoint = |((simulation, frame), past): ((&Simulation, &BodyFrame), &Past)| {
            let past = past.clone();
            BodyCheckpoint {
                past,
                simulation: simulation.checkpoint(),
                spent: simulation.spent(),
                report: frame.report,
                forces: frame.forces.clone(),
                values: frame.values.clone(),
                wound: frame.wound,
                last: frame.diverged.map(|_| frame.clone()),
            }
        };
        bodies.map(checkpoint).collect()
    }

    /// Goes on from checkpoints of a panel of the same scene. Returns whether they fit: as many
    /// bodies, nodes and springs; otherwise nothing changes.
    pub fn resume(&mut self, checkpoints: &[BodyCheckpoint]) -> bool {
        let fits = |(simulation, checkpoint): (&Simulation, &BodyCheckpoint)| {
            let n = simulation.state().x.len();
            simulation.fits(&checkpoint.simulation)
                && checkpoint.last.as_ref().is_none_or(|last| last.x.len() == n)
        };
        let is_same = self.simulations.len() == checkpoints.len();
        if !is_same || !self.simulations.iter().zip(checkpoints).all(fits) {
            return false;
        }
        for (index, checkpoint) in checkpoints.iter().enumerate() {
            let simulation = &mut self.simulations[index];
            simulation.resume(&checkpoint.simulation, checkpoint.spent);
            self.pasts[index] = checkpoint.past.clone();
            let now = BodyFrame {
                report: checkpoint.report,
                forces: checkpoint.forces.clone(),
                values: checkpoint.values.clone(),
                wound: checkpoint.wound,
                ..BodyFrame::of(&self.bodies[index], simulation, (&self.pasts[index], None))
            };
            self.current.bodies[index] = checkpoint.last.clone().unwrap_or(now);
        }
        true
    }

    /// The simulations, those that diverged included.
    pub fn simulations(&self) -> &[Simulation] {
        &self.simulations
    }
}
