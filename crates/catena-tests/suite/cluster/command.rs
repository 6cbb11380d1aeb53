//! `catena job` as a user types it.

use crate::{catena, rendered::Bench, terminal::session};
use catena::cluster::ENGINES;
use std::fs;

const SCENE: &str = "Scene(base: (size: (200, 150), frames: 600, rope: (nodes: 4)))";

/// Runs `catena job scene.ron …`, checks its exit code, and returns its standard output and error.
fn job(bench: &Bench, args: &[&str], code: i32) -> (String, String) {
    let run = bench.run([&["job"], args].concat());
    let [out, output] = [run.stdout, run.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(run.status.code(), Some(code), "{args:?}: {output}");
    (out, output)
}

#[test]
fn every_engine_prints_a_job_and_writes_nothing() {
    let bench = Bench::new(SCENE);
    let mut jobs = String::new();
    for engine in &ENGINES {
        let given = [
            "scene.ron",
            "--for",
            engine.name,
            "--shards",
            "7",
            "--time",
            "33",
            "--set",
            "substeps=16",
        ];
        let (out, message) = job(&bench, &given, 0);
        jobs += &format!("==== {}\n{out}", engine.name);
        assert_eq!(message, "");
        assert_eq!(fs::read_dir(bench.path("")).unwrap().count(), 1);
        // Equal arguments give equal jobs, also in an output file.
        let (printed, message) = job(&bench, &[&given[..], &["-o", "a job"]].concat(), 0);
        assert_eq!(printed, "");
        let expected = "a job: render of scene in 7 shards, then a merge; its first lines explain the next steps\n";
        assert_eq!(message, expected);
        let written = fs::read_to_string(bench.path("a job")).unwrap();
        assert_eq!(written.replace("'a job'", engine.file), out, "{}", engine.name);
        fs::remove_file(bench.path("a job")).unwrap();
    }
    insta::assert_snapshot!("jobs", jobs);
}

#[test]
fn options_reach_the_shards_and_the_film() {
    let bench = Bench::new(SCENE);
    let options = "--frames 90 --size 320x240 --minutes 9 --no-steady --pack --audit 1% --threads 2 --film a.gif --fps 25 --loop 3";
    let given = ["scene.ron", "--for", "slurm", "--out", "a folder"];
    let (out, _) = job(&bench, &[&given[..], &options.split(' ').collect::<Vec<_>>()].concat(), 0);
    insta::assert_snapshot!("options_of_a_render", out);
}

#[test]
fn shards_time_and_memory_follow_from_the_work() {
    let bench = Bench::new(SCENE);
    let value = |text: &str, name: &str| -> u64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim_end_matches('M').parse().unwrap()
    };
    let numbers = |options: &str| {
        let given = ["scene.ron", "--for", "slurm", "--unlimited"];
        let (out, _) =
            job(&bench, &[&given[..], &options.split_whitespace().collect::<Vec<_>>()].concat(), 0);
        ["shards=", "#SBATCH --time=", "#SBATCH --mem="].map(|name| value(&out, name))
    };
    // A render of a few seconds is not divided.
    assert_eq!(numbers("")[0], 1);
    let [shards, time, memory] = numbers("--frames 1000000 --size 3840x2160");
    assert!((2..=1000).contains(&shards), "{shards}");
    // A shard gets more than its share of the drawing work, but less than all of it.
    let [_, whole, _] = numbers("--frames 1000000 --size 3840x2160 --shards 1");
    assert!(time >= 10 && time * 2 < whole, "{time} of {whole}");
    assert!(memory > numbers("")[2]);
    assert!(numbers("--frames 1000000 --size 3840x2160 --threads 8")[2] > memory);
    // A scene that is dominated by simulation gains nothing from shards.
    assert_eq!(numbers("--frames 100000 --size 200x150 --set substeps=20000")[0], 1);
    assert_eq!(numbers("--time 5 --shards 600")[..2], [600, 5]);
}

#[test]
fn what_shards_read_is_listed() {
    let scene = "Scene(base: (frames: 2, rope: (shape: File(file: \"line.csv\"))))";
    let bench = Bench::new(scene);
    fs::write(bench.path("line.csv"), "0,0\n100,0\n200,0\n").unwrap();
    for (engine, expected) in [
        ("slurm", "# Each shard reads:\n#   scene.ron\n#   line.csv\n"),
        ("openjd", "-p Input1=line.csv"),
        ("kubernetes", "--from-file=file-1=line.csv"),
    ] {
        let (out, _) = job(&bench, &["scene.ron", "--for", engine], 0);
        assert!(out.contains(expected), "{out}");
    }
}

#[test]
fn a_sweep_is_known_by_its_first_word_or_by_an_axis() {
    let bench = Bench::new(SCENE);
    let axes = "axes: {\"substeps\": [8, 16]}";
    for (text, options, is_sweep) in [
        (format!("Sweep(scene: \"scene.ron\", {axes})"), &[][..], true),
        (format!("// Scene(\n/* a sweep */ Sweep(scene: {SCENE}, {axes})"), &[], true),
        ("// Sweep(\nScene(base: (frames: 9))".into(), &[], false),
        ("Scene(base: (frames: 9))".into(), &["--axis", "substeps=[8, 16]"], true),
    ] {
        fs::write(bench.path("what.ron"), &text).unwrap();
        let (out, _) = job(&bench, &[&["what.ron", "--for", "slurm"], options].concat(), 0);
        let command = if is_sweep { "sweep" } else { "render" };
        assert!(out.contains(&format!("\"$catena\" {command} \"$source\"")), "{text}: {out}");
        let usual = if is_sweep { "out=out/what/sweep\n" } else { "out=out/what\n" };
        assert!(out.contains(usual), "{text}: {out}");
        let names_scene = text.contains("scene.ron");
        assert_eq!(out.contains("#   what.ron\n#   scene.ron\n"), names_scene, "{out}");
    }
}

