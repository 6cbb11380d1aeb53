//! A student's own numbers on the command line: selection and counting of panels, messages about
//! unexpected files or names, and advice that must not be given.

use crate::{catena, cli::folder, repository};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Two panels; the first one diverges.
const SCENE: &str = "Scene(base: (frames: 60, size: (200, 150), gravity: (0, -1), frame_time: 1.0, \
    substeps: 16, rest: (limit: 20), rope: (start: (0, 200), end: (-400, 200), nodes: 4, stiffness: \
    100)), panels: [(label: \"-s 16, Euler\", with: (integrator: ExplicitEuler)), (label: \
    \"-s 16, new Euler\", with: (integrator: SemiImplicitEuler, drag: 0.02))])";

/// Text that a command prints on both streams.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let run = catena().current_dir(folder).args(arguments).output().unwrap();
    let [out, err] =
        [run.stdout, run.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    out + &err
}

/// Rows of the second panel, in a format that a program may write.
fn rows(folder: &Path, set: &[&str], row: impl Fn(u64, u64, f64, f64) -> String) -> Vec<String> {
    let set = set.iter().flat_map(|it| ["--set", it]);
    let run = catena()
        .current_dir(folder)
        .args(["trace", "small.ron", "--panel", "2"])
        .args(set)
        .output()
        .unwrap();
    let text = String::from_utf8(run.stdout).unwrap();
    let cells = text.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let number = |cell: &str| cell.parse::<f64>().unwrap();
    cells
        .map(|it| row(number(it[0]) as u64, number(it[4]) as u64, number(it[5]), number(it[6])))
        .collect()
}

/// Saves the standard output of a command to a file.
fn save(folder: &Path, name: &str, arguments: &[&str]) {
    let run = catena().current_dir(folder).args(arguments).output().unwrap();
    fs::write(folder.join(name), run.stdout).unwrap();
}

/// Writes a header of column names, and rows.
fn write(folder: &Path, names: &str, rows: &[String]) {
    let mut text = format!("{names}\n");
    rows.iter().for_each(|row| writeln!(text, "{row}").unwrap());
    fs::write(folder.join("mine.csv"), text).unwrap();
}

#[test]
fn panels_are_counted_from_1_and_labels_may_begin_with_a_dash() {
    let folder = folder(SCENE);
    let folder = folder.path();
    for command in
        [&["check", "small.ron"][..], &["stability", "small.ron"], &["statics", "small.ron"]]
    {
        let text = printed(folder, command);
        assert!(text.contains("panel 1: -s 16, Euler"), "{command:?}: {text}");
        assert!(text.contains("panel 2: -s 16, new Euler") && !text.contains("panel 0"), "{text}");
    }
    let one = printed(folder, &["stability", "small.ron", "--panel", "-s 16, new Euler"]);
    assert!(one.contains("panel 2: -s 16, new Euler") && !one.contains("panel 1"), "{one}");
    let trace =
        |panel: &str| printed(folder, &["trace", "small.ron", "--frames", "2", "--panel", panel]);
    assert_eq!(trace("-s 16, new Euler"), trace("2"));
    assert!(trace("2").lines().nth(1).unwrap().starts_with("0,0.0,1,0,0,"));
    write(folder, "frame,node,x,y", &rows(folder, &[], |f, i, x, y| format!("{f},{i},{x},{y}")));
    let label = ["--panel", "-s 16, new Euler"];
    let fit = ["fit", "small.ron", "--data", "mine.csv", "--vary", "drag=0.03", label[0], label[1]];
    assert!(printed(folder, &fit).contains("drag  0.02 "));
    let export = ["export", "small.ron", "--frames", "2", "-o", "a.glb", "-q", label[0], label[1]];
    assert_eq!(catena().current_dir(folder).args(export).output().unwrap().status.code(), Some(0));
    // A part of one label is enough, in upper or lower case.
    assert_eq!(trace("NEW"), trace("2"));
    let several = printed(folder, &["stability", "small.ron", "--panel", "Euler"]);
    assert!(
        several.contains("several panels have “Euler”") && several.contains("2 “-s"),
        "{several}"
    );
    let none = printed(folder, &["trace", "small.ron", "--panel", "--frames"]);
    assert!(none.contains("the panels are 1 “-s 16, Euler”, 2 “-s 16, new Euler”"), "{none}");
    // A list of columns may begin with a skipped column.
    write(
        folder,
        "day,frame,node,u,v",
        &rows(folder, &[], |f, i, x, y| format!("7,{f},{i},{x},{y}")),
    );
    let fit = [&fit[..], &["--columns", "-,frame,node,x,y"]].concat();
    assert!(printed(folder, &fit).contains("drag  0.02 "));
}

