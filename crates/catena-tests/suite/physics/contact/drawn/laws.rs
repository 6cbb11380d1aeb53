//! Momentum, energy, resumed runs and refusals.

use super::super::{Random, bits};
use super::{Body, cross, stable_methods, thick};
use catena::sim::{Setup, Simulation, method::SemiImplicitEuler};
use std::sync::Arc;

/// Two ropes and a cloth that fly towards each other, without other forces.
fn flying(restitution: f64, friction: f64, stiffness: f64) -> Body {
    let mut body = Body::new(3);
    let contact = thick(0.1, restitution, friction);
    let line = |y: f64, turned: bool| -> Vec<[f64; 3]> {
        let at = |i: usize| 0.3 * (i as f64 - 3.5);
        (0..8).map(|i| if turned { [0.1, y, at(i)] } else { [at(i), y, 0.07] }).collect()
    };
    body.rope("upper", &line(0.4, false), false, (1.0, stiffness), contact);
    body.rope("lower", &line(-0.4, true), false, (2.0, stiffness), contact);
    let at = |i: usize| {
        [0.4 * ((i % 4) as f64 - 1.5), 0.02 * i as f64 / 4.0, 0.4 * ((i / 4) as f64 - 1.5)]
    };
    let cloth: Vec<_> = (0..16).map(at).collect();
    body.sheet("cloth", &cloth, (4, 4), (0.5, stiffness), contact);
    body
}

fn thrown(body: &Body, speed: f64, dt: f64) -> Setup {
    let mut random = Random::new(5);
    let builder = body.setup().method(SemiImplicitEuler {}).frames(dt, 1);
    let fly = |i: usize| -> f64 {
        if i < 8 {
            -1.0
        } else if i < 16 {
            1.0
        } else {
            0.0
        }
    };
    let builder = (0..32).fold(builder, |builder, i| {
        let v = random.many(3, 0.3 * speed);
        builder.velocity(i, vec![v[0], v[1] + speed * fly(i), v[2]])
    });
    builder.build().unwrap()
}

/// Momentum, and angular momentum about the origin.
fn momenta(simulation: &Simulation) -> [[f64; 3]; 2] {
    let mut sums = [[0.0; 3]; 2];
    for (i, mass) in simulation.setup().model.mass.iter().enumerate() {
        let (x, v) = (simulation.position(i).unwrap(), simulation.velocity(i).unwrap());
        let turn = cross(x, v);
        for k in 0..3 {
            sums[0][k] += mass * v[k];
            sums[1][k] += mass * turn[k];
        }
    }
    sums
}

fn kinetic(simulation: &Simulation) -> f64 {
    super::super::kinetic(&simulation.setup().model, simulation.state())
}

#[test]
fn contact_keeps_momentum_and_makes_no_energy() {
    for (restitution, friction) in [(0.0, 0.0), (1.0, 0.0), (0.5, 0.4)] {
        for (speed, dt) in [(1.0, 0.01), (10.0, 0.01), (30.0, 0.05)] {
            // Almost forceless springs, so that only contact changes the motion.
            let setup = thrown(&flying(restitution, friction, 1e-9), speed, dt);
            let mut simulation = Simulation::new(setup);
            let begun = momenta(&simulation);
            let scale = 32.0 * speed;
            let (mut energy, mut touched) = (kinetic(&simulation), 0);
            for step in 0..150 {
                simulation.step();
                let case = format!("e = {restitution}, friction {friction}, {speed}, step {step}");
                let now = momenta(&simulation);
                for k in 0..3 {
                    assert!((now[0][k] - begun[0][k]).abs() < 1e-12 * scale, "{case}: {now:?}");
                }
                let after = kinetic(&simulation);
                assert!(after <= energy * (1.0 + 1e-12), "{case}: {energy} {after}");
                touched += usize::from(!simulation.contact_impulses().is_empty());
                energy = after;
            }
            assert!(touched > 0, "{restitution} {friction} {speed}");
        }
    }
}

