//! Natural frequencies of a body, compared with the frequencies measured in a run.

pub mod eigen;
pub mod fourier;
pub mod natural;

pub use fourier::SLOW_BINS;

use super::{
    budget::CoreTime,
    stability::{
        map::stiffened,
        oscillator::{NumericalMotion, Oscillator},
    },
};
use catena_sim::{Method, Outcome, Setup, Simulation, State, body::hanging::LinkLaw};
use natural::{NaturalMode, natural_modes};
use std::{f64::consts::PI, ops::Range, sync::Arc};

/// Natural frequencies and the matching peaks in the spectrum of a run. Frequencies are in radians
/// per unit of time.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeComparison {
    /// Slowest modes that move the recorded node, in ascending order of frequency.
    pub modes: Vec<NumericalMode>,
    /// Peaks of these modes, in ascending order of frequency.
    pub peaks: Vec<Peak>,
    /// Number of modes among the slowest that are damped too strongly to oscillate.
    pub overdamped: usize,
    /// Simulated time of the run.
    pub time: f64,
    /// Index of the node whose motion was recorded.
    pub node: usize,
    /// Frequency of each bin of the spectrum.
    pub frequencies: Vec<f64>,
    /// Magnitudes of the spectrum, scaled so that the maximum beyond the first [`SLOW_BINS`] is 1.
    pub magnitudes: Vec<f64>,
}

/// Reason why there is no comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoComparison {
    /// Springs that flow or break have no lasting modes.
    Yielding,
    /// No mode oscillates.
    NoMode,
    /// The run would exceed its budget.
    Work,
    /// The run diverges, or nothing moves in it.
    Lost,
}

/// Maximum number of modes that are compared.
const MODES: usize = 6;
/// Minimum and maximum number of periods of the slowest mode in the signal. Close modes need more
/// than the minimum.
const PERIODS: [f64; 2] = [48.0, 384.0];
/// Number of samples in the signal.
const SAMPLES: usize = 1 << 14;
/// Initial displacement of the node by each mode, as a share of the body's length.
const AMPLITUDE: f64 = 1e-5;
/// Minimum displacement of the node by a mode, as a share of the mode's maximum, for the mode to be
/// visible there.
const MIN_SHARE: f64 = 0.02;
/// Factor on the stiffness of a chain that makes it count as rigid. The relative error of its slow
/// modes is the strain, which shrinks by the same factor.
const RIGID: f64 = 1e5;

/// Computes all modes about the rest state, in ascending order of frequency. For methods that
/// enforce lengths, stiffness has no effect, so the modes of a nearly rigid chain are returned.
/// Returns `None` if no such chain exists or the body is too large.
pub fn natural_about(setup: &Setup, rest: &State) -> Option<Vec<NaturalMode>> {
    if !setup.method.holds_lengths() {
        return natural_modes(setup, rest);
    }
    let stiff = stiffened(setup, RIGID);
    let x = stiff.hanging_chain(LinkLaw::Elastic)?;
    natural_modes(&stiff, &State::at_rest(x))
}

/// Compares modes with the spectrum of a run. The run starts near `rest`, displaced slightly in the
/// slowest modes, and costs at most `maximum`. The recorded node is the one that the slowest mode
/// moves the farthest.
///
/// # Errors
/// Returns the reason why there is no comparison.
pub fn compare(
    setup: &Setup,
    rest: &State,
    modes: Vec<NaturalMode>,
    maximum: CoreTime,
) -> Result<ModeComparison, NoComparison> {
    let setup = &maximum.bound(setup);
    if setup.flow.is_some() || setup.breaks_at.is_some() {
        return Err(NoComparison::Yielding);
    }
    let natural: Vec<NaturalMode> =
        modes.into_iter().filter(|mode| mode.omega_squared > 0.0).take(MODES).collect();
    let n = setup.model.nodes();
    let node = most_moved(&natural, n).ok_or(NoComparison::NoMode)?;
    let shown = natural.iter().filter(|mode| share_at(mode, node, n) >= MIN_SHARE);
    let all: Vec<(&NaturalMode, Option<NumericalMode>)> =
        shown.map(|mode| (mode, NumericalMode::of(setup, mode))).collect();
    let overdamped = all.iter().filter(|(_, numerical)| numerical.is_none()).count();
    let swinging = all.into_iter().filter_map(|(mode, numerical)| Some((mode, numerical?)));
    let (natural, modes): (Vec<&NaturalMode>, Vec<NumericalMode>) = swinging.unzip();
    if modes.is_empty() {
        return Err(NoComparison::NoMode);
    }
    let every = stride(setup, &modes, maximum).ok_or(NoComparison::Work)?;
    let signal = record(setup, rest, &natural, node, every)?;
    let magnitudes = fourier::magnitudes(&signal);
    let time = every as f64 * setup.dt() * SAMPLES as f64;
    let bin = 2.0 * PI / time;
    let greatest = fourier::greatest(&magnitudes);
    if greatest <= 0.0 {
        return Err(NoComparison::Lost);
    }
    Ok(ModeComparison {
        peaks: find_peaks(&modes, &magnitudes, bin),
        modes,
        overdamped,
        time,
        node,
        frequencies: (0..magnitudes.len()).map(|k| k as f64 * bin).collect(),
        magnitudes: magnitudes.iter().map(|value| value / greatest).collect(),
    })
}

