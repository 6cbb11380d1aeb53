//! OpenUSD text: an Xform per panel; ropes and nets as linear BasisCurves, cloth as Mesh, figures
//! as UsdSkel. Positions have a time sample per frame.
//!
//! Numbers of 32 bits are written with the fewest digits that read back to the same bits.

mod items;
mod skel;
mod text;

use super::{
    contents::{IndexedBody, IndexedFigure},
    format::{ExportError, Files, WriterInput},
    names::UsedNames,
};
use catena_base::text::number::short;
use skel::GroupScope;
use std::io::Write;
use text::{UsdaText, quoted, vector};

/// Writes a USDA file.
pub(super) fn write(input: &mut WriterInput<'_>, files: &mut dyn Files) -> Result<(), ExportError> {
    files.file("", &mut |out| stage(input, out))
}

fn stage(input: &mut WriterInput<'_>, out: &mut dyn Write) -> Result<(), ExportError> {
    let contents = input.contents;
    let mut names = UsedNames::default();
    let root = names.take_identifier(&contents.name);
    let mut text = UsdaText::new(out);
    header(input, &root, &mut text)?;
    text.open(&format!("def Xform \"{root}\" ("))?;
    text.line(&format!("displayName = {}", quoted(&contents.name)))?;
    text.line("kind = \"component\"")?;
    text.turn()?;
    let mut index = 0;
    let mut names = UsedNames::default();
    let mut colors: Vec<[u8; 3]> = Vec::new();
    let looks = names.take_identifier("Looks");
    let place = format!("/{root}/{looks}");
    for group in &contents.groups {
        let name = names.take_identifier(&group.name);
        text.open(&format!("def Xform \"{name}\" ("))?;
        text.line(&format!("displayName = {}", quoted(&group.name)))?;
        text.turn()?;
        let path = format!("/{root}/{name}");
        let mut own = UsedNames::default();
        for body in &group.bodies {
            let owner = IndexedBody { index, body };
            for item in &body.items {
                let name = own.take_identifier(&item.name);
                let look = look(&place, item.color, &mut colors);
                items::write(input, owner, item, &name, &look, &mut text)?;
            }
            for place_of in 0..body.figures.len() {
                let mut look = |color| look(&place, color, &mut colors);
                let figure = IndexedFigure { owner, place: place_of };
                let scope = GroupScope { path: &path, names: &mut own, look: &mut look };
                skel::write(input, figure, scope, &mut text)?;
            }
            index += 1;
        }
        text.close("}")?;
    }
    materials(&looks, &place, &colors, &mut text)?;
    text.close("}")?;
    Ok(())
}

fn header(input: &WriterInput<'_>, root: &str, text: &mut UsdaText<'_>) -> Result<(), ExportError> {
    let rate = 1.0 / input.seconds();
    if !rate.is_finite() {
        return Err(ExportError::Unfit(format!(
            "frames {} seconds apart have no rate; choose one with --fps",
            short(input.seconds())
        )));
    }
    let frames = &input.contents.frames;
    text.line("#usda 1.0")?;
    text.open("(")?;
    text.line(&format!("defaultPrim = \"{root}\""))?;
    text.line(&format!("endTimeCode = {}", frames.end - 1))?;
    text.line(&format!("framesPerSecond = {rate:?}"))?;
    text.line("metersPerUnit = 1")?;
    text.line(&format!("startTimeCode = {}", frames.start))?;
    text.line(&format!("timeCodesPerSecond = {rate:?}"))?;
    text.line("upAxis = \"Y\"")?;
    text.close(")")?;
    text.blank()?;
    Ok(())
}

/// Path of the material of a colour.
fn look(place: &str, color: [u8; 3], colors: &mut Vec<[u8; 3]>) -> String {
    if !colors.contains(&color) {
        colors.push(color);
    }
    format!("{place}/{}", look_name(color))
}

fn look_name([red, green, blue]: [u8; 3]) -> String {
    format!("color_{red:02x}{green:02x}{blue:02x}")
}

/// Writes the materials of all colours.
fn materials(
    looks: &str,
    place: &str,
    colors: &[[u8; 3]],
    text: &mut UsdaText<'_>,
) -> Result<(), ExportError> {
    text.open(&format!("def Scope \"{looks}\""))?;
    text.turn_plain()?;
    for color in colors {
        let name = look_name(*color);
        text.open(&format!("def Material \"{name}\""))?;
        text.turn_plain()?;
        text.line(&format!(
            "token outputs:surface.connect = <{place}/{name}/surface.outputs:surface>"
        ))?;
        text.open("def Shader \"surface\"")?;
        text.turn_plain()?;
        text.line("uniform token info:id = \"UsdPreviewSurface\"")?;
        let linear = super::contents::linear(*color).map(|channel| channel as f32);
        text.line(&format!("color3f inputs:diffuseColor = {}", vector(linear)))?;
        text.line("float inputs:metallic = 0")?;
        text.line("float inputs:roughness = 0.9")?;
        text.line("token outputs:surface")?;
        text.close("}")?;
        text.close("}")?;
    }
    text.close("}")?;
    Ok(())
}
