//! What triangles enclose.

use glam::DVec3;

/// The volume that a closed mesh encloses, by the divergence theorem: Σ a·(b × c)/6 over triangles
/// that run anticlockwise as seen from outside. The mesh is measured from its first vertex, where
/// far-off meshes lose no digits. `None` where a triangle names a vertex that is not there.
pub fn volume(points: &[DVec3], triangles: &[[usize; 3]]) -> Option<f64> {
    let origin = points.first().copied().unwrap_or_default();
    let mut sum = 0.0;
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| points.get(corner).map(|point| *point - origin));
        sum += a?.dot(b?.cross(c?));
    }
    Some(sum / 6.0)
}
