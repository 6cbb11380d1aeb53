//! Measurements on a run, for checks.

use crate::settle::{Ending, RestRule, Settled, settle};
use catena_sim::{Model, Setup, Simulation, State, body::measure};
use std::{f64::consts::PI, sync::Arc};

/// Maximum number of steps of a measurement; a longer run yields `None`.
const MAX_STEPS: usize = 10_000_000;

/// Runs `turns` half periods of an oscillation around 0 and returns its angular frequency. Times
/// are interpolated linearly between steps. `None` if a sign change is not found.
pub(super) fn measure_frequency(
    run: &mut Simulation,
    turns: usize,
    swing: impl Fn(&State) -> f64,
) -> Option<f64> {
    let mut times = Vec::with_capacity(turns + 1);
    for _ in 0..=turns {
        times.push(find_crossing(run, &swing, |before, now| (before < 0.0) != (now < 0.0))?);
    }
    Some(PI * turns as f64 / (times[turns] - times[0]))
}

/// Runs until a value rises above 0, and returns the interpolated time. `None` if it never does.
pub(super) fn find_rise(run: &mut Simulation, value: impl Fn(&State) -> f64) -> Option<f64> {
    find_crossing(run, &value, |before, now| before <= 0.0 && now > 0.0)
}

/// Runs until a sign change that `is_it` accepts, given the values before and after it. Returns the
/// interpolated time; `None` after a NaN or after [`MAX_STEPS`] steps.
fn find_crossing(
    run: &mut Simulation,
    value: &impl Fn(&State) -> f64,
    is_it: impl Fn(f64, f64) -> bool,
) -> Option<f64> {
    let mut before = (run.state().t, value(run.state()));
    for _ in 0..MAX_STEPS {
        run.step();
        let now = (run.state().t, value(run.state()));
        if is_it(before.1, now.1) {
            return Some(before.0 + before.1 * (now.0 - before.0) / (before.1 - now.1));
        }
        if now.1.is_nan() {
            return None;
        }
        before = now;
    }
    None
}

/// Advances a run by `count` frames.
pub(super) fn advance_frames(run: &mut Simulation, count: u64) {
    (0..count).for_each(|_| run.advance_frame());
}

/// Distance of the farthest node from the origin of the plane; infinite if it is NaN.
pub(super) fn farthest(state: &State) -> f64 {
    let (x, y) = state.x.split_at(state.x.len() / 2);
    let greatest = x.iter().zip(y).map(|(x, y)| (x * x + y * y).sqrt()).fold(0.0, greater);
    if greatest.is_nan() { f64::INFINITY } else { greatest }
}

/// Larger of two numbers, or NaN if either is NaN.
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// Runs until the first frame in which `is_it` holds, and returns its number. `None` if it does not
/// hold in `last` frames.
pub(super) fn find_first_frame(
    run: &mut Simulation,
    last: u64,
    is_it: impl Fn(&State) -> bool,
) -> Option<f64> {
    let found = (1..=last).find(|_| {
        run.advance_frame();
        is_it(run.state())
    });
    found.map(|frame| frame as f64)
}

/// Length of each structural spring minus its rest length.
pub(super) fn stretches(model: &Model, x: &[f64]) -> Vec<f64> {
    let lengths = measure::segment_lengths(model, x);
    lengths.iter().zip(&model.springs).map(|(length, spring)| length - spring.rest_length).collect()
}

/// Frame and state in which a body comes to rest, by the default rule of scenes. Returns `None` if
/// it does not within `limit` frames.
pub(super) fn rest(setup: &Arc<Setup>, limit: u64) -> Option<(f64, Settled)> {
    let rule = RestRule::for_body(setup, None, None, limit);
    let settled = settle(setup, rule, &|_| true);
    match settled.ending {
        Ending::AtRest { frame } => Some((frame as f64, settled)),
        Ending::Moving { .. } | Ending::Diverged { .. } => None,
    }
}

/// Maximum difference of two coordinates.
pub(super) fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, greater)
}

/// Number of values of two states that differ in at least one bit.
pub(super) fn differing_bits(a: &State, b: &State) -> f64 {
    let numbers = |state: &State| -> Vec<u64> {
        state.x.iter().chain(&state.v).map(|value| value.to_bits()).collect()
    };
    numbers(a).iter().zip(&numbers(b)).filter(|(a, b)| a != b).count() as f64
}
