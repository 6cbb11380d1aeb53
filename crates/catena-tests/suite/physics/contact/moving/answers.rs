//! Known answers: moving walls, turning paddles, belts, drums.

use super::{at, nodes, plane, steady};
use catena_sim::Simulation;
use catena_sim::contact::collider::{Moving, Plane, Sphere};
use catena_sim::method::METHODS;

#[test]
fn a_moving_wall_bats_a_node_at_rest() {
    for (e, speed, method) in [0.0, 0.5, 1.0]
        .into_iter()
        .flat_map(|e| [0.3, 2.0, 170.0].map(|speed| (e, speed)))
        .flat_map(|(e, speed)| METHODS.iter().map(move |method| (e, speed, method.name)))
    {
        let wall = plane([1.0, 0.0, 0.0], 3, (e, 0.0));
        let motion = steady([-0.11, 0.0, 0.0], [speed, 0.0, 0.0], 3, [0.0; 3]);
        let setup = nodes(&[[0.0; 3]], &[[0.0; 3]], 3)
            .collider(Moving::new(wall, motion))
            .method_of(catena_sim::method::with_defaults(method).unwrap())
            .frames(0.02 / speed, 1)
            .check()
            .unwrap();
        let mut run = Simulation::new(setup);
        run.keep_ledger();
        (0..7).for_each(|_| run.step());
        let found = run.velocity(0).unwrap();
        let off = (found[0] / ((1.0 + e) * speed) - 1.0).abs();
        assert!(off <= 1e-12 && found[1..] == [0.0; 2], "{method}, {e}, {speed}: {found:?}");
        // W = J U, of which the fraction e² remains in the wall's frame.
        let gains = run.ledger().unwrap().run.gains;
        let expected = [(1.0 + e) * speed * speed, 0.5 * (e * e - 1.0) * speed * speed];
        for (found, expected) in [gains.colliders, gains.contact].into_iter().zip(expected) {
            let off = (found - expected).abs();
            assert!(off <= 1e-11 * speed * speed, "{method}, {e}, {speed}: {gains:?}");
        }
    }
}

#[test]
fn a_turning_paddle_bats_a_node_at_rest_across_itself() {
    for (e, omega, radius) in [0.0, 0.6, 1.0]
        .into_iter()
        .flat_map(|e| [0.2, 3.0, 40.0].map(|omega| (e, omega)))
        .flat_map(|(e, omega)| [0.3, 1.0, 7.0].map(|radius| (e, omega, radius)))
    {
        for phase in 1..10 {
            // The paddle reaches the node after a fraction of the fourth step.
            let (step, angle) = (0.05, -0.05 * (3.0 + 0.1 * f64::from(phase)));
            let normal = [-libm::sin(angle), libm::cos(angle), 0.0];
            let paddle = plane(normal, 2, (e, 0.0));
            let motion = steady([0.0; 3], [0.0; 3], 2, [0.0, 0.0, omega]);
            let setup = nodes(&[[radius, 0.0, 0.0]], &[[0.0; 3]], 2)
                .collider(Moving::new(paddle, motion))
                .frames(step / omega, 1)
                .check()
                .unwrap();
            let mut run = Simulation::new(setup);
            (0..4).for_each(|_| run.step());
            assert!(!run.contact_impulses().is_empty());
            let [x, y, _] = run.velocity(0).unwrap();
            let expected = (1.0 + e) * omega * radius;
            let (off, across) = (y / expected - 1.0, x / expected);
            let tolerance = step * step / 8.0 + 1e-12;
            assert!(off.abs() <= tolerance && across.abs() <= tolerance, "{e} {omega}: {x}, {y}");
        }
    }
}

#[test]
fn a_belt_drags_a_node_until_it_moves_with_it() {
    let (belt, friction, gravity) = (2.0, 0.4, 9.81);
    for axes in [2, 3] {
        let ground = plane([0.0, 1.0, 0.0], axes, (0.0, friction));
        let motion = steady([0.0; 3], [belt, 0.0, 0.0], axes, [0.0; 3]);
        let setup = nodes(&[[0.0; 3]], &[[0.0; 3]], axes)
            .collider(Moving::new(ground, motion))
            .gravity([0.0, -gravity, 0.0][..axes].to_vec())
            .frames(0.001, 1)
            .check()
            .unwrap();
        let dt = setup.dt();
        let mut run = Simulation::new(setup);
        let mut slipped = f64::NAN;
        while run.state().t < 1.0 {
            run.step();
            let [v, ..] = run.velocity(0).unwrap();
            if v == belt && slipped.is_nan() {
                slipped = run.state().t;
            }
            let expected = (friction * gravity * run.state().t).min(belt);
            assert!((v - expected).abs() <= 1e-12, "{}: {v}, not {expected}", run.state().t);
        }
        assert!((slipped - 0.509684).abs() <= dt, "{slipped}");
    }
}

