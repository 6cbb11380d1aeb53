//! The scene of a MoorDyn deck.

use super::RunError;
use catena_base::read;
use catena_output::OutputError;
use catena_scene::Limits;
use catena_scene::deck::{Deck, DeckMotion, ImportedScene};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Maximum size in bytes of a file of tensions or motions.
const MAX: u64 = 1 << 26;

/// A deck and the files around it.
#[derive(Clone, Copy, Debug)]
pub struct Import<'a> {
    /// Name of the deck in messages.
    pub name: &'a str,
    /// Bytes of the deck.
    pub bytes: &'a [u8],
    /// Folder of the deck, which contains the files that the deck names.
    pub folder: &'a Path,
    /// Folder of the scene.
    pub scene_folder: &'a Path,
    /// File with the motion of the coupled points.
    pub motion: Option<&'a Path>,
}

/// Returns the scene of a deck.
///
/// # Errors
/// The deck contains something that catena cannot express, a file cannot be read, or the resulting
/// scene could not read a file.
pub fn import(given: &Import<'_>) -> Result<ImportedScene, RunError> {
    let maximum = Limits::default().file_bytes;
    if given.bytes.len() as u64 > maximum {
        return Err(RunError::Data(format!(
            "{}: the deck is larger than {maximum} bytes, the maximum \
                                           size",
            given.name
        )));
    }
    // Comments and units in old decks may have any encoding.
    let text = String::from_utf8_lossy(given.bytes);
    let text = text.trim_start_matches('\u{feff}');
    let motion = given.motion.map(|path| motion(given, path)).transpose()?;
    let deck = Deck {
        origin: given.name,
        text,
        read: &|name| read_sibling(given.folder, name),
        motion: motion.as_ref().map(|(file, text)| DeckMotion { file, text }),
    };
    Ok(deck.scene()?)
}

/// Returns the text of a file that a deck names. The file must be in the folder of the deck or
/// below it.
fn read_sibling(folder: &Path, name: &str) -> Result<String, String> {
    let is_inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    if !is_inside {
        return Err("a deck can read only files in its own folder and below it".into());
    }
    let bytes = read::file(&folder.join(name), MAX).map_err(|error| match error.kind() {
        ErrorKind::NotFound => format!("{} does not exist", folder.join(name).display()),
        _ => error.to_string(),
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the path of a file of motions relative to the scene, and its text.
fn motion(given: &Import<'_>, path: &Path) -> Result<(String, String), RunError> {
    let refuse = |cause| OutputError::new("read", path, cause);
    let bytes = read::file(path, MAX).map_err(refuse)?;
    let name = relative(given.scene_folder, path).ok_or_else(|| {
        let path = path.display();
        RunError::Option(format!(
            "{path} is not in the folder of the scene or below it, but a scene can read only such \
             files; copy the file there, or write the scene next to it"
        ))
    })?;
    Ok((name, String::from_utf8_lossy(&bytes).into_owned()))
}

/// Returns the path of a file relative to a folder that contains it, with `/` between names. The
/// folder does not have to exist.
fn relative(folder: &Path, path: &Path) -> Option<String> {
    let real = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).ok();
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let inner: PathBuf = real(path)?.strip_prefix(real(folder)?).ok()?.into();
    let names = inner.iter().map(|name| name.to_str().map(str::to_owned));
    Some(names.collect::<Option<Vec<_>>>()?.join("/"))
}
