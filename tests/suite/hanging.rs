//! Ropes at rest.

use catena::analysis::hanging::{Law, hanging_chain};
use catena::sim::{
    Model, measure,
    topology::{
        Topology,
        rope::{LastNode, Matter, Rope},
    },
};

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
    let (model, state) = rope.build();
    (model, state.x)
}

#[test]
fn a_hanging_rope_stretches_by_the_weight_below() {
    let (model, x) = rope(16, 400.0, &[0], 1.0, 100.0);
    let rest = hanging_chain(&model, &x, &[0.0, -1.0], Law::Elastic).unwrap();
    assert!((rest[31] + 401.2).abs() < 1e-10, "{}", rest[31]);
    let lengths = measure::segment_lengths(&model, &rest);
    for (j, length) in lengths.iter().enumerate() {
        let expected = 400.0 / 15.0 + (15 - j) as f64 / 100.0;
        assert!((length - expected).abs() < 1e-10, "segment {j}: {length}, expected {expected}");
    }
}

#[test]
fn a_fine_rigid_chain_is_the_catenary() {
    // S = 1.5 between supports 1 apart: a = 0.3082365, sag 0.5026333.
    let nodes = 2001;
    let (model, mut x) = rope(nodes, 1.5, &[0, nodes - 1], 1.0, 1.0);
    x[nodes - 1] = 1.0;
    let rest = hanging_chain(&model, &x, &[0.0, -9.81], Law::Rigid).unwrap();
    let sag = -rest[nodes..].iter().copied().fold(f64::INFINITY, f64::min);
    assert!((sag - 0.502_633_3).abs() < 1e-6, "{sag}");
    assert!((measure::segment_lengths(&model, &rest).iter().sum::<f64>() - 1.5).abs() < 1e-9);
}

#[test]
fn a_fine_elastic_chain_is_the_elastic_catenary() {
    // L = 1.5, X = 1, w = 9.81, EA = 1000: sag 0.5073814.
    let nodes = 2001;
    let segments = (nodes - 1) as f64;
    let (model, mut x) = rope(nodes, 1.5, &[0, nodes - 1], 1.5 / segments, 1000.0 * segments / 1.5);
    x[nodes - 1] = 1.0;
    let rest = hanging_chain(&model, &x, &[0.0, -9.81], Law::Elastic).unwrap();
    let sag = -rest[nodes..].iter().copied().fold(f64::INFINITY, f64::min);
    assert!((sag - 0.507_381_4).abs() < 1e-6, "{sag}");
}

#[test]
fn every_way_between_two_pins_has_a_shape() {
    for (dx, dy) in [(300.0, -200.0), (200.0, 0.0), (50.0, 90.0), (399.0, 1.0), (150.0, -300.0)] {
        for stiffness in [1.0, 10.0, 100.0, 1000.0, 1e5] {
            let (model, mut x) = rope(16, 400.0, &[0, 15], 1.0, stiffness);
            (x[15], x[31]) = (dx, dy);
            let rest = hanging_chain(&model, &x, &[0.0, -1.0], Law::Elastic);
            let rest = rest.unwrap_or_else(|| panic!("no shape for {dx}, {dy}, {stiffness}"));
            // Every free node is in balance.
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
    assert_eq!(hanging_chain(&free, &x, &[0.0, -1.0], Law::Elastic), None);
    let (taut, x) = rope(4, 3.0, &[0, 3], 1.0, 1.0);
    assert_eq!(hanging_chain(&taut, &x, &[0.0, -1.0], Law::Rigid), None);
    assert_eq!(hanging_chain(&taut, &x, &[0.0, 0.0], Law::Elastic), None);
    assert!(hanging_chain(&taut, &x, &[0.0, -1.0], Law::Elastic).is_some());
}
