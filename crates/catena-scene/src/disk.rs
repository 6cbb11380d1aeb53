//! File-system access for scenes and the files that they name.
//!
//! Scenes may be untrusted, and error messages may quote the files that they name. Links and `..`
//! are therefore resolved before a path is compared with the scene's folder.
//!
//! The feature `files` enables this module. Without it, scenes are given as text and their files as
//! bytes.

use super::diagnostic::{Fault, nearest};
use super::error::SceneError;
use super::file::SceneText;
use super::limits::{LIFT, Limits};
use super::{file, slashes};
use crate::access::{ALLOW, Access, RELATIVE};
use catena_base::read;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

/// File that may be read.
#[derive(Clone, Debug)]
pub(super) struct FoundFile {
    /// Path with links resolved.
    pub(super) path: PathBuf,
    /// Whether the path is outside the scene's folder. Messages then quote no text of the file.
    pub(super) is_outside: bool,
}

/// Reads a file of at most `maximum` bytes that a scene in `folder` names.
///
/// # Errors
/// Returns an error when the file cannot be read, is not a regular file, or is too large.
pub(super) fn read_found(
    found: &FoundFile,
    folder: &Path,
    name: &str,
    maximum: u64,
) -> Result<Vec<u8>, Fault> {
    let bytes = read::file(&found.path, maximum).map_err(|error| {
        let fault = Fault::new(format!("{} cannot be read: {error}", folder.join(name).display()));
        match error.kind() {
            ErrorKind::NotFound => {
                // Folders outside the scene's folder are not searched.
                let similar = (!found.is_outside).then(|| similar_table(&folder.join(name)));
                let similar = similar.flatten().map(|path| format!("did you mean {path}?"));
                let advice = slashes::advice(name).or(similar);
                fault.help(advice.unwrap_or_else(|| RELATIVE.into()))
            }
            ErrorKind::InvalidData => fault.help(LIFT),
            _ => fault.help("specify an ordinary file"),
        }
    })?;
    let Some((program, command)) = read::pointer_of(&bytes) else { return Ok(bytes) };
    let fault = Fault::new(format!(
        "{} is only a pointer of {program}, without the content of the file",
        folder.join(name).display()
    ));
    Err(fault.help(format!("run `{command}` to fetch the file")))
}

impl Access {
    /// Resolves a file that a scene in `folder` names.
    ///
    /// # Errors
    /// Returns an error when the scene may not read the file. The message does not reveal whether
    /// the file exists.
    pub(super) fn find(&self, folder: &Path, name: &str) -> Result<FoundFile, Fault> {
        let asked = folder.join(name);
        let refused = || {
            let shown = asked.display();
            let fault = Fault::new(format!(
                "{shown} is outside the folder of the file that names it, or a link that leads out \
                 of it"
            ));
            fault.help(ALLOW)
        };
        let path = resolved(&asked).ok_or_else(refused)?;
        let home = resolved(folder).ok_or_else(refused)?;
        let is_outside = !path.starts_with(home);
        let allows = |folder: &PathBuf| resolved(folder).is_some_and(|it| path.starts_with(it));
        let is_allowed = !is_outside || self.is_unlimited || self.folders.iter().any(allows);
        if is_allowed { Ok(FoundFile { path, is_outside }) } else { Err(refused()) }
    }
}

/// Resolves the links of the existing part of a path. Returns `None` if the missing part contains
/// `..`.
fn resolved(path: &Path) -> Option<PathBuf> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let mut missing = Vec::new();
    let mut known = path;
    loop {
        let here = if known.as_os_str().is_empty() { Path::new(".") } else { known };
        if let Ok(real) = here.canonicalize() {
            return Some(missing.iter().rev().fold(real, |real, name| real.join(name)));
        }
        match known.components().next_back()? {
            Component::Normal(name) => missing.push(name.to_owned()),
            Component::CurDir => {}
            _ => return None,
        }
        known = known.parent()?;
    }
}

impl SceneText {
    /// Reads a scene file; the path `-` is standard input.
    ///
    /// # Errors
    /// Returns an error when the file cannot be read, is not UTF-8, is empty or exceeds the default
    /// size limit.
    pub fn read(path: &Path) -> Result<Self, SceneError> {
        Self::read_within(path, &Limits::default())
    }

