//! Skins: known results of twists, bends and volumes, invariances, normals, and weights.

use crate::rigs::{Numbers, about, farthest};
use catena_sim::glam::{DAffine3, DMat3, DQuat, DVec3};
use catena_sim::skin::{DualQuaternion, RigidBone, Skin, Tube, polar, transformed_normal, volume};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, FRAC_PI_3, FRAC_PI_8, PI};

#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    Linear,
    Dual,
}
use How::{Dual, Linear};

fn moved(how: How, skin: &Skin, matrices: &[DAffine3], points: &[DVec3]) -> Vec<DVec3> {
    let mut moved = vec![DVec3::NAN; points.len()];
    match how {
        Linear => skin.linear(matrices, points, &mut moved).unwrap(),
        Dual => {
            let bones: Vec<RigidBone> = matrices.iter().map(RigidBone::new).collect();
            skin.dual_quaternion(&bones, points, &mut moved).unwrap();
        }
    }
    moved
}

fn normals(how: How, skin: &Skin, matrices: &[DAffine3], normals: &[DVec3]) -> Vec<DVec3> {
    let mut moved = vec![DVec3::NAN; normals.len()];
    match how {
        Linear => skin.linear_normals(matrices, normals, &mut moved).unwrap(),
        Dual => {
            let bones: Vec<RigidBone> = matrices.iter().map(RigidBone::new).collect();
            skin.dual_quaternion_normals(&bones, normals, &mut moved).unwrap();
        }
    }
    moved
}

/// A bone at rest, and a rotated one.
fn two(turn: DQuat) -> [DAffine3; 2] {
    [DAffine3::IDENTITY, DAffine3::from_quat(turn)]
}

#[test]
fn twists_have_known_radii() {
    let half = Skin::new(2, &[[(0, 0.5), (1, 0.5)]]).unwrap();
    let table = [
        (90.0, Some(FRAC_1_SQRT_2)),
        (120.0, Some(0.5)),
        (180.0, Some(0.0)),
        (170.0, None),
        (190.0, None),
    ];
    for (degrees, linear) in table {
        let angle = f64::to_radians(degrees);
        let matrices = two(about(DVec3::Z, angle));
        let point = moved(Dual, &half, &matrices, &[DVec3::X])[0];
        assert!((point.length() - 1.0).abs() <= 1e-12, "{degrees}: {point}");
        let Some(expected) = linear else { continue };
        let point = moved(Linear, &half, &matrices, &[DVec3::X])[0];
        assert!((point.length() - expected).abs() <= 2e-16, "{degrees}: {}", point.length());
    }
    // Other weights: √(1 - 4w(1-w) sin²(θ/2)).
    for w in [0.1, 0.25, 0.8] {
        let skin = Skin::new(2, &[[(0, 1.0 - w), (1, w)]]).unwrap();
        let matrices = two(about(DVec3::Z, FRAC_PI_2));
        let expected = (1.0 - 2.0 * w * (1.0 - w)).sqrt();
        let found = moved(Linear, &skin, &matrices, &[DVec3::X])[0].length();
        assert!((found - expected).abs() <= 4e-16, "{w}: {found}");
    }
}

#[test]
fn twisted_cylinders_have_known_volumes() {
    let (sides, rings) = (128, 256);
    let tube = Tube::new(sides, 1.0).unwrap();
    let nodes: Vec<DVec3> =
        (0..=rings).map(|i| DVec3::Z * (f64::from(i) / f64::from(rings))).collect();
    let frame = catena_sim::skin::Frame { tangent: DVec3::Z, normal: DVec3::X };
    let mut points = Vec::new();
    tube.vertices(&nodes, &vec![frame; nodes.len()], &mut points);
    let triangles = tube.triangles(nodes.len());
    let weights: Vec<[(usize, f64); 2]> =
        points.iter().map(|point| [(0, 1.0 - point.z), (1, point.z)]).collect();
    let skin = Skin::new(2, &weights).unwrap();
    let at_rest = volume(&points, &triangles).unwrap();
    let table = [
        (Linear, PI, 1.0 / 3.0),
        (Linear, FRAC_PI_2, 2.0 / 3.0),
        (Dual, PI, 1.0),
        (Dual, FRAC_PI_2, 1.0),
    ];
    for (how, angle, expected) in table {
        let moved = moved(how, &skin, &two(about(DVec3::Z, angle)), &points);
        let share = volume(&moved, &triangles).unwrap() / at_rest;
        assert!((share - expected).abs() <= 5e-5, "{how:?} {angle}: {share}");
    }
}

