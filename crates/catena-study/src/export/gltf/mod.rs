//! Binary glTF 2.0. Moving items have one morph target per frame after the first; figures are
//! joints and skins, rigid bodies are nodes that move and turn.
//!
//! At a frame a single target has weight 1. Between frames two targets are blended. The weights are
//! ones in a sparse accessor of zeros, so their size is proportional to the number of frames and
//! not to its square. Source: Khronos Group, "glTF 2.0 Specification", 3.6 to 3.11.

mod bin;
mod document;
mod items;
mod skins;
mod solids;

use super::contents::{IndexedBody, IndexedFigure};
use crate::export::writer::{ExportError, Files, WriterInput};
use bin::Bin;
use document::GltfDocument;
use serde_json::{Value, json};
use solids::FoundSolid;
use std::{
    fs::File,
    io::{self, Seek, SeekFrom, Write},
};

/// Maximum number of frames. Each has a weight for every target, and sparse indices have 32 bits.
const MAX_FRAMES: usize = 65_536;

/// Writes a GLB file.
pub(super) fn write(input: &mut WriterInput<'_>, files: &mut dyn Files) -> Result<(), ExportError> {
    let frames = input.contents.count();
    if frames > MAX_FRAMES {
        return Err(ExportError::Unfit(format!(
            "a GLB file can have at most {MAX_FRAMES} frames, since each has a morph target, but the export has {frames}; \
             export fewer with --frames or --frame-range, or another --format"
        )));
    }
    let mut document = GltfDocument::new(Bin::new(files.create_spare()?));
    let times = add_times(input, &mut document.bin)?;
    let mut roots = Vec::new();
    let (contents, mut index) = (input.contents, 0);
    for group in &contents.groups {
        let mut members = Vec::new();
        for body in &group.bodies {
            let owner = IndexedBody { index, body };
            for (place, item) in body.items.iter().enumerate() {
                let name = contents.full_name(group, &item.name);
                members.extend(match item.solid() {
                    Some(solid) => {
                        let found = FoundSolid { solid, owner, place, color: item.color };
                        Some(solids::add(&mut document, input, &found, &name, times)?)
                    }
                    None => items::add(&mut document, input, owner, item, &name)?,
                });
            }
            for place in 0..body.figures.len() {
                let name = |name: &str| contents.full_name(group, name);
                let figure = IndexedFigure { owner, place };
                members.push(skins::add(&mut document, input, figure, &name, times)?);
            }
            index += 1;
        }
        let name = document.names.take(&group.name, "panel");
        roots.push(document.add_node(json!({ "name": name, "children": members })));
    }
    let name = document.names.take(&contents.name, "scene");
    let mut all = vec![document.add_node(json!({ "name": name, "children": roots }))];
    all.append(&mut document.skinned);
    add_weights(&mut document, frames, times)?;
    let (json, bin, length) = document.finish(&name, all)?;
    files.write_file("", &mut |out| assemble(&json, &bin, length, out))
}

/// Adds the times of all frames. Returns `None` for a single frame, which has no animation.
fn add_times(input: &WriterInput<'_>, bin: &mut Bin) -> Result<Option<usize>, ExportError> {
    let seconds = input.seconds();
    let times: Vec<f32> =
        input.contents.frames.clone().map(|frame| (frame as f64 * seconds) as f32).collect();
    if times.windows(2).any(|pair| pair[0] >= pair[1]) || times.iter().any(|time| !time.is_finite())
    {
        return Err(ExportError::Unfit(format!(
            "frames {} seconds apart cannot be distinguished by the 32-bit times of glTF; choose another --fps",
            catena_base::text::number::short(seconds)
        )));
    }
    if times.len() < 2 {
        return Ok(None);
    }
    bin.begin()?;
    let accessor = bin.add_scalars(&times)?;
    bin.end(None, None);
    Ok(Some(accessor))
}

/// Adds the one-hot weights shared by all meshes: no target at the first frame, and target k at
/// frame k + 1.
fn add_weights(
    document: &mut GltfDocument,
    frames: usize,
    times: Option<usize>,
) -> Result<(), ExportError> {
    let (Some(times), false) = (times, document.morphed.is_empty()) else { return Ok(()) };
    let targets = frames - 1;
    let places: Vec<u32> =
        (0..targets).map(|target| ((target + 1) * targets + target) as u32).collect();
    let output = document.bin.add_ones(frames * targets, &places)?;
    let sampler = document.add_sampler(times, output);
    for node in std::mem::take(&mut document.morphed) {
        document.add_channel(sampler, node, "weights");
    }
    Ok(())
}

const MAGIC: u32 = 0x4654_6c67;
const JSON: u32 = 0x4e4f_534a;
const BIN: u32 = 0x004e_4942;

/// Writes both chunks as a file.
fn assemble(
    json: &[u8],
    mut bin: &File,
    length: u64,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let all = 12 + 8 + json.len() as u64 + 8 + length;
    let too_large = |_| ExportError::Unfit(too_large(all));
    let all = u32::try_from(all).map_err(too_large)?;
    let words = [MAGIC, 2, all, json.len() as u32, JSON];
    words.iter().try_for_each(|word| out.write_all(&word.to_le_bytes()))?;
    out.write_all(json)?;
    [length as u32, BIN].iter().try_for_each(|word| out.write_all(&word.to_le_bytes()))?;
    bin.seek(SeekFrom::Start(0))?;
    io::copy(&mut bin, out)?;
    Ok(())
}

/// Message about a file of more than 4 GiB.
pub(super) fn too_large(bytes: u64) -> String {
    format!(
        "a GLB file holds at most 4 GiB, and this one would have about {}; export fewer frames with --frames or \
         --frame-range, one panel with --panel, ropes with --ropes line, or all with --format usda",
        catena_base::text::number::bytes(bytes.into())
    )
}

/// Indices as a JSON list.
fn numbers(range: impl Iterator<Item = usize>) -> Value {
    Value::from(range.collect::<Vec<_>>())
}
