//! Skins of meshes: joints, and their weights for each vertex.
//!
//! A vertex may have any number of sets `JOINTS_n` and `WEIGHTS_n`. Weights are divided by their
//! sum. A vertex without weights follows the first joint of its first set, as in three.js.

use super::accessor::Accessor;
use super::document::{Attributes, ElementType, JsonDocument};
use super::limits::Allowance;
use super::messages::{FilePosition, GltfError, NoteKind, NoteList};
use super::nodes;
use super::source::GltfSource;
use catena_sim::drive::rig::Pose;
use catena_sim::glam::DAffine3;
use catena_sim::skin::Skin;
use std::sync::Arc;

/// Bones that move a mesh, in the order of its joint indices. Meshes may share them.
#[derive(Clone, Debug, PartialEq)]
pub struct Joints {
    /// Indices of the bones in the skeleton of the figure.
    pub bones: Vec<usize>,
    /// Maps from mesh coordinates to the coordinates of each bone. A map need not be the inverse of
    /// the bone's bind pose.
    pub inverse_bind: Vec<DAffine3>,
}

impl Joints {
    /// Returns a single bone, with the mesh in its coordinates.
    pub(super) fn rigid(bone: usize) -> Self {
        Self { bones: vec![bone], inverse_bind: vec![DAffine3::IDENTITY] }
    }

    /// Computes the skinning matrices of a pose: world matrix times inverse bind matrix. The node
    /// of the mesh itself has no influence.
    pub fn matrices(&self, pose: &Pose, matrices: &mut Vec<DAffine3>) {
        let bones = pose.bones();
        let joints = self.bones.iter().zip(&self.inverse_bind);
        matrices.clear();
        matrices.extend(joints.map(|(bone, inverse)| {
            bones.get(*bone).map_or(DAffine3::IDENTITY, |bone| bone.matrix) * *inverse
        }));
    }
}

/// Reads the joints of all skins. The node indices must have been checked.
pub(super) fn of_skins(
    source: &GltfSource<'_>,
    allowance: &mut Allowance<'_>,
) -> Result<Vec<Arc<Joints>>, GltfError> {
    let JsonDocument { skins, .. } = source.document;
    let mut all = Vec::with_capacity(skins.len());
    for (index, skin) in skins.iter().enumerate() {
        let place = format_args!("skins[{index}].joints");
        let count = skin.joints.len();
        GltfError::unless(count > 0, place, "expected at least one joint")?;
        allowance.count_memory(place, count as u64, size_of::<usize>() + size_of::<DAffine3>())?;
        let bones = skin.joints.iter().map(|joint| joint.0).collect();
        let inverse_bind = match skin.inverse_bind_matrices {
            None => vec![DAffine3::IDENTITY; count],
            Some(accessor) => {
                let place = format_args!("skins[{index}].inverseBindMatrices");
                let accessor = source.accessor(place, accessor, ElementType::Mat4, allowance)?;
                let found = accessor.count();
                let message =
                    format_args!("{found} found for {count} joints, expected one for each");
                GltfError::unless(found >= count, place, message)?;
                let matrix = |k: usize| {
                    let numbers = accessor.finite(place, k)?;
                    nodes::affine_map(format_args!("{place}: element {k}"), &numbers)
                };
                (0..count).map(matrix).collect::<Result<_, _>>()?
            }
        };
        all.push(Arc::new(Joints { bones, inverse_bind }));
    }
    Ok(all)
}

/// Memory of a set of weights per vertex, before and after normalization.
const SET: usize = 4 * 2 * size_of::<(usize, f64)>();

/// Set of four joints and their weights per vertex.
struct JointSet<'a> {
    number: u32,
    joints: Accessor<'a>,
    weights: Accessor<'a>,
}

/// Returns the skin of a primitive that one bone moves.
pub(super) fn rigid_skin(place: FilePosition<'_>, vertices: usize) -> Result<Skin, GltfError> {
    let skin = Skin::new(1, &vec![[(0, 1.0)]; vertices]);
    skin.map_err(|error| GltfError::new(place, error))
}

