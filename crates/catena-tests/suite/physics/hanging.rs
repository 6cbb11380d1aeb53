//! Ropes at rest.

use crate::scene_of;
use catena::sim::body::hanging::{LinkLaw, hanging_chain};
use catena::sim::{
    Model, Simulation,
    body::{
        measure,
        shape::{
            Topology,
            rope::{LastNode, Matter, Rope},
        },
    },
};
use std::sync::Arc;

fn rope(nodes: usize, length: f64, pins: &[usize], mass: f64, stiffness: f64) -> (Model, Vec<f64>) {
    let rope = Rope {
        start: vec![0.0, 0.0],
        end: vec![length, 0.0],
        nodes,
        matter: Matter::Nodes { mass, stiffness },
        bending: 0.0,
        pins: pins.to_vec(),
        last_node: LastNode::AtEnd,
    };
    let (model, state) = rope.build().unwrap();
    (model, state.x)
}

#[test]
fn a_hanging_rope_stretches_by_the_weight_below() {
    let (model, x) = rope(16, 400.0, &[0], 1.0, 100.0);
    let rest = hanging_chain(&model, &x, &[0.0, -1.0], LinkLaw::Elastic).unwrap();
    assert!((rest[31] + 401.2).abs() < 1e-10, "{}", rest[31]);
    let lengths = measure::segment_lengths(&model, &rest);
    for (j, length) in lengths.iter().enumerate() {
        let expected = 400.0 / 15.0 + (15 - j) as f64 / 100.0;
        assert!((length - expected).abs() < 1e-10, "segment {j}: {length}, expected {expected}");
    }
}

#[test]
fn a_run_settles_in_the_catenary_of_its_links() {
    let scene = scene_of(
        "Scene(base: (gravity: (0, -9.81), drag: 0.4, frame_time: 0.05, substeps: 64, integrator: VelocityVerlet,
         rope: (start: (0, 0), end: (1.5, 0), nodes: 16, pins: [0, 15], material: Elastic(young: 1000, density: 1),
            area: 1),
         anchors: [(node: 15, curve: Linear(keys: [(0, (1.5, 0)), (2, (1, 0))]))]))",
    );
    let setup = &scene.panels[0].bodies[0].setup;
    let mut simulation = Simulation::new(Arc::clone(setup));
    let mut x = setup.initial.x.clone();
    x[15] = 1.0;
    let rest = hanging_chain(&setup.model, &x, &[0.0, -9.81], LinkLaw::Elastic).unwrap();
    (0..1500).for_each(|_| simulation.advance_frame());
    for (i, expected) in rest[16..].iter().enumerate() {
        let y = simulation.state().x[16 + i];
        assert!((y - expected).abs() < 1e-6, "node {i}: {y}, not {expected}");
    }
}

#[test]
fn every_offset_between_two_pins_has_a_shape() {
    for (dx, dy) in [(300.0, -200.0), (200.0, 0.0), (50.0, 90.0), (399.0, 1.0), (150.0, -300.0)] {
        for stiffness in [1.0, 10.0, 100.0, 1000.0, 1e5] {
            let (model, mut x) = rope(16, 400.0, &[0, 15], 1.0, stiffness);
            (x[15], x[31]) = (dx, dy);
            let rest = hanging_chain(&model, &x, &[0.0, -1.0], LinkLaw::Elastic);
            let rest = rest.unwrap_or_else(|| panic!("no shape for {dx}, {dy}, {stiffness}"));
            // Every free node is in equilibrium.
            for i in 1..15 {
                let mut force = [0.0, -1.0];
                for (j, sign) in [(i - 1, -1.0), (i, 1.0)] {
                    let (d, length) = model.span(&rest, &model.springs[j]);
                    let pull = stiffness * (length - model.springs[j].rest_length);
                    force[0] += sign * pull * d[0] / length;
                    force[1] += sign * pull * d[1] / length;
                }
                let error = force[0].abs().max(force[1].abs());
                assert!(
                    error < 1e-9 * stiffness.max(100.0),
                    "node {i} of {dx}, {dy}, {stiffness}: {force:?}"
                );
            }
        }
    }
}

#[test]
fn there_is_no_shape_without_pins_gravity_or_slack() {
    let (free, x) = rope(4, 3.0, &[], 1.0, 1.0);
    assert_eq!(hanging_chain(&free, &x, &[0.0, -1.0], LinkLaw::Elastic), None);
    let (taut, x) = rope(4, 3.0, &[0, 3], 1.0, 1.0);
    assert_eq!(hanging_chain(&taut, &x, &[0.0, -1.0], LinkLaw::Rigid), None);
    assert_eq!(hanging_chain(&taut, &x, &[0.0, 0.0], LinkLaw::Elastic), None);
    assert!(hanging_chain(&taut, &x, &[0.0, -1.0], LinkLaw::Elastic).is_some());
}
