//! `catena import`: the scene of a MoorDyn deck.

use super::{Failure, args::ImportArgs, say, table::read_table};
use crate::job::{self, Import, TemplateError};
use crate::output::stdout;
use crate::scene::{Limits, SceneText, load_within};
use crate::text::{printable, shell};
use std::path::Path;

pub(super) fn run(args: &ImportArgs) -> Result<(), Failure> {
    let output = args.output.as_deref().filter(|path| !stdout::is_stdout(path));
    if output.is_some_and(|path| path.symlink_metadata().is_ok()) {
        return Err(taken(args));
    }
    let (name, bytes) = read_table(&args.deck, Limits::default().file_bytes)?;
    let folder_of = |path: &Path| path.parent().map(Path::to_owned).unwrap_or_default();
    let folder = if stdout::is_stdout(&args.deck) { "".into() } else { folder_of(&args.deck) };
    let scene_folder = output.map(folder_of).unwrap_or_default();
    let import = Import {
        name: &name,
        bytes: &bytes,
        folder: &folder,
        scene_folder: &scene_folder,
        motion: args.motion.as_deref(),
    };
    let scene = job::import(&import)?;
    match output {
        None => stdout::print(&scene.text)?,
        Some(path) => {
            job::write_new(path, &scene.text).map_err(|error| match error {
                TemplateError::Taken => taken(args),
                TemplateError::Output(error) => error.into(),
            })?;
        }
    }
    scene.notes.iter().for_each(|note| say::aside(&format!("note: {note}")));
    let Some(path) = output else { return Ok(()) };
    // The scene is written regardless of the result of the check.
    let limits = Limits::default();
    load_within(&SceneText::read_within(path, &limits)?, &[], &limits)?;
    let file = shell::quoted(path);
    say::lines([
        format!("wrote {}", printable::path(path)),
        format!("  catena statics {file}  solves for tensions at rest"),
        format!("  catena render {file}  writes frames"),
    ])
}

/// Error about an existing file.
fn taken(args: &ImportArgs) -> Failure {
    let path = args.output.as_deref().unwrap_or(Path::new("-"));
    Failure::Usage(format!(
        "{} exists already and was not changed; choose another -o, or remove it",
        path.display()
    ))
}
