//! Special files and files with false contents: each is refused quickly, and with little memory.
#![cfg(target_os = "linux")]

use crate::rendered::{Bench, TINY, shell};
use catena::output::manifest::{FrameEntry, Manifest};
use std::{
    fs,
    process::{Command, Output},
};

/// A folder of frames, `out`.
fn bench() -> Bench {
    let bench = Bench::new(TINY);
    bench.render("out", &["-q", "--no-steady", "--frames", "4"], 0);
    bench
}

/// Runs a command with a memory limit in megabytes: files are refused before they are read.
fn within(bench: &Bench, megabytes: u64, command: &str) -> Output {
    shell(bench, &format!("ulimit -v {}; catena {command}", 1000 * megabytes))
}

/// Replaces a file by a pipe without a writer.
fn pipe(bench: &Bench, name: &str) {
    let _ = fs::remove_file(bench.path(name));
    assert!(Command::new("mkfifo").arg(bench.path(name)).status().unwrap().success());
}

#[test]
fn pipes_and_devices_in_place_of_files_are_refused() {
    let bench = bench();
    let keep = fs::read(bench.path("out/manifest.json")).unwrap();
    pipe(&bench, "font");
    for (font, word) in [
        ("font", "not an ordinary file"),
        ("/dev/zero", "not an ordinary file"),
        (".", "directory"),
    ] {
        for command in ["render scene.ron --out new", "check scene.ron"] {
            let run = within(&bench, 300, &format!("{command} --font {font}"));
            let stderr = String::from_utf8_lossy(&run.stderr);
            assert_eq!(run.status.code(), Some(5), "{font}: {stderr}");
            assert!(stderr.contains(word) && stderr.contains(font), "{font}: {stderr}");
        }
    }
    // The render encounters each pipe, and must not wait for any of them, whatever it reports.
    for name in [
        "out/manifest.json",
        "out/.catena/journal",
        "out/frame_00001.png",
        "out/.catena/state_0000001",
    ] {
        pipe(&bench, name);
        for (command, codes) in [
            ("film out -o film.gif -q", [0, 5]),
            ("render scene.ron --out out --no-steady --frames 4 -q", [0, 5]),
            ("diff out out -q", [0, 1]),
        ] {
            let run = within(&bench, 300, command);
            let stderr = String::from_utf8_lossy(&run.stderr);
            assert!(codes.contains(&run.status.code().unwrap()), "{name}: {command}: {stderr}");
        }
        let _ = fs::remove_file(bench.path(name));
        if !bench.path("out/manifest.json").exists() {
            fs::write(bench.path("out/manifest.json"), &keep).unwrap();
        }
    }
    // A scene may come through a pipe.
    let run = shell(&bench, "cat scene.ron | catena check /dev/stdin");
    assert_eq!(run.status.code(), Some(0));
}

#[test]
fn files_larger_than_any_are_refused_unread() {
    let bench = bench();
    let sparse = |name: &str| {
        let file = fs::File::create(bench.path(name)).unwrap();
        file.set_len(20 << 30).unwrap();
    };
    sparse("font");
    let run = within(&bench, 300, "check scene.ron --font font");
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(5), "{stderr}");
    assert!(stderr.contains("21474836480 bytes, more than"), "{stderr}");
    sparse("scene-2.ron");
    assert_eq!(within(&bench, 300, "check scene-2.ron").status.code(), Some(3));
    sparse("out/frame_00001.png");
    let run = within(&bench, 300, "diff out out");
    assert_eq!(run.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&run.stdout).contains("21474836480 bytes"));
    sparse("out/manifest.json");
    let run = within(&bench, 300, "film out -o film.gif");
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(5), "{stderr}");
    assert!(stderr.contains("manifest.json") && stderr.contains("21474836480 bytes"), "{stderr}");
}

#[test]
fn a_manifest_of_many_values_takes_no_more_memory_than_its_text() {
    let bench = Bench::new(TINY);
    fs::create_dir(bench.path("web")).unwrap();
    let zeros = format!("[0{}]", ",0".repeat(10_000_000));
    for manifest in [zeros.clone(), format!("{{\"icons\": {zeros}, \"source\": {zeros}}}")] {
        fs::write(bench.path("web/manifest.json"), &manifest).unwrap();
        let run = within(&bench, 300, "render scene.ron --out web -q --threads 1");
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(5), "{stderr}");
        assert!(stderr.contains("manifest.json was not written by catena"), "{stderr}");
    }
}

/// A PNG file of a few bytes whose header claims this size.
fn hollow(size: [u32; 2], depth: u8, colour: u8, pixels: &[u8]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let sides = size.map(u32::to_be_bytes).concat();
    for (name, data) in [
        (b"IHDR", [&sides[..], &[depth, colour, 0, 0, 0]].concat()),
        (b"IDAT", pixels.to_vec()),
        (b"IEND", Vec::new()),
    ] {
        let body = [&name[..], &data].concat();
        file.extend((data.len() as u32).to_be_bytes());
        file.extend(&body);
        file.extend(crc32fast::hash(&body).to_be_bytes());
    }
    file
}

#[test]
fn pictures_that_claim_more_pixels_than_they_have_are_refused() {
    let bench = Bench::new(TINY);
    fs::create_dir(bench.path("pictures")).unwrap();
    let sizes = [[60_000, 60_000], [(1 << 31) - 1, (1 << 31) - 1], [9000, 9000], [u32::MAX; 2]];
    for size in sizes {
        for (depth, colour) in [(8, 2), (16, 6), (1, 0), (8, 3)] {
            let file = hollow(size, depth, colour, b"x\x9c\x03\0\0\0\0\x01");
            fs::write(bench.path("pictures/frame_00000.png"), file).unwrap();
            for (command, code) in [("film pictures -o film.gif", 5), ("diff pictures pictures", 1)]
            {
                let run = within(&bench, 300, command);
                let output = [&run.stderr[..], &run.stdout].concat();
                let output = String::from_utf8_lossy(&output);
                assert_eq!(run.status.code(), Some(code), "{size:?}: {command}: {output}");
                let [width, height] = size;
                assert!(
                    output.contains(&format!("{width}x{height} pixels")),
                    "{command}: {output}"
                );
            }
        }
    }
}

#[test]
fn many_missing_frames_are_looked_for_once() {
    let bench = bench();
    // A manifest of 10 000 frames, of which four exist.
    let mut manifest = Manifest::read(&bench.path("out")).unwrap().unwrap();
    let entry = manifest.frames[0].clone();
    manifest.frames.extend((4..10_000).map(|frame| FrameEntry {
        frame,
        file: format!("frame_{frame:05}.png"),
        ..entry.clone()
    }));
    manifest.write(&bench.path("out")).unwrap();
    let run = shell(&bench, "ulimit -t 5; catena film out -o film.gif");
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(5), "{stderr}");
    assert!(stderr.contains("frame 4 is missing from out: 0-3 exist"), "{stderr}");
}

#[test]
fn a_report_that_cannot_be_drawn_is_refused_first() {
    // This simulation would take hours.
    let bench = Bench::new(
        "Scene(title: \"A title\",
            base: (size: (64, 64), substeps: 1000000, frames: 1000, rope: (nodes: 1000)))",
    );
    let run = shell(&bench, "ulimit -t 10; catena report scene.ron --out report --unlimited");
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(3), "{stderr}");
    assert!(!bench.path("report").exists());
}
