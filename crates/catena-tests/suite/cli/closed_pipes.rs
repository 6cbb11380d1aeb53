//! Closed pipes and full devices as standard output: printing stops, and exit codes stay the same.
//! On any other file, a closed pipe is an ordinary error.
#![cfg(target_os = "linux")]

use crate::output::faults::{can_trace, injected};
use crate::rendered::{Bench, TINY, shell};
use std::{fs, process::Command};

/// A folder with a valid scene `scene.ron`, a scene that diverges, an invalid scene, and pictures
/// that differ.
fn bench() -> Bench {
    let bench = Bench::new(TINY);
    let wild = "Scene(base: (size: (64, 64), frames: 60, substeps: 1, integrator: ExplicitEuler,
        decoration: Bare, view: (center: (0, 0), extent: (1200, 1200)), rope: (nodes: 40)))";
    fs::write(bench.path("wild.ron"), wild).unwrap();
    fs::write(bench.path("bad.ron"), "Scene(base: (rope: (nodes: 0)))").unwrap();
    bench.render("a", &["-q", "--frames", "2", "--no-steady"], 0);
    let other = ["-q", "--frames", "2", "--no-steady", "--set", "rope.nodes=5"];
    bench.render("b", &other, 0);
    bench
}

/// Exit code of each command if its output is read, closed or full.
const VERDICTS: [(&str, i32); 15] = [
    ("diff a b", 1),
    ("diff a b --json -", 1),
    ("diff a b --json /dev/stdout", 1),
    ("diff a a --json /dev/stdout", 0),
    ("check scene.ron bad.ron", 3),
    ("check scene.ron", 0),
    ("trace wild.ron --strict", 4),
    ("trace wild.ron --strict -o /dev/stdout", 4),
    ("trace wild.ron --strict --energy --format npy", 4),
    ("trace wild.ron", 0),
    ("render wild.ron --strict --film - --format raw -q", 4),
    ("render wild.ron --film /dev/stdout --format y4m -q", 0),
    ("export wild.ron --strict --format usda -o - -q", 4),
    ("export wild.ron --format glb -o /dev/stdout -q", 0),
    ("methods", 0),
];

#[test]
fn a_reader_who_goes_away_changes_no_verdict() {
    let bench = bench();
    for (command, code) in VERDICTS {
        for script in [
            // The reader closes the pipe before the first output, or during it.
            format!("{{ sleep 0.1; catena {command}; echo $? > code; }} | true"),
            format!("{{ catena {command}; echo $? > code; }} | head -c 1 > first"),
            format!("catena {command} > all; echo $? > code"),
        ] {
            let run = shell(&bench, &script);
            let stderr = String::from_utf8_lossy(&run.stderr);
            let ended = fs::read_to_string(bench.path("code")).unwrap();
            assert_eq!(ended.trim(), code.to_string(), "{script}: {stderr}");
            assert!(!stderr.contains("pipe"), "{script}: {stderr}");
        }
        assert_eq!(shell(&bench, &format!("catena {command} > /dev/full")).status.code(), Some(5));
    }
    assert_eq!(shell(&bench, "catena --help > /dev/full").status.code(), Some(5));
    let help = shell(&bench, "{ sleep 0.1; catena --help; echo $? >&2; } | true");
    assert_eq!(String::from_utf8_lossy(&help.stderr), "0\n");
}

#[test]
fn names_of_standard_output_are_not_replaced() {
    let bench = bench();
    let run = shell(&bench, "echo before; catena diff a a --json /dev/stdout -q; echo after");
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(text.starts_with("before\n{") && text.ends_with("}\nafter\n"), "{text}");
    // Standard output is a file, which an output under its own name would replace.
    let line = "{ echo before; catena trace scene.ron -o /dev/stdout --frames 1; echo after; } > f";
    assert!(shell(&bench, line).status.success());
    let text = fs::read_to_string(bench.path("f")).unwrap();
    assert!(text.starts_with("before\nframe,time") && text.ends_with("after\n"), "{text}");
    assert!(shell(&bench, "catena diff a a --json /dev/stderr -q 2> e").status.success());
    assert!(fs::read_to_string(bench.path("e")).unwrap().starts_with('{'));
    for name in ["/dev/stdout", "/dev/stderr"] {
        assert!(fs::symlink_metadata(name).unwrap().is_symlink(), "{name}");
    }
}

#[test]
fn a_closed_pipe_elsewhere_is_an_error() {
    let bench = bench();
    assert!(Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap().success());
    for command in
        ["trace scene.ron --frames 5000 -o pipe", "render scene.ron --film pipe --format raw -q"]
    {
        // The reader opens the pipe and closes it.
        let run = shell(&bench, &format!("{{ sleep 0.2 < pipe; }} & catena {command}"));
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(5), "{command}: {stderr}");
        assert!(stderr.contains("pipe: Broken pipe"), "{command}: {stderr}");
    }
    if !can_trace() {
        return;
    }
    for nth in 1..=8 {
        let args = ["render", "scene.ron", "--out", "out", "-q", "--threads", "1"];
        let run = injected(&bench, "write", "error=EPIPE", nth, &args);
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(5), "{nth}: {stderr}");
        fs::remove_dir_all(bench.path("out")).unwrap();
    }
}
