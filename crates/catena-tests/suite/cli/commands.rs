//! Options, exit codes, standard output and error, and `catena check` and `methods`.

use crate::{
    catena,
    cli::{SMALL, folder, names},
    repository,
};
use std::fs;

const EXPLODING: &str = "Scene(base: (size: (200, 150), frames: 20, integrator: ExplicitEuler))";

#[test]
fn exit_codes_say_what_went_wrong() {
    let folder = folder(EXPLODING);
    fs::write(folder.path().join("file"), "").unwrap();
    let cases: &[(&[&str], i32)] = &[
        (&["render", "small.ron", "-q"], 0),
        (&["render", "small.ron", "-q", "--strict"], 4),
        (&["render", "small.ron", "-q", "--strict", "--no-steady"], 4),
        (&["trace", "small.ron", "-o", "t.csv", "--strict"], 4),
        (&["trace", "small.ron", "-o", "t.csv"], 0),
        (&["export", "small.ron", "-o", "e.glb", "-q", "--strict"], 4),
        (&["export", "small.ron", "-o", "e.glb", "-q"], 0),
        (&["export", "small.ron", "-o", "e.txt"], 2),
        (&["export", "missing.ron"], 3),
        (&["export", "small.ron", "-o", "file/e.glb"], 5),
        (&["render"], 2),
        (&["render", "small.ron", "--frames", "0"], 2),
        (&["render", "small.ron", "--frames", "2", "--frame-range", "0-1"], 2),
        (&["render", "small.ron", "--frame-range", "5-2"], 2),
        (&["render", "small.ron", "--size", "10x10"], 2),
        (&["render", "small.ron", "--set", "rope"], 2),
        (&["render", "small.ron", "--set", "rope.nodes=4))"], 2),
        (&["render", "small.ron", "--set", "drag=1, frames: 3"], 2),
        (&["render", "small.ron", "--threads", "0"], 2),
        (&["paint", "small.ron"], 2),
        (&["render", "missing.ron"], 3),
        (&["render", "small.ron", "--set", "rope.nodes=1"], 3),
        (&["render", "small.ron", "--out", "file"], 5),
        (&["render", "small.ron", "--out", "file/deep"], 5),
        (&["trace", "small.ron", "-o", "nowhere/t.csv"], 5),
        (&["--help"], 0),
        (&["--version"], 0),
        (&["methods"], 0),
        (&["methods", "rk4"], 0),
        (&["methods", "rk5"], 2),
        (&["fields"], 0),
        (&["fields", "rope.nodes", "--json"], 0),
        (&["fields", "rope.nods"], 2),
        (&["new"], 0),
        (&["new"], 2),
        (&["new", "file/rope"], 5),
        (&["new", "x", "--print"], 2),
        (&["import", "small.ron"], 3),
        (&["import", "missing.txt"], 5),
        (&["man", "sweep"], 0),
        (&["man", "swept"], 2),
        (&["man", "--out", "file"], 5),
        (&["completions", "bash"], 0),
        (&["completions", "tcsh"], 2),
        (&["small.ron"], 2),
    ];
    for (args, code) in cases {
        let output = catena().current_dir(&folder).args(*args).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(*code), "{args:?}: {stderr}");
        let is_calm = stderr.lines().all(|line| line.starts_with("note: "));
        assert_eq!(*code == 0, is_calm, "{args:?} said: {stderr}");
    }
}

#[test]
fn unknown_choices_of_the_environment_are_refused() {
    let instructions = ("CATENA_INSTRUCTIONS", "baseline, avx2 or avx512");
    let painter = ("CATENA_PAINTER", "fast or imageproc");
    let cases = [
        (instructions, &[("avx2", 0), ("baseline", 0), ("", 0), ("AVX2", 2), ("sse", 2)]),
        (painter, &[("imageproc", 0), ("fast", 0), ("", 0), ("Imageproc", 2), ("plain", 2)]),
    ];
    for ((variable, names), values) in cases {
        for (value, code) in values {
            let output = catena().env(variable, value).arg("methods").output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(*code), "{value}: {stderr}");
            let is_helpful = [*value, variable, names];
            assert_eq!(is_helpful.iter().all(|part| stderr.contains(part)), *code == 2, "{stderr}");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure() {
    for (args, file) in [
        (&["trace", "-"][..], "standard output"),
        (&["trace", "-", "-o", "/dev/full"], "/dev/full"),
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = std::process::Command::new(crate::program());
        let scene = fs::File::open(repository("scenes/compare.ron")).unwrap();
        let output = command.args(args).stdin(scene).stdout(full).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(5), "{args:?}: {stderr}");
        assert!(stderr.contains(file) && stderr.contains("No space left"), "{stderr}");
    }
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(crate::program())
        .arg("trace")
        .arg(repository("scenes/compare.ron"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn check_says_what_a_scene_would_make_and_writes_nothing() {
    let folder = folder(SMALL);
    fs::write(folder.path().join("bad.ron"), "Scene(base: (substeps: 0))").unwrap();
    let run =
        catena().current_dir(&folder).args(["check", "bad.ron", "small.ron"]).assert().code(3);
    let (out, err) = (&run.get_output().stdout, &run.get_output().stderr);
    let (out, err) = (String::from_utf8_lossy(out), String::from_utf8_lossy(err));
    assert!(err.contains("bad.ron:1:24"), "{err}");
    assert!(out.contains("small.ron: fine") && out.contains("panel 2: Constraint Verlet"), "{out}");
    assert!(out.contains("4 nodes, 3 springs, dt = 0.125"), "{out}");
    assert_eq!(names(folder.path()), ["bad.ron", "small.ron"]);
}
