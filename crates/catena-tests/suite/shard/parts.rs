//! Reading and checking shards without a render or a sweep: slices, journals, reports and refusals.

use catena::shard::{
    MergeRefusal, RanOn, ShardAudit, ShardChoice, ShardFile, ShardJournal, ShardKind, ShardPlace,
    ShardReport, ShardSet, ShardSource, numbers,
};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

fn choice(text: &str) -> ShardChoice {
    text.parse().unwrap()
}

#[test]
fn slices_are_even_and_have_each_item_once() {
    for total in [0, 1, 3, 20, 64, 1_000_003, u64::MAX] {
        for of in [1, 2, 3, 7, 64, 100_000] {
            let slice = |number| ShardChoice::new(number, of).unwrap().slice(total);
            let lengths: BTreeSet<u64> =
                (1..=of).map(|number| slice(number).end - slice(number).start).collect();
            assert!(lengths.len() <= 2 && lengths.last().unwrap() - lengths.first().unwrap() <= 1);
            assert!((1..of).all(|number| slice(number).end == slice(number + 1).start));
            assert_eq!((slice(1).start, slice(of).end), (0, total));
        }
    }
}

#[test]
fn choices_are_read_and_refused() {
    for text in ["1/1", "3/64", "100000/100000"] {
        assert_eq!(choice(text).to_string(), text);
    }
    for text in ["0/3", "4/3", "1/100001", "1", "/", "1/0", "-1/3", "1.5/3", "1/3/5", ""] {
        let message = text.parse::<ShardChoice>().unwrap_err();
        assert!(message.contains("I/N such as 3/64"), "{text}: {message}");
    }
}

#[test]
fn audits_take_their_share_of_the_neighbour() {
    assert_eq!(choice("3/8").neighbour(), Some(choice("2/8")));
    assert_eq!(choice("1/8").neighbour(), Some(choice("8/8")));
    assert_eq!(choice("1/1").neighbour(), None);
    for (shard, total, share, expected) in [
        ("1/2", 20, 0.1, vec![5]),
        ("2/2", 20, 0.2, vec![12, 17]),
        ("2/2", 20, 1.0, (10..20).collect()),
        ("2/2", 20, 0.0, vec![15]),
        ("1/64", 20, 1.0, vec![]),
    ] {
        assert_eq!(choice(shard).audited(total, share), expected, "{shard} {share}");
    }
}

#[test]
fn numbers_are_written_as_schedulers_read_them() {
    for (all, text) in [
        (vec![], ""),
        (vec![3], "3"),
        (vec![3, 7, 9, 10, 11], "3,7,9-11"),
        (vec![1, 2, 4, u32::MAX], "1,2,4,4294967295"),
    ] {
        assert_eq!(numbers(&all), text);
    }
}

fn source() -> ShardSource {
    ShardSource::new().with("the scene", "rope").with("--size", "64x64")
}

/// The report of a shard of 20 items with one file, whose content is the shard's number.
fn report(folder: &Path, number: u32, of: u32) -> ShardReport {
    let place = ShardPlace::new(folder, ShardChoice::new(number, of).unwrap());
    fs::create_dir_all(place.folder()).unwrap();
    fs::write(place.file("csv"), number.to_string()).unwrap();
    let file = ShardFile::of(place.folder(), place.name("csv")).unwrap();
    let command = format!("catena sweep 'a b.ron' --shard {number}/{of} --out out");
    let (host, text) = (format!("node{number}"), "Sweep()".into());
    let ran_on = RanOn { host, command, text, ..RanOn::default() };
    let report = ShardReport::new(ShardKind::Sweep, &source(), place.choice(), 20);
    let rows = report.items[1] - report.items[0];
    ShardReport { rows, files: vec![file], ran_on, ..report }
}

