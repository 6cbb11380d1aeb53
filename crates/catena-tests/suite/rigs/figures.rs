//! Published figures of Khronos, computed by hand: SimpleSkin, and a vertex of RiggedSimple.

// Numbers from files are written here with all digits that a reader gets from the file.
#![allow(clippy::excessive_precision)]

use crate::rigs::{about, farthest};
use catena_sim::drive::rig::{
    Animation, Blend, Bone, BoneTracks, Clip, Layer, Pose, RotationTrack, Skeleton, Transform,
};
use catena_sim::glam::{DAffine3, DMat4, DQuat, DVec3};
use catena_sim::skin::{RigidBone, Skin};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

/// A number as a glTF file has it: single precision.
fn f32s<const N: usize>(values: [f32; N]) -> [f64; N] {
    values.map(f64::from)
}

fn quaternion(values: [f32; 4]) -> DQuat {
    DQuat::from_array(f32s(values))
}

/// Skin matrices of an animation at a time.
fn matrices(animation: &Animation, inverse_bind: &[DAffine3], t: f64) -> Vec<DAffine3> {
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    animation.pose(t, &mut pose);
    pose.skin_matrices(inverse_bind, &mut matrices);
    matrices
}

#[test]
fn simple_skin_bends_as_known() {
    let skeleton = Skeleton::new(vec![
        Bone::root("1", Transform::at(DVec3::Y)),
        Bone::on("1", "2", Transform::IDENTITY),
    ]);
    let skeleton = Arc::new(skeleton.unwrap());
    let (a, b, c) = (0.382_999_986_410_141, 0.924_000_024_795_532_2, 0.707_000_017_166_137_7);
    let keys: [(f64, [f32; 2]); 12] = [
        (0.0, [0.0, 1.0]),
        (0.5, [a, b]),
        (1.0, [c, c]),
        (1.5, [c, c]),
        (2.0, [a, b]),
        (2.5, [0.0, 1.0]),
        (3.0, [0.0, 1.0]),
        (3.5, [-a, b]),
        (4.0, [-c, c]),
        (4.5, [-c, c]),
        (5.0, [-a, b]),
        (5.5, [0.0, 1.0]),
    ];
    let keys = keys.map(|(t, [z, w])| (t, quaternion([0.0, 0.0, z, w])));
    let rotation = Some(RotationTrack::slerps(&keys).unwrap());
    let tracks = [("2", BoneTracks { rotation, ..BoneTracks::default() })];
    let clip = Arc::new(Clip::new(&skeleton, tracks).unwrap());
    let animation = Animation::new(skeleton, vec![Layer::new(clip, Blend::Mix)]).unwrap();
    let inverse_bind = [DAffine3::from_translation(DVec3::new(-0.5, -1.0, 0.0)); 2];

    let points: Vec<DVec3> =
        (0..10).map(|i| DVec3::new(f64::from(i % 2), f64::from(i / 2) * 0.5, 0.0)).collect();
    let weights: Vec<[(usize, f64); 2]> =
        (0..10).map(|i| f64::from(i / 2) * 0.25).map(|w| [(0, 1.0 - w), (1, w)]).collect();
    let skin = Skin::new(2, &weights).unwrap();
    let mut moved = vec![DVec3::NAN; 10];
    let at_one = matrices(&animation, &inverse_bind, 1.0);
    skin.linear(&at_one, &points, &mut moved).unwrap();
    assert!(farthest(moved[8].to_array(), [-1.0, 0.5, 0.0]) <= 1e-15, "{}", moved[8]);
    // The middle of the height bends by a blend: both matrices have the weight ½.
    let expected = {
        let point = points[4] - DVec3::new(0.5, 1.0, 0.0);
        let turned = about(DVec3::Z, FRAC_PI_2) * point;
        (point + turned) * 0.5 + DVec3::Y
    };
    assert!((moved[4] - expected).length() < 1e-15, "{}", moved[4]);
    let bones: Vec<RigidBone> = at_one.iter().map(RigidBone::new).collect();
    skin.dual_quaternion(&bones, &points, &mut moved).unwrap();
    assert!(farthest(moved[8].to_array(), [-1.0, 0.5, 0.0]) <= 1e-15, "{}", moved[8]);
}

