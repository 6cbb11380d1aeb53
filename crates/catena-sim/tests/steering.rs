//! Steps and external changes: bitwise equal to uninterrupted runs, to the same pins and forces in
//! a setup, and to runs with a checkpoint in between.

#![allow(clippy::unwrap_used)]

use catena_sim::{
    Checkpoint, Outcome, Rope, Setup, Simulation,
    drive::{Anchor, Driven, Velocity},
    force::applied::PointForce,
    method::{METHODS, Method, with_defaults},
    named::Components,
    run::batch::Batch,
};
use std::sync::Arc;

fn setup(method: &Arc<dyn Method>, nodes: usize) -> Setup {
    let rope = Rope::new([0.0, 0.0], [1.0, 0.0], nodes).of(0.05, 200.0).pin(0);
    let setup = Setup::new(&rope).gravity([0.0, -9.81]).frames(0.02, 8).check().unwrap();
    Setup { method: Arc::clone(method), ..(*setup).clone() }
}

fn methods() -> impl Iterator<Item = Arc<dyn Method>> {
    METHODS.iter().map(|info| with_defaults(info.name).unwrap())
}

fn bits(values: &[f64]) -> Vec<u64> {
    let canonical = |x: &f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
    values.iter().map(canonical).collect()
}

#[track_caller]
fn assert_same(one: &Simulation, other: &Simulation, what: &str) {
    let (one, other) = (one.checkpoint(), other.checkpoint());
    assert_eq!(one.steps, other.steps, "{what}");
    assert_eq!(one.outcome, other.outcome, "{what}");
    assert_eq!(one.state.t.to_bits(), other.state.t.to_bits(), "{what}");
    assert_eq!(bits(&one.state.x), bits(&other.state.x), "{what}: positions");
    assert_eq!(bits(&one.state.v), bits(&other.state.v), "{what}: velocities");
    assert_eq!(bits(&one.method), bits(&other.method), "{what}: memory");
}

/// Continues from a checkpoint in another run.
fn through_a_checkpoint(simulation: &Simulation, setup: &Arc<Setup>) -> Simulation {
    let kept: Checkpoint = simulation.checkpoint();
    let mut fresh = Simulation::new(Arc::clone(setup));
    fresh.advance_steps(3);
    fresh.restore(&kept);
    assert!(fresh.bad_setup().is_none());
    fresh
}

#[test]
fn steps_in_any_portions_are_the_unbroken_run() {
    for method in methods() {
        let name = method.info().name;
        let setup = Arc::new(setup(&method, 9));
        let [mut whole, mut parts, mut moved] =
            [(); 3].map(|()| Simulation::new(Arc::clone(&setup)));
        (0..6).for_each(|_| whole.advance_frame());
        for portion in [1, 2, 8, 16, 3, 10, 8] {
            parts.advance_steps(portion);
            moved.advance_steps(portion);
            moved = through_a_checkpoint(&moved, &setup);
        }
        assert_same(&parts, &whole, name);
        assert_same(&moved, &whole, &format!("{name}, through checkpoints"));
        parts.advance_steps(5);
        assert_eq!(parts.steps_to_frame(1), 3, "{name}");
        assert_eq!(whole.steps_to_frame(2), 16, "{name}");
    }
}

#[test]
fn a_divergence_is_found_at_the_same_step() {
    let method = with_defaults("ExplicitEuler").unwrap();
    let mut setup = setup(&method, 9);
    setup.strain_limit = 0.5;
    (setup.frame_time, setup.initial.v[4]) = (0.5, 30.0);
    let setup = Arc::new(setup);
    let mut whole = Simulation::new(Arc::clone(&setup));
    let mut parts = Simulation::new(Arc::clone(&setup));
    for _ in 0..3 {
        whole.advance_frame();
        (0..4).for_each(|_| parts.advance_steps(2));
        parts = through_a_checkpoint(&parts, &setup);
    }
    assert_ne!(whole.outcome(), Outcome::Fine);
    assert_same(&parts, &whole, "diverged");
}

