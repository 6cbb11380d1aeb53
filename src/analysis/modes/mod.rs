//! How a body swings: its natural frequencies, those of a run, and what a method makes of a frequency.

pub mod eigen;
pub mod fourier;
pub mod natural;

use super::hanging::{Law, hanging_chain};
use super::stability::{
    map::stiffened,
    oscillator::{Motion, Oscillator},
};
use crate::sim::{Method, Outcome, Setup, Simulation, State};
use natural::{Mode, natural_modes};
use std::f64::consts::PI;
use std::sync::Arc;

/// A natural mode beside what a run made of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// ω from the spectrum, radians per time.
    pub natural: f64,
    /// γ from the spectrum, per time.
    pub damping: f64,
    /// What the method makes of ω at this step, without damping; `None` where it does not integrate springs or loses it.
    pub numerical: Option<f64>,
    /// The peak in the Fourier spectrum of the tip; `None` where there is none near.
    pub measured: Option<f64>,
}

/// Natural frequencies beside those of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The slowest modes first.
    pub pairs: Vec<Pair>,
    /// The node that was listened to.
    pub node: usize,
    /// Frequencies of the spectrum, radians per time.
    pub frequencies: Vec<f64>,
    /// Its magnitudes, the greatest being 1.
    pub magnitudes: Vec<f64>,
}

/// How many modes are compared.
const MODES: usize = 6;
/// Periods of the slowest mode in the signal, and samples of it.
const PERIODS: f64 = 48.0;
const SAMPLES: usize = 1 << 14;
/// The tip is moved by so much of the body's length.
const AMPLITUDE: f64 = 1e-5;
/// A run takes at most so many steps of a spring.
const MOST_WORK: f64 = 4e8;

/// All modes about the state of rest. For a method that holds lengths they are those of a chain whose springs hardly give way, since its
/// own springs have no say; `None` where there is none, or a body is too large.
pub fn natural_about(
    setup: &Setup,
    gravity: &[f64],
    has_reference: bool,
    rest: &State,
) -> Option<Vec<Mode>> {
    if !setup.method.holds_lengths() {
        return natural_modes(setup, rest);
    }
    let stiff = stiffened(setup, STIFF);
    let x = has_reference
        .then(|| hanging_chain(&stiff.model, &setup.initial.x, gravity, Law::Elastic))
        .flatten()?;
    natural_modes(&stiff, &State::at_rest(x))
}

/// So many times as stiff is as good as rigid: the slow modes are off by the strain, which is that much less.
const STIFF: f64 = 1e5;

/// Lets a body swing a little about `rest` in its slowest modes, and listens to the node that moves most.
///
/// `None` where the body is too large for all of its modes, has none, or would take too long.
///
/// Springs that flow or break have no natural modes that last.
pub fn compare(setup: &Setup, rest: &State, modes: Vec<Mode>) -> Option<Comparison> {
    if setup.flow.is_some() || setup.breaks_at.is_some() {
        return None;
    }
    let modes: Vec<Mode> =
        modes.into_iter().filter(|mode| mode.omega_squared > 0.0).take(MODES).collect();
    let slowest = modes.first()?.omega();
    let n = setup.model.nodes();
    let node = tip(&modes, n)?;
    // Samples are whole steps apart.
    let every = (PERIODS * 2.0 * PI / slowest / SAMPLES as f64 / setup.dt()).round().max(1.0);
    if every * (SAMPLES * setup.model.springs.len()) as f64 > MOST_WORK {
        return None;
    }
    let signal = listen(setup, rest, &modes, node, every as u64)?;
    let magnitudes = fourier::magnitudes(&signal);
    let unit = 2.0 * PI / (every * setup.dt() * SAMPLES as f64);
    let pairs = pairs(setup, &modes, &magnitudes, unit);
    let most = magnitudes.iter().fold(0.0_f64, |most, value| most.max(*value));
    // Silence, or a run that was lost.
    if most <= 0.0 {
        return None;
    }
    Some(Comparison {
        pairs,
        node,
        frequencies: (0..magnitudes.len()).map(|bin| bin as f64 * unit).collect(),
        magnitudes: magnitudes.iter().map(|value| value / most).collect(),
    })
}

/// The free node that moves most in the slowest mode.
fn tip(modes: &[Mode], n: usize) -> Option<usize> {
    let shape = &modes.first()?.shape;
    let size =
        |node: usize| (node..shape.len()).step_by(n).map(|i| shape[i] * shape[i]).sum::<f64>();
    (0..n).max_by(|&a, &b| size(a).total_cmp(&size(b)))
}

/// Displacements of the node along the direction in which the modes move it, together; `None` where the run diverges. Pins stay where they are.
fn listen(
    setup: &Setup,
    rest: &State,
    modes: &[Mode],
    node: usize,
    every: u64,
) -> Option<Vec<f64>> {
    let n = setup.model.nodes();
    let mut start = State::at_rest(rest.x.clone());
    let at_node: Vec<usize> = (node..start.x.len()).step_by(n).collect();
    let mut way = vec![0.0; at_node.len()];
    for mode in modes {
        let size = at_node.iter().map(|&i| mode.shape[i] * mode.shape[i]).sum::<f64>().sqrt();
        // A mode that leaves the tip alone cannot be heard there.
        if size > 1e-9 {
            // A mode has no sign of its own; all are to move the tip the same way, or they could cancel there.
            let along: f64 = way.iter().zip(&at_node).map(|(way, &i)| way * mode.shape[i]).sum();
            let share = (AMPLITUDE * setup.model.rest_length() / size).copysign(along);
            start.x.iter_mut().zip(&mode.shape).for_each(|(x, shape)| *x += share * shape);
            way.iter_mut().zip(&at_node).for_each(|(way, &i)| *way += share * mode.shape[i]);
        }
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
    (run.outcome() == Outcome::Fine).then_some(signal)
}

fn pairs(setup: &Setup, modes: &[Mode], magnitudes: &[f64], unit: f64) -> Vec<Pair> {
    let omegas: Vec<f64> = modes.iter().map(Mode::omega).collect();
    let pair = |(i, mode): (usize, &Mode)| {
        let natural = omegas[i];
        let numerical = method_motion(setup, natural).map(|motion| motion.frequency);
        // Half way to the next mode, but no further than a tenth off.
        let next = [i.checked_sub(1).map(|i| omegas[i]), omegas.get(i + 1).copied()];
        let gap = next.into_iter().flatten().map(|other| 0.5 * (other - natural).abs());
        let reach = gap.fold(0.1 * natural, f64::min) / unit;
        let expected = numerical.unwrap_or(natural) / unit;
        let measured = fourier::peak_near(magnitudes, expected, reach.max(2.0));
        Pair { natural, damping: mode.damping, numerical, measured: measured.map(|bin| bin * unit) }
    };
    modes.iter().enumerate().map(pair).collect()
}

/// What the setup's method makes of an undamped oscillator of this frequency at the setup's step.
fn method_motion(setup: &Setup, omega: f64) -> Option<Motion> {
    setup.method.info().limit?;
    Oscillator::new(omega, 0.0).motion(&setup.method, setup.dt())
}

/// Numerical frequency over exact, and growth a step, of a method at a number of ωdt; those it loses are left out.
pub fn dispersion(method: &Arc<dyn Method>, steps: &[f64]) -> Vec<(f64, Motion)> {
    let oscillator = Oscillator::new(1.0, 0.0);
    let point = |&x: &f64| Some((x, oscillator.motion(method, x)?));
    steps.iter().filter_map(point).collect()
}
