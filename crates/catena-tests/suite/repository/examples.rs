//! The programs of examples/ give the same files as the command line.

use crate::{catena, rendered::tree, repository};
use std::{env, fs, path::Path, process::Command};

/// An example, and a comparison of its folder with the result of the command line.
type Case = (&'static str, fn(&Path, &Path));

const CASES: [Case; 6] = [
    ("draw_one_frame", draws_one_frame),
    ("frames_in_memory", looks_at_frames),
    ("folder_of_frames", renders_a_folder),
    ("film", makes_a_film),
    ("report", makes_a_report),
    ("statics", finds_a_rest),
];

#[test]
fn examples_do_what_the_command_line_does() {
    for (name, check) in CASES {
        let (made, expected) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        run(name, &made.path().join("out"));
        fs::write(expected.path().join("scene.ron"), scene(name)).unwrap();
        check(&made.path().join("out"), expected.path());
    }
}

#[test]
fn every_example_is_compared_and_short() {
    let files = fs::read_dir(repository("examples")).unwrap();
    let mut names: Vec<String> = Vec::new();
    for file in files {
        let path = file.unwrap().path();
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 40, "{} has {lines} lines", path.display());
        names.push(path.file_stem().unwrap().to_str().unwrap().into());
    }
    names.sort();
    let mut compared = CASES.map(|(name, _)| name);
    compared.sort_unstable();
    assert_eq!(names, compared, "CASES of crates/catena-tests/suite/repository/examples.rs");
}

/// Runs an example in the root folder of the repository.
fn run(name: &str, out: &Path) {
    // Examples are next to this program's folder; cargo builds them for `cargo test` without a
    // target filter.
    let own = env::current_exe().unwrap();
    let folder = own.ancestors().nth(2).unwrap().join("examples");
    let program = folder.join(name).with_extension(env::consts::EXE_EXTENSION);
    let run = Command::new(&program).current_dir(repository("")).arg(out).output();
    let run = run.unwrap_or_else(|error| {
        panic!("{}: {error}; `cargo build --examples` builds it", program.display())
    });
    assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
}

/// The scene text in an example; empty if there is none.
fn scene(name: &str) -> String {
    let text = fs::read_to_string(repository("examples").join(name).with_extension("rs")).unwrap();
    let Some((_, rest)) = text.split_once("const SCENE: &str = ") else { return String::new() };
    let (literal, _) = rest.split_once(";\n").unwrap();
    literal.trim_start_matches("r#").trim_end_matches('#').trim_matches('"').into()
}

/// Runs `catena` in a folder.
fn type_in(folder: &Path, words: &str) {
    catena().current_dir(folder).args(words.split_whitespace()).assert().success();
}

fn draws_one_frame(out: &Path, expected: &Path) {
    type_in(expected, "render scene.ron --frame-range 60-60 --no-steady --out frames -q");
    let name = "frame_00060.png";
    let [ours, theirs] =
        [out.join(name), expected.join("frames").join(name)].map(|path| image::open(path).unwrap());
    assert_eq!(ours.as_bytes(), theirs.as_bytes());
}

fn looks_at_frames(out: &Path, expected: &Path) {
    let scene = repository("scenes/compare.ron");
    let options = "--set substeps=64 --frames 20 --size 640x360 --no-steady --out frames -q";
    type_in(expected, &format!("render {} {options}", scene.display()));
    let frame = |n: u64| {
        image::open(expected.join(format!("frames/frame_{n:05}.png"))).unwrap().into_rgb8()
    };
    let mut table = String::from("frame,changed_pixels\n0,0\n");
    for n in 1..20 {
        let (before, now) = (frame(n - 1), frame(n));
        let changed = before.pixels().zip(now.pixels()).filter(|(a, b)| a != b).count();
        table += &format!("{n},{changed}\n");
    }
    assert_eq!(fs::read_to_string(out.join("changes.csv")).unwrap(), table);
}

fn renders_a_folder(out: &Path, expected: &Path) {
    let scene = repository("scenes/compare.ron");
    let options = "--frames 20 --size 640x360 --out frames -q";
    type_in(expected, &format!("render {} {options}", scene.display()));
    let (mut ours, mut theirs) = (tree(out), tree(&expected.join("frames")));
    assert_eq!(theirs.len(), 22, "20 frames, steady.png and manifest.json");
    // A manifest names the build, and an example may be from an older build.
    let manifests = [out.to_path_buf(), expected.join("frames")].map(|folder| frames_of(&folder));
    assert_eq!(manifests[0], manifests[1]);
    let manifest = ours.remove("manifest.json");
    theirs.remove("manifest.json");
    assert_eq!(ours, theirs);
    // A second run reuses all frames.
    run("folder_of_frames", out);
    ours.extend(manifest.map(|hash| ("manifest.json".into(), hash)));
    assert_eq!(tree(out), ours);
}

/// The part of a folder's manifest about its frames.
fn frames_of(folder: &Path) -> serde_json::Value {
    let text = fs::read_to_string(folder.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(manifest["frames"].as_array().map(Vec::len), Some(20));
    manifest["frames"].clone()
}

fn makes_a_film(out: &Path, expected: &Path) {
    type_in(expected, "render scene.ron --film film.gif --frames 30 --fps 25 -q");
    let [ours, theirs] = [out, expected].map(|folder| fs::read(folder.join("film.gif")).unwrap());
    assert_eq!(ours, theirs);
}

fn finds_a_rest(out: &Path, expected: &Path) {
    type_in(expected, "statics scene.ron -o rest.png");
    let [ours, theirs] =
        [out, expected].map(|folder| image::open(folder.join("rest.png")).unwrap());
    assert_eq!(ours.as_bytes(), theirs.as_bytes());
}

fn makes_a_report(out: &Path, expected: &Path) {
    let command = "report scene.ron --player-frames 20";
    type_in(expected, &format!("{command} --out report -q"));
    let (mut ours, mut theirs) = (tree(out), tree(&expected.join("report")));
    let [page, other] = [&mut ours, &mut theirs].map(|tree| tree.remove("index.html"));
    assert!(page.is_some() && other.is_some() && ours == theirs, "{ours:?} {theirs:?}");
    // The example's page does not name the command that recreates it.
    let [page, other] = [out.to_path_buf(), expected.join("report")]
        .map(|folder| fs::read_to_string(folder.join("index.html")).unwrap());
    let (before, rest) = other.split_once("<p class=\"repeat\">").unwrap();
    let (block, after) = rest.split_once("</pre>\n").unwrap();
    assert!(block.contains(&format!("catena {command}")), "{block}");
    assert_eq!(page, [before, after].concat());
}
