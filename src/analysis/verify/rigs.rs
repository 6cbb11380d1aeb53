//! Rigs and skins: rotations, layers, velocities of bones, what skinning keeps, and pins that move.

use super::Check;
use super::Tolerance::{Absolute, Relative};
use super::check::CheckList;
use super::setups::CheckSetups;
use crate::sim::drive::rig::{
    Animation, Blend, Bone, BonePin, BoneTracks, Clip, Layer, Pose, Reference, RotationTrack,
    Skeleton, Transform, Weight, angle_between, nlerp, slerp,
};
use crate::sim::drive::track::{
    Animated, ColorSpace, ColorTrack, Key, KeyTrack, Track, TrackCurve,
};
use crate::sim::glam::{DAffine3, DMat3, DQuat, DVec3};
use crate::sim::method::VelocityVerlet;
use crate::sim::skin::{
    Frames, RigidBone, Skin, Tube, central_tangents, signed_angle, transformed_normal, transport,
    volume,
};
use crate::sim::{BadSetup, Curve, Outcome, Rope, Setup};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, FRAC_PI_3, PI, TAU};
use std::sync::Arc;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("rigs and skins");
    rotations(&mut list);
    layers(&mut list);
    skins(&mut list);
    ropes(&mut list);
    list.reference("a pin on a bone is a curve: place and velocity are exact at any time");
    list.add("driven pendulum, pivot 0.01 sin t, L = 1", PENDULUM, Relative(1e-3), pendulum);
    list.add("chairoplane, arm 1, rope 1/2, ω = 2", CHAIROPLANE, Absolute(1e-4), chairoplane);
    list.done()
}

