//! Several renders that share a folder: each frame is drawn once, and unfinished work of one
//! process is done by another.
#![cfg(unix)]

use crate::{
    job::signals::{Running, SLOW},
    rendered::{Bench, TINY, Tree, drawn, is_whole, manifest_is_exact, unfinished},
};
use catena::output::{
    claim::{Claim, ClaimOutcome, Claims},
    folder::Folder,
    journal::JournalContents,
    lock::{Lock, LockMode},
    manifest::Manifest,
};
use catena::threads::spawn_scoped;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, SystemTime},
};

const CLAIM: [&str; 3] = ["--claim", "--claim-patience", "1"];

fn with<'a>(options: &[&'a str]) -> Vec<&'a str> {
    [&CLAIM[..], options].concat()
}

/// Joins the sharing of "out" without drawing, so that no other process is the last one to leave
/// and its claims can be inspected.
fn guest(bench: &Bench) -> Folder {
    loop {
        // The folder is not ready before there is a manifest.
        if bench.path("out/manifest.json").is_file()
            && let Ok(Some(folder)) = Folder::try_open(&bench.path("out"), LockMode::Shared)
        {
            return folder;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Contents of all claims on the frames from 0 to below `frames`, by file name.
fn claims(folder: &Folder, frames: u64) -> BTreeMap<String, JournalContents> {
    let files = fs::read_dir(folder.claims(&(0..frames))).into_iter().flatten();
    let past = |path: PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        Some((name, JournalContents::read(&path).ok()??))
    };
    files.filter_map(|file| past(file.unwrap().path())).collect()
}

/// Number of drawings of each frame, according to the claims.
fn times(claims: &BTreeMap<String, JournalContents>) -> BTreeMap<u64, usize> {
    let mut times = BTreeMap::new();
    for entry in claims.values().flat_map(|past| &past.entries) {
        *times.entry(entry.frame).or_default() += 1;
    }
    times
}

/// A bench with the result of an uninterrupted run as "whole".
fn bench(scene: &str, args: &[&str]) -> (Bench, Tree) {
    let bench = Bench::new(scene);
    bench.render("whole", &[&["-q"], args].concat(), 0);
    let whole = bench.tree("whole");
    (bench, whole)
}

#[test]
fn those_who_share_a_folder_draw_each_frame_once() {
    for workers in [1, 2, 3] {
        let (bench, whole) = bench(TINY, &["--frames", "100"]);
        let options = with(&["--frames", "100", "--progress", "json"]);
        let first = Running::start(&bench, &options);
        let guest = guest(&bench);
        let others: Vec<Running> = (1..workers).map(|_| Running::start(&bench, &options)).collect();
        for running in [first].into_iter().chain(others) {
            let ended = running.end();
            assert_eq!(ended.status.code(), Some(0), "{}", ended.message);
        }
        assert_eq!(bench.tree("out"), whole, "{workers}");
        let times = times(&claims(&guest, 100));
        assert!(times.keys().copied().eq(0..100), "{workers}: {times:?}");
        assert!(times.values().all(|times| *times == 1), "{workers}: {times:?}");
        // The last process to leave cleans up, and another one finds nothing to do.
        drop(guest);
        assert_eq!(bench.drawn("out", &with(&["--frames", "100"])).0, 0);
        assert!(!bench.path("out/.catena/claims").exists());
        assert_eq!(unfinished(&bench.path("out")).len(), 0);
        assert_eq!(bench.tree("out"), whole, "{workers}");
        assert_eq!(bench.drawn("out", &["--frames", "100"]).0, 0, "nor does one alone");
    }
}

/// A claim by this process on the first 32 of 40 frames, without further signs of life.
fn silent(bench: &Bench) -> (Folder, Claims, Claim) {
    bench.render("out", &["-q", "--claim", "--frame-range", "0-0", "--no-steady"], 0);
    let folder = guest(bench);
    let key = Manifest::read(&bench.path("out")).unwrap().unwrap().source.key();
    let patience = Duration::from_secs(1);
    let mut claims = Claims::open(&folder.claims(&(0..40)), &key, patience).unwrap();
    let ClaimOutcome::Claimed(claim) = claims.claim(0).unwrap() else {
        panic!("nobody else has it")
    };
    (folder, claims, claim)
}

/// File times do not decide about a claim. Each case waits for a second, and all cases run in
/// parallel.
#[test]
fn a_claim_without_a_sign_of_life_is_taken_over_whatever_its_files_say_of_time() {
    let day = Duration::from_secs(86_400);
    let times = [None, Some(SystemTime::UNIX_EPOCH + day), Some(SystemTime::now() + 20_000 * day)];
    thread::scope(|scope| {
        for time in times {
            spawn_scoped(scope, "claim", move || is_taken_over(time)).unwrap();
        }
    });
}

/// Renders while there is a silent claim whose file has this time.
fn is_taken_over(time: Option<SystemTime>) {
    let (bench, whole) = bench(TINY, &["--frames", "40"]);
    let (folder, mine, claim) = silent(&bench);
    let file = folder.claims(&(0..40)).join("000000.0");
    if let Some(time) = time {
        fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
    }
    let (drawn, _) = drawn_by_one(&bench);
    assert_eq!(drawn, 39, "frame 0 was there");
    assert_eq!(bench.tree("out"), whole);
    assert!(!mine.is_mine(&claim), "one who slept for too long has lost it");
    let claims = claims(&folder, 40);
    let names: Vec<&str> = claims.keys().map(String::as_str).collect();
    // Two pieces, the comparison, and the check of all files.
    assert_eq!(names, ["000000.0", "000000.1", "000001.0", "000002.0", "000003.0"]);
    assert!(claims["000000.0"].entries.is_empty());
    assert_eq!(claims["000000.1"].entries.len(), 31);
}

fn drawn_by_one(bench: &Bench) -> (usize, String) {
    let message = bench.render("out", &with(&["--frames", "40", "--progress", "json"]), 0);
    drawn(&message);
    let folder = guest(bench);
    (times(&claims(&folder, 40)).values().sum(), message)
}

#[test]
fn who_shows_signs_of_life_keeps_its_claim_and_who_says_goodbye_does_not() {
    let (bench, whole) = bench(TINY, &["--frames", "40"]);
    let (folder, mine, claim) = silent(&bench);
    let other = Running::start(&bench, &with(&["-q", "--frames", "40"]));
    // Longer than the other process's patience.
    for _ in 0..15 {
        claim.journal.heartbeat().unwrap();
        thread::sleep(Duration::from_millis(100));
    }
    assert!(mine.is_mine(&claim));
    assert_eq!(is_whole(&bench.path("out"), &whole), 9, "the other piece, and frame 0");
    claim.journal.mark_left().unwrap();
    let ended = other.end();
    assert_eq!(ended.status.code(), Some(0), "{}", ended.message);
    assert_eq!(bench.tree("out"), whole);
    drop(folder);
}

#[test]
fn a_piece_that_ends_while_others_look_at_it_is_claimed_once() {
    const PIECES: u64 = 300;
    let folder = tempfile::tempdir().unwrap();
    let open = || Claims::open(folder.path(), "key", Duration::from_secs(60)).unwrap();
    let mut holder = open();
    for piece in 0..PIECES {
        let Ok(ClaimOutcome::Claimed(claim)) = holder.claim(piece) else { panic!("nobody has it") };
        let look = || {
            let mut others = open();
            loop {
                match others.claim(piece).unwrap() {
                    ClaimOutcome::Done => break,
                    ClaimOutcome::Taken => thread::yield_now(),
                    ClaimOutcome::Claimed(_) => panic!("piece {piece} was finished before"),
                }
            }
        };
        thread::scope(|scope| {
            (0..4).for_each(|_| drop(spawn_scoped(scope, "look", look).unwrap()));
            holder.finish(piece, &piece).unwrap();
            claim.journal.mark_left().unwrap();
        });
    }
}

#[test]
fn a_piece_of_one_who_was_killed_or_stopped_is_finished_by_another() {
    // The other processes wait for a second before they take over, so the cases run in parallel.
    thread::scope(|scope| {
        for signal in ["KILL", "STOP", "INT"] {
            spawn_scoped(scope, "piece", move || is_finished_by_another(signal)).unwrap();
        }
    });
}

/// Sends a signal to a render during its first piece, and renders again.
fn is_finished_by_another(signal: &str) {
    let (bench, whole) = bench(SLOW, &[]);
    let (guest, running) = loop {
        let mut running = Running::start(&bench, &with(&["-q"]));
        let guest = guest(&bench);
        let has_drawn = |out: &Path| {
            JournalContents::read(&out.join(".catena/claims/0-39/000000.0"))
                .unwrap()
                .is_some_and(|past| past.entries.len() >= 2)
        };
        if running.until(has_drawn) {
            running.send(signal);
            // On a busy machine, the signal may come after the first piece.
            if !claims(&guest, 40).contains_key("000001.0") {
                break (guest, running);
            }
            running.send("KILL");
            running.end();
        }
        drop(guest);
        bench.remove(&["out"]);
    };
    is_whole(&bench.path("out"), &whole);
    let left = if signal == "KILL" {
        // A process that waits for its disk ends some time later.
        running.end();
        None
    } else if signal == "INT" {
        let ended = running.end();
        assert_eq!(ended.status.code(), Some(130), "{}", ended.message);
        let there = manifest_is_exact(&bench.path("out"));
        let message = format!("interrupted with {there} of 40 frames in out");
        assert!(there >= 2 && ended.message.contains(&message), "{there}: {}", ended.message);
        None
    } else {
        Some(running)
    };
    // An interrupted process has released its claim: no process waits for it.
    let options = if signal == "INT" { vec!["-q", "--claim"] } else { with(&["-q"]) };
    bench.render("out", &options, 0);
    // The next process that is alone removes unfinished files of the killed one, which the guest
    // prevents here.
    let mut tree = bench.tree("out");
    tree.retain(|name, _| !name.ends_with(".part"));
    assert_eq!(tree, whole, "{signal}");
    let claims = claims(&guest, 40);
    assert!(claims.contains_key("000000.1"), "{signal}: {:?}", claims.keys());
    let (first, second) = (&claims["000000.0"], &claims["000000.1"]);
    assert!(first.holder != second.holder && first.entries.len() >= 2, "{signal}");
    if signal != "STOP" {
        assert!(times(&claims).values().all(|times| *times == 1), "{signal}");
    }
    if signal == "STOP" {
        let running = left.unwrap();
        running.send("CONT");
        let ended = running.end();
        assert_eq!(ended.status.code(), Some(0), "{}", ended.message);
        assert_eq!(bench.tree("out"), whole, "{signal}");
    }
}

#[test]
fn only_the_same_render_can_share_a_folder() {
    let (bench, _) = bench(TINY, &["--frames", "2"]);
    bench.render("out", &["-q", "--claim", "--frames", "2"], 0);
    let guest = guest(&bench);
    let before = bench.tree("out");
    for (options, word) in [
        (&["--claim", "--set", "drag=0.5"][..], "--out"),
        (&["--claim", "--size", "80x80"], "--out"),
        (&[], "--claim"),
        (&["--frame-range", "1-1"], "--claim"),
    ] {
        let message = bench.render("out", &[&["-q"], options].concat(), 5);
        assert!(message.contains(word) && message.contains("out"), "{options:?}: {message}");
        assert_eq!(bench.tree("out"), before, "{options:?}");
    }
    drop(guest);
    bench.render("out", &["-q", "--claim", "--frames", "2", "--set", "drag=0.5"], 0);
    assert_ne!(bench.tree("out"), before);
}

#[test]
fn two_ranges_can_be_drawn_at_once_and_damage_is_made_good() {
    let (bench, whole) = bench(TINY, &["--frames", "80", "--no-steady"]);
    let range =
        |range| Running::start(&bench, &with(&["-q", "--no-steady", "--frame-range", range]));
    let first = range("0-39");
    let second = range("40-79");
    for running in [first, second] {
        let ended = running.end();
        assert_eq!(ended.status.code(), Some(0), "{}", ended.message);
    }
    manifest_is_exact(&bench.path("out"));
    assert_eq!(bench.tree("out"), whole);

    // A piece that is recorded as done but is damaged: it is reopened.
    let (folder, mut mine, claim) = {
        bench.remove(&["out"]);
        silent(&bench)
    };
    let entries = Manifest::read(&bench.path("whole")).unwrap().unwrap().frames;
    fs::write(bench.path("out/frame_00007.png"), "no picture").unwrap();
    mine.finish(claim.piece, &entries[..32].to_vec()).unwrap();
    assert!(matches!(mine.claim(0), Ok(ClaimOutcome::Done)));
    bench.render("out", &with(&["-q", "--frames", "40", "--no-steady"]), 0);
    assert_eq!(manifest_is_exact(&bench.path("out")), 40);
    assert_eq!(is_whole(&bench.path("out"), &whole), 40);
    drop(folder);
}

#[test]
fn one_who_waits_to_join_can_be_interrupted() {
    let (bench, _) = bench(TINY, &["--frames", "2"]);
    bench.render("out", &["-q", "--claim", "--frames", "2"], 0);
    let gate = Lock::gate(&bench.path("out/.catena")).unwrap().unwrap();
    let ended = loop {
        let waiting = Running::start(&bench, &["-q", "--claim"]);
        thread::sleep(Duration::from_millis(200));
        waiting.send("INT");
        let ended = waiting.end();
        // A process that was not yet handling signals proves nothing.
        if ended.status.code().is_some() {
            break ended;
        }
    };
    assert_eq!(ended.status.code(), Some(130), "{}", ended.message);
    assert!(ended.message.contains("2 of 20 frames in out"), "{}", ended.message);
    // With less patience the folder is not free, and the message names its user.
    let message = bench.render("out", &with(&["-q"]), 5);
    assert!(message.contains("in use by process "), "{message}");
    drop(gate);
    bench.render("out", &with(&["-q"]), 0);
}

#[test]
fn one_who_is_ended_before_it_has_looked_at_frames_counts_none() {
    let (bench, _) = bench(TINY, &["--frames", "4"]);
    bench.render("out", &["-q", "--frames", "4"], 0);
    // Reading this many bytes takes longer than an interrupted render may take to end.
    for frame in 0..4 {
        let path = bench.path(format!("out/frame_{frame:05}.png"));
        fs::File::options().write(true).open(path).unwrap().set_len(1 << 30).unwrap();
    }
    let ended = loop {
        let looking = Running::start(&bench, &["-q", "--claim", "--frames", "4", "--threads", "1"]);
        thread::sleep(Duration::from_millis(200));
        looking.send("INT");
        let ended = looking.end();
        // A process that was not yet handling signals proves nothing.
        if ended.message.contains("resume with") {
            break ended;
        }
    };
    assert_eq!(ended.status.code(), Some(130), "{}", ended.message);
    assert!(ended.message.contains("before checking the frames in out"), "{}", ended.message);
}

#[test]
fn many_who_start_at_once_do_not_disturb_each_other() {
    let bench = Bench::new(TINY);
    for round in 0..3 {
        let out = format!("out{round}");
        let args = ["render", "scene.ron", "--claim", "-q", "--frames", "2", "--threads", "1"];
        let start = |_| {
            let mut command = std::process::Command::new(crate::catena().get_program());
            command.current_dir(bench.path("")).args(args).args(["--no-steady", "--out", &out]);
            command.stderr(std::process::Stdio::piped()).spawn().unwrap()
        };
        let all: Vec<_> = (0..40).map(start).collect();
        for child in all {
            let output = child.wait_with_output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{stderr}");
        }
        assert_eq!(manifest_is_exact(&bench.path(&out)), 2);
        assert!(bench.path(&out).join(".catena/.gitignore").is_file());
    }
}
