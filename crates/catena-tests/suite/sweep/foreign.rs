//! A shard is not merged with shards of another sweep.

use super::ropes;
use crate::rendered::Bench;
use catena::{
    job::{SweepJobOptions, Swept, sweep},
    scene::sweep::Sweep,
};
use std::{fs, path::Path};

#[test]
fn a_shard_is_not_put_beside_those_of_another_sweep() {
    let [one, other] =
        ["1", "2"].map(|drag| ropes(&["substeps=[8, 16]", &format!("drag=[{drag}]")], "Strain"));
    let folder = tempfile::tempdir().unwrap();
    let begin = |it: &Sweep, shard: &str| {
        let shard = Some(shard.parse().unwrap());
        let given = SweepJobOptions { shard, ..SweepJobOptions::default() };
        sweep(it, folder.path(), &given, &(), &()).map_err(|error| error.to_string())
    };
    // A single shard is replaced: nothing is lost that could be merged.
    begin(&one, "1/2").unwrap();
    begin(&other, "1/2").unwrap();
    begin(&other, "2/2").unwrap();
    let there = bytes_of_all(folder.path());
    for (shard, difference) in
        [("1/2", "the sweep"), ("2/2", "the sweep"), ("1/3", "the sweep, the number of shards")]
    {
        let message = begin(&one, shard).unwrap_err();
        for part in [
            "finished shards of another sweep",
            &format!("differ from this one in {difference};"),
            "another --out",
        ] {
            assert!(message.contains(part), "{message}");
        }
    }
    let message = begin(&other, "3/3").unwrap_err();
    assert!(message.contains("shards 1,2 of 2, such as 0001-of-0002.json"), "{message}");
    assert!(message.contains("differ from this one in the number of shards;"), "{message}");
    assert!(bytes_of_all(folder.path()) == there);
    assert!(matches!(begin(&other, "1/2"), Ok(Swept::Shard { was_there: true, .. })));
}

/// Names and bytes of all files of shards.
fn bytes_of_all(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder.join("shards")).unwrap().map(Result::unwrap);
    let mut all: Vec<_> = entries
        .map(|it| (it.file_name().into_string().unwrap(), fs::read(it.path()).unwrap()))
        .collect();
    all.sort();
    all
}

#[test]
fn merge_says_where_the_shards_of_a_sweep_lie_and_sheets_take_ranges() {
    let bench = Bench::new("Scene(base: (frames: 2, rope: (nodes: 4)))");
    let run = |words: &[&str], code: i32| {
        let run = bench.run(words);
        let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(code), "{words:?}: {stderr}");
        stderr
    };
    let sweep = ["sweep", "scene.ron", "--axis", "substeps=[8, 16, 32]"];
    run(&[&sweep[..], &["--shard", "1/2"]].concat(), 0);
    let stderr = run(&["merge", "out/scene"], 2);
    assert!(stderr.contains("a subfolder does: `catena merge out/scene/sweep`"), "{stderr}");
    assert!(run(&["merge", "out"], 2).contains("out contains no shards; create them with"));
    let stderr = run(&[&sweep[..], &["--sheet", "0,1-2"]].concat(), 0);
    assert!(stderr.contains("3 variants in out/scene/sweep/sheet/"), "{stderr}");
    for (sheet, what) in [
        ("2-1", "ranges such as 5-9"),
        ("5-x", "ranges such as 5-9"),
        ("0-99", "a sheet has at most 36 variants"),
        ("0-18446744073709551615", "a sheet has at most 36 variants"),
    ] {
        let stderr = run(&[&sweep[..], &["--sheet", sheet]].concat(), 2);
        assert!(stderr.contains(what), "{stderr}");
    }
}
