//! Invalid files: an error that says where and what is wrong.

use super::document::{Document, arm, glb};
use super::{figure, read_alone};
use catena::gltf::{Figure, GltfError, Limits, read};
use serde_json::{Value, json};

/// A file, named by its fault, and the result of reading it.
type Row = (&'static str, Result<Figure, GltfError>);

/// Message about a file.
fn message(read: Result<Figure, GltfError>) -> String {
    read.map_or_else(|error| error.to_string(), |_| "it is read".into())
}

/// Asserts that a part of wrong_files.txt has the same messages as these rows.
fn assert_part(name: &str, rows: impl IntoIterator<Item = Row>) {
    let parts = include_str!("wrong_files.txt").split("\n## ");
    let expected = parts.filter_map(|part| part.split_once('\n')).find(|part| part.0 == name);
    let row = |(what, read): Row| format!("{what}\n    {}\n", message(read));
    let found = rows.into_iter().map(row).collect::<String>();
    assert_eq!(found.trim_end(), expected.unwrap().1.trim(), "{found}");
}

#[test]
fn published_wrong_files_are_refused_in_words() {
    let names = [
        "BoxWithInfinites.glb",
        "IndexOutOfRange.gltf",
        "NoScene.gltf",
        "RecursiveNodes.gltf",
        "SceneWithoutNodes.gltf",
        "badArray.gltf",
        "badNumber.gltf",
    ];
    assert_part("Published", names.map(|name| (name, figure(&format!("malformed/{name}")))));
}

#[test]
fn what_is_no_gltf_is_refused_in_words() {
    let cut = |bytes: &[u8], length: usize| bytes[..length].to_vec();
    let texts: [(&str, Vec<u8>); 12] = [
        ("nothing", vec![]),
        ("another format", b"solid cube".to_vec()),
        ("cut off within a name", b"{\"asset\": {\"versi".to_vec()),
        ("a bracket too many", [arm().embedded().as_slice(), b"}"].concat()),
        ("no value of JSON", b"{\"asset\": nan}".to_vec()),
        ("a number above all", b"{\"asset\": {\"version\": \"2.0\"}, \"scene\": 1e999}".to_vec()),
        ("not valid UTF-8", b"{\"asset\": {\"version\": \"\xff\"}}".to_vec()),
        ("a hundred lists", format!("{{\"extras\": {}", "[".repeat(100)).into()),
        ("no node", b"{\"asset\": {\"version\": \"2.0\"}}".to_vec()),
        ("no head", b"{}".to_vec()),
        ("no version", b"{\"asset\": {}}".to_vec()),
        ("twice the same", b"{\"scene\": 0, \"scene\": 1}".to_vec()),
    ];
    let whole = arm().glb();
    let changed = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    let glbs: [(&str, Vec<u8>); 11] = [
        ("three bytes of GLB", cut(&whole, 3)),
        ("eleven bytes", cut(&whole, 11)),
        ("half of a GLB", cut(&whole, 700)),
        ("a byte too many", [whole.as_slice(), b"\0"].concat()),
        ("version 1", changed(4, 1)),
        ("no chunk", glb(&[])),
        ("no JSON", glb(&[(b"BIN\0", b"1234")])),
        ("twice JSON", glb(&[(b"JSON", b"{}  "), (b"JSON", b"{}  ")])),
        ("twice bytes", glb(&[(b"JSON", b"{}  "), (b"BIN\0", b"1234"), (b"BIN\0", b"1234")])),
        ("a chunk that is too long", changed(14, 1)),
        ("a list as JSON", glb(&[(b"JSON", b"[]  ")])),
    ];
    let rows = texts.into_iter().chain(glbs);
    assert_part("Containers", rows.map(|(what, bytes)| (what, read_alone(&bytes))));
}

/// Each row has a JSON pointer, the value there, and the message below them.
#[test]
fn wrong_values_are_refused_in_words() {
    let table: Vec<&str> = include_str!("wrong_values.txt").split("\n\n").skip(1).collect();
    assert!(table.len() >= 90);
    let mut wrong = Vec::new();
    for row in table {
        let (change, expected) = row.trim_end().split_once("\n    ").unwrap();
        let (pointer, value) = change.split_once(" = ").unwrap();
        let document = arm().with(pointer, serde_json::from_str(value).unwrap());
        let found = message(read_alone(&document.embedded()));
        // Column numbers change with every field of the arm.
        let found = found.split(" at line 1 column ").next().unwrap();
        if found != expected {
            wrong.push(format!("{change}\n    {found}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The arm, with other rows of numbers instead of an accessor.
macro_rules! rows {
    ($pointer:expr, $rows:expr) => {{
        let mut arm = arm();
        let accessor = arm.accessor(&$rows);
        arm.with($pointer.as_ref(), accessor.into())
    }};
}

fn assert_documents(name: &str, rows: impl IntoIterator<Item = (&'static str, Document)>) {
    let rows = rows.into_iter().map(|(what, document)| (what, read_alone(&document.embedded())));
    assert_part(name, rows);
}

#[test]
fn wrong_vertices_are_refused_in_words() {
    let indices = "/meshes/0/primitives/0/indices";
    let [position, normal, joints, weights] = ["POSITION", "NORMAL", "JOINTS_0", "WEIGHTS_0"]
        .map(|name| format!("/meshes/0/primitives/0/attributes/{name}"));
    let table = [
        ("a position that is not a number", rows!(position, [[0.0_f32, 0.0, f32::NAN]; 4])),
        ("a normal without end", rows!(normal, [[0.0_f32, 0.0, f32::INFINITY]; 4])),
        ("a normal too few", rows!(normal, [[0.0_f32, 0.0, 1.0]; 3])),
        ("a joint that is not there", rows!(joints, [[0_u8, 2, 0, 0]; 4])),
        ("a vertex too many", rows!(joints, [[0_u8, 2, 0, 0]; 5])),
        ("a weight below 0", rows!(weights, [[1.0_f32, -0.5, 0.0, 0.0]; 4])),
        ("a weight that is no number", rows!(weights, [[f32::NAN, 0.5, 0.0, 0.0]; 4])),
        ("a corner that is not there", rows!(indices, [[0_u16], [1], [4]])),
        ("a triangle of one corner", rows!(indices, [[0_u16], [1], [2], [3]])),
        ("corners below 0", rows!(indices, [[0_i16], [1], [2]])),
    ];
    assert_documents("Vertices", table);
}

#[test]
fn wrong_keys_and_matrices_are_refused_in_words() {
    let [times, turns, _, places] = [[0, 0], [0, 1], [1, 0], [1, 1]]
        .map(|[n, k]| format!("/animations/0/samplers/{n}/{}", ["input", "output"][k]));
    let inverse = "/skins/0/inverseBindMatrices";
    let turn = |third: f32| [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, third], [0.0, 0.0, 0.0, 1.0]];
    let mut matrices = [[0.0_f32; 16]; 2];
    matrices[1][3] = 1.0;
    let table = [
        ("times that stand", rows!(times, [[0.0_f32], [1.0], [1.0]])),
        ("a time that is no number", rows!(times, [[0.0_f32], [f32::NAN], [1.0]])),
        ("a time too few", rows!(times, [[0.0_f32], [1.0]])),
        ("a rotation of no length", rows!(turns, turn(0.0))),
        ("a rotation without end", rows!(turns, turn(f32::INFINITY))),
        ("a position that is not a number", rows!(places, [[f32::NAN; 3]; 3])),
        ("a matrix that is no number", rows!(inverse, [[f32::NAN; 16]; 2])),
        ("a matrix that is no map of space", rows!(inverse, matrices)),
        ("a matrix too few", rows!(inverse, [[0.0_f32; 16]; 1])),
    ];
    assert_documents("Keys and matrices", table);
}

#[test]
fn wrong_sparse_accessors_are_refused_in_words() {
    let sparse = |indices: [u8; 2], count: usize, code: u32| {
        let mut arm = arm();
        let indices = arm.view(&indices.map(|index| [index]), 0);
        let values = arm.view(&[[1.0_f32; 3]; 2], 0);
        let sparse = json!({
            "count": count,
            "indices": {"bufferView": indices, "componentType": code},
            "values": {"bufferView": values},
        });
        arm.with("/accessors/0/sparse", sparse)
    };
    let table = [
        ("twice the same", sparse([1, 1], 2, 5121)),
        ("behind the end", sparse([2, 4], 2, 5121)),
        ("falling", sparse([2, 1], 2, 5121)),
        ("more than there are", sparse([1, 2], 9, 5121)),
        ("more than the view has", sparse([1, 2], 3, 5121)),
        ("fractions", sparse([1, 2], 2, 5126)),
    ];
    assert_documents("Sparse accessors", table);
}

#[test]
fn limits_are_kept_and_said() {
    let at = Limits::default;
    let few = [
        ("bytes", Limits { bytes: 1000, ..at() }),
        ("values", Limits { values: 100, ..at() }),
        ("objects", Limits { objects: 20, ..at() }),
        ("depth of JSON", Limits { json_depth: 5, ..at() }),
        ("nodes", Limits { nodes: 2, ..at() }),
        ("depth of nodes", Limits { node_depth: 1, ..at() }),
        ("vertices", Limits { vertices: 3, ..at() }),
        ("keys", Limits { keys: 5, ..at() }),
        ("all together", Limits { expanded: 1000, ..at() }),
    ];
    let read = |limits: &Limits| read(&arm().embedded(), &mut |_, _| Err(String::new()), limits);
    assert_part("Limits", few.map(|(what, limits)| (what, read(&limits))));
}

/// Small files that request much memory; they are refused before they get it.
#[test]
fn small_files_cannot_take_much() {
    let zeros = |index: usize, code: u32, count: u64, shape: &str| {
        let accessor = json!({"componentType": code, "count": count, "type": shape});
        arm().with(&format!("/accessors/{index}"), accessor)
    };
    let bare = |arm: Document, nodes: Value| {
        let bare = arm.with("/nodes", nodes).with("/scenes/0/nodes", json!([0]));
        ["/skins", "/animations"].iter().fold(bare, |arm, list| arm.with(list, json!([])))
    };
    let child = |k: usize| if k < 1000 { json!({"children": [k + 1]}) } else { json!({}) };
    let chain: Vec<Value> = (0..1001).map(child).collect();
    let many = vec![json!({}); 10_001];
    let shared = json!([{"mesh": 0, "children": [1, 2]}, {"mesh": 0}, {"mesh": 0}]);
    let shared = bare(zeros(0, 5126, 400_000, "VEC3"), shared)
        .with("/meshes/0/primitives/0/attributes", json!({"POSITION": 0}));
    let table = [
        ("a long chain of nodes", bare(arm(), json!(chain))),
        ("many nodes", bare(arm(), json!(many))),
        ("a large mesh on three nodes", shared),
        ("a million and one vertices", zeros(0, 5126, 1_000_001, "VEC3")),
        ("as many as a number can say", zeros(0, 5126, u64::MAX, "VEC3")),
        ("a thousand million triangles", zeros(4, 5121, 3_000_000_000, "SCALAR")),
        ("two thousand million keys", zeros(6, 5126, 2_000_000_000, "SCALAR")),
    ];
    assert_documents("Small files", table);
}
