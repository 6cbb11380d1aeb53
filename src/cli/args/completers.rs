//! Candidates for completing the values of options: files, fields, values and names.

use super::Cli;
use crate::scene::grammar::Word;
use crate::scene::reference::{KINDS, words};
use crate::scene::sweep::{INTERVALS, SAMPLES};
use crate::scene::{FieldInfo, fields};
use crate::sweep::measure::MEASURES;
use crate::text::printable::is_hidden;
use clap::{Command, CommandFactory};
use clap_complete::engine::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use std::ffi::OsStr;
use std::path::Path;

/// Names of all shells.
pub(super) const SHELL_NAMES: [&str; 5] = ["bash", "zsh", "fish", "powershell", "elvish"];

fn candidate(value: impl Into<String>, help: &str) -> CompletionCandidate {
    CompletionCandidate::new(value.into()).help(Some(help.to_owned().into()))
}

/// Candidates for names with options, up to the opening parenthesis.
fn begun(all: &[(&str, &str)]) -> Vec<CompletionCandidate> {
    all.iter().map(|(name, summary)| candidate(format!("{name}("), summary)).collect()
}

/// Completes paths of scenes and sweeps, including folders on the way to them.
pub(super) fn scenes() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let is_scene = |path: &Path| path.extension().is_some_and(|end| end == "ron");
        let mut all = PathCompleter::any().filter(is_scene).complete(current);
        // A name with hidden characters could act as a command in the terminal, so it is not
        // proposed.
        all.retain(|found| !found.get_value().to_string_lossy().contains(is_hidden));
        all
    })
}

/// Completes the assignment of a field: `rope.nodes=8`.
pub(super) fn patches() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| match current.to_str() {
        Some(text) => assigned(text, "", values_of),
        None => Vec::new(),
    })
}

/// Completes the assignment of an axis: `rope.nodes=Whole(`.
pub(super) fn axes() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let Some(text) = current.to_str() else { return Vec::new() };
        // An axis of several fields separates them by commas.
        let before = match text.split_once('=') {
            None => text.rfind(',').map_or(0, |at| {
                let rest = &text[at + 1..];
                at + 1 + rest.len() - rest.trim_start().len()
            }),
            Some(_) => 0,
        };
        let (before, rest) = text.split_at(before);
        assigned(rest, before, |field| {
            let listed = |word: &Word| candidate(format!("[{}", word.name), word.summary);
            match field.grammar.is_plain() {
                true => begun(&INTERVALS),
                false => field.grammar.choices().iter().map(listed).collect(),
            }
        })
    })
}

/// Candidates for a path followed by `=`, and for the values after it, which `values` returns.
fn assigned(
    text: &str,
    before: &str,
    values: impl Fn(&FieldInfo) -> Vec<CompletionCandidate>,
) -> Vec<CompletionCandidate> {
    let all = fields();
    let found: Vec<CompletionCandidate> = match text.split_once('=') {
        None => all
            .iter()
            .filter(|field| field.path.starts_with(text))
            .map(|field| candidate(format!("{}=", field.path), field.first_sentence()))
            .collect(),
        Some((path, value)) => {
            let field = all.iter().find(|field| field.path == path);
            let mut found = field.map(values).unwrap_or_default();
            found.retain(|one| one.get_value().to_string_lossy().starts_with(value));
            found.into_iter().map(|one| one.add_prefix(format!("{path}="))).collect()
        }
    };
    found.into_iter().map(|one| one.add_prefix(before)).collect()
}

/// Returns the values of a field if they have names. Otherwise returns its default if it needs no
/// quotes in a shell.
fn values_of(field: &FieldInfo) -> Vec<CompletionCandidate> {
    let is_plain = |text: &String| text.chars().all(|c| c.is_alphanumeric() || ".-+".contains(c));
    match &field.grammar.choices()[..] {
        [] => field
            .default()
            .filter(is_plain)
            .map(|it| candidate(it, "the default"))
            .into_iter()
            .collect(),
        words => words.iter().map(|word| candidate(word.name, word.summary.trim())).collect(),
    }
}

/// Measures, separated by commas.
pub(super) fn measures() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let Some(text) = current.to_str() else { return Vec::new() };
        let (before, begun) = text.split_at(text.rfind(',').map_or(0, |at| at + 1));
        let listed: Vec<&str> = before.split(',').collect();
        let fits = |name: &str| name.starts_with(begun) && !listed.contains(&name);
        MEASURES
            .iter()
            .filter(|measure| fits(measure.name))
            .map(|measure| candidate(measure.name, measure.summary).add_prefix(before))
            .collect()
    })
}

/// Samples of a sweep.
pub(super) fn samples() -> ArgValueCandidates {
    ArgValueCandidates::new(|| begun(&SAMPLES))
}

/// Names of values in a scene, and of the tables that list them.
pub(super) fn things() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let begun = current.to_string_lossy().to_lowercase();
        let things = KINDS.iter().flat_map(crate::scene::reference::Kind::things);
        let things = things.map(|thing| candidate(thing.name, thing.summary));
        let tables = KINDS.iter().map(|kind| {
            let name = kind.title.to_lowercase();
            candidate(name.rsplit(' ').next().unwrap_or_default(), "a table")
        });
        let words = words().into_iter().map(|word| candidate(word.name, word.summary));
        let all = things.chain(tables).chain(words);
        let fits = |one: &CompletionCandidate| {
            one.get_value().to_string_lossy().to_lowercase().starts_with(&begun)
        };
        all.filter(fits).collect()
    })
}

/// Paths of fields.
pub(super) fn field_paths() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        fields()
            .iter()
            .map(|field| candidate(field.path.as_str(), field.first_sentence()))
            .collect()
    })
}

/// Manual pages.
pub(super) fn pages() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let command = Cli::command();
        let about = |command: &Command| command.get_about().map(ToString::to_string);
        let pages = command
            .get_subcommands()
            .map(|one| candidate(one.get_name(), &about(one).unwrap_or_default()));
        pages.chain([candidate("scene", "the fields of a scene")]).collect()
    })
}
