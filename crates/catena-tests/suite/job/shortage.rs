//! Unavailable threads, memory or address space: a message and exit code 5, or fewer threads, but
//! never a hang.
#![cfg(target_os = "linux")]

use crate::output::faults::can_trace;
use crate::rendered::{Bench, TINY, shell, tree, unfinished};
use std::{
    fs,
    process::{Command, Output},
};

/// Commands that use threads, and one that does not.
const COMMANDS: [&str; 7] = [
    "render scene.ron --out out --no-steady --frames 4",
    "render scene.ron --film film.gif --frames 4 -q",
    "film frames -o film.gif -q",
    "diff frames frames -q",
    "stability scene.ron --frames 2",
    "verify --only energy",
    "trace scene.ron -o table.csv",
];

fn bench() -> Bench {
    let bench = Bench::new(TINY);
    bench.render("frames", &["-q", "--no-steady", "--frames", "4"], 0);
    bench
}

/// Runs catena, and makes the system refuse some of the threads and programs that each of its
/// threads starts.
fn refusing(bench: &Bench, which: &str, command: &str) -> Output {
    Command::new("timeout")
        .current_dir(bench.path(""))
        .args(["60", "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=clone,clone3"])
        .args(["-e", &format!("inject=clone,clone3:error=EAGAIN:when={which}")])
        .arg(crate::catena().get_program())
        .args(command.split(' '))
        .output()
        .unwrap()
}

#[test]
fn without_threads_one_does_all_the_work() {
    if !can_trace() {
        return;
    }
    let bench = bench();
    bench.render("whole", &["-q", "--no-steady", "--frames", "4"], 0);
    let whole = bench.tree("whole");
    for command in COMMANDS {
        // The system refuses every thread, or all but the first.
        for when in ["1+", "2+"] {
            let has_option = !["film", "trace"].iter().any(|name| command.starts_with(name));
            let threads = if has_option { " --threads 4" } else { "" };
            let run = refusing(&bench, when, &format!("{command}{threads}"));
            let stderr = String::from_utf8_lossy(&run.stderr);
            assert_eq!(run.status.code(), Some(0), "{command}: {stderr}");
            if command.starts_with("render scene.ron --out") {
                assert!(stderr.contains("note: render runs with 1 of 4 threads"), "{stderr}");
                assert_eq!(tree(&bench.path("out")), whole);
                fs::remove_dir_all(bench.path("out")).unwrap();
            }
        }
    }
}

#[test]
fn a_film_needs_threads_for_ffmpeg() {
    if !can_trace() {
        return;
    }
    let bench = bench();
    let takes_all =
        "#!/bin/sh\ncat > /dev/null; for last; do :; done; echo film > \"${last#file:}\"\n";
    fs::write(bench.path("ffmpeg"), takes_all).unwrap();
    fs::write(bench.path("ffprobe"), "#!/bin/sh\necho 4\n").unwrap();
    assert!(shell(&bench, "chmod +x ffmpeg ffprobe").status.success());
    let args = "film frames -o film.mp4 --ffmpeg ./ffmpeg -q";
    let mut refused = 0;
    for nth in 1..=7 {
        // Each thread is counted separately; programs are started with the same call.
        let run = refusing(&bench, &nth.to_string(), args);
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert!(matches!(run.status.code(), Some(0 | 5)), "{nth}: {stderr}");
        assert_eq!(
            run.status.code() == Some(5),
            stderr.contains("cannot start"),
            "{nth}: {stderr}"
        );
        assert_eq!(unfinished(&bench.path("")).len(), 0, "{nth}");
        refused += usize::from(run.status.code() == Some(5));
    }
    assert!(refused > 0);
}

