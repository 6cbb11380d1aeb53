//! Faults during film making: the message names the fault, the exit code its kind, and no file is
//! left under the film's name.
#![cfg(unix)]

use crate::catena;
use crate::film::content::{frames, hidden, png, render};
use catena::threads::spawn_scoped;
use image::RgbImage;
use std::{
    fs,
    io::Read,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};
use tempfile::TempDir;

/// A folder with `frames`, and stand-ins for ffmpeg and ffprobe.
pub(super) struct Bench {
    pub(super) folder: TempDir,
}

impl Bench {
    pub(super) fn new(images: &[RgbImage]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        render(&folder.path().join("frames"), images);
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a script into the folder.
    pub(super) fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Makes a film, which must fail with this code and with these words in its message.
    pub(super) fn fails(&self, arguments: &[&str], code: i32, words: &[&str]) {
        let run = catena()
            .current_dir(&self.folder)
            .args(["film", "frames"])
            .args(arguments)
            .assert()
            .code(code);
        let output = run.get_output();
        let stderr = String::from_utf8_lossy(&output.stderr);
        for word in words {
            assert!(stderr.contains(word), "{arguments:?}: {word:?} is not in\n{stderr}");
        }
        assert!(output.stdout.is_empty(), "{arguments:?}");
        self.has_no_film();
    }

    pub(super) fn has_no_film(&self) {
        assert_eq!(hidden(self.folder.path()), Vec::<PathBuf>::new());
        let entries = fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap().path());
        let films: Vec<_> =
            entries.filter(|path| path.file_stem().is_some_and(|name| name == "film")).collect();
        assert_eq!(films, Vec::<PathBuf>::new());
    }
}

/// Reads all input, writes something to the file that is named last, and succeeds.
pub(super) const TAKES_ALL: &str =
    "cat > /dev/null; for last; do :; done; echo film > \"${last#file:}\"";

/// Reports five frames.
pub(super) const COUNTS_FIVE: &str = "echo 5";

/// Behaviour of ffmpeg and ffprobe, and the message about it.
const FAILURES: &[(&str, &str, &[&str])] = &[
    (
        "head -c 100000 > /dev/null; echo oh no >&2; exit 3",
        COUNTS_FIVE,
        &["ffmpeg failed with exit code 3 after it had taken", "of 5 frames", "\n  oh no"],
    ),
    ("head -c 100000 > /dev/null", COUNTS_FIVE, &["ffmpeg ended too early"]),
    ("kill -9 $$", COUNTS_FIVE, &["ffmpeg was killed by signal 9"]),
    ("exec <&-; exec sleep 20", COUNTS_FIVE, &["ffmpeg stopped reading"]),
    // By then, every frame is waiting for the pipe.
    ("sleep 0.3; exec <&-; exec sleep 20", COUNTS_FIVE, &["ffmpeg stopped reading"]),
    ("exec sleep 20", COUNTS_FIVE, &["ffmpeg was stopped: it did not read or write for 0.5 s"]),
    (
        "cat > /dev/null; exec sleep 20",
        COUNTS_FIVE,
        &["ffmpeg was stopped", "taking 5 of 5 frames"],
    ),
    ("cat > /dev/null; seq 30 >&2; exit 1", COUNTS_FIVE, &["exit code 1", "\n  21\n", "\n  30\n"]),
    (TAKES_ALL, "echo 4", &["ffmpeg made a film of 4 frames from 5"]),
    (
        TAKES_ALL,
        "echo moov atom not found >&2; exit 1",
        &["ffprobe failed with exit code 1", "moov atom"],
    ),
    (TAKES_ALL, "exec sleep 20", &["ffprobe was stopped"]),
];

