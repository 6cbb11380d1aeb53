//! Shards whose frames are in one tar file each.

use super::renders::{merge, shards, whole};
use crate::rendered::{Bench, TINY};
use catena::{
    output::{hash::sha256, manifest::Manifest, pack},
    shard::ShardReport,
};
use std::{collections::BTreeMap, fs, path::Path};

const OF: u32 = 3;

fn path(bench: &Bench, number: u32) -> std::path::PathBuf {
    bench.path(format!("out/shards/{number:04}-of-{OF:04}.tar"))
}

/// Hashes of all frames in all packs.
fn packed(bench: &Bench) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for number in 1..=OF {
        let take = |name: &str, bytes: &[u8]| {
            assert!(all.insert(name.to_owned(), sha256(bytes)).is_none(), "{name}");
            true
        };
        pack::walk(&path(bench, number), take).unwrap();
    }
    all
}

fn pack_all(bench: &Bench) -> String {
    let pack = |number| bench.render("out", &["--shard", &format!("{number}/{OF}"), "--pack"], 0);
    (1..=OF).map(pack).collect()
}

/// Number of files in a folder and its subfolders, without catena's own.
fn files(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let entries = entries.filter(|entry| entry.file_name() != ".catena");
    entries.map(|entry| if entry.path().is_dir() { files(&entry.path()) } else { 1 }).sum()
}

#[test]
fn packs_have_the_frames_of_an_unbroken_render_and_film_reads_them() {
    let (bench, mut tree) = whole();
    pack_all(&bench);
    let before: Vec<Vec<u8>> = (1..=OF).map(|i| fs::read(path(&bench, i)).unwrap()).collect();
    assert_eq!(files(&bench.path("out/shards")), 3 * 3 + 1, "tar, json, manifest; steady.png");
    assert!(merge(&bench, "out", 0).contains("packed, of 3 shards"));
    let manifest = Manifest::read(&bench.path("out")).unwrap().unwrap();
    let unbroken = Manifest::read(&bench.path("whole")).unwrap().unwrap();
    assert_eq!(Manifest { packs: Vec::new(), ..manifest }, unbroken);
    assert_eq!(
        fs::read(bench.path("out/steady.png")).ok().map(|it| sha256(&it)),
        tree.remove("steady.png")
    );
    tree.remove("manifest.json");
    assert_eq!(packed(&bench), tree);
    // A film of the packs equals a film of the frames.
    for folder in ["out", "whole"] {
        let film = format!("{folder}.y4m");
        let output = bench.run(["film", folder, "-o", &film, "-q"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(
        fs::read(bench.path("out.y4m")).unwrap(),
        fs::read(bench.path("whole.y4m")).unwrap()
    );
    // Other tools can read the packs, if the tools are installed.
    if let Ok(output) = std::process::Command::new("tar").arg("-tf").arg(path(&bench, 2)).output() {
        let names = String::from_utf8(output.stdout).unwrap();
        assert_eq!(names.lines().next(), Some("frame_00006.png"));
    }
    merge(&bench, "out", 0);
    pack_all(&bench);
    let after: Vec<Vec<u8>> = (1..=OF).map(|i| fs::read(path(&bench, i)).unwrap()).collect();
    assert!(before == after);
}

#[test]
fn a_pack_goes_on_after_a_kill_and_damage_is_made_good() {
    let (bench, _) = whole();
    pack_all(&bench);
    let whole = fs::read(path(&bench, 2)).unwrap();
    let report = bench.path("out/shards/0002-of-0003.json");
    let frames = ShardReport::parse(&fs::read(&report).unwrap()).unwrap().content;
    let key = Manifest::read(&bench.path("whole")).unwrap().unwrap().source.key();
    let line = |index: usize, end: u64| {
        let entry = &frames["frames"][index];
        let text = serde_json::json!({ "entry": entry, "end": end }).to_string();
        catena::output::hash::encode_line(&key, &text)
    };
    // End of each frame.
    let mut ends = vec![0];
    pack::walk(&path(&bench, 2), |_, bytes| {
        let last = ends.last().unwrap();
        ends.push(last + 512 + bytes.len().next_multiple_of(512) as u64);
        true
    })
    .unwrap();
    let journal = |lines: usize, torn: &str| {
        let first = catena::output::hash::encode_line(&key, "shard");
        let lines = (0..lines).map(|index| line(index, ends[index + 1]));
        [first].into_iter().chain(lines).collect::<String>() + torn
    };
    // A kill leaves frames without a line, a truncated line, or lines without their frames.
    for (lines, torn, bytes, drawn) in [
        (3, "", ends[4], 4),
        (3, "0f3a torn", ends[3] + 100, 4),
        (4, "", ends[2] + 700, 5),
        (0, "", 0, 7),
        (7, "", ends[7], 0),
    ] {
        fs::remove_file(&report).unwrap();
        fs::write(bench.path("out/shards/0002-of-0003.journal"), journal(lines, torn)).unwrap();
        fs::write(path(&bench, 2), &whole[..bytes as usize]).unwrap();
        assert!(merge(&bench, "out", 1).contains("--shard 2 of 3"));
        let (found, _) = bench.drawn("out", &["--shard", "2/3", "--pack"]);
        assert_eq!(found, drawn, "{lines} {bytes}");
        assert!(fs::read(path(&bench, 2)).unwrap() == whole, "{lines} {bytes}");
    }
    // A flipped bit in a frame, and in the header of one.
    for at in [ends[2] + 600, ends[2] + 3] {
        let mut bytes = whole.clone();
        bytes[at as usize] ^= 1;
        fs::write(path(&bench, 2), bytes).unwrap();
        let text = merge(&bench, "out", 1);
        let words = "shard 2: 0002-of-0003.tar does not contain frame_00008.png";
        assert!(text.contains(words) && text.contains("run again: --shard 2 of 3"), "{text}");
        bench.render("out", &["--shard", "2/3", "--pack"], 0);
        assert!(fs::read(path(&bench, 2)).unwrap() == whole);
    }
    merge(&bench, "out", 0);
    // Frames and packs are not merged.
    bench.render("out", &["--shard", "3/3"], 2);
    shards(&bench, "other", 3, [3]);
    let report = "shards/0003-of-0003.json";
    fs::copy(bench.path("other").join(report), bench.path("out").join(report)).unwrap();
    assert!(merge(&bench, "out", 1).contains("differ in --pack or --film"));
}

#[test]
fn a_pack_of_another_number_of_frames_is_another_one() {
    let (bench, _) = whole();
    for (frames, length) in [(20, 6), (9, 3), (20, 6)] {
        let frames = frames.to_string();
        bench.render("out", &["--shard", "1/3", "--pack", "--frames", &frames], 0);
        let report = fs::read(bench.path("out/shards/0001-of-0003.json")).unwrap();
        let content = ShardReport::parse(&report).unwrap().content;
        assert_eq!(content["frames"].as_array().unwrap().len(), length, "{frames}");
        let mut names = Vec::new();
        pack::walk(&path(&bench, 1), |name, _| {
            names.push(name.to_owned());
            true
        })
        .unwrap();
        assert_eq!(names.len(), length, "{frames}");
    }
}

#[test]
fn packs_are_for_shards() {
    let bench = Bench::new(TINY);
    assert!(bench.render("out", &["--pack"], 2).contains("--shard"));
    let film = ["--pack", "--shard", "1/2", "--film", "a.mp4"];
    assert!(bench.render("out", &film, 2).contains("--film"));
}
