//! Checks of layers, and of the motion of bones.

use super::super::check::CheckList;
use super::{about, pin, single, turning};
use catena_sim::BadSetup;
use catena_sim::Curve;
use catena_sim::drive::rig::{
    Animation, Blend, Bone, BoneTracks, Clip, Layer, Pose, Reference, RotationTrack, Skeleton,
    Transform, Weight,
};
use catena_sim::drive::track::{Animated, Key, KeyTrack};
use catena_sim::glam::{DAffine3, DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_3};
use std::sync::Arc;

pub(super) fn add(list: &mut CheckList) {
    list.set_reference("(Σ w p + max(0, 1 - Σ w) rest)/max(1, Σ w); added: q (reference⁻¹ a)^w");
    for (a, b, printed) in [(0.5, 0.5, 6.0), (1.0, 1.0, 6.0), (0.5, 0.0, 2.0), (0.25, 0.25, 3.0)] {
        let mean = mean(a, b).unwrap_or(f64::NAN);
        let name = format!("4 and 8 mixed by {a} and {b}, as printed");
        list.add_printed(name, printed, 1e-15, mean);
    }
    let added = added().unwrap_or(f64::NAN);
    list.add_printed(
        "90° about x and half of 60° about z, y, as printed",
        -0.183_012_701_892_219_3,
        4e-16,
        added,
    );
    list.set_reference(
        "R = R_p R_l, v = v_p + ω_p × R_p p_l + R_p v_l (Featherstone 2008): arm of 1 and 0.7",
    );
    let (place, velocity) = hand().unwrap_or(([f64::NAN; 3], [f64::NAN; 3]));
    for (name, printed, found) in [
        ("x of the hand", 1.108_310_17, place[0]),
        ("y of the hand", 1.063_909_07, place[1]),
        ("x of its velocity", -0.104_345_95, velocity[0]),
        ("y of its velocity", 1.654_872_81, velocity[1]),
    ] {
        list.add_printed(format!("two-link arm, {name}, as printed"), printed, 1e-8, found);
    }
    list.set_reference("the bind pose times its inverse is the identity");
    let off = unbound().unwrap_or(f64::NAN);
    list.add_printed("bind pose times its inverse: error, as printed", 0.0, 1e-15, off);
    list.set_reference("central differences with h = 1e-5 of bones with cubic places and slerps");
    let off = off_differences().unwrap_or(f64::NAN);
    list.add_printed("relative error of velocities of bone points, as printed", 0.0, 1e-8, off);
}

/// Clip that holds the bone at position x, rotated.
fn still(skeleton: &Skeleton, x: f64, turn: DQuat) -> Result<Arc<Clip>, BadSetup> {
    let tracks = BoneTracks {
        place: Some(Animated::Constant([x, 0.0, 0.0])),
        rotation: Some(RotationTrack::constant(turn)?),
        scale: None,
    };
    Clip::new(skeleton, [("bone", tracks)]).map(Arc::new)
}

fn mean(a: f64, b: f64) -> Result<f64, BadSetup> {
    let skeleton = single()?;
    let layer = |x: f64, weight: f64| {
        let clip = still(&skeleton, x, DQuat::IDENTITY)?;
        Ok::<_, BadSetup>(Layer::new(clip, Blend::Mix).weighing(Weight::constant(weight)))
    };
    let layers = vec![layer(4.0, a)?, layer(8.0, b)?];
    let mut pose = Pose::default();
    Animation::new(Arc::clone(&skeleton), layers)?.pose(0.0, &mut pose);
    Ok(pose.bones()[0].place().x)
}

fn added() -> Result<f64, BadSetup> {
    let skeleton = single()?;
    let below = still(&skeleton, 0.0, about(DVec3::X, FRAC_PI_2))?;
    let above = still(&skeleton, 0.0, about(DVec3::Z, FRAC_PI_3))?;
    let above = Layer::new(above, Blend::Add(Reference::Bind)).weighing(Weight::constant(0.5));
    let mut pose = Pose::default();
    let layers = vec![Layer::new(below, Blend::Mix), above];
    Animation::new(Arc::clone(&skeleton), layers)?.pose(0.0, &mut pose);
    Ok(pose.bones()[0].turn.y)
}

