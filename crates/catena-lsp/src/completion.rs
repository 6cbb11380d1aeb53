//! Completion items for the position of the cursor.

use super::place::Place;
use super::words;
use catena_ron::{Slot, TokenKind};
use catena_scene::grammar::{Grammar, Member, Thing};
use catena_scene::{COLOR_NAMES, fields};
use catena_sim::named::OptionInfo;
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation, InsertTextFormat, Range,
    TextEdit,
};
use std::path::Path;

/// Maximum number of file names that are listed.
const MAX_FILES: usize = 1000;

/// Client support and target range of completion items.
pub(super) struct CompletionStyle {
    /// Whether the editor supports snippets, which contain placeholders.
    pub(super) has_snippets: bool,
    /// Range that an item replaces.
    pub(super) range: Range,
}

/// Returns the completion items for a place. `folder` is the folder of the document.
pub(super) fn items(
    place: &Place<'_>,
    style: &CompletionStyle,
    folder: Option<&Path>,
) -> Vec<CompletionItem> {
    if place.context.is_comment {
        return Vec::new();
    }
    let mut items = match place.slot() {
        Slot::Name if place.is_axes() => axes(place),
        Slot::Name => names(place, style),
        Slot::Value => values(place, style, folder),
        Slot::Nothing => Vec::new(),
    };
    for (index, item) in items.iter_mut().enumerate() {
        // Editors sort by this text, so it keeps the order of the documentation.
        item.sort_text = Some(format!("{index:04}"));
        let text = item.insert_text.take().unwrap_or_else(|| item.label.clone());
        let edit = TextEdit { range: style.range, new_text: text };
        item.text_edit = Some(CompletionTextEdit::Edit(edit));
    }
    items
}

/// Returns the fields that are allowed at a place and not yet written there.
fn names(place: &Place<'_>, style: &CompletionStyle) -> Vec<CompletionItem> {
    let written = place.context.siblings();
    let is_open = |member: &&Member| !written.contains(&member.name) && place.allows(member);
    let item = |member: &Member| {
        let name = member.name;
        // A colon or parenthesis that is already in the text is not inserted twice.
        let (text, format) = match place.next_token() {
            Some((TokenKind::Colon, _)) => (name.into(), InsertTextFormat::PLAIN_TEXT),
            Some((TokenKind::Open, _)) => (format!("{name}: "), InsertTextFormat::PLAIN_TEXT),
            _ if !style.has_snippets => (format!("{name}: "), InsertTextFormat::PLAIN_TEXT),
            _ => {
                let comma = if needs_comma(place) { "," } else { "" };
                let text = format!("{name}: {}{comma}", hole(place, member));
                (text, InsertTextFormat::SNIPPET)
            }
        };
        CompletionItem {
            label: member.name.into(),
            kind: Some(CompletionItemKind::FIELD),
            detail: Some(member.expected.clone()).filter(|it| !it.is_empty()),
            documentation: documented(&words::member(place, member)),
            insert_text: Some(text),
            insert_text_format: Some(format),
            ..CompletionItem::default()
        }
    };
    place.members.iter().filter(is_open).map(item).collect()
}

/// Whether a comma has to follow: another entry comes directly after the word at the cursor.
fn needs_comma(place: &Place<'_>) -> bool {
    let next = place.next_token().filter(|_| place.context.touched.is_some());
    next.is_some_and(|(kind, _)| matches!(kind, TokenKind::Word | TokenKind::Text))
}

/// Returns the snippet placeholder for a value, filled with the field's default.
fn hole(place: &Place<'_>, member: &Member) -> String {
    let is = |wanted: fn(&Grammar) -> bool| member.grammar.alternatives().iter().any(wanted);
    let default = place.default(member);
    let default = default.filter(|it| ![OptionInfo::NEEDED, OptionInfo::LEFT_OUT].contains(it));
    match default {
        _ if is(|it| matches!(it, Grammar::Fields(_))) => "(${0})".into(),
        None if is(|it| matches!(it, Grammar::List(_))) => "[${0}]".into(),
        None if is(|it| matches!(it, Grammar::File(_))) => "\"${0}\"".into(),
        None if is(|it| matches!(it, Grammar::Axes)) => "{${0}}".into(),
        Some(default) => format!("${{1:{}}}", escaped(default)),
        None => "${1}".into(),
    }
}

