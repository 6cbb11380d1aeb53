//! Warnings about a step above the stability limit.

use super::equilibrium::steady;
use super::held::HeldLimit;
use super::oscillator::Oscillator;
use super::predict::{at_rest, is_hooke, predict_steady, start_mode};
use super::stiffest::{
    FilmEnd, MAX_SUBSTEPS, Stiffening, StiffestState, bound_work, find_stiffest_states,
};
use super::{held, predict};
use crate::budget::{CoreTime, StudyBudget};
use crate::stability::prediction::{LimitCause, LimitReach, ModePlace, Prediction};
use catena_base::text::number::short;
use catena_sim::{Setup, linear::spectrum::Spectrum};

/// Number of nodes above which a body is judged by a bound on its highest mode.
const MANY_NODES: usize = 4096;
/// Share of an undamped oscillator's limit below which a step is safe without further checks.
const SAFE: f64 = 0.5;
/// Share of 1/γ below which a step is safe without further checks. The smallest limit is 0.3/γ, of
/// Adams-Bashforth 4.
const SAFE_DAMPING: f64 = 0.2;
/// Relative tolerance of ω² in a first estimate, which suffices for a step clearly below its limit.
const ROUGH: f64 = 1e-4;
/// Relative tolerance of ω² for all other steps.
const EXACT: f64 = 1e-10;
/// Share of a limit below which a step is clearly safe.
const CLEAR: f64 = 0.98;
/// Budget per body for the runs or the rest search of a warning, in a scene of up to [`BODIES`]
/// bodies.
const WARNING: CoreTime = CoreTime { seconds: 0.2 };
/// Number of bodies above which the total budget is fixed and shared.
const BODIES: usize = 20;

/// Budget per body for the runs or the rest search of a warning, in a scene of `bodies` bodies. The
/// highest modes at the start and at rest are outside this budget.
pub fn warning_amount(bodies: usize) -> CoreTime {
    WARNING.times(BODIES as f64).shared(bodies.max(BODIES))
}

/// Warning about a step that exceeds its limit within `frames` frames, as one line. Returns `None`
/// if the step is within its limit, or if there is no limit.
///
/// The limit matches [`predict::predict_film`]. Under Hooke's law the initial state and the rest
/// shape are checked, at the cost of a few thousand steps. Steps far below a bound on all modes are
/// not checked further. For a body of very many nodes, a bound (Gershgorin) replaces the highest
/// mode; in a long chain both agree to six digits. The damping of that mode is then unknown, so
/// limits that depend on damping are not checked. Under other laws the frames are simulated within
/// a budget, except for bodies of very many nodes, which are not checked.
pub fn warning(setup: &Setup, frames: u64, maximum: CoreTime) -> Option<String> {
    warning_counted(setup, frames, maximum).0
}

/// Returns [`warning`], and the work of its searches in nanoseconds of one core, as counted.
pub fn warning_counted(setup: &Setup, frames: u64, maximum: CoreTime) -> (Option<String>, u64) {
    let mut work = 0;
    let line = find_warning(setup, frames, maximum, &mut work);
    (line, work)
}

