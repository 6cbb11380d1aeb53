//! Simulation of the bodies of a panel, and the data that a frame shows.

use super::quantity::Values;
use super::wound::{WoundRope, is_one_rope};
use crate::changes::BodyChanges;
use catena_scene::{Body, ColorBy, Panel, Style};
use catena_sim::body::measure;
use catena_sim::{Checkpoint, Outcome, Simulation, SpringMemory, StepReport};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// Mean force of a body on a pin or collider over a frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownForce {
    /// Index of the pinned node. `None` for a collider.
    pub pin: Option<usize>,
    /// Point of application.
    pub at: [f64; 3],
    /// The force.
    pub force: [f64; 3],
}

/// Data that a frame shows of a body. After a divergence, the data of the last frame before the
/// divergence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyFrame {
    /// Simulated time.
    pub t: f64,
    /// Positions, flat by axis.
    pub x: Vec<f64>,
    /// Plastic strain and breaks of the springs. Broken ones are not drawn.
    pub springs: SpringMemory,
    /// Changes made by events.
    pub changes: BodyChanges,
    /// Total length of a rope's unbroken springs. `None` for other bodies.
    pub length: Option<f64>,
    /// Maximum strain of a spring.
    pub strain: f64,
    /// Kinetic energy.
    pub kinetic: f64,
    /// Steps taken in the frame.
    pub report: StepReport,
    /// Forces on pins and colliders. Empty if no arrows are drawn.
    pub forces: Vec<ShownForce>,
    /// Values that the colours show.
    pub values: Values,
    /// Earlier positions.
    pub past: ShownPast,
    /// Winding of a rope's strands.
    pub wound: Option<WoundRope>,
    /// Frame at which the body diverged.
    pub diverged: Option<u64>,
}

impl BodyFrame {
    /// Data of a body's current state, with its past. `before` is the previous winding.
    pub fn of(
        body: &Body,
        simulation: &Simulation,
        past: &Past,
        before: Option<&WoundRope>,
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

/// Forces on pins and colliders in a frame, if they are recorded.
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

/// Data that a frame shows of the bodies of a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelFrame {
    /// One entry per body, in the order of the scene.
    pub bodies: Vec<BodyFrame>,
}

/// State from which a body can resume at a frame and be drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyCheckpoint {
    simulation: Checkpoint,
    /// Counted work so far, in nanoseconds of one core.
    spent: u64,
    report: StepReport,
    /// Forces shown in the frame. They depend on the steps before the frame and cannot be
    /// recomputed.
    forces: Vec<ShownForce>,
    /// Values shown by colours. Tensions also depend on the steps before the frame.
    values: Values,
    /// Earlier positions.
    past: Past,
    /// Winding of a rope's strands.
    wound: Option<WoundRope>,
    /// Last frame before the divergence, if the body has diverged.
    last: Option<BodyFrame>,
}

/// Simulates the bodies of a panel, and stores the current frame of each body, or its last frame
/// before a divergence.
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
                **current = BodyFrame::of(body, simulation, past, current.wound.as_ref());
            }
            Outcome::Diverged { frame, .. } => current.diverged = Some(frame),
        }
    }

    /// The current frame.
    pub fn current(&self) -> &BodyFrame {
        self.current
    }
}

/// Simulation at frame 0, which records the data that the body's style shows.
fn simulation(body: &Body) -> Simulation {
    let mut simulation = Simulation::new(Arc::clone(&body.setup));
    record_shown(body, &mut simulation);
    simulation
}

/// Makes a simulation of a body record forces and tensions if the body's style shows them.
pub fn record_shown(body: &Body, simulation: &mut Simulation) {
    if body.style.color_by == ColorBy::Tension {
        simulation.keep_tensions();
    }
    if body.shows_forces() {
        simulation.keep_forces();
    }
}

impl PanelRun {
    /// Panel at frame 0.
    pub fn new(panel: &Panel) -> Self {
        let simulations: Vec<_> = panel.bodies.iter().map(simulation).collect();
        let bodies = panel.bodies.clone();
        let pasts = vec![Past::default(); bodies.len()];
        let of = |((body, simulation), past)| BodyFrame::of(body, simulation, past, None);
        let frames = bodies.iter().zip(&simulations).zip(&pasts).map(of).collect();
        Self { bodies, simulations, pasts, current: PanelFrame { bodies: frames } }
    }

    /// Advances by one frame.
    pub fn advance_frame(&mut self) {
        self.simulations.iter_mut().for_each(Simulation::advance_frame);
        self.update();
    }

    /// Simulations, for a caller that advances them by one frame and then calls
    /// [`PanelRun::update`].
    pub fn simulations_mut(&mut self) -> &mut [Simulation] {
        &mut self.simulations
    }

