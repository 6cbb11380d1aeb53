//! `catena identify` on files with other conventions, starts, ends and numbers of substeps, and the
//! commands that it proposes.

use super::homework::{identify, words};
use crate::{catena, repository};
use serde_json::Value;
use std::fs;

#[test]
fn as_many_candidates_are_listed_as_are_asked_for() {
    let listed = |top: &str| {
        let (_, result) = identify("heavy_tip", "rope.ron", &format!("--only --top {top}"));
        result["matches"].as_array().unwrap().len()
    };
    assert!(listed("5") < 20);
    assert!(listed("60") >= 60);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let of = |threads| identify("verlet_half", "rope.ron", &format!("--only --threads {threads}"));
    assert_eq!(of(1), of(2));
}

/// Typical mistakes in files: the arguments, the text, the exit code and parts of the output.
type Mistake = (&'static str, &'static str, i32, &'static [&'static str]);

const MISTAKES: &[Mistake] = &[
    ("", "frame,node,x,y\n0,0,0,200\n0,1,-80,abc\n", 3, &["mine.csv:3:9", "expected a number"]),
    ("", "frame,node,x,y\n0,0,0,200\n1,9,-80,100\n", 3, &["mine.csv:3", "node 9", "0 to 5"]),
    ("", "frame,node,x,y\n0,0,0,200\n0,1,-80,200\n", 3, &["without a frame after the start"]),
    ("--columns frame,knob,x,y", "0,0,0,200\n1,0,0,200\n", 3, &["knob"]),
    (
        "--panel 7",
        "frame,node,x,y\n0,1,-80,200\n1,1,-80,199\n",
        2,
        &["no panel “7”", "1 “Euler”, 2 “Verlet”"],
    ),
    ("--scale 0", "frame,node,x,y\n0,1,-80,200\n", 2, &["--scale"]),
];

#[test]
fn mistakes_are_told_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(repository("tests/lecture/rope.ron"), folder.path().join("rope.ron")).unwrap();
    for (arguments, text, code, parts) in MISTAKES {
        fs::write(folder.path().join("mine.csv"), text).unwrap();
        let run = catena()
            .current_dir(folder.path())
            .args(["identify", "mine.csv", "rope.ron", "--only"])
            .args(arguments.split_whitespace())
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(*code), "{arguments}: {stderr}");
        assert!(parts.iter().all(|part| stderr.contains(part)), "{arguments}: {stderr}");
    }
    let swapped = catena().args(["identify", "rope.ron", "mine.csv"]).output().unwrap();
    assert_eq!(swapped.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&swapped.stderr).contains("the numbers come first"));
}

/// Frames of a file from `first` on, renumbered by `number`.
fn cut(folder: &std::path::Path, first: u64, number: impl Fn(u64) -> u64) {
    let text = fs::read_to_string(repository("tests/lecture/semi_implicit.csv")).unwrap();
    let mut lines = vec!["frame,node,x,y".to_owned()];
    for line in text.lines().skip(1) {
        let (frame, rest) = line.split_once(',').unwrap();
        let frame: u64 = frame.parse().unwrap();
        if frame >= first {
            lines.push(format!("{},{rest}", number(frame)));
        }
    }
    fs::write(folder.join("cut.csv"), lines.join("\n")).unwrap();
    fs::copy(repository("tests/lecture/rope.ron"), folder.join("rope.ron")).unwrap();
}

#[test]
fn frames_that_are_counted_otherwise_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str, code: i32, part: &str| {
        let words = ["identify", "cut.csv", "rope.ron", "--only", "--substeps", "16"];
        let run = catena()
            .current_dir(folder.path())
            .args(words)
            .args(arguments.split_whitespace())
            .output()
            .unwrap();
        let stdout = String::from_utf8_lossy(&run.stdout);
        assert_eq!(run.status.code(), Some(code), "{arguments}: {stdout}");
        assert!(stdout.contains(part), "{arguments}: {stdout}");
    };
    cut(folder.path(), 1, |frame| frame - 1);
    run("", 0, "the scene's frame k + 1");
    cut(folder.path(), 20, |frame| frame);
    run("", 0, "Semi-implicit Euler, 16 substeps");
    cut(folder.path(), 20, |frame| frame - 20);
    run("", 1, "--first-frame");
    run("--first-frame 20", 0, "Semi-implicit Euler, 16 substeps");
}

