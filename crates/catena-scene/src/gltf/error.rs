//! What is wrong with a figure, and where in its file.

use std::fmt::{self, Display};

/// A message longer than this ends with an ellipsis: files can hold names of any length.
const LONGEST: usize = 400;

/// What is wrong with a file, and where in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct GltfError {
    /// The property, such as `animations[0].channels[2].sampler`, or the part of the file.
    pub place: String,
    /// What is wrong there, and what would be right.
    pub message: String,
}

impl GltfError {
    /// About a place.
    pub(super) fn new(place: impl Display, message: impl Display) -> Self {
        Self { place: shortened(place.to_string()), message: shortened(message.to_string()) }
    }

    /// About a place, unless all is fine.
    pub(super) fn unless(
        is_fine: bool,
        place: impl Display,
        message: impl Display,
    ) -> Result<(), Self> {
        if is_fine { Ok(()) } else { Err(Self::new(place, message)) }
    }
}

/// A text of at most [`LONGEST`] bytes.
pub(super) fn shortened(mut text: String) -> String {
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.push('…');
    }
    text
}

/// A place in a file, made into text only where something is wrong there.
pub(super) type Place<'a> = fmt::Arguments<'a>;
