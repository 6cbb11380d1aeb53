//! Fuzzing as part of the tests: the files of fuzz/corpus, and mutations of them. Every run takes
//! the same few cases, which cover the outcomes of ten thousand; `CATENA_FUZZ_SEED` draws new ones.
//! See docs/fuzzing.md.

use crate::{catena, repository};
use catena::threads::spawn;
use mutate::{Random, mutate, stable};
use outcome::Outcomes;
use std::{
    collections::BTreeSet,
    env,
    fmt::Write,
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};
use targets::{MAX_BYTES, TARGETS, Target};

#[path = "../../../../tests/fuzz/choices.rs"]
mod choices;
#[path = "../../../../tests/fuzz/mutate.rs"]
mod mutate;
#[path = "../../../../tests/fuzz/outcome.rs"]
mod outcome;
#[path = "../../../../tests/fuzz/picture.rs"]
mod picture;
#[path = "../../../../tests/fuzz/recipe.rs"]
mod recipe;
#[path = "../../../../tests/fuzz/targets.rs"]
mod targets;

/// A case that takes longer than this counts as hanging; most take milliseconds.
const PATIENCE: Duration = Duration::from_secs(120);

/// After this number of failures, further ones would give no new information.
const MAX_FAILURES: usize = 5;

/// All files of these folders with this extension, in order; with any extension if `ending` is
/// empty.
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

/// Cases of a target: its corpus, and numbered mutations of it.
struct Cases {
    target: &'static Target,
    /// Names of the corpus files, and their bytes.
    names: Vec<String>,
    files: Vec<Vec<u8>>,
    seed: u64,
}

impl Cases {
    fn new(name: &str, seed: u64) -> Self {
        let target = TARGETS.iter().find(|target| target.name == name).unwrap();
        let paths = corpus(name);
        assert!(paths.len() > 5, "the corpus of {name} is gone");
        let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        let files = paths.iter().map(|path| fs::read(path).unwrap()).collect();
        Self { target, names: paths.iter().map(name).collect(), files, seed }
    }

    /// The mutation with this number. A new file in the corpus changes few of the mutations.
    fn changed(&self, number: u64) -> Vec<u8> {
        let mut random = Random::new(Random::new(self.seed).bits().wrapping_add(number));
        let mut one = || &self.files[stable(&self.names, &mut random)];
        let (mut bytes, other) = (one().clone(), one());
        mutate(&mut bytes, other, self.target.is_text, MAX_BYTES, &mut random);
        bytes
    }

    /// Runs the corpus and these mutations. Returns the outcomes of each, the corpus first.
    fn run(self, numbers: &[u64]) -> Vec<Outcomes> {
        let (name, seed) = (self.target.name, self.seed);
        let count = self.files.len() + numbers.len();
        let (target, numbers) = (self.target, numbers.to_vec());
        let now = Arc::new(Mutex::new(Vec::new()));
        let (done, is_done) = mpsc::channel();
        let shown = Arc::clone(&now);
        // On Linux, the test of the program below checks and lays out all scenes of the corpus.
        let is_checked = cfg!(target_os = "linux") && name == "scene";
        let run_file = if is_checked { targets::scene_alone } else { target.run };
        spawn("cases", move || {
            let files = self.files.iter().map(|file| (file.clone(), run_file));
            let changes = numbers.iter().map(|number| (self.changed(*number), target.run));
            for (case, run) in files.chain(changes) {
                shown.lock().unwrap().clone_from(&case);
                let outcome = catch_unwind(AssertUnwindSafe(|| run(&case)));
                if done.send(outcome.map_err(|_| keep(target, &case))).is_err() {
                    return;
                }
            }
        })
        .unwrap();
        let (mut outcomes, mut failures) = (Vec::new(), Vec::new());
        for index in 0..count {
            match is_done.recv_timeout(PATIENCE) {
                Ok(Ok(outcome)) => outcomes.push(outcome),
                Ok(Err(path)) => failures.push(path),
                Err(error) => {
                    let path = keep(target, &now.lock().unwrap());
                    let path = path.display();
                    panic!("case {index} of {name} with seed {seed} hangs ({error}): {path}");
                }
            }
            if failures.len() >= MAX_FAILURES {
                break;
            }
        }
        assert!(
            failures.is_empty(),
            "{name} with seed {seed} panics on {failures:?}; docs/fuzzing.md says what to do"
        );
        outcomes
    }
}

/// Number of mutations per target that the chosen ones represent, ten thousand in total.
const CHANGES: [(&str, u64); 6] = [
    ("scene", 4800),
    ("manifest", 1450),
    ("journal", 1450),
    ("checkpoint", 1400),
    ("figure", 800),
    ("rendered_scene", 100),
];

/// The chosen mutations: one line per target with its name, the number of outcomes of all
/// mutations, and the numbers of the chosen ones.
const CHOSEN: &str = "tests/fuzz/chosen.txt";

/// Number of outcomes of all mutations of a target, and the chosen mutations.
fn chosen(name: &str) -> (usize, Vec<u64>) {
    let text = fs::read_to_string(repository(CHOSEN)).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name} "))).unwrap();
    let (count, numbers) = line.split_once(':').unwrap();
    let numbers = numbers.split_whitespace().map(|number| number.parse().unwrap());
    (count.parse().unwrap(), numbers.collect())
}

