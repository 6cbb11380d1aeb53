//! Suggestions for the path of a missing scene file.

use crate::diagnostic::nearest;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Returns the scene file with the most similar name. Searches the same folder, a folder with a
/// similar name, and folders called `scenes`.
pub(crate) fn similar(path: &Path) -> Option<String> {
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

/// Returns the folder whose name is most similar to that of a missing one.
fn similar_folder(folder: &Path) -> Option<PathBuf> {
    let name = folder.file_name().filter(|_| !folder.is_dir())?.to_str()?;
    let around = folder.parent()?;
    let names = names_in(around, Path::is_dir);
    let (_, found) = nearest(name, names.iter().map(String::as_str))?;
    Some(around.join(found))
}

/// Returns the alphabetically first scene file of a folder.
pub(super) fn first_in(folder: &Path) -> Option<String> {
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
