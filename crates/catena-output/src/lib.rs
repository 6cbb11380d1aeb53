//! Writes pictures and bytes to files. A file under its final name is always complete.
//!
//! [`png`] and [`flat`] encode pictures, [`atomic`] writes whole files. [`folder`] is the folder of
//! a render, with its [`journal`], [`lock`], [`checkpoint`]s and [`manifest`]; [`ownership`]
//! decides which files in it catena may remove. Frames become a film in [`film`], and are compared
//! with others in [`compare`].
//!
//! ```
//! use catena_output::{atomic, hash, names, png};
//! use image::{Rgb, RgbImage};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join(names::frame_name(0));
//! let picture = RgbImage::from_pixel(64, 48, Rgb([255, 128, 0]));
//! let bytes = png::encode(&picture)?;
//! atomic::write(&path, &bytes)?;
//!
//! assert_eq!(image::open(&path)?.to_rgb8(), picture);
//! assert_eq!(hash::sha256_of_file(&path, 1 << 20)?, hash::sha256(&bytes));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod atomic;
pub mod bundle;
pub mod checkpoint;
pub mod chunks;
pub mod claim;
pub mod clearing;
pub mod compare;
pub mod exr;
pub mod film;
pub mod film_record;
pub mod flat;
pub mod folder;
pub mod frame_list;
pub mod hash;
pub mod inputs;
pub mod journal;
pub mod lock;
pub mod manifest;
pub mod names;
pub mod ownership;
pub mod pack;
pub mod pages;
mod partial;
pub mod png;
pub mod replace;
pub mod stdout;
pub mod unfinished;
pub mod webp;

use catena_base::text::printable;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Action in errors about folders that cannot be created.
const MAKE_FOLDER: &str = "make the folder";

/// Action in errors about files that cannot be written.
const WRITE: &str = "write";

/// Error of a file or folder that cannot be written, read or locked.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {}", printable::path(path), reason(action, path, cause))]
pub struct OutputError {
    action: &'static str,
    path: PathBuf,
    /// Error of the operating system.
    pub cause: io::Error,
}

impl OutputError {
    /// Creates an error; `action` completes "cannot …".
    pub fn new(action: &'static str, path: impl Into<PathBuf>, cause: io::Error) -> Self {
        Self { action, path: path.into(), cause }
    }

    /// Path of the file or folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether space ran out: on the disk, in a quota, or in a file of limited size.
    pub fn is_full(&self) -> bool {
        use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
        matches!(self.cause.kind(), StorageFull | QuotaExceeded | FileTooLarge)
    }
}

/// Reason of a failure: the error of the operating system, or the file that is in the place of a
/// required folder.
fn reason(action: &str, path: &Path, cause: &io::Error) -> String {
    let is_meant = match cause.kind() {
        io::ErrorKind::NotADirectory => true,
        io::ErrorKind::AlreadyExists => action == MAKE_FOLDER,
        _ => false,
    };
    let file = path.ancestors().find(|above| above.is_file()).filter(|_| is_meant);
    if cause.kind() == io::ErrorKind::NotFound
        && action == WRITE
        && let Some(folder) = missing_folder(path)
    {
        let folder = printable::path(folder);
        return format!("there is no folder {folder}; create it, or choose another path");
    }
    match file {
        Some(file) => format!("{} is a file, not a folder", printable::path(file)),
        None => cause.to_string(),
    }
}

/// Returns the folder of a path, if it does not exist.
fn missing_folder(path: &Path) -> Option<&Path> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty())?;
    (!folder.exists()).then_some(folder)
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
