//! Schema of the JSON of a figure, limited to what figures need. Other fields are ignored.

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;

/// Root object of a figure file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct JsonDocument {
    pub(super) asset: Asset,
    #[serde(default)]
    pub(super) extensions_required: Vec<String>,
    #[serde(default)]
    pub(super) extensions_used: Vec<String>,
    pub(super) scene: Option<Whole>,
    #[serde(default)]
    pub(super) scenes: Vec<JsonScene>,
    #[serde(default)]
    pub(super) nodes: Vec<JsonNode>,
    #[serde(default)]
    pub(super) meshes: Vec<JsonMesh>,
    #[serde(default)]
    pub(super) skins: Vec<JsonSkin>,
    #[serde(default)]
    pub(super) animations: Vec<JsonAnimation>,
    #[serde(default)]
    pub(super) accessors: Vec<JsonAccessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub(super) buffers: Vec<Buffer>,
    #[serde(default)]
    pub(super) materials: Vec<JsonMaterial>,
    #[serde(default)]
    pub(super) textures: Vec<JsonTexture>,
    #[serde(default)]
    pub(super) images: Vec<JsonImage>,
    #[serde(default)]
    pub(super) samplers: Vec<TextureSampler>,
    #[serde(default)]
    pub(super) cameras: Vec<IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct Asset {
    pub(super) version: String,
    pub(super) min_version: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct JsonScene {
    #[serde(default)]
    pub(super) nodes: Vec<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct JsonNode {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) children: Vec<Whole>,
    pub(super) mesh: Option<Whole>,
    pub(super) skin: Option<Whole>,
    pub(super) matrix: Option<Box<[JsonNumber; 16]>>,
    pub(super) translation: Option<[JsonNumber; 3]>,
    pub(super) rotation: Option<[JsonNumber; 4]>,
    pub(super) scale: Option<[JsonNumber; 3]>,
    /// Weights of the morph targets of its mesh.
    pub(super) weights: Option<Vec<JsonNumber>>,
    #[serde(default)]
    pub(super) extensions: NodeExtensions,
}

/// Extensions of a node that are read.
#[derive(Debug, Default, Deserialize)]
#[serde(default, expecting = "an object")]
pub(super) struct NodeExtensions {
    #[serde(rename = "KHR_node_visibility")]
    pub(super) visibility: Visibility,
}

#[derive(Debug, Deserialize)]
#[serde(default, expecting = "an object")]
pub(super) struct Visibility {
    pub(super) visible: bool,
}

impl Default for Visibility {
    fn default() -> Self {
        Self { visible: true }
    }
}

/// Names of the extensions of an object; their contents are skipped.
pub(super) type ExtensionNames = BTreeMap<String, IgnoredAny>;

#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct JsonMesh {
    pub(super) name: Option<String>,
    pub(super) primitives: Vec<Primitive>,
    /// Weights of the morph targets.
    pub(super) weights: Option<Vec<JsonNumber>>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: Option<Whole>,
    pub(super) material: Option<Whole>,
    pub(super) mode: Option<Whole>,
    #[serde(default)]
    pub(super) targets: Vec<TargetAttributes>,
    #[serde(default)]
    pub(super) extensions: ExtensionNames,
}

/// Accessors of the displacements of a morph target. Other attributes do not affect the drawing.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "UPPERCASE", default, expecting = "an object")]
pub(super) struct TargetAttributes {
    pub(super) position: Option<Whole>,
    pub(super) normal: Option<Whole>,
    #[serde(rename = "COLOR_0")]
    pub(super) color: Option<Whole>,
    #[serde(rename = "TEXCOORD_0")]
    pub(super) places: Option<Whole>,
}

