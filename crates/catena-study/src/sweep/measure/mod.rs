//! What is measured of a run. A measure is one file here and one line of the table.

mod diverged;
mod energy;
mod ledger;
mod settled;
mod stable_step;
mod state_hash;
mod strain;
mod tip;
mod trace;
mod work;

use super::estimate::PlannedMeasuring;
use super::table::{Column, Value};
use catena_analysis::settle::RestRule;
use catena_scene::{
    Scene, SceneError,
    sweep::{Sweep, WrittenMeasure},
};
use catena_sim::{Setup, Simulation};
use std::sync::Arc;

/// A measure with its options.
pub trait Measure: Send + Sync {
    /// Its columns.
    fn columns(&self, shape: Shape) -> Vec<Column>;

    /// Refuses runs that it cannot measure, in words.
    ///
    /// # Errors
    /// When it would have more columns than there is room for.
    fn check(&self, _shape: Shape) -> Result<(), String> {
        Ok(())
    }

    /// Begins to measure a run.
    fn begin(&self, setup: &Arc<Setup>) -> Box<dyn Measuring>;

    /// Prepares a simulation, at frame 0.
    fn prepare(&self, _simulation: &mut Simulation) {}

    /// Estimated nanoseconds of one core that it takes of a run beside its frames, and what the
    /// estimate itself took.
    fn work(&self, run: &PlannedMeasuring<'_>) -> [u128; 2] {
        let parts = (run.setup.model.nodes() + run.setup.model.springs.len()) as u128;
        [parts * LOOK * u128::from(run.in_order), 0]
    }

    /// The values of several runs at their ends, in order: those that [`Measuring::values`] gives
    /// one by one.
    fn values(&self, runs: &mut [Ended<'_>]) -> Vec<Vec<Value>> {
        runs.iter_mut().map(|run| run.measuring.values(&run.end)).collect()
    }
}

/// Nanoseconds of a node or spring that is looked at in a frame.
const LOOK: u128 = 10;

/// A run that has ended, with what measures it.
pub struct Ended<'a> {
    /// Has seen its frames.
    pub measuring: &'a mut dyn Measuring,
    /// Its end.
    pub end: RunEnd<'a>,
}

/// What all runs of a sweep have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Axes of the space: 2 or 3.
    pub axes: usize,
    /// Frames of a run.
    pub frames: u64,
    /// How many nodes the largest body has; `None` where that is not known.
    pub nodes: Option<usize>,
}

impl Shape {
    /// That of a sweep whose scene is `base`, with so many frames.
    pub fn new(sweep: &Sweep, base: &Scene, frames: u64) -> Self {
        Self { axes: base.axes, frames, nodes: most_nodes(sweep) }
    }

    /// Refuses a node that no body has.
    fn check_node(self, node: Option<usize>) -> Result<(), String> {
        match (node, self.nodes) {
            (Some(node), Some(most)) if node >= most => Err(format!(
                "no body has a node {node}: nodes are numbered from 0 to {}",
                most.saturating_sub(1)
            )),
            _ => Ok(()),
        }
    }
}

/// The values of an axis that are looked at for the size of bodies.
const MOST_SIZES: u64 = 256;

/// How many nodes the largest body of a sweep has, along each axis by itself; `None` where axes
/// have too many values to look at, or no variant can be built.
fn most_nodes(sweep: &Sweep) -> Option<usize> {
    // Where nobody names a node nobody asks.
    let mut options = sweep.measures.iter().flat_map(|measure| &measure.options);
    if !options.any(|(name, _)| name == "node") || sweep.sample().is_some() {
        return None;
    }
    let nodes = |number: u64| -> Option<usize> {
        let scene = sweep.scene(&sweep.variant(number)).ok()?;
        let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
        bodies.map(|body| body.setup.model.nodes()).max()
    };
    let (mut stride, mut most) = (1, nodes(0));
    for count in sweep.counts().into_iter().rev().flatten() {
        if count > MOST_SIZES {
            return None;
        }
        most = (0..count).filter_map(|index| nodes(stride * index)).max().max(most);
        stride *= count;
    }
    most
}

/// A measure at work on one run.
pub trait Measuring: Send {
    /// Is shown each frame, frame 0 included, as long as the run is in order.
    fn frame(&mut self, _simulation: &Simulation) {}

    /// The values at the end of the run, a value a column.
    fn values(&mut self, end: &RunEnd<'_>) -> Vec<Value>;
}

/// The end of a run.
pub struct RunEnd<'a> {
    /// The setup at its start.
    pub setup: &'a Setup,
    /// The simulation after its last frame.
    pub simulation: &'a Simulation,
    /// How many frames the run was to have.
    pub frames: u64,
    /// When its body counts as at rest.
    pub rest: RestRule,
}

/// Names and values of options.
type Options = [(String, String)];

