//! Rigid bodies in glTF: a mesh under a node with animated position and rotation.

use super::{
    bin::ViewTarget,
    document::GltfDocument,
    skins::{add_bone_course, singles},
};
use crate::export::contents::IndexedBody;
use crate::export::figure::Local;
use crate::export::solids::ExportedSolid;
use crate::export::writer::{ExportError, WriterInput};
use catena_sim::vector::Vec3;
use serde_json::json;

/// Rigid body among the items of a body.
pub(super) struct FoundSolid<'a> {
    pub(super) solid: &'a ExportedSolid,
    pub(super) owner: IndexedBody<'a>,
    /// Index of the item in its body.
    pub(super) place: usize,
    pub(super) color: [u8; 4],
}

/// Adds a rigid body and returns its node.
pub(super) fn add(
    document: &mut GltfDocument,
    input: &mut WriterInput<'_>,
    found: &FoundSolid<'_>,
    name: &str,
    times: Option<usize>,
) -> Result<usize, ExportError> {
    let mesh = &found.solid.mesh;
    let name = document.names.take(name, "solid");
    let corners: Vec<u32> =
        mesh.triangles.as_flattened().iter().map(|corner| *corner as u32).collect();
    let indices = document.bin.add_indices(&corners, mesh.points.len())?;
    document.bin.begin()?;
    let places = document.bin.add_places(&thin(&mesh.points))?;
    let normals = document.bin.add_vectors(&thin(&mesh.normals))?;
    document.bin.end(Some(12), Some(ViewTarget::Vertices));
    let attributes = json!({ "POSITION": places, "NORMAL": normals });
    let material = document.add_material(found.color);
    let primitive = json!({ "attributes": attributes, "indices": indices, "material": material });
    let mesh = document.add_mesh(json!({ "name": name, "primitives": [primitive] }));
    let mut course: Vec<Local> = Vec::with_capacity(input.contents.count());
    for frame in 0..input.contents.count() {
        input.check_interruption()?;
        let moment = input.recording.moment(found.owner, frame)?;
        course.push(moment.rigid_motion(found.place).local());
    }
    let Local { place, turn, .. } = course[0];
    let node = document.add_node(json!({
        "name": name,
        "mesh": mesh,
        "translation": singles(place.to_array()),
        "rotation": singles(turn.to_array()),
    }));
    let Some(times) = times else { return Ok(node) };
    document.bin.begin()?;
    let outputs = add_bone_course(document, &mut course)?;
    document.bin.end(None, None);
    for (path, output) in outputs {
        let sampler = document.add_sampler(times, output);
        document.add_channel(sampler, node, path);
    }
    Ok(node)
}

/// Vectors rounded to 32 bits.
fn thin(all: &[Vec3]) -> Vec<[f32; 3]> {
    all.iter().map(|vector| vector.map(|value| value as f32)).collect()
}