#[test]
fn too_little_memory_is_a_message_and_an_exit_code() {
    let bench = bench();
    let large =
        "render scene.ron --out large --no-steady -q --frames 2 --size 2000x1500 --threads 2";
    let starts = |limit: &u64| {
        shell(&bench, &format!("ulimit -v {limit}; catena --version")).status.success()
    };
    let start = (30_000..90_000).step_by(1000).find(starts).unwrap();
    let mut refused = 0;
    for (index, command) in COMMANDS.into_iter().chain([large]).enumerate() {
        // From there to the limit at which everything fits, at irregular points.
        for step in 0..5_u64 {
            let limit = start + 1000 + step * 25_000 + 3_301 * index as u64;
            let run = shell(&bench, &format!("ulimit -v {limit}; catena {command}"));
            let stderr = String::from_utf8_lossy(&run.stderr);
            let code = run.status.code();
            assert!(matches!(code, Some(0 | 5)), "{limit}: {command}: {code:?} {stderr}");
            assert_eq!(code == Some(5), stderr.contains("memory"), "{limit}: {command}: {stderr}");
            refused += usize::from(code == Some(5));
        }
    }
    assert!(refused > 8, "{refused}");
}

#[test]
fn a_limit_on_the_size_of_files_is_a_full_disk() {
    let bench = bench();
    for (command, name) in [
        ("trace scene.ron --frames 500 -o table.csv", "table.csv"),
        ("render scene.ron --film film.raw -q", "film.raw"),
        ("film frames -o film.y4m", "film.y4m"),
        ("render scene.ron --out out --size 600x600 -q", "out/"),
    ] {
        let run = shell(&bench, &format!("ulimit -f 8; catena {command}"));
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(5), "{command}: {stderr}");
        assert!(stderr.contains(&format!("cannot write {name}")), "{command}: {stderr}");
        assert!(stderr.contains("File too large"), "{command}: {stderr}");
        assert_eq!(unfinished(&bench.path("")).len(), 0, "{command}");
        assert!(!bench.path(name).is_file(), "{command}");
    }
}

/// Commands that start threads only on demand.
const LATE: [&str; 5] = [
    "check scene.ron",
    "job scene.ron --for slurm --shards 2",
    "sweep scene.ron --axis substeps=[8,9] --frames 2 --out sweep -q",
    "export scene.ron -o rope.glb --frames 2 -q",
    "render scene.ron --out shared --no-steady --frames 4 --claim -q",
];

#[test]
fn threads_that_are_asked_for_late_may_be_refused() {
    if !can_trace() {
        return;
    }
    let bench = bench();
    for command in LATE {
        let whole = bench.run(command.split(' '));
        assert_eq!(whole.status.code(), Some(0), "{command}");
        for when in ["1+", "2+", "3+"] {
            let run = refusing(&bench, when, command);
            let stderr = String::from_utf8_lossy(&run.stderr);
            assert_eq!(run.status.code(), Some(0), "{when}: {command}: {stderr}");
            assert!(!stderr.contains("panicked"), "{when}: {command}: {stderr}");
            assert_eq!(run.stdout, whole.stdout, "{when}: {command}");
        }
    }
}

#[test]
fn little_data_is_a_message_and_an_exit_code() {
    let bench = bench();
    let (mut refused, mut done) = (0, 0);
    for command in LATE.into_iter().chain(COMMANDS) {
        // Begins where the program can start at all. With RUST_BACKTRACE, the standard library
        // requests more memory after it has run out of memory.
        for limit in [5_000, 9_000, 14_000, 400_000] {
            let line = format!("ulimit -d {limit}; RUST_BACKTRACE=1 catena {command}");
            let run = shell(&bench, &line);
            let stderr = String::from_utf8_lossy(&run.stderr);
            let code = run.status.code();
            assert!(matches!(code, Some(0 | 5)), "{limit}: {command}: {code:?} {stderr}");
            assert!(!stderr.contains("panicked"), "{limit}: {command}: {stderr}");
            (refused, done) =
                (refused + u32::from(code == Some(5)), done + u32::from(code == Some(0)));
        }
    }
    assert!(refused > 10 && done > 10, "{refused} {done}");
}

#[test]
fn a_page_that_gets_no_thread_is_a_message() {
    if !can_trace() {
        return;
    }
    let bench = bench();
    let run = refusing(&bench, "1+", "watch scene.ron --serve 39817 --frames 2");
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(5), "{stderr}");
    assert!(stderr.contains("cannot serve at 127.0.0.1:"), "{stderr}");
    assert!(stderr.contains("the system cannot start a thread"), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
}
