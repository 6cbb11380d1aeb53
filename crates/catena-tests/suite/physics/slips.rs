//! Slips: the result of each slip and the result of the correct form, from theory; and properties
//! of all slips.

use crate::scene_of;
use catena::scene::reference::things_called;
use catena::sim::body::shape::Topology;
use catena::sim::contact::{SelfContact, collider::Surface};
use catena::sim::method::control::StepDoubling;
use catena::sim::method::{
    AdamsBashforth2, ConstraintVerlet, DampingOf, ExplicitEuler, ForceVerlet, ImplicitEuler, Rk4,
    Shake, VelocityVerlet,
};
use catena::sim::run::batch::Batch;
use catena::sim::slip::{
    DampingReversed, DirectionNotNormalized, DragPerSpring, DragReversed, DtInFrames, Float32,
    ForcesNotCleared, FrozenNeighbours, GravityAsForce, GravityPerSpring, GridByTruncation,
    GrowthExponent, InPlace, LastIsNew, LaterRoot, MassForgotten, NewDirection, NoSpringForces,
    OldAcceleration, ReactionForgotten, SLIPS, SharedHistory, Slip, SpringSignReversed,
    StrainAsForce, VerletDampingReversed,
};
use catena::sim::{Rope, Setup, SetupBuilder, Simulation};
use std::sync::Arc;

/// Gravity, mass, stiffness and step of the tests with one or two nodes.
const G: f64 = 10.0;
const M: f64 = 4.0;
const K: f64 = 100.0;
const DT: f64 = 1.0 / 64.0;

/// Two nodes at (0, 0) and (1, 0) with masses of 4, whose spring has this rest length.
fn pair(rest: f64, pins: &[usize]) -> SetupBuilder {
    let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 2).of(M, K);
    let rope = pins.iter().fold(rope, |rope, pin| rope.pin(*pin));
    let (mut model, initial) = Topology::build(&rope).unwrap();
    model.springs[0].rest_length = rest;
    Setup::of_body(model, initial).frames(DT, 1)
}

/// Runs for a number of frames. Returns positions and velocities, flat by axis.
fn run(setup: SetupBuilder, frames: u64) -> (Vec<f64>, Vec<f64>) {
    let mut simulation = Simulation::new(setup.check().unwrap());
    for _ in 0..frames {
        simulation.advance_frame();
    }
    (simulation.state().x.clone(), simulation.state().v.clone())
}

fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{found} for {expected}");
}

#[test]
fn gravity_as_a_force_makes_heavy_nodes_fall_slowly() {
    // From rest, semi-implicit Euler falls by a dt² n (n + 1) / 2.
    let fall = |a: f64| -a * DT * DT * 64.0 * 65.0 / 2.0;
    let setup = || pair(1.0, &[]).gravity([0.0, -G]);
    assert_close(run(setup(), 64).0[2], fall(G));
    assert_close(run(setup().slip(GravityAsForce {}), 64).0[2], fall(G / M));
}

#[test]
fn forces_without_the_mass_are_accelerations() {
    let fall = |a: f64| -a * DT * DT * 64.0 * 65.0 / 2.0;
    let setup = || pair(1.0, &[]).gravity([0.0, -G]);
    assert_close(run(setup(), 64).0[2], fall(G));
    assert_close(run(setup().slip(MassForgotten {}), 64).0[2], fall(G * M));
    // One step of a spring stretched by one half, and of drag at a speed of 1.
    let kick = |setup: SetupBuilder| run(setup, 1).1[0] / DT;
    assert_close(kick(pair(0.5, &[])), 0.5 * K / M);
    assert_close(kick(pair(0.5, &[]).slip(MassForgotten {})), 0.5 * K);
    let dragged = || pair(1.0, &[]).velocity(0, [0.0, 1.0]).velocity(1, [0.0, 1.0]).drag(0.3);
    let slowed = |setup: SetupBuilder| (run(setup, 1).1[2] - 1.0) / DT;
    assert_close(slowed(dragged()), -0.3 / M);
    assert_close(slowed(dragged().slip(MassForgotten {})), -0.3);
}

