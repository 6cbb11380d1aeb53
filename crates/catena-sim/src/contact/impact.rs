//! The laws of a contact, as impulses: Newton's restitution along the normal and Coulomb friction
//! along the surface.
//!
//! Neither ever adds speed. The normal velocity after a contact is never greater than before it,
//! and friction takes at most all of the tangential velocity.

/// Whether a contact counts as resting: no faster than twice the change of velocity by forces in
/// the step. `hit` is the normal velocity at the moment of contact, below zero when approaching.
#[inline(always)]
pub(super) fn is_resting(hit: f64, change: f64) -> bool {
    hit >= -2.0 * change.abs()
}

/// Normal velocity after a contact, at least `now`; negative velocities approach.
///
/// `hit` is the velocity at the moment of contact, `now` that at the end of the step, `change` what
/// forces changed in the whole step. A resting contact does not rebound. The rebound follows from
/// `hit`, because after the contact forces accelerated a node that could not move.
#[inline(always)]
pub(super) fn rebound(restitution: f64, hit: f64, now: f64, change: f64) -> f64 {
    let after = if is_resting(hit, change) { 0.0 } else { (-restitution * hit).min(now.abs()) };
    after.max(now)
}

/// The share of the tangential velocity that friction leaves, max(0, 1 - μ push/speed). `push` is
/// the change of the normal velocity.
#[inline(always)]
pub(super) fn kept_share(friction: f64, push: f64, speed: f64) -> f64 {
    let loss = friction * push;
    if loss >= speed { if loss > 0.0 { 0.0 } else { 1.0 } } else { 1.0 - loss / speed }
}
