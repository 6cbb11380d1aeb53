//! Definition of a value: the lower layer that sets a field, or the file that a name refers to.
//!
//! The default settings are written to a file, for editors to show. Each version of the defaults
//! has its own file in the user's cache folder.

use super::documents::{self, Document};
use super::place::Place;
use super::text::Text;
use catena_base::read;
use catena_output::atomic;
use catena_output::hash::sha256;
use catena_ron::{Slot, Tree, locate};
use catena_scene::defaults;
use catena_scene::grammar::Grammar;
use lsp_types::{Location, Position, Range};
use std::env;
use std::path::{Path, PathBuf};

/// Returns the location of the value that the field at the cursor overrides, or of the file that is
/// named at the cursor.
///
/// # Errors
/// Returns the reason as text if the defaults define the field and their file cannot be written.
pub(super) fn location(document: &Document, place: &Place<'_>) -> Result<Option<Location>, String> {
    let is_name = place.slot() == Slot::Name;
    if !is_name && let Some(found) = named_file(document, place) {
        return Ok(Some(found));
    }
    let member = place.member();
    let Some(path) = member.and_then(|member| place.setting(member.name)) else { return Ok(None) };
    let lower = lower_layers(&place.layer);
    // In a text with errors a bracket may be missing, so that paths are wrong.
    let is_valid = ron::value::RawValue::from_ron(place.text).is_ok();
    let tree = Tree::parse(if is_valid { place.text } else { "" });
    let find = |layer: &String| tree.root().locate(&format!("{layer}.{path}"));
    if let Some(found) = lower.iter().find_map(find) {
        return Ok(Some(Location::new(document.uri.clone(), document.range(&found.span()))));
    }
    let Some(span) = locate(defaults(), &path) else { return Ok(None) };
    let range = Text::new(defaults().into()).range(&span);
    let uri = documents::uri_of_path(&write_defaults()?);
    Ok(uri.map(|uri| Location::new(uri, range)))
}

/// Returns the lower layers in the same file, highest first. For `panels[1].with.bodies[0].with`
/// these are `panels[1].with` and `base`.
fn lower_layers(layer: &str) -> Vec<String> {
    let mut layers = Vec::new();
    let mut rest = layer.strip_suffix(".with").unwrap_or_default();
    while let Some(at) = rest.rfind(".with.") {
        layers.push(rest[..at + ".with".len()].to_owned());
        rest = &rest[..at];
    }
    let base = if layer.starts_with("scene.") { "scene.base" } else { "base" };
    // The base is below its own parts.
    if layer != base {
        layers.push(base.into());
    }
    layers
}

/// Returns the location of the file whose name is under the cursor.
fn named_file(document: &Document, place: &Place<'_>) -> Option<Location> {
    let is_file = place.value.alternatives().iter().any(|it| matches!(it, Grammar::File(_)));
    let name: String = ron::from_str(place.word().filter(|_| is_file)?).ok()?;
    let path = document.path()?.parent()?.join(name);
    let start = Range::new(Position::new(0, 0), Position::new(0, 0));
    path.is_file().then(|| Some(Location::new(documents::uri_of_path(&path)?, start)))?
}

/// File name of the defaults.
const NAME: &str = "defaults.ron";
/// Number of hash digits in the folder name, which distinguish versions of the defaults.
const DIGITS: usize = 16;

/// Returns the user's cache folder by the rules of the operating system, or `None` if there is
/// none. Other users cannot write there.
fn cache_folder() -> Option<PathBuf> {
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
fn defaults_path() -> Option<PathBuf> {
    let mut edition = sha256(defaults().as_bytes());
    edition.truncate(DIGITS);
    Some(cache_folder()?.join("catena").join(format!("defaults-{edition}")).join(NAME))
}

/// Writes the defaults file unless it is up to date, and returns its path. The file is kept for
/// later sessions.
///
/// # Errors
/// Returns the reason as text when the user has no cache folder or the file cannot be written.
fn write_defaults() -> Result<PathBuf, String> {
    let path = defaults_path().ok_or(
        "the defaults are shown as a file in your cache folder, but no cache folder is known: set \
         HOME",
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
pub(super) fn is_defaults_file(document: &Document) -> bool {
    let (Some(own), Some(path)) = (defaults_path(), document.path()) else { return false };
    let is_same = || path.canonicalize().is_ok_and(|path| own.canonicalize().ok() == Some(path));
    path == own || (path.ends_with(NAME) && is_same())
}
