//! `catena trace`: its rows can be read back with the same bits.

use crate::{
    catena,
    cli::{SMALL, folder},
};
use std::fs;

#[test]
fn trace_writes_rows_that_read_back_to_the_same_bits() {
    let run = catena()
        .args(["trace", "-", "--frames", "3"])
        .write_stdin(SMALL)
        .assert()
        .success()
        .stderr("");
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("frame,time,panel,body,node,x,y,vx,vy,dt"));
    let rows: Vec<Vec<f64>> = lines
        .map(|line| line.split(',').map(|cell| cell.parse::<f64>().unwrap()).collect())
        .collect();
    assert_eq!(rows.len(), 3 * 2 * 4);

    let scene = crate::scene_of(SMALL);
    for (panel, bodies) in scene.panels.iter().map(|panel| &panel.bodies).enumerate() {
        let setup = &bodies[0].setup;
        let mut simulation = catena::sim::Simulation::new(std::sync::Arc::clone(setup));
        for frame in 0..3 {
            for node in 0..4 {
                let state = simulation.state();
                let row = &rows[frame * 8 + panel * 4 + node];
                let expected = [
                    frame as f64,
                    state.t,
                    panel as f64,
                    0.0,
                    node as f64,
                    state.x[node],
                    state.x[4 + node],
                    state.v[node],
                    state.v[4 + node],
                    setup.dt(),
                ];
                assert_eq!(row[..], expected);
            }
            simulation.advance_frame();
        }
    }
}

/// A weight that a heavier one pulls into its pulley, and a bucket that a winch pulls into its
/// drum.
const REELED: &str = "(base: (frames: 60, frame_time: 0.05, substeps: 100, gravity: (0, -9.81)), panels: [
    (label: \"pulley\", with: (graph: (nodes: [(-0.2, -1), (0.2, -1)], springs: [], mass: 1, weights: [(node: 1, mass: 2)]),
        forces: [Route(from: First, to: Last, axial: 1e5, damping: 100, via: [Pulley(at: (0, 1), radius: 0.2)])])),
    (label: \"winch\", with: (graph: (nodes: [(-0.2, -1)], springs: [], mass: 1),
        forces: [Route(from: First, axial: 1e5, damping: 100, speed: -2, via: [Drum(at: (0, 1), radius: 0.2)])]))])";

#[test]
fn a_trace_says_where_routes_stop_and_their_winches_slip() {
    let run = catena().args(["trace", "-", "--strict"]).write_stdin(REELED).assert().success();
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let stderr = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    for words in [
        "note: \"pulley\": a node of its route is at its stop from time ",
        "note: \"winch\": a node of its route is at its stop from time 0.9",
        ", and its winch slips from time 0.9",
    ] {
        assert!(stderr.contains(words), "{words} is not in {stderr}");
    }
    let run = catena().args(["trace", "-", "--events"]).write_stdin(REELED).assert().success();
    let events = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let rows: Vec<Vec<&str>> = events.lines().skip(1).map(|it| it.split(',').collect()).collect();
    let found: Vec<(&str, &str)> = rows.iter().map(|row| (row[2], row[row.len() - 2])).collect();
    for row in [
        ("0", "a node of a route is at its stop"),
        ("1", "a node of a route is at its stop"),
        ("1", "the winch of a route slips"),
    ] {
        assert_eq!(found.iter().filter(|it| **it == row).count(), 1, "{row:?}: {events}");
    }
    // The body of the last row has stopped at a tenth of the radius.
    let last = text.lines().rfind(|line| line.split(',').nth(2) == Some("1")).unwrap();
    let y: f64 = last.split(',').nth(6).unwrap().parse().unwrap();
    assert!((y - 0.98).abs() < 1e-4, "{last}");
}

/// Columns of integers.
const WHOLE: [&str; 12] = [
    "frame",
    "panel",
    "body",
    "node",
    "step",
    "first",
    "second",
    "passages",
    "is_collider",
    "is_route",
    "index",
    "first_is_over",
];

