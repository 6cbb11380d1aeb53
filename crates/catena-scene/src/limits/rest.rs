//! Estimated number of frames until bodies are at rest or the wait ends.

use crate::comparability::damping_rate;
use crate::limits::planned::bodies;
use crate::parts::{Body, Panel, Scene};
use crate::words::RestBy;
use catena_analysis::settle::{RestRule, unrest};

/// Minimum time limit of the wait for rest, in counted seconds of one core.
pub const MIN_SECONDS: f64 = 5.0;

/// Natural logarithm of the ratio between the speed of a fall and the speed at rest: see
/// [`RestRule`].
const DECAY: f64 = 9.2;

/// Estimates the number of frames until a body is at rest, from the decay of its slowest swing. The
/// result is at most the number of frames that a render waits. Numerical damping shortens it.
pub(super) fn frames_to_rest(scene: &Scene, panel: &Panel, body: &Body, frames: u64) -> u64 {
    if panel.rest.by == RestBy::Solve {
        return 0;
    }
    let setup = &*body.setup;
    let all: u128 = bodies(scene).map(|body| body.setup.frame_cost()).sum();
    let a_frame = 1e-9 * all as f64;
    let maximum = (MIN_SECONDS.max(a_frame * frames as f64) / a_frame.max(1e-9)) as u64;
    let maximum = panel.rest.limit.max(frames).min(maximum);
    let rule = RestRule::for_body(setup, panel.rest.speed, panel.rest.frames, maximum);
    if unrest(setup, rule).is_some() {
        return frames;
    }
    let (length, gravity) = (setup.model.rest_length(), setup.gravity_strength());
    // A pendulum of the body's length: its swing decays, or it creeps if damping is strong.
    let frequency = if length > 0.0 { gravity / length } else { 0.0 };
    let damping = damping_rate(body);
    let rate = (0.5 * damping).min(frequency / damping.max(f64::MIN_POSITIVE));
    let rate = rate + own_rate(body, frequency);
    let time = DECAY / rate.max(f64::MIN_POSITIVE);
    let frames = (time / setup.frame_time) as u64;
    frames.saturating_add(rule.frames).min(maximum)
}

/// Returns the numerical damping rate of a method for a swing with this squared frequency.
fn own_rate(body: &Body, frequency: f64) -> f64 {
    match body.method.name {
        "ImplicitEuler" => 0.5 * frequency * body.setup.dt(),
        _ => 0.0,
    }
}
