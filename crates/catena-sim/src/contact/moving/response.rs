//! Response of a node near moving colliders.
//!
//! This module extends `response`: each moving collider has its own start of the node's path. The
//! earliest hit on any path is resolved. Then all paths restart. The path relative to the hit
//! collider restarts at the hit, and all others restart after the same fraction. Velocities are in
//! the coordinates of the scene. The response subtracts the collider's velocity V at the hit, acts
//! along the normal at the time of the hit, and adds V again. A resting contact uses V at the end
//! of the step, so that the node keeps moving with the collider.
//!
//! A node that is squeezed between colliders slides out between them. If it would have to move by
//! more than about four times its depth, moving colliders pass over it, the last one first. Fixed
//! colliders never pass over a node.

use super::Mover;
use crate::body::vector::{Vec3, add, along, dot, scaled, scaled_norm, sub};
use crate::contact::impact::{is_resting, kept_share, rebound};
use crate::contact::response::{
    AfterHit, End, HITS, Meeting, NodePath, Push, Surroundings, TooFar, rounding,
};

/// Maximum number of attempts to move a node out between colliders.
const SQUEEZES: usize = 16;

/// Minimum squared sine of the angle between two surfaces for a node to slide out between them. The
/// node then moves up to four times its depth.
const NARROWEST: f64 = 0.06;

/// A hit on a path.
struct Hit {
    /// Index of the collider.
    index: usize,
    /// Position of the node at the hit.
    at: Vec3,
    /// Outward unit normal of the collider at the hit.
    normal: Vec3,
    /// Fraction of the whole step at the hit.
    time: f64,
    /// Fraction of the path since the previous hit.
    share: f64,
    /// Remaining displacement.
    left: Vec3,
}

/// Paths of a node through a step, relative to each collider.
struct RelativePaths<'a> {
    node_path: NodePath,
    /// Start of the path for each active collider, and for fixed ones.
    starts: &'a mut Vec<Vec3>,
    stands: Vec3,
    /// Common end of all paths.
    to: Vec3,
    before: Vec3,
    v: Vec3,
    /// Fraction of the step that has passed.
    time: f64,
}