    /// Updates the current frame from the simulations.
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

    /// Advances to the next frame step by step, and returns the panel at moments in between, given
    /// as ascending shares of the frame. Readouts and diverging bodies are taken from `after`, the
    /// panel at the next frame.
    pub fn moments(mut self, after: &PanelFrame, shares: &[f64]) -> Vec<PanelFrame> {
        let mut moments = vec![PanelFrame { bodies: Vec::new() }; shares.len()];
        for (index, after) in after.bodies.iter().enumerate() {
            let frames = match after.diverged {
                Some(_) => vec![after.clone(); shares.len()],
                None => self.body_moments(index, after, shares),
            };
            for (moment, frame) in moments.iter_mut().zip(frames) {
                moment.bodies.push(frame);
            }
        }
        moments
    }

    /// A body at moments before the next frame. Positions between two steps are interpolated
    /// linearly.
    fn body_moments(&mut self, index: usize, after: &BodyFrame, shares: &[f64]) -> Vec<BodyFrame> {
        let (body, simulation) = (&self.bodies[index], &mut self.simulations[index]);
        let (past, wound) = (&mut self.pasts[index], self.current.bodies[index].wound);
        past.push(body, &self.current.bodies[index].x);
        let steps = simulation.setup().substeps as f64;
        let mut frames = Vec::with_capacity(shares.len());
        let (mut x, mut t, mut taken) = (Vec::new(), 0.0, 0.0);
        for share in shares {
            // The last moment may be at the very end.
            let step = (share * steps).floor().min(steps - 1.0);
            while taken <= step {
                x.clone_from(&simulation.state().x);
                t = simulation.state().t;
                simulation.step();
                taken += 1.0;
            }
            let mut frame = BodyFrame::of(body, simulation, past, wound.as_ref());
            let part = share * steps - step;
            let between = |from: f64, to: f64| from + (to - from) * part;
            frame.x.iter_mut().zip(&x).for_each(|(to, from)| *to = between(*from, *to));
            frame.t = between(t, frame.t);
            frames.push(BodyFrame {
                length: after.length,
                strain: after.strain,
                kinetic: after.kinetic,
                report: after.report,
                forces: after.forces.clone(),
                ..frame
            });
        }
        frames
    }

    /// The current frame.
    pub fn current(&self) -> &PanelFrame {
        &self.current
    }

    /// Checkpoint of each body.
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

    /// Resumes from checkpoints of a panel of the same scene. Returns whether the numbers of
    /// bodies, nodes and springs match; if not, nothing changes.
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
                ..BodyFrame::of(&self.bodies[index], simulation, &self.pasts[index], None)
            };
            self.current.bodies[index] = checkpoint.last.clone().unwrap_or(now);
        }
        true
    }

    /// Simulations, including diverged ones.
    pub fn simulations(&self) -> &[Simulation] {
        &self.simulations
    }
}

/// Positions in the frames before the current one, the latest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Past {
    /// Positions of all nodes, for ghosts.
    frames: VecDeque<Vec<f64>>,
    /// Positions of nodes with a trail, in the order of [`Body::trails`].
    trails: VecDeque<Vec<[f64; 3]>>,
}

/// Past of a body as shown in a frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ShownPast {
    /// Positions of ghosts, flat by axis, the latest first.
    pub ghosts: Vec<Vec<f64>>,
    /// Earlier positions of the nodes with a trail, in the order of [`Body::trails`]. The latest
    /// position is first.
    pub trails: Vec<Vec<[f64; 3]>>,
}

impl Past {
    /// Adds the positions of the current frame, before the next one starts.
    pub fn push(&mut self, body: &Body, x: &[f64]) {
        let maximum = body.style.ghost_frames() as usize;
        if maximum > 0 {
            self.frames.truncate(maximum - 1);
            self.frames.push_front(x.to_vec());
        }
        let n = body.setup.model.nodes();
        let place =
            |node: &usize| [0, 1, 2].map(|axis| x.get(axis * n + node).copied().unwrap_or(0.0));
        let maximum = body.style.trail_frames as usize;
        if maximum > 0 && !body.trails.is_empty() {
            self.trails.truncate(maximum - 1);
            self.trails.push_front(body.trails.iter().map(place).collect());
        }
    }

    /// Past for the frame after the last added one.
    pub fn shown(&self, body: &Body) -> ShownPast {
        let Style { ghosts, ghost_gap, .. } = body.style;
        let ghost = |k: u32| self.frames.get((k * ghost_gap) as usize - 1).cloned();
        let trail = |index: usize| self.trails.iter().map(|places| places[index]).collect();
        ShownPast {
            ghosts: (1..=ghosts).filter_map(ghost).collect(),
            trails: (0..body.trails.len()).map(trail).collect(),
        }
    }
}
