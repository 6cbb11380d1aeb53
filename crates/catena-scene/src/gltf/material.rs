//! Colours of materials.

use super::document::{AlphaMode, JsonDocument, JsonMaterial, JsonNumber, Whole, values};
use super::messages::{FilePosition, GltfError};
use super::source::pick;
use catena_sim::drive::track::color_space::encode;

/// Default minimum alpha at which a masked material is opaque.
pub(super) const CUTOFF: f64 = 0.5;

/// Appearance of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Base colour: red, green and blue in sRGB, and opacity, each from 0 to 1. A masked material
    /// has an opacity of 0 or 1.
    pub color: [f64; 4],
    /// Whether the back of triangles is visible.
    pub is_double_sided: bool,
}

impl Look {
    /// Appearance without a material: white and single-sided.
    const WHITE: Self = Self { color: [1.0; 4], is_double_sided: false };
}

/// Returns the appearance of all materials.
pub(super) fn looks(document: &JsonDocument) -> Result<Vec<Look>, GltfError> {
    let mut looks = Vec::with_capacity(document.materials.len());
    for (index, material) in document.materials.iter().enumerate() {
        let (factor, field) = base_color(material);
        let [r, g, b, alpha] = factor.map_or([1.0; 4], values);
        let is_fine = [r, g, b, alpha].iter().all(|part| (0.0..=1.0).contains(part));
        let place = format_args!("materials[{index}].{field}");
        GltfError::unless(is_fine, place, "expected four numbers from 0 to 1")?;
        let cutoff = material.alpha_cutoff.map_or(CUTOFF, |cutoff| cutoff.0);
        let alpha = match material.alpha_mode {
            AlphaMode::Opaque => 1.0,
            AlphaMode::Blend => alpha,
            AlphaMode::Mask => f64::from(alpha >= cutoff),
        };
        let [r, g, b] = [r, g, b].map(|light| encode(light).0);
        looks.push(Look { color: [r, g, b, alpha], is_double_sided: material.double_sided });
    }
    Ok(looks)
}

/// Returns the base colour of a material and the field that sets it. The diffuse colour of the
/// older material model takes precedence.
pub(super) fn base_color(material: &JsonMaterial) -> (Option<[JsonNumber; 4]>, &'static str) {
    match &material.extensions.glossiness {
        Some(older) => {
            (older.diffuse_factor, "extensions.KHR_materials_pbrSpecularGlossiness.diffuseFactor")
        }
        None => (
            material.pbr_metallic_roughness.base_color_factor,
            "pbrMetallicRoughness.baseColorFactor",
        ),
    }
}

/// Returns the appearance of a primitive with an optional material.
pub(super) fn look(
    looks: &[Look],
    place: FilePosition<'_>,
    material: Option<Whole>,
) -> Result<Look, GltfError> {
    match material {
        None => Ok(Look::WHITE),
        Some(index) => pick(looks, index, place, "material").copied(),
    }
}