/// Options of each table.
const TABLES: [&[&str]; 7] = [
    &[],
    &["--energy"],
    &["--forces"],
    &["--tensions"],
    &["--topology"],
    &["--crossings"],
    &["--topology", "--each-step"],
];

#[test]
fn npy_holds_the_same_rows_as_csv() {
    let folder = folder(SMALL);
    for table in TABLES {
        let trace = |args: &[&str]| {
            catena()
                .current_dir(&folder)
                .args(["trace", "small.ron", "--frames", "4"])
                .args(table)
                .args(args)
                .assert()
                .success();
        };
        trace(&["-o", "t.csv"]);
        trace(&["--format", "npy", "-o", "t.npy"]);
        let bytes = fs::read(folder.path().join("t.npy")).unwrap();
        let csv = fs::read_to_string(folder.path().join("t.csv")).unwrap();
        let (rows, columns) = (csv.lines().count() - 1, csv.lines().next().unwrap());
        assert_eq!(bytes[..8], *b"\x93NUMPY\x01\x00");
        let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        assert_eq!(start % 64, 0);
        let header = std::str::from_utf8(&bytes[10..start]).unwrap();
        let columns: Vec<&str> = columns.split(',').collect();
        let kind = |name| if WHOLE.contains(name) { "<u8" } else { "<f8" };
        let descr: Vec<_> = columns.iter().map(|c| format!("('{c}', '{}'),", kind(c))).collect();
        let descr = format!("[{}]", descr.join(" "));
        let expected =
            format!("{{'descr': {descr}, 'fortran_order': False, 'shape': ({rows},), }}");
        assert_eq!(header.trim_end(), expected);
        assert!(header.ends_with('\n'));
        let width = 8 * columns.len();
        assert_eq!(bytes.len() - start, width * rows);
        // Missing numbers are empty cells.
        const INCOMPLETE: [&str; 3] = ["--topology", "--crossings", "--tensions"];
        let is_incomplete = INCOMPLETE.iter().any(|name| table.contains(name));
        for (row, line) in bytes[start..].chunks(width).zip(csv.lines().skip(1)) {
            let cell = |(name, field): (&&str, &[u8])| {
                let field = <[u8; 8]>::try_from(field).unwrap();
                let is_missing = is_incomplete && f64::from_le_bytes(field).is_nan();
                match (WHOLE.contains(name), is_missing) {
                    (true, _) => u64::from_le_bytes(field).to_string(),
                    (false, true) => String::new(),
                    (false, false) => format!("{:?}", f64::from_le_bytes(field)),
                }
            };
            let fields: Vec<String> = columns.iter().zip(row.chunks(8)).map(cell).collect();
            assert_eq!(fields.join(","), line);
        }
    }
}

#[test]
fn trace_writes_the_energy_ledger() {
    let run = catena()
        .args(["trace", "-", "--frames", "5", "--energy"])
        .write_stdin(SMALL)
        .assert()
        .success()
        .stderr("note: \"Semi-implicit Euler\" diverged at frame 4; later rows are meaningless\n");
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let header = "frame,time,panel,body,kinetic,gravitational,elastic,anchors,colliders,damping,contact,external,\
        yielding,method,residual,turned_over";
    assert_eq!(text.lines().next(), Some(header));
    let cells = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect();
    let rows: Vec<Vec<f64>> = text.lines().skip(1).map(cells).collect();
    assert_eq!(rows.len(), 5 * 2);
    for (index, row) in rows.iter().enumerate() {
        let (frame, panel) = (index / 2, index % 2);
        assert_eq!((row[0], row[2], row[3]), (frame as f64, panel as f64, 0.0));
        if frame == 0 {
            assert_eq!(row[7..], [0.0; 9]);
            continue;
        }
        let total = |row: &[f64]| row[4] + row[5] + row[6];
        let gained: f64 = row[7..15].iter().sum();
        let change = total(row) - total(&rows[index - 2]);
        assert!((change - gained).abs() <= 1e-9 * row[15] && row[15] > 0.0, "{row:?}");
    }
    // Diverging numbers are written unchanged.
    let run = catena()
        .args(["trace", "-", "--frames", "200", "--energy"])
        .write_stdin("Scene(base: (integrator: ExplicitEuler, substeps: 16))")
        .assert()
        .success();
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert_eq!(text.lines().count(), 201);
    assert!(text.contains("NaN") && !text.contains("-NaN"), "{}", text.lines().last().unwrap());
}