/// Accessors of vertex attributes.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    pub(super) position: Option<Whole>,
    pub(super) normal: Option<Whole>,
    /// Accessors of `JOINTS_n` by n. `weights` holds the accessors of `WEIGHTS_n`.
    pub(super) joints: BTreeMap<u32, Whole>,
    pub(super) weights: BTreeMap<u32, Whole>,
    /// Accessor of the vertices' colours.
    pub(super) color: Option<Whole>,
    /// Whether vertices have further colours.
    pub(super) has_more_colors: bool,
    /// Accessors of `TEXCOORD_n` by n.
    pub(super) places: BTreeMap<u32, Whole>,
}

impl<'de> Deserialize<'de> for Attributes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AttributesVisitor)
    }
}

struct AttributesVisitor;

impl<'de> Visitor<'de> for AttributesVisitor {
    type Value = Attributes;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Attributes, A::Error> {
        let mut found = Attributes::default();
        while let Some((name, accessor)) = map.next_entry::<String, Whole>()? {
            let set = |prefix| name.strip_prefix(prefix).and_then(|n: &str| n.parse().ok());
            let before = match name.as_str() {
                "POSITION" => found.position.replace(accessor),
                "NORMAL" => found.normal.replace(accessor),
                "COLOR_0" => found.color.replace(accessor),
                _ => match (set("JOINTS_"), set("WEIGHTS_"), set("TEXCOORD_")) {
                    (Some(n), ..) => found.joints.insert(n, accessor),
                    (_, Some(n), _) => found.weights.insert(n, accessor),
                    (.., Some(n)) => found.places.insert(n, accessor),
                    _ => {
                        found.has_more_colors |= name.starts_with("COLOR_");
                        None
                    }
                },
            };
            if before.is_some() {
                return Err(A::Error::custom(format_args!("`{name}` occurs twice")));
            }
        }
        Ok(found)
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct JsonSkin {
    pub(super) joints: Vec<Whole>,
    pub(super) inverse_bind_matrices: Option<Whole>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct JsonAnimation {
    pub(super) name: Option<String>,
    pub(super) channels: Vec<Channel>,
    pub(super) samplers: Vec<Sampler>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Channel {
    pub(super) sampler: Whole,
    pub(super) target: ChannelTarget,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct ChannelTarget {
    pub(super) node: Option<Whole>,
    pub(super) path: TargetPath,
}

/// Property that a channel animates.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum TargetPath {
    Translation,
    Rotation,
    Scale,
    Weights,
    Pointer,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Sampler {
    pub(super) input: Whole,
    #[serde(default)]
    pub(super) interpolation: KeyInterpolation,
    pub(super) output: Whole,
}

/// Interpolation between the keys of a sampler.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum KeyInterpolation {
    #[default]
    Linear,
    Step,
    CubicSpline,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct JsonAccessor {
    pub(super) buffer_view: Option<Whole>,
    #[serde(default)]
    pub(super) byte_offset: Whole,
    pub(super) component_type: Whole,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: Whole,
    #[serde(rename = "type")]
    pub(super) shape: ElementType,
    pub(super) sparse: Option<Box<JsonSparse>>,
}

/// Type of an accessor's elements.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum ElementType {
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat2,
    Mat3,
    Mat4,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct JsonSparse {
    pub(super) count: Whole,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: Whole,
    #[serde(default)]
    pub(super) byte_offset: Whole,
    pub(super) component_type: Whole,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct SparseValues {
    pub(super) buffer_view: Whole,
    #[serde(default)]
    pub(super) byte_offset: Whole,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct BufferView {
    pub(super) buffer: Whole,
    #[serde(default)]
    pub(super) byte_offset: Whole,
    pub(super) byte_length: Whole,
    #[serde(default)]
    pub(super) byte_stride: Whole,
    #[serde(default)]
    pub(super) extensions: ExtensionNames,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: Whole,
    #[serde(default)]
    pub(super) extensions: ExtensionNames,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, expecting = "an object")]
pub(super) struct JsonMaterial {
    pub(super) pbr_metallic_roughness: Roughness,
    pub(super) alpha_mode: AlphaMode,
    pub(super) alpha_cutoff: Option<JsonNumber>,
    pub(super) double_sided: bool,
    pub(super) extensions: MaterialExtensions,
}

/// Extensions of a material that are read.
#[derive(Debug, Default, Deserialize)]
#[serde(default, expecting = "an object")]
pub(super) struct MaterialExtensions {
    #[serde(rename = "KHR_materials_pbrSpecularGlossiness")]
    pub(super) glossiness: Option<Glossiness>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, expecting = "an object")]
pub(super) struct Glossiness {
    pub(super) diffuse_factor: Option<[JsonNumber; 4]>,
    pub(super) diffuse_texture: Option<TextureInfo>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, expecting = "an object")]
pub(super) struct Roughness {
    pub(super) base_color_factor: Option<[JsonNumber; 4]>,
    pub(super) base_color_texture: Option<TextureInfo>,
}

/// Texture of a material.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct TextureInfo {
    pub(super) index: Whole,
    #[serde(default)]
    pub(super) tex_coord: Whole,
    #[serde(default)]
    pub(super) extensions: TextureExtensions,
}

/// Extensions of a texture of a material that are read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, expecting = "an object")]
pub(super) struct TextureExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub(super) transform: Option<TextureTransform>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, expecting = "an object")]
pub(super) struct TextureTransform {
    pub(super) offset: Option<[JsonNumber; 2]>,
    pub(super) rotation: JsonNumber,
    pub(super) scale: Option<[JsonNumber; 2]>,
    pub(super) tex_coord: Option<Whole>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, expecting = "an object")]
