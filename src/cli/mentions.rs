//! Search for a word in the names and descriptions of fields, values and figures, if no field or
//! value has this name.

use crate::figure::study::{NAMES, OF_SOME_SCENES};
use crate::scene::fields;
use crate::scene::reference::{KINDS, Kind};
use crate::text::list::listed;

/// Minimum length of a word that is searched for. Shorter ones are part of too many names.
const SHORTEST: usize = 3;

/// Maximum number of names per group.
const MAX: usize = 5;

/// Returns where a word occurs: in names, or else in descriptions. `None` if it does not occur.
pub(super) fn advice(word: &str) -> Option<String> {
    let word = word.to_lowercase();
    if word.chars().count() < SHORTEST {
        return None;
    }
    let has = |text: &str| text.to_lowercase().contains(&word);
    let (fields, kinds) = (fields(), KINDS.iter().flat_map(Kind::things));
    let things: Vec<_> = kinds.map(|thing| (thing.name, thing.summary)).collect();
    let groups = |in_names: bool| {
        let is_meant = |name: &str, summary: &str| has(if in_names { name } else { summary });
        let paths = fields.iter().filter(|field| is_meant(&field.path, &field.summary));
        let values = things.iter().filter(|(name, summary)| is_meant(name, summary));
        let figures = NAMES.iter().chain(&OF_SOME_SCENES).filter(|name| in_names && has(name));
        let groups = [
            group("catena fields", paths.map(|field| field.path.clone()).collect()),
            group("catena methods", values.map(|(name, _)| (*name).to_owned()).collect()),
            group("catena figure SCENE", figures.map(|name| (*name).to_owned()).collect()),
        ];
        groups.into_iter().flatten().collect::<Vec<String>>()
    };
    let found = match groups(true) {
        named if named.is_empty() => groups(false),
        named => named,
    };
    (!found.is_empty()).then(|| format!("related: {}", found.join("; ")))
}

/// Returns the names of a group after the command that explains them. `None` if there are no names.
fn group(command: &str, mut names: Vec<String>) -> Option<String> {
    let more = names.len().saturating_sub(MAX);
    names.truncate(MAX);
    let list = match more {
        0 => listed(&names),
        more => format!("{} and {more} others", names.join(", ")),
    };
    (!names.is_empty()).then(|| format!("`{command}` has {list}"))
}
