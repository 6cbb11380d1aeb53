//! Fingerprint of the sources that this program is built from. Two builds may report the same
//! version, yet their pictures must not be mixed in one folder.

use std::{io, path::PathBuf};

fn main() -> io::Result<()> {
    let mut files = catena_fingerprint::files_under(FOLDERS)?;
    files.extend(FILES.iter().map(PathBuf::from));
    catena_fingerprint::watch(FOLDERS.iter().chain(FILES).copied().chain(["build.rs"]));
    println!("cargo:rustc-env=CATENA_BUILD={:032x}", catena_fingerprint::of(files));
    Ok(())
}

/// Source folders that affect a picture. A package from a registry lacks the sibling folders; the
/// exact versions in its Cargo.toml represent them.
const FOLDERS: &[&str] = &[
    "src",
    "../catena-analysis/src",
    "../catena-base/src",
    "../catena-draw/fonts",
    "../catena-draw/src",
    "../catena-output/src",
    "../catena-ron/src",
    "../catena-scene/src",
    "../catena-sim/src",
    "../catena-study/src",
];
const FILES: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "../../Cargo.toml",
    "../../Cargo.lock",
    "../catena-analysis/Cargo.toml",
    "../catena-base/Cargo.toml",
    "../catena-draw/Cargo.toml",
    "../catena-output/Cargo.toml",
    "../catena-ron/Cargo.toml",
    "../catena-scene/Cargo.toml",
    "../catena-sim/Cargo.toml",
    "../catena-study/Cargo.toml",
];
