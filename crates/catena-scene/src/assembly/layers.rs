//! Layers of parts: the layers of their body with each part's own on top.

use super::PartEntry;
use crate::diagnostic::Fault;
use crate::error::SceneError;
use crate::layered::{FieldValue, Scope, join};
use crate::schema::Settings;
use crate::stack::{PlacedSettings, Stack, refuse};

/// Fields that may differ between parts. A body has every other field only once.
pub const PART_FIELDS: [&str; 8] =
    ["rope", "cloth", "net", "mesh", "graph", "solid", "style", "contact"];

/// Fields that define the kind of a part.
const KINDS: [&str; 6] = ["rope", "cloth", "net", "mesh", "graph", "solid"];

/// Layers of a body, from which its parts are built.
pub struct PartLayers<'a> {
    /// Layers of scene files. Layers of the command line, in `typed`, are above a part's own layer.
    written: Stack<'a>,
    typed: Stack<'a>,
    /// Merged layers of files, without the list of parts.
    shared: Settings,
}

impl<'a> PartLayers<'a> {
    /// Splits the layers of a body.
    pub fn new(stack: &Stack<'a>) -> Self {
        let (typed, written): (Stack<'_>, Stack<'_>) =
            stack.iter().cloned().partition(|layer| layer.source.option.is_some());
        let mut shared = Settings::default();
        for layer in &written {
            let mut settings = layer.settings.clone();
            settings.parts = None;
            shared.overlay(&settings);
        }
        Self { written, typed, shared }
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
        self.written.iter().cloned().chain(own).chain(self.typed.iter().cloned()).collect()
    }

    /// Returns the merged settings of a part. The kind that the part sets hides the kind of its
    /// body.
    pub fn settings(&self, entry: &PartEntry) -> Settings {
        let mut settings = self.shared.clone();
        settings.overlay(&entry.with);
        for layer in &self.typed {
            settings.overlay(layer.settings);
        }
        settings.parts = None;
        let mut own = Vec::new();
        entry.with.set_paths("", Scope::Body, &mut own);
        let is_own = |kind: &&&str| own.iter().any(|(path, _)| top(path) == **kind);
        if let Some(kind) = KINDS.iter().find(is_own) {
            KINDS.iter().filter(|other| *other != kind).for_each(|other| settings.leave_out(other));
        }
        settings
    }
}

/// Returns the first name of a path.
fn top(path: &str) -> &str {
    path.split(['.', '[']).next().unwrap_or(path)
}

/// Rejects fields that parts cannot have of their own, and parts of two kinds.
pub fn check_part(layer: &PlacedSettings<'_>) -> Result<(), SceneError> {
    let stack = vec![layer.clone()];
    let mut set = Vec::new();
    layer.settings.set_paths("", Scope::Body, &mut set);
    if let Some((path, _)) = set.iter().find(|(path, _)| !PART_FIELDS.contains(&top(path))) {
        let message = format!("`{path}` cannot differ from part to part");
        let help = format!("set it next to `parts`; a part can have {}", PART_FIELDS.join(", "));
        return Err(refuse(&stack, path, Fault::new(message).help(help)));
    }
    let mut kinds = KINDS.iter().filter(|kind| set.iter().any(|(path, _)| top(path) == **kind));
    if let (Some(first), Some(second)) = (kinds.next(), kinds.next()) {
        let message = format!("a part is either a {first} or a {second}");
        let help = "make two parts of it, and join them";
        return Err(refuse(&stack, second, Fault::new(message).help(help)));
    }
    Ok(())
}
