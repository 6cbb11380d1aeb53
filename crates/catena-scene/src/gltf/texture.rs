//! Textures of base colours: their pictures, filters and coordinates.

use super::document::{
    AlphaMode, Attributes, ElementType, JsonDocument, JsonMaterial, JsonTexture, TextureInfo,
    TextureSampler, Whole, values,
};
use super::limits::Allowance;
use super::material::{CUTOFF, base_color};
use super::messages::{FilePosition, GltfError, NoteKind, NoteList, TextureCounts};
use super::picture::Picture;
use super::source::{GltfSource, ReadFile, pick, resource};
use catena_sim::drive::track::color_space::{decode, encode};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Picture of a texture, with smaller copies for small triangles.
#[derive(Debug, PartialEq)]
pub struct Texture {
    /// The picture and its halvings, down to one pixel.
    pub levels: Vec<TextureLevel>,
    /// Continuation beyond the edges in x and y.
    pub wraps: [Wrap; 2],
    /// Whether magnified pixels keep sharp edges instead of being interpolated.
    pub is_sharp: bool,
}

/// Picture of a texture at one size.
#[derive(Debug, PartialEq)]
pub struct TextureLevel {
    /// Width and height in pixels, each at least 1.
    pub size: [usize; 2],
    /// Red, green and blue in sRGB, and opacity, row by row from the top.
    pub pixels: Vec<[u8; 4]>,
}

/// Continuation of a texture beyond its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// Repeats the picture.
    Repeat,
    /// Repeats the picture, with every second copy mirrored.
    Mirror,
    /// Repeats the pixels at the edge.
    Clamp,
}

/// Texture of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshTexture {
    /// The picture.
    pub texture: Arc<Texture>,
    /// Texture coordinates of each vertex: from 0 at the left to 1 at the right, and from 0 at the
    /// top to 1 at the bottom.
    pub places: Arc<[[f32; 2]]>,
    /// Opacity below which the mesh has holes; 0 if it has none.
    pub cutoff: f32,
}

impl Texture {
    /// Returns the mean colour in sRGB.
    pub fn mean(&self) -> [u8; 3] {
        let last = self.levels.last().and_then(|level| level.pixels.first());
        let [r, g, b, _] = last.copied().unwrap_or([u8::MAX; 4]);
        [r, g, b]
    }

    /// Whether some pixels are neither opaque nor fully transparent.
    fn is_soft(&self) -> bool {
        let pixels = self.levels.first().map_or(&[][..], |level| &level.pixels);
        pixels.iter().any(|pixel| (1..u8::MAX).contains(&pixel[3]))
    }

    /// Creates the texture of a picture. If `has_alpha` is false, all pixels become opaque.
    fn new(picture: Picture, sampler: &TextureSampler, has_alpha: bool) -> Self {
        let Picture { size, mut pixels } = picture;
        if !has_alpha {
            pixels.iter_mut().for_each(|pixel| pixel[3] = u8::MAX);
        }
        let mut levels = vec![TextureLevel { size, pixels }];
        let light: Vec<f64> = (0..=u8::MAX).map(|byte| decode(f64::from(byte) / 255.0).0).collect();
        while let Some(last) = levels.last().filter(|last| last.size != [1, 1]) {
            let half = last.half(&light);
            levels.push(half);
        }
        let wrap = |code: Whole| match code.0 {
            33_071 => Wrap::Clamp,
            33_648 => Wrap::Mirror,
            _ => Wrap::Repeat,
        };
        let wraps = [wrap(sampler.wrap_s), wrap(sampler.wrap_t)];
        Self { levels, wraps, is_sharp: sampler.mag_filter.0 == 9_728 }
    }
}

