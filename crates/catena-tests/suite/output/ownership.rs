//! Ownership of files in a folder: catena recognises its own files by their hashes. A user's
//! pictures are never lost.

use crate::job::budget::close_above;
use crate::rendered::{Bench, TINY, manifest_is_exact};
use catena::output::{
    atomic,
    hash::sha256,
    journal::{Journal, JournalContents},
    manifest::{FrameEntry, Manifest},
};
use catena::scene::limits::Product;
use image::{Rgb, RgbImage};
use std::{fs, io::Cursor, path::Path};

/// A user's picture.
fn own(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let picture = RgbImage::from_pixel(width, height, Rgb([1, 2, 3]));
    picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

const OTHER: [&str; 2] = ["--set", "drag=0.5"];

/// Removes the visible files of a folder, as `rm -r out/*` does.
fn empty(out: &Path) {
    for entry in fs::read_dir(out).unwrap().map(Result::unwrap) {
        if entry.file_name() != ".catena" {
            fs::remove_file(entry.path()).unwrap();
        }
    }
}

fn put(out: &Path, name: &str, bytes: &[u8]) {
    fs::write(out.join(name), bytes).unwrap();
}

/// Action of a user in the folder, and the name and bytes of the picture that must stay.
type Case<'a> = (&'a str, &'a dyn Fn(&Path) -> (&'static str, Vec<u8>));

fn cases() -> Vec<Case<'static>> {
    vec![
        ("in an emptied folder", &|out| {
            empty(out);
            put(out, "frame_00007.png", &own(64, 64));
            ("frame_00007.png", own(64, 64))
        }),
        ("of another size", &|out| {
            empty(out);
            put(out, "frame_00007.png", &own(9, 9));
            ("frame_00007.png", own(9, 9))
        }),
        ("in place of a frame", &|out| {
            put(out, "frame_00007.png", &own(64, 64));
            ("frame_00007.png", own(64, 64))
        }),
        ("that is no PNG file, in an emptied folder", &|out| {
            empty(out);
            put(out, "frame_00003.png", b"\xff\xd8\xff\xe0 a photograph");
            ("frame_00003.png", b"\xff\xd8\xff\xe0 a photograph".to_vec())
        }),
        ("in place of the steady state", &|out| {
            put(out, "steady.png", &own(64, 64));
            ("steady.png", own(64, 64))
        }),
        ("that the manifest was made to name", &|out| {
            let path = out.join("manifest.json");
            let hash = &Manifest::read(out).unwrap().unwrap().frames[7].sha256;
            let text = fs::read_to_string(&path).unwrap();
            fs::write(path, text.replace(hash, &sha256(&own(64, 64)))).unwrap();
            put(out, "frame_00007.png", &own(64, 64));
            ("frame_00007.png", own(64, 64))
        }),
    ]
}

#[test]
fn a_picture_of_a_person_that_is_in_the_way_is_an_error_that_names_it() {
    let bench = Bench::new(TINY);
    bench.render("whole", &["-q"], 0);
    for (what, arrange) in cases() {
        for options in [&[][..], &OTHER, &["--claim"]] {
            // If the manifest cannot be trusted, every frame blocks another scene.
            if what.contains("made to name") && options == OTHER {
                continue;
            }
            bench.render("out", &["-q"], 0);
            let (name, bytes) = arrange(&bench.path("out"));
            let message = bench.render("out", &[&["-q"], options].concat(), 5);
            assert!(message.contains(name), "{what} {options:?}: {message}");
            for word in ["move it", "--out"] {
                assert!(message.contains(word), "{what} {options:?}: {message}");
            }
            // The refusal repeats on every attempt.
            bench.render("out", &[&["-q"], options].concat(), 5);
            let there = fs::read(bench.path("out").join(name)).unwrap();
            assert!(there == bytes, "{what} {options:?}");
            // The remedy that the message names.
            fs::rename(bench.path("out").join(name), bench.path("mine.png")).unwrap();
            bench.render("out", &[&["-q"], options].concat(), 0);
            if options != OTHER {
                assert_eq!(bench.tree("out"), bench.tree("whole"), "{what} {options:?}");
            }
            bench.remove(&["out"]);
        }
    }
}

