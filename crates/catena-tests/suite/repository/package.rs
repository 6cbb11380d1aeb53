//! Contents of `cargo package`: all files needed to build and to understand a program, and nothing
//! else.

use crate::repository;
use std::{collections::BTreeSet, fs, path::Path, process::Command};

/// Maximum bytes of the files of a package; compressed, they take less than half.
const MAX: u64 = 6 << 20;

/// Files of a package.
fn files(package: &str) -> BTreeSet<String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["package", "--list", "--allow-dirty", "--offline", "-p", package]);
    let output = cargo.current_dir(repository("")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let names = String::from_utf8(output.stdout).unwrap().replace('\\', "/");
    names.lines().map(str::to_owned).collect()
}

/// Asserts that a package has all tracked files of some kinds below `folder`, the listed other
/// files, and a small size.
fn assert_packaged(package: &str, folder: &str, kinds: &[&str], whole: &[&str]) {
    let files = files(package);
    let made_by_cargo = [".cargo_vcs_info.json", "Cargo.lock", "Cargo.toml", "Cargo.toml.orig"];
    let mut size = 0;
    for file in &files {
        let is_known = made_by_cargo.contains(&file.as_str())
            || kinds.iter().any(|kind| file.starts_with(kind))
            || whole.contains(&file.as_str());
        assert!(is_known, "the package {package} has {file}: Cargo.toml says what it includes");
        let path = repository(folder).join(file);
        size += fs::metadata(path).map_or(0, |meta| meta.len());
    }
    for file in whole {
        assert!(files.contains(*file), "the package {package} has no {file}");
    }
    for kind in kinds {
        for file in files_under(&repository(folder).join(kind)) {
            let file = format!("{kind}{file}");
            assert!(files.contains(&file), "the package {package} has no {file}");
        }
    }
    // The licences alone take 12 kB.
    assert!(size > 13_000 && size < MAX, "the package {package} has {size} bytes");
}

/// Files of a folder and its subfolders, as relative paths.
fn files_under(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        match path.is_dir() {
            true => all.extend(files_under(&path).iter().map(|file| format!("{name}/{file}"))),
            false => all.push(name),
        }
    }
    all
}

#[test]
fn the_package_has_what_it_must() {
    let whole = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE-APACHE", "LICENSE-MIT"];
    let kinds = ["src/", "examples/", "scenes/", "sweeps/", "docs/"];
    assert_packaged("catena", "", &kinds, &whole);
}

/// The crates of catena, each with its additional folders and files.
const CRATES: [(&str, &[&str], &[&str]); 12] = [
    ("catena-analysis", &[], &[]),
    ("catena-base", &[], &[]),
    ("catena-draw", &["fonts/"], &[]),
    ("catena-fingerprint", &[], &[]),
    ("catena-jobs", &[], &["build.rs"]),
    ("catena-lsp", &[], &[]),
    ("catena-output", &[], &[]),
    ("catena-ron", &[], &[]),
    ("catena-scene", &[], &[]),
    ("catena-sim", &["examples/"], &[]),
    ("catena-study", &[], &[]),
    ("catena-web", &["page/"], &["build", "build.rs"]),
];

#[test]
fn the_packages_of_the_crates_have_what_they_must() {
    for (name, folders, own) in CRATES {
        let folder = format!("crates/{name}");
        let whole = [&["README.md", "LICENSE-APACHE", "LICENSE-MIT"], own].concat();
        assert_packaged(name, &folder, &[&["src/"], folders].concat(), &whole);
        for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
            let read = |path: &str| fs::read(repository(path)).unwrap();
            let own = read(&format!("{folder}/{license}"));
            assert_eq!(own, read(license), "{folder}/{license} is a copy of the other");
        }
    }
}

#[test]
fn the_fingerprint_of_a_build_covers_all_crates_of_the_jobs() {
    let read = |path: &str| fs::read_to_string(repository(path)).unwrap();
    let script = read("crates/catena-jobs/build.rs");
    let mut crates = BTreeSet::from(["catena-jobs".to_owned()]);
    let mut open: Vec<String> = crates.iter().cloned().collect();
    while let Some(name) = open.pop() {
        let manifest = read(&format!("crates/{name}/Cargo.toml"));
        let (_, after) = manifest.split_once("\n[dependencies]\n").unwrap();
        let lines = after.lines().take_while(|line| !line.starts_with('['));
        let own = lines.filter(|line| line.starts_with("catena-"));
        for used in own.filter_map(|line| line.split(['.', ' ']).next()) {
            if crates.insert(used.to_owned()) {
                open.push(used.to_owned());
            }
        }
    }
    assert!(crates.len() > 5, "{crates:?}");
    for name in crates.iter().filter(|name| *name != "catena-jobs") {
        for part in ["src", "Cargo.toml"] {
            let place = format!("\"../{name}/{part}\"");
            assert!(script.contains(&place), "crates/catena-jobs/build.rs lacks {place}");
        }
    }
}
