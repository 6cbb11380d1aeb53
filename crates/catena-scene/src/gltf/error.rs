//! Errors of figure files, with the position in the file.

use std::fmt::{self, Display};

/// Maximum length of a message in bytes. Longer ones are cut, because files can hold names of any
/// length.
const LONGEST: usize = 400;

/// Error of a figure file, with its position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct GltfError {
    /// Property at fault, such as `animations[0].channels[2].sampler`, or the part of the file.
    pub place: String,
    /// Description of the error and of the allowed values.
    pub message: String,
}

impl GltfError {
    /// Creates an error about a position.
    pub(super) fn new(place: impl Display, message: impl Display) -> Self {
        Self { place: shortened(place.to_string()), message: shortened(message.to_string()) }
    }

    /// Returns an error about a position unless `is_fine`.
    pub(super) fn unless(
        is_fine: bool,
        place: impl Display,
        message: impl Display,
    ) -> Result<(), Self> {
        if is_fine { Ok(()) } else { Err(Self::new(place, message)) }
    }
}

/// Shortens a text to about [`LONGEST`] bytes.
pub(super) fn shortened(mut text: String) -> String {
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.push('…');
    }
    text
}

/// Position in a file, which is formatted only for errors.
pub(super) type Place<'a> = fmt::Arguments<'a>;