/// A rotation about an axis.
fn about(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = libm::sincos(0.5 * angle);
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

fn rotations(list: &mut CheckList) {
    list.reference("slerp along the shorter great circle (Shoemake 1985); cubic keys of glTF 2.0");
    let third = slerp(DQuat::IDENTITY, about(DVec3::Z, FRAC_PI_2), 1.0 / 3.0);
    list.printed(
        "slerp of 90° about z at 1/3, z, as printed",
        0.258_819_045_102_520_74,
        2e-16,
        third.z,
    );
    let q = about(DVec3::new(0.6, 0.0, 0.8), 1.1);
    let [short, long] =
        [1.0, -1.0].map(|sign| slerp(q, q * about(DVec3::Z, FRAC_PI_2) * sign, 0.3));
    let apart = 2.0 * angle_between(short, long);
    list.printed("slerp to q and to -q, angle between, as printed", 0.0, 4e-16, apart);
    let at = 0.238_638_5;
    let [n, s] = [nlerp, slerp].map(|mix| mix(DQuat::IDENTITY, about(DVec3::Z, PI), at));
    let off = 2.0 * angle_between(n, s);
    list.printed(
        "greatest distance of nlerp over 180°, as printed",
        0.142_229_275_204_874_94,
        1e-9,
        off,
    );
    list.printed(
        "cubic keys 0 and 2, rates 1 and 0, middle, as printed",
        0.75,
        0.0,
        cubic().unwrap_or(f64::NAN),
    );
    list.reference("red to blue at 1/2 (IEC 61966-2-1; Ottosson 2020)");
    for (name, space, printed) in [
        ("sRGB", ColorSpace::Srgb, 127.5),
        ("linear light", ColorSpace::Linear, 187.516),
        ("Oklab", ColorSpace::Oklab, 140.362),
    ] {
        let red = red(space).unwrap_or(f64::NAN);
        list.printed(format!("red by {name}, as printed"), printed, 1e-3, red);
    }
}

/// The middle of a cubic piece over two units of time.
fn cubic() -> Result<f64, BadSetup> {
    let keys =
        vec![Key::new(0.0, [0.0]).rates([0.0], [1.0]), Key::new(2.0, [1.0]).rates([0.0], [0.0])];
    Ok(KeyTrack::new(keys)?.at(1.0).0[0])
}

/// The red of red to blue at ½, from 0 to 255.
fn red(space: ColorSpace) -> Result<f64, BadSetup> {
    let keys = vec![Key::new(0.0, [1.0, 0.0, 0.0, 1.0]), Key::new(1.0, [0.0, 0.0, 1.0, 1.0])];
    Ok(255.0 * ColorTrack::new(space, keys)?.at(0.5).0[0])
}

fn layers(list: &mut CheckList) {
    list.reference("(Σ w p + max(0, 1 - Σ w) rest)/max(1, Σ w); added: q (reference⁻¹ a)^w");
    for (a, b, printed) in [(0.5, 0.5, 6.0), (1.0, 1.0, 6.0), (0.5, 0.0, 2.0), (0.25, 0.25, 3.0)] {
        let mean = mean(a, b).unwrap_or(f64::NAN);
        let name = format!("4 and 8 mixed by {a} and {b}, as printed");
        list.printed(name, printed, 1e-15, mean);
    }
    let added = added().unwrap_or(f64::NAN);
    list.printed(
        "90° about x and half of 60° about z, y, as printed",
        -0.183_012_701_892_219_3,
        4e-16,
        added,
    );
    list.reference(
        "R = R_p R_l, v = v_p + ω_p × R_p p_l + R_p v_l (Featherstone 2008): arm of 1 and 0.7",
    );
    let (place, velocity) = hand().unwrap_or(([f64::NAN; 3], [f64::NAN; 3]));
    for (name, printed, found) in [
        ("x of the hand", 1.108_310_17, place[0]),
        ("y of the hand", 1.063_909_07, place[1]),
        ("x of its velocity", -0.104_345_95, velocity[0]),
        ("y of its velocity", 1.654_872_81, velocity[1]),
    ] {
        list.printed(format!("two-link arm, {name}, as printed"), printed, 1e-8, found);
    }
}

/// One bone without a parent.
fn single() -> Result<Arc<Skeleton>, BadSetup> {
    Skeleton::new(vec![Bone::root("bone", Transform::IDENTITY)]).map(Arc::new)
}

/// A clip that holds the bone at a place, turned.
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

/// A bone that turns about an axis at a constant rate.
fn turning(axis: DVec3, angle: f64, rate: f64) -> Result<BoneTracks, BadSetup> {
    let angle = |t: f64| (t, [angle + rate * t]);
    let track = KeyTrack::linear(&[angle(-100.0), angle(100.0)])?;
    let rotation = Some(RotationTrack::about(axis, Animated::moving(track))?);
    Ok(BoneTracks { rotation, ..BoneTracks::default() })
}

/// A point of the last of some bones, each of which turns.
fn pin(
    bones: Vec<Bone>,
    tracks: Vec<(&str, BoneTracks)>,
    (bone, offset): (&str, DVec3),
) -> Result<BonePin, BadSetup> {
    let skeleton = Arc::new(Skeleton::new(bones)?);
    let clip = Arc::new(Clip::new(&skeleton, tracks)?);
    let animation = Animation::new(skeleton, vec![Layer::new(clip, Blend::Mix)])?;
    BonePin::new(Arc::new(animation), bone, offset)
}

/// Place and velocity of the hand of a planar arm of two bones.
fn hand() -> Result<([f64; 3], [f64; 3]), BadSetup> {
    let bones = vec![
        Bone::root("upper", Transform::IDENTITY),
        Bone::on("upper", "lower", Transform::at(DVec3::X)),
    ];
    let tracks =
        vec![("upper", turning(DVec3::Z, 0.4, 2.0)?), ("lower", turning(DVec3::Z, 0.9, -3.0)?)];
    Ok(pin(bones, tracks, ("lower", DVec3::X * 0.7))?.at(0.0))
}

fn skins(list: &mut CheckList) {
    list.reference(
        "linear blending: √(1 - 4w(1-w) sin²(θ/2)); dual quaternions (Kavan et al. 2008): 1",
    );
    let half = [(0, 0.5), (1, 0.5)];
    for (degrees, printed) in [(90.0, FRAC_1_SQRT_2), (120.0, 0.5), (180.0, 0.0)] {
        let turn = about(DVec3::Z, degrees * PI / 180.0);
        let [linear, dual] = moved(&[half], &[DVec3::X], turn).unwrap_or_default();
        let name = |how| format!("radius, twist of {degrees}° by {how}, as printed");
        list.printed(name("linear blending"), printed, 2e-16, radius(&linear));
        list.printed(name("dual quaternions"), 1.0, 1e-12, radius(&dual));
    }
    let turn = about(DVec3::Y, FRAC_PI_2);
    let [linear, dual] = moved(&[half], &[DVec3::X], turn).unwrap_or_default();
    list.printed(
        "radius, bend of 90° by linear blending, as printed",
        FRAC_1_SQRT_2,
        1e-14,
        radius(&linear),
    );
    list.printed("radius, bend of 90° by dual quaternions, as printed", 1.0, 1e-14, radius(&dual));
    list.reference("volume of a cylinder with linear weights: 1 - ⅔ sin²(θ/2), and all of it");
    let [linear, dual] = volumes(PI).unwrap_or([f64::NAN; 2]);
    list.printed("volume, twist of 180° by linear blending, as printed", 1.0 / 3.0, 5e-5, linear);
    list.printed("volume, twist of 180° by dual quaternions, as printed", 1.0, 5e-5, dual);
    list.reference("normals go by the inverse transpose: scale (2, 1, 1), normal (1, 1, 0)/√2");
    let map = DMat3::from_diagonal(DVec3::new(2.0, 1.0, 1.0));
    let normal = transformed_normal(&map, DVec3::new(1.0, 1.0, 0.0) / 2.0_f64.sqrt());
    list.printed("x of the normal, as printed", 0.447_213_595_5, 1e-10, normal.x);
}

/// The length of the first of some points; NaN without one.
fn radius(points: &[DVec3]) -> f64 {
    points.first().map_or(f64::NAN, |point| point.length())
}

/// Points on a bone at rest and on one that is turned: by linear blending and by dual quaternions.
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

/// Volumes of a twisted cylinder beside that at rest.
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

fn ropes(list: &mut CheckList) {
    list.reference(
        "frames by double reflection (Wang, Jüttler, Zheng, Liu 2008) on the helix (1, 1/2)",
    );
    let turn = helix(64).unwrap_or(f64::NAN);
    list.printed(
        "turn over a turn of the helix, 64 steps, as printed",
        -2.809_925_892_416_290_4,
        1.3e-6,
        turn,
    );
    list.reference("transport by the smallest rotations along the edges x, y, z, x of a cube");
    let edges = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::X];
    let carried =
        edges.windows(2).fold(DVec3::Y, |normal, pair| transport(normal, pair[0], pair[1]));
    list.printed("+y becomes +z, z of it, as printed", 1.0, 2e-16, carried.z);
    list.reference("a straight tube of n sides is a prism: (n/2π) sin(2π/n) of the cylinder");
    for (sides, printed) in [(8, 0.900_316_316_157_106_1), (16, 0.974_495_358_404_432_7)] {
        let share = prism(sides).unwrap_or(f64::NAN);
        list.printed(format!("volume of {sides} sides, as printed"), printed, 1e-14, share);
    }
}