#[test]
fn reversed_damping_drives_ends_apart() {
    // A spring at its rest length whose ends separate at a speed of 1: one step changes the speed
    // of either end by the fraction c/m dt.
    let c = 0.3;
    let setup = || pair(1.0, &[]).velocity(1, [1.0, 0.0]).spring_damping(c);
    let change = c / M * DT;
    assert_close(run(setup(), 1).1[0], change);
    for by_component in [false, true] {
        let slip = DampingReversed { reversed: true, by_component };
        assert_close(run(setup().slip(slip), 1).1[0], -change);
    }
    // On a diagonal spring, a motion along x feels c/2 along both axes. Componentwise
    // multiplication gives c/2 along x only.
    let diagonal = || {
        let rope = Rope::new([0.0, 0.0], [1.0, 1.0], 2).of(M, K);
        Setup::new(&rope).frames(DT, 1).velocity(1, [1.0, 0.0]).spring_damping(c)
    };
    let v = run(diagonal(), 1).1;
    assert_close(v[0], change / 2.0);
    assert_close(v[2], change / 2.0);
    let v = run(diagonal().slip(DampingReversed { reversed: false, by_component: true }), 1).1;
    assert_close(v[0], change / 2.0);
    assert_close(v[2], 0.0);
}

#[test]
fn forces_that_are_not_cleared_grow_with_each_step() {
    // Step n has n times the force, so the fall is a dt² n (n + 1) (n + 2) / 6.
    let setup = || pair(1.0, &[]).gravity([0.0, -G]).slip(ForcesNotCleared {});
    assert_close(run(setup(), 10).0[2], -G * DT * DT * 10.0 * 11.0 * 12.0 / 6.0);
    // The four evaluations in a step of Runge-Kutta 4 accumulate as well: 1, 2, 3 and 4 times g.
    let v = run(setup().method(Rk4 {}), 1).1;
    assert_close(v[2], -G * DT * (1.0 + 2.0 * 2.0 + 2.0 * 3.0 + 4.0) / 6.0);
}

#[test]
fn strain_as_a_force_is_a_stiffness_over_the_rest_length() {
    let rest = 0.25;
    let force = |setup| run(setup, 1).1[0] * M / DT;
    assert_close(force(pair(rest, &[])), K * (1.0 - rest));
    assert_close(force(pair(rest, &[]).slip(StrainAsForce {})), K * (1.0 - rest) / rest);
}

/// Three nodes on a line with springs of length 1 and this rest length; the first node is pinned.
fn three(rest: f64) -> SetupBuilder {
    let rope = Rope::new([0.0, 0.0], [2.0, 0.0], 3).of(M, K).pin(0);
    let (mut model, initial) = Topology::build(&rope).unwrap();
    model.springs.iter_mut().for_each(|spring| spring.rest_length = rest);
    Setup::of_body(model, initial).frames(DT, 1)
}

#[test]
fn forces_in_the_loop_over_springs_act_once_per_spring() {
    // Downward velocities of the three nodes after a step of semi-implicit Euler.
    let falling = |setup: SetupBuilder| run(setup, 1).1[3..].to_vec();
    let weight = || three(1.0).gravity([0.0, -G]);
    assert_eq!(falling(weight()), [0.0, -G * DT, -G * DT]);
    assert_eq!(falling(weight().slip(GravityPerSpring::default())), [0.0, -2.0 * G * DT, -G * DT]);
    let both = GravityPerSpring { also_per_mass: true };
    assert_eq!(falling(weight().slip(both)), [0.0, -3.0 * G * DT, -2.0 * G * DT]);

    const C: f64 = 0.5;
    let moving = || three(1.0).velocity(1, [0.0, 1.0]).velocity(2, [0.0, 1.0]);
    let drag = || moving().drag(C);
    let after = |times: f64| 1.0 - times * C / M * DT;
    let near = |found: Vec<f64>, expected: [f64; 2]| {
        assert_close(found[1], expected[0]);
        assert_close(found[2], expected[1]);
    };
    near(falling(drag()), [after(1.0), after(1.0)]);
    let both = DragPerSpring { also_per_mass: true };
    near(falling(drag().slip(both)), [after(3.0), after(2.0)]);
    near(falling(drag().slip(DragPerSpring::default())), [after(2.0), after(1.0)]);
}

