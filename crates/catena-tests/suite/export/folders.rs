//! Export folders: replaced only if they are catena's, and never half written.

use super::BOTH;
use crate::rendered::{Bench, Tree, tree, unfinished};
use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

fn export(bench: &Bench, args: &[&str], code: i32) -> String {
    let all = [&["export", "scene.ron", "--format", "obj", "-o", "obj", "-q"], args].concat();
    let run = bench.run(all);
    let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(code), "{args:?}: {stderr}");
    stderr
}

/// Files of the folder, without catena's list.
fn files(bench: &Bench) -> Tree {
    let mut tree = tree(&bench.path("obj"));
    tree.retain(|name, _| !name.contains("SHA256SUMS"));
    tree
}

#[test]
fn an_older_export_is_replaced_and_nothing_else_is() {
    let bench = Bench::new(BOTH);
    fs::create_dir(bench.path("obj")).unwrap();
    export(&bench, &[], 0);
    let first = files(&bench);
    assert_eq!(first.len(), 6);
    // Another range: no file of the older export stays.
    export(&bench, &["--frames", "3"], 0);
    assert_eq!(files(&bench).len(), 3);
    export(&bench, &[], 0);
    assert_eq!(files(&bench), first);
    // The list equals the output of sha256sum.
    let list = fs::read_to_string(bench.path("obj/.catena/SHA256SUMS")).unwrap();
    for (name, hash) in &first {
        assert!(list.contains(&format!("{hash}  {name}\n")), "{list}");
    }
    // A user's file, a changed file, and a folder.
    fs::write(bench.path("obj/notes.txt"), "mine").unwrap();
    let message = export(&bench, &[], 5);
    assert!(
        message.contains("notes.txt") && message.contains("catena did not write it"),
        "{message}"
    );
    assert_eq!(files(&bench).len(), 7);
    fs::remove_file(bench.path("obj/notes.txt")).unwrap();
    fs::write(bench.path("obj/frame_00002.obj"), "changed").unwrap();
    assert!(export(&bench, &[], 5).contains("frame_00002.obj"));
    assert_eq!(fs::read(bench.path("obj/frame_00002.obj")).unwrap(), b"changed");
    fs::remove_file(bench.path("obj/frame_00002.obj")).unwrap();
    fs::create_dir(bench.path("obj/more")).unwrap();
    assert!(export(&bench, &[], 5).contains("more"));
    fs::remove_dir(bench.path("obj/more")).unwrap();
    export(&bench, &[], 0);
    assert_eq!(files(&bench), first);
    assert_eq!(unfinished(&bench.path("")).len(), 0);
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_a_folder_is_refused() {
    let bench = Bench::new(BOTH);
    fs::create_dir(bench.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(bench.path("elsewhere"), bench.path("obj")).unwrap();
    assert!(export(&bench, &[], 5).contains("it is not a folder"));
    assert_eq!(fs::read_dir(bench.path("elsewhere")).unwrap().count(), 0);
}

/// A scene whose frames take some time each.
const SLOW: &str = "Scene(base: (frames: 4000, substeps: 3000, rope: (nodes: 8)))";

/// Starts an export, and waits until it has begun to write.
#[cfg(unix)]
fn started(bench: &Bench, path: &str, format: &str) -> std::process::Child {
    let before = unfinished(&bench.path(""));
    let child = Command::new(crate::catena().get_program())
        .current_dir(bench.path(""))
        .args(["export", "scene.ron", "--format", format, "-o", path, "-q", "--unlimited"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (start, left) = (Instant::now(), before);
    while unfinished(&bench.path("")).iter().all(|path| left.contains(path)) {
        assert!(start.elapsed() < Duration::from_secs(30), "it never begins");
        thread::sleep(Duration::from_millis(5));
    }
    child
}

#[cfg(unix)]
fn signal(child: &std::process::Child, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

#[cfg(unix)]
#[test]
fn an_interrupted_export_leaves_nothing() {
    for (format, path) in [("obj", "deep/er/obj"), ("vtp", "vtp"), ("usda", "deep/a.usda")] {
        let bench = Bench::new(SLOW);
        let child = started(&bench, path, format);
        signal(&child, "TERM");
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(143), "{format}: {stderr}");
        assert!(
            stderr.contains(&format!("nothing was written to {path}; start again with:")),
            "{stderr}"
        );
        let left: Vec<_> =
            fs::read_dir(bench.path("")).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(left, ["scene.ron"], "{format}");
    }
}

#[cfg(unix)]
#[test]
fn what_a_killed_export_leaves_is_removed_by_the_next_one() {
    let bench = Bench::new(SLOW);
    for (format, path) in [("obj", "obj"), ("glb", "a.glb")] {
        let mut child = started(&bench, path, format);
        signal(&child, "KILL");
        child.wait().unwrap();
        assert!(!bench.path(path).exists());
        assert_eq!(unfinished(&bench.path("")).len(), 1);
        // The next export removes it, but leaves an export that is still being written alone.
        let other = started(&bench, path, format);
        let next = bench.run([
            "export",
            "scene.ron",
            "--frames",
            "1",
            "--format",
            format,
            "-o",
            path,
            "-q",
        ]);
        assert!(next.status.success(), "{}", String::from_utf8_lossy(&next.stderr));
        assert_eq!(unfinished(&bench.path("")).len(), 1);
        signal(&other, "TERM");
        other.wait_with_output().unwrap();
        assert_eq!(unfinished(&bench.path("")).len(), 0);
        assert!(bench.path(path).exists());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_leaves_nothing() {
    use crate::output::faults::{can_trace, injected};
    if !can_trace() {
        return;
    }
    for nth in [1, 3, 6] {
        let bench = Bench::new(BOTH);
        let args = ["export", "scene.ron", "--format", "obj", "-o", "obj", "-q", "--threads", "1"];
        let run = injected(&bench, "write", "error=ENOSPC", nth, &args);
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(5), "{nth}: {stderr}");
        assert!(stderr.contains("No space left"), "{nth}: {stderr}");
        assert!(!Path::new(&bench.path("obj")).exists());
        assert_eq!(unfinished(&bench.path("")).len(), 0, "{nth}");
    }
}
