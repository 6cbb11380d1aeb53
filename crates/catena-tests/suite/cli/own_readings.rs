//! Files with other conventions than catena's: nodes counted from the other end, step numbers,
//! floats, and values that fit exactly. If the file lacks some information, the command asks for
//! it.

use crate::{catena, repository};
use std::fs;
use std::path::Path;

/// Text that a command prints on both streams, in the folder of the homework programs.
fn printed(arguments: &[&str]) -> String {
    let lecture = repository("tests/lecture");
    let run = catena().current_dir(lecture).args(arguments).output().unwrap();
    let [out, err] =
        [run.stdout, run.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    out + &err
}

/// Writes a run of the homework rope as a program does: `row` formats a line from frame, node and
/// position. Returns the path of the file.
fn write(
    folder: &Path,
    set: &[&str],
    names: &str,
    row: impl Fn(u64, u64, f64, f64) -> String,
) -> String {
    let mut trace = vec!["trace", "rope.ron", "--panel", "1", "--frames", "20"];
    trace.extend(set.iter().flat_map(|it| ["--set", it]));
    let run = catena().current_dir(repository("tests/lecture")).args(trace).output().unwrap();
    let text = String::from_utf8(run.stdout).unwrap();
    let number = |cell: &str| cell.parse::<f64>().unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let it: Vec<&str> = line.split(',').collect();
        row(number(it[0]) as u64, number(it[4]) as u64, number(it[5]), number(it[6]))
    });
    let all: Vec<String> = std::iter::once(names.to_owned()).chain(rows).collect();
    let path = folder.join("mine.csv");
    fs::write(&path, all.join("\n") + "\n").unwrap();
    path.to_str().unwrap().to_owned()
}

/// Nodes that a program counts from the free end, starting at 0 or 1, with y up or down.
#[test]
fn nodes_from_the_other_end_are_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let few = ["--panel", "1", "--only", "--substeps", "64"];
    for (first, by) in [(0, 1.0), (1, 1.0), (0, -1.0)] {
        let row = |frame, node, x, y: f64| format!("{frame},{},{x},{}", 5 - node + first, by * y);
        let file = write(folder.path(), &[], "frame,node,x,y", row);
        let identify = [&["identify", &*file, "rope.ron"][..], &few].concat();
        let found = printed(&identify);
        let order = format!("nodes in reverse order: its node {first} is node 5 ");
        assert!(found.contains(&order), "{found}");
        assert!(
            found.contains("\nSemi-implicit Euler, 64 substeps\n  largest        0:"),
            "{found}"
        );
        let given = printed(&[&identify[..], &["--node-order", "reversed"]].concat());
        assert!(given.contains("nodes in reverse order, as given"), "{given}");
        let forward = printed(&[&identify[..], &["--node-order", "forward"]].concat());
        assert!(forward.contains("the first frame differs from the start by "), "{forward}");
        let fit = ["fit", "rope.ron", "--panel", "1", "--data", &file, "--vary", "drag=0.02"];
        assert!(printed(&fit).contains("\n  drag  0.01 "), "{}", printed(&fit));
    }
}

/// `diff` of a file with reversed nodes, and such a file as the reference of a scene.
#[test]
fn files_with_nodes_in_reverse_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), &[], "frame,node,x,y", |f, i, x, y| format!("{f},{i},{x},{y}"));
    let own = folder.path().join("own.csv");
    fs::rename(file, &own).unwrap();
    let turned = |f, i, x, y| format!("{f},{},{x},{y}", 5 - i);
    let file = write(folder.path(), &[], "frame,node,x,y", turned);
    let diff = ["diff", own.to_str().unwrap(), &file];
    let apart = printed(&diff);
    let hint = "looks as if its nodes were in reverse order: add --node-order reversed";
    assert!(apart.contains(hint), "{apart}");
    let mut same = catena();
    same.args(diff).args(["--node-order", "reversed"]).assert().code(0);
    let scene = "Scene(base: (frame_time: 1, rope: (start: (0, 200), end: (-400, 200), nodes: 6), \
                 reference: (file: \"mine.csv\")))";
    let path = folder.path().join("scene.ron");
    fs::write(&path, scene).unwrap();
    let check = printed(&["check", path.to_str().unwrap()]);
    assert!(check.contains("(`node_order: Forward` keeps the order of the file)"), "{check}");
}

