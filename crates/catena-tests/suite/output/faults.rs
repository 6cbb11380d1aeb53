//! Faults injected by strace into every kind of call that writes: files are complete, the message
//! names the file, and the same command continues. Without strace these tests print a note and
//! pass, unless `CATENA_REQUIRE_STRACE` is set.
#![cfg(target_os = "linux")]

use crate::rendered::{Bench, Tree, is_whole, manifest_is_exact, tree, unfinished};
use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::{ffi::OsStringExt, process::ExitStatusExt},
    path::Path,
    process::{Command, Output},
};

/// Two frames of one rope.
const SCENE: &str =
    "Scene(base: (size: (64, 64), frames: 2, substeps: 32, decoration: Bare, rest: (limit: 3),
    view: (center: (0, 0), extent: (1200, 1200)), rope: (nodes: 3)))";

/// The render into which faults are injected: checkpoints, frames, a figure and the manifest, in
/// this order.
const RENDER: [&str; 9] =
    ["render", "scene.ron", "--out", "out", "-q", "--threads", "1", "--checkpoint-every", "1"];

/// Calls that change the file system; one of the renames gives a file its final name.
const CALLS: &str =
    "write,rename,renameat,renameat2,unlink,unlinkat,mkdir,openat,flock,ftruncate,fdatasync";

/// Runs catena under strace with these options.
pub(crate) fn traced<S: AsRef<OsStr>>(bench: &Bench, options: &[&str], args: &[S]) -> Output {
    Command::new("strace")
        .current_dir(bench.path(""))
        .args(["-f", "-qq", "-o", "strace.txt", "-e", &format!("trace={CALLS}")])
        .args(options)
        .arg(crate::catena().get_program())
        .args(args)
        .output()
        .unwrap()
}

pub(crate) fn injected<S: AsRef<OsStr>>(
    bench: &Bench,
    call: &str,
    fault: &str,
    nth: usize,
    args: &[S],
) -> Output {
    traced(bench, &["-e", &format!("inject={call}:{fault}:when={nth}")], args)
}

/// Whether strace can be used here.
pub(crate) fn can_trace() -> bool {
    let bench = Bench::new(SCENE);
    let tried = Command::new("strace").args(["-f", "-qq", "-o", "/dev/null", "true"]).status();
    let can = tried.is_ok_and(|status| status.success())
        && injected(&bench, "write", "error=ENOSPC", 1, &["methods"]).status.code() == Some(5);
    assert!(
        can || std::env::var_os("CATENA_REQUIRE_STRACE").is_none(),
        "strace is not there, or may not trace"
    );
    if !can {
        eprintln!("not tested: strace is not there, or may not trace");
    }
    can
}

/// The calls of an uninterrupted run. strace counts calls of each kind and thread separately; one
/// thread does the work.
pub(crate) struct Calls(Vec<String>);

impl Calls {
    /// Runs without `made`, which is removed first and again afterwards.
    fn of(bench: &Bench, args: &[&str], made: &str) -> Self {
        let remove = || {
            let _ = fs::remove_dir_all(bench.path(made));
            let _ = fs::remove_file(bench.path(made));
        };
        remove();
        let calls = Self::here(bench, args, 0);
        remove();
        calls
    }

    /// Runs on the current folder; the run must end with this code.
    pub(crate) fn here(bench: &Bench, args: &[&str], code: i32) -> Self {
        let output = traced(bench, &[], args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        let text = fs::read_to_string(bench.path("strace.txt")).unwrap();
        let lines = || text.lines().filter_map(|line| line.split_once(' '));
        // The worker is the thread that gives files their final names.
        let (worker, _) = lines().rfind(|(_, line)| line.trim().starts_with("rename")).unwrap();
        let own = lines().filter(|(id, _)| *id == worker);
        Self(own.map(|(_, line)| line.trim().to_owned()).collect())
    }

    /// All calls, in order.
    pub(crate) fn lines(&self) -> &[String] {
        &self.0
    }

    /// Calls of one kind, in order.
    pub(crate) fn kind(&self, call: &str) -> Vec<&str> {
        let is_it = |line: &&str| line.strip_prefix(call).is_some_and(|rest| rest.starts_with('('));
        self.0.iter().map(String::as_str).filter(is_it).collect()
    }

    /// The call that gives a file its final name on this system.
    pub(crate) fn rename(&self) -> &'static str {
        let all = ["rename", "renameat", "renameat2"];
        all.into_iter().max_by_key(|call| self.kind(call).len()).unwrap()
    }
}

