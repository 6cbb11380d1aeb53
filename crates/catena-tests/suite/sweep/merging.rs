//! Merges of sweeps with progress, and interrupted ones.

use super::{make, ropes};
use catena::{
    job::{
        Interruption, MergeError, MergeOptions, Merged, MergedSweep, Progress, merge, merge_sweep,
    },
    shard::ShardSet,
};
use serde_json::json;
use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
};

/// All files of a folder with their bytes, except those of the shards; for folders only the names.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let file = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        (name, fs::read(entry.path()).unwrap_or_default())
    };
    entries.map(file).filter(|(name, _)| name != "shards").collect()
}

/// Counts messages and questions, and asks the job to end from a given question on.
#[derive(Default)]
struct Watch {
    total: AtomicU64,
    rows: AtomicU64,
    asked: AtomicU64,
    ends_at: u64,
}

impl Progress for Watch {
    fn begin(&self, total: u64, there: u64) {
        assert_eq!(there, 0);
        self.total.store(total, Ordering::Relaxed);
    }

    fn frame(&self) {
        self.rows.fetch_add(1, Ordering::Relaxed);
    }
}

impl Interruption for Watch {
    fn is_set(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.ends_at
    }
}

#[test]
fn a_merge_that_is_ended_leaves_the_folder_as_it_was() {
    let [one, other] = ["8, 16", "8, 12, 16"]
        .map(|steps| ropes(&[&format!("substeps=[{steps}]"), "drag=[0, 0.1, 0.2]"], "Work"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let merged = |watch: &Watch| -> Option<MergedSweep> {
        merge_sweep(&ShardSet::read(path).unwrap(), path, watch, watch).unwrap()
    };
    for (it, rows) in [(one, 12), (other, 18)] {
        // The table of the first sweep exists when shards of the second one are merged.
        let _ = fs::remove_dir_all(path.join("shards"));
        (1..=2).for_each(|number| drop(make(&it, path, Some(&format!("{number}/2")))));
        let before = files(path);
        // The job asks once per row of each of two tables, and once before they get their final
        // names.
        let count = Watch { ends_at: u64::MAX, ..Watch::default() };
        for ends_at in 0..=2 * rows {
            let watch = Watch { ends_at, ..Watch::default() };
            assert_eq!(merged(&watch), None, "{ends_at}");
            assert!(files(path) == before, "{ends_at}");
            let job = merge(path, &MergeOptions::default(), &watch, &watch);
            assert!(matches!(job, Err(MergeError::Interrupted { .. })), "{ends_at}");
            assert!(files(path) == before, "{ends_at}");
        }
        assert_eq!(merged(&count).unwrap().rows, rows);
        let counts = [&count.total, &count.rows, &count.asked].map(|it| it.load(Ordering::Relaxed));
        assert_eq!(counts, [rows, rows, 2 * rows + 1]);
        // Interrupted before the figures: the table is complete, and the same command draws them.
        let table = files(path);
        let watch = Watch { ends_at: 2 * rows + 1, ..Watch::default() };
        let job = merge(path, &MergeOptions::default(), &watch, &watch);
        assert!(matches!(job, Err(MergeError::Interrupted { .. })));
        assert!(files(path) == table);
        let job = merge(path, &MergeOptions::default(), &(), &());
        assert!(matches!(job, Ok(Merged::Sweep { shards: 2, .. })));
        assert!(path.join("report/index.html").exists());
    }
}

#[test]
fn rows_are_counted_aloud() {
    let it = ropes(&["substeps=[8, 16]"], "Work");
    let folder = tempfile::tempdir().unwrap();
    make(&it, folder.path(), Some("1/1"));
    let mut command = crate::catena();
    let output = command.arg("merge").arg(folder.path()).args(["--progress", "json"]);
    let output = output.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let first: serde_json::Value = serde_json::from_str(stderr.lines().next().unwrap()).unwrap();
    let expected = json!({"event": "rows", "done": 4, "total": 4});
    assert!(
        expected.as_object().unwrap().iter().all(|(name, value)| first[name] == *value),
        "{stderr}"
    );
    assert!(stderr.contains("\"event\":\"done\""), "{stderr}");
}
