//! Reversal of a run: forward, then with negated velocities for the same number of frames.
//!
//! Motion without damping is reversible: with all velocities negated, a body retraces its path. A
//! symmetric method also has this property, and the body returns to its start up to rounding. With
//! other methods it returns up to their error. Source: Hairer, Lubich, Wanner, "Geometric Numerical
//! Integration", V.

use super::{budget::CoreTime, order::is_damped};
use catena_sim::{Outcome, Setup, Simulation, State};
use std::sync::Arc;

/// Frame of the backward run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BackMoment {
    /// Simulated time of the forward run at which the body was at the same point of its path.
    pub time: f64,
    /// Maximum distance of a node from its position in the forward run, as a share of the body's
    /// length.
    pub from_path: f64,
    /// Maximum distance of a node from its initial position, as a share of the body's length.
    pub from_start: f64,
}

/// End of a reversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReversalEnd {
    /// The backward run has as many frames as the forward run.
    Whole,
    /// The forward run diverged at this frame.
    LostThere(u64),
    /// The backward run diverged at this frame.
    LostBack(u64),
    /// A run was refused, for example because its budget was spent.
    Refused,
}

/// Forward and backward run of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Reversal {
    /// Number of frames of the forward run.
    pub frames: u64,
    /// Distance from the start in each frame of the forward run, as a share of the body's length.
    pub there: Vec<f64>,
    /// Frames of the backward run, from the reversal on.
    pub back: Vec<BackMoment>,
    /// End of the reversal.
    pub end: ReversalEnd,
    /// Causes of energy loss, because of which the motion itself cannot return.
    pub losses: Vec<&'static str>,
}

impl Reversal {
    /// Distance from the start at the end of the backward run, as a share of the body's length.
    /// `None` if the backward run is not complete.
    pub fn missed(&self) -> Option<f64> {
        let last = self.back.last().filter(|_| self.end == ReversalEnd::Whole)?;
        Some(last.from_start)
    }
}

/// Maximum number of coordinates of positions that the forward run stores after its start, to
/// compare the backward run with them.
const MAX_KEPT: u64 = 1 << 22;

/// Number of frames that is affordable, at most `frames`. The forward and the backward run together
/// cost at most `maximum`, and the forward run stores at most 2²² coordinates of positions after
/// its start.
pub fn affordable_frames(setup: &Setup, frames: u64, maximum: CoreTime) -> u64 {
    let kept = MAX_KEPT / setup.initial.x.len().max(1) as u64;
    maximum.shared(2).frames(setup, frames).min(kept)
}

/// Runs a body for `frames` frames, negates its velocities, and runs it for `frames` frames again.
///
/// # Errors
/// Returns the reason why other forces would act in the backward run.
pub fn reversal(
    setup: &Arc<Setup>,
    frames: u64,
    each: &dyn Fn(),
) -> Result<Reversal, &'static str> {
    irreversible(setup).map_or(Ok(()), Err)?;
    let mut run = Simulation::new(Arc::clone(setup));
    let mut path = vec![run.state().clone()];
    let (there, losses) = (vec![0.0], losses(setup));
    let mut made = Reversal { frames, there, back: Vec::new(), end: ReversalEnd::Whole, losses };
    for frame in 1..=frames {
        run.advance_frame();
        each();
        if let Some(end) = ended(&run, ReversalEnd::LostThere(frame)) {
            return Ok(Reversal { end, ..made });
        }
        made.there.push(distance(setup, run.state(), &path[0]));
        path.push(run.state().clone());
    }
    run.reverse();
    for (index, place) in path.iter().rev().enumerate() {
        if index > 0 {
            run.advance_frame();
            each();
        }
        if let Some(end) = ended(&run, ReversalEnd::LostBack(index as u64)) {
            return Ok(Reversal { end, ..made });
        }
        let from_path = distance(setup, run.state(), place);
        let from_start = distance(setup, run.state(), &path[0]);
        made.back.push(BackMoment { time: place.t, from_path, from_start });
    }
    Ok(made)
}

fn ended(run: &Simulation, lost: ReversalEnd) -> Option<ReversalEnd> {
    match run.outcome() {
        _ if run.refusal().is_some() => Some(ReversalEnd::Refused),
        Outcome::Diverged { .. } => Some(lost),
        Outcome::Fine if !run.state().is_finite() => Some(lost),
        Outcome::Fine => None,
    }
}

/// Maximum distance between the positions of a node in two states, as a share of the body's length.
fn distance(setup: &Setup, a: &State, b: &State) -> f64 {
    let n = setup.model.nodes();
    let square = |node: usize| -> f64 {
        let along = (node..a.x.len()).step_by(n).map(|index| a.x[index] - b.x[index]);
        along.map(|along| along * along).sum()
    };
    let greatest = (0..n).map(square).fold(0.0, f64::max);
    let length = setup.model.rest_length();
    greatest.sqrt() / if length > 0.0 { length } else { 1.0 }
}

/// Reason why other forces would act in the backward run; `None` if the same forces act.
fn irreversible(setup: &Setup) -> Option<&'static str> {
    let changes = setup.forces.iter().any(|force| force.changes_with_time());
    [
        (
            !setup.anchors.is_empty(),
            "its pins move along curves, and the backward run would not reverse their motion",
        ),
        (!setup.lengths.is_empty(), "its ropes are paid out or reeled in over time"),
        (changes, "its forces change with time, so other forces would act in the backward run"),
        (
            !setup.events.is_empty(),
            "its events happen only once, so the backward run would not undo them",
        ),
        (
            !setup.impulses.is_empty(),
            "its impulses act only once, so the backward run would not undo them",
        ),
        (setup.flow.is_some(), "its springs yield, which the backward run would not undo"),
        (setup.breaks_at.is_some(), "its springs may break, which the backward run would not undo"),
    ]
    .into_iter()
    .find_map(|(holds, reason)| holds.then_some(reason))
}

/// Causes of energy loss in the setup, which act in both runs.
fn losses(setup: &Setup) -> Vec<&'static str> {
    let factors = setup.velocity_factor != 1.0 || setup.position_factor != 1.0;
    [
        (is_damped(setup), "drag or friction in springs"),
        (setup.method.drag_rate(setup.dt()) != 0.0, "the damping of its method"),
        (factors, "its velocity or position factor"),
        (!setup.contacts.is_empty(), "contacts"),
    ]
    .into_iter()
    .filter_map(|(holds, what)| holds.then_some(what))
    .collect()
}