/// The bones of RiggedSimple, with their ancestor nodes.
fn rigged_simple() -> Animation {
    let at = |place: [f32; 3], turn: [f32; 4], scale: [f32; 3]| {
        let [place, scale] = [place, scale].map(|v| DVec3::from_array(f32s(v)));
        Transform::at(place).turned(quaternion(turn)).scaled(scale)
    };
    // The matrix of the outermost node makes z point upwards: a rotation by -90° about x.
    let up = Transform::IDENTITY.turned(about(DVec3::X, -FRAC_PI_2));
    let lower = at(
        [0.0, -3.156_060_017_772_689e-7, -4.180_329_799_652_1],
        [-0.704_740_405_082_702_6, -0.0, -0.0, -0.709_465_205_669_403_1],
        [1.0, 0.999_999_880_790_710_4, 0.999_999_880_790_710_4],
    );
    let first = [
        -0.002_052_110_387_012_362_5,
        -9.947_895_307_504_95e-8,
        -0.000_291_370_874_037_966_13,
        -0.999_997_854_232_788_1,
    ];
    let bent = [
        0.293_378_502_130_508_4,
        -8.614_854_596_089_572e-5,
        -0.000_278_344_145_044_684_4,
        -0.955_996_334_552_764_9,
    ];
    let upper = at([0.0, 4.187_170_982_360_84, 0.0], first, [1.0, 1.0, 1.000_000_119_209_289_6]);
    let skeleton = Skeleton::new(vec![
        Bone::on("4", "2", lower),
        Bone::on("2", "3", upper),
        Bone::root("0", up),
        Bone::on("0", "4", Transform::IDENTITY),
    ]);
    let skeleton = Arc::new(skeleton.unwrap());
    let times = f32s([0.041_666_619_479_656_22, 1.041_666_984_558_105_5, 2.083_333_015_441_894_5]);
    let keys = [(times[0], first), (times[1], bent), (times[2], first)];
    let keys = keys.map(|(t, turn)| (t, quaternion(turn)));
    let rotation = Some(RotationTrack::slerps(&keys).unwrap());
    let tracks = [("3", BoneTracks { rotation, ..BoneTracks::default() })];
    let clip = Arc::new(Clip::new(&skeleton, tracks).unwrap());
    Animation::new(skeleton, vec![Layer::new(clip, Blend::Mix)]).unwrap()
}

#[test]
fn rigged_simple_bends_as_known() {
    let inverse_bind: [[f32; 16]; 2] = [
        [
            1.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.006_681_859,
            -0.999_977_83,
            0.0,
            0.0,
            0.999_977_7,
            0.006_681_74,
            0.0,
            0.0,
            4.180_237,
            0.027_931_74,
            1.0,
        ],
        [
            0.999_999_94,
            -0.000_582_74,
            1.394_81e-6,
            0.0,
            2.896_92e-6,
            0.002_577_662,
            -0.999_996_7,
            0.0,
            0.000_582_735,
            0.999_996_6,
            0.002_577_602,
            0.0,
            -4.012_62e-6,
            -0.006_818_83,
            0.027_959_94,
            1.0,
        ],
    ];
    let affine = |m: [f32; 16]| DAffine3::from_mat4(DMat4::from_cols_array(&f32s(m)));
    let bones = matrices(&rigged_simple(), &inverse_bind.map(affine), 1.041_666_984_558_105_5);
    let [a, b] = f32s([0.738_601_803_779_602, 0.261_398_196_220_397_95]);
    let skin = Skin::new(2, &[[(0, a), (1, b)]]).unwrap();
    let [x, y] = f32s([0.095_474_302_768_707_28, -0.479_981_809_854_507_45]);
    let mut moved = [DVec3::NAN];
    skin.linear(&bones, &[DVec3::new(x, y, 0.0)], &mut moved).unwrap();
    let expected = [0.095_474_305_540_911_74, 0.075_239_259_866_995_53, 0.457_813_273_386_545_54];
    let off = farthest(moved[0].to_array(), expected);
    assert!(off <= 1e-7, "{}: {off}", moved[0]);
}
