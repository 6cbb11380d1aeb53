//! Skeletons: trees in any order, refusals, known motions, and pins on bones.

use crate::rigs::{Numbers, about, farthest};
use catena_sim::drive::Curve;
use catena_sim::drive::rig::{
    Animation, Blend, Bone, BonePin, BoneTracks, Clip, Layer, Pose, RotationTrack, Skeleton,
    Transform,
};
use catena_sim::drive::track::{Animated, Key, KeyTrack};
use catena_sim::glam::{DAffine3, DQuat, DVec3};
use std::sync::Arc;

/// A tree of random bones in a random order.
fn random_bones(numbers: &mut Numbers, count: usize) -> Vec<Bone> {
    let mut bones: Vec<Bone> = Vec::new();
    for i in 0..count {
        let scale = DVec3::ONE + numbers.vector() * 0.2;
        let bind = Transform::at(numbers.vector()).turned(numbers.rotation()).scaled(scale);
        let parent = (i > 0).then(|| ((numbers.next() * 0.5 + 0.5) * i as f64) as usize);
        let name = format!("bone {i}");
        bones.push(Bone { name, parent: parent.map(|parent| format!("bone {parent}")), bind });
    }
    for i in (1..count).rev() {
        bones.swap(i, ((numbers.next() * 0.5 + 0.5) * i as f64) as usize);
    }
    bones
}

/// A key track with given rates, from 0 to 3.
fn cubic<const D: usize>(mut value: impl FnMut() -> [f64; D]) -> KeyTrack<D> {
    let key = |t| Key::new(f64::from(t), value()).rates(value(), value());
    KeyTrack::new((0..4).map(key).collect()).unwrap()
}

/// Random tracks for every bone.
fn random_clip(numbers: &mut Numbers, skeleton: &Skeleton) -> Clip {
    let mut tracks = Vec::new();
    for name in skeleton.names() {
        let place = cubic(|| numbers.vector().to_array());
        let turns: Vec<_> = (0..4).map(|t| (f64::from(t), numbers.rotation())).collect();
        let scale = cubic(|| (DVec3::ONE + numbers.vector() * 0.1).to_array());
        tracks.push((
            name.clone(),
            BoneTracks {
                place: Some(Animated::moving(place)),
                rotation: Some(RotationTrack::slerps(&turns).unwrap()),
                scale: Some(Animated::moving(scale)),
            },
        ));
    }
    Clip::new(skeleton, tracks).unwrap()
}

#[test]
fn the_bind_pose_times_its_inverse_is_the_identity() {
    let mut numbers = Numbers::new(5);
    for count in [1, 2, 7, 20] {
        let skeleton = Skeleton::new(random_bones(&mut numbers, count)).unwrap();
        let mut pose = Pose::default();
        skeleton.bind_pose(&mut pose);
        let mut matrices = Vec::new();
        pose.skin_matrices(skeleton.inverse_bind(), &mut matrices);
        for matrix in matrices {
            let off = farthest(matrix.to_cols_array(), DAffine3::IDENTITY.to_cols_array());
            assert!(off <= 1e-15, "{count} bones: {off}");
        }
    }
}

#[test]
fn the_order_of_bones_does_not_matter() {
    let mut numbers = Numbers::new(21);
    let bones = random_bones(&mut numbers, 30);
    let reversed: Vec<Bone> = bones.iter().rev().cloned().collect();
    let [a, b] = [bones, reversed].map(|bones| Skeleton::new(bones).unwrap());
    let [mut pose_a, mut pose_b] = [Pose::default(), Pose::default()];
    a.bind_pose(&mut pose_a);
    b.bind_pose(&mut pose_b);
    for (index, name) in a.names().iter().enumerate() {
        assert_eq!(pose_a.bones()[index], pose_b.bones()[b.bone(name).unwrap()], "{name}");
    }
    for &bone in a.order() {
        let place = |bone| a.order().iter().position(|other| *other == bone);
        assert!(a.parents()[bone].is_none_or(|parent| place(parent) < place(bone)));
    }
}

#[test]
fn what_is_no_tree_is_refused_by_name() {
    let at = Transform::IDENTITY;
    let flat = at.scaled(DVec3::new(1.0, 0.0, 1.0));
    let table: Vec<(Vec<Bone>, &str)> = vec![
        (
            vec![Bone::root("hip", at), Bone::root("hip", at)],
            "bones[1]: bone “hip”: bones[0] has the same name",
        ),
        (
            vec![Bone::on("neck", "head", at)],
            "bones[0].parent: bone “head”: the parent “neck” does not exist",
        ),
        (
            vec![Bone::on("a", "a", at)],
            "bones[0].parent: bone “a”: the parents form a loop: the parent of “a” is “a”",
        ),
        (
            vec![
                Bone::on("b", "tail", at),
                Bone::root("hip", at),
                Bone::on("c", "b", at),
                Bone::on("b", "c", at),
            ],
            "the parents form a loop: the parent of “c” is “b”, the parent of “b” is “c”",
        ),
        (
            vec![Bone::root("hip", at), Bone::on("hip", "leg", flat)],
            "bones[1]: bone “leg”: its world matrix has no inverse: the scale of the bone or of an ancestor is 0 or too large",
        ),
        (
            vec![Bone::root("hip", Transform::at(DVec3::NAN))],
            "bones[0]: bone “hip”: its bind pose needs finite numbers and a rotation",
        ),
        (
            vec![Bone::root("hip", at.turned(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)))],
            "bones[0]: bone “hip”: its bind pose needs finite numbers and a rotation",
        ),
    ];
    for (bones, expected) in table {
        let error = Skeleton::new(bones).unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
        // A bone that is only attached to a cycle is not to blame.
        assert!(!error.contains("“tail”"), "{error}");
    }
    assert!(Skeleton::new(Vec::new()).unwrap().is_empty());
}