/// A bench with the result of an uninterrupted run as "whole".
fn unbroken() -> (Bench, Tree) {
    let bench = Bench::new(SCENE);
    bench.render("whole", &["-q"], 0);
    let whole = bench.tree("whole");
    (bench, whole)
}

/// Checks the state after a fault: existing files are complete, and the same command without the
/// fault gives the result of an uninterrupted run.
fn resumes(bench: &Bench, whole: &Tree, what: &str) {
    let out = bench.path("out");
    is_whole(&out, whole);
    let second = bench.run(RENDER);
    assert!(second.status.success(), "{what}: {}", String::from_utf8_lossy(&second.stderr));
    assert_eq!(tree(&out), *whole, "{what}");
    assert_eq!(unfinished(&out).len(), 0, "{what}");
    manifest_is_exact(&out);
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn a_kill_at_every_call_that_changes_files_is_gone_on_from() {
    if !can_trace() {
        return;
    }
    let (bench, whole) = unbroken();
    let calls = Calls::of(&bench, &RENDER, "out");
    let (rename, renames) = (calls.rename(), calls.kind(calls.rename()));
    let names: Vec<_> =
        ["manifest.json", "journal", "frame_00001.png", "state_0000001", "steady.png"].into();
    for name in &names {
        assert!(renames.iter().any(|call| call.contains(name)), "{name}: {renames:?}");
    }
    for call in [rename, "write", "unlink", "mkdir", "flock"] {
        let count = calls.kind(call).len();
        assert!(count > 0, "{call}");
        for nth in 1..=count {
            let what = format!("killed at {call} {nth}");
            let killed = injected(&bench, call, "signal=KILL", nth, &RENDER);
            assert_eq!(killed.status.signal(), Some(9), "{what}");
            resumes(&bench, &whole, &what);
        }
    }
}

#[test]
fn a_call_that_fails_is_told_by_the_name_of_the_file() {
    if !can_trace() {
        return;
    }
    let (bench, whole) = unbroken();
    let calls = Calls::of(&bench, &RENDER, "out");
    let rename = calls.rename();
    let is_new = |call: &&&str| call.contains(".part");
    assert!(calls.kind("openat").iter().filter(is_new).count() >= 8);
    // Faults of each kind of call, and the interval at which its calls fail.
    let cases: &[(&str, &[&str], usize)] = &[
        (rename, &["EACCES"], 1),
        (rename, &["ENOSPC", "EIO"], 4),
        ("write", &["ENOSPC"], 1),
        ("write", &["EIO", "EDQUOT"], 4),
        ("openat", &["ENOSPC", "EROFS", "EACCES"], 5),
        ("flock", &["ENOLCK"], 1),
        ("fdatasync", &["EIO"], 1),
    ];
    let mut turn = 0;
    for (call, errors, every) in cases {
        assert!(!calls.kind(call).is_empty(), "{call}");
        for error in *errors {
            for (nth, line) in
                calls.kind(call).iter().enumerate().map(|(index, line)| (index + 1, line))
            {
                turn += 1;
                // A lock that cannot be released explicitly is released when its file is closed.
                let is_other = *call == "openat" && !line.contains(".part");
                if is_other || line.contains("LOCK_UN") || turn % every != 0 {
                    continue;
                }
                let what = format!("{error} at {call} {nth}: {line}");
                let failed = injected(&bench, call, &format!("error={error}"), nth, &RENDER);
                let stderr = String::from_utf8_lossy(&failed.stderr);
                assert_eq!(failed.status.code(), Some(5), "{what}: {stderr}");
                assert_eq!(unfinished(&bench.path("out")).len(), 0, "{what}");
                resumes(&bench, &whole, &what);
                // The thread that prints the message is counted separately, so its first write
                // fails as well.
                if *call == "write" && nth == 1 {
                    continue;
                }
                // The message names the option that led to the file, except for work that continues
                // by itself.
                let is_full = ["ENOSPC", "EDQUOT"].contains(error);
                let begin = if is_full { "error: cannot " } else { "error: --out: cannot " };
                assert!(stderr.starts_with(begin) && stderr.contains("out"), "{what}: {stderr}");
                assert!(!stderr.contains(".part"), "{what}: {stderr}");
                // The message names the final file name.
                if *call == rename {
                    let name = line.split('"').rfind(|part| part.contains('/')).unwrap();
                    assert!(stderr.contains(name), "{what}: {stderr}");
                }
                assert_eq!(is_full, stderr.contains("resume with:\n"), "{what}: {stderr}");
            }
        }
    }
}

#[test]
fn a_table_is_whole_or_not_there() {
    if !can_trace() {
        return;
    }
    let bench = Bench::new(SCENE);
    let trace = ["trace", "scene.ron", "--frames", "300", "-o", "t.csv"];
    assert!(bench.run(trace).status.success());
    let whole = fs::read(bench.path("t.csv")).unwrap();
    let calls = Calls::of(&bench, &trace, "t.csv");
    let (rename, writes) = (calls.rename(), calls.kind("write").len());
    assert!(writes >= 2, "it is written in pieces: {writes}");
    for before in [None, Some("older")] {
        for (call, fault, nth) in [
            ("write", "error=ENOSPC", 1),
            ("write", "error=EIO", writes),
            (rename, "error=EACCES", 1),
            ("write", "signal=KILL", writes),
            (rename, "signal=KILL", 1),
        ] {
            fs::remove_file(bench.path("t.csv")).unwrap_or_default();
            before.inspect(|text| fs::write(bench.path("t.csv"), text).unwrap());
            let failed = injected(&bench, call, fault, nth, &trace);
            if fault == "signal=KILL" {
                assert_eq!(failed.status.signal(), Some(9));
            } else {
                let stderr = String::from_utf8_lossy(&failed.stderr);
                assert_eq!(failed.status.code(), Some(5), "{call} {fault}: {stderr}");
                assert!(
                    stderr.contains("t.csv") && !stderr.contains(".part"),
                    "{call} {fault}: {stderr}"
                );
                assert_eq!(unfinished(&bench.path("")).len(), 0, "{call} {fault}");
            }
            let there = fs::read_to_string(bench.path("t.csv")).ok();
            assert_eq!(there.as_deref(), before, "{call} {fault}");
            // A kill leaves only files without a final name, which the next run removes.
            assert_eq!(unfinished(&bench.path("")).len(), usize::from(fault == "signal=KILL"));
            assert!(bench.run(trace).status.success());
            assert_eq!(unfinished(&bench.path("")).len(), 0, "{call} {fault}");
        }
    }
    assert!(bench.run(trace).status.success());
    assert_eq!(fs::read(bench.path("t.csv")).unwrap(), whole);
}

#[test]
fn a_report_without_a_first_page_leaves_nothing() {
    if !can_trace() {
        return;
    }
    let bench = Bench::new(
        "Scene(base: (size: (64, 64), frames: 2, substeps: 1, frame_time: 0.05, decoration: Bare, rest: (limit: 2), rope: (nodes: 3)))",
    );
    let report = ["report", "scene.ron", "--out", "out", "--threads", "1", "-q"];
    let failed = injected(&bench, "write", "error=ENOSPC", 3, &report);
    let stderr = String::from_utf8_lossy(&failed.stderr);
    assert_eq!(failed.status.code(), Some(5), "{stderr}");
    assert!(stderr.contains("cannot write out/") && !stderr.contains(".part"), "{stderr}");
    assert!(!bench.path("out").exists(), "there was none before");
}

#[test]
fn too_little_memory_is_said() {
    let bench = Bench::new(SCENE);
    let catena = crate::catena();
    let catena = catena.get_program().to_str().unwrap();
    for (options, code, word) in [
        ("--size 8000x2000 --threads 2", 5, "memory"),
        ("--size 4096x4096 --threads 1000", 5, "memory"),
        ("--set rope.nodes=100000000", 3, "rope.nodes"),
        ("--set rope.nodes=1000 --threads 2", 0, ""),
    ] {
        let script = format!(
            "ulimit -v 400000; exec '{catena}' render scene.ron --out out -q --no-steady {options}"
        );
        let run =
            Command::new("sh").current_dir(bench.path("")).args(["-c", &script]).output().unwrap();
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(code), "{options}: {stderr}");
        assert!(stderr.contains(word), "{options}: {stderr}");
        assert_eq!(code == 0, bench.path("out").exists(), "{options}");
    }
}

