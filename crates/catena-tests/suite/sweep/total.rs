//! The limit on the work of a whole sweep: a larger sweep is refused before it begins, with its
//! estimate.

use crate::rendered::Bench;
use catena::sim::{Bill, Item};

const SCENE: &str = "Scene(base: (frames: 50, rope: (nodes: 8)))";

/// Runs a sweep with these options, and returns its exit code and all its output.
fn swept(bench: &Bench, options: &[&str]) -> (Option<i32>, String) {
    let run = bench.run([&["sweep", "scene.ron", "--out", "out", "-q"], options].concat());
    let output = [run.stdout, run.stderr].concat();
    (run.status.code(), String::from_utf8_lossy(&output).into_owned())
}

const MANY: &str = "rope.stiffness=Log(1, 1e4, 40000)";

#[test]
fn a_sweep_that_takes_too_long_in_all_is_refused_before_it_begins() {
    let bench = Bench::new(SCENE);
    // Each variant is far below its own limit.
    let few = ["--axis", MANY, "--minutes", "0.0003"];
    let (code, message) = swept(&bench, &few);
    assert_eq!(code, Some(3), "{message}");
    for part in [
        "scene.ron: 40000 variants would take about",
        "the limit of a sweep or shard is 1.1 seconds",
        "--minutes 1 allows it",
        "--unlimited lifts this limit",
        "--shard I/N",
        "--plan estimates",
    ] {
        assert!(message.contains(part), "lacks {part}: {message}");
    }
    assert!(!bench.path("out/table.csv").exists());
    assert!(!bench.path("out/shards/0001-of-0001.csv").exists());
    // The plan prints the same without an error, and nothing if the sweep is within the limit.
    let plan = |minutes: &str| {
        let run = bench.run(["sweep", "scene.ron", "--axis", MANY, "--minutes", minutes, "--plan"]);
        assert_eq!(run.status.code(), Some(0));
        String::from_utf8(run.stdout).unwrap()
    };
    assert!(plan("0.0003").contains("the limit of a sweep or shard is 1.1 seconds"));
    assert!(!plan("1").contains("the limit of a sweep"));
    // A shard has its own limit.
    let (code, message) = swept(&bench, &[&few[..], &["--shard", "1/4000"]].concat());
    assert_eq!(code, Some(0), "{message}");
    std::fs::remove_dir_all(bench.path("out")).unwrap();
    let (code, message) = swept(&bench, &[&few[..], &["--shard", "1/2"]].concat());
    assert_eq!(code, Some(3), "{message}");
    assert!(message.contains("this shard would take about"), "{message}");
}

/// Seconds of CPU time in the plan of a sweep over 64 values of drag.
fn planned(bench: &Bench, method: &str, measure: &str) -> f64 {
    let set = format!("integrator={method}");
    let axis = "drag=Linear(0.01, 0.1, 64)";
    let run = bench.run([
        "sweep",
        "scene.ron",
        "--axis",
        axis,
        "--set",
        &set,
        "--measure",
        measure,
        "--plan",
    ]);
    let plan = String::from_utf8(run.stdout).unwrap();
    let words = plan.split_once("about ").unwrap().1;
    assert!(words.contains(" seconds of CPU time"), "{plan}");
    let all: f64 = words.split_whitespace().next().unwrap().parse().unwrap();
    // The plan includes the start of the process, once.
    let start = Bill::of(Item::Process, 1).nanoseconds() as f64;
    assert!(all > 1e-9 * start, "{plan}");
    all - 1e-9 * start
}

#[test]
fn measures_cost_what_they_do_and_not_what_they_may() {
    let bench = Bench::new(
        "Scene(base: (frames: 200, substeps: 64, rope: (nodes: 16, stiffness: 100, pins: [First])))",
    );
    for method in ["SemiImplicitEuler", "Rk4", "ConstraintVerlet", "ImplicitEuler"] {
        let alone = planned(&bench, method, "Diverged");
        // A search for a limit may take half a second for each variant, but takes little here.
        let predicted = planned(&bench, method, "PredictedStep");
        assert!((alone..alone + 0.2).contains(&predicted), "{method}: {alone} {predicted}");
        // A ledger in a group costs about an evaluation of forces per step.
        let ledger = planned(&bench, method, "Ledger");
        assert!((1.05 * alone..alone + 0.1).contains(&ledger), "{method}: {alone} {ledger}");
    }
}

#[test]
fn variants_that_diverge_at_once_hide_none_that_do_not() {
    let bench = Bench::new("Scene(base: (frames: 4000, rope: (nodes: 8)))");
    // In the quick estimate, the first variant represents all others. With one of the axes it
    // diverges at once.
    for axis in ["rope.stiffness=Log(1, 1e9, 1000)", "rope.stiffness=Log(1e9, 1, 1000)"] {
        let (code, message) = swept(&bench, &["--axis", axis, "--minutes", "0.0003"]);
        assert_eq!(code, Some(3), "{axis}: {message}");
        assert!(message.contains("1000 variants would take about"), "{axis}: {message}");
    }
}

#[test]
fn what_shows_only_during_a_sweep_counts_against_its_limit() {
    let bench = Bench::new(SCENE);
    // Each variant exhausts its own limit, and thousands of them exhaust the limit of the sweep.
    let open = "integrator=[Rk4, DormandPrince(tolerance: 1e-300)]";
    let options = ["--axis", open, "--axis", "drag=Linear(0, 1, 3000)", "--minutes", "0.0001"];
    let (code, message) = swept(&bench, &options);
    assert_eq!(code, Some(3), "{message}");
    assert!(message.contains("CPU time") && message.contains("--minutes"), "{message}");
    // With few of them, each is a row that reports this.
    let few = ["--axis", open, "--axis", "drag=Linear(0, 1, 3)", "--minutes", "0.0001"];
    let (code, message) = swept(&bench, &few);
    assert_eq!(code, Some(0), "{message}");
    let table = std::fs::read_to_string(bench.path("out/table.csv")).unwrap();
    assert_eq!(table.matches("exhausted").count(), 3, "{table}");
}
