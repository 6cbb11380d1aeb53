//! glTF: cloth, ropes as tubes and as lines, times, names and colours.

use super::gltf::Glb;
use super::{BOTH, export, farthest, one, places};
use crate::scene_of;
use catena::export::{ExportFormat::Glb as Format, RopeForm, WriteOptions, linear};
use catena::scene::Scene;
use catena::sim::glam::DVec3;
use catena::sim::skin::{central_tangents, signed_angle, transport};
use catena::sim::vector::{Vec3, cross, dot, norm, scaled, sub, unit};
use std::ops::Range;

fn read(scene: &Scene, frames: Range<u64>, options: WriteOptions) -> Glb {
    Glb::read(&one(scene, frames, Format, options))
}

const LINES: WriteOptions = WriteOptions { ropes: RopeForm::Line, rate: None };

/// Rounding error of positions up to 2 in 32 bits.
const ROUNDING: f64 = 2.5e-7;

#[test]
fn a_cloth_is_a_mesh_that_is_where_its_nodes_are_at_each_frame_and_between() {
    let scene = scene_of(BOTH);
    let glb = read(&scene, 0..6, WriteOptions::default());
    let name = "Cape cloth";
    let primitive = glb.primitive(name);
    assert_eq!(primitive["mode"], 4);
    let indices = glb.indices(primitive);
    assert_eq!(indices.len(), 3 * 2 * 3 * 4);
    assert!(indices.iter().all(|index| *index < 20));
    let expected = places(&scene, 0, 6);
    assert!(farthest(&expected[0], &expected[5]) > 0.05, "it moves");
    for (frame, expected) in expected.iter().enumerate() {
        let found = glb.at(name, "POSITION", 0.1 * frame as f64);
        assert!(farthest(&found, expected) < ROUNDING, "frame {frame}");
        // Normals are means of the normals of adjacent cells, on the side from which triangles are
        // counterclockwise.
        let normals = glb.at(name, "NORMAL", 0.1 * frame as f64);
        for corners in indices.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|k| expected[corners[k]]);
            let normal = unit(cross(sub(b, a), sub(c, a)));
            assert!(corners.iter().all(|corner| dot(normals[*corner], normal) > 0.5));
        }
        assert!(normals.iter().all(|normal| (norm(normal) - 1.0).abs() < 1e-6));
    }
    let half: Vec<Vec3> = expected[2]
        .iter()
        .zip(&expected[3])
        .map(|(a, b)| [0, 1, 2].map(|axis| 0.5 * (a[axis] + b[axis])))
        .collect();
    assert!(farthest(&glb.at(name, "POSITION", 0.25), &half) < ROUNDING);
}

#[test]
fn weights_are_ones_among_zeros_that_take_no_room() {
    let glb = read(&scene_of(BOTH), 0..6, WriteOptions::default());
    let (times, weights) = glb.channel("Cape cloth", "weights").unwrap();
    let expected: Vec<f64> =
        (0..6).map(|frame| f64::from((0.1 * f64::from(frame)) as f32)).collect();
    assert_eq!(times, expected);
    for frame in 0..6 {
        let row = &weights[5 * frame..5 * (frame + 1)];
        let ones =
            |(target, weight): (usize, &f64)| *weight == f64::from(u8::from(target + 1 == frame));
        assert!(row.iter().enumerate().all(ones), "{row:?}");
    }
    let count = glb.json["accessors"].as_array().unwrap().iter();
    assert_eq!(count.filter(|accessor| accessor.get("bufferView").is_none()).count(), 1);
}

/// Points on the rings of a tube, without the tips and the rounded ends.
fn rings(points: &[Vec3], nodes: usize) -> Vec<&[Vec3]> {
    let rings: Vec<&[Vec3]> = points[9..points.len() - 9].chunks(8).collect();
    assert_eq!(rings.len(), nodes);
    rings
}

fn middle(ring: &[Vec3]) -> Vec3 {
    let sum = ring.iter().fold([0.0; 3], |sum: Vec3, point| [0, 1, 2].map(|k| sum[k] + point[k]));
    scaled(sum, 1.0 / ring.len() as f64)
}

