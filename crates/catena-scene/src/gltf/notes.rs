//! Notes about ignored or changed content of a file.

use super::document::Document;
use super::error::shortened;
use catena_base::text::number::counted;
use std::collections::BTreeMap;

/// Kind of a note. A file may cause thousands of one kind, so the first is shown and the others are
/// counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum About {
    Looks,
    Extension,
    RenamedNode,
    FlatNode,
    RenamedClip,
    Channel,
    Undrawn,
    Hidden,
    Morph,
    Lines,
    WithoutPlaces,
    Colors,
    Weightless,
}

/// Notes so far: the first of each kind, and the number of all.
#[derive(Debug, Default)]
pub(super) struct Notes {
    kinds: BTreeMap<About, (String, u64)>,
}

impl Notes {
    /// Adds a note.
    pub(super) fn add(&mut self, about: About, text: impl FnOnce() -> String) {
        self.kinds.entry(about).or_insert_with(|| (shortened(text()), 0)).1 += 1;
    }

    /// Returns all notes in a fixed order.
    pub(super) fn list(self, document: &Document, transparent: usize) -> Vec<String> {
        let note = |(first, count): (String, u64)| match count {
            1 => first,
            _ => format!("{first}; and {} more of this kind", count - 1),
        };
        let mut notes: Vec<String> = self.kinds.into_values().map(note).collect();
        for (count, of, one, more) in [
            (document.cameras.len(), "", "camera", ""),
            (document.textures.len(), "", "texture", ": only the base colours of materials count"),
            (transparent, "transparency of ", "material", ", drawn opaque"),
        ] {
            if count > 0 {
                notes.push(format!("left out: {of}{}{more}", counted(count as u64, one)));
            }
        }
        notes
    }
}
