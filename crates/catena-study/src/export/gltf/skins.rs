//! Figures in glTF: bones as joints with animated position, rotation and scale, and meshes as
//! skins.

use super::{bin::ViewTarget, document::GltfDocument, numbers};
use crate::export::contents::IndexedFigure;
use crate::export::figure::{Figure, LOCAL, Local};
use crate::export::morphs::SkinnedMesh;
use crate::export::writer::{ExportError, WriterInput};
use catena_base::text::printable;
use catena_sim::glam::{DAffine3, DVec3};
use serde_json::{Map, Value, json};

/// Maximum memory in bytes for the animations of bones processed together.
const BLOCK_BYTES: usize = 64 << 20;

/// Number of joints per attribute set.
const SET: usize = 4;

/// Maximum number of joints of a skin, whose indices have 16 bits.
const MAX_JOINTS: usize = 65_536;

/// Adds a figure and returns its node. Its meshes become root nodes of the scene.
pub(super) fn add(
    document: &mut GltfDocument,
    input: &mut WriterInput<'_>,
    source: IndexedFigure<'_>,
    name: &dyn Fn(&str) -> String,
    times: Option<usize>,
) -> Result<usize, ExportError> {
    let figure = source.figure();
    let count = figure.skeleton.len();
    if count > MAX_JOINTS {
        return Err(ExportError::Unfit(format!(
            "a skin of glTF has at most {MAX_JOINTS} joints, and “{}” has {count} bones; choose another --format",
            figure.name
        )));
    }
    let first = input.recording.moment(source.owner, 0)?.bones(source.place).to_vec();
    let joints = document.nodes();
    add_joints(document, figure, &first);
    let roots = (0..count).filter(|bone| figure.skeleton.parents()[*bone].is_none());
    let roots = numbers(roots.map(|bone| joints + bone));
    let title = document.names.take(&name(&figure.name), "figure");
    let node = document.add_node(json!({ "name": title, "children": roots }));
    if let Some(times) = times {
        add_animations(document, input, source, joints, times)?;
    }
    let world = figure.world(&first);
    for mesh in &figure.meshes {
        let title = document.names.take(&name(&mesh.name), "mesh");
        let t = input.contents.time_of(0);
        let added = add_mesh(document, mesh, &world, t, &title, joints)?;
        if let (Some(node), Some(times)) = (added, times) {
            add_weight_course(document, input, mesh, node, times)?;
        }
    }
    Ok(node)
}

fn add_joints(document: &mut GltfDocument, figure: &Figure, first: &[f64]) {
    let (joints, parents) = (document.nodes(), figure.skeleton.parents());
    let mut children = vec![Vec::new(); parents.len()];
    for (bone, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            children[*parent].push(joints + bone);
        }
    }
    for ((name, local), children) in
        figure.skeleton.names().iter().zip(Figure::locals(first)).zip(children)
    {
        let Local { place, turn, scale } = local;
        document.add_node(json!({
            "name": printable::line(name),
            "translation": singles(place.to_array()),
            "rotation": singles(turn.to_array()),
            "scale": singles(scale.to_array()),
            "children": children,
        }));
    }
}

pub(super) fn singles<const N: usize>(vector: [f64; N]) -> Vec<f32> {
    vector.map(|value| value as f32).to_vec()
}

/// Adds the animations of all bones, in blocks. Constant properties get no animation.
fn add_animations(
    document: &mut GltfDocument,
    input: &mut WriterInput<'_>,
    source: IndexedFigure<'_>,
    joints: usize,
    times: usize,
) -> Result<(), ExportError> {
    let (count, frames) = (source.figure().skeleton.len(), input.contents.count());
    let block = (BLOCK_BYTES / (8 * LOCAL * frames)).clamp(1, count.max(1));
    document.bin.begin()?;
    let mut found = Vec::new();
    for start in (0..count).step_by(block) {
        let bones = start..count.min(start + block);
        let mut series: Vec<Vec<Local>> = vec![Vec::with_capacity(frames); bones.len()];
        for frame in 0..frames {
            input.check_interruption()?;
            let moment = input.recording.moment(source.owner, frame)?;
            let locals = &moment.bones(source.place)[LOCAL * bones.start..LOCAL * bones.end];
            series.iter_mut().zip(Figure::locals(locals)).for_each(|(all, now)| all.push(now));
        }
        for (bone, mut course) in bones.zip(series) {
            let output = add_bone_course(document, &mut course)?;
            found.extend(output.into_iter().map(|(path, output)| (joints + bone, path, output)));
        }
    }
    document.bin.end(None, None);
    for (node, path, output) in found {
        let sampler = document.add_sampler(times, output);
        document.add_channel(sampler, node, path);
    }
    Ok(())
}

