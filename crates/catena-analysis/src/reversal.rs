//! Reversal of a run: forward, then with negated velocities for as many frames.
//!
//! Motion without damping is reversible: with all velocities negated, a body goes back the way it
//! came. A symmetric method has this property, too, and returns up to rounding. Other methods
//! return up to their error. Source: Hairer, Lubich, Wanner, "Geometric Numerical Integration", V.

use super::{budget::CoreTime, order::is_damped};
use catena_sim::{Outcome, Setup, Simulation, State};
use std::sync::Arc;

/// Moment of the way back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BackMoment {
    /// Simulated time of the way there at which the body was in this place.
    pub time: f64,
    /// Maximum distance of a node from its place on the way there, as a share of the body's length.
    pub from_path: f64,
    /// Maximum distance of a node from its place at the start, as a share of the body's length.
    pub from_start: f64,
}

/// End of a reversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReversalEnd {
    /// The way back is as long as the way there.
    Whole,
    /// The run diverged at this frame of the way there.
    LostThere(u64),
    /// The run diverged at this frame of the way back.
    LostBack(u64),
    /// The budget was spent.
    Refused,
}

/// Way there and back of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Reversal {
    /// Number of frames of the way there.
    pub frames: u64,
    /// Distance from the start at each frame of the way there, as a share of the body's length.
    pub there: Vec<f64>,
    /// Way back, from the turn on.
    pub back: Vec<BackMoment>,
    /// End of the reversal.
    pub end: ReversalEnd,
    /// Reasons why the motion itself cannot return.
    pub losses: Vec<&'static str>,
}

impl Reversal {
    /// Distance from the start at the end of the way back, as a share of the body's length. `None`
    /// if the way back is not complete.
    pub fn missed(&self) -> Option<f64> {
        let last = self.back.last().filter(|_| self.end == ReversalEnd::Whole)?;
        Some(last.from_start)
    }
}

/// Maximum number of coordinates of all frames that are kept, to compare the ways.
const MOST_KEPT: u64 = 1 << 22;

/// Number of frames of the way there, of at most `frames`, that both ways may have within `most`.
pub fn affordable_frames(setup: &Setup, frames: u64, most: CoreTime) -> u64 {
    let kept = MOST_KEPT / setup.initial.x.len().max(1) as u64;
    most.shared(2).frames(setup, frames).min(kept)
}

/// Runs a body for `frames` frames, negates its velocities and runs it for as many frames.
///
/// # Errors
/// The way back would not have the forces of the way there.
pub fn reversal(
    setup: &Arc<Setup>,
    frames: u64,
    each: &dyn Fn(),
) -> Result<Reversal, &'static str> {
    one_way(setup).map_or(Ok(()), Err)?;
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

/// Maximum distance between the places of a node in two states, as a share of the body's length.
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

/// Reason why time has a direction in the setup itself; `None` if the same forces act both ways.
fn one_way(setup: &Setup) -> Option<&'static str> {
    let changes = setup.forces.iter().any(|force| force.changes_with_time());
    [
        (
            !setup.anchors.is_empty(),
            "its pins move along curves, which the way back would not undo",
        ),
        (!setup.lengths.is_empty(), "its ropes are paid out or reeled in over time"),
        (changes, "its forces change with time, so that other forces act on the way back"),
        (!setup.events.is_empty(), "its events happen once"),
        (!setup.impulses.is_empty(), "its impulses act once"),
        (setup.flow.is_some(), "its springs flow"),
        (setup.breaks_at.is_some(), "its springs break"),
    ]
    .into_iter()
    .find_map(|(holds, reason)| holds.then_some(reason))
}

/// Reasons why the motion loses energy in both directions.
fn losses(setup: &Setup) -> Vec<&'static str> {
    let factors = setup.velocity_factor != 1.0 || setup.position_factor != 1.0;
    [
        (is_damped(setup), "drag or friction in springs"),
        (setup.method.drag_rate(setup.dt()) != 0.0, "the damping of its method"),
        (factors, "factors after each step"),
        (!setup.contacts.is_empty(), "contacts"),
    ]
    .into_iter()
    .filter_map(|(holds, what)| holds.then_some(what))
    .collect()
}