/// Finds the warning, and adds the nanoseconds of its searches to `work`.
fn find_warning(setup: &Setup, frames: u64, maximum: CoreTime, work: &mut u64) -> Option<String> {
    if setup.chooses_its_step() || !setup.has_known_limit() {
        return None;
    }
    let Some(limit) = setup.method.info().limit else {
        let found = held::predict(setup, frames, true, maximum, work)?;
        return warning_of_held(setup, found, frames);
    };
    for (steady, drag) in steady(setup) {
        if steady.model.nodes() <= MANY_NODES {
            *work += bound_work(&steady);
        }
        if is_safe_by_bounds(&steady, limit) {
            continue;
        }
        let line = match setup.model.nodes() > MANY_NODES {
            true => warning_by_bound(&steady, limit),
            false => warning_of_mode(&steady, limit, maximum, work),
        };
        if let Some(line) = line {
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
    let mut budget = StudyBudget::new(maximum);
    let states = find_stiffest_states(setup, Stiffening::Law, frames, &mut budget);
    *work += budget.spent_of(maximum);
    warning_of_run(setup, states?, frames, maximum)
}

/// Whether the step is safe by bounds on the modes at the start and at rest, which cost far less
/// than the modes.
fn is_safe_by_bounds(setup: &Setup, limit: f64) -> bool {
    if setup.model.nodes() > MANY_NODES {
        return false;
    }
    bound_of_all(setup).is_some_and(|bound| {
        bound.omega > 0.0 && is_safe(setup, limit, Oscillator::of_mode(setup, bound))
    })
}

/// Upper bound on the modes at the start and, for Hookean springs, in all other shapes.
fn bound_of_all(setup: &Setup) -> Option<Spectrum> {
    let taken = setup.with_method_stiffness();
    let start = predict::spectrum_bound_at(&taken, &setup.initial);
    let springs = if is_hooke(setup) { predict::bound(&taken.model) } else { 0.0 };
    let omega = start.omega.max(springs);
    omega.is_finite().then_some(Spectrum { omega, ..start })
}

/// Whether a step is far enough below the limit to skip the exact computation.
fn is_safe(setup: &Setup, limit: f64, oscillator: Oscillator) -> bool {
    let dt = setup.dt();
    let is_plain = oscillator.factors == [1.0; 2];
    is_plain && oscillator.omega * dt < SAFE * limit && oscillator.damping * dt < SAFE_DAMPING
}

/// Warning about a body of very many nodes.
fn warning_by_bound(setup: &Setup, limit: f64) -> Option<String> {
    let is_known = is_hooke(setup) && limit > 0.0;
    let omega = is_known.then(|| predict::bound(&setup.with_method_stiffness().model))?;
    let oscillator = Oscillator::of_mode(setup, Spectrum { omega, damping: 0.0 });
    if !(omega.is_finite() && omega > 0.0) || is_safe(setup, limit, oscillator) {
        return None;
    }
    let found = oscillator.longest_step(&setup.method);
    warning_about(setup, found, "")
}

/// Warning about a step that exceeds the limit at the start or at rest. Clearly safe steps are
/// detected with a rough tolerance, or without the rest shape.
fn warning_of_mode(setup: &Setup, limit: f64, maximum: CoreTime, work: &mut u64) -> Option<String> {
    let start = start_mode(setup, ROUGH, work);
    if !(start.omega.is_finite() && start.omega > 0.0) {
        return None;
    }
    let dt = setup.dt();
    let longest = |mode: Spectrum| Oscillator::of_mode(setup, mode).longest_step(&setup.method);
    let is_clear = |mode: Spectrum| longest(mode).is_some_and(|longest| dt < CLEAR * longest);
    if is_safe(setup, limit, Oscillator::of_mode(setup, start)) {
        return None;
    }
    if longest(start).is_none() {
        return warning_about(setup, None, "");
    }
    // No shape is stiffer than the bound, so most bodies need no rest search.
    let greatest = if is_hooke(setup) { bound_of_all(setup) } else { None };
    *work += if greatest.is_some() { bound_work(setup) } else { 0 };
    if is_clear(start) && greatest.is_some_and(is_clear) {
        return None;
    }
    let rest = at_rest(setup, maximum, work);
    let rough = predict_steady(setup, start, ROUGH, &rest, work)?;
    if rough.longest_step.is_some_and(|longest| dt < CLEAR * longest) {
        return None;
    }
    let start = start_mode(setup, EXACT, work);
    let found = predict_steady(setup, start, EXACT, &rest, work)?;
    warning_about(setup, found.longest_step, place(&found))
}

/// Phrase for the place of a mode.
fn place(found: &Prediction) -> &'static str {
    if found.place == ModePlace::Rest { ", at rest" } else { "" }
}

/// Warning about a step above the longest stable one; `None` if it is not above.
fn warning_about(setup: &Setup, longest: Option<f64>, place: &str) -> Option<String> {
    let Some(longest) = longest else {
        return Some(
            "the method gains energy at every step size: an undamped rope will diverge".into(),
        );
    };
    let dt = setup.dt();
    (dt > longest).then(|| over(dt, longest, place, &enough(setup, longest)))
}

/// Advice on a sufficient number of substeps.
fn enough(setup: &Setup, longest: f64) -> String {
    let needed = (setup.frame_time / longest).ceil();
    if needed <= MAX_SUBSTEPS as f64 {
        format!("substeps: {needed} would be stable")
    } else {
        "even the maximum number of substeps would not be stable".into()
    }
}

/// Phrase for all frames of a film.
fn all_frames(frames: u64) -> String {
    if frames == 1 { "the only frame".into() } else { format!("all {frames} frames") }
}

/// Warning about a step of a method that integrates no springs.
fn warning_of_held(setup: &Setup, found: HeldLimit, frames: u64) -> Option<String> {
    let HeldLimit { prediction, kept_by } = found;
    let dt = setup.dt();
    let longest = prediction.longest_step.filter(|longest| dt > *longest)?;
    let mut cause = held_cause(setup, prediction.cause);
    if prediction.cause == LimitCause::Tension {
        cause += &when(&prediction);
    }
    let (dt, step) = (short(dt), short(longest));
    let is_possible = setup.frame_time / longest <= MAX_SUBSTEPS as f64;
    let help = match (prediction.cause, is_possible) {
        (LimitCause::Friction, true) => "and lower `damping` or `friction` would help",
        (LimitCause::Friction, false) => "but lower `damping` or `friction` would help",
        (_, true) => "but more `iterations` do not help",
        (_, false) => "and more `iterations` do not help",
    };
    let enough = match (kept_by, prediction.reach) {
        (Some(substeps), _) if substeps > setup.substeps => {
            format!("substeps: {substeps} would be stable in {}", all_frames(frames))
        }
        (_, LimitReach::TooLong) => {
            format!("{}, unless tension increases later", enough(setup, longest))
        }
        _ => enough(setup, longest),
    };
    Some(format!("dt = {dt} exceeds the stability limit {step} of {cause}; {enough}, {help}"))
}

/// Returns the longest stable step of a method that integrates no springs, and a phrase for what
/// limits it. `None` for other methods, if a step is clearly safe, and if no limit is known.
pub fn held_limit(setup: &Setup, frames: u64, maximum: CoreTime) -> Option<(f64, String)> {
    let is_held = setup.has_known_limit() && setup.method.info().limit.is_none();
    let found =
        is_held.then(|| held::predict(setup, frames, true, maximum, &mut 0)).flatten()?.prediction;
    Some((found.longest_step?, held_cause(setup, found.cause)))
}

/// Phrase for what limits the step of a method that integrates no springs.
fn held_cause(setup: &Setup, cause: LimitCause) -> String {
    let title = setup.method.info().title;
    let such = match (setup.rods().is_some(), setup.model.axes) {
        (false, _) => "drag and bending springs",
        (true, 2) => "bending of the rod",
        (true, _) => "bending and twist of the rod",
    };
    match cause {
        LimitCause::Friction => {
            format!("friction in springs, which {title} adds as an explicit force")
        }
        LimitCause::Tension => "transverse waves of springs under tension".into(),
        LimitCause::Springs | LimitCause::Forces => {
            format!("forces that {title} adds explicitly, such as {such}")
        }
    }
}

/// Phrase for the time of a mode.
fn when(found: &Prediction) -> String {
    match found.place {
        ModePlace::Passing { time } => format!(" at time {}", short(time)),
        ModePlace::Rest => " at rest".into(),
        ModePlace::Start => String::new(),
        ModePlace::Taut => " once its ropes are taut".into(),
    }
}

/// Warning from two runs: one with the scene's substeps, one with the first number of substeps that
/// survived.
fn warning_of_run(
    setup: &Setup,
    [own, last]: [StiffestState; 2],
    frames: u64,
    maximum: CoreTime,
) -> Option<String> {
    let dt = setup.dt();
    let advice = match last.end {
        FilmEnd::Film => {
            format!("substeps: {} would be stable in {}", last.substeps, all_frames(frames))
        }
        _ => format!(
            "the required number of substeps was not found within {maximum}; `catena stability` \
             searches longer"
        ),
    };
    match own.end {
        FilmEnd::Film => None,
        FilmEnd::StudyBudget => Some(format!(
            "its springs do not follow Hooke's law, so its stability limit changes during the run; \
             dt = {} is stable at least up to time {}, when the work limit of {maximum} was reached; \
             `catena stability` searches further",
            short(dt),
            short(own.until)
        )),
        FilmEnd::Lost if dt > own.longest => {
            let when = format!(
                " at time {}, when its springs are stiffer than at the start",
                short(own.time)
            );
            Some(over(dt, own.longest, &when, &advice))
        }
        FilmEnd::Lost => Some(format!(
            "dt = {} diverges at time {}, although it is below the stability limit of every state \
             that the run reached; {advice}",
            short(dt),
            short(own.until)
        )),
    }
}

/// Warning about a step above its limit.
fn over(dt: f64, longest: f64, when: &str, advice: &str) -> String {
    let (dt, longest) = (short(dt), short(longest));
    format!("dt = {dt} exceeds the stability limit {longest} of the method{when}; {advice}")
}