/// An arm of two bones with constant angular velocities.
fn two_link_arm() -> Arc<Animation> {
    let bones = vec![
        Bone::root("upper", Transform::IDENTITY),
        Bone::on("upper", "lower", Transform::at(DVec3::X)),
    ];
    let skeleton = Arc::new(Skeleton::new(bones).unwrap());
    let turning = |angle: f64, rate: f64| {
        let keys = [(-1.0, [angle - rate]), (1.0, [angle + rate])];
        let angle = Animated::moving(KeyTrack::linear(&keys).unwrap());
        BoneTracks {
            rotation: Some(RotationTrack::about(DVec3::Z, angle).unwrap()),
            ..BoneTracks::default()
        }
    };
    let tracks = [("upper", turning(0.4, 2.0)), ("lower", turning(0.9, -3.0))];
    let clip = Arc::new(Clip::new(&skeleton, tracks).unwrap());
    Arc::new(Animation::new(skeleton, vec![Layer::new(clip, Blend::Mix)]).unwrap())
}

#[test]
fn a_two_link_arm_moves_as_known() {
    let arm = two_link_arm();
    let mut pose = Pose::default();
    arm.pose(0.0, &mut pose);
    let (hand, velocity) = pose.bones()[1].point(DVec3::X * 0.7);
    let expected = ([1.108_310_17, 1.063_909_07, 0.0], [-0.104_345_95, 1.654_872_81, 0.0]);
    assert!(farthest(hand.to_array(), expected.0) <= 1e-8, "{hand}");
    assert!(farthest(velocity.to_array(), expected.1) <= 1e-8, "{velocity}");
    assert!((pose.bones()[1].omega - DVec3::new(0.0, 0.0, -1.0)).length() < 1e-14);

    let pin = BonePin::new(arm.clone(), "lower", DVec3::X * 0.7).unwrap();
    assert_eq!(pin.at(0.0), (hand.to_array(), velocity.to_array()));
    assert!(pin.check().is_ok() && pin.fits(2, 1).is_ok() && pin.fits(3, 1).is_ok());
    assert_eq!(pin.places().len(), 65);
    assert!(BonePin::new(arm.clone(), "hand", DVec3::ZERO).is_err());
    assert!(BonePin::new(arm, "lower", DVec3::NAN).is_err());
}

#[test]
fn velocities_of_bones_are_central_differences() {
    let mut numbers = Numbers::new(77);
    for _ in 0..5 {
        let skeleton = Arc::new(Skeleton::new(random_bones(&mut numbers, 12)).unwrap());
        let clip = Arc::new(random_clip(&mut numbers, &skeleton));
        let layer = Layer::new(clip, Blend::Over);
        let animation = Arc::new(Animation::new(skeleton, vec![layer]).unwrap());
        hold_velocities(&animation, &mut numbers);
    }
}

/// Compares the velocities of position, rotation and map of each bone with central differences with
/// h = 1e-5.
pub(crate) fn hold_velocities(animation: &Arc<Animation>, numbers: &mut Numbers) {
    let h = 1e-5;
    let [mut before, mut now, mut after] = [0, 1, 2].map(|_| Pose::default());
    for t in [0.31, 1.57, 2.83] {
        animation.pose(t - h, &mut before);
        animation.pose(t, &mut now);
        animation.pose(t + h, &mut after);
        for (i, bone) in now.bones().iter().enumerate() {
            let [a, b] = [&before, &after].map(|pose| pose.bones()[i]);
            let offset = numbers.vector();
            let (_, velocity) = bone.point(offset);
            let difference = (b.point(offset).0 - a.point(offset).0) * (0.5 / h);
            let off = (difference - velocity).length() / velocity.length();
            // The error of the third derivative times h², and rounding divided by h.
            assert!(off < 1e-8, "bone {i} at {t}: {off}");
            let rotation = b.turn * a.turn.conjugate();
            let rotation = DVec3::new(rotation.x, rotation.y, rotation.z) * rotation.w.signum() / h;
            let off = (rotation - bone.omega).length() / bone.omega.length();
            assert!(off < 1e-8, "bone {i} at {t}: ω is off by {off}");
            let name = &animation.skeleton().names()[i];
            let pin = BonePin::new(animation.clone(), name, offset).unwrap();
            let (place, velocity) = bone.point(offset);
            assert_eq!(pin.at(t), (place.to_array(), velocity.to_array()));
        }
    }
}

#[test]
fn a_bone_without_scale_moves_by_the_rules_of_rotations() {
    let arm = two_link_arm();
    let mut pose = Pose::default();
    for i in 0..20 {
        let t = -0.9 + 0.09 * f64::from(i);
        arm.pose(t, &mut pose);
        let [upper, lower] = [0, 1].map(|bone| pose.bones()[bone]);
        let (sine, cosine) = libm::sincos(0.4 + 2.0 * t);
        assert!((upper.turn * DVec3::X - DVec3::new(cosine, sine, 0.0)).length() < 1e-15);
        assert!((lower.velocity() - DVec3::new(-sine, cosine, 0.0) * 2.0).length() < 1e-14);
        let expected = about(DVec3::Z, 0.4 + 2.0 * t) * about(DVec3::Z, 0.9 - 3.0 * t);
        assert!(crate::rigs::apart(lower.turn, expected) < 1e-15);
    }
}
