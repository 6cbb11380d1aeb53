//! Ropes and nets as USD curves, cloth as USD meshes.

use super::text::{UsdaText, list, push_number, push_vector, push_vectors, vector};
use crate::export::contents::{IndexedBody, Item, Shape, light, opacity};
use crate::export::points::ItemFrames;
use crate::export::writer::{ExportError, RopeForm, WriterInput};
use catena_sim::vector::Vec3;

/// Writes an item under a name, with the material at path `look`.
pub(super) fn write(
    input: &mut WriterInput<'_>,
    body: IndexedBody<'_>,
    item: &Item,
    name: &str,
    look: &str,
    text: &mut UsdaText<'_>,
) -> Result<(), ExportError> {
    let mut frames = ItemFrames::new(body, item, input, RopeForm::Line);
    if frames.outline.vertices.is_empty() {
        return Ok(());
    }
    let (kind, radius) = match item.shape {
        Shape::Lines { diameter, .. } => ("BasisCurves", 0.5 * diameter),
        Shape::Mesh { .. } | Shape::Solid(_) => ("Mesh", 0.0),
    };
    text.open(&format!("def {kind} \"{name}\" ("))?;
    text.write_line("prepend apiSchemas = [\"MaterialBindingAPI\"]")?;
    text.write_line(&format!("displayName = {}", super::text::quoted(&item.name)))?;
    text.turn()?;
    match item.shape {
        Shape::Lines { diameter, .. } => write_curves(&frames, diameter, text)?,
        Shape::Mesh { .. } | Shape::Solid(_) => {
            let counts = frames.outline.faces.iter().map(Vec::len);
            text.write_line(&format!("int[] faceVertexCounts = {}", list(counts)))?;
            let corners = frames.outline.faces.iter().flatten();
            text.write_line(&format!("int[] faceVertexIndices = {}", list(corners)))?;
            write_surface(text)?;
        }
    }
    write_color(item.color, look, text)?;
    let all = input.contents.frames.clone();
    text.write_samples("float3[] extent", all.clone(), |frame, line| {
        input.check_interruption()?;
        frames.read(input, frame)?;
        push_extent(frames.points(), radius, line);
        Ok::<_, ExportError>(())
    })?;
    text.write_samples("point3f[] points", all.clone(), |frame, line| {
        input.check_interruption()?;
        frames.read(input, frame)?;
        push_vectors(frames.points(), line);
        Ok::<_, ExportError>(())
    })?;
    if frames.has_normals() {
        text.open("normal3f[] normals (")?;
        text.write_line("interpolation = \"vertex\"")?;
        text.close(")")?;
        text.write_samples("normal3f[] normals", all, |frame, line| {
            input.check_interruption()?;
            frames.read(input, frame)?;
            push_vectors(frames.normals(), line);
            Ok::<_, ExportError>(())
        })?;
    }
    text.close("}")?;
    Ok(())
}

/// Writes the common attributes of meshes: no subdivision, and two sides.
pub(super) fn write_surface(text: &mut UsdaText<'_>) -> Result<(), ExportError> {
    text.write_line("uniform bool doubleSided = 1")?;
    text.write_line("uniform token orientation = \"rightHanded\"")?;
    text.write_line("uniform token subdivisionScheme = \"none\"")?;
    Ok(())
}

fn write_curves(
    frames: &ItemFrames<'_>,
    diameter: f64,
    text: &mut UsdaText<'_>,
) -> Result<(), ExportError> {
    let strands = &frames.outline.strands;
    // An item is either a single ring or contains no ring.
    let is_closed = strands.iter().all(|strand| strand.is_closed);
    let wrap = if is_closed { "periodic" } else { "nonperiodic" };
    text.write_line("uniform token type = \"linear\"")?;
    text.write_line(&format!("uniform token wrap = \"{wrap}\""))?;
    let counts = strands.iter().map(|strand| strand.count);
    text.write_line(&format!("int[] curveVertexCounts = {}", list(counts)))?;
    let mut width = String::new();
    push_number(diameter as f32, &mut width);
    text.open(&format!("float[] widths = [{width}] ("))?;
    text.write_line("interpolation = \"constant\"")?;
    text.close(")")?;
    Ok(())
}

/// Writes the colour for viewers without materials, and the material.
pub(super) fn write_color(
    color: [u8; 4],
    look: &str,
    text: &mut UsdaText<'_>,
) -> Result<(), ExportError> {
    let shown = vector(light(color).map(|channel| channel as f32));
    text.open(&format!("color3f[] primvars:displayColor = [{shown}] ("))?;
    text.write_line("interpolation = \"constant\"")?;
    text.close(")")?;
    let opacity = opacity(color);
    if opacity < 1.0 {
        let mut shown = String::new();
        push_number(opacity as f32, &mut shown);
        text.open(&format!("float[] primvars:displayOpacity = [{shown}] ("))?;
        text.write_line("interpolation = \"constant\"")?;
        text.close(")")?;
    }
    text.write_line(&format!("rel material:binding = <{look}>"))?;
    Ok(())
}

/// Appends the corners of the bounding box of points, enlarged by `radius` on each side.
pub(super) fn push_extent(points: &[Vec3], radius: f64, text: &mut String) {
    let mut corners = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    for point in points {
        for axis in 0..3 {
            let at = point[axis];
            corners[0][axis] = corners[0][axis].min((at - radius) as f32);
            corners[1][axis] = corners[1][axis].max((at + radius) as f32);
        }
    }
    if points.is_empty() {
        corners = [[0.0; 3]; 2];
    }
    super::text::push_list(corners, push_vector, text);
}
