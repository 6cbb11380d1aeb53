//! Ten thousand cases of what fuzz/run.sh does for hours: the files of fuzz/corpus, and changes of
//! them that are the same every time. See docs/fuzzing.md.

use crate::{catena, repository};
use catena::threads::spawn;
use mutate::{Random, mutate};
use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};
use targets::{MOST_BYTES, TARGETS, Target};

#[path = "../../../../tests/fuzz/choices.rs"]
mod choices;
#[path = "../../../../tests/fuzz/mutate.rs"]
mod mutate;
#[path = "../../../../tests/fuzz/picture.rs"]
mod picture;
#[path = "../../../../tests/fuzz/recipe.rs"]
mod recipe;
#[path = "../../../../tests/fuzz/targets.rs"]
mod targets;

/// A case that is not done after this time hangs: most take milliseconds.
const PATIENCE: Duration = Duration::from_secs(120);

/// After this many failures the rest would say nothing new.
const MOST_FAILURES: usize = 5;

/// All files of these folders that have one of these endings, in order; any ending where there is
/// none.
fn files(folders: &[&str], ending: &str) -> Vec<PathBuf> {
    let read = |folder: &&str| fs::read_dir(repository(folder)).unwrap();
    let entries = folders.iter().flat_map(read).map(|entry| entry.unwrap().path());
    let is_wanted = |path: &PathBuf| path.to_str().unwrap().ends_with(ending) && path.is_file();
    let mut files: Vec<PathBuf> = entries.filter(is_wanted).collect();
    files.sort();
    files
}

fn corpus(target: &str) -> Vec<PathBuf> {
    let own = format!("fuzz/corpus/{target}");
    match target {
        "scene" => files(&[&own, "scenes", "tests/golden"], ".ron"),
        _ => files(&[&own], ""),
    }
}

/// The cases from `from` to below `to` of a target: its corpus first.
fn run(name: &str, from: usize, to: usize) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let seeds: Vec<Vec<u8>> = corpus(name).iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(seeds.len() > 5, "the corpus of {name} is gone");
    let now = Arc::new(Mutex::new(Vec::new()));
    let (done, is_done) = mpsc::channel();
    let shown = Arc::clone(&now);
    spawn("cases", move || {
        for index in from..to {
            let case = case(&seeds, index, target.is_text);
            shown.lock().unwrap().clone_from(&case);
            let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(&case)));
            let failed = outcome.is_err().then(|| keep(target, &case));
            if done.send(failed).is_err() {
                return;
            }
        }
    })
    .unwrap();
    let mut failures = Vec::new();
    for index in from..to {
        match is_done.recv_timeout(PATIENCE) {
            Ok(failed) => failures.extend(failed),
            Err(error) => {
                let path = keep(target, &now.lock().unwrap());
                panic!("case {index} of {name} hangs ({error}): {}", path.display());
            }
        }
        if failures.len() >= MOST_FAILURES {
            break;
        }
    }
    assert!(failures.is_empty(), "{name} panics on {failures:?}; docs/fuzzing.md says what to do");
}

fn case(seeds: &[Vec<u8>], index: usize, is_text: bool) -> Vec<u8> {
    if let Some(seed) = seeds.get(index) {
        return seed.clone();
    }
    let mut random = Random::new(index as u64);
    let mut bytes = random.one(seeds).clone();
    let other: &Vec<u8> = random.one(seeds);
    mutate(&mut bytes, other, is_text, MOST_BYTES, &mut random);
    bytes
}

/// Writes a case into a file for inspection.
fn keep(target: &Target, case: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz").join(target.name);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(catena::output::hash::sha256(case));
    fs::write(&path, case).unwrap();
    path
}

// Ten thousand together, in parts that take about as long as each other.

#[test]
fn scenes_never_panic() {
    run("scene", 0, 2470);
}

#[test]
fn more_scenes_never_panic() {
    run("scene", 2470, 4940);
}

#[test]
fn manifests_journals_and_checkpoints_never_panic() {
    run("manifest", 0, 1450);
    run("journal", 0, 1450);
    run("checkpoint", 0, 1350);
}

#[test]
fn figures_never_panic() {
    run("figure", 0, 750);
}

#[test]
fn rendered_scenes_never_panic() {
    run("rendered_scene", 0, 60);
}

#[test]
fn most_random_scenes_are_sound() {
    let mut random = Random::new(0);
    let mut bytes = || -> Vec<u8> { (0..120).map(|_| random.below(256) as u8).collect() };
    let rendered = (0..30).filter(|_| targets::render(&bytes())).count();
    assert!(rendered >= 27, "the recipe makes scenes that cannot be used: {rendered} of 30 can");
}

/// Address space of the program when it checks one scene.
#[cfg(target_os = "linux")]
const MOST_KIB: u64 = 1 << 20;

#[test]
#[cfg(target_os = "linux")]
fn the_program_ends_with_0_or_3_within_its_memory() {
    let program = catena().get_program().to_owned();
    let limited = format!("ulimit -v {MOST_KIB}; exec \"$0\" check \"$1\"");
    let mut faults = String::new();
    for path in corpus("scene") {
        let output = Command::new("sh")
            .args(["-c", &limited])
            .args([program.as_os_str(), path.as_os_str()])
            .output()
            .unwrap();
        if !matches!(output.status.code(), Some(0 | 3)) {
            let message = String::from_utf8_lossy(&output.stderr);
            faults += &format!("{}: {}\n{message}\n", path.display(), output.status);
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
