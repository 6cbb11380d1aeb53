//! File with the default settings, for editors to show. Each version of the defaults has its own
//! file in the user's cache folder.

use super::documents::Document;
use catena_base::read;
use catena_output::{atomic, hash::sha256};
use catena_scene::defaults;
use std::env;
use std::path::{Path, PathBuf};

/// File name of the defaults.
const NAME: &str = "defaults.ron";
/// Number of hash digits in the folder name, which tell versions of the defaults apart.
const DIGITS: usize = 16;

/// Returns the user's cache folder by the rules of the operating system, or `None` if there is
/// none. Other users cannot write there.
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

/// Returns the path of the defaults file, or `None` if the user has no cache folder.
fn path() -> Option<PathBuf> {
    let mut edition = sha256(defaults().as_bytes());
    edition.truncate(DIGITS);
    Some(cache()?.join("catena").join(format!("defaults-{edition}")).join(NAME))
}

/// Writes the defaults file unless it is up to date, and returns its path. The file is kept for
/// later sessions.
///
/// # Errors
/// Returns the reason as text when the user has no cache folder or the file cannot be written.
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

/// Whether a document is the defaults file, also if symbolic links lead to its folder.
pub(super) fn is_it(document: &Document) -> bool {
    let (Some(own), Some(path)) = (path(), document.path()) else { return false };
    let is_same = || path.canonicalize().is_ok_and(|path| own.canonicalize().ok() == Some(path));
    path == own || (path.ends_with(NAME) && is_same())
}
