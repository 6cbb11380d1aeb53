//! Ropes of routes at rest: uniform tension, no friction, and motors as torques.

use super::{equilibrium, farthest};
use crate::{repository, scene_of};
use catena::analysis::settle::{Ending, RestRule, settle};
use catena::analysis::statics::{NoRest, Stability};
use catena::sim::{Setup, force::Drag};
use std::sync::Arc;

/// A weight of 2 on a route from a pin over a pulley or onto a drum.
const HELD: &str = "gravity: (0, -9.81), integrator: ImplicitEuler, drag: 1,
    graph: (nodes: [(-1, -1), (1, -1)], springs: [], mass: 2, pins: [First]),";
/// Two weights on one rope over a pulley.
const ATWOOD: &str = "gravity: (0, -9.81), integrator: VelocityVerlet,
    forces: [Route(from: First, to: Last, axial: 1e6, via: [Pulley(at: (0, 3), radius: 0.25, inertia: 0.1)])],";

fn setup(base: &str) -> Arc<Setup> {
    Arc::clone(&scene_of(&format!("Scene(base: ({base}))")).panels[0].bodies[0].setup)
}

fn over(pulley: &str) -> Arc<Setup> {
    setup(&format!("{HELD} forces: [Route(from: First, to: Last, axial: 1e4, via: [{pulley}])]"))
}

#[test]
fn a_weight_on_a_route_rests_as_in_a_run_that_waits_and_without_the_friction_of_its_pulley() {
    let free = over("Pulley(at: (0, 1), radius: 0.25)");
    let rest = equilibrium(&free).unwrap_or_else(|reason| panic!("{reason}"));
    // The weight is the weight of the free node only, without the rope's force.
    assert!((rest.weight - 19.62).abs() < 1e-12, "{}", rest.weight);
    let [route] = rest.routes.as_slice() else { panic!("{:?}", rest.routes) };
    let [fx, fy, _] = rest.pins[0].force;
    // The pin carries its own weight and the force of the rope.
    let pull = (fx * fx + (fy + 19.62) * (fy + 19.62)).sqrt();
    assert!((route.tension - pull).abs() < 1e-9 * pull, "{route:?} {pull}");
    let strain = route.length / route.rest_length - 1.0;
    assert!((route.tension - 1e4 * strain).abs() < 1e-6, "{route:?}");
    let rule = RestRule { speed: 1e-12, frames: 30, limit: 20_000 };
    let waited = settle(&free, rule, &|_| true);
    assert!(matches!(waited.ending, Ending::AtRest { .. }), "{:?}", waited.ending);
    let apart = farthest(&rest.x, &waited.state.x);
    assert!(apart < 1e-9, "{apart}");
    for pulley in ["friction: 0.3", "inertia: 0.2", "friction: 0.3, inertia: 0.2"] {
        let rough = over(&format!("Pulley(at: (0, 1), radius: 0.25, {pulley})"));
        let same = equilibrium(&rough).unwrap_or_else(|reason| panic!("{pulley}: {reason}"));
        assert!(farthest(&same.x, &rest.x) < 1e-11, "{pulley}");
        assert_eq!(same.leaves_out_route_friction(), pulley.contains("friction"), "{pulley}");
    }
}

#[test]
fn a_motor_that_balances_its_weight_holds_it_and_any_other_does_not() {
    let winch = |torque: f64| {
        let drum = format!("Drum(at: (0.75, 1), radius: 0.25, torque: {torque}, inertia: 0.1)");
        setup(&format!("{HELD} forces: [Route(from: Last, axial: 1e4, via: [{drum}])]"))
    };
    let rest = equilibrium(&winch(0.25 * 19.62)).unwrap_or_else(|reason| panic!("{reason}"));
    assert!((rest.routes[0].tension - 19.62).abs() < 1e-12, "{:?}", rest.routes);
    assert!((rest.weight - 19.62).abs() < 1e-12, "{}", rest.weight);
    assert_eq!(rest.stability, Stability::Neutral, "{:?}", rest.modes);
    let reason = equilibrium(&winch(4.0)).unwrap_err();
    assert_eq!(reason, NoRest::Runs { node: 1, has_friction: false });
}

