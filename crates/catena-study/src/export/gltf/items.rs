//! Ropes, nets, cloth and meshes as glTF meshes with one morph target per frame after the first.

use super::{bin::ViewTarget, document::GltfDocument};
use crate::export::contents::{IndexedBody, Item};
use crate::export::points::{Connectivity, ItemFrames};
use crate::export::writer::{ExportError, WriterInput};
use catena_sim::vector::Vec3;
use serde_json::{Map, Value, json};

/// Primitive mode of glTF: separate lines between two vertices each.
const LINES: u32 = 1;
/// Primitive mode of glTF: separate triangles.
const TRIANGLES: u32 = 4;

/// Size of a vector of three components, in bytes.
const STRIDE: u32 = 12;

/// Adds an item and returns its node. Returns `None` if it is absent in all frames.
pub(super) fn add(
    document: &mut GltfDocument,
    input: &mut WriterInput<'_>,
    body: IndexedBody<'_>,
    item: &Item,
    name: &str,
) -> Result<Option<usize>, ExportError> {
    let mut frames = ItemFrames::new(body, item, input, input.options.ropes);
    let (mode, indices): (u32, Vec<u32>) = match frames.joined() {
        Connectivity::Lines(lines) => (LINES, lines.into_flattened()),
        Connectivity::Triangles(triangles) => (TRIANGLES, triangles.into_flattened()),
    };
    if indices.is_empty() {
        return Ok(None);
    }
    let name = document.names.take(name, "item");
    let indices = document.bin.add_indices(&indices, frames.count())?;
    document.bin.begin()?;
    let mut first: Option<PositionsAndNormals> = None;
    let (mut attributes, mut targets, mut labels) = (Value::Null, Vec::new(), Vec::new());
    for (frame, number) in input.contents.frames.clone().enumerate() {
        input.check_interruption()?;
        frames.read(input, frame)?;
        let now = [frames.points(), frames.normals()];
        match &first {
            None => {
                let vectors = now.map(singles);
                attributes = add_vectors(document, &vectors)?;
                first = Some(vectors);
            }
            Some(first) => {
                let moved = [0, 1].map(|kind| differences(now[kind], &first[kind]));
                targets.push(add_vectors(document, &moved)?);
                labels.push(format!("frame {number}"));
            }
        }
    }
    document.bin.end(Some(STRIDE), Some(ViewTarget::Vertices));
    let material = document.add_material(item.color);
    let mut primitive =
        json!({ "attributes": attributes, "indices": indices, "material": material, "mode": mode });
    let is_morphed = !targets.is_empty();
    if is_morphed {
        primitive["targets"] = Value::from(targets);
    }
    let mut mesh = json!({ "name": name, "primitives": [primitive] });
    if is_morphed {
        mesh["extras"] = json!({ "targetNames": labels });
    }
    let mesh = document.add_mesh(mesh);
    let node = document.add_node(json!({ "name": name, "mesh": mesh }));
    if is_morphed {
        document.morphed.push(node);
    }
    Ok(Some(node))
}

/// Positions and normals; lines have no normals.
type PositionsAndNormals = [Vec<[f32; 3]>; 2];

fn singles(all: &[Vec3]) -> Vec<[f32; 3]> {
    all.iter().map(|vector| vector.map(|value| value as f32)).collect()
}

/// Differences from the first values, which have been rounded to 32 bits.
fn differences(all: &[Vec3], first: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let difference = |(now, first): (&Vec3, &[f32; 3])| {
        std::array::from_fn(|axis| (now[axis] - f64::from(first[axis])) as f32)
    };
    all.iter().zip(first).map(difference).collect()
}

/// Adds positions and normals, and returns them as attributes.
fn add_vectors(
    document: &mut GltfDocument,
    [places, normals]: &PositionsAndNormals,
) -> Result<Value, ExportError> {
    let mut attributes = Map::new();
    attributes.insert("POSITION".into(), document.bin.add_places(places)?.into());
    if !normals.is_empty() {
        attributes.insert("NORMAL".into(), document.bin.add_vectors(normals)?.into());
    }
    Ok(Value::Object(attributes))
}
