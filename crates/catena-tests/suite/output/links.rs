//! Links and pipes in output folders: nothing is written through a link, no pipe blocks, and a
//! user's files stay.
#![cfg(unix)]

use crate::rendered::{Bench, TINY};
use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    process::{Command, Output},
};

const SWEEP: &str =
    "sweep scene.ron --axis drag=[0.1,0.2] --measure Strain --frames 2 -q --out out";

/// Runs a command line, checks its exit code, and returns its message.
fn run(bench: &Bench, line: &str, code: i32) -> String {
    let run: Output = bench.run(line.split(' '));
    let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(code), "{line}: {stderr}");
    stderr
}

#[test]
fn no_folder_in_an_output_folder_may_be_a_link() {
    let sheet = format!("{SWEEP} --sheet 0");
    let shard = format!("{SWEEP} --shard 1/2");
    let render = "render scene.ron --out out --no-steady --frames 4 -q --shard 1/2";
    let cases: [(&str, &str); 8] = [
        ("report", SWEEP),
        ("sheet", &sheet),
        ("shards", SWEEP),
        ("shards", &shard),
        ("shards", render),
        ("shards/0001-of-0002", render),
        ("shards", "merge out"),
        ("man1", "man --out out"),
    ];
    for (name, line) in cases {
        let bench = Bench::new(TINY);
        fs::create_dir(bench.path("elsewhere")).unwrap();
        fs::create_dir_all(bench.path("out").join(name).parent().unwrap()).unwrap();
        symlink(bench.path("elsewhere"), bench.path("out").join(name)).unwrap();
        let message = run(&bench, line, 5);
        assert!(message.contains(&format!("out/{name}")), "{line}: {message}");
        assert!(
            message.contains("it is a link") && message.contains("remove it"),
            "{line}: {message}"
        );
        assert_eq!(fs::read_dir(bench.path("elsewhere")).unwrap().count(), 0, "{line}");
    }
}

#[test]
fn a_link_in_place_of_a_file_is_replaced_and_what_it_leads_to_stays() {
    let pack = "render scene.ron --out out --no-steady --frames 2 -q --shard 1/1 --pack";
    let shard = format!("{SWEEP} --shard 1/2");
    let cases: [(&str, &str); 6] = [
        ("table.csv", SWEEP),
        ("table.parquet", SWEEP),
        ("sweep.json", SWEEP),
        ("shards/0001-of-0002.csv", &shard),
        ("shards/0001-of-0002.json", &shard),
        ("shards/0001-of-0001.tar", pack),
    ];
    for (name, line) in cases {
        let bench = Bench::new(TINY);
        let place = bench.path("out").join(name);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(bench.path("mine"), "mine").unwrap();
        symlink(bench.path("mine"), &place).unwrap();
        run(&bench, line, 0);
        assert_eq!(fs::read_to_string(bench.path("mine")).unwrap(), "mine", "{line}: {name}");
        assert!(fs::symlink_metadata(&place).unwrap().is_file(), "{line}: {name}");
    }
}

#[test]
fn a_link_in_a_shard_is_damage_and_not_merged() {
    let bench = Bench::new(TINY);
    run(&bench, "render scene.ron --out out --no-steady --frames 4 -q --shard 1/1", 0);
    let frame = bench.path("out/shards/0001-of-0001/frame_00001.png");
    fs::rename(&frame, bench.path("frame.png")).unwrap();
    symlink(bench.path("frame.png"), &frame).unwrap();
    let message = run(&bench, "merge out -q", 1);
    assert!(message.contains("0001-of-0001/frame_00001.png is a symbolic link"), "{message}");
    assert!(message.contains("run again: --shard 1 of 1"), "{message}");
    assert!(!bench.path("out/frame_00001.png").exists());
    // A table that is a link is refused, too.
    let bench = Bench::new(TINY);
    run(&bench, &format!("{SWEEP} --shard 1/1"), 0);
    let table = bench.path("out/shards/0001-of-0001.csv");
    fs::rename(&table, bench.path("table")).unwrap();
    symlink(bench.path("table"), &table).unwrap();
    let message = run(&bench, "merge out -q", 1);
    assert!(message.contains("0001-of-0001.csv is a symbolic link"), "{message}");
    assert!(!bench.path("out/table.csv").exists());
}

