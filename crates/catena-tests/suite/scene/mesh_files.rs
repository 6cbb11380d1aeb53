//! Meshes from OBJ, STL and PLY: the same mesh in each format moves identically, and invalid files
//! give the reason.

use crate::catena;
use std::{fs, path::Path};

const POINTS: [[f32; 3]; 5] =
    [[0.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.5, 1.0], [0.0, 1.5, 1.0], [0.5, 2.0, 1.5]];

/// A quad and a triangle, which use the points for the first time in ascending order.
const FACES: [&[u32]; 2] = [&[0, 1, 2, 3], &[3, 2, 4]];

fn obj() -> Vec<u8> {
    let points = POINTS.map(|[x, y, z]| format!("v {x} {y} {z}\n")).concat();
    let face = |face: &[u32]| {
        let corners: String = face.iter().map(|corner| format!(" {}", corner + 1)).collect();
        format!("f{corners}\n")
    };
    (points + &FACES.map(face).concat()).into_bytes()
}

fn triangles() -> Vec<[[f32; 3]; 3]> {
    let fan = |face: &&[u32]| {
        let place = |corner: u32| POINTS[corner as usize];
        let pairs = face[1..].windows(2);
        pairs.map(|pair| [place(face[0]), place(pair[0]), place(pair[1])]).collect::<Vec<_>>()
    };
    FACES.iter().flat_map(fan).collect()
}

fn ascii_stl() -> Vec<u8> {
    let triangle = |corners: &[[f32; 3]; 3]| {
        let vertices = corners.map(|[x, y, z]| format!("      vertex {x} {y} {z:e}\n")).concat();
        format!("  facet normal 0 0 1\n    outer loop\n{vertices}    endloop\n  endfacet\n")
    };
    let body: String = triangles().iter().map(triangle).collect();
    format!("solid a mesh\n{body}endsolid a mesh\n").into_bytes()
}

fn binary_stl() -> Vec<u8> {
    let mut bytes = b"solid, though binary".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((triangles().len() as u32).to_le_bytes());
    for corners in triangles() {
        bytes.extend([0; 12]);
        bytes.extend(corners.iter().flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn ply_header(format: &str) -> Vec<u8> {
    format!(
        "ply\nformat {format} 1.0\ncomment made by hand\nelement vertex 5\nproperty float x\n\
         property float y\nproperty float z\nproperty uchar red\nelement face 2\n\
         property list uchar int vertex_indices\nelement edge 1\nproperty short a\nend_header\n"
    )
    .into_bytes()
}

fn ascii_ply() -> Vec<u8> {
    let mut bytes = ply_header("ascii");
    for [x, y, z] in POINTS {
        bytes.extend(format!("{x} {y} {z} 255\n").into_bytes());
    }
    for face in FACES {
        let corners: String = face.iter().map(|corner| format!(" {corner}")).collect();
        bytes.extend(format!("{}{corners}\n", face.len()).into_bytes());
    }
    bytes.extend(b"-7\n");
    bytes
}

fn binary_ply(is_big: bool) -> Vec<u8> {
    let order = |mut bytes: Vec<u8>| {
        if is_big {
            bytes.reverse();
        }
        bytes
    };
    let format = if is_big { "binary_big_endian" } else { "binary_little_endian" };
    let mut bytes = ply_header(format);
    for point in POINTS {
        point.iter().for_each(|x| bytes.extend(order(x.to_le_bytes().to_vec())));
        bytes.push(255);
    }
    for face in FACES {
        bytes.push(face.len() as u8);
        face.iter().for_each(|corner| bytes.extend(order(corner.to_le_bytes().to_vec())));
    }
    bytes.extend(order((-7_i16).to_le_bytes().to_vec()));
    bytes
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> std::path::PathBuf {
    fs::write(folder.join(name), bytes).unwrap();
    let scene = folder.join(format!("{name}.ron"));
    let text = format!(
        "Scene(base: (gravity: (0, -9.81, 0), mesh: (file: \"{name}\", pins: [First]), substeps: 20, frame_time: 0.02))"
    );
    fs::write(&scene, text).unwrap();
    scene
}

#[test]
fn one_mesh_in_each_format_moves_alike() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("mesh.obj", obj()),
        ("ascii.stl", ascii_stl()),
        ("binary.STL", binary_stl()),
        ("ascii.ply", ascii_ply()),
        ("little.ply", binary_ply(false)),
        ("big.ply", binary_ply(true)),
    ];
    let trace = |(name, bytes): &(&str, Vec<u8>)| {
        let scene = write(folder.path(), name, bytes);
        let run = catena().arg("trace").arg(scene).args(["--frames", "20"]).assert().success();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let traces: Vec<String> = files.iter().map(trace).collect();
    assert!(traces[0].lines().count() > 20 * POINTS.len(), "{}", traces[0]);
    for (other, (name, _)) in traces.iter().zip(&files) {
        assert_eq!(&traces[0], other, "{name}");
    }
}

#[test]
fn wrong_files_say_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let replaced = |bytes: Vec<u8>, from: &str, to: &str| {
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains(from), "{text}");
        text.replacen(from, to, 1).into_bytes()
    };
    let short = |mut bytes: Vec<u8>| {
        bytes.pop();
        bytes
    };
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("short.stl", short(binary_stl()), "are not 3 triangles"),
        ("empty.stl", Vec::new(), "0 bytes are too few"),
        (
            "word.stl",
            replaced(ascii_stl(), "vertex 0", "vertex zero"),
            "word.stl:4: expected a number",
        ),
        ("two.stl", replaced(ascii_stl(), "      vertex 0 1 0e0\n", ""), "this one has 2"),
        ("open.stl", replaced(ascii_stl(), "endsolid", "vertex 1 2 3\nendsolid"), "no `endloop`"),
        ("other.stl", replaced(ascii_stl(), "outer loop", "inner loop"), "expected facet"),
        ("short.ply", short(binary_ply(false)), "the file ends before its last element"),
        (
            "head.ply",
            b"ply\nformat ascii 1.0\n".to_vec(),
            "head.ply:3: the header has no `end_header` line",
        ),
        ("many.ply", replaced(ascii_ply(), "vertex 5", "vertex 4000000000"), "too short for"),
        ("index.ply", replaced(ascii_ply(), "3 3 2 4", "3 3 2 9"), "face 1 refers to vertex 9"),
        (
            "type.ply",
            replaced(ascii_ply(), "property float x", "property half x"),
            "expected a type",
        ),
        (
            "axis.ply",
            replaced(ascii_ply(), "property float z", "property float w"),
            "has no property x, y or z",
        ),
        ("format.ply", replaced(ascii_ply(), "ascii", "zip"), "expected ascii, binary"),
        ("nan.ply", replaced(ascii_ply(), "1.5", "nan"), "expected a finite number"),
    ];
    for (name, bytes, wanted) in cases {
        let scene = write(folder.path(), name, &bytes);
        let run = catena().arg("check").arg(scene).assert().code(3);
        let stderr = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
        assert!(stderr.contains(wanted), "{name}: {stderr}");
    }
}