/// Reads the skin of a primitive that several joints move.
pub(super) fn read_skin(
    source: &GltfSource<'_>,
    place: FilePosition<'_>,
    attributes: &Attributes,
    joints: usize,
    vertices: usize,
    allowance: &mut Allowance<'_>,
    notes: &mut NoteList,
) -> Result<Skin, GltfError> {
    let sets = sets(source, place, attributes, vertices, allowance)?;
    let mut influences: Vec<(usize, f64)> = Vec::new();
    let mut ends = Vec::with_capacity(vertices);
    let mut weightless = 0;
    for vertex in 0..vertices {
        let before = influences.len();
        for set in &sets {
            add_influences(place, set, vertex, joints, &mut influences)?;
        }
        if influences.len() == before {
            let first = first_joint(place, &sets, vertex, joints)?;
            influences.push((first, 1.0));
            weightless += 1;
        }
        ends.push(influences.len());
    }
    if weightless > 0 {
        notes.add(NoteKind::Weightless, || {
            format!(
                "{place}: {weightless} of {vertices} vertices have no weight above 0 and follow the first joint listed there"
            )
        });
    }
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let of_vertices: Vec<&[(usize, f64)]> =
        starts.zip(&ends).map(|(start, end)| &influences[start..*end]).collect();
    Skin::new(joints, &of_vertices).map_err(|error| GltfError::new(place, error))
}

/// Reads all sets of joints and weights, which must be numbered from 0 without gaps.
fn sets<'a>(
    source: &'a GltfSource<'_>,
    place: FilePosition<'_>,
    attributes: &Attributes,
    vertices: usize,
    allowance: &mut Allowance<'_>,
) -> Result<Vec<JointSet<'a>>, GltfError> {
    let Attributes { joints, weights, .. } = attributes;
    let are_even =
        joints.keys().eq(weights.keys()) && joints.keys().copied().eq(0..joints.len() as u32);
    let message = "expected JOINTS_n and WEIGHTS_n in pairs, for n from 0 on";
    GltfError::unless(are_even, place, message)?;
    let message = "JOINTS_0 and WEIGHTS_0 are missing, but a node gives the mesh a skin";
    GltfError::unless(!joints.is_empty(), place, message)?;
    let mut sets = Vec::new();
    for ((&number, &joints), &weights) in joints.iter().zip(weights.values()) {
        allowance.count_memory(place, vertices as u64, SET)?;
        let inner = format_args!("{place}.JOINTS_{number}");
        let joints = source.accessor(inner, joints, ElementType::Vec4, allowance)?;
        joints.expect_counts(inner)?;
        joints.expect_count(inner, vertices, "one for each vertex")?;
        let inner = format_args!("{place}.WEIGHTS_{number}");
        let weights = source.accessor(inner, weights, ElementType::Vec4, allowance)?;
        weights.expect_count(inner, vertices, "one for each vertex")?;
        sets.push(JointSet { number, joints, weights });
    }
    Ok(sets)
}

/// Adds the positive weights of one vertex. The joint index of a zero weight is not checked.
fn add_influences(
    place: FilePosition<'_>,
    set: &JointSet<'_>,
    vertex: usize,
    joints: usize,
    influences: &mut Vec<(usize, f64)>,
) -> Result<(), GltfError> {
    let n = set.number;
    let weights = set.weights.finite::<4>(format_args!("{place}.WEIGHTS_{n}"), vertex)?;
    let named = set.joints.counts::<4>(vertex);
    for (joint, weight) in named.into_iter().zip(weights) {
        let message = format_args!("vertex {vertex} has the weight {weight}, expected at least 0");
        GltfError::unless(weight >= 0.0, format_args!("{place}.WEIGHTS_{n}"), message)?;
        if weight > 0.0 {
            check_joint(format_args!("{place}.JOINTS_{n}"), vertex, joint, joints)?;
            influences.push((joint, weight));
        }
    }
    Ok(())
}

fn first_joint(
    place: FilePosition<'_>,
    sets: &[JointSet<'_>],
    vertex: usize,
    joints: usize,
) -> Result<usize, GltfError> {
    let [first] = sets.first().map_or([0], |set| set.joints.counts(vertex));
    check_joint(format_args!("{place}.JOINTS_0"), vertex, first, joints)?;
    Ok(first)
}

fn check_joint(
    place: FilePosition<'_>,
    vertex: usize,
    joint: usize,
    joints: usize,
) -> Result<(), GltfError> {
    let message =
        format_args!("vertex {vertex} refers to joint {joint}, but the skin has {joints} joints");
    GltfError::unless(joint < joints, place, message)
}
