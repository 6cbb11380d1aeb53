//! Files that colliders name. The physics reads no files; a scene passes their content on.

use crate::body::vector::Vec3;

/// A file that a collider names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WantedFile<'a> {
    /// Name as written in the scene.
    pub name: &'a str,
    /// Kind of its content.
    pub kind: FileKind,
}

/// Kind of a file's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// Triangles.
    Mesh,
    /// Rows of numbers.
    Rows,
}

/// Content of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum FileContent {
    /// Points and triangles of a mesh.
    Mesh {
        /// Points.
        points: Vec<Vec3>,
        /// Corners of each triangle.
        facets: Vec<[usize; 3]>,
    },
    /// Rows of numbers, not necessarily of equal length.
    Rows(Vec<Vec<f64>>),
}

/// Reason why a collider cannot use a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadContent {
    /// Index of the invalid triangle or row; `None` if the error concerns the whole file.
    pub entry: Option<usize>,
    /// Description of the error.
    pub message: String,
    /// Advice.
    pub help: Option<&'static str>,
}
