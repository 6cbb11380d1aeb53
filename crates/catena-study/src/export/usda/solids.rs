//! Rigid bodies in USD: a mesh in an Xform with a position and a rotation per frame.

use super::items::{push_extent, write_color, write_surface};
use super::text::{UsdaText, list, push_vector, push_vectors, quoted};
use crate::export::contents::{IndexedBody, Item};
use crate::export::solids::ExportedSolid;
use crate::export::writer::{ExportError, WriterInput};
use std::fmt::Write as _;

/// Rigid body among the items of a body.
pub(super) struct FoundSolid<'a> {
    pub(super) solid: &'a ExportedSolid,
    pub(super) owner: IndexedBody<'a>,
    /// Index of the item in its body.
    pub(super) number: usize,
    pub(super) item: &'a Item,
}

/// Writes a rigid body under a name, with the material at path `look`.
pub(super) fn write(
    input: &mut WriterInput<'_>,
    found: &FoundSolid<'_>,
    name: &str,
    look: &str,
    text: &mut UsdaText<'_>,
) -> Result<(), ExportError> {
    let FoundSolid { solid, owner, number, item } = *found;
    text.open(&format!("def Xform \"{name}\" ("))?;
    text.write_line(&format!("displayName = {}", quoted(&item.name)))?;
    text.turn()?;
    let all = input.contents.frames.clone();
    text.write_samples("double3 xformOp:translate", all.clone(), |frame, line| {
        input.check_interruption()?;
        let [x, y, z] = input.recording.moment(owner, frame)?.rigid_motion(number).place.to_array();
        // Writing to a string cannot fail.
        let _ = write!(line, "({x:?}, {y:?}, {z:?})");
        Ok::<_, ExportError>(())
    })?;
    text.write_samples("quatf xformOp:orient", all, |frame, line| {
        input.check_interruption()?;
        let turn = input.recording.moment(owner, frame)?.rigid_motion(number).turn;
        let [x, y, z, w] = turn.to_array();
        push_vector([w, x, y, z].map(|value| value as f32), line);
        Ok::<_, ExportError>(())
    })?;
    text.write_line("uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]")?;
    write_mesh(solid, item, look, text)?;
    text.close("}")?;
    Ok(())
}

fn write_mesh(
    solid: &ExportedSolid,
    item: &Item,
    look: &str,
    text: &mut UsdaText<'_>,
) -> Result<(), ExportError> {
    let mesh = &solid.mesh;
    text.open("def Mesh \"surface\" (")?;
    text.write_line("prepend apiSchemas = [\"MaterialBindingAPI\"]")?;
    text.turn()?;
    let counts = mesh.triangles.iter().map(|_| 3);
    text.write_line(&format!("int[] faceVertexCounts = {}", list(counts)))?;
    let corners = mesh.triangles.as_flattened().iter();
    text.write_line(&format!("int[] faceVertexIndices = {}", list(corners)))?;
    write_surface(text)?;
    write_color(item.color, look, text)?;
    let mut line = String::from("float3[] extent = ");
    push_extent(&mesh.points, 0.0, &mut line);
    text.write_line(&line)?;
    let mut line = String::from("point3f[] points = ");
    push_vectors(&mesh.points, &mut line);
    text.write_line(&line)?;
    let mut line = String::from("normal3f[] normals = ");
    push_vectors(&mesh.normals, &mut line);
    text.open(&(line + " ("))?;
    text.write_line("interpolation = \"vertex\"")?;
    text.close(")")?;
    text.close("}")?;
    Ok(())
}
