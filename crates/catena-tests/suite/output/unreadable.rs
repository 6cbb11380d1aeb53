//! Records that are temporarily unreadable: nothing is changed, and the same command continues once
//! reading works.
#![cfg(target_os = "linux")]

use super::faults::can_trace;
use crate::rendered::{Bench, TINY, copy};
use catena::output::journal::Journal;
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

/// Runs catena such that calls of this kind on this file fail.
fn failing(bench: &Bench, call: &str, error: &str, file: &str, args: &[&str]) -> Output {
    Command::new("strace")
        .current_dir(bench.path(""))
        .args(["-f", "-qq", "-o", "/dev/null", "-P", file])
        .args(["-e", &format!("trace={call}"), "-e", &format!("inject={call}:error={error}")])
        .arg(crate::catena().get_program())
        .args(args)
        .output()
        .unwrap()
}

#[test]
fn a_record_that_cannot_be_read_is_not_a_broken_one() {
    if !can_trace() {
        return;
    }
    let bench = Bench::new(TINY);
    let render = ["render", "scene.ron", "--out", "out", "-q", "--frames", "3"];
    let shard = ["render", "scene.ron", "--shard", "1/2", "--out", "parts", "-q", "--frames", "3"];
    let sweep =
        ["sweep", "scene.ron", "--axis", "substeps=[8, 9]", "--frames", "3", "--out", "sw", "-q"];
    let film = ["film", "out", "-o", "film.gif", "-q"];
    for args in [&render[..], &shard, &sweep] {
        assert_eq!(bench.run(args).status.code(), Some(0), "{args:?}");
    }
    let cases = [
        ("out/manifest.json", &render[..]),
        ("out/.catena/journal", &render),
        ("out/manifest.json", &film),
        ("parts/shards/0001-of-0002.json", &shard),
        ("sw/sweep.json", &sweep),
    ];
    for (file, args) in cases {
        if file.ends_with("journal") {
            // Another render has left this file.
            drop(Journal::create(&bench.path(file), "key").unwrap());
        }
        assert!(bench.path(file).exists(), "{file}");
        for (call, error) in [("openat", "EIO"), ("openat", "EACCES"), ("read", "EIO")] {
            let folder = file.split('/').next().unwrap();
            let before = bench.path("before");
            copy(&bench.path(folder), &before);
            let run = failing(&bench, call, error, file, args);
            let stderr = String::from_utf8_lossy(&run.stderr);
            assert_eq!(run.status.code(), Some(5), "{file} {call} {error}: {stderr}");
            assert!(stderr.contains("cannot read"), "{file} {call} {error}: {stderr}");
            assert_eq!(all(&bench.path(folder)), all(&before), "{file} {call} {error}: {stderr}");
            fs::remove_dir_all(&before).unwrap();
        }
        let second = bench.run(args);
        let stderr = String::from_utf8_lossy(&second.stderr);
        assert_eq!(second.status.code(), Some(0), "{file}: {stderr}");
    }
}

/// All files of a folder with their bytes, except unfinished files, locks and their holders.
fn all(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            if !["lock", "holder", ".tmp"].iter().any(|part| name.contains(part)) {
                files.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}
