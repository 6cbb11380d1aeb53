//! A thousand editions of a scene, from a source that is not a file.

use crate::rendered::tree;
use catena::job::{
    FrameOptions, Interruption, Progress, RenderOptions, Rendered, RunError, render,
};
use catena::scene::{Scene, SceneText, load};
use catena::watch::{Audience, Changes, Edition, FolderPictures, Pictures, ShownPictures, watch};
use std::sync::{
    Mutex,
    atomic::{AtomicU64, Ordering},
};

/// A scene, valid or invalid.
fn text(number: u64) -> String {
    let nodes = 3 + number % 4;
    let wrong = match number % 10 {
        3 => "rope: (nods: 4)",
        5 => "rope: (nodes 4)",
        // The scene is valid, but exceeds the limits.
        7 => "frames: 900000000, rope: (nodes: 4)",
        _ => return good(nodes),
    };
    format!("Scene(base: (size: (64, 64), {wrong}))")
}

fn good(nodes: u64) -> String {
    format!(
        "Scene(base: (size: (64, 64), frames: 3, substeps: 2, decoration: Bare, rest: (limit: 4),
        view: (center: (0, 0), extent: (1200, 1200)), rope: (nodes: {nodes})))"
    )
}

fn read(text: String) -> Result<Scene, catena::scene::SceneError> {
    load(&SceneText { origin: "s.ron".into(), name: "s".into(), text }, &[])
}

/// Editions by number. Every third one is followed by the next while its pictures are made.
struct Script {
    last: u64,
    given: AtomicU64,
    asked: AtomicU64,
}

impl Script {
    fn new(last: u64) -> Self {
        Self { last, given: AtomicU64::new(0), asked: AtomicU64::new(0) }
    }
}

impl Changes for Script {
    fn next(&self, seen: u64, _: &dyn Interruption) -> Option<Edition> {
        assert_eq!(seen, self.given.load(Ordering::Relaxed), "an edition was left out");
        let number = seen + 1;
        self.given.store(number, Ordering::Relaxed);
        self.asked.store(0, Ordering::Relaxed);
        (number <= self.last).then(|| Edition { number, scene: read(text(number)) })
    }

    fn poll_newer(&self, seen: u64) -> bool {
        // Each frame asks more than once, so the edition ends sooner or later.
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        seen.is_multiple_of(3) && seen < self.last && asked >= seen % 8
    }
}

/// Counts calls.
#[derive(Default)]
struct Counts {
    begun: u64,
    refused: Vec<String>,
    made: u64,
    frames: Mutex<u64>,
}

impl Progress for Counts {
    fn frame(&self) {
        *self.frames.lock().unwrap() += 1;
    }
}

impl Audience for Counts {
    fn started(&mut self, _: &Scene) {
        self.begun += 1;
    }

    fn progress(&self) -> &dyn Progress {
        self
    }

    fn refused(&mut self, error: RunError) {
        self.refused.push(error.to_string());
    }

    fn made(&mut self, _: &Scene, rendered: &Rendered) {
        assert_eq!(rendered.frames, 3);
        self.made += 1;
    }
}

fn run(pictures: &mut (dyn Pictures + Send), editions: u64) -> Counts {
    let mut counts = Counts::default();
    let reached = watch(&Script::new(editions), pictures, &mut counts, &());
    assert_eq!(reached, None, "all of the last one is there");
    let wrong =
        |residues: &[u64]| (1..=editions).filter(|it| residues.contains(&(it % 10))).count();
    assert_eq!(counts.refused.len(), wrong(&[3, 5, 7]), "{:?}", counts.refused);
    assert_eq!(counts.begun as usize, editions as usize - wrong(&[3, 5]));
    // Others were dropped.
    let usable = editions - wrong(&[3, 5, 7]) as u64;
    assert!((usable / 2..usable).contains(&counts.made), "{} of {usable}", counts.made);
    let frames = *counts.frames.lock().unwrap();
    assert!((3 * counts.made..3 * usable).contains(&frames), "{frames} frames");
    counts
}

