//! A fault in the search for pairs of nodes, which a slip puts into contact of a body with itself.
//!
//! Nodes lie in cells as wide as the thickness. Coordinates are truncated towards zero, so cells
//! around 0 are twice as wide. The key of a cell is the XOR of its coordinates, so many cells share
//! a key. A node looks through the lists of its own cell and of the cells around it. Where two of
//! those keys meet, it finds the same neighbours twice, and their contact counts twice.

use crate::body::vector::Vec3;

/// A fault of contact of a body with itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactFault {
    /// Cells by truncation, with XOR of their coordinates as keys.
    TruncatedGrid,
}

/// Number of times that the search from one position finds another: 0 for a missed pair, more than
/// 1 for a pair that counts several times.
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
