//! Drawn contact with moving colliders.

use super::random::{among_colliders, capsule, rope, surface, wandering};
use super::{Met, Random, at, compare, plane, steady};
use catena_sim::contact::collider::{Box, Capsule, Moving, Surface};
use catena_sim::contact::{DrawnContact, PartContact};
use catena_sim::{Collider, Rope, Setup, SetupBuilder, Simulation};
use std::sync::Arc;

/// Drawn contact for a body of one part.
fn drawn(setup: SetupBuilder, thickness: f64, surface: Surface) -> SetupBuilder {
    setup.drawn_contact(DrawnContact { parts: vec![PartContact { thickness, surface }] })
}

const ROUGH: Surface = Surface { restitution: 0.0, friction: 0.5 };

#[test]
fn a_wall_bats_a_rope_at_rest() {
    for (e, axes) in [(0.0, 2), (0.5, 3), (1.0, 2)] {
        let of = |point: [f64; 3]| point[..axes].to_vec();
        let rope = Rope::new(of([0.0, 0.0, 0.0]), of([0.0, 1.0, 0.0]), 6).of(0.1, 50.0);
        let wall = plane([1.0, 0.0, 0.0], axes, (e, 0.0));
        let motion = steady([-0.31, 0.0, 0.0], [2.0, 0.0, 0.0], axes, [0.0; 3]);
        let setup = drawn(Setup::new(&rope), 0.1, Surface { restitution: e, friction: 0.0 });
        let setup = setup.collider(Moving::new(wall, motion)).frames(0.02, 1).check().unwrap();
        let mut run = Simulation::new(setup);
        run.keep_ledger();
        (0..10).for_each(|_| run.step());
        for node in 0..6 {
            let [x, ..] = run.velocity(node).unwrap();
            assert!((x - (1.0 + e) * 2.0).abs() < 1e-9, "{e}, node {node}: {x}");
        }
        let gains = run.ledger().unwrap().run.gains;
        let (work, lost) = (0.6 * (1.0 + e) * 4.0, 0.3 * (e * e - 1.0) * 4.0);
        assert!((gains.colliders - work).abs() < 1e-9, "{e}: {gains:?}");
        assert!((gains.contact - lost).abs() < 1e-9, "{e}: {gains:?}");
    }
}

#[test]
fn a_belt_carries_a_rope_along() {
    let (speed, friction) = (2.0, 0.5);
    let motion = steady([0.0, -0.05, 0.0], [speed, 0.0, 0.0], 3, [0.0; 3]);
    let belt = Moving::new(plane([0.0, 1.0, 0.0], 3, (0.0, friction)), motion);
    let rope = Rope::new([0.0, 0.0, 0.0], [0.7, 0.0, 0.0], 8).of(0.1, 3000.0);
    let setup = Setup::new(&rope).gravity([0.0, -9.81, 0.0]).collider(belt);
    let setup = drawn(setup, 0.1, Surface { restitution: 0.0, friction });
    let mut run = Simulation::new(setup.frames(0.01, 20).check().unwrap());
    run.keep_ledger();
    while run.state().t < 0.6 {
        run.step();
        let expected = (friction * 9.81 * run.state().t).min(speed);
        // The body sinks in slightly before it touches.
        for v in &run.state().v[..8] {
            assert!((v - expected).abs() < 0.03, "at {}: {v}, not {expected}", run.state().t);
        }
    }
    // Half of the belt's work is lost while the rope slips.
    let ledger = run.ledger().unwrap().run;
    let work = 0.8 * speed * speed;
    assert!(ledger.residual().abs() <= 1e-9 * ledger.turned_over, "{ledger:?}");
    assert!((ledger.gains.colliders / work - 1.0).abs() < 2e-3, "{ledger:?}");
    assert!((ledger.end.kinetic / work - 0.5).abs() < 1e-9, "{ledger:?}");
}

