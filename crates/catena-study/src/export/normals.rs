//! Smooth normals of facets, with a default for facets without area.

use catena_sim::vector::{Vec3, add, cross, scaled, scaled_norm, sub};

/// Default normal of facets without area.
const ANY: Vec3 = [0.0, 1.0, 0.0];

/// Normalizes a vector; returns the y axis for one without length.
pub(super) fn unit_or_any(v: Vec3) -> Vec3 {
    let length = scaled_norm(v);
    if length > 0.0 && length.is_finite() { scaled(v, 1.0 / length) } else { ANY }
}

/// Computes area-weighted normals per point: the sum over its facets, not normalized. Facets
/// contain indices into `points`.
pub(super) fn add_normals<'a>(
    facets: impl Iterator<Item = &'a [usize]>,
    points: &[Vec3],
    sums: &mut Vec<Vec3>,
) {
    sums.clear();
    sums.resize(points.len(), [0.0; 3]);
    for facet in facets {
        let [a, b, c] = [0, 1, 2].map(|k| points[facet[k]]);
        let d = points[*facet.get(3).unwrap_or(&facet[0])];
        let normal = cross(sub(c, a), sub(d, b));
        for &corner in facet {
            sums[corner] = add(sums[corner], normal);
        }
    }
}