#[test]
fn failures_of_ffmpeg_are_told() {
    let hold = |bench: &Bench, code, words: &[&str]| {
        // Unless the case is about hanging, a slow machine must not look like a hanging program.
        let hangs = words.iter().any(|word| word.contains("was stopped"));
        let patience = if hangs { "0.5" } else { "60" };
        let options = ["-o", "film.mp4", "--ffmpeg", "./ffmpeg", "--ffmpeg-patience", patience];
        bench.fails(&options, code, words);
    };
    let write = |bench: &Bench, ffmpeg: &str, ffprobe: &str| {
        bench.script("ffmpeg", ffmpeg);
        bench.script("ffprobe", ffprobe);
    };
    // Cases that wait do so in parallel. All scripts exist before the first process begins: a
    // process that begins while a script is being written would inherit its open file.
    let images = frames(5, 320, 200);
    let prepare = |case: &'static (&str, &str, &'static [&str])| {
        let bench = Bench::new(&images);
        write(&bench, case.0, case.1);
        (bench, case.2)
    };
    let cases: Vec<(Bench, &[&str])> = FAILURES.iter().map(prepare).collect();
    thread::scope(|scope| {
        for (bench, words) in &cases {
            let fails =
                move || hold(bench, 6, &[*words, &["the frames in frames are kept"]].concat());
            spawn_scoped(scope, "failure", fails).unwrap();
        }
    });
    let bench = Bench::new(&images);
    let full = "cat > /dev/null; echo 'av_write: No space left on device' >&2; exit 1";
    write(&bench, full, COUNTS_FIVE);
    hold(&bench, 5, &["cannot write", "the disk is full", "av_write"]);
    let damaged =
        "echo 5; case \"$*\" in *-count_packets*) ;; *) exit 1;; esac; echo bad packet >&2";
    write(&bench, TAKES_ALL, damaged);
    hold(&bench, 6, &["damaged", "bad packet"]);
    // Working programs.
    bench.script("ffmpeg", TAKES_ALL);
    bench.script("ffprobe", COUNTS_FIVE);
    catena()
        .current_dir(&bench.folder)
        .args(["film", "frames", "-o", "film.mp4", "--ffmpeg", "./ffmpeg"])
        .assert()
        .success();
    assert_eq!(fs::read_to_string(bench.path("film.mp4")).unwrap(), "film\n");
    // An existing film stays unchanged if the next one fails.
    bench.script("ffprobe", "echo 4");
    catena()
        .current_dir(&bench.folder)
        .args(["film", "frames", "-o", "film.mp4", "--ffmpeg", "./ffmpeg"])
        .assert()
        .code(6);
    assert_eq!(fs::read_to_string(bench.path("film.mp4")).unwrap(), "film\n");
}

/// Makes a film, which must fail before ffmpeg is started.
fn fails_at_once(bench: &Bench, name: &str, words: &[&str], code: i32) {
    bench.fails(&["-o", name, "--ffmpeg", "./ffmpeg", "--ffprobe", "./ffmpeg"], code, words);
    assert!(!bench.path("started").exists());
}

#[test]
fn bad_frames_are_named_before_the_film_begins() {
    let images = frames(6, 64, 64);
    let bench = Bench::new(&images);
    let frame = bench.path("frames/frame_00003.png");
    let whole = fs::read(&frame).unwrap();
    let flipped = {
        let mut bytes = whole.clone();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        bytes
    };
    // ffmpeg must not even be started.
    bench.script("ffmpeg", "touch started; cat > /dev/null");
    let film = |name, words: &[&str], code| fails_at_once(&bench, name, words, code);
    let remedy = "run the same `catena render` again";
    let cases: [(Option<Vec<u8>>, &str); 6] = [
        (None, "frame 3 is missing from frames: 0-2 and 4-5 exist"),
        (
            Some(whole[..whole.len() - 20].to_vec()),
            "frame_00003.png cannot be filmed: it is cut off: the end of the PNG file is missing",
        ),
        (Some(Vec::new()), "cannot be filmed: it is empty"),
        (Some(b"hello".to_vec()), "it is not a PNG file"),
        (Some(flipped), "its bytes are damaged"),
        (Some(png(&images[0])), "is not the picture that manifest.json lists"),
    ];
    for (bytes, word) in cases {
        match bytes {
            None => fs::remove_file(&frame).unwrap(),
            Some(bytes) => fs::write(&frame, bytes).unwrap(),
        }
        film("film.mp4", &[word, remedy], 5);
        film("film.gif", &[word, remedy], 5);
    }
    // A range without the bad frame can be filmed.
    catena()
        .current_dir(&bench.folder)
        .args(["film", "frames", "-o", "part.gif", "--frames", "4-5", "-q"])
        .assert()
        .success()
        .stderr("");
    fs::write(&frame, &whole).unwrap();

    let usage = ["-o", "film.gif", "--frames", "4-9"];
    bench.fails(&usage, 2, &["--frames 4-9 is incomplete", "the frames 0-5"]);
    bad_frames_without_a_manifest(&bench, &frame);
}

