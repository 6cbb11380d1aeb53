//! Area of a small square of starts in phase space, over time.
//!
//! The square is in the plane of a mode's coordinate q and scaled velocity q'/ω, near the rest
//! shape. Each point of its outline is an initial state of the body. The area is measured by the
//! symplectic form, ½ Σ m (dx × dv) over all coordinates and all edges of the outline. Exact motion
//! without damping preserves it, and so does a symplectic method. Damping γ shrinks it by e^(-γt).
//! Sources: Poincaré 1890; Hairer, Lubich, Wanner, "Geometric Numerical Integration", VI.2.

use super::{
    budget::CoreTime,
    modes::natural::{NaturalMode, is_small, natural_modes},
    stability::{map::stiffened, region::rest},
};
use catena_sim::{Setup, Simulation, State, body::hanging::LinkLaw, contact::Contacts};
use rayon::prelude::*;
use std::{f64::consts::PI, sync::Arc};

/// Area and outline of a square of starts at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseMoment {
    /// Number of periods of the mode since the start.
    pub periods: f64,
    /// Area, as a multiple of the area at the start. Not finite if a run diverged.
    pub area: f64,
    /// Outline of the square: q and q'/ω of each start, relative to the initial displacement of its
    /// centre.
    pub outline: Vec<[f64; 2]>,
}

/// Square of starts of a body over time.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseArea {
    /// Number of the mode, from 1 for the slowest.
    pub mode: usize,
    /// Total number of modes.
    pub modes: usize,
    /// Angular frequency of the mode.
    pub omega: f64,
    /// Damping rate of the mode.
    pub damping: f64,
    /// Product of the angular frequency and the step, ωdt.
    pub step: f64,
    /// Moments, the first of which is the start.
    pub moments: Vec<PhaseMoment>,
    /// Number of steps of each run.
    pub steps: u64,
}

impl PhaseArea {
    /// Mean factor on the area per step, corrected for the loss by damping. `None` if a run
    /// diverged.
    pub fn growth(&self) -> Option<f64> {
        let [first, last] = [self.moments.get(1)?, self.moments.last()?];
        let time = (last.periods - first.periods) * 2.0 * PI / self.omega;
        let steps = time * self.omega / self.step;
        let growth = libm::pow(last.area / first.area, 1.0 / steps);
        let by_damping = libm::exp(self.damping * self.step / self.omega);
        (growth.is_finite() && growth > 0.0).then_some(growth * by_damping)
    }
}

/// Reason why a square cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoArea {
    /// No rest shape is known.
    Restless,
    /// The body has too many coordinates.
    Large,
    /// No mode oscillates.
    Still,
    /// Motions outside the plane of the mode exceed the square, because the method is unstable for
    /// other modes.
    Lost,
    /// The runs would exceed the budget.
    Work,
}

/// Maximum ωdt of the mode that is followed, if such a mode exists. Otherwise the slowest mode is
/// followed.
const STEP: f64 = 0.3;
/// Maximum displacement of a node at the centre of the square, as a share of the body's rest
/// length.
const AMPLITUDE: f64 = 1e-5;
/// Half the side of the square, as a share of the coordinate q of its centre.
const HALF: f64 = 0.2;
/// Number of starts on each side of the square.
const SIDE: usize = 6;
/// Maximum extent of the square outside the plane of the mode, relative to its extent in the plane.
const STRAYED: f64 = 0.01;
/// Simulated time in periods of the mode.
const PERIODS: f64 = 3.0;
/// Number of moments after the start. Every [`APART`]-th outline is drawn.
pub const MOMENTS: usize = 42;
/// Number of moments between two drawn outlines. In this time the mode turns by 3/7 of a circle.
pub const APART: usize = 6;

