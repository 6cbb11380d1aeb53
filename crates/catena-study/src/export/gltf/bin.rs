//! Binary chunk of glTF: buffer views, and accessors of numbers in them.

use serde::Serialize;
use serde_json::{Value, json};
use std::{
    fs::File,
    io::{self, BufWriter, Write},
};

/// Purpose of a buffer view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ViewTarget {
    /// Vertex attributes.
    Vertices = 34962,
    /// Vertex indices.
    Indices = 34963,
}

const BYTE: u32 = 5121;
const SHORT: u32 = 5123;
const INT: u32 = 5125;
const FLOAT: u32 = 5126;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct BufferView {
    buffer: u32,
    byte_offset: u64,
    byte_length: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    byte_stride: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<u32>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct BinAccessor {
    #[serde(skip_serializing_if = "Option::is_none")]
    buffer_view: Option<usize>,
    #[serde(skip_serializing_if = "is_zero")]
    byte_offset: u64,
    component_type: u32,
    count: usize,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    min: Vec<f64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    max: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sparse: Option<Value>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(value: &u64) -> bool {
    *value == 0
}

/// Binary chunk under construction.
pub(super) struct Bin {
    file: BufWriter<File>,
    length: u64,
    /// Offset of the view being written.
    start: u64,
    views: Vec<BufferView>,
    accessors: Vec<BinAccessor>,
}

impl Bin {
    pub(super) fn new(file: File) -> Self {
        let file = BufWriter::with_capacity(1 << 16, file);
        Self { file, length: 0, start: 0, views: Vec::new(), accessors: Vec::new() }
    }

    /// Begins a view.
    pub(super) fn begin(&mut self) -> io::Result<()> {
        self.pad()?;
        self.start = self.length;
        Ok(())
    }

    /// Ends the view. `byte_stride` is the distance of vertices in a view shared by several
    /// accessors. An empty view is omitted, since glTF requires at least one byte (glTF 2.0,
    /// 5.11.3).
    pub(super) fn end(&mut self, byte_stride: Option<u32>, target: Option<ViewTarget>) {
        let (byte_offset, byte_length) = (self.start, self.length - self.start);
        if byte_length == 0 {
            return;
        }
        let target = target.map(|target| target as u32);
        self.views.push(BufferView { buffer: 0, byte_offset, byte_length, byte_stride, target });
    }

    fn pad(&mut self) -> io::Result<()> {
        while !self.length.is_multiple_of(4) {
            self.write_bytes(&[0])?;
        }
        Ok(())
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.length += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    fn write_floats(&mut self, values: &[f32]) -> io::Result<()> {
        values.iter().try_for_each(|value| self.write_bytes(&value.to_le_bytes()))
    }

    /// Adds an accessor into the view being written.
    fn add_accessor(
        &mut self,
        offset: u64,
        component_type: u32,
        count: usize,
        kind: &'static str,
    ) -> usize {
        self.accessors.push(BinAccessor {
            buffer_view: Some(self.views.len()),
            byte_offset: offset - self.start,
            component_type,
            count,
            kind,
            min: Vec::new(),
            max: Vec::new(),
            sparse: None,
        });
        self.accessors.len() - 1
    }

    /// Adds scalars with their bounds.
    pub(super) fn add_scalars(&mut self, values: &[f32]) -> io::Result<usize> {
        let values: Vec<[f32; 1]> = values.iter().map(|value| [*value]).collect();
        self.add_bounded(&values, "SCALAR")
    }

    /// Adds positions with their bounds.
    pub(super) fn add_places(&mut self, vectors: &[[f32; 3]]) -> io::Result<usize> {
        self.add_bounded(vectors, "VEC3")
    }

    fn add_bounded<const N: usize>(
        &mut self,
        all: &[[f32; N]],
        kind: &'static str,
    ) -> io::Result<usize> {
        let offset = self.length;
        self.write_floats(all.as_flattened())?;
        let accessor = self.add_accessor(offset, FLOAT, all.len(), kind);
        let bound = |pick: fn(f32, f32) -> f32| -> Vec<f64> {
            let first = all.first().copied().unwrap_or([0.0; N]);
            let fold = |a: [f32; N], b: &[f32; N]| std::array::from_fn(|k| pick(a[k], b[k]));
            all.iter().fold(first, fold).iter().map(|value| f64::from(*value)).collect()
        };
        (self.accessors[accessor].min, self.accessors[accessor].max) =
            (bound(f32::min), bound(f32::max));
        Ok(accessor)
    }

    /// Adds vectors without bounds: directions, rotations, joint weights or matrices.
    pub(super) fn add_vectors<const N: usize>(&mut self, all: &[[f32; N]]) -> io::Result<usize> {
        let kind = match N {
            3 => "VEC3",
            4 => "VEC4",
            _ => "MAT4",
        };
        let offset = self.length;
        self.write_floats(all.as_flattened())?;
        Ok(self.add_accessor(offset, FLOAT, all.len(), kind))
    }

    /// Adds four joint indices per vertex, in the smallest type that holds them.
    pub(super) fn add_joints(&mut self, all: &[[u16; 4]]) -> io::Result<usize> {
        let offset = self.length;
        let is_small = all.iter().flatten().all(|joint| *joint <= 255);
        for joint in all.iter().flatten() {
            let bytes = joint.to_le_bytes();
            self.write_bytes(&bytes[..if is_small { 1 } else { 2 }])?;
        }
        let kind = if is_small { BYTE } else { SHORT };
        Ok(self.add_accessor(offset, kind, all.len(), "VEC4"))
    }

    /// Adds indices of `vertices` vertices in a view of their own.
    pub(super) fn add_indices(&mut self, all: &[u32], vertices: usize) -> io::Result<usize> {
        self.begin()?;
        let offset = self.length;
        // The largest value of each type has a special meaning.
        let is_short = vertices <= usize::from(u16::MAX);
        for index in all {
            let bytes = index.to_le_bytes();
            self.write_bytes(&bytes[..if is_short { 2 } else { 4 }])?;
        }
        let kind = if is_short { SHORT } else { INT };
        let accessor = self.add_accessor(offset, kind, all.len(), "SCALAR");
        self.end(None, Some(ViewTarget::Indices));
        Ok(accessor)
    }

    /// Adds `count` scalars: ones at the given positions, zeros elsewhere.
    pub(super) fn add_ones(&mut self, count: usize, places: &[u32]) -> io::Result<usize> {
        self.begin()?;
        for place in places {
            self.write_bytes(&place.to_le_bytes())?;
        }
        self.end(None, None);
        self.begin()?;
        self.write_floats(&vec![1.0; places.len()])?;
        self.end(None, None);
        let [indices, values] = [self.views.len() - 2, self.views.len() - 1];
        let sparse = json!({
            "count": places.len(),
            "indices": { "bufferView": indices, "componentType": INT },
            "values": { "bufferView": values },
        });
        let accessor = self.add_accessor(self.start, FLOAT, count, "SCALAR");
        self.accessors[accessor].buffer_view = None;
        self.accessors[accessor].sparse = Some(sparse);
        Ok(accessor)
    }

    /// Returns the file with its length, and the lists of views and accessors.
    pub(super) fn finish(mut self) -> io::Result<(File, u64, [Value; 2])> {
        self.pad()?;
        let lists = [serde_json::to_value(&self.views)?, serde_json::to_value(&self.accessors)?];
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok((file, self.length, lists))
    }
}
