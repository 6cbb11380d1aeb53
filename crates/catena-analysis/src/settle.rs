//! Runs a body until it rests.

use catena_sim::{Outcome, Setup, Simulation, SpringMemory, State, body::measure};
use std::sync::Arc;

/// When a body counts as at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestRule {
    /// The greatest speed of a node at rest.
    pub speed: f64,
    /// How many frames in a row it must hold.
    pub frames: u64,
    /// The last frame of the wait.
    pub limit: u64,
}

impl RestRule {
    /// A rule for a body: the given numbers, and otherwise ones from its length L and gravity g.
    ///
    /// The speed is 1e-4·√(g L), a ten-thousandth of that of a fall over the rope's length. The
    /// time is half the period of a pendulum of that length, so that a turning point does not count
    /// as rest.
    pub fn for_body(setup: &Setup, speed: Option<f64>, frames: Option<u64>, limit: u64) -> Self {
        let length = setup.model.rest_length();
        let g = setup.gravity_strength();
        let natural_speed =
            if g > 0.0 { 1e-4 * (g * length).sqrt() } else { 1e-6 * length / setup.frame_time };
        let natural_frames = if g > 0.0 {
            (std::f64::consts::PI * (length / g).sqrt() / setup.frame_time).ceil() as u64
        } else {
            60
        };
        // If this exceeds the limit, the wait cannot tell rest, and the body counts as moving.
        let frames = frames.unwrap_or(natural_frames).max(1);
        Self { speed: speed.unwrap_or(natural_speed), frames, limit }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// The body rests.
    AtRest {
        /// The first frame from which on it was not faster than the rule's speed.
        frame: u64,
    },
    /// The body still moved at the limit, or when its run was refused more work.
    Moving {
        /// The last frame that was simulated.
        frame: u64,
        /// The greatest speed of a node there.
        speed: f64,
    },
    /// The body diverged.
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
    /// The last state; of a run that diverged, the last one in order.
    pub state: State,
    /// Plastic strain and breaks of the springs at that state.
    pub springs: SpringMemory,
    /// Whether each node is pinned at that state; empty where no event has changed that.
    pub pinned: Vec<bool>,
}

/// Runs from frame 0 until the rule is met or the limit is reached. `go_on` gets the
/// simulation after each frame and returns whether to wait any longer.
pub fn settle(setup: &Arc<Setup>, rule: RestRule, go_on: &dyn Fn(&Simulation) -> bool) -> Settled {
    let mut simulation = Simulation::new(Arc::clone(setup));
    let mut last = simulation.state().clone();
    let mut springs = simulation.springs().clone();
    let mut pinned = simulation.events().pinned.clone();
    // Frame 0 does not count: a rope about to fall is at rest there too.
    let mut quiet = 0;
    loop {
        simulation.advance_frame();
        let frame = simulation.frame();
        let is_over = !go_on(&simulation) || frame >= rule.limit;
        if let Outcome::Diverged { frame, .. } = simulation.outcome() {
            return Settled { ending: Ending::Diverged { frame }, state: last, springs, pinned };
        }
        // The budget of the run is spent; `last` is as far as it came.
        if simulation.refusal().is_some() {
            let speed = measure::greatest_speed(&setup.model, &last);
            let ending = Ending::Moving { frame: frame - 1, speed };
            return Settled { ending, state: last, springs, pinned };
        }
        let speed = speed(setup, &last, simulation.state());
        last.clone_from(simulation.state());
        springs.clone_from(simulation.springs());
        pinned.clone_from(&simulation.events().pinned);
        quiet = if speed <= rule.speed { quiet + 1 } else { 0 };
        if quiet >= rule.frames {
            return Settled {
                ending: Ending::AtRest { frame: frame + 1 - quiet },
                state: last,
                springs,
                pinned,
            };
        }
        if is_over {
            return Settled {
                ending: Ending::Moving { frame, speed },
                state: last,
                springs,
                pinned,
            };
        }
    }
}

/// The greatest speed of a node. A position factor moves nodes without changing velocities, so with
/// one the displacement since the last frame counts instead.
fn speed(setup: &Setup, last: &State, now: &State) -> f64 {
    if setup.position_factor == 1.0 {
        return measure::greatest_speed(&setup.model, now);
    }
    let v = now.x.iter().zip(&last.x).map(|(now, last)| (now - last) / setup.frame_time).collect();
    measure::greatest_speed(&setup.model, &State { t: now.t, x: now.x.clone(), v })
}
