//! Morph targets of meshes: displacements of points and normals, and the weights of targets.

use super::document::{ElementType, JsonDocument, JsonMesh, JsonNode, Primitive, Whole};
use super::limits::Allowance;
use super::messages::{FilePosition, GltfError, NoteKind, NoteList};
use super::source::{GltfSource, pick};
use catena_sim::glam::DVec3;
use catena_sim::rig::{MorphTarget, Morphs};

/// Returns the number of morph targets of a node's mesh, taken from the mesh's first primitive.
///
/// # Errors
/// Returns an error when the node names a mesh that does not exist.
pub(super) fn target_count(document: &JsonDocument, node: usize) -> Result<usize, GltfError> {
    let Some(mesh) = document.nodes.get(node).and_then(|node| node.mesh) else { return Ok(0) };
    let mesh = pick(&document.meshes, mesh, format_args!("nodes[{node}].mesh"), "mesh")?;
    Ok(mesh.primitives.first().map_or(0, |primitive| primitive.targets.len()))
}

/// Returns the weights of a mesh's morph targets on a node: the node's weights if it has any,
/// otherwise the mesh's weights, otherwise 0.
///
/// # Errors
/// Returns an error when the numbers of weights and targets differ, or primitives of the mesh have
/// different numbers of targets.
pub(super) fn weights(
    [node_place, mesh_place]: [FilePosition<'_>; 2],
    node: &JsonNode,
    mesh: &JsonMesh,
) -> Result<Vec<f64>, GltfError> {
    let count = mesh.primitives.first().map_or(0, |primitive| primitive.targets.len());
    for (k, primitive) in mesh.primitives.iter().enumerate() {
        let has = primitive.targets.len();
        let place = format_args!("{mesh_place}.primitives[{k}].targets");
        let message = format_args!("{has} targets, but the first primitive has {count}");
        GltfError::unless(has == count, place, message)?;
    }
    let of_node = node.weights.as_ref().map(|weights| (weights, node_place));
    let of_mesh = mesh.weights.as_ref().map(|weights| (weights, mesh_place));
    let Some((weights, place)) = of_node.or(of_mesh) else { return Ok(vec![0.0; count]) };
    let message = format_args!("{} weights, but there are {count} morph targets", weights.len());
    GltfError::unless(weights.len() == count, format_args!("{place}.weights"), message)?;
    Ok(weights.iter().map(|weight| weight.0).collect())
}

/// Reads the morph targets of a primitive with `count` vertices. Returns `None` if it has none.
///
/// # Errors
/// Returns an error when an accessor does not have one vector per vertex, or the vectors need too
/// much memory.
pub(super) fn morphs(
    source: &GltfSource<'_>,
    place: FilePosition<'_>,
    primitive: &Primitive,
    weights: &[f64],
    count: usize,
    allowance: &mut Allowance<'_>,
    notes: &mut NoteList,
) -> Result<Option<Morphs>, GltfError> {
    if primitive.targets.is_empty() {
        return Ok(None);
    }
    let computes_normals = primitive.attributes.normal.is_none();
    let mut targets = Vec::with_capacity(primitive.targets.len());
    for (k, target) in primitive.targets.iter().enumerate() {
        let inner = format_args!("{place}.targets[{k}]");
        let mut read = |name: &str, accessor: Option<Whole>| {
            let accessor = accessor.map(|accessor| {
                vectors(source, format_args!("{inner}.{name}"), accessor, count, allowance)
            });
            accessor.transpose()
        };
        let points = read("POSITION", target.position)?.unwrap_or_default();
        let normals = target.normal.filter(|_| !computes_normals);
        targets.push(MorphTarget { points, normals: read("NORMAL", normals)? });
        if target.color.is_some() || target.places.is_some() {
            notes.add(NoteKind::Morph, || {
                format!("{inner}: its colours and texture coordinates are ignored")
            });
        }
    }
    Ok(Some(Morphs { targets, weights: weights.to_vec(), computes_normals }))
}

/// Reads one vector for each of `count` vertices.
fn vectors(
    source: &GltfSource<'_>,
    place: FilePosition<'_>,
    accessor: Whole,
    count: usize,
    allowance: &mut Allowance<'_>,
) -> Result<Vec<DVec3>, GltfError> {
    let accessor = source.accessor(place, accessor, ElementType::Vec3, allowance)?;
    accessor.expect_count(place, count, "one for each vertex")?;
    allowance.count_memory(place, count as u64, size_of::<DVec3>())?;
    (0..count).map(|vertex| Ok(DVec3::from_array(accessor.finite(place, vertex)?))).collect()
}
