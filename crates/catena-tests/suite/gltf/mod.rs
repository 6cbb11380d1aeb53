//! Figures of glTF files: their contents compared with other programs, and refusals.

mod contents;
pub mod document;
mod encodings;
mod looks;
mod malformed;
mod morphs;
mod mutations;
mod peers;
mod textures;

use crate::repository;
use catena::gltf::{Figure, FigureMesh, GltfError, Limits, read};
use catena::sim::drive::rig::{Animation, Blend, Layer, Pose};
use catena::sim::glam::DVec3;
use catena::sim::skin::RigidBone;
use std::sync::Arc;

/// Reads a file of tests/figures, with its companion files.
fn figure(path: &str) -> Result<Figure, GltfError> {
    let path = repository("tests/figures").join(path);
    let folder = path.parent().unwrap().to_owned();
    let mut files = |name: &str, maximum| {
        catena::read::file(&folder.join(name), maximum).map_err(|error| error.to_string())
    };
    read(&std::fs::read(&path).unwrap(), &mut files, &Limits::default())
}

/// Reads bytes that need no other file.
fn read_alone(bytes: &[u8]) -> Result<Figure, GltfError> {
    read(bytes, &mut |_, _| Err("there is no such file".into()), &Limits::default())
}

/// All clips of a figure, played at once as stored.
fn playing(figure: &Figure) -> Animation {
    let (clip, conflicts) = figure.all_clips().unwrap();
    assert_eq!(conflicts, []);
    let layers = vec![Layer::new(Arc::new(clip), Blend::Over)];
    Animation::new(Arc::clone(&figure.skeleton), layers).unwrap()
}

/// Skinning method.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Method {
    Linear,
    DualQuaternion,
}

/// Vertices of a mesh in a pose.
fn skinned(mesh: &FigureMesh, pose: &Pose, method: Method) -> Vec<DVec3> {
    let (mut matrices, mut moved) = (Vec::new(), vec![DVec3::NAN; mesh.points.len()]);
    mesh.joints.matrices(pose, &mut matrices);
    match method {
        Method::Linear => mesh.skin.linear(&matrices, &mesh.points, &mut moved).unwrap(),
        Method::DualQuaternion => {
            let bones: Vec<RigidBone> = matrices.iter().map(RigidBone::new).collect();
            mesh.skin.dual_quaternion(&bones, &mesh.points, &mut moved).unwrap();
        }
    }
    moved
}

/// Vertices of all meshes at some times, with all clips played.
fn moving(figure: &Figure) -> Vec<DVec3> {
    let animation = playing(figure);
    let mut pose = Pose::default();
    let mut places = Vec::new();
    for time in [-1.0, 0.0, 0.3, 0.9, 1.0, 1.4, 1.75, 2.0, 5.0] {
        animation.pose(time, &mut pose);
        for mesh in &figure.meshes {
            places.extend(skinned(mesh, &pose, Method::Linear));
        }
    }
    places
}
