//! Fingerprint of the sources of the WebAssembly module. A page promises the bytes of the program
//! that wrote it, so both must come from the same ones.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Sources that the module consists of. A package from a registry lacks the sibling folders; its
/// version represents them.
const CRATES: [&str; 8] = ["analysis", "base", "draw", "lsp", "output", "ron", "scene", "sim"];

fn main() -> io::Result<()> {
    let mut files = vec![PathBuf::from("../../Cargo.lock")];
    let sibling = |name: &&str| PathBuf::from(format!("../catena-{name}/src"));
    let own = ["../catena-draw/fonts", "src"].map(PathBuf::from);
    let folders = CRATES.iter().map(sibling).chain(own);
    for folder in folders.filter(|folder| folder.is_dir()) {
        println!("cargo:rerun-if-changed={}", folder.display());
        collect(&folder, &mut files)?;
    }
    // The page is around the module and not in it.
    files.retain(|file| !file.ends_with("src/page.rs"));
    files.sort();
    let mut hash = OFFSET;
    for file in &files {
        add(&mut hash, file.to_string_lossy().replace('\\', "/").as_bytes());
        add(&mut hash, &fs::read(file).unwrap_or_default());
    }
    println!("cargo:rerun-if-changed=build.rs");
    if Path::new("../../Cargo.lock").is_file() {
        println!("cargo:rerun-if-changed=../../Cargo.lock");
    }
    println!("cargo:rustc-env=CATENA_WEB_BUILD={hash:016x}");
    Ok(())
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

/// FNV-1a with 64 bits, which every toolchain computes alike.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

fn add(hash: &mut u64, bytes: &[u8]) {
    // Checkouts may differ in their line endings.
    let bytes = bytes.iter().filter(|byte| **byte != b'\r');
    for byte in bytes.chain([&0]) {
        *hash = (*hash ^ u64::from(*byte)).wrapping_mul(PRIME);
    }
}
