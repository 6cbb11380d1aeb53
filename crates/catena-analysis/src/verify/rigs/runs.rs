//! Checks of bodies on moving pins and colliders.

use super::{pin, turning};
use crate::verify::{
    Tolerance::{Absolute, Relative},
    check::{CheckList, CheckSetups},
};
use catena_sim::{
    Curve, Outcome, Rope, Setup, SetupBuilder,
    contact::collider::{Moving, Plane},
    drive::{
        curve::Linear,
        motion::Travel,
        rig::{Bone, Transform},
        track::{Extent, Track, TrackCurve},
    },
    glam::DVec3,
    method::VelocityVerlet,
};
use std::{f64::consts::TAU, sync::Arc};

pub(super) fn add(list: &mut CheckList) {
    list.set_reference(
        "a pin on a bone follows a curve: position and velocity are exact at any time",
    );
    list.add("driven pendulum, pivot 0.01 sin t, L = 1", PENDULUM, Relative(1e-3), pendulum);
    list.add("chairoplane, arm 1, rope 1/2, ω = 2", CHAIROPLANE, Absolute(1e-4), chairoplane);
    list.set_reference(
        "the response acts on the velocity relative to the collider: (1 + e) U, and μ g t up to U",
    );
    list.add("moving wall, e = 1/2 and U = 2: speed after the hit", 3.0, Relative(1e-12), wall);
    let swept = PADDLE_STEP * PADDLE_STEP / 8.0;
    list.add("paddle, e = 1/2, ω = 3 and r = 1: speed after the hit", 4.5, Relative(swept), paddle);
    list.add(
        "belt, U = 2, μ = 0.4 and g = 9.81: time of slipping",
        0.509_684,
        Absolute(BELT_STEP),
        belt,
    );
}

/// Rope of two free nodes that hits a moving plane. Its spring is so weak that the nodes move
/// independently.
fn met(ends: [[f64; 2]; 2], plane: Plane, travel: Travel) -> SetupBuilder {
    let rope = Rope::new(ends[0], ends[1], 2).of(1.0, 1e-12);
    Setup::new(&rope).method(VelocityVerlet::default()).collider(Moving::new(plane, travel))
}

/// Plane through the origin with normal y.
fn ground(restitution: f64, friction: f64) -> Plane {
    Plane { point: [0.0, 0.0].into(), normal: [0.0, 1.0].into(), restitution, friction }
}

/// Motion through a position at constant velocity.
fn steadily(place: [f64; 2], velocity: [f64; 2]) -> Travel {
    let at = |t: f64| [place[0] + t * velocity[0], place[1] + t * velocity[1]];
    let along = Linear { keys: vec![(-64.0, at(-64.0).into()), (64.0, at(64.0).into())] };
    Travel { along: Some(Arc::new(along)), turn: None }
}

/// Speed of a node, initially at rest, after it is hit by a wall that rises at 2.
fn wall(setups: &CheckSetups<'_>) -> Option<f64> {
    let rise = steadily([0.0, -0.11], [0.0, 2.0]);
    let setup = met([[0.0, 0.0], [1.0, 0.0]], ground(0.5, 0.0), rise).frames(0.01, 1);
    let mut run = setups.start(setup.build().ok()?);
    (0..7).for_each(|_| run.step());
    Some(run.velocity(0)?[1])
}

/// Angle by which the paddle rotates per step.
const PADDLE_STEP: f64 = 0.05;

/// Speed of a node, initially at rest at distance 1 from the axis, after it is hit by a paddle that
/// rotates at 3.
fn paddle(setups: &CheckSetups<'_>) -> Option<f64> {
    let turn = turning(DVec3::Z, -3.5 * PADDLE_STEP, 3.0).ok()?.rotation;
    let travel = Travel { along: None, turn };
    let setup = met([[1.0, 0.0], [2.0, 0.0]], ground(0.5, 0.0), travel);
    let mut run = setups.start(setup.frames(PADDLE_STEP / 3.0, 1).build().ok()?);
    (0..4).for_each(|_| run.step());
    Some(run.velocity(0)?[1])
}

/// Time step on the belt.
const BELT_STEP: f64 = 1e-3;

