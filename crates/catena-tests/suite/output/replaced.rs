//! Faults while one result replaces another: at every moment, all files named by a manifest or a
//! page exist.
#![cfg(target_os = "linux")]

use crate::{
    output::faults::{Calls, can_trace, injected},
    rendered::{Bench, Tree, copy, tree, unfinished},
};
use catena::output::{hash::sha256, manifest::Manifest};
use std::{fs, os::unix::process::ExitStatusExt, path::Path};

const SCENE: &str =
    "Scene(base: (size: (64, 64), frames: 3, substeps: 32, decoration: Bare, rest: (limit: 3),
    view: (center: (0, 0), extent: (1200, 1200)), rope: (nodes: 3)))";

/// Checks that all files named by the manifest of a folder exist.
fn manifest_is_true(out: &Path, what: &str) {
    let Some(manifest) = Manifest::read(out).unwrap() else { return };
    let frames = manifest.frames.iter().map(|entry| (&entry.file, &entry.sha256));
    let steady = manifest.steady.iter().map(|steady| (&steady.file, &steady.sha256));
    for (file, hash) in frames.chain(steady) {
        let bytes =
            fs::read(out.join(file)).unwrap_or_else(|error| panic!("{what}: {file}: {error}"));
        assert_eq!(sha256(&bytes), *hash, "{what}: {file}");
    }
}

#[test]
fn a_manifest_names_only_what_is_there_at_every_moment() {
    if !can_trace() {
        return;
    }
    let bench = Bench::new(SCENE);
    let render: Vec<&str> = "render scene.ron --out out -q --threads 1".split(' ').collect();
    bench.render("before", &["-q", "--threads", "1"], 0);
    // Another scene, first longer and then shorter, and fewer frames of the same scene.
    for more in ["--set drag=0.5", "--set drag=0.5 --frames 2 --no-steady", "--frames 1"] {
        let args: Vec<&str> = render.iter().copied().chain(more.split(' ')).collect();
        copy(&bench.path("before"), &bench.path("out"));
        let calls = Calls::here(&bench, &args, 0);
        let after = bench.tree("out");
        bench.remove(&["out"]);
        let rename = calls.rename();
        // The record of the removals is on disk before the manifest that omits them.
        let names = |line: &String| line.starts_with(rename) && line.contains("/former\"");
        let at = calls.lines().iter().position(names).unwrap();
        let is_step = |line: &&String| line.starts_with("fdatasync") || line.starts_with(rename);
        let before = calls.lines()[..at].iter().rfind(is_step);
        assert!(before.is_some_and(|line| line.starts_with("fdatasync")), "{more}: {before:?}");
        assert!(calls.kind("unlink").len() >= 2, "{more}");
        for (call, faults, every) in [
            ("unlink", &[KILL, "error=EACCES"][..], 1),
            (rename, &[KILL, "error=EIO"], 1),
            ("write", &[KILL, "error=ENOSPC"], 2),
            ("fdatasync", &[KILL, "error=EIO"], 1),
        ] {
            for (fault, nth) in faults
                .iter()
                .flat_map(|fault| (1..=calls.kind(call).len()).map(move |nth| (fault, nth)))
                .filter(|(_, nth)| nth % every == 0)
            {
                let what = format!("{more}: {fault} at {call} {nth}");
                copy(&bench.path("before"), &bench.path("out"));
                let faulty = injected(&bench, call, fault, nth, &args);
                if *fault == KILL {
                    assert_eq!(faulty.status.signal(), Some(9), "{what}");
                }
                manifest_is_true(&bench.path("out"), &what);
                let second = bench.run(&args);
                let stderr = String::from_utf8_lossy(&second.stderr);
                assert!(second.status.success(), "{what}: {stderr}");
                assert_eq!(bench.tree("out"), after, "{what}");
                assert_eq!(unfinished(&bench.path("out")).len(), 0, "{what}");
                bench.remove(&["out"]);
            }
        }
    }
}

/// Checks that a page is either the old one or the new one, with all its files. A page that
/// announces more shows files of the new one.
fn page_is_true(out: &Path, versions: [&Tree; 2], what: &str) {
    let there = tree(out);
    let Some(page) = there.get("index.html") else { return };
    let text = fs::read_to_string(out.join("index.html")).unwrap();
    if text.contains("Still to come") {
        let shown = text.split("<figure id=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
        for name in shown.flat_map(|name| ENDINGS.map(|ending| format!("{name}.{ending}"))) {
            assert_eq!(there.get(&name), versions[1].get(&name), "{what}: {name}");
        }
        return;
    }
    let version = versions.into_iter().find(|version| version.get("index.html") == Some(page));
    let version = version.unwrap_or_else(|| panic!("{what}: a page that is neither old nor new"));
    for (name, hash) in version {
        assert_eq!(there.get(name), Some(hash), "{what}: {name}");
    }
}

/// The files of a figure.
const ENDINGS: [&str; 4] = ["csv", "pdf", "png", "svg"];

/// A call, its fault, and the indices of the failing calls of this kind (`None`: all).
type Fault<'a> = (&'a str, &'a str, Option<&'a [usize]>);

