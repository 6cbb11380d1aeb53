//! Signals at random moments: SIGTERM ends a command soon at any point, and leaves no unfinished
//! file.
#![cfg(unix)]

use crate::rendered::{Bench, unfinished};
use catena_tests::Random;
use std::{
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Number of moments at which each command is asked to end. CATENA_MOMENTS overrides it.
const MOMENTS: u64 = 3;

/// Maximum time in seconds in which a command must end. CATENA_MOMENT_SECONDS overrides it. The
/// machine may be busy with other tests, so a late command is tried once more.
const LATE: f64 = 2.0;

/// A command that runs longer than this counts as hanging.
const NEVER: f64 = 30.0;

/// A single step of this scene takes longer than anyone waits.
const ENDLESS: &str = "Scene(base: (size: (320, 180), frames: 1000, substeps: 8,
    integrator: Pbd(iterations: 4000000), rope: (nodes: 2000, end: (500, 0))))";

/// Steps that take no time, and studies that do.
const ORDINARY: &str =
    "Scene(base: (size: (640, 360), frames: 400, substeps: 64, drag: 0.01, rope: (nodes: 12)),
    panels: [(with: (integrator: VelocityVerlet)), (with: (integrator: ConstraintVerlet))])";

/// Command lines. Each row: a name, the scene, and the words after `catena`.
const COMMANDS: [(&str, &str, &[&str]); 17] = [
    ("a render within a step", ENDLESS, &["render", "scene.ron", "--out", "out", "--unlimited"]),
    ("a render", ORDINARY, &["render", "scene.ron", "--out", "out"]),
    (
        "a shared render",
        ENDLESS,
        &["render", "scene.ron", "--out", "out", "--claim", "--unlimited"],
    ),
    (
        "a film within a step",
        ENDLESS,
        &["render", "scene.ron", "--film", "film.gif", "--unlimited"],
    ),
    ("a film", ORDINARY, &["render", "scene.ron", "--film", "film.gif"]),
    ("a trace", ENDLESS, &["trace", "scene.ron", "--unlimited", "-o", "trace.csv"]),
    (
        "a trace of many rows",
        ORDINARY,
        &["trace", "scene.ron", "-o", "trace.csv", "--frames", "9999"],
    ),
    (
        "an export within a step",
        ENDLESS,
        &["export", "scene.ron", "--unlimited", "-o", "out/scene.glb"],
    ),
    ("an export", ORDINARY, &["export", "scene.ron", "-o", "out/scene.usda", "--frames", "9999"]),
    (
        "an export of a folder",
        ORDINARY,
        &["export", "scene.ron", "--format", "obj", "-o", "out/obj", "--frames", "3000"],
    ),
    ("a report within a step", ENDLESS, &["report", "scene.ron", "--out", "out", "--unlimited"]),
    ("a report", ORDINARY, &["report", "scene.ron", "--out", "out"]),
    ("stability", ENDLESS, &["stability", "scene.ron", "--unlimited"]),
    ("a check", ORDINARY, &["check", "scene.ron"]),
    ("verify", ORDINARY, &["verify"]),
    ("a film of a folder", ORDINARY, &["film", "frames", "-o", "film.gif"]),
    ("a comparison", ORDINARY, &["diff", "frames", "frames", "--out", "out"]),
];

fn start(bench: &Bench, words: &[&str]) -> Child {
    Command::new(crate::catena().get_program())
        .current_dir(bench.path(""))
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn variable(name: &str) -> Option<f64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// Waits for the end of a command that was asked to end. Returns its exit code, and the time it
/// took.
fn end(child: &mut Child, what: &str) -> (Option<i32>, f64) {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return (status.code(), start.elapsed().as_secs_f64());
        }
        if start.elapsed().as_secs_f64() > NEVER {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{what} does not end");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Asks a command to end after a while, and checks the files that it leaves. Returns its exit code,
/// and the time it took.
fn ended_after(wait: Duration, bench: &Bench, what: &str, words: &[&str]) -> (Option<i32>, f64) {
    let mut child = start(bench, words);
    thread::sleep(wait);
    let sent = Command::new("kill").args(["-s", "TERM", &child.id().to_string()]).status();
    sent.unwrap();
    let (code, seconds) = end(&mut child, what);
    // A signal that comes before there is a handler ends the command without a code; a signal that
    // comes too late has no effect.
    assert!(matches!(code, Some(143 | 0) | None), "{what}: {code:?}");
    let left = unfinished(&bench.path(""));
    assert_eq!(left, [""; 0].map(std::path::PathBuf::from), "{what}");
    for name in ["out", "film.gif", "film.mp4", "trace.csv"] {
        let path = bench.path(name);
        let _ =
            if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    }
    (code, seconds)
}

#[test]
fn sigterm_ends_each_command_at_any_moment() {
    let moments = variable("CATENA_MOMENTS").map_or(MOMENTS, |count| count as u64);
    let late = variable("CATENA_MOMENT_SECONDS").unwrap_or(LATE);
    let mut latest = 0.0_f64;
    let (mut stopped, mut repeated) = (0, 0);
    for (what, scene, words) in COMMANDS {
        let bench = Bench::new(scene);
        if words[0] == "film" || words[0] == "diff" {
            bench.render("frames", &["-q", "--no-steady"], 0);
        }
        let mut random = Random::new(9);
        for moment in 0..moments {
            // From the first instructions to the middle of the work.
            let wait = Duration::from_micros(random.below(200_000) as u64 / (1 + moment % 4));
            let (mut code, mut seconds) = ended_after(wait, &bench, what, words);
            if seconds >= late {
                repeated += 1;
                eprintln!("{what}: {seconds} s after {wait:?}, tried once more");
                (code, seconds) = ended_after(wait, &bench, what, words);
            }
            assert!(seconds < late, "{what}: {seconds} s after {wait:?}, twice");
            latest = latest.max(seconds);
            stopped += usize::from(code == Some(143));
        }
    }
    assert!(
        stopped > 5 * moments as usize,
        "most commands were stopped within their work: {stopped}"
    );
    eprintln!(
        "{stopped} commands were stopped, the slowest after {latest:.3} s; {repeated} were late once"
    );
}
