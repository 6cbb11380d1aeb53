//! Errors of the fields and options of a layer.

use crate::assembly::check_part;
use crate::diagnostic::Fault;
use crate::error::SceneError;
use crate::grammar::Scope;
use crate::layered::{FieldValue, join};
use crate::rivals;
use crate::stack::{PlacedSettings, refuse};

/// Rejects fields that are not allowed in a layer, and options that are out of range.
pub(crate) fn check_layer(layer: &PlacedSettings<'_>, level: Scope) -> Result<(), SceneError> {
    layer_faults(layer, level).into_iter().next().map_or(Ok(()), Err)
}

/// Returns the errors of all fields that are not allowed in a layer, and of all invalid options.
pub(crate) fn layer_faults(layer: &PlacedSettings<'_>, level: Scope) -> Vec<SceneError> {
    let stack = vec![layer.clone()];
    let mut all = Vec::new();
    let mut set = Vec::new();
    layer.settings.set_paths("", level, &mut set);
    for (path, scope) in set.iter().filter(|(_, scope)| *scope < level) {
        let where_to = match scope {
            Scope::Scene => "it applies to the whole picture: set it in `base`",
            _ => "it applies to the whole panel: set it in the panel's `with` or in `base`",
        };
        let message = format!("`{path}` cannot be set here");
        all.push(refuse(&stack, path, Fault::new(message).help(where_to)));
    }
    all.extend(rivals::faults(layer));
    let mut faults = Vec::new();
    layer.settings.check_choices("", &mut faults);
    all.extend(faults.into_iter().map(|(path, fault)| refuse(&stack, &path, fault)));
    let settings = layer.settings;
    let parts = settings.parts.iter().flat_map(|list| &list.0).map(|part| &part.with);
    let changes = settings.part_changes.iter().flat_map(|list| &list.0).map(|part| &part.with);
    let bodies = settings.bodies.iter().flat_map(|list| &list.0).map(|body| &body.with);
    let within = |list: &str, index: usize, with| {
        let prefix = join(&layer.prefix, &format!("{list}[{index}].with"));
        PlacedSettings { source: layer.source, prefix, settings: with }
    };
    let parts = parts.enumerate().map(|(index, with)| within("parts", index, with));
    let changes = changes.enumerate().map(|(index, with)| within("part_changes", index, with));
    for part in parts.chain(changes) {
        all.extend(check_part(&part).err());
        all.extend(layer_faults(&part, Scope::Body));
    }
    for (index, with) in bodies.enumerate() {
        all.extend(layer_faults(&within("bodies", index, with), Scope::Body));
    }
    all
}