/// The angle by which a drum of radius 1 and angular velocity 3 has moved a node on its top after a
/// time of 0.2, in steps of `dt`.
fn dragged(friction: f64, dt: f64) -> f64 {
    let drum = Sphere { center: at([0.0; 3], 2), radius: 1.0, restitution: 0.0, friction };
    let motion = steady([0.0; 3], [0.0; 3], 2, [0.0, 0.0, -3.0]);
    let setup = nodes(&[[0.0, 1.0, 0.0]], &[[0.0; 3]], 2)
        .collider(Moving::new(drum, motion))
        .gravity([0.0, -100.0])
        .frames(dt, 1)
        .check()
        .unwrap();
    let steps = (0.2 / dt).round() as usize;
    let mut run = Simulation::new(setup);
    (0..steps).for_each(|_| run.step());
    let [x, y, _] = run.position(0).unwrap();
    assert!(((x * x + y * y).sqrt() - 1.0).abs() < 1e-9, "{x}, {y}");
    libm::atan2(x, y)
}

#[test]
fn a_turning_drum_takes_a_node_along_by_friction_alone() {
    // Without friction, the node on the top does not move, to second order.
    for dt in [1e-3, 2e-4] {
        let found = dragged(0.0, dt).abs();
        assert!(found < 200.0 * dt * dt, "{dt}: {found:e}");
    }
    // With enough friction, the node rotates with the drum from the first step on.
    for dt in [1e-3, 1e-4] {
        let off = dragged(1e6, dt) - 0.6;
        assert!(off.abs() < 1e-9, "{dt}: {off:e}");
    }
}

#[test]
fn a_ball_that_spins_under_a_net_of_nodes_leaves_those_alone_that_it_does_not_touch() {
    let ball = Sphere { center: at([0.0; 3], 3), radius: 1.0, restitution: 0.0, friction: 1.0 };
    let motion = steady([0.0; 3], [0.0; 3], 3, [0.0, 20.0, 0.0]);
    let setup = nodes(&[[1.01, 0.0, 0.0], [0.0, 1.001, 0.0]], &[[0.0; 3]; 2], 3)
        .collider(Moving::new(ball, motion))
        .frames(0.01, 4)
        .check()
        .unwrap();
    let (mut run, start) = (Simulation::new(setup.clone()), setup.initial.clone());
    (0..400).for_each(|_| run.step());
    assert_eq!((&run.state().x, &run.state().v), (&start.x, &start.v));
}

#[test]
fn a_tray_carries_what_lies_on_it_through_the_air() {
    // A plate that accelerates upwards and then stops: the node flies on and returns.
    let tray = Plane { restitution: 0.0, ..plane([0.0, 1.0, 0.0], 2, (0.0, 0.0)) };
    let keys = vec![(0.0, at([0.0; 3], 2)), (0.5, at([0.0, 1.0, 0.0], 2))];
    let along = catena_sim::drive::curve::Linear { keys };
    let motion =
        catena_sim::drive::motion::Travel { along: Some(std::sync::Arc::new(along)), turn: None };
    let setup = nodes(&[[0.0; 3]], &[[0.0; 3]], 2)
        .collider(Moving::new(tray, motion))
        .gravity([0.0, -9.81])
        .frames(1e-3, 1)
        .check()
        .unwrap();
    let mut run = Simulation::new(setup);
    let mut highest = 0.0_f64;
    for _ in 0..1500 {
        run.step();
        let [_, y, _] = run.position(0).unwrap();
        if run.state().t < 0.5 {
            assert!((y - 2.0 * run.state().t).abs() < 1e-12, "{y}");
        }
        highest = highest.max(y);
    }
    // Thrown up at a speed of 2: v²/2g above the stop.
    assert!((highest - (1.0 + 4.0 / (2.0 * 9.81))).abs() < 3e-3, "{highest}");
    assert!((run.position(0).unwrap()[1] - 1.0).abs() < 1e-12);
}