#[test]
fn equal_weights_on_a_rope_rest_and_others_run_to_a_stop() {
    let graph = |weights: &str| {
        format!("{ATWOOD} graph: (nodes: [(-0.25, 0), (0.25, 0)], springs: [], mass: 1, {weights})")
    };
    let rest = equilibrium(&setup(&graph(""))).unwrap_or_else(|reason| panic!("{reason}"));
    assert!((rest.routes[0].tension - 9.81).abs() < 1e-10, "{:?}", rest.routes);
    // A weight held by the rope of a motor falls forever.
    let winch = "Drum(at: (0.75, 1), radius: 0.25, torque: 4, inertia: 0.1)";
    let falls = setup(&format!("{HELD} forces: [Route(from: Last, axial: 1e4, via: [{winch}])]"));
    let reason = equilibrium(&falls).unwrap_err();
    assert_eq!(reason, NoRest::Runs { node: 1, has_friction: false });
    // With friction in its pulleys, the load would also be held in its current position.
    let path = repository("scenes").join("block_and_tackle.ron");
    let tackle = scene_of(&std::fs::read_to_string(path).unwrap());
    for (panel, has_friction) in [(0, false), (1, true)] {
        let rest = equilibrium(&tackle.panels[panel].bodies[0].setup)
            .unwrap_or_else(|reason| panic!("{panel}: {reason}"));
        assert_eq!(rest.routes[0].stop.map(|(node, _)| node), Some(0), "{panel}");
        assert_eq!(rest.leaves_out_route_friction(), has_friction, "{panel}");
    }
}

#[test]
fn winches_end_where_their_lengths_and_speeds_end() {
    let path = repository("scenes").join("well_bucket.ron");
    let well = scene_of(&std::fs::read_to_string(path).unwrap());
    // 3 minus the length wound in: -0.8 for 2.5 units of time, with a start and a stop.
    for (panel, length) in [(0, 0.6), (1, 1.0)] {
        let rest = equilibrium(&well.panels[panel].bodies[0].setup)
            .unwrap_or_else(|reason| panic!("{panel}: {reason}"));
        let route = &rest.routes[0];
        assert!((route.rest_length - length).abs() < 1e-12, "{route:?}");
        assert!((route.tension - 78.48).abs() < 1e-9, "{route:?}");
    }
    let torque = equilibrium(&well.panels[2].bodies[0].setup).unwrap_err();
    assert_eq!(torque, NoRest::Runs { node: 0, has_friction: false });
}

#[test]
fn methods_that_hold_lengths_hold_those_of_routes() {
    let tied = |method: &str, pulley: &str| {
        setup(&format!(
            "gravity: (0, -9.81), integrator: {method},
             rope: (start: (-1, 0), end: (1, 0), length: 2.5, nodes: 11, mass: 0.1, stiffness: 2e4),
             forces: [Route(from: Last, axial: 1e4, length: 2.2,
                 via: [Pulley(at: (1.5, 1), radius: 0.1{pulley}), Ring(at: (2, 0))])]"
        ))
    };
    for (method, pulley, is_held) in [
        ("ImplicitEuler", "", false),
        ("Shake(iterations: 20)", "", true),
        // A rope with friction is a spring, even under this method.
        ("Shake(iterations: 20)", ", friction: 0.1", false),
    ] {
        let rest = equilibrium(&tied(method, pulley)).unwrap_or_else(|reason| panic!("{reason}"));
        let rope = &rest.routes[0];
        let strain = rope.length / 2.2 - 1.0;
        assert!((rope.rest_length - 2.2).abs() < 1e-15, "{rope:?}");
        match is_held {
            true => assert!(strain.abs() < 1e-13, "{method}: {strain}"),
            false => assert!((strain - 1e-4 * rope.tension).abs() < 1e-9, "{method}: {rope:?}"),
        }
    }
}

/// Runs a body with drag until nothing moves.
fn waits(setup: &Setup, drag: f64) -> Vec<f64> {
    let mut damped = setup.clone();
    damped.forces.push(Arc::new(Drag { coefficient: drag, wind: vec![0.0; setup.model.axes] }));
    // At a stop, the velocities of Verlet stay at about 1e-5.
    let rule = RestRule { speed: 2e-5, frames: 30, limit: 20_000 };
    let waited = settle(&Arc::new(damped), rule, &|_| true);
    assert!(matches!(waited.ending, Ending::AtRest { .. }), "{:?}", waited.ending);
    waited.state.x
}