/// Escapes a text for use inside a snippet placeholder.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

/// Returns the named values, the default and the files that are allowed at a place.
fn values(
    place: &Place<'_>,
    style: &CompletionStyle,
    folder: Option<&Path>,
) -> Vec<CompletionItem> {
    let mut items = Vec::new();
    for grammar in place.value.alternatives() {
        match grammar {
            Grammar::File(endings) => {
                items.extend(folder.map(|folder| files(folder, endings)).unwrap_or_default());
            }
            Grammar::Color => {
                let names = COLOR_NAMES.split_whitespace();
                items.extend(
                    names.map(|name| plain(format!("{name:?}"), CompletionItemKind::COLOR)),
                );
            }
            _ => {
                items.extend(grammar.words().iter().map(|word| CompletionItem {
                    documentation: documented(&words::word(word)),
                    ..plain(word.name.into(), CompletionItemKind::ENUM_MEMBER)
                }));
                items.extend(grammar.things().iter().map(|thing| named(place, thing, style)));
            }
        }
    }
    let default = place.member().and_then(|member| place.default(member));
    let is_new = |default: &&str| {
        ![OptionInfo::NEEDED, OptionInfo::LEFT_OUT].contains(default)
            && items.iter().all(|item| item.label != **default)
    };
    if let Some(default) = default.filter(is_new) {
        let item = plain(default.into(), CompletionItemKind::VALUE);
        items.insert(0, CompletionItem { detail: Some("the default".into()), ..item });
    }
    items
}

/// Completes a name with its required options, unless options already follow it.
fn named(place: &Place<'_>, thing: &Thing, style: &CompletionStyle) -> CompletionItem {
    let options = thing.members();
    let needed: Vec<String> = options
        .iter()
        .filter(|option| option.default == Some(OptionInfo::NEEDED))
        .enumerate()
        .map(|(index, option)| format!("{}: ${{{}}}", option.name, index + 1))
        .collect();
    let has_options = place.next_token().is_some_and(|(_, next)| next == "(");
    let (text, format) = match style.has_snippets && !needed.is_empty() && !has_options {
        true => (format!("{}({})", thing.name, needed.join(", ")), InsertTextFormat::SNIPPET),
        false => (thing.name.to_owned(), InsertTextFormat::PLAIN_TEXT),
    };
    CompletionItem {
        detail: Some(thing.summary.into()),
        documentation: documented(&words::thing(thing)),
        insert_text: Some(text),
        insert_text_format: Some(format),
        ..plain(thing.name.into(), CompletionItemKind::CLASS)
    }
}

/// Returns the paths of fields that a sweep may vary.
fn axes(place: &Place<'_>) -> Vec<CompletionItem> {
    let is_named = matches!(place.next_token(), Some((TokenKind::Colon, _)));
    let colon = if is_named { "" } else { ": " };
    let item = |field: catena_scene::FieldInfo| CompletionItem {
        detail: Some(field.expected),
        documentation: documented(&field.summary),
        insert_text: Some(format!("\"{}\"{colon}", field.path)),
        ..plain(format!("\"{}\"", field.path), CompletionItemKind::FIELD)
    };
    fields().into_iter().map(item).collect()
}

/// Returns the names of files in a folder that have one of the given extensions, sorted.
fn files(folder: &Path, endings: &[&str]) -> Vec<CompletionItem> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let name = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let ending = Path::new(&name).extension()?.to_str()?;
        endings.contains(&ending).then(|| format!("{name:?}"))
    };
    let mut names: Vec<String> =
        entries.take(MAX_FILES).filter_map(|entry| name(entry.ok()?)).collect();
    names.sort();
    names.into_iter().map(|name| plain(name, CompletionItemKind::FILE)).collect()
}

fn plain(label: String, kind: CompletionItemKind) -> CompletionItem {
    CompletionItem { label, kind: Some(kind), ..CompletionItem::default() }
}

fn documented(text: &str) -> Option<Documentation> {
    Some(Documentation::MarkupContent(words::markup(text)))
}