#[test]
fn a_rope_is_a_tube_around_its_nodes() {
    let scene = scene_of(BOTH);
    let glb = read(&scene, 0..6, WriteOptions::default());
    let name = "Whip rope";
    let triangles = glb.indices(glb.primitive(name));
    for (frame, nodes) in places(&scene, 1, 6).iter().enumerate() {
        let points = glb.at(name, "POSITION", 0.1 * frame as f64);
        let normals = glb.at(name, "NORMAL", 0.1 * frame as f64);
        let rings = rings(&points, 7);
        let mut tangents = Vec::new();
        let line: Vec<DVec3> = nodes.iter().map(|node| DVec3::from_array(*node)).collect();
        central_tangents(&line, &mut tangents);
        for (k, (ring, node)) in rings.iter().zip(nodes).enumerate() {
            assert!(farthest(&[middle(ring)], &[*node]) < ROUNDING, "frame {frame}, node {k}");
            for (corner, normal) in ring.iter().zip(&normals[9 + 8 * k..]) {
                let spoke = sub(*corner, *node);
                assert!((norm(spoke) - 0.02).abs() < 1e-6, "{}", norm(spoke));
                assert!(dot(spoke, *normal) > 0.0199);
                assert!(
                    dot(unit(spoke), tangents[k].to_array()).abs() < 1e-4,
                    "a ring stands across the rope"
                );
            }
        }
        // Both tips are on balls around the ends, on the outside.
        for (tip, end, sign) in [(0, 0, -1.0), (points.len() - 1, 6, 1.0)] {
            let out = sub(points[tip], nodes[end]);
            assert!((norm(out) - 0.02).abs() < 1e-6);
            let along = sub(nodes[end.max(1)], nodes[end.max(1) - 1]);
            assert!(sign * dot(out, along) > 0.0);
        }
        // The tube is closed, and its triangles are counterclockwise as seen from outside: the
        // volume is the volume of a tube.
        let [mut volume, mut turned] = [0.0; 2];
        for corners in triangles.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|k| points[corners[k]]);
            volume += dot(a, cross(b, c)) / 6.0;
            turned += dot(cross(sub(b, a), sub(c, a)), normals[corners[0]]).min(0.0);
        }
        let length: f64 = nodes.windows(2).map(|pair| norm(sub(pair[1], pair[0]))).sum();
        let tube = 4.0 * 0.5_f64.sqrt() * 0.02 * 0.02 * 2.0 * length / 2.0;
        assert!((volume / tube - 1.0).abs() < 0.1, "{volume} beside {tube}");
        assert_eq!(turned, 0.0);
    }
}

#[test]
fn tubes_do_not_spin_from_frame_to_frame() {
    let scene = scene_of(BOTH);
    let glb = read(&scene, 0..6, WriteOptions::default());
    let mut before: Option<Vec<(DVec3, DVec3)>> = None;
    for (frame, nodes) in places(&scene, 1, 6).iter().enumerate() {
        let points = glb.at("Whip rope", "POSITION", 0.1 * frame as f64);
        let line: Vec<DVec3> = nodes.iter().map(|node| DVec3::from_array(*node)).collect();
        let mut tangents = Vec::new();
        central_tangents(&line, &mut tangents);
        let spokes = rings(&points, 7).into_iter().zip(nodes);
        let spokes = spokes.map(|(ring, node)| DVec3::from_array(unit(sub(ring[0], *node))));
        let now: Vec<(DVec3, DVec3)> = tangents.iter().copied().zip(spokes).collect();
        for ((old, spoke), (new, found)) in before.iter().flatten().zip(&now) {
            // Rotates by the smallest rotation from the old tangent to the new one.
            let spin = signed_angle(*new, transport(*spoke, *old, *new), *found);
            assert!(spin.abs() < 0.6, "frame {frame}: {spin}");
        }
        assert!(now.windows(2).all(|pair| {
            let [(old, spoke), (new, found)] = [pair[0], pair[1]];
            signed_angle(new, transport(spoke, old, new), found).abs() < 0.3
        }));
        before = Some(now);
    }
}

