//! The law of a contact: restitution along the normal (Newton) and Coulomb friction along the surface, as impulses.
//!
//! Both can only slow things down. The normal velocity after a contact is never greater than before it, and friction
//! takes at most all of the tangential velocity.

/// Whether a contact is that of a thing that rests: no faster than twice what the forces did in the step. `hit` is the
/// normal velocity at the moment of the contact, below zero when it approaches.
pub(super) fn is_resting(hit: f64, change: f64) -> bool {
    hit >= -2.0 * change.abs()
}

/// Normal velocity after a contact, at least `now`; negative velocities approach.
///
/// `hit` is the velocity at the moment of the contact, `now` that at the end of the step, and `change` is what the forces
/// did in the whole step. What rests does not rebound. The rebound follows from `hit`: between contact and end of the step forces went on to accelerate what could not move.
pub(super) fn rebound(restitution: f64, hit: f64, now: f64, change: f64) -> f64 {
    let after = if is_resting(hit, change) { 0.0 } else { (-restitution * hit).min(now.abs()) };
    after.max(now)
}

/// The share of the tangential velocity that friction leaves: max(0, 1 - μ push/speed), where `push` is the change of the
/// normal velocity.
pub(super) fn kept_share(friction: f64, push: f64, speed: f64) -> f64 {
    let loss = friction * push;
    if loss >= speed { if loss > 0.0 { 0.0 } else { 1.0 } } else { 1.0 - loss / speed }
}
