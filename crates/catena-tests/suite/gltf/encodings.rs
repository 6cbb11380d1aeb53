//! One figure, written in all encodings of glTF, moves identically.

use super::document::{Document, PLACES, TIMES, TURNS, WEIGHTS, arm, moved};
use super::{moving, read_alone};
use catena::gltf::{Figure, Limits, read};
use serde_json::{Value, json};

const ATTRIBUTES: &str = "/meshes/0/primitives/0/attributes";

/// The arm, with rows of numbers instead of the accessor at a pointer.
macro_rules! rows {
    ($add:ident, $pointer:expr, $rows:expr $(, $more:expr)?) => {{
        let mut arm = arm();
        let accessor = arm.$add(&$rows $(, $more)?);
        arm.with($pointer.as_ref(), accessor.into())
    }};
}

fn figure(document: &Document) -> Figure {
    read_alone(&document.embedded()).unwrap_or_else(|error| panic!("{error}"))
}

/// Asserts that two figures move identically.
fn assert_alike(name: &str, found: &Figure, expected: &Figure, tolerance: f64) {
    let [a, b] = [found, expected].map(moving);
    assert_eq!(a.len(), b.len(), "{name}");
    let off = a.iter().zip(&b).map(|(a, b)| (*a - *b).abs().max_element()).fold(0.0, f64::max);
    assert!(off <= tolerance, "{name}: off by {off}");
    for (a, b) in found.meshes.iter().zip(&expected.meshes) {
        assert_eq!(
            (&a.triangles, &a.normals, a.look),
            (&b.triangles, &b.normals, b.look),
            "{name}"
        );
    }
}

/// Weights of the arm in quarters, with another factor for each vertex.
fn scaled<T: Copy>(number: impl Fn(f32) -> T, factors: [f32; 4]) -> [[T; 4]; 4] {
    let row = |k: usize| WEIGHTS[k].map(|weight| number(4.0 * weight * factors[k]));
    [row(0), row(1), row(2), row(3)]
}

#[test]
fn weights_of_all_kinds_and_sums_count_alike() {
    let pointer = format!("{ATTRIBUTES}/WEIGHTS_0");
    let mut two_sets = arm();
    let joints = two_sets.accessor(&[[1_u8, 0, 0, 0]; 4]);
    let [first, second] = [0.0, 1.0].map(|second| {
        let weight = |vertex: usize| WEIGHTS[vertex][second as usize] * 0.125;
        let rows = [0, 1, 2, 3].map(|vertex| [weight(vertex), 0.0, 0.0, 0.0]);
        two_sets.accessor(&rows)
    });
    let two_sets = two_sets
        .with(&pointer, first.into())
        .with(&format!("{ATTRIBUTES}/JOINTS_1"), joints.into())
        .with(&format!("{ATTRIBUTES}/WEIGHTS_1"), second.into());
    let zero = rows!(accessor, format!("{ATTRIBUTES}/JOINTS_0"), [[0_u8, 1, 200, 77]; 4]);
    let table = [
        ("floats", rows!(accessor, pointer, scaled(|w| w, [0.062_5, 0.25, 1.5, 1e30])), 1e-15),
        ("bytes", rows!(normalized, pointer, scaled(|w| w as u8, [1.0, 20.0, 60.0, 2.0])), 1e-15),
        (
            "plain bytes",
            rows!(accessor, pointer, scaled(|w| w as u8, [1.0, 2.0, 3.0, 60.0])),
            1e-15,
        ),
        ("shorts", rows!(normalized, pointer, scaled(|w| w as u16, [1e4, 9.0, 1.0, 3.0])), 1e-15),
        (
            "joints in shorts",
            rows!(accessor, format!("{ATTRIBUTES}/JOINTS_0"), [[0_u16, 1, 0, 0]; 4]),
            0.0,
        ),
        ("two sets", two_sets, 1e-15),
        ("any joint without a weight", zero, 0.0),
    ];
    let expected = figure(&arm());
    for (name, document, tolerance) in table {
        assert_alike(name, &figure(&document), &expected, tolerance);
    }
}

