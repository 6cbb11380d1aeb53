//! Messages about figure files: errors with their position, and notes about ignored content.

use super::document::JsonDocument;
use catena_base::text::number::counted;
use std::collections::BTreeMap;
use std::fmt::{self, Display};

/// Maximum length of a message in bytes. Longer messages are cut, because names in files can have
/// any length.
const MAX_LENGTH: usize = 400;

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

/// Shortens a text to about [`MAX_LENGTH`] bytes.
pub(super) fn shortened(mut text: String) -> String {
    if text.len() > MAX_LENGTH {
        text.truncate(text.floor_char_boundary(MAX_LENGTH));
        text.push('…');
    }
    text
}

/// Position in a file, which is formatted only for errors.
pub(super) type FilePosition<'a> = fmt::Arguments<'a>;

/// Kind of a note. A file may cause thousands of notes of one kind, so only the first is shown,
/// with the number of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NoteKind {
    Looks,
    Extension,
    RenamedNode,
    FlatNode,
    RenamedClip,
    Channel,
    Undrawn,
    Hidden,
    Morph,
    Texture,
    Coordinates,
    Lines,
    WithoutPlaces,
    Colors,
    Weightless,
}

/// Counts of textures in a file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TextureCounts {
    /// Number of textures that were read.
    pub(super) read: usize,
    /// Number of blended textures with partly transparent pixels.
    pub(super) soft: usize,
}

/// Notes so far: the first note and the number of notes of each kind.
#[derive(Debug, Default)]
pub(super) struct NoteList {
    kinds: BTreeMap<NoteKind, (String, u64)>,
}

impl NoteList {
    /// Adds a note.
    pub(super) fn add(&mut self, about: NoteKind, text: impl FnOnce() -> String) {
        self.kinds.entry(about).or_insert_with(|| (shortened(text()), 0)).1 += 1;
    }

    /// Returns all notes in a fixed order.
    pub(super) fn list(self, document: &JsonDocument, textures: TextureCounts) -> Vec<String> {
        let note = |(first, count): (String, u64)| match count {
            1 => first,
            _ => format!("{first}; and {} more of this kind", count - 1),
        };
        let mut notes: Vec<String> = self.kinds.into_values().map(note).collect();
        let unread = document.textures.len().saturating_sub(textures.read);
        for (count, of, one, more) in [
            (document.cameras.len(), "ignored: ", "camera", ""),
            (unread, "ignored: ", "texture", ": only base colour textures are used"),
            (textures.soft, "", "blended texture", " with holes where its opacity is below 0.5"),
        ] {
            if count > 0 {
                notes.push(format!("{of}{}{more}", counted(count as u64, one)));
            }
        }
        notes
    }
}
