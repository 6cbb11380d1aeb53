//! Documentation of the word under the cursor.

use super::place::Place;
use super::words;
use catena_scene::cursor::Slot;

/// Returns the documentation of the field or name at a place, as Markdown.
pub(super) fn text(place: &Place<'_>) -> Option<String> {
    let word = place.word()?;
    let value = place.value;
    let thing = value.things().into_iter().find(|thing| thing.name == word);
    let known = value.words().into_iter().find(|known| known.name == word);
    let field = || place.member().map(|member| words::member(place, member));
    match (place.slot(), thing, known) {
        (Slot::Name, ..) => field(),
        (_, Some(thing), _) => Some(words::thing(&thing)),
        (_, None, Some(known)) => {
            let meaning = words::word(&known);
            Some(field().map_or(meaning.clone(), |field| format!("{meaning}\n\n---\n\n{field}")))
        }
        _ => field(),
    }
}
