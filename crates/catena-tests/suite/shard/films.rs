//! Shards that make segments of a film. Without ffmpeg these tests print a note and pass, unless
//! `CATENA_REQUIRE_FFMPEG` is set.

use super::renders::merge;
use crate::{
    film::content::has_ffmpeg,
    rendered::{Bench, TINY},
};
use catena::{
    job::{
        FilmOptions, FrameChoice, Progress, RenderError, RenderOptions, ShardOptions, ShardProduct,
        render_shard,
    },
    scene::{SceneText, load},
    shard::ShardChoice,
};
use std::{
    fs,
    process::Command,
    sync::atomic::{AtomicU64, Ordering},
};

const FRAMES: &str = "500";

fn segments(bench: &Bench, of: u32, more: &[&str]) -> String {
    let shard = |number| {
        let shard = format!("{number}/{of}");
        let film = ["--shard", &shard, "--film", "film.mp4", "--frames", FRAMES];
        bench.render("out", &[&film[..], &OPTIONS, more].concat(), 0)
    };
    (1..=of).map(shard).collect()
}

/// Lossless, so that pictures can be compared; one thread, so that bytes can be compared.
const OPTIONS: [&str; 4] = ["--quality", "0", "--ffmpeg-threads", "1"];

/// Hash of each picture of a film.
fn pictures(bench: &Bench, film: &str) -> Vec<String> {
    let output = Command::new("ffmpeg")
        .current_dir(bench.path(""))
        .args(["-v", "error", "-i", film, "-f", "framemd5", "-"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.rsplit(", ").next().unwrap().to_owned()).collect()
}

#[test]
fn segments_are_joined_to_one_film_whatever_the_number_of_shards() {
    if !has_ffmpeg() {
        return;
    }
    let bench = Bench::new(TINY);
    let whole =
        [&["render", "scene.ron", "-q", "--film", "whole.mp4", "--frames", FRAMES][..], &OPTIONS];
    assert!(bench.run(whole.concat()).status.success());
    let expected = pictures(&bench, "whole.mp4");
    assert_eq!(expected.len(), 500);
    let mut films = Vec::new();
    for of in [1, 2, 5] {
        segments(&bench, of, &[]);
        assert!(merge(&bench, "out", 0).contains("500 frames in out/film.mp4, of"));
        assert_eq!(pictures(&bench, "out/film.mp4"), expected, "{of}");
        films.push(fs::read(bench.path("out/film.mp4")).unwrap());
        bench.remove(&["out"]);
    }
    assert!(films.iter().all(|film| *film == films[0]));
}

#[test]
fn segments_that_are_there_stay_and_damaged_ones_are_named() {
    if !has_ffmpeg() {
        return;
    }
    let bench = Bench::new(TINY);
    segments(&bench, 2, &[]);
    merge(&bench, "out", 0);
    let film = fs::read(bench.path("out/film.mp4")).unwrap();
    let segment = bench.path("out/shards/0002-of-0002/segment_00002.mp4");
    let whole = fs::read(&segment).unwrap();
    let mut bytes = whole.clone();
    bytes[100] ^= 1;
    fs::write(&segment, bytes).unwrap();
    let message = merge(&bench, "out", 1);
    let words = "shard 2: 0002-of-0002/segment_00002.mp4 does not match its report";
    assert!(
        message.contains(words) && message.contains("run again: --shard 2 of 2, such as"),
        "{message}"
    );
    assert_eq!(fs::read(bench.path("out/film.mp4")).unwrap(), film, "the older film stays");
    let message = segments(&bench, 2, &["--progress", "json"]);
    let drawn: Vec<u64> = message
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|event| event["event"] == "done")
        .map(|event| event["drawn"].as_u64().unwrap())
        .collect();
    assert_eq!(drawn, [0, 20], "of the second shard only the damaged segment");
    assert_eq!(fs::read(&segment).unwrap(), whole);
    merge(&bench, "out", 0);
    assert_eq!(fs::read(bench.path("out/film.mp4")).unwrap(), film);
    // Without ffmpeg, the segments are kept.
    let output = bench.run(["merge", "out", "--ffmpeg", "/nowhere/ffmpeg"]);
    assert_eq!(output.status.code(), Some(6));
    assert_eq!(fs::read(bench.path("out/film.mp4")).unwrap(), film);
}

