//! Every exit code of the program, produced by a command line.

use crate::rendered::Bench;
use std::fs;

/// A rope that diverges under one method.
const SCENE: &str =
    "Scene(base: (size: (64, 64), frames: 20, decoration: Bare, integrator: ExplicitEuler,
    rest: (limit: 30), view: (center: (0, 0), extent: (1200, 1200)), rope: (nodes: 4)))";

/// A rope that passes through another one.
const PASSING: &str = "Scene(base: (frames: 12, frame_time: 0.1, substeps: 20, gravity: (0, 0, 0), parts: [
    (name: \"a\", with: (rope: (start: (-1, 0, 0), end: (1, 0, 0), nodes: 5, pins: [0, 4]))),
    (name: \"b\", with: (rope: (start: (0.1, 0.5025, -1), end: (0.1, 0.5025, 1), nodes: 2, pins: []))),
], velocities: [(node: (\"b\", 0), velocity: (0, -1, 0)), (node: (\"b\", 1), velocity: (0, -1, 0))]))";

/// The command line, its exit code, and a part of the message if the code is not 0.
const CASES: &[(&str, i32, &str)] = &[
    ("render scene.ron --out a -q", 0, ""),
    ("check scene.ron", 0, ""),
    ("render scene.ron --out b -q --frames 3 --set rope.nodes=5", 0, ""),
    ("diff a a", 0, ""),
    ("diff a b", 1, ""),
    ("merge nothing", 2, "contains no shards"),
    ("render scene.ron --out c --shard 1/2 -q --no-steady", 0, ""),
    ("merge c", 1, "shard"),
    ("fit scene.ron --data far.csv --vary drag --set integrator=SemiImplicitEuler", 1, ""),
    ("identify far.csv scene.ron --substeps 64 --only", 1, ""),
    ("render scene.ron --frames ten", 2, "expected a whole number"),
    ("render scene.ron --preset medium", 2, "needs --film FILE"),
    ("check missing.ron", 3, "cannot be read"),
    ("check scene.ron --set nods=3", 3, "did you mean --set rope.nodes=3"),
    ("check scene.ron --set frames=1000000000", 3, "frames"),
    ("sweep scene.ron --axis rope.pins=[[77]] --out d -q", 3, "every variant is invalid"),
    ("render scene.ron --out a -q --strict", 4, "diverged"),
    ("trace scene.ron --strict -o t.csv", 4, "diverged"),
    ("render scene.ron --out scene.ron", 5, "scene.ron"),
    ("check scene.ron --font scene.ron", 5, "font"),
    ("film a -o film.mp4 --ffmpeg ./missing", 6, "ffmpeg"),
    ("trace passing.ron --topology -o t.csv", 7, "passed through"),
];

#[test]
fn every_exit_code_but_those_of_signals_can_be_had() {
    let bench = Bench::new(SCENE);
    fs::write(bench.path("passing.ron"), PASSING).unwrap();
    // A point that moves up and down as no rope does.
    let far = (0..30).map(|frame| format!("{frame},3,{},{}\n", 10 * frame, frame % 2));
    let far = format!("frame,node,x,y\n{}", far.collect::<String>());
    fs::write(bench.path("far.csv"), far).unwrap();
    for (typed, code, part) in CASES {
        let output = bench.run(typed.split(' '));
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(*code), "{typed}: {stderr}");
        assert!(stderr.contains(part), "{typed}: {stderr}");
    }
    let mut codes: Vec<i32> = CASES.iter().map(|(_, code, _)| *code).collect();
    codes.dedup();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes, [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
#[cfg(unix)]
fn signals_have_exit_codes_of_their_own() {
    use crate::job::signals::{RESTLESS, Running, frame};

    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let bench = Bench::new(RESTLESS);
        let mut running = Running::start(&bench, &["-q", "--steady-time", "inf"]);
        assert!(running.until(frame(2)), "{signal}");
        running.send(signal);
        let ended = running.end();
        assert_eq!(ended.status.code(), Some(code), "{}", ended.message);
        assert!(ended.message.contains("resume with:"), "{}", ended.message);
    }
}