#[test]
fn bends_have_known_radii() {
    let table = [
        (FRAC_PI_2, FRAC_1_SQRT_2),
        (FRAC_PI_3, 0.866_025_403_784_438_7),
        (FRAC_PI_8, 0.980_785_280_403_230_4),
    ];
    let ring: Vec<DVec3> =
        (0..64).map(|i| about(DVec3::Z, PI * f64::from(i) / 32.0) * DVec3::X).collect();
    let skin = Skin::new(2, &vec![[(0, 0.5), (1, 0.5)]; ring.len()]).unwrap();
    for (angle, linear) in table {
        for (how, expected) in [(Linear, linear), (Dual, 1.0)] {
            let moved = moved(how, &skin, &two(about(DVec3::X, angle)), &ring);
            let minimum = moved.iter().map(|point| point.length()).fold(f64::MAX, f64::min);
            assert!((minimum - expected).abs() <= 1e-14, "{how:?} {angle}: {minimum}");
        }
    }
}

/// Random vertices with up to six bones.
fn random_skin(numbers: &mut Numbers, bones: usize, vertices: usize) -> (Skin, Vec<DVec3>) {
    let weights: Vec<Vec<(usize, f64)>> = (0..vertices)
        .map(|vertex| {
            let bone = |i: usize| (vertex * 7 + i * i * 3 + i) % bones;
            (0..1 + vertex % 6).map(|i| (bone(i), numbers.next().abs() + 0.01)).collect()
        })
        .collect();
    let points = (0..vertices).map(|_| numbers.vector()).collect();
    (Skin::new(bones, &weights).unwrap(), points)
}

#[test]
fn a_rigid_motion_of_all_bones_is_one_of_the_skin() {
    let mut numbers = Numbers::new(8);
    let (skin, points) = random_skin(&mut numbers, 9, 200);
    let turn = numbers.rotation();
    let g = DAffine3::from_rotation_translation(turn, numbers.vector());
    let bone = |_| {
        let axis = numbers.vector().normalize();
        let turn = about(axis, 1.2 * numbers.next());
        let scale = DVec3::ONE + numbers.vector() * 0.3;
        DAffine3::from_scale_rotation_translation(scale, turn, numbers.vector() * 0.5)
    };
    let matrices: Vec<DAffine3> = (0..9).map(bone).collect();
    let turned: Vec<DAffine3> = matrices.iter().map(|matrix| g * *matrix).collect();
    for how in [Linear, Dual] {
        let after = moved(how, &skin, &matrices, &points);
        let before = moved(how, &skin, &turned, &points);
        for (a, b) in after.iter().zip(before) {
            let off = farthest((g.matrix3 * *a + g.translation).to_array(), b.to_array());
            assert!(off <= 2e-15, "{how:?}: {off}");
        }
        let after = normals(how, &skin, &matrices, &points);
        let before = normals(how, &skin, &turned, &points);
        for (a, b) in after.iter().zip(before) {
            assert!(farthest((turn * *a).to_array(), b.to_array()) < 1e-14, "{how:?}");
        }
    }
}

#[test]
fn the_sign_of_a_quaternion_does_not_matter() {
    let mut numbers = Numbers::new(31);
    let (skin, points) = random_skin(&mut numbers, 5, 100);
    let bone = |_| RigidBone::rigid(numbers.rotation(), numbers.vector());
    let bones: Vec<RigidBone> = (0..5).map(bone).collect();
    let moved = |bones: &[RigidBone]| {
        let mut moved = vec![DVec3::NAN; points.len()];
        skin.dual_quaternion(bones, &points, &mut moved).unwrap();
        moved.iter().map(|point| point.to_array().map(f64::to_bits)).collect::<Vec<_>>()
    };
    for bone in 0..5 {
        let mut other = bones.clone();
        other[bone].motion = other[bone].motion.negated();
        assert!(moved(&bones) == moved(&other), "bone {bone}");
    }
}