/// Two ropes in space. The second one passes through the first one, or moves away from it, at
/// constant speed.
fn two_ropes(speed: f64, more: &str) -> String {
    format!(
        "Scene(base: (frames: 12, frame_time: 0.1, substeps: 20, gravity: (0, 0, 0), {more} parts: [
            (name: \"a\", with: (rope: (start: (-1, 0, 0), end: (1, 0, 0), nodes: 5, pins: [0, 4]))),
            (name: \"b\", with: (rope: (start: (0.1, 0.5025, -1), end: (0.1, 0.5025, 1), nodes: 2, pins: []))),
        ], velocities: [(node: (\"b\", 0), velocity: (0, {speed}, 0)), (node: (\"b\", 1), velocity: (0, {speed}, 0))]))"
    )
}

#[test]
fn what_passes_through_something_is_told_and_ends_in_an_error() {
    let trace = |scene: &str, table: &str| {
        catena().args(["trace", "-", table]).write_stdin(scene.to_owned()).assert()
    };
    let run = trace(&two_ropes(-1.0, ""), "--topology").code(7);
    let error = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    // A distance of 0.5025 at a speed of 1 and 200 steps per unit of time: the passage is in step
    // 101, which leads to frame 6.
    for part in [
        "segment 2 of rope \"a\" passed through segment 0 of rope \"b\" in frame 6, step 101, at time 0.502500",
        "this is an error of the simulation: nothing keeps them apart; use contact: (of: Drawn, \
         thickness: …)",
    ] {
        assert!(error.contains(part), "{error}");
    }
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let header = "frame,time,panel,body,step,first,second,gauss,linking,deviation,crossings,reduced,signs,passages";
    assert_eq!(text.lines().next(), Some(header));
    assert!(!text.contains("NaN"), "numbers that do not exist are empty: {text}");
    let number = |cell: &str| if cell.is_empty() { f64::NAN } else { cell.parse().unwrap() };
    let rows: Vec<Vec<f64>> =
        text.lines().skip(1).map(|line| line.split(',').map(number).collect()).collect();
    assert_eq!(rows.len(), 12 * 3);
    let with_passages: Vec<_> = rows.iter().filter(|row| row[13] != 0.0).collect();
    let [row] = with_passages[..] else { panic!("{with_passages:?}") };
    assert_eq!((row[0], row[4], row[5], row[6], row[13]), (6.0, 120.0, 0.0, 1.0, 1.0));
    // The integral of the pair jumps by an integer when they pass.
    let gauss = |frame: usize| rows[3 * frame + 1][7];
    assert!((gauss(6) - gauss(5)).abs() > 0.5 && (gauss(5) - gauss(4)).abs() < 0.2);
    for quiet in [two_ropes(1.0, ""), two_ropes(-0.4, "")] {
        trace(&quiet, "--topology").success().stderr("");
        trace(&quiet, "--crossings").success().stderr("");
    }
    trace(&two_ropes(-1.0, ""), "--crossings").code(7);
    trace(&two_ropes(-1.0, ""), "--forces").success();
}

#[test]
fn topology_of_the_plane_says_what_there_is_not() {
    let run = catena()
        .args(["trace", "-", "--frames", "2", "--topology"])
        .write_stdin(SMALL)
        .assert()
        .success();
    let error = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    assert!(error.contains("in a planar scene no curve passes over another"), "{error}");
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let row = text.lines().nth(1).unwrap();
    assert!(row.ends_with(",,,,0.0,,,0"), "gauss to signs do not exist: {row}");
    for (args, part) in [
        (&["--toward", "0,0,1"][..], "--toward needs --topology"),
        (&["--each-step", "--energy"], "--each-step needs --topology"),
        (&["--topology", "--toward", "0,0,0"], "three finite numbers"),
        (&["--topology", "--toward", "1,2"], "three finite numbers"),
        (&["--topology", "--energy"], "cannot be used with"),
    ] {
        let run = catena().args(["trace", "-"]).args(args).write_stdin(SMALL).assert().code(2);
        let error = String::from_utf8(run.get_output().stderr.clone()).unwrap();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn forces_on_pins_and_colliders_carry_the_weight() {
    let scene = "Scene(base: (frames: 120, frame_time: 0.1, substeps: 40, gravity: (0, -10), drag: 0.5,
        contact: (radius: 0.05), colliders: [Plane(point: (0, -0.6), normal: (0, 1), friction: 0.2)],
        rope: (start: (0, 0), end: (2, 0), nodes: 9, stiffness: 500, mass: 0.2, pins: [0])))";
    let run = catena().args(["trace", "-", "--forces"]).write_stdin(scene).assert().success();
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let header = "frame,time,panel,body,is_collider,index,fx,fy,size,mean_fx,mean_fy,mean_size";
    assert_eq!(text.lines().next(), Some(header));
    let last: Vec<Vec<f64>> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect())
        .filter(|row: &Vec<f64>| row[0] == 119.0)
        .collect();
    let [pin, plane] = &last[..] else { panic!("{last:?}") };
    assert_eq!((pin[4], pin[5], plane[4], plane[5]), (0.0, 0.0, 1.0, 0.0));
    let weight = 9.0 * 0.2 * 10.0;
    for column in [7, 10] {
        let sum = pin[column] + plane[column];
        assert!((sum + weight).abs() < 1e-6 * weight, "{sum} beside {weight}");
        assert!(pin[column] < -0.1 * weight && plane[column] < -0.1 * weight, "{last:?}");
    }
    assert!((pin[6] + plane[6]).abs() < 1e-6 * weight, "friction holds what the pin pulls");
}

/// A pulley carries the tensions of both sides, 2 T with T = 2 m M g/(m + M), and a drum carries
/// one tension.
#[test]
fn forces_on_pulleys_and_drums_are_those_of_their_ropes() {
    let scene = "Scene(base: (frames: 10, frame_time: 0.05, substeps: 100, gravity: (0, -10)), panels: [
        (with: (graph: (nodes: [(-0.2, -4), (0.2, -4)], springs: [], mass: 1, weights: [(node: 1, mass: 2)]),
            forces: [Route(from: First, to: Last, axial: 1e5, damping: 2000, via: [Pulley(at: (0, 1), radius: 0.2)])])),
        (with: (graph: (nodes: [(-0.2, -4)], springs: [], mass: 2),
            forces: [Route(from: First, axial: 1e5, damping: 2000, via: [Drum(at: (0, 1), radius: 0.2)])])),
        (with: (integrator: Shake, graph: (nodes: [(-0.2, -4)], springs: [], mass: 2),
            forces: [Route(from: First, axial: 1e5, via: [Ring(at: (-0.2, 1))])])),
        ])";
    let run = catena().args(["trace", "-", "--forces"]).write_stdin(scene).assert().success();
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let row = |panel: &str| -> Vec<&str> {
        let mut rows = text.lines().rev().map(|line| line.split(',').collect::<Vec<_>>());
        rows.find(|row| row[2] == panel && row[4..6] == ["2", "0"]).unwrap()
    };
    for (panel, expected) in [("0", 2.0 * 2.0 * 3.0 * 10.0 / 4.0), ("1", 20.0)] {
        let down: f64 = row(panel)[7].parse().unwrap();
        assert!((down / -expected - 1.0).abs() < 1e-3, "{panel}: {down}, not {expected}\n{text}");
    }
    // A method with a rigid route length has no tension for it.
    assert_eq!(row("2")[6..], [""; 6]);
}

#[test]
fn chosen_nodes_are_rows_of_the_whole_table() {
    let folder = folder(SMALL);
    let trace = |args: &[&str], code: i32| {
        let mut command = catena();
        command.current_dir(&folder).args(["trace", "small.ron", "--frames", "3"]).args(args);
        let run = command.assert().code(code);
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        (text(&run.get_output().stdout), text(&run.get_output().stderr))
    };
    let (whole, _) = trace(&[], 0);
    let is_kept = |line: &&str| ["node", "1", "3"].contains(&line.split(',').nth(4).unwrap());
    let kept: Vec<&str> = whole.lines().filter(is_kept).collect();
    let (chosen, _) = trace(&["--nodes", "3,1,3"], 0);
    assert_eq!(chosen.lines().collect::<Vec<_>>(), kept);
    let (_, message) = trace(&["--node", "4"], 2);
    assert!(message.contains("no body has a node 4; nodes are numbered from 0 to 3"), "{message}");
    let (_, message) = trace(&["--nodes", "1", "--energy"], 2);
    assert!(message.contains("'--nodes <A,B,…>' cannot be used with"), "{message}");
    // The file extension determines the format of the table.
    trace(&["--nodes", "1", "-o", "table.npy"], 0);
    assert!(fs::read(folder.path().join("table.npy")).unwrap().starts_with(b"\x93NUMPY"));
    let (_, message) = trace(&["-o", "table.xlsx"], 2);
    assert!(message.contains("unknown table format of table.xlsx: use .csv, .npy"), "{message}");
    trace(&["-o", "table.xlsx", "--format", "csv"], 0);
    assert_eq!(fs::read_to_string(folder.path().join("table.xlsx")).unwrap(), whole);
}

/// Three springs with a weight of 2 besides the nodes of 0.1, and two weights on a bollard.
#[test]
fn tensions_are_those_of_springs_and_routes() {
    for integrator in ["ImplicitEuler", "Shake"] {
        let scene = format!(
            "Scene(base: (frames: 101, frame_time: 0.1, substeps: 20, gravity: (0, -10), drag: 3, integrator: {integrator},
                rope: (start: (0, 0), end: (0, -3), nodes: 4, mass: 0.1, stiffness: 1000, pins: [First],
                weights: [(node: Last, mass: 2)])))"
        );
        let run = catena().args(["trace", "-", "--tensions"]).write_stdin(scene).assert().success();
        let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
        let header = "frame,time,panel,body,is_route,index,a,b,length,strain,tension";
        assert_eq!(text.lines().next(), Some(header));
        let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|it| it.split(',').collect()).collect();
        assert_eq!(rows.len(), 101 * 3);
        for (index, row) in rows[300..].iter().enumerate() {
            let number = |column: usize| row[column].parse::<f64>().unwrap();
            assert_eq!((number(5), number(6)), (index as f64, index as f64));
            assert_eq!((row[4], number(7)), ("0", index as f64 + 1.0));
            let expected = 21.0 + (2 - index) as f64;
            assert!((number(10) - expected).abs() < 1e-3 * expected, "{integrator}: {row:?}");
            let stretched = if integrator == "Shake" { 0.0 } else { expected / 1000.0 };
            assert!((number(9) - stretched).abs() < 1e-4, "{integrator}: {row:?}");
            assert!((number(8) - 1.0 - stretched).abs() < 1e-4, "{integrator}: {row:?}");
        }
    }
    let scene = "Scene(base: (frames: 201, frame_time: 0.1, substeps: 50, gravity: (0, -10), drag: 3,
        graph: (nodes: [(-0.2, -1), (0.2, -1)], springs: [], mass: 1, weights: [(node: 1, mass: 1.5)]),
        forces: [Route(from: 0, to: 1, axial: 1e4, damping: 100,
        via: [Pulley(at: (0, 0), radius: 0.2, turn: Clockwise, friction: 0.5)])]))";
    let run = catena().args(["trace", "-", "--tensions"]).write_stdin(scene).assert().success();
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let last: Vec<&str> = text.lines().skip(1 + 400).collect();
    for (line, (index, weight)) in last.iter().zip([(0, 10.0), (1, 25.0)]) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells[4..9], ["1", &index.to_string(), "", "", ""], "{line}");
        let tension: f64 = cells[10].parse().unwrap();
        assert!((tension - weight).abs() < 1e-3 * weight, "{line}");
    }
    assert_eq!(last.len(), 2);
}