#[test]
fn other_units_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(repository("tests/lecture/semi_implicit.csv")).unwrap();
    let metres = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        match (cells[2].parse::<f64>(), cells[3].parse::<f64>()) {
            (Ok(x), Ok(y)) => {
                // With as many digits as the program prints.
                format!("{},{},{:.9},{:.9}", cells[0], cells[1], x / 100.0, y / 100.0)
            }
            _ => line.to_owned(),
        }
    };
    let metres: Vec<String> = text.lines().map(metres).collect();
    fs::write(folder.path().join("metres.csv"), metres.join("\n")).unwrap();
    fs::copy(repository("tests/lecture/rope.ron"), folder.path().join("rope.ron")).unwrap();
    let run = |arguments: &[&str]| {
        let words = ["identify", "metres.csv", "rope.ron", "--only", "--substeps", "16"];
        let run = catena().current_dir(folder.path()).args(words).args(arguments).output().unwrap();
        (run.status.code(), String::from_utf8(run.stdout).unwrap())
    };
    let (code, message) = run(&[]);
    assert_eq!(code, Some(1), "{message}");
    assert!(message.contains("--scale 100"), "{message}");
    let (code, message) = run(&["--scale", "100"]);
    assert_eq!(code, Some(0), "{message}");
    assert!(message.contains("Semi-implicit Euler, 16 substeps"), "{message}");
}

#[test]
fn a_file_that_begins_far_beyond_any_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("rope.ron", "Scene(base: (rope: (nodes: 2)))");
    write(
        "far.csv",
        "frame,node,x,y\n100000000,0,0,200\n100000000,1,-400,200\n100000001,1,-400,199\n",
    );
    let run = catena()
        .current_dir(&folder)
        .args(["identify", "far.csv", "rope.ron", "--only"])
        .assert()
        .failure();
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(stderr.contains("frame"), "{stderr}");
}

/// A program in six digits whose drag matches no candidate: the start of the motion alone
/// identifies none.
#[test]
fn a_candidate_that_rounding_blurs_early_is_not_identified() {
    let folder = tempfile::tempdir().unwrap();
    let scene = repository("scenes/explicit_64.ron");
    let method = ["--set", "integrator=SemiImplicitEuler"];
    let run = catena()
        .arg("trace")
        .arg(&scene)
        .args(method)
        .args(["--set", "drag=0.02", "--frames", "60"])
        .output()
        .unwrap();
    let trace = String::from_utf8(run.stdout).unwrap();
    let mut rows = vec!["frame,node,x,y".to_owned()];
    for line in trace.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |cell: &str| cell.parse::<f64>().unwrap();
        let [x, y] = [cells[5], cells[6]].map(number).map(|x| format!("{x:.5e}"));
        rows.push(format!("{},{},{x},{y}", cells[0], cells[4]));
    }
    fs::write(folder.path().join("mine.csv"), rows.join("\n")).unwrap();
    let identify = |set: &[&str]| {
        let run = catena()
            .current_dir(folder.path())
            .args(["identify", "mine.csv"])
            .arg(&scene)
            .args(method)
            .args(set)
            .output()
            .unwrap();
        (run.status.code(), String::from_utf8_lossy(&run.stdout).into_owned())
    };
    let (code, message) = identify(&["--set", "drag=0.01"]);
    assert_eq!(code, Some(1), "{message}");
    assert!(!message.contains("to see it") || message.contains("undecided"), "{message}");
    // Searches all methods. Numbers of substeps far from the right one are covered by the search
    // above.
    let near = if crate::is_thorough() { &[][..] } else { &["--substeps", "16,32,64,128"] };
    let (code, message) = identify(&[&["--set", "drag=0.02"], near].concat());
    assert_eq!(code, Some(0), "{message}");
    let proposed = "--set integrator=SemiImplicitEuler --set drag=0.02";
    assert!(message.contains("Semi-implicit Euler") && message.contains(proposed), "{message}");
}

