//! The classroom experiments of docs/physics.md, as numbers. Each test uses the scene that shows
//! the experiment.

use crate::{repository, scene};
use catena::analysis::settle::{Ending, RestRule, Settled, settle};
use catena::scene::{Body, Panel, Scene};
use catena::sim::{Outcome, Simulation, body::measure};
use std::{fs, sync::Arc};

fn panel<'a>(scene: &'a Scene, label: &str) -> &'a Panel {
    scene
        .panels
        .iter()
        .find(|panel| panel.label == label)
        .unwrap_or_else(|| panic!("no panel is called {label}"))
}

fn start(scene: &Scene, label: &str) -> Simulation {
    Simulation::new(Arc::clone(&panel(scene, label).bodies[0].setup))
}

fn rest(scene: &Scene, label: &str) -> Settled {
    let panel = panel(scene, label);
    let Body { setup, .. } = &panel.bodies[0];
    let rest = panel.rest;
    let rule = RestRule::for_body(setup, rest.speed, rest.frames, rest.limit);
    settle(setup, rule, &|_| true)
}

fn rest_frame(scene: &Scene, label: &str) -> u64 {
    match rest(scene, label).ending {
        Ending::AtRest { frame } => frame,
        other => panic!("{label}: {other:?}"),
    }
}

/// Runs up to `frames` frames and returns the first one in which a node is farther than `bound`
/// from the origin.
fn first_beyond(simulation: &mut Simulation, bound: f64, frames: u64) -> Option<u64> {
    (1..=frames).find(|_| {
        simulation.advance_frame();
        let x = &simulation.state().x;
        let (x, y) = x.split_at(x.len() / 2);
        x.iter().zip(y).any(|(x, y)| {
            (x * x + y * y).sqrt().partial_cmp(&bound).is_none_or(std::cmp::Ordering::is_gt)
        })
    })
}

/// Checks that docs/physics.md and scenes/README.md both name this frame, and no other, in the
/// clause with these words about a scene.
fn assert_documented(scene: &str, words: &str, frame: u64) {
    let read = |path: &str| fs::read_to_string(repository(path)).unwrap();
    let (physics, scenes) = (read("docs/physics.md"), read("scenes/README.md"));
    let row = physics.lines().find(|line| line.contains(&format!("| {scene} |"))).unwrap();
    let section = scenes.split("### ").find(|part| part.starts_with(&format!("{scene}.ron")));
    let section = section.unwrap().replace('\n', " ");
    for text in [row, &section] {
        let clause = text.split([',', ':', '.']).find(|clause| clause.contains(words)).unwrap();
        let digits = |word: &str| word.trim_matches(|c: char| !c.is_ascii_digit()).parse().ok();
        let after = clause.split("frame ").nth(1).and_then(|rest| digits(rest.split(' ').next()?));
        assert_eq!(after, Some(frame), "{scene}: {clause}");
    }
}

fn tip_y(settled: &Settled) -> f64 {
    *settled.state.x.last().unwrap()
}

#[test]
fn explicit_euler_explodes_within_a_dozen_frames() {
    let scene = scene("explicit_64", &[]);
    let mut simulation = start(&scene, "64 substeps");
    let frame = first_beyond(&mut simulation, 1e4, 20);
    assert!(matches!(frame, Some(10 | 11)), "beyond 1e4 at {frame:?}");
    assert_documented("explicit_64", "farther than 1e4 from the origin", frame.unwrap());

    // The run continues through inf to NaN, and reports when it diverged.
    let mut was_infinite = false;
    while !simulation.state().x.iter().any(|x| x.is_nan()) && simulation.frame() < 600 {
        let setup = simulation.setup();
        let (springs, x) = (simulation.springs(), &simulation.state().x);
        was_infinite |= measure::length(&setup.model, springs, x).is_infinite();
        simulation.step();
    }
    assert!(simulation.state().x.iter().any(|x| x.is_nan()), "NaN comes at last");
    assert!(was_infinite, "the length is infinite before that");
    assert!(matches!(simulation.outcome(), Outcome::Diverged { frame: 8..=10, .. }));
}

#[test]
fn more_steps_only_put_the_explosion_off() {
    let scene = scene("explicit_1024", &[]);
    let mut simulation = start(&scene, "1024 substeps");
    assert_eq!(first_beyond(&mut simulation, 1e3, 100), None);
    let more = first_beyond(&mut simulation, 1e4, 100);
    assert_documented("explicit_1024", "farther than 1e4 from the origin", 100 + more.unwrap());
    let Outcome::Diverged { frame, .. } = simulation.outcome() else {
        panic!("it did not diverge")
    };
    assert_documented("explicit_1024", "diverged", frame);
}

/// Maximum displacement of a rope to either side over a whole period from now on.
fn swing(simulation: &mut Simulation) -> f64 {
    let mut widest = 0.0_f64;
    for _ in 0..110 {
        simulation.advance_frame();
        let x = &simulation.state().x;
        widest = x[..x.len() / 2].iter().fold(widest, |widest, x| widest.max(x.abs()));
    }
    widest
}

