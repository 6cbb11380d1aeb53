//! Shards that make segments of a film. Without ffmpeg these tests say so and pass, unless
//! `CATENA_REQUIRE_FFMPEG` is set.

use super::renders::merge;
use crate::{
    film::content::has_ffmpeg,
    rendered::{Bench, TINY},
};
use std::{fs, process::Command};

const FRAMES: &str = "500";

fn segments(bench: &Bench, of: u32, more: &[&str]) -> String {
    let shard = |number| {
        let shard = format!("{number}/{of}");
        let film = ["--shard", &shard, "--film", "film.mp4", "--frames", FRAMES];
        bench.render("out", &[&film[..], &OPTIONS, more].concat(), 0)
    };
    (1..=of).map(shard).collect()
}

/// Without loss, so that pictures can be compared; one thread, so that bytes can.
const OPTIONS: [&str; 4] = ["--quality", "0", "--ffmpeg-threads", "1"];

/// A hash of each picture of a film.
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
    let said = merge(&bench, "out", 1);
    let words = "shard 2: 0002-of-0002/segment_00002.mp4 is not what its report says";
    assert!(said.contains(words) && said.contains("run again: --shard 2 of 2, such as"), "{said}");
    assert_eq!(fs::read(bench.path("out/film.mp4")).unwrap(), film, "the older film stays");
    let said = segments(&bench, 2, &["--progress", "json"]);
    let drawn: Vec<u64> = said
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|event| event["event"] == "done")
        .map(|event| event["drawn"].as_u64().unwrap())
        .collect();
    assert_eq!(drawn, [0, 20], "of the second shard only the damaged segment");
    assert_eq!(fs::read(&segment).unwrap(), whole);
    merge(&bench, "out", 0);
    assert_eq!(fs::read(bench.path("out/film.mp4")).unwrap(), film);
    // No ffmpeg: the segments are kept.
    let output = bench.run(["merge", "out", "--ffmpeg", "/nowhere/ffmpeg"]);
    assert_eq!(output.status.code(), Some(6));
    assert_eq!(fs::read(bench.path("out/film.mp4")).unwrap(), film);
}

#[test]
fn what_has_no_segments_is_refused() {
    let bench = Bench::new(TINY);
    for (args, words) in [
        (&["--shard", "1/2", "--film", "a.gif"][..], "only mp4, mov and mkv"),
        (&["--shard", "1/2", "--film", "b/a.mp4"], "without folders"),
        (&["--shard", "1/2", "--film", "../a.mp4"], "without folders"),
        (&["--shard", "1/2", "--film", "a"], "names no format"),
        (&["--shard", "1/2", "--film", "a.mp4", "--audit", "1%"], "are not audited"),
        (&["--film", "a.mp4"], "with --shard it can"),
    ] {
        let said = bench.render("out", args, 2);
        assert!(said.contains(words), "{args:?}: {said}");
    }
}
