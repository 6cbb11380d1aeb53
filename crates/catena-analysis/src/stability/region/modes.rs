//! Eigenvalues of a body, times its step, and whether the method keeps each mode bounded.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::{Eigenvalue, has_region};
use crate::budget::{CoreTime, StudyBudget};
use crate::modes::natural::{NaturalMode, is_small, natural_modes};
use crate::stability::{
    equilibrium::{self, Equilibrium, equilibrium, steady},
    oscillator::Oscillator,
    predict::spectrum_at,
};
use catena_sim::{Setup, State, body::hanging::LinkLaw, linear::spectrum::Spectrum};

/// Mode of a body in the plane of hλ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModePoint {
    /// Number of the mode, from 1 for the slowest. `None` if only the highest mode is known.
    pub number: Option<usize>,
    /// Angular frequency ω.
    pub omega: f64,
    /// Damping rate γ.
    pub damping: f64,
    /// Both eigenvalues times the step.
    pub points: [Eigenvalue; 2],
    /// Growth of the mode per step under the method, with the setup's factors.
    pub growth: f64,
    /// Whether the step keeps the mode bounded.
    pub is_bounded: bool,
    /// Node that the mode moves most; `None` if only the highest mode is known.
    pub node: Option<usize>,
}

impl ModePoint {
    /// Whether the mode oscillates, so that its eigenvalues are a conjugate pair.
    pub fn oscillates(&self) -> bool {
        self.points[0].im != 0.0
    }
}

/// State about which modes are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModeState {
    /// Rest shape, if weight and Hookean springs alone determine it.
    Rest,
    /// Initial state.
    Start,
}

/// Modes of a body at its step.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneModes {
    /// Modes in ascending order of frequency. Only the highest if the body is too large.
    pub modes: Vec<ModePoint>,
    /// Number of all modes; `None` if only the highest is known.
    pub count: Option<usize>,
    /// Number of modes without a restoring force, or with a repelling force. Their exact motion is
    /// unbounded under every method.
    pub loose: usize,
    /// State that the modes are about.
    pub state: ModeState,
}

/// Share of the highest ω² below which a mode counts as having no restoring force.
const LOOSE: f64 = 1e-10;
/// Approximate nanoseconds per cube of the number of coordinates, for all modes.
const CUBE: f64 = 30.0;
/// Approximate nanoseconds of one amplification matrix.
pub const MATRIX: f64 = 50_000.0;
/// Relative tolerance of ω² of the highest mode.
const EXACT: f64 = 1e-10;

/// Modes of a body about its rest shape, or about its initial state if no rest shape is known. Only
/// the highest mode if all of them would cost more than `maximum`. `None` if the method has no
/// region, chooses its own step, or nothing oscillates.
pub fn modes(setup: &Setup, maximum: CoreTime) -> Option<SceneModes> {
    if setup.chooses_its_step() || !has_region(setup.method.as_ref()) {
        return None;
    }
    // Time-dependent drag counts at its maximum, where eigenvalues are farthest from the axis.
    let all = steady(setup);
    let strongest =
        all.into_iter().max_by(|(_, a), (_, b)| a.unwrap_or(0.0).total_cmp(&b.unwrap_or(0.0)));
    let setup = strongest?.0.with_method_stiffness();
    let setup = &setup;
    let (state, place) = match rest(setup) {
        Some(x) => (State::at_rest(x), ModeState::Rest),
        None => (setup.initial.clone(), ModeState::Start),
    };
    let free = setup.model.pinned.iter().filter(|pinned| !**pinned).count() * setup.model.axes;
    let cost = CUBE * (free as f64) * (free as f64) * (free as f64) + MATRIX * free as f64;
    let is_affordable = StudyBudget::new(maximum).allows(1.0, cost as u64);
    let found = (is_small(setup) && is_affordable).then(|| natural_modes(setup, &state)).flatten();
    match found {
        Some(found) => Some(all_points(setup, &found, place)),
        None => highest_point(setup, &state, place),
    }
}

/// Rest shape of a body, flat by axis, if weight and Hookean springs alone determine it.
pub fn rest(setup: &Setup) -> Option<Vec<f64>> {
    setup.hanging_chain(LinkLaw::Elastic).or_else(|| {
        match equilibrium(setup, equilibrium::WORK, &mut 0) {
            Equilibrium::At(x) => Some(x),
            Equilibrium::Unsought | Equilibrium::NotFound => None,
        }
    })
}

fn all_points(setup: &Setup, found: &[NaturalMode], state: ModeState) -> SceneModes {
    let n = setup.model.nodes();
    let highest = found.iter().fold(0.0_f64, |maximum, mode| maximum.max(mode.omega_squared.abs()));
    let is_loose = |mode: &NaturalMode| mode.omega_squared <= LOOSE * highest;
    let point = |(index, mode): (usize, &NaturalMode)| {
        let nodes = (0..n).max_by(|&a, &b| mode.size_at(a, n).total_cmp(&mode.size_at(b, n)));
        let spectrum = Spectrum { omega: mode.omega(), damping: mode.damping };
        ModePoint { number: Some(index + 1), node: nodes, ..bare(setup, spectrum) }
    };
    let held = found.iter().enumerate().filter(|(_, mode)| !is_loose(mode));
    SceneModes {
        modes: held.map(point).collect(),
        count: Some(found.len()),
        loose: found.iter().filter(|mode| is_loose(mode)).count(),
        state,
    }
}

fn highest_point(setup: &Setup, state: &State, place: ModeState) -> Option<SceneModes> {
    let highest = spectrum_at(setup, state, EXACT);
    let is_known = highest.omega.is_finite() && highest.omega > 0.0;
    is_known.then(|| SceneModes {
        modes: vec![bare(setup, highest)],
        count: None,
        loose: 0,
        state: place,
    })
}

/// Point of a mode without its number.
fn bare(setup: &Setup, mode: Spectrum) -> ModePoint {
    let oscillator = Oscillator::of_mode(setup, mode);
    let dt = setup.dt();
    let growth = oscillator.growth(&setup.method, dt);
    let points = oscillator.eigenvalues().map(|lambda| lambda.times(dt));
    let is_bounded = oscillator.is_bounded(&setup.method, dt);
    let Spectrum { omega, damping } = mode;
    ModePoint { number: None, omega, damping, points, growth, is_bounded, node: None }
}
