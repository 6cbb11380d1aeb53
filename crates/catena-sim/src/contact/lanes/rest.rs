//! Response of nodes that rest or slide on a collider, bit-identical to `response`.

use super::solid::{Solid, length};
use crate::contact::collider::Surface;
use crate::lane::{Lane, LaneMask, add, along, dot, greatest, scaled, sub};

/// Maximum magnitude of numbers whose squares and quotients are certainly finite.
const MAX: f64 = 1e60;

/// Paths of nodes through a step, like `NodePath`.
#[derive(Clone, Copy)]
pub(super) struct LanePath<V: Lane> {
    pub(super) from: [V; 3],
    pub(super) to: [V; 3],
    pub(super) before: [V; 3],
    pub(super) v: [V; 3],
}

/// Outcomes of a step for the nodes of one vector.
pub(super) struct End<V: Lane> {
    /// 0 for unknown, 1 for free, 2 for leaving and 3 for staying nodes.
    pub(super) outcome: V,
    pub(super) x: [V; 3],
    pub(super) v: [V; 3],
    /// Change of velocity by the hit.
    pub(super) hit: [V; 3],
    /// Change of velocity by the curvature of the surface.
    pub(super) turn: [V; 3],
}

/// A collider, and the contact distance of nodes from it.
#[derive(Clone, Copy)]
pub(super) struct Contact<T> {
    pub(super) solid: T,
    pub(super) radius: f64,
    pub(super) surface: Surface,
}

/// Displacement along the surface and velocity after a hit, and whether the node stays there.
struct AfterHit<V: Lane> {
    displacement: [V; 3],
    v: [V; 3],
    stays: V::Mask,
}

/// Whether all components are small enough for safe arithmetic.
#[inline(always)]
fn is_small<V: Lane>(a: [V; 3]) -> V::Mask {
    a[0].like(MAX).is_above(greatest(a))
}

#[inline(always)]
fn is_near<V: Lane>(a: [V; 3], b: [V; 3], reach: V) -> V::Mask {
    reach.is_at_least(greatest(sub(a, b)))
}

impl<T: Solid> Contact<T> {
    /// Returns the rounding error of a distance near this point.
    #[inline(always)]
    fn rounding<V: Lane>(self, point: [V; 3]) -> V {
        let like = point[0];
        like.like(f64::EPSILON) * (greatest(point) + like.like(self.radius))
            + like.like(f64::MIN_POSITIVE)
    }

    /// Whether nodes with these [`Solid::size`] values are outside of the collider.
    #[inline(always)]
    fn is_outside<V: Lane>(self, size: V) -> V::Mask {
        self.solid.gap(size).is_at_least(size.like(self.radius))
    }

    /// Applies restitution and friction for a hit at the start of the step.
    #[inline(always)]
    fn after_hit<V: Lane>(self, hit: [V; 3], normal: [V; 3], path: &LanePath<V>) -> AfterHit<V> {
        let (zero, one) = (hit[0].like(0.0), hit[0].like(1.0));
        let left = sub(path.to, path.from);
        let approach = dot(normal, along(path.before, zero, sub(path.v, path.before)));
        let change = dot(normal, sub(path.v, path.before));
        let now = dot(normal, path.v);
        // Same order of operations as in `impact`, so that results are bit-identical.
        let is_resting = approach.is_at_least(zero.like(-2.0) * change.abs());
        let rebound = (zero.like(-self.surface.restitution) * approach).smaller(now.abs());
        let after = is_resting.select(zero, rebound).larger(now);
        let (push, tangent) = (after - now, along(path.v, -now, normal));
        let slide = along(left, -dot(normal, left), normal);
        let bounces = after.is_above(zero);
        let end = add(hit, slide);
        let end_normal = match T::IS_FLAT {
            true => normal,
            false => self.solid.normal(end, self.solid.size(end)),
        };
        let turn = bounces.select(zero, dot(end_normal, tangent).larger(zero));
        let lifts = turn.is_above(push) & is_resting;
        let loss = zero.like(self.surface.friction) * (push - turn).larger(zero);
        let speed = length(tangent);
        let stopped = loss.is_above(zero).select(zero, one);
        let share = loss.is_at_least(speed).select(stopped, one - loss / speed);
        let kept = along(scaled(tangent, share), after, normal);
        AfterHit {
            displacement: lifts.choose(slide, scaled(slide, share)),
            v: lifts.choose(path.v, kept),
            stays: !(lifts | bounces | turn.is_above(push)),
        }
    }

