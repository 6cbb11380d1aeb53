//! Nodes as bones: hierarchy, transforms and names.
//!
//! Matrices of files are decomposed into translation, rotation and scale, or used as affine maps.

use super::document::{JsonDocument, JsonNode, values};
use super::limits::Limits;
use super::messages::{FilePosition, GltfError, NoteKind, NoteList};
use super::names;
use super::source::pick;
use catena_sim::drive::rig::{Bone, Skeleton, Transform, normalised};
use catena_sim::glam::{DAffine3, DMat3, DQuat, DVec3};
use catena_sim::named::BadSetup;
use catena_sim::skin::polar;

/// Replacement for a scale of 0, because a bone's map needs an inverse. The difference is
/// invisible.
const FLAT: f64 = 1e-30;

/// Returns all nodes as bones with the same indices.
pub(super) fn skeleton(
    document: &JsonDocument,
    limits: &Limits,
    notes: &mut NoteList,
) -> Result<Skeleton, GltfError> {
    let nodes = &document.nodes;
    let message = "a figure needs at least one node";
    GltfError::unless(!nodes.is_empty(), "nodes", message)?;
    let (count, maximum) = (nodes.len(), limits.nodes);
    let message = format_args!("{count} nodes: at most {maximum} are allowed");
    GltfError::unless(count <= maximum, "nodes", message)?;

    let parents = parents(nodes)?;
    let names = unique_names(document, notes)?;
    let mut bones = Vec::with_capacity(count);
    for (index, node) in nodes.iter().enumerate() {
        let parent = parents[index].map(|parent| names[parent].clone());
        let bind = transform(format_args!("nodes[{index}]"), node, notes)?;
        bones.push(Bone { name: names[index].clone(), parent, bind });
    }
    let skeleton = Skeleton::new(bones).map_err(|error| of_bone(&error))?;
    check_depth(&skeleton, limits)?;
    Ok(skeleton)
}

/// Converts an error about a bone to one about its node. The indices agree, but nodes list children
/// while bones name a parent.
fn of_bone(error: &BadSetup) -> GltfError {
    let field = error.field.trim_end_matches(".parent");
    GltfError::new(field.replace("bones[", "nodes["), &error.message)
}

/// Returns the parent of each node.
fn parents(nodes: &[JsonNode]) -> Result<Vec<Option<usize>>, GltfError> {
    let mut parents = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        for (k, child) in node.children.iter().enumerate() {
            let place = format_args!("nodes[{index}].children[{k}]");
            pick(nodes, *child, place, "node")?;
            let before = parents[child.0].replace(index);
            if let Some(before) = before {
                let child = child.0;
                let message = format_args!("nodes[{child}] is already a child of nodes[{before}]");
                return Err(GltfError::new(place, message));
            }
        }
    }
    Ok(parents)
}

/// Returns unique names for all nodes. If two share a name, joints keep theirs.
fn unique_names(document: &JsonDocument, notes: &mut NoteList) -> Result<Vec<String>, GltfError> {
    let nodes = &document.nodes;
    let mut ranks = vec![1; nodes.len()];
    for (index, skin) in document.skins.iter().enumerate() {
        for (k, joint) in skin.joints.iter().enumerate() {
            pick(nodes, *joint, format_args!("skins[{index}].joints[{k}]"), "node")?;
            ranks[joint.0] = 0;
        }
    }
    let wanted: Vec<Option<&str>> = nodes.iter().map(|node| node.name.as_deref()).collect();
    let names = names::unique(&wanted, "node", &ranks);
    names::note_renamed(NoteKind::RenamedNode, "nodes", &wanted, &names, notes);
    Ok(names)
}

/// Returns the transform of a node relative to its parent.
fn transform(
    place: FilePosition<'_>,
    node: &JsonNode,
    notes: &mut NoteList,
) -> Result<Transform, GltfError> {
    let mut transform = match &node.matrix {
        Some(numbers) => {
            let place = format_args!("{place}.matrix");
            decompose(place, &affine_map(place, &values(**numbers))?)?
        }
        None => Transform::IDENTITY,
    };
    let vector = |numbers| DVec3::from_array(values(numbers));
    if let Some(translation) = node.translation {
        transform.place = vector(translation);
    }
    if let Some(rotation) = node.rotation {
        let turn = normalised(DQuat::from_array(values(rotation)));
        let message = "expected a quaternion (x, y, z, w), found one of length 0";
        let place = format_args!("{place}.rotation");
        transform.turn = turn.ok_or_else(|| GltfError::new(place, message))?;
    }
    if let Some(scale) = node.scale {
        transform.scale = vector(scale);
    }
    let flat = transform.scale.cmpeq(DVec3::ZERO);
    if flat.any() {
        transform.scale = DVec3::select(flat, DVec3::splat(FLAT), transform.scale);
        let note = || format!("{place} has a scale of 0, which is replaced by {FLAT:e}");
        notes.add(NoteKind::FlatNode, note);
    }
    Ok(transform)
}

