//! Forces on pins: the weight of a body at rest, and the momentum balance of a moving one.

use crate::scene_of;
use catena::sim::{
    Simulation,
    method::METHODS,
    vector::{Vec3, add},
};
use std::sync::Arc;

/// A simulation that records forces.
fn recorded(settings: &str) -> Simulation {
    let scene = scene_of(&format!("Scene(base: ({settings}))"));
    let mut simulation = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
    simulation.keep_forces();
    simulation
}

/// Sum of the forces on all pins over the last step, and over the frame.
fn on_pins(simulation: &Simulation) -> [Vec3; 2] {
    let pins = simulation.pin_forces();
    [
        pins.iter().fold([0.0; 3], |sum, pin| add(sum, pin.step)),
        pins.iter().fold([0.0; 3], |sum, pin| add(sum, pin.frame)),
    ]
}

/// Σ m v of all nodes, or of pins only.
fn momentum(simulation: &Simulation, of_pins: bool) -> [f64; 3] {
    let model = &simulation.setup().model;
    let mut sum = [0.0; 3];
    for (node, mass) in model.mass.iter().enumerate() {
        if of_pins && !model.pinned[node] {
            continue;
        }
        let v = simulation.velocity(node).unwrap();
        (0..3).for_each(|axis| sum[axis] += mass * v[axis]);
    }
    sum
}

#[test]
fn pins_of_a_body_at_rest_carry_its_weight() {
    let rope =
        "rope: (start: (0, 0), end: (6, 0), nodes: 7, stiffness: 30, mass: 1.5, pins: [0, 6])";
    let slack = "anchors: [(node: 6, curve: Linear(keys: [(0, (6, 0)), (4, (3, 1))]))]";
    let ropes = METHODS.iter().map(|method| (method.name, format!("{rope}, {slack}"), 7.0 * 1.5));
    let cloth = "cloth: (corner: (0, 0), across: (3, 0), down: (0, -2), rows: 3, columns: 4, stiffness: 30, pins: Corners)";
    let cloths = ["SemiImplicitEuler", "Xpbd", "ImplicitMidpoint", "Pbd", "ConstraintVerlet"];
    let cloths = cloths.map(|name| (name, cloth.to_owned(), 12.0));
    for (method, body, mass) in ropes.chain(cloths) {
        let mut simulation = recorded(&format!(
            "integrator: {method}, gravity: (0, -2), drag: 1.6, frame_time: 1, substeps: 400, {body}"
        ));
        (0..80).for_each(|_| simulation.advance_frame());
        let weight = 2.0 * mass;
        for sum in on_pins(&simulation) {
            let error = (sum[1] + weight).abs() / weight;
            assert!(error < 1e-9, "{method}: {sum:?} beside {weight}: {error:.1e}");
            assert!(sum[0].abs() < 1e-9 * weight, "{method}: {sum:?}");
        }
        let last = simulation.pin_forces().last().unwrap();
        assert_eq!(simulation.pin_force(last.node), Some(last.step));
        assert!(last.step[0].abs() > 0.02 * weight, "{method}: both pins pull inwards: {last:?}");
    }
}

/// Maximum change of momentum in a step that weight and pins do not explain, relative to the
/// maximum change; and the same for all steps together.
fn unexplained(method: &str, substeps: u32) -> [f64; 2] {
    let mut simulation = recorded(&format!(
        "integrator: {method}, gravity: (0.3, -2, 0.1), frame_time: 0.02, substeps: {substeps},
         rope: (start: (0, 0, 0), end: (4, 0, 0.5), nodes: 6, stiffness: 60, mass: 0.7, pins: [0, 3]),
         anchors: [(node: 0, curve: CatmullRom(keys: [(0, (0, 0, 0)), (1, (0, 2, 1)), (2, (3, 1, 0))]))]"
    ));
    // A recorder that observes single steps needs one step per frame.
    let mut setup = (**simulation.setup()).clone();
    let steps = 50 * setup.substeps;
    (setup.frame_time, setup.substeps) = (setup.dt(), 1);
    simulation = Simulation::new(Arc::new(setup));
    simulation.keep_forces();
    let (dt, mass) = (simulation.setup().dt(), 6.0 * 0.7);
    let (mut worst, mut greatest, mut whole) = (0.0_f64, 0.0_f64, [0.0_f64; 3]);
    for step in 0..steps {
        // SHAKE's first step gives free nodes the velocity at its middle, which differs by half a
        // step of gravity.
        let share = if method == "Shake" && step == 0 { 0.5 } else { 1.0 };
        let before = [false, true].map(|of_pins| momentum(&simulation, of_pins));
        simulation.advance_frame();
        let after = [false, true].map(|of_pins| momentum(&simulation, of_pins));
        let [pins, _] = on_pins(&simulation);
        for (axis, gravity) in [0.3, -2.0, 0.1].into_iter().enumerate() {
            let [change, own] = [0, 1].map(|of| after[of][axis] - before[of][axis]);
            let given = share * dt * (mass * gravity - pins[axis]) + (1.0 - share) * own;
            let rest = change - given;
            (worst, greatest) = (worst.max(rest.abs()), greatest.max(change.abs()));
            whole[axis] += rest;
        }
    }
    let whole = whole.iter().fold(0.0_f64, |maximum, rest| maximum.max(rest.abs()));
    [worst / greatest, whole / (greatest * steps as f64)]
}

#[test]
fn momentum_changes_by_what_weight_and_pins_give() {
    for method in METHODS.iter().map(|method| method.name) {
        let [worst, whole] = unexplained(method, 8);
        match method {
            "ExplicitEuler" | "SemiImplicitEuler" | "ForceVerlet" | "PositionVerlet"
            | "VelocityVerlet" | "Leapfrog" | "Shake" | "Pbd" | "Xpbd" => {
                assert!(worst < 1e-10, "{method}: {worst:.1e}");
            }
            // The method reports the displacement including projection: the correction of one step
            // also shows in the next step, and is reversed there.
            "ConstraintVerlet" => assert!(whole < 1e-2, "{method}: {whole:.1e}"),
            _ => {
                let [fine, _] = unexplained(method, 16);
                assert!(worst < 0.02 && worst > 3.0 * fine, "{method}: {worst:.1e} {fine:.1e}");
            }
        }
    }
}

#[test]
fn recording_forces_changes_no_bit() {
    for method in METHODS.iter().map(|method| method.name) {
        let settings =
            format!("integrator: {method}, substeps: 16, rope: (nodes: 9, pins: [0, 8])");
        let mut with = recorded(&settings);
        let mut without = Simulation::new(Arc::clone(with.setup()));
        for _ in 0..5 {
            with.advance_frame();
            without.advance_frame();
        }
        assert_eq!(with.state(), without.state(), "{method}");
        assert_eq!(without.pin_force(0), None);
        assert_eq!((with.pin_force(1), with.pin_force(99)), (None, None));
    }
}