/// Follows a square of starts about the rest shape of a body, in the plane of a mode. This is the
/// fastest mode with ωdt up to 0.3, or the slowest mode if there is none.
///
/// # Errors
/// Returns the reason why a square cannot be followed.
pub fn phase_area(setup: &Setup, maximum: CoreTime) -> Result<PhaseArea, NoArea> {
    if !is_small(setup) {
        return Err(NoArea::Large);
    }
    let (rest, modes) = rest_and_modes(setup).ok_or(NoArea::Restless)?;
    let dt = setup.dt();
    let swings = |mode: &&(usize, &NaturalMode)| 2.0 * mode.1.omega() > mode.1.damping;
    let numbered: Vec<(usize, &NaturalMode)> = modes.iter().enumerate().collect();
    let short = numbered.iter().rev().filter(swings).find(|mode| mode.1.omega() * dt <= STEP);
    let chosen = short.or_else(|| numbered.iter().find(swings)).ok_or(NoArea::Still)?;
    let (index, mode) = *chosen;
    let period = 2.0 * PI / mode.omega();
    let steps = (PERIODS * period / dt).round().max(MOMENTS as f64) as u64;
    let at = |moment: usize| moment as u64 * steps / MOMENTS as u64;
    let starts = outline_of_square();
    let work = (starts.len() as u64 * steps) as f64 * setup.step_cost() as f64;
    if work > 1e9 * maximum.seconds {
        return Err(NoArea::Work);
    }
    let run = SquareRun { setup, rest: &rest, mode, steps: (0..=MOMENTS).map(at).collect() };
    let paths: Vec<Vec<State>> = starts.par_iter().map(|start| run.path(*start)).collect();
    if run.strays(&paths) {
        return Err(NoArea::Lost);
    }
    let first = run.area(&paths, 0);
    let moment = |moment: usize| PhaseMoment {
        periods: at(moment) as f64 * dt / period,
        area: run.area(&paths, moment) / first,
        outline: paths.iter().filter_map(|path| Some(run.place(path.get(moment)?))).collect(),
    };
    Ok(PhaseArea {
        mode: index + 1,
        modes: modes.len(),
        omega: mode.omega(),
        damping: mode.damping,
        step: mode.omega() * dt,
        moments: (0..=MOMENTS).map(moment).collect(),
        steps,
    })
}

/// Rest shape of a body and its modes about it. For a method that holds lengths, the modes of a
/// nearly rigid chain are used.
fn rest_and_modes(setup: &Setup) -> Option<(Vec<f64>, Vec<NaturalMode>)> {
    /// Factor on the stiffness that makes a chain nearly rigid.
    const RIGID: f64 = 1e5;
    let modes = |setup: &Setup, x: Vec<f64>| {
        let modes = natural_modes(setup, &State::at_rest(x.clone()))?;
        Some((x, modes))
    };
    if !setup.method.holds_lengths() {
        return modes(setup, rest(&setup.with_method_stiffness())?);
    }
    let stiff = stiffened(setup, RIGID);
    let x = stiff.hanging_chain(LinkLaw::Elastic)?;
    modes(&stiff, x)
}

/// Points of the outline: q and q'/ω relative to the displacement of the centre.
fn outline_of_square() -> Vec<[f64; 2]> {
    let corners = [[-HALF, -HALF], [HALF, -HALF], [HALF, HALF], [-HALF, HALF]];
    let side = |index: usize| {
        let [from, to] = [corners[index], corners[(index + 1) % 4]];
        (0..SIDE).map(move |point| {
            let share = point as f64 / SIDE as f64;
            [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis]))
        })
    };
    (0..4).flat_map(side).map(|[q, p]| [1.0 + q, p]).collect()
}

/// Runs from the starts of a square.
struct SquareRun<'a> {
    setup: &'a Setup,
    rest: &'a [f64],
    mode: &'a NaturalMode,
    /// Number of steps before each moment.
    steps: Vec<u64>,
}

