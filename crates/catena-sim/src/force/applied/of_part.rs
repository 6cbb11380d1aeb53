//! Segments of one part of a body, for forces that act on lines of one diameter.

use crate::body::{Model, Spring};
use crate::named::{BadOption, OptionInfo};

pub(super) const PART: OptionInfo = OptionInfo {
    name: "part",
    summary: "name of the part on whose segments the force acts",
    default: "all parts",
    range: "the name of a part",
    ..OptionInfo::PLAIN
};

/// Returns the structural springs of the part with this name, or of all parts, each with its index.
pub(super) fn springs<'a>(
    model: &'a Model,
    part: Option<&str>,
) -> impl Iterator<Item = (usize, &'a Spring)> + use<'a> {
    // The springs of a part have consecutive indices.
    let own = part.map(|name| {
        let named = model.parts.iter().find(|part| part.name == name);
        let springs = named.map_or(&[][..], |part| &part.springs);
        springs.first().copied().unwrap_or(0)..springs.last().map_or(0, |last| last + 1)
    });
    let range = own.unwrap_or(0..model.structural);
    let first = range.start;
    model.structural()[range].iter().enumerate().map(move |(j, spring)| (first + j, spring))
}

/// Rejects the name of a part that the body does not have.
pub(super) fn check(model: &Model, part: Option<&str>) -> Result<(), BadOption> {
    let is_known = |name: &str| model.parts.iter().any(|part| part.name == name);
    if part.is_none_or(is_known) {
        return Ok(());
    }
    let names = model.parts.iter().map(|part| part.name.as_str()).filter(|name| !name.is_empty());
    let names: Vec<String> = names.map(|name| format!("{name:?}")).collect();
    let expected = match names.as_slice() {
        [] => "no name, since the body has no parts".to_owned(),
        names => format!("the name of a part: {}", names.join(", ")),
    };
    Err(BadOption { option: PART.name, entry: None, expected: expected.into() })
}