/// How far the frame turns beside the principal normal along a turn of the helix (1, ½).
fn helix(steps: usize) -> Result<f64, BadSetup> {
    // A node more at either end, so that all differences are central.
    let at = |i: usize| {
        let angle = TAU * (i as f64 - 1.0) / steps as f64;
        let (sine, cosine) = libm::sincos(angle);
        DVec3::new(cosine, sine, 0.5 * angle)
    };
    let nodes: Vec<DVec3> = (0..steps + 3).map(at).collect();
    let mut tangents = Vec::new();
    central_tangents(&nodes, &mut tangents);
    let frames = Frames::along(&nodes[1..steps + 2], &tangents[1..steps + 2], -DVec3::X)?;
    let end = frames.frames()[steps];
    let off = signed_angle(end.tangent, -DVec3::X, end.normal);
    Ok(if off > 0.0 { off - TAU } else { off })
}

fn prism(sides: usize) -> Result<f64, BadSetup> {
    let nodes = [DVec3::ZERO, DVec3::new(1.0, 2.0, 2.0)];
    let mut frames = Frames::default();
    frames.follow(&nodes);
    let tube = Tube::new(sides, 0.3)?;
    let mut points = Vec::new();
    tube.vertices(&nodes, frames.frames(), &mut points);
    let found = volume(&points, &tube.triangles(2)).unwrap_or(f64::NAN);
    Ok(found / (PI * 0.3 * 0.3 * 3.0))
}