impl TextureLevel {
    /// Returns the picture at half size. Colours are averaged in linear light, weighted by opacity.
    fn half(&self, light: &[f64]) -> Self {
        let [w, h] = self.size;
        let size = [(w / 2).max(1), (h / 2).max(1)];
        let range = |at: usize, of: usize, all: usize| at * all / of..(at + 1) * all / of;
        let pixel = |index: usize| {
            let (mut sums, mut opacity, mut count) = ([0.0; 3], 0.0, 0.0);
            for y in range(index / size[0], size[1], h) {
                for x in range(index % size[0], size[0], w) {
                    let [r, g, b, alpha] = self.pixels[y * w + x];
                    let alpha = f64::from(alpha) / 255.0;
                    let parts = [r, g, b].map(|byte| light[byte as usize]);
                    (0..3).for_each(|k| sums[k] += alpha * parts[k]);
                    (opacity, count) = (opacity + alpha, count + 1.0);
                }
            }
            let byte = |share: f64| libm::rint(255.0 * share) as u8;
            let [r, g, b] =
                sums.map(|sum| if opacity > 0.0 { byte(encode(sum / opacity).0) } else { 0 });
            [r, g, b, byte(opacity / count)]
        };
        Self { size, pixels: (0..size[0] * size[1]).map(pixel).collect() }
    }
}

/// Texture of a material.
#[derive(Clone, Debug)]
pub(super) struct MaterialTexture {
    texture: Arc<Texture>,
    /// Number n of the vertices' `TEXCOORD_n`.
    set: u32,
    /// Rows of the affine map from texture coordinates of the file to texture coordinates of the
    /// picture.
    map: [[f64; 3]; 2],
    cutoff: f32,
}

/// Opacity below which a blended material with a texture has holes.
const BLENDED: f32 = 0.5;

/// Reads the textures of the base colours of all materials. A texture that cannot be read is
/// noted.
pub(super) fn base_textures(
    source: &GltfSource<'_>,
    files: &mut ReadFile<'_>,
    maximum: u64,
    allowance: &mut Allowance<'_>,
    notes: &mut NoteList,
) -> Result<(Vec<Option<MaterialTexture>>, TextureCounts), GltfError> {
    let document = source.document;
    let mut known: BTreeMap<(usize, bool), Option<Arc<Texture>>> = BTreeMap::new();
    let mut all = Vec::with_capacity(document.materials.len());
    for (index, material) in document.materials.iter().enumerate() {
        let Some(info) = base_texture(material) else {
            all.push(None);
            continue;
        };
        let place = format_args!("materials[{index}]");
        let named = pick(&document.textures, info.index, place, "texture")?;
        let has_alpha = material.alpha_mode != AlphaMode::Opaque;
        let key = (info.index.0, has_alpha);
        let texture = match known.get(&key) {
            Some(texture) => texture.clone(),
            None => {
                let place = format_args!("textures[{}]", info.index.0);
                let picture = picture(source, files, maximum, place, named, allowance)?;
                let read = picture.and_then(|picture| {
                    let sampler = sampler(document, named)?;
                    Ok(Arc::new(Texture::new(picture, &sampler, has_alpha)))
                });
                let read = read.map_err(|why| {
                    notes.add(NoteKind::Texture, || format!("{place} is ignored: {why}"));
                });
                known.entry(key).or_insert(read.ok()).clone()
            }
        };
        let transform = info.extensions.transform.clone().unwrap_or_default();
        all.push(texture.map(|texture| MaterialTexture {
            texture,
            set: transform.tex_coord.unwrap_or(info.tex_coord).0 as u32,
            map: map(info),
            cutoff: cutoff(material),
        }));
    }
    let mut read: Vec<usize> =
        known.iter().filter(|(_, texture)| texture.is_some()).map(|(key, _)| key.0).collect();
    read.dedup();
    let is_soft = |(material, texture): &(&JsonMaterial, &Option<MaterialTexture>)| {
        let soft = |texture: &MaterialTexture| texture.texture.is_soft();
        material.alpha_mode == AlphaMode::Blend && texture.as_ref().is_some_and(soft)
    };
    let soft = document.materials.iter().zip(&all).filter(is_soft).count();
    Ok((all, TextureCounts { read: read.len(), soft }))
}

/// Returns the texture of a material's base colour. The older material model takes precedence.
fn base_texture(material: &JsonMaterial) -> Option<&TextureInfo> {
    match &material.extensions.glossiness {
        Some(older) => older.diffuse_texture.as_ref(),
        None => material.pbr_metallic_roughness.base_color_texture.as_ref(),
    }
}

