//! Measures of runs. A new measure needs a type in a file here and one line in [`MEASURES`].

mod diverged;
mod energy;
mod reference_error;
mod rest;
mod stable_step;
mod state_hash;
mod strain;
mod tip;
mod work;

use super::table::{Column, Value};
use catena_analysis::settle::RestRule;
use catena_scene::{
    Scene, SceneError,
    recorded::Reference,
    sweep::{Sweep, WrittenMeasure},
};
use catena_sim::{Setup, Simulation};
use std::sync::Arc;

/// Measure with its options.
pub trait Measure: Send + Sync {
    /// Columns of the measure.
    fn columns(&self, shape: Shape) -> Vec<Column>;

    /// Rejects runs that the measure cannot handle, with a message.
    ///
    /// # Errors
    /// Returns an error if a requested node does not exist, or there would be too many columns.
    fn check(&self, _shape: Shape) -> Result<(), String> {
        Ok(())
    }

    /// Starts to measure a run.
    fn begin(&self, setup: &Arc<Setup>) -> Box<dyn Measuring>;

    /// Starts to measure a run of a body that may have a reference.
    fn begin_compared(
        &self,
        setup: &Arc<Setup>,
        _reference: Option<&Arc<Reference>>,
    ) -> Box<dyn Measuring> {
        self.begin(setup)
    }

    /// Prepares a simulation at frame 0.
    fn prepare(&self, _simulation: &mut Simulation) {}

    /// Estimated nanoseconds of one core for measuring a run, in addition to its frames, and for
    /// the estimate itself.
    fn work(&self, run: &PlannedMeasuring<'_>) -> [u128; 2] {
        let parts = (run.setup.model.nodes() + run.setup.model.springs.len()) as u128;
        [parts * OBSERVATION * u128::from(run.in_order), 0]
    }

    /// Values of several finished runs, in order. The result equals calling [`Measuring::values`]
    /// for each run.
    fn values(&self, runs: &mut [Ended<'_>]) -> Vec<Vec<Value>> {
        runs.iter_mut().map(|run| run.measuring.values(&run.end)).collect()
    }
}

/// Nanoseconds for each node or spring that is read in a frame.
const OBSERVATION: u128 = 10;

/// Finished run with its measurement.
pub struct Ended<'a> {
    /// Measurement that has seen all frames of the run.
    pub measuring: &'a mut dyn Measuring,
    /// End of the run.
    pub end: RunEnd<'a>,
}

/// Common properties of all runs of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Number of dimensions, 2 or 3.
    pub axes: usize,
    /// Number of frames per run.
    pub frames: u64,
    /// Number of nodes of the largest body; `None` if unknown.
    pub nodes: Option<usize>,
    /// Whether a body may have a `reference`.
    pub has_reference: bool,
}

impl Shape {
    /// Creates the shape of a sweep with base scene `base` and `frames` frames.
    pub fn new(sweep: &Sweep, base: &Scene, frames: u64) -> Self {
        let mut bodies = base.panels.iter().flat_map(|panel| &panel.bodies);
        let is_varied = |path: &&str| path.split('.').any(|name| name == "reference");
        let has_reference =
            bodies.any(|body| body.reference.is_some()) || sweep.paths().iter().any(is_varied);
        Self { axes: base.axes, frames, nodes: max_nodes(sweep), has_reference }
    }

    /// Rejects a node that no body has.
    fn check_node(self, node: Option<usize>) -> Result<(), String> {
        match (node, self.nodes) {
            (Some(node), Some(maximum)) if node >= maximum => Err(format!(
                "no body has a node {node}: nodes are numbered from 0 to {}",
                maximum.saturating_sub(1)
            )),
            _ => Ok(()),
        }
    }
}

/// Maximum number of values per axis that are built to find the size of bodies.
const MAX_SIZES: u64 = 256;