/// The call that gives a file its final name.
const NAMING: &str = "rename";

/// Runs a command that replaces the page in "out" with each of these faults, and then without
/// faults.
fn replaces(bench: &Bench, args: &[&str], code: i32, faults: &[Fault<'_>]) {
    copy(&bench.path("before"), &bench.path("out"));
    let before = bench.tree("out");
    let calls = Calls::here(bench, args, code);
    let after = bench.tree("out");
    assert_ne!(before, after);
    bench.remove(&["out"]);
    for (call, fault, which) in faults {
        let (call, is_kill) = (if *call == NAMING { calls.rename() } else { call }, *fault == KILL);
        let all = calls.kind(call);
        assert!(!all.is_empty(), "{call}");
        for (nth, line) in (1..).zip(all) {
            // An unfinished file that cannot be removed stays, of course.
            let is_own = call == "unlink" && !is_kill && line.contains(".part");
            if is_own || which.is_some_and(|which| !which.contains(&nth)) {
                continue;
            }
            let what = format!("{fault} at {call} {nth}: {line}");
            copy(&bench.path("before"), &bench.path("out"));
            let faulty = injected(bench, call, fault, nth, args);
            let stderr = String::from_utf8_lossy(&faulty.stderr);
            if is_kill {
                assert_eq!(faulty.status.signal(), Some(9), "{what}");
            } else {
                assert_eq!(unfinished(&bench.path("out")).len(), 0, "{what}: {stderr}");
            }
            page_is_true(&bench.path("out"), [&before, &after], &what);
            let second = bench.run(args);
            let stderr = String::from_utf8_lossy(&second.stderr);
            assert_eq!(second.status.code(), Some(code), "{what}: {stderr}");
            assert_eq!(bench.tree("out"), after, "{what}");
            assert_eq!(unfinished(&bench.path("out")).len(), 0, "{what}");
            bench.remove(&["out"]);
        }
    }
}

const KILL: &str = "signal=KILL";

#[test]
fn failures_of_a_comparison_are_those_of_one_comparison() {
    if !can_trace() {
        return;
    }
    let bench = Bench::new(SCENE);
    bench.render("e", &["-q", "--no-steady"], 0);
    bench.render(
        "a",
        &["-q", "--no-steady", "--set", "drag=0.5", "--set", "background=\"#102030\""],
        0,
    );
    let diff = ["diff", "e", "a", "--out", "out", "--threads", "1"];
    assert_eq!(bench.run(diff).status.code(), Some(1));
    // The page, its style and its script, and one sheet for each of three failures.
    assert_eq!(bench.tree("out").len(), 6);
    fs::rename(bench.path("out"), bench.path("before")).unwrap();
    // One picture is correct now, and one fails in another way.
    fs::copy(bench.path("e/frame_00000.png"), bench.path("a/frame_00000.png")).unwrap();
    fs::copy(bench.path("a/frame_00002.png"), bench.path("e/frame_00001.png")).unwrap();
    let faults = [
        ("unlink", KILL, None),
        ("unlink", "error=EACCES", None),
        (NAMING, KILL, None),
        (NAMING, "error=EIO", None),
        ("write", "error=ENOSPC", None),
        ("fdatasync", "error=EIO", None),
    ];
    replaces(&bench, &diff, 1, &faults);

    // An obstacle leaves everything unchanged.
    copy(&bench.path("before"), &bench.path("out"));
    fs::remove_file(bench.path("out/frame_00001.png")).unwrap();
    let there = bench.tree("out");
    fs::create_dir(bench.path("out/frame_00001.png")).unwrap();
    let refused = bench.run(diff);
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(5));
    assert!(stderr.contains("frame_00001.png") && stderr.contains("move it"), "{stderr}");
    fs::remove_dir(bench.path("out/frame_00001.png")).unwrap();
    assert_eq!(bench.tree("out"), there);
}

#[test]
fn a_report_takes_the_place_of_another_as_a_whole() {
    if !can_trace() {
        return;
    }
    let bench = Bench::new(
        "Scene(base: (size: (64, 64), frames: 2, substeps: 1, frame_time: 0.05, decoration: Bare, rest: (limit: 2), rope: (nodes: 3)))",
    );
    let report: Vec<&str> =
        "report scene.ron --out out --threads 1 -q --study-time 0.1".split(' ').collect();
    assert!(bench.run(&report).status.success());
    fs::rename(bench.path("out"), bench.path("before")).unwrap();
    let args = [&report[..], &["--set", "drag=0.5"]].concat();
    // A report is slow, and the naming of its files is tested with comparisons: here, one fault
    // before, one in the middle and one at the end.
    let faults: [Fault<'_>; 3] = [
        ("fdatasync", "error=EIO", Some(&[20])),
        (NAMING, KILL, Some(&[20])),
        ("unlink", KILL, Some(&[3])),
    ];
    replaces(&bench, &args, 0, &faults);
}
