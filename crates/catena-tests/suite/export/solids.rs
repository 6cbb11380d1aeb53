//! Rigid bodies: surfaces with the right size that move as the simulation says, in every format.

use super::gltf::Glb;
use super::obj::{lines, vectors};
use super::usda::{numbers, prim, samples, value};
use super::vtp::PolyData;
use super::{export, farthest, one, simulations, text};
use crate::scene_of;
use catena::export::{
    ExportFormat::{Glb as Format, Obj, Usda, Vtp},
    WriteOptions,
};
use catena::scene::Scene;
use catena::sim::body::rigid::frame;
use catena::sim::glam::{DQuat, DVec3};
use catena::sim::vector::{Vec3, cross, dot, norm, sub};

/// A box, a ball and a capsule that fly and turn.
const FLYING: &str = "Scene(base: (frames: 6, frame_time: 0.02, substeps: 40, gravity: (0, -9.81, 0), parts: [
    (name: \"crate\", with: (solid: (shape: Box(size: (0.4, 0.6, 1)), mass: 2, at: (0, 1, 0), turn: 170, axis: (1, 2, 0),
        velocity: (1, 2, 0), spin: 9, spin_axis: (0.3, 1, 0.2)), style: (color: \"#aa3311\"))),
    (name: \"ball\", with: (solid: (shape: Ball(radius: 0.3), at: (2, 0, 0), spin: 5, spin_axis: (0, 0, 1)))),
    (name: \"rod\", with: (solid: (shape: Capsule(radius: 0.1, length: 0.8), at: (-2, 0, 1), spin: 4, spin_axis: (0, 1, 0)))),
    (name: \"rope\", with: (rope: (start: (0, 3, 0), end: (1, 3, 0), nodes: 3))),
]))";

/// Names, volumes by formula and allowed relative errors of the three bodies: 48 by 24 facets miss
/// a part of a round body.
const SOLIDS: [(&str, f64, f64); 3] =
    [("crate", 0.4 * 0.6, 1e-6), ("ball", 0.113_097, 8e-3), ("rod", 0.029_322, 6e-3)];

/// Positions of points of a part of the scene's body at each frame.
fn moved(scene: &Scene, part: usize, points: &[Vec3]) -> Vec<Vec<Vec3>> {
    let mut simulation = simulations(scene).remove(0);
    let mut all = Vec::new();
    for _ in 0..6 {
        let model = &simulation.setup().model;
        let placement = frame(model, &model.parts[part], &simulation.state().x).unwrap();
        all.push(points.iter().map(|point| placement.point(*point)).collect());
        simulation.advance_frame();
    }
    all
}

/// Volume inside triangles, above 0 if they are counterclockwise seen from outside.
fn volume(points: &[Vec3], triangles: &[[usize; 3]]) -> f64 {
    let of = |[a, b, c]: &[usize; 3]| dot(points[*a], cross(points[*b], points[*c])) / 6.0;
    triangles.iter().map(of).sum()
}

fn triangles(corners: &[usize]) -> Vec<[usize; 3]> {
    corners.as_chunks().0.to_vec()
}

/// Position and rotation of a body of a glTF file at each frame, and its points and triangles.
fn gltf_body(glb: &Glb, name: &str) -> (Vec<(DVec3, DQuat)>, Vec<Vec3>, Vec<[usize; 3]>) {
    let primitive = glb.primitive(name);
    let points = glb.vectors(&primitive["attributes"]["POSITION"]);
    let normals = glb.vectors(&primitive["attributes"]["NORMAL"]);
    assert!(normals.iter().all(|normal| (norm(normal) - 1.0).abs() < 1e-6));
    let indices = triangles(&glb.indices(primitive));
    for [a, b, c] in &indices {
        let normal = cross(sub(points[*b], points[*a]), sub(points[*c], points[*a]));
        assert!(norm(normal) > 0.0 && dot(normal, normals[*a]) > 0.0, "{name}");
    }
    let places = glb.channel(name, "translation").unwrap().1;
    let turns = glb.channel(name, "rotation").unwrap().1;
    let turns: Vec<DQuat> =
        turns.as_chunks().0.iter().map(|it: &[f64; 4]| DQuat::from_array(*it)).collect();
    assert!(turns.windows(2).all(|pair| pair[0].dot(pair[1]) > 0.0), "{name}: no detour");
    let places = places.as_chunks().0.iter().map(|it: &[f64; 3]| DVec3::from_array(*it));
    (places.zip(turns).collect(), points, indices)
}

#[test]
fn gltf_moves_and_turns_a_mesh_of_the_right_size() {
    let scene = scene_of(FLYING);
    let glb = Glb::read(&one(&scene, 0..6, Format, WriteOptions::default()));
    for (part, (name, size, room)) in SOLIDS.iter().enumerate() {
        let (motion, points, triangles) = gltf_body(&glb, name);
        let found = volume(&points, &triangles);
        assert!((found / size - 1.0).abs() < *room && found < size * 1.000_001, "{name}: {found}");
        let expected = moved(&scene, part, &points);
        assert!(farthest(&expected[0], &expected[5]) > 0.02, "{name} moves");
        for (frame, ((place, turn), expected)) in motion.iter().zip(&expected).enumerate() {
            let at = |point: &Vec3| (*place + *turn * DVec3::from_array(*point)).to_array();
            let found: Vec<Vec3> = points.iter().map(at).collect();
            assert!(farthest(&found, expected) < 1e-6, "{name}, frame {frame}");
        }
        let node = glb.node(name);
        let translation: Vec<f64> =
            node["translation"].as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect();
        assert!((DVec3::from_slice(&translation) - motion[0].0).length() < 1e-6);
    }
    // A single frame has no animation.
    let still = Glb::read(&one(&scene, 3..4, Format, WriteOptions::default()));
    assert!(still.json.get("animations").is_none());
}

#[test]
fn obj_and_vtp_have_the_moved_points() {
    let scene = scene_of(FLYING);
    let glb = Glb::read(&one(&scene, 0..6, Format, WriteOptions::default()));
    let bodies: Vec<_> = SOLIDS.iter().map(|(name, ..)| gltf_body(&glb, name)).collect();
    let moved: Vec<Vec<Vec<Vec3>>> =
        (0..3).map(|part| moved(&scene, part, &bodies[part].1)).collect();
    let count: usize = bodies.iter().map(|body| body.1.len()).sum();
    let files = export(&scene, 0..6, Obj, WriteOptions::default());
    let tables = export(&scene, 0..6, Vtp, WriteOptions::default());
    let nodes = simulations(&scene)[0].setup().model.nodes();
    for frame in 0..6 {
        let expected: Vec<Vec3> = moved.iter().flat_map(|all| all[frame].clone()).collect();
        let file = std::str::from_utf8(&files[frame].1).unwrap();
        assert_eq!(lines(file, "o"), [["crate"], ["ball"], ["rod"], ["rope"]]);
        assert!(farthest(&vectors(file, "v")[..count], &expected) < 1e-6, "frame {frame}");
        let faces: usize = bodies.iter().map(|body| body.2.len()).sum();
        assert_eq!((lines(file, "f").len(), lines(file, "l").len()), (faces, 1));
        let data = PolyData::read(&tables[frame].1);
        assert_eq!(data.count("NumberOfPoints"), nodes + count);
        assert_eq!((data.count("NumberOfPolys"), data.count("NumberOfLines")), (faces, 2));
        let points: Vec<Vec3> = data.floats("Points Points").as_chunks().0.to_vec();
        assert!(farthest(&points[nodes..], &expected) < 1e-6, "frame {frame}");
        let owners = data.ints("PointData node");
        assert!(owners[nodes..].iter().all(|node| *node == -1));
        let parts = data.ints("CellData part");
        assert_eq!((parts[0], parts[2], parts.last()), (3, 0, Some(&2)));
        if (1..5).contains(&frame) {
            // Positions two frames apart give the velocity between them.
            let velocities: Vec<Vec3> = data.floats("PointData velocity").as_chunks().0.to_vec();
            let next: Vec<Vec3> = moved.iter().flat_map(|all| all[frame + 1].clone()).collect();
            let before: Vec<Vec3> = moved.iter().flat_map(|all| all[frame - 1].clone()).collect();
            for ((velocity, next), before) in velocities[nodes..].iter().zip(next).zip(before) {
                let mean = sub(next, before).map(|difference| difference / 0.04);
                assert!(norm(sub(mean, *velocity)) < 0.06, "{mean:?} {velocity:?}");
            }
        }
    }
}

#[test]
fn usd_has_positions_and_rotations_at_each_frame() {
    let scene = scene_of(FLYING);
    let stage = text(&scene, 0..6, Usda);
    let glb = Glb::read(&one(&scene, 0..6, Format, WriteOptions::default()));
    for (name, ..) in SOLIDS {
        let (motion, points, triangles) = gltf_body(&glb, name);
        let prim = prim(&stage, &format!("def Xform \"{name}\""));
        let places = samples(&prim, "double3 xformOp:translate");
        let turns = samples(&prim, "quatf xformOp:orient");
        assert_eq!((places.len(), turns.len()), (6, 6));
        for (((place, turn), found), (_, quaternion)) in motion.iter().zip(&places).zip(&turns) {
            let found: Vec<f64> = found.1.iter().map(|value| f64::from(*value)).collect();
            assert!((DVec3::from_slice(&found) - *place).length() < 1e-6, "{name}");
            // The real part comes first.
            let [w, x, y, z] = quaternion[..] else { panic!("{quaternion:?}") };
            let found = DQuat::from_xyzw(x.into(), y.into(), z.into(), w.into());
            assert!((found - *turn).length() < 1e-6, "{name}: {found} {turn}");
        }
        let found: Vec<f64> = numbers(value(&prim, "point3f[] points"));
        assert!(farthest(found.as_chunks().0, &points) < 1e-6);
        let corners: Vec<usize> = numbers(value(&prim, "int[] faceVertexIndices"));
        assert_eq!(corners, triangles.concat());
    }
    assert!(stage.contains("[\"xformOp:translate\", \"xformOp:orient\"]"));
}

#[test]
fn planar_bodies_are_discs_at_z_0() {
    let scene = scene_of(
        "Scene(base: (frames: 3, frame_time: 0.1, gravity: (0, -9.81), parts: [
            (name: \"ball\", with: (solid: (shape: Ball(radius: 0.3), at: (2, 0), spin: 5))),
            (name: \"rod\", with: (solid: (shape: Capsule(radius: 0.1, length: 0.8), at: (-2, 0), turn: 30))),
            (name: \"box\", with: (solid: (shape: Box(size: (0.4, 0.6)), at: (0, 0), turn: 30)))]))",
    );
    let files = export(&scene, 2..3, Obj, WriteOptions::default());
    let text = std::str::from_utf8(&files[0].1).unwrap();
    let points = vectors(text, "v");
    assert!(points.iter().all(|point| point[2] == 0.0));
    let corner = |word: &str| word.split('/').next().unwrap().parse::<usize>().unwrap() - 1;
    let area = |faces: std::ops::Range<usize>| -> f64 {
        let of = |face: &Vec<&str>| {
            let [a, b, c] = [0, 1, 2].map(|k| points[corner(face[k])]);
            let normal = cross(sub(b, a), sub(c, a));
            assert!(normal[2] > 0.0, "counterclockwise seen from the front");
            0.5 * normal[2]
        };
        lines(text, "f")[faces].iter().map(of).sum()
    };
    let disc = std::f64::consts::PI * 0.09;
    let rod = std::f64::consts::PI * 0.01 + 0.16;
    for (faces, expected, room) in [(0..48, disc, 4e-3), (48..96, rod, 4e-3), (96..98, 0.24, 1e-12)]
    {
        let found = area(faces);
        assert!((found / expected - 1.0).abs() < room, "{found}, not {expected}");
    }
}