/// Rejects a node hierarchy that is too deep.
fn check_depth(skeleton: &Skeleton, limits: &Limits) -> Result<(), GltfError> {
    let mut depths = vec![1; skeleton.len()];
    for &bone in skeleton.order() {
        if let Some(parent) = skeleton.parents()[bone] {
            depths[bone] = depths[parent] + 1;
        }
        let maximum = limits.node_depth;
        let message = format_args!("the node is nested more than {maximum} levels deep");
        GltfError::unless(depths[bone] <= maximum, format_args!("nodes[{bone}]"), message)?;
    }
    Ok(())
}

/// Whether the mesh of a node is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Drawn {
    Yes,
    /// The node is not in the displayed scene.
    Elsewhere,
    /// The node or one of its ancestors is hidden.
    Hidden,
}

/// Determines which nodes are drawn: the nodes of the file's default scene, else of its first
/// scene, else all nodes. Nodes that `KHR_node_visibility` hides and their descendants are not
/// drawn.
pub(super) fn drawn(document: &JsonDocument) -> Result<Vec<Drawn>, GltfError> {
    let nodes = &document.nodes;
    let mut drawn = in_scene(document)?;
    let is_hidden = |node: &usize| !nodes[*node].extensions.visibility.visible;
    let mut open: Vec<usize> = (0..nodes.len()).filter(is_hidden).collect();
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut drawn[node], Drawn::Hidden) != Drawn::Hidden {
            open.extend(nodes[node].children.iter().map(|child| child.0));
        }
    }
    Ok(drawn)
}

fn in_scene(document: &JsonDocument) -> Result<Vec<Drawn>, GltfError> {
    let nodes = &document.nodes;
    for (index, scene) in document.scenes.iter().enumerate() {
        for (k, node) in scene.nodes.iter().enumerate() {
            pick(nodes, *node, format_args!("scenes[{index}].nodes[{k}]"), "node")?;
        }
    }
    if document.scenes.is_empty() && document.scene.is_none() {
        return Ok(vec![Drawn::Yes; nodes.len()]);
    }
    let index = document.scene.unwrap_or_default();
    let scene = pick(&document.scenes, index, format_args!("scene"), "scene")?;
    let mut drawn = vec![Drawn::Elsewhere; nodes.len()];
    let mut open: Vec<usize> = scene.nodes.iter().map(|node| node.0).collect();
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut drawn[node], Drawn::Yes) != Drawn::Yes {
            open.extend(nodes[node].children.iter().map(|child| child.0));
        }
    }
    Ok(drawn)
}

/// Tolerance for the last row (0, 0, 0, 1), because files round.
const ROW: f64 = 1e-5;

/// Maximum cosine between two axes that counts as a right angle. Some exporters write four digits.
const RIGHT: f64 = 1e-4;

/// Converts a column-major matrix to an affine map.
pub(super) fn affine_map(place: FilePosition<'_>, m: &[f64; 16]) -> Result<DAffine3, GltfError> {
    let row = [m[3], m[7], m[11], m[15]];
    let is_affine = row.iter().zip([0.0, 0.0, 0.0, 1.0]).all(|(a, b)| (a - b).abs() <= ROW);
    let message = format_args!("its last row is {row:?}, expected [0, 0, 0, 1]");
    GltfError::unless(is_affine, place, message)?;
    let column = |k: usize| DVec3::new(m[4 * k], m[4 * k + 1], m[4 * k + 2]);
    let axes = DMat3::from_cols(column(0), column(1), column(2));
    Ok(DAffine3::from_mat3_translation(axes, column(3)))
}

/// Decomposes a map into translation, rotation and scale. A mirrored map gets a negative x scale.
fn decompose(place: FilePosition<'_>, map: &DAffine3) -> Result<Transform, GltfError> {
    let axes = [map.matrix3.x_axis, map.matrix3.y_axis, map.matrix3.z_axis];
    let mut scale = axes.map(DVec3::length);
    let mut unit = axes;
    for (axis, length) in unit.iter_mut().zip(scale) {
        if length > 0.0 {
            *axis /= length;
        }
    }
    let [x, y, z] = unit;
    let skew = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
    let message = "it contains shear, which translation, rotation and scale cannot express: apply \
                   the transforms of objects before exporting";
    // The comparison also rejects NaN.
    GltfError::unless(skew <= RIGHT, place, message)?;
    let mut linear = DMat3::from_cols(x, y, z);
    if linear.determinant() < 0.0 {
        linear.x_axis = -x;
        scale[0] = -scale[0];
    }
    let turn = normalised(DQuat::from_mat3(&polar(&linear).rotation));
    let turn = turn.ok_or_else(|| GltfError::new(place, "its rotation cannot be determined"))?;
    Ok(Transform { place: map.translation, turn, scale: DVec3::from_array(scale) })
}
