//! Reasons why a scene cannot be shown.

use catena_scene::SceneError;
use serde::Serialize;

/// Reason why a scene cannot be shown, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Description in one sentence.
    pub message: String,
    /// Advice, if any.
    pub help: Option<String>,
    /// Line and column in the text of the scene, counted from 1.
    pub place: Option<(usize, usize)>,
    /// Path of the field.
    pub field: Option<String>,
}

impl Fault {
    /// Creates a fault without a position.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, place: None, field: None }
    }
}

impl From<&SceneError> for Fault {
    fn from(error: &SceneError) -> Self {
        Self {
            message: error.message().into(),
            help: error.help().map(str::to_owned),
            place: error.has_place().then(|| error.position()),
            field: error.field().map(str::to_owned),
        }
    }
}