/// A pin that is set externally at the start moves like a curve of the setup, and a push acts like
/// a force of the setup.
#[test]
fn changes_at_the_start_are_those_of_a_setup() {
    for method in methods() {
        let name = method.info().name;
        let plain = setup(&method, 9);
        let velocity = [0.4, 0.3, 0.0];
        let curve = Driven::new([0.0; 3], Velocity::Constant(velocity), 0.0, None);
        let anchors = vec![Anchor { node: 0, curve: Arc::new(curve) }];
        let mut driven = Simulation::new(Setup { anchors, ..plain.clone() });
        let mut steered = Simulation::new(plain.clone());
        steered.pin(0, None, Some(&velocity[..2])).unwrap();
        // In a run with an initial velocity, the state before the first step has this velocity.
        assert_eq!(steered.velocity(0), Some(velocity));
        driven.advance_steps(20);
        steered.advance_steps(20);
        assert_same(&steered, &driven, &format!("{name}, moved pin"));

        let mut pushed = plain.clone();
        let force = Components::from([0.0, 0.7]);
        let point = PointForce { node: 8, force, from: f64::MIN, until: f64::INFINITY };
        pushed.forces.push(Arc::new(point));
        let mut pushed = Simulation::new(pushed);
        let mut steered = Simulation::new(plain);
        steered.push(8, &[0.0, 0.7], 1000).unwrap();
        pushed.advance_steps(20);
        steered.advance_steps(20);
        assert_same(&steered, &pushed, &format!("{name}, pushed node"));
    }
}

#[test]
fn every_change_survives_a_checkpoint() {
    let changes: [&dyn Fn(&mut Simulation); 9] = [
        &|it| it.pin(0, None, Some(&[0.2, 0.1])).unwrap(),
        &|it| it.push(8, &[0.0, 0.5], 5).unwrap(),
        &|it| it.pin(4, Some(&[0.4, -0.2]), None).unwrap(),
        &|it| it.kick(6, &[0.01, 0.02]).unwrap(),
        &|it| it.pin(4, Some(&[0.45, -0.2]), None).unwrap(),
        &|it| it.release(0).unwrap(),
        &|it| it.push_all(&[(8, &[0.1, 0.5]), (7, &[0.0, -0.2])], u64::MAX).unwrap(),
        &|it| {
            let (x, mut v) = (it.state().x.clone(), it.state().v.clone());
            v[8] += 0.25;
            it.set_motion(&x, &v).unwrap();
        },
        &Simulation::end_all_pushes,
    ];
    for method in methods() {
        let name = method.info().name;
        let setup = Arc::new(setup(&method, 9));
        let mut unbroken = Simulation::new(Arc::clone(&setup));
        let mut moved = Simulation::new(Arc::clone(&setup));
        for (number, change) in changes.iter().enumerate() {
            let what = format!("{name}, change {number}");
            for run in [&mut unbroken, &mut moved] {
                change(run);
                run.advance_steps(3);
            }
            moved = through_a_checkpoint(&moved, &setup);
            assert_same(&moved, &unbroken, &what);
            for run in [&mut unbroken, &mut moved] {
                run.advance_steps(10);
            }
            assert_same(&moved, &unbroken, &what);
        }
        assert_eq!(unbroken.outcome(), Outcome::Fine, "{name}");
        assert_eq!(unbroken.position(4), Some([0.45, -0.2, 0.0]), "{name}");
        // Back at the start, without any trace of the changes.
        let start = Simulation::new(Arc::clone(&setup)).checkpoint();
        unbroken.restore(&start);
        let mut restarted = Simulation::new(setup);
        for run in [&mut unbroken, &mut restarted] {
            run.advance_steps(16);
        }
        assert_same(&unbroken, &restarted, &format!("{name}, back at the start"));
    }
}

