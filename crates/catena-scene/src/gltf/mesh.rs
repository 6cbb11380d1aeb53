//! Meshes of figures: points, normals, triangles and joints.
//!
//! Primitives are lists, strips or fans, indexed or not. Normals come from the file or from the
//! adjacent triangles.

use super::document::{Attributes, ElementType, JsonDocument, Primitive, Whole};
use super::limits::Allowance;
use super::material::{Look, look};
use super::messages::{FilePosition, GltfError, NoteKind, NoteList};
use super::nodes::Drawn;
use super::skin::Joints;
use super::source::{GltfSource, pick};
use super::texture::{MaterialTexture, MeshTexture};
use super::{extensions, morph, names, skin};
use catena_sim::drive::track::color_space::{decode, encode};
use catena_sim::glam::DVec3;
use catena_sim::rig::{Morphs, normals_around};
use catena_sim::skin::{Skin, unit};
use std::sync::Arc;

/// Primitive of a mesh on one node.
#[derive(Clone, Debug)]
pub struct FigureMesh {
    /// Name of the mesh or of its node, unique in the figure.
    pub name: String,
    /// Index of the node's bone. If the mesh has a skin, this bone does not move it.
    pub bone: usize,
    /// Vertex positions at rest, in the coordinates of the mesh.
    pub points: Vec<DVec3>,
    /// Unit normals at rest.
    pub normals: Vec<DVec3>,
    /// Triangles, counterclockwise seen from outside.
    pub triangles: Vec<[usize; 3]>,
    /// Weights of the joints for each vertex.
    pub skin: Skin,
    /// Joints of the skin; [`Joints::matrices`] returns their matrices.
    pub joints: Arc<Joints>,
    /// Colour and visible sides.
    pub look: Look,
    /// Colour of each vertex in sRGB, multiplied by the colour of the material; `None` if the file
    /// has no vertex colours.
    pub colors: Option<Arc<[[u8; 3]]>>,
    /// Texture of the base colour, which multiplies the colours.
    pub texture: Option<MeshTexture>,
    /// Morph targets.
    pub morphs: Option<Morphs>,
}

/// Memory of a vertex apart from its joint sets: position, normal, one weight, and the range of its
/// weights.
const VERTEX: usize = 2 * size_of::<DVec3>() + 4 * size_of::<(usize, usize)>();

/// Inputs from which meshes are read.
pub(super) struct MeshReader<'a> {
    pub(super) source: &'a GltfSource<'a>,
    pub(super) joints: &'a [Arc<Joints>],
    pub(super) looks: &'a [Look],
    pub(super) drawn: &'a [Drawn],
    /// Texture of each material.
    pub(super) textures: &'a [Option<MaterialTexture>],
}

/// Node that has a mesh, and the joints that move it.
#[derive(Clone, Copy)]
struct MeshNode<'a> {
    bone: usize,
    /// Whether the node has a skin.
    is_skinned: bool,
    joints: &'a Arc<Joints>,
    /// Weights of the morph targets at rest.
    weights: &'a [f64],
}

