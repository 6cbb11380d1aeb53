//! How a body swings: its natural frequencies beside those of a run.

pub mod eigen;
pub mod fourier;
pub mod natural;
mod numerical;
mod peaks;

pub use fourier::SLOW_BINS;
pub use numerical::{NumericalMode, dispersion};
pub use peaks::Peak;

use super::budget::CoreTime;
use super::stability::map::stiffened;
use catena_sim::body::hanging::LinkLaw;
use catena_sim::{Outcome, Setup, Simulation, State};
use natural::{NaturalMode, natural_modes};
use std::f64::consts::PI;
use std::sync::Arc;

/// Natural frequencies beside the peaks in the spectrum of a run. Frequencies are in radians per
/// time.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeComparison {
    /// The slowest modes that show at the node, slow ones first.
    pub modes: Vec<NumericalMode>,
    /// Their peaks, slow ones first.
    pub peaks: Vec<Peak>,
    /// How many of the slowest modes are damped too strongly to swing.
    pub overdamped: usize,
    /// Simulated time of the run.
    pub time: f64,
    /// The node whose motion was recorded.
    pub node: usize,
    /// Frequencies of the spectrum.
    pub frequencies: Vec<f64>,
    /// Magnitudes of the spectrum, the greatest being 1 except for the first [`SLOW_BINS`].
    pub magnitudes: Vec<f64>,
}

/// Why there is no comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoComparison {
    /// Springs that flow or break have no lasting modes.
    Yielding,
    /// No mode swings.
    NoMode,
    /// The run would exceed its budget.
    Work,
    /// The run diverges, or nothing moves in it.
    Lost,
}

/// How many modes are compared.
const MODES: usize = 6;
/// Periods of the slowest mode in the signal; the second number applies if modes are close to each
/// other.
const PERIODS: [f64; 2] = [48.0, 384.0];
/// Samples of the signal.
const SAMPLES: usize = 1 << 14;
/// How far each mode moves the node at the start, as a share of the body's length.
const AMPLITUDE: f64 = 1e-5;
/// A mode that moves the node by less than this share of its greatest displacement does not show
/// there.
const LEAST_SHARE: f64 = 0.02;
/// With springs this many times as stiff a chain counts as rigid: its slow modes are off by the
/// strain, which is that much smaller.
const RIGID: f64 = 1e5;

/// All modes about the state of rest, slow ones first. If the method holds lengths they are those
/// of a nearly rigid chain, since stiffness has no effect. `None` if there is no such chain, or the
/// body is too large.
pub fn natural_about(setup: &Setup, rest: &State) -> Option<Vec<NaturalMode>> {
    if !setup.method.holds_lengths() {
        return natural_modes(setup, rest);
    }
    let stiff = stiffened(setup, RIGID);
    let x = stiff.hanging_chain(LinkLaw::Elastic)?;
    natural_modes(&stiff, &State::at_rest(x))
}

/// Displaces a body a little from `rest` in its slowest modes, runs it within `most`, and compares
/// the spectrum of the node that moves most with the modes.
///
/// # Errors
/// When there is nothing to compare; the error says what is missing.
pub fn compare(
    setup: &Setup,
    rest: &State,
    modes: Vec<NaturalMode>,
    most: CoreTime,
) -> Result<ModeComparison, NoComparison> {
    let setup = &most.bound(setup);
    if setup.flow.is_some() || setup.breaks_at.is_some() {
        return Err(NoComparison::Yielding);
    }
    let natural: Vec<NaturalMode> =
        modes.into_iter().filter(|mode| mode.omega_squared > 0.0).take(MODES).collect();
    let n = setup.model.nodes();
    let node = most_moved(&natural, n).ok_or(NoComparison::NoMode)?;
    let shown = natural.iter().filter(|mode| share_at(mode, node, n) >= LEAST_SHARE);
    let all: Vec<(&NaturalMode, Option<NumericalMode>)> =
        shown.map(|mode| (mode, NumericalMode::of(setup, mode))).collect();
    let overdamped = all.iter().filter(|(_, numerical)| numerical.is_none()).count();
    let swinging = all.into_iter().filter_map(|(mode, numerical)| Some((mode, numerical?)));
    let (natural, modes): (Vec<&NaturalMode>, Vec<NumericalMode>) = swinging.unzip();
    if modes.is_empty() {
        return Err(NoComparison::NoMode);
    }
    let every = stride(setup, &modes, most).ok_or(NoComparison::Work)?;
    let signal = record(setup, rest, &natural, node, every)?;
    let magnitudes = fourier::magnitudes(&signal);
    let time = every as f64 * setup.dt() * SAMPLES as f64;
    let bin = 2.0 * PI / time;
    let greatest = fourier::greatest(&magnitudes);
    if greatest <= 0.0 {
        return Err(NoComparison::Lost);
    }
    Ok(ModeComparison {
        peaks: peaks::find(&modes, &magnitudes, bin),
        modes,
        overdamped,
        time,
        node,
        frequencies: (0..magnitudes.len()).map(|k| k as f64 * bin).collect(),
        magnitudes: magnitudes.iter().map(|value| value / greatest).collect(),
    })
}