/// Number of steps between samples. Returns `None` if there are no modes or the run would exceed
/// `max_work`. Close modes make the run longer, within the budget and with at least four samples
/// per period of the fastest mode.
fn stride(setup: &Setup, modes: &[NumericalMode], max_work: CoreTime) -> Option<u64> {
    let (slowest, fastest) = (modes.first()?.expected, modes.last()?.expected);
    let [minimum, maximum] = PERIODS.map(|periods| periods * 2.0 * PI / slowest);
    let sampled = 0.5 * PI / fastest * SAMPLES as f64;
    let wanted = 2.0 * PI / widest_bin(modes);
    let steps = |time: f64| (time / SAMPLES as f64 / setup.dt()).round().max(1.0);
    // One tenth of the budget is reserved for frames: each sample is a frame.
    let work = 0.9 * 1e9 * max_work.seconds;
    let affordable = work / (SAMPLES as f64 * setup.step_cost().max(1) as f64);
    let shortest = steps(minimum);
    let every = steps(wanted.min(maximum).min(sampled).max(minimum)).min(affordable.floor());
    (shortest <= affordable).then(|| every.max(shortest) as u64)
}

/// Displacement of a node by a mode, as a share of the mode's maximum displacement.
fn share_at(mode: &NaturalMode, node: usize, n: usize) -> f64 {
    let maximum = (0..n).map(|node| mode.size_at(node, n)).fold(0.0, f64::max);
    mode.size_at(node, n) / maximum
}

/// Node that the slowest mode moves the farthest.
fn most_moved(modes: &[NaturalMode], n: usize) -> Option<usize> {
    let slowest = modes.first()?;
    (0..n).max_by(|&a, &b| slowest.size_at(a, n).total_cmp(&slowest.size_at(b, n)))
}

/// Runs the body from a state displaced in all modes, with pins fixed. Every `every` steps it
/// records the displacement of the node along its initial displacement.
///
/// # Errors
/// Returns an error if the run diverges or exceeds its budget.
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
    let mut displacement = vec![0.0; at_node.len()];
    for mode in modes {
        // The sign of a mode is arbitrary. All modes must move the node in the same direction;
        // otherwise they could cancel there.
        let along: f64 = displacement
            .iter()
            .zip(&at_node)
            .map(|(displacement, &i)| displacement * mode.shape[i])
            .sum();
        let share = (AMPLITUDE * setup.model.rest_length() / mode.size_at(node, n)).copysign(along);
        start.x.iter_mut().zip(&mode.shape).for_each(|(x, shape)| *x += share * shape);
        displacement
            .iter_mut()
            .zip(&at_node)
            .for_each(|(displacement, &i)| *displacement += share * mode.shape[i]);
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
        let along = at_node.iter().zip(&displacement);
        along.map(|(&i, displacement)| (x[i] - rest.x[i]) * displacement).sum()
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

/// Value of ωdt below which a method's frequency equals the exact one to eight digits.
const SHORT_STEP: f64 = 1e-4;

/// Natural mode as the method integrates it. Frequencies are in radians per unit of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumericalMode {
    /// Natural angular frequency ω.
    pub natural: f64,
    /// Damping rate γ of u'' + γ u' + ω² u = 0, per unit of time. Sum of the contributions of the
    /// forces, the method's own damping, the factors, and the step.
    pub damping: f64,
    /// Frequency expected in the run: ω changed by damping and by the method's step.
    pub expected: f64,
}

impl NumericalMode {
    /// Mode under the setup's method and step; `None` if damping keeps it from oscillating.
    fn of(setup: &Setup, mode: &NaturalMode) -> Option<Self> {
        let (natural, dt) = (mode.omega(), setup.dt());
        let is_run = setup.method.info().limit.is_some() && natural * dt > SHORT_STEP;
        let factors = [setup.velocity_factor, setup.position_factor];
        let oscillator = Oscillator { factors, ..Oscillator::new(natural, mode.damping.max(0.0)) };
        if is_run && let Some(motion) = oscillator.motion(&setup.method, dt) {
            let damping = (-2.0 * libm::log(motion.growth) / dt).max(0.0);
            return Some(Self { natural, damping, expected: motion.frequency });
        }
        let by_factors = (2.0 - setup.velocity_factor - setup.position_factor) / dt;
        let damping = mode.damping + setup.method.drag_rate(dt) + by_factors;
        let square = natural * natural - 0.25 * damping * damping;
        (square > 0.0).then(|| Self { natural, damping, expected: square.sqrt() })
    }
}