impl MeshReader<'_> {
    /// Reads the meshes of all nodes that are drawn, in node order.
    pub(super) fn read(
        &self,
        allowance: &mut Allowance<'_>,
        notes: &mut NoteList,
    ) -> Result<Vec<FigureMesh>, GltfError> {
        let JsonDocument { nodes, meshes, .. } = self.source.document;
        let mut found: Vec<FigureMesh> = Vec::new();
        for (bone, node) in nodes.iter().enumerate() {
            let Some(index) = node.mesh else { continue };
            let mesh = pick(meshes, index, format_args!("nodes[{bone}].mesh"), "mesh")?;
            let joints = match node.skin {
                None => Arc::new(Joints::rigid(bone)),
                Some(skin) => {
                    let place = format_args!("nodes[{bone}].skin");
                    Arc::clone(pick(self.joints, skin, place, "skin")?)
                }
            };
            let why = match self.drawn[bone] {
                Drawn::Yes => None,
                Drawn::Elsewhere => Some((NoteKind::Undrawn, "not in the scene")),
                Drawn::Hidden => Some((NoteKind::Hidden, "hidden")),
            };
            if let Some((about, why)) = why {
                notes.add(about, || format!("nodes[{bone}] is {why}: its mesh is ignored"));
                continue;
            }
            let places = [format_args!("nodes[{bone}]"), format_args!("meshes[{}]", index.0)];
            let weights = morph::weights(places, node, mesh)?;
            let name = [&mesh.name, &node.name].into_iter().flatten().find(|name| !name.is_empty());
            for (k, primitive) in mesh.primitives.iter().enumerate() {
                let place = format_args!("meshes[{}].primitives[{k}]", index.0);
                let length = name.map_or(0, String::len);
                allowance.count_memory(place, 1, size_of::<FigureMesh>() + length + 256)?;
                let is_skinned = node.skin.is_some();
                let on = MeshNode { bone, is_skinned, joints: &joints, weights: &weights };
                if let Some(mut mesh) = self.primitive(place, primitive, on, allowance, notes)? {
                    mesh.name = name.cloned().unwrap_or_default();
                    found.push(mesh);
                }
            }
        }
        let wanted: Vec<Option<&str>> = found.iter().map(|mesh| Some(mesh.name.as_str())).collect();
        let names = names::unique(&wanted, "mesh", &[]);
        found.iter_mut().zip(names).for_each(|(mesh, name)| mesh.name = name);
        Ok(found)
    }

    /// Rejects a primitive whose data exists only in compressed form. Such a primitive names a
    /// compression, and one of its accessors has neither bytes nor sparse values.
    fn refuse_compressed(
        &self,
        place: FilePosition<'_>,
        primitive: &Primitive,
    ) -> Result<(), GltfError> {
        let Some(name) = extensions::compression(&primitive.extensions) else { return Ok(()) };
        let is_empty = |index: &Whole| {
            let accessor = self.source.document.accessors.get(index.0);
            accessor.is_some_and(|it| it.buffer_view.is_none() && it.sparse.is_none())
        };
        let Attributes { position, normal, joints, weights, .. } = &primitive.attributes;
        let sets = joints.values().chain(weights.values());
        let mut all = position.iter().chain(normal).chain(&primitive.indices).chain(sets);
        if all.any(is_empty) { Err(extensions::compressed(place, name)) } else { Ok(()) }
    }

    /// Reads a primitive on a node. Returns `None` if there is nothing to draw.
    fn primitive(
        &self,
        place: FilePosition<'_>,
        primitive: &Primitive,
        MeshNode { bone, is_skinned, joints, weights }: MeshNode<'_>,
        allowance: &mut Allowance<'_>,
        notes: &mut NoteList,
    ) -> Result<Option<FigureMesh>, GltfError> {
        let Primitive { attributes, material, mode, .. } = primitive;
        let look = look(self.looks, format_args!("{place}.material"), *material)?;
        let mode = Mode::new(place, *mode)?;
        if mode == Mode::Thin {
            notes
                .add(NoteKind::Lines, || format!("{place} has points or lines, which are ignored"));
            return Ok(None);
        }
        let Some(position) = attributes.position else {
            notes
                .add(NoteKind::WithoutPlaces, || format!("{place} has no POSITION and is ignored"));
            return Ok(None);
        };
        self.refuse_compressed(place, primitive)?;
        note_unread(place, primitive, notes);
        let inner = format_args!("{place}.attributes");
        let named = format_args!("{inner}.POSITION");
        let accessor = self.source.accessor(named, position, ElementType::Vec3, allowance)?;
        let count = accessor.count();
        allowance.count_vertices(named, count as u64)?;
        allowance.count_memory(named, count as u64, VERTEX)?;
        let point = |vertex| Ok(DVec3::from_array(accessor.finite(named, vertex)?));
        let points = (0..count).map(point).collect::<Result<Vec<_>, GltfError>>()?;
        let triangles = triangles(self.source, place, primitive, mode, count, allowance)?;
        let normals =
            read_normals(self.source, inner, attributes.normal, &points, &triangles, allowance)?;
        let skin = match is_skinned {
            true => {
                let joints = joints.bones.len();
                skin::read_skin(self.source, inner, attributes, joints, count, allowance, notes)?
            }
            false => skin::rigid_skin(inner, count)?,
        };
        let colored = |color| self.colors(inner, color, count, look, allowance);
        let colors = attributes.color.map(colored).transpose()?;
        let texture = self.texture(place, primitive, count, allowance, notes)?;
        let morphs =
            morph::morphs(self.source, place, primitive, weights, count, allowance, notes)?;
        Ok(Some(FigureMesh {
            name: String::new(),
            bone,
            points,
            normals,
            triangles,
            skin,
            joints: Arc::clone(joints),
            look,
            colors,
            texture,
            morphs,
        }))
    }
}