impl Surroundings<'_> {
    /// Returns the position and velocity of the node at the end; `None` if it touches nothing.
    /// `starts` is a workspace. Replaces `pushes` by the velocity changes by colliders.
    pub(in crate::contact) fn respond_moving(
        &self,
        node_path: NodePath,
        starts: &mut Vec<Vec3>,
        pushes: &mut Vec<Push>,
    ) -> Result<Option<End>, TooFar> {
        pushes.clear();
        starts.clear();
        let start = |index: &usize| {
            self.obstacles
                .mover(*index)
                .map_or(node_path.from, |mover| mover.carried(node_path.from))
        };
        starts.extend(self.active.iter().map(start));
        let NodePath { from: stands, to, before, v } = node_path;
        let mut paths = RelativePaths { node_path, starts, stands, to, before, v, time: 0.0 };
        let (mut touched, mut last) = (None, to);
        for _ in 0..HITS {
            let Some((share, place)) = self.first_of_all(paths.starts, paths.to)? else {
                return self.end(&paths, touched, pushes);
            };
            let Some(hit) = self.hit(&paths, share, place)? else {
                let stands = self.obstacles.mover(self.active[place]).is_none();
                let wanted = if stands { paths.stands } else { paths.to };
                return self.refuge(&paths, wanted).map(Some);
            };
            let (rest, work) = self.after(&hit, &paths);
            pushes.push(Push { index: hit.index, change: sub(rest.v, paths.v), work });
            last = hit.at;
            if !self.restart(&mut paths, &hit, place)? {
                return self.refuge(&paths, last).map(Some);
            }
            paths.to = self.clear(hit.index, hit.at, hit.normal, add(hit.at, rest.displacement));
            (paths.v, paths.before) = (rest.v, rest.v);
            touched = Some((hit.index, rest.stays));
        }
        self.refuge(&paths, last).map(Some)
    }

    /// Returns the earliest hit on any path: its fraction, and the collider's index in `active`.
    fn first_of_all(&self, starts: &[Vec3], to: Vec3) -> Result<Option<(f64, usize)>, TooFar> {
        self.admit(to)?;
        let mut first: Option<(f64, usize)> = None;
        for (place, (_, shape)) in self.shapes().enumerate() {
            let Some(share) = shape.sweep(starts[place], to, self.radius()) else { continue };
            if first.is_none_or(|(earliest, _)| share < earliest) {
                first = Some((share, place));
            }
        }
        let Some((share, place)) = first else { return Ok(None) };
        let gap = self.distance(self.active[place], starts[place]).0 - self.radius();
        let touches = gap <= 64.0 * rounding(starts[place], self.radius());
        Ok(Some((if touches { 0.0 } else { share }, place)))
    }

    /// Returns a hit with the node outside the collider; `None` if no such position is found.
    fn hit(
        &self,
        paths: &RelativePaths<'_>,
        share: f64,
        place: usize,
    ) -> Result<Option<Hit>, TooFar> {
        let (index, from) = (self.active[place], paths.starts[place]);
        let displacement = sub(paths.to, from);
        let point = along(from, share, displacement);
        let at = match self.obstacles.mover(index) {
            None => self.outside_of(self.standing(), point)?,
            Some(_) => self.lifted(index, point),
        };
        let Some(at) = at else { return Ok(None) };
        self.admit(at)?;
        Ok(Some(Hit {
            index,
            at,
            normal: self
                .hit_normal(index, from, paths.to)
                .unwrap_or_else(|| self.distance(index, at).1),
            time: paths.time + (1.0 - paths.time) * share,
            share,
            left: scaled(displacement, 1.0 - share),
        }))
    }

    /// Iterates over the active fixed colliders.
    fn standing(&self) -> impl Iterator<Item = usize> + Clone {
        let stands = |index: &usize| self.obstacles.mover(*index).is_none();
        self.active.iter().copied().filter(stands)
    }

    /// Restarts all paths after a hit. Returns whether each starts outside of its collider.
    fn restart(
        &self,
        paths: &mut RelativePaths<'_>,
        hit: &Hit,
        place: usize,
    ) -> Result<bool, TooFar> {
        let after = |start: Vec3| along(start, hit.share, sub(paths.to, start));
        paths.time = hit.time;
        let stands = match self.obstacles.mover(hit.index) {
            None => Some(hit.at),
            Some(_) => self.outside_of(self.standing(), after(paths.stands))?,
        };
        let Some(stands) = stands else { return Ok(false) };
        paths.stands = stands;
        for (other, &index) in self.active.iter().enumerate() {
            let start = match self.obstacles.mover(index) {
                None => Some(stands),
                Some(_) if other == place => Some(hit.at),
                Some(_) => self.lifted(index, after(paths.starts[other])),
            };
            let Some(start) = start else { return Ok(false) };
            paths.starts[other] = start;
        }
        Ok(true)
    }

    /// Returns the end of paths without a further hit.
    fn end(
        &self,
        paths: &RelativePaths<'_>,
        touched: Option<(usize, bool)>,
        pushes: &mut Vec<Push>,
    ) -> Result<Option<End>, TooFar> {
        let (to, v) = (paths.to, paths.v);
        let Some(end) = self.outside(to)? else { return self.refuge(paths, to).map(Some) };
        Ok(match touched {
            Some((index, true)) => {
                let Some(mover) = self.obstacles.mover(index) else {
                    let (down, turned) = self.follow(index, end, v)?;
                    pushes.push(Push::new(index, sub(turned, v)));
                    return Ok(Some((down, turned)));
                };
                let (distance, normal) = self.distance(index, end);
                let foot = along(end, self.radius() - distance, normal);
                let carrier = mover.end_near(foot).velocity_at(foot);
                let relative = sub(v, carrier);
                let (down, turned) = self.follow(index, end, relative)?;
                if turned == relative {
                    return Ok(Some((down, v)));
                }
                let turned = add(turned, carrier);
                let change = sub(turned, v);
                pushes.push(Push { index, change, work: dot(carrier, change) });
                Some((down, turned))
            }
            Some(_) => Some((end, v)),
            None => (end != to).then_some((end, v)),
        })
    }

    /// Returns a position for a node that does not fit between colliders. The first choice is to
    /// slide out between them. The second choice is a position outside the fixed colliders and as
    /// many moving ones as possible, from the first. The last choice is the previous position,
    /// outside the fixed colliders only.
    fn refuge(&self, paths: &RelativePaths<'_>, wanted: Vec3) -> Result<End, TooFar> {
        if let Some(place) = self.squeezed(wanted)? {
            return Ok((place, paths.v));
        }
        let movers = self.active.iter().filter(|index| self.obstacles.mover(**index).is_some());
        for count in (0..=movers.clone().count()).rev() {
            let first = movers.clone().take(count).copied();
            if let Some(place) = self.outside_of(self.standing().chain(first), wanted)? {
                return Ok((place, paths.v));
            }
        }
        Ok((paths.stands, paths.v))
    }

    /// Moves a node out of moving colliders, along the surfaces that block it. Returns `None` if
    /// that is too far.
    fn squeezed(&self, wanted: Vec3) -> Result<Option<Vec3>, TooFar> {
        let mut at = wanted;
        for _ in 0..SQUEEZES {
            let Some(outside) = self.outside_of(self.standing(), at)? else { return Ok(None) };
            at = outside;
            let depth = |index: usize| self.radius() - self.distance(index, at).0;
            let movers = self.active.iter().copied();
            let movers = movers.filter(|&index| self.obstacles.mover(index).is_some());
            let deepest =
                movers.map(|index| (depth(index), index)).filter(|(depth, _)| *depth > 0.0);
            let Some((depth, index)) = deepest.max_by(|a, b| a.0.total_cmp(&b.0)) else {
                return self.outside(at);
            };
            let normal = self.distance(index, at).1;
            let mut direction = normal;
            for &other in self.active.iter().filter(|other| **other != index) {
                let (distance, wall) = self.distance(other, at);
                if distance - self.radius() <= depth {
                    direction = along(direction, -dot(direction, wall).min(0.0), wall);
                }
            }
            let rise = dot(direction, normal);
            if rise < NARROWEST || rise.is_nan() {
                return Ok(None);
            }
            at = along(at, (depth + rounding(at, self.radius())) / rise, direction);
        }
        Ok(None)
    }

    /// Returns the motion after a hit, and the work of the collider on the node, divided by the
    /// node's mass.
    fn after(&self, hit: &Hit, paths: &RelativePaths<'_>) -> (AfterHit, f64) {
        let (before, v) = (paths.before, paths.v);
        let met = along(before, hit.share, sub(v, before));
        let change = sub(paths.node_path.v, paths.node_path.before);
        match self.obstacles.mover(hit.index) {
            None => {
                let met = Meeting {
                    index: hit.index,
                    normal: hit.normal,
                    at: hit.at,
                    approach: dot(hit.normal, met),
                    change: dot(hit.normal, change),
                };
                (self.after_hit(&met, hit.left, v), 0.0)
            }
            Some(mover) => self.after_moving_hit(mover, hit, paths, met),
        }
    }

    /// Returns the result of `after` for a moving collider. `met` is the velocity of the node at
    /// the hit.
    fn after_moving_hit(
        &self,
        mover: &Mover,
        hit: &Hit,
        paths: &RelativePaths<'_>,
        met: Vec3,
    ) -> (AfterHit, f64) {
        let ([then, end], v) = (mover.frames(hit.time, hit.at), paths.v);
        let normal = then.turned(end.unturned(hit.normal));
        let carrier = then.velocity_at(then.point(end.inverse(hit.at)));
        let displacement = along(hit.left, -dot(hit.normal, hit.left), hit.normal);
        let end_at = |point: Vec3| mover.end_near(point).velocity_at(point);
        let carrier_end = end_at(add(hit.at, displacement));
        let carrier_start =
            mover.start_near(paths.node_path.from).velocity_at(paths.node_path.from);
        let change =
            sub(sub(paths.node_path.v, paths.node_path.before), sub(carrier_end, carrier_start));
        let (approach, change) = (dot(normal, sub(met, carrier)), dot(normal, change));
        let rests = is_resting(approach, change);
        let carrier = if rests { carrier_end } else { carrier };
        let relative = sub(v, carrier);
        let now = dot(normal, relative);
        let surface = self.obstacles.all[hit.index].surface;
        let after = rebound(surface.restitution, approach, now, change);
        let (push, tangent) = (after - now, along(relative, -now, normal));
        let bounces = after > 0.0;
        let turn =
            if bounces { 0.0 } else { self.turn(hit.index, add(hit.at, displacement), tangent) };
        if turn > push && rests {
            return (AfterHit { displacement, v, stays: false }, 0.0);
        }
        let share = kept_share(surface.friction, (push - turn).max(0.0), scaled_norm(tangent));
        let displacement = scaled(displacement, share);
        let relative = along(scaled(tangent, share), after, normal);
        let end = if rests { end_at(add(hit.at, displacement)) } else { carrier };
        let end = add(relative, end);
        let work = dot(carrier, sub(end, v));
        (AfterHit { displacement, v: end, stays: !bounces && turn <= push }, work)
    }
}
