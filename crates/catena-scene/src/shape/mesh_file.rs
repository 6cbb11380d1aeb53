//! Meshes in files: Wavefront OBJ, STL and PLY, told apart by the name and the first bytes.

use super::data_file::DataError;
use super::{obj, ply, stl};
use std::collections::BTreeMap;

/// Content of a mesh file.
#[derive(Debug, Default)]
pub(super) struct MeshContent {
    pub(super) positions: Vec<[f64; 3]>,
    /// Triangles. Faces with more corners are cut.
    pub(super) facets: Vec<[usize; 3]>,
    /// Line of each position, counted from 1, and of each triangle. Empty for binary files.
    pub(super) position_lines: Vec<usize>,
    pub(super) facet_lines: Vec<usize>,
    /// Nodes of each group and each object, by name. Only OBJ has them.
    pub(super) groups: BTreeMap<String, Vec<usize>>,
    /// Number of faces with more than three corners.
    pub(super) cut: usize,
}

/// Format of a mesh file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MeshFormat {
    Obj,
    Stl,
    Ply,
}

impl MeshFormat {
    /// Format of a file: PLY by its first line, STL by its ending, and otherwise OBJ.
    pub(super) fn of(name: &str, bytes: &[u8]) -> Self {
        let is_stl = name.len() > 4 && name.to_ascii_lowercase().ends_with(".stl");
        match bytes {
            [b'p', b'l', b'y', b'\n' | b'\r', ..] => Self::Ply,
            _ if is_stl => Self::Stl,
            _ => Self::Obj,
        }
    }

    /// Reads the bytes of an STL or PLY file. OBJ is a text, which [`obj::read`] takes.
    ///
    /// # Errors
    /// Returns an error with the first invalid place.
    pub(super) fn read(self, bytes: &[u8]) -> Result<MeshContent, DataError> {
        match self {
            Self::Stl => stl::read(bytes),
            Self::Ply => ply::read(bytes),
            Self::Obj => obj::read(&String::from_utf8_lossy(bytes)),
        }
    }
}