/// Time until a node that slips on a belt reaches the belt's velocity.
fn belt(setups: &CheckSetups<'_>) -> Option<f64> {
    let speed = 2.0;
    let travel = steadily([0.0, 0.0], [speed, 0.0]);
    let setup = met([[0.0, 0.0], [1.0, 0.0]], ground(0.0, 0.4), travel);
    let setup = setup.gravity([0.0, -9.81]).frames(BELT_STEP, 1);
    let mut run = setups.start(setup.build().ok()?);
    (0..1000).find_map(|_| {
        run.step();
        let is_along = (run.velocity(0)?[0] - speed).abs() < 1e-9;
        is_along.then(|| run.state().t)
    })
}

/// Amplitude in radians of the steady oscillation of the pendulum, 0.01/(g - 1) for g = 9.81.
const PENDULUM: f64 = 0.001_135_073_779_795_686_7;
/// Steady angle θ in radians of the chairoplane's rope from the vertical. This angle solves the
/// equation ω² (1 + ½ sin θ) = g tan θ for ω = 2 and g = 9.81.
const CHAIROPLANE: f64 = 0.462_637_500_979_351_75;

/// Angle from the vertical of a stiff rod on a moving pin, one value per frame. `velocity` is the
/// initial velocity of the rod's free end.
fn angles(
    setups: &CheckSetups<'_>,
    [from, to]: [DVec3; 2],
    velocity: DVec3,
    pin: impl Curve + 'static,
    frames: u32,
) -> Option<Vec<f64>> {
    let rope = Rope::new(from.to_array(), to.to_array(), 2).of(1.0, 1e6).pin(0);
    let setup = Setup::new(&rope)
        .gravity([0.0, -9.81, 0.0])
        .method(VelocityVerlet::default())
        .frames(1.0 / 60.0, 64)
        .anchor(0, pin)
        .velocity(1, velocity.to_array())
        .build()
        .ok()?;
    let mut run = setups.start(setup);
    let mut angles = Vec::new();
    for _ in 0..frames {
        run.advance_frame();
        if run.outcome() != Outcome::Fine {
            return None;
        }
        let [held, free] = [0, 1].map(|node| run.position(node));
        let offset = DVec3::from_array(free?) - DVec3::from_array(held?);
        angles.push(libm::atan2(libm::hypot(offset.x, offset.z), -offset.y));
    }
    Some(angles)
}

/// Position that oscillates along x: 0.01 sin t.
#[derive(Debug)]
struct Swinging;
catena_sim::identity!(Swinging {});

impl Track<3> for Swinging {
    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        let (sine, cosine) = libm::sincos(t);
        ([0.01 * sine, 0.0, 0.0], [0.01 * cosine, 0.0, 0.0])
    }

    fn extent(&self) -> Extent {
        Extent::Endless(0.0, TAU)
    }
}

/// Maximum angle of a pendulum that starts in its steady oscillation, without growth or beats.
fn pendulum(setups: &CheckSetups<'_>) -> Option<f64> {
    let velocity = DVec3::X * (0.01 + PENDULUM);
    let pivot = TrackCurve(Arc::new(Swinging));
    let angles = angles(setups, [DVec3::ZERO, -DVec3::Y], velocity, pivot, 400)?;
    angles.into_iter().reduce(f64::max)
}

/// Angle of the seat in the frame with the maximum deviation from the equilibrium angle.
fn chairoplane(setups: &CheckSetups<'_>) -> Option<f64> {
    let omega = 2.0;
    let bones = vec![
        Bone::root("mast", Transform::IDENTITY),
        Bone::on("mast", "arm", Transform::at(DVec3::X)),
    ];
    let tracks = vec![("mast", turning(DVec3::Y, 0.0, omega).ok()?)];
    let pin = pin(bones, tracks, "arm", DVec3::ZERO).ok()?;
    let (sine, cosine) = libm::sincos(CHAIROPLANE);
    let seat = DVec3::X + DVec3::new(sine, -cosine, 0.0) * 0.5;
    let velocity = (DVec3::Y * omega).cross(seat);
    let angles = angles(setups, [DVec3::X, seat], velocity, pin, 300)?;
    let off = |angle: &f64| (angle - CHAIROPLANE).abs();
    angles.into_iter().max_by(|a, b| off(a).total_cmp(&off(b)))
}