/// Renders the only shard of a film through the library, with these frames and this quality, and
/// interrupts it after `ended` drawn frames. Returns the number of earlier frames, if it was not
/// interrupted.
fn shard(bench: &Bench, out: &str, (frames, quality): (u64, u8), ended: u64) -> Option<u64> {
    let scene = SceneText::read(&bench.path("scene.ron")).unwrap();
    let scene = load(&scene, &[]).unwrap();
    let film = FilmOptions { quality: Some(quality), threads: Some(1), ..FilmOptions::default() };
    let options = ShardOptions {
        choice: ShardChoice::WHOLE,
        render: RenderOptions { frames: FrameChoice::First(frames), ..RenderOptions::default() },
        product: ShardProduct::Film("film.mp4".into(), film),
        audit: None,
        command: String::new(),
    };
    let seen = Seen::default();
    let interruption = || seen.drawn.load(Ordering::Relaxed) >= ended;
    match render_shard(&scene, &bench.path(out), &options, &seen, &interruption) {
        Ok(_) => Some(seen.there.load(Ordering::Relaxed)),
        Err(RenderError::Interrupted { .. }) => None,
        Err(error) => panic!("{error}"),
    }
}

/// Counts existing frames at the start, and drawn frames.
#[derive(Default)]
struct Seen {
    there: AtomicU64,
    drawn: AtomicU64,
}

impl Progress for Seen {
    fn begin(&self, _: u64, there: u64) {
        self.there.store(there, Ordering::Relaxed);
    }

    fn frame(&self) {
        self.drawn.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn segments_of_other_options_are_made_anew() {
    if !has_ffmpeg() {
        return;
    }
    let bench = Bench::new(TINY);
    let first = (560, 30);
    for (other, there) in [((560, 45), 0), ((300, 30), 0), (first, 480)] {
        let expected = format!("whole-{other:?}");
        assert_eq!(shard(&bench, &expected, other, u64::MAX), Some(0));
        assert_eq!(shard(&bench, "out", first, 500), None);
        assert!(bench.path("out/shards/0001-of-0001.journal").exists());
        assert_eq!(shard(&bench, "out", other, u64::MAX), Some(there), "{other:?}");
        merge(&bench, "out", 0);
        merge(&bench, &expected, 0);
        let film = |out: &str| fs::read(bench.path(out).join("film.mp4")).unwrap();
        assert!(film("out") == film(&expected), "{other:?}");
        // The segments of a finished shard cannot be used by another shard either.
        assert_eq!(shard(&bench, "out", (560, 44), 1), None);
        bench.remove(&["out", &expected]);
    }
}

#[test]
fn films_that_catena_did_not_write_stay() {
    if !has_ffmpeg() {
        return;
    }
    let bench = Bench::new(TINY);
    let shard = |name: &str| {
        let options = ["--shard", "1/1", "--frames", "20", "--film", name];
        bench.render("out", &[&options[..], &OPTIONS].concat(), 0)
    };
    let film = bench.path("out/x.mp4");
    shard("x.mp4");
    for (what, code) in [("mine", 5), ("", 0)] {
        fs::write(&film, what).unwrap();
        let message = merge(&bench, "out", code);
        assert_eq!(fs::read(&film).unwrap() == what.as_bytes(), code == 5, "{message}");
        assert_eq!(message.contains("x.mp4: catena did not write it"), code == 5, "{message}");
    }
    let first = fs::read(&film).unwrap();
    // Films of an earlier merge are replaced, even if they have other frames or come after other
    // films.
    let more = ["--shard", "1/1", "--frames", "10", "--film", "x.mp4"];
    // Two films with equal bytes, one of which changes.
    shard("y.mp4");
    merge(&bench, "out", 0);
    bench.render("out", &[&more[..4], &["--film", "y.mp4"]].concat(), 0);
    merge(&bench, "out", 0);
    bench.render("out", &more, 0);
    merge(&bench, "out", 0);
    assert!(fs::read(&film).unwrap() != first);
    merge(&bench, "out", 0);
    // A film that a user has changed belongs to the user, and so does an older film that the user
    // restored.
    for bytes in [[&*fs::read(&film).unwrap(), b"mine"].concat(), first] {
        fs::write(&film, &bytes).unwrap();
        assert!(merge(&bench, "out", 5).contains("or it was changed since"));
        assert!(fs::read(&film).unwrap() == bytes);
    }
}

#[test]
fn what_has_no_segments_is_refused() {
    let bench = Bench::new(TINY);
    for (args, words) in [
        (&["--shard", "1/2", "--film", "a.gif"][..], "only mp4, mov, mkv and webm"),
        (&["--shard", "1/2", "--film", "b/a.mp4"], "without folders"),
        (&["--shard", "1/2", "--film", "../a.mp4"], "without folders"),
        (&["--shard", "1/2", "--film", "a"], "has no known film format"),
        (&["--shard", "1/2", "--film", "a.mp4", "--audit", "1%"], "cannot be audited"),
        (&["--film", "a.mp4"], "or add --shard, which allows both"),
    ] {
        let message = bench.render("out", args, 2);
        assert!(message.contains(words), "{args:?}: {message}");
    }
}