#[test]
fn springs_with_a_wrong_sign_or_without_a_reaction_pull_as_their_programs_do() {
    // Both springs are stretched by 0.5. Velocities to the right after one step of each form.
    let pull = K * 0.5 / M * DT;
    let found = |setup: SetupBuilder| run(setup, 1).1[..3].to_vec();
    let near = |found: Vec<f64>, expected: [f64; 3]| {
        found.iter().zip(expected).for_each(|(found, expected)| assert_close(*found, expected));
    };
    near(found(three(0.5)), [0.0, 0.0, -pull]);
    near(found(three(0.5).slip(SpringSignReversed {})), [0.0, 0.0, pull]);
    near(found(three(0.5).slip(ReactionForgotten {})), [0.0, pull, 0.0]);
    // The energy of the springs is negative, and the sum is conserved.
    let rk4 = three(0.5).method(Rk4 {}).slip(SpringSignReversed {}).check().unwrap();
    let mut apart = Simulation::new(rk4);
    let start = apart.energy().total();
    assert_close(start, -2.0 * 0.5 * K * 0.25);
    for _ in 0..16 {
        apart.advance_frame();
    }
    assert!((apart.energy().total() - start).abs() < 1e-5 * start.abs());
}

#[test]
fn a_verlet_that_stores_the_new_position_keeps_no_velocity() {
    // Each step adds g dt² to the fall, where step n of the correct form adds n g dt².
    let setup = |method: ForceVerlet| pair(1.0, &[]).gravity([0.0, -G]).method(method);
    let correct = run(setup(ForceVerlet::default()), 8).0[2];
    let slow = run(setup(ForceVerlet::default()).slip(LastIsNew {}), 8).0[2];
    assert_close(correct, -G * DT * DT * 36.0);
    assert_close(slow, -G * DT * DT * 8.0);
}

#[test]
fn a_direction_that_is_not_normalized_multiplies_the_force_by_the_length() {
    let (length, rest) = (3.0, 2.0);
    let setup = || {
        let rope = Rope::new([0.0, 0.0], [length, 0.0], 2).of(M, K);
        let (mut model, initial) = Topology::build(&rope).unwrap();
        model.springs[0].rest_length = rest;
        Setup::of_body(model, initial).frames(DT, 1)
    };
    let force = |setup| run(setup, 1).1[0] * M / DT;
    assert_close(force(setup()), K * (length - rest));
    assert_close(force(setup().slip(DirectionNotNormalized {})), K * (length - rest) * length);
    // The energy of the spring changes into motion and back.
    let rk4 = || setup().frames(1.0 / 64.0, 64).method(Rk4 {}).slip(DirectionNotNormalized {});
    let mut swing = Simulation::new(rk4().check().unwrap());
    let start = swing.energy();
    for _ in 0..64 {
        swing.advance_frame();
        let now = swing.energy();
        assert_close(now.total() / start.total(), 1.0);
    }
}

#[test]
fn reversed_drag_pushes_on() {
    // One step from a speed of 1, in still air and in a wind of 3 along y.
    let c = 0.3;
    let setup = || pair(1.0, &[]).velocity(0, [0.0, 1.0]).velocity(1, [0.0, 1.0]).drag(c);
    let change = |setup: SetupBuilder| (run(setup, 1).1[2] - 1.0) / DT;
    assert_close(change(setup()), -c / M);
    assert_close(change(setup().slip(DragReversed {})), c / M);
    assert_close(change(setup().wind([0.0, 3.0]).slip(DragReversed {})), -2.0 * c / M);
    // A time-dependent coefficient: 0.3 at the start.
    let example = "drag: [(0, 0.3), (1, 0)], slips: [DragReversed]";
    let scene = scene_of(&format!(
        "Scene(base: (gravity: (0, 0), velocities: [(velocity: (0, 1))], rope: (pins: []), \
         {example}))"
    ));
    let setup = Arc::clone(&scene.panels[0].bodies[0].setup);
    let mut run = Simulation::new(setup);
    run.advance_frame();
    assert!(run.state().v.iter().skip(16).all(|v| *v > 1.1), "{:?}", run.state().v);
}

