//! Nodes that are wedged between colliders: moving colliders yield, and fixed ones do not.

use super::{at, nodes, plane, steady};
use catena_sim::Simulation;
use catena_sim::contact::SelfContact;
use catena_sim::contact::collider::{Capsule, Moving, Sphere, Surface};
use catena_sim::{Arrangement, Collider, Model, Rope, Setup, Spring, State};

#[test]
fn a_piston_passes_over_what_a_wall_holds() {
    for (speed, substeps, friction) in
        [(1.0, 10, 0.0), (1.0, 10, 0.9), (300.0, 1, 0.3), (0.01, 100, 0.0)]
    {
        let piston = plane([0.0, -1.0, 0.0], 2, (0.2, friction));
        let motion = steady([0.0, 0.5, 0.0], [0.0, -speed, 0.0], 2, [0.0; 3]);
        let setup = nodes(&[[0.0, 0.1, 0.0], [0.3, 0.0, 0.0]], &[[0.0; 3]; 2], 2)
            .collider(Moving::new(piston, motion))
            .collider(plane([0.0, 1.0, 0.0], 2, (0.0, friction)))
            .gravity([0.0, -9.81])
            .frames(0.1 / speed, substeps)
            .check()
            .unwrap();
        let mut run = Simulation::new(setup);
        for _ in 0..20 * substeps {
            run.step();
            assert!(run.state().is_finite());
            let State { x, v, .. } = run.state();
            assert!(x[2] >= 0.0 && x[3] >= 0.0, "{speed}: {x:?}");
            let fastest = v.iter().fold(0.0_f64, |maximum, v| maximum.max(v.abs()));
            assert!(fastest <= 4.0 * speed + 10.0, "{speed}: {v:?}");
        }
        // The piston is below the wall, and the nodes are on the wall.
        assert!(run.state().x[2..].iter().all(|y| *y < 1e-3), "{:?}", run.state().x);
    }
}

#[test]
fn a_ball_on_a_wall_squeezes_nodes_out_and_passes_over_those_below_it() {
    for (start, is_out) in [(0.3, true), (0.2, true), (0.01, false), (0.0, false)] {
        let ball = Sphere { center: at([0.0; 3], 2), radius: 0.5, restitution: 0.0, friction: 0.0 };
        let motion = steady([0.0, 1.5, 0.0], [0.0, -1.0, 0.0], 2, [0.0; 3]);
        let moving = Moving::new(ball, motion);
        let setup = nodes(&[[start, 0.0, 0.0]], &[[0.0; 3]], 2)
            .collider(plane([0.0, 1.0, 0.0], 2, (0.0, 0.0)))
            .collider(moving.clone())
            .gravity([0.0, -9.81])
            .frames(0.01, 10)
            .check()
            .unwrap();
        let mut run = Simulation::new(setup);
        for _ in 0..1400 {
            run.step();
            let place = run.position(0).unwrap();
            let distance = moving.distance_at(run.state().t, place).0;
            assert!(run.state().is_finite() && place[1] >= 0.0, "{start}: {place:?}");
            assert!(distance >= -1e-12 || !is_out, "{start}: {place:?}, {distance:e}");
        }
        let [x, y, _] = run.position(0).unwrap();
        let [speed, ..] = run.velocity(0).unwrap();
        assert!(y < 1e-12 && speed.abs() < 20.0, "{start}: {y}, {speed}");
        assert!(if is_out { x > 0.48 } else { start > 0.0 || x == 0.0 }, "{start}: {x}");
    }
}

#[test]
fn a_pin_wins_over_a_collider_that_moves() {
    let rope = Rope::new([0.0, 0.0], [1.0, 0.0], 9).of(0.02, 100.0).pin(0).pin(8);
    let capsule = Capsule {
        a: at([0.0; 3], 2),
        b: at([0.5, 0.0, 0.0], 2),
        radius: 0.1,
        restitution: 0.0,
        friction: 0.4,
    };
    let motion = steady([-0.3, 0.5, 0.0], [0.0, -1.0, 0.0], 2, [0.0; 3]);
    let moving = Moving::new(capsule, motion);
    let setup = Setup::new(&rope).collider(moving.clone()).gravity([0.0, -9.81]);
    let mut run = Simulation::new(setup.frames(0.01, 20).check().unwrap());
    for _ in 0..2000 {
        run.step();
        assert!(run.state().is_finite());
        assert_eq!(run.position(0), Some([0.0; 3]));
        for node in 1..8 {
            let place = run.position(node).unwrap();
            let distance = moving.distance_at(run.state().t, place).0;
            assert!(distance >= -1e-12, "{node}: {distance:e}");
        }
    }
}

#[test]
fn a_wall_wins_over_the_thickness_of_nodes() {
    // A node between an approaching wall and a pinned node.
    let mass = vec![1.0; 3];
    let model = Model {
        axes: 2,
        pinned: vec![false, true, false],
        mass,
        springs: vec![Spring { a: 0, b: 2, stiffness: 1e-9, rest_length: 5.0 }],
        structural: 1,
        held: 1,
        arrangement: Arrangement::Parts,
        parts: Vec::new(),
    };
    let state = State::at_rest(vec![0.0, 0.4, 5.0, 0.0, 0.0, 3.0]);
    let motion = steady([-0.3, 0.0, 0.0], [0.5, 0.0, 0.0], 2, [0.0; 3]);
    let surface = Surface { restitution: 0.0, friction: 0.0 };
    let setup = Setup::of_body(model, state)
        .collider(Moving::new(plane([1.0, 0.0, 0.0], 2, (0.0, 0.0)), motion))
        .self_contact(SelfContact { thickness: 0.2, surface })
        .frames(0.01, 10)
        .check()
        .unwrap();
    let mut run = Simulation::new(setup);
    for _ in 0..1500 {
        run.step();
        let wall = -0.3 + 0.5 * run.state().t;
        let [x, y, _] = run.position(0).unwrap();
        assert!(run.state().is_finite() && x >= wall - 1e-12, "{x} behind {wall}");
        assert!(x < wall + 0.3 && y.abs() < 0.3, "{x}, {y} of {wall}");
        assert_eq!(run.position(1), Some([0.4, 0.0, 0.0]));
    }
}
