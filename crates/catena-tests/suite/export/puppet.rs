//! A figure for tests: a chain of rotating bones with a square tube as its mesh.

use super::written;
use crate::scene_of;
use catena::export::{
    Contents, ExportFormat, Figure, MeshMorphs, Motion, SkinnedMesh, WriteOptions,
};
use catena::rig::Skinning;
use catena::scene::Scene;
use catena::sim::drive::rig::{Bone, MovingRotation, MovingTransform, Pose, Skeleton, Transform};
use catena::sim::glam::{DQuat, DVec3};
use catena::sim::{skin::Skin, vector::Vec3};
use std::{f64::consts::PI, sync::Arc};

/// Number of frames of the scene, and the time between them.
pub const FRAMES: u64 = 9;
pub const FRAME_TIME: f64 = 0.125;
/// Number of bones.
pub const BONES: usize = 6;

const SCENE: &str = "Scene(base: (frames: 9, frame_time: 0.125, substeps: 8, gravity: (0, -9.81, 0),
    rope: (start: (0, 0, 0), end: (0.5, 0, 0), nodes: 3, pins: [0])), panels: [(label: \"Puppet\")])";

/// A chain of bones along x, with the last bone listed first.
pub fn skeleton() -> Arc<Skeleton> {
    let at = |x: f64| Transform::at(DVec3::new(x, 0.0, 0.0));
    let mut bones: Vec<Bone> = (1..BONES)
        .map(|k| Bone::on(format!("bone {}", k - 1), format!("bone {k}"), at(0.3)))
        .collect();
    bones.push(Bone::root("bone 0", Transform::at(DVec3::new(-0.2, 0.9, 0.1))));
    bones.reverse();
    Arc::new(Skeleton::new(bones).unwrap())
}

/// Each bone rotates about another axis, with increasing speed; one bone grows, and one moves.
pub fn motion(skeleton: &Arc<Skeleton>, shrinks: bool) -> Motion {
    let skeleton = Arc::clone(skeleton);
    Arc::new(move |t, pose: &mut Pose| {
        let local = |bone: usize| {
            let bind = skeleton.bind()[bone];
            let bone: usize = skeleton.names()[bone]["bone ".len()..].parse().unwrap();
            let mut local = MovingTransform::resting(bind);
            let axis = [DVec3::Z, DVec3::Y, DVec3::X][bone % 3];
            // The fastest bone rotates by more than a full turn.
            let pace = 1.0 + 1.5 * bone as f64;
            let turn = DQuat::from_axis_angle(axis, pace * t);
            let (sine, cosine) = libm::sincos(0.5 * pace * t);
            let slope = axis * (0.5 * pace * cosine);
            let rate = DQuat::from_vec4(slope.extend(-0.5 * pace * sine));
            local.rotation = MovingRotation { turn, rate };
            match bone {
                1 => {
                    local.place += DVec3::Y * (0.1 * t);
                    local.velocity = DVec3::Y * 0.1;
                }
                3 if shrinks && t > 0.4 => local.scale = DVec3::ZERO,
                3 => {
                    local.scale = DVec3::splat(1.0 + 0.25 * t);
                    local.stretching = DVec3::splat(0.25);
                }
                _ => {}
            }
            local
        };
        skeleton.pose_of(local, pose);
    })
}

/// Weights of the two morph targets of the mesh, and their rates.
pub fn weights(t: f64) -> Vec<(f64, f64)> {
    vec![(0.25 + t, 1.0), (t * t, 2.0 * t)]
}

/// A square tube around the chain, whose first point has this many bones. One morph target lifts
/// its end, the other one widens it.
pub fn mesh(skeleton: &Skeleton, maximum: usize) -> SkinnedMesh {
    let mut points = Vec::new();
    let mut weights: Vec<Vec<(usize, f64)>> = Vec::new();
    for ring in 0..13 {
        let along = 0.125 * f64::from(ring);
        let place = along / 0.3;
        let bone = (place as usize).min(BONES - 1);
        let share = if bone + 1 < BONES { place - bone as f64 } else { 0.0 };
        for corner in 0..4 {
            let (sine, cosine) = libm::sincos(0.5 * PI * f64::from(corner));
            points.push(DVec3::new(along - 0.2, 0.9 + 0.05 * cosine, 0.1 + 0.05 * sine));
            weights.push(vec![(bone, 1.0 - share), ((bone + 1).min(BONES - 1), share)]);
        }
    }
    weights[0] = (0..maximum).map(|bone| (bone, 1.0 + bone as f64)).collect();
    let numbers = |name: usize| skeleton.bone(&format!("bone {name}")).unwrap();
    let weights: Vec<Vec<(usize, f64)>> = weights
        .into_iter()
        .map(|all| all.into_iter().map(|(bone, weight)| (numbers(bone), weight)).collect())
        .collect();
    let triangles = (0..12)
        .flat_map(|ring| (0..4).map(move |side| (4 * ring + side, 4 * ring + (side + 1) % 4)))
        .flat_map(|(a, b)| [[a, b, b + 4], [a, b + 4, a + 4]])
        .collect();
    SkinnedMesh {
        name: "skin".into(),
        color: [200, 120, 40, 255],
        node: None,
        morphs: Some(MeshMorphs {
            targets: vec![
                points.iter().map(|point| DVec3::Y * (0.1 * point.x)).collect(),
                points.iter().map(|point| DVec3::Z * (point.z - 0.1)).collect(),
            ],
            weights: Arc::new(self::weights),
        }),
        skin: Skin::new(BONES, &weights).unwrap(),
        inverse_bind: skeleton.inverse_bind().to_vec(),
        points,
        triangles,
    }
}

/// A scene of a rope, and its contents with the figure. With `shrinks`, a bone shrinks to zero.
pub fn puppet(shrinks: bool, maximum: usize) -> (Scene, Contents) {
    let scene = scene_of(SCENE);
    let mut contents = Contents::of_scene(&scene, None, 0..FRAMES);
    let skeleton = skeleton();
    let motion = motion(&skeleton, shrinks);
    let meshes = vec![mesh(&skeleton, maximum)];
    let figure = Figure::new("puppet", skeleton, motion, meshes, Skinning::Linear).unwrap();
    contents.groups[0].bodies[0].add_figure(figure);
    (scene, contents)
}

/// Points of the mesh at a time, computed with catena's own skinning.
pub fn posed(contents: &Contents, t: f64) -> Vec<Vec3> {
    let figure = &contents.groups[0].bodies[0].figures[0];
    let mesh = &figure.meshes[0];
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    (figure.motion)(t, &mut pose);
    pose.skin_matrices(&mesh.inverse_bind, &mut matrices);
    let mut points = mesh.points.clone();
    let targets = mesh.morphs.iter().flat_map(|morphs| &morphs.targets);
    for (target, (weight, _)) in targets.zip(weights(t)) {
        points.iter_mut().zip(target).for_each(|(point, by)| *point += *by * weight);
    }
    let mut moved = points.clone();
    mesh.skin.linear(&matrices, &points, &mut moved).unwrap();
    moved.iter().map(DVec3::to_array).collect()
}

/// The files of contents.
pub fn files(contents: &Contents, scene: &Scene, format: ExportFormat) -> Vec<(String, Vec<u8>)> {
    written(scene, contents, format, WriteOptions::default()).unwrap()
}