#[test]
fn semi_implicit_euler_settles_at_every_number_of_steps() {
    let scene = scene("semi_implicit_substeps", &[]);
    assert_eq!(scene.panels.len(), 4);
    for panel in &scene.panels {
        let mut simulation = start(&scene, &panel.label);
        let before = swing(&mut simulation);
        (0..4000).for_each(|_| simulation.advance_frame());
        let after = swing(&mut simulation);
        assert_eq!(simulation.outcome(), Outcome::Fine);
        // c = 0.001 reduces a small swing by a factor e every 2000 frames.
        assert!(after < 0.3 * before, "{}: from {before} to {after}", panel.label);
    }
}

#[test]
fn the_step_limit_lies_where_the_spectrum_says() {
    for (file, bad, good) in [
        ("limit_16_nodes", "9 substeps", "10 substeps"),
        ("limit_3_nodes", "8 substeps", "9 substeps"),
    ] {
        let scene = scene(file, &[]);
        let mut simulation = start(&scene, bad);
        (0..600).for_each(|_| simulation.advance_frame());
        assert!(matches!(simulation.outcome(), Outcome::Diverged { .. }), "{file}, {bad}");
        let mut simulation = start(&scene, good);
        (0..600).for_each(|_| simulation.advance_frame());
        assert_eq!(simulation.outcome(), Outcome::Fine, "{file}, {good}");
    }
}

#[test]
fn drag_decides_how_fast_semi_implicit_euler_rests() {
    let scene = scene("semi_implicit_damping", &[]);
    assert!(matches!(rest(&scene, "c = 0").ending, Ending::Moving { speed, .. } if speed > 1.0));
    let (slow, middle, fast) = (
        rest_frame(&scene, "c = 0.001"),
        rest_frame(&scene, "c = 0.01"),
        rest_frame(&scene, "c = 0.1"),
    );
    assert!(slow > middle && middle > fast, "{slow} {middle} {fast}");
    assert!((150..=250).contains(&fast), "{fast}");
    let tip = tip_y(&rest(&scene, "c = 0.1"));
    assert!((tip + 201.2).abs() < 5e-3, "{tip}");
}

#[test]
fn constraint_verlet_is_stable_at_any_step() {
    let scene = scene("verlet_substeps", &[]);
    let settled = |label| rest(&scene, label);
    let length = |label| {
        let setup = &panel(&scene, label).bodies[0].setup;
        measure::segment_lengths(&setup.model, &settled(label).state.x).iter().sum::<f64>()
    };
    // One projection per frame leaves the upper springs too long; 1024 keep the length.
    assert!((length("1 substep") - 506.0).abs() < 0.5, "{}", length("1 substep"));
    assert!((length("1024 substeps") - 400.0).abs() < 1e-3, "{}", length("1024 substeps"));
    let frames: Vec<u64> = ["16 substeps", "64 substeps", "256 substeps", "1024 substeps"]
        .iter()
        .map(|label| rest_frame(&scene, label))
        .collect();
    assert!(frames.is_sorted_by(|a, b| a > b), "more substeps rest sooner: {frames:?}");
}

#[test]
fn constraint_verlet_rests_without_damping() {
    let scene = scene("verlet_undamped", &[]);
    rest_frame(&scene, "d = 0, 16 substeps");
}

#[test]
fn damping_slows_constraint_verlet_down() {
    let scene = scene("verlet_damping", &[]);
    let labels = ["d = 0", "d = 0.00005", "d = 0.0005", "d = 0.005"];
    let greatest_speeds: Vec<f64> = labels
        .iter()
        .map(|label| {
            let mut simulation = start(&scene, label);
            (0..200)
                .map(|_| {
                    simulation.advance_frame();
                    measure::greatest_speed(&simulation.setup().model, simulation.state())
                })
                .fold(0.0, f64::max)
        })
        .collect();
    assert!(greatest_speeds.is_sorted_by(|a, b| a > b), "{greatest_speeds:?}");
    // The feather sinks and never swings to the other side.
    let mut feather = start(&scene, "d = 0.005");
    (0..1000).for_each(|_| {
        feather.advance_frame();
        assert!(feather.state().x[15] < 1e-3);
    });
}

#[test]
fn the_steady_state_shows_what_the_steps_do() {
    let scene = scene("steady_state", &[]);
    let lengths = |label| {
        let setup = &panel(&scene, label).bodies[0].setup;
        measure::segment_lengths(&setup.model, &rest(&scene, label).state.x)
    };
    let spacing = 400.0 / 15.0;
    // With one step per frame, each segment is one unit shorter than the one above.
    for (j, length) in lengths("1 substep").iter().enumerate().skip(1) {
        assert!((length - (spacing + (14 - j) as f64)).abs() < 1e-2, "segment {j}: {length}");
    }
    assert!(lengths("1024 substeps").iter().all(|length| (length - spacing).abs() < 1e-4));
}
