//! Motion from data: pins, bones and winches that follow the rows of a file, and guides on bones.

use catena::scene::{Scene, SceneError, SceneText, load};
use catena::sim::{Outcome, Simulation};
use std::fs;

/// Reads a scene with this base, in a folder with a file of rows.
fn with_rows(rows: &str, base: &str) -> Result<Scene, SceneError> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("rows.csv"), rows).unwrap();
    let path = folder.path().join("scene.ron");
    fs::write(&path, format!("Scene(base: (frame_time: 0.25, {base}))")).unwrap();
    load(&SceneText::read(&path).unwrap(), &[])
}

/// States of the first body after each frame.
fn states(scene: &Scene, frames: usize) -> Vec<Vec<f64>> {
    let mut run = Simulation::new(scene.panels[0].bodies[0].setup.clone());
    let mut after = || {
        run.advance_frame();
        assert_eq!(run.outcome(), Outcome::Fine);
        run.state().x.clone()
    };
    (0..frames).map(|_| after()).collect()
}

fn pinned(options: &str) -> String {
    format!(
        "rope: (nodes: 3, end: (-40, 200)), substeps: 64,
         anchors: [(node: First, curve: Series(file: \"rows.csv\"{options}))]"
    )
}

#[test]
fn a_pin_follows_rows_however_they_are_written() {
    // Position of the pin at 0.25 s, 0.5 s and so on: linear interpolation, then the last row.
    let expected = [[0.5, 201.0], [1.0, 202.0], [1.5, 203.0], [2.0, 204.0], [0.0, 204.0]];
    for (rows, options) in [
        ("t,x,y\n0,0,200\n1,2,204\n1.25,0,204\n", ""),
        ("0 0 200\n1 2 204\n1.25 0 204\n", ""),
        ("t [ms],x [m],y [m]\n0,0,200\n1000,2,204\n1250,0,204\n", ""),
        ("t,x,y,y\n0,0,200,0\n1,2,204,0\n1.25,0,204,0\n", ", columns: [\"x\", \"3\"]"),
        ("# by hand\nx [m];y [m];time [s]\n0;200;0\n2;204;1,0\n0;204;1,25\n", ""),
        (
            "n\tms\theave\tsurge\n7\t0\t200\t0\n7\t1\t204\t2\n7\t1.25\t204\t0\n",
            ", time: \"ms\", columns: [\"surge\", \"3\"]",
        ),
        ("t,a,b\n-1,0,0\n0,-1,-2\n0.25,0,-2\n", ", scale: -2, shift: (0, 200), delay: 1"),
    ] {
        let scene = with_rows(rows, &pinned(options)).unwrap();
        for (state, [x, y]) in states(&scene, 5).iter().zip(expected) {
            assert!(
                (state[0] - x).abs() < 1e-12 && (state[3] - y).abs() < 1e-12,
                "{rows}: {state:?}"
            );
        }
    }
    // A smooth curve passes through the rows, but not along the lines between them.
    let rows = "0,0,200\n0.5,1,202\n1,2,200\n2,0,204\n";
    let scene = with_rows(rows, &pinned(", smooth: true")).unwrap();
    let states = states(&scene, 8);
    assert!((states[1][3] - 202.0).abs() < 1e-12 && (states[3][3] - 200.0).abs() < 1e-12);
    assert!((states[5][0] - 1.0).abs() > 0.05, "{:?}", states[5]);
}

#[test]
fn winches_and_bones_follow_rows_as_they_follow_keys() {
    let rows = "t,length,x,y\n0,6,0,3\n1,4,1,3\n2,5,0,3\n";
    let winch = |length: &str| {
        format!(
            "gravity: (0, -9.81), substeps: 50, graph: (nodes: [(-0.2, -3)], springs: []),
             forces: [Route(from: First, axial: 1e4, damping: 50, length: {length},
                via: [Drum(at: (0, 3), radius: 0.2)])]"
        )
    };
    let bone = |place: &str, guide: &str| {
        format!(
            "gravity: (0, -9.81), substeps: 50, graph: (nodes: [(0, 0)], springs: []),
             rig: (bones: [(name: \"arm\", place: {place})], show: None),
             forces: [Route(from: First, axial: 1e4, damping: 50, via: [Ring({guide})])]"
        )
    };
    let keys = "[(0, (0, 3)), (1, (1, 3)), (2, (0, 3))]";
    let places = "Series(file: \"rows.csv\", columns: [\"x\", \"y\"])";
    for (data, plain) in [
        (
            winch("Series(file: \"rows.csv\", column: \"length\")"),
            winch("[(0, 6), (1, 4), (2, 5)]"),
        ),
        (bone(places, "bone: \"arm\""), bone(keys, "bone: \"arm\"")),
        (bone(keys, "bone: \"arm\""), bone(keys, &format!("along: Keys(keys: {keys})"))),
        (
            bone(keys, "bone: \"arm\", offset: (0.5, -1)"),
            bone(keys, "along: Keys(keys: [(0, (0.5, 2)), (1, (1.5, 2)), (2, (0.5, 2))])"),
        ),
    ] {
        let [one, other] = [&data, &plain].map(|base| states(&with_rows(rows, base).unwrap(), 12));
        let far = |(one, other): (&Vec<f64>, &Vec<f64>)| {
            one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let off = one.iter().zip(&other).map(far).fold(0.0, f64::max);
        assert!(off < 1e-12, "{data}: {off:e}");
        assert!(one[3] != one[11], "{data}: nothing moves");
    }
}

#[test]
fn bad_rows_and_bones_are_told_with_their_place() {
    let fine = "t,x,y\n0,0,200\n1,2,204\n";
    let ring = "graph: (nodes: [(0, 0)], springs: []),
        forces: [Route(from: First, axial: 1e4, via: [Ring(bone: \"hand\")])]";
    for (rows, base, expected) in [
        ("t,x,y\n0,0,200\n1,a,204\n", pinned(""), "rows.csv:3:3: expected a number, found \"a\""),
        ("t,x,y\n0,0,200\n0,2,204\n", pinned(""), "rows.csv:3:1: this time is not later"),
        ("t,x,y\n0,0\n", pinned(""), "rows.csv:2"),
        ("", pinned(""), "rows.csv: there are no numbers"),
        ("", pinned(""), "write a row per time"),
        (fine, pinned(", columns: [\"u\", \"y\"]"), "there is no column \"u\""),
        (fine, pinned(", columns: [\"u\", \"y\"]"), "one of t, x, y"),
        (fine, pinned(", columns: [\"x\"]"), "one per axis"),
        (fine, pinned(", time: \"s\""), "there is no column \"s\""),
        ("t,a,b,c\n0,1,2,3\n", pinned(""), "3 columns besides the time, expected 2"),
        (fine, pinned("").replace("rows.csv", "other.csv"), "other.csv"),
        (
            fine,
            "rope: (nodes: 3), forces: [LineDrag(density: 1, diameter: 1,
                flow: Changing(curve: Series(file: \"rows.csv\")))]"
                .into(),
            "Series",
        ),
        (fine, ring.into(), "the body has no rig"),
        (fine, format!("rig: (bones: [(name: \"arm\")]), {ring}"), "hand"),
        (
            fine,
            ring.replace("bone: \"hand\"", "at: (0, 1), offset: (1, 0)"),
            "no `offset` without a `bone`",
        ),
        (
            fine,
            ring.replace(
                "axial: 1e4",
                "axial: 1e4, speed: Series(file: \"rows.csv\", column: \"u\")",
            ),
            "there is no column \"u\"",
        ),
        (
            "t,l\n0,5\n1,-5\n",
            ring.replace("axial: 1e4", "axial: 1e4, length: Series(file: \"rows.csv\")")
                .replace("bone: \"hand\"", "at: (0, 1)"),
            "rows.csv:3:3: expected a length above 0, found \"-5\"",
        ),
    ] {
        let error = with_rows(rows, &base).unwrap_err().report(false);
        assert!(error.contains(expected), "{base}: {error}, not {expected}");
        assert!(error.contains("scene.ron:1:") || error.contains("scene.ron:2:"), "{error}");
    }
}

#[test]
fn columns_that_leave_a_question_are_told_with_their_line() {
    let fine = "t,x,y\n0,0,200\n1,2,204\n";
    for (rows, base, expected) in [
        (
            "t,x,x\n0,1,2\n",
            pinned(", columns: [\"x\", \"3\"]"),
            "rows.csv:1: columns 2 and 3 are both called \"x\"",
        ),
        ("t,x,x\n0,1,2\n", pinned(""), "columns 2 and 3 are both called"),
        (fine, pinned(", columns: [\"x\", \"x\"]"), "column \"x\" is two values"),
        (fine, pinned(", columns: [\"t\", \"x\"]"), "column \"t\" is the time and a value"),
        (
            "t,x [m],y [mm]\n0,1,2\n",
            pinned(""),
            "rows.csv:1: the columns have different units: m and mm",
        ),
    ] {
        let error = with_rows(rows, &base).unwrap_err().to_string();
        assert!(error.contains(expected), "{rows} {base}: {error}");
    }
}
