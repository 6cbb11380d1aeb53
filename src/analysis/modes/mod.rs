//! How a body swings: its natural frequencies, those of a run, and what a method makes of a frequency.

pub mod eigen;
pub mod fourier;
pub mod natural;
mod peaks;

pub use peaks::Peak;

use super::budget::Amount;
use super::stability::{
    map::stiffened,
    oscillator::{Motion, Oscillator},
};
use crate::sim::body::hanging::Links;
use crate::sim::{Method, Outcome, Setup, Simulation, State};
use natural::{Mode, natural_modes};
use std::f64::consts::PI;
use std::sync::Arc;

/// A natural mode, and what the method makes of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tone {
    /// ω from the spectrum, radians per time.
    pub natural: f64,
    /// γ of u'' + γ u' + ω² u = 0 per time: of the forces, of what the method damps by itself, of
    /// factors, and of its step.
    pub damping: f64,
    /// What the run should swing with: ω as damping and the method's step change it.
    pub expected: f64,
}

/// Natural frequencies beside those of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The slowest modes that can be heard at the node, slow ones first.
    pub tones: Vec<Tone>,
    /// The peaks that they have, from slow to fast.
    pub peaks: Vec<Peak>,
    /// How many of the slowest modes are damped too strongly to swing.
    pub overdamped: usize,
    /// Simulated time of the run.
    pub time: f64,
    /// The node that was listened to.
    pub node: usize,
    /// Frequencies of the spectrum, radians per time.
    pub frequencies: Vec<f64>,
    /// Its magnitudes, the greatest being 1, but for the first [`SLOW_BINS`].
    pub magnitudes: Vec<f64>,
}

/// Why there is no comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Springs that flow or break have no natural modes that last.
    Yielding,
    /// No mode swings.
    NoMode,
    /// The run would take more than its work.
    Work,
    /// The run diverges, or nothing moves in it.
    Lost,
}

/// The first bins of a spectrum hold what does not come back to rest, and no swing.
pub const SLOW_BINS: usize = 4;
/// How many modes are compared.
const MODES: usize = 6;
/// Periods of the slowest mode in the signal: so many, and up to the second number where modes are
/// close to each other. Samples of it.
const PERIODS: [f64; 2] = [48.0, 384.0];
const SAMPLES: usize = 1 << 14;
/// The tip is moved by so much of the body's length.
const AMPLITUDE: f64 = 1e-5;
/// A mode that moves the tip by less than this share of what it moves other nodes by cannot be
/// heard there.
const HEARD: f64 = 0.02;
/// Below this ωdt a method's frequency is the exact one to eight digits.
const SHORT_STEP: f64 = 1e-4;

/// All modes about the state of rest. For a method that holds lengths they are those of a chain whose springs hardly give way, since its
/// own springs have no say; `None` where there is none, or a body is too large.
pub fn natural_about(setup: &Setup, rest: &State) -> Option<Vec<Mode>> {
    if !setup.method.holds_lengths() {
        return natural_modes(setup, rest);
    }
    let stiff = stiffened(setup, STIFF);
    let x = stiff.hanging_chain(Links::Elastic)?;
    natural_modes(&stiff, &State::at_rest(x))
}

/// So many times as stiff is as good as rigid: the slow modes are off by the strain, which is that much less.
const STIFF: f64 = 1e5;

/// Lets a body swing a little about `rest` in its slowest modes, and listens to the node that moves
/// most. The run may take `most`.
///
/// # Errors
/// When there is nothing to compare; what is missing is said.
pub fn compare(
    setup: &Setup,
    rest: &State,
    modes: Vec<Mode>,
    most: Amount,
) -> Result<Comparison, Missing> {
    let setup = &most.bound(setup);
    if setup.flow.is_some() || setup.breaks_at.is_some() {
        return Err(Missing::Yielding);
    }
    let modes: Vec<Mode> =
        modes.into_iter().filter(|mode| mode.omega_squared > 0.0).take(MODES).collect();
    let n = setup.model.nodes();
    let node = tip(&modes, n).ok_or(Missing::NoMode)?;
    let heard = modes.iter().filter(|mode| share_at(mode, node, n) >= HEARD);
    let all: Vec<(&Mode, Option<Tone>)> = heard.map(|mode| (mode, tone(setup, mode))).collect();
    let overdamped = all.iter().filter(|(_, tone)| tone.is_none()).count();
    let swinging = all.into_iter().filter_map(|(mode, tone)| Some((mode, tone?)));
    let (modes, tones): (Vec<&Mode>, Vec<Tone>) = swinging.unzip();
    if tones.is_empty() {
        return Err(Missing::NoMode);
    }
    let every = stride(setup, &tones, most).ok_or(Missing::Work)?;
    let signal = listen(setup, rest, &modes, node, every)?;
    let magnitudes = fourier::magnitudes(&signal);
    let time = every as f64 * setup.dt() * SAMPLES as f64;
    let bin = 2.0 * PI / time;
    let most = greatest(&magnitudes);
    if most <= 0.0 {
        return Err(Missing::Lost);
    }
    Ok(Comparison {
        peaks: peaks::find(&tones, &magnitudes, bin),
        tones,
        overdamped,
        time,
        node,
        frequencies: (0..magnitudes.len()).map(|k| k as f64 * bin).collect(),
        magnitudes: magnitudes.iter().map(|value| value / most).collect(),
    })
}