#[test]
fn hundreds_of_editions_leave_the_pictures_of_the_last_one() {
    let mut shown = ShownPictures::new(&FrameOptions::default(), 1 << 20);
    let seen = shown.clone();
    let counts = run(&mut shown, 300);
    assert!(
        counts.refused.iter().any(|message| message.contains("nods")),
        "{:?}",
        counts.refused[0]
    );
    let (frames, bytes) = seen.kept();
    assert_eq!(frames, 3, "nothing is kept of the editions before");
    let mut all = 0;
    for frame in 0..3 {
        let picture = seen.picture(300, frame).unwrap();
        all += picture.len() as u64;
        let drawn = catena::job::draw(&read(text(300)).unwrap(), frame).unwrap();
        assert!(image::load_from_memory(&picture).unwrap().to_rgb8() == drawn, "frame {frame}");
    }
    assert_eq!(bytes, all);
    assert!(seen.picture(299, 0).is_none() && seen.picture(300, 3).is_none());
}

#[test]
fn an_edition_that_cannot_be_used_leaves_the_pictures_and_says_why() {
    for (last, wanted) in [(3, "nods"), (5, "nodes"), (7, "900000000 frames are more than")] {
        let mut shown = ShownPictures::new(&FrameOptions::default(), 1 << 20);
        let seen = shown.clone();
        let mut counts = Counts::default();
        watch(&Script::new(last), &mut shown, &mut counts, &());
        let state: serde_json::Value = serde_json::from_str(&seen.numbered_json().1).unwrap();
        let error = state["error"].as_str().unwrap();
        assert!(error.starts_with("error: ") && error.contains(wanted), "{error}");
        assert_eq!(state["edition"], last - 1);
        assert_eq!(state["there"], serde_json::json!([[0, 2]]));
        assert_eq!(state["busy"], false);
    }
}

#[test]
fn pictures_without_room_are_left_out_and_that_is_said() {
    let mut shown = ShownPictures::new(&FrameOptions::default(), 1);
    let seen = shown.clone();
    let rendered = shown.make(1, &read(good(4)).unwrap(), &(), &()).unwrap();
    assert_eq!((rendered.frames, seen.kept().0), (1, 1));
    let state: serde_json::Value = serde_json::from_str(&seen.numbered_json().1).unwrap();
    assert!(state["note"].as_str().unwrap().starts_with("Only 1 of 3 frames"), "{state}");
}

#[test]
fn the_page_is_told_what_makes_pictures_wrong() {
    let mut shown = ShownPictures::new(&FrameOptions::default(), 1 << 20);
    let seen = shown.clone();
    let mut note = |edition: u64, change: &str| {
        let text = good(4).replacen("base: (", &format!("base: ({change} "), 1);
        shown.make(edition, &read(text).unwrap(), &(), &()).unwrap();
        let state: serde_json::Value = serde_json::from_str(&seen.numbered_json().1).unwrap();
        state["note"].as_str().unwrap_or_default().to_owned()
    };
    assert!(note(1, "integrator: ExplicitEuler,").contains("gains energy at every step size"));
    assert_eq!(note(2, "integrator: ConstraintVerlet,"), "");
}

#[test]
fn a_folder_of_editions_is_that_of_a_render() {
    let bench = tempfile::tempdir().unwrap();
    let (watched, plain) = (bench.path().join("watched"), bench.path().join("plain"));
    let options = RenderOptions::default();
    run(&mut FolderPictures::new(&watched, &options), 60);
    let scene = read(text(60)).unwrap();
    render(&scene, &plain, &options, &(), &()).unwrap();
    assert_eq!(tree(&watched), tree(&plain));
    let drawn = Counts::default();
    render(&scene, &watched, &options, &drawn, &()).unwrap();
    assert_eq!(*drawn.frames.lock().unwrap(), 0, "a render takes over all frames");
}
