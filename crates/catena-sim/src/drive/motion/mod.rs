//! Rigid motions: where a frame lies at every time, and how it moves.
//!
//! What is fixed to a moving frame is given by its places in the frame. A point r away from the
//! origin of the frame moves at v + ω × r.

mod placement;
mod travel;

pub use placement::Placement;
pub use travel::Travel;

use crate::drive::track::Extent;
use crate::named::BadOption;
use std::fmt::Debug;

/// A rigid motion as a function of time.
pub trait Motion: Debug + Send + Sync {
    /// Refuses what is out of range, and what is not rigid.
    ///
    /// # Errors
    /// The first option that is.
    fn check(&self) -> Result<(), BadOption>;

    /// Refuses a motion that leaves the space of a scene: in a planar one, of 2 axes, the frame
    /// stays in the plane and turns about z.
    ///
    /// # Errors
    /// The option that makes it leave.
    fn fits(&self, axes: usize) -> Result<(), BadOption>;

    /// Where the frame lies at a time, and how it moves.
    fn at(&self, t: f64) -> Placement;

    /// Whether it is the frame of a bone, whose skin shows where it is.
    fn is_of_bone(&self) -> bool {
        false
    }

    /// When it changes.
    fn extent(&self) -> Extent;
}

/// Times of a window at which [`places`] looks, beside its end.
const LOOKS: u32 = 64;

/// Where a frame lies at some times of the window of its extent, the first and the last included,
/// or at time 0 where it stays.
pub fn places(motion: &dyn Motion) -> Vec<(f64, Placement)> {
    let Some((from, until)) = motion.extent().window() else { return vec![(0.0, motion.at(0.0))] };
    let time = |look| from + (until - from) * (f64::from(look) / f64::from(LOOKS));
    (0..=LOOKS).map(|look| (time(look), motion.at(time(look)))).collect()
}