/// Returns the opacity of a texture below which its material has holes. The opacity of a masked
/// material is the product of the material's own opacity and the texture's.
fn cutoff(material: &JsonMaterial) -> f32 {
    let (factor, _) = base_color(material);
    let [.., alpha] = factor.map_or([1.0; 4], values);
    let minimum = material.alpha_cutoff.map_or(CUTOFF, |cutoff| cutoff.0);
    match material.alpha_mode {
        AlphaMode::Opaque => 0.0,
        AlphaMode::Mask if alpha > 0.0 => (minimum / alpha) as f32,
        AlphaMode::Mask | AlphaMode::Blend => BLENDED,
    }
}

/// Returns the affine map of `KHR_texture_transform`: scale, then rotation, then offset. Positive
/// rotations are counterclockwise with y pointing down.
fn map(info: &TextureInfo) -> [[f64; 3]; 2] {
    let Some(it) = &info.extensions.transform else { return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] };
    let [x, y] = it.offset.map_or([0.0; 2], values);
    let [w, h] = it.scale.map_or([1.0; 2], values);
    let (sin, cos) = (libm::sin(it.rotation.0), libm::cos(it.rotation.0));
    [[cos * w, sin * h, x], [-sin * w, cos * h, y]]
}

fn sampler(document: &JsonDocument, texture: &JsonTexture) -> Result<TextureSampler, String> {
    let Some(index) = texture.sampler else { return Ok(TextureSampler::default()) };
    let found = document.samplers.get(index.0);
    let TextureSampler { mag_filter, wrap_s, wrap_t } =
        found.ok_or_else(|| format!("there is no sampler {}", index.0))?;
    Ok(TextureSampler { mag_filter: *mag_filter, wrap_s: *wrap_s, wrap_t: *wrap_t })
}

/// Reads the picture of a texture. The outer error is an exceeded limit, the inner error the reason
/// why there is no picture.
fn picture(
    source: &GltfSource<'_>,
    files: &mut ReadFile<'_>,
    maximum: u64,
    place: FilePosition<'_>,
    texture: &JsonTexture,
    allowance: &mut Allowance<'_>,
) -> Result<Result<Picture, String>, GltfError> {
    let document = source.document;
    let Some(index) = texture.source else {
        return Ok(Err("it has no PNG or JPEG image".into()));
    };
    let Some(image) = document.images.get(index.0) else {
        return Ok(Err(format!("there is no image {}", index.0)));
    };
    let bytes = match (&image.uri, image.buffer_view) {
        (Some(uri), _) => resource(uri, files, maximum),
        (None, Some(view)) => {
            let place = format_args!("images[{}].bufferView", index.0);
            let view = source.view(place, view).map_err(|error| error.to_string());
            view.map(|view| view.bytes.to_vec())
        }
        (None, None) => Err(format!("images[{}] has no data", index.0)),
    };
    let opened = bytes.and_then(|bytes| {
        let size = Picture::size(&bytes)?;
        Ok((bytes, size))
    });
    match opened {
        Err(why) => Ok(Err(why)),
        Ok((bytes, [w, h])) => {
            // Four bytes per pixel, a third more for the smaller copies, and four for decoding.
            allowance.count_memory(place, w as u64 * h as u64, 10)?;
            Ok(Picture::read(&bytes))
        }
    }
}

impl MaterialTexture {
    /// Returns the texture of a mesh with `count` vertices. Returns `None` if its attributes have
    /// no texture coordinates.
    pub(super) fn on_mesh(
        &self,
        source: &GltfSource<'_>,
        place: FilePosition<'_>,
        attributes: &Attributes,
        count: usize,
        allowance: &mut Allowance<'_>,
    ) -> Result<Option<MeshTexture>, GltfError> {
        let Some(&index) = attributes.places.get(&self.set) else { return Ok(None) };
        let place = format_args!("{place}.TEXCOORD_{}", self.set);
        let accessor = source.accessor(place, index, ElementType::Vec2, allowance)?;
        accessor.expect_count(place, count, "one for each vertex")?;
        allowance.count_memory(place, count as u64, size_of::<[f32; 2]>())?;
        let vertex = |vertex: usize| {
            let [u, v] = accessor.finite(place, vertex)?;
            Ok(self.map.map(|[a, b, c]| (a * u + b * v + c) as f32))
        };
        let places = (0..count).map(vertex).collect::<Result<_, GltfError>>()?;
        Ok(Some(MeshTexture { texture: Arc::clone(&self.texture), places, cutoff: self.cutoff }))
    }
}
