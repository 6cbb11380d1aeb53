//! Moving frames: a body that moves with its colliders behaves like a body between colliders at
//! rest.

use super::{at, steady};
use catena_sim::contact::collider::{Box, Capsule, Moving, Plane, Sphere};
use catena_sim::{Collider, Rope, Setup, Simulation};
use std::sync::Arc;

/// Colliders in the path of a falling rope.
fn obstacles(axes: usize) -> Vec<Arc<dyn Collider>> {
    let (restitution, friction) = (0.3, 0.4);
    vec![
        Arc::new(Plane {
            point: at([0.0, -0.5, 0.0], axes),
            normal: at([0.25, 1.0, 0.125], axes),
            restitution: 0.0,
            friction,
        }),
        Arc::new(Sphere {
            center: at([-0.5, 0.0, 0.0], axes),
            radius: 0.25,
            restitution,
            friction,
        }),
        Arc::new(Capsule {
            a: at([0.25, -0.125, -0.5], axes),
            b: at([0.5, 0.0, 0.5], axes),
            radius: 0.125,
            restitution,
            friction,
        }),
        Arc::new(Box {
            center: at([1.0, -0.25, 0.0], axes),
            size: at([0.25, 0.5, 0.5], axes),
            along: None,
            up: None,
            restitution,
            friction,
        }),
    ]
}

/// A rope that falls onto colliders, with everything in uniform motion.
fn falling(axes: usize, velocity: [f64; 3], still: bool) -> Simulation {
    let of = |point: [f64; 3]| point[..axes].to_vec();
    let rope = Rope::new(of([-1.0, 0.5, 0.0]), of([1.25, 0.75, 0.0]), 19).of(0.0625, 400.0);
    let mut setup = Setup::new(&rope).gravity(of([0.0, -8.0, 0.0])).radius(0.03125);
    for node in 0..19 {
        setup = setup.velocity(node, of(velocity));
    }
    for collider in obstacles(axes) {
        let motion = Arc::new(steady([0.0; 3], velocity, axes, [0.0; 3]));
        setup = setup.collider_of(match still {
            true => collider,
            false => Arc::new(Moving { of: collider, motion }),
        });
    }
    Simulation::new(setup.frames(1.0 / 64.0, 16).check().unwrap())
}

#[test]
fn a_frame_in_uniform_motion_is_as_good_as_one_at_rest() {
    for axes in [2, 3] {
        let velocity = [[0.5, -0.25, 0.0], [0.5, -0.25, 2.0]][axes - 2];
        let (mut still, mut moving) =
            (falling(axes, [0.0; 3], true), falling(axes, velocity, false));
        let mut touched = 0;
        for step in 0..600 {
            still.step();
            moving.step();
            touched += usize::from(!still.contact_impulses().is_empty());
            for node in 0..19 {
                let (at, other) = (still.position(node).unwrap(), moving.position(node).unwrap());
                let t = still.state().t;
                for k in 0..3 {
                    let off = other[k] - velocity[k] * t - at[k];
                    assert!(off.abs() < 1e-9, "{axes} axes, step {step}, node {node}: {off:e}");
                }
            }
        }
        assert!(touched > 200, "{touched}");
    }
}
