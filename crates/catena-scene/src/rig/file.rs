//! Rigs from glTF files.

use super::layers::ClipTable;
use crate::diagnostic::Fault;
use crate::error::SceneError;
use crate::rig::figure::RigFigure;
use crate::shape::files;
use crate::stack::{Stack, refuse};
use catena_sim::rig::Rig;

/// Note on a file outside the scene's folder. Detailed notes would show its names.
const HIDDEN: &str =
    "parts of it are ignored or renamed; copy it into the scene's folder to see which";

/// Reads the figure of a file that the field `rig.file` names.
///
/// # Errors
/// Returns an error when the file cannot be read or is not a figure.
pub(super) fn read(stack: &Stack<'_>, name: &str) -> Result<RigFigure, SceneError> {
    let refused = |fault: Fault| refuse(stack, "rig.file", fault);
    let files = files(stack)?;
    let file = files.figure(name).map_err(refused)?;
    let is_outside = !files.shows_text(name);
    let mut clips = ClipTable::of_file(is_outside);
    for clip in &file.figure.clips {
        let read = clip.clip(&file.figure.skeleton);
        let read = read.map_err(|bad| {
            refused(Fault::new(match is_outside {
                true => format!("{name}: its clips do not fit its bones"),
                false => format!("{name}: {}", bad.message),
            }))
        })?;
        clips.add(clip.name.clone(), read, true).map_err(refused)?;
    }
    let note = |note: &String| format!("{name}: {note}");
    Ok(RigFigure {
        skeleton: (*file.figure.skeleton).clone(),
        clips,
        own: Vec::new(),
        skins: file.skins.clone(),
        looks: file.looks.clone(),
        lengths: vec![None; file.figure.skeleton.len()],
        carriers: Rig::carriers(&file.figure.skeleton, &file.skins),
        notes: match (is_outside, file.figure.notes.len()) {
            (true, 1..) => vec![note(&HIDDEN.to_owned())],
            _ => file.figure.notes.iter().map(note).collect(),
        },
        is_outside,
    })
}
