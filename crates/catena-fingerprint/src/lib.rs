//! Fingerprints of sources, for build scripts.
//!
//! ```
//! use std::path::PathBuf;
//!
//! let sources = catena_fingerprint::files_under(&["src"])?;
//! assert!(sources.contains(&PathBuf::from("src/lib.rs")));
//! let fingerprint = catena_fingerprint::of(sources);
//! println!("cargo:rustc-env=BUILD={fingerprint:032x}");
//! # Ok::<(), std::io::Error>(())
//! ```

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Initial value of the hash FNV-1a with 128 bits. Every toolchain computes this hash alike, and
/// telling builds apart needs no cryptographic hash.
const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
/// Factor by which FNV-1a with 128 bits multiplies the hash after each byte.
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// All files in and below `folders`. A missing folder has no files. A package from a registry lacks
/// the folders of its sibling packages, whose exact versions identify their sources.
///
/// # Errors
///
/// A folder that cannot be listed.
pub fn files_under(folders: &[&str]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in folders.iter().map(Path::new).filter(|folder| folder.is_dir()) {
        collect(folder, &mut files)?;
    }
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// Hash of the paths and contents of `files`, in the order of their paths. Carriage returns are
/// ignored, so that line endings do not change the hash. A file that cannot be read counts as
/// empty: a packaged crate has no lock file.
#[must_use]
pub fn of(mut files: Vec<PathBuf>) -> u128 {
    files.sort();
    let mut hash = OFFSET;
    for file in &files {
        add(&mut hash, file.to_string_lossy().replace('\\', "/").as_bytes());
        add(&mut hash, &fs::read(file).unwrap_or_default());
    }
    hash
}

fn add(hash: &mut u128, bytes: &[u8]) {
    // Checkouts may differ in their line endings.
    let bytes = bytes.iter().filter(|byte| **byte != b'\r');
    for byte in bytes.chain([&0]) {
        *hash = (*hash ^ u128::from(*byte)).wrapping_mul(PRIME);
    }
}

/// Lets Cargo run the build script again when one of `places` changes, if it exists.
#[allow(clippy::print_stdout)] // What a build script prints is what it tells Cargo.
pub fn watch<'a>(places: impl IntoIterator<Item = &'a str>) {
    for place in places {
        if Path::new(place).exists() {
            println!("cargo:rerun-if-changed={place}");
        }
    }
}
