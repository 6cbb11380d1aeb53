//! `catena trace`: rows that read back to the same bits.

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

#[test]
fn npy_holds_the_same_rows_as_csv() {
    const WHOLE: [&str; 4] = ["frame", "panel", "body", "node"];
    let folder = folder(SMALL);
    for table in [&[][..], &["--energy"]] {
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
        for (row, line) in bytes[start..].chunks(width).zip(csv.lines().skip(1)) {
            let cell = |(name, field): (&&str, &[u8])| {
                let field = <[u8; 8]>::try_from(field).unwrap();
                if WHOLE.contains(name) {
                    u64::from_le_bytes(field).to_string()
                } else {
                    format!("{:?}", f64::from_le_bytes(field))
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
        .stderr("");
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    let header = "frame,time,panel,body,kinetic,gravitational,elastic,anchors,damping,contact,external,yielding,method,\
        residual,turned_over";
    assert_eq!(text.lines().next(), Some(header));
    let cells = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect();
    let rows: Vec<Vec<f64>> = text.lines().skip(1).map(cells).collect();
    assert_eq!(rows.len(), 5 * 2);
    for (index, row) in rows.iter().enumerate() {
        let (frame, panel) = (index / 2, index % 2);
        assert_eq!((row[0], row[2], row[3]), (frame as f64, panel as f64, 0.0));
        if frame == 0 {
            assert_eq!(row[7..], [0.0; 8]);
            continue;
        }
        let total = |row: &[f64]| row[4] + row[5] + row[6];
        let gained: f64 = row[7..14].iter().sum();
        let change = total(row) - total(&rows[index - 2]);
        assert!((change - gained).abs() <= 1e-9 * row[14] && row[14] > 0.0, "{row:?}");
    }
    // Numbers that run away are written as they are.
    let run = catena()
        .args(["trace", "-", "--frames", "200", "--energy"])
        .write_stdin("Scene(base: (integrator: ExplicitEuler, substeps: 16))")
        .assert()
        .success();
    let text = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert_eq!(text.lines().count(), 201);
    assert!(text.contains("NaN") && !text.contains("-NaN"), "{}", text.lines().last().unwrap());
}
