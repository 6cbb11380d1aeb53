//! Bodies on moving pins: a pendulum on a driven pivot, and a swing carousel on a rotating bone.

use crate::rigs::about;
use catena_sim::drive::rig::{
    Animation, Blend, Bone, BonePin, BoneTracks, Clip, Layer, RotationTrack, Skeleton, Transform,
};
use catena_sim::drive::track::{Animated, Extent, KeyTrack, Track, TrackCurve};
use catena_sim::glam::DVec3;
use catena_sim::method::VelocityVerlet;
use catena_sim::{Curve, Outcome, Rope, Setup, Simulation};
use std::f64::consts::TAU;
use std::sync::Arc;

/// A point that oscillates along x: 0.01 sin t.
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

/// A stiff rod on a moving pin: the angle of its free node from the vertical in each frame.
fn angles(
    [from, to]: [DVec3; 2],
    velocity: DVec3,
    pin: impl Curve + Clone + 'static,
    frames: u32,
) -> Vec<f64> {
    let rope = Rope::new(from.to_array(), to.to_array(), 2).of(1.0, 1e6).pin(0);
    let setup = Setup::new(&rope)
        .gravity([0.0, -9.81, 0.0])
        .method(VelocityVerlet::default())
        .frames(1.0 / 60.0, 64)
        .anchor(0, pin.clone())
        .velocity(1, velocity.to_array())
        .check()
        .unwrap();
    let mut simulation = Simulation::new(setup);
    let mut angles = Vec::new();
    for _ in 0..frames {
        simulation.advance_frame();
        assert_eq!(simulation.outcome(), Outcome::Fine);
        let [held, free] = [0, 1].map(|node| simulation.position(node).unwrap());
        let expected = pin.at(simulation.state().t);
        assert_eq!((held, simulation.velocity(0).unwrap()), expected);
        let offset = DVec3::from_array(free) - DVec3::from_array(held);
        angles.push(libm::atan2(libm::hypot(offset.x, offset.z), -offset.y));
    }
    angles
}

#[test]
fn a_driven_pendulum_swings_as_far_as_known() {
    let amplitude = 0.001_135_073_779_795_686_7;
    let pin = TrackCurve(Arc::new(Swinging));
    let ends = [DVec3::ZERO, -DVec3::Y];
    // Starts on the oscillation with constant amplitude.
    let velocity = DVec3::X * (0.01 + amplitude);
    let angles = angles(ends, velocity, pin, 400);
    let greatest = angles.iter().copied().fold(0.0, f64::max);
    assert!((greatest / amplitude - 1.0).abs() <= 1e-3, "{greatest}");
}

#[test]
fn a_chairoplane_flies_at_its_angle() {
    let (angle, omega) = (0.462_637_500_979_351_75, 2.0);
    let bones = vec![
        Bone::on("mast", "arm", Transform::at(DVec3::X)),
        Bone::root("mast", Transform::IDENTITY.turned(about(DVec3::Y, 0.0))),
    ];
    let skeleton = Arc::new(Skeleton::new(bones).unwrap());
    let turning = KeyTrack::linear(&[(-10.0, [-10.0 * omega]), (100.0, [100.0 * omega])]).unwrap();
    let rotation = RotationTrack::about(DVec3::Y, Animated::moving(turning)).unwrap();
    let tracks = BoneTracks { rotation: Some(rotation), ..BoneTracks::default() };
    let clip = Arc::new(Clip::new(&skeleton, [("mast", tracks)]).unwrap());
    let layers = vec![Layer::new(clip, Blend::Mix)];
    let animation = Arc::new(Animation::new(skeleton, layers).unwrap());
    let pin = BonePin::new(animation, "arm", DVec3::ZERO).unwrap();

    let (sine, cosine) = libm::sincos(angle);
    let seat = DVec3::X + DVec3::new(sine, -cosine, 0.0) * 0.5;
    let velocity = (DVec3::Y * omega).cross(seat);
    for found in angles([DVec3::X, seat], velocity, pin, 300) {
        assert!((found - angle).abs() <= 1e-4, "{found}");
    }
}
