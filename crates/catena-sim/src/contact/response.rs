//! Contacts of nodes with colliders: the path of a node through a step is swept, and no node ends
//! inside or behind a collider.
//!
//! The earliest hit is resolved and the rest of the path swept again, a few times. After that the
//! node stays at the last hit point, which lies outside of everything. So the guarantee holds at
//! any dt and speed. Source: Bridson, Fedkiw, Anderson 2002 (friction and last resort); Mirtich
//! 1996 (impulses).

use super::Contacts;
use super::collider::Collider;
use super::impact::{is_resting, kept_share, rebound};
use crate::body::vector::{add, along, dot, greatest, scaled, scaled_norm, sub};

/// Hits that are resolved on one path.
const HITS: usize = 8;

/// The path of a node through a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodePath {
    /// Position at the beginning.
    pub(super) from: [f64; 3],
    /// Position at the end, without contacts.
    pub(super) to: [f64; 3],
    /// Velocity at the beginning.
    pub(super) before: [f64; 3],
    /// Velocity at the end.
    pub(super) v: [f64; 3],
}

/// The motion that is left after a hit.
struct AfterHit {
    way: [f64; 3],
    v: [f64; 3],
    /// Whether the node slides along the surface.
    stays: bool,
}

/// The size of rounding errors of a distance near this point.
fn rounding(point: [f64; 3], radius: f64) -> f64 {
    f64::EPSILON * (greatest(point) + radius) + f64::MIN_POSITIVE
}

impl Contacts {
    /// Position and velocity of the node at the end; `None` if nothing was in its way. Adds which
    /// colliders changed its velocity, and by what, to `pushes`.
    pub(super) fn respond(
        &self,
        way: NodePath,
        pushes: &mut Vec<(usize, [f64; 3])>,
    ) -> Option<([f64; 3], [f64; 3])> {
        pushes.clear();
        let (mut at, mut to, mut v) = (way.from, way.to, way.v);
        let mut before = way.before;
        let mut touched: Option<(usize, bool)> = None;
        for _ in 0..HITS {
            let Some((share, index)) = self.first(at, to) else {
                let Some(end) = self.outside(to) else { return Some((at, v)) };
                return match touched {
                    Some((index, true)) => {
                        let collider: &dyn Collider = self.colliders[index].as_ref();
                        let (end, turned) = self.follow(collider, end, v);
                        pushes.push((index, sub(turned, v)));
                        Some((end, turned))
                    }
                    Some(_) => Some((end, v)),
                    None => (end != to).then_some((end, v)),
                };
            };
            let Some(hit) = self.outside(along(at, share, sub(to, at))) else {
                return Some((at, v));
            };
            let collider = self.colliders[index].as_ref();
            let normal = collider.distance(hit).1;
            let approach = dot(normal, along(before, share, sub(v, before)));
            let left = scaled(sub(to, at), 1.0 - share);
            let change = dot(normal, sub(way.v, way.before));
            let rest = after_hit(collider, hit, (approach, change), left, v);
            (at, to) = (hit, self.clear(collider, hit, normal, add(hit, rest.way)));
            pushes.push((index, sub(rest.v, v)));
            // At a further hit the velocity is the one after the last hit.
            (v, before) = (rest.v, rest.v);
            touched = Some((index, rest.stays));
        }
        Some((at, v))
    }

    /// The earliest hit, and the index of the collider.
    fn first(&self, from: [f64; 3], to: [f64; 3]) -> Option<(f64, usize)> {
        let mut first: Option<(f64, usize)> = None;
        for (index, collider) in self.colliders.iter().enumerate() {
            let Some(share) = collider.sweep(from, to, self.radius) else { continue };
            if first.is_none_or(|(earliest, _)| share < earliest) {
                first = Some((share, index));
            }
        }
        let (share, index) = first?;
        // A node that already touches is hit at once; otherwise nodes at rest would creep by
        // rounding.
        let gap = self.colliders[index].distance(from).0 - self.radius;
        let touches = gap <= 64.0 * rounding(from, self.radius);
        Some((if touches { 0.0 } else { share }, index))
    }

