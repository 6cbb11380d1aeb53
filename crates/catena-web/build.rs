//! Fingerprint of the sources of the WebAssembly module. A page promises the bytes of the program
//! that wrote it, so both must come from the same ones.

use std::{io, path::PathBuf};

/// Folders of the sources that the module consists of.
const FOLDERS: &[&str] = &[
    "src",
    "../catena-analysis/src",
    "../catena-base/src",
    "../catena-draw/fonts",
    "../catena-draw/src",
    "../catena-lsp/src",
    "../catena-output/src",
    "../catena-ron/src",
    "../catena-scene/src",
    "../catena-sim/src",
];
const LOCK: &str = "../../Cargo.lock";

fn main() -> io::Result<()> {
    let mut files = catena_fingerprint::files_under(FOLDERS)?;
    files.push(PathBuf::from(LOCK));
    // The page is around the module and not in it.
    files.retain(|file| !file.ends_with("src/page.rs"));
    catena_fingerprint::watch(FOLDERS.iter().copied().chain(["build.rs", LOCK]));
    println!("cargo:rustc-env=CATENA_WEB_BUILD={:032x}", catena_fingerprint::of(files));
    Ok(())
}