#[test]
fn what_cannot_be_written_to_is_said_before_anything_is_simulated() {
    // A run of this scene would take hours.
    let bench = Bench::new("Scene(base: (substeps: 1000000, frames: 1000, rope: (nodes: 2000)))");
    // No user can create a file there, not even root.
    for args in [
        &["render", "scene.ron", "--out", "/proc/self", "-q"][..],
        &["render", "scene.ron", "--out", "/proc/nothing", "-q"],
        &["render", "scene.ron", "--out", "/proc/self", "-q", "--claim"],
        &["trace", "scene.ron", "-o", "/proc/self/t.csv"],
        &["report", "scene.ron", "--out", "/proc/self", "-q"],
    ] {
        let output = bench.run([args, &["--unlimited"]].concat());
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{args:?}: {stderr}");
        assert!(stderr.contains("/proc/") && !stderr.contains(".part"), "{args:?}: {stderr}");
    }
    if can_trace() {
        let small = Bench::new(SCENE);
        let calls = Calls::of(&small, &RENDER, "out");
        let first = calls.kind("openat").iter().position(|call| call.contains(".part"));
        for error in ["EROFS", "EACCES"] {
            let nth = first.unwrap() + 1;
            let args = [&RENDER[..], &["--unlimited"]].concat();
            let output = injected(&bench, "openat", &format!("error={error}"), nth, &args);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(5), "{error}: {stderr}");
            assert!(stderr.contains("cannot write to the folder out"), "{error}: {stderr}");
        }
    }
}