/// The arm with sparse positions: two over a base, or all over zeros.
fn sparse(has_base: bool) -> Document {
    let mut arm = arm();
    let (base, count, code, indices, values) = if has_base {
        let base = arm.view(&[PLACES[0], [9.0; 3], PLACES[2], [f32::NAN; 3]], 0);
        let indices = arm.view(&[[1_u16], [3]], 0);
        (json!(base), 2, 5123, indices, arm.view(&[PLACES[1], PLACES[3]], 0))
    } else {
        let indices = arm.view(&[[0_u32], [1], [2], [3]], 0);
        (Value::Null, 4, 5125, indices, arm.view(&PLACES, 0))
    };
    let sparse = json!({
        "count": count,
        "indices": {"bufferView": indices, "componentType": code},
        "values": {"bufferView": values},
    });
    arm.with("/accessors/0/bufferView", base).with("/accessors/0/sparse", sparse)
}

#[test]
fn accessors_of_all_kinds_read_alike() {
    let position = format!("{ATTRIBUTES}/POSITION");
    let eighths = |factor: f32| PLACES.map(|place| place.map(|part| part * factor));
    let grid = |scale: f32| {
        arm()
            .with("/nodes/1/scale", json!([scale, scale, scale]))
            .with("/nodes/1/translation", json!([1, 2, 3]))
    };
    // Positions in integers, for a mesh that its bones scale down.
    let quantized = |normalized: bool| {
        let mut arm = grid(0.25);
        let rows = eighths(8.0).map(|place| place.map(|part| part as i8));
        let accessor = if normalized { arm.normalized(&rows) } else { arm.accessor(&rows) };
        let shrunk =
            |y: f32| moved(y).map(|part| part * if normalized { 127.0 / 8.0 } else { 0.125 });
        let mut matrices = [shrunk(0.0), shrunk(0.0)];
        matrices[1][13] = -1.0;
        matrices.iter_mut().for_each(|matrix| matrix[15] = 1.0);
        let inverse = arm.accessor(&matrices);
        arm.with(&position, accessor.into()).with("/skins/0/inverseBindMatrices", inverse.into())
    };
    let mut shared = arm();
    let view = shared.view(&[[7.0_f32, 0.0, 1.0, 2.0]], 0);
    let times = json!({"bufferView": view, "byteOffset": 4, "componentType": 5126, "count": 3, "type": "SCALAR"});
    let times = shared.push("/accessors", times);
    let shared = shared.with("/animations/0/samplers/0/input", times.into());
    let plain = figure(&arm());
    let table = [
        ("spaced", rows!(spaced, position, PLACES, 8), plain.clone(), 0.0),
        ("an offset", shared, plain.clone(), 0.0),
        ("a stride of 0", arm().with("/bufferViews/0/byteStride", json!(0)), plain.clone(), 0.0),
        ("sparse over others", sparse(true), plain.clone(), 0.0),
        ("sparse over zeros", sparse(false), plain, 0.0),
        ("whole numbers", quantized(false), figure(&grid(0.25)), 1e-15),
        ("normalised ones", quantized(true), figure(&grid(0.25)), 1e-6),
    ];
    for (name, document, expected, tolerance) in table {
        assert_alike(name, &figure(&document), &expected, tolerance);
    }
}

#[test]
fn nodes_in_all_orders_and_forms_move_alike() {
    // A rotation by 90° about z after a scale, and a translation.
    let parts = arm()
        .with("/nodes/1/translation", json!([1, 2, 3]))
        .with("/nodes/1/rotation", json!([0, 0, 5, 5]))
        .with("/nodes/1/scale", json!([-2, 0.5, 4]));
    let matrix = [0.0, -2.0, 0.0, 0.0, -0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 4.0, 0.0, 1.0, 2.0, 3.0, 1.0];
    let whole = arm().with("/nodes/1/matrix", json!(matrix));
    let mut swapped = arm();
    let joints = swapped.accessor(&[[1_u8, 0, 0, 0]; 4]);
    let inverse = swapped.accessor(&[moved(-1.0), moved(0.0)]);
    let swapped = swapped
        .with(&format!("{ATTRIBUTES}/JOINTS_0"), joints.into())
        .with("/skins/0/joints", json!([2, 1]))
        .with("/skins/0/inverseBindMatrices", inverse.into());
    // The lower bone comes first, and its parent last.
    let turned = arm()
        .with("/nodes/0", json!({"name": "lower", "translation": [0, 1, 0]}))
        .with("/nodes/1", json!({"name": "square", "mesh": 0, "skin": 0}))
        .with("/nodes/2", json!({"name": "upper", "children": [0]}))
        .with("/scenes/0/nodes", json!([2, 1]))
        .with("/skins/0/joints", json!([2, 0]))
        .with("/animations/0/channels/0/target/node", json!(0))
        .with("/animations/0/channels/1/target/node", json!(0));
    let bare = arm().with("/skins/0/inverseBindMatrices", Value::Null);
    let table = [
        ("a matrix", whole, parts, 2e-15),
        ("joints in another order", swapped, arm(), 1e-15),
        ("children before parents", turned, arm(), 0.0),
        ("no scene", arm().with("/scene", Value::Null).with("/scenes", Value::Null), arm(), 0.0),
        (
            "no inverse bind matrices",
            bare,
            rows!(accessor, "/skins/0/inverseBindMatrices", [moved(0.0); 2]),
            0.0,
        ),
    ];
    for (name, document, expected, tolerance) in table {
        assert_alike(name, &figure(&document), &figure(&expected), tolerance);
    }
}