#[test]
fn options_of_a_sweep_reach_its_shards() {
    let bench = Bench::new(SCENE);
    let given = [
        "scene.ron",
        "--for",
        "slurm",
        "--frames",
        "50",
        "--axis",
        "rope.stiffness=Log(1, 1e4)",
        "--axis",
        "substeps=[16, 32]",
        "--sample",
        "Sobol(20000)",
        "--except",
        "{\"substeps\": 16}",
        "--measure",
        "Diverged,Strain",
        "--set",
        "rope.nodes=9",
    ];
    let (out, _) = job(&bench, &given, 0);
    insta::assert_snapshot!("options_of_a_sweep", out);
    // There are at most as many shards as bunches, and as many as the work requires.
    let shards = |set: &str| -> u64 {
        let given = [
            "scene.ron",
            "--for",
            "slurm",
            "--axis",
            "rope.stiffness=Linear(1, 2, 6400)",
            "--frames",
            "1000",
            "--set",
            set,
        ];
        let (out, _) = job(&bench, &given, 0);
        out.lines().find_map(|line| line.strip_prefix("shards=")).unwrap().parse().unwrap()
    };
    let [few, many] = ["substeps=1", "substeps=10000"].map(shards);
    assert!(few == 1 && (2..=200).contains(&many), "{few} and {many}");
}

#[test]
fn wrong_options_are_refused_in_words() {
    let bench = Bench::new(SCENE);
    fs::write(bench.path("sweep.ron"), "Sweep()").unwrap();
    fs::write(bench.path("wrong.ron"), "Scene(base: (frames: 0))").unwrap();
    fs::write(bench.path("titled.ron"), SCENE.replace("base", "title: \"A title\", base")).unwrap();
    let commands: [&[&str]; 18] = [
        &["job", "scene.ron"],
        &["job", "scene.ron", "--for", "pbs"],
        &["job", "-", "--for", "slurm"],
        &["job", "none.ron", "--for", "slurm"],
        &["job", "wrong.ron", "--for", "slurm"],
        &["job", "scene.ron", "--for", "slurm", "--set", "rope.nodes=1"],
        &["job", "scene.ron", "--for", "slurm", "--shards", "0"],
        &["job", "scene.ron", "--for", "slurm", "--time", "0"],
        &["job", "scene.ron", "--for", "slurm", "--time", "30m2h"],
        &["job", "scene.ron", "--for", "slurm", "--fps", "25"],
        &["job", "scene.ron", "--for", "slurm", "--film", "-"],
        &["job", "scene.ron", "--for", "slurm", "--film", "a.doc"],
        &["job", "scene.ron", "--for", "slurm", "--frames", "900000", "--size", "2000x2000"],
        &["job", "titled.ron", "--for", "slurm", "--size", "64x64", "--set", "decoration=Full"],
        &["job", "sweep.ron", "--for", "slurm"],
        &["job", "sweep.ron", "--for", "slurm", "--film", "a.gif"],
        &["job", "scene.ron", "--for", "kubernetes", "--out", "/abs"],
        &["job", "scene.ron", "--for", "slurm", "-o", "none/job.sh"],
    ];
    let run = |words: &[&str]| {
        let output = bench.run(words);
        assert!(output.stdout.is_empty(), "{words:?}");
        output
    };
    insta::assert_snapshot!("wrong_options", session(&commands, run));
    let help = session(&[&["job", "--help"]], |words| catena().args(words).output().unwrap());
    insta::assert_snapshot!("help", help);
}

#[test]
fn more_shards_than_parts_and_times_with_units_are_understood() {
    let bench = Bench::new(SCENE);
    let given = ["scene.ron", "--for", "slurm", "--shards", "700"];
    let (_, message) = job(&bench, &given, 0);
    assert_eq!(message, "note: 100 of the 700 shards have no work; 600 are enough\n");
    let axis = ["--axis", "substeps=[8, 16, 32]"];
    let (out, message) = job(&bench, &[&given[..], &axis].concat(), 0);
    assert_eq!(message, "note: 697 of the 700 shards have no work; 3 are enough\n");
    insta::assert_snapshot!("more_shards_than_parts", out);
    for (time, minutes) in [
        ("90", Some(90)),
        ("90m", Some(90)),
        ("45min", Some(45)),
        ("2h", Some(120)),
        ("1h30m", Some(90)),
        ("1d2h", Some(26 * 60)),
        ("02:00:00", Some(120)),
        ("0:59:01", Some(60)),
        ("02:00", None),
        ("0:60:00", None),
        ("h", None),
        ("2", Some(2)),
        ("0", None),
        ("0h", None),
        ("30m2h", None),
        ("2x", None),
        ("2h30", None),
        ("99999999999999999999h", None),
        ("18446744073709551615h", None),
        ("ä", None),
    ] {
        let given = ["scene.ron", "--for", "slurm", "--time", time];
        let (out, message) = job(&bench, &given, if minutes.is_some() { 0 } else { 2 });
        match minutes {
            Some(minutes) => {
                assert!(out.contains(&format!("#SBATCH --time={minutes}\n")), "{time}: {out}");
            }
            None => {
                assert!(message.contains("expected minutes such as 90, or 90m, 2h"), "{message}");
            }
        }
    }
}
