//! Longest steps of methods that correct lengths, and of bodies at rest: they are predicted and
//! measured, and equal wherever they are printed.

use crate::{repository, scene_of};
use catena::analysis::budget::StudyBudget;
use catena::analysis::stability::{
    StabilityTimes, max_work_at_rest,
    predict::{
        LimitCause, LimitReach, ModePlace, Prediction, predict, predict_film, predict_film_counted,
    },
    warning, warning_amount,
};
use catena::sim::{Outcome, Setup, Simulation};
use std::{fs, sync::Arc};

fn defect(name: &str) -> String {
    fs::read_to_string(repository("tests/defects").join(name).with_extension("ron")).unwrap()
}

fn setup_of(text: &str) -> Arc<Setup> {
    Arc::clone(&scene_of(text).panels[0].bodies[0].setup)
}

/// The prediction of `catena stability`.
fn predicted(text: &str, frames: u64) -> Option<Prediction> {
    let setup = setup_of(text);
    let mut budget = StudyBudget::new(StabilityTimes::ONE.predicting);
    predict_film(&setup, frames as f64 * setup.frame_time, &mut budget)
}

fn warning_text(text: &str, frames: u64) -> Option<String> {
    warning(&setup_of(text), frames, warning_amount(1))
}

/// Whether a run with this number of frames does not diverge.
fn survives(text: &str, substeps: u64, frames: u64) -> bool {
    let setup = Setup { substeps, ..(*setup_of(text)).clone() };
    let mut run = Simulation::new(Arc::new(setup));
    (0..frames).for_each(|_| run.advance_frame());
    run.outcome() == Outcome::Fine
}

/// The number after some words in a text.
fn number_after(words: &str, message: &str) -> f64 {
    let rest = &message[message.find(words).unwrap() + words.len()..];
    let end = rest.find(|c: char| !(c.is_ascii_digit() || ".e-".contains(c)));
    rest[..end.unwrap_or(rest.len())].parse().unwrap()
}

#[test]
fn friction_in_springs_limits_methods_that_put_lengths_right() {
    let xpbd = defect("xpbd_friction_limit");
    // The limit 2 m/(4 c) holds where corrections do not change the motion: along compliant
    // springs, and across rods. Constraint Verlet applies each correction to two velocities, so its
    // limit is far lower.
    for (method, friction, expected) in [
        ("Xpbd(iterations: 50)", "damping", Some(5e-5)),
        ("Xpbd(iterations: 50)", "friction", Some(5e-5)),
        ("Xpbd", "damping", Some(5e-5)),
        ("Shake", "friction", Some(5e-5)),
        ("Pbd", "friction", Some(5e-5)),
        ("ConstraintVerlet", "damping", None),
    ] {
        let text = xpbd
            .replace("Xpbd(iterations: 50)", method)
            .replace("damping: 100", &format!("{friction}: 100"));
        let what = format!("{method}, {friction}");
        let found = predicted(&text, 31).unwrap_or_else(|| panic!("{what}: no limit"));
        let step = found.longest_step.unwrap();
        assert_eq!(found.cause, LimitCause::Friction, "{what}");
        match expected {
            Some(expected) => {
                assert!((step / expected - 1.0).abs() < 0.03, "{what}: {step:e}");
            }
            // Kinetic energies of runs of the film converge at up to 5e-6; from 6e-6 on they
            // fluctuate.
            None => assert!((4e-6..6e-6).contains(&step), "{what}: {step:e}"),
        }
        let line = warning_text(&text, 31).unwrap();
        assert!((number_after("limit ", &line) / step - 1.0).abs() < 1e-3, "{what}: {line}");
        let substeps = number_after("substeps: ", &line) as u64;
        assert_eq!(substeps, (0.02 / step).ceil() as u64, "{what}: {line}");
        // The advice is right: runs with the advised number survive.
        if method != "ConstraintVerlet" {
            assert!(survives(&text, substeps, 31), "{what}: {line}");
        }
        let fine = text.replace("substeps: 10", &format!("substeps: {}", 2 * substeps));
        assert_eq!(warning_text(&fine, 31), None, "{what}");
        assert_eq!(predicted(&fine, 31).unwrap().longest_step, Some(step), "{what}");
    }
    // SHAKE has no motion along rods that could grow.
    let along = xpbd.replace("Xpbd(iterations: 50)", "Shake");
    assert_eq!(warning_text(&along, 31), None);
}

