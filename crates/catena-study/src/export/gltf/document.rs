//! JSON chunk of glTF: nodes, meshes, materials, skins and an animation.

use super::bin::Bin;
use crate::export::{
    contents::{digits, light, opacity},
    names::UsedNames,
};
use catena_base::text::printable;
use serde_json::{Map, Value, json};
use std::{fs::File, io};

/// Roughness of all materials: ropes and cloth do not shine.
const ROUGHNESS: f64 = 0.9;

/// Document under construction.
pub(super) struct GltfDocument {
    pub(super) bin: Bin,
    pub(super) names: UsedNames,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    /// Colours with one material each.
    colors: Vec<[u8; 4]>,
    skins: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
    /// Nodes whose meshes have morph targets.
    pub(super) morphed: Vec<usize>,
    /// Nodes with skins. They are root nodes, since the transform of a parent does not apply to a
    /// skinned mesh.
    pub(super) skinned: Vec<usize>,
}

impl GltfDocument {
    pub(super) fn new(bin: Bin) -> Self {
        Self {
            bin,
            names: UsedNames::default(),
            nodes: Vec::new(),
            meshes: Vec::new(),
            colors: Vec::new(),
            skins: Vec::new(),
            samplers: Vec::new(),
            channels: Vec::new(),
            morphed: Vec::new(),
            skinned: Vec::new(),
        }
    }

    /// Adds a node and returns its index. An empty list of children is omitted.
    pub(super) fn add_node(&mut self, mut node: Value) -> usize {
        if let Some(fields) = node.as_object_mut()
            && fields.get("children").and_then(Value::as_array).is_some_and(Vec::is_empty)
        {
            fields.remove("children");
        }
        push(&mut self.nodes, node)
    }

    /// Number of nodes.
    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn add_mesh(&mut self, mesh: Value) -> usize {
        push(&mut self.meshes, mesh)
    }

    pub(super) fn add_skin(&mut self, skin: Value) -> usize {
        push(&mut self.skins, skin)
    }

    /// Returns the index of the material of a colour, and adds the material if it is new.
    pub(super) fn add_material(&mut self, color: [u8; 4]) -> usize {
        let known = self.colors.iter().position(|known| *known == color);
        known.unwrap_or_else(|| {
            self.colors.push(color);
            self.colors.len() - 1
        })
    }

    /// Adds a linear sampler from times to values, and returns its index.
    pub(super) fn add_sampler(&mut self, input: usize, output: usize) -> usize {
        let sampler = json!({ "input": input, "output": output, "interpolation": "LINEAR" });
        push(&mut self.samplers, sampler)
    }

    /// Connects a sampler to a property of a node.
    pub(super) fn add_channel(&mut self, sampler: usize, node: usize, path: &str) {
        let target = json!({ "node": node, "path": path });
        self.channels.push(json!({ "sampler": sampler, "target": target }));
    }

    /// Returns the JSON chunk, padded with spaces, and the binary chunk with its length.
    pub(super) fn finish(self, name: &str, roots: Vec<usize>) -> io::Result<(Vec<u8>, File, u64)> {
        let (file, length, [views, accessors]) = self.bin.finish()?;
        let materials: Vec<Value> = self.colors.iter().map(material).collect();
        let mut root = Map::new();
        let generator = concat!("catena ", env!("CARGO_PKG_VERSION"));
        root.insert("asset".into(), json!({ "version": "2.0", "generator": generator }));
        root.insert("scene".into(), json!(0));
        root.insert("scenes".into(), json!([{ "name": name, "nodes": roots }]));
        if !self.channels.is_empty() {
            let animation =
                json!({ "name": name, "channels": self.channels, "samplers": self.samplers });
            root.insert("animations".into(), json!([animation]));
        }
        let lists = [
            ("nodes", Value::from(self.nodes)),
            ("meshes", Value::from(self.meshes)),
            ("materials", Value::from(materials)),
            ("skins", Value::from(self.skins)),
            ("accessors", accessors),
            ("bufferViews", views),
        ];
        for (key, list) in lists {
            // glTF forbids empty lists.
            if list.as_array().is_some_and(|list| !list.is_empty()) {
                root.insert(key.into(), list);
            }
        }
        if length > 0 {
            root.insert("buffers".into(), json!([{ "byteLength": length }]));
        }
        let text = Value::Object(root).to_string();
        let mut json = printable::json(&text).into_owned().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        Ok((json, file, length))
    }
}

fn push(list: &mut Vec<Value>, value: Value) -> usize {
    list.push(value);
    list.len() - 1
}

fn material(color: &[u8; 4]) -> Value {
    let [r, g, b] = light(*color);
    let opacity = opacity(*color);
    let mut material = json!({
        "name": format!("#{}", digits(*color)),
        "doubleSided": true,
        "pbrMetallicRoughness": {
            "baseColorFactor": [r, g, b, opacity],
            "metallicFactor": 0.0,
            "roughnessFactor": ROUGHNESS,
        },
    });
    if opacity < 1.0 {
        material["alphaMode"] = json!("BLEND");
    }
    material
}
