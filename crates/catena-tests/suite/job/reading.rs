//! Number of bytes that a render reads from a folder, as counted by strace, and renders on a file
//! system without locks. Without strace these tests print a note and pass, unless
//! `CATENA_REQUIRE_STRACE` is set.
#![cfg(target_os = "linux")]

use crate::{
    output::faults::can_trace,
    rendered::{Bench, TINY, drawn},
};
use catena::output::{
    manifest::{FrameEntry, Manifest},
    names::frame_name,
};
use std::{
    fs,
    process::{Child, Command, Stdio},
};

/// Two ropes with all picture decorations.
const SCENE: &str =
    "Scene(base: (size: (1280, 720), frames: 600, substeps: 16, rope: (nodes: 12)), panels: [
    (with: (integrator: SemiImplicitEuler, drag: 0.01)),
    (with: (integrator: ConstraintVerlet(damping: 0.00005)))])";

/// The program under strace, with a log of the reads of each thread.
fn watched(bench: &Bench, name: &str, args: &[&str]) -> Child {
    fs::create_dir(bench.path(name)).unwrap();
    Command::new("strace")
        .current_dir(bench.path(""))
        .args(["-ff", "-y", "-qq", "-o", &format!("{name}/thread")])
        .args(["-e", "trace=read,readv,pread64,preadv,preadv2"])
        .arg(crate::catena().get_program())
        .args(["render", "scene.ron", "--out", "out", "-q", "--no-steady", "--threads", "1"])
        .args(args)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Number of bytes read from the folder of frames, if the run succeeded.
fn bytes_read(bench: &Bench, name: &str, child: Child) -> u64 {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let folder = format!("<{}/", fs::canonicalize(bench.path("out")).unwrap().display());
    let mut sum = 0;
    for file in fs::read_dir(bench.path(name)).unwrap() {
        let text = fs::read(file.unwrap().path()).unwrap();
        for line in String::from_utf8_lossy(&text).lines().filter(|line| line.contains(&folder)) {
            let (_, result) = line.rsplit_once(" = ").unwrap();
            sum += result.split(' ').next().unwrap().parse::<u64>().unwrap();
        }
    }
    fs::remove_dir_all(bench.path(name)).unwrap();
    sum
}

#[test]
fn a_task_of_one_frame_reads_little_of_a_folder_of_many() {
    if !can_trace() {
        return;
    }
    let bench = Bench::new(SCENE);
    const LARGE: [&str; 2] = ["--size", "3840x2160"];
    bench.render("out", &["-q", "--no-steady", "--frame-range", "577", LARGE[0], LARGE[1]], 0);
    let path = bench.path("out/frame_00577.png");
    let size = fs::metadata(&path).unwrap().len();
    // A folder of 600 frames: the other frames have the same bytes under their own names.
    let mut manifest = Manifest::read(&bench.path("out")).unwrap().unwrap();
    let entry =
        |frame: u64| FrameEntry { frame, file: frame_name(frame), ..manifest.frames[0].clone() };
    manifest.frames = (0..600).map(entry).collect();
    let others = manifest.frames.iter().filter(|entry| entry.frame != 577);
    others.for_each(|entry| fs::hard_link(&path, bench.path("out").join(&entry.file)).unwrap());
    manifest.write(&bench.path("out")).unwrap();
    let list = bench.path("out/manifest.json");
    let before = [fs::read(&path).unwrap(), fs::read(&list).unwrap()];
    for options in [&[][..], &["--claim"]] {
        for is_missing in [false, true] {
            if is_missing {
                fs::remove_file(&path).unwrap();
            }
            let args = [&["--frame-range", "577"], &LARGE[..], options].concat();
            let sum = bytes_read(&bench, "reads", watched(&bench, "reads", &args));
            eprintln!("{options:?}, missing {is_missing}: {sum} bytes, the frame has {size}");
            assert!(sum <= 3 * size, "{options:?} {is_missing}: {sum} > 3 * {size}");
            let after = [fs::read(&path).unwrap(), fs::read(&list).unwrap()];
            assert!(after == before, "{options:?} {is_missing}");
        }
    }
}

#[test]
fn many_who_share_a_folder_read_the_film_twice_at_most() {
    if !can_trace() {
        return;
    }
    const WORKERS: usize = 64;
    let bench = Bench::new(SCENE);
    let args = ["--claim", "--frames", "256"];
    let name = |worker: usize| format!("reads{worker}");
    let start = |worker| watched(&bench, &name(worker), &args);
    let all: Vec<Child> = (0..WORKERS).map(start).collect();
    let read = all.into_iter().enumerate();
    let sum: u64 = read.map(|(worker, child)| bytes_read(&bench, &name(worker), child)).sum();
    let files = (0..256).map(|frame| bench.path(format!("out/frame_{frame:05}.png")));
    let film: u64 = files.map(|path| fs::metadata(path).unwrap().len()).sum();
    eprintln!("{WORKERS} workers read {sum} bytes of a film of {film}");
    assert!(sum <= 2 * film, "{sum} > 2 * {film}");
    // A late process that is alone reads the files written since, and repairs them.
    let late = bytes_read(&bench, "late", watched(&bench, "late", &args));
    assert!(late * 10 <= film, "{late}, {film}");
    let place = bench.path("out/frame_00007.png");
    let whole = fs::read(&place).unwrap();
    let mut damaged = whole.clone();
    damaged[100] ^= 1;
    fs::write(&place, damaged).unwrap();
    let late = bytes_read(&bench, "late", watched(&bench, "late", &args));
    assert!(late * 10 <= film && fs::read(&place).unwrap() == whole, "{late}, {film}");
}

/// Runs catena such that every attempt to lock a file gives this error.
fn without_locks(bench: &Bench, error: &str, args: &[&str]) -> Command {
    let mut command = Command::new("strace");
    command
        .current_dir(bench.path(""))
        .args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=flock"])
        .args(["-e", &format!("inject=flock:error={error}")])
        .arg(crate::catena().get_program())
        .args(args)
        .stderr(Stdio::piped());
    command
}

#[test]
fn without_locks_a_render_goes_on_and_says_so_once() {
    if !can_trace() {
        return;
    }
    let bench = Bench::new(TINY);
    bench.render("whole", &["-q"], 0);
    let whole = bench.tree("whole");
    let render = ["render", "scene.ron", "--out", "out", "--progress", "json"];
    let claim = [&render[..], &["--claim", "--claim-patience", "5"]].concat();
    for error in ["ENOSYS", "EOPNOTSUPP"] {
        // Once more on the complete folder, and then with sharing, from nothing and on the complete
        // folder.
        for args in [&render[..], &render, &claim, &claim] {
            let output = without_locks(&bench, error, args).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{error}: {stderr}");
            let (_, notes) = drawn(&stderr);
            assert_eq!(notes.matches("does not support locks").count(), 1, "{error}: {stderr}");
            assert_eq!(bench.tree("out"), whole, "{error}");
        }
        bench.remove(&["out"]);
        let sweep = ["sweep", "scene.ron", "--axis", "substeps=[8]", "--shard", "1/1"];
        let sweep = [&sweep[..], &["--out", "out"]].concat();
        let output = without_locks(&bench, error, &sweep).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{error}: {stderr}");
        assert_eq!(stderr.matches("does not support locks").count(), 1, "{error}: {stderr}");
        bench.remove(&["out"]);
        let start = |_| without_locks(&bench, error, &claim).spawn().unwrap();
        let first = start(0);
        // Processes that start while another one works join it.
        while !bench.path("out/.catena/claims").is_dir() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let all: Vec<Child> = [first].into_iter().chain((0..3).map(start)).collect();
        for child in all {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        assert_eq!(bench.tree("out"), whole, "{error}");
        bench.remove(&["out"]);
    }
    // Another error is a failure.
    let output = without_locks(&bench, "EIO", &render).output().unwrap();
    assert_eq!(output.status.code(), Some(5));
}

#[test]
fn one_frame_is_a_range_and_who_else_is_refused_is_said_before() {
    let bench = Bench::new(TINY);
    bench.render("whole", &["-q"], 0);
    let (drawn, notes) = bench.drawn("out", &["--frame-range", "7", "--no-steady"]);
    assert_eq!(drawn, 1);
    let name = "frame_00007.png";
    assert_eq!(bench.tree("out")[name], bench.tree("whole")[name]);
    for word in ["other renders into this folder fail", "--claim", "--shard I/N"] {
        assert!(notes.contains(word), "{notes}");
    }
    let (_, notes) = bench.drawn("out", &["--frame-range", "8", "--claim", "--no-steady"]);
    assert!(!notes.contains("refused"), "{notes}");
    let message = bench.render("out", &["--frame-range", "9-8"], 2);
    assert!(message.contains("one frame such as 7"), "{message}");
}

#[test]
fn checkpoints_are_where_they_are_asked_for_and_stay() {
    let bench = Bench::new(TINY);
    let asked: Vec<u64> = (1..=40).map(|i| 5 * i).collect();
    let list: Vec<String> = asked.iter().map(u64::to_string).collect();
    let list = list.join(",");
    let checkpoints = || {
        let names = fs::read_dir(bench.path("out/.catena")).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let frame = |name: String| name.split_once('_')?.1.parse::<u64>().ok();
        let mut frames: Vec<u64> = names.filter_map(frame).collect();
        frames.sort_unstable();
        frames
    };
    let all = [&asked[..], &[202]].concat();
    let seams = ["--frame-range", "202", "--no-steady", "--checkpoint-at", &list];
    bench.drawn("out", &seams);
    assert_eq!(checkpoints(), all);
    // A later render continues from a checkpoint, and removes none; a missing one is written.
    fs::remove_file(bench.path("out/.catena/asked_0000100")).unwrap();
    bench.drawn("out", &["--frame-range", "195-203", "--no-steady", "--checkpoint-every", "1"]);
    let there = checkpoints();
    assert!(asked.iter().all(|frame| there.contains(frame) || *frame == 100), "{there:?}");
    bench.drawn("out", &seams);
    assert!(checkpoints().contains(&100));
    bench.render("whole", &["-q", "--frames", "204", "--no-steady"], 0);
    let (part, whole) = (bench.tree("out"), bench.tree("whole"));
    assert!((195..204).all(|frame| {
        let name = format!("frame_{frame:05}.png");
        part[&name] == whole[&name]
    }));
    for (args, words) in [
        (&["--frames", "20", "--checkpoint-at", "20"][..], "20 is not from 1 to 19"),
        (&["--checkpoint-every", "3", "--checkpoint-at", "3"], "--checkpoint-every"),
        (&["--checkpoint-at", "0"], "whole number"),
    ] {
        let message = bench.render("out", args, 2);
        assert!(message.contains(words), "{args:?}: {message}");
    }
}
