//! Contact laws as impulses: Newton's restitution along the normal and Coulomb friction along the
//! surface.
//!
//! Neither law adds speed. A rebound is never faster than the approach, and friction removes at
//! most the whole tangential velocity.

/// Whether a contact counts as resting: its approach speed is at most twice the velocity change by
/// forces in the step. `hit` is the normal velocity at the moment of contact, below zero when
/// approaching.
#[inline(always)]
pub(super) fn is_resting(hit: f64, change: f64) -> bool {
    hit >= -2.0 * change.abs()
}

/// Returns the normal velocity after a contact, at least `now`. Negative velocities approach.
///
/// `hit` is the velocity at the moment of contact, and `now` the velocity at the end of the step.
/// `change` is the velocity change by forces in the whole step. A resting contact does not rebound.
/// The rebound follows from `hit` instead of `now`, because `now` includes the acceleration of a
/// node that the collider would have stopped.
#[inline(always)]
pub(super) fn rebound(restitution: f64, hit: f64, now: f64, change: f64) -> f64 {
    let after = if is_resting(hit, change) { 0.0 } else { (-restitution * hit).min(now.abs()) };
    after.max(now)
}

/// Returns the fraction of the tangential velocity that remains after friction: max(0, 1 - μ
/// push/speed). `push` is the change of the normal velocity.
#[inline(always)]
pub(super) fn kept_share(friction: f64, push: f64, speed: f64) -> f64 {
    let loss = friction * push;
    if loss >= speed { if loss > 0.0 { 0.0 } else { 1.0 } } else { 1.0 - loss / speed }
}
