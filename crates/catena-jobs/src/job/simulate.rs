//! Motion of every body of a scene, as numbers in memory.

use super::{
    FrameError, Interruption, Progress, RunError,
    check::bodies,
    error::refused,
    options::count,
    prepare::limited,
    threads,
    threads::MemoryNeed,
    trace::{ENERGIES, ROD_ENERGIES, energies, rod_energies},
};
use catena_draw::frames::Batches;
use catena_scene::{
    Limits, Scene,
    limits::{PlannedRun, Product},
};
use catena_sim::{Outcome, Simulation};
use std::sync::Arc;

/// Options of a simulation into memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimulateOptions {
    /// Number of frames, from 1 to [`super::MAX_FRAMES`]. `None` uses the number of the scene.
    pub frames: Option<u64>,
    /// Whether to keep an energy ledger. The states do not change, but the run takes several times
    /// as long.
    pub ledger: bool,
    /// Limits on the run.
    pub limits: Limits,
    /// Number of threads that simulate, 1 to 1024. `None` uses the caller's rayon pool. The numbers
    /// do not depend on it.
    pub threads: Option<u16>,
}

/// Motion of a body, with one or more values per frame. Frame 0 is the initial state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodyMotion {
    /// Label of the body in messages.
    pub label: String,
    /// Index of its panel.
    pub panel: usize,
    /// Number of nodes.
    pub nodes: usize,
    /// Number of components of a position: 2 or 3.
    pub axes: usize,
    /// Simulated time of each frame.
    pub times: Vec<f64>,
    /// Positions by frame, then node, then axis.
    pub positions: Vec<f64>,
    /// Velocities, in the order of the positions.
    pub velocities: Vec<f64>,
    /// Energies per frame with their names: `kinetic`, `gravitational` and `elastic`. With a
    /// ledger, also everything gained or lost since the previous frame. A rod has `bending` and
    /// `twist` too.
    pub energies: Vec<(&'static str, Vec<f64>)>,
    /// Outcome at the end. Numbers after a divergence are the raw results, possibly infinite or
    /// NaN.
    pub outcome: Outcome,
    /// Number of steps that did not converge, up to a divergence.
    pub unconverged: u64,
}

/// Number of leading energies that need no ledger.
const STORES: usize = 3;

impl BodyMotion {
    fn new(
        label: String,
        panel: usize,
        simulation: &Simulation,
        frames: usize,
        has_ledger: bool,
    ) -> Self {
        let model = &simulation.setup().model;
        let names = &ENERGIES[..if has_ledger { ENERGIES.len() } else { STORES }];
        let has_rods = simulation.setup().rods().is_some();
        let names = names.iter().chain(if has_rods { &ROD_ENERGIES[..] } else { &[] });
        let numbers = frames * model.nodes() * model.axes;
        Self {
            label,
            panel,
            nodes: model.nodes(),
            axes: model.axes,
            times: Vec::with_capacity(frames),
            positions: Vec::with_capacity(numbers),
            velocities: Vec::with_capacity(numbers),
            energies: names.map(|name| (*name, Vec::with_capacity(frames))).collect(),
            ..Self::default()
        }
    }

    /// Records the current frame.
    fn add(&mut self, simulation: &Simulation) {
        let state = simulation.state();
        self.times.push(state.t);
        for (all, values) in [(&mut self.positions, &state.x), (&mut self.velocities, &state.v)] {
            // A state stores one axis after another.
            for node in 0..self.nodes {
                all.extend(values.iter().skip(node).step_by(self.nodes));
            }
        }
        let mut values = if self.energies.len() < ENERGIES.len() {
            let energy = simulation.energy();
            vec![energy.kinetic, energy.gravitational, energy.elastic]
        } else {
            energies(simulation).to_vec()
        };
        values.extend(rod_energies(simulation));
        self.add_energies(&values);
        if simulation.outcome() == Outcome::Fine {
            self.unconverged += simulation.report().unconverged;
        }
    }

    fn add_energies(&mut self, values: &[f64]) {
        self.energies.iter_mut().zip(values).for_each(|((_, all), value)| all.push(*value));
    }
}

/// Simulates a scene and returns the motion of each body, in the order of panels and bodies.
///
/// # Errors
/// An option is out of range, the run would exceed the limits or the memory, or the job is
/// interrupted.
pub fn simulate(
    scene: &Scene,
    options: &SimulateOptions,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<Vec<BodyMotion>, FrameError> {
    let frames = count(options.frames, scene)?;
    let product = if options.ledger { Product::Energies } else { Product::Numbers };
    let scene = limited(scene, &options.limits, &PlannedRun::up_to(frames, product))?;
    ask_for_memory(&scene, frames)?;
    threads::with(options.threads, || run(&scene, options, frames, progress, interruption))?
}

fn run(
    scene: &Scene,
    options: &SimulateOptions,
    frames: u64,
    progress: &dyn Progress,
    interruption: &dyn Interruption,
) -> Result<Vec<BodyMotion>, FrameError> {
    let start = |(_, body)| -> Simulation {
        let body: &catena_scene::Body = body;
        let mut simulation = Simulation::new(Arc::clone(&body.setup));
        if options.ledger {
            simulation.keep_ledger();
        }
        simulation
    };
    let mut simulations: Vec<Simulation> = bodies(scene).into_iter().map(start).collect();
    let panels = (0..).zip(&scene.panels).flat_map(|(at, panel)| vec![at; panel.bodies.len()]);
    let places = scene.body_labels().into_iter().zip(panels).zip(&simulations);
    let (count, has_ledger) = (frames as usize, options.ledger);
    let mut motions: Vec<BodyMotion> = places
        .map(|((label, panel), it)| BodyMotion::new(label, panel, it, count, has_ledger))
        .collect();
    let mut batches = Batches::default();
    interruption.started();
    progress.begin(frames, 0);
    for frame in 0..frames {
        if interruption.is_set() {
            return Err(FrameError::Interrupted);
        }
        if frame > 0 {
            batches.advance(simulations.iter_mut().collect());
        }
        if let Some(refusal) = refused(scene, simulations.iter()) {
            return Err(refusal.into());
        }
        motions.iter_mut().zip(&simulations).for_each(|(motion, it)| motion.add(it));
        progress.frame();
    }
    for (motion, simulation) in motions.iter_mut().zip(&simulations) {
        motion.outcome = simulation.outcome();
    }
    Ok(motions)
}

/// Returns an error if there is not enough memory for the motions.
fn ask_for_memory(scene: &Scene, frames: u64) -> Result<(), RunError> {
    let numbers = |model: &catena_sim::Model| 2 * (model.nodes() * model.axes) as u64;
    let bodies = bodies(scene).into_iter();
    let each = |body: &catena_scene::Body| {
        (numbers(&body.setup.model) + (ENERGIES.len() + ROD_ENERGIES.len()) as u64 + 1) * 8
    };
    let all = bodies.map(|(_, body)| each(body).saturating_mul(frames));
    let bytes = all.fold(0, u64::saturating_add);
    if (MemoryNeed { each: 0, common: bytes }).try_allocate(1) {
        return Ok(());
    }
    Err(RunError::Exhausted(format!(
        "{}: not enough memory to keep {frames} frames, which take {}\n  help: lower the number of frames or of nodes",
        scene.name,
        catena_base::text::number::bytes(u128::from(bytes)),
    )))
}