/// The proposed fit uses the scene's panel and varies only gravity. A method that is near only
/// before rounding dominates explains nothing.
#[test]
fn a_fit_that_is_proposed_has_the_panels_of_the_scene() {
    let lecture = repository("tests/lecture");
    for panel in ["1", "2"] {
        let folder = tempfile::tempdir().unwrap();
        let trace = catena()
            .current_dir(&lecture)
            .args(["trace", "rope.ron", "--frames", "20", "--panel", panel])
            .args(["--set", "gravity=(0, -1.1)"])
            .output()
            .unwrap();
        fs::write(folder.path().join("mine.csv"), trace.stdout).unwrap();
        let run = catena()
            .current_dir(&lecture)
            .arg("identify")
            .arg(folder.path().join("mine.csv"))
            .args(["rope.ron", "--only", "--substeps", "64", "--panel", panel])
            .output()
            .unwrap();
        let stdout = String::from_utf8_lossy(&run.stdout).into_owned();
        let line = stdout.lines().find(|line| line.contains("catena fit")).unwrap();
        assert!(line.contains(&format!("catena fit rope.ron --panel {panel} ")), "{stdout}");
        assert!(line.ends_with("--vary 'gravity=(0, {-1.1})'"), "{stdout}");
        assert!(!line.contains("--set"), "{stdout}");
    }
}

/// A program with a number of substeps between the common ones.
#[test]
fn uncommon_numbers_of_substeps_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let lecture = repository("tests/lecture");
    let trace = catena()
        .current_dir(&lecture)
        .args(["trace", "rope.ron", "--frames", "12", "--panel", "1", "--set", "substeps=13"])
        .output()
        .unwrap();
    let file = folder.path().join("mine.csv");
    fs::write(&file, trace.stdout).unwrap();
    let run = catena().current_dir(&lecture).arg("identify").arg(&file).arg("rope.ron").output();
    let stdout = String::from_utf8_lossy(&run.unwrap().stdout).into_owned();
    assert!(stdout.contains("\nSemi-implicit Euler, 13 substeps\n"), "{stdout}");
}

/// Substeps in the gaps between the large numbers that a search tries; eight digits identify them.
#[test]
fn large_uncommon_numbers_of_substeps_are_found() {
    let more = ["--panel", "1", "--set", "rope.nodes=3", "--frames", "8"];
    let message = identified_run(&["substeps=333", "rope.nodes=3"], 8, &more);
    assert!(message.contains("\nSemi-implicit Euler, 333 substeps\n"), "{message}");
}

/// The rope of a homework, with a slip in one panel that does not apply to the other panel.
const TWO_PANELS: &str = "Scene(base: (frames: 12, frame_time: 1.0, gravity: (0, -1), \
    substeps: 16, rope: (start: (0, 200), end: (-400, 200), nodes: 4, stiffness: 100)), panels: [\
    (label: \"explicit\", with: (integrator: ExplicitEuler, drag: 0.01)), \
    (label: \"Verlet\", with: (integrator: ConstraintVerlet(damping: 0.00005)))])";

/// The command that shows a slip runs as printed, and shows only that slip.
#[test]
fn the_command_that_shows_a_slip_runs_as_printed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("two.ron"), TWO_PANELS).unwrap();
    let run =
        |arguments: &[&str]| catena().current_dir(folder.path()).args(arguments).output().unwrap();
    let slip = ["integrator=SemiImplicitEuler", "drag=0.01", "slips=[DragReversed]"];
    let sets: Vec<&str> = slip.iter().flat_map(|set| ["--set", set]).collect();
    let trace = run(&[&["trace", "two.ron"], &sets[..]].concat());
    fs::write(folder.path().join("mine.csv"), &trace.stdout).unwrap();
    let only = ["--substeps", "16", "--only"];
    let found = run(&[&["identify", "mine.csv", "two.ron"], &only[..]].concat());
    let stdout = String::from_utf8_lossy(&found.stdout).into_owned();
    let line = stdout.lines().find_map(|line| line.trim().strip_prefix("to see it"));
    let words = words(line.unwrap_or_else(|| panic!("{stdout}")).trim());
    assert_eq!(words[..3], ["catena", "render", "two.ron"], "{stdout}");
    let rest: Vec<&str> = words[2..].iter().map(String::as_str).collect();
    let shown = run(&[&["trace"], &rest[..]].concat());
    assert!(shown.status.success(), "{}", String::from_utf8_lossy(&shown.stderr));
    assert_eq!(shown.stdout, trace.stdout, "{stdout}");
}