#[test]
fn what_is_not_in_the_way_stays_and_is_named() {
    let bench = Bench::new(TINY);
    bench.render("out", &["-q", "--no-steady"], 0);
    let out = bench.path("out");
    let others = ["frame_00099.png", "steady.png", ".catena-x.part", ".part-x.part", "notes.txt"];
    others.iter().for_each(|name| put(&out, name, &own(5, 5)));
    for options in [&["--frames", "12"][..], &OTHER, &["--claim"]] {
        let (_, notes) = bench.drawn("out", &[&["--no-steady"], options].concat());
        for name in &others[..2] {
            assert!(notes.contains(name), "{options:?}: {name} is not in {notes}");
        }
        for name in others {
            assert!(fs::read(out.join(name)).unwrap() == own(5, 5), "{options:?}: {name}");
        }
    }
}

#[test]
fn what_is_the_same_or_damaged_is_made_anew_and_nothing_is_lost() {
    let bench = Bench::new(TINY);
    bench.render("whole", &["-q"], 0);
    let whole = bench.tree("whole");
    let out = bench.path("out");
    let frame = fs::read(bench.path("whole/frame_00007.png")).unwrap();
    // File content, and whether it is kept aside if a record mentions the frame.
    let zeros = vec![0; frame.len()];
    let head = frame[..40].to_vec();
    let mut hole = frame.clone();
    hole[50..90].fill(0);
    let mut flipped = frame.clone();
    flipped[frame.len() / 2] ^= 4;
    let cases = [(Vec::new(), false), (zeros, false), (head, true), (hole, true), (flipped, true)];
    for (index, (bytes, is_kept)) in cases.iter().enumerate() {
        bench.render("out", &["-q"], 0);
        put(&out, "frame_00007.png", bytes);
        let (drawn, notes) = bench.drawn("out", &[]);
        assert_eq!(drawn, 1, "case {index}");
        assert_eq!(bench.tree("out"), whole, "case {index}");
        assert_eq!(
            notes.contains("frame_00007.png was damaged"),
            *is_kept,
            "case {index}: {notes}"
        );
        let aside = out.join(".catena/replaced/frame_00007.png");
        assert_eq!(fs::read(aside).ok(), is_kept.then(|| bytes.clone()), "case {index}");
        // Files that are kept aside are not compared.
        assert_eq!(bench.run(["diff", "whole", "out", "-q"]).status.code(), Some(0));
        // Nothing shows that the frames are catena's, as after a power failure: all of them are
        // drawn again.
        if index != 4 {
            fs::remove_file(out.join("manifest.json")).unwrap();
            put(&out, "frame_00007.png", bytes);
            assert_eq!(bench.drawn("out", &[]).0, 20, "case {index}");
            assert_eq!(bench.tree("out"), whole, "case {index}");
        }
        bench.remove(&["out"]);
    }
}