/// Steps between samples; `None` if there are no modes or the run would exceed `most_work`. If
/// modes are close to each other the run is longer, as far as its work allows and the fastest of
/// them still has four samples a period.
fn stride(setup: &Setup, modes: &[NumericalMode], most_work: CoreTime) -> Option<u64> {
    let (slowest, fastest) = (modes.first()?.expected, modes.last()?.expected);
    let [least, most] = PERIODS.map(|periods| periods * 2.0 * PI / slowest);
    let sampled = 0.5 * PI / fastest * SAMPLES as f64;
    let wanted = 2.0 * PI / peaks::widest_bin(modes);
    let steps = |time: f64| (time / SAMPLES as f64 / setup.dt()).round().max(1.0);
    // A tenth of the work is left for the frames, of which each sample is one.
    let work = 0.9 * 1e9 * most_work.seconds;
    let affordable = work / (SAMPLES as f64 * setup.step_cost().max(1) as f64);
    let shortest = steps(least);
    let every = steps(wanted.min(most).min(sampled).max(least)).min(affordable.floor());
    (shortest <= affordable).then(|| every.max(shortest) as u64)
}

/// How far a mode moves a node, as a share of its greatest displacement.
fn share_at(mode: &NaturalMode, node: usize, n: usize) -> f64 {
    let most = (0..n).map(|node| mode.size_at(node, n)).fold(0.0, f64::max);
    mode.size_at(node, n) / most
}

/// The node that moves most in the slowest mode.
fn most_moved(modes: &[NaturalMode], n: usize) -> Option<usize> {
    let slowest = modes.first()?;
    (0..n).max_by(|&a, &b| slowest.size_at(a, n).total_cmp(&slowest.size_at(b, n)))
}

/// Starts a run displaced in all modes, and records the displacement of the node along its initial
/// one every so many steps. Pins stay in their places.
///
/// # Errors
/// When the run diverges or exceeds its budget.
fn record(
    setup: &Setup,
    rest: &State,
    modes: &[&NaturalMode],
    node: usize,
    every: u64,
) -> Result<Vec<f64>, NoComparison> {
    let n = setup.model.nodes();
    let mut start = State::at_rest(rest.x.clone());
    let at_node: Vec<usize> = (node..start.x.len()).step_by(n).collect();
    let mut way = vec![0.0; at_node.len()];
    for mode in modes {
        // The sign of a mode is arbitrary; all must move the node the same way, or they could
        // cancel there.
        let along: f64 = way.iter().zip(&at_node).map(|(way, &i)| way * mode.shape[i]).sum();
        let share = (AMPLITUDE * setup.model.rest_length() / mode.size_at(node, n)).copysign(along);
        start.x.iter_mut().zip(&mode.shape).for_each(|(x, shape)| *x += share * shape);
        way.iter_mut().zip(&at_node).for_each(|(way, &i)| *way += share * mode.shape[i]);
    }
    let frame_time = setup.dt() * every as f64;
    let setup = Setup {
        initial: start,
        impulses: Vec::new(),
        anchors: Vec::new(),
        frame_time,
        substeps: every,
        ..setup.clone()
    };
    let mut run = Simulation::new(Arc::new(setup));
    let sample = |run: &Simulation| {
        let x = &run.state().x;
        let along = at_node.iter().zip(&way);
        along.map(|(&i, way)| (x[i] - rest.x[i]) * way).sum()
    };
    let mut signal = Vec::with_capacity(SAMPLES);
    for _ in 0..SAMPLES {
        signal.push(sample(&run));
        run.advance_frame();
    }
    match run.outcome() {
        _ if run.refusal().is_some() => Err(NoComparison::Work),
        Outcome::Fine => Ok(signal),
        Outcome::Diverged { .. } => Err(NoComparison::Lost),
    }
}