#[test]
fn long_rods_have_a_limit_under_every_method_that_holds_lengths() {
    let text = fs::read_to_string(repository("scenes/helical_buckling.ron")).unwrap();
    // Runs of 12 frames end with a kinetic energy of 2.1e-7 at dt = 1/377, and with 9 at dt =
    // 1/371.
    for method in ["Pbd", "Xpbd"] {
        let text = text.replace("ImplicitEuler", method);
        let found = predicted(&text, 1).unwrap_or_else(|| panic!("{method}: no limit"));
        assert_eq!(found.cause, LimitCause::Forces, "{method}");
        assert_eq!(found.reach, LimitReach::Whole, "{method}");
        let step = found.longest_step.unwrap();
        assert!((1.0 / 377.0..1.0 / 371.0).contains(&step), "{method}: {step}");
    }
}

#[test]
fn tension_limits_shake_and_the_substeps_that_are_said_keep_it() {
    let text = defect("shake_tension_limit");
    let line = warning_text(&text, 120).unwrap();
    let step = number_after("limit ", &line);
    // 2 √(T/(m l)) dt < 2 with T = 1962 at the lowest point.
    assert!((step / 7.139e-5 - 1.0).abs() < 0.02, "{line}");
    assert!(line.contains("but more `iterations` do not help"), "{line}");
    let substeps = number_after("substeps: ", &line) as u64;
    assert!((234..=400).contains(&substeps), "{line}");
    let found = predicted(&text, 120).unwrap();
    assert_eq!(found.cause, LimitCause::Tension);
    assert!(matches!(found.place, ModePlace::Passing { .. }), "{found:?}");
    assert!((found.longest_step.unwrap() / step - 1.0).abs() < 1e-3, "{found:?}: {line}");
    let more = text.replace("substeps: 16", &format!("substeps: {substeps}"));
    assert_eq!(warning_text(&more, 120), None);
    assert!(!survives(&text, 16, 60));
    // Light ropes without a heavy body need no warning.
    for fine in ["rope: (nodes: 40)", "rope: (nodes: 16, pins: [0]), drag: 0.1"] {
        assert_eq!(
            warning_text(&format!("Scene(base: (integrator: Shake, {fine}))"), 60),
            None,
            "{fine}"
        );
    }
}

