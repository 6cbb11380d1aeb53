//! Arrows of forces: which ones are drawn, their lengths, and that a resumed run has the same
//! arrows.

use crate::scene_of;
use catena::render::{PanelRun, Rect, ShownForce, arrows::ArrowScale};
use catena::scene::{Scene, SceneText, load};

const HANGING: &str = "gravity: (0, -10), drag: 2, frame_time: 0.1, substeps: 40,
    rope: (start: (0, 2), end: (0, 1), nodes: 5, stiffness: 500, mass: 0.2, pins: [0]),
    colliders: [Plane(point: (0, 0.98), normal: (0, 1))]";

fn scene(style: &str) -> Scene {
    scene_of(&format!("Scene(base: ({HANGING}, style: ({style})))"))
}

/// Runs a scene's panel up to a frame.
fn run(scene: &Scene, frames: u64) -> PanelRun {
    let mut run = PanelRun::new(&scene.panels[0]);
    (0..frames).for_each(|_| run.advance_frame());
    run
}

/// Arrows of a body in the plane, as (x, y) displacements.
fn displacements(style: &str, frames: u64) -> Vec<[f64; 2]> {
    let scene = scene(style);
    let plot = Rect { x: 0, y: 0, w: 500, h: 300 };
    let scale = ArrowScale::new(&scene, plot, 50.0);
    let run = run(&scene, frames);
    let arrows = scale.arrows(&scene.panels[0].bodies[0], &run.current().bodies[0]);
    arrows.iter().map(|arrow| [0, 1].map(|axis: usize| arrow.to[axis] - arrow.from[axis])).collect()
}

#[test]
fn arrows_are_as_long_as_forces_are_great() {
    assert_eq!(displacements("arrows: None", 100).len(), 0);
    let (pins, contacts) =
        (displacements("arrows: Pins", 100), displacements("arrows: Contacts", 100));
    let all = displacements("arrows: All", 100);
    assert_eq!(all, [pins.clone(), contacts.clone()].concat());
    let ([[px, py]], [[cx, cy]]) = (&pins[..], &contacts[..]) else { panic!("{all:?}") };
    // The rope stands on the plane and hangs from its pin: both together carry its weight, and the
    // arrow of this weight is three tenths of 300 pixels long, at 50 pixels per length.
    assert!((py + cy + 0.3 * 300.0 / 50.0).abs() < 1e-6, "{py} {cy}");
    assert!(*py < -0.1 && *cy < -0.1, "{py} {cy}");
    assert!(px.abs() < 1e-9 && cx.abs() < 1e-9);
    let [[_, scaled]] = displacements("arrows: Pins, arrow_scale: 0.5", 100)[..] else { panic!() };
    let weight = 5.0 * 0.2 * 10.0;
    assert!((scaled / 0.5 / weight - py / 1.8).abs() < 1e-9, "{scaled} {py}");
}

#[test]
fn a_run_without_arrows_records_no_forces_and_a_resumed_one_shows_the_same() {
    assert_eq!(run(&scene("arrows: None"), 3).current().bodies[0].forces, Vec::<ShownForce>::new());
    let scene = scene("arrows: All");
    let mut first = run(&scene, 7);
    let checkpoint = first.checkpoint();
    let mut resumed = PanelRun::new(&scene.panels[0]);
    assert!(resumed.resume(&checkpoint));
    assert_eq!(resumed.current(), first.current());
    assert_eq!(first.current().bodies[0].forces.len(), 2);
    assert!(first.current().bodies[0].forces[0].force[1] != 0.0);
    first.advance_frame();
    resumed.advance_frame();
    assert_eq!(resumed.current(), first.current());
}

#[test]
fn arrows_without_a_length_are_refused() {
    let read = |fields: &str| {
        let text = format!("Scene(base: (gravity: (0, 0), {fields}))");
        load(&SceneText { origin: "test".into(), name: "test".into(), text }, &[])
    };
    let error = read("style: (arrows: Pins)").unwrap_err().to_string();
    assert!(error.contains("without gravity, the length of arrows"), "{error}");
    assert!(read("style: (arrows: Pins, arrow_scale: 2)").is_ok());
    assert!(read("style: (arrows: None)").is_ok());
}
