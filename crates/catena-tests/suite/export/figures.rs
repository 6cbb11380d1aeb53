//! Figures in every format: bones, and the meshes on them.

use super::gltf::Glb;
use super::obj::vectors;
use super::puppet::{BONES, FRAME_TIME, FRAMES, files, mesh, motion, posed, puppet, skeleton};
use super::usda::{numbers, prim, samples, value};
use super::vtp::PolyData;
use super::{Memory, farthest, recorded, written};
use catena::export::{ExportFormat, Figure, SkinnedMesh, WriteOptions, write};
use catena::rig::Skinning;
use catena::sim::drive::rig::{MovingTransform, Pose, Transform};
use catena::sim::glam::{DAffine3, DMat4, DQuat, DVec3};
use catena::sim::vector::Vec3;
use std::sync::Arc;

/// Positions of a skinned mesh at a frame, from joints, weights and matrices of a file.
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
        chain.fold(DAffine3::IDENTITY, |map, index| local(index) * map)
    };
    let inverse: Vec<DMat4> =
        glb.numbers(&skin["inverseBindMatrices"]).chunks(16).map(DMat4::from_cols_slice).collect();
    let maps: Vec<DMat4> = joints
        .iter()
        .zip(&inverse)
        .map(|(joint, inverse)| DMat4::from(world(*joint)) * *inverse)
        .collect();
    carried(glb, &maps, frame)
}

/// Points of the mesh at a frame, moved by morph targets and all sets of joints and weights.
fn carried(glb: &Glb, maps: &[DMat4], frame: usize) -> Vec<Vec3> {
    let attributes = &glb.primitive("skin")["attributes"];
    let first = || {
        let mesh = glb.json["meshes"].as_array().unwrap().iter().find(|it| it["name"] == "skin");
        let weights = mesh.unwrap()["weights"].as_array();
        let all = weights.into_iter().flatten();
        all.map(|weight| weight.as_f64().unwrap()).collect()
    };
    let weights = glb.channel("skin", "weights").map_or_else(first, |(times, values)| {
        assert_eq!(values.len(), 2 * times.len());
        values[2 * frame..2 * frame + 2].to_vec()
    });
    let points = glb.morphed(glb.primitive("skin"), "POSITION", &weights);
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
    let (scene, contents) = puppet(false, BONES);
    let bytes = files(&contents, &scene, ExportFormat::Glb).remove(0).1;
    let glb = Glb::read(&bytes);
    for frame in 0..FRAMES as usize {
        let expected = posed(&contents, FRAME_TIME * frame as f64);
        assert!(farthest(&skinned(&glb, frame), &expected) < 1e-6, "frame {frame}");
    }
    assert_eq!(glb.children(glb.node("Puppet")), ["rope", "puppet"]);
    assert_eq!(glb.children(glb.node("puppet")), ["bone 0"]);
    // Nothing above a skinned mesh moves it, so it is a root node.
    let roots = glb.json["scenes"][0]["nodes"].as_array().unwrap();
    let name = |root: &serde_json::Value| {
        glb.json["nodes"][root.as_u64().unwrap() as usize]["name"].clone()
    };
    assert_eq!(roots.iter().map(name).collect::<Vec<_>>(), ["test", "skin"]);
    // A static object has no animation channel.
    assert!(glb.channel("bone 2", "rotation").is_some());
    assert!(
        glb.channel("bone 2", "translation").is_none() && glb.channel("bone 2", "scale").is_none()
    );
    assert!(
        glb.channel("bone 1", "translation").is_some() && glb.channel("bone 3", "scale").is_some()
    );
    // Of both signs of a quaternion, the export uses the one closer to the previous frame.
    let (_, turns) = glb.channel("bone 5", "rotation").unwrap();
    let turns: Vec<DQuat> = turns.chunks(4).map(DQuat::from_slice).collect();
    assert!(turns.windows(2).all(|pair| pair[0].dot(pair[1]) >= 0.0));
}

/// Points of a stage's mesh at a frame, moved by blend shapes but not yet by bones.
fn blended(stage: &str, frame: usize) -> Vec<DVec3> {
    let vectors = |numbers: &[f64]| -> Vec<DVec3> {
        numbers.as_chunks().0.iter().map(|it| DVec3::from_array(*it)).collect()
    };
    let mesh = prim(stage, "def Mesh \"skin\"");
    let mut points = vectors(&numbers(value(&mesh, "point3f[] points")));
    assert_eq!(value(&mesh, "uniform token[] skel:blendShapes"), "[\"morph\", \"morph_2\"]");
    let motion = prim(stage, "def SkelAnimation \"animation\"");
    let weights = samples(&motion, "float[] blendShapeWeights").remove(frame).1;
    assert_eq!(weights.len(), 2);
    for (name, weight) in ["morph", "morph_2"].iter().zip(weights) {
        let shape = prim(stage, &format!("def BlendShape \"{name}\""));
        let offsets = vectors(&numbers(value(&shape, "uniform vector3f[] offsets")));
        assert_eq!(offsets.len(), points.len());
        points.iter_mut().zip(offsets).for_each(|(point, by)| *point += by * f64::from(weight));
    }
    points
}

