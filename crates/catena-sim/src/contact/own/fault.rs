//! Deliberate faults in the contact of a body with itself, set by slips.
//!
//! **Grid.** Nodes are sorted into cells as wide as the thickness. Coordinates are truncated
//! towards zero, so cells around 0 are twice as wide. The key of a cell is the XOR of its
//! coordinates, which many cells share. The search for a node's neighbours visits its own cell and
//! the cells around it. If two of these cells have the same key, the search finds the same
//! neighbours twice, and their contact counts twice.
//!
//! **Root.** Two nodes collide where they separate instead of where they meet. A hit counts only if
//! they separate within the step. They stop on the far sides of each other, at a distance of the
//! thickness.

use crate::body::vector::{Vec3, along, dot, scaled_norm};

/// A fault of contact of a body with itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactFault {
    /// Cell indices that are truncated instead of rounded down, with the XOR of the indices as key.
    TruncatedGrid,
    /// The later root of the quadratic for the time of a hit.
    LaterRoot,
}
crate::identity!(
    enum ContactFault {
        TruncatedGrid,
        LaterRoot,
    }
);

/// Distance of nodes that stop at the later root, as a fraction of the thickness. It is slightly
/// below 1, so that the same step does not find the pair again.
pub(super) const JUST_INSIDE: f64 = 1.0 - 1e-9;

/// Returns the number of times that a search around `from` finds a node at `to`: 0 for a missed
/// pair, more than 1 for a pair that counts several times.
pub(super) fn visits(from: Vec3, to: Vec3, width: f64, axes: usize) -> u32 {
    let cell = |at: Vec3| at.map(|value| (value / width) as i64);
    let key = |[x, y, z]: [i64; 3]| x ^ y ^ z;
    let ([x, y, z], wanted) = (cell(from), key(cell(to)));
    let layers = if axes == 3 { -1..=1 } else { 0..=0 };
    let mut count = 0;
    for dz in layers {
        for (dy, dx) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dy, dx))) {
            count += u32::from(key([x + dx, y + dy, z + dz]) == wanted);
        }
    }
    count
}

/// Returns the fraction s, 0 to 1, at which the path `from` + s `displacement` leaves the ball of
/// this radius around the origin. Returns `None` if it does not leave the ball.
pub(super) fn later_root(from: Vec3, displacement: Vec3, radius: f64) -> Option<f64> {
    let size = scaled_norm(displacement);
    if size == 0.0 {
        return None;
    }
    let unit = displacement.map(|value| value / size);
    let before = -dot(from, unit);
    let nearest = along(from, before, unit);
    let half_chord = radius * radius - dot(nearest, nearest);
    let share = (before + half_chord.max(0.0).sqrt()) / size;
    (half_chord >= 0.0 && (0.0..=1.0).contains(&share)).then_some(share)
}