#[test]
fn a_start_without_a_run_is_told_with_panel_frame_and_remedies() {
    let folder = folder(SCENE);
    let folder = folder.path();
    write(folder, "frame,node,x,y", &rows(folder, &[], |f, i, x, y| format!("{f},{i},{x},{y}")));
    let text = printed(folder, &["fit", "small.ron", "--data", "mine.csv", "--vary", "drag"]);
    let parts = [
        "panel 1 “-s 16, Euler” diverges in frame ",
        " with drag = 0, and the data continue to frame 59; ",
        "; or begin with another value: --vary drag=START",
        "compare the frames before: --frames ",
        "fit another panel: --panel N, of 1 “-s 16, Euler”, 2 “-s 16, new Euler”",
    ];
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
    let none = printed(
        folder,
        &["fit", "small.ron", "--data", "mine.csv", "--vary", "drag", "--body", "3"],
    );
    assert!(
        none.contains("no body 3 in a panel 1: panels are counted from 1, bodies from 0"),
        "{none}"
    );
}

#[test]
fn a_model_that_does_not_fit_gets_no_interval_and_is_not_proposed() {
    let folder = folder(SCENE);
    let folder = folder.path();
    let row = |f: u64, i: u64, x: f64, y: f64| format!("{f},{i},{x},{y}");
    write(folder, "frame,node,x,y", &rows(folder, &["gravity=(0, -1.1)"], row));
    let fit = ["fit", "small.ron", "--data", "mine.csv", "--vary", "drag", "--panel", "2"];
    let text = printed(folder, &fit);
    assert!(
        text.contains("the model does not fit the data") && text.contains("times the noise"),
        "{text}"
    );
    assert!(!text.contains("use it") && !text.contains("95 %"), "{text}");
    assert!(text.contains("try: catena identify mine.csv small.ron"), "{text}");
    let json = printed(folder, &[&fit[..], &["--json", "-"]].concat());
    let json: serde_json::Value =
        serde_json::from_str(&json[json.find('{').unwrap()..json.rfind('}').unwrap() + 1]).unwrap();
    assert_eq!(json["fits"], false);
    assert!(json["parameters"][0]["interval_95"].is_null());
    // A fit of the differing field explains the data.
    let right =
        ["fit", "small.ron", "--data", "mine.csv", "--vary", "gravity=(0, {-1})", "--panel", "2"];
    let text = printed(folder, &right);
    let found =
        ["-1.1", "-1.09999999"].map(|it| format!("use these values: --set 'gravity=(0, {it}"));
    assert!(found.iter().any(|it| text.contains(it)), "{text}");
}

#[test]
fn values_that_the_data_do_not_determine_are_not_proposed() {
    let folder = folder(SCENE);
    let folder = folder.path();
    let row = |f: u64, i: u64, x: f64, y: f64| format!("{f},{i},{x},{y}");
    write(folder, "frame,node,x,y", &rows(folder, &["drag=0.05"], row));
    let fit = |vary: &str| {
        let fit = ["fit", "small.ron", "--data", "mine.csv", "--panel", "2", "--vary", vary];
        printed(folder, &fit)
    };
    let text = fit("drag,rope.stiffness,rope.mass");
    assert!(text.contains("cannot distinguish") && text.contains("fix one of them"), "{text}");
    assert!(text.contains("not determined") && !text.contains("use it"), "{text}");
    assert!(fit("drag,rope.stiffness").contains("use these values: --set drag=0.0"));
}

#[test]
fn a_first_frame_that_is_missing_is_told() {
    let folder = folder(SCENE);
    let folder = folder.path();
    let row = |f: u64, i: u64, x: f64, y: f64| format!("{},{i},{x},{y}", f as i64 - 1);
    let all = rows(folder, &["drag=0.05"], row);
    write(folder, "frame,node,x,y", &all[4..]);
    let fit = ["fit", "small.ron", "--data", "mine.csv", "--vary", "drag", "--panel", "2"];
    let text = printed(folder, &fit);
    assert!(
        text.contains("as if their first frame were frame 1")
            && text.contains("add --first-frame 1"),
        "{text}"
    );
    let text = printed(folder, &[&fit[..], &["--first-frame", "1"]].concat());
    assert!(
        text.contains("use these values: --set drag=0.05")
            || text.contains("use these values: --set drag=0.04999"),
        "{text}"
    );
}

