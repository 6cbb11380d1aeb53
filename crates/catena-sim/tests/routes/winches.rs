//! Ropes that are paid out and reeled in by length, by speed and by torque.

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
        bone: None,
        offset: None,
        radius: 0.25,
        turn: None,
        torque: torque.map(Amount::constant),
        inertia,
    }
}

/// A bucket of 2 kg below a drum, whose rope reaches the drum from below on its left side.
fn bucket(route: Route) -> Route {
    Route { to: None, ..route }
}

fn length(run: &Simulation) -> f64 {
    let body = Body { model: &run.setup().model, springs: run.springs() };
    let route = run.setup().forces.iter().find_map(|force| force.route()).unwrap();
    route.stretched(&body, run.state()).0
}

#[test]
fn a_winch_lifts_by_the_length_that_it_reels_in() {
    let (mass, axial, speed) = (2.0, 1e5, 1.5);
    let weight = mass * G;
    for method in methods() {
        // 1.5 of 5 units of length within 1 s; by 2 s all vibrations have decayed.
        let by_length = Amount::linear(&[(0.0, 5.0), (0.2, 5.0), (1.2, 3.5)]);
        let by_length = Route { length: Some(by_length), ..between(vec![drum(None, None)]) };
        let keys = [(0.2, 0.0), (0.2 + 1e-9, -speed), (1.2, -speed), (1.2 + 1e-9, 0.0)];
        let by_speed =
            Route { speed: Some(Amount::linear(&keys)), ..between(vec![drum(None, None)]) };
        for (what, route) in [("length", by_length), ("speed", by_speed)] {
            let name = format!("{} {what}", method.info().name);
            let at_rest = 3.5 * (1.0 + weight / axial);
            // Work of the winch, v ∫ T dt: the bucket is lifted and reaches the speed v. A constant
            // length also takes the energy T/2EA of its stretch with it, at most at the peak of the
            // tension, m g + v √(k m) without damping.
            let peak = weight + speed * (axial / 5.0 * mass).sqrt();
            let expected = weight * 1.5 + mass * speed * speed;
            converges(&name, expected, 0.5 * peak / axial * expected, |substeps| {
                let setup =
                    setup(weights(&[(mass, -0.25, 0.0)]), &method, bucket(route.clone()), substeps);
                let start = Simulation::new(setup.clone());
                let run = after(&setup, 200);
                let rope = length(&run);
                assert!((rope - at_rest).abs() < 1e-9, "{name}: {rope} {at_rest}");
                let lifted = run.state().position(1, 0)[1] - start.state().position(1, 0)[1];
                assert!((lifted - (5.0 - at_rest)).abs() < 1e-9, "{name}: {lifted}");
                run.ledger().unwrap().run.gains.anchors
            });
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
    // 3 of 5 units of length are left, stretched by the weight.
    let at_rest = 3.0 * (1.0 + 2.0 * G / 1e5);
    let rope = length(&after(&setup, 600));
    assert!((rope - at_rest).abs() < 1e-9, "{rope} {at_rest}");
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
