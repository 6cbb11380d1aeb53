//! Colours of materials.

use super::document::{AlphaMode, Document, Material};
use super::error::{GltfError, Place};
use super::source::pick;
use super::value::{Number, Whole, values};
use catena_sim::drive::track::color_space::encode;

/// The least alpha that a mask lets through, where the file says nothing.
const CUTOFF: f64 = 0.5;

/// How a mesh looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The base colour: red, green and blue in sRGB, and how opaque it is, each from 0 to 1. A
    /// mask that lets nothing through gives 0.
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

/// The base colour of a material, and the field that has it: the diffuse colour of the older model
/// of materials, where a file has that.
fn base_color(material: &Material) -> (Option<[Number; 4]>, &'static str) {
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

/// Count of materials whose transparency is left out: an alpha between 0 and 1, or one from a
/// texture.
pub(super) fn transparent(document: &Document, looks: &[Look]) -> usize {
    let is_transparent = |(material, look): &(&Material, &Look)| {
        let [.., alpha] = look.color;
        let older = material.extensions.glossiness.as_ref();
        let texture = match older {
            Some(older) => &older.diffuse_texture,
            None => &material.pbr_metallic_roughness.base_color_texture,
        };
        let is_partly = alpha > 0.0 && (alpha < 1.0 || texture.is_some());
        material.alpha_mode != AlphaMode::Opaque && is_partly
    };
    document.materials.iter().zip(looks).filter(is_transparent).count()
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
