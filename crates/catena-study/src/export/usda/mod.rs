//! OpenUSD text: an Xform per panel; ropes and nets as linear BasisCurves, cloth as Mesh, figures
//! as UsdSkel, rigid bodies as moving Xforms. Positions have a time sample per frame.
//!
//! Numbers of 32 bits are written with the fewest digits that read back as the same number.

mod items;
mod skel;
mod solids;
mod text;

use super::contents::{IndexedBody, IndexedFigure};
use super::names::UsedNames;
use crate::export::writer::{ExportError, Files, WriterInput};
use catena_base::text::number::short;
use skel::GroupScope;
use solids::FoundSolid;
use std::io::Write;
use text::{UsdaText, quoted, vector};

/// Writes a USDA file.
pub(super) fn write(input: &mut WriterInput<'_>, files: &mut dyn Files) -> Result<(), ExportError> {
    files.write_file("", &mut |out| write_stage(input, out))
}

fn write_stage(input: &mut WriterInput<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let contents = input.contents;
    let mut names = UsedNames::default();
    let root = names.take_identifier(&contents.name);
    let mut text = UsdaText::new(out);
    write_header(input, &root, &mut text)?;
    text.open(&format!("def Xform \"{root}\" ("))?;
    text.write_line(&format!("displayName = {}", quoted(&contents.name)))?;
    text.write_line("kind = \"component\"")?;
    text.turn()?;
    let mut index = 0;
    let mut names = UsedNames::default();
    let mut colors: Vec<[u8; 4]> = Vec::new();
    let looks = names.take_identifier("Looks");
    let place = format!("/{root}/{looks}");
    for group in &contents.groups {
        let name = names.take_identifier(&group.name);
        text.open(&format!("def Xform \"{name}\" ("))?;
        text.write_line(&format!("displayName = {}", quoted(&group.name)))?;
        text.turn()?;
        let path = format!("/{root}/{name}");
        let mut own = UsedNames::default();
        for body in &group.bodies {
            let owner = IndexedBody { index, body };
            for (number, item) in body.items.iter().enumerate() {
                let name = own.take_identifier(&item.name);
                let look = add_look(&place, item.color, &mut colors);
                match item.solid() {
                    Some(solid) => {
                        let found = FoundSolid { solid, owner, number, item };
                        solids::write(input, &found, &name, &look, &mut text)?;
                    }
                    None => items::write(input, owner, item, &name, &look, &mut text)?,
                }
            }
            for place_of in 0..body.figures.len() {
                let mut look = |color| add_look(&place, color, &mut colors);
                let figure = IndexedFigure { owner, place: place_of };
                let scope = GroupScope { path: &path, names: &mut own, look: &mut look };
                skel::write(input, figure, scope, &mut text)?;
            }
            index += 1;
        }
        text.close("}")?;
    }
    write_materials(&looks, &place, &colors, &mut text)?;
    text.close("}")?;
    Ok(())
}

fn write_header(
    input: &WriterInput<'_>,
    root: &str,
    text: &mut UsdaText<'_>,
) -> Result<(), ExportError> {
    let rate = 1.0 / input.seconds();
    if !rate.is_finite() {
        return Err(ExportError::Unfit(format!(
            "frames {} seconds apart have no valid rate; choose one with --fps",
            short(input.seconds())
        )));
    }
    let frames = &input.contents.frames;
    text.write_line("#usda 1.0")?;
    text.open("(")?;
    text.write_line(&format!("defaultPrim = \"{root}\""))?;
    text.write_line(&format!("endTimeCode = {}", frames.end - 1))?;
    text.write_line(&format!("framesPerSecond = {rate:?}"))?;
    text.write_line("metersPerUnit = 1")?;
    text.write_line(&format!("startTimeCode = {}", frames.start))?;
    text.write_line(&format!("timeCodesPerSecond = {rate:?}"))?;
    text.write_line("upAxis = \"Y\"")?;
    text.close(")")?;
    text.write_blank()?;
    Ok(())
}

/// Returns the path of the material of a colour, and lists the colour if it is new.
fn add_look(place: &str, color: [u8; 4], colors: &mut Vec<[u8; 4]>) -> String {
    if !colors.contains(&color) {
        colors.push(color);
    }
    format!("{place}/{}", look_name(color))
}

fn look_name(color: [u8; 4]) -> String {
    format!("color_{}", super::contents::digits(color))
}

/// Writes the materials of all colours.
fn write_materials(
    looks: &str,
    place: &str,
    colors: &[[u8; 4]],
    text: &mut UsdaText<'_>,
) -> Result<(), ExportError> {
    text.open(&format!("def Scope \"{looks}\""))?;
    text.turn_plain()?;
    for color in colors {
        let name = look_name(*color);
        text.open(&format!("def Material \"{name}\""))?;
        text.turn_plain()?;
        text.write_line(&format!(
            "token outputs:surface.connect = <{place}/{name}/surface.outputs:surface>"
        ))?;
        text.open("def Shader \"surface\"")?;
        text.turn_plain()?;
        text.write_line("uniform token info:id = \"UsdPreviewSurface\"")?;
        let linear = super::contents::light(*color).map(|channel| channel as f32);
        text.write_line(&format!("color3f inputs:diffuseColor = {}", vector(linear)))?;
        text.write_line("float inputs:metallic = 0")?;
        let opacity = super::contents::opacity(*color);
        if opacity < 1.0 {
            let mut shown = String::new();
            text::push_number(opacity as f32, &mut shown);
            text.write_line(&format!("float inputs:opacity = {shown}"))?;
        }
        text.write_line("float inputs:roughness = 0.9")?;
        text.write_line("token outputs:surface")?;
        text.close("}")?;
        text.close("}")?;
    }
    text.close("}")?;
    Ok(())
}
