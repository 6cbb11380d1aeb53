//! `catena identify` and the tables: everything that catena itself can simulate is identified by
//! its numbers.

use crate::scene_of;
use catena::job::{IdentifyOptions, IdentifyOutcome, identify};
use catena::sim::method::METHODS;
use catena::sim::named::{OptionInfo, OptionKind};
use catena::sim::slip::SLIPS;
use catena::sim::{Setup, Simulation};
use std::fmt::Write;

/// A rope with all motions that methods treat differently.
const ROPE: &str = "gravity: (0, -1), frame_time: 1.0, substeps: 8, drag: 0.05,
    rope: (start: (0, 0), end: (-30, 5), nodes: 4, stiffness: 9, mass: 1.5, damping: 0.02, pins: [0])";

/// Frames of a setup as CSV, with all digits.
fn numbers(setup: &Setup, frames: u64) -> String {
    let mut run = Simulation::new(setup.clone());
    let mut text = "frame,node,x,y\n".to_owned();
    for frame in 0..frames {
        for (node, [x, y, _]) in run.positions().enumerate() {
            writeln!(text, "{frame},{node},{x},{y}").unwrap();
        }
        run.advance_frame();
    }
    text
}

/// Methods with default options, and with each word of each option.
fn methods() -> Vec<String> {
    let words = |info: &'static OptionInfo| match info.kind {
        OptionKind::Words(words) => words.to_vec(),
        OptionKind::Boolean => vec!["true", "false"],
        _ => Vec::new(),
    };
    let mut all = Vec::new();
    for method in METHODS {
        all.push(method.name.to_owned());
        for option in method.options {
            // An option about damping has no effect without damping.
            let damping = if option.name == "damping_of" { "damping: 0.01, " } else { "" };
            let one = |word| format!("{}({damping}{}: {word})", method.name, option.name);
            all.extend(words(option).into_iter().map(one));
        }
    }
    all
}

/// Simulates a panel, and checks that it is identified by its numbers in a scene that does not have
/// it.
fn check(panel: &str) -> Result<(), String> {
    let simulated = format!("Scene(base: ({ROPE}, {panel}))");
    let scene: catena::scene::Scene =
        simulated.parse().map_err(|error| format!("{panel}: {error}"))?;
    let setup = &scene.panels[0].bodies[0].setup;
    let text = numbers(setup, 12);
    let given = scene_of(&format!("Scene(base: ({ROPE}))"));
    let options = IdentifyOptions { only_given_substeps: true, ..IdentifyOptions::default() };
    let found = identify(&given, text.as_bytes(), &options).map_err(|it| it.to_string())?;
    let name = setup.method.info().name;
    let slips: Vec<&str> = setup.slips.iter().map(|slip| slip.info().name).collect();
    let is_it =
        |it: &catena::job::Match| it.method == name && it.slips == slips && it.largest == Some(0.0);
    match found.outcome == IdentifyOutcome::Identified && found.matches.iter().any(is_it) {
        true => Ok(()),
        false => Err(format!("{panel}: {found:#?}")),
    }
}

#[test]
fn every_method_and_printed_variant_is_found_by_its_numbers() {
    for method in methods() {
        check(&format!("integrator: {method}")).unwrap();
    }
}

#[test]
fn every_slip_is_found_by_its_numbers() {
    let mut found = 0;
    for slip in SLIPS {
        for method in METHODS {
            let panel = format!("integrator: {}, slips: [{}]", method.name, slip.name);
            let fits = format!("Scene(base: ({ROPE}, {panel}))").parse::<catena::scene::Scene>();
            if fits.is_ok() {
                check(&panel).unwrap();
                found += 1;
                break;
            }
        }
    }
    assert!(found >= 10, "{found}");
}

/// Combinations of options that are rare in programs are tried if a panel has them.
#[test]
fn combined_options_of_a_panel_are_tried_with_other_substeps() {
    let method =
        "integrator: ConstraintVerlet(damping: 0.001, correction: HalfShare, tethers: true)";
    let scene = |rope: &str| scene_of(&format!("Scene(base: ({rope}, {method}))"));
    let simulated = scene(&ROPE.replace("substeps: 8", "substeps: 16"));
    let text = numbers(&simulated.panels[0].bodies[0].setup, 12);
    let options = IdentifyOptions {
        only_given_substeps: true,
        substeps: vec![16],
        ..IdentifyOptions::default()
    };
    let found = identify(&scene(ROPE), text.as_bytes(), &options).unwrap();
    assert_eq!(found.outcome, IdentifyOutcome::Identified, "{found:#?}");
    let best = &found.matches[0];
    assert_eq!((best.substeps, best.largest), (16, Some(0.0)), "{best:#?}");
    assert!(best.phrase.contains("tethers true"), "{best:#?}");
}
