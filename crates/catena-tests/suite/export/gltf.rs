//! A reader of GLB files.

use catena::sim::vector::{Vec3, add, scaled};
use serde_json::Value;

/// The two chunks of a file.
pub struct Glb {
    pub json: Value,
    bin: Vec<u8>,
}

fn word(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

impl Glb {
    /// Reads a file, whose chunks must fill it exactly.
    pub fn read(bytes: &[u8]) -> Self {
        assert_eq!(&bytes[..4], b"glTF");
        assert_eq!((word(bytes, 4), word(bytes, 8)), (2, bytes.len()));
        let length = word(bytes, 12);
        assert_eq!((&bytes[16..20], length % 4), (&b"JSON"[..], 0));
        let json: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
        let bin = &bytes[20 + length..];
        assert_eq!((word(bin, 0), &bin[4..8]), (bin.len() - 8, &b"BIN\0"[..]));
        assert_eq!(number(&json["buffers"][0]["byteLength"]), bin.len() - 8);
        Self { bin: bin[8..].to_vec(), json }
    }

    /// The node with a name.
    pub fn node(&self, name: &str) -> &Value {
        let nodes = self.json["nodes"].as_array().unwrap();
        nodes.iter().find(|node| node["name"] == name).unwrap_or_else(|| panic!("{name}"))
    }

    /// Names of the child nodes of a node.
    pub fn children(&self, node: &Value) -> Vec<String> {
        let names = |child: &Value| self.json["nodes"][number(child)]["name"].as_str().unwrap();
        node["children"].as_array().unwrap().iter().map(|child| names(child).to_owned()).collect()
    }

    /// The only primitive of a node's mesh.
    pub fn primitive(&self, name: &str) -> &Value {
        let mesh = &self.json["meshes"][number(&self.node(name)["mesh"])];
        assert_eq!(mesh["primitives"].as_array().unwrap().len(), 1);
        &mesh["primitives"][0]
    }

    fn bytes(&self, view: &Value) -> (&[u8], Option<usize>) {
        let view = &self.json["bufferViews"][number(view)];
        let start = view["byteOffset"].as_u64().unwrap() as usize;
        let stride = view["byteStride"].as_u64().map(|stride| stride as usize);
        (&self.bin[start..start + number(&view["byteLength"])], stride)
    }

    /// Numbers of an accessor, element by element. Checks the accessor's bounds.
    pub fn numbers(&self, accessor: &Value) -> Vec<f64> {
        let it = &self.json["accessors"][number(accessor)];
        let width = match it["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            other => panic!("{other}"),
        };
        let (size, read): (usize, fn(&[u8]) -> f64) = match it["componentType"].as_u64().unwrap() {
            5121 => (1, |bytes| f64::from(bytes[0])),
            5123 => (2, |bytes| f64::from(u16::from_le_bytes([bytes[0], bytes[1]]))),
            5125 => (4, |bytes| f64::from(u32::from_le_bytes(bytes[..4].try_into().unwrap()))),
            5126 => (4, |bytes| f64::from(f32::from_le_bytes(bytes[..4].try_into().unwrap()))),
            other => panic!("{other}"),
        };
        let count = number(&it["count"]);
        let mut all = vec![0.0; count * width];
        if let Some(view) = it.get("bufferView") {
            let (bytes, stride) = self.bytes(view);
            let offset = it["byteOffset"].as_u64().unwrap_or(0) as usize;
            for (index, value) in all.iter_mut().enumerate() {
                let element = index / width * stride.unwrap_or(size * width);
                *value = read(&bytes[offset + element + index % width * size..]);
            }
        }
        if let Some(sparse) = it.get("sparse") {
            let indices = self.bytes(&sparse["indices"]["bufferView"]).0;
            let values = self.bytes(&sparse["values"]["bufferView"]).0;
            assert_eq!((&sparse["indices"]["componentType"], width), (&Value::from(5125), 1));
            for k in 0..number(&sparse["count"]) {
                all[word(indices, 4 * k)] = read(&values[4 * k..]);
            }
        }
        for (bound, pick) in [("min", f64::min as fn(f64, f64) -> f64), ("max", f64::max)] {
            for (axis, value) in it[bound].as_array().into_iter().flatten().enumerate() {
                let found = all.iter().skip(axis).step_by(width).copied().reduce(pick);
                assert_eq!(value.as_f64(), found, "{bound} of {it}");
            }
        }
        assert!(all.iter().all(|value| value.is_finite()));
        all
    }

    /// The vectors of an accessor.
    pub fn vectors(&self, accessor: &Value) -> Vec<Vec3> {
        self.numbers(accessor).as_chunks().0.to_vec()
    }

    /// The indices of a primitive.
    pub fn indices(&self, primitive: &Value) -> Vec<usize> {
        self.numbers(&primitive["indices"]).iter().map(|index| *index as usize).collect()
    }

    /// An attribute of a primitive, with these weights of its morph targets.
    pub fn morphed(&self, primitive: &Value, attribute: &str, weights: &[f64]) -> Vec<Vec3> {
        let mut all = self.vectors(&primitive["attributes"][attribute]);
        let targets = primitive["targets"].as_array().map_or(&[][..], |targets| targets);
        assert_eq!(targets.len(), weights.len());
        for (target, weight) in targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
            let moved = self.vectors(&target[attribute]);
            assert_eq!(all.len(), moved.len());
            all.iter_mut()
                .zip(moved)
                .for_each(|(all, moved)| *all = add(*all, scaled(moved, *weight)));
        }
        all
    }

    /// Times and values of a node's animation channel.
    pub fn channel(&self, name: &str, path: &str) -> Option<(Vec<f64>, Vec<f64>)> {
        let animation = &self.json["animations"][0];
        let channels = animation["channels"].as_array()?;
        let is_it = |channel: &&Value| {
            let target = &channel["target"];
            target["path"] == path && self.json["nodes"][number(&target["node"])]["name"] == name
        };
        let sampler = &animation["samplers"][number(&channels.iter().find(is_it)?["sampler"])];
        assert_eq!(sampler["interpolation"], "LINEAR");
        Some((self.numbers(&sampler["input"]), self.numbers(&sampler["output"])))
    }

    /// An attribute of a moving mesh at a time between the first and the last frame, with weights
    /// interpolated linearly between frames.
    pub fn at(&self, name: &str, attribute: &str, time: f64) -> Vec<Vec3> {
        let (times, values) = self.channel(name, "weights").unwrap();
        let targets = values.len() / times.len();
        let before = times.iter().rposition(|it| *it <= time + 1e-6).unwrap().min(times.len() - 2);
        let share = (time - times[before]) / (times[before + 1] - times[before]);
        let row = |frame: usize| &values[frame * targets..(frame + 1) * targets];
        let mixed = row(before).iter().zip(row(before + 1));
        let weights: Vec<f64> = mixed.map(|(a, b)| a + share * (b - a)).collect();
        self.morphed(self.primitive(name), attribute, &weights)
    }
}
