//! Shards of renders that merge refuses: the contents of the folder stay, and the advice in the
//! message works.

use super::renders::{merge, merged, shards, whole};
use crate::rendered::{Bench, copy};
use catena::{
    output::hash::sha256,
    shard::{RanOn, ShardPlace, ShardReport},
};
use serde_json::{Value, json};
use std::{fs, path::Path};

/// The report of a shard.
fn report(path: &Path) -> ShardReport {
    ShardReport::parse(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_merged_shard_is_finished_whatever_became_of_the_others() {
    let (bench, tree) = whole();
    shards(&bench, "out", 2, [1, 2]);
    let frame = bench.path("out/shards/0002-of-0002/frame_00012.png");
    let mut bytes = fs::read(&frame).unwrap();
    bytes[60] ^= 4;
    fs::write(&frame, bytes).unwrap();
    assert!(merge(&bench, "out", 1).contains("run again: --shard 2 of 2"));
    assert!(!bench.path("out/shards/0001-of-0002").exists());
    assert!(shards(&bench, "out", 2, [1]).contains("already merged"));
    assert_eq!(bench.drawn("out", &["--shard", "2/2"]).0, 1);
    merge(&bench, "out", 0);
    assert_eq!(merged(&bench, "out"), tree);
    // The state after a kill before the manifest was written, or before a shard's folder was
    // complete.
    fs::remove_file(bench.path("out/manifest.json")).unwrap();
    let product = bench.path("out/shards/0001-of-0002");
    copy(&bench.path("out/.catena"), &product.join(".catena"));
    assert!(shards(&bench, "out", 2, [1]).contains("already merged"));
    assert!(merge(&bench, "out", 0).contains("all existed already"));
    assert_eq!(merged(&bench, "out"), tree);
    assert!(!product.exists());
}

/// A change of a file, given the folder of its shard.
type Change = fn(&Path, &str);

#[test]
fn files_of_shards_that_changed_are_made_anew() {
    let append: Change = |product, name| {
        let path = product.join(name);
        fs::write(&path, [&*fs::read(&path).unwrap(), b"x"].concat()).unwrap();
    };
    let changes: [(&str, Change); 5] = [
        ("a byte more", append),
        ("another picture", |product, name| {
            fs::copy(product.join("frame_00000.png"), product.join(name)).unwrap();
        }),
        ("a text", |product, name| fs::write(product.join(name), "mine").unwrap()),
        ("a picture that nobody knows", |product, name| {
            image::RgbImage::new(3, 3).save(product.join(name)).unwrap();
        }),
        ("no record in the folder", |product, name| {
            let path = product.join(name);
            fs::write(&path, [&*fs::read(&path).unwrap(), b"x"].concat()).unwrap();
            fs::write(product.join("manifest.json"), "{").unwrap();
        }),
    ];
    let (bench, tree) = whole();
    for (what, change) in changes {
        for name in ["frame_00004.png", "steady.png"] {
            shards(&bench, "out", 2, [1, 2]);
            change(&bench.path("out/shards/0001-of-0002"), name);
            let message = merge(&bench, "out", 1);
            let words = format!("shard 1: 0001-of-0002/{name} does not match its report");
            assert!(
                message.contains(&words) && message.contains("--shard 1 of 2"),
                "{what}: {message}"
            );
            let (drawn, _) = bench.drawn("out", &["--shard", "1/2"]);
            assert!(drawn <= 10, "{what}");
            merge(&bench, "out", 0);
            assert_eq!(merged(&bench, "out"), tree, "{what}: {name}");
            bench.remove(&["out"]);
        }
    }
}

/// A forged report of a shard; the hash belongs to a file that the forgery must not affect.
type Forgery = fn(&mut ShardReport, &str);

#[test]
fn a_report_reaches_no_files_but_those_of_its_shard() {
    const STEADY: &str = "it contains a steady-state comparison, which belongs to another shard";
    const FILES: &str = "it lists files that its shard does not write";
    const FRAMES: &str = "it lists frames that do not belong to its shard";
    let forgeries: [(u32, &str, Forgery); 7] = [
        (1, STEADY, |report, hash| {
            report.content["steady"]["file"] = json!("../../../victim.txt");
            report.content["steady"]["sha256"] = json!(hash);
        }),
        (1, STEADY, |report, _| report.content["steady"]["file"] = json!("frame_00015.png")),
        (2, STEADY, |report, hash| {
            report.content["steady"] = json!({
                "limits": [], "file": "steady.png", "sha256": hash, "bodies": [],
            });
        }),
        (1, FRAMES, |report, _| report.content["frames"][3]["file"] = json!("../victim.txt")),
        (2, FRAMES, |report, _| {
            report.content["frames"].as_array_mut().unwrap().remove(0);
        }),
        (2, FILES, |report, hash| report.files[1].sha256 = hash.into()),
        (2, "its number of frames differs", |report, _| report.content["total"] = json!(21)),
    ];
    let (bench, tree) = whole();
    fs::write(bench.path("victim.txt"), "mine").unwrap();
    shards(&bench, "out", 2, [1, 2]);
    let before = bench.tree("out/shards/0001-of-0002");
    for (number, words, forge) in forgeries {
        let path = bench.path(format!("out/shards/{number:04}-of-0002.json"));
        let original = fs::read(&path).unwrap();
        let mut forged = report(&path);
        forge(&mut forged, &sha256(b"mine"));
        fs::write(&path, forged.text().unwrap()).unwrap();
        let message = merge(&bench, "out", 1);
        assert!(
            message.contains(words) && message.contains(&format!("shard {number}: ")),
            "{message}"
        );
        assert_eq!(fs::read(bench.path("victim.txt")).unwrap(), b"mine");
        assert_eq!(bench.tree("out/shards/0001-of-0002"), before, "{words}");
        fs::write(&path, original).unwrap();
    }
    merge(&bench, "out", 0);
    assert_eq!(merged(&bench, "out"), tree);
}

/// Follows the advice of the message about differing results, for this machine.
fn follow(bench: &Bench, message: &str, more: &[&str]) {
    let words = message.split_whitespace().map(|word| word.trim_matches(['(', ')', ',']));
    let stems = words.filter_map(|word| word.strip_prefix("shards/"));
    let stems: Vec<&str> = stems.filter_map(|word| word.strip_suffix('*')).collect();
    assert!(!stems.is_empty(), "{message}");
    for entry in fs::read_dir(bench.path("out/shards")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        match stems.iter().any(|stem| name.starts_with(stem)) {
            true if path.is_dir() => fs::remove_dir_all(path).unwrap(),
            true => fs::remove_file(path).unwrap(),
            false => {}
        }
    }
    let (_, numbers_to_rerun) = message.split_once(": --shard ").unwrap();
    let (numbers, rest) = numbers_to_rerun.split_once(" of ").unwrap();
    let of = rest.split(|c: char| !c.is_ascii_digit()).next().unwrap();
    for number in numbers.split(',') {
        let shard = format!("{number}/{of}");
        bench.render("out", &[&["--shard", &shard], more].concat(), 0);
    }
}

#[test]
fn what_is_advised_about_results_that_differ_helps() {
    let (bench, tree) = whole();
    let audit = ["--audit", "0.5"];
    for number in 1..=3 {
        bench.render("out", &[&["--shard", &format!("{number}/3")], &audit[..]].concat(), 0);
    }
    // Another machine has computed another result, and its frames are in the folder.
    let folder = bench.path("out/shards");
    let path = folder.join("0002-of-0003.json");
    let mut other = report(&path);
    let frame = folder.join("0002-of-0003/frame_00008.png");
    fs::copy(folder.join("0002-of-0003/frame_00009.png"), &frame).unwrap();
    let hash = sha256(&fs::read(&frame).unwrap());
    other.content["frames"][1]["sha256"] = json!(hash);
    other.files[1].sha256 = hash;
    other.ran_on = RanOn { host: "hot".into(), ..other.ran_on };
    let place = ShardPlace::new(&bench.path("out"), other.choice().unwrap());
    assert!(other.publish(&place).unwrap().ends_with("0002-of-0003.2.json"));
    let message = merge(&bench, "out", 1);
    assert!(
        message.contains("shard 2: 0002-of-0003.json of ") && message.contains("2.json of hot")
    );
    assert!(
        message.contains("run again on a third machine: --shard 2 of 3, such as\n  "),
        "{message}"
    );
    follow(&bench, &message, &audit);
    // An audit contradicts it: either of the two shards may be wrong.
    let mut auditor = report(&folder.join("0003-of-0003.json"));
    let hashes = &mut auditor.audit.as_mut().unwrap().hashes;
    hashes[0].1.replace_range(..1, "x");
    fs::write(folder.join("0003-of-0003.json"), auditor.text().unwrap()).unwrap();
    let message = merge(&bench, "out", 1);
    assert!(
        message.contains("run again on a third machine: --shard 2,3 of 3, such as\n  "),
        "{message}"
    );
    follow(&bench, &message, &audit);
    merge(&bench, "out", 0);
    assert_eq!(merged(&bench, "out"), tree);
    let manifest: Value =
        serde_json::from_slice(&fs::read(bench.path("out/manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["frames"].as_array().unwrap().len(), 20);
}
