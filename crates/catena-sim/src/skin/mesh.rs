//! Volume of triangle meshes.

use glam::DVec3;

/// Returns the volume of a closed mesh by the divergence theorem: Σ a·(b × c)/6 over triangles,
/// anticlockwise as seen from outside. Positions are relative to the first vertex, so that distant
/// meshes lose no digits. Returns `None` if a triangle has an invalid vertex.
pub fn volume(points: &[DVec3], triangles: &[[usize; 3]]) -> Option<f64> {
    let origin = points.first().copied().unwrap_or_default();
    let mut sum = 0.0;
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| points.get(corner).map(|point| *point - origin));
        sum += a?.dot(b?.cross(c?));
    }
    Some(sum / 6.0)
}