/// Runs the corpus of a target and the chosen mutations, or new mutations if a seed is given.
fn run(name: &str) {
    if let Ok(seed) = env::var("CATENA_FUZZ_SEED") {
        let seed = seed.parse().expect("CATENA_FUZZ_SEED is a whole number");
        eprintln!("CATENA_FUZZ_SEED={seed}: {name}");
        let count = CHANGES.iter().find(|(other, _)| *other == name).unwrap().1;
        Cases::new(name, seed).run(&(0..count).collect::<Vec<_>>());
        return;
    }
    let (all, numbers) = chosen(name);
    let outcomes = Cases::new(name, 0).run(&numbers);
    let reached = outcomes.iter().flatten().collect::<BTreeSet<_>>().len();
    // New words and corpus files change some mutations.
    assert!(
        reached * 10 >= all * 9,
        "{name}: the corpus and the changes in {CHOSEN} reach {reached} outcomes, all changes {all}: choose again, see docs/fuzzing.md"
    );
}

/// A small set of mutations with all outcomes that `reached` lacks, by a greedy search: it always
/// takes the mutation with most new outcomes, and the first one of several.
fn cover(outcomes: &[Outcomes], mut reached: BTreeSet<String>) -> Vec<usize> {
    let mut chosen = Vec::new();
    loop {
        let new = |index: &usize| outcomes[*index].difference(&reached).count();
        let Some(best) = (0..outcomes.len()).rev().max_by_key(new) else { return chosen };
        if new(&best) == 0 {
            chosen.sort_unstable();
            return chosen;
        }
        reached.extend(outcomes[best].iter().cloned());
        chosen.push(best);
    }
}

#[test]
#[ignore = "writes the chosen changes after running all: docs/fuzzing.md"]
fn choose() {
    let mut text = String::from(
        "# Written by a test, see docs/fuzzing.md: target, outcomes of all its changes, chosen changes.\n",
    );
    for (name, count) in CHANGES {
        let cases = Cases::new(name, 0);
        let files = cases.files.len();
        let outcomes = cases.run(&(0..count).collect::<Vec<_>>());
        let (of_files, of_changes) = outcomes.split_at(files);
        let all = outcomes.iter().flatten().collect::<BTreeSet<_>>().len();
        let chosen = cover(of_changes, of_files.iter().flatten().cloned().collect());
        let chosen: String = chosen.iter().map(|number| format!(" {number}")).collect();
        writeln!(text, "{name} {all}:{chosen}").unwrap();
    }
    fs::write(repository(CHOSEN), text).unwrap();
}

#[test]
fn a_cover_has_every_outcome_and_no_case_too_many() {
    let of = |words: &str| words.split(' ').map(str::to_owned).collect::<Outcomes>();
    let outcomes = [of("a"), of("a b"), of("c"), of("b c d"), of("e"), of("d e")];
    assert_eq!(cover(&outcomes, BTreeSet::new()), [0, 3, 4]);
    assert_eq!(cover(&outcomes, of("a")), [3, 4]);
    assert_eq!(cover(&outcomes, of("a b c d e")), [0; 0]);
}

/// Writes a case to a file for inspection.
fn keep(target: &Target, case: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz").join(target.name);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(catena::output::hash::sha256(case));
    fs::write(&path, case).unwrap();
    path
}

#[test]
fn scenes_never_panic() {
    run("scene");
}

#[test]
fn manifests_journals_and_checkpoints_never_panic() {
    run("manifest");
    run("journal");
    run("checkpoint");
}

#[test]
fn figures_never_panic() {
    run("figure");
}

#[test]
fn rendered_scenes_never_panic() {
    run("rendered_scene");
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
const MAX_KIB: u64 = 1 << 20;

#[test]
#[cfg(target_os = "linux")]
fn the_program_ends_with_0_or_3_within_its_memory() {
    let program = catena().get_program().to_owned();
    let limited = format!("ulimit -v {MAX_KIB}; exec \"$0\" check \"$@\"");
    let mut faults = String::new();
    for path in corpus("scene") {
        // The scenes of the initial corpus are valid.
        let is_sound = path.parent().is_some_and(|folder| folder.ends_with("scenes"));
        // Their views are fitted to all frames, and the first frames need the same memory as all of
        // them. The nightly job uses all frames; golden pictures are drawn after all frames.
        let few: &[&str] =
            if is_sound && !crate::is_thorough() { &["--set", "frames=20"] } else { &[] };
        let output = Command::new("sh")
            .args(["-c", &limited])
            .args([program.as_os_str(), path.as_os_str()])
            .args(few)
            .output()
            .unwrap();
        let code = output.status.code();
        if code != Some(0) && (is_sound || code != Some(3)) {
            let message = String::from_utf8_lossy(&output.stderr);
            faults += &format!("{}: {}\n{message}\n", path.display(), output.status);
        }
    }
    assert!(faults.is_empty(), "{faults}");
}