impl MeshReader<'_> {
    /// Returns the texture of a primitive with `count` vertices, if it has one.
    fn texture(
        &self,
        place: FilePosition<'_>,
        primitive: &Primitive,
        count: usize,
        allowance: &mut Allowance<'_>,
        notes: &mut NoteList,
    ) -> Result<Option<MeshTexture>, GltfError> {
        let texture = primitive.material.and_then(|material| self.textures.get(material.0));
        let Some(texture) = texture.and_then(Option::as_ref) else { return Ok(None) };
        let inner = format_args!("{place}.attributes");
        let found = texture.on_mesh(self.source, inner, &primitive.attributes, count, allowance)?;
        if found.is_none() {
            notes.add(NoteKind::Coordinates, || {
                format!("{place} has no texture coordinates, so its texture is ignored")
            });
        }
        Ok(found)
    }

    /// Returns the colours of vertices in sRGB. The linear colours of the vertices are multiplied
    /// by the linear colour of the material.
    fn colors(
        &self,
        inner: FilePosition<'_>,
        color: Whole,
        count: usize,
        look: Look,
        allowance: &mut Allowance<'_>,
    ) -> Result<Arc<[[u8; 3]]>, GltfError> {
        let place = format_args!("{inner}.COLOR_0");
        let described = pick(&self.source.document.accessors, color, place, "accessor")?;
        let shape = match described.shape {
            ElementType::Vec4 => ElementType::Vec4,
            _ => ElementType::Vec3,
        };
        let accessor = self.source.accessor(place, color, shape, allowance)?;
        accessor.expect_count(place, count, "one for each vertex")?;
        allowance.count_memory(place, count as u64, size_of::<[u8; 3]>())?;
        let [r, g, b, _] = look.color.map(|channel| decode(channel).0);
        let byte = |light: f64| libm::rint(255.0 * encode(light.clamp(0.0, 1.0)).0) as u8;
        let vertex = |vertex: usize| {
            let [x, y, z] = accessor.finite(place, vertex)?;
            Ok([byte(r * x), byte(g * y), byte(b * z)])
        };
        (0..count).map(vertex).collect()
    }
}

/// Adds a note about ignored content of a primitive.
fn note_unread(place: FilePosition<'_>, primitive: &Primitive, notes: &mut NoteList) {
    if primitive.attributes.has_more_colors {
        notes
            .add(NoteKind::Colors, || format!("{place}: vertex colours after COLOR_0 are ignored"));
    }
}

/// Arrangement of the corners of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Points and lines, which have no triangles.
    Thin,
    Triangles,
    Strip,
    Fan,
}

impl Mode {
    /// Converts the `mode` of a file; the default is triangles.
    pub(super) fn new(place: FilePosition<'_>, mode: Option<Whole>) -> Result<Self, GltfError> {
        Ok(match mode.map_or(4, |mode| mode.0) {
            0..=3 => Self::Thin,
            4 => Self::Triangles,
            5 => Self::Strip,
            6 => Self::Fan,
            code => {
                let place = format_args!("{place}.mode");
                return Err(GltfError::new(place, format_args!("{code}, expected 0 to 6")));
            }
        })
    }