fn publish(folder: &Path, report: &ShardReport) -> String {
    let path = report.publish(&ShardPlace::new(folder, report.choice().unwrap())).unwrap();
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

/// Message and exit code of reading three shards after a change.
fn refused(change: impl FnOnce(&Path)) -> (String, u8) {
    let folder = tempfile::tempdir().unwrap();
    (1..=3).for_each(|number| {
        publish(folder.path(), &report(folder.path(), number, 3));
    });
    change(folder.path());
    let refusal = ShardSet::read(folder.path()).and_then(|set| set.check_files()).unwrap_err();
    (refusal.to_string().replace(&*folder.path().to_string_lossy(), "DIR"), refusal.exit_code())
}

#[test]
fn whole_reports_are_read_in_order_with_copies_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    for number in [3, 1, 2] {
        publish(path, &report(path, number, 3));
    }
    let shards = path.join("shards");
    fs::copy(shards.join("0002-of-0003.json"), shards.join("0002-of-0003.copy.json")).unwrap();
    fs::write(shards.join("notes.json"), "{}").unwrap();
    let set = ShardSet::read(path).unwrap();
    let all: Vec<u32> = set.reports().iter().map(|it| it.report.number).collect();
    assert_eq!((all, set.of(), set.kind()), (vec![1, 2, 3], 3, Some(ShardKind::Sweep)));
    set.check_files().unwrap();
    // An equal result of another machine changes nothing.
    let mut other = report(path, 2, 3);
    other.ran_on.host = "elsewhere".into();
    assert_eq!(publish(path, &other), "0002-of-0003.json");
    let set = ShardSet::read(path).unwrap();
    let there = &set.reports()[1].report;
    assert_eq!((there.host().as_str(), there), ("node2", &report(path, 2, 3)));
}

/// A change to a folder of three shards, the exit code and words of the message.
type Case = (&'static str, fn(&Path), u8, &'static [&'static str]);

fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join("shards").join(name)
}

const CASES: [Case; 10] = [
    (
        "missing",
        |folder| {
            fs::remove_file(file(folder, "0001-of-0003.json")).unwrap();
            fs::remove_file(file(folder, "0003-of-0003.json")).unwrap();
        },
        1,
        &[
            "1 of 3 shards are complete",
            "run again: --shard 1,3 of 3, such as\n  catena sweep 'a b.ron' --shard 1/3 --out DIR",
        ],
    ),
    (
        "all of them missing",
        |folder| {
            (1..=3).for_each(|i| {
                let (from, to) =
                    (format!("000{i}-of-0003.json"), format!("000{i}-of-0003.journal"));
                fs::rename(file(folder, &from), file(folder, &to)).unwrap();
            });
        },
        1,
        &["0 of 3 shards are complete", "run again: --shard 1-3 of 3"],
    ),
    (
        "a changed letter in the text of the source",
        |folder| {
            let path = file(folder, "0002-of-0003.json");
            let text = fs::read_to_string(&path).unwrap();
            fs::write(path, text.replace("Sweep()", "Sweep((")).unwrap();
        },
        1,
        &["shard 2: 0002-of-0003.json: it was changed after it was written", "--shard 2 of 3"],
    ),
    (
        "a flipped bit in a file",
        |folder| fs::write(file(folder, "0002-of-0003.csv"), "3").unwrap(),
        1,
        &["2 of 3", "shard 2: 0002-of-0003.csv does not match its report", "--shard 2 of 3"],
    ),
    (
        "a file that is gone",
        |folder| fs::remove_file(file(folder, "0003-of-0003.csv")).unwrap(),
        1,
        &["shard 3: 0003-of-0003.csv is missing", "--shard 3 of 3"],
    ),
    (
        "a changed report",
        |folder| {
            let path = file(folder, "0002-of-0003.json");
            let text = fs::read_to_string(&path).unwrap().replace("\"rows\": 7", "\"rows\": 8");
            fs::write(path, text).unwrap();
        },
        1,
        &["shard 2: 0002-of-0003.json: it was changed", "--shard 2 of 3"],
    ),
    (
        "a report under another number",
        |folder| {
            fs::rename(file(folder, "0002-of-0003.json"), file(folder, "0001-of-0003.json"))
                .unwrap();
        },
        1,
        &["shard 1: 0001-of-0003.json: it is the report of shard 2/3", "--shard 1,2 of 3"],
    ),
    (
        "another source",
        |folder| {
            let source = source().with("--size", "128x64");
            let mut other = report(folder, 3, 3);
            (other.key, other.source) = (source.key(), source);
            publish(folder, &other);
        },
        1,
        &[
            "differ in --size",
            "shards 1,2: 0001-of-0003.json, run on node1",
            "node3",
            "--shard 3 of 3",
        ],
    ),
    (
        "another number of shards",
        |folder| drop(publish(folder, &report(folder, 1, 2))),
        1,
        &["shards/*-of-0002*, shards/*-of-0003*"],
    ),
    (
        "a result that differs",
        |folder| {
            let mut other = report(folder, 2, 3);
            other.ran_on.host = "hot".into();
            other.rows += 1;
            assert_eq!(publish(folder, &other), "0002-of-0003.2.json");
        },
        1,
        &["shard 2: 0002-of-0003.json of node2 and 0002-of-0003.2.json of hot disagree"],
    ),
];

#[test]
fn what_does_not_fit_is_named_with_what_to_do() {
    for (name, change, code, words) in CASES {
        let (message, found) = refused(change);
        assert_eq!(found, code, "{name}: {message}");
        assert!(words.iter().all(|word| message.contains(word)), "{name}: {message}");
    }
    let (message, code) = refused(|folder| fs::remove_dir_all(folder.join("shards")).unwrap());
    assert!(message.starts_with("DIR contains no shards") && code == 2, "{message}");
}

#[test]
fn an_audit_that_differs_names_both_machines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let audit = |hash: &str| Some(ShardAudit { number: 1, hashes: vec![(4, hash.into())] });
    for (hash, is_refused) in [("aa", false), ("ab", true)] {
        publish(path, &report(path, 1, 2));
        publish(path, &ShardReport { audit: audit(hash), ..report(path, 2, 2) });
        let set = ShardSet::read(path).unwrap();
        let found = set.check_audits("variant", |_, item| (item == 4).then_some("aa"));
        assert_eq!(found.is_err(), is_refused);
        let Err(refusal) = found else { continue };
        let message = refusal.to_string();
        let words = "variant 4: shard 1 on node1 and the audit by shard 2 on node2 disagree";
        assert!(
            message.contains(words) && matches!(refusal, MergeRefusal::Disagreeing { .. }),
            "{message}"
        );
    }
}

