//! Scenes of `tests/defects` in which drawn contact crept, trembled or hid the cause of a problem.

use crate::repository;
use catena::scene::{SceneText, load};
use catena::sim::{Outcome, Simulation, Spring};
use std::sync::Arc;

/// The first body of each panel of a scene.
fn runs(name: &str) -> Vec<Simulation> {
    let path = repository("tests/defects").join(name).with_extension("ron");
    let scene = load(&SceneText::read(&path).unwrap(), &[]).unwrap();
    let setups = scene.panels.iter().map(|panel| Arc::clone(&panel.bodies[0].setup));
    setups.map(Simulation::new).collect()
}

/// Tensions of all springs.
fn tensions(run: &Simulation) -> Vec<f64> {
    let model = &run.setup().model;
    let tension = |s: &Spring| s.stiffness * (model.span(&run.state().x, s).1 - s.rest_length);
    model.springs.iter().map(tension).collect()
}

#[test]
fn a_rope_that_turns_with_a_drum_keeps_its_tensions() {
    let mut run = runs("contact_01_drum_creep").remove(0);
    // The rope begins slightly outside the drum. Friction keeps the tensions that remain after its
    // fall onto the drum: 10.07 to 10.66. The drum begins to rotate after frame 12.
    (0..12).for_each(|_| run.advance_frame());
    let begun = tensions(&run);
    assert!(begun.iter().all(|tension| (9.6..10.7).contains(tension)), "{begun:?}");
    for frame in 12..120 {
        run.advance_frame();
        for (now, begun) in tensions(&run).iter().zip(&begun) {
            assert!((now - begun).abs() < 1e-3, "frame {frame}: {begun} became {now}");
        }
    }
}

#[test]
fn a_rope_that_lies_on_a_plane_rests_at_any_step() {
    for mut run in runs("contact_05_rest_small_steps") {
        let substeps = run.setup().substeps;
        (0..3).for_each(|_| run.advance_frame());
        let begun = run.state().x.clone();
        for _ in 0..200 {
            run.step();
            let fastest = run.state().v.iter().fold(0.0_f64, |maximum, v| maximum.max(v.abs()));
            assert!(fastest < 1e-12, "{substeps} substeps: {fastest}");
        }
        assert_eq!(run.state().x, begun, "{substeps} substeps");
    }
}

#[test]
fn what_friction_holds_on_a_slope_does_not_creep() {
    let mut run = runs("contact_15_drawn_creep").remove(0);
    (0..4).for_each(|_| run.advance_frame());
    let begun = run.state().x.clone();
    (0..40).for_each(|_| run.advance_frame());
    assert_eq!(run.state().x, begun);
    assert!(run.state().v.iter().all(|v| v.abs() < 1e-12), "{:?}", run.state().v);
}

#[test]
fn a_step_that_is_too_long_is_said_in_the_frame_in_which_it_explodes() {
    let mut run = runs("contact_07_explosion_not_said").remove(0);
    let is_said = (0..20).any(|_| {
        run.advance_frame();
        run.outcome() != Outcome::Fine
    });
    assert!(is_said && run.refusal().is_none(), "{:?}", run.refusal());
    // A diverged run touches nothing, so later frames cost as much as without contact.
    let mut costs = (0..40).map(|_| {
        let spent = run.spent();
        run.advance_frame();
        run.spent() - spent
    });
    let first = costs.next();
    assert!(costs.all(|cost| Some(cost) == first), "{first:?}");
}
