//! Polar decomposition of a linear map: M = R S with a rotation R and a symmetric stretch S.
//!
//! Newton's iteration is X ← (g X + (g X)⁻ᵀ)/2 from X = M. The factor g = √(|X⁻¹|/|X|) quickly
//! brings the singular values near 1. The number of steps is fixed, so results are bit-identical on
//! every machine. Ten steps suffice for condition numbers up to 1e16. Source: Higham 1986,
//! "Computing the polar decomposition, with applications".

use super::linear::unit;
use glam::{DMat3, DVec3};

/// Number of Newton steps.
const STEPS: usize = 10;

/// A rotation and a stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polar {
    /// Rotation with determinant 1.
    pub rotation: DMat3,
    /// Stretch: Rᵀ M, whose determinant is negative if M mirrors.
    pub stretch: DMat3,
}

/// Decomposes a map into a rotation and a stretch. A singular map has no unique rotation, so one is
/// built from its columns and the stretch follows. For a map that is not finite, the rotation is
/// the identity.
pub fn polar(map: &DMat3) -> Polar {
    let rotation = newton(map).unwrap_or_else(|| by_columns(map));
    let rotation = if rotation.determinant() < 0.0 { -rotation } else { rotation };
    Polar { rotation, stretch: rotation.transpose() * *map }
}

/// Returns the orthogonal factor; `None` if the map has no inverse.
fn newton(map: &DMat3) -> Option<DMat3> {
    let mut x = *map;
    for _ in 0..STEPS {
        let inverse = inverse_transpose(&x)?;
        let factor = (norm(&inverse) / norm(&x)).sqrt();
        x = (x * factor + inverse * (1.0 / factor)) * 0.5;
    }
    x.is_finite().then_some(x)
}

/// Returns the inverse of the transpose; `None` if there is none.
fn inverse_transpose(m: &DMat3) -> Option<DMat3> {
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    let cofactors = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    let determinant = x.dot(cofactors.x_axis);
    let inverse = cofactors * (1.0 / determinant);
    (determinant != 0.0 && inverse.is_finite()).then_some(inverse)
}

/// Returns the Frobenius norm.
fn norm(m: &DMat3) -> f64 {
    let square = |v: DVec3| v.dot(v);
    (square(m.x_axis) + square(m.y_axis) + square(m.z_axis)).sqrt()
}

/// Returns orthonormal axes along the first two columns that are not parallel. Coordinate axes
/// replace missing ones. Source: Gram and Schmidt.
fn by_columns(map: &DMat3) -> DMat3 {
    if !map.is_finite() {
        return DMat3::IDENTITY;
    }
    let columns = [map.x_axis, map.y_axis, map.z_axis];
    let identity = [DVec3::X, DVec3::Y, DVec3::Z];
    let mut axes: [Option<DVec3>; 3] = [None; 3];
    for candidates in [columns, identity] {
        for k in 0..3 {
            let has = axes.iter().flatten().count();
            if axes[k].is_none() && has < 2 {
                axes[k] = across(candidates[k], &axes);
            }
        }
    }
    let [x, y, z] = axes;
    match (x, y, z) {
        (Some(x), Some(y), _) => DMat3::from_cols(x, y, x.cross(y)),
        (Some(x), None, Some(z)) => DMat3::from_cols(x, z.cross(x), z),
        (None, Some(y), Some(z)) => DMat3::from_cols(y.cross(z), y, z),
        _ => DMat3::IDENTITY,
    }
}

/// Returns the direction of the component of a vector perpendicular to the given axes; `None` if it
/// is too small.
fn across(vector: DVec3, axes: &[Option<DVec3>; 3]) -> Option<DVec3> {
    let direction = unit(vector)?;
    // Repeated once, because rounding may leave the first result tilted.
    let perpendicular =
        |v: DVec3| axes.iter().flatten().fold(v, |v, axis| v - *axis * v.dot(*axis));
    let rest = perpendicular(direction);
    if rest.dot(rest) < 1e-16 { None } else { unit(perpendicular(unit(rest)?)) }
}