/// Adds the changing properties of a bone or rigid body, and returns their paths and accessors.
pub(super) fn add_bone_course(
    document: &mut GltfDocument,
    course: &mut [Local],
) -> Result<Vec<(&'static str, usize)>, ExportError> {
    // Both signs of a quaternion are the same rotation; the one closer to the previous frame avoids
    // a detour.
    for frame in 1..course.len() {
        if course[frame].turn.dot(course[frame - 1].turn) < 0.0 {
            course[frame].turn = -course[frame].turn;
        }
    }
    let mut found = Vec::new();
    let first = course[0];
    let moves = |now: &[f64], first: &[f64]| now.iter().zip(first).any(|(a, b)| differ(*a, *b));
    if course.iter().any(|now| moves(&now.place.to_array(), &first.place.to_array())) {
        let all: Vec<[f32; 3]> = course.iter().map(|now| now.place.as_vec3().to_array()).collect();
        found.push(("translation", document.bin.add_vectors(&all)?));
    }
    if course.iter().any(|now| moves(&now.turn.to_array(), &first.turn.to_array())) {
        let all: Vec<[f32; 4]> = course.iter().map(|now| now.turn.as_quat().to_array()).collect();
        found.push(("rotation", document.bin.add_vectors(&all)?));
    }
    if course.iter().any(|now| moves(&now.scale.to_array(), &first.scale.to_array())) {
        let all: Vec<[f32; 3]> = course.iter().map(|now| now.scale.as_vec3().to_array()).collect();
        found.push(("scale", document.bin.add_vectors(&all)?));
    }
    Ok(found)
}

/// Whether two numbers differ by more than rounding.
fn differ(a: f64, b: f64) -> bool {
    (a - b).abs() > 1e-12 * (1.0 + b.abs())
}

/// Adds the animation of the weights of a mesh's morph targets, if they change.
fn add_weight_course(
    document: &mut GltfDocument,
    input: &WriterInput<'_>,
    mesh: &SkinnedMesh,
    node: usize,
    times: usize,
) -> Result<(), ExportError> {
    let frames = 0..input.contents.count();
    let course: Vec<Vec<f32>> =
        frames.map(|frame| mesh.weights_at(input.contents.time_of(frame))).collect();
    if course.windows(2).all(|pair| pair[0] == pair[1]) {
        return Ok(());
    }
    document.bin.begin()?;
    let output = document.bin.add_scalars(&course.concat())?;
    document.bin.end(None, None);
    let sampler = document.add_sampler(times, output);
    document.add_channel(sampler, node, "weights");
    Ok(())
}

/// Adds a mesh in its first pose, with the weights at time `t`. Returns its node, or `None` if it
/// is empty.
fn add_mesh(
    document: &mut GltfDocument,
    mesh: &SkinnedMesh,
    first: &[DAffine3],
    t: f64,
    title: &str,
    joints: usize,
) -> Result<Option<usize>, ExportError> {
    if mesh.triangles.is_empty() {
        return Ok(None);
    }
    // The mesh's node is a root node, which does not reflect it.
    let corners: Vec<u32> = mesh.outward(first).flatten().map(|corner| corner as u32).collect();
    let indices = document.bin.add_indices(&corners, mesh.points.len())?;
    let mut attributes = Map::new();
    let normals = mesh.rest_normals(&mesh.points, first);
    document.bin.begin()?;
    attributes.insert("POSITION".into(), document.bin.add_places(&thin(&mesh.points))?.into());
    attributes.insert("NORMAL".into(), document.bin.add_vectors(&thin(&normals))?.into());
    let mut targets = Vec::new();
    for points in mesh.targets() {
        let moved = differences(&points, &mesh.points);
        let turned = differences(&mesh.rest_normals(&points, first), &normals);
        let places = document.bin.add_places(&moved)?;
        let normals = document.bin.add_vectors(&turned)?;
        targets.push(json!({ "POSITION": places, "NORMAL": normals }));
    }
    document.bin.end(Some(12), Some(ViewTarget::Vertices));
    add_weights(document, mesh, &mut attributes)?;
    let matrices: Vec<[f32; 16]> = mesh.inverse_bind.iter().map(matrix).collect();
    document.bin.begin()?;
    let matrices = document.bin.add_vectors(&matrices)?;
    document.bin.end(None, None);
    let bones = numbers(joints..joints + mesh.inverse_bind.len());
    let skin = json!({ "name": title, "joints": bones, "inverseBindMatrices": matrices });
    let skin = document.add_skin(skin);
    let material = document.add_material(mesh.color);
    let mut primitive =
        json!({ "attributes": attributes, "indices": indices, "material": material });
    let weights = mesh.weights_at(t);
    if !targets.is_empty() {
        primitive["targets"] = targets.into();
    }
    let mut found = json!({ "name": title, "primitives": [primitive] });
    if !weights.is_empty() {
        found["weights"] = weights.into();
    }
    let found = document.add_mesh(found);
    let node = document.add_node(json!({ "name": title, "mesh": found, "skin": skin }));
    document.skinned.push(node);
    Ok(Some(node))
}