pub(super) struct JsonTexture {
    pub(super) sampler: Option<Whole>,
    pub(super) source: Option<Whole>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, expecting = "an object")]
pub(super) struct JsonImage {
    pub(super) uri: Option<String>,
    pub(super) buffer_view: Option<Whole>,
}

/// Sampling of a texture. Numbers are constants of OpenGL.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, expecting = "an object")]
pub(super) struct TextureSampler {
    pub(super) mag_filter: Whole,
    pub(super) wrap_s: Whole,
    pub(super) wrap_t: Whole,
}

/// Meaning of a colour's alpha component.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum AlphaMode {
    #[default]
    Opaque,
    Mask,
    Blend,
}

/// Count or index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Whole(pub(super) usize);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_u64(WholeVisitor)
    }
}

struct WholeVisitor;

const WHOLE: &str = "a whole number of at least 0";

impl Visitor<'_> for WholeVisitor {
    type Value = Whole;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(WHOLE)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Whole, E> {
        let found = usize::try_from(value).ok();
        found.map(Whole).ok_or_else(|| E::custom(format_args!("{value} is too large")))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Whole, E> {
        let found = u64::try_from(value).ok();
        let found = found.ok_or_else(|| E::custom(format_args!("{value}, expected {WHOLE}")))?;
        self.visit_u64(found)
    }

    /// JSON may write 3 as 3.0.
    fn visit_f64<E: Error>(self, value: f64) -> Result<Whole, E> {
        let is_whole = (0.0..1.8e19).contains(&value) && libm::floor(value) == value;
        let message = format_args!("{value}, expected {WHOLE}");
        if is_whole { self.visit_u64(value as u64) } else { Err(E::custom(message)) }
    }
}

/// Finite number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct JsonNumber(pub(super) f64);

impl<'de> Deserialize<'de> for JsonNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_f64(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = JsonNumber;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<JsonNumber, E> {
        if value.is_finite() {
            Ok(JsonNumber(value))
        } else {
            Err(E::custom("expected a finite number"))
        }
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<JsonNumber, E> {
        Ok(JsonNumber(value as f64))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<JsonNumber, E> {
        Ok(JsonNumber(value as f64))
    }
}

/// Returns the values of numbers.
pub(super) fn values<const N: usize>(numbers: [JsonNumber; N]) -> [f64; N] {
    numbers.map(|number| number.0)
}
