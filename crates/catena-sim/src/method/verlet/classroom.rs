//! Shared parts of force Verlet and constraint Verlet, the two methods of GAMES101. Positions
//! determine the motion, and the difference of the last two is the velocity times dt.

use crate::body::{Model, State};
use crate::method::Displaced;
use crate::method::arithmetic::wide;
use crate::named::{BadOption, OptionInfo};

/// Option `damping` of both methods: the fraction d of the last displacement that a step removes.
///
/// The damping acts once per step, so the same d damps more with more substeps: c/m = d/dt.
pub(crate) const DAMPING: OptionInfo = OptionInfo {
    name: "damping",
    summary: "share d of the last displacement that is lost per step; equivalent to a drag of c = m d/dt",
    default: "0",
    range: "a number from 0 to 1",
    ..OptionInfo::PLAIN
};

pub(crate) fn check_damping(damping: f64) -> Result<(), BadOption> {
    DAMPING.check((0.0..=1.0).contains(&damping))
}

/// Drag c/m that is equivalent to a damping of d: d/dt.
pub(crate) fn drag_rate(damping: f64, dt: f64) -> f64 {
    damping / dt
}

/// Positions one step earlier, so that the first step starts with the velocity of `initial`.
pub(crate) fn positions_before(initial: &State, dt: f64) -> Vec<f64> {
    initial.x.iter().zip(&initial.v).map(|(x, v)| x - v * dt).collect()
}

/// Computes x' = x + (1 - d)(x - x_last) + a dt² for every free node; `last` becomes x.
pub(crate) fn advance(
    model: &Model,
    x: &mut [f64],
    last: &mut [f64],
    a: &[f64],
    damping: f64,
    dt: f64,
) {
    let n = model.nodes();
    wide(
        #[inline(always)]
        || {
            let axes = x.chunks_exact_mut(n).zip(last.chunks_exact_mut(n)).zip(a.chunks_exact(n));
            for ((x, last), a) in axes {
                let nodes = x.iter_mut().zip(last).zip(a.iter().zip(&model.pinned));
                for ((x, last), (a, pinned)) in nodes {
                    (*x, *last) = next(*x, *last, *a, *pinned, damping, dt);
                }
            }
        },
    );
}

/// Advances like [`advance`], and sets the reported velocity: the displacement over dt.
pub(crate) fn advance_and_report(
    model: &Model,
    state: &mut State,
    last: &mut [f64],
    a: &[f64],
    damping: f64,
    dt: f64,
) {
    let n = model.nodes();
    wide(
        #[inline(always)]
        || {
            let x = state.x.chunks_exact_mut(n).zip(state.v.chunks_exact_mut(n));
            let axes = x.zip(last.chunks_exact_mut(n)).zip(a.chunks_exact(n));
            for (((x, v), last), a) in axes {
                let nodes = x.iter_mut().zip(v).zip(last).zip(a.iter().zip(&model.pinned));
                for (((x, v), last), (a, pinned)) in nodes {
                    let before = *x;
                    (*x, *last) = next(before, *last, *a, *pinned, damping, dt);
                    *v = (*x - before) / dt;
                }
            }
        },
    );
}

/// Returns x and x_last of a node after a step.
#[inline(always)]
fn next(x: f64, last: f64, a: f64, is_pinned: bool, damping: f64, dt: f64) -> (f64, f64) {
    let moved = x + (1.0 - damping) * (x - last) + a * dt * dt;
    if is_pinned { (x, last) } else { (moved, x) }
}

/// Sets the velocity that a Verlet step reports: the displacement over the whole step, divided by
/// dt.
pub(crate) fn report_velocity(start: &[f64], state: &mut State, dt: f64) {
    for ((v, x), start) in state.v.iter_mut().zip(&state.x).zip(start) {
        *v = (x - start) / dt;
    }
}

/// Makes the last positions of displaced nodes consistent with their new velocity: x_last = x - v
/// dt.
pub(crate) fn match_velocities(last: &mut [f64], what: &Displaced<'_>, dt: f64) {
    for index in what.model.indices(what.nodes) {
        // `last` is empty before the first step.
        if let Some(last) = last.get_mut(index) {
            *last = what.state.x[index] - what.state.v[index] * dt;
        }
    }
}

/// Adds the change of velocity of displaced nodes: x_last' = x' - (x - x_last) - (v' - v) dt. For
/// methods whose motion does not follow from the reported velocity.
pub(crate) fn add_velocity_changes(last: &mut [f64], what: &Displaced<'_>, dt: f64) {
    let Displaced { before, state, .. } = what;
    for index in what.model.indices(what.nodes) {
        let motion = before.x[index] - last[index] + (state.v[index] - before.v[index]) * dt;
        last[index] = state.x[index] - motion;
    }
}
