//! Versions and extensions of glTF: which are read, and which are ignored.

use super::document::{ExtensionNames, JsonDocument};
use super::messages::{FilePosition, GltfError, NoteKind, NoteList};
use std::collections::BTreeSet;

/// Supported extensions: vertices of small integers, which accessors decode in any case, hidden
/// nodes, and parts of textures.
const READ: [&str; 3] = ["KHR_mesh_quantization", "KHR_node_visibility", "KHR_texture_transform"];

/// Extension whose diffuse colour is read as a base colour.
const GLOSSINESS: &str = "KHR_materials_pbrSpecularGlossiness";

/// Name prefixes of extensions that only change the appearance.
const APPEARANCE: [&str; 7] = [
    "EXT_lights_",
    "EXT_texture_",
    "KHR_lights_",
    "KHR_materials_",
    "KHR_texture_",
    "KHR_xmp",
    "MSFT_texture_",
];

/// Extensions that compress the bytes of meshes.
const COMPRESSED: [&str; 3] =
    ["EXT_meshopt_compression", "KHR_draco_mesh_compression", "KHR_meshopt_compression"];

/// Advice about a compressed figure.
const DECOMPRESS: &str = "export the figure without compression";

/// Returns the compression that the extensions of an object name.
pub(super) fn compression(extensions: &ExtensionNames) -> Option<&'static str> {
    COMPRESSED.into_iter().find(|name| extensions.contains_key(*name))
}

/// Returns the error of data that exists only in compressed form.
pub(super) fn compressed(place: FilePosition<'_>, name: &str) -> GltfError {
    GltfError::new(place, format_args!("its data is compressed with {name}: {DECOMPRESS}"))
}

/// Rejects versions other than 2, and required extensions that are not supported.
pub(super) fn check(document: &JsonDocument, notes: &mut NoteList) -> Result<(), GltfError> {
    let asset = &document.asset;
    let version = &asset.version;
    let is_two = version == "2" || version.starts_with("2.");
    let message = format_args!("“{version}”, but only glTF 2.0 is supported");
    GltfError::unless(is_two, "asset.version", message)?;
    let minimum = asset.min_version.as_deref().unwrap_or("2.0");
    let message = format_args!("“{minimum}”, but only glTF 2.0 is supported");
    GltfError::unless(matches!(minimum, "2" | "2.0"), "asset.minVersion", message)?;
    for (index, name) in document.extensions_required.iter().enumerate() {
        let is_appearance = APPEARANCE.iter().any(|prefix| name.starts_with(prefix));
        if !is_appearance && !READ.contains(&name.as_str()) {
            let advice = if COMPRESSED.contains(&name.as_str()) {
                DECOMPRESS
            } else {
                "export the figure without it"
            };
            let place = format_args!("extensionsRequired[{index}]");
            return Err(GltfError::new(place, format_args!("“{name}” is not supported: {advice}")));
        }
    }
    note_unread(document, notes);
    Ok(())
}

/// Adds notes about ignored extensions. Compression needs no note: compressed data has been
/// rejected, or also exists uncompressed.
fn note_unread(document: &JsonDocument, notes: &mut NoteList) {
    let all = document.extensions_used.iter().chain(&document.extensions_required);
    let read = |name: &str| READ.contains(&name) || COMPRESSED.contains(&name);
    let unread: BTreeSet<&str> =
        all.map(String::as_str).filter(|name| !read(name) && *name != GLOSSINESS).collect();
    let is_appearance = |name: &&str| APPEARANCE.iter().any(|prefix| name.starts_with(prefix));
    let (appearance, others): (Vec<&str>, Vec<&str>) = unread.into_iter().partition(is_appearance);
    if !appearance.is_empty() {
        let names = appearance.join(", ");
        notes.add(NoteKind::Looks, || format!("ignored: appearance settings of {names}"));
    }
    if !others.is_empty() {
        let one = if others.len() == 1 { "extension" } else { "extensions" };
        notes.add(NoteKind::Extension, || format!("ignored: {one} {}", others.join(", ")));
    }
}
