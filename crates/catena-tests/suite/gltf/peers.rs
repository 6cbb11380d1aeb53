//! Published figures move as in three.js and OpenUSD; tests/peers/README.md describes the programs.

use super::{Method, figure, playing, skinned};
use crate::repository;
use catena::sim::drive::rig::Pose;
use catena::sim::glam::DVec3;

/// A mesh at a time, as computed by another program.
struct Expected {
    time: f64,
    places: Vec<DVec3>,
}

/// Reads the output of a script of tests/peers.
fn expected(name: &str) -> Vec<Expected> {
    let text = std::fs::read_to_string(repository("tests/figures/expected").join(name)).unwrap();
    let mut lines = text.lines();
    let mut found = Vec::new();
    while let Some(head) = lines.next() {
        let words: Vec<&str> = head.split(' ').collect();
        let &["mesh", _, count, "at", time] = words.as_slice() else { panic!("{name}: {head}") };
        let place = |line: &str| {
            let numbers: Vec<f64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            DVec3::from_slice(&numbers)
        };
        let places = lines.by_ref().take(count.parse().unwrap()).map(place).collect();
        found.push(Expected { time: time.parse().unwrap(), places });
    }
    found
}

#[test]
fn every_vertex_is_where_other_programs_have_it() {
    use Method::{DualQuaternion, Linear};
    let table = [
        ("simple_skin", "three", Linear, 1, 1e-7),
        ("RiggedSimple", "three", Linear, 1, 1e-7),
        ("uneven", "three", Linear, 2, 1e-7),
        ("simple_skin", "usd", DualQuaternion, 1, 1e-6),
        ("RiggedSimple", "usd", DualQuaternion, 1, 1e-6),
    ];
    for (name, program, method, meshes, tolerance) in table {
        let figure = figure(&format!("{name}.gltf")).unwrap();
        let animation = playing(&figure);
        let expected = expected(&format!("{name}.{program}.txt"));
        assert_eq!((figure.meshes.len(), expected.len()), (meshes, 20 * meshes), "{name}");
        let (mut pose, mut moves) = (Pose::default(), 0.0_f64);
        for (k, at) in expected.iter().enumerate() {
            animation.pose(at.time, &mut pose);
            let mesh = &figure.meshes[k % meshes];
            let places = skinned(mesh, &pose, method);
            assert_eq!(places.len(), at.places.len(), "{name}");
            for (vertex, (place, expected)) in places.iter().zip(&at.places).enumerate() {
                let off = (*place - *expected).abs().max_element();
                let time = at.time;
                assert!(
                    off <= tolerance,
                    "{name} at {time}, {}, vertex {vertex}: {place}, {program} has {expected}",
                    mesh.name
                );
                moves = moves.max((*place - mesh.points[vertex]).length());
            }
        }
        assert!(moves > 0.1, "{name} does not move");
    }
}

#[test]
fn known_vertices_are_where_they_should_be() {
    let table = [
        ("simple_skin.gltf", 1.0, 8, [-1.0, 0.5, 0.0], 1e-15),
        (
            "RiggedSimple.gltf",
            1.041_666_984_558_105_5,
            2,
            [0.095_474_305_540_911_74, 0.075_239_259_866_995_53, 0.457_813_273_386_545_54],
            1e-7,
        ),
    ];
    for (name, time, vertex, expected, tolerance) in table {
        let figure = figure(name).unwrap();
        let mut pose = Pose::default();
        playing(&figure).pose(time, &mut pose);
        let place = skinned(&figure.meshes[0], &pose, Method::Linear)[vertex];
        let off = (place - DVec3::from_array(expected)).abs().max_element();
        assert!(off <= tolerance, "{name}: {place}");
    }
}
