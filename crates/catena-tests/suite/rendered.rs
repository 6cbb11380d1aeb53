//! Helpers for tests of resuming, claims, signals and faults: a small scene, its renders, and
//! checks of every file of a folder.

use crate::catena;
use catena::output::{hash::sha256, manifest::Manifest};
use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};
use tempfile::TempDir;

/// Two ropes in the smallest picture: a frame takes almost no time.
pub const TINY: &str =
    "Scene(base: (size: (64, 64), frames: 20, substeps: 32, drag: 0.01, decoration: Bare,
    rest: (limit: 30), view: (center: (0, 0), extent: (1200, 1200)), rope: (nodes: 4)),
    panels: [(with: (integrator: AdamsBashforth3)), (with: (integrator: ConstraintVerlet))])";

/// Name and hash of every file of a render.
pub type Tree = BTreeMap<String, String>;

/// A folder with a scene, `scene.ron`, for renders.
pub struct Bench {
    folder: TempDir,
}

impl Bench {
    /// Creates the folder with this scene.
    pub fn new(scene: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("scene.ron"), scene).unwrap();
        Self { folder }
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs `catena` in the folder.
    pub fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Output {
        catena().current_dir(&self.folder).args(args).output().unwrap()
    }

    /// Runs `catena render scene.ron --out OUT …`, checks its exit code, and returns its message.
    pub fn render(&self, out: &str, args: &[&str], code: i32) -> String {
        let all = [&["render", "scene.ron", "--out", out], args].concat();
        let output = self.run(&all);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{all:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{all:?}");
        stderr
    }

    /// Runs a render that must succeed. Returns the number of drawn frames, and the notes.
    pub fn drawn(&self, out: &str, args: &[&str]) -> (u64, String) {
        drawn(&self.render(out, &[&["--progress", "json"], args].concat(), 0))
    }

    /// Removes folders.
    pub fn remove(&self, names: &[&str]) {
        names.iter().for_each(|name| fs::remove_dir_all(self.path(name)).unwrap());
    }

    /// Files of a folder.
    pub fn tree(&self, out: impl AsRef<Path>) -> Tree {
        tree(&self.path(out))
    }
}

/// Number of frames drawn by a render, from its JSON output, and its notes.
pub fn drawn(message: &str) -> (u64, String) {
    let event = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap();
    let events: Vec<_> = message.lines().map(event).collect();
    let notes = events.iter().filter(|event| event["event"] == "note");
    let notes: Vec<_> = notes.map(|event| event["note"].as_str().unwrap().to_owned()).collect();
    let done = events.last().unwrap();
    assert_eq!(done["event"], "done", "{message}");
    (done["drawn"].as_u64().unwrap(), notes.join("\n"))
}

/// Files of a folder, without catena's internal files, including the frames of a report's player
/// and its narrow figures. Other contents are an error.
pub fn tree(folder: &Path) -> Tree {
    let mut found = Tree::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if name == "player" || name == "narrow" {
            let inside = tree(&entry.path()).into_iter();
            found.extend(inside.map(|(file, hash)| (format!("{name}/{file}"), hash)));
        } else if name != ".catena" {
            assert!(entry.file_type().unwrap().is_file(), "{name}");
            found.insert(name, sha256(&fs::read(entry.path()).unwrap()));
        }
    }
    found
}

/// Checks that every file with a final name equals the one of the uninterrupted run, and that the
/// manifest matches the files. Ignores files without a final name. Returns the number of frames.
pub fn is_whole(folder: &Path, unbroken: &Tree) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let mut frames = 0;
    for entry in entries {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.starts_with('.') || name == "manifest.json" {
            continue;
        }
        image::open(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(Some(&sha256(&fs::read(&path).unwrap())), unbroken.get(&name), "{name}");
        frames += usize::from(name.starts_with("frame_"));
    }
    if let Some(manifest) = Manifest::read(folder).unwrap() {
        for entry in manifest.frames {
            assert_eq!(Some(&entry.sha256), unbroken.get(&entry.file), "{}", entry.file);
        }
    }
    frames
}

/// Files that do not yet have their final name.
pub fn unfinished(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.to_string_lossy().ends_with(".part") {
            found.push(path);
        } else if path.is_dir() {
            found.extend(unfinished(&path));
        }
    }
    found
}

/// Checks that the manifest names exactly the existing frames, with their hashes. Returns their
/// number.
pub fn manifest_is_exact(folder: &Path) -> usize {
    let manifest = Manifest::read(folder).unwrap().unwrap();
    let named: Tree =
        manifest.frames.iter().map(|entry| (entry.file.clone(), entry.sha256.clone())).collect();
    let mut there = tree(folder);
    there.retain(|name, _| name.starts_with("frame_"));
    assert_eq!(there, named);
    named.len()
}

/// Copies a folder recursively.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// Runs a shell command line in which `catena` is the program. Returns its output and exit code.
pub fn shell(bench: &Bench, line: &str) -> Output {
    let command = catena();
    let program = command.get_program().to_str().unwrap();
    let script = format!("catena() {{ '{program}' \"$@\"; }}\n{line}");
    Command::new("timeout")
        .current_dir(bench.path(""))
        .args(["120", "sh", "-c", &script])
        .output()
        .unwrap()
}
