//! Limits of figure files, so that small files cannot use much memory or time.

use super::messages::GltfError;
use catena_base::text::number;
use std::fmt::Display;

/// Maximum counts and sizes of a figure file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file, and of all its buffers together.
    pub bytes: u64,
    /// Values in the JSON: numbers, strings, arrays and objects.
    pub values: usize,
    /// Objects in the JSON.
    pub objects: usize,
    /// Nesting depth of arrays and objects in the JSON.
    pub json_depth: usize,
    /// Nodes.
    pub nodes: usize,
    /// Depth of the node hierarchy.
    pub node_depth: usize,
    /// Vertices of all meshes. A mesh counts once for each node that uses it.
    pub vertices: usize,
    /// Keys of all animations. Keys count once for each channel that uses them.
    pub keys: usize,
    /// Memory in bytes for decoded vertices, triangles, joints and keys.
    pub expanded: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 64 << 20,
            values: 5_000_000,
            objects: 500_000,
            json_depth: 64,
            nodes: 10_000,
            node_depth: 1_000,
            vertices: 1_000_000,
            keys: 1_000_000,
            expanded: 384 << 20,
        }
    }
}

/// Amounts that the part of a file read so far has used.
#[derive(Debug)]
pub(super) struct Allowance<'a> {
    limits: &'a Limits,
    vertices: u64,
    keys: u64,
    expanded: u64,
}

impl<'a> Allowance<'a> {
    pub(super) fn new(limits: &'a Limits) -> Self {
        Self { limits, vertices: 0, keys: 0, expanded: 0 }
    }

    /// Counts the vertices of one more mesh.
    pub(super) fn count_vertices(
        &mut self,
        place: impl Display,
        count: u64,
    ) -> Result<(), GltfError> {
        let maximum = self.limits.vertices as u64;
        add_within(&mut self.vertices, count, maximum, place, |sum| {
            format!(
                "{sum} vertices up to here, counted for each node with the mesh: at most {maximum} \
                 are allowed"
            )
        })
    }

    /// Counts the keys of one more channel.
    pub(super) fn count_keys(&mut self, place: impl Display, count: u64) -> Result<(), GltfError> {
        let maximum = self.limits.keys as u64;
        add_within(&mut self.keys, count, maximum, place, |sum| {
            format!(
                "{sum} keys up to here, counted for each channel: at most {maximum} are allowed"
            )
        })
    }

    /// Counts the memory of `count` items of `size` bytes.
    pub(super) fn count_memory(
        &mut self,
        place: impl Display,
        count: u64,
        size: usize,
    ) -> Result<(), GltfError> {
        let maximum = self.limits.expanded;
        let bytes = count.saturating_mul(size as u64);
        add_within(&mut self.expanded, bytes, maximum, place, |sum| {
            let [sum, maximum] = number::compared_bytes([sum, maximum].map(u128::from));
            format!("the data up to here takes {sum} of memory: at most {maximum} are allowed")
        })
    }
}

/// Adds to a sum and returns an error if the sum exceeds the limit.
fn add_within(
    sum: &mut u64,
    count: u64,
    maximum: u64,
    place: impl Display,
    message: impl Fn(u64) -> String,
) -> Result<(), GltfError> {
    *sum = sum.saturating_add(count);
    if *sum <= maximum { Ok(()) } else { Err(GltfError::new(place, message(*sum))) }
}
