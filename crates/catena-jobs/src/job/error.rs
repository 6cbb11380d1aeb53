//! Why a job cannot run a scene.

use catena_draw::TooSmall;
use catena_output::OutputError;
use catena_scene::SceneError;

/// Why a job cannot run a scene, or cannot go on with it.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An option is out of its range, or does not fit the scene.
    #[error("{0}")]
    Option(String),
    /// The scene would take more than the limits allow.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The picture is too small for the panels of the scene.
    #[error("{scene}: {error}")]
    TooSmall {
        /// What messages call the scene.
        scene: String,
        /// How little room is left.
        error: TooSmall,
    },
    /// A simulation took more than the limits allow, which showed only while it ran.
    #[error("{0}")]
    Exhausted(String),
    /// A file failed, or there is too little memory.
    #[error(transparent)]
    Output(#[from] OutputError),
}