    /// Returns the number of triangles for a number of corners.
    fn count(self, corners: usize) -> usize {
        match self {
            Self::Thin => 0,
            Self::Triangles => corners / 3,
            Self::Strip | Self::Fan => corners.saturating_sub(2),
        }
    }

    /// Returns the corners of a triangle. Every second triangle of a strip has reversed
    /// orientation.
    fn corners(self, triangle: usize) -> [usize; 3] {
        match self {
            Self::Thin | Self::Triangles => [0, 1, 2].map(|k| 3 * triangle + k),
            Self::Strip if triangle.is_multiple_of(2) => [triangle, triangle + 1, triangle + 2],
            Self::Strip => [triangle, triangle + 2, triangle + 1],
            Self::Fan => [triangle + 1, triangle + 2, 0],
        }
    }
}

/// Reads the triangles of a primitive with `vertices` vertices.
pub(super) fn triangles(
    source: &GltfSource<'_>,
    place: FilePosition<'_>,
    primitive: &Primitive,
    mode: Mode,
    vertices: usize,
    allowance: &mut Allowance<'_>,
) -> Result<Vec<[usize; 3]>, GltfError> {
    let inner = format_args!("{place}.indices");
    let indices = match primitive.indices {
        None => None,
        Some(index) => {
            let indices = source.accessor(inner, index, ElementType::Scalar, allowance)?;
            indices.expect_counts(inner)?;
            Some(indices)
        }
    };
    let corners = indices.map_or(vertices, |indices| indices.count());
    let is_whole = mode != Mode::Triangles || corners % 3 == 0;
    let message = format_args!("{corners} corners, which is not a multiple of 3");
    GltfError::unless(is_whole, if indices.is_some() { inner } else { place }, message)?;
    let count = mode.count(corners);
    allowance.count_memory(place, count as u64, size_of::<[usize; 3]>())?;
    let corner = |k: usize| {
        let Some(indices) = indices else { return Ok(k) };
        let [vertex] = indices.counts(k);
        let message = || format!("entry {k} is {vertex}, but there are {vertices} vertices");
        if vertex < vertices { Ok(vertex) } else { Err(GltfError::new(inner, message())) }
    };
    let triangle = |k: usize| {
        let [a, b, c] = mode.corners(k).map(corner);
        Ok([a?, b?, c?])
    };
    (0..count).map(triangle).collect()
}

/// Returns the unit normals of a primitive. A missing or zero normal is computed from the adjacent
/// triangles, weighted by area, or is z if there are none. glTF requires flat shading when a file
/// has no normals. Flat shading would duplicate vertices here, and rendering can derive it from the
/// points.
fn read_normals(
    source: &GltfSource<'_>,
    place: FilePosition<'_>,
    accessor: Option<Whole>,
    points: &[DVec3],
    triangles: &[[usize; 3]],
    allowance: &mut Allowance<'_>,
) -> Result<Vec<DVec3>, GltfError> {
    let mut normals = vec![DVec3::ZERO; points.len()];
    if let Some(accessor) = accessor {
        let place = format_args!("{place}.NORMAL");
        let accessor = source.accessor(place, accessor, ElementType::Vec3, allowance)?;
        accessor.expect_count(place, points.len(), "one for each vertex")?;
        for (vertex, normal) in normals.iter_mut().enumerate() {
            *normal =
                unit(DVec3::from_array(accessor.finite(place, vertex)?)).unwrap_or(DVec3::ZERO);
        }
    }
    if normals.contains(&DVec3::ZERO) {
        let around = normals_around(points, triangles);
        let missing = normals.iter_mut().zip(around).filter(|(normal, _)| **normal == DVec3::ZERO);
        missing.for_each(|(normal, around)| *normal = around);
    }
    Ok(normals)
}
