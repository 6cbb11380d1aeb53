//! Checks of skins: radii, volumes, invariances, normals.

use super::super::check::CheckList;
use super::about;
use catena_sim::BadSetup;
use catena_sim::glam::{DAffine3, DMat3, DQuat, DVec3};
use catena_sim::skin::{Frames, RigidBone, Skin, Tube, transformed_normal, volume};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

pub(super) fn add(list: &mut CheckList) {
    list.set_reference(
        "linear blending: √(1 - 4w(1-w) sin²(θ/2)); dual quaternions (Kavan et al. 2008): 1",
    );
    let half = [(0, 0.5), (1, 0.5)];
    for (degrees, printed) in [(90.0, FRAC_1_SQRT_2), (120.0, 0.5), (180.0, 0.0)] {
        let turn = about(DVec3::Z, degrees * PI / 180.0);
        let [linear, dual] = moved(&[half], &[DVec3::X], turn).unwrap_or_default();
        let name = |how| format!("radius, twist of {degrees}° by {how}, as printed");
        list.add_printed(name("linear blending"), printed, 2e-16, radius(&linear));
        list.add_printed(name("dual quaternions"), 1.0, 1e-12, radius(&dual));
    }
    for degrees in [170.0, 190.0] {
        let turn = about(DVec3::Z, degrees * PI / 180.0);
        let [_, dual] = moved(&[half], &[DVec3::X], turn).unwrap_or_default();
        let name = format!("radius, twist of {degrees}° by dual quaternions, as printed");
        list.add_printed(name, 1.0, 1e-12, radius(&dual));
    }
    list.set_reference("minimum radius of a ring at a joint that is bent by φ: cos(φ/2) by linear blending, 1 by dual quaternions");
    for (degrees, printed) in
        [(90.0, FRAC_1_SQRT_2), (60.0, 0.866_025_403_784_438_7), (22.5, 0.980_785_280_403_230_4)]
    {
        let turn = about(DVec3::Y, degrees * PI / 180.0);
        let [linear, dual] = moved(&[half], &[DVec3::X], turn).unwrap_or_default();
        let name = |how| format!("radius, bend of {degrees}° by {how}, as printed");
        list.add_printed(name("linear blending"), printed, 1e-14, radius(&linear));
        list.add_printed(name("dual quaternions"), 1.0, 1e-14, radius(&dual));
    }
    list.set_reference("volume of a cylinder with linear weights: 1 - ⅔ sin²(θ/2) by linear blending, 1 by dual quaternions");
    for (degrees, printed) in [(180.0, 1.0 / 3.0), (90.0, 2.0 / 3.0)] {
        let [linear, dual] = volumes(degrees * PI / 180.0).unwrap_or([f64::NAN; 2]);
        let name = |how| format!("volume, twist of {degrees}° by {how}, as printed");
        list.add_printed(name("linear blending"), printed, 5e-5, linear);
        list.add_printed(name("dual quaternions"), 1.0, 5e-5, dual);
    }
    list.set_reference(
        "a rigid motion of all bones moves the skin rigidly, and the sign of a quaternion has no effect",
    );
    let off = off_rigid().unwrap_or([f64::NAN; 2]);
    for (how, off) in ["linear blending", "dual quaternions"].into_iter().zip(off) {
        let name = format!("error of a rigid motion, {how}, as printed");
        list.add_printed(name, 0.0, 2e-15, off);
    }
    let off = off_sign().unwrap_or(f64::NAN);
    list.add_printed("change of a skin by a negated quaternion, as printed", 0.0, 0.0, off);
    list.set_reference(
        "half of a screw motion is a screw motion: half of 1.2 rad about z and of 2 along z (Kavan et al. 2008)",
    );
    let off = off_screw().unwrap_or(f64::NAN);
    list.add_printed("error of half a screw motion, as printed", 0.0, 4e-16, off);
    list.set_reference(
        "normals transform by the inverse transpose: scale (2, 1, 1), normal (1, 1, 0)/√2",
    );
    let map = DMat3::from_diagonal(DVec3::new(2.0, 1.0, 1.0));
    let normal = transformed_normal(&map, DVec3::new(1.0, 1.0, 0.0) / 2.0_f64.sqrt());
    list.add_printed("x of the normal, as printed", 0.447_213_595_5, 1e-10, normal.x);
    list.add_printed("y of the normal, as printed", 0.894_427_191_0, 1e-10, normal.y);
}

/// Length of the first point vector; NaN if there is none.
fn radius(points: &[DVec3]) -> f64 {
    points.first().map_or(f64::NAN, |point| point.length())
}

/// Points skinned to a fixed and a rotated bone: by linear blending and by dual quaternions.
fn moved(
    weights: &[[(usize, f64); 2]],
    points: &[DVec3],
    turn: DQuat,
) -> Result<[Vec<DVec3>; 2], BadSetup> {
    let skin = Skin::new(2, weights)?;
    let matrices = [DAffine3::IDENTITY, DAffine3::from_quat(turn)];
    let (mut linear, mut dual) = (points.to_vec(), points.to_vec());
    skin.linear(&matrices, points, &mut linear)?;
    skin.dual_quaternion(&matrices.map(|matrix| RigidBone::new(&matrix)), points, &mut dual)?;
    Ok([linear, dual])
}