#[test]
fn usd_has_a_skeleton_with_its_motion() {
    let (scene, contents) = puppet(false, BONES);
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
    assert_eq!((indices.len(), weights.len()), (52 * BONES, 52 * BONES));
    assert!(mesh.iter().any(|line| line.trim() == "elementSize = 6"));
    for frame in 0..FRAMES as usize {
        let points = blended(&stage, frame);
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
                let point = points[vertex];
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
    let (scene, contents) = puppet(false, BONES);
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
    let (scene, contents) = puppet(true, BONES);
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
    let fine = mesh(&skeleton, BONES);
    let short = SkinnedMesh { inverse_bind: fine.inverse_bind[1..].to_vec(), ..fine.clone() };
    let far = SkinnedMesh { triangles: vec![[0, 1, 52]], ..fine.clone() };
    let few = SkinnedMesh { points: fine.points[1..].to_vec(), ..fine.clone() };
    let mut endless = fine.clone();
    endless.points[3].x = f64::NAN;
    let mut cut = fine.clone();
    cut.morphs.as_mut().unwrap().targets[1].pop();
    for (bad, part) in [
        (short, "each bone"),
        (far, "a missing point"),
        (few, "weights for each point"),
        (endless, "finite"),
        (cut, "each morph target needs one entry for each point"),
    ] {
        let made = Figure::new(
            "f",
            Arc::clone(&skeleton),
            motion(&skeleton, false),
            vec![bad],
            Skinning::Linear,
        );
        let message = made.unwrap_err().to_string();
        assert!(message.contains("mesh “skin”") && message.contains(part), "{message}");
    }
    // A second mesh bound to another pose is possible in glTF, but not in USD.
    let (scene, mut contents) = puppet(false, BONES);
    let mut other = fine;
    other.inverse_bind[1].translation.x += 0.5;
    contents.groups[0].bodies[0].figures[0].meshes.push(other);
    assert!(written(&scene, &contents, ExportFormat::Glb, WriteOptions::default()).is_ok());
    let refused = written(&scene, &contents, ExportFormat::Usda, WriteOptions::default());
    assert!(refused.unwrap_err().to_string().contains("bound to another pose"));
}

/// Non-finite poses are ignored: the bind pose is used before the first finite one.
#[test]
fn a_pose_that_is_lost_stays_as_it_was_before() {
    let (scene, mut contents) = puppet(false, BONES);
    let figure = &mut contents.groups[0].bodies[0].figures[0];
    // Morph targets continue if bones are lost.
    figure.meshes[0].morphs = None;
    let sound = Arc::clone(&figure.motion);
    let skeleton = Arc::clone(&figure.skeleton);
    figure.motion = Arc::new(move |t, pose: &mut Pose| {
        sound(t, pose);
        let place = DVec3::splat(if (0.2..0.4).contains(&t) { 0.5 } else { f64::NAN });
        let lost = MovingTransform::resting(Transform::at(place));
        if !place.is_finite() {
            skeleton.pose_of(|_| lost, pose);
        }
    });
    let glb = Glb::read(&files(&contents, &scene, ExportFormat::Glb).remove(0).1);
    let rest: Vec<Vec3> = contents.groups[0].bodies[0].figures[0].meshes[0]
        .points
        .iter()
        .map(DVec3::to_array)
        .collect();
    let (_, mut moving) = puppet(false, BONES);
    moving.groups[0].bodies[0].figures[0].meshes[0].morphs = None;
    for (frame, expected) in [
        (0, rest),
        (2, posed(&moving, 0.25)),
        (3, posed(&moving, 0.375)),
        (8, posed(&moving, 0.375)),
    ] {
        assert!(farthest(&skinned(&glb, frame), &expected) < 1e-6, "frame {frame}");
    }
}

/// With `CATENA_PEER_FILES=DIR`, the files and a table of positions in the format of a trace are
/// kept for tests/peers/export.
#[test]
fn an_export_can_be_written_more_than_once() {
    let (scene, contents) = puppet(false, 4);
    let mut recording = recorded(&scene, &contents, false);
    let place = std::env::var_os("CATENA_PEER_FILES").map(std::path::PathBuf::from);
    for format in [ExportFormat::Glb, ExportFormat::Usda] {
        let mut write = || {
            let mut memory = Memory::default();
            let options = WriteOptions::default();
            write(format, &contents, &mut recording, options, &mut memory, &|| false).unwrap();
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
