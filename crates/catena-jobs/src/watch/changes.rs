//! Where the editions of a scene come from.

use crate::job::Interruption;
use catena_scene::{Scene, SceneError};

/// A scene as it stands after a change.
#[derive(Debug)]
pub struct Edition {
    /// Its number; a later edition has a greater one, and the first is above 0.
    pub number: u64,
    /// The scene, or why it cannot be used.
    pub scene: Result<Scene, SceneError>,
}

/// Gives the newest edition of a scene.
pub trait Changes: Sync {
    /// Waits for an edition with a greater number than `seen`, which is 0 at first, and gives the
    /// newest one; `None` when `end` is set, or no other will come.
    fn next(&self, seen: u64, end: &dyn Interruption) -> Option<Edition>;

    /// Whether there is a newer edition than `seen`. Several threads ask this between frames.
    fn is_newer(&self, seen: u64) -> bool;
}