/// Poses of three bones, and points to attach to them.
fn spread() -> (Skin3, Vec<DVec3>) {
    let bone = |i: u32| {
        let (sine, cosine) = libm::sincos(1.9 * f64::from(i));
        let turn = about(DVec3::new(0.0, 0.6, 0.8), 0.8 * f64::from(i));
        (turn, DVec3::new(0.3 * sine, 0.2 * cosine, 0.1))
    };
    let point = |i: u32| {
        let (sine, cosine) = libm::sincos(0.7 * f64::from(i));
        DVec3::new(sine, 0.5 * cosine, 0.4 * sine * cosine)
    };
    ([0, 1, 2].map(bone), (0..50).map(point).collect())
}

/// Rotations and positions of three bones.
type Skin3 = [(DQuat, DVec3); 3];

/// Weights of points on three bones.
fn weights(points: usize) -> Result<Skin, BadSetup> {
    let of = |i: usize| [(0, 1.0), (1, 0.1 * (i % 7) as f64), (2, 0.2 * (i % 5) as f64)];
    Skin::new(3, &(0..points).map(of).collect::<Vec<_>>())
}

/// Maximum coordinate difference between points.
fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).abs().max_element()).fold(0.0, f64::max)
}

/// Deviation between moving all bones rigidly and moving the skinned points rigidly, for both
/// methods.
fn off_rigid() -> Result<[f64; 2], BadSetup> {
    let (bones, points) = spread();
    let skin = weights(points.len())?;
    let turn = about(DVec3::new(0.48, 0.6, 0.64), 0.9);
    let motion = DAffine3::from_rotation_translation(turn, DVec3::new(0.4, -0.2, 0.3));
    let at = bones.map(|(turn, place)| DAffine3::from_rotation_translation(turn, place));
    let skinned = |matrices: &[DAffine3; 3]| {
        let (mut linear, mut dual) = (points.clone(), points.clone());
        skin.linear(matrices, &points, &mut linear)?;
        let rigid = matrices.map(|matrix| RigidBone::new(&matrix));
        skin.dual_quaternion(&rigid, &points, &mut dual)?;
        Ok::<_, BadSetup>([linear, dual])
    };
    let [mut linear, mut dual] = skinned(&at)?;
    for point in linear.iter_mut().chain(&mut dual) {
        *point = motion.transform_point3(*point);
    }
    let [moved_linear, moved_dual] = skinned(&at.map(|matrix| motion * matrix))?;
    Ok([farthest(&linear, &moved_linear), farthest(&dual, &moved_dual)])
}

/// Deviation between a skin and the same skin with one bone's quaternion negated.
fn off_sign() -> Result<f64, BadSetup> {
    let (bones, points) = spread();
    let skin = weights(points.len())?;
    let mut rigid = bones.map(|(turn, place)| RigidBone::rigid(turn, place));
    let (mut before, mut after) = (points.clone(), points.clone());
    skin.dual_quaternion(&rigid, &points, &mut before)?;
    rigid[1].motion = rigid[1].motion.negated();
    skin.dual_quaternion(&rigid, &points, &mut after)?;
    Ok(farthest(&before, &after))
}

/// Deviation of a point under half a screw motion from its exact position.
fn off_screw() -> Result<f64, BadSetup> {
    let skin = Skin::new(2, &[[(0, 0.5), (1, 0.5)]])?;
    let screw = RigidBone::rigid(about(DVec3::Z, 1.2), DVec3::Z * 2.0);
    let mut moved = [DVec3::NAN];
    let bones = [RigidBone::rigid(DQuat::IDENTITY, DVec3::ZERO), screw];
    skin.dual_quaternion(&bones, &[DVec3::X], &mut moved)?;
    let (sine, cosine) = libm::sincos(0.6);
    Ok(farthest(&moved, &[DVec3::new(cosine, sine, 1.0)]))
}

/// Volumes of a twisted cylinder relative to its volume at rest, for both methods.
fn volumes(angle: f64) -> Result<[f64; 2], BadSetup> {
    let rings = 257;
    let nodes: Vec<DVec3> = (0..rings).map(|i| DVec3::Z * (f64::from(i) / 256.0)).collect();
    let mut frames = Frames::default();
    frames.follow(&nodes);
    let tube = Tube::new(128, 1.0)?;
    let mut points = Vec::new();
    tube.vertices(&nodes, frames.frames(), &mut points);
    let triangles = tube.triangles(nodes.len());
    let weights: Vec<[(usize, f64); 2]> =
        points.iter().map(|point| [(0, 1.0 - point.z), (1, point.z)]).collect();
    let at_rest = volume(&points, &triangles).unwrap_or(f64::NAN);
    let share = |moved: Vec<DVec3>| volume(&moved, &triangles).unwrap_or(f64::NAN) / at_rest;
    Ok(moved(&weights, &points, about(DVec3::Z, angle))?.map(share))
}
