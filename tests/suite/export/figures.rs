//! Figures: bones, and meshes on them, in every format.

use super::gltf::Glb;
use super::obj::vectors;
use super::usda::{numbers, prim, samples, value};
use super::vtp::PolyData;
use super::{Memory, farthest, recorded, written};
use crate::scene_of;
use catena::export::{Contents, ExportFormat, Figure, Motion, SkinnedMesh, WriteOptions, write};
use catena::rig::Skinning;
use catena::scene::Scene;
use catena::sim::drive::rig::{Bone, MovingRotation, MovingTransform, Pose, Skeleton, Transform};
use catena::sim::glam::{DAffine3, DMat4, DQuat, DVec3};
use catena::sim::{skin::Skin, vector::Vec3};
use std::{f64::consts::PI, sync::Arc};

const FRAMES: u64 = 9;
const FRAME_TIME: f64 = 0.125;
const BONES: usize = 6;

const SCENE: &str = "Scene(base: (frames: 9, frame_time: 0.125, substeps: 8, gravity: (0, -9.81, 0),
    rope: (start: (0, 0, 0), end: (0.5, 0, 0), nodes: 3, pins: [0])), panels: [(label: \"Puppet\")])";

/// A chain of bones along x, the last one given first.
fn skeleton() -> Arc<Skeleton> {
    let at = |x: f64| Transform::at(DVec3::new(x, 0.0, 0.0));
    let mut bones: Vec<Bone> = (1..BONES)
        .map(|k| Bone::on(format!("bone {}", k - 1), format!("bone {k}"), at(0.3)))
        .collect();
    bones.push(Bone::root("bone 0", Transform::at(DVec3::new(-0.2, 0.9, 0.1))));
    bones.reverse();
    Arc::new(Skeleton::new(bones).unwrap())
}

/// Bones turn, each about another axis and faster; one grows, and one moves along.
fn motion(skeleton: &Arc<Skeleton>, shrinks: bool) -> Motion {
    let skeleton = Arc::clone(skeleton);
    Arc::new(move |t, pose: &mut Pose| {
        let local = |bone: usize| {
            let bind = skeleton.bind()[bone];
            let bone: usize = skeleton.names()[bone]["bone ".len()..].parse().unwrap();
            let mut local = MovingTransform::resting(bind);
            let axis = [DVec3::Z, DVec3::Y, DVec3::X][bone % 3];
            // The fastest one turns by more than a whole turn.
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

/// A square tube around the chain; its first point hangs on all bones.
fn mesh(skeleton: &Skeleton) -> SkinnedMesh {
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
    weights[0] = (0..BONES).map(|bone| (bone, 1.0 + bone as f64)).collect();
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
        color: [200, 120, 40],
        skin: Skin::new(BONES, &weights).unwrap(),
        inverse_bind: skeleton.inverse_bind().to_vec(),
        points,
        triangles,
    }
}

fn puppet(shrinks: bool) -> (Scene, Contents) {
    let scene = scene_of(SCENE);
    let mut contents = Contents::of_scene(&scene, None, 0..FRAMES);
    let skeleton = skeleton();
    let motion = motion(&skeleton, shrinks);
    let meshes = vec![mesh(&skeleton)];
    let figure = Figure::new("puppet", skeleton, motion, (meshes, Skinning::Linear)).unwrap();
    contents.groups[0].bodies[0].add_figure(figure);
    (scene, contents)
}

/// Where the points of the mesh are at a time, by catena's own skins.
fn posed(contents: &Contents, t: f64) -> Vec<Vec3> {
    let figure = &contents.groups[0].bodies[0].figures[0];
    let mesh = &figure.meshes[0];
    let (mut pose, mut matrices) = (Pose::default(), Vec::new());
    (figure.motion)(t, &mut pose);
    pose.skin_matrices(&mesh.inverse_bind, &mut matrices);
    let mut moved = mesh.points.clone();
    mesh.skin.linear(&matrices, &mesh.points, &mut moved).unwrap();
    moved.iter().map(DVec3::to_array).collect()
}

fn files(contents: &Contents, scene: &Scene, format: ExportFormat) -> Vec<(String, Vec<u8>)> {
    written(scene, contents, format, WriteOptions::default()).unwrap()
}

/// The places of a skinned mesh at a frame, from joints, weights and matrices of a file.
fn skinned(glb: &Glb, frame: usize) -> Vec<Vec3> {
    let skin = &glb.json["skins"][0];
    let joints: Vec<usize> =
        skin["joints"].as_array().unwrap().iter().map(|it| it.as_u64().unwrap() as usize).collect();
    let nodes = glb.json["nodes"].as_array().unwrap();
    let mut parents = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        for child in node["children"].as_array().into_iter().flatten() {
            parents[child.as_u64().unwrap() as usize] = Some(index);
        }
    }
    let local = |index: usize| -> DAffine3 {
        let node = &nodes[index];
        let name = node["name"].as_str().unwrap();
        let vector = |path: &str, rest: &[f64]| -> Vec<f64> {
            let still = || match node[path].as_array() {
                Some(all) => all.iter().map(|value| value.as_f64().unwrap()).collect(),
                None => rest.to_vec(),
            };
            glb.channel(name, path).map_or_else(still, |(times, values)| {
                let width = values.len() / times.len();
                values[frame * width..(frame + 1) * width].to_vec()
            })
        };
        let turn = vector("rotation", &[0.0, 0.0, 0.0, 1.0]);
        let turn = DQuat::from_array(turn.try_into().unwrap());
        assert!((turn.length() - 1.0).abs() < 1e-6);
        DAffine3::from_scale_rotation_translation(
            DVec3::from_slice(&vector("scale", &[1.0; 3])),
            turn,
            DVec3::from_slice(&vector("translation", &[0.0; 3])),
        )
    };
    let world = |index: usize| {
        let chain = std::iter::successors(Some(index), |index| parents[*index]);
        chain.fold(DAffine3::IDENTITY, |below, index| local(index) * below)
    };
    let inverse: Vec<DMat4> =
        glb.numbers(&skin["inverseBindMatrices"]).chunks(16).map(DMat4::from_cols_slice).collect();
    let maps: Vec<DMat4> = joints
        .iter()
        .zip(&inverse)
        .map(|(joint, inverse)| DMat4::from(world(*joint)) * *inverse)
        .collect();
    carried(glb, &maps)
}

/// The points of the mesh as all sets of joints and weights carry them.
fn carried(glb: &Glb, maps: &[DMat4]) -> Vec<Vec3> {
    let attributes = &glb.primitive("skin")["attributes"];
    let points = glb.vectors(&attributes["POSITION"]);
    let mut moved = vec![DVec3::ZERO; points.len()];
    let mut sums = vec![0.0; points.len()];
    for set in 0..2 {
        let [joints, weights] =
            ["JOINTS", "WEIGHTS"].map(|name| glb.numbers(&attributes[format!("{name}_{set}")]));
        for (index, (joint, weight)) in joints.iter().zip(&weights).enumerate() {
            assert!(*weight > 0.0 || *joint == 0.0);
            let point = DVec3::from_array(points[index / 4]);
            moved[index / 4] += maps[*joint as usize].transform_point3(point) * *weight;
            sums[index / 4] += weight;
        }
    }
    assert!(sums.iter().all(|sum: &f64| (sum - 1.0).abs() < 1e-7));
    moved.iter().map(DVec3::to_array).collect()
}

#[test]
fn gltf_has_joints_and_skins_that_carry_the_mesh() {
    let (scene, contents) = puppet(false);
    let bytes = files(&contents, &scene, ExportFormat::Glb).remove(0).1;
    let glb = Glb::read(&bytes);
    for frame in 0..FRAMES as usize {
        let expected = posed(&contents, FRAME_TIME * frame as f64);
        assert!(farthest(&skinned(&glb, frame), &expected) < 1e-6, "frame {frame}");
    }
    assert_eq!(glb.children(glb.node("Puppet")), ["rope", "puppet"]);
    assert_eq!(glb.children(glb.node("puppet")), ["bone 0"]);
    // Nothing above a skinned mesh moves it, so it stands at the top.
    let roots = glb.json["scenes"][0]["nodes"].as_array().unwrap();
    let name = |root: &serde_json::Value| {
        glb.json["nodes"][root.as_u64().unwrap() as usize]["name"].clone()
    };
    assert_eq!(roots.iter().map(name).collect::<Vec<_>>(), ["test", "skin"]);
    // What stands still has no course.
    assert!(glb.channel("bone 2", "rotation").is_some());
    assert!(
        glb.channel("bone 2", "translation").is_none() && glb.channel("bone 2", "scale").is_none()
    );
    assert!(
        glb.channel("bone 1", "translation").is_some() && glb.channel("bone 3", "scale").is_some()
    );
    // Of both signs of a quaternion the one comes that is nearer to the one before.
    let (_, turns) = glb.channel("bone 5", "rotation").unwrap();
    let turns: Vec<DQuat> = turns.chunks(4).map(DQuat::from_slice).collect();
    assert!(turns.windows(2).all(|pair| pair[0].dot(pair[1]) >= 0.0));
}

#[test]
fn usd_has_a_skeleton_with_its_motion() {
    let (scene, contents) = puppet(false);
    let stage =
        String::from_utf8(files(&contents, &scene, ExportFormat::Usda).remove(0).1).unwrap();
    let skeleton = prim(&stage, "def Skeleton \"skeleton\"");
    let joints = value(&skeleton, "uniform token[] joints");
    assert!(
        joints.starts_with("[\"bone_0\", \"bone_0/bone_1\", \"bone_0/bone_1/bone_2\", "),
        "{joints}"
    );
    let binds: Vec<f64> = numbers(value(&skeleton, "uniform matrix4d[] bindTransforms"));
    assert_eq!(binds.len(), 16 * BONES);
    assert!(
        (binds[16 + 12] - 0.1).abs() < 1e-12 && (binds[16 + 13] - 0.9).abs() < 1e-12,
        "{binds:?}"
    );
    let motion = prim(&stage, "def SkelAnimation \"animation\"");
    let [turns, places, scales] = ["quatf[] rotations", "float3[] translations", "half3[] scales"]
        .map(|attribute| samples(&motion, attribute));
    assert_eq!([turns.len(), places.len(), scales.len()], [FRAMES as usize; 3]);
    let mesh = prim(&stage, "def Mesh \"skin\"");
    let indices: Vec<usize> =
        numbers(value(&mesh, "int[] primvars:skel:jointIndices").trim_end_matches('('));
    let weights: Vec<f64> =
        numbers(value(&mesh, "float[] primvars:skel:jointWeights").trim_end_matches('('));
    let points: Vec<f64> = numbers(value(&mesh, "point3f[] points"));
    assert_eq!((indices.len(), weights.len()), (52 * BONES, 52 * BONES));
    assert!(mesh.iter().any(|line| line.trim() == "elementSize = 6"));
    for frame in 0..FRAMES as usize {
        let mut world = vec![DAffine3::IDENTITY; BONES];
        for bone in 0..BONES {
            let three =
                |all: &[f32]| DVec3::from_array([0, 1, 2].map(|k| f64::from(all[3 * bone + k])));
            let [w, x, y, z] = [0, 1, 2, 3].map(|k| f64::from(turns[frame].1[4 * bone + k]));
            let local = DAffine3::from_scale_rotation_translation(
                three(&scales[frame].1),
                DQuat::from_xyzw(x, y, z, w),
                three(&places[frame].1),
            );
            world[bone] = if bone > 0 { world[bone - 1] * local } else { local };
        }
        let map = |bone: usize| {
            let bind = DMat4::from_cols_slice(&binds[16 * bone..16 * bone + 16]);
            DMat4::from(world[bone]) * bind.inverse()
        };
        let moved: Vec<Vec3> = (0..52)
            .map(|vertex| {
                let point = DVec3::from_slice(&points[3 * vertex..3 * vertex + 3]);
                let all = (0..BONES).map(|k| BONES * vertex + k);
                let sum: DVec3 =
                    all.map(|k| map(indices[k]).transform_point3(point) * weights[k]).sum();
                sum.to_array()
            })
            .collect();
        let expected = posed(&contents, FRAME_TIME * frame as f64);
        assert!(farthest(&moved, &expected) < 1e-6, "frame {frame}");
    }
}

#[test]
fn files_a_frame_have_the_points_of_skins() {
    let (scene, contents) = puppet(false);
    let [objects, data] =
        [ExportFormat::Obj, ExportFormat::Vtp].map(|format| files(&contents, &scene, format));
    for frame in 0..FRAMES as usize {
        let time = FRAME_TIME * frame as f64;
        let expected = posed(&contents, time);
        let text = std::str::from_utf8(&objects[frame].1).unwrap();
        assert!(farthest(&vectors(text, "v")[3..], &expected) < 1e-14);
        assert_eq!(vectors(text, "vn").len(), expected.len());
        let data = PolyData::read(&data[frame].1);
        let points = data.floats("Points Points").as_chunks().0.to_vec();
        assert!(farthest(&points[3..], &expected) < 1e-14);
        assert_eq!(data.count("NumberOfPolys"), 96);
        assert_eq!(data.ints("PointData node")[2..5], [2, -1, -1]);
        // Velocities are derivatives.
        let step = 1e-6;
        let [before, after] = [-step, step].map(|step| posed(&contents, time + step));
        let found = data.floats("PointData velocity").as_chunks::<3>().0.to_vec();
        for (found, (before, after)) in found[3..].iter().zip(before.iter().zip(&after)) {
            for axis in 0..3 {
                let slope = (after[axis] - before[axis]) / (2.0 * step);
                assert!((found[axis] - slope).abs() < 1e-7, "{} beside {slope}", found[axis]);
            }
        }
    }
}

#[test]
fn bones_without_a_size_give_finite_numbers() {
    let (scene, contents) = puppet(true);
    let glb = Glb::read(&files(&contents, &scene, ExportFormat::Glb).remove(0).1);
    for frame in [2, 8] {
        let expected = posed(&contents, FRAME_TIME * frame as f64);
        assert!(farthest(&skinned(&glb, frame), &expected) < 1e-6, "frame {frame}");
    }
    let stage =
        String::from_utf8(files(&contents, &scene, ExportFormat::Usda).remove(0).1).unwrap();
    assert!(!stage.contains("NaN") && !stage.replace("info:id", "").contains("inf"));
}

#[test]
fn what_does_not_fit_is_refused_in_words() {
    let skeleton = skeleton();
    let fine = mesh(&skeleton);
    let short = SkinnedMesh { inverse_bind: fine.inverse_bind[1..].to_vec(), ..fine.clone() };
    let far = SkinnedMesh { triangles: vec![[0, 1, 52]], ..fine.clone() };
    let few = SkinnedMesh { points: fine.points[1..].to_vec(), ..fine.clone() };
    let mut endless = fine.clone();
    endless.points[3].x = f64::NAN;
    for (bad, part) in
        [(short, "each bone"), (far, "a point too many"), (few, "each point"), (endless, "finite")]
    {
        let made = Figure::new(
            "f",
            Arc::clone(&skeleton),
            motion(&skeleton, false),
            (vec![bad], Skinning::Linear),
        );
        let said = made.unwrap_err().to_string();
        assert!(said.contains("mesh “skin”") && said.contains(part), "{said}");
    }
    // A second mesh that was bound to another pose fits into glTF, and not into USD.
    let (scene, mut contents) = puppet(false);
    let mut other = fine;
    other.inverse_bind[1].translation.x += 0.5;
    contents.groups[0].bodies[0].figures[0].meshes.push(other);
    assert!(written(&scene, &contents, ExportFormat::Glb, WriteOptions::default()).is_ok());
    let refused = written(&scene, &contents, ExportFormat::Usda, WriteOptions::default());
    assert!(refused.unwrap_err().to_string().contains("bound to another pose"));
}

/// With `CATENA_PEER_FILES=DIR` the files and a table of places as of a trace are kept for
/// tests/peers/export.
#[test]
fn an_export_can_be_written_more_than_once() {
    let (scene, contents) = puppet(false);
    let mut recording = recorded(&scene, &contents, false);
    let place = std::env::var_os("CATENA_PEER_FILES").map(std::path::PathBuf::from);
    for format in [ExportFormat::Glb, ExportFormat::Usda] {
        let mut write = || {
            let mut memory = Memory::default();
            let parts = (&contents, &mut recording);
            write(format, parts, WriteOptions::default(), &mut memory, &|| false).unwrap();
            memory.0.remove(0).1
        };
        let bytes = write();
        assert_eq!(bytes, write());
        if let Some(place) = &place {
            let name = format!("figure.{}", format.info().name);
            std::fs::write(place.join(name), bytes).unwrap();
        }
    }
    if let Some(place) = &place {
        let mut table = String::from("frame,time,panel,body,node,x,y,z,vx,vy,vz,dt\n");
        let rope = super::places(&scene, 0, FRAMES);
        for (frame, rope) in rope.into_iter().enumerate() {
            let time = FRAME_TIME * frame as f64;
            for (body, points) in [rope, posed(&contents, time)].into_iter().enumerate() {
                for (node, [x, y, z]) in points.into_iter().enumerate() {
                    table +=
                        &format!("{frame},{time:?},0,{body},{node},{x:?},{y:?},{z:?},0,0,0,0\n");
                }
            }
        }
        std::fs::write(place.join("figure.csv"), table).unwrap();
    }
}