#[test]
fn whole_lines_of_a_journal_count() {
    let folder = tempfile::tempdir().unwrap();
    let place = ShardPlace::new(folder.path(), choice("2/3"));
    let (journal, lines) = ShardJournal::open::<[u64; 2]>(&place, "key").unwrap();
    assert_eq!(lines, [[0; 2]; 0]);
    let message = ShardJournal::open::<[u64; 2]>(&place, "key").unwrap_err().to_string();
    assert!(message.contains("another process is working on shard 2/3"), "{message}");
    // Processes started by other tests may hold a lock for a moment.
    let open = |key: &str| {
        (0..).find_map(|tries| match ShardJournal::open::<[u64; 2]>(&place, key) {
            Err(error) if tries == 500 => panic!("{error}"),
            opened => opened.ok().or_else(|| {
                thread::sleep(Duration::from_millis(20));
                None
            }),
        })
    };
    (1..4).for_each(|i| journal.add(&[i, i * i]).unwrap());
    journal.sync().unwrap();
    drop(journal);
    let whole = fs::read(place.journal()).unwrap();
    let ends: Vec<usize> = whole
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(at, _)| at + 1)
        .collect();
    assert_eq!(ends.len(), 4);
    // A kill can truncate the journal anywhere; later entries begin on a new line.
    for cut in 0..whole.len() {
        fs::write(place.journal(), &whole[..cut]).unwrap();
        let (journal, lines) = open("key").unwrap();
        let count = ends.iter().filter(|end| **end <= cut).count().saturating_sub(1) as u64;
        assert_eq!(lines, (1..=count).map(|i| [i, i * i]).collect::<Vec<_>>(), "{cut}");
        journal.add(&[9, 81]).unwrap();
        drop(journal);
        assert_eq!(open("key").unwrap().1.last(), Some(&[9, 81]), "{cut}");
    }
    // Lines after a damaged one come from a machine that cannot be trusted.
    let mut damaged = whole.clone();
    damaged[ends[1] + 70] ^= 1;
    fs::write(place.journal(), damaged).unwrap();
    assert_eq!(open("key").unwrap().1, [[1, 1]]);
    assert_eq!(open("other").unwrap().1, [[0; 2]; 0]);
    let (journal, _) = open("other").unwrap();
    journal.remove().unwrap();
    assert!(!place.journal().exists());
}