    /// The point if it is outside of all colliders, else a point close to it that is; `None` if
    /// there is none.
    fn outside(&self, point: [f64; 3]) -> Option<[f64; 3]> {
        let is_inside = |point, collider: &dyn Collider| {
            let distance = collider.distance(point).0;
            distance.is_nan() || distance < self.radius
        };
        let mut point = point;
        for _ in 0..4 {
            for collider in &self.colliders {
                point = lifted(collider.as_ref(), self.radius, point)?;
            }
            if !self.colliders.iter().any(|collider| is_inside(point, collider.as_ref())) {
                return Some(point);
            }
        }
        None
    }

    /// The end of a path along the surface, moved out so far that rounding does not make the path
    /// another hit.
    fn clear(
        &self,
        collider: &dyn Collider,
        hit: [f64; 3],
        normal: [f64; 3],
        to: [f64; 3],
    ) -> [f64; 3] {
        let (mut to, mut slack) = (to, rounding(to, self.radius));
        for _ in 0..20 {
            let is_outside = collider.distance(to).0 >= self.radius;
            if is_outside && collider.sweep(hit, to, self.radius).is_none() {
                return to;
            }
            to = along(to, slack, normal);
            slack *= 2.0;
        }
        hit
    }

    /// Moves a sliding node back to a curved surface, which the path along the tangent has left.
    fn follow(&self, collider: &dyn Collider, end: [f64; 3], v: [f64; 3]) -> ([f64; 3], [f64; 3]) {
        let (distance, normal) = collider.distance(end);
        let gap = distance - self.radius;
        if gap <= 64.0 * rounding(end, self.radius) {
            return (end, v);
        }
        let down = lifted(collider, self.radius, along(end, -gap, normal));
        let is_other = |other: &dyn Collider| !std::ptr::addr_eq(other, collider);
        let is_free = |point: &[f64; 3]| {
            self.colliders.iter().map(AsRef::as_ref).filter(|&other| is_other(other)).all(|other| {
                other.sweep(end, *point, self.radius).is_none()
                    && other.distance(*point).0 >= self.radius
            })
        };
        let Some(down) = down.filter(is_free) else { return (end, v) };
        // The surface turns the velocity and does no work.
        let turned = along(v, -dot(normal, v), normal);
        let (speed, left) = (scaled_norm(v), scaled_norm(turned));
        if left <= 0.5 * speed {
            return (end, v);
        }
        (down, scaled(turned, speed / left))
    }
}

/// Restitution and friction at a hit; `approach` and `change` are along the normal. Friction
/// shortens the rest of the path along the surface as it does the velocity.
///
/// A round surface turns the velocity of a sliding node, which takes a part of the force that
/// presses on it. A node pressed less than that lifts off without friction.
fn after_hit(
    collider: &dyn Collider,
    hit: [f64; 3],
    (approach, change): (f64, f64),
    left: [f64; 3],
    v: [f64; 3],
) -> AfterHit {
    let (surface, normal) = (collider.surface(), collider.distance(hit).1);
    let now = dot(normal, v);
    let after = rebound(surface.restitution, approach, now, change);
    let (push, tangent) = (after - now, along(v, -now, normal));
    let way = along(left, -dot(normal, left), normal);
    let bounces = after > 0.0;
    let end_normal = collider.distance(add(hit, way)).1;
    let turn = if bounces { 0.0 } else { dot(end_normal, tangent).max(0.0) };
    if turn > push && is_resting(approach, change) {
        return AfterHit { way, v, stays: false };
    }
    let share = kept_share(surface.friction, (push - turn).max(0.0), scaled_norm(tangent));
    let v = along(scaled(tangent, share), after, normal);
    AfterHit { way: scaled(way, share), v, stays: !bounces && turn <= push }
}

/// The point, or the nearest one to it outside of the collider. Rounding may need more than one
/// attempt.
fn lifted(collider: &dyn Collider, radius: f64, point: [f64; 3]) -> Option<[f64; 3]> {
    let (mut point, mut slack) = (point, rounding(point, radius));
    for _ in 0..64 {
        let (distance, normal) = collider.distance(point);
        if distance >= radius {
            return Some(point);
        }
        point = along(point, radius - distance + slack, normal);
        slack *= 2.0;
    }
    None
}
