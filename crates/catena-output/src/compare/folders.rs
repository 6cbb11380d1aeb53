//! Pairs of expected and actual pictures.

use super::CompareError;
use crate::{OutputError, names::PRIVATE, png::is_named_png};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Paths of an expected picture, an actual picture, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PicturePaths {
    /// Path relative to both folders.
    pub name: PathBuf,
    /// Path of the expected picture, if it exists.
    pub expected: Option<PathBuf>,
    /// Path of the actual picture, if it exists.
    pub actual: Option<PathBuf>,
}

/// Pairs two files, or all `*.png` of two folders and their subfolders, sorted by name. Links to
/// files are followed. Links to folders are not, so that cycles end.
///
/// # Errors
/// Returns an error if a path cannot be read, if one is a folder and the other a file, or if no
/// picture is expected: a test that compares nothing must not pass.
pub fn pairs(expected: &Path, actual: &Path) -> Result<Vec<PicturePaths>, CompareError> {
    let is_folder = |path: &Path| match fs::metadata(path) {
        Ok(meta) => Ok(meta.is_dir()),
        Err(cause) => Err(OutputError::new("read", path, cause)),
    };
    match (is_folder(expected)?, is_folder(actual)?) {
        (true, true) => in_folders(expected, actual),
        (false, false) => {
            let name = expected.file_name().map_or_else(|| "picture".into(), PathBuf::from);
            Ok(vec![PicturePaths {
                name,
                expected: Some(expected.into()),
                actual: Some(actual.into()),
            }])
        }
        (expected_is_folder, _) => {
            let [folder, file] =
                if expected_is_folder { [expected, actual] } else { [actual, expected] };
            Err(CompareError::Usage(format!(
                "{} is a folder, but {} is a file; name two folders or two files",
                folder.display(),
                file.display()
            )))
        }
    }
}

fn in_folders(expected: &Path, actual: &Path) -> Result<Vec<PicturePaths>, CompareError> {
    let mut listed: BTreeMap<PathBuf, PicturePaths> = BTreeMap::new();
    for (root, is_expected) in [(expected, true), (actual, false)] {
        for name in pictures(root)? {
            let path = Some(root.join(&name));
            let entry = listed.entry(name.clone());
            let entry = entry.or_insert(PicturePaths { name, expected: None, actual: None });
            *(if is_expected { &mut entry.expected } else { &mut entry.actual }) = path;
        }
        if is_expected && listed.is_empty() {
            return Err(CompareError::Usage(format!(
                "{} contains no *.png to compare with",
                root.display()
            )));
        }
    }
    Ok(listed.into_values().collect())
}

/// Paths of all pictures below a folder, relative to it.
fn pictures(root: &Path) -> Result<Vec<PathBuf>, OutputError> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(below) = open.pop() {
        let folder = root.join(&below);
        let refuse = |cause| OutputError::new("list the folder", &folder, cause);
        for entry in fs::read_dir(&folder).map_err(refuse)? {
            let entry = entry.map_err(refuse)?;
            let name = below.join(entry.file_name());
            let is_picture = is_named_png(&name);
            if entry.file_type().map_err(refuse)?.is_dir() {
                // Pictures in a private folder are damaged pictures that catena has set aside.
                if entry.file_name() != PRIVATE {
                    open.push(name);
                }
            } else if is_picture && !entry.path().is_dir() {
                found.push(name);
            }
        }
    }
    Ok(found)
}