impl SquareRun<'_> {
    /// Factor from coordinates in the plane to displacements along the mode.
    fn unit(&self) -> f64 {
        let n = self.setup.model.nodes();
        let farthest = (0..n).map(|node| self.mode.size_at(node, n)).fold(0.0, f64::max);
        AMPLITUDE * self.setup.model.rest_length() / farthest
    }

    /// States of a run at each moment; fewer if the run diverges.
    fn path(&self, [q, p]: [f64; 2]) -> Vec<State> {
        let (unit, omega) = (self.unit(), self.mode.omega());
        let mut start = State::at_rest(self.rest.to_vec());
        for (index, shape) in self.mode.shape.iter().enumerate() {
            start.x[index] += unit * q * shape;
            start.v[index] += unit * p * omega * shape;
        }
        let setup = Setup {
            initial: start,
            frame_time: self.setup.dt(),
            substeps: 1,
            impulses: Vec::new(),
            events: Vec::new(),
            anchors: Vec::new(),
            contacts: Contacts::default(),
            warm_up: 0,
            ..self.setup.clone()
        };
        let mut run = Simulation::new(Arc::new(setup));
        let mut states = Vec::with_capacity(self.steps.len());
        for (moment, &steps) in self.steps.iter().enumerate() {
            let before = moment.checked_sub(1).map_or(0, |last| self.steps[last]);
            (before..steps).for_each(|_| run.step());
            if !run.state().is_finite() || run.refusal().is_some() {
                break;
            }
            states.push(run.state().clone());
        }
        states
    }

    /// Coordinates of a state in the plane of the mode.
    fn place(&self, state: &State) -> [f64; 2] {
        let mass = &self.setup.model.mass;
        let [mut q, mut p] = [0.0; 2];
        for (index, shape) in self.mode.shape.iter().enumerate() {
            let weight = mass[index % mass.len()] * shape;
            q += weight * (state.x[index] - self.rest[index]);
            p += weight * state.v[index];
        }
        let unit = self.unit();
        [q / unit, p / (unit * self.mode.omega())]
    }

    /// Whether the square has left the plane of the mode at the end, or a run has ended early.
    fn strays(&self, paths: &[Vec<State>]) -> bool {
        let last_states: Option<Vec<&State>> = paths.iter().map(|path| path.get(MOMENTS)).collect();
        let Some(last_states) = last_states else { return true };
        let (mass, omega, unit) = (&self.setup.model.mass, self.mode.omega(), self.unit());
        let places: Vec<[f64; 2]> = last_states.iter().map(|state| self.place(state)).collect();
        let [mut inside, mut all] = [0.0; 2];
        // Differences between neighbours do not include a drift that all starts share.
        for (index, state) in last_states.iter().enumerate() {
            let next = (index + 1) % last_states.len();
            for (to, from) in places[next].iter().zip(&places[index]) {
                let along = unit * (to - from);
                inside += along * along;
            }
            for (k, x) in state.x.iter().enumerate() {
                let dx = last_states[next].x[k] - x;
                let dv = (last_states[next].v[k] - state.v[k]) / omega;
                all += mass[k % mass.len()] * (dx * dx + dv * dv);
            }
        }
        let is_within = all - inside <= STRAYED * inside;
        !is_within
    }

    /// Area of the outline at a moment by the symplectic form; not finite if a run has ended
    /// before.
    fn area(&self, paths: &[Vec<State>], moment: usize) -> f64 {
        let mass = &self.setup.model.mass;
        let states: Option<Vec<&State>> = paths.iter().map(|path| path.get(moment)).collect();
        let Some(states) = states else { return f64::INFINITY };
        let mut area = 0.0;
        // Differences from one start preserve the accuracy of a small area.
        let origin = states[0];
        for (index, state) in states.iter().enumerate() {
            let next = states[(index + 1) % states.len()];
            for (k, x) in state.x.iter().enumerate() {
                let [x, next_x] = [x, &next.x[k]].map(|x| x - origin.x[k]);
                let [v, next_v] = [state.v[k], next.v[k]].map(|v| v - origin.v[k]);
                area += 0.5 * mass[k % mass.len()] * (x * next_v - next_x * v);
            }
        }
        area
    }
}
