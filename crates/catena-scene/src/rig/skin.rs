//! Skins that are tubes around chains of bones.

use super::entries::{SkinShape, TubeSettings};
use super::names::{shown_bone, unknown_bone};
use crate::diagnostic::Fault;
use crate::error::SceneError;
use crate::rig::figure::RigFigure;
use crate::stack::{Stack, refuse, required};
use catena_sim::BadSetup;
use catena_sim::drive::rig::Pose;
use catena_sim::glam::DVec3;
use catena_sim::rig::RigSkin;
use catena_sim::skin::{Frames, Skin, Tube};

/// Default number of sides of a tube.
const SIDES: u64 = 24;
/// Default number of rings along a tube.
const RINGS: u64 = 65;

/// Joints of a chain in the bind pose, and the tip of its last bone.
struct BoneChain {
    bones: Vec<usize>,
    points: Vec<DVec3>,
}

/// Builds a tube skin around bones in their bind pose.
///
/// # Errors
/// Returns an error when the chain has no length, or a number is missing.
pub(super) fn tube(
    stack: &Stack<'_>,
    SkinShape::Tube(settings): &SkinShape,
    figure: &RigFigure,
) -> Result<RigSkin, SceneError> {
    let refused = |bad: BadSetup| refuse(stack, "rig.skin", Fault::new(bad.message));
    let radius = required(stack, "rig.skin.radius", settings.radius.0.as_ref())?.0;
    let sides = settings.sides.0.map_or(SIDES, |sides| sides.0) as usize;
    let rings = settings.rings.0.map_or(RINGS, |rings| rings.0) as usize;
    let chain = chain(settings, figure).map_err(|(path, fault)| refuse(stack, path, fault))?;
    let starts = starts(&chain.points);
    let total = starts.last().copied().unwrap_or(0.0);
    let at = |ring: usize| total * ring as f64 / (rings - 1) as f64;
    let points: Vec<DVec3> =
        (0..rings).map(|ring| along(&chain.points, &starts, at(ring))).collect();
    let tube = Tube::new(sides, radius).map_err(refused)?;
    let mut frames = Frames::default();
    frames.follow(&points);
    let frames = frames.frames();
    let mut vertices = Vec::new();
    tube.vertices(&points, frames, &mut vertices);
    let triangles = tube.triangles(rings);
    let blend = settings.blend.0.map_or(0.0, |blend| blend.0);
    let of_ring = |ring: usize| influences(&starts, blend, at(ring));
    let of_vertex = |vertex: usize| match vertex.checked_sub(rings * sides) {
        None => of_ring(vertex / sides),
        Some(0) => of_ring(0),
        Some(_) => of_ring(rings - 1),
    };
    let weights: Vec<_> = (0..vertices.len()).map(of_vertex).collect();
    let weights = Skin::new(chain.bones.len(), &weights).map_err(refused)?;
    let normal = |(index, vertex): (usize, &DVec3)| {
        let (ring, end) = match index.checked_sub(rings * sides) {
            None => (index / sides, 0.0),
            Some(0) => (0, -1.0),
            Some(_) => (rings - 1, 1.0),
        };
        if end == 0.0 { (*vertex - points[ring]) / radius } else { frames[ring].tangent * end }
    };
    let normals = vertices.iter().enumerate().map(normal).collect();
    let inverse = figure.skeleton.inverse_bind();
    Ok(RigSkin {
        name: "tube".into(),
        normals,
        points: vertices,
        triangles,
        weights,
        inverse_bind: chain.bones.iter().map(|bone| inverse[*bone]).collect(),
        joints: chain.bones,
        color: None,
        is_double_sided: false,
        ring: Some(sides),
        node: None,
        morphs: None,
    })
}

/// Returns the chain from a bone along first children to the last one.
///
/// # Errors
/// Returns the path of the field at fault, and its fault.
fn chain(settings: &TubeSettings, figure: &RigFigure) -> Result<BoneChain, (&'static str, Fault)> {
    let skeleton = &figure.skeleton;
    let first = match &settings.from {
        Some(name) => skeleton
            .bone(name)
            .map_err(|_| ("rig.skin.from", unknown_bone(name, figure.bones())))?,
        None => {
            let fault = || ("rig.skin", Fault::new("there are no bones"));
            skeleton.order().first().copied().ok_or_else(fault)?
        }
    };
    let mut bones = vec![first];
    while let Some(&last) = bones.last()
        && let Some(child) = skeleton.parents().iter().position(|parent| *parent == Some(last))
    {
        bones.push(child);
    }
    let mut pose = Pose::default();
    skeleton.bind_pose(&mut pose);
    let mut points: Vec<DVec3> = bones.iter().map(|bone| pose.bones()[*bone].place()).collect();
    let last = bones[bones.len() - 1];
    match figure.lengths[last] {
        Some(length) => points.push(pose.bones()[last].point(DVec3::X * length).0),
        // The tube ends at the last joint.
        None if bones.len() > 1 => {}
        None => {
            let bone = shown_bone(last, &skeleton.names()[last], figure.is_outside);
            let fault =
                Fault::new(format!("{bone} has no length, so no skin can be generated around it"));
            return Err(("rig.skin", fault.help("set its `length`")));
        }
    }
    let is_long = points.windows(2).all(|pair| (pair[1] - pair[0]).length() > 0.0);
    let fault = || Fault::new("two joints of the chain have the same position");
    match is_long {
        true => Ok(BoneChain { bones, points }),
        false => Err(("rig.skin", fault().help("move the bones apart"))),
    }
}

/// Returns the arc length of a chain at each of its points.
fn starts(points: &[DVec3]) -> Vec<f64> {
    let mut all = vec![0.0];
    for pair in points.windows(2) {
        all.push(all[all.len() - 1] + (pair[1] - pair[0]).length());
    }
    all
}

/// Returns the point of a chain at an arc length.
fn along(points: &[DVec3], starts: &[f64], at: f64) -> DVec3 {
    let piece = starts[1..starts.len() - 1].partition_point(|start| *start <= at);
    let share = (at - starts[piece]) / (starts[piece + 1] - starts[piece]);
    points[piece] + (points[piece + 1] - points[piece]) * share
}

/// Returns the weights of bones at an arc length. Within half of `blend` around a joint, the weight
/// changes linearly from one bone to the next.
fn influences(starts: &[f64], blend: f64, at: f64) -> Vec<(usize, f64)> {
    let inner = &starts[1..starts.len() - 1];
    let piece = inner.partition_point(|start| *start <= at);
    let near = |joint: usize| {
        let share = 0.5 + (at - starts[joint]) / blend;
        (blend > 0.0 && (0.0..=1.0).contains(&share)).then_some(share)
    };
    let joints = 1..=inner.len();
    let closest = joints.min_by(|a, b| (at - starts[*a]).abs().total_cmp(&(at - starts[*b]).abs()));
    match closest.and_then(|joint| Some((joint, near(joint)?))) {
        Some((joint, share)) => vec![(joint - 1, 1.0 - share), (joint, share)],
        None => vec![(piece, 1.0)],
    }
}
