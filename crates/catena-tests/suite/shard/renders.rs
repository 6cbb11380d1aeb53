//! Shards of renders through the command line: the merged files have the bytes of an uninterrupted
//! render.

use crate::rendered::{Bench, TINY, Tree};
use catena::shard::ShardReport;
use serde_json::Value;
use std::{fs, path::Path};

/// The scene in shards `numbers` of `of`, with more options.
pub fn shards(bench: &Bench, out: &str, of: u32, numbers: impl IntoIterator<Item = u32>) -> String {
    let shard = |number| bench.render(out, &["--shard", &format!("{number}/{of}")], 0);
    numbers.into_iter().map(shard).collect()
}

/// Runs `catena merge OUT`, checks its exit code, and returns its message.
pub fn merge(bench: &Bench, out: &str, code: i32) -> String {
    let output = bench.run(["merge", out]);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    stderr
}

/// Files of a folder, without catena's internal files and the shards.
pub fn merged(bench: &Bench, out: &str) -> Tree {
    let aside = bench.path("aside");
    fs::rename(bench.path(out).join("shards"), &aside).unwrap();
    let tree = bench.tree(out);
    fs::rename(&aside, bench.path(out).join("shards")).unwrap();
    tree
}

pub fn whole() -> (Bench, Tree) {
    let bench = Bench::new(TINY);
    bench.render("whole", &[], 0);
    let tree = bench.tree("whole");
    (bench, tree)
}

#[test]
fn merged_bytes_do_not_depend_on_the_number_of_shards_or_their_order() {
    let (bench, tree) = whole();
    assert_eq!(tree.len(), 22);
    for (of, order) in [
        (1, vec![1]),
        (3, vec![1, 2, 3]),
        (3, vec![3, 1, 2]),
        (20, (1..=20).rev().collect()),
        (23, (1..=23).collect()),
    ] {
        shards(&bench, "out", of, order.clone());
        let message = merge(&bench, "out", 0);
        assert!(
            message.contains("20 frames, steady.png and manifest.json in out, of"),
            "{message}"
        );
        assert_eq!(merged(&bench, "out"), tree, "{order:?}");
        // Merge and shard again: nothing remains to be done.
        assert!(merge(&bench, "out", 0).contains("all existed already"));
        assert!(shards(&bench, "out", of, [1]).contains("already merged"));
        assert_eq!(merged(&bench, "out"), tree);
        // An uninterrupted render continues from there, and reuses everything.
        assert_eq!(bench.drawn("out", &[]).0, 0);
        bench.remove(&["out"]);
    }
}

#[test]
fn options_are_those_of_the_unbroken_render() {
    let bench = Bench::new(TINY);
    for options in [
        &["--frames", "7", "--set", "substeps=16"][..],
        &["--no-steady", "--size", "80x64"],
        &["--steady-time", "0.00001", "--checkpoint-every", "3"],
        &["--audit", "20%", "--threads", "2"],
    ] {
        let plain: Vec<&str> = match options[0] {
            "--audit" => vec![],
            _ => options.to_vec(),
        };
        bench.render("whole", &plain, 0);
        for number in 1..=3 {
            bench.render("out", &[options, &["--shard", &format!("{number}/3")]].concat(), 0);
        }
        merge(&bench, "out", 0);
        assert_eq!(merged(&bench, "out"), bench.tree("whole"), "{options:?}");
        bench.remove(&["out", "whole"]);
    }
}

#[test]
fn a_shard_goes_on_after_a_kill() {
    let (bench, tree) = whole();
    shards(&bench, "out", 2, [1, 2]);
    let folder = bench.path("out/shards");
    let product = folder.join("0002-of-0002");
    // The state after a kill: no report, a manifest without frames, and a journal truncated within
    // a line.
    let report = fs::read_to_string(folder.join("0002-of-0002.json")).unwrap();
    fs::remove_file(folder.join("0002-of-0002.json")).unwrap();
    let manifest = catena::output::manifest::Manifest::read(&product).unwrap().unwrap();
    let key = manifest.source.key();
    let journal = product.join(".catena/journal");
    let writer = catena::output::journal::Journal::create(&journal, &key).unwrap();
    manifest.frames.iter().for_each(|entry| writer.add(entry).unwrap());
    drop(writer);
    let bytes = fs::read(&journal).unwrap();
    fs::write(&journal, &bytes[..bytes.len() - 500]).unwrap();
    let left = catena::output::manifest::Manifest { frames: Vec::new(), ..manifest };
    left.write(&product).unwrap();
    for frame in 17..20 {
        fs::remove_file(product.join(format!("frame_{frame:05}.png"))).unwrap();
    }
    assert!(merge(&bench, "out", 1).contains("run again: --shard 2 of 2"));
    let (drawn, _) = bench.drawn("out", &["--shard", "2/2"]);
    assert_eq!(drawn, 3);
    let second = fs::read_to_string(folder.join("0002-of-0002.json")).unwrap();
    let but_for_where_it_ran = |text: &str| {
        let mut value: Value = serde_json::from_str(text).unwrap();
        value["ran_on"].take();
        value
    };
    assert_eq!(but_for_where_it_ran(&second), but_for_where_it_ran(&report));
    merge(&bench, "out", 0);
    assert_eq!(merged(&bench, "out"), tree);
}

