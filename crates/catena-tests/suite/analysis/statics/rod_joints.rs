//! Joints of rods: rigid joints transmit bending and twist, hinges do not.

use super::{farthest, solved};
use crate::scene_of;
use catena::sim::{Body, Setup, Simulation};
use std::sync::Arc;

const FORCE: &str = "gravity: (0, 0), forces: [PointForce(node: (\"b\", Last), force: (0, -3))]";

fn setup(base: &str) -> Arc<Setup> {
    let scene = scene_of(&format!("Scene(base: ({base}))"));
    Arc::clone(&scene.panels[0].bodies[0].setup)
}

/// A clamped rod of length 1 in two parts of 10 segments, with the stiffness of each part and the
/// end of the second one.
fn halves(around: &str, stiffness: [f64; 2], end: &str, join: &str) -> Arc<Setup> {
    let [first, second] = stiffness;
    setup(&format!(
        "{around}, parts: [\
         (name: \"a\", with: (rope: (start: (0, 0), end: (0.5, 0), nodes: 11, mass: 0.05, \
         rod: (bending: {first}, axial: 100000, clamps: [(node: First)])))), \
         (name: \"b\", with: (rope: (start: (0.5, 0), end: {end}, nodes: 11, mass: 0.05, pins: [], \
         rod: (bending: {second}, axial: 100000))))], \
         joins: [({join})]"
    ))
}

const HINGE: &str = "from: (\"a\", Last), to: (\"b\", First)";
const RIGID: &str = "from: (\"a\", Last), to: (\"b\", First), joint: Rigid";

fn whole() -> Arc<Setup> {
    setup(
        "gravity: (0, 0), forces: [PointForce(node: Last, force: (0, -3))], \
         rope: (start: (0, 0), end: (1, 0), nodes: 21, mass: 0.05, \
         rod: (bending: 1, axial: 100000, clamps: [(node: First)]))",
    )
}

#[test]
fn two_halves_of_a_cantilever_are_a_cantilever() {
    let whole = solved(&whole());
    for join in [RIGID, "from: (\"b\", 0), to: (\"a\", 10), joint: Rigid"] {
        let joined = halves(FORCE, [1.0, 1.0], "(1, 0)", join);
        assert_eq!(joined.rods().unwrap().rods().count(), 1);
        let apart = farthest(&solved(&joined).x, &whole.x);
        assert!(apart < 1e-9, "{join}: {apart}");
    }
    // The elastica at PL²/EI = 3, with the error of 20 segments.
    assert!((whole.x[41] + 0.6033).abs() < 2e-3, "{}", whole.x[41]);
}

#[test]
fn a_hinge_lets_the_second_half_hang() {
    for joint in ["", ", joint: Hinge"] {
        let join = format!("{HINGE}{joint}");
        let hinged = halves("gravity: (0, -1)", [1000.0, 1000.0], "(1, 0)", &join);
        assert_eq!(hinged.rods().unwrap().rods().count(), 2);
        let rest = solved(&hinged);
        let (joint, tip) = ([rest.x[10], rest.x[31]], [rest.x[20], rest.x[41]]);
        assert!((tip[0] - joint[0]).abs() < 1e-3 && (tip[1] - joint[1] + 0.5).abs() < 1e-3);
    }
    let rigid = solved(&halves("gravity: (0, -1)", [1000.0, 1000.0], "(1, 0)", RIGID));
    assert!(rigid.x[41].abs() < 1e-3, "{}", rigid.x[41]);
}

/// A force P at the tip of a rod whose halves have EI and EI': w = P/24 (7/EI + 1/EI') for L = 1.
#[test]
fn halves_of_different_stiffness_act_in_series() {
    let force = "gravity: (0, 0), forces: [PointForce(node: (\"b\", Last), force: (0, -0.001))]";
    for stiffness in [[1.0, 0.25], [0.3, 2.0]] {
        let exact = -0.001 / 24.0 * (7.0 / stiffness[0] + 1.0 / stiffness[1]);
        let rest = solved(&halves(force, stiffness, "(1, 0)", RIGID));
        assert!((rest.x[41] / exact - 1.0).abs() < 4e-3, "{stiffness:?}: {} {exact}", rest.x[41]);
    }
}

#[test]
fn a_rigid_joint_keeps_the_angle_of_the_start() {
    let bent = halves("gravity: (0, 0)", [1.0, 1.0], "(0.5, 0.5)", RIGID);
    let rest = solved(&bent);
    assert!(farthest(&rest.x, &bent.initial.x) < 1e-9, "at rest as it starts");
    // Under a force at its tip, the corner rotates rigidly: its angle stays about 90°.
    let force = "gravity: (0, 0), forces: [PointForce(node: (\"b\", Last), force: (-0.01, 0))]";
    let rest = solved(&halves(force, [1.0, 1.0], "(0.5, 0.5)", RIGID));
    let edge = |k: usize| [rest.x[k + 1] - rest.x[k], rest.x[k + 22] - rest.x[k + 21]];
    let (before, after) = (edge(9), edge(10));
    let dot = before[0] * after[0] + before[1] * after[1];
    assert!(dot.abs() < 1e-3 * 0.0025, "{dot}");
    assert!((rest.x[41] - 0.5).abs() > 1e-4, "it moves");
}

/// A rigid joint transmits the twist of one end to the other, including between round and flat
/// rods.
#[test]
fn a_rigid_joint_transmits_twist() {
    let section = |across: &str| {
        let setup = setup(&format!(
            "gravity: (0, 0, 0), parts: [\
             (name: \"a\", with: (rope: (start: (0, 0, 0), end: (0.5, 0, 0), nodes: 6, \
             rod: (bending: 1, torsion: 0.4, axial: 1000, clamps: [(node: First)])))), \
             (name: \"b\", with: (rope: (start: (0.5, 0, 0), end: (1, 0, 0), nodes: 6, pins: [], \
             rod: (bending: 1{across}, torsion: 0.1, axial: 1000, clamps: [(node: Last, turn: 0.2)]))))], \
             joins: [(from: (\"a\", Last), to: (\"b\", First), joint: Rigid)]"
        ));
        let simulation = Simulation::new(Arc::clone(&setup));
        let body = Body { model: &setup.model, springs: simulation.springs() };
        setup.rods().unwrap().readings(&body, simulation.state()).pop().unwrap()
    };
    for across in ["", ", bending_across: 2"] {
        let reading = section(across);
        assert!((reading.turns - 0.2).abs() < 1e-9, "{across}: {}", reading.turns);
        // The torque is equal in both halves, so the softer half twists four times as much.
        let (stiff, soft) = (reading.twist[1], reading.twist[8]);
        assert!((soft / stiff - 4.0).abs() < 1e-9, "{across}: {soft} {stiff}");
        let torque = 0.4 * stiff / std::f64::consts::TAU;
        assert!((torque - 0.2 / (0.5 / 0.4 + 0.5 / 0.1)).abs() < 1e-9, "{across}: {torque}");
    }
}