#[test]
fn a_ring_closes_without_a_seam() {
    let scene = scene_of(
        "Scene(base: (frames: 3, frame_time: 0.05, substeps: 40, gravity: (0, -9.81, 0), rope: (shape: Ring(toward: (0, 0, 1)),
        start: (-0.25, 0, 0), end: (0.25, 0.1, 0.2), nodes: 12, stiffness: 600, mass: 0.01, pins: [0]), style: (thickness: 0.02)))",
    );
    let glb = read(&scene, 0..3, WriteOptions::default());
    let name = "ring";
    let triangles = glb.indices(glb.primitive(name));
    assert_eq!(triangles.len(), 3 * 2 * 8 * 12);
    // Each edge belongs to two triangles, in both directions.
    let mut edges: Vec<[usize; 2]> = triangles
        .chunks(3)
        .flat_map(|it| [[it[0], it[1]], [it[1], it[2]], [it[2], it[0]]])
        .collect();
    edges.sort_unstable();
    let before = edges.len();
    edges.dedup();
    assert_eq!(edges.len(), before);
    assert!(edges.iter().all(|[a, b]| edges.binary_search(&[*b, *a]).is_ok()));
    for (frame, nodes) in places(&scene, 0, 3).iter().enumerate() {
        let points = glb.at(name, "POSITION", 0.05 * frame as f64);
        for (ring, node) in points.chunks(8).zip(nodes) {
            assert!(farthest(&[middle(ring)], &[*node]) < ROUNDING);
        }
        // Neighbouring rings are rotated equally, even over the seam.
        for k in 0..12 {
            let spoke = |k: usize| unit(sub(points[8 * (k % 12)], nodes[k % 12]));
            assert!(dot(spoke(k), spoke(k + 1)) > 0.7, "node {k}");
        }
    }
}

#[test]
fn lines_join_nodes() {
    let scene = scene_of(BOTH);
    let glb = read(&scene, 0..6, LINES);
    let primitive = glb.primitive("Whip rope");
    assert_eq!(primitive["mode"], 1);
    assert!(primitive["attributes"].get("NORMAL").is_none());
    let expected: Vec<usize> = (0..6).flat_map(|k| [k, k + 1]).collect();
    assert_eq!(glb.indices(primitive), expected);
    for (frame, expected) in places(&scene, 1, 6).iter().enumerate() {
        let found = glb.at("Whip rope", "POSITION", 0.1 * frame as f64);
        assert!(farthest(&found, expected) < ROUNDING);
    }
}

#[test]
fn panels_are_groups_and_colours_are_light() {
    let scene = scene_of(BOTH);
    let glb = read(&scene, 0..2, WriteOptions::default());
    assert_eq!(glb.children(glb.node("test")), ["Cape", "Whip"]);
    assert_eq!(glb.children(glb.node("Cape")), ["Cape cloth"]);
    assert_eq!(glb.json["scenes"][0]["nodes"].as_array().unwrap().len(), 1);
    let materials = glb.json["materials"].as_array().unwrap();
    assert_eq!((materials.len(), &materials[0]["name"]), (1, &"#336699".into()));
    assert_eq!(materials[0]["doubleSided"], true);
    let factor = &materials[0]["pbrMetallicRoughness"]["baseColorFactor"];
    // 0x33, 0x66 and 0x99 by the formula of sRGB.
    for (found, expected) in
        factor.as_array().unwrap().iter().zip([0.0331047666, 0.1328683216, 0.3185467781, 1.0])
    {
        assert!((found.as_f64().unwrap() - expected).abs() < 1e-9, "{found}");
    }
    assert_eq!(linear([0, 255, 10]), [0.0, 1.0, 10.0 / 255.0 / 12.92]);
}