#[test]
fn reversed_damping_of_verlet_enlarges_each_displacement() {
    // A free pair moves by v dt times the sum of a geometric series.
    let (d, frames) = (0.01, 8);
    let setup = || pair(1.0, &[]).velocity(0, [0.0, 1.0]).velocity(1, [0.0, 1.0]);
    let displacement = |factor: f64| (0..frames).fold(0.0, |sum, _| (sum + DT) * factor);
    let moved = |setup: SetupBuilder| run(setup, frames).0[2];
    for damping_of in [DampingOf::Displacement, DampingOf::Step] {
        let force = || setup().method(ForceVerlet { damping: d, damping_of });
        let held = ConstraintVerlet { damping: d, damping_of, ..ConstraintVerlet::default() };
        let held = || setup().method(held.clone());
        for verlet in [force(), held()] {
            assert_close(moved(verlet), displacement(1.0 - d));
        }
        for verlet in [force(), held()] {
            assert_close(moved(verlet.slip(VerletDampingReversed {})), displacement(1.0 + d));
        }
    }
}

#[test]
fn reversed_damping_and_drag_are_booked_as_gains_of_damping() {
    let gain = |setup: SetupBuilder| {
        let mut run = Simulation::new(setup.check().unwrap());
        run.keep_ledger();
        (0..64).for_each(|_| run.advance_frame());
        run.ledger().unwrap().run.gains.damping
    };
    let setup = || pair(0.9, &[]).spring_damping(0.1);
    assert!(gain(setup()) < 0.0);
    assert!(gain(setup().slip(DampingReversed::default())) > 0.0);
    let setup = || pair(0.9, &[]).drag(0.1);
    assert!(gain(setup()) < 0.0);
    assert!(gain(setup().slip(DragReversed {})) > 0.0);
    let setup = || pair(0.9, &[]).method(ForceVerlet { damping: 0.01, ..ForceVerlet::default() });
    assert!(gain(setup()) < 0.0);
    assert!(gain(setup().slip(VerletDampingReversed {})) > 0.0);
}

#[test]
fn the_description_of_reversed_damping_is_that_of_its_faults() {
    let summary = |reversed, by_component| {
        let info = DampingReversed { reversed, by_component }.info();
        (info.summary.contains("sign"), info.summary.contains("component"))
    };
    assert_eq!(summary(true, true), (true, true));
    assert_eq!(summary(true, false), (true, false));
    assert_eq!(summary(false, true), (false, true));
}

/// Order of a method on a swinging rope, from its errors with 512 and 1024 steps.
fn order(setup: impl Fn() -> SetupBuilder) -> f64 {
    let end = |setup: SetupBuilder, steps: u64| run(setup.frames(0.5, steps), 1).0;
    let exact = end(setup().method(Rk4 {}), 16384);
    let exact = exact.as_slice();
    let error = |steps: u64| {
        let found = end(setup(), steps);
        found.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    libm::log2(error(512) / error(1024))
}

#[test]
fn frozen_neighbours_have_order_1() {
    let rope = || {
        let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 5).of(0.1, 10.0).pin(0);
        Setup::new(&rope).gravity([0.0, -G]).method(Rk4 {})
    };
    let (correct, frozen) = (order(rope), order(|| rope().slip(FrozenNeighbours {})));
    assert!((3.7..4.3).contains(&correct), "{correct}");
    assert!((0.85..1.15).contains(&frozen), "{frozen}");
}

