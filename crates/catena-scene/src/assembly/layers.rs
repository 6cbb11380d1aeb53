//! Layers of parts: the layers of their body with each part's own on top.

use crate::diagnostic::Fault;
use crate::error::SceneError;
use crate::grammar::{PART_FIELDS, Scope};
use crate::layered::{FieldValue, join};
use crate::part_entries::{PartChange, PartEntry};
use crate::schema::Settings;
use crate::stack::{PlacedSettings, Stack, refuse};

/// Fields that define the kind of a part.
const KINDS: [&str; 6] = ["rope", "cloth", "net", "mesh", "graph", "solid"];

/// Layers of a body, from which its parts are built.
pub struct PartLayers<'a> {
    /// Layers of scene files. Layers of the command line, in `typed`, are above a part's own layer.
    written: Stack<'a>,
    typed: Stack<'a>,
    /// Merged layers of files, without the list of parts.
    shared: Settings,
    /// Settings of single parts, from the lowest layer to the highest, with their names.
    changes: Vec<(&'a str, PlacedSettings<'a>)>,
}

impl<'a> PartLayers<'a> {
    /// Splits the layers of a body.
    pub fn new(stack: &Stack<'a>) -> Self {
        let (typed, written): (Stack<'_>, Stack<'_>) =
            stack.iter().cloned().partition(|layer| layer.source.option.is_some());
        let mut shared = Settings::default();
        for layer in &written {
            let mut settings = layer.settings.clone();
            (settings.parts, settings.part_changes) = (None, None);
            shared.overlay(&settings);
        }
        let mut changes = Vec::new();
        for layer in stack {
            let list = layer.settings.part_changes.iter();
            for (index, PartChange { name, with }) in list.flat_map(|it| it.0.iter().enumerate()) {
                let prefix = join(&layer.prefix, &format!("part_changes[{index}].with"));
                let placed = PlacedSettings { source: layer.source, prefix, settings: with };
                changes.extend(name.as_deref().map(|name| (name, placed)));
            }
        }
        Self { written, typed, shared, changes }
    }

    /// Returns the settings that name the part of an entry, from the lowest layer to the highest.
    fn of(&self, entry: &PartEntry) -> impl Iterator<Item = &PlacedSettings<'a>> {
        let is_it = |name: &&str| entry.name.as_deref() == Some(*name);
        self.changes.iter().filter(move |(name, _)| is_it(name)).map(|(_, placed)| placed)
    }

    /// Returns the layers of a part: the files of its body, its own, and the command line on top.
    pub fn stack(&self, index: usize, entry: &'a PartEntry) -> Stack<'a> {
        let all = || self.written.iter().chain(&self.typed);
        let owner = all().rev().find(|layer| layer.settings.parts.is_some());
        let own = owner.map(|owner| PlacedSettings {
            source: owner.source,
            prefix: join(&owner.prefix, &format!("parts[{index}].with")),
            settings: &entry.with,
        });
        let lower = self.written.iter().cloned().chain(own).chain(self.typed.iter().cloned());
        lower.chain(self.of(entry).cloned()).collect()
    }

    /// Returns the merged settings of a part. The kind that the part sets hides the kind of its
    /// body.
    pub fn settings(&self, entry: &PartEntry) -> Settings {
        let mut settings = self.shared.clone();
        settings.overlay(&entry.with);
        for layer in &self.typed {
            settings.overlay(layer.settings);
        }
        for change in self.of(entry) {
            settings.overlay(change.settings);
        }
        (settings.parts, settings.part_changes) = (None, None);
        if let Some(kind) = kind_of(&entry.with) {
            KINDS
                .iter()
                .filter(|other| **other != kind)
                .for_each(|other| settings.leave_out(other));
        }
        settings
    }
}

/// Returns the kind of part that the settings set, or `None` if they set none.
pub(super) fn kind_of(settings: &Settings) -> Option<&'static str> {
    let mut own = Vec::new();
    settings.set_paths("", Scope::Body, &mut own);
    let is_own = |kind: &&&str| own.iter().any(|(path, _)| top(path) == **kind);
    KINDS.iter().find(is_own).copied()
}

/// Returns the first name of a path.
fn top(path: &str) -> &str {
    path.split(['.', '[']).next().unwrap_or(path)
}

/// Rejects fields that cannot differ between parts, and parts with two kinds.
pub fn check_part(layer: &PlacedSettings<'_>) -> Result<(), SceneError> {
    let stack = vec![layer.clone()];
    let mut set = Vec::new();
    layer.settings.set_paths("", Scope::Body, &mut set);
    if let Some((path, _)) = set.iter().find(|(path, _)| !PART_FIELDS.contains(&top(path))) {
        let message = format!("`{path}` must be the same for all parts");
        let help = format!("set it next to `parts`; a part can have {}", PART_FIELDS.join(", "));
        return Err(refuse(&stack, path, Fault::new(message).help(help)));
    }
    let mut kinds = KINDS.iter().filter(|kind| set.iter().any(|(path, _)| top(path) == **kind));
    if let (Some(first), Some(second)) = (kinds.next(), kinds.next()) {
        let message = format!("a part cannot be both a {first} and a {second}");
        let help = "split it into two parts, and join them";
        return Err(refuse(&stack, second, Fault::new(message).help(help)));
    }
    Ok(())
}