/// The greatest magnitude of a swing.
fn greatest(magnitudes: &[f64]) -> f64 {
    magnitudes.iter().skip(SLOW_BINS).fold(0.0, |most, value| most.max(*value))
}

/// Steps from sample to sample; `None` where nothing swings or the run would take too long. A run
/// is longer where modes are close to each other, as far as its work allows and the fastest of them
/// still has four samples a period.
fn stride(setup: &Setup, tones: &[Tone], most_work: Amount) -> Option<u64> {
    let (slowest, fastest) = (tones.first()?.expected, tones.last()?.expected);
    let [least, most] = PERIODS.map(|periods| periods * 2.0 * PI / slowest);
    let sampled = 0.5 * PI / fastest * SAMPLES as f64;
    let wanted = 2.0 * PI / peaks::widest_bin(tones);
    let steps = |time: f64| (time / SAMPLES as f64 / setup.dt()).round().max(1.0);
    // The frames that samples are take something besides their steps.
    let work = 0.9 * 1e9 * most_work.seconds;
    let affordable = work / (SAMPLES as f64 * setup.step_cost().max(1) as f64);
    let shortest = steps(least);
    let every = steps(wanted.min(most).min(sampled).max(least)).min(affordable.floor());
    (shortest <= affordable).then(|| every.max(shortest) as u64)
}

/// What the setup's method makes of a mode at its step; `None` where damping keeps it from
/// swinging.
fn tone(setup: &Setup, mode: &Mode) -> Option<Tone> {
    let (natural, dt) = (mode.omega(), setup.dt());
    let is_run = setup.method.info().limit.is_some() && natural * dt > SHORT_STEP;
    let factors = [setup.velocity_factor, setup.position_factor];
    let oscillator = Oscillator { factors, ..Oscillator::new(natural, mode.damping.max(0.0)) };
    if is_run && let Some(motion) = oscillator.motion(&setup.method, dt) {
        let damping = (-2.0 * libm::log(motion.growth) / dt).max(0.0);
        return Some(Tone { natural, damping, expected: motion.frequency });
    }
    let by_factors = (2.0 - setup.velocity_factor - setup.position_factor) / dt;
    let damping = mode.damping + setup.method.drag_rate(dt) + by_factors;
    let square = natural * natural - 0.25 * damping * damping;
    (square > 0.0).then(|| Tone { natural, damping, expected: square.sqrt() })
}

/// How far a mode moves a node, as a share of how far it moves the one that it moves most.
fn share_at(mode: &Mode, node: usize, n: usize) -> f64 {
    let most = (0..n).map(|node| mode.size_at(node, n)).fold(0.0, f64::max);
    mode.size_at(node, n) / most
}

/// The free node that moves most in the slowest mode.
fn tip(modes: &[Mode], n: usize) -> Option<usize> {
    let slowest = modes.first()?;
    (0..n).max_by(|&a, &b| slowest.size_at(a, n).total_cmp(&slowest.size_at(b, n)))
}

/// Displacements of the node along the direction in which the modes move it, together. Pins stay
/// where they are.
///
/// # Errors
/// Where the run diverges or would take more than it may.
fn listen(
    setup: &Setup,
    rest: &State,
    modes: &[&Mode],
    node: usize,
    every: u64,
) -> Result<Vec<f64>, Missing> {
    let n = setup.model.nodes();
    let mut start = State::at_rest(rest.x.clone());
    let at_node: Vec<usize> = (node..start.x.len()).step_by(n).collect();
    let mut way = vec![0.0; at_node.len()];
    for mode in modes {
        // A mode has no sign of its own; all are to move the tip the same way, or they could cancel
        // there.
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
        _ if run.refusal().is_some() => Err(Missing::Work),
        Outcome::Fine => Ok(signal),
        Outcome::Diverged { .. } => Err(Missing::Lost),
    }
}

/// Numerical frequency over exact, and growth a step, of a method at a number of ωdt; those it loses are left out.
pub fn dispersion(method: &Arc<dyn Method>, steps: &[f64]) -> Vec<(f64, Motion)> {
    let oscillator = Oscillator::new(1.0, 0.0);
    let point = |&x: &f64| Some((x, oscillator.motion(method, x)?));
    steps.iter().filter_map(point).collect()
}
