//! Reports and folders with impossible numbers are refused: nothing panics, and nothing large is
//! read.

use crate::rendered::{Bench, TINY, shell};
use catena::shard::ShardReport;
use serde_json::{Value, json};
use std::fs;

const SWEEP: &str =
    "sweep scene.ron --axis drag=[0.1,0.2] --measure Strain --frames 2 -q --out out --shard 1/1";
const RENDER: &str = "render scene.ron --out out --no-steady --frames 4 -q --shard 1/1";

/// A change of a report, which is then signed again.
type Forgery = fn(&mut ShardReport);

/// Sets the number of frames everywhere in a report.
fn set_total(report: &mut ShardReport, total: u64) {
    report.source = report.source.clone().with("--frames", total.to_string());
    report.key = report.source.key();
    report.content["total"] = json!(total);
}

/// Turns a report into the report of a film with `total` frames.
fn film_of(report: &mut ShardReport, total: u64) {
    set_total(report, total);
    report.content["frames"] = json!([]);
    report.content["film"] = json!({ "name": "film.mp4", "format": "mp4", "segments": [] });
    report.files.clear();
}

const FORGERIES: [(&str, Forgery); 16] = [
    (SWEEP, |report| report.rows = u64::MAX),
    (SWEEP, |report| report.items = [u64::MAX, 0]),
    (SWEEP, |report| report.files[0].bytes = u64::MAX),
    (SWEEP, |report| report.files.clear()),
    (SWEEP, |report| report.content["before_axes"] = json!(u64::MAX)),
    (SWEEP, |report| report.content["before_axes"] = json!(0)),
    (SWEEP, |report| report.content["axes"] = json!([])),
    (SWEEP, |report| report.content["columns"] = json!([])),
    (SWEEP, |report| {
        let axes = report.content["axes"].clone();
        let axes = vec![axes[0].clone(); 50];
        report.content["axes"] = Value::from(axes);
    }),
    (RENDER, |report| report.rows = u64::MAX),
    (RENDER, |report| set_total(report, u64::MAX)),
    (RENDER, |report| set_total(report, 0)),
    (RENDER, |report| report.content["frames"][3]["frame"] = json!(u64::MAX)),
    (RENDER, |report| film_of(report, u64::MAX)),
    (RENDER, |report| film_of(report, u64::MAX - 239)),
    (RENDER, |report| film_of(report, 1 << 40)),
];

#[test]
fn forged_numbers_of_a_report_are_refused() {
    for made_by in [SWEEP, RENDER] {
        let bench = Bench::new(TINY);
        assert!(bench.run(made_by.split(' ')).status.success());
        let path = bench.path("out/shards/0001-of-0001.json");
        let original = fs::read(&path).unwrap();
        for (index, (_, forge)) in FORGERIES.iter().enumerate().filter(|it| it.1.0 == made_by) {
            let mut report = ShardReport::parse(&original).unwrap();
            forge(&mut report);
            fs::write(&path, report.text().unwrap()).unwrap();
            let run = bench.run(["merge", "out", "-q"]);
            let stderr = String::from_utf8_lossy(&run.stderr);
            assert_eq!(run.status.code(), Some(1), "{index}: {stderr}");
            assert!(
                stderr.contains("--shard 1 of 1") && !stderr.contains("panicked"),
                "{index}: {stderr}"
            );
        }
        fs::write(&path, original).unwrap();
        assert!(bench.run(["merge", "out", "-q"]).status.success());
    }
}

#[test]
fn a_finished_sweep_with_forged_columns_is_made_anew() {
    let bench = Bench::new(TINY);
    let line = SWEEP.replace(" --shard 1/1", "");
    assert!(bench.run(line.split(' ')).status.success());
    let path = bench.path("out/sweep.json");
    let original = fs::read_to_string(&path).unwrap();
    for forged in [json!(u64::MAX), json!(0), json!(4)] {
        let mut content: Value = serde_json::from_str(&original).unwrap();
        content["before_axes"] = forged;
        fs::write(&path, content.to_string()).unwrap();
        let run = bench.run(line.split(' '));
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        assert_eq!(fs::read_to_string(&path).unwrap(), original);
    }
}

#[test]
#[cfg(unix)]
fn a_file_of_another_length_is_refused_unread() {
    let pack = format!("{RENDER} --pack");
    for (line, name) in [
        (SWEEP, "0001-of-0001.csv"),
        (RENDER, "0001-of-0001/frame_00002.png"),
        (pack.as_str(), "0001-of-0001.tar"),
    ] {
        let bench = Bench::new(TINY);
        assert!(bench.run(line.split(' ')).status.success());
        let file = fs::File::create(bench.path("out/shards").join(name)).unwrap();
        file.set_len(20 << 30).unwrap();
        // Hashing it would take minutes.
        let run = shell(&bench, "ulimit -t 10; catena merge out -q");
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(1), "{name}: {stderr}");
        let words = format!("{name} does not match its report: it has 21474836480 bytes, not ");
        assert!(stderr.contains(&words) && stderr.contains("--shard 1 of 1"), "{stderr}");
    }
}

#[test]
#[cfg(unix)]
fn frames_with_numbers_far_apart_are_no_film_and_cost_nothing() {
    let bench = Bench::new(TINY);
    bench.render("made", &["-q", "--no-steady", "--frames", "2"], 0);
    fs::create_dir(bench.path("far")).unwrap();
    let frame = bench.path("made/frame_00000.png");
    fs::copy(&frame, bench.path("far/frame_00000.png")).unwrap();
    for (name, code, words) in [
        ("frame_4294967295.png", 5, "frame 1 and more than 10000 others are missing from far"),
        ("frame_4294967296.png", 5, "frame 1 and more than 10000 others are missing from far"),
        // Too large for a frame number, so these are other files.
        ("frame_18446744073709551615.png", 0, ""),
        ("frame_18446744073709551616.png", 0, ""),
    ] {
        fs::copy(&frame, bench.path("far").join(name)).unwrap();
        let run = shell(&bench, "ulimit -t 10; ulimit -v 600000; catena film far -o film.gif -q");
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(code), "{name}: {stderr}");
        assert!(stderr.contains(words), "{name}: {stderr}");
        fs::remove_file(bench.path("far").join(name)).unwrap();
    }
}
