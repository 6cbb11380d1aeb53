//! The table does not depend on shards, threads or kills.

use super::{column, make, options, read, ropes};
use catena::{
    job::{MergedSweep, Progress, SweepJobOptions, Swept, merge_sweep, sweep},
    scene::sweep::Sweep,
    shard::ShardSet,
};
use std::{
    fs,
    path::Path,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

fn sample() -> Sweep {
    let axes = [
        "integrator=[SemiImplicitEuler, Rk4, ImplicitEuler]",
        "rope.stiffness=Log(1, 1e5, 40)",
        "substeps=[8, 16]",
    ];
    ropes(&axes, "Diverged,Strain,Work")
}

/// Merges the shards of a folder, without progress and without interruption.
fn merged(folder: &Path) -> Result<MergedSweep, String> {
    let set = ShardSet::read(folder).map_err(|error| error.to_string())?;
    let merged = merge_sweep(&set, folder, &(), &()).map_err(|error| error.to_string())?;
    Ok(merged.expect("nothing interrupts it"))
}

/// Bytes of the files of a table.
fn bytes(folder: &Path) -> [Vec<u8>; 3] {
    ["table.csv", "table.parquet", "sweep.json"].map(|name| fs::read(folder.join(name)).unwrap())
}

#[test]
fn any_number_of_shards_in_any_order_makes_the_same_bytes() {
    let it = sample();
    let whole = tempfile::tempdir().unwrap();
    make(&it, whole.path(), None);
    assert!(!whole.path().join("shards").exists());
    let expected = bytes(whole.path());
    let (_, rows) = read(&whole.path().join("table.csv"));
    let variants: Vec<u64> = rows.iter().map(|row| row[0].parse().unwrap()).collect();
    assert!(variants.is_sorted() && variants.len() == 2 * 240);
    for of in [1, 3, 64] {
        let folder = tempfile::tempdir().unwrap();
        for number in (1..=of).rev() {
            make(&it, folder.path(), Some(&format!("{number}/{of}")));
            // Running a shard twice does no harm.
            if number == 1 {
                let second = make(&it, folder.path(), Some(&format!("1/{of}")));
                assert!(matches!(second, Swept::Shard { was_there: true, .. }));
            }
        }
        merged(folder.path()).unwrap();
        assert!(bytes(folder.path()) == expected, "{of} shards");
    }
    // Nothing is measured again.
    let begun = AtomicU64::new(0);
    let interruption = || begun.fetch_add(1, Ordering::Relaxed) > 0;
    let there = sweep(&it, whole.path(), &SweepJobOptions::default(), &(), &interruption);
    assert!(matches!(there, Ok(Swept::Table(_))));
    assert_eq!(begun.into_inner(), 0);
}

#[test]
fn a_sweep_goes_on_where_it_was_ended() {
    let it = sample();
    let whole = tempfile::tempdir().unwrap();
    make(&it, whole.path(), None);
    let folder = tempfile::tempdir().unwrap();
    let (asked, given) = (AtomicU64::new(0), SweepJobOptions::default());
    let interruption = || asked.fetch_add(1, Ordering::Relaxed) > 60;
    let ended = sweep(&it, folder.path(), &given, &(), &interruption);
    let error = ended.unwrap_err().to_string();
    assert!(error.starts_with("interrupted with "), "{error}");
    let journal = folder.path().join("shards/0001-of-0001.journal");
    let text = fs::read(&journal).unwrap();
    assert!(text.iter().filter(|byte| **byte == b'\n').count() > 1);
    // A kill truncates the last line, but changes no complete line.
    for cut in [text.len() - 1, text.len() / 2, 10, 0] {
        fs::write(&journal, &text[..cut]).unwrap();
        make(&it, folder.path(), None);
        assert!(bytes(folder.path()) == bytes(whole.path()), "cut after {cut} bytes");
        fs::remove_file(folder.path().join("sweep.json")).unwrap();
        fs::create_dir_all(journal.parent().unwrap()).unwrap();
    }
}

#[test]
fn missing_damaged_and_other_shards_are_named() {
    let it = sample();
    let folder = tempfile::tempdir().unwrap();
    for number in [1, 2, 4] {
        make(&it, folder.path(), Some(&format!("{number}/4")));
    }
    let merge = || merged(folder.path());
    assert!(merge().unwrap_err().contains("run again: --shard 3 of 4"));
    make(&it, folder.path(), Some("3/4"));
    let table = folder.path().join("shards/0002-of-0004.csv");
    let mut flipped = fs::read(&table).unwrap();
    let place = flipped.len() - 9;
    flipped[place] ^= 1;
    fs::write(&table, &flipped).unwrap();
    let error = merge().unwrap_err();
    assert!(error.contains("0002-of-0004.csv does not match its report"), "{error}");
    assert!(error.contains("run again: --shard 2 of 4"), "{error}");
    assert!(!folder.path().join("table.csv").exists());
    // Damaged parts are repeated.
    make(&it, folder.path(), Some("2/4"));
    merge().unwrap();
    // A shard of another sweep cannot be combined with them.
    let other = ropes(&["substeps=[8, 16, 32]"], "Diverged,Strain,Work");
    let elsewhere = tempfile::tempdir().unwrap();
    make(&other, elsewhere.path(), Some("4/4"));
    let report = "shards/0004-of-0004.json";
    fs::copy(elsewhere.path().join(report), folder.path().join(report)).unwrap();
    let error = merge().unwrap_err();
    assert!(error.contains("the sweep"), "{error}");
}

#[test]
fn an_audit_finds_a_machine_that_computes_wrong_numbers() {
    let it = sample();
    let folder = tempfile::tempdir().unwrap();
    for number in 1..=3 {
        let given = SweepJobOptions {
            shard: Some(format!("{number}/3").parse().unwrap()),
            audit: Some(0.3),
            ..SweepJobOptions::default()
        };
        sweep(&it, folder.path(), &given, &(), &()).unwrap();
    }
    let merge = || merged(folder.path());
    merge().unwrap();
    // A faulty machine writes a complete shard with wrong numbers and matching hashes.
    let place = catena::shard::ShardPlace::new(folder.path(), "2/3".parse().unwrap());
    let table = place.file("csv");
    let text = fs::read_to_string(&table).unwrap().replace("1,", "2,");
    fs::write(&table, text).unwrap();
    let bytes = fs::read(place.report()).unwrap();
    let mut report = catena::shard::ShardReport::parse(&bytes).unwrap();
    report.files = vec![catena::shard::ShardFile::of(place.folder(), place.name("csv")).unwrap()];
    fs::remove_file(place.report()).unwrap();
    report.publish(&place).unwrap();
    let error = merge().unwrap_err();
    assert!(error.contains("disagree") && error.contains("the audit by shard 3"), "{error}");
}

#[test]
fn equal_setups_are_simulated_once() {
    // Under the axis, both panels become the same body, and a repeated value becomes the same
    // variant.
    let it = ropes(&["integrator=[Rk4, Rk4, Heun]"], "Strain,Work");
    let found = super::table(&it);
    let strains = column(&found, "strain_max");
    assert!(strains[..4].iter().all(|strain| *strain == strains[0]) && strains[4] != strains[0]);
}

#[test]
fn the_command_line_makes_plans_tables_and_shards() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("ropes.ron");
    fs::write(&scene, super::ROPES).unwrap();
    let run = |words: &[&str]| {
        let mut command = crate::catena();
        command.arg("sweep").arg(&scene).args(["--axis", "substeps=[8, 16, 32]"]).args(words);
        command.current_dir(folder.path()).assert()
    };
    let plan = run(&["--plan"]).success();
    let plan = String::from_utf8(plan.get_output().stdout.clone()).unwrap();
    assert!(plan.contains("3 variants") && plan.contains("6 rows"), "{plan}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let made = run(&["--out", "a"]).success();
    let stderr = String::from_utf8(made.get_output().stderr.clone()).unwrap();
    assert!(stderr.contains("6 rows (6 fine): table.csv, table.parquet"), "{stderr}");
    run(&["--out", "b", "--shard", "1/2"]).success();
    run(&["--out", "b", "--shard", "2/2", "--audit", "50%"]).success();
    run(&["--out", "b", "--shard", "3/2"]).code(2);
    run(&["--audit", "50%"]).code(2);
    crate::catena().args(["merge", "b"]).current_dir(folder.path()).assert().success();
    assert!(bytes(&folder.path().join("a")) == bytes(&folder.path().join("b")));
    let options = options(&["substeps=[8, 16, 32]"], "Diverged,Strain,Energy");
    let same = super::load(super::ROPES, &options).unwrap();
    make(&same, &folder.path().join("c"), None);
    assert_eq!(bytes(&folder.path().join("a"))[0], bytes(&folder.path().join("c"))[0]);
}

#[test]
fn shards_in_the_way_are_refused_and_other_limits_are_another_sweep() {
    let it = ropes(&["substeps=[8, 1_6]", "drag=[0, 0.5]"], "Work");
    let folder = tempfile::tempdir().unwrap();
    make(&it, folder.path(), Some("1/3"));
    let error = sweep(&it, folder.path(), &SweepJobOptions::default(), &(), &()).unwrap_err();
    assert!(error.to_string().contains("catena merge"), "{error}");
    fs::remove_dir_all(folder.path().join("shards")).unwrap();
    make(&it, folder.path(), None);
    let found = read(&folder.path().join("table.csv"));
    assert_eq!(column(&found, "substeps")[7], "16.0");
    // A variant refused by a limit is not reused when the limit is higher.
    let limits = catena::scene::Limits { work: 1000, ..Default::default() };
    let tight = SweepJobOptions { limits, ..SweepJobOptions::default() };
    let Ok(Swept::Table(refused)) = sweep(&it, folder.path(), &tight, &(), &()) else { panic!() };
    assert_eq!(refused.statuses.keys().collect::<Vec<_>>(), ["refused"]);
    let Swept::Table(fine) = make(&it, folder.path(), None) else { panic!() };
    assert_eq!(fine.statuses.keys().collect::<Vec<_>>(), ["fine"]);
}

#[test]
fn what_a_person_made_stays() {
    let it = ropes(&["substeps=[8]"], "Work");
    for name in ["table.csv", "table.parquet", "sweep.json", "sheet/sheet.png"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "mine").unwrap();
        let error = match name {
            "sheet/sheet.png" => {
                catena::job::sweep_sheet(&it, &[0], folder.path(), &Default::default())
                    .unwrap_err()
                    .to_string()
            }
            _ => {
                let made = sweep(&it, folder.path(), &SweepJobOptions::default(), &(), &());
                make(&it, folder.path(), Some("1/1"));
                merged(folder.path()).unwrap_err();
                made.unwrap_err().to_string()
            }
        };
        assert!(error.contains(name.rsplit('/').next().unwrap()), "{name}: {error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "mine", "{name}");
    }
}

#[test]
fn variants_are_drawn_one_by_one_and_on_a_sheet() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("ropes.ron"), super::ROPES).unwrap();
    let text =
        "Sweep(scene: \"ropes.ron\", axes: {\"substeps\": [8, 16], \"drag\": [0, 0.1]}, frames: 3)";
    fs::write(folder.path().join("sweep.ron"), text).unwrap();
    let run = |words: &[&str]| {
        let mut command = crate::catena();
        command.args(words).current_dir(folder.path()).assert()
    };
    let small = ["--size", "256x128", "--frames", "3", "--no-steady", "-q"];
    run(&[&["render", "sweep.ron", "--variant", "3"], &small[..]].concat()).success();
    let printed = run(&["sweep", "sweep.ron", "--variant", "3"]).success();
    let printed = String::from_utf8(printed.get_output().stdout.clone()).unwrap();
    assert_eq!(printed, "catena render sweep.ron --variant 3 --frames 3\n");
    let axes = ["--axis", "substeps=[8, 16]", "--axis", "drag=[0, 0.1]", "--variant", "3"];
    let printed = run(&[&["sweep", "ropes.ron"], &axes[..]].concat()).success();
    let printed = String::from_utf8(printed.get_output().stdout.clone()).unwrap();
    assert_eq!(printed, "catena render ropes.ron --set substeps=16 --set drag=0.1\n");
    let set = ["render", "ropes.ron", "--set", "substeps=16", "--set", "drag=0.1", "--out", "set"];
    run(&[&set, &small[..]].concat()).success();
    for frame in 0..3 {
        let name = format!("frame_0000{frame}.png");
        let one = fs::read(folder.path().join("out/ropes/variant_3").join(&name)).unwrap();
        assert!(one == fs::read(folder.path().join("set").join(&name)).unwrap());
    }
    run(&["render", "sweep.ron", "--variant", "4"]).code(3);
    let plain = run(&["render", "sweep.ron"]).code(3);
    let stderr = String::from_utf8(plain.get_output().stderr.clone()).unwrap();
    assert!(stderr.contains("this is a sweep") && stderr.contains("--variant N"), "{stderr}");
    run(&["sweep", "sweep.ron", "--sheet", "0,3", "--out", "sheet"]).success();
    let sheet = image::open(folder.path().join("sheet/sheet/sheet.png")).unwrap();
    assert!(sheet.width() > 1000 && folder.path().join("sheet/sheet/sheet.pdf").exists());
    run(&["sweep", "sweep.ron", "--sheet", "0,9", "--out", "sheet"]).code(3);
}