#[test]
fn weights_that_run_against_guides_rest_where_a_run_comes_to_rest() {
    let over = |forces: &str, graph: &str| {
        setup(&format!(
            "gravity: (0, -9.81), frame_time: 0.016666666666666666, substeps: 40,
             integrator: VelocityVerlet, forces: [{forces}], {graph}"
        ))
    };
    let two =
        "graph: (nodes: [(-0.2, 0), (0.2, -1.2)], springs: [], weights: [(node: 0, mass: 2)])";
    let pulley = "Route(from: First, to: Last, axial: 1e5, damping: 100, via: [Pulley(at: (0, 0.6), radius: 0.2";
    let one = "graph: (nodes: [(-0.3, -3)], springs: [], mass: 8)";
    let drum = "Route(from: First, axial: 1e5, damping: 300, via: [Drum(at: (0, 0), radius: 0.3";
    let fed = "Route(from: First, axial: 1e5, damping: 300, length: [(0, 3), (3, 0.01)], via: [Drum(at: (0, 0), radius: 0.3";
    let tackle = "Route(to: Last, axial: 1e5, damping: 100, via: [Ring(at: (-0.08, 0)),
        Pulley(node: 0, radius: 0.08, turn: Counterclockwise),
        Pulley(at: (-0.035, 0.3), radius: 0.115, turn: Counterclockwise),
        Pulley(node: 0, radius: 0.15, turn: Counterclockwise),
        Pulley(at: (0.385, 0.3), radius: 0.235, turn: Clockwise";
    let load = "graph: (nodes: [(0, -2), (0.62, -0.2)], springs: [],
        weights: [(node: 0, mass: 3), (node: 1, mass: 0.1)])";
    // Route, body, drag, node at the stop, its push, and the tension.
    for (route, graph, node, push, tension) in [
        (format!("{pulley})])"), two, 1, 2.0 * 9.81, 3.0 * 9.81),
        (format!("{pulley})], stop: 0.3)"), two, 1, 2.0 * 9.81, 3.0 * 9.81),
        (format!("{pulley}, inertia: 0.16)])"), two, 1, 2.0 * 9.81, 3.0 * 9.81),
        // A motor of 100 on a weight of 78.48.
        (format!("{drum}, inertia: 0.4, torque: 30)])"), one, 0, 100.0 - 78.48, 100.0),
        // A winch that slips at the strain 0.01, and one that never lifts the weight.
        (format!("{fed})])"), one, 0, 1000.0 - 78.48, 1000.0),
        (format!("{fed})], pull: 200)"), one, 0, 200.0 - 78.48, 200.0),
        (format!("{tackle})])"), load, 0, 4.0 * 1.1 * 9.81 - 39.24, 1.1 * 9.81),
    ] {
        let body = over(&route, graph);
        let rest = equilibrium(&body).unwrap_or_else(|reason| panic!("{route}: {reason}"));
        let [rope] = rest.routes.as_slice() else { panic!("{:?}", rest.routes) };
        let (stopped, pushes) = rope.stop.unwrap_or_else(|| panic!("{route}: {rope:?}"));
        assert_eq!(stopped, node, "{route}");
        assert!((pushes - push).abs() < 1e-3 * push, "{route}: {pushes} {push}");
        assert!((rope.tension - tension).abs() < 1e-6 * tension, "{route}: {rope:?}");
        assert!(rest.contacts.is_empty() && !rest.is_unstable(), "{route}: {:?}", rest.modes);
        assert_eq!(rope.slips, route.contains("length"), "{route}");
        let apart = farthest(&rest.x, &waits(&body, 4.0));
        // In a run, a part at its stop may be too long by a thousandth.
        assert!(
            apart < if route.contains("stop: 0.3") { 3.1e-4 } else { 1e-4 },
            "{route}: {apart}"
        );
    }
    let weak = over(&format!("{fed})], pull: 50)"), one);
    let rest = equilibrium(&weak).unwrap_or_else(|reason| panic!("{reason}"));
    let rope = &rest.routes[0];
    assert!(
        rope.slips && rope.stop.is_none() && (rope.rest_length - 3.0).abs() < 1e-12,
        "{rope:?}"
    );
}

#[test]
fn a_neutral_rest_is_the_one_nearest_to_the_start() {
    let graph = |nodes: &str| format!("{ATWOOD} graph: (nodes: [{nodes}], springs: [], mass: 1)");
    for (nodes, start) in [("(-0.25, 0), (0.25, 0)", 0.0), ("(-0.25, 1), (0.25, -1)", 2.0)] {
        let rest = equilibrium(&setup(&graph(nodes))).unwrap_or_else(|reason| panic!("{reason}"));
        assert_eq!(rest.stability, Stability::Neutral, "{:?}", rest.modes);
        // Only the stretch of the rope moves the weights, both by the same distance.
        assert!((rest.x[2] - rest.x[3] - start).abs() < 1e-8, "{nodes}: {:?}", rest.x);
        assert!((rest.x[2] + rest.x[3]).abs() < 1e-3, "{nodes}: {:?}", rest.x);
    }
    // From an asymmetric start, the displacement to the rest state has no component along the
    // neutral motion.
    let slant = setup(&graph("(-0.6, 0.3), (0.25, -0.5)"));
    let rest = equilibrium(&slant).unwrap_or_else(|reason| panic!("{reason}"));
    assert_eq!(rest.stability, Stability::Neutral, "{:?}", rest.modes);
    let mode = &rest.modes[0].shape;
    let along: f64 = (0..4).map(|i| (rest.x[i] - slant.initial.x[i]) * mode[i]).sum();
    assert!(along.abs() < 1e-8, "{along}");
}
