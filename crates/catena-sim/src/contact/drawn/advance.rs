//! Conservative advancement: a test whether two pieces on straight paths keep a minimum distance
//! throughout a step.
//!
//! A plane perpendicular to the line through the nearest points separates the pieces. Each corner
//! moves at a constant speed along this line. The earliest time at which a pair of corners closes
//! the gap is a lower bound for the time of contact. The pieces advance by this time, and the test
//! repeats. No advance passes a contact, and no cubic has to be solved. Sources: Mirtich 1996; Li,
//! Kaufman, Jiang 2021, "Codimensional Incremental Potential Contact", whose bound is the maximum
//! speed. The bound along the line lets pieces slide on each other in one advance.

use super::closest::{Corners, nearest};
use crate::body::vector::{Vec3, along, dot, sub};

/// Maximum number of advances. A pair that needs more counts as touching.
const ADVANCES: usize = 64;

/// A moving piece: its corners at the start and their displacements.
#[derive(Clone, Copy)]
pub(super) struct Moving {
    pub(super) from: [Vec3; 3],
    pub(super) displacement: [Vec3; 3],
    pub(super) count: usize,
}

impl Moving {
    /// Returns the corners after a fraction of the step.
    pub(super) fn at(&self, share: f64) -> [Vec3; 3] {
        [0, 1, 2].map(|k| along(self.from[k], share, self.displacement[k]))
    }

    /// Returns the maximum length of the relative motion of a corner of each piece.
    pub(super) fn reach(&self, other: &Self) -> f64 {
        let corners = (0..self.count).flat_map(|i| (0..other.count).map(move |j| (i, j)));
        let square = corners.fold(0.0, |maximum: f64, (i, j)| {
            let relative = sub(self.displacement[i], other.displacement[j]);
            maximum.max(dot(relative, relative))
        });
        square.sqrt()
    }

    /// Returns the corners that the piece uses, 1 to 3.
    pub(super) fn corners<'a>(&self, corners: &'a [Vec3; 3]) -> Corners<'a> {
        &corners[..self.count]
    }
}

/// Returns the fraction of the step, 0 to 1, at which the distance of two pieces falls to `floor`,
/// up to `tolerance`. Returns `None` if it does not. The pieces must begin at least `floor` apart.
pub(super) fn impact(a: &Moving, b: &Moving, floor: f64, tolerance: f64) -> Option<f64> {
    let mut share = 0.0;
    for _ in 0..ADVANCES {
        let (at_a, at_b) = (a.at(share), b.at(share));
        let near = nearest(a.corners(&at_a), b.corners(&at_b));
        if near.distance <= 0.0 || near.distance.is_nan() {
            return Some(share);
        }
        let mut free = f64::INFINITY;
        for (displacement_a, corner_a) in a.displacement.iter().zip(a.corners(&at_a)) {
            for (displacement_b, corner_b) in b.displacement.iter().zip(b.corners(&at_b)) {
                let rate = dot(near.normal, sub(*displacement_a, *displacement_b));
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
