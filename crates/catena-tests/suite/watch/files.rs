//! Saves in the ways of different editors.

use crate::rendered::Bench;
use catena::job::Interruption;
use catena::scene::{Limits, Scene};
use catena::watch::{Changes, Edition, FileChanges};
use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

/// Ends a wait that would last forever.
struct Deadline(Instant);

impl Interruption for Deadline {
    fn is_set(&self) -> bool {
        self.0.elapsed() > Duration::from_secs(240)
    }
}

fn next(changes: &FileChanges, seen: u64) -> Edition {
    changes.next(seen, &Deadline(Instant::now())).expect("the edition never comes")
}

fn nodes(edition: &Edition) -> usize {
    let scene: &Scene = edition.scene.as_ref().unwrap();
    scene.panels[0].bodies[0].setup.model.nodes()
}

/// The first edition with this number of nodes: a save may be visible in parts.
fn until(changes: &FileChanges, mut seen: u64, wanted: usize) -> u64 {
    loop {
        let edition = next(changes, seen);
        assert!(edition.number > seen);
        seen = edition.number;
        if edition.scene.is_ok() && nodes(&edition) == wanted {
            return seen;
        }
    }
}

fn scene(nodes: usize) -> String {
    format!("Scene(base: (rope: (nodes: {nodes})))")
}

#[test]
fn a_save_is_seen_however_it_is_made() {
    let bench = Bench::new(&scene(4));
    let path = bench.path("scene.ron");
    let changes = FileChanges::new(&path, &[], &Limits::default());
    let mut seen = until(&changes, 0, 4);
    assert!(!changes.poll_newer(seen));
    let kinds: [(&str, &dyn Fn(&Path, &str)); 5] = [
        ("in place", &|path, text| fs::write(path, text).unwrap()),
        ("by a rename over it", &|path, text| {
            fs::write(path.with_extension("tmp"), text).unwrap();
            fs::rename(path.with_extension("tmp"), path).unwrap();
        }),
        ("with the old one as a copy", &|path, text| {
            fs::rename(path, path.with_extension("ron~")).unwrap();
            fs::write(path, text).unwrap();
        }),
        ("anew", &|path, text| {
            fs::remove_file(path).unwrap();
            fs::write(path, text).unwrap();
        }),
        ("in parts", &|path, text| {
            use std::io::Write;
            let mut file = fs::File::create(path).unwrap();
            text.bytes().for_each(|byte| file.write_all(&[byte]).unwrap());
        }),
    ];
    for (index, (kind, save)) in kinds.iter().cycle().take(20).enumerate() {
        let wanted = 5 + index % 7;
        save(&path, &scene(wanted));
        seen = until(&changes, seen, wanted);
        // The content of the file is known, so touching the file makes no new edition.
        let file = fs::File::options().append(true).open(&path).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
        assert!(!changes.poll_newer(seen), "{kind}");
    }
    assert!(changes.is_notified(), "the system tells of files in its temporary folder");
}

#[test]
fn a_wrong_text_is_an_edition_and_so_is_a_missing_file() {
    let bench = Bench::new(&scene(4));
    let path = bench.path("scene.ron");
    let changes = FileChanges::new(&path, &["substeps=8".parse().unwrap()], &Limits::default());
    let mut seen = until(&changes, 0, 4);
    for _ in 0..3 {
        fs::write(&path, "Scene(base: (rope: (nods: 4)))").unwrap();
        let wrong = next(&changes, seen);
        assert!(wrong.scene.unwrap_err().to_string().contains("nods"));
        fs::remove_file(&path).unwrap();
        let missing = next(&changes, wrong.number);
        assert!(missing.scene.unwrap_err().to_string().contains("cannot be read"));
        fs::write(&path, scene(6)).unwrap();
        seen = until(&changes, missing.number, 6);
    }
}

/// The first edition whose file contains this text.
fn until_file(changes: &FileChanges, mut seen: u64, wanted: &str) -> u64 {
    loop {
        let edition = next(changes, seen);
        seen = edition.number;
        let is_there = |scene: &Scene| *scene.files[0].bytes == *wanted.as_bytes();
        if edition.scene.as_ref().is_ok_and(is_there) {
            return seen;
        }
    }
}

#[test]
fn files_that_a_scene_names_count() {
    let text = |name: &str| format!("Scene(base: (rope: (shape: File(file: \"{name}\"))))");
    let bench = Bench::new(&text("points.csv"));
    let (path, points) = (bench.path("scene.ron"), bench.path("points.csv"));
    let changes = FileChanges::new(&path, &[], &Limits::default());
    // A missing file is waited for.
    let missing = next(&changes, 0);
    assert!(missing.scene.unwrap_err().to_string().contains("points.csv"));
    let rows = |count: usize| (0..count).map(|row| format!("{row},0\n")).collect::<String>();
    fs::write(&points, rows(4)).unwrap();
    let mut seen = until_file(&changes, missing.number, &rows(4));
    for count in [5, 9, 3] {
        fs::write(&points, rows(count)).unwrap();
        seen = until_file(&changes, seen, &rows(count));
    }
    // In another folder, too; the first file is then no longer watched.
    fs::create_dir(bench.path("data")).unwrap();
    fs::write(bench.path("data/other.csv"), rows(6)).unwrap();
    fs::write(&path, text("data/other.csv")).unwrap();
    seen = until_file(&changes, seen, &rows(6));
    fs::write(&points, rows(7)).unwrap();
    assert!(!changes.poll_newer(seen));
    fs::write(bench.path("data/other.csv"), rows(8)).unwrap();
    until_file(&changes, seen, &rows(8));
}

#[cfg(unix)]
#[test]
fn a_link_changes_where_it_leads_to() {
    let bench = Bench::new(&scene(4));
    fs::create_dir(bench.path("elsewhere")).unwrap();
    let link = bench.path("elsewhere/link.ron");
    std::os::unix::fs::symlink("../scene.ron", &link).unwrap();
    let changes = FileChanges::new(&link, &[], &Limits::default());
    let seen = until(&changes, 0, 4);
    fs::write(bench.path("scene.ron"), scene(5)).unwrap();
    let seen = until(&changes, seen, 5);
    fs::write(bench.path("other.ron"), scene(6)).unwrap();
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("../other.ron", &link).unwrap();
    until(&changes, seen, 6);
}