/// With a damaged or missing manifest, frames are used as they are.
fn bad_frames_without_a_manifest(bench: &Bench, frame: &Path) {
    let whole = fs::read(frame).unwrap();
    let film = |name, words: &[&str], code| fails_at_once(bench, name, words, code);
    let manifest = bench.path("frames/manifest.json");
    let text = fs::read(&manifest).unwrap();
    fs::write(&manifest, &text[..text.len() / 2]).unwrap();
    film("film.gif", &["manifest.json"], 5);

    // Without a manifest, frames are used as they are, with a note; they must be decodable and
    // equal in size.
    fs::remove_file(&manifest).unwrap();
    let run = catena()
        .current_dir(&bench.folder)
        .args(["film", "frames", "-o", "loose.gif"])
        .assert()
        .success();
    let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(stderr.contains("its frames are not checked"), "{stderr}");
    fs::write(frame, png(&RgbImage::new(10, 20))).unwrap();
    film("film.gif", &["frame_00003.png is 10x20, but the frames before it are 64x64"], 5);
    fs::remove_file(frame).unwrap();
    film("film.gif", &["frame 3 is missing"], 5);
    fs::write(frame, undecodable(&whole)).unwrap();
    film("film.gif", &["frame_00003.png cannot be decoded"], 5);
}

/// A PNG file with valid chunks that contain nonsense.
fn undecodable(whole: &[u8]) -> Vec<u8> {
    let mut bytes = whole[..33].to_vec();
    // As many bytes as compressed pixels could have.
    for (name, data) in [(b"IDAT", &b"nonsense and more nonsense"[..]), (b"IEND", b"")] {
        let mut chunk = name.to_vec();
        chunk.extend_from_slice(data);
        bytes.extend((data.len() as u32).to_be_bytes());
        let sum = crc32(&chunk);
        bytes.extend(chunk);
        bytes.extend(sum.to_be_bytes());
    }
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32| if sum & 1 == 1 { 0xEDB8_8320 ^ (sum >> 1) } else { sum >> 1 };
    !bytes.iter().fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| step(sum)))
}

#[test]
fn what_cannot_be_is_told() {
    let bench = Bench::new(&frames(2, 64, 64));
    let cases: [(&[&str], i32, &str); 10] = [
        (&["-o", "film.avi"], 2, "has no known film format"),
        (&["-o", "film"], 2, "has no known film format"),
        (&["-o", "-"], 2, "standard output needs --format"),
        (&["-o", "-", "--format", "mp4"], 2, "mp4, mov, mkv and webm need a file"),
        (&["-o", "film.gif", "--fps", "0"], 2, "expected frames per second"),
        (&["-o", "film.gif", "--fps", "1001"], 2, "expected frames per second"),
        (&["-o", "film.gif", "--fps", "1/0"], 2, "expected frames per second"),
        (&["-o", "film.gif", "--quality", "52"], 2, "52"),
        (&["-o", "none/film.gif"], 5, "none/film.gif"),
        (&["-o", "frames", "--format", "gif"], 5, "is a directory"),
    ];
    for (arguments, code, word) in cases {
        bench.fails(arguments, code, &[word]);
    }
    fs::write(bench.folder.path().join("scene.ron"), "Scene()").unwrap();
    for (folder, word) in [
        ("nowhere", "cannot read the folder nowhere"),
        (".", "contains no frames"),
        ("scene.ron", "scene.ron is a file"),
        ("scene.ron", "catena render scene.ron --film FILE"),
    ] {
        let run = catena()
            .current_dir(&bench.folder)
            .args(["film", folder, "-o", "film.gif"])
            .assert()
            .code(5);
        let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(stderr.contains(word), "{stderr}");
        bench.has_no_film();
    }
}

#[test]
fn a_full_disk_is_told() {
    let bench = Bench::new(&frames(6, 320, 200));
    if Path::new("/dev/full").exists() {
        bench.fails(&["-o", "/dev/full", "--format", "y4m"], 5, &["/dev/full", "No space left"]);
    }
    // A limit on the size of files simulates a full disk.
    let program = catena().get_program().to_owned();
    for name in ["film.raw", "film.y4m"] {
        let output = Command::new("sh")
            .current_dir(&bench.folder)
            .args(["-c", r#"trap '' XFSZ; ulimit -f 64; exec "$@""#, "sh"])
            .arg(&program)
            .args(["film", "frames", "-o", name])
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(5), "{name}: {stderr}");
        assert!(stderr.contains(&format!("cannot write {name}: File too large")), "{stderr}");
        bench.has_no_film();
    }
}

#[test]
fn a_reader_that_leaves_ends_the_film_quietly() {
    let bench = Bench::new(&frames(6, 320, 200));
    for format in ["raw", "y4m", "apng", "gif"] {
        let mut child = Command::new(catena().get_program())
            .current_dir(&bench.folder)
            .args(["film", "frames", "-o", "-", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        if format == "raw" {
            stdout.read_exact(&mut [0; 100]).unwrap();
        }
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*stderr), (Some(0), ""), "{format}");
    }
}