#[test]
fn parquet_has_the_numbers_of_the_csv() {
    use parquet::{
        file::reader::{FileReader, SerializedFileReader},
        record::Field,
    };
    let folder = tempfile::tempdir().unwrap();
    make(&sample(), folder.path(), None);
    let (header, rows) = read(&folder.path().join("table.csv"));
    let file = fs::File::open(folder.path().join("table.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let mut found = 0;
    for (row, expected) in reader.get_row_iter(None).unwrap().zip(&rows) {
        found += 1;
        for (((name, field), column), text) in
            row.unwrap().get_column_iter().zip(&header).zip(expected)
        {
            assert_eq!(name, column);
            match field {
                Field::Null => assert_eq!(text, ""),
                Field::Long(number) => assert_eq!(*number, text.parse::<i64>().unwrap()),
                Field::Double(number) => {
                    assert_eq!(number.to_bits(), text.parse::<f64>().unwrap().to_bits());
                }
                Field::Str(words) => assert_eq!(words, text),
                other => panic!("{other:?} in {name}"),
            }
        }
    }
    assert_eq!(found, rows.len());
}

/// Stores the notes of a job.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Progress for Notes {
    fn note(&self, text: &str) {
        self.0.lock().unwrap().push(text.into());
    }
}

#[test]
fn work_of_another_sweep_is_not_lost_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = ["16, 24, 32", "17, 24, 32"]
        .map(|steps| ropes(&[&format!("substeps=[8, {steps}]")], "Work"));
    let first = SweepJobOptions {
        shard: Some("1/2".parse().unwrap()),
        threads: Some(1),
        ..SweepJobOptions::default()
    };
    // Interrupted after its first bunch.
    let asked = AtomicU64::new(0);
    let after_a_bunch = || asked.fetch_add(1, Ordering::Relaxed) > 30;
    sweep(&one, folder.path(), &first, &(), &after_a_bunch).unwrap_err();
    let notes = Notes::default();
    sweep(&other, folder.path(), &first, &notes, &()).unwrap();
    let notes = notes.0.into_inner().unwrap();
    assert!(notes.len() == 1 && notes[0].contains("another sweep"), "{notes:?}");
    // The report of a render is invalid for a sweep.
    let scene = folder.path().join("scene.ron");
    fs::write(&scene, super::ROPES).unwrap();
    let other = tempfile::tempdir().unwrap();
    let shard = |command: &str| {
        let out = ["--shard", "1/1", "--frames", "2", "--out"];
        let mut run = assert_cmd::Command::cargo_bin("catena").unwrap();
        run.arg(command).arg(&scene).args(out).arg(other.path());
        if command == "sweep" {
            run.args(["--axis", "substeps=[8]"]);
        }
        run.assert()
    };
    shard("render").success();
    let stderr = String::from_utf8(shard("sweep").code(5).get_output().stderr.clone()).unwrap();
    assert!(stderr.contains("0001-of-0001.json") && stderr.contains("`catena render`"), "{stderr}");
}

#[test]
fn a_command_typed_otherwise_makes_the_same_shard() {
    let it = sample();
    let folder = tempfile::tempdir().unwrap();
    for (number, command) in [(1, "catena sweep a.ron"), (2, "catena sweep ./a.ron")] {
        let options = SweepJobOptions {
            shard: Some(format!("{number}/2").parse().unwrap()),
            command: command.into(),
            repeat: command.into(),
            ..SweepJobOptions::default()
        };
        sweep(&it, folder.path(), &options, &(), &()).unwrap();
    }
    let report = folder.path().join("shards/0001-of-0002.json");
    let copy = fs::read_to_string(&report).unwrap().replace("a.ron", "b.ron");
    fs::write(folder.path().join("shards/0001-of-0002.copy.json"), copy).unwrap();
    merged(folder.path()).unwrap();
}