/// Vectors rounded to 32 bits.
fn thin(vectors: &[DVec3]) -> Vec<[f32; 3]> {
    vectors.iter().map(|it| it.as_vec3().to_array()).collect()
}

/// Differences from the first vectors, rounded to 32 bits.
fn differences(all: &[DVec3], first: &[DVec3]) -> Vec<[f32; 3]> {
    all.iter().zip(first).map(|(now, first)| (now - first).as_vec3().to_array()).collect()
}

/// Adds joints and weights, in as many sets of four as the vertex with the most bones needs.
fn add_weights(
    document: &mut GltfDocument,
    mesh: &SkinnedMesh,
    attributes: &mut Map<String, Value>,
) -> Result<(), ExportError> {
    let influences: Vec<Vec<(u16, f32)>> =
        (0..mesh.points.len()).map(|vertex| influences(mesh, vertex)).collect();
    let sets = influences.iter().map(|all| all.len().div_ceil(SET)).max().unwrap_or(1);
    for set in 0..sets {
        let of_set = |all: &Vec<(u16, f32)>| -> [(u16, f32); SET] {
            std::array::from_fn(|k| all.get(SET * set + k).copied().unwrap_or((0, 0.0)))
        };
        let four: Vec<[(u16, f32); SET]> = influences.iter().map(of_set).collect();
        let bones: Vec<[u16; SET]> = four.iter().map(|it| it.map(|(bone, _)| bone)).collect();
        let weights: Vec<[f32; SET]> = four.iter().map(|it| it.map(|(_, weight)| weight)).collect();
        document.bin.begin()?;
        attributes.insert(format!("JOINTS_{set}"), document.bin.add_joints(&bones)?.into());
        document.bin.end(None, Some(ViewTarget::Vertices));
        document.bin.begin()?;
        attributes.insert(format!("WEIGHTS_{set}"), document.bin.add_vectors(&weights)?.into());
        document.bin.end(None, Some(ViewTarget::Vertices));
    }
    Ok(())
}

/// Bones of a vertex without duplicates, in descending order of weight. The weights sum to 1 in 32
/// bits as well.
fn influences(mesh: &SkinnedMesh, vertex: usize) -> Vec<(u16, f32)> {
    let mut all: Vec<(usize, f64)> = Vec::new();
    for (bone, weight) in mesh.skin.influences(vertex) {
        match all.iter_mut().find(|(known, _)| *known == bone) {
            Some((_, sum)) => *sum += weight,
            None => all.push((bone, weight)),
        }
    }
    all.sort_by(|(a, first), (b, second)| second.total_cmp(first).then(a.cmp(b)));
    let single = |(bone, weight): &(usize, f64)| (*bone as u16, *weight as f32);
    let mut singles: Vec<(u16, f32)> = all.iter().map(single).filter(|it| it.1 > 0.0).collect();
    let others: f64 = singles.iter().skip(1).map(|(_, weight)| f64::from(*weight)).sum();
    if let Some(first) = singles.first_mut() {
        first.1 = (1.0 - others) as f32;
    }
    singles
}

/// Converts a map into a matrix in column order.
fn matrix(map: &DAffine3) -> [f32; 16] {
    let DAffine3 { matrix3: m, translation: t } = map;
    let columns = [m.x_axis, m.y_axis, m.z_axis, *t];
    let mut all = [0.0; 16];
    for (k, column) in columns.iter().enumerate() {
        let [x, y, z] = column.as_vec3().to_array();
        all[4 * k..4 * k + 3].copy_from_slice(&[x, y, z]);
    }
    all[15] = 1.0;
    all
}
