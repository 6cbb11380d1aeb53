//! Names, numbers and lists of frames, from the render to the film.

use crate::rendered::{Bench, TINY, Tree};
use std::fs;

/// Names of the pictures in a folder, except steady.png.
fn pictures(bench: &Bench, out: &str) -> Vec<String> {
    let names = bench.tree(out).into_keys();
    names.filter(|name| name != "steady.png" && name != "manifest.json").collect()
}

#[test]
fn names_have_the_pattern_the_number_and_the_bytes_of_usual_frames() {
    let bench = Bench::new(TINY);
    bench.render("usual", &["--frames", "3", "--no-steady"], 0);
    let usual = bench.tree("usual");
    let cases: [(&[&str], [&str; 3]); 6] = [
        (&["--name", "shot_####.png"], ["shot_0000.png", "shot_0001.png", "shot_0002.png"]),
        (&["--name", "shot.%03d.png"], ["shot.000.png", "shot.001.png", "shot.002.png"]),
        (&["--name", "%d-of-7.png"], ["0-of-7.png", "1-of-7.png", "2-of-7.png"]),
        (&["--start-number", "1001"], ["frame_01001.png", "frame_01002.png", "frame_01003.png"]),
        // Numbers are never truncated.
        (&["--name", "#.png", "--start-number", "9"], ["10.png", "11.png", "9.png"]),
        (&["--name", "ü ##.png", "--start-number", "98"], ["ü 100.png", "ü 98.png", "ü 99.png"]),
    ];
    for (index, (options, names)) in cases.iter().enumerate() {
        let out = format!("out{index}");
        let options = [&["--frames", "3", "--no-steady"], *options].concat();
        bench.render(&out, &options, 0);
        assert_eq!(pictures(&bench, &out), names, "{options:?}");
        // Manifests differ only in the names.
        let hashes = |mut tree: Tree| {
            tree.remove("manifest.json").unwrap();
            let mut hashes: Vec<String> = tree.into_values().collect();
            hashes.sort();
            hashes
        };
        assert_eq!(hashes(bench.tree(&out)), hashes(usual.clone()), "{options:?}");
        // No frame needs to be drawn again, and a film has the frames in order.
        assert_eq!(bench.drawn(&out, &options).0, 0, "{options:?}");
        let film = |out: &str| {
            let output = bench.run(["film", out, "-o", "film.raw", "--fps", "30"]);
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            let bytes = fs::read(bench.path("film.raw")).unwrap();
            fs::remove_file(bench.path("film.raw")).unwrap();
            bytes
        };
        assert!(film(&out) == film("usual"), "{options:?}");
    }
}

#[test]
fn names_that_cannot_be_are_refused_with_what_can() {
    let bench = Bench::new(TINY);
    for (name, wanted) in [
        ("shot.png", "one place for the number"),
        ("##_##.png", "a single place"),
        ("%04d_%d.png", "a single place"),
        ("%4d.png", "one place for the number"),
        ("a/####.png", "cannot contain “/”; --out names the folder"),
        ("..\\####.png", "cannot contain “\\”"),
        ("a:####.png", "cannot contain “:”"),
        (".####.png", "does not begin with a dot"),
        ("####.jpg", "ends in one of .png, .webp, .exr"),
        ("####", "ends in one of .png, .webp, .exr"),
        ("####.PNG", "ends in one of .png, .webp, .exr"),
        ("###########.png", "at most 80 bytes and 10 digits"),
    ] {
        let message = bench.render("out", &["--name", name], 2);
        assert!(message.contains(wanted), "{name}: {message}");
        assert!(!bench.path("out").exists());
    }
    let message = bench.render("out", &["--name", "##.png", "--film", "a.gif"], 2);
    assert!(message.contains("cannot be used with"), "{message}");
}

#[test]
fn other_names_replace_frames_of_catena_and_nothing_else() {
    let bench = Bench::new(TINY);
    let options = ["--frames", "3", "--no-steady"];
    bench.render("out", &options, 0);
    fs::write(bench.path("out").join("shot_0001.png"), b"mine").unwrap();
    let named = [&options[..], &["--name", "shot_####.png"]].concat();
    let message = bench.render("out", &named, 5);
    assert!(
        message.contains("shot_0001.png") && message.contains("catena did not write it"),
        "{message}"
    );
    assert_eq!(fs::read(bench.path("out").join("shot_0001.png")).unwrap(), b"mine");
    assert_eq!(bench.tree("out").len(), 5, "frames stay where a render is refused");
    fs::remove_file(bench.path("out").join("shot_0001.png")).unwrap();
    fs::write(bench.path("out").join("other_0001.png"), b"mine").unwrap();
    let message = bench.render("out", &named, 0);
    assert!(message.contains("3 frames under other names"), "{message}");
    let names = ["other_0001.png", "shot_0000.png", "shot_0001.png", "shot_0002.png"];
    assert_eq!(pictures(&bench, "out"), names);
    // A damaged frame is drawn again under its name.
    fs::write(bench.path("out").join("shot_0002.png"), b"").unwrap();
    assert_eq!(bench.drawn("out", &named).0, 1);
}