/// Motion of an undamped oscillator of ω = 1 for each step ωdt in `steps`: its frequency and its
/// growth per step. Steps at which the run does not oscillate are omitted.
pub fn dispersion(method: &Arc<dyn Method>, steps: &[f64]) -> Vec<(f64, NumericalMotion)> {
    let oscillator = Oscillator::new(1.0, 0.0);
    let point = |&x: &f64| Some((x, oscillator.motion(method, x)?));
    steps.iter().filter_map(point).collect()
}

/// Width of a peak's base under Hann's window, in bins.
const FEET: f64 = 4.0;
/// Minimum ratio of a peak's height to the lowest point near it. Lower peaks are noise.
const HEIGHT: f64 = 1.05;
/// Minimum height of a peak, as a share of the highest one. Lower peaks are noise.
const MIN_HEIGHT: f64 = 1e-6;
/// Maximum distance of a peak from the expected frequency, as a share of that frequency. The search
/// covers at least the width of the peak.
const SEARCHED: f64 = 0.1;

/// Peak of one or more modes, found or only expected. Frequencies are in radians per unit of time.
///
/// The width of a peak follows from the length of the run and from damping. Modes closer than that
/// share a peak and cannot be distinguished. So each mode has one peak, and a peak has one or more
/// modes.
#[derive(Clone, Debug, PartialEq)]
pub struct Peak {
    /// Range of the peak's modes among those visible at the node.
    pub modes: Range<usize>,
    /// Minimum distance of modes with separate peaks, at the frequency of this peak.
    pub width: f64,
    /// Measured frequency; `None` if no peak was found.
    pub measured: Option<f64>,
}

/// Minimum distance of two modes that have separate peaks, for bins of width `bin`.
fn width(a: &NumericalMode, b: &NumericalMode, bin: f64) -> f64 {
    FEET * bin + 0.5 * (a.damping + b.damping)
}

/// Maximum bin width at which all neighbouring modes have separate peaks, except those that damping
/// merges. Infinite if no neighbours can be separated.
fn widest_bin(modes: &[NumericalMode]) -> f64 {
    let room = |pair: &[NumericalMode]| {
        let free = pair[1].expected - pair[0].expected - width(&pair[0], &pair[1], 0.0);
        // Modes that are equal up to rounding count as one.
        (free > 1e-3 * pair[1].expected).then_some(free / FEET)
    };
    modes.windows(2).filter_map(room).fold(f64::INFINITY, f64::min)
}

/// Finds the peaks of modes in ascending order of frequency. `bin` is the bin width of the
/// spectrum.
fn find_peaks(modes: &[NumericalMode], magnitudes: &[f64], bin: f64) -> Vec<Peak> {
    let greatest = fourier::greatest(magnitudes);
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (i, mode) in modes.iter().enumerate() {
        match groups.last_mut() {
            Some(group)
                if mode.expected - modes[i - 1].expected < width(&modes[i - 1], mode, bin) =>
            {
                group.end = i + 1;
            }
            _ => groups.push(i..i + 1),
        }
    }
    let peak = |(place, group): (usize, &Range<usize>)| {
        let [first, last] = [&modes[group.start], &modes[group.end - 1]];
        // The search ends halfway to the neighbours, so that no two groups find the same peak.
        let half = |a: &NumericalMode, b: &NumericalMode| 0.5 * (a.expected + b.expected);
        let before = place.checked_sub(1).map(|_| half(&modes[group.start - 1], first));
        let after = modes.get(group.end).map(|next| half(last, next));
        // The peak of a damped mode is wide, and only its slopes reveal it.
        let reach = |mode: &NumericalMode| (SEARCHED * mode.expected).max(width(mode, mode, bin));
        let [low, high] = [first.expected - reach(first), last.expected + reach(last)];
        let [low, high] =
            [before.map_or(low, |end| end.max(low)), after.map_or(high, |end| end.min(high))];
        let measured = fourier::peak_within(magnitudes, [low / bin, high / bin], HEIGHT)
            .filter(|place| magnitudes[place.round() as usize] > MIN_HEIGHT * greatest);
        Peak {
            modes: group.clone(),
            width: width(first, last, bin),
            measured: measured.map(|place| place * bin),
        }
    };
    groups.iter().enumerate().map(peak).collect()
}