#[test]
fn a_merge_goes_on_after_a_kill() {
    let (bench, tree) = whole();
    for frames in [0..1, 0..13, 0..20] {
        shards(&bench, "out", 3, 1..=3);
        // The state after a kill: frames are in place, but only the journal records them.
        fs::create_dir(bench.path("out/.catena")).unwrap();
        let reports = (1..=3).map(|number| {
            let path = bench.path(format!("out/shards/000{number}-of-0003.json"));
            ShardReport::parse(&fs::read(path).unwrap()).unwrap()
        });
        let contents: Vec<Value> = reports.map(|report| report.content).collect();
        let source: catena::output::manifest::RenderSource =
            serde_json::from_value(contents[0]["source"].clone()).unwrap();
        let journal = bench.path("out/.catena/journal");
        let journal = catena::output::journal::Journal::create(&journal, &source.key()).unwrap();
        for (number, content) in contents.into_iter().enumerate() {
            for entry in content["frames"].as_array().unwrap() {
                let entry: catena::output::manifest::FrameEntry =
                    serde_json::from_value(entry.clone()).unwrap();
                if frames.contains(&entry.frame) {
                    journal.add(&entry).unwrap();
                    let from = format!("out/shards/000{}-of-0003/{}", number + 1, entry.file);
                    fs::rename(bench.path(from), bench.path("out").join(&entry.file)).unwrap();
                }
            }
        }
        catena::output::manifest::Manifest {
            source,
            frames: Vec::new(),
            under_way: Some([0, 19]),
            packs: Vec::new(),
            steady: None,
        }
        .write(&bench.path("out"))
        .unwrap();
        let message = merge(&bench, "out", 0);
        let there = frames.end;
        assert!(message.contains(&format!("({there} existed")) || there == 20, "{message}");
        assert_eq!(merged(&bench, "out"), tree, "{frames:?}");
        bench.remove(&["out"]);
    }
}

