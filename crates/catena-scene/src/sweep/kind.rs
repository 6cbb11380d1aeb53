//! Whether a text is a sweep or a scene.

use crate::file::SceneText;
use catena_ron::words;

/// Whether a text is a sweep.
pub fn is_sweep(text: &SceneText) -> bool {
    starts_with(&text.text, "Sweep")
}

/// Whether a text starts like a scene.
#[cfg(feature = "files")]
pub(crate) fn is_scene_like(text: &SceneText) -> bool {
    ["(", "Scene", "Sweep", "#!["].iter().any(|word| starts_with(&text.text, word))
}

/// Whether a text starts with `start`, after spaces and comments.
pub(crate) fn starts_with(text: &str, start: &str) -> bool {
    words(text, 0).next().is_some_and(|(_, place)| text[place.start..].starts_with(start))
}