#[test]
fn shards_packs_and_claims_keep_the_names() {
    let bench = Bench::new(TINY);
    let options = ["--name", "shot_####.png", "--start-number", "7", "--no-steady"];
    bench.render("whole", &options, 0);
    let whole = bench.tree("whole");
    assert!(whole.contains_key("shot_0026.png"));
    for pack in [&[][..], &["--pack"]] {
        for shard in ["1/2", "2/2"] {
            bench.render("out", &[&options[..], pack, &["--shard", shard]].concat(), 0);
        }
        let message = bench.render("out", &["--no-steady", "--shard", "1/2"], 2);
        assert!(message.contains("--name or --start-number"), "{message}");
        let output = bench.run(["merge", "out"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        if pack.is_empty() {
            let merged = crate::shard::merged(&bench, "out");
            assert_eq!(merged, whole);
        }
        for (out, file) in [("out", "a.raw"), ("whole", "b.raw")] {
            let output = bench.run(["film", out, "-o", file, "--fps", "30"]);
            assert_eq!(output.status.code(), Some(0), "{output:?}");
        }
        let [a, b] = ["a.raw", "b.raw"].map(|file| fs::read(bench.path(file)).unwrap());
        assert!(a == b);
        bench.remove(&["out"]);
    }
    bench.render("claimed", &[&options[..], &["--claim"]].concat(), 0);
    assert_eq!(bench.tree("claimed"), whole);
}

#[test]
fn lists_of_frames_are_drawn_and_filmed_as_they_say() {
    let bench = Bench::new(TINY);
    bench.render("whole", &["--no-steady"], 0);
    let whole = bench.tree("whole");
    let cases: [(&str, &[u64]); 7] = [
        ("7", &[7]),
        ("1-5x2,9", &[1, 3, 5, 9]),
        ("9,1-5x2,3", &[1, 3, 5, 9]),
        ("17-", &[17, 18, 19]),
        ("3-x8", &[3, 11, 19]),
        ("0-19x20", &[0]),
        ("2-4, 18-", &[2, 3, 4, 18, 19]),
    ];
    for (list, frames) in cases {
        bench.render("part", &["--no-steady", "--frame-range", list], 0);
        let names: Vec<String> = frames.iter().map(|at| format!("frame_{at:05}.png")).collect();
        assert_eq!(pictures(&bench, "part"), names, "{list}");
        for (name, bytes) in bench.tree("part") {
            assert!(name == "manifest.json" || whole[&name] == bytes, "{list}: {name}");
        }
        assert_eq!(bench.drawn("part", &["--no-steady", "--frame-range", list]).0, 0, "{list}");
        let mut films = Vec::new();
        let film = ["--fps", "30", "-o", "film.raw"];
        let of_part = ["film", "part", "--frames", list];
        let of_whole = ["film", "whole", "--frames", list];
        for command in [of_part, of_whole] {
            let output = bench.run([&command[..], &film].concat());
            assert_eq!(output.status.code(), Some(0), "{list}: {output:?}");
            films.push(fs::read(bench.path("film.raw")).unwrap());
        }
        let straight = ["--frame-range", list, "--film", "film.raw", "--fps", "30"];
        let output = bench.run([&["render", "scene.ron"], &straight[..]].concat());
        assert_eq!(output.status.code(), Some(0), "{list}: {output:?}");
        films.push(fs::read(bench.path("film.raw")).unwrap());
        assert_eq!(films[0].len(), 64 * 64 * 3 * frames.len(), "{list}");
        assert!(films[0] == films[1] && films[0] == films[2], "{list}");
        bench.remove(&["part"]);
    }
    frames_that_were_not_asked_for(&bench);
    for (list, wanted) in [
        ("", "expected one frame such as 7"),
        ("1,", "expected one frame such as 7"),
        ("5-1", "expected one frame such as 7"),
        ("1-5x0", "expected one frame such as 7"),
        ("7x2", "expected one frame such as 7"),
        ("1-5y2", "expected one frame such as 7"),
        ("20-", "there is no frame 20: the scene has 20"),
        ("1,30-", "there is no frame 30: the scene has 20"),
    ] {
        let message = bench.render("part", &["--frame-range", list], 2);
        assert!(message.contains(wanted), "{list}: {message}");
    }
    let message = bench.render("part", &["--claim", "--frame-range", "1,3"], 2);
    assert!(message.contains("not the list 1,3"), "{message}");
    let output = bench.run(["export", "scene.ron", "--format", "obj", "--frame-range", "1,3"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("needs consecutive frames"));
}

/// The advice about a folder whose render is complete but has gaps: a list that works.
fn frames_that_were_not_asked_for(bench: &Bench) {
    for (list, advice) in
        [("1-5x2,9", "--frames 1-5x2,9 "), ("0-8x4,13-19", "--frames 0-8x4,13-19 ")]
    {
        bench.render("part", &["--no-steady", "--frame-range", list], 0);
        let output = bench.run(["film", "part", "-o", "film.raw", "--fps", "30"]);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(5), "{stderr}");
        assert!(
            stderr.contains("was not rendered into part") && stderr.contains(advice),
            "{stderr}"
        );
        assert!(!stderr.contains("again to complete it"), "{stderr}");
        let advised = ["film", "part", "--frames", list, "-o", "film.raw", "--fps", "30"];
        assert_eq!(bench.run(advised).status.code(), Some(0), "{list}");
        bench.remove(&["part"]);
    }
}
