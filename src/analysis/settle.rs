//! Runs a body until it rests.

use crate::sim::{Outcome, Setup, Simulation, SpringMemory, State, body::measure};
use std::sync::Arc;

/// What counts as rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestRule {
    /// No node is faster than this.
    pub speed: f64,
    /// For so many frames in a row.
    pub frames: u64,
    /// The frame after which waiting is given up.
    pub limit: u64,
}

impl RestRule {
    /// A rule for a body: what is given, and what follows from its length L and gravity g otherwise.
    ///
    /// The speed is 1e-4·√(g L), a ten-thousandth of what a fall over the rope's length gives. The time is half the
    /// period of a pendulum of that length, so that a turning point is not taken for rest.
    pub fn for_body(
        setup: &Setup,
        gravity: &[f64],
        speed: Option<f64>,
        frames: Option<u64>,
        limit: u64,
    ) -> Self {
        let length = setup.model.rest_length();
        let g = gravity.iter().map(|component| component * component).sum::<f64>().sqrt();
        let natural_speed =
            if g > 0.0 { 1e-4 * (g * length).sqrt() } else { 1e-6 * length / setup.frame_time };
        let natural_frames = if g > 0.0 {
            (std::f64::consts::PI * (length / g).sqrt() / setup.frame_time).ceil() as u64
        } else {
            60
        };
        // Where that is beyond the limit, nobody knows whether the body rests: it counts as moving.
        let frames = frames.unwrap_or(natural_frames).max(1);
        Self { speed: speed.unwrap_or(natural_speed), frames, limit }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// It has not been faster than the rule's speed since this frame.
    AtRest {
        /// The first quiet frame.
        frame: u64,
    },
    /// It still moved when the limit was reached.
    Moving {
        /// The last frame that was simulated.
        frame: u64,
        /// Its greatest speed there.
        speed: f64,
    },
    /// It diverged.
    Diverged {
        /// The first frame out of order.
        frame: u64,
    },
}

/// How a run ended, and its last state in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// How it ended.
    pub ending: Ending,
    /// Where it ended; the last frame in order when it diverged.
    pub state: State,
    /// What the springs have been through by then.
    pub springs: SpringMemory,
}

/// Runs from frame 0 until the rule is met or the limit is reached. `go_on` is told each frame, and says whether to wait any longer.
pub fn settle(setup: &Arc<Setup>, rule: RestRule, go_on: &dyn Fn(u64) -> bool) -> Settled {
    let mut simulation = Simulation::new(Arc::clone(setup));
    let mut last = simulation.state().clone();
    let mut springs = simulation.springs().clone();
    // Frame 0 does not count: a rope about to fall is as quiet there as one that stays.
    let mut quiet = 0;
    loop {
        simulation.advance_frame();
        let frame = simulation.frame();
        let is_over = !go_on(frame) || frame >= rule.limit;
        if let Outcome::Diverged { frame, .. } = simulation.outcome() {
            return Settled { ending: Ending::Diverged { frame }, state: last, springs };
        }
        // Rest is waited for no longer than the run may take; `last` is as far as it came.
        if simulation.refusal().is_some() {
            let speed = measure::greatest_speed(&setup.model, &last);
            let ending = Ending::Moving { frame: frame - 1, speed };
            return Settled { ending, state: last, springs };
        }
        let speed = speed(setup, &last, simulation.state());
        last.clone_from(simulation.state());
        springs.clone_from(simulation.springs());
        quiet = if speed <= rule.speed { quiet + 1 } else { 0 };
        if quiet >= rule.frames {
            return Settled {
                ending: Ending::AtRest { frame: frame + 1 - quiet },
                state: last,
                springs,
            };
        }
        if is_over {
            return Settled { ending: Ending::Moving { frame, speed }, state: last, springs };
        }
    }
}

/// The greatest speed of a node. A position factor moves nodes behind the method's back, so where there is one the
/// velocities are no measure of motion, and the way since the last frame is.
fn speed(setup: &Setup, last: &State, now: &State) -> f64 {
    if setup.position_factor == 1.0 {
        return measure::greatest_speed(&setup.model, now);
    }
    let v = now.x.iter().zip(&last.x).map(|(now, last)| (now - last) / setup.frame_time).collect();
    measure::greatest_speed(&setup.model, &State { t: now.t, x: now.x.clone(), v })
}