/// Position and velocity of the hand at the end of a planar arm with two bones.
fn hand() -> Result<([f64; 3], [f64; 3]), BadSetup> {
    let bones = vec![
        Bone::root("upper", Transform::IDENTITY),
        Bone::on("upper", "lower", Transform::at(DVec3::X)),
    ];
    let tracks =
        vec![("upper", turning(DVec3::Z, 0.4, 2.0)?), ("lower", turning(DVec3::Z, 0.9, -3.0)?)];
    Ok(pin(bones, tracks, "lower", DVec3::X * 0.7)?.at(0.0))
}

/// Chain of bones, each rotated about a different axis, scaled and offset from the previous one.
fn chain() -> Result<Skeleton, BadSetup> {
    let bone = |i: u32| {
        let angle = 0.7 * f64::from(i + 1);
        let (sine, cosine) = libm::sincos(angle);
        let scale = DVec3::new(1.1, 0.9, 1.0 + 0.1 * sine);
        let bind = Transform::at(DVec3::new(sine, 1.0, 0.5 * cosine));
        let bind = bind.turned(about(DVec3::new(cosine, sine, 0.0), angle)).scaled(scale);
        let parent = i.checked_sub(1).map(|parent| format!("bone {parent}"));
        Bone { name: format!("bone {i}"), parent, bind }
    };
    Skeleton::new((0..6).map(bone).collect())
}

/// Maximum deviation of the bind pose times its inverse from the identity.
fn unbound() -> Result<f64, BadSetup> {
    let skeleton = chain()?;
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    skeleton.bind_pose(&mut pose);
    pose.skin_matrices(skeleton.inverse_bind(), &mut matrices);
    let identity = DAffine3::IDENTITY.to_cols_array();
    let off = |matrix: &DAffine3| {
        let numbers = matrix.to_cols_array().into_iter().zip(identity);
        numbers.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    Ok(matrices.iter().map(off).fold(0.0, f64::max))
}

/// Maximum relative deviation of the chain's point velocities from central differences.
fn off_differences() -> Result<f64, BadSetup> {
    let skeleton = Arc::new(chain()?);
    let tracks = skeleton.names().iter().enumerate().map(|(i, name)| {
        let value = |k: u32| {
            let (sine, cosine) = libm::sincos(1.3 * f64::from(k) + i as f64);
            [sine, cosine, 0.5 * sine]
        };
        let key = |k: u32| Key::new(f64::from(k), value(k)).rates(value(k + 9), value(k + 5));
        let place = Some(Animated::moving(KeyTrack::new((0..4).map(key).collect())?));
        let turn = |k: u32| (f64::from(k), about(DVec3::new(0.6, 0.0, 0.8), f64::from(k * k)));
        let turns: Vec<(f64, DQuat)> = (0..4).map(turn).collect();
        let rotation = Some(RotationTrack::slerps(&turns)?);
        Ok((name.clone(), BoneTracks { place, rotation, scale: None }))
    });
    let tracks: Vec<_> = tracks.collect::<Result<_, BadSetup>>()?;
    let clip = Arc::new(Clip::new(&skeleton, tracks)?);
    let animation = Animation::new(skeleton, vec![Layer::new(clip, Blend::Over)])?;
    let (h, offset) = (1e-5, DVec3::new(0.3, -0.5, 0.7));
    let mut poses = [Pose::default(), Pose::default(), Pose::default()];
    let mut maximum = 0.0_f64;
    for t in [0.31, 1.57, 2.83] {
        for (pose, t) in poses.iter_mut().zip([t - h, t, t + h]) {
            animation.pose(t, pose);
        }
        let [before, now, after] = &poses;
        for ((a, bone), b) in before.bones().iter().zip(now.bones()).zip(after.bones()) {
            let (_, velocity) = bone.point(offset);
            let difference = (b.point(offset).0 - a.point(offset).0) * (0.5 / h);
            maximum = maximum.max((difference - velocity).length() / velocity.length());
        }
    }
    Ok(maximum)
}