fn pipe(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn pipes_under_the_names_of_outputs_are_refused_and_not_waited_for() {
    let shard = format!("{SWEEP} --shard 1/2");
    let pack = "render scene.ron --out out --no-steady --frames 2 -q --shard 1/2 --pack";
    let cases: [(&str, &str); 10] = [
        ("table.csv", SWEEP),
        ("table.parquet", SWEEP),
        ("sweep.json", SWEEP),
        ("report/index.html", SWEEP),
        ("shards/0001-of-0002.csv", &shard),
        ("shards/0001-of-0002.json", &shard),
        ("shards/0001-of-0002.journal", &shard),
        ("shards/0001-of-0002.json", pack),
        ("shards/0001-of-0002.journal", pack),
        ("shards/0001-of-0002.tar", pack),
    ];
    for (name, line) in cases {
        let bench = Bench::new(TINY);
        pipe(&bench.path("out").join(name));
        let message = run(&bench, line, 5);
        assert!(message.contains(&format!("out/{name}")), "{line}: {message}");
        assert!(message.contains("--out"), "{line}: {message}");
    }
    // A merge reads these.
    for name in ["0001-of-0001.json", "0001-of-0001.csv"] {
        let bench = Bench::new(TINY);
        run(&bench, &format!("{SWEEP} --shard 1/1"), 0);
        let path = bench.path("out/shards").join(name);
        fs::remove_file(&path).unwrap();
        pipe(&path);
        let message = run(&bench, "merge out -q", 1);
        assert!(message.contains(name) && message.contains("--shard 1 of 1"), "{message}");
    }
}

#[test]
fn what_a_kill_or_a_power_failure_leaves_is_replaced() {
    let shard = format!("{SWEEP} --shard 1/2");
    let pack = "render scene.ron --out out --no-steady --frames 2 -q --shard 1/2 --pack";
    let digits = "0123456789abcdef".repeat(4);
    let line = format!("{digits} shard\n");
    let whole = Bench::new(TINY);
    run(&whole, pack, 0);
    let tar = fs::read(whole.path("out/shards/0001-of-0002.tar")).unwrap();
    let zeros = |bytes: &[u8]| [bytes, &[0; 600]].concat();
    let cases: [(&str, Vec<u8>, &str); 9] = [
        ("journal", line[..10].into(), &shard),
        ("journal", line[..64].into(), &shard),
        ("journal", line[..68].into(), pack),
        ("journal", line.as_bytes().into(), &shard),
        ("journal", format!("{line}{digits} {{}}\n").into(), pack),
        ("journal", zeros(&line.as_bytes()[..30]), pack),
        ("tar", tar[..700].into(), pack),
        ("tar", tar[..120].into(), pack),
        ("tar", zeros(&tar[..60]), pack),
    ];
    for (ending, bytes, line) in cases {
        let bench = Bench::new(TINY);
        let path = bench.path(format!("out/shards/0001-of-0002.{ending}"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &bytes).unwrap();
        run(&bench, line, 0);
    }
}

/// Links that appear after catena has checked for them: strace makes their removal ineffective.
#[cfg(target_os = "linux")]
#[test]
fn a_link_that_comes_meanwhile_is_not_followed() {
    use super::faults::{can_trace, traced};
    if !can_trace() {
        return;
    }
    let shard = format!("{SWEEP} --shard 1/2");
    let render = "render scene.ron --out out --no-steady --frames 2 -q";
    let pack = format!("{render} --shard 1/2 --pack");
    for (file, line) in [
        ("out/.catena/lock", render),
        ("out/shards/0001-of-0002.journal", &shard),
        ("out/shards/0001-of-0002.tar", &pack),
    ] {
        for text in [Some("mine"), None] {
            let bench = Bench::new(TINY);
            let (path, mine) = (bench.path(file), bench.path("mine"));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            text.inspect(|text| fs::write(&mine, text).unwrap());
            symlink(&mine, &path).unwrap();
            let options = ["-P", file, "-e", "inject=unlink,unlinkat:retval=0"];
            let run = traced(&bench, &options, &line.split(' ').collect::<Vec<_>>());
            let stderr = String::from_utf8_lossy(&run.stderr);
            assert_eq!(run.status.code(), Some(5), "{line}: {stderr}");
            assert!(stderr.contains(file) && stderr.contains("it is a link"), "{line}: {stderr}");
            assert_eq!(fs::read_to_string(&mine).ok().as_deref(), text, "{line}");
        }
    }
}

#[test]
fn a_shard_replaces_no_file_that_catena_did_not_write() {
    let shard = format!("{SWEEP} --shard 1/2");
    let frames = "render scene.ron --out out --no-steady --frames 2 -q --shard 1/2";
    let pack = format!("{frames} --pack");
    let digits = "0123456789abcdef".repeat(4);
    let longer = format!("{digits}0 shard\n");
    let other = format!("{digits} notes\n");
    let mut tar = vec![0; 512];
    tar[..15].copy_from_slice(b"frame_00001.png");
    tar[257..263].copy_from_slice(b"ustar ");
    let tar = String::from_utf8(tar).unwrap();
    let cases: [(&str, &str, &str); 20] = [
        ("json", "{\"kind\": \"photo\", \"key\": \"1\"}", &shard),
        ("json", "{\"kind\": \"render\"}", &shard),
        ("json", "{\"kind\": \"rendering\", \"key\": \"\"}", frames),
        ("json", "{\"kind\": \"sweep\", \"of\": \"mine\"}", &pack),
        ("journal", "2024\n", &shard),
        ("journal", "CAFE", &shard),
        ("journal", &longer, &shard),
        ("journal", &other, &pack),
        ("journal", &digits.replace('0', "g"), &pack),
        ("tar", "frame_notes", &pack),
        ("tar", "frame_00001.png is the best of them", &pack),
        ("tar", &tar, &pack),
        ("csv", "name,grade\nMax,1\n", &shard),
        ("json", "{\"mine\": 1}", &shard),
        ("json", "[1, 2]", &shard),
        ("journal", "Dear diary", &shard),
        ("json", "{\"mine\": 1}", frames),
        ("json", "{\"mine\": 1}", &pack),
        ("journal", "Dear diary", &pack),
        ("tar", "photos\0\0\0", &pack),
    ];
    for (ending, text, line) in cases {
        let bench = Bench::new(TINY);
        let path = bench.path(format!("out/shards/0001-of-0002.{ending}"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let message = run(&bench, line, 5);
        assert!(message.contains(&format!("0001-of-0002.{ending}")), "{line}: {message}");
        assert!(
            message.contains("catena did not write") && message.contains("--out"),
            "{line}: {message}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "{line}");
        // A file of zeros, as left by a power failure, is replaced.
        fs::write(&path, [0; 40]).unwrap();
        run(&bench, line, 0);
        run(&bench, line, 0);
    }
}