#[test]
fn a_manifest_that_was_changed_is_said_and_made_anew() {
    let bench = Bench::new(TINY);
    bench.render("whole", &["-q"], 0);
    let whole = bench.tree("whole");
    let out = bench.path("out");
    let path = out.join("manifest.json");
    let manifest = Manifest::read(&bench.path("whole")).unwrap().unwrap();
    let state = &manifest.frames[3].state_sha256;
    let length = format!("{}", manifest.steady.as_ref().unwrap().bodies[0].segment_lengths[0]);
    for (old, new) in [
        (state.as_str(), sha256(b"another").as_str()),
        (&length, "17.5"),
        ("\"frame\": 3,", "\"frame\": 3, \"frame\": 3,"),
        ("moving", "diverged"),
        ("\"sha256\": \"", "\"sha257\": \""),
    ] {
        bench.render("out", &["-q"], 0);
        let text = fs::read_to_string(&path).unwrap();
        // The last match is the hash of the manifest itself.
        let at = if old.contains("sha256") { text.rfind(old) } else { text.find(old) };
        let Some(at) = at else { panic!("{old} is not in {text}") };
        let changed = [&text[..at], new, &text[at + old.len()..]].concat();
        fs::write(&path, &changed).unwrap();
        let film = bench.run(["film", "out", "-o", "film.gif", "-q"]);
        let stderr = String::from_utf8_lossy(&film.stderr).into_owned();
        assert_eq!(film.status.code(), Some(5), "{old}: {stderr}");
        assert!(stderr.contains("manifest.json"), "{old}: {stderr}");
        let (drawn, notes) = bench.drawn("out", &[]);
        assert_eq!(drawn, 20, "{old}");
        assert!(notes.contains("manifest.json"), "{old}: {notes}");
        assert_eq!(bench.tree("out"), whole, "{old}");
        assert_eq!(
            fs::read_to_string(out.join(".catena/replaced/manifest.json")).unwrap(),
            changed
        );
        bench.remove(&["out"]);
    }
    // Whitespace is ignored: a version control system may change line endings.
    bench.render("out", &["-q"], 0);
    fs::write(&path, fs::read_to_string(&path).unwrap().replace('\n', "\r\n")).unwrap();
    assert_eq!(bench.drawn("out", &[]), (0, String::new()));
}

/// An entry of a frame.
fn entry(frame: u64) -> FrameEntry {
    let file = format!("frame_{frame:05}.png");
    let hash = sha256(file.as_bytes());
    FrameEntry { frame, file, sha256: hash.clone(), state_sha256: hash }
}

#[test]
fn no_bit_of_a_journal_or_manifest_changes_what_is_read() {
    let bench = Bench::new(TINY);
    let path = bench.path("journal");
    let journal = Journal::create(&path, "key").unwrap();
    journal.add(&entry(3)).unwrap();
    journal.add_file("steady.png", &sha256(b"steady")).unwrap();
    journal.heartbeat().unwrap();
    let bytes = fs::read(&path).unwrap();
    let past = JournalContents::parse(&bytes).unwrap();
    assert_eq!((past.entries.len(), past.files.len(), past.damaged), (1, 1, 0));
    for (at, bit) in (0..bytes.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << bit;
        let Some(read) = JournalContents::parse(&bytes) else { continue };
        assert!(read.entries.iter().all(|entry| past.entries.contains(entry)), "{at} {bit}");
        assert!(read.files.iter().all(|file| past.files.contains(file)), "{at} {bit}");
        let is_last = at == bytes.len() - 1;
        assert!(read.damaged > 0 || is_last, "{at} {bit}: nothing is said");
    }
    // A line of another journal is invalid in this one.
    let other = bench.path("other");
    Journal::create(&other, "another key").unwrap().add(&entry(4)).unwrap();
    let other = fs::read_to_string(other).unwrap();
    let mixed = String::from_utf8(bytes).unwrap() + other.lines().nth(1).unwrap() + "\n";
    assert_eq!(JournalContents::parse(mixed.as_bytes()).unwrap().entries, past.entries);

    bench.render("out", &["-q", "--frames", "2"], 0);
    let bytes = fs::read(bench.path("out/manifest.json")).unwrap();
    let manifest = Manifest::parse(&bytes).unwrap();
    for (at, bit) in (0..bytes.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1 << bit;
        if let Ok(read) = Manifest::parse(&bytes) {
            assert!(read == manifest, "{at} {bit}");
        }
    }
}