#[test]
fn hanging_at_rest_counts_for_every_body() {
    let found = |text: &str| predict(&setup_of(text)).unwrap();
    // Computed from another program's minimum of the energy.
    let cloth = found(&defect("cloth_at_rest"));
    assert!((cloth.highest.omega - 24.105).abs() < 1e-3, "{cloth:?}");
    assert_eq!(cloth.place, ModePlace::Rest);
    let line =
        warning_text(&defect("cloth_at_rest").replace("substeps: 8", "substeps: 1"), 200).unwrap();
    assert!(line.contains("0.07959") || line.contains("0.0796"), "{line}");
    assert!(line.contains(" at rest") && line.contains("substeps: 2"), "{line}");
    // A rope in two parts behaves like one rope.
    let base = "gravity: (0, -9.81), substeps: 1, frame_time: 0.01";
    let rope = found(&format!(
        "Scene(base: ({base}, rope: (start: (0, 0), end: (2, 0), nodes: 9, mass: 0.1, stiffness: 50, pins: [First, Last])))"
    ));
    let parts = found(&format!(
        "Scene(base: ({base}, parts: [
            (name: \"a\", with: (rope: (start: (0, 0), end: (1, 0), nodes: 5, mass: 0.1, stiffness: 50, pins: [First]))),
            (name: \"b\", with: (rope: (start: (1, 0), end: (2, 0), nodes: 5, mass: 0.1, stiffness: 50, pins: [Last])))],
            joins: [(from: (\"a\", 4), to: (\"b\", 0))]))"
    ));
    let graph = found(&format!(
        "Scene(base: ({base}, graph: (nodes: [{}], springs: [{}], mass: 0.1, stiffness: 50, pins: [0, 8])))",
        (0..9).map(|i| format!("({}, 0)", 0.25 * f64::from(i))).collect::<Vec<_>>().join(", "),
        (0..8).map(|i| format!("({i}, {})", i + 1)).collect::<Vec<_>>().join(", "),
    ));
    assert_eq!(graph.place, rope.place, "{graph:?} {rope:?}");
    let off = graph.highest.omega / rope.highest.omega - 1.0;
    assert!(off.abs() < 1e-9, "{graph:?} {rope:?}");
    // The mass in the middle is doubled.
    assert!(parts.highest.omega > 0.9 * rope.highest.omega && parts.place == rope.place);
    // A body without pins has no rest shape.
    let free: Prediction = found(
        "Scene(base: (gravity: (0, -9.81), cloth: (corner: (0, 0), across: (1, 0), down: (0, -1), rows: 4, columns: 4)))",
    );
    assert!(free.place == ModePlace::Start && free.is_rest_known, "{free:?}");
}

#[test]
fn friction_where_nothing_moves_limits_no_step() {
    let text = |method: &str| {
        format!(
            "Scene(base: (integrator: {method}, rope: (nodes: 4, damping: 1, pins: [0, 1, 2, 3])))"
        )
    };
    for method in ["Xpbd", "Shake", "Pbd", "ConstraintVerlet"] {
        assert_eq!(predicted(&text(method), 10), None, "{method}");
    }
}

#[test]
fn a_search_for_rest_is_work_where_no_chain_is_known() {
    let cloth = |pins: &str| {
        format!(
            "cloth: (corner: (0, 0), across: (1, 0), down: (0, -1), rows: 10, columns: 10, pins: {pins})"
        )
    };
    for (body, searches) in [
        ("rope: (nodes: 12, pins: [First])".to_owned(), 0.0),
        (cloth("TopCorners"), 1.0),
        (cloth("[]"), 0.0),
    ] {
        let text = format!("Scene(base: (gravity: (0, -9.81), integrator: Rk4, {body}))");
        let maximum = max_work_at_rest(&setup_of(&text)).seconds;
        assert!((maximum - 0.2 * searches).abs() < 1e-12, "{body}: {maximum}");
    }
}

#[test]
fn searches_of_a_prediction_are_counted() {
    let cloth = |pins: &str| {
        format!(
            "cloth: (corner: (0, 0), across: (1, 0), down: (0, -1), rows: 10, columns: 10, pins: {pins})"
        )
    };
    // The rest of a sheet is searched, and so are the steps of a method that holds lengths. A
    // hanging rope is known.
    let work = |method: &str, body: &str| {
        let text = format!("Scene(base: (gravity: (0, -9.81), integrator: {method}, {body}))");
        let (mut budget, mut work) = (StudyBudget::new(StabilityTimes::ONE.predicting), 0);
        predict_film_counted(&setup_of(&text), 1.0, &mut budget, &mut work);
        work
    };
    let rope = work("Rk4", "rope: (nodes: 12, pins: [First])");
    let [held, free] = ["TopCorners", "[]"].map(|pins| work("Rk4", &cloth(pins)));
    assert!(rope > 0 && free > 0);
    assert!(held > 2 * free.max(rope) && held < 400_000_000, "{held} {free} {rope}");
    assert!(work("ConstraintVerlet", &cloth("TopCorners")) > 1_000_000);
}
