//! `catena diff` of files of numbers.

use crate::catena;
use catena::job::{NumberComparison, NumberReading, diff_numbers};
use catena::scene::recorded::NumberRows;
use std::fs;

fn compare(a: &str, b: &str, tolerance: f64) -> NumberComparison {
    let read = |text: &str, name: &str| NumberRows::read(text.as_bytes(), name).expect("numbers");
    diff_numbers(&read(a, "a.csv"), &read(b, "b.csv"), tolerance)
}

const MINE: &str = "frame,node,x,y\n0,0,0,1\n0,1,2,3\n1,0,0,1\n1,1,2,3.5\n";

#[test]
fn columns_are_matched_by_name_and_rows_by_frame_and_node() {
    // Another order of columns and rows, other names, another separator.
    let theirs = "Pos Y;Frame;i;vx;Pos X\n3,5;1;1;9;2\n1;1;0;9;0\n3;0;1;9;2\n1;0;0;9;0\n";
    let found = compare(MINE, theirs, 0.0);
    assert!(found.passes(false));
    assert_eq!((found.rows, found.columns_alone), (4, [vec![], vec!["vx".to_owned()]]));
    // One row per frame.
    let wide = "frame,x0,y0,x1,y1\n0,0,1,2,3\n1,0,1,2,3.5\n";
    assert!(compare(MINE, wide, 0.0).passes(false));
}

#[test]
fn differences_have_size_and_place() {
    let theirs = "frame,node,x,y\n0,0,0,1\n0,1,2,3.25\n1,0,0,1\n1,1,6,6.5\n";
    let found = compare(MINE, theirs, 0.5);
    assert!(!found.passes(false));
    let [(x, of_x), (y, of_y)] = &found.columns[..] else { panic!("two columns") };
    assert_eq!((&**x, &**y), ("x", "y"));
    assert_eq!((of_x.largest, of_x.rms, of_x.count), (4.0, 2.0, 4));
    assert_eq!(of_y.largest, 3.0);
    let place = of_y.place.as_ref().expect("a place");
    assert_eq!((place.at, place.node, place.values), (1, Some(1), [Some(3.5), Some(6.5)]));
    assert_eq!(place.lines, [5, 5]);
    // 0.25 in frame 0 is within the tolerance.
    let first = found.first_beyond.expect("a difference");
    assert_eq!((first.at, &*first.column), (1, "x"));
    let per_frame: Vec<_> = found.frames.iter().map(|(at, it)| (*at, it.largest)).collect();
    assert_eq!(per_frame, [(0, 0.25), (1, 4.0)]);
    assert!(compare(MINE, theirs, 4.0).passes(false));
}

#[test]
fn missing_rows_and_numbers_are_differences() {
    let short = "frame,node,x,y\n0,0,0,1\n0,1,2,3\n";
    let found = compare(MINE, short, 1e9);
    assert_eq!(found.alone, [Some((2, [1, 1])), None]);
    assert!(!found.passes(true));
    let found = compare(short, MINE, 1e9);
    assert_eq!(found.alone, [None, Some((2, [1, 1]))]);
    assert!(!found.passes(false) && found.passes(true));
    let hole = "frame,node,x,y\n0,0,0,1\n0,1,nan,3\n1,0,0,1\n1,1,2,3.5\n";
    assert!(!compare(MINE, hole, 1e9).passes(false));
    assert!(compare(hole, hole, 0.0).passes(false));
    // If a node lacks a column for one axis, this number is missing.
    for wide in ["frame,x0,y0,x1\n0,1,2,3\n", "frame,x0,x1\n0,1,3\n"] {
        let found = compare(wide, wide, 0.0);
        assert!(found.rows == 2 && found.passes(false), "{wide}");
        let other = wide.replace(",3", ",4");
        assert!(!compare(wide, &other, 0.5).passes(false), "the last column is compared: {wide}");
    }
    // If frames are counted from 1, each frame is compared with another one.
    let later = "frame,node,x,y\n1,0,0,1\n1,1,2,3\n2,0,0,1\n2,1,2,3.5\n";
    let found = compare(MINE, later, 0.0);
    assert_eq!((found.starts, found.rows), ([0, 1], 2));
    assert!(!found.passes(false));
}

