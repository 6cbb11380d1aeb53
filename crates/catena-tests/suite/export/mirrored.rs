//! Figures mirrored by nodes, and static figures.

use super::gltf::Glb;
use crate::rendered::Bench;
use crate::repository;
use std::fs;

/// A bench with the mirrored box.
fn mirrored() -> Bench {
    let media = repository("tests/defects/media");
    let bench = Bench::new(&fs::read_to_string(media.join("01_mirrored_node.ron")).unwrap());
    fs::copy(media.join("01_mirrored_node.gltf"), bench.path("01_mirrored_node.gltf")).unwrap();
    bench
}

/// The volume enclosed by triangles: 1 for the box, and -1 for a box turned inside out.
fn volume(points: &[[f64; 3]], corners: &[usize]) -> f64 {
    let triangles = corners.chunks(3).map(|three| [0, 1, 2].map(|k| points[three[k]]));
    let six = triangles.map(|[a, b, c]| {
        a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    });
    six.sum::<f64>() / 6.0
}

fn numbers(text: &str) -> Vec<f64> {
    let is_part = |c: char| c.is_ascii_digit() || "+-.e".contains(c);
    text.split(|c| !is_part(c)).filter_map(|word| word.parse().ok()).collect()
}

fn export(bench: &Bench, path: &str, more: &[&str]) {
    let run = bench.run([&["export", "scene.ron", "-q", "-o", path], more].concat());
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}

/// Exports a box as OBJ, and checks that its faces are counterclockwise and its normals point
/// outwards.
fn assert_is_outward(bench: &Bench) {
    export(bench, "obj", &["--format", "obj"]);
    let text = fs::read_to_string(bench.path("obj/frame_00000.obj")).unwrap();
    let of = |kind: &str| -> Vec<[f64; 3]> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(kind));
        lines.map(|line| numbers(line).try_into().unwrap()).collect()
    };
    let faces = text.lines().filter_map(|line| line.strip_prefix("f "));
    let corner = |word: &str| word.split('/').next().unwrap().parse::<usize>().unwrap() - 1;
    let corners: Vec<usize> = faces.flat_map(|face| face.split(' ').map(corner)).collect();
    let (places, normals) = (of("v "), of("vn "));
    assert!((volume(&places, &corners) - 1.0).abs() < 1e-6);
    let inside = places.iter().zip(&normals).map(|(v, n)| v[0] * n[0] + v[1] * n[1] + v[2] * n[2]);
    assert!(inside.fold(f64::INFINITY, f64::min) > 0.4);
}

#[test]
fn corners_of_a_mirrored_figure_run_anticlockwise_in_every_format() {
    let bench = mirrored();
    assert_is_outward(&bench);

    // In these formats joints mirror the mesh, so the volume of the mesh itself is negative.
    export(&bench, "a.usda", &[]);
    let text = fs::read_to_string(bench.path("a.usda")).unwrap();
    let list = |name: &str| {
        let line = text.lines().find(|line| line.trim().starts_with(name)).unwrap();
        numbers(line.split_once('=').unwrap().1)
    };
    let points: Vec<[f64; 3]> =
        list("point3f[] points").chunks(3).map(|it| it.try_into().unwrap()).collect();
    let corners: Vec<usize> =
        list("int[] faceVertexIndices").iter().map(|corner| *corner as usize).collect();
    assert!((volume(&points, &corners) + 1.0).abs() < 1e-6);

    export(&bench, "a.glb", &[]);
    let glb = Glb::read(&fs::read(bench.path("a.glb")).unwrap());
    let primitive = &glb.json["meshes"][0]["primitives"][0];
    let points = glb.vectors(&primitive["attributes"]["POSITION"]);
    assert!((volume(&points, &glb.indices(primitive)) + 1.0).abs() < 1e-6);
    // Read back, the figure looks the same, and the node of its mesh mirrors nothing.
    let second = Bench::new(
        "(base: (size: (320, 240), frames: 2, frame_time: 0.5, gravity: (0, -1, 0), camera: (eye: (1.5, 1.5, 3), target: (0, 0.3, 0)), rig: (file: \"a.glb\")))",
    );
    fs::copy(bench.path("a.glb"), second.path("a.glb")).unwrap();
    assert_is_outward(&second);
}

/// A buffer view has at least one byte, and a static figure has no animation.
#[test]
fn a_figure_that_stands_still_has_no_empty_buffer_view() {
    let media = repository("tests/defects/media/02_static_figure.ron");
    let with_rope = fs::read_to_string(media).unwrap();
    let alone = "(base: (frames: 3, frame_time: 0.1, gravity: (0, -9.8, 0), rig: (bones: [(name: \"post\", place: (0, 0, 0), length: 1)], skin: Tube(radius: 0.1))))";
    for scene in [with_rope.as_str(), alone] {
        let bench = Bench::new(scene);
        export(&bench, "a.glb", &[]);
        let bytes = fs::read(bench.path("a.glb")).unwrap();
        let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        let json: serde_json::Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
        let views = json["bufferViews"].as_array().unwrap();
        assert!(views.iter().all(|view| view["byteLength"].as_u64() > Some(0)), "{json}");
        let of_view = |accessor: &serde_json::Value| accessor["bufferView"].as_u64();
        let used = json["accessors"].as_array().unwrap().iter().filter_map(of_view);
        assert!(used.max() < Some(views.len() as u64));
    }
}