#[test]
fn without_spring_forces_a_body_falls_freely() {
    // Along the spring, the matrix is m + h² k, so the fall has the acceleration g/(1 + h² k/m).
    let setup = || pair(1.0, &[0]).gravity([G, 0.0]).method(ImplicitEuler::default());
    let steps = 640.0;
    let fall = G / (1.0 + DT * DT * K / M) * DT * DT * steps * (steps + 1.0) / 2.0;
    let x = run(setup().slip(NoSpringForces {}), 640).0[1];
    assert!((x - 1.0 - fall).abs() < 1e-9 * fall, "{x}");
    // The correct form comes to rest at m g/k.
    let x = run(setup(), 12800).0[1];
    assert!((x - 1.0 - M * G / K).abs() < 1e-9, "{x}");
}

#[test]
fn an_update_in_place_makes_momentum() {
    // Node 0 first moves by dt² k s/m, which reduces the impulse on node 1 by dt k (dt² k s/m).
    let stretch = 0.5;
    let momentum = |setup: SetupBuilder| {
        let v = run(setup, 1).1;
        M * (v[0] + v[1])
    };
    let setup = || pair(1.0 - stretch, &[]);
    assert_close(momentum(setup()), 0.0);
    let made = DT * K * (DT * DT * K * stretch / M);
    assert_close(momentum(setup().slip(InPlace {})), made);
    // Explicit Euler moves node 0 by its velocity, which is 0 in the first step.
    let explicit = setup().method(ExplicitEuler {}).slip(InPlace {});
    assert_close(momentum(explicit), 0.0);
}

#[test]
fn velocity_verlet_with_the_old_acceleration_enlarges_areas() {
    // On an oscillator, (x, v/ω) → ((1 - s²/2) x + s v/ω, v/ω - s x) with s = ωdt, whose
    // determinant is 1 + s²/2. Two runs of one node span an area.
    let after = |[stretch, speed]: [f64; 2], is_slip: bool| {
        let setup = pair(1.0 - stretch, &[0]).velocity(1, [speed, 0.0]);
        let setup = setup.method(VelocityVerlet::default());
        let (x, v) = run(if is_slip { setup.slip(OldAcceleration {}) } else { setup }, 1);
        [x[1] - (1.0 - stretch), v[1]]
    };
    let area = |is_slip: bool| {
        let ([a, b], [c, d]) = (after([0.1, 0.0], is_slip), after([0.0, 0.1], is_slip));
        (a * d - b * c) / 0.01
    };
    let s = (K / M).sqrt() * DT;
    assert_close(area(true), 1.0 + 0.5 * s * s);
    assert_close(area(false), 1.0);
}

#[test]
fn a_shared_history_is_that_of_the_mass_before() {
    // The first mass has no history and takes a step of Euler. The second one uses the acceleration
    // of the first as its own earlier one: 3/2 (-a) - 1/2 a.
    let stretch = 0.5;
    let setup = || pair(1.0 - stretch, &[]).method(AdamsBashforth2::default());
    let v = run(setup().slip(SharedHistory {}), 1).1;
    let kick = DT * K * stretch / M;
    assert_close(v[0], kick);
    assert_close(v[1], -2.0 * kick);
    let v = run(setup(), 5).1;
    assert_close(v[0], -v[1]);
}

#[test]
fn a_step_in_frames_is_too_long_by_the_frame_rate() {
    let setup = || pair(1.0, &[]).gravity([0.0, -G]).frames(1.0 / 60.0, 8);
    let fall = |dt: f64| -G * dt * dt * 8.0 * 9.0 / 2.0;
    assert_close(run(setup(), 1).0[2], fall(1.0 / 60.0 / 8.0));
    assert_close(run(setup().slip(DtInFrames {}), 1).0[2], fall(1.0 / 8.0));
}

