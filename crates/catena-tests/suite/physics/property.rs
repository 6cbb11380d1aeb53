//! Random scenes: for any bytes nothing panics, pins hold, and numbers are finite or the run
//! reports that it diverged.

use crate::scene_of;
use catena::sim::{Outcome, Simulation, method::METHODS};
use proptest::prelude::*;
use std::sync::Arc;

/// A rope or a cloth, in the plane or in space, as scene text.
fn body() -> impl Strategy<Value = String> {
    let rope = (2..12_u32, 1.0..500.0_f64, 0.1..5.0_f64, any::<bool>(), 0..3_u32).prop_map(
        |(nodes, stiffness, mass, both_ends, law)| {
            let pins = if both_ends { format!("0, {}", nodes - 1) } else { "0".into() };
            let law = ["Hooke", "Exponential(alpha: 2)", "Plastic(yield_strain: 0.1)"][law as usize];
            format!(
                "rope: (nodes: {nodes}, stiffness: {stiffness:?}, mass: {mass:?}, pins: [{pins}], law: {law},
                    bending: {:?}, damping: 0.01, breaks_at: 2.5)",
                stiffness / 10.0
            )
        },
    );
    let cloth = (2..5_u32, 2..5_u32, 1.0..200.0_f64).prop_map(|(rows, columns, stiffness)| {
        format!(
            "cloth: (corner: (0, 0, 0), across: (90, 0, 0), down: (0, 10, 80), rows: {rows}, columns: {columns},
                stiffness: {stiffness:?}, pins: TopCorners), gravity: (0, -1, 0)"
        )
    });
    prop_oneof![3 => rope, 1 => cloth]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_scenes_are_finite_or_diverged(
        body in body(),
        method in 0..METHODS.len(),
        substeps in 1..40_u32,
        drag in 0.0..0.5_f64,
        floor in proptest::bool::ANY,
        thickness in proptest::option::of(0.1..5.0_f64),
    ) {
        let space = body.contains("cloth");
        let point = |x: f64, y: f64| match space {
            true => format!("({x:?}, {y:?}, 0)"),
            false => format!("({x:?}, {y:?})"),
        };
        let colliders = match floor {
            true => format!(
                "colliders: [Plane(point: {}, normal: {}, friction: 0.3, restitution: 0.5)],",
                point(0.0, -60.0), point(0.1, 1.0)
            ),
            false => String::new(),
        };
        let contact = thickness.map_or(String::new(), |value| format!("contact: (thickness: {value:?}),"));
        let name = METHODS[method].name;
        let body = match METHODS[method].order {
            // Some methods ignore spring laws.
            None => body.replace("Exponential(alpha: 2)", "Hooke").replace("Plastic(yield_strain: 0.1)", "Hooke"),
            Some(_) => body,
        };
        let text = format!(
            "Scene(base: ({body}, integrator: {name}, substeps: {substeps}, drag: {drag:?}, {colliders} {contact}
                impulses: [(node: 1, at: 1, impulse: {})]))",
            point(5.0, 20.0)
        );
        let scene = scene_of(&text);
        let setup = &scene.panels[0].bodies[0].setup;
        let mut simulation = Simulation::new(Arc::clone(setup));
        for _ in 0..12 {
            simulation.advance_frame();
            let state = simulation.state();
            let n = setup.model.nodes();
            for i in (0..n).filter(|&i| setup.model.pinned[i]) {
                prop_assert_eq!(state.position(n, i), setup.initial.position(n, i), "{}", text);
                prop_assert_eq!(state.velocity(n, i), [0.0; 3], "{}", text);
            }
            let sound = state.is_finite() || simulation.outcome() != Outcome::Fine;
            prop_assert!(sound, "{}", text);
        }
    }
}
