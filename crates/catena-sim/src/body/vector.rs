//! Vectors of few components: sums, products and lengths. Sums follow the order of the components.

/// A point or a direction in space, with z = 0 in the plane.
pub type Vec3 = [f64; 3];

/// Returns a + b.
#[inline(always)]
pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Returns a - b.
#[inline(always)]
pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Returns s a.
#[inline(always)]
pub fn scaled(a: Vec3, s: f64) -> Vec3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

/// Returns a + s b.
#[inline(always)]
pub fn along(a: Vec3, s: f64, b: Vec3) -> Vec3 {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

/// Returns the dot product Σ a b.
#[inline(always)]
pub fn dot<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    inner(&a, &b)
}

/// Returns Σ a b over the number of components of the shorter vector.
#[inline(always)]
pub fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns a × b.
#[inline]
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Returns the length √(Σ a²); NaN if a component is NaN.
#[inline]
pub fn norm(a: impl AsRef<[f64]>) -> f64 {
    let a = a.as_ref();
    inner(a, a).sqrt()
}

/// Returns the length of a vector whose squares may overflow or underflow.
#[inline]
pub fn scaled_norm(a: Vec3) -> f64 {
    let scale = greatest(a);
    if scale == 0.0 || !scale.is_finite() {
        return scale;
    }
    let unit = [a[0] / scale, a[1] / scale, a[2] / scale];
    scale * dot(unit, unit).sqrt()
}

/// Returns the maximum magnitude of a component.
#[inline(always)]
pub fn greatest(a: Vec3) -> f64 {
    a[0].abs().max(a[1].abs()).max(a[2].abs())
}

/// Returns a scaled to length 1; NaN if a has length 0.
#[inline]
pub fn unit(a: Vec3) -> Vec3 {
    scaled(a, 1.0 / norm(a))
}

/// Returns a unit vector perpendicular to a unit vector in space. For most small changes of the
/// axis it changes little.
#[inline]
pub fn perpendicular(axis: Vec3) -> Vec3 {
    let other = if axis[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    unit(cross(axis, other))
}

/// Returns the mean of points; NaN for an empty list.
#[inline]
pub fn middle(points: &[Vec3]) -> Vec3 {
    let sum = points.iter().fold([0.0; 3], |sum, point| add(sum, *point));
    scaled(sum, 1.0 / points.len() as f64)
}