/// Each influence is flipped to the hemisphere of the sum so far. Three widely spread bones could
/// therefore give different rotations, depending on the order in which they are listed.
#[test]
fn the_order_of_influences_does_not_matter() {
    let degrees = [0.0, 150.0, 300.0];
    let weights = [0.4, 0.35, 0.25];
    let turn = |bone: usize| about(DVec3::Z, f64::to_radians(degrees[bone]));
    let matrices = [0, 1, 2].map(|bone| DAffine3::from_quat(turn(bone)));
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    // In the hemisphere of the bone with the largest weight: rotations of half the angles, of which
    // 150° becomes -30°.
    let halves: [f64; 3] = [0.0, 75.0, -30.0];
    let sum = |part: fn(f64) -> f64| {
        let parts =
            halves.iter().zip(weights).map(|(half, weight)| weight * part(half.to_radians()));
        parts.sum::<f64>()
    };
    let half = libm::atan2(sum(libm::sin), sum(libm::cos));
    let expected = DVec3::new(libm::cos(2.0 * half), libm::sin(2.0 * half), 0.0);
    let mut running = Vec::new();
    for order in orders {
        let skin = Skin::new(3, &[order.map(|bone| (bone, weights[bone]))]).unwrap();
        let point = moved(Dual, &skin, &matrices, &[DVec3::X])[0];
        assert!((point - expected).length() < 1e-15, "{order:?}: {point} beside {expected}");
        let sum = order.iter().fold(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), |sum, &bone| {
            let side = if sum.dot(turn(bone)) < 0.0 { -1.0 } else { 1.0 };
            sum + turn(bone) * (side * weights[bone])
        });
        running.push(sum.normalize() * DVec3::X);
    }
    let apart = running.iter().map(|point| (*point - running[0]).length());
    assert!(apart.fold(0.0, f64::max) > 1.0, "{running:?}");
}

#[test]
fn half_of_a_screw_is_a_screw() {
    let skin = Skin::new(2, &[[(0, 0.5), (1, 0.5)]]).unwrap();
    let bones = [
        RigidBone::rigid(DQuat::IDENTITY, DVec3::ZERO),
        RigidBone::rigid(about(DVec3::Z, 1.2), DVec3::Z * 2.0),
    ];
    let mut moved = [DVec3::NAN];
    skin.dual_quaternion(&bones, &[DVec3::X], &mut moved).unwrap();
    let (sine, cosine) = libm::sincos(0.6);
    assert!(farthest(moved[0].to_array(), [cosine, sine, 1.0]) <= 4e-16, "{}", moved[0]);
    let whole = DualQuaternion::new(about(DVec3::Z, 1.2), DVec3::Z * 2.0);
    assert_eq!(whole.negated().negated(), whole);
}

#[test]
fn one_bone_moves_its_vertices_as_its_matrix_does() {
    let mut numbers = Numbers::new(4);
    let skin = Skin::new(1, &[[(0, 3.0)]; 20]).unwrap();
    let points: Vec<DVec3> = (0..20).map(|_| numbers.vector()).collect();
    // Including mirrored, sheared and flattened maps.
    let columns = |numbers: &mut Numbers| [0, 1, 2].map(|_| numbers.vector());
    for i in 0..40 {
        let [x, y, z] = columns(&mut numbers);
        let map = match i {
            0 => DMat3::from_cols(x, y, x + y),
            1 => DMat3::from_cols(x, x, x),
            2 => DMat3::ZERO,
            _ => DMat3::from_cols(x, y, z),
        };
        let matrix = DAffine3::from_mat3_translation(map, numbers.vector());
        for how in [Linear, Dual] {
            for (found, point) in moved(how, &skin, &[matrix], &points).iter().zip(&points) {
                let expected = map * *point + matrix.translation;
                let off = (*found - expected).length();
                assert!(off < 1e-14, "{how:?} {i}: {off}");
            }
        }
    }
}

