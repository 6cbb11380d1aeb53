//! `catena check` prints the same messages as a render and a film.

use crate::rendered::Bench;
use crate::repository;
use catena::scene::{
    Limits, SceneText,
    limits::{FilmEncoding, PlannedRun, Product},
    load,
};
use std::fs;

#[test]
fn every_scene_fits_as_a_film_of_ten_seconds() {
    let folder = repository("scenes");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "ron") {
            continue;
        }
        let scene = load(&SceneText::read(&path).unwrap(), &[]).unwrap();
        let size = [1920, 1080];
        let film = Product::Film { size, encoding: FilmEncoding::H264 };
        for product in [Product::Pictures { size, settles: true }, film] {
            // Ten seconds of sixty frames each.
            let run = PlannedRun::up_to(600, product);
            let checked = Limits::default().check_run(&scene.source_text(), &scene, &run);
            assert!(checked.is_ok(), "{}: {:?}", path.display(), checked.err());
        }
        count += 1;
    }
    assert!(count > 40);
}

#[test]
fn check_says_whether_a_film_would_be_refused() {
    let scene = |frames: u64| {
        format!("Scene(base: (size: (1920, 1080), frames: {frames}, rope: (nodes: 4)))")
    };
    for (frames, minutes) in [(1000, None), (5000, Some("2"))] {
        let bench = Bench::new(&scene(frames));
        let run = bench.run(["check", "scene.ron"]);
        assert_eq!(run.status.code(), Some(0));
        let stdout = String::from_utf8(run.stdout).unwrap();
        assert!(
            stdout.contains("for a film as mp4; the limit is 1 minute (--minutes)"),
            "{stdout}"
        );
        let refused = "--film with mp4 would exceed this limit; --minutes ";
        assert_eq!(stdout.contains(refused), minutes.is_some(), "{stdout}");
        let Some(minutes) = minutes else { continue };
        assert!(stdout.contains(&format!("{refused}{minutes} allows it")), "{stdout}");
        let film = bench.run(["render", "scene.ron", "--film", "film.mp4", "-q"]);
        let found = String::from_utf8_lossy(&film.stderr);
        assert_eq!(film.status.code(), Some(3), "{found}");
        assert!(found.contains(&format!("--minutes {minutes} allows it")), "{found}");
        // The advice is right.
        let lifted = bench.run(["check", "scene.ron", "--minutes", minutes]);
        let lifted = String::from_utf8(lifted.stdout).unwrap();
        assert!(!lifted.contains("would exceed"), "{lifted}");
    }
    let bench = Bench::new(&scene(3000));
    let free = String::from_utf8(bench.run(["check", "scene.ron", "--unlimited"]).stdout).unwrap();
    assert!(free.contains("for a film as mp4\n") && !free.contains("the limit is"), "{free}");
}

#[test]
fn check_says_up_to_which_frame_contacts_are_counted() {
    let scene = |frames: u64, more: &str| {
        format!(
            "Scene(base: (size: (64, 64), frames: {frames}, substeps: 64, gravity: (0, -1), \
             {more}, rope: (start: (0, 50), end: (40, 50), nodes: 60)))"
        )
    };
    let plane = "colliders: [Plane(point: (0, 0), normal: (0, 1))]";
    let rows = [(60, plane, false), (200_000, plane, true), (200_000, "drag: 0.01", false)];
    for (frames, more, is_cut) in rows {
        let bench = Bench::new(&scene(frames, more));
        let run = bench.run(["check", "scene.ron", "--minutes", "600"]);
        let stdout = String::from_utf8(run.stdout).unwrap();
        let line =
            stdout.lines().find_map(|line| line.split_once("contacts are counted up to frame "));
        assert_eq!(line.is_some(), is_cut, "{stdout}");
        let Some((_, rest)) = line else { continue };
        let frame: u64 = rest.split(';').next().unwrap().parse().unwrap();
        assert!((1..frames).contains(&frame), "{stdout}");
    }
}
