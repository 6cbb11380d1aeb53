//! Rigid motions: the position, orientation and velocity of a frame at every time.
//!
//! Coordinates of attached objects are relative to the frame. A point at r from the frame's origin
//! moves at v + ω × r.

mod placement;
mod travel;

pub use placement::Placement;
pub use travel::Travel;

use crate::drive::track::Extent;
use crate::identity::Identity;
use crate::named::BadOption;
use std::fmt::Debug;

/// A rigid motion as a function of time.
pub trait Motion: Debug + Identity + Send + Sync {
    /// Checks that all options are in range and the motion is rigid.
    ///
    /// # Errors
    /// The first option that is out of range, or that makes the motion non-rigid.
    fn check(&self) -> Result<(), BadOption>;

    /// Checks that the motion stays in the space of a scene. In a planar scene, with 2 axes, the
    /// frame must stay in the plane and turn about z.
    ///
    /// # Errors
    /// The option that leaves that space.
    fn fits(&self, axes: usize) -> Result<(), BadOption>;

    /// Returns the placement and velocities of the frame at time `t`.
    fn at(&self, t: f64) -> Placement;

    /// Whether this is the frame of a bone. The bone's skin then shows its position.
    fn is_of_bone(&self) -> bool {
        false
    }

    /// Returns the time range in which the motion changes.
    fn extent(&self) -> Extent;
}

/// Number of intervals into which [`places`] divides a window.
const SAMPLES: u32 = 64;

/// Samples the placement of a frame over the window of its extent, both ends included. Returns the
/// placement at time 0 if it does not change.
pub fn places(motion: &dyn Motion) -> Vec<(f64, Placement)> {
    let Some((from, until)) = motion.extent().window() else { return vec![(0.0, motion.at(0.0))] };
    let time = |sample| from + (until - from) * (f64::from(sample) / f64::from(SAMPLES));
    (0..=SAMPLES).map(|sample| (time(sample), motion.at(time(sample)))).collect()
}