/// No panel of the scene is nearer than the candidate called nearest, and the output says where a
/// candidate leaves the file.
#[test]
fn panels_are_among_the_nearest() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("two.ron"), TWO_PANELS).unwrap();
    let run =
        |arguments: &[&str]| catena().current_dir(folder.path()).args(arguments).output().unwrap();
    let trace = String::from_utf8(run(&["trace", "two.ron", "--panel", "2"]).stdout).unwrap();
    let names: Vec<&str> = trace.lines().next().unwrap().split(',').collect();
    let column = |name: &str| names.iter().position(|it| *it == name).unwrap();
    let [frame, node, x, y] = ["frame", "node", "x", "y"].map(column);
    let mut lines = vec!["frame,node,x,y".to_owned()];
    for line in trace.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        // From frame 9 on, the program behaves differently.
        let shift = if cells[frame].parse::<u64>().unwrap() < 9 { 0.0 } else { 0.5 };
        let moved = cells[x].parse::<f64>().unwrap() + shift;
        lines.push(format!("{},{},{moved:?},{}", cells[frame], cells[node], cells[y]));
    }
    fs::write(folder.path().join("mine.csv"), lines.join("\n")).unwrap();
    let arguments = ["identify", "mine.csv", "two.ron", "--substeps", "16", "--only", "--json"];
    let found: Value = serde_json::from_slice(&run(&arguments).stdout).unwrap();
    assert_eq!(found["outcome"], "none", "{found:#}");
    let distances: Vec<f64> = found["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["farthest"].as_f64().unwrap_or(f64::INFINITY))
        .collect();
    assert!(distances.is_sorted(), "{distances:?}");
    assert!(distances[0] <= found["own"]["farthest"].as_f64().unwrap(), "{found:#}");
    let best = &found["matches"][0];
    assert_eq!(best["parts_at"], 9, "{best:#}");
    let advice = found["advice"][0].as_str().unwrap();
    let own =
        "panel \"Verlet\" agrees within the digits up to frame 8, and deviates in frame 9 at node";
    assert!(advice.starts_with(own), "{advice}");
    assert!(best["parts_node"].as_u64().is_some(), "{best:#}");
}

/// Runs the scene's first panel with changes, and rounds its positions to some digits. Returns the
/// output of `identify`.
fn identified_run(set: &[&str], digits: usize, more: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let lecture = repository("tests/lecture");
    let mut trace = catena();
    trace.current_dir(&lecture).args(["trace", "rope.ron", "--frames", "40", "--panel", "1"]);
    trace.args(set.iter().flat_map(|set| ["--set", set]));
    let text = String::from_utf8(trace.output().unwrap().stdout).unwrap();
    let mut lines = vec!["frame,node,x,y".to_owned()];
    let names: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let column = |name: &str| names.iter().position(|it| *it == name).unwrap();
    let [frame, node, x, y] = ["frame", "node", "x", "y"].map(column);
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let cut = |at: usize| {
            let value: f64 = cells[at].parse().unwrap();
            let rounded: f64 = format!("{value:.*e}", digits - 1).parse().unwrap();
            rounded
        };
        lines.push(format!("{},{},{},{}", cells[frame], cells[node], cut(x), cut(y)));
    }
    let file = folder.path().join("mine.csv");
    fs::write(&file, lines.join("\n")).unwrap();
    let mut identify = catena();
    identify.current_dir(&lecture).arg("identify").arg(&file).arg("rope.ron").args(more);
    let output = identify.output().unwrap();
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat()
}