    /// Moves sliding nodes back to the surface. Returns positions, velocities, and whether each
    /// result is certain.
    #[inline(always)]
    fn follow<V: Lane>(
        self,
        end: [V; 3],
        size: V,
        v: [V; 3],
        middle: [V; 3],
        reach: V,
        stays: V::Mask,
    ) -> ([V; 3], [V; 3], V::Mask) {
        let radius = size.like(self.radius);
        let gap = self.solid.gap(size) - radius;
        let is_there = (size.like(64.0) * self.rounding(end)).is_at_least(gap);
        if T::IS_FLAT || !(stays & !is_there).any() {
            return (end, v, is_there);
        }
        let normal = self.solid.normal(end, size);
        let down = along(end, -gap, normal);
        let depth = self.solid.size(down);
        let lift = radius - self.solid.gap(depth) + self.rounding(down);
        let lifted = along(down, lift, self.solid.normal(down, depth));
        let down = self.is_outside(depth).choose(down, lifted);
        let is_sure = self.is_outside(self.solid.size(down)) & is_near(down, middle, reach);
        let turned = along(v, -dot(normal, v), normal);
        let (speed, left) = (length(v), length(turned));
        let keeps = is_there | (size.like(0.5) * speed).is_at_least(left);
        let turned = scaled(turned, speed / left);
        (keeps.choose(end, down), keeps.choose(v, turned), is_there | is_sure)
    }

    /// Computes the outcomes of a step. They are bit-identical to `Surroundings::respond` with this
    /// collider alone.
    #[inline(always)]
    pub(super) fn touch<V: Lane>(self, path: LanePath<V>) -> End<V> {
        let LanePath { from, to, before, v } = path;
        let (zero, radius) = (from[0].like(0.0), from[0].like(self.radius));
        let displacement = sub(to, from);
        // Same value as in `NodePath::surroundings`.
        let reach = zero.like(4.0) * greatest(displacement)
            + zero.like(64.0 * f64::EPSILON) * greatest(from);
        let size = self.solid.size(from);
        let touches = zero.like(64.0) * self.rounding(from);
        let starts_at_surface =
            self.is_outside(size) & touches.is_at_least(self.solid.gap(size) - radius);
        let is_met = self.solid.meets(from, size, to, self.radius);
        // The hit is at the start, but zeros may differ in sign.
        let hit = along(from, zero, displacement);
        let AfterHit { displacement: slide, v: turned, stays } =
            self.after_hit(hit, self.solid.normal(hit, size), &path);
        let mut end = is_met.choose(add(hit, slide), to);
        let mut far = self.solid.size(end);
        let mut is_clear =
            self.is_outside(far) & !(is_met & self.solid.meets(hit, size, end, self.radius));
        let is_free = is_clear;
        if T::IS_FLAT {
            // Because of rounding, about half of the nodes are too low.
            let mut slack = self.rounding(end);
            for _ in 0..2 {
                end = is_clear.choose(end, along(end, slack, self.solid.normal(end, far)));
                far = self.solid.size(end);
                slack = slack + slack;
                is_clear = self.is_outside(far) & !self.solid.meets(hit, size, end, self.radius);
            }
        }
        let (x, kept, is_there) = self.follow(end, far, turned, from, reach, stays & is_met);
        let (x, kept) = (stays.choose(x, end), stays.choose(kept, turned));
        let is_small = is_small(from) & is_small(to) & is_small(before) & is_small(v);
        let is_sure =
            starts_at_surface & is_clear & is_near(end, from, reach) & (!stays | is_there);
        let touched = is_sure.select(stays.select(zero.like(3.0), zero.like(2.0)), zero);
        let missed = is_free.select(zero.like(1.0), zero);
        End {
            outcome: is_small.select(is_met.select(touched, missed), zero),
            x,
            v: kept,
            hit: sub(turned, v),
            turn: sub(kept, turned),
        }
    }
}
