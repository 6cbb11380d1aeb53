//! Contacts of pairs that touch at the start of a step. They are linearised at the positions that
//! the pieces would reach at constant velocities.
//!
//! Bodies at rest therefore stay exactly in place, and bodies that slide along a curve end the step
//! on it. These contacts count from the start of the step, even if the step would separate the
//! pieces.

use super::advance::Moving;
use super::closest::{Nearest, nearest};
use super::memory::{PLACE, apart};
use super::pair::Pair;
use super::solve::Contact;
use super::step::DrawnStep;
use crate::body::vector::{Vec3, along, dot, scaled_norm, sub};

/// Fractions along two segments: one for a point on the first, one for the nearest point on the
/// second.
type Shares = (f64, f64);

impl DrawnStep {
    /// Computes the positions of all nodes after the step if they keep their velocities.
    pub(super) fn predict(&mut self, dt: f64) {
        let nodes = &self.nodes;
        let of_body = 0..self.body_nodes;
        self.ahead.clear();
        self.ahead.extend(of_body.map(|i| match nodes.inverse[i] > 0.0 {
            true => along(nodes.from[i], dt, nodes.before[i]),
            false => nodes.to[i],
        }));
        self.ahead.extend_from_slice(&nodes.to[self.body_nodes..]);
    }

    /// Adds the contacts of a pair that touches at the start, and returns `true`. Returns `false`
    /// for a pair that moves so far that it may end on the other side. Such a pair must be followed
    /// along its path.
    pub(super) fn touch(&self, pair: &Pair, found: &mut Vec<Contact>) -> bool {
        if !pair.touches() {
            return false;
        }
        let Some([a, b]) = self.moving(pair) else {
            found.push(Contact { closed: pair.grain, ..self.on_half_space(pair) });
            return true;
        };
        let at_b = self.corners(pair.b, &self.ahead);
        let at_a = match self.turning(pair.b) {
            Some(mover) => self.pieces.all[pair.a].padded().map(|node| self.ahead_on(mover, node)),
            None => self.corners(pair.a, &self.ahead),
        };
        let kept = |it: &Moving, at: [Vec3; 3]| Moving {
            displacement: [0, 1, 2].map(|k| sub(at[k], it.from[k])),
            ..*it
        };
        let reach = a.reach(&b).max(kept(&a, at_a).reach(&kept(&b, at_b)));
        if reach >= pair.begun - pair.minimum_in_step() {
            return false;
        }
        let (corners_a, corners_b) = (&at_a[..a.count], &at_b[..b.count]);
        let near = nearest(corners_a, corners_b);
        if near.distance.is_nan() || near.distance <= 0.0 {
            return false;
        }
        let contact = |near: &Nearest| {
            let it = self.between(pair, near.normal, near.first, near.second);
            Contact { closed: pair.grain, ..it }
        };
        let first = contact(&near);
        if let ([a0, a1], [b0, b1]) = (corners_a, corners_b)
            && let Some(ends) = side_by_side([*a0, *a1], [*b0, *b1], near.distance + pair.band())
        {
            let [one, other] = ends.map(|end| contact(&end));
            if apart(&one.places, &other.places) >= PLACE {
                found.extend([one, other]);
                return true;
            }
        }
        found.push(first);
        true
    }
}

/// Returns the nearest points at both ends of the section where two segments run side by side, at
/// most `maximum` apart. Returns `None` if there is no such section.
fn side_by_side(a: [Vec3; 2], b: [Vec3; 2], maximum: f64) -> Option<[Nearest; 2]> {
    let at = |[from, to]: [Vec3; 2], share: f64| along(from, share, sub(to, from));
    let of = |(s, t): Shares| {
        let apart = sub(at(a, s), at(b, t));
        let distance = scaled_norm(apart);
        let normal = apart.map(|value| value / distance);
        let (first, second) = ([1.0 - s, s, 0.0], [1.0 - t, t, 0.0]);
        (s, Nearest { distance, normal, first, second })
    };
    let on = |point: Vec3, [from, to]: [Vec3; 2]| {
        let (side, arm) = (sub(to, from), sub(point, from));
        let square = dot(side, side);
        if square > 0.0 { dot(arm, side) / square } else { -1.0 }
    };
    let is_on_segment = |share: &f64| (0.0..=1.0).contains(share);
    let of_a = [0.0, 1.0].map(|s| (s, on(at(a, s), b)));
    let of_b = [0.0, 1.0].map(|t| (on(at(b, t), a), t));
    let shares = of_a.into_iter().filter(|(_, t)| is_on_segment(t));
    let shares = shares.chain(of_b.into_iter().filter(|(s, _)| is_on_segment(s)));
    let mut ends: Option<[(f64, Nearest); 2]> = None;
    for (s, near) in shares.map(of).filter(|(_, near)| near.distance <= maximum) {
        ends = Some(match ends {
            None => [(s, near), (s, near)],
            Some([low, high]) if s < low.0 => [(s, near), high],
            Some([low, high]) if s > high.0 => [low, (s, near)],
            Some(both) => both,
        });
    }
    ends.map(|[low, high]| [low.1, high.1])
}