/// Number of nodes in the largest body of a sweep, with each axis varied alone. `None` if an axis
/// has too many values, or no variant can be built.
fn max_nodes(sweep: &Sweep) -> Option<usize> {
    // The number is needed only if an option names a node.
    let mut options = sweep.measures.iter().flat_map(|measure| &measure.options);
    // An option without a name may be meant for a node.
    if !options.any(|(name, _)| name.is_empty() || name == "node") || sweep.sample().is_some() {
        return None;
    }
    let nodes = |number: u64| -> Option<usize> {
        let scene = sweep.scene(&sweep.variant(number)).ok()?;
        let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
        bodies.map(|body| body.setup.model.nodes()).max()
    };
    let (mut stride, mut maximum) = (1, nodes(0));
    for count in sweep.counts().into_iter().rev().flatten() {
        if count > MAX_SIZES {
            return None;
        }
        maximum = (0..count).filter_map(|index| nodes(stride * index)).max().max(maximum);
        stride *= count;
    }
    maximum
}

/// Measurement of one run.
pub trait Measuring: Send {
    /// Reads a frame. Called for each valid frame, including frame 0.
    fn observe_frame(&mut self, _simulation: &Simulation) {}

    /// Returns the values at the end of the run, one per column.
    fn values(&mut self, end: &RunEnd<'_>) -> Vec<Value>;
}

/// End of a run.
pub struct RunEnd<'a> {
    /// Initial setup.
    pub setup: &'a Arc<Setup>,
    /// Simulation after its last frame.
    pub simulation: &'a Simulation,
    /// Planned number of frames.
    pub frames: u64,
    /// Rule for a body at rest.
    pub rest: RestRule,
}

/// Names and values of options.
type Options = [(String, String)];

/// Measure that sweeps can name.
pub struct MeasureInfo {
    /// Name of the measure.
    pub name: &'static str,
    /// Description with the names of its columns.
    pub summary: &'static str,
    /// Names of its options.
    pub options: &'static [&'static str],
    /// Creates the measure from its options, or returns a message about what was expected.
    make: fn(&Options) -> Result<Box<dyn Measure>, String>,
}

impl MeasureInfo {
    /// Returns the options with the names of those that lack one, in the order of the measure's
    /// options, and the message about the first of these.
    fn named(&self, written: &Options) -> (Vec<(String, String)>, Option<String>) {
        let mut message = None;
        let name = |(index, (name, value)): (usize, &(String, String))| {
            let Some(meant) = self.options.get(index).filter(|_| name.is_empty()) else {
                return (name.clone(), value.clone());
            };
            let example = format!("{}({meant}: {value})", self.name);
            message.get_or_insert(format!("each option needs a name: write {example}"));
            ((*meant).to_owned(), value.clone())
        };
        let options = written.iter().enumerate().map(name).collect();
        (options, message)
    }
}