/// Another time per frame changes stiffness, drag and gravity together, and is reported as one
/// value.
#[test]
fn another_time_per_frame_is_one_value() {
    let only = ["--panel", "1", "--only", "--substeps", "64"];
    let message = identified_run(&["frame_time=1.0666666666666667"], 9, &only);
    assert!(message.contains("frame_time 1.067 instead of 1;"), "{message}");
    assert!(message.contains("--vary frame_time=1.06667"), "{message}");
    let others = ["rope.stiffness ", "drag 0", "gravity -", "times as far as the scene"];
    assert!(others.iter().all(|other| !message.contains(other)), "{message}");
}

/// Explicit Euler in `float` on the homework rope with 4 nodes, which diverges, in 6 digits.
fn explicit_in_float(frames: usize) -> String {
    let rest = 400.0_f32 / 3.0;
    let mut p: [[f32; 2]; 4] = std::array::from_fn(|i| [-400.0 * i as f32 / 3.0, 200.0]);
    let (mut v, dt) = ([[0.0_f32; 2]; 4], 1.0_f32 / 64.0);
    let mut text = "frame,node,x,y\n".to_owned();
    for frame in 0..=frames {
        for (node, [x, y]) in p.iter().enumerate() {
            text += &format!("{frame},{node},{x:.5e},{y:.5e}\n");
        }
        for _ in 0..64 {
            let mut f = [[0.0_f32; 2]; 4];
            for j in 0..3 {
                let d = [0, 1].map(|k| p[j + 1][k] - p[j][k]);
                let length = (d[0] * d[0] + d[1] * d[1]).sqrt();
                let pull = 100.0 * (length - rest) / length;
                for k in 0..2 {
                    f[j][k] += pull * d[k];
                    f[j + 1][k] -= pull * d[k];
                }
            }
            for i in 1..4 {
                for k in 0..2 {
                    let a = f[i][k] - 0.01 * v[i][k] + [0.0, -1.0][k];
                    p[i][k] += v[i][k] * dt;
                    v[i][k] += a * dt;
                }
            }
        }
    }
    text
}

/// The second-best candidate is nearer than the best one until rounding dominates the best one: the
/// output says what distinguishes them, and prints no ratio of distances.
#[test]
fn a_next_best_that_is_no_farther_is_told_with_its_own_rounding() {
    let folder = tempfile::tempdir().unwrap();
    let run =
        |arguments: &[&str]| catena().current_dir(folder.path()).args(arguments).output().unwrap();
    assert!(run(&["new", "homework.ron", "--template", "homework"]).status.success());
    fs::write(folder.path().join("mine.csv"), explicit_in_float(25)).unwrap();
    let few = ["--set", "rope.nodes=4", "--only", "--substeps", "64", "--panel", "1"];
    let found = run(&[&["identify", "mine.csv", "homework.ron"][..], &few].concat());
    let stdout = String::from_utf8(found.stdout).unwrap();
    let line = stdout.lines().find(|line| line.contains("next best")).unwrap();
    assert!(line.contains("no farther than the best one: "), "{stdout}");
    assert!(line.ends_with(" by more than its own rounding explains"), "{stdout}");
    assert!(!line.contains("times as far"), "{stdout}");
}

/// A common number of substeps that the digits do not resolve is not reported as an uncommon one.
#[test]
fn few_digits_do_not_make_substeps_common() {
    for substeps in ["substeps=52", "substeps=75"] {
        let message = identified_run(&[substeps], 4, &["--only"]);
        let own = format!("\nSemi-implicit Euler, {} substeps\n", &substeps[9..]);
        assert!(message.contains(&own) || message.contains("\nundecided"), "{substeps}: {message}");
    }
}

