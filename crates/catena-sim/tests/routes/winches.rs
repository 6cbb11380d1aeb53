//! Ropes that are paid out and reeled in: by length, by speed and by torque.

use super::{G, acceleration, after, between, converges, methods, setup, weights};
use catena_sim::drive::event::{Event, Trigger, action::Winch};
use catena_sim::force::applied::{Amount, Guide, Route};
use catena_sim::{Body, Setup, Simulation};
use std::sync::Arc;

fn drum(torque: Option<f64>, inertia: Option<f64>) -> Guide {
    Guide::Drum {
        at: Some([0.0, 5.0].into()),
        along: None,
        node: None,
        radius: 0.25,
        turn: None,
        torque: torque.map(Amount::constant),
        inertia,
    }
}

/// A bucket of 2 kg below a drum, whose rope arrives from below on its left.
fn bucket(route: Route) -> Route {
    Route { to: None, ..route }
}

fn length(run: &Simulation) -> f64 {
    let body = Body { model: &run.setup().model, springs: run.springs() };
    let route = run.setup().forces.iter().find_map(|force| force.route()).unwrap();
    route.length_at(&body, run.state())
}

#[test]
fn a_winch_lifts_by_the_length_that_it_reels_in() {
    for method in methods() {
        let keys = [(0.0, 5.0), (0.5, 5.0), (2.5, 2.0)];
        let by_length =
            Route { length: Some(Amount::linear(&keys)), ..between(vec![drum(None, None)]) };
        let speed =
            Amount::linear(&[(0.5, 0.0), (0.5 + 1e-9, -1.5), (2.5, -1.5), (2.5 + 1e-9, 0.0)]);
        let by_speed = Route { speed: Some(speed), ..between(vec![drum(None, None)]) };
        for (what, route) in [("length", by_length), ("speed", by_speed)] {
            let setup = setup(weights(&[(2.0, -0.25, 0.0)]), &method, bucket(route), 40);
            let start = Simulation::new(setup.clone());
            let run = after(&setup, 600);
            let name = method.info().name;
            let lifted = run.state().position(1, 0)[1] - start.state().position(1, 0)[1];
            // Beside 3 lengths, the rope stretches by the weight.
            assert!((lifted - 3.0).abs() < 5e-3, "{name} {what}: {lifted}");
            let shorter = length(&start) - length(&run);
            assert!((shorter - 3.0).abs() < 5e-3, "{name} {what}: {shorter}");
            // The winch did the work.
            let gains = run.ledger().unwrap().run.gains;
            let work = 2.0 * G * lifted;
            let given = gains.anchors + gains.damping;
            assert!(
                gains.damping < 0.0 && (given / work - 1.0).abs() < 0.02,
                "{name} {what}: {gains:?} {work}"
            );
        }
    }
}

#[test]
fn events_start_and_stop_a_winch() {
    let route = bucket(between(vec![drum(None, None)]));
    let (model, initial) = weights(&[(2.0, -0.25, 0.0)]);
    let at = |time, speed| Event { trigger: Trigger::At(time), action: Arc::new(Winch { speed }) };
    let setup = Setup::of_body(model, initial)
        .gravity(vec![0.0, -G])
        .method_of(methods()[1].clone())
        .frames(0.01, 40)
        .force(route)
        .event(at(0.5, -1.0))
        .event(at(2.5, 0.0))
        .check()
        .unwrap();
    let (start, run) = (Simulation::new(setup.clone()), after(&setup, 600));
    let shorter = length(&start) - length(&run);
    assert!((shorter - 2.0).abs() < 5e-3, "{shorter}");
}

#[test]
fn a_motor_lifts_with_its_torque_less_inertia() {
    let (mass, radius, inertia) = (2.0, 0.25, 0.05);
    for method in methods() {
        for torque in [4.0, 6.0] {
            let route = bucket(between(vec![drum(Some(torque), Some(inertia))]));
            let of = |substeps| {
                let body = weights(&[(mass, -radius, 0.0)]);
                acceleration(&setup(body, &method, route.clone(), substeps), 0)
            };
            let expected = (torque / radius - mass * G) / (mass + inertia / (radius * radius));
            let name = format!("{} {torque}", method.info().name);
            // The speeds of bucket and drum differ by the strain of the rope.
            let strain = torque / radius / 1e5 * expected.abs();
            converges(&name, expected, strain, of);
        }
    }
}