#[test]
fn normals_go_by_the_inverse_transpose() {
    let half = 0.5_f64.sqrt();
    let normal = DVec3::new(half, half, 0.0);
    let skin = Skin::new(1, &[[(0, 1.0)]]).unwrap();
    let stretch = DAffine3::from_scale(DVec3::new(2.0, 1.0, 1.0));
    let expected = [0.447_213_595_5, 0.894_427_191_0, 0.0];
    for how in [Linear, Dual] {
        let found = normals(how, &skin, &[stretch], &[normal])[0];
        assert!(farthest(found.to_array(), expected) <= 1e-10, "{how:?}: {found}");
    }
    let mirror = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
    let mirrored = transformed_normal(&mirror, normal);
    assert!(farthest(mirrored.to_array(), [-half, half, 0.0]) < 2e-16);
    let flat = DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0));
    assert_eq!(transformed_normal(&flat, DVec3::Z), DVec3::Z);
    assert_eq!(transformed_normal(&DMat3::ZERO, normal), normal);
}

#[test]
fn polar_parts_are_a_rotation_and_a_symmetric_stretch() {
    let mut numbers = Numbers::new(6);
    for i in 0..300 {
        let [x, y, z] = [0, 1, 2].map(|_| numbers.vector());
        let size = [1.0, 1e-9, 1e9, 1e-160][i % 4];
        let map = DMat3::from_cols(x * size, y, z);
        let parts = polar(&map);
        let product = (parts.rotation * parts.stretch - map).to_cols_array();
        assert!(farthest(product, [0.0; 9]) <= 2e-15 * size.max(1.0), "{i}");
        let square = (parts.rotation.transpose() * parts.rotation).to_cols_array();
        let off = farthest(square, DMat3::IDENTITY.to_cols_array());
        assert!(off < 4e-15, "{i}: {off}");
        assert!(parts.rotation.determinant() > 0.0);
        let asymmetry = (parts.stretch - parts.stretch.transpose()).to_cols_array();
        // A map that flattens to 1e-160 counts as not invertible.
        let is_symmetric = farthest(asymmetry, [0.0; 9]) < 1e-14 * size.max(1.0);
        assert!(is_symmetric || size < 1e-100, "{i}: {asymmetry:?}");
    }
    assert_eq!(polar(&DMat3::NAN).rotation, DMat3::IDENTITY);
}

#[test]
fn weights_are_divided_by_their_sum_and_wrong_ones_are_refused() {
    let skin = Skin::new(3, &[vec![(2, 0.2), (1, 0.0), (0, 0.6)], vec![(1, 1e300); 4]]).unwrap();
    let weights: Vec<(usize, f64)> = skin.influences(0).collect();
    assert!((weights[0].1 - 0.25).abs() < 1e-16 && (weights[1].1 - 0.75).abs() < 2e-16);
    assert_eq!([weights[0].0, weights[1].0], [2, 0]);
    assert_eq!(skin.influences(1).map(|(_, weight)| weight).sum::<f64>(), 1.0);
    assert_eq!((skin.influences(2).count(), skin.influences(usize::MAX).count()), (0, 0));
    let table: &[(&[(usize, f64)], &str)] = &[
        (&[(3, 1.0)], "weights[0]: there is no bone 3; number of bones of the skin: 3"),
        (&[(0, -0.1)], "weights[0]: expected finite weights of at least 0"),
        (&[(0, f64::NAN)], "weights[0]: expected finite weights of at least 0"),
        (&[(0, 0.0)], "weights[0]: expected a weight above 0"),
        (&[], "weights[0]: expected a weight above 0"),
    ];
    for (weights, expected) in table {
        let error = Skin::new(3, &[*weights]).unwrap_err().to_string();
        assert_eq!(error, *expected);
    }
    let mut moved = vec![DVec3::ZERO; 2];
    assert!(skin.linear(&[DAffine3::IDENTITY; 2], &[DVec3::X; 2], &mut moved).is_err());
    assert!(skin.linear(&[DAffine3::IDENTITY; 3], &[DVec3::X; 1], &mut moved).is_err());
}
