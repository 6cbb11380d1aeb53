//! One test a property, over the whole table of methods.

use crate::scene_of;
use catena::sim::{
    Simulation, State,
    integrator::{METHODS, read},
};
use std::sync::Arc;

fn simulation(method: &str, rope: &str) -> Simulation {
    let scene =
        scene_of(&format!("Scene(base: (integrator: {method}, drag: 0.02, rope: ({rope})))"));
    Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup))
}

fn bits(state: &State) -> Vec<u64> {
    std::iter::once(&state.t).chain(&state.x).chain(&state.v).map(|value| value.to_bits()).collect()
}

#[test]
fn the_same_setup_gives_the_same_bits() {
    for method in METHODS {
        let run = || {
            let mut simulation = simulation(method.name, "nodes: 9");
            (0..20).for_each(|_| simulation.advance_frame());
            bits(simulation.state())
        };
        assert_eq!(run(), run(), "{}", method.name);
    }
}

#[test]
fn pinned_nodes_stay() {
    for method in METHODS {
        let mut simulation = simulation(method.name, "nodes: 9, end: (-300, 100), pins: [0, 4, 8]");
        let start = simulation.state().clone();
        (0..30).for_each(|_| simulation.advance_frame());
        for node in [0, 4, 8, 9, 13, 17] {
            assert_eq!(simulation.state().x[node], start.x[node], "{}", method.name);
            assert_eq!(simulation.state().v[node], 0.0, "{}", method.name);
        }
    }
}

#[test]
fn a_run_of_one_substep_frames_is_the_run_of_many() {
    // Frames are only where a run is looked at: 8 substeps of a frame of 1 are 8 frames of 1/8.
    for method in METHODS {
        let options = method.name;
        let one = scene_of(&format!("Scene(base: (integrator: {options}, substeps: 8))"));
        let many = scene_of(&format!(
            "Scene(base: (integrator: {options}, substeps: 1, frame_time: 0.125))"
        ));
        let run = |scene: &catena::scene::Scene, frames| {
            let mut simulation = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
            (0..frames).for_each(|_| simulation.advance_frame());
            bits(simulation.state())
        };
        assert_eq!(run(&one, 3), run(&many, 24), "{options}");
    }
}

#[test]
fn every_option_of_the_table_can_be_written() {
    for method in METHODS {
        for option in method.options {
            let text = format!("({}: {})", option.name, option.default);
            let mut options = ron::Deserializer::from_str(&text).unwrap();
            let built = read(method.name, &mut options).expect("the table knows its own names");
            assert!(built.is_ok(), "{}{text}", method.name);
        }
    }
}

#[test]
fn undamped_methods_of_the_classroom_grow_as_theory_says() {
    // A mass on one spring along x: an oscillator with ω² = 100, dt = 1/64.
    let x = 10.0_f64 / 64.0;
    for (method, growth) in [("ExplicitEuler", 1.0 + x * x), ("SemiImplicitEuler", 1.0)] {
        let scene = scene_of(&format!(
            "Scene(base: (integrator: {method}, gravity: (0, 0),
                rope: (start: (0, 0), end: (1, 0), nodes: 2)))"
        ));
        let setup = &scene.panels[0].bodies[0].setup;
        let mut pulled = catena::sim::Setup {
            model: setup.model.clone(),
            initial: setup.initial.clone(),
            forces: vec![Box::new(catena::sim::force::ElasticSprings {
                law: Box::new(catena::sim::law::Hooke {}),
            })],
            flow: None,
            breaks_at: None,
            anchors: Vec::new(),
            method: read(method, &mut ron::Deserializer::from_str("()").unwrap()).unwrap().unwrap(),
            frame_time: 1.0,
            substeps: 64,
            velocity_factor: 1.0,
            position_factor: 1.0,
            strain_limit: 10.0,
        };
        pulled.initial.x[1] += 0.01;
        let mut simulation = Simulation::new(Arc::new(pulled));
        // Explicit Euler: x² + (v/ω)² grows by 1 + (ωdt)² a step. Semi-implicit: x² + (v/ω)² - dt x v stays.
        let invariant = |simulation: &Simulation| {
            let state = simulation.state();
            let (x, v) = (state.x[1] - 1.0, state.v[1]);
            let cross = if method == "SemiImplicitEuler" { x * v / 64.0 } else { 0.0 };
            x * x + v * v / 100.0 - cross
        };
        let before = invariant(&simulation);
        (0..20).for_each(|_| simulation.step());
        let expected: f64 = before * (0..20).fold(1.0, |product, _| product * growth);
        let error = (invariant(&simulation) - expected).abs() / expected;
        assert!(error < 1e-9, "{method}: off by {error}");
    }
}
