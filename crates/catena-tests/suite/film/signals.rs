//! Ctrl-C while ffmpeg or ffprobe hangs: catena ends soon, ends the program, too, and leaves no
//! film.
#![cfg(target_os = "linux")]

use crate::rendered::{Bench, TINY, unfinished};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Warnings that take seconds to find: each panel is simulated once more.
const NOTED: &str =
    "Scene(base: (size: (700, 700), frames: 2, substeps: 100, decoration: Bare, rope: (nodes: 2000, law: Exponential)),
    grid: (rows: [(), (), (), (), (), (), ()], columns: [(), (), (), (), (), (), ()]))";

/// Stand-ins that print their process id and hang: before they read anything, and after they have
/// read everything.
const HANGS: [(&str, &str); 3] = [
    ("echo $$ > id; exec sleep 60", "echo 4"),
    ("cat > /dev/null; echo $$ > id; exec sleep 60", "echo 4"),
    (
        "cat > /dev/null; for last; do :; done; echo film > \"${last#file:}\"",
        "case \"$1\" in -version) exit 0;; esac; echo $$ > id; exec sleep 60",
    ),
];

fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Maximum time in which a command must end. The machine may be busy with other tests, so a late
/// command is tried once more.
const LATE: Duration = Duration::from_secs(2);

/// A command that runs longer than this counts as hanging.
const NEVER: Duration = Duration::from_secs(30);

/// Sends a signal to a command whose ffmpeg or ffprobe hangs, and checks its message and files.
/// Returns the time it took to end.
fn stopped_after(bench: &Bench, command: &str, signal: &str, code: i32) -> Duration {
    let _ = fs::remove_file(bench.path("id"));
    let mut child = Command::new(crate::catena().get_program())
        .current_dir(bench.path(""))
        .args(command.split(' '))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let id = || fs::read_to_string(bench.path("id")).unwrap_or_default();
    while id().trim().is_empty() {
        assert!(start.elapsed() < Duration::from_secs(20), "{command}: not started");
        thread::sleep(Duration::from_millis(10));
    }
    let mut kill = Command::new("kill");
    kill.args([format!("-{signal}"), child.id().to_string()]);
    assert!(kill.status().unwrap().success());
    let asked = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if asked.elapsed() > NEVER {
            child.kill().unwrap();
        }
        thread::sleep(Duration::from_millis(10));
    }
    let took = asked.elapsed();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{command}: {stderr}");
    assert!(stderr.contains("no film was made"), "{command}: {stderr}");
    assert!(!Path::new(&format!("/proc/{}", id().trim())).exists(), "{command}");
    assert_eq!(unfinished(&bench.path("")).len(), 0, "{command}");
    assert!(!bench.path("film.mp4").exists(), "{command}");
    took
}

#[test]
fn a_program_that_hangs_is_stopped_with_catena() {
    let bench = Bench::new(TINY);
    bench.render("frames", &["-q", "--no-steady", "--frames", "4"], 0);
    let film = "film frames -o film.mp4 --ffmpeg ./ffmpeg -q";
    let render = "render scene.ron --film film.mp4 --ffmpeg ./ffmpeg -q --size 640x480";
    for (ffmpeg, ffprobe) in HANGS {
        script(&bench.path("ffmpeg"), ffmpeg);
        script(&bench.path("ffprobe"), ffprobe);
        for (command, signal, code) in [(film, "INT", 130), (render, "TERM", 143)] {
            let mut took = stopped_after(&bench, command, signal, code);
            if took >= LATE {
                eprintln!("{ffmpeg}: {command}: {took:?}, tried once more");
                took = stopped_after(&bench, command, signal, code);
            }
            assert!(took < LATE, "{ffmpeg}: {command}: {took:?}, twice");
        }
    }
}

#[test]
fn a_film_that_is_there_is_not_denied() {
    let bench = Bench::new(NOTED);
    let mut child = Command::new(crate::catena().get_program())
        .current_dir(bench.path(""))
        .args(["render", "scene.ron", "--film", "film.y4m", "-q"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while !bench.path("film.y4m").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "it never comes");
        assert!(child.try_wait().unwrap().is_none(), "it ended without a film");
        thread::sleep(Duration::from_millis(2));
    }
    let mut kill = Command::new("kill");
    assert!(kill.args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("interrupted: film.y4m is finished"), "{stderr}");
}