#[test]
fn numbers_of_any_size_are_compared() {
    let infinite = f64::INFINITY;
    for (a, b, expected) in [
        ("1e300", "2e300", 1e300),
        ("-1e300", "5e250", 1e300),
        ("3e150", "3e150", 0.0),
        ("3e150", "inf", infinite),
        ("inf", "inf", 0.0),
        ("inf", "-inf", infinite),
        ("-1.#INF", "-inf", 0.0),
        ("inf", "nan", infinite),
        ("inf", "", infinite),
        ("nan", "", 0.0),
    ] {
        let [a, b] = [a, b].map(|x| format!("frame,node,x,y\n0,0,0,1\n0,1,{x},3\n"));
        let found = compare(&a, &b, 0.0);
        let largest = found.columns[0].1.largest;
        let is_near = largest == expected || (largest / expected - 1.0).abs() < 1e-12;
        assert!(is_near, "{a} {b}: {largest}");
        assert_eq!(found.passes(false), expected == 0.0, "{a} {b}");
    }
}

#[test]
fn the_command_has_the_exit_codes_of_pictures() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.csv"), MINE).expect("a file");
    fs::write(path("b.csv"), MINE.replace("3.5", "3.5000001")).expect("a file");
    let run = |args: &[&str]| {
        let mut command = catena();
        command.current_dir(folder.path()).arg("diff").args(args);
        command
    };
    run(&["a.csv", "a.csv"]).assert().code(0);
    let different = run(&["a.csv", "b.csv"]).assert().code(1);
    let stdout = String::from_utf8_lossy(&different.get_output().stdout).into_owned();
    assert!(stdout.contains("first frame above 0: 1, y of node 1: 3.5 and 3.5000001"), "{stdout}");
    run(&["a.csv", "b.csv", "--tolerance", "1e-6"]).assert().code(0);
    run(&["a.csv", "-"]).write_stdin(MINE).assert().code(0);
    run(&["-", "-"]).write_stdin(MINE).assert().code(2);
    run(&["a.csv", "b.csv", "--max-channel", "3"]).assert().code(2);
    run(&["a.csv", "a.png"]).assert().code(2);
    run(&["a.csv", "none.csv"]).assert().code(5);
    run(&["a.csv", "b.csv", "--json", "a.csv"]).assert().code(2);
    let json = run(&["a.csv", "b.csv", "--json", "-"]).assert().code(1);
    let text = String::from_utf8_lossy(&json.get_output().stdout).into_owned();
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["first_beyond"]["node"], 1);
}

#[test]
fn another_reading_that_fits_far_better_is_proposed() {
    let rows = |row: fn(u64, f64, f64) -> String| {
        let place = |frame: u64| {
            let t = frame as f64;
            (3.0 + 0.1 * t, 2.0 - 0.05 * t * t)
        };
        let rows = (0..9).map(|frame| row(frame, place(frame).0, place(frame).1));
        format!("frame,x,y\n{}", rows.collect::<Vec<_>>().join("\n"))
    };
    let mine = rows(|frame, x, y| format!("{frame},{x},{y}"));
    let none = NumberReading::default();
    let readings: [(String, &str, NumberReading); 4] = [
        (
            rows(|frame, x, y| format!("{frame},{x},{}", -y)),
            "add --y down",
            NumberReading { is_y_down: true, ..none },
        ),
        (
            rows(|frame, x, y| format!("{},{x},{y}", frame + 1)),
            "add --first-frame 0",
            NumberReading { first_frame: Some(0), ..none },
        ),
        (
            rows(|frame, x, y| format!("{},{x},{y}", 10 * frame)),
            "add --steps 10",
            NumberReading { steps: 10, ..none },
        ),
        (
            rows(|frame, x, y| format!("{frame},{},{}", 100.0 * x, 100.0 * y)),
            "add --scale 0.01",
            NumberReading { scale: 0.01, ..none },
        ),
    ];
    assert_eq!(compare(&mine, &mine, 0.0).hint, None);
    for (theirs, expected, reading) in readings {
        let found = compare(&mine, &theirs, 1e-9);
        assert!(found.hint.as_ref().is_some_and(|hint| hint.ends_with(expected)), "{found:?}");
        let read = |text: &str| NumberRows::read(text.as_bytes(), "a.csv").expect("numbers");
        let found = diff_numbers(&read(&mine), &reading.of(read(&theirs)), 1e-9);
        assert!(found.passes(false) && found.hint.is_none(), "{expected}: {found:?}");
    }
}

