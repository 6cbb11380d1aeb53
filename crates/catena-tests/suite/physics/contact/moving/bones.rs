//! Colliders on bones follow their bones, and scaled bones are refused.

use super::{at, plane, steady};
use catena_sim::contact::collider::{Capsule, Moving, Plane};
use catena_sim::drive::motion::Motion;
use catena_sim::drive::rig::{
    Animation, Blend, Bone, BoneFrame, BoneTracks, Clip, Layer, RotationTrack, Skeleton, Transform,
};
use catena_sim::drive::track::{Animated, Key, KeyTrack, Playback, Played, Repeat};
use catena_sim::glam::DVec3;
use catena_sim::{Rope, Setup, Simulation};
use std::sync::Arc;

/// An arm of two bones that rotate about z at different rates.
fn arm(rates: [f64; 2], scale: Option<[f64; 3]>) -> Arc<Animation> {
    arm_of(rates, scale.map(Animated::Constant))
}

/// A random frame with an arbitrary scale.
fn arm_of(rates: [f64; 2], scale: Option<Animated<3>>) -> Arc<Animation> {
    let skeleton = Skeleton::new(vec![
        Bone::root("upper", Transform::at(DVec3::new(0.25, 1.0, 0.0))),
        Bone::on("upper", "lower", Transform::at(DVec3::new(0.5, 0.0, 0.0))),
    ]);
    let skeleton = Arc::new(skeleton.unwrap());
    let tracks = ["upper", "lower"].into_iter().zip(rates).map(|(bone, rate)| {
        let key = |t: f64| Key::new(t, [t * rate]);
        let angle = Animated::moving(KeyTrack::new(vec![key(-64.0), key(64.0)]).unwrap());
        let rotation = Some(RotationTrack::about(DVec3::Z, angle).unwrap());
        let scale = scale.clone().filter(|_| bone == "upper");
        (bone, BoneTracks { rotation, scale, ..BoneTracks::default() })
    });
    let clip = Arc::new(Clip::new(&skeleton, tracks).unwrap());
    Arc::new(Animation::new(skeleton, vec![Layer::new(clip, Blend::Over)]).unwrap())
}

#[test]
fn the_frame_of_a_bone_moves_as_its_rotation_and_its_place_do() {
    let bone = BoneFrame::new(arm([2.0, -3.0], None), "lower").unwrap();
    let h = 1e-5;
    for t in [0.0, 0.3, 1.7] {
        let [before, now, after] = [t - h, t, t + h].map(|t| bone.at(t));
        for point in [[0.0, 0.0, 0.0], [0.7, -0.2, 0.1]] {
            let place = now.point(point);
            let back = now.inverse(place);
            let velocity = now.velocity_at(place);
            for k in 0..3 {
                let difference = (after.point(point)[k] - before.point(point)[k]) / (2.0 * h);
                assert!((difference - velocity[k]).abs() < 1e-8, "{t}: {difference}");
                assert!((back[k] - point[k]).abs() < 1e-15);
            }
        }
        assert!((now.omega[2] + 1.0).abs() < 1e-12 && now.is_planar());
    }
    let world = bone.at(0.0).point([0.7, 0.0, 0.0]);
    assert_eq!(world, [1.45, 1.0, 0.0]);
}

#[test]
fn a_capsule_on_a_bone_does_what_it_does_on_the_same_motion() {
    let rod = || Capsule {
        a: at([0.0; 3], 3),
        b: at([0.7, 0.0, 0.0], 3),
        radius: 0.1,
        restitution: 0.2,
        friction: 0.3,
    };
    let on_bone = BoneFrame::new(arm([2.0, 0.0], None), "upper").unwrap();
    let alone = steady([0.25, 1.0, 0.0], [0.0; 3], 3, [0.0, 0.0, 2.0]);
    let run = |moving: Moving| {
        let rope = Rope::new([-0.6, 1.3, 0.0], [0.9, 1.4, 0.1], 15).of(0.02, 200.0).pin(0).pin(14);
        let setup = Setup::new(&rope).gravity([0.0, -9.81, 0.0]).collider(moving);
        let mut run = Simulation::new(setup.frames(0.02, 20).check().unwrap());
        let mut touched = 0;
        (0..3000).for_each(|_| {
            run.step();
            touched += usize::from(!run.contact_impulses().is_empty());
        });
        assert!(touched > 300, "{touched}");
        run.state().x.clone()
    };
    let (bone, other) = (run(Moving::new(rod(), on_bone)), run(Moving::new(rod(), alone)));
    for (a, b) in bone.iter().zip(&other) {
        assert!((a - b).abs() < 1e-6, "{a} and {b}");
    }
}

#[test]
fn what_is_not_rigid_is_refused_in_words() {
    let scaled = BoneFrame::new(arm([1.0, 1.0], Some([1.0, 2.0, 1.0])), "lower");
    let message = scaled.unwrap_err().to_string();
    let expected = "bone: objects attached to bone “lower” must be rigid, but bone “upper” is \
                    scaled: remove the scale from its bind pose and its tracks";
    assert_eq!(message, expected);
    // A track without effect is dropped.
    assert!(BoneFrame::new(arm([1.0, 1.0], Some([1.0 + 1e-8, 1.0, 1.0])), "lower").is_ok());
    let pulsing = |size: f64| {
        let keys = [(0.0, [1.0; 3]), (7.0, [1.0; 3]), (7.01, [size; 3]), (7.02, [1.0; 3])];
        let track = Arc::new(KeyTrack::linear(&keys).unwrap());
        let playback = Playback::new((0.0, 7.02), 0.0, 1.0, Repeat::Loop).unwrap();
        BoneFrame::new(
            arm_of([1.0, 1.0], Some(Animated::moving(Played { track, playback }))),
            "lower",
        )
    };
    assert_eq!(pulsing(1.5).unwrap_err().to_string(), expected);
    assert!(pulsing(1.0).is_ok());

    let rope = Rope::new([0.0, 2.0], [1.0, 2.0], 3);
    let refused = |moving: Moving| {
        Setup::new(&rope).collider(moving).check().map(|_| ()).unwrap_err().to_string()
    };
    let wall = plane([0.0, 1.0, 0.0], 2, (0.0, 0.0));
    let out = steady([0.0; 3], [0.0; 3], 2, [1.0, 0.0, 0.0]);
    let message = refused(Moving::new(wall.clone(), out));
    assert_eq!(
        message,
        "colliders[0].turn: expected rotations about z alone, since the scene is planar"
    );
    let twice = Moving::new(
        Moving::new(wall, steady([0.0; 3], [0.0; 3], 2, [0.0; 3])),
        steady([0.0; 3], [0.0; 3], 2, [0.0; 3]),
    );
    let expected = "colliders[0].of: expected a collider other than Moving";
    assert_eq!(refused(twice), expected);
    let wide = Plane { friction: -1.0, ..plane([0.0, 1.0, 0.0], 2, (0.0, 0.0)) };
    let message = refused(Moving::new(wide, steady([0.0; 3], [0.0; 3], 2, [0.0; 3])));
    assert_eq!(message, "colliders[0].friction: expected a number of at least 0");
}
