//! Fingerprint of the sources that this program is built from. Two builds may report the same
//! version, yet their pictures must not be mixed in one folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

fn main() -> io::Result<()> {
    let mut files: Vec<PathBuf> = FILES.iter().map(PathBuf::from).collect();
    let folders = || FOLDERS.iter().filter(|folder| Path::new(folder).is_dir());
    for folder in folders() {
        collect(Path::new(folder), &mut files)?;
    }
    files.sort();
    let mut hash = OFFSET;
    for file in &files {
        add(&mut hash, file.to_string_lossy().replace('\\', "/").as_bytes());
        // A packaged crate has no lock file.
        add(&mut hash, &fs::read(file).unwrap_or_default());
    }
    let present = FILES.iter().filter(|file| Path::new(file).is_file());
    for place in folders().chain(present).chain(&["build.rs"]) {
        println!("cargo:rerun-if-changed={place}");
    }
    println!("cargo:rustc-env=CATENA_BUILD={hash:032x}");
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

/// FNV-1a with 128 bits. A cryptographic hash is not needed to tell builds apart.
const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

fn add(hash: &mut u128, bytes: &[u8]) {
    // Checkouts may differ in their line endings.
    let bytes = bytes.iter().filter(|byte| **byte != b'\r');
    for byte in bytes.chain([&0]) {
        *hash = (*hash ^ u128::from(*byte)).wrapping_mul(PRIME);
    }
}
