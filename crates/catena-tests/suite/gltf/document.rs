//! Files made for tests: an arm of two bones, whose JSON and bytes the tests change.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

/// A file: its JSON without the buffer, and the buffer.
#[derive(Clone, Debug)]
pub struct Document {
    pub root: Value,
    pub data: Vec<u8>,
}

/// Number types of glTF files.
pub trait Component: Copy {
    const CODE: u32;
    fn append(self, data: &mut Vec<u8>);
}

macro_rules! components {
    ($($kind:ty: $code:literal),*) => {
        $(impl Component for $kind {
            const CODE: u32 = $code;
            fn append(self, data: &mut Vec<u8>) {
                data.extend(self.to_le_bytes());
            }
        })*
    };
}

components!(i8: 5120, u8: 5121, i16: 5122, u16: 5123, u32: 5125, f32: 5126);

impl Document {
    /// A file with only a header.
    pub fn empty() -> Self {
        let root = json!({
            "asset": {"version": "2.0"}, "accessors": [], "bufferViews": [], "buffers": [{}],
        });
        Self { root, data: Vec::new() }
    }

    /// The value at a JSON pointer, created if it is missing.
    pub fn at(&mut self, pointer: &str) -> &mut Value {
        let mut value = &mut self.root;
        for key in pointer.split('/').skip(1) {
            value = match key.parse::<usize>() {
                Ok(index) => {
                    if *value == Value::Null {
                        *value = json!([]);
                    }
                    let list = value.as_array_mut().unwrap();
                    if list.len() <= index {
                        list.resize(index + 1, Value::Null);
                    }
                    &mut list[index]
                }
                Err(_) => &mut value[key],
            };
        }
        value
    }

    /// The document with another value at a JSON pointer; null removes it.
    pub fn with(mut self, pointer: &str, value: Value) -> Self {
        let (list, key) = pointer.rsplit_once('/').unwrap();
        match (value.is_null(), self.at(list)) {
            (true, Value::Object(object)) => drop(object.remove(key)),
            _ => *self.at(pointer) = value,
        }
        self
    }

    /// Adds rows of numbers, `gap` bytes apart, as a separate buffer view.
    pub fn view<T: Component, const N: usize>(&mut self, rows: &[[T; N]], gap: usize) -> usize {
        self.data.resize(self.data.len().next_multiple_of(4), 0);
        let start = self.data.len();
        for row in rows {
            row.iter().for_each(|number| number.append(&mut self.data));
            self.data.extend(std::iter::repeat_n(0xab, gap));
        }
        let mut view =
            json!({"buffer": 0, "byteOffset": start, "byteLength": self.data.len() - start});
        if gap > 0 {
            view["byteStride"] = (N * size_of::<T>() + gap).into();
        }
        self.push("/bufferViews", view)
    }

    /// Adds an accessor of rows of numbers.
    pub fn accessor<T: Component, const N: usize>(&mut self, rows: &[[T; N]]) -> usize {
        self.spaced(rows, 0)
    }

    /// The values, with padding bytes between rows.
    pub fn spaced<T: Component, const N: usize>(&mut self, rows: &[[T; N]], gap: usize) -> usize {
        let view = self.view(rows, gap);
        let accessor = json!({
            "bufferView": view, "componentType": T::CODE, "count": rows.len(), "type": shape(N),
        });
        self.push("/accessors", accessor)
    }

    /// The values in [-1, 1] as normalised integers.
    pub fn normalized<T: Component, const N: usize>(&mut self, rows: &[[T; N]]) -> usize {
        let index = self.accessor(rows);
        *self.at(&format!("/accessors/{index}/normalized")) = true.into();
        index
    }

    /// Adds an entry to a list, and returns its index.
    pub fn push(&mut self, list: &str, entry: Value) -> usize {
        let list = self.at(list).as_array_mut().unwrap();
        list.push(entry);
        list.len() - 1
    }

    fn json(&self, uri: Option<String>) -> String {
        let mut root = self.root.clone();
        // Tests put arbitrary values anywhere, so there may be no buffer.
        if let Some(Value::Object(buffer)) = root.pointer_mut("/buffers/0") {
            buffer.entry("byteLength").or_insert(self.data.len().into());
            if let Some(uri) = uri {
                buffer.entry("uri").or_insert(uri.into());
            }
        }
        root.to_string()
    }

