//! Contents of a mesh file.

use std::collections::BTreeMap;

/// Content of a mesh file.
#[derive(Debug, Default)]
pub(crate) struct MeshContent {
    pub(crate) positions: Vec<[f64; 3]>,
    /// Triangles. Faces with more corners are cut.
    pub(crate) facets: Vec<[usize; 3]>,
    /// Line of each position, counted from 1, and of each triangle. Empty for binary files.
    pub(crate) position_lines: Vec<usize>,
    pub(crate) facet_lines: Vec<usize>,
    /// Nodes of each group and each object, by name. Only OBJ files have groups and objects.
    pub(crate) groups: BTreeMap<String, Vec<usize>>,
    /// Number of faces with more than three corners.
    pub(crate) cut: usize,
}
