//! Suggests a scene file for a path at which there is none.

use super::diagnostic::nearest;
use std::{fs, path::Path};

/// The scene file whose name is most like a path's: in the same folder, or in its folder `scenes`.
pub(super) fn similar(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    // The ending is what people leave out most easily.
    let name = format!("{}.ron", name.strip_suffix(".ron").unwrap_or(name));
    let folder = path.parent()?;
    [folder.to_owned(), folder.join("scenes")].iter().find_map(|folder| {
        let names = scene_names(folder);
        let (_, found) = nearest(&name, names.iter().map(String::as_str))?;
        Some(folder.join(found).display().to_string())
    })
}

/// The first scene file of a folder, by name.
pub(super) fn first_in(folder: &Path) -> Option<String> {
    Some(folder.join(scene_names(folder).first()?).display().to_string())
}

/// The sorted names of the files in a folder that end in `.ron`.
fn scene_names(folder: &Path) -> Vec<String> {
    let here = Path::new(".");
    let folder = if folder.as_os_str().is_empty() { here } else { folder };
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".ron")).collect();
    names.sort_unstable();
    names
}