#[test]
fn what_is_drawn_fares_in_motion_as_it_does_at_rest() {
    for axes in [2, 3] {
        let velocity = [[0.5, -0.25, 0.0], [0.5, -0.25, 2.0]][axes - 2];
        let of = |point: [f64; 3]| point[..axes].to_vec();
        let build = |moves: bool| {
            let rope = Rope::new(of([-1.0, 0.5, 0.0]), of([1.0, 0.625, 0.0]), 13).of(0.0625, 400.0);
            let mut setup = Setup::new(&rope).gravity(of([0.0, -8.0, 0.0])).spring_damping(0.125);
            for node in 0..13 {
                setup = setup.velocity(node, of(if moves { velocity } else { [0.0; 3] }));
            }
            let rod = Capsule {
                a: at([-0.25, 0.0, -0.5], axes),
                b: at([0.25, 0.125, 0.5], axes),
                radius: 0.125,
                restitution: 0.0,
                friction: 0.25,
            };
            let ground = plane([0.125, 1.0, 0.0], axes, (0.0, 0.5));
            let ground = catena_sim::contact::collider::Plane {
                point: at([0.0, -0.5, 0.0], axes),
                ..ground
            };
            let all: [Arc<dyn Collider>; 2] = [Arc::new(rod), Arc::new(ground)];
            for of in all {
                let motion = Arc::new(steady([0.0; 3], velocity, axes, [0.0; 3]));
                setup = setup.collider_of(match moves {
                    true => Arc::new(Moving { of, motion }),
                    false => of,
                });
            }
            Simulation::new(drawn(setup, 0.0625, ROUGH).frames(1.0 / 64.0, 16).check().unwrap())
        };
        let (mut still, mut moving, mut touched) = (build(false), build(true), 0);
        for step in 0..1000 {
            still.step();
            moving.step();
            touched += usize::from(!still.contact_impulses().is_empty());
            let t = still.state().t;
            for node in 0..13 {
                let (at, other) = (still.position(node).unwrap(), moving.position(node).unwrap());
                for k in 0..3 {
                    let off = other[k] - velocity[k] * t - at[k];
                    assert!(off.abs() < 1e-9, "{axes} axes, step {step}, node {node}: {off:e}");
                }
            }
        }
        assert!(touched > 100, "{touched}");
    }
}

#[test]
fn fences_change_no_bit_of_what_is_drawn_beside_colliders_that_move() {
    let (mut random, mut met) = (Random::new(29), Met::default());
    for run in 0..16 {
        let axes = 2 + run % 2;
        let setup = rope(&mut random, axes, 10 + run % 5, run % 3 == 0);
        let setup = among_colliders(&mut random, setup, axes);
        let surface = surface(&mut random);
        let setup = drawn(setup, [0.02, 0.05][run % 2], surface).frames(0.05, 20);
        let Ok(setup) = setup.check() else { continue };
        compare(&format!("run {run}"), &setup, 300, 97, &mut met);
    }
    assert!(met.touched > 400 && met.free > 800, "{} {}", met.touched, met.free);
}

#[test]
fn segments_are_never_inside_of_what_moves() {
    let (mut random, mut touched) = (Random::new(41), 0);
    for scene in 0..crate::cases(20) {
        let axes = 2 + scene % 2;
        let motion = wandering(&mut random, axes, (1.2, 4.0));
        let half = 0.02;
        let moving = match scene % 4 {
            3 => Moving::new(
                Box {
                    center: at([0.0; 3], axes),
                    size: at([0.4, 0.2, 0.3], axes),
                    along: None,
                    up: None,
                    restitution: 0.0,
                    friction: 0.3,
                },
                motion,
            ),
            _ => Moving::new(capsule(&mut random, axes), motion),
        };
        let setup = rope(&mut random, axes, 12, scene % 3 == 0).collider(moving.clone());
        let setup = drawn(setup, 2.0 * half, ROUGH).spring_damping(0.1).frames(1.0 / 60.0, 64);
        let Ok(setup) = setup.check() else { continue };
        let mut run = Simulation::new(setup);
        run.keep_ledger();
        for step in 0..64 * 60 {
            run.step();
            assert!(run.state().is_finite(), "scene {scene}, step {step}");
            touched += usize::from(!run.contact_impulses().is_empty());
            let places: Vec<_> = (0..12).map(|node| run.position(node).unwrap()).collect();
            for pair in places.windows(2).skip(usize::from(scene % 3 == 0)) {
                for share in 0..=8 {
                    let share = f64::from(share) / 8.0;
                    let on = [0, 1, 2].map(|k| pair[0][k] + share * (pair[1][k] - pair[0][k]));
                    let distance = moving.distance_at(run.state().t, on).0;
                    assert!(distance > 0.99 * half, "scene {scene}, step {step}: {distance}");
                }
            }
        }
        let ledger = run.ledger().unwrap().run;
        assert!(ledger.residual().abs() <= 1e-9 * ledger.turned_over, "{ledger:?}");
    }
    assert!(touched > 5000, "{touched}");
}