#[test]
fn contact_without_friction_keeps_angular_momentum() {
    // Friction acts on centre lines, which are a thickness apart, and so changes the angular
    // momentum slightly. Shifts of positions change it by their product with the velocity, which
    // decreases with the step.
    let mut simulation = Simulation::new(thrown(&flying(0.5, 0.0, 1e-9), 1.0, 1e-4));
    let (begun, mut touched) = (momenta(&simulation), 0);
    for _ in 0..8000 {
        simulation.step();
        touched += usize::from(!simulation.contact_impulses().is_empty());
    }
    assert!(touched > 10, "{touched}");
    let now = momenta(&simulation);
    for k in 0..3 {
        assert!((now[1][k] - begun[1][k]).abs() < 1e-4, "{begun:?} {now:?}");
    }
}

#[test]
fn the_ledger_closes_with_drawn_contact() {
    for (name, method) in stable_methods() {
        let body = flying(0.3, 0.3, 500.0);
        let builder = body.setup().gravity([0.0, -9.81, 0.0]).method_of(method);
        let plane = catena::sim::contact::collider::Plane {
            point: [0.0, -1.0, 0.0].into(),
            normal: [0.0, 1.0, 0.2].into(),
            restitution: 0.2,
            friction: 0.3,
        };
        let mut simulation =
            Simulation::new(builder.collider(plane).frames(0.02, 4).build().unwrap());
        simulation.keep_ledger();
        for _ in 0..60 {
            simulation.advance_frame();
            let frame = simulation.ledger().unwrap().frame;
            let residual = frame.residual().abs();
            assert!(residual <= 1e-9 * frame.turned_over, "{name}: {frame:?}");
        }
        let contact = simulation.ledger().unwrap().run.gains.contact;
        assert!(contact != 0.0, "{name}");
    }
}

#[test]
fn a_resumed_run_has_the_same_bits() {
    for (name, method) in stable_methods() {
        let setup = || {
            let builder = flying(0.3, 0.3, 500.0).setup().gravity([0.0, -9.81, 0.0]);
            let builder = builder.method_of(Arc::clone(&method)).velocity(3, vec![0.0, -9.0, 1.0]);
            Arc::new(builder.frames(0.02, 2).build().unwrap())
        };
        let (mut one, mut two) = (Simulation::new(setup()), Simulation::new(setup()));
        for _ in 0..25 {
            let checkpoint = one.checkpoint();
            one.advance_frame();
            two = {
                let mut resumed = Simulation::new(setup());
                resumed.restore(&checkpoint);
                drop(two);
                resumed
            };
            two.advance_frame();
            assert_eq!(bits(one.state()), bits(two.state()), "{name}");
        }
        assert!(!one.contact_impulses().is_empty() || one.frame() > 0);
    }
}

#[test]
fn what_cannot_begin_is_refused() {
    let line = |y: f64| (0..5).map(|i| [0.3 * f64::from(i), y, 0.0]).collect::<Vec<_>>();
    let cases: [(f64, f64, &str); 6] = [
        (
            0.1,
            0.05,
            "the segment from node 0 to 1 of \"a\" and the segment from node 0 to 1 of \"b\"",
        ),
        (0.1, 0.2, ""),
        (f64::NAN, 0.2, "above 0"),
        (0.0, 0.2, "above 0"),
        (f64::INFINITY, 0.2, "above 0"),
        (0.25, 0.2, "start at a distance of 0.200000, but need at least 0.250000"),
    ];
    for (thickness, apart, expected) in cases {
        let mut body = Body::new(2);
        body.rope("a", &line(0.0), false, (1.0, 1.0), thick(thickness, 0.0, 0.0));
        body.rope("b", &line(apart), false, (1.0, 1.0), thick(thickness, 0.0, 0.0));
        let refused = body.setup().method(SemiImplicitEuler {}).frames(0.1, 1).build();
        let message = refused.err().map(|bad| bad.to_string()).unwrap_or_default();
        assert!(message.contains(expected), "{thickness}: {message}");
        assert_eq!(message.is_empty(), expected.is_empty(), "{message}");
    }
}
