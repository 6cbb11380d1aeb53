//! One line about a step that is over its limit.

use super::{
    passing::{End, MOST_SUBSTEPS, Passed, pass},
    predict::{self, is_hooke},
};
use crate::analysis::budget::{Amount, Budget};
use crate::sim::{Setup, linear::spectrum::Spectrum};
use crate::text::number::short;

/// Bodies of more nodes than this are judged by a bound on their highest mode instead of the mode itself.
const MANY_NODES: usize = 4096;
/// Steps below this share of the limit of an undamped oscillator need no run to be judged.
const SAFE: f64 = 0.5;
/// The same for damping, in 1/γ: Adams-Bashforth 4 bears the least, 0.3.
const SAFE_DAMPING: f64 = 0.2;
/// What the runs of a warning may take where a scene has up to so many bodies; more bodies share
/// what these may take.
const WARNING: Amount = Amount { seconds: 0.2 };
const BODIES: usize = 20;

/// What the runs of a warning may take in a scene of so many bodies.
pub fn warning_amount(bodies: usize) -> Amount {
    WARNING.times(BODIES as f64).shared(bodies.max(BODIES))
}

/// One line about a step that is over its limit in a film of so many frames; `None` where it is not, or where there is no limit.
///
/// Where springs follow Hooke's law, it looks at the start only, so it costs as much as some thousand steps. In a body of very many nodes
/// the highest mode is taken from a bound that it cannot exceed (Gershgorin), which for a long chain is the mode itself to six digits; how
/// strongly that mode is damped is then not known, and a step that damping alone could forbid or allow is not judged. Under other laws
/// the film is run within a budget; in a body of very many nodes these are not judged.
pub fn warning(setup: &Setup, frames: u64, most: Amount) -> Option<String> {
    if setup.chooses_its_step() {
        return None;
    }
    let limit = setup.method.info().limit?;
    let highest = highest_at_start(setup, limit)?;
    if !(highest.omega.is_finite() && highest.omega > 0.0) {
        return None;
    }
    if let Some(told) = told_at_start(setup, limit, highest) {
        return Some(told);
    }
    let is_unlimited = limit.is_infinite() || is_hooke(setup);
    if is_unlimited || setup.model.nodes() > MANY_NODES {
        return None;
    }
    let passed = pass(setup, frames, &mut Budget::new(most))?;
    told_of_run(setup, passed, frames, most)
}

/// The highest mode as the body starts; `None` where it is not known.
fn highest_at_start(setup: &Setup, limit: f64) -> Option<Spectrum> {
    let taken = setup.as_taken();
    if setup.model.nodes() <= MANY_NODES {
        return Some(predict::spectrum_at(&taken, &setup.initial, 1e-4));
    }
    let is_known = is_hooke(setup) && limit > 0.0;
    is_known.then(|| Spectrum { omega: predict::bound(&taken.model), damping: 0.0 })
}

fn told_at_start(setup: &Setup, limit: f64, highest: Spectrum) -> Option<String> {
    let dt = setup.dt();
    let oscillator = predict::oscillator(setup, highest);
    let is_plain = oscillator.factors == [1.0; 2];
    let is_slow = oscillator.omega * dt < SAFE * limit && oscillator.damping * dt < SAFE_DAMPING;
    if is_plain && is_slow {
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

/// What a run says, and the run with more substeps that was not lost.
fn told_of_run(
    setup: &Setup,
    [own, last]: [Passed; 2],
    frames: u64,
    most: Amount,
) -> Option<String> {
    let dt = setup.dt();
    let advice = match last.end {
        End::Film => format!("substeps: {} keep it in all {frames} frames", last.substeps),
        _ => format!(
            "how many substeps keep it was not found within {most}; `catena stability` looks further"
        ),
    };
    match own.end {
        End::Film => None,
        End::Budget => Some(format!(
            "its springs do not follow Hooke's law, so its stability limit changes on the way; dt = {} keeps it up to time {}, \
             where its budget, {most}, was spent; `catena stability` looks further",
            short(dt),
            short(own.until)
        )),
        End::Lost if dt > own.longest => {
            let when = format!(
                " at time {}, where its springs are stiffer than at the start",
                short(own.time)
            );
            Some(over(dt, own.longest, &when, &advice))
        }
        End::Lost => Some(format!(
            "dt = {} loses it at time {}, though it is within the stability limit of every state on the way; {advice}",
            short(dt),
            short(own.until)
        )),
    }
}

fn over(dt: f64, longest: f64, when: &str, advice: &str) -> String {
    let (dt, longest) = (short(dt), short(longest));
    format!("dt = {dt} is over the stability limit {longest} of the method{when}; {advice}")
}