/// The greatest angle of the pendulum, in radians, and the angle of the chairoplane.
const PENDULUM: f64 = 0.001_135_073_779_795_686_7;
const CHAIROPLANE: f64 = 0.462_637_500_979_351_75;

/// The angles from the vertical of a stiff rod on a moving pin, a frame each.
fn angles(
    setups: &CheckSetups<'_>,
    ([from, to], velocity): ([DVec3; 2], DVec3),
    pin: impl Curve + 'static,
    frames: u32,
) -> Option<Vec<f64>> {
    let rope = Rope::new(from.to_array(), to.to_array(), 2).of(1.0, 1e6).pin(0);
    let setup = Setup::new(&rope)
        .gravity([0.0, -9.81, 0.0])
        .method(VelocityVerlet {})
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
        let way = DVec3::from_array(free?) - DVec3::from_array(held?);
        angles.push(libm::atan2(libm::hypot(way.x, way.z), -way.y));
    }
    Some(angles)
}

/// A place that swings along x: 0.01 sin t.
#[derive(Debug)]
struct Swinging;

impl Track<3> for Swinging {
    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        let (sine, cosine) = libm::sincos(t);
        ([0.01 * sine, 0.0, 0.0], [0.01 * cosine, 0.0, 0.0])
    }

    fn span(&self) -> Option<(f64, f64)> {
        None
    }
}

/// The greatest angle of a pendulum that begins on the swing that neither grows nor beats.
fn pendulum(setups: &CheckSetups<'_>) -> Option<f64> {
    let start = ([DVec3::ZERO, -DVec3::Y], DVec3::X * (0.01 + PENDULUM));
    let angles = angles(setups, start, TrackCurve(Arc::new(Swinging)), 400)?;
    angles.into_iter().reduce(f64::max)
}

/// The angle of a seat, that which is farthest from the one of balance.
fn chairoplane(setups: &CheckSetups<'_>) -> Option<f64> {
    let omega = 2.0;
    let bones = vec![
        Bone::root("mast", Transform::IDENTITY),
        Bone::on("mast", "arm", Transform::at(DVec3::X)),
    ];
    let tracks = vec![("mast", turning(DVec3::Y, 0.0, omega).ok()?)];
    let pin = pin(bones, tracks, ("arm", DVec3::ZERO)).ok()?;
    let (sine, cosine) = libm::sincos(CHAIROPLANE);
    let seat = DVec3::X + DVec3::new(sine, -cosine, 0.0) * 0.5;
    let start = ([DVec3::X, seat], (DVec3::Y * omega).cross(seat));
    let angles = angles(setups, start, pin, 300)?;
    let off = |angle: &f64| (angle - CHAIROPLANE).abs();
    angles.into_iter().max_by(|a, b| off(a).total_cmp(&off(b)))
}