#[test]
fn a_reader_who_goes_away_hears_no_complaint() {
    let bench = Bench::new(SCENE);
    let catena = crate::catena();
    let catena = catena.get_program().to_str().unwrap();
    for command in
        ["trace scene.ron --frames 2000", "trace scene.ron --frames 2000 --format npy", "methods"]
    {
        // The reader closes the pipe before anything is written.
        let script = format!("{{ '{catena}' {command}; echo $? > code; }} 2> said | true");
        let run = Command::new("sh").current_dir(bench.path("")).args(["-c", &script]).status();
        assert!(run.unwrap().success());
        assert_eq!(fs::read_to_string(bench.path("code")).unwrap(), "0\n", "{command}");
        assert_eq!(fs::read_to_string(bench.path("said")).unwrap(), "", "{command}");
    }
    // A full disk is a different error.
    for command in
        ["trace scene.ron > /dev/full", "trace scene.ron -o /dev/full", "methods > /dev/full"]
    {
        let script = format!("'{catena}' {command}");
        let run =
            Command::new("sh").current_dir(bench.path("")).args(["-c", &script]).output().unwrap();
        assert_eq!(run.status.code(), Some(5), "{command}");
        assert!(!run.stderr.is_empty(), "{command}");
    }
}

#[test]
fn odd_folders_are_folders() {
    let (bench, whole) = unbroken();
    let names: [&[u8]; 8] = [
        b"100%d",
        b"-dash",
        b"a b",
        b"it's $HOME",
        b"\xe7\xb9\xa9",
        b"two\nlines",
        b"\xff\xfe.\x80",
        b"*?[x]",
    ];
    let can_trace = can_trace();
    for name in names {
        let name = OsString::from_vec(name.to_vec());
        let mut out = OsString::from("--out=");
        out.push(&name);
        let args: Vec<OsString> =
            ["render", "scene.ron", "-q"].map(Into::into).into_iter().chain([out]).collect();
        if can_trace {
            // The disk is full at the last file, and the proposed command is run in a shell.
            let output = injected(&bench, "write", "error=ENOSPC", 5, &args);
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(5), "{name:?}: {stderr}");
            let resume = stderr.split_once("resume with:\n  ").unwrap().1.trim_end();
            let run = Command::new("sh").current_dir(bench.path("")).args(["-c", resume]).output();
            let run = run.unwrap();
            assert!(run.status.success(), "{resume}: {}", String::from_utf8_lossy(&run.stderr));
            assert_eq!(tree(&bench.path(&name)), whole, "{resume}");
        }
        assert!(bench.run(&args).status.success(), "{name:?}");
        assert_eq!(tree(&bench.path(Path::new(&name))), whole, "{name:?}");
    }
}