/// All measures.
pub const MEASURES: &[MeasureInfo] = &[
    MeasureInfo {
        name: "Diverged",
        summary: "diverged_frame, diverged_step: the first diverged frame, and the step in which \
                  the run diverged",
        options: &[],
        make: |options| refuse_options(options).map(|()| Box::new(diverged::DivergedMeasure) as _),
    },
    MeasureInfo {
        name: "Settled",
        summary: "settled_frame: first frame at rest, within `rest.limit`; needs a second run",
        options: &[],
        make: |options| refuse_options(options).map(|()| Box::new(diverged::SettledMeasure) as _),
    },
    MeasureInfo {
        name: "Rest",
        summary: "the computed equilibrium: rest_tension and rest_pin_force (maximum), \
                  rest_length, rest_sag (below the pins), rest_omega (slowest mode), rest_distance \
                  (of the last frame from it), and rest_missing (why there is none)",
        options: &[],
        make: |options| refuse_options(options).map(|()| Box::new(rest::RestMeasure) as _),
    },
    MeasureInfo {
        name: "Tip",
        summary: "tip_x, tip_y, tip_z at the end, the minimum and maximum of each, and \
                  tip_speed_max; Tip(node: 3) measures node 3 instead of the last",
        options: &["node"],
        make: |options| tip::TipMeasure::read(options).map(|tip| Box::new(tip) as _),
    },
    MeasureInfo {
        name: "Trace",
        summary: "Trace(every: 60): position of the last node every 60 frames, one column per coordinate; Trace(every: 60, node: 3) measures node 3",
        options: &["every", "node"],
        make: |options| tip::TraceMeasure::read(options).map(|trace| Box::new(trace) as _),
    },
    MeasureInfo {
        name: "Strain",
        summary: "strain_max over all frames and strain_end, length_max and length_end",
        options: &[],
        make: |options| refuse_options(options).map(|()| Box::new(strain::StrainMeasure) as _),
    },
    MeasureInfo {
        name: "Energy",
        summary: "energy_start, energy_end: kinetic and potential energy; energy_drift: its \
                  maximum deviation from the start",
        options: &[],
        make: |options| refuse_options(options).map(|()| Box::new(energy::EnergyMeasure) as _),
    },
    MeasureInfo {
        name: "Ledger",
        summary: "energy added by anchors, colliders, damping, contact, external forces, yielding \
                  and the method, each summed over the run, and the residual",
        options: &[],
        make: |options| refuse_options(options).map(|()| Box::new(energy::LedgerMeasure) as _),
    },
    MeasureInfo {
        name: "PredictedStep",
        summary: "dt, and stable_step_predicted: the longest stable step predicted from the \
                  spectrum",
        options: &[],
        make: |options| {
            refuse_options(options)
                .map(|()| Box::new(stable_step::StableStepMeasure { runs: false }) as _)
        },
    },
    MeasureInfo {
        name: "MeasuredStep",
        summary: "stable_step_measured: the longest stable step measured by about ten runs",
        options: &[],
        make: |options| {
            refuse_options(options)
                .map(|()| Box::new(stable_step::StableStepMeasure { runs: true }) as _)
        },
    },
    MeasureInfo {
        name: "Work",
        summary: "numbers of steps, of evaluations of forces, and of steps that did not converge",
        options: &[],
        make: |options| refuse_options(options).map(|()| Box::new(work::WorkMeasure) as _),
    },
    MeasureInfo {
        name: "StateHash",
        summary: "state_sha256: the hash of time, positions and velocities at the last frame, in \
                  this order",
        options: &[],
        make: |options| {
            refuse_options(options).map(|()| Box::new(state_hash::StateHashMeasure) as _)
        },
    },
    MeasureInfo {
        name: "ReferenceError",
        summary: "reference_max, reference_rms: largest and root mean square distance of a node from the `reference` of the body, over all frames with data",
        options: &[],
        make: |options| {
            let measure = || Box::new(reference_error::ReferenceErrorMeasure) as _;
            refuse_options(options).map(|()| measure())
        },
    },
];

/// Default measures.
pub const USUAL: [&str; 3] = ["Diverged", "Strain", "Energy"];

/// Creates the measures that a sweep names, or the default measures if it names none.
///
/// # Errors
/// Returns a [`SceneError`] at a measure or option that does not exist, is repeated, or has too
/// many columns.
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
            let message = format!("the measure `{}` is listed twice", measure.name);
            return Err(measure.refused(&message, "keep one of the two"));
        }
        let (options, unnamed) = info.named(&measure.options);
        let made = (info.make)(&options)
            .and_then(|made| made.check(shape).map(|()| made))
            .map_err(|message| measure.refused(&message, info.summary))?;
        if let Some(message) = unnamed {
            return Err(measure.refused(&message, info.summary));
        }
        all.push(made);
    }
    Ok(all)
}

/// Rejects options of a measure that has none.
fn refuse_options(options: &Options) -> Result<(), String> {
    match options.first() {
        None => Ok(()),
        Some((name, value)) if name.is_empty() => {
            Err(format!("this measure has no options, found {value}"))
        }
        Some((name, value)) => Err(format!("this measure has no option `{name}` ({value})")),
    }
}

/// Planned run of a body, as the basis for cost estimates of measures.
pub struct PlannedMeasuring<'a> {
    /// Initial setup.
    pub setup: &'a Arc<Setup>,
    /// Rule for a body at rest.
    pub rest: RestRule,
    /// Number of frames.
    pub frames: u64,
    /// Number of frames without divergence, as far as known.
    pub in_order: u64,
    /// Estimated nanoseconds per frame.
    pub a_frame: FrameTimes,
    /// Whether the maximum of work that varies between variants counts, because this run stands for
    /// all of them.
    pub is_bound: bool,
}

/// Estimated nanoseconds of a frame of a run.
#[derive(Clone, Copy)]
pub struct FrameTimes {
    /// In a bunch of similar variants, prepared for all measures.
    pub measured: u128,
    /// In a bunch of similar variants, without any measure.
    pub together: u128,
    /// On its own, without any measure.
    pub alone: u128,
}