/// With few digits, other values can compensate for other substeps: the number is reported as a
/// range, and found exactly if the digits suffice.
#[test]
fn substeps_behind_other_values_are_told_as_far_as_the_digits_tell_them() {
    let lecture = repository("tests/lecture");
    let set = ["integrator=ExplicitEuler", "rope.stiffness=20", "rope.damping=1"];
    let mut identify = catena();
    identify.current_dir(&lecture).args(["identify", "euler_60.csv", "rope.ron", "--panel", "1"]);
    let run = identify.args(set.iter().flat_map(|set| ["--set", set])).output().unwrap();
    let stdout = String::from_utf8(run.stdout).unwrap();
    let line = stdout.lines().find(|line| line.contains("other values")).unwrap();
    // Six digits determine the damping to within a few per cent.
    let damping = line.split("rope.damping ").nth(1).and_then(|it| it.split(' ').next()).unwrap();
    assert!((damping.parse::<f64>().unwrap() - 2.0).abs() < 0.1, "{stdout}");
    assert!(line.contains("drag 0.3 instead of 0.01"), "{stdout}");
    assert!(line.contains("Explicit Euler, 60 substeps"), "{stdout}");
}

/// Substeps that few digits cannot distinguish from a common number.
#[test]
fn substeps_that_digits_do_not_tell_apart_are_a_range() {
    let message = identified_run(&["substeps=63"], 4, &[]);
    let range = message.lines().find(|line| line.trim_start().starts_with("substeps ")).unwrap();
    let numbers: Vec<u64> = range.split_whitespace().filter_map(|it| it.parse().ok()).collect();
    let [low, high] = numbers[..] else { panic!("{message}") };
    assert!(low <= 63 && (64..100).contains(&high), "{message}");
    let message = identified_run(&["substeps=63"], 8, &[]);
    assert!(message.contains("\nSemi-implicit Euler, 63 substeps\n"), "{message}");
    assert!(!message.contains("explain it equally well"), "{message}");
}

/// A rope with another end than the scene's rope.
#[test]
fn another_end_of_the_rope_is_told() {
    let message = identified_run(&["rope.end=(-380, 200)"], 9, &[]);
    assert!(message.contains("add `--set 'rope.end=(-380, 200)'`"), "{message}");
    let message = identified_run(&["rope.end=(-380, 200)"], 9, &["--set", "rope.end=(-380, 200)"]);
    assert!(message.contains("\nSemi-implicit Euler, 64 substeps"), "{message}");
}

/// A rope of another number of nodes between the same ends.
#[test]
fn another_number_of_nodes_is_told() {
    let message = identified_run(&["rope.nodes=5"], 9, &[]);
    assert!(message.contains("add `--set rope.nodes=5`"), "{message}");
    assert!(!message.contains("another origin"), "{message}");
    let message = identified_run(&["rope.nodes=5"], 9, &["--set", "rope.nodes=5"]);
    assert!(message.contains("\nSemi-implicit Euler, 64 substeps"), "{message}");
}

/// The best explanation and the next one differ in one field of their panels.
#[test]
fn candidates_with_the_same_words_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let scene = "Scene(base: (frames: 12, frame_time: 1.0, gravity: (0, -1), substeps: 16, \
        integrator: SemiImplicitEuler, rope: (start: (0, 200), end: (-400, 200), nodes: 4, \
        stiffness: 100)), panels: [(label: \"a\", with: (drag: 0.02)), (label: \"b\", with: \
        (drag: 0.0201))])";
    fs::write(folder.path().join("s.ron"), scene).unwrap();
    let run = |arguments: &[&str]| {
        catena().current_dir(folder.path()).args(arguments).output().unwrap().stdout
    };
    let trace = String::from_utf8(run(&["trace", "s.ron", "--panel", "1"])).unwrap();
    // With few digits, methods with the same positions fit equally well.
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |cell: &str| cell.parse::<f64>().unwrap();
        let [x, y] = [cells[5], cells[6]].map(number);
        format!("{},{},{x:.4},{y:.4}", cells[0], cells[4])
    };
    let rows: Vec<String> = trace.lines().skip(1).map(row).collect();
    let text = format!("frame,node,x,y\n{}", rows.join("\n"));
    fs::write(folder.path().join("a.csv"), text).unwrap();
    let message = run(&["identify", "a.csv", "s.ron", "--only", "--substeps", "16"]);
    let message = String::from_utf8(message).unwrap();
    let next = message.lines().find(|line| line.contains("next best")).unwrap();
    assert!(next.contains("16 substeps, drag 0.0201"), "{message}");
}
