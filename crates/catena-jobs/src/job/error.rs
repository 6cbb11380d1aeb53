//! Errors of jobs.

use catena_draw::TooSmall;
use catena_output::OutputError;
use catena_scene::SceneError;

/// Error that prevents or ends a job.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An option is out of range, or does not fit the scene.
    #[error("{0}")]
    Option(String),
    /// The scene would exceed the limits.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The picture is too small for the panels of the scene.
    #[error("{scene}: {error}")]
    TooSmall {
        /// Name of the scene in messages.
        scene: String,
        /// Missing space.
        error: TooSmall,
    },
    /// A running simulation exceeded a limit that no estimate could predict.
    #[error("{0}")]
    Exhausted(String),
    /// A file could not be read or written, or there is too little memory.
    #[error(transparent)]
    Output(#[from] OutputError),
}