#[test]
fn single_precision_loses_steps_below_its_last_digit() {
    // At 1e8, neighbouring numbers in single precision are 8 apart.
    let setup = || {
        let rope = Rope::new([1e8, 0.0], [1e8 + 64.0, 0.0], 2).of(1.0, 1.0);
        Setup::new(&rope).frames(DT, 1).velocity(0, [1.0, 0.0]).velocity(1, [1.0, 0.0])
    };
    assert_close(run(setup(), 64).0[0] - 1e8, 1.0);
    assert_eq!(run(setup().slip(Float32::default()), 64).0[0], 1e8);
    let (x, v) = run(pair(0.9, &[]).slip(Float32::default()), 10);
    assert!(x.iter().chain(&v).all(|value| f64::from(*value as f32) == *value));
}

#[test]
fn shake_along_the_new_direction_slows_a_rotation_down() {
    // Without gravity, a node rotates by φ per step. Along the old rod φ stays; along the new one
    // it becomes atan(sin φ / (2 - cos φ)), about φ - φ³.
    let h = 0.25;
    let setup = || pair(1.0, &[0]).velocity(1, [0.0, 1.0]).frames(h, 1).method(Shake::default());
    let angles = |setup: SetupBuilder| -> Vec<f64> {
        let mut simulation = Simulation::new(setup.check().unwrap());
        let mut last = 0.0;
        let turns = (0..6).map(|_| {
            simulation.advance_frame();
            let [x, y, _] = simulation.position(1).unwrap();
            let angle = libm::atan2(y, x);
            (angle - std::mem::replace(&mut last, angle)).rem_euclid(std::f64::consts::TAU)
        });
        turns.collect()
    };
    let correct = angles(setup());
    assert!(correct.windows(2).skip(1).all(|pair| (pair[0] - pair[1]).abs() < 1e-9), "{correct:?}");
    let mut turn = libm::atan(h);
    for found in angles(setup().slip(NewDirection {})) {
        assert!((found - turn).abs() < 1e-9, "{found} for {turn}");
        turn = libm::atan2(libm::sin(turn), 2.0 - libm::cos(turn));
    }
}

#[test]
fn without_rejection_the_first_step_is_kept() {
    let setup = || pair(0.5, &[0]).frames(0.25, 1).method(ExplicitEuler {});
    let control = || setup().step_control(StepDoubling { tolerance: 1e-6, ..Default::default() });
    // A kept attempt consists of two half steps.
    let halves = run(setup().frames(0.25, 2), 1);
    assert_eq!(run(control().slip(GrowthExponent {}), 1), halves);
    assert_ne!(run(control(), 1), halves);
}

#[test]
fn a_contact_that_counts_twice_bounces_without_restitution() {
    // Two nodes of equal mass approach at 2 along y and stop: the impulse is 1 on each. In cells
    // (0, 0) and (0, 1), the keys 0 ^ 1 and 1 ^ 0 share a list, so the impulse counts twice.
    let surface = Surface { restitution: 0.0, friction: 0.0 };
    let setup = || {
        let rope = Rope::new([0.0, 0.0], [3.0, 0.0], 3).of(1.0, 1e-9);
        let (model, mut initial) = Topology::build(&rope).unwrap();
        initial.x = vec![0.2, 50.0, 0.2, 0.0, 50.0, 1.6];
        Setup::of_body(model, initial)
            .velocity(0, [0.0, 1.0])
            .velocity(2, [0.0, -1.0])
            .self_contact(SelfContact { thickness: 1.0, surface })
            .frames(0.5, 1)
    };
    let speed = |setup: SetupBuilder| run(setup, 1).1[5];
    assert!(speed(setup()).abs() < 1e-6, "{}", speed(setup()));
    assert!((speed(setup().slip(GridByTruncation {})) - 1.0).abs() < 1e-6);
}