/// A measure that sweeps can name.
pub struct MeasureInfo {
    /// Its name.
    pub name: &'static str,
    /// What it measures, with its columns.
    pub summary: &'static str,
    /// Makes it of its options; the message says what was expected.
    make: fn(&Options) -> Result<Box<dyn Measure>, String>,
}

/// All measures.
pub const MEASURES: &[MeasureInfo] = &[
    MeasureInfo {
        name: "Diverged",
        summary: "diverged_frame, diverged_step: the first frame out of order, and the step after which it was so",
        make: |options| none(options).map(|()| Box::new(diverged::Diverged) as _),
    },
    MeasureInfo {
        name: "Settled",
        summary: "settled_frame: the frame from which the body rests, within the limit of `rest`; runs once more",
        make: |options| none(options).map(|()| Box::new(settled::Settled) as _),
    },
    MeasureInfo {
        name: "Tip",
        summary: "tip_x, tip_y, tip_z at the end, the least and greatest of each, and tip_speed_max; Tip(node: 3) takes another node than the last",
        make: |options| tip::Tip::read(options).map(|tip| Box::new(tip) as _),
    },
    MeasureInfo {
        name: "Trace",
        summary: "Trace(every: 60): where the last node is every 60 frames, a column each; Trace(every: 60, node: 3) takes another node",
        make: |options| trace::Trace::read(options).map(|trace| Box::new(trace) as _),
    },
    MeasureInfo {
        name: "Strain",
        summary: "strain_max over all frames and strain_end, length_max and length_end",
        make: |options| none(options).map(|()| Box::new(strain::Strain) as _),
    },
    MeasureInfo {
        name: "Energy",
        summary: "energy_start, energy_end: kinetic and potential energy; energy_drift: the farthest that it was from its start",
        make: |options| none(options).map(|()| Box::new(energy::Energy) as _),
    },
    MeasureInfo {
        name: "Ledger",
        summary: "what anchors, colliders, damping, contact, external forces, yielding and the method have added, each summed over the run, and the residual",
        make: |options| none(options).map(|()| Box::new(ledger::Accounts) as _),
    },
    MeasureInfo {
        name: "PredictedStep",
        summary: "dt, and stable_step_predicted: the longest stable step by the spectrum",
        make: |options| {
            none(options).map(|()| Box::new(stable_step::StableStep { runs: false }) as _)
        },
    },
    MeasureInfo {
        name: "MeasuredStep",
        summary: "stable_step_measured: the longest stable step by runs, of which it takes about ten",
        make: |options| {
            none(options).map(|()| Box::new(stable_step::StableStep { runs: true }) as _)
        },
    },
    MeasureInfo {
        name: "Work",
        summary: "steps that were taken, evaluations of forces, and steps that did not converge",
        make: |options| none(options).map(|()| Box::new(work::Work) as _),
    },
    MeasureInfo {
        name: "StateHash",
        summary: "state_sha256: the hash of time, positions and velocities at the last frame in order",
        make: |options| none(options).map(|()| Box::new(state_hash::StateHash) as _),
    },
];

/// What is measured where nobody says.
pub const USUAL: [&str; 3] = ["Diverged", "Strain", "Energy"];

/// The measures that a sweep names, each once; the usual ones where it names none.
///
/// # Errors
/// A [`SceneError`] that points at a measure or option that does not exist, or that has more
/// columns than there is room for.
pub fn measures(
    written: &[WrittenMeasure],
    shape: Shape,
) -> Result<Vec<Box<dyn Measure>>, SceneError> {
    let find = |name: &str| MEASURES.iter().find(|info| info.name == name);
    if written.is_empty() {
        let usual = USUAL.iter().filter_map(|name| find(name));
        return Ok(usual.filter_map(|info| (info.make)(&[]).ok()).collect());
    }
    let mut all = Vec::with_capacity(written.len());
    for (index, measure) in written.iter().enumerate() {
        let Some(info) = find(&measure.name) else {
            let known: Vec<&str> = MEASURES.iter().map(|info| info.name).collect();
            return Err(measure.unknown(&known));
        };
        if written[..index].iter().any(|other| other.name == measure.name) {
            let message = format!("`{}` is measured twice", measure.name);
            return Err(measure.refused(&message, "keep one of the two"));
        }
        if measure.options.iter().any(|(option, _)| option.is_empty()) {
            return Err(measure.refused("options have names, as in node: 3", info.summary));
        }
        let made = (info.make)(&measure.options)
            .and_then(|made| made.check(shape).map(|()| made))
            .map_err(|message| measure.refused(&message, info.summary))?;
        all.push(made);
    }
    Ok(all)
}

/// Refuses options of a measure that has none.
fn none(options: &Options) -> Result<(), String> {
    match options.first() {
        None => Ok(()),
        Some((name, value)) => Err(format!("this measure has no option `{name}` ({value})")),
    }
}
