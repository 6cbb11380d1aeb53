//! Numbers that checks read off a run.

use crate::settle::{Ending, RestRule, Settled, settle};
use catena_sim::{Model, Setup, Simulation, State, body::measure};
use std::{f64::consts::PI, sync::Arc};

/// The most steps of a reading; a run that takes more gives none.
const MOST_STEPS: usize = 10_000_000;

/// The angular frequency of a swing around 0, from so many half periods; times are interpolated
/// linearly between steps.
pub(super) fn frequency(
    run: &mut Simulation,
    turns: usize,
    swing: impl Fn(&State) -> f64,
) -> Option<f64> {
    let mut times = Vec::with_capacity(turns + 1);
    for _ in 0..=turns {
        times.push(crossing(run, &swing, |before, now| (before < 0.0) != (now < 0.0))?);
    }
    Some(PI * turns as f64 / (times[turns] - times[0]))
}

/// The first time at which a number rises above 0.
pub(super) fn rise(run: &mut Simulation, value: impl Fn(&State) -> f64) -> Option<f64> {
    crossing(run, &value, |before, now| before <= 0.0 && now > 0.0)
}

/// The first time of a sign change that `is_it` accepts, by the values before and after it.
fn crossing(
    run: &mut Simulation,
    value: &impl Fn(&State) -> f64,
    is_it: impl Fn(f64, f64) -> bool,
) -> Option<f64> {
    let mut before = (run.state().t, value(run.state()));
    for _ in 0..MOST_STEPS {
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

/// Advances a run by so many frames.
pub(super) fn frames(run: &mut Simulation, count: u64) {
    (0..count).for_each(|_| run.advance_frame());
}

/// The distance of the farthest node from the origin of the plane; infinite if it is NaN.
pub(super) fn farthest(state: &State) -> f64 {
    let (x, y) = state.x.split_at(state.x.len() / 2);
    let greatest = x.iter().zip(y).map(|(x, y)| (x * x + y * y).sqrt()).fold(0.0, greater);
    if greatest.is_nan() { f64::INFINITY } else { greatest }
}

/// The greater of two numbers, or NaN if one of them is.
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// The first frame up to `last` in which `is_it` holds.
pub(super) fn first_frame(
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

/// The length of each structural spring minus its rest length.
pub(super) fn stretches(model: &Model, x: &[f64]) -> Vec<f64> {
    let lengths = measure::segment_lengths(model, x);
    lengths.iter().zip(&model.springs).map(|(length, spring)| length - spring.rest_length).collect()
}

/// The frame and the state at which a body rests, by the rule of scenes; `None` if it does not
/// within `limit` frames.
pub(super) fn rest(setup: &Arc<Setup>, limit: u64) -> Option<(f64, Settled)> {
    let rule = RestRule::for_body(setup, None, None, limit);
    let settled = settle(setup, rule, &|_| true);
    match settled.ending {
        Ending::AtRest { frame } => Some((frame as f64, settled)),
        Ending::Moving { .. } | Ending::Diverged { .. } => None,
    }
}

/// The greatest difference of two coordinates.
pub(super) fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, greater)
}

/// How many numbers of two states differ in their bits.
pub(super) fn differing_bits(a: &State, b: &State) -> f64 {
    let numbers = |state: &State| -> Vec<u64> {
        state.x.iter().chain(&state.v).map(|value| value.to_bits()).collect()
    };
    numbers(a).iter().zip(&numbers(b)).filter(|(a, b)| a != b).count() as f64
}