#[test]
fn names_of_courses_and_files_in_other_places_lead_to_the_option() {
    let folder = folder(SCENE);
    let folder = folder.path();
    write(folder, "frame,node,x,y", &rows(folder, &[], |f, i, x, y| format!("{f},{i},{x},{y}")));
    let vary = |name: &str| {
        printed(folder, &["fit", "small.ron", "--panel", "2", "--data", "mine.csv", "--vary", name])
    };
    for (name, expected) in [
        ("k", "write --vary rope.stiffness"),
        ("ks", "write --vary rope.stiffness"),
        ("m", "write --vary rope.mass"),
        ("g", "write --vary 'gravity=(0, {-1})'"),
        ("l", "write --vary rope.length"),
        (
            "c",
            "write --vary drag for air resistance on every node, or --vary rope.damping for friction inside springs",
        ),
        ("dt", "dt = frame_time / substeps"),
        ("gravity", "--vary 'gravity=(0, {-1})' varies the number in braces"),
    ] {
        let text = vary(name);
        assert!(text.contains(expected), "{name}: {text}");
    }
    for (words, expected) in [
        (
            &["fit", "small.ron", "mine.csv", "--vary", "drag"][..],
            "catena fit small.ron --data mine.csv --vary drag",
        ),
        (
            &["fit", "mine.csv", "small.ron", "--vary", "drag"],
            "catena fit small.ron --data mine.csv --vary drag",
        ),
        (
            &["trace", "small.ron", "mine.csv"],
            "catena trace small.ron --set 'reference=(file: \"mine.csv\")'",
        ),
        (&["diff", "small.ron", "mine.csv"], "catena trace small.ron | catena diff - mine.csv"),
        (
            &["identify", "small.ron", "mine.csv"],
            "the numbers come first: catena identify mine.csv small.ron",
        ),
    ] {
        let text = printed(folder, words);
        assert!(text.contains(expected), "{words:?}: {text}");
    }
}

#[test]
fn pixels_are_told_and_read_alike_by_all_commands() {
    let folder = folder(SCENE);
    let folder = folder.path();
    let row =
        |f: u64, i: u64, x: f64, y: f64| format!("{f},{i},{},{}", 700.0 + 1.5 * x, 500.0 - 1.5 * y);
    write(folder, "frame,node,x,y", &rows(folder, &["drag=0.03"], row));
    let fit = ["fit", "small.ron", "--data", "mine.csv", "--vary", "drag", "--panel", "2"];
    let text = printed(folder, &fit);
    let options = ["--y", "down", "--scale", "0.6666667", "--translate=-466.6667,333.3333"];
    assert!(text.contains("another origin, as pixels do: add `--y down`, `--scale 0.66"), "{text}");
    let text = printed(folder, &[&fit[..], &options].concat());
    assert!(text.contains("drag            0.03") || text.contains("drag  0.03"), "{text}");
    let check = ["check", "small.ron", "--set", "reference=(file: \"mine.csv\")"];
    let text = printed(folder, &check);
    assert!(
        text.contains("add `y: Down`, `scale: 0.66") && text.contains("`translate: (-466.6"),
        "{text}"
    );
    save(folder, "trace.csv", &["trace", "small.ron", "--panel", "2", "--set", "drag=0.03"]);
    let text = printed(folder, &["diff", "trace.csv", "mine.csv"]);
    assert!(text.contains("another origin") && text.contains("--y down --scale 0.66"), "{text}");
    // A diverging motion is not a motion in another unit, even if a scale shrinks it to a point.
    let rows = fs::read_to_string(folder.join("trace.csv")).unwrap();
    let exploded = |row: &str| {
        let mut cells: Vec<String> = row.split(',').map(str::to_owned).collect();
        let Ok(frame) = cells[0].parse::<i32>() else { return row.to_owned() };
        for cell in &mut cells[5..7] {
            *cell =
                format!("{:e}", cell.parse::<f64>().unwrap() * libm::exp2(f64::from(4 * frame)));
        }
        cells.join(",")
    };
    let lost: Vec<String> = rows.lines().map(exploded).collect();
    fs::write(folder.join("lost.csv"), lost.join("\n")).unwrap();
    let text = printed(folder, &["diff", "trace.csv", "lost.csv"]);
    assert!(text.contains("rows compared") && !text.contains("--scale"), "{text}");
    let diff = [&["diff", "trace.csv", "mine.csv", "--tolerance", "1e-3"][..], &options].concat();
    assert_eq!(catena().current_dir(folder).args(diff).output().unwrap().status.code(), Some(0));
    let identify = ["identify", "mine.csv", "small.ron", "--set", "drag=0.03", "--only"];
    let text = printed(folder, &[&identify[..], &options].concat());
    assert!(text.contains("Semi-implicit Euler") || text.contains("undecided"), "{text}");
}