#[test]
fn at_the_later_root_nodes_stop_on_the_far_side() {
    // Nodes 1.6 apart approach by 4 per step. They meet at a distance of 1 and pass each other at
    // -1.
    let surface = Surface { restitution: 0.0, friction: 0.0 };
    let setup = || {
        let rope = Rope::new([0.0, 0.0], [3.0, 0.0], 3).of(1.0, 1e-9);
        let (model, mut initial) = Topology::build(&rope).unwrap();
        initial.x = vec![0.2, 50.0, 0.2, 0.0, 50.0, 1.6];
        Setup::of_body(model, initial)
            .velocity(0, [0.0, 1.0])
            .velocity(2, [0.0, -1.0])
            .self_contact(SelfContact { thickness: 1.0, surface })
            .frames(2.0, 1)
    };
    let distance = |setup: SetupBuilder| {
        let (x, v) = run(setup, 1);
        assert!((v[5] - v[3]).abs() < 1e-6, "{v:?}");
        x[5] - x[3]
    };
    assert!((distance(setup()) - 1.0).abs() < 0.02);
    assert!((distance(setup().slip(LaterRoot {})) + 1.0).abs() < 1e-6);
}

/// The setup of a slip's example, and the same setup without slips.
fn with_and_without(name: &str) -> [Arc<Setup>; 2] {
    let example = things_called(name).into_iter().find(|thing| thing.slip.is_some()).unwrap();
    let example = example.example();
    let slips = example.find("slips: [").unwrap();
    let end = slips + example[slips..].find(']').unwrap();
    let without = format!("{}slips: [{}", &example[..slips], &example[end..]);
    [example, without].map(|base| {
        let scene = scene_of(&format!("Scene(base: (substeps: 32, {base}))"));
        Arc::clone(&scene.panels[0].bodies[0].setup)
    })
}

#[test]
fn every_slip_changes_the_run_and_goes_on_from_a_checkpoint() {
    for info in SLIPS {
        let [slipped, correct] = with_and_without(info.name);
        let mut runs = [&slipped, &correct].map(|setup| Simulation::new(Arc::clone(setup)));
        runs.iter_mut().for_each(|run| (0..3).for_each(|_| run.advance_frame()));
        let [mut run, other] = runs;
        assert_ne!(run.state(), other.state(), "{}", info.name);
        let checkpoint = run.checkpoint();
        let mut resumed = Simulation::new(Arc::clone(&slipped));
        resumed.restore(&checkpoint);
        assert!(resumed.bad_setup().is_none(), "{}", info.name);
        assert!(!other.fits(&checkpoint), "{}: a checkpoint without the slip", info.name);
        (0..3).for_each(|_| run.advance_frame());
        (0..3).for_each(|_| resumed.advance_frame());
        assert_eq!(run.checkpoint(), resumed.checkpoint(), "{}", info.name);
    }
}

#[test]
fn ledgers_of_slips_close_and_change_no_bit() {
    for info in SLIPS {
        let [slipped, _] = with_and_without(info.name);
        let [mut plain, mut kept] = [(); 2].map(|()| Simulation::new(Arc::clone(&slipped)));
        kept.keep_ledger();
        for _ in 0..3 {
            plain.advance_frame();
            kept.advance_frame();
        }
        assert_eq!(plain.state(), kept.state(), "{}", info.name);
        let run = kept.ledger().unwrap().run;
        assert!(run.turned_over > 0.0, "{}", info.name);
        let residual = run.residual() / run.turned_over;
        assert!(residual.abs() < 1e-12, "{}: {residual}", info.name);
    }
}

#[test]
fn slips_in_a_batch_end_as_alone() {
    for info in SLIPS {
        let setups = with_and_without(info.name);
        let mut all: Vec<Simulation> =
            (0..40).map(|number| Simulation::new(Arc::clone(&setups[number % 2]))).collect();
        let mut batch = Batch::default();
        for _ in 0..3 {
            batch.advance_frames(&mut all);
        }
        for (number, run) in all.iter().enumerate().take(2) {
            let mut alone = Simulation::new(Arc::clone(&setups[number]));
            (0..3).for_each(|_| alone.advance_frame());
            assert_eq!(run.state(), alone.state(), "{}", info.name);
        }
    }
}
