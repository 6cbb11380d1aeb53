//! Shared parts of force Verlet and constraint Verlet, the two methods of GAMES101. Positions
//! determine the motion, and the difference of the last two is the velocity times dt.

use crate::body::{Model, State};
use crate::method::Displaced;
use crate::method::arithmetic::wide;
use crate::named::{BadOption, OptionInfo, OptionKind};
use serde::Deserialize;

/// Option `damping` of both methods: the fraction d of the last displacement that a step removes.
///
/// The damping acts once per step, so the same d damps more with more substeps: c/m = d/dt.
pub(crate) const DAMPING: OptionInfo = OptionInfo {
    name: "damping",
    summary: "fraction d of the last displacement that is lost per step; equivalent to a drag of c \
              = m d/dt",
    default: "0",
    range: "a number from 0 to 1",
    common: &["0.00005", "0.001", "0.01"],
    ..OptionInfo::PLAIN
};

/// Option `damping_of` of both methods.
pub(crate) const DAMPING_OF: OptionInfo = OptionInfo {
    name: "damping_of",
    summary: "Displacement: d acts on the last displacement, which is correct; Step, as programs \
              print it: (1 - d) x_new + d x, so a dt² is damped too and every force is weaker by \
              the fraction d",
    default: "Displacement",
    range: "Displacement or Step",
    kind: OptionKind::Words(&["Displacement", "Step"]),
    ..OptionInfo::PLAIN
};

/// Part of a step that the damping d reduces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum DampingOf {
    /// The last displacement: x' = x + (1 - d)(x - x_last) + a dt². Terminal speeds are the same as
    /// under a drag of c = m d/dt.
    #[default]
    Displacement,
    /// The whole step: x' = (1 - d) x_new + d x, which is x + (1 - d)(x - x_last) + (1 - d) a dt².
    /// Some programs do this. A spring under a weight rests at the correct length, because both
    /// forces are reduced by the same factor. Terminal speeds are smaller by the factor 1 - d.
    Step,
}
crate::identity!(
    enum DampingOf {
        Displacement,
        Step,
    }
);

/// Damping of a Verlet method: the fraction d, and the part of a step that it reduces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Damping {
    pub(crate) share: f64,
    pub(crate) of: DampingOf,
}

impl Damping {
    /// Refuses fractions that are out of range.
    pub(crate) fn check(self) -> Result<(), BadOption> {
        DAMPING.check((0.0..=1.0).contains(&self.share))?;
        let moves = self.of == DampingOf::Displacement || self.share < 1.0;
        let expected = "a number from 0, below 1, with `damping_of: Step`: at 1 no node would move";
        BadOption::unless(moves, DAMPING.name, expected)
    }

    /// Drag c/m with the same terminal speed: d/dt, or d/((1 - d) dt) if the damping acts on the
    /// whole step. A step then ends with the velocity of v' = v + (a - c/m v') dt.
    pub(crate) fn drag_rate(self, dt: f64) -> f64 {
        match self.of {
            DampingOf::Displacement => self.share / dt,
            DampingOf::Step => self.share / ((1.0 - self.share) * dt),
        }
    }

    /// Fraction of a dt² by which nodes move.
    pub(crate) fn push_factor(self) -> f64 {
        match self.of {
            DampingOf::Displacement => 1.0,
            DampingOf::Step => 1.0 - self.share,
        }
    }
}

/// Positions one step earlier, so that the first step starts with the velocity of `initial`.
pub(crate) fn positions_before(initial: &State, dt: f64) -> Vec<f64> {
    initial.x.iter().zip(&initial.v).map(|(x, v)| x - v * dt).collect()
}

/// Computes x' = x + (1 - d)(x - x_last) + f a dt² for every free node, where f is the
/// [push factor](Damping::push_factor); `last` becomes x.
pub(crate) fn advance(
    model: &Model,
    x: &mut [f64],
    last: &mut [f64],
    a: &[f64],
    damping: Damping,
    dt: f64,
) {
    let n = model.nodes();
    let (keep, push) = (1.0 - damping.share, damping.push_factor());
    wide(
        #[inline(always)]
        || {
            let axes = x.chunks_exact_mut(n).zip(last.chunks_exact_mut(n)).zip(a.chunks_exact(n));
            for ((x, last), a) in axes {
                let nodes = x.iter_mut().zip(last).zip(a.iter().zip(&model.pinned));
                for ((x, last), (a, pinned)) in nodes {
                    (*x, *last) = next(*x, *last, *a * dt * dt * push, *pinned, keep);
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
    damping: Damping,
    dt: f64,
) {
    let n = model.nodes();
    let (keep, push) = (1.0 - damping.share, damping.push_factor());
    wide(
        #[inline(always)]
        || {
            let x = state.x.chunks_exact_mut(n).zip(state.v.chunks_exact_mut(n));
            let axes = x.zip(last.chunks_exact_mut(n)).zip(a.chunks_exact(n));
            for (((x, v), last), a) in axes {
                let nodes = x.iter_mut().zip(v).zip(last).zip(a.iter().zip(&model.pinned));
                for (((x, v), last), (a, pinned)) in nodes {
                    let before = *x;
                    (*x, *last) = next(before, *last, *a * dt * dt * push, *pinned, keep);
                    *v = (*x - before) / dt;
                }
            }
        },
    );
}

/// Returns x and x_last of a node after a step, along one axis. `push` is the displacement by its
/// acceleration.
#[inline(always)]
fn next(x: f64, last: f64, push: f64, is_pinned: bool, keep: f64) -> (f64, f64) {
    let moved = x + keep * (x - last) + push;
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

/// Takes over the last positions of another run of a body with `nodes` nodes, but leaves the nodes
/// `anew` unchanged. Does nothing if `memory` has another length.
pub(crate) fn take_over(last: &mut [f64], memory: &[f64], nodes: usize, anew: &[usize]) {
    if memory.len() != last.len() {
        return;
    }
    for (index, (last, before)) in last.iter_mut().zip(memory).enumerate() {
        if !anew.contains(&(index % nodes)) {
            *last = *before;
        }
    }
}

/// Restores the last positions of a checkpoint. A checkpoint may be handwritten, so memory of the
/// wrong length is ignored.
pub(crate) fn restore(last: &mut [f64], memory: &[f64]) {
    if memory.len() == last.len() {
        last.copy_from_slice(memory);
    }
}
