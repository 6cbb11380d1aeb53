//! Times in another unit than the scene's, and column names of other programs: messages of `check`,
//! `diff`, `fit` and `identify`.

use crate::{catena, cli::folder};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// A rope in metres, with 30 frames per second.
const SCENE: &str = "Scene(base: (frames: 12, size: (200, 150), frame_time: 0.03333333333333333, \
    gravity: (0, -9.81), substeps: 16, drag: 0.05, integrator: SemiImplicitEuler, rope: (start: \
    (0, 0), end: (-1, 0), nodes: 4, stiffness: 50, mass: 0.1, pins: [0])))";

/// Text that a command prints on both streams.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let run = catena().current_dir(folder).args(arguments).output().unwrap();
    let [out, err] =
        [run.stdout, run.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    out + &err
}

/// Writes the motion of the scene with other times and other column names.
fn write(folder: &Path, names: &str, time: impl Fn(f64) -> f64) {
    let trace = catena().current_dir(folder).args(["trace", "small.ron"]).output().unwrap();
    fs::write(folder.join("trace.csv"), &trace.stdout).unwrap();
    let trace = String::from_utf8(trace.stdout).unwrap();
    let mut text = format!("{names}\n");
    for line in trace.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let frame: f64 = cells[0].parse().unwrap();
        writeln!(text, "{},{},{},{}", time(frame), cells[4], cells[5], cells[6]).unwrap();
    }
    fs::write(folder.join("mine.csv"), text).unwrap();
}

/// Times of a file, and a part of each command's message. `fit` and `identify` then succeed with
/// the option of the last entry.
struct Unit {
    time: fn(f64) -> f64,
    check: &'static str,
    fit: &'static str,
    diff: &'static str,
    option: &'static str,
}

const UNITS: [Unit; 3] = [
    Unit {
        time: |frame| frame / 60.0,
        check: "its times are 0.01667 apart, but frames are 0.03333 apart: if each time is a frame, add `columns: \
                \"-,node,x,y\"`",
        fit: "the data look as if each of their times were one frame",
        diff: "the times of mine.csv are 0.5 times as far apart, but rows are matched in order",
        option: "--columns=-,node,x,y",
    },
    Unit {
        time: |frame| frame * 1000.0 / 30.0,
        check: "the times look like milliseconds: add `columns: \"t [ms],node,x,y\"`",
        fit: "the times look like milliseconds: add `--columns 't [ms],node,x,y'`",
        diff: "the times look like milliseconds: add --columns 't [ms],node,x,y'",
        option: "--columns=t [ms],node,x,y",
    },
    Unit {
        time: |frame| frame,
        check: "the times look like frame numbers: add `columns: \"frame,node,x,y\"`",
        fit: "the times look like frame numbers: add `--columns frame,node,x,y`",
        diff: "the times of mine.csv are 30 times as far apart",
        option: "--columns=frame,node,x,y",
    },
];

#[test]
fn times_in_another_unit_are_noticed_by_all_commands() {
    let folder = folder(SCENE);
    let folder = folder.path();
    let set = "reference=(file: \"mine.csv\")";
    let search = ["identify", "mine.csv", "small.ron", "--substeps", "16", "--only"];
    let fit = ["fit", "small.ron", "--data", "mine.csv", "--vary", "drag=0.04"];
    for Unit { time, check, fit: of_fit, diff, option } in UNITS {
        write(folder, "t,id,screen_x,screen_y", time);
        let text = printed(folder, &["check", "small.ron", "--set", set]);
        assert!(text.contains(check), "{text}");
        let text = printed(folder, &fit);
        assert!(text.contains(of_fit), "{text}");
        let text = printed(folder, &search);
        let named = option.split('=').nth(1).unwrap();
        assert!(!text.contains("next best") && text.contains(named), "{text}");
        let text = printed(folder, &["diff", "trace.csv", "mine.csv", "--tolerance", "1e-9"]);
        assert!(text.contains(diff), "{text}");
        let text = printed(folder, &[&search[..], &[option]].concat());
        assert!(text.contains("\nSemi-implicit Euler, 16 substeps\n"), "{text}");
        let run = catena().current_dir(folder).args(fit).arg(option).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    }
    // Correct times of every second frame are no mistake.
    write(folder, "t,id,screen_x,screen_y", |frame| frame / 30.0);
    let text = printed(folder, &["check", "small.ron", "--set", set]);
    assert!(text.contains("times match frames") && !text.contains("add `columns"), "{text}");
}

#[test]
fn columns_of_the_second_file_have_names_or_a_list() {
    let folder = folder(SCENE);
    let folder = folder.path();
    let diff = ["diff", "trace.csv", "mine.csv", "--tolerance", "1e-9"];
    // Column names, the list that explains them, and whether the names are understood by
    // themselves.
    let cases = [
        ("frame,node,screen_x,screen_y", "frame,node,x,y", true),
        ("frame,node,x_px,y_px", "frame,node,x,y", true),
        ("frame,id,tip.x,tip.y", "frame,node,x,y", true),
        ("bild,knoten,links,oben", "bild,knoten,x=links,y=oben", false),
        ("a,b,c,d", "frame,node,x,y", false),
    ];
    for (names, list, is_known) in cases {
        write(folder, names, |frame| frame);
        let code = |more: &[&str]| {
            let run = catena().current_dir(folder).args(diff).args(more).output().unwrap();
            run.status.code()
        };
        let list = list.replace("bild,knoten", "frame=bild,node=knoten");
        assert_eq!(code(&["--columns", &list]), Some(0), "{names}");
        assert_eq!(code(&[]) == Some(0), is_known, "{names}");
    }
    let text = printed(folder, &["diff", "trace.csv", "mine.csv", "--columns", "frame,what,x,y"]);
    assert!(text.contains("`what` is not a column role"), "{text}");
}