    /// JSON with an embedded buffer.
    pub fn embedded(&self) -> Vec<u8> {
        let data = STANDARD.encode(&self.data);
        self.json(Some(format!("data:application/octet-stream;base64,{data}"))).into()
    }

    /// JSON with the buffer in a separate file.
    pub fn with_buffer_at(&self, uri: &str) -> Vec<u8> {
        self.json(Some(uri.into())).into()
    }

    /// A GLB file.
    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json(None).into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut data = self.data.clone();
        data.resize(data.len().next_multiple_of(4), 0);
        glb(&[(b"JSON", &json), (b"BIN\0", &data)])
    }
}

/// A GLB file made of chunks.
pub fn glb(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut bytes = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, data) in chunks {
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend(*kind);
        bytes.extend(*data);
    }
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes
}

fn shape(components: usize) -> &'static str {
    match components {
        1 => "SCALAR",
        2 => "VEC2",
        3 => "VEC3",
        4 => "VEC4",
        16 => "MAT4",
        _ => panic!("no shape of {components}"),
    }
}

/// A translation along y as a column-major matrix.
pub fn moved(y: f32) -> [f32; 16] {
    [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, y, 0.0, 1.0]
}

/// Positions of the vertices of the arm.
pub const PLACES: [[f32; 3]; 4] =
    [[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], [-0.5, 2.0, 0.0], [0.5, 2.0, 0.0]];

/// Weights of the upper and the lower bone for each vertex.
pub const WEIGHTS: [[f32; 4]; 4] =
    [[1.0, 0.0, 0.0, 0.0], [0.75, 0.25, 0.0, 0.0], [0.25, 0.75, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]];

/// Times of the keys.
pub const TIMES: [[f32; 1]; 3] = [[0.0], [1.0], [2.0]];

/// Rotations at the keys: none, about 74° about z, and none.
pub const TURNS: [[f32; 4]; 3] = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.6, 0.8], [0.0, 0.0, 0.0, 1.0]];

/// An arm of two bones, `upper` and `lower`, and a square of four vertices. Accessors: 0 positions,
/// 1 normals, 2 joints, 3 weights, 4 indices, 5 inverse bind matrices, 6 times, 7 rotations and 8
/// translations of the lower bone.
pub fn arm() -> Document {
    let mut arm = Document::empty();
    arm.accessor(&PLACES);
    arm.accessor(&[[0.0_f32, 0.0, 2.0]; 4]);
    arm.accessor(&[[0_u8, 1, 0, 0]; 4]);
    arm.accessor(&WEIGHTS);
    arm.accessor(&[[0_u16], [1], [2], [2], [1], [3]]);
    arm.accessor(&[moved(0.0), moved(-1.0)]);
    arm.accessor(&TIMES);
    arm.accessor(&TURNS);
    arm.accessor(&[[0.0_f32, 1.0, 0.0], [0.25, 1.0, 0.0], [0.0, 1.0, 0.5]]);
    let target = |sampler: usize, path: &str| json!({"sampler": sampler, "target": {"node": 2, "path": path}});
    let parts = json!({
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [
            {"name": "square", "mesh": 0, "skin": 0, "translation": [7, 7, 7]},
            {"name": "upper", "children": [2]},
            {"name": "lower", "translation": [0, 1, 0]},
        ],
        "meshes": [{
            "name": "sleeve",
            "primitives": [{
                "attributes": {"POSITION": 0, "NORMAL": 1, "JOINTS_0": 2, "WEIGHTS_0": 3},
                "indices": 4,
                "material": 0,
            }],
        }],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": 5}],
        "animations": [{
            "name": "wave",
            "channels": [target(0, "rotation"), target(1, "translation")],
            "samplers": [{"input": 6, "output": 7}, {"input": 6, "output": 8}],
        }],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [1.0, 0.5, 0.0, 0.25]}}],
    });
    for (key, value) in parts.as_object().unwrap() {
        arm.root[key] = value.clone();
    }
    arm
}
