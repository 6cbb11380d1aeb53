//! Markdown descriptions of fields and names, for editors.

use super::place::Place;
use catena_base::text::printable;
use catena_scene::Scope;
use catena_scene::grammar::{Inside, Member, Thing, Word};
use catena_sim::named::OptionInfo;
use lsp_types::{MarkupContent, MarkupKind};

/// Wraps Markdown for the protocol.
pub(super) fn markup(text: &str) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value: printable::text(text).into_owned() }
}

/// Description of a field: effect, unit, range, default, and allowed layers.
pub(super) fn member(place: &Place<'_>, member: &Member) -> String {
    let path = place.setting(member.name).unwrap_or_else(|| member.name.into());
    let mut parts = vec![format!("`{path}`: {}", sentence(&member.summary))];
    let mut facts = Vec::new();
    if !member.expected.is_empty() {
        facts.push(member.expected.clone());
    }
    if member.unit != "-" {
        facts.push(format!("unit: {}", member.unit));
    }
    match place.default(member) {
        Some(OptionInfo::NEEDED) => facts.push(OptionInfo::NEEDED.into()),
        Some(OptionInfo::LEFT_OUT) | None => {}
        Some(default) => facts.push(format!("default: `{default}`")),
    }
    parts.extend(facts.iter().map(|fact| format!("- {fact}")));
    if let Some(scope) = member.scope.filter(|_| place.settings.is_some()) {
        parts.push(format!("- {}", may_stand(scope)));
    }
    let (first, rest) = parts.split_first().map_or(("", &[][..]), |(a, b)| (a.as_str(), b));
    if rest.is_empty() { first.into() } else { format!("{first}\n\n{}", rest.join("\n")) }
}

/// Layers in which a field is allowed.
fn may_stand(scope: Scope) -> &'static str {
    match scope {
        Scope::Scene => "allowed in `base` and on the command line",
        Scope::Panel => "allowed in `base`, in the `with` of a panel, and on the command line",
        Scope::Body => "allowed in `base`, in any `with`, and on the command line",
    }
}

/// Description of a name and its options.
pub(super) fn thing(thing: &Thing) -> String {
    let mut text = format!("`{}`: {}", thing.name, sentence(thing.summary));
    for option in thing.members() {
        let default = match (option.default, thing.inside) {
            (Some(default @ OptionInfo::NEEDED), _) => default.into(),
            (Some(default), _) => format!("default {default}"),
            (None, Inside::Options(_) | Inside::Grammar(_)) => String::new(),
        };
        let unit = if option.unit == "-" { "" } else { option.unit };
        let unit = if unit.is_empty() { String::new() } else { format!("unit: {unit}") };
        let facts = [option.expected.as_str(), &unit, default.as_str()];
        let facts: Vec<&str> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
        let bullet = if text.contains("\n- ") { "" } else { "\n" };
        let summary = option.summary.trim_end_matches('.');
        text += &format!("{bullet}\n- `{}`: {summary} ({})", option.name, facts.join("; "));
    }
    text
}

/// Description of a bare word.
pub(super) fn word(word: &Word) -> String {
    match word.summary.trim() {
        "" => format!("`{}`", word.name),
        summary => format!("`{}`: {}", word.name, sentence(summary)),
    }
}

/// Adds a full stop to a text.
fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', ':', '…']) { text.into() } else { format!("{text}.") }
}
