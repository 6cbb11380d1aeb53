//! Where a value comes from: the layer below that sets a field, the file of a name.

use super::documents::Document;
use super::place::Place;
use super::text::Text;
use super::{defaults_file, uri};
use catena_ron::{Slot, Tree, locate};
use catena_scene::defaults;
use catena_scene::grammar::Grammar;
use lsp_types::{Location, Position, Range};

/// Where the value of the field at the cursor comes from that it replaces, or the file that is
/// named there.
///
/// # Errors
/// When it comes from the defaults and they cannot be shown as a file, with the reason.
pub(super) fn location(document: &Document, place: &Place<'_>) -> Result<Option<Location>, String> {
    let is_name = place.slot() == Slot::Name;
    if !is_name && let Some(found) = named_file(document, place) {
        return Ok(Some(found));
    }
    let member = place.member();
    let Some(path) = member.and_then(|member| place.setting(member.name)) else { return Ok(None) };
    let below = layers_below(&place.layer);
    // In a text with errors a bracket may be missing, and paths lead astray.
    let is_valid = ron::value::RawValue::from_ron(place.text).is_ok();
    let tree = Tree::parse(if is_valid { place.text } else { "" });
    let find = |layer: &String| tree.root().locate(&format!("{layer}.{path}"));
    if let Some(found) = below.iter().find_map(find) {
        return Ok(Some(Location::new(document.uri.clone(), document.range(&found.span()))));
    }
    let Some(span) = locate(defaults(), &path) else { return Ok(None) };
    let range = Text::new(defaults().into()).range(&span);
    let uri = uri::of_path(&defaults_file::written()?);
    Ok(uri.map(|uri| Location::new(uri, range)))
}

/// The layers below one in the same file, from the highest: of `panels[1].with.bodies[0].with`
/// `panels[1].with` and `base`.
fn layers_below(layer: &str) -> Vec<String> {
    let mut layers = Vec::new();
    let mut rest = layer.strip_suffix(".with").unwrap_or_default();
    while let Some(at) = rest.rfind(".with.") {
        layers.push(rest[..at + ".with".len()].to_owned());
        rest = &rest[..at];
    }
    let base = if layer.starts_with("scene.") { "scene.base" } else { "base" };
    // Parts of the base lie above it.
    if layer != base {
        layers.push(base.into());
    }
    layers
}

/// The file whose name is under the cursor.
fn named_file(document: &Document, place: &Place<'_>) -> Option<Location> {
    let is_file = place.value.alternatives().iter().any(|it| matches!(it, Grammar::File(_)));
    let name: String = ron::from_str(place.word().filter(|_| is_file)?).ok()?;
    let path = document.path()?.parent()?.join(name);
    let start = Range::new(Position::new(0, 0), Position::new(0, 0));
    path.is_file().then(|| Some(Location::new(uri::of_path(&path)?, start)))?
}
