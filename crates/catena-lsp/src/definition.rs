//! Definition of a value: the lower layer that sets a field, or the file that a name refers to.

use super::documents::Document;
use super::place::Place;
use super::text::Text;
use super::{defaults_file, uri};
use catena_scene::cursor::Slot;
use catena_scene::grammar::Grammar;
use catena_scene::{defaults, locate::locate};
use lsp_types::{Location, Position, Range};

/// Returns the location of the value that the field at the cursor overrides, or of the file that is
/// named at the cursor.
///
/// # Errors
/// Returns the reason as text when the defaults define the field and their file cannot be written.
pub(super) fn location(document: &Document, place: &Place<'_>) -> Result<Option<Location>, String> {
    let is_name = place.slot() == Slot::Name;
    if !is_name && let Some(found) = named_file(document, place) {
        return Ok(Some(found));
    }
    let member = place.member();
    let Some(path) = member.and_then(|member| place.setting(member.name)) else { return Ok(None) };
    let below = layers_below(&place.layer);
    let found = below.iter().find_map(|layer| locate(place.text, &format!("{layer}.{path}")));
    if let Some(found) = found {
        return Ok(Some(Location::new(document.uri.clone(), document.range(&found))));
    }
    let Some(span) = locate(defaults(), &path) else { return Ok(None) };
    let range = Text::new(defaults().into()).range(&span);
    let uri = uri::of_path(&defaults_file::written()?);
    Ok(uri.map(|uri| Location::new(uri, range)))
}

/// Returns the lower layers in the same file, highest first. For `panels[1].with.bodies[0].with`
/// these are `panels[1].with` and `base`.
fn layers_below(layer: &str) -> Vec<String> {
    let mut layers = Vec::new();
    let mut rest = layer.strip_suffix(".with").unwrap_or_default();
    while let Some(at) = rest.rfind(".with.") {
        layers.push(rest[..at + ".with".len()].to_owned());
        rest = &rest[..at];
    }
    let base = if layer.starts_with("scene.") { "scene.base" } else { "base" };
    // The base is below its own parts.
    if layer != base {
        layers.push(base.into());
    }
    layers
}

/// Returns the location of the file whose name is under the cursor.
fn named_file(document: &Document, place: &Place<'_>) -> Option<Location> {
    let is_file = place.value.alternatives().iter().any(|it| matches!(it, Grammar::File(_)));
    let name: String = ron::from_str(place.word().filter(|_| is_file)?).ok()?;
    let path = document.path()?.parent()?.join(name);
    let start = Range::new(Position::new(0, 0), Position::new(0, 0));
    path.is_file().then(|| Some(Location::new(uri::of_path(&path)?, start)))?
}
