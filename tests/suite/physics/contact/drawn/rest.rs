//! Rest: bodies at rest stay where they are to the last digit, on every collider and on other
//! ropes, at any step and with every method.

use super::{Body, thick};
use catena::sim::contact::collider::{Box as Block, Capsule, Moving, Plane};
use catena::sim::drive::{curve::Linear, motion::Travel};
use catena::sim::method::{METHODS, with_defaults};
use catena::sim::{SetupBuilder, Simulation};
use std::sync::Arc;

const HALF: f64 = 0.01;
/// Drift and speed that count as none: rounding, beside what moves of greater numbers. Velocities
/// between ropes are found to a billionth of what a step gives.
const NONE: [f64; 2] = [1e-14, 1e-11];
const NONE_MOVING: [f64; 2] = [1e-13, 1e-10];
const NONE_BETWEEN_ROPES: [f64; 2] = [1e-14, 1e-10];

/// A body that lies still beside something that moves at a velocity.
struct Case {
    name: &'static str,
    setup: SetupBuilder,
    velocity: [f64; 3],
    bounds: [f64; 2],
}

fn line(count: usize, half_length: f64, y: f64) -> Vec<[f64; 3]> {
    let x = |i: usize| half_length * (2.0 * i as f64 / (count - 1) as f64 - 1.0);
    (0..count).map(|i| [x(i), y, 0.0]).collect()
}

/// Ropes that lie at these heights, one on the other.
fn lying(axes: usize, heights: &[f64]) -> Body {
    let mut body = Body::new(axes);
    for (k, y) in heights.iter().enumerate() {
        let points = line(12 - k, 0.17 - 0.02 * k as f64, *y);
        body.rope("", &points, false, (0.002, 300.0), thick(2.0 * HALF, 0.0, 0.8));
    }
    body
}

/// A plane through a height.
fn plane(y: f64) -> Plane {
    Plane { point: [0.0, y].into(), normal: [0.0, 1.0].into(), restitution: 0.0, friction: 1.2 }
}

fn block(axes: usize) -> Block {
    let (center, size) = match axes {
        2 => ([0.0, 0.0].into(), [0.4, 0.2].into()),
        _ => ([0.0; 3].into(), [0.4, 0.2, 0.3].into()),
    };
    Block { center, size, along: None, up: None, restitution: 0.0, friction: 0.8 }
}

/// A steady motion of the frame of a collider.
fn carried(velocity: [f64; 3]) -> Travel {
    let [x, y, _] = velocity;
    let keys = vec![(-9.0, [-9.0 * x, -9.0 * y].into()), (9.0, [9.0 * x, 9.0 * y].into())];
    Travel { along: Some(Arc::new(Linear { keys })), turn: None }
}

fn cases() -> Vec<Case> {
    let down = [0.0, -9.81];
    // Gravity on a slope of 30 degrees.
    let aslant = [4.905, -8.4957];
    let top = 0.1 + HALF;
    let damped = |body: Body| body.setup().spring_damping(0.1);
    let still = |name, setup| Case { name, setup, velocity: [0.0; 3], bounds: NONE };
    let along = Capsule {
        a: [-0.2, 0.0].into(),
        b: [0.2, 0.0].into(),
        radius: 0.1,
        restitution: 0.0,
        friction: 0.8,
    };
    let velocity = [0.25, 0.125, 0.0];
    let mut begun = damped(lying(2, &[top])).gravity(down);
    for node in 0..12 {
        begun = begun.velocity(node, velocity[..2].to_vec());
    }
    let moving = Moving::new(block(2), carried(velocity));
    let ropes = damped(lying(2, &[HALF, 3.0 * HALF])).gravity(down).collider(plane(0.0));
    let ropes = Case { bounds: NONE_BETWEEN_ROPES, ..still("ropes", ropes) };
    vec![
        still("slope", damped(lying(2, &[HALF])).gravity(aslant).collider(plane(0.0))),
        still("capsule", damped(lying(2, &[top])).gravity(aslant).collider(along)),
        still("box", damped(lying(2, &[top])).gravity(aslant).collider(block(2))),
        still(
            "box in space",
            damped(lying(3, &[top])).gravity([0.0, -9.81, 0.0]).collider(block(3)),
        ),
        ropes,
        Case { name: "moving box", setup: begun.collider(moving), velocity, bounds: NONE_MOVING },
    ]
}

/// Greatest displacement and speed relative to the collider, in `steps` after `before`.
fn motion(case: &Case, run: &mut Simulation, before: u64, steps: u64) -> [f64; 2] {
    (0..before).for_each(|_| run.step());
    let n = run.setup().model.nodes();
    let places = |run: &Simulation| -> Vec<f64> {
        let t = run.state().t;
        let beside = |i| {
            let at = run.position(i).unwrap();
            [0, 1, 2].map(|k| at[k] - t * case.velocity[k])
        };
        (0..n).flat_map(beside).collect()
    };
    let (begun, mut far, mut fast) = (places(run), 0.0_f64, 0.0_f64);
    for _ in 0..steps {
        run.step();
        for (now, begun) in places(run).iter().zip(&begun) {
            far = far.max((now - begun).abs());
        }
        for i in 0..n {
            let v = run.velocity(i).unwrap();
            (0..3).for_each(|k| fast = fast.max((v[k] - case.velocity[k]).abs()));
        }
    }
    [far, fast]
}

#[test]
fn what_lies_still_stays_where_it_is_with_every_method() {
    let mut failed = Vec::new();
    for method in METHODS {
        for substeps in [10, 100, 4000] {
            for case in cases() {
                // Methods that grow at any step do not rest beside what gives way or moves.
                if case.bounds != NONE && method.limit == Some(0.0) {
                    continue;
                }
                let name = format!("{} on {}, {substeps} substeps", method.name, case.name);
                let setup = case.setup.clone().method_of(with_defaults(method.name).unwrap());
                // Stiff springs need short steps with some methods.
                let Ok(setup) = setup.frames(1.0 / 60.0, substeps).build() else { continue };
                let mut run = Simulation::new(setup);
                let [far, fast] = motion(&case, &mut run, 150, 50);
                if run.is_out_of_order() {
                    continue;
                }
                let [drift, speed] = case.bounds;
                if !(far <= drift && fast <= speed) {
                    failed.push(format!("{name}: moved by {far:e}, speed {fast:e}"));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn ten_thousand_frames_move_nothing() {
    for case in cases().into_iter().take(1) {
        let setup = case.setup.clone().frames(1.0 / 60.0, 10).build().unwrap();
        let mut run = Simulation::new(setup);
        let [far, fast] = motion(&case, &mut run, 100, 100_000);
        assert_eq!([far, fast], [0.0; 2], "{}", case.name);
    }
}
