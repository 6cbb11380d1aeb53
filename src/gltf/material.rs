//! Colours of materials.

use super::document::{AlphaMode, Document};
use super::error::{GltfError, Place};
use super::source::pick;
use super::value::{Whole, values};
use crate::sim::drive::track::color_space::encode;

/// How a mesh looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The base colour: red, green and blue in sRGB, and how opaque it is, each from 0 to 1.
    pub color: [f64; 4],
    /// Whether triangles are seen from behind, too.
    pub is_double_sided: bool,
}

impl Look {
    /// What has no material: white, and seen from its front alone.
    const WHITE: Self = Self { color: [1.0; 4], is_double_sided: false };
}

/// The looks of all materials.
pub(super) fn looks(document: &Document) -> Result<Vec<Look>, GltfError> {
    let mut looks = Vec::with_capacity(document.materials.len());
    for (index, material) in document.materials.iter().enumerate() {
        let factor = material.pbr_metallic_roughness.base_color_factor;
        let [r, g, b, alpha] = factor.map_or([1.0; 4], values);
        let is_fine = [r, g, b, alpha].iter().all(|part| (0.0..=1.0).contains(part));
        let place = format_args!("materials[{index}].pbrMetallicRoughness.baseColorFactor");
        GltfError::unless(is_fine, place, "expected four numbers from 0 to 1")?;
        let alpha = if material.alpha_mode == AlphaMode::Blend { alpha } else { 1.0 };
        let [r, g, b] = [r, g, b].map(|light| encode(light).0);
        looks.push(Look { color: [r, g, b, alpha], is_double_sided: material.double_sided });
    }
    Ok(looks)
}

/// The look of what has a material, or none.
pub(super) fn look(
    looks: &[Look],
    place: Place<'_>,
    material: Option<Whole>,
) -> Result<Look, GltfError> {
    match material {
        None => Ok(Look::WHITE),
        Some(index) => pick(looks, index, place, "material").copied(),
    }
}