#[test]
fn keys_of_all_kinds_move_alike() {
    let output = "/animations/0/samplers/0/output";
    let longer = |factor: f32| TURNS.map(|turn| turn.map(|part| part * factor));
    let whole = |greatest: f32| TURNS.map(|turn| turn.map(|part| 5.0 * part * greatest));
    let channel = |path: &str| json!({"sampler": 0, "target": {"node": 2, "path": path}});
    let one_each = arm().with("/animations", json!([
        {"name": "turn", "channels": [channel("rotation")], "samplers": [{"input": 6, "output": 7}]},
        {"channels": [channel("translation")], "samplers": [{"input": 6, "output": 8, "interpolation": "LINEAR"}]},
    ]));
    let flipped = [TURNS[0], TURNS[1].map(|part| -part), TURNS[2]];
    let table = [
        ("twice as long", rows!(accessor, output, longer(2.0)), 1e-15),
        ("a quarter as long", rows!(accessor, output, longer(0.25)), 1e-15),
        ("another hemisphere", rows!(accessor, output, flipped), 1e-15),
        (
            "bytes",
            rows!(normalized, output, whole(25.0).map(|turn| turn.map(|part| part as i8))),
            1e-7,
        ),
        (
            "shorts",
            rows!(normalized, output, whole(6000.0).map(|turn| turn.map(|part| part as i16))),
            1e-7,
        ),
        (
            "unsigned",
            rows!(normalized, output, whole(13_000.0).map(|turn| turn.map(|part| part as u16))),
            1e-7,
        ),
        ("an animation a channel", one_each, 0.0),
        (
            "times in bytes",
            rows!(accessor, "/animations/0/samplers/0/input", TIMES.map(|[time]| [time as u8])),
            0.0,
        ),
    ];
    let expected = figure(&arm());
    for (name, document, tolerance) in table {
        assert_alike(name, &figure(&document), &expected, tolerance);
    }
}

#[test]
fn containers_of_all_kinds_hold_the_same() {
    let expected = figure(&arm());
    let embedded = arm().embedded();
    let marked = [b"\xef\xbb\xbf \n".as_slice(), &embedded, b"\0\0"].concat();
    let unpadded = String::from_utf8(embedded).unwrap().replace("=\"", "\"");
    for (name, bytes) in [("GLB", arm().glb()), ("marked", marked), ("unpadded", unpadded.into())] {
        assert_alike(name, &read_alone(&bytes).unwrap(), &expected, 0.0);
    }
    let names =
        [("arm.bin", "arm.bin"), ("./arm.bin", "arm.bin"), ("a/%C3%A4rm%20%25.bin", "a/ärm %.bin")];
    for (uri, name) in names {
        let mut asked = Vec::new();
        let data = arm().data;
        let mut files = |name: &str, maximum: u64| {
            asked.push(name.to_owned());
            assert_eq!(maximum, Limits::default().bytes);
            Ok(data.clone())
        };
        let found = read(&arm().with_buffer_at(uri), &mut files, &Limits::default()).unwrap();
        assert_alike(uri, &found, &expected, 0.0);
        assert_eq!(asked, [name]);
    }
}