#[test]
fn sections_of_rods_are_orthogonal_and_hold_all_turns() {
    let scene = "Scene(base: (frames: 2, frame_time: 0.01, gravity: (0, 0, 0), integrator: ImplicitEuler,
        rope: (start: (-1, 0, 0), end: (1, 0, 0),
        shape: Ring, nodes: 24, mass: 0.1, pins: [], rod: (bending: 1, torsion: 1, axial: 2000, turns: 1.5))))";
    let run = catena().args(["trace", "-", "--sections"]).write_stdin(scene).assert().success();
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let header = "frame,time,panel,body,rod,segment,first,second,tx,ty,tz,nx,ny,nz,curvature,twist";
    assert_eq!(text.lines().next(), Some(header));
    let cells = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect();
    let rows: Vec<Vec<f64>> = text.lines().skip(1).map(cells).collect();
    assert_eq!(rows.len(), 2 * 24);
    let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    for row in &rows {
        let (tangent, normal) = (&row[8..11], &row[11..14]);
        assert!((inner(tangent, tangent) - 1.0).abs() < 1e-12, "{row:?}");
        assert!((inner(normal, normal) - 1.0).abs() < 1e-12, "{row:?}");
        assert!(inner(tangent, normal).abs() < 1e-12, "{row:?}");
        // Chords of a ring of radius 1 have a curvature of 1 up to order 2.
        assert!((row[14] - 1.0).abs() < 0.01, "{row:?}");
    }
    assert_eq!((rows[23][6], rows[23][7]), (23.0, 0.0), "the last segment closes the ring");
    let length = 2.0 * libm::sin(std::f64::consts::PI / 24.0);
    let turns = rows[..24].iter().map(|row| row[15] * length).sum::<f64>() / std::f64::consts::TAU;
    assert!((turns - 1.5).abs() < 1e-9, "{turns}");
    let rope = "Scene(base: (rope: (nodes: 4)))";
    let refused = catena().args(["trace", "-", "--sections"]).write_stdin(rope).assert().code(2);
    let error = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
    assert!(error.contains("no rope is a rod"), "{error}");
}

#[test]
fn panels_that_changes_make_equal_keep_their_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let scene = "Scene(base: (frames: 3, rope: (nodes: 4)), panels: [
        (label: \"a\", with: (integrator: ExplicitEuler)),
        (label: \"b\", with: (integrator: SemiImplicitEuler)),
        (label: \"c\", with: (integrator: SemiImplicitEuler, drag: 0.5))])";
    fs::write(folder.path().join("s.ron"), scene).unwrap();
    let run = |words: &str| {
        let set = ["--set", "integrator=VelocityVerlet", "--panel"];
        let mut words: Vec<&str> = words.split(' ').collect();
        words.splice(2..2, set);
        let run = catena().current_dir(folder.path()).args(&words).output().unwrap();
        assert!(run.status.success(), "{words:?}: {}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8(run.stdout).unwrap()
    };
    let [a, b, c] = [1, 2, 3].map(|panel| run(&format!("trace s.ron {panel}")));
    assert_eq!(a.replace(",0,0,", ",1,0,"), b);
    assert_ne!(c.replace(",2,0,", ",1,0,"), b);
    assert!(run("stability s.ron 3").contains("panel 3: "));
    run("export s.ron 3 -o e.glb");
}
