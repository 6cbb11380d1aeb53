//! Normals of vertices: those of the file, or of the triangles around each vertex.

use super::document::Shape;
use super::error::{GltfError, Place};
use super::limits::Allowance;
use super::source::Source;
use super::value::Whole;
use catena_sim::glam::DVec3;
use catena_sim::skin::unit;

/// The normals of a primitive, of length 1. Where the file has none, or one of no length, it is
/// that of the triangles around the vertex, weighted by their areas; z where there is no triangle.
/// glTF asks for flat triangles where a file has no normals; vertices would have to be doubled for
/// that, and rendering can make them flat from the points.
pub(super) fn normals(
    source: &Source<'_>,
    place: Place<'_>,
    accessor: Option<Whole>,
    (points, triangles): (&[DVec3], &[[usize; 3]]),
    allowance: &mut Allowance<'_>,
) -> Result<Vec<DVec3>, GltfError> {
    let mut normals = vec![DVec3::ZERO; points.len()];
    if let Some(accessor) = accessor {
        let place = format_args!("{place}.NORMAL");
        let accessor = source.accessor(place, accessor, Shape::Vec3, allowance)?;
        accessor.expect_count(place, points.len(), "one for each vertex")?;
        for (vertex, normal) in normals.iter_mut().enumerate() {
            *normal =
                unit(DVec3::from_array(accessor.finite(place, vertex)?)).unwrap_or(DVec3::ZERO);
        }
    }
    if normals.contains(&DVec3::ZERO) {
        let around = around(points, triangles);
        let missing = normals.iter_mut().zip(around).filter(|(normal, _)| **normal == DVec3::ZERO);
        missing.for_each(|(normal, around)| *normal = around);
    }
    Ok(normals)
}

/// The normals by the triangles around vertices.
fn around(points: &[DVec3], triangles: &[[usize; 3]]) -> Vec<DVec3> {
    let mut sums = vec![DVec3::ZERO; points.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| points[corner]);
        let area = (b - a).cross(c - a);
        corners.iter().for_each(|corner| sums[*corner] += area);
    }
    sums.into_iter().map(|sum| unit(sum).unwrap_or(DVec3::Z)).collect()
}
