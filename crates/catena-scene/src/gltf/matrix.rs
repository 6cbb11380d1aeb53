//! Matrices of files: decomposition into translation, rotation and scale, and affine maps.

use super::error::{GltfError, Place};
use catena_sim::drive::rig::{Transform, normalised};
use catena_sim::glam::{DAffine3, DMat3, DQuat, DVec3};
use catena_sim::skin::polar;

/// Tolerance for the last row (0, 0, 0, 1), because files round.
const ROW: f64 = 1e-5;

/// Maximum cosine between two axes that counts as a right angle. Some exporters write four digits.
const RIGHT: f64 = 1e-4;

/// Converts a column-major matrix to an affine map.
pub(super) fn affine(place: Place<'_>, m: &[f64; 16]) -> Result<DAffine3, GltfError> {
    let row = [m[3], m[7], m[11], m[15]];
    let is_affine = row.iter().zip([0.0, 0.0, 0.0, 1.0]).all(|(a, b)| (a - b).abs() <= ROW);
    let message = format_args!("its last row is {row:?}, expected [0, 0, 0, 1]");
    GltfError::unless(is_affine, place, message)?;
    let column = |k: usize| DVec3::new(m[4 * k], m[4 * k + 1], m[4 * k + 2]);
    let axes = DMat3::from_cols(column(0), column(1), column(2));
    Ok(DAffine3::from_mat3_translation(axes, column(3)))
}

/// Decomposes a map into translation, rotation and scale. A mirrored map gets a negative x scale.
pub(super) fn decomposed(place: Place<'_>, map: &DAffine3) -> Result<Transform, GltfError> {
    let axes = [map.matrix3.x_axis, map.matrix3.y_axis, map.matrix3.z_axis];
    let mut scale = axes.map(DVec3::length);
    let mut unit = axes;
    for (axis, length) in unit.iter_mut().zip(scale) {
        if length > 0.0 {
            *axis /= length;
        }
    }
    let [x, y, z] = unit;
    let lean = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
    let message = "it shears, which place, turn and scale cannot do: apply the transforms of \
                   objects before the export";
    // The comparison also rejects NaN.
    GltfError::unless(lean <= RIGHT, place, message)?;
    let mut linear = DMat3::from_cols(x, y, z);
    if linear.determinant() < 0.0 {
        linear.x_axis = -x;
        scale[0] = -scale[0];
    }
    let turn = normalised(DQuat::from_mat3(&polar(&linear).rotation));
    let turn = turn.ok_or_else(|| GltfError::new(place, "it has no rotation"))?;
    Ok(Transform { place: map.translation, turn, scale: DVec3::from_array(scale) })
}
