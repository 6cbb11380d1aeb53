//! Nodes and colliders: the way of a node through a step is swept, and nothing ends inside or behind a collider.
//!
//! The earliest hit on the way is resolved and the rest of the way is swept again, a few times. What is left then is given
//! up: the node stays at the last hit point, which lies outside of everything. So the guarantee holds at any dt and
//! speed. Source: Bridson, Fedkiw, Anderson 2002 (friction and last resort); Mirtich 1996 (impulses).

use super::Contacts;
use super::collider::Collider;
use super::impact::{is_resting, kept_share, rebound};
use crate::body::vector::{add, along, dot, greatest, scaled, scaled_norm, sub};

/// Hits that are resolved on one way.
const HITS: usize = 8;

/// A node through a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodePath {
    /// Where it begins.
    pub(super) from: [f64; 3],
    /// Where it would end.
    pub(super) to: [f64; 3],
    /// Velocity at the beginning.
    pub(super) before: [f64; 3],
    /// Velocity at the end.
    pub(super) v: [f64; 3],
}

/// What a hit leaves of the motion.
struct AfterHit {
    way: [f64; 3],
    v: [f64; 3],
    /// Whether the node goes on along the surface.
    stays: bool,
}

/// Distances below this are rounding.
fn rounding(point: [f64; 3], radius: f64) -> f64 {
    f64::EPSILON * (greatest(point) + radius) + f64::MIN_POSITIVE
}

impl Contacts {
    /// Where the node ends and how fast it is then; `None` when nothing was in its way.
    pub(super) fn respond(&self, way: NodePath) -> Option<([f64; 3], [f64; 3])> {
        let (mut at, mut to, mut v) = (way.from, way.to, way.v);
        let (mut before, mut touched) = (way.before, None);
        for _ in 0..HITS {
            let Some((share, collider)) = self.first(at, to) else {
                let Some(end) = self.outside(to) else { return Some((at, v)) };
                return match touched {
                    Some((collider, true)) => Some(self.follow(collider, end, v)),
                    Some(_) => Some((end, v)),
                    None => (end != to).then_some((end, v)),
                };
            };
            let Some(hit) = self.outside(along(at, share, sub(to, at))) else {
                return Some((at, v));
            };
            let normal = collider.distance(hit).1;
            let approach = dot(normal, along(before, share, sub(v, before)));
            let left = scaled(sub(to, at), 1.0 - share);
            let change = dot(normal, sub(way.v, way.before));
            let rest = after_hit(collider, hit, (approach, change), left, v);
            (at, to) = (hit, self.clear(collider, hit, normal, add(hit, rest.way)));
            // At a further hit the velocity is what the last one left.
            (v, before) = (rest.v, rest.v);
            touched = Some((collider, rest.stays));
        }
        Some((at, v))
    }

    /// The earliest hit.
    fn first(&self, from: [f64; 3], to: [f64; 3]) -> Option<(f64, &dyn Collider)> {
        let mut first: Option<(f64, &dyn Collider)> = None;
        for collider in &self.colliders {
            let Some(share) = collider.sweep(from, to, self.radius) else { continue };
            if first.is_none_or(|(earliest, _)| share < earliest) {
                first = Some((share, collider.as_ref()));
            }
        }
        let (share, collider) = first?;
        // What touches already is hit at once. Without this, nodes at rest would creep by rounding.
        let gap = collider.distance(from).0 - self.radius;
        let touches = gap <= 64.0 * rounding(from, self.radius);
        Some((if touches { 0.0 } else { share }, collider))
    }

    /// The point itself where it is outside of all colliders, else a point close to it that is; `None` where there is none.
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

    /// An end of a way along the surface, moved out by so much that rounding does not make the way another hit.
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

    /// Back to the surface along which a node slides, where it is curved. The way along its tangent led away from it.
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

/// Restitution and friction at a hit; `approach` and `change` are along the normal. The rest of the way along the surface
/// is braked as the velocity is.
///
/// A round surface turns the velocity of what slides along it, and that takes a part of the force which presses it on. What
/// is pressed less than that lifts off, and the surface has done nothing to it.
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

/// The point, or the nearest one to it that is not inside of the collider. Rounding may need more than one attempt.
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