/// A change to a folder of shards, the exit code of merge, and words of its message.
type Case = (&'static str, fn(&Bench, &Path), i32, &'static [&'static str]);

const CASES: [Case; 6] = [
    (
        "a flipped bit",
        |_, shards| {
            let path = shards.join("0002-of-0003/frame_00008.png");
            let mut bytes = fs::read(&path).unwrap();
            bytes[60] ^= 4;
            fs::write(path, bytes).unwrap();
        },
        1,
        &[
            "2 of 3 shards are complete",
            "shard 2: 0002-of-0003/frame_00008.png does not match its report",
            "run again: --shard 2 of 3, such as\n  ",
            "render scene.ron --out out --shard 2/3",
        ],
    ),
    (
        "a frame and a report that are gone",
        |_, shards| {
            fs::remove_file(shards.join("0003-of-0003/frame_00019.png")).unwrap();
            fs::remove_file(shards.join("0001-of-0003.json")).unwrap();
        },
        1,
        &["2 of 3 shards", "run again: --shard 1 of 3"],
    ),
    (
        "a damaged comparison",
        |_, shards| fs::write(shards.join("0001-of-0003/steady.png"), "x").unwrap(),
        1,
        &["shard 1: 0001-of-0003/steady.png does not match", "--shard 1 of 3"],
    ),
    (
        "another value",
        |bench, shards| {
            let given = ["--shard", "2/3", "--set", "substeps=16"];
            let message = bench.render("out", &given, 2);
            let words =
                "has finished shards of another render: shards 1,3 of 3, such as 0001-of-0003.json";
            assert!(
                message.contains(words) && message.contains("in --set; choose another --out"),
                "{message}"
            );
            // On a machine that does not see the other shards, there is nothing to refuse.
            bench.render("other", &given, 0);
            let report = "0002-of-0003.json";
            fs::copy(bench.path("other/shards").join(report), shards.join(report)).unwrap();
            bench.remove(&["other"]);
        },
        1,
        &["the shards differ in --set", "render shards 1,3: 0001-of-0003.json", "--shard 2 of 3"],
    ),
    (
        "another build",
        |_, shards| {
            let path = shards.join("0002-of-0003.json");
            let report = ShardReport::parse(&fs::read(&path).unwrap()).unwrap();
            let source = report.source.clone().with("build of catena", "another");
            let report = ShardReport { key: source.key(), source, ..report };
            fs::write(path, report.text().unwrap()).unwrap();
        },
        1,
        &["the shards differ in build of catena", "--shard 2 of 3, or remove their reports"],
    ),
    (
        "an audit that contradicts",
        |_, shards| {
            let path = shards.join("0002-of-0003.json");
            let mut report = ShardReport::parse(&fs::read(&path).unwrap()).unwrap();
            let audit = report.audit.as_mut().unwrap();
            assert_eq!((audit.number, audit.hashes.len()), (1, 3));
            audit.hashes[1].1.replace_range(..1, "x");
            report.ran_on.host = "hot".into();
            fs::write(path, report.text().unwrap()).unwrap();
        },
        1,
        &["frame 3: shard 1 on ", "and the audit by shard 2 on hot disagree"],
    ),
];

#[test]
fn shards_that_do_not_make_a_whole_are_named_and_made_again() {
    let (bench, tree) = whole();
    for (name, change, code, words) in CASES {
        for number in 1..=3 {
            bench.render("out", &["--shard", &format!("{number}/3"), "--audit", "0.5"], 0);
        }
        change(&bench, &bench.path("out/shards"));
        let message = merge(&bench, "out", code);
        assert!(words.iter().all(|word| message.contains(word)), "{name}: {message}");
        // The proposed command completes it, and draws no more than necessary.
        for number in 1..=3 {
            let shard = format!("{number}/3");
            bench.render("out", &["--shard", &shard, "--audit", "0.5"], 0);
        }
        if name.starts_with("an audit") {
            fs::remove_dir_all(bench.path("out/shards/0002-of-0003")).unwrap();
            bench.render("out", &["--shard", "2/3", "--audit", "0.5"], 0);
        }
        merge(&bench, "out", 0);
        assert_eq!(merged(&bench, "out"), tree, "{name}");
        bench.remove(&["out"]);
    }
}

#[test]
fn a_damaged_frame_in_place_is_drawn_again_by_its_shard() {
    let (bench, tree) = whole();
    shards(&bench, "out", 3, 1..=3);
    merge(&bench, "out", 0);
    fs::write(bench.path("out/frame_00007.png"), "").unwrap();
    assert!(merge(&bench, "out", 1).contains("run again: --shard 2 of 3"));
    shards(&bench, "out", 3, [2]);
    merge(&bench, "out", 0);
    assert_eq!(merged(&bench, "out"), tree);
    assert!(!bench.path("out/shards/0002-of-0003").exists());
}

#[test]
fn what_is_no_shard_is_refused() {
    let bench = Bench::new(TINY);
    for (args, words) in [
        (&["--shard", "4/3"][..], "expected I/N such as 3/64"),
        (&["--shard", "1/3", "--claim"], "each has its own"),
        (&["--shard", "1/3", "--frame-range", "1-2"], "set the total number of frames"),
        (&["--audit", "1%"], "--shard"),
        (&["--shard", "1/3", "--audit", "0"], "expected a share"),
    ] {
        let message = bench.render("out", args, 2);
        assert!(message.contains(words), "{args:?}: {message}");
        assert!(!bench.path("out").exists());
    }
    for out in ["nothing", "."] {
        assert!(merge(&bench, out, 2).contains("contains no shards"));
    }
    // A picture that is not catena's has the name of a frame.
    shards(&bench, "out", 2, [1, 2]);
    fs::write(bench.path("out/frame_00003.png"), "mine").unwrap();
    merge(&bench, "out", 5);
    assert_eq!(fs::read(bench.path("out/frame_00003.png")).unwrap(), b"mine");
    assert!(bench.path("out/shards/0001-of-0002/frame_00003.png").exists());
}