    /// Reads a scene file within other limits; the path `-` is standard input.
    ///
    /// # Errors
    /// Returns an error when the file cannot be read, is not UTF-8, is empty or exceeds
    /// `limits.file_bytes`.
    pub fn read_within(path: &Path, limits: &Limits) -> Result<Self, SceneError> {
        let maximum = limits.file_bytes;
        let (origin, name, bytes) = if path == Path::new("-") {
            ("standard input".into(), file::STDIN.into(), read::up_to(maximum + 1, io::stdin()))
        } else {
            // A scene may come from a pipe, such as `<(…)` of a shell.
            let bytes = fs::File::open(path).and_then(|file| read::up_to(maximum + 1, file));
            (path.display().to_string(), file::scene_name(path), bytes)
        };
        let bytes =
            bytes.map_err(|error| SceneError::new(&origin, "", unreadable(path, &error)))?;
        Self::of_bytes(origin, name, bytes, maximum)
    }
}

/// Creates the fault of a path that could not be read, with a similar path as advice.
fn unreadable(path: &Path, error: &io::Error) -> Fault {
    if path.is_dir() {
        let fault = Fault::new(format!("this is a folder, not a scene file ({error})"));
        let first = first_scene_in(path);
        let first = first.map_or(String::new(), |path| format!(", such as {path}"));
        return fault.help(format!("specify a file in it{first}"));
    }
    let fault = Fault::new(format!("cannot be read: {error}"));
    let is_missing = error.kind() == ErrorKind::NotFound;
    match is_missing.then(|| similar_path(path)).flatten() {
        Some(similar) => fault.help(format!("did you mean {similar}?")),
        None => fault,
    }
}

/// Returns the scene file with the most similar name. Searches the same folder, a folder with a
/// similar name, and folders called `scenes`.
pub(crate) fn similar_path(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    // The extension is most often omitted or mistyped.
    let stem = Path::new(name).file_stem()?.to_str()?;
    let folder = path.parent()?;
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    folders.extend(similar_folder(folder));
    folders.push(folder.join("scenes"));
    folders.push(PathBuf::from("scenes"));
    let near = folders.iter().enumerate().filter_map(|(order, folder)| {
        let names = scene_names(folder);
        let stems = names.iter().filter_map(|name| name.strip_suffix(".ron"));
        let (distance, found) = nearest(stem, stems)?;
        Some((distance, order, folder.join(format!("{found}.ron")).display().to_string()))
    });
    near.min().map(|(.., found)| found)
}

/// Returns the file of numbers with the most similar name. Searches the same folder, and a folder
/// with a similar name.
pub fn similar_table(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent()?;
    let is_table = |path: &Path| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|it| TABLES.iter().any(|known| it.eq_ignore_ascii_case(known)))
    };
    let folders = [Some(folder.to_owned()), similar_folder(folder)];
    folders.into_iter().flatten().find_map(|folder| {
        let names = names_in(&folder, is_table);
        let (_, found) = nearest(name, names.iter().map(String::as_str))?;
        Some(folder.join(found).display().to_string())
    })
}

/// Extensions of files of numbers.
const TABLES: [&str; 4] = ["csv", "tsv", "txt", "dat"];

/// Returns the folder whose name is most similar to the name of a missing folder.
fn similar_folder(folder: &Path) -> Option<PathBuf> {
    let name = folder.file_name().filter(|_| !folder.is_dir())?.to_str()?;
    let around = folder.parent()?;
    let names = names_in(around, Path::is_dir);
    let (_, found) = nearest(name, names.iter().map(String::as_str))?;
    Some(around.join(found))
}

/// Returns the alphabetically first scene file of a folder.
fn first_scene_in(folder: &Path) -> Option<String> {
    Some(folder.join(scene_names(folder).first()?).display().to_string())
}

/// Returns the sorted names of the `.ron` files in a folder.
fn scene_names(folder: &Path) -> Vec<String> {
    names_in(folder, |path| path.extension().is_some_and(|ending| ending == "ron"))
}

/// Returns the sorted names in a folder whose paths pass a test.
fn names_in(folder: &Path, passes: impl Fn(&Path) -> bool) -> Vec<String> {
    let here = Path::new(".");
    let folder = if folder.as_os_str().is_empty() { here } else { folder };
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let passing = entries.flatten().filter(|entry| passes(&entry.path()));
    let mut names: Vec<String> =
        passing.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    names
}
