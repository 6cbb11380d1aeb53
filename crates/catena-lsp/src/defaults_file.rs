//! The defaults as a file that editors can show: one for each edition of them, in the folder in
//! which the user's programs keep what they can make anew.

use super::documents::Document;
use catena_base::read;
use catena_output::{atomic, hash::sha256};
use catena_scene::defaults;
use std::env;
use std::path::{Path, PathBuf};

/// The name of the file.
const NAME: &str = "defaults.ron";
/// How many digits of the hash of the defaults tell their editions from each other.
const DIGITS: usize = 16;

/// The user's folder for what can be made anew, by the rules of the system; `None` where it has
/// none. Nobody else writes there.
fn cache() -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).map(PathBuf::from);
    let home = |folder: &str| env::home_dir().map(|home| home.join(folder));
    let folder = match () {
        () if cfg!(windows) => named("LOCALAPPDATA"),
        () if cfg!(target_os = "macos") => home("Library/Caches"),
        () => named("XDG_CACHE_HOME").filter(|it| it.is_absolute()).or_else(|| home(".cache")),
    };
    folder.filter(|folder| folder.is_absolute())
}

/// The path of the file; `None` where the user has no folder for it.
fn path() -> Option<PathBuf> {
    let mut edition = sha256(defaults().as_bytes());
    edition.truncate(DIGITS);
    Some(cache()?.join("catena").join(format!("defaults-{edition}")).join(NAME))
}

/// The path of the file, which is written unless it is there. It stays for the next server.
///
/// # Errors
/// When it cannot be written, with the reason.
pub(super) fn written() -> Result<PathBuf, String> {
    let path = path().ok_or(
        "the defaults are shown as a file in your cache folder, and you have none: set HOME",
    )?;
    let is_there = read::file(&path, defaults().len() as u64)
        .is_ok_and(|found| found == defaults().as_bytes());
    if !is_there {
        let folder = path.parent().unwrap_or(Path::new("."));
        atomic::prepare_folder(folder).map_err(|error| error.to_string())?;
        atomic::write(&path, defaults().as_bytes()).map_err(|error| error.to_string())?;
    }
    Ok(path)
}

/// Whether a document is this file, by whatever name its folder has.
pub(super) fn is_it(document: &Document) -> bool {
    let (Some(own), Some(path)) = (path(), document.path()) else { return false };
    let is_same = || path.canonicalize().is_ok_and(|path| own.canonicalize().ok() == Some(path));
    path == own || (path.ends_with(NAME) && is_same())
}
