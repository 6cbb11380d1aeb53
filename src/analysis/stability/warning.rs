//! Warns about a step over the stability limit.

use super::{
    changing::steady,
    oscillator::Oscillator,
    predict::{self, is_hooke},
    stiffest::{FilmEnd, MOST_SUBSTEPS, StiffestState, stiffest_states},
};
use crate::analysis::budget::{CoreTime, StudyBudget};
use crate::sim::{Setup, linear::spectrum::Spectrum};
use crate::text::number::short;

/// Bodies of more nodes than this are judged by a bound on their highest mode.
const MANY_NODES: usize = 4096;
/// Steps below this share of the limit of an undamped oscillator need no further check.
const SAFE: f64 = 0.5;
/// Steps below this share of 1/γ need no further check; the least limit is 0.3/γ, of
/// Adams-Bashforth 4.
const SAFE_DAMPING: f64 = 0.2;
/// What the runs of a warning may take in a scene of up to [`BODIES`] bodies.
const WARNING: CoreTime = CoreTime { seconds: 0.2 };
/// More bodies than this share what these may take.
const BODIES: usize = 20;

/// What the runs of one warning may take in a scene of so many bodies.
pub fn warning_amount(bodies: usize) -> CoreTime {
    WARNING.times(BODIES as f64).shared(bodies.max(BODIES))
}

/// One line about a step that exceeds its limit within so many frames; `None` if it does not, or if
/// there is no limit.
///
/// Under Hooke's law the state at the start decides, which costs as much as some thousand steps. In
/// a body of very many nodes a bound (Gershgorin) stands for the highest mode; in a long chain it
/// equals the mode to six digits. The damping of that mode is then unknown, so a step that damping
/// alone could forbid or allow is not judged. Under other laws the frames are run within a budget,
/// except for bodies of very many nodes, which are not judged.
pub fn warning(setup: &Setup, frames: u64, most: CoreTime) -> Option<String> {
    if setup.chooses_its_step() {
        return None;
    }
    let limit = setup.method.info().limit?;
    for (steady, drag) in steady(setup) {
        if is_safe_by_bounds(&steady, limit) {
            continue;
        }
        let highest = highest_at_start(&steady, limit)?;
        if !(highest.omega.is_finite() && highest.omega > 0.0) {
            return None;
        }
        if let Some(line) = warning_at_start(&steady, limit, highest) {
            return Some(match drag {
                Some(drag) => format!("while drag is {}, {line}", short(drag)),
                None => line,
            });
        }
    }
    let is_unlimited = limit.is_infinite() || is_hooke(setup);
    if is_unlimited || setup.model.nodes() > MANY_NODES {
        return None;
    }
    let states = stiffest_states(setup, frames, &mut StudyBudget::new(most))?;
    warning_of_run(setup, states, frames, most)
}

/// Whether bounds on the modes at the start, which cost far less than the modes, are safe.
fn is_safe_by_bounds(setup: &Setup, limit: f64) -> bool {
    if setup.model.nodes() > MANY_NODES {
        return false;
    }
    let bound = predict::spectrum_bound_at(&setup.as_taken(), &setup.initial);
    bound.omega > 0.0 && is_safe(setup, limit, Oscillator::of_mode(setup, bound))
}

/// Whether a step is so far below the limit that it need not be computed.
fn is_safe(setup: &Setup, limit: f64, oscillator: Oscillator) -> bool {
    let dt = setup.dt();
    let is_plain = oscillator.factors == [1.0; 2];
    is_plain && oscillator.omega * dt < SAFE * limit && oscillator.damping * dt < SAFE_DAMPING
}

/// The highest mode at the start; `None` if it is not known.
fn highest_at_start(setup: &Setup, limit: f64) -> Option<Spectrum> {
    let taken = setup.as_taken();
    if setup.model.nodes() <= MANY_NODES {
        return Some(predict::spectrum_at(&taken, &setup.initial, 1e-4));
    }
    let is_known = is_hooke(setup) && limit > 0.0;
    is_known.then(|| Spectrum { omega: predict::bound(&taken.model), damping: 0.0 })
}

/// The warning about a step that exceeds the limit at the start.
fn warning_at_start(setup: &Setup, limit: f64, highest: Spectrum) -> Option<String> {
    let dt = setup.dt();
    let oscillator = Oscillator::of_mode(setup, highest);
    if is_safe(setup, limit, oscillator) {
        return None;
    }
    let Some(longest) = oscillator.longest_step(&setup.method) else {
        return Some("the method grows at any step on an undamped rope".into());
    };
    let needed = (setup.frame_time / longest).ceil();
    let advice = if needed <= MOST_SUBSTEPS as f64 {
        format!("substeps: {needed} would keep it")
    } else {
        "no number of substeps that a scene may have would keep it".into()
    };
    (dt > longest).then(|| over(dt, longest, "", &advice))
}

/// The warning from a run with the scene's substeps, and from the first one with more that was not
/// lost.
fn warning_of_run(
    setup: &Setup,
    [own, last]: [StiffestState; 2],
    frames: u64,
    most: CoreTime,
) -> Option<String> {
    let dt = setup.dt();
    let advice = match last.end {
        FilmEnd::Film => format!("substeps: {} keep it in all {frames} frames", last.substeps),
        _ => format!(
            "how many substeps keep it was not found within {most}; `catena stability` looks further"
        ),
    };
    match own.end {
        FilmEnd::Film => None,
        FilmEnd::StudyBudget => Some(format!(
            "its springs do not follow Hooke's law, so its stability limit changes on the way; dt = {} keeps it up to time {}, \
             where its budget, {most}, was spent; `catena stability` looks further",
            short(dt),
            short(own.until)
        )),
        FilmEnd::Lost if dt > own.longest => {
            let when = format!(
                " at time {}, where its springs are stiffer than at the start",
                short(own.time)
            );
            Some(over(dt, own.longest, &when, &advice))
        }
        FilmEnd::Lost => Some(format!(
            "dt = {} loses it at time {}, though it is within the stability limit of every state on the way; {advice}",
            short(dt),
            short(own.until)
        )),
    }
}

/// The warning about a step over its limit.
fn over(dt: f64, longest: f64, when: &str, advice: &str) -> String {
    let (dt, longest) = (short(dt), short(longest));
    format!("dt = {dt} is over the stability limit {longest} of the method{when}; {advice}")
}
