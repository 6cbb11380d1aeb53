//! Ropes whose length changes with time, paid out and reeled in by every method, compared with
//! closed forms.

use crate::scene_of;
use catena::analysis::statics::{equilibrium, rest_at_start};
use catena::scene::Scene;
use catena::sim::method::METHODS;
use catena::sim::{Outcome, Setup, Simulation, run::batch::Batch};
use std::sync::Arc;

/// A weight of 1 kg on a cord of stiffness 400 that starts at rest and is paid out at 0.5 per
/// second.
fn weight(integrator: &str, substeps: u32, more: &str) -> Scene {
    weight_at("-1.024525", integrator, substeps, more)
}

/// The same weight with another initial height.
fn weight_at(y: &str, integrator: &str, substeps: u32, more: &str) -> Scene {
    scene_of(&format!(
        "Scene(base: (frame_time: 0.5, substeps: {substeps}, gravity: (0, -9.81), drag: 0, integrator: {integrator},
            rope: (start: (0, 0), end: (0, {y}), length: [(0, 1), (10, 6)], nodes: 2,
                mass: 1, stiffness: 400, pins: [First]{more})), panels: [(label: \"weight\")])"
    ))
}

fn setup(scene: &Scene) -> Arc<Setup> {
    Arc::clone(&scene.panels[0].bodies[0].setup)
}

fn run(setup: &Arc<Setup>, frames: u32) -> Simulation {
    let mut run = Simulation::new(Arc::clone(setup));
    run.keep_ledger();
    (0..frames).for_each(|_| run.advance_frame());
    assert_eq!(run.outcome(), Outcome::Fine, "{}", setup.method.info().name);
    run
}

/// In a frame that moves with the end of the cord, the weight oscillates about its rest with the
/// initial speed v: y = l + m g/k + v t - v/ω sin ωt.
#[test]
fn a_weight_that_is_paid_out_swings_as_the_closed_form_says() {
    let (omega, speed) = (20.0_f64, 0.5);
    let exact = |t: f64| -1.024525 - speed * t + speed / omega * libm::sin(omega * t);
    let mut wrong = Vec::new();
    let methods = METHODS.iter().filter(|info| info.order.is_some() && info.limit != Some(0.0));
    let methods = methods.map(|info| (info.name, info.order));
    let once = ("VelocityVerlet(force_velocity: StartOnce)", Some(2));
    for (name, order) in methods.chain([once]) {
        let error = |substeps| {
            let run = run(&setup(&weight(name, substeps, "")), 2);
            (run.state().x[3] - exact(run.state().t)).abs()
        };
        let (coarse, fine) = (error(400), error(800));
        let order = order.unwrap_or(0).min(2);
        let fitted = libm::log2(coarse / fine);
        let is_right = fitted > f64::from(order) - 0.35 || fine < 1e-9;
        if !is_right || fine > 2e-2 {
            wrong.push(format!("{name}: {coarse:e} {fine:e} {fitted}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Paying out at the speed -v works against the tension: m g v t and m v² (1 - cos ωt).
#[test]
fn the_ledger_books_the_work_of_the_hand() {
    let (omega, speed, mass) = (20.0_f64, 0.5, 1.0);
    for info in METHODS.iter().filter(|info| info.limit != Some(0.0)) {
        // A rigid cord has no stretch at rest.
        let is_rigid = info.order.is_none() && info.name != "Xpbd";
        let start = if is_rigid { "-1" } else { "-1.024525" };
        let run = run(&setup(&weight_at(start, info.name, 2000, "")), 3);
        let (t, ledger) = (run.state().t, run.ledger().unwrap().run);
        let slow = mass * 9.81 * speed * t;
        let swing = mass * speed * speed * (1.0 - libm::cos(omega * t));
        // A rigid cord gives the weight its speed at once: ½ m v², and the same amount of heat.
        let swing = if is_rigid { mass * speed * speed } else { swing };
        let expected = swing - slow;
        let found = ledger.gains.anchors;
        let room = if info.order.is_none() { 0.3 * mass } else { 0.02 * slow };
        assert!((found - expected).abs() < room, "{}: {found}, not {expected}", info.name);
        let closes = ledger.residual().abs();
        assert!(closes <= 1e-9 * ledger.turned_over, "{}: {closes:e}", info.name);
    }
}

/// Methods with rigid lengths keep the current length: a rope of ten nodes between pins.
#[test]
fn methods_that_hold_lengths_hold_those_of_the_time() {
    for integrator in [
        "Shake",
        "ConstraintVerlet",
        "ConstraintVerlet(tethers: true)",
        "Pbd(iterations: 400)",
        "Pbd(iterations: 40, tethers: true)",
        "Xpbd(compliance: 0, iterations: 400)",
    ] {
        let scene = scene_of(&format!(
            "Scene(base: (frame_time: 0.1, substeps: 40, gravity: (0, -9.81), drag: 0.5, integrator: {integrator},
                rope: (start: (0, 0), end: (1, 0), length: [(0, 1.5), (2, 1.1), (3, 2)], nodes: 10,
                    shape: Hanging, mass: 0.1, pins: [First, Last])), panels: [(label: \"rope\")])"
        ));
        let setup = setup(&scene);
        for (frames, length) in [(0, 1.5), (10, 1.3), (20, 1.1), (25, 1.55), (40, 2.0)] {
            let run = run(&setup, frames);
            let model = &run.setup().model;
            assert!((model.rest_length() - length).abs() < 1e-12, "{integrator} {frames}");
            let whole: f64 = model.springs.iter().map(|it| model.span(&run.state().x, it).1).sum();
            let error = (whole / length - 1.0).abs();
            assert!(error < 3e-3, "{integrator} {frames}: {whole}, not {length}");
        }
    }
}

/// Three ropes from one node: rods that do not form a chain.
#[test]
fn shake_holds_the_lengths_of_ropes_that_branch() {
    let scene = scene_of(
        "Scene(base: (frame_time: 0.1, substeps: 100, gravity: (0, -9.81), drag: 0.5, integrator: Shake, parts: [
            (name: \"a\", with: (rope: (start: (0, 0), end: (0, -1), nodes: 3, pins: [First], length: [(0, 1), (1, 2)]))),
            (name: \"b\", with: (rope: (start: (0, -1), end: (1, -1), nodes: 3, pins: [], length: [(0, 1), (1, 0.5)]))),
            (name: \"c\", with: (rope: (start: (0, -1), end: (-1, -1), nodes: 3, pins: []))),
        ], joins: [Touching]), panels: [(label: \"rope\")])",
    );
    for frames in [0, 5, 12] {
        let run = run(&setup(&scene), frames);
        let model = &run.setup().model;
        for spring in model.held() {
            let error = model.span(&run.state().x, spring).1 / spring.rest_length - 1.0;
            assert!(error.abs() < 1e-9, "{frames}: {spring:?} {error:e}");
        }
    }
}

/// A rope that an event pays out moves as one whose length follows the same curve.
#[test]
fn events_pay_out_as_curves_do() {
    let body = |info: &str, length: &str, events: &str| {
        setup(&scene_of(&format!(
            "Scene(base: (frame_time: 0.1, substeps: 100, gravity: (0, -9.81), drag: 0.1, integrator: {info},
                rope: (start: (0, 0), end: (0, -1), length: {length}, nodes: 4, mass: 0.1, stiffness: 400,
                pins: [First]), events: {events}))"
        )))
    };
    for info in METHODS.iter().filter(|info| info.limit != Some(0.0)) {
        let name = info.name;
        let curve = run(&body(name, "[(0, 1), (1, 1.5)]", "[]"), 15);
        let event = body(name, "1", "[(at: 0, do: Reel(length: 1.5, over: 1))]");
        let found = run(&event, 15);
        let ledger = found.ledger().unwrap().run;
        let apart = found.state().x.iter().zip(&curve.state().x).map(|(a, b)| (a - b).abs());
        assert!(apart.fold(0.0, f64::max) < 1e-9, "{name}");
        assert!(ledger.residual().abs() <= 1e-9 * ledger.turned_over, "{name}");
        // A second event goes on from the length of its time: 1.25 at 0.5.
        let twice =
            "[(at: 0, do: Reel(length: 1.5, over: 1)), (at: 0.5, do: Reel(length: 0.75, over: 1))]";
        for (frames, length) in [(5, 1.25), (10, 1.0), (15, 0.75), (20, 0.75)] {
            let found = run(&body(name, "1", twice), frames).setup().model.rest_length();
            assert!((found - length).abs() < 1e-12, "{name} {frames}: {found}, not {length}");
        }
    }
}

/// An event with a condition starts from the length of a curve, and resumed runs have its bits.
#[test]
fn runs_with_reels_go_on_from_a_checkpoint() {
    for info in METHODS.iter().filter(|info| info.limit != Some(0.0)) {
        let setup = setup(&scene_of(&format!(
            "Scene(base: (frame_time: 0.1, substeps: 80, gravity: (0, -9.81), drag: 0.1, integrator: {}, parts: [
                (name: \"a\", with: (rope: (start: (0, 0), end: (0, -1), nodes: 4, mass: 0.1, stiffness: 400, pins: [First], length: [(0, 1), (2, 3)]))),
                (name: \"b\", with: (rope: (start: (1, 0), end: (1, -1), nodes: 4, mass: 0.1, stiffness: 400, pins: [First])))],
                events: [(when: Distance(a: (\"a\", 0), b: (\"a\", 3), above: 1.2), do: Reel(node: (\"a\", 1), length: 1, over: 0.5)),
                    (at: 0.3, do: Reel(node: (\"b\", Last), length: 2, over: 1))]))",
            info.name
        )));
        let mut whole = run(&setup, 10);
        let mut first = run(&setup, 6);
        first.step();
        let mut resumed = Simulation::new(Arc::clone(&setup));
        resumed.keep_ledger();
        resumed.restore(&first.checkpoint());
        resumed.advance_steps(4 * setup.substeps - 1);
        assert_eq!(whole.state(), resumed.state(), "{}", info.name);
        assert_eq!(whole.setup().model, resumed.setup().model, "{}", info.name);
        assert_eq!(whole.events().reels.len(), 2, "{}", info.name);
        (0..10).for_each(|_| whole.advance_frame());
        let model = &whole.setup().model;
        let length = |part: usize| -> f64 {
            model.parts[part].springs.iter().map(|j| model.springs[*j].rest_length).sum()
        };
        assert!((length(0) - 1.0).abs() < 1e-12 && (length(1) - 2.0).abs() < 1e-12);
    }
}

fn every_method() -> impl Iterator<Item = (String, Arc<Setup>)> {
    METHODS.iter().flat_map(|info| {
        ["", ", damping: 0.3, law: Viscoelastic(creep: 0.2, time: 1)"].into_iter().filter_map(
            move |more| {
                if !more.is_empty() && info.order.is_none() {
                    return None;
                }
                let scene = weight(info.name, 64, more);
                Some((format!("{}{more}", info.name), setup(&scene)))
            },
        )
    })
}

#[test]
fn a_run_goes_on_from_a_checkpoint_and_beside_others_with_the_same_bits() {
    for (name, setup) in every_method() {
        let mut whole = Simulation::new(Arc::clone(&setup));
        (0..3).for_each(|_| whole.advance_frame());
        let mut first = Simulation::new(Arc::clone(&setup));
        first.advance_frame();
        first.step();
        let mut resumed = Simulation::new(Arc::clone(&setup));
        resumed.restore(&first.checkpoint());
        resumed.advance_steps(2 * setup.substeps - 1);
        assert_eq!(whole.checkpoint(), resumed.checkpoint(), "{name}");
        assert_eq!(whole.setup().model, resumed.setup().model, "{name}");
        let mut both = [0, 1].map(|_| Simulation::new(Arc::clone(&setup)));
        let mut batch = Batch::default();
        for _ in 0..3 {
            batch.advance_frames(&mut both);
        }
        for simulation in &both {
            assert_eq!(simulation.checkpoint(), whole.checkpoint(), "{name}");
        }
    }
}

#[test]
fn statics_knows_the_lengths_of_the_start_and_of_the_end() {
    let scene = scene_of(
        "Scene(base: (frame_time: 0.1, substeps: 40, gravity: (0, -9.81), drag: 0.05,
            rope: (start: (0, 0), end: (1, 0), length: [(0, 1.5), (1, 1.2)], nodes: 10,
                mass: 0.01, stiffness: 400, pins: [First, Last])), panels: [(label: \"rope\")])",
    );
    let setup = setup(&scene);
    let lowest = |x: &[f64]| x[10..].iter().copied().fold(0.0, f64::min);
    let start = lowest(&rest_at_start(&setup).unwrap().x);
    let end = equilibrium(&setup).unwrap();
    let waited = run(&setup, 1500);
    let difference = end.x.iter().zip(&waited.state().x).map(|(a, b)| (a - b).abs());
    assert!(difference.fold(0.0, f64::max) < 1e-9);
    assert!(start < 1.3 * lowest(&end.x), "{start} {}", lowest(&end.x));
    assert_eq!(end.time, 1.0);
}

#[test]
fn material_that_is_paid_out_gets_softer_and_a_spring_does_not() {
    for (matter, factor) in [
        ("material: Elastic(young: 1e6, density: 1000), area: 1e-4", 0.5),
        ("mass: 0.1, stiffness: 100", 1.0),
    ] {
        let scene = scene_of(&format!(
            "Scene(base: (frame_time: 1, substeps: 100, rope: (start: (0, 0), end: (0, -1), nodes: 3, pins: [First],
                length: [(0, 1), (1, 2)], {matter})), panels: [(label: \"rope\")])"
        ));
        let setup = setup(&scene);
        let end = run(&setup, 1);
        let [before, after] = [&setup.model, &end.setup().model].map(|it| it.springs[0].stiffness);
        assert!((after / before - factor).abs() < 1e-12, "{matter}: {before} {after}");
    }
}

/// Parts have their own lengths; joins and other parts keep theirs.
#[test]
fn each_part_has_its_own_length() {
    let scene = scene_of(
        "Scene(base: (frame_time: 1, substeps: 100, gravity: (0, -1), parts: [
            (name: \"a\", with: (rope: (start: (0, 0), end: (0, -1), nodes: 3, pins: [First], length: [(0, 1), (1, 3)]))),
            (name: \"b\", repeat: 2, shift: (1, 0), with: (rope: (start: (0, -1), end: (1, -1), nodes: 3, pins: [], length: [(0, 1), (1, 0.5)]))),
            (name: \"c\", with: (rope: (start: (0, -1), end: (0, -2), nodes: 3, pins: []))),
        ], joins: [Touching]), panels: [(label: \"rope\")])",
    );
    let end = run(&setup(&scene), 1);
    let model = &end.setup().model;
    let length = |part: usize| -> f64 {
        model.parts[part].springs.iter().map(|j| model.springs[*j].rest_length).sum()
    };
    let found = [0, 1, 2, 3].map(length);
    for (found, expected) in found.into_iter().zip([3.0, 0.5, 0.5, 1.0]) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}

#[test]
fn reels_without_a_rope_are_refused_with_their_place() {
    let rope = "rope: (start: (0, 0), end: (0, -1))";
    let two = "parts: [(name: \"a\", with: (rope: (start: (0, 0), end: (0, -1)))), \
        (name: \"b\", with: (rope: (start: (0, -1), end: (1, -1))))], joins: [Touching]";
    for (body, node, words) in [
        (
            "cloth: (corner: (0, 0), across: (1, 0), down: (0, -1), rows: 3, columns: 3)",
            "",
            "no rope whose length can change",
        ),
        ("solid: (shape: Ball(radius: 1))", "", "no rope whose length can change"),
        (two, "", "the body has 2 ropes: write a `node` of one of them"),
        (two, ", node: (\"a\", Last)", "joins 2 ropes: write a `node` inside one of them"),
        (
            "rope: (start: (0, 0), end: (0, -1), rod: (bending: 1))",
            "",
            "rods, ropes with the law Dahl",
        ),
        ("rope: (start: (0, 0), end: (0, -1), law: Dahl)", "", "rods, ropes with the law Dahl"),
    ] {
        let reel = format!("Reel(length: 2, over: 1{node})");
        let text = format!("Scene(base: ({body}, events: [(at: 1, do: {reel})]))");
        let message = text.parse::<Scene>().unwrap_err().to_string();
        let place = format!("scene:1:{}: ", text.find("Reel(").unwrap() + 1);
        assert!(
            message.contains(words) && message.contains(&place),
            "{body}{node}: {place} {message}"
        );
    }
    scene_of(&format!("Scene(base: ({rope}, events: [(at: 1, do: Reel(length: 2, over: 1))]))"));
}

#[test]
fn lengths_that_cannot_be_are_refused_with_their_place() {
    // The message points to the value, or to the pair in it.
    for (rope, at, words) in [
        ("length: [(0, 1), (1, -1)]", "(1, -1)", "reaches -1 at its time 1"),
        ("length: [(0, 1), (1, 2)], rod: (bending: 1)", "[(0", "the length of a rod cannot change"),
        ("length: [(0, 1), (1, 2)], law: Dahl", "[(0", "depends on past strain"),
    ] {
        let text = format!("Scene(base: (rope: (start: (0, 0), end: (0, -1), {rope})))");
        let message = text.parse::<Scene>().unwrap_err().to_string();
        let place = format!("scene:1:{}: ", text.find(at).unwrap() + 1);
        assert!(message.contains(words) && message.contains(&place), "{rope}: {place}: {message}");
    }
}
