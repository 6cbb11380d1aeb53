//! Ropes of routes at rest: one tension, no friction, motors by their torque.

use super::{equilibrium, farthest};
use crate::{repository, scene_of};
use catena::analysis::settle::{Ending, RestRule, settle};
use catena::analysis::statics::{NoRest, Stability};
use catena::sim::Setup;
use std::sync::Arc;

/// A weight of 2 on a route from a pin over a pulley, or onto a drum.
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
    // The weight is that of the free node alone, not what the rope pulls with.
    assert!((rest.weight - 19.62).abs() < 1e-12, "{}", rest.weight);
    let [route] = rest.routes.as_slice() else { panic!("{:?}", rest.routes) };
    let [fx, fy, _] = rest.pins[0].force;
    // The pin carries its own weight and the pull of the rope.
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
fn equal_weights_on_a_rope_rest_and_others_run_on() {
    let graph = |weights: &str| {
        format!("{ATWOOD} graph: (nodes: [(-0.25, 0), (0.25, 0)], springs: [], mass: 1, {weights})")
    };
    let rest = equilibrium(&setup(&graph(""))).unwrap_or_else(|reason| panic!("{reason}"));
    assert!((rest.routes[0].tension - 9.81).abs() < 1e-10, "{:?}", rest.routes);
    let unequal = setup(&graph("weights: [(node: 0, mass: 4)]"));
    let reason = equilibrium(&unequal).unwrap_err();
    assert_eq!(reason, NoRest::Runs { node: 0, has_friction: false });
    let path = repository("scenes").join("block_and_tackle.ron");
    let tackle = scene_of(&std::fs::read_to_string(path).unwrap());
    for (panel, has_friction) in [(0, false), (1, true)] {
        let reason = equilibrium(&tackle.panels[panel].bodies[0].setup).unwrap_err();
        assert_eq!(reason, NoRest::Runs { node: 0, has_friction }, "{panel}");
    }
}

#[test]
fn winches_end_where_their_lengths_and_speeds_end() {
    let path = repository("scenes").join("well_bucket.ron");
    let well = scene_of(&std::fs::read_to_string(path).unwrap());
    // 3 less the way of the speed: -0.8 for 2.5 units of time, with a start and a stop.
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
        // A rope that friction may hold is a spring, also in this method.
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