#[test]
fn nodes_and_frames_without_data_are_told_by_every_command() {
    let folder = folder(SCENE);
    let folder = folder.path();
    let all = rows(folder, &[], |f, i, x, y| format!("{f},{i},{x},{y}"));
    let short: Vec<String> =
        all.iter().filter(|row| row.split(',').nth(1) != Some("3")).cloned().collect();
    write(folder, "frame,node,x,y", &short[..90]);
    let expected = "3 of the scene's 4 nodes: no data for node 3";
    let set = "reference=(file: \"mine.csv\")";
    save(folder, "trace.csv", &["trace", "small.ron", "--panel", "2"]);
    for (words, frames) in [
        (&["check", "small.ron", "--set", set][..], true),
        (&["fit", "small.ron", "--data", "mine.csv", "--vary", "drag", "--panel", "2"], true),
        (&["identify", "mine.csv", "small.ron", "--only", "--substeps", "16"], false),
    ] {
        let text = printed(folder, words);
        assert!(text.contains(expected), "{words:?}: {text}");
        assert!(
            !frames || text.contains("the data end at frame 29, but the scene ends at 59"),
            "{text}"
        );
    }
    let text = printed(folder, &["diff", "trace.csv", "mine.csv"]);
    assert!(text.contains("node 3: only in trace.csv, not in mine.csv"), "{text}");
    assert!(text.contains("only in trace.csv: "), "{text}");
}

#[test]
fn sentences_of_identify_say_what_its_numbers_mean() {
    let lecture = repository("tests/lecture");
    let run = |arguments: &[&str]| printed(&lecture, &[&["identify"][..], arguments].concat());
    // A body of the scene as it is gets the remarks about its options, too.
    let own = [
        "verlet_blend.csv",
        "rope.ron",
        "--set",
        "integrator=ForceVerlet(damping: 0.01, damping_of: Step)",
        "--set",
        "substeps=16",
        "--only",
    ];
    let text = run(&own);
    for part in [
        "remark         damping_of: Step, as programs print it",
        "remark         semi-implicit Euler has the same positions with v = (1 - d) (v + a dt), so \
         `v *= 1 - d` after the force; here d = 0.01",
        "the printed digits explain",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Absolute distances of a diverged motion are meaningless.
    let text = run(&["explicit.csv", "rope.ron", "--only", "--substeps", "64"]);
    assert!(text.contains("the file diverges: from frame 13 on"), "{text}");
    assert!(text.contains("largest        0: every number agrees exactly"), "{text}");
    assert!(text.contains(" times the largest coordinate: ") && !text.contains("e45"), "{text}");
    // If no candidate matches, the next question is whether other values of the scene do. A fit
    // that does not explain the file is not proposed.
    let text = run(&["heavy_tip.csv", "rope.ron", "--only", "--substeps", "64"]);
    let expected =
        "fits of the length of the rope, stiffness, drag, damping, mass and gravity with";
    assert!(text.contains(expected) && !text.contains("catena fit"), "{text}");
}

#[test]
fn another_reading_comes_before_what_it_makes_meaningless() {
    let folder = folder(SCENE);
    let folder = folder.path();
    let identify = ["identify", "mine.csv", "small.ron", "--only"];
    // Times of another clock: either all are within the first frame, or only one of 600 is.
    for (each, remedy) in
        [(1.0 / 60.0, "--columns=-,node,x,y"), (1e3, "--columns 't [ms],node,x,y'")]
    {
        let row = |f: u64, i: u64, x: f64, y: f64| format!("{},{i},{x:.4},{y:.4}", each * f as f64);
        write(folder, "time,node,x,y", &rows(folder, &[], row));
        let text = printed(folder, &identify);
        let first = text.lines().next().unwrap();
        assert!(first.starts_with("error: mine.csv: ") && first.contains(remedy), "{text}");
        assert!(!first.contains("read 60 times"), "{text}");
    }
    // Metres: the factor is listed before the candidates, and no candidate is farther away than the
    // rope is long.
    let row = |f: u64, i: u64, x: f64, y: f64| format!("{f},{i},{:.6},{:.6}", x / 100.0, y / 100.0);
    write(folder, "frame,node,x,y", &rows(folder, &[], row));
    let text = printed(folder, &identify);
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
    assert!(at("none:") < at("  try ") && at("  try ") < at("  nearest "), "{text}");
    for line in text.lines().filter(|line| line.contains("substeps; it deviates")) {
        let distance = line.trim_start().trim_start_matches("nearest").trim_start();
        let distance: f64 = distance.split(':').next().unwrap().parse().unwrap();
        assert!(distance <= 400.0, "{text}");
    }
}
