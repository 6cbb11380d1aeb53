//! Folder for failed comparisons.

use super::{CompareError, ComparisonEntry, PictureDifference, RasterPair, page, sheet};
use crate::{
    OutputError,
    pages::{PAGE, PageFolder, StagedFile},
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// Folder for the page of failures and its sheets, created at the first failure. Files that catena
/// did not write stay untouched.
pub struct FailureFolder {
    path: PathBuf,
    state: Mutex<FailureState>,
}

#[derive(Default)]
struct FailureState {
    folder: Option<Arc<PageFolder>>,
    /// Complete sheets of failures that do not have their names yet.
    sheets: Vec<StagedFile>,
}

impl FailureFolder {
    /// Chooses a folder, which need not exist yet.
    ///
    /// # Errors
    /// Returns an error if the folder is inside a compared folder, where sheets would count as
    /// pictures, or contains one of two compared files. Also returned if the folder contains a
    /// foreign `index.html`, or another process writes into it.
    pub fn open(folder: &Path, compared: [&Path; 2]) -> Result<Self, CompareError> {
        let whole = resolve(folder);
        for place in compared {
            let real = resolve(place);
            let where_to = match place.is_dir() {
                true if whole.starts_with(&real) => "in",
                false if real.parent() == Some(&whole) => "beside",
                _ => continue,
            };
            return Err(CompareError::Usage(format!(
                "the report would be {where_to} {}, which is compared; choose another --out",
                place.display()
            )));
        }
        let place = Self { path: folder.into(), state: Mutex::default() };
        if PageFolder::is_used(folder) {
            place.folder()?;
        }
        Ok(place)
    }

    /// Returns the folder, created and locked at the first call.
    fn folder(&self) -> Result<Arc<PageFolder>, OutputError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = match state.folder.take() {
            Some(folder) => folder,
            None => Arc::new(PageFolder::open(&self.path)?),
        };
        Ok(state.folder.insert(folder).clone())
    }

    /// Draws the sheet of a failure. `tolerated` is in levels of 0 to 255.
    ///
    /// # Errors
    /// Returns an error if the sheet cannot be written.
    pub fn write_sheet(
        &self,
        name: &Path,
        pictures: &RasterPair,
        numbers: Option<&PictureDifference>,
        tolerated: u8,
    ) -> Result<(), OutputError> {
        let sheet = self.folder()?.stage(&sheet::file_name(name), |file| {
            sheet::write(file, pictures, numbers, tolerated)
        })?;
        self.state.lock().unwrap_or_else(PoisonError::into_inner).sheets.push(sheet);
        Ok(())
    }

    /// Publishes sheets and page if any picture fails, and returns the path of the page. Previous
    /// sheets and pages are replaced or removed.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written, or a foreign file blocks it.
    pub fn publish(
        self,
        entries: &[ComparisonEntry],
        tolerance: &super::Tolerance,
    ) -> Result<Option<PathBuf>, OutputError> {
        let fails = entries.iter().any(|entry| !entry.passes);
        let page = || {
            let html = page::html(entries, tolerance);
            self.folder()?.stage(Path::new(PAGE), |file| file.write_all(html.as_bytes()))
        };
        let page = fails.then(page).transpose()?;
        let files = if fails { &page::FILES[..] } else { &[] };
        let stage = |(name, text): &(&str, &str)| {
            self.folder()?.stage(Path::new(name), |file| file.write_all(text.as_bytes()))
        };
        let files: Vec<StagedFile> = files.iter().map(stage).collect::<Result<_, _>>()?;
        let FailureState { folder, mut sheets } =
            self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        // The record must not depend on thread order.
        sheets.sort_by(|a, b| a.place().cmp(b.place()));
        if let Some(folder) = folder {
            sheets.extend(files);
            folder.publish(sheets, page)?;
        }
        Ok(fails.then(|| self.path.join(PAGE)))
    }
}

/// Absolute path that need not exist. Links are resolved in the part that exists.
fn resolve(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.into());
    let known = path.ancestors().find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
    match known {
        Some((above, real)) => match path.strip_prefix(above) {
            Ok(below) if !below.as_os_str().is_empty() => real.join(below),
            _ => real,
        },
        None => path,
    }
}
