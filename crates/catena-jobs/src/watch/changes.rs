//! Editions of a scene, and the trait of their sources.

use crate::job::Interruption;
use catena_scene::{Scene, SceneError};

/// State of a scene after a change.
#[derive(Debug)]
pub struct Edition {
    /// Number of the edition, at least 1. Later editions have larger numbers.
    pub number: u64,
    /// The scene, or the error that makes it unusable.
    pub scene: Result<Scene, SceneError>,
}

/// Source of the editions of a scene.
pub trait Changes: Sync {
    /// Waits for an edition with a number above `seen`, which is 0 at first, and returns the newest
    /// one. `None` once `end` is set or no more editions can come.
    fn next(&self, seen: u64, end: &dyn Interruption) -> Option<Edition>;

    /// Whether an edition newer than `seen` exists. Several threads call this function between
    /// frames.
    fn poll_newer(&self, seen: u64) -> bool;
}