/// Step numbers that are not multiples of the scene's substeps.
#[test]
fn numbers_of_steps_beyond_the_compared_frames_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let row = |frame, node, x, y| format!("{},{node},{x},{y}", 1000 * frame);
    let file = write(folder.path(), &[], "frame,node,x,y", row);
    let few = ["--panel", "1", "--only", "--substeps", "64"];
    let identify = [&["identify", &*file, "rope.ron"][..], &few].concat();
    let found = printed(&identify);
    let why = "the first frame after the start is 1000, and frames up to 600 are compared";
    assert!(found.contains(why), "{found}");
    let help = "--columns step,node,x,y says so; if they are frames, --frames 19000 compares";
    assert!(found.contains(help), "{found}");
    // A fit simulates all frames in between, and says so first.
    let fit = ["fit", "rope.ron", "--panel", "1", "--data", &file, "--frames", "1001", "--vary"];
    let run = catena().current_dir(repository("tests/lecture")).args(fit).arg("drag").output();
    let note = String::from_utf8(run.unwrap().stderr).unwrap();
    let expected =
        "its frame numbers are 1000 apart: if they count steps, add `--columns step,node,x,y`";
    assert!(note.starts_with("note: ") && note.contains(expected), "{note}");
    let steps = printed(&[&identify[..], &["--columns", "step,node,x,y"]].concat());
    assert!(
        steps.contains("1000 steps per frame, which is the distance between its rows"),
        "{steps}"
    );
    assert!(steps.contains("\nSemi-implicit Euler, 64 substeps\n"), "{steps}");
}

/// Programs in `float`: an uncommon number of steps is found with the program's order of
/// operations, and no number is reported as good if its distance exceeds the digits.
#[test]
fn uncommon_substeps_of_floats_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let verlet = "integrator=ForceVerlet(damping: 0.00005)";
    for (substeps, operations) in [(300, "RatioSum"), (77, "Unit")] {
        let steps = format!("substeps={substeps}");
        let slips = format!("slips=[Float32(operations: {operations})]");
        let set = ["drag=0", verlet, &*steps, &*slips];
        let row = |f, i, x, y| format!("{f},{i},{x:.8e},{y:.8e}");
        let file = write(folder.path(), &set, "frame,node,x,y", row);
        let found = printed(&["identify", &file, "rope.ron"]);
        let own = format!("\nForce Verlet, damping 0.00005, float32, {substeps} substeps\n");
        assert!(found.contains(&own), "{found}");
        assert!(!found.contains("explain it equally well"), "{found}");
    }
}

/// Semi-implicit Euler in `float`, with forces summed node by node, in nine digits.
fn semi_implicit_in_float(drag: f32) -> String {
    let (nodes, rest, dt) = (6, 80.0_f32, 1.0_f32 / 64.0);
    let mut p: Vec<[f32; 2]> = (0..nodes).map(|i| [-80.0 * i as f32, 200.0]).collect();
    let mut v = vec![[0.0_f32; 2]; nodes];
    let mut text = "frame,node,x,y\n".to_owned();
    for frame in 0..=20 {
        for (node, [x, y]) in p.iter().enumerate() {
            text += &format!("{frame},{node},{x:.8e},{y:.8e}\n");
        }
        for _ in 0..64 {
            let mut f = vec![[0.0_f32, -1.0]; nodes];
            for j in 0..nodes - 1 {
                let d = [0, 1].map(|k| p[j + 1][k] - p[j][k]);
                let length = (d[0] * d[0] + d[1] * d[1]).sqrt();
                let pull = 100.0 * (length - rest) / length;
                for k in 0..2 {
                    f[j][k] += pull * d[k];
                    f[j + 1][k] -= pull * d[k];
                }
            }
            for i in 1..nodes {
                for k in 0..2 {
                    v[i][k] += (f[i][k] - drag * v[i][k]) * dt;
                    p[i][k] += v[i][k] * dt;
                }
            }
        }
    }
    text
}

/// A program in floats whose order of summation catena does not have: it is reported as a float
/// program, and its residual is not treated as noise that would give an interval.
#[test]
fn floats_are_named_as_such_and_their_rest_is_no_noise() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.csv");
    fs::write(&path, semi_implicit_in_float(0.01)).unwrap();
    let file = path.to_str().unwrap();
    let found = printed(&["identify", file, "rope.ron"]);
    assert!(found.contains("\nSemi-implicit Euler, float32, 64 substeps\n"), "{found}");
    let fit = printed(&["fit", "rope.ron", "--panel", "1", "--data", file, "--vary", "drag=0.02"]);
    assert!(fit.contains("no interval: see the warning"), "{fit}");
    assert!(fit.contains("a missing force or a float leaves such a residual"), "{fit}");
}