#[test]
fn a_net_has_a_tube_for_each_spring() {
    let scene = scene_of(
        "Scene(base: (frames: 2, gravity: (0, 0, 0), graph: (nodes: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
        springs: [(0, 1), (0, 2), (0, 3), (1, 2)], pins: [])))",
    );
    let glb = read(&scene, 0..2, LINES);
    assert_eq!(glb.indices(glb.primitive("net")), [0, 1, 2, 3, 4, 5, 6, 7]);
    let points = glb.vectors(&glb.primitive("net")["attributes"]["POSITION"]);
    let ends = [0, 1, 0, 2, 0, 3, 1, 2];
    let nodes = &places(&scene, 0, 1)[0];
    assert_eq!(points, ends.into_iter().map(|node: usize| nodes[node]).collect::<Vec<_>>());
    let tubes = read(&scene, 0..2, WriteOptions::default());
    let points = tubes.vectors(&tubes.primitive("net")["attributes"]["POSITION"]);
    assert_eq!(points.len(), 4 * (2 * 6 + 2));
}

#[test]
fn frames_keep_their_times_and_one_frame_stands_still() {
    let scene = scene_of(BOTH);
    let part = read(&scene, 3..6, WriteOptions::default());
    let (times, _) = part.channel("Cape cloth", "weights").unwrap();
    assert_eq!(times, [0.3_f32, 0.4, 0.5].map(f64::from));
    let all = read(&scene, 0..6, WriteOptions::default());
    for time in [0.3, 0.45, 0.5] {
        let [a, b] = [&part, &all].map(|glb| glb.at("Cape cloth", "POSITION", time));
        assert!(farthest(&a, &b) < 2.0 * ROUNDING);
    }
    let fast = read(&scene, 0..6, WriteOptions { rate: Some(50.0), ..WriteOptions::default() });
    let (times, _) = fast.channel("Cape cloth", "weights").unwrap();
    assert_eq!(times[5], f64::from(0.1_f32));
    let still = read(&scene, 2..3, WriteOptions::default());
    assert!(still.json.get("animations").is_none());
    assert!(still.primitive("Cape cloth").get("targets").is_none());
    let points = still.vectors(&still.primitive("Cape cloth")["attributes"]["POSITION"]);
    assert!(farthest(&points, &places(&scene, 0, 3)[2]) < ROUNDING);
}

#[test]
fn the_plane_lies_at_zero() {
    let scene = scene_of("Scene(base: (rope: (nodes: 4, start: (0, 0), end: (3, 0))))");
    let glb = read(&scene, 0..3, LINES);
    let points = glb.at("rope", "POSITION", 2.0);
    assert!(points.iter().all(|[_, _, z]| *z == 0.0));
    assert_eq!(export(&scene, 0..1, Format, LINES).len(), 1);
}

/// A translucent body is also translucent in programs that read the file. A colour that fades in is
/// written with its maximum opacity, since it is invisible at the start.
#[test]
fn opacities_are_written_where_a_format_has_them() {
    let style = |color: &str| format!("style: (color: {color})");
    for (color, name, opacity) in [
        ("\"#1f77b4\"", "1f77b4", 1.0),
        ("\"#1f77b480\"", "1f77b480", 128.0 / 255.0),
        ("[(0, \"#1f77b400\"), (1, \"#1f77b4c0\"), (2, \"#1f77b440\")]", "1f77b4c0", 192.0 / 255.0),
    ] {
        let scene = scene_of(&format!("Scene(base: (frames: 3, {}))", style(color)));
        let stage = super::text(&scene, 0..3, catena::export::ExportFormat::Usda);
        assert!(stage.contains(&format!("def Material \"color_{name}\"")), "{color}: {stage}");
        let written = read(&scene, 0..3, WriteOptions::default());
        let material = &written.json["materials"][0];
        assert_eq!(material["name"], format!("#{name}"), "{color}");
        let found = material["pbrMetallicRoughness"]["baseColorFactor"][3].as_f64().unwrap();
        assert!((found - opacity).abs() < 1e-9, "{color}: {found}");
        let is_translucent = opacity < 1.0;
        assert_eq!(material["alphaMode"] == "BLEND", is_translucent, "{color}");
        for words in ["float[] primvars:displayOpacity = [", "float inputs:opacity = "] {
            let number = stage.split_once(words).map(|(_, rest)| {
                rest.split([']', '\n']).next().unwrap().trim().parse::<f64>().unwrap()
            });
            assert_eq!(number.is_some(), is_translucent, "{color}: {words}");
            assert!(number.is_none_or(|number| (number - opacity).abs() < 1e-6), "{color}");
        }
    }
}
