//! The folder that a report is written into.

use super::{Both, CompareError, Entry, Numbers, page, sheet};
use crate::output::{OutputError, atomic};
use crate::read;
use std::{
    ffi::OsString,
    fs, io,
    path::{Component, Path, PathBuf},
};

const PAGE: &str = "index.html";

/// A folder for a page of failures and its sheets. Nothing in it is touched that catena did not write.
pub struct Place {
    folder: PathBuf,
}

impl Place {
    /// Chooses a folder, which need not exist, and removes the report of an earlier comparison from it.
    ///
    /// # Errors
    /// When the folder lies in one of those that are compared, where sheets would count as pictures, or holds one of the
    /// two files that are; when it holds an `index.html` of another origin; when something cannot be removed.
    pub fn open(folder: &Path, compared: [&Path; 2]) -> Result<Self, CompareError> {
        let whole = resolve(folder);
        for place in compared {
            let real = resolve(place);
            let where_to = match place.is_dir() {
                true if whole.starts_with(&real) => "in",
                false if real.parent() == Some(&whole) => "beside",
                _ => continue,
            };
            return Err(CompareError::Senseless(format!(
                "the report would lie {where_to} {}, which is compared; choose another --out",
                place.display()
            )));
        }
        let place = Self { folder: folder.into() };
        place.clear()?;
        Ok(place)
    }

    fn clear(&self) -> Result<(), OutputError> {
        let path = self.folder.join(PAGE);
        let text = match read::file(&path, read::LARGE) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if is_absence(&error) => return Ok(()),
            Err(cause) => return Err(OutputError::new("read", path, cause)),
        };
        let Some(links) = page::links(&text) else { return Err(foreign(path)) };
        for name in links.iter().filter_map(|link| path_of(link)) {
            let sheet = self.place_of(&name)?;
            if sheet::is_sheet(&sheet) {
                fs::remove_file(&sheet)
                    .map_err(|cause| OutputError::new("remove", &sheet, cause))?;
                // Folders that are empty now were made for sheets.
                let above = name.ancestors().skip(1).filter(|path| !path.as_os_str().is_empty());
                for below in above {
                    if fs::remove_dir(self.folder.join(below)).is_err() {
                        break;
                    }
                }
            }
        }
        fs::remove_file(&path).map_err(|cause| OutputError::new("remove", path, cause))
    }

    /// Where a file of this folder lies; a link on the way to it would lead elsewhere.
    fn place_of(&self, name: &Path) -> Result<PathBuf, OutputError> {
        let mut path = self.folder.clone();
        for part in name.parent().into_iter().flatten() {
            path.push(part);
            if fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_symlink()) {
                let cause =
                    io::Error::other("it is a link, and nothing is written where one leads");
                return Err(OutputError::new("write into", path, cause));
            }
        }
        Ok(self.folder.join(name))
    }

    /// Writes the sheet of a failure.
    ///
    /// # Errors
    /// When it cannot be written, or when there is a file of its name that is no sheet.
    pub fn write_sheet(
        &self,
        name: &Path,
        pictures: &Both,
        numbers: Option<&Numbers>,
        tolerated: u8,
    ) -> Result<(), OutputError> {
        let path = self.place_of(&sheet_name(name))?;
        if fs::symlink_metadata(&path).is_ok() && !sheet::is_sheet(&path) {
            return Err(foreign(path));
        }
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)
            .map_err(|cause| OutputError::new("make the folder", folder, cause))?;
        sheet::write(&path, pictures, numbers, tolerated)
    }

    /// Writes the page, if anything fails, and says where.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_page(
        &self,
        entries: &[Entry],
        tolerance: &super::Tolerance,
    ) -> Result<Option<PathBuf>, OutputError> {
        if entries.iter().all(|entry| entry.passes) {
            return Ok(None);
        }
        atomic::prepare_folder(&self.folder)?;
        let path = self.folder.join(PAGE);
        atomic::write(&path, page::html(entries, tolerance).as_bytes())?;
        Ok(Some(path))
    }
}

fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn foreign(path: PathBuf) -> OutputError {
    let cause =
        io::Error::other("catena diff did not write it; choose another --out, or remove it");
    OutputError::new("replace", path, cause)
}

/// The file name of a sheet below the folder; a picture named on the command line may have another ending.
pub(super) fn sheet_name(name: &Path) -> PathBuf {
    let mut sheet = OsString::from(name);
    if !name.extension().is_some_and(|end| end.eq_ignore_ascii_case("png")) {
        sheet.push(".png");
    }
    sheet.into()
}

/// The whole path of something that need not exist.
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

/// The path that a link of a page means; none if it leads out of its folder.
fn path_of(link: &str) -> Option<PathBuf> {
    let mut bytes = Vec::with_capacity(link.len());
    let mut rest = link.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first == b'%' {
            let (digits, after) = rest.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
            rest = after;
        } else {
            bytes.push(*first);
        }
    }
    let path = PathBuf::from(os_string(bytes)?);
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    (is_below && path.components().next().is_some()).then_some(path)
}

#[cfg(unix)]
fn os_string(bytes: Vec<u8>) -> Option<OsString> {
    use std::os::unix::ffi::OsStringExt;
    Some(OsString::from_vec(bytes))
}

#[cfg(not(unix))]
fn os_string(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(OsString::from)
}