/// A push of n steps gives a free node the momentum F n dt.
#[test]
fn a_push_acts_for_its_number_of_steps() {
    for name in ["SemiImplicitEuler", "VelocityVerlet", "Rk4", "ImplicitEuler", "AdamsBashforth4"] {
        let method = with_defaults(name).unwrap();
        let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 2).of(0.5, 100.0);
        let setup = Setup::new(&rope).frames(0.02, 8).check().unwrap();
        let setup = Setup { method, ..(*setup).clone() };
        let dt = setup.dt();
        let mass: Vec<f64> = setup.model.mass.clone();
        let mut simulation = Simulation::new(setup);
        simulation.push(1, &[2.0, 0.0], 12).unwrap();
        simulation.advance_steps(30);
        let v = &simulation.state().v;
        let momentum = mass[0] * v[0] + mass[1] * v[1];
        assert!((momentum - 2.0 * 12.0 * dt).abs() < 1e-12, "{name}: {momentum}");
    }
}

#[test]
fn changes_that_cannot_be_are_refused_and_change_nothing() {
    let setup = setup(&with_defaults("AdamsBashforth3").unwrap(), 5);
    let mut simulation = Simulation::new(setup.clone());
    let mut plain = Simulation::new(setup);
    for run in [&mut simulation, &mut plain] {
        run.advance_steps(5);
    }
    let x = simulation.state().x.clone();
    let refused = [
        simulation.pin(5, None, None),
        simulation.pin(1, Some(&[0.0]), None),
        simulation.pin(1, None, Some(&[f64::NAN, 0.0])),
        simulation.release(1),
        simulation.release(9),
        simulation.push(1, &[0.0, f64::INFINITY], 1),
        simulation.push_all(&[(1, &[0.0, 1.0]), (7, &[0.0, 1.0])], 1),
        simulation.kick(0, &[1.0, 0.0]),
        simulation.set_motion(&x, &x[1..]),
    ];
    let messages: Vec<String> = refused.map(|result| result.unwrap_err().to_string()).into();
    assert_eq!(messages[0], "node: there is no node 5: nodes are numbered from 0 to 4");
    assert_eq!(messages[3], "node: node 1 is not pinned");
    assert_eq!(messages[7], "node: node 0 is pinned, so an impulse cannot move it");
    assert_eq!(messages[8], "velocities: expected 10 finite numbers");
    for run in [&mut simulation, &mut plain] {
        run.advance_steps(11);
    }
    assert_same(&simulation, &plain, "after refusals");
}

/// Runs in a batch whose pins are moved between frames end as alone, and stay in the batch if the
/// pins rest during a frame.
#[test]
fn steered_runs_side_by_side_end_as_alone() {
    for name in ["ConstraintVerlet", "SemiImplicitEuler", "ImplicitEuler", "Rk4"] {
        let method = with_defaults(name).unwrap();
        let setups: Vec<Arc<Setup>> = (0..24).map(|_| Arc::new(setup(&method, 9))).collect();
        let start = || setups.iter().cloned().map(Simulation::new).collect::<Vec<_>>();
        let (mut together, mut alone) = (start(), start());
        let mut batch = Batch::default();
        for frame in 0..6_i32 {
            for (number, pair) in together.iter_mut().zip(&mut alone).enumerate() {
                let place = [0.01 * f64::from(frame), 0.002 * number as f64];
                for run in [pair.0, pair.1] {
                    match (frame, number) {
                        (3, 5) => run.push(8, &[0.1, 0.2], 11).unwrap(),
                        (2, 7) => run.pin(0, None, Some(&[0.1, 0.0])).unwrap(),
                        (_, 7) => {}
                        _ => run.pin(0, Some(&place), None).unwrap(),
                    }
                }
            }
            let count = batch.advance_frames(&mut together);
            assert!(count >= 16, "{name}, frame {frame}: only {count} went side by side");
            alone.iter_mut().for_each(Simulation::advance_frame);
            for (number, (one, other)) in together.iter().zip(&alone).enumerate() {
                assert_same(one, other, &format!("{name}, frame {frame}, run {number}"));
            }
        }
    }
}
