//! Versions and extensions of glTF: what can be read, and what can be passed over.

use super::document::Document;
use super::error::GltfError;
use super::notes::{About, Notes};

/// What is read: vertices of small whole numbers, as other accessors have them.
const READ: &str = "KHR_mesh_quantization";

/// The beginnings of names of extensions that change nothing but looks.
const LOOKS: [&str; 7] = [
    "EXT_lights_",
    "EXT_texture_",
    "KHR_lights_",
    "KHR_materials_",
    "KHR_texture_",
    "KHR_xmp",
    "MSFT_texture_",
];

/// Extensions that pack the bytes of meshes.
const PACKED: [&str; 3] =
    ["EXT_meshopt_compression", "KHR_draco_mesh_compression", "KHR_meshopt_compression"];

/// Refuses versions other than 2, and extensions without which the file cannot be understood.
pub(super) fn check(document: &Document, notes: &mut Notes) -> Result<(), GltfError> {
    let asset = &document.asset;
    let version = &asset.version;
    let is_two = version == "2" || version.starts_with("2.");
    let message = format_args!("“{version}”, but only glTF 2.0 is read");
    GltfError::unless(is_two, "asset.version", message)?;
    let least = asset.min_version.as_deref().unwrap_or("2.0");
    let message = format_args!("“{least}”, but only glTF 2.0 is read");
    GltfError::unless(matches!(least, "2" | "2.0"), "asset.minVersion", message)?;
    for (index, name) in document.extensions_required.iter().enumerate() {
        let is_looks = LOOKS.iter().any(|prefix| name.starts_with(prefix));
        if is_looks {
            notes.add(About::Extension, || format!("left out: what {name} says about looks"));
        } else if name != READ {
            let advice = if PACKED.contains(&name.as_str()) {
                "export the figure without compression"
            } else {
                "export the figure without it"
            };
            let place = format_args!("extensionsRequired[{index}]");
            return Err(GltfError::new(place, format_args!("“{name}” is not read: {advice}")));
        }
    }
    Ok(())
}