/// Exactly matching data determine values up to their digits, and no further.
#[test]
fn exact_data_bound_values_by_their_digits() {
    let folder = tempfile::tempdir().unwrap();
    let width = |digits: usize| {
        let row = |f, i, x, y| format!("{f},{i},{x:.digits$},{y:.digits$}");
        let file = write(folder.path(), &[], "frame,node,x,y", row);
        let json = folder.path().join("fit.json");
        let fit = ["fit", "rope.ron", "--panel", "1", "--data", &file, "--vary", "drag"];
        printed(&[&fit[..], &["--json", json.to_str().unwrap()]].concat());
        let found: serde_json::Value = serde_json::from_slice(&fs::read(&json).unwrap()).unwrap();
        let ends = &found["parameters"][0]["interval_95"];
        let [low, high] =
            [0, 1].map(|end| ends[end].as_f64().unwrap_or_else(|| panic!("{found:#}")));
        assert!((low..=high).contains(&0.01), "{found:#}");
        high - low
    };
    // Seventeen digits leave a narrower interval than six, but not an empty one.
    let [few, many] = [6, 17].map(width);
    assert!(few > 1e5 * many && many > 0.0, "{few} {many}");
    let exact =
        write(folder.path(), &[], "frame,node,x,y", |f, i, x, y| format!("{f},{i},{x},{y}"));
    let fit = printed(&["fit", "rope.ron", "--panel", "1", "--data", &exact, "--vary", "drag"]);
    assert!(fit.contains("rms residual 0,") && !fit.contains("do not bound"), "{fit}");
}

/// Values that fit within the digits take precedence over float rounding, which may explain large
/// distances.
#[test]
fn values_that_fit_come_before_rounding() {
    let folder = tempfile::tempdir().unwrap();
    let set = ["integrator=ConstraintVerlet(damping: 0.0002)", "drag=0"];
    let file = write(folder.path(), &set, "frame,node,x,y", |f, i, x, y| {
        format!("{f},{i},{x:.5e},{y:.5e}")
    });
    let found = printed(&["identify", &file, "rope.ron", "--only"]);
    let head = "it may be Constraint Verlet, 64 substeps, with ConstraintVerlet.damping 0.0002";
    let none =
        "\n  other values   Constraint Verlet, 64 substeps, with ConstraintVerlet.damping 0.0002";
    assert!(found.contains(head) || found.contains(none), "{found}");
    assert!(!found.contains("it may be Constraint Verlet, damping"), "{found}");
}

/// Accurate methods agree within few digits, even with a method that catena lacks: the file does
/// not tell which method wrote it.
#[test]
fn accurate_programs_are_undecided_where_digits_tell_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let set = ["drag=0.01", "integrator=Rk4", "substeps=128"];
    let few = |f, i, x, y| format!("{f},{i},{x:.3},{y:.3}");
    let file = write(folder.path(), &set, "frame,node,x,y", few);
    let identify = ["identify", &file, "rope.ron", "--panel", "1"];
    let mut run = catena();
    run.current_dir(repository("tests/lecture")).args(identify).assert().code(1);
    let found = printed(&identify);
    assert!(found.contains("\nundecided; it may be Runge-Kutta 4, "), "{found}");
    assert!(found.contains("write more digits"), "{found}");
}

/// Statements that contradict a file or an option.
#[test]
fn mistakes_are_told_with_what_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let all = |f, i, x, y| format!("{f},{i},{x},{y}");
    let file = write(folder.path(), &[], "frame,node,x,y", all);
    let text = fs::read_to_string(&file).unwrap();
    let of_pin = text.lines().filter(|line| line.starts_with('f') || line.contains(",0,"));
    let pin = folder.path().join("pin.csv");
    fs::write(&pin, of_pin.collect::<Vec<_>>().join("\n")).unwrap();
    let point = folder.path().join("point.csv");
    fs::write(&point, "t,x,y\n0,-400,200\n1,-400,199\n2,-400,196\n").unwrap();
    let [pin, point] = [pin, point].map(|path| path.to_str().unwrap().to_owned());
    let fit = ["fit", "rope.ron", "--panel", "1", "--data", &file, "--vary"];
    let identify = ["identify", &*file, "rope.ron", "--scale"];
    let cases: [(Vec<&str>, &str); 6] = [
        (vec!["identify", &pin, "rope.ron"], "node 0 is pinned and does not move"),
        (
            vec!["identify", &point, "rope.ron", "--node-order", "reversed"],
            "the file describes one point and has no node numbers",
        ),
        (
            [&fit[..], &["drag=-1"]].concat(),
            "--vary drag=-1: a fit cannot begin outside the range of `drag`, a number of at least 0",
        ),
        ([&identify[..], &["nan"]].concat(), "a factor with a magnitude from 1e-12 to 1e12"),
        ([&identify[..], &["0"]].concat(), "a factor of 0 would move all positions to one point"),
        ([&identify[..], &["two"]].concat(), "expected a number such as 0.01 or 100"),
    ];
    for (arguments, wanted) in cases {
        let text = printed(&arguments);
        assert!(text.contains(wanted), "{arguments:?}: {text}");
    }
}
