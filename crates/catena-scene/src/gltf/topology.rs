//! Triangles of primitives: lists, strips and fans, indexed or not.

use super::document::{Primitive, Shape};
use super::error::{GltfError, Place};
use super::limits::Allowance;
use super::source::Source;
use super::value::Whole;

/// Arrangement of the corners of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Points and lines, which have no triangles.
    Thin,
    Triangles,
    Strip,
    Fan,
}

impl Mode {
    /// Converts the `mode` of a file; the default is triangles.
    pub(super) fn new(place: Place<'_>, mode: Option<Whole>) -> Result<Self, GltfError> {
        Ok(match mode.map_or(4, |mode| mode.0) {
            0..=3 => Self::Thin,
            4 => Self::Triangles,
            5 => Self::Strip,
            6 => Self::Fan,
            code => {
                let place = format_args!("{place}.mode");
                return Err(GltfError::new(place, format_args!("{code}, expected 0 to 6")));
            }
        })
    }

    /// Returns the number of triangles for a number of corners.
    fn count(self, corners: usize) -> usize {
        match self {
            Self::Thin => 0,
            Self::Triangles => corners / 3,
            Self::Strip | Self::Fan => corners.saturating_sub(2),
        }
    }

    /// Returns the corners of a triangle. Every second triangle of a strip has reversed
    /// orientation.
    fn corners(self, triangle: usize) -> [usize; 3] {
        match self {
            Self::Thin | Self::Triangles => [0, 1, 2].map(|k| 3 * triangle + k),
            Self::Strip if triangle.is_multiple_of(2) => [triangle, triangle + 1, triangle + 2],
            Self::Strip => [triangle, triangle + 2, triangle + 1],
            Self::Fan => [triangle + 1, triangle + 2, 0],
        }
    }
}

/// Reads the triangles of a primitive with `vertices` vertices.
pub(super) fn triangles(
    source: &Source<'_>,
    place: Place<'_>,
    (primitive, mode): (&Primitive, Mode),
    vertices: usize,
    allowance: &mut Allowance<'_>,
) -> Result<Vec<[usize; 3]>, GltfError> {
    let inner = format_args!("{place}.indices");
    let indices = match primitive.indices {
        None => None,
        Some(index) => {
            let indices = source.accessor(inner, index, Shape::Scalar, allowance)?;
            indices.expect_counts(inner)?;
            Some(indices)
        }
    };
    let corners = indices.map_or(vertices, |indices| indices.count());
    let is_whole = mode != Mode::Triangles || corners % 3 == 0;
    let message = format_args!("{corners} corners, which is no multiple of 3");
    GltfError::unless(is_whole, if indices.is_some() { inner } else { place }, message)?;
    let count = mode.count(corners);
    allowance.expanded(place, count as u64, size_of::<[usize; 3]>())?;
    let corner = |k: usize| {
        let Some(indices) = indices else { return Ok(k) };
        let [vertex] = indices.counts(k);
        let message = || format!("entry {k} is {vertex}, but there are {vertices} vertices");
        if vertex < vertices { Ok(vertex) } else { Err(GltfError::new(inner, message())) }
    };
    let triangle = |k: usize| {
        let [a, b, c] = mode.corners(k).map(corner);
        Ok([a?, b?, c?])
    };
    (0..count).map(triangle).collect()
}