/// The motion of two nodes that hang at the same height, in frames.
fn hanging(first: u64, node: u64, y: f64, pull: f64) -> String {
    let mut text = "frame,node,x,y\n".to_owned();
    for frame in 0..9 {
        let t = frame as f64;
        let (at, fall) = (first + frame, pull * t * t);
        for (index, x) in [0.0, 3.0 - 0.02 * t * t].into_iter().enumerate() {
            let height = if index == 0 { y } else { y - fall };
            text += &format!("{at},{},{x},{height}\n", node + index as u64);
        }
    }
    text
}

#[test]
fn the_start_tells_readings_of_another_motion_all_at_once() {
    let mine = hanging(0, 0, 2.0, 0.05);
    for (theirs, add) in [
        (hanging(0, 0, -2.0, -0.09), Some("add --y down")),
        (hanging(1, 0, -2.0, -0.09), Some("add --y down --first-frame 0")),
        (hanging(1, 1, -2.0, -0.09), Some("add --y down --first-frame 0 --first-node 0")),
        (hanging(0, 1, 2.0, 0.09), Some("add --first-node 0")),
        (hanging(0, 0, 2.0, 0.09), None),
    ] {
        let found = compare(&mine, &theirs, 1e-9);
        let hint = found.hint.as_deref();
        assert!(
            add.map_or(hint.is_none(), |add| hint.is_some_and(|it| it.ends_with(add))),
            "{hint:?}"
        );
    }
    // The proposed option has the promised effect.
    let read = |text: &str| NumberRows::read(text.as_bytes(), "a.csv").expect("numbers");
    let reading = NumberReading {
        is_y_down: true,
        first_frame: Some(0),
        first_node: Some(0),
        ..Default::default()
    };
    let theirs = reading.of(read(&hanging(1, 1, -2.0, -0.05)));
    assert!(diff_numbers(&read(&mine), &theirs, 1e-12).passes(false));
}

#[test]
fn times_have_the_unit_of_their_column() {
    let with = |name: &str, each: f64| {
        let rows = (0..5).map(|row| format!("{},{}\n", each * f64::from(row), row * row));
        format!("{name},x\n{}", rows.collect::<String>())
    };
    let mine = with("time", 1.0);
    for (name, each) in [("t_ms", 1e3), ("t [ms]", 1e3), ("time_us", 1e6)] {
        let found = compare(&mine, &with(name, each), 0.0);
        assert!(found.passes(false) && found.hint.is_none(), "{name}: {found:?}");
    }
    // A name without a unit: the proposed factor makes both files equal.
    let theirs = with("time", 1e3);
    let hint = compare(&mine, &theirs, 0.0).hint.expect("a proposal");
    let list = hint.split('\'').nth(1).expect("a list");
    let read = |text: &str, list| NumberRows::read_with(text.as_bytes(), "b.csv", list);
    let [a, b] = [read(&mine, None), read(&theirs, Some(list))].map(|it| it.expect("numbers"));
    assert!(diff_numbers(&a, &b, 0.0).passes(false), "{list}");
    let hint = compare(&theirs, &mine, 0.0).hint.expect("a proposal");
    assert!(
        hint.contains("times of a.csv look like milliseconds: pass this file second"),
        "{hint}"
    );
}

#[test]
fn a_file_that_is_not_there_is_answered_with_a_similar_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = "Scene(base: (frames: 3, rope: (nodes: 2)))";
    for (name, text) in [("mine.csv", MINE), ("mine.txt", MINE), ("s.ron", scene)] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    for arguments in [
        "diff mine.csv mnie.csv",
        "identify mnie.csv s.ron",
        "fit s.ron --data mnie.csv --vary drag",
        "check s.ron --set reference=(file:\"mnie.csv\")",
    ] {
        let run = catena().current_dir(&folder).args(arguments.split(' ')).output().expect("a run");
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert!(
            stderr.contains("did you mean") && stderr.contains("mine.csv?"),
            "{arguments}: {stderr}"
        );
    }
}