#[test]
fn unfinished_files_beside_a_table_go_with_their_writer() {
    let bench = Bench::new(TINY);
    let table = bench.path("t.csv");
    let left = |name: &str| {
        let part = atomic::create_unfinished(&bench.path(name)).unwrap();
        let (from, to) = (part.path().to_owned(), bench.path("kept"));
        // Files of a killed process: the file without its lock.
        fs::copy(&from, &to).unwrap();
        drop(part);
        fs::rename(to, &from).unwrap();
        from
    };
    let (of_table, of_other) = (left("t.csv"), left("u.csv"));
    let held = atomic::create_unfinished(&table).unwrap();
    // The file for this name was removed when the next one was made.
    assert!(!of_table.exists() && of_other.exists());
    let similar = bench.path(".part-0123456789abcdef-0123456789abcdef.part");
    fs::write(&similar, "mine").unwrap();
    let of_table = left("t.csv");
    let trace = bench.run(["trace", "scene.ron", "--frames", "2", "-o", "t.csv"]);
    assert_eq!(trace.status.code(), Some(0));
    assert!(table.is_file());
    assert!(!of_table.exists(), "a killed writer's file goes");
    assert!(held.path().exists() && of_other.exists(), "the files of others stay");
    assert_eq!(fs::read(similar).unwrap(), b"mine");
}

#[test]
fn a_manifest_names_only_what_is_there() {
    // The order of all removals by a render is tested with faults in faults.rs; this tests the
    // result.
    let bench = Bench::new(TINY);
    bench.render("out", &["-q"], 0);
    bench.render("out", &["-q", "--frames", "4", OTHER[0], OTHER[1]], 0);
    assert_eq!(manifest_is_exact(&bench.path("out")), 4);
    assert!(!bench.path("out/.catena/former").exists());
}

#[test]
fn a_report_that_fails_leaves_an_empty_folder_as_it_was() {
    let scene = "Scene(base: (integrator: Shake(tolerance: 1e-16, iterations: 3000000), \
                 size: (320, 200), fit: Reach))";
    let bench = Bench::new(scene);
    let product = Product::Pictures { size: [320, 200], settles: true };
    let minutes = close_above(scene, 4, product);
    let args = ["report", "scene.ron", "--out", "out", "--frames=4", &minutes, "-q"];
    for is_there in [false, true] {
        if is_there {
            fs::create_dir(bench.path("out")).unwrap();
        }
        let run = bench.run(args);
        let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(3), "{stderr}");
        assert!(stderr.contains("the number of iterations"), "{stderr}");
        let entries = fs::read_dir(bench.path("out")).ok().map(Iterator::count);
        assert_eq!(entries, is_there.then_some(0));
    }
}

#[test]
fn a_page_replaces_what_is_ours_alone() {
    let bench = Bench::new(
        "Scene(base: (size: (64, 64), frames: 2, substeps: 1, frame_time: 0.05, decoration: Bare, rest: (limit: 2), rope: (nodes: 3)))",
    );
    let report = |code: i32| {
        let run = bench.run(["report", "scene.ron", "--out", "out", "--threads", "1", "-q"]);
        let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(code), "{stderr}");
        stderr
    };
    fs::create_dir(bench.path("out")).unwrap();
    for name in ["index.html", "dispersion.svg"] {
        fs::write(bench.path("out").join(name), "mine").unwrap();
        let stderr = report(5);
        assert!(
            stderr.contains(name) && stderr.contains("--out") && stderr.contains("move"),
            "{stderr}"
        );
        assert_eq!(fs::read(bench.path("out").join(name)).unwrap(), b"mine");
        assert_eq!(fs::read_dir(bench.path("out")).unwrap().count(), 1, "nothing else is there");
        fs::remove_file(bench.path("out").join(name)).unwrap();
    }
    report(0);
    let ignored = fs::read_to_string(bench.path("out/.catena/.gitignore")).unwrap();
    assert_eq!(ignored, "*\n", "a repository keeps the page without what only catena needs");
    let first = bench.tree("out");
    assert!(first.contains_key("index.html") && first.contains_key("dispersion.svg"));
    report(0);
    assert_eq!(bench.tree("out"), first);
    // A page that a user has edited belongs to the user.
    let path = bench.path("out/index.html");
    let changed = fs::read_to_string(&path).unwrap() + "<!-- my notes -->";
    fs::write(&path, &changed).unwrap();
    assert!(report(5).contains("index.html"));
    assert_eq!(fs::read_to_string(&path).unwrap(), changed);
}
