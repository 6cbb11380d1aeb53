//! Normals of vertices, from the file or from the adjacent triangles.

use super::document::Shape;
use super::error::{GltfError, Place};
use super::limits::Allowance;
use super::source::Source;
use super::value::Whole;
use catena_sim::glam::DVec3;
use catena_sim::skin::unit;

/// Returns the unit normals of a primitive. A missing or zero normal is computed from the adjacent
/// triangles, weighted by area, or is z if there are none. glTF requires flat shading when a file
/// has no normals. Flat shading would duplicate vertices here, and rendering can derive it from the
/// points.
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

/// Returns the area-weighted normals of the triangles around each vertex.
fn around(points: &[DVec3], triangles: &[[usize; 3]]) -> Vec<DVec3> {
    let mut sums = vec![DVec3::ZERO; points.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| points[corner]);
        let area = (b - a).cross(c - a);
        corners.iter().for_each(|corner| sums[*corner] += area);
    }
    sums.into_iter().map(|sum| unit(sum).unwrap_or(DVec3::Z)).collect()
}
