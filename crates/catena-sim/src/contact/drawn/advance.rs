//! Whether two pieces on straight paths keep a distance throughout a step: conservative
//! advancement.
//!
//! The line through the nearest points separates the pieces. Along it each corner moves at a
//! constant speed, so the time until the first corner of one reaches the other, grown by the
//! distance to keep, is known, and no contact is earlier. The pieces are moved on by that time,
//! again and again. No step is over a contact and no root of a cubic is needed. Sources: Mirtich
//! 1996; Li, Kaufman, Jiang 2021, "Codimensional Incremental Potential Contact", whose bound is the
//! greatest speed; the bound along the line lets pieces slide on each other in one advance.

use super::closest::{Corners, nearest};
use crate::body::vector::{Vec3, along, dot, sub};

/// Advances after which a pair counts as one that touches.
const ADVANCES: usize = 64;

/// A piece on its way: its corners at the start and by how much they move.
pub(super) struct Moving {
    pub(super) from: [Vec3; 3],
    pub(super) way: [Vec3; 3],
    pub(super) count: usize,
}

impl Moving {
    /// The corners after a share of the step.
    pub(super) fn at(&self, share: f64) -> [Vec3; 3] {
        [0, 1, 2].map(|k| along(self.from[k], share, self.way[k]))
    }

    /// The corners that count.
    pub(super) fn corners<'a>(&self, corners: &'a [Vec3; 3]) -> Corners<'a> {
        &corners[..self.count]
    }
}

/// The share of the step, 0 to 1, after which two pieces come within `floor`, to `tolerance`;
/// `None` if they never do. They must begin at least so far apart.
pub(super) fn impact(a: &Moving, b: &Moving, floor: f64, tolerance: f64) -> Option<f64> {
    let mut share = 0.0;
    for _ in 0..ADVANCES {
        let (at_a, at_b) = (a.at(share), b.at(share));
        let near = nearest(a.corners(&at_a), b.corners(&at_b));
        if near.distance <= 0.0 || near.distance.is_nan() {
            return Some(share);
        }
        let mut free = f64::INFINITY;
        for (way_a, corner_a) in a.way.iter().zip(a.corners(&at_a)) {
            for (way_b, corner_b) in b.way.iter().zip(b.corners(&at_b)) {
                let rate = dot(near.normal, sub(*way_a, *way_b));
                if rate < 0.0 {
                    let gap = dot(near.normal, sub(*corner_a, *corner_b)) - floor;
                    free = free.min(gap.max(0.0) / -rate);
                }
            }
        }
        if share + free >= 1.0 {
            return None;
        }
        if near.distance - floor <= tolerance {
            return Some(share);
        }
        share += free;
    }
    Some(share)
}
