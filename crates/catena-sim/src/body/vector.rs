//! Vectors of few components: sums, products and lengths, in the order of the components.

/// A point or a direction in space; z is 0 in the plane.
pub type Vec3 = [f64; 3];

/// a + b.
#[inline(always)]
pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a - b.
#[inline(always)]
pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// s a.
#[inline(always)]
pub fn scaled(a: Vec3, s: f64) -> Vec3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

/// a + s b.
#[inline(always)]
pub fn along(a: Vec3, s: f64, b: Vec3) -> Vec3 {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

/// Σ a b.
#[inline(always)]
pub fn dot<const N: usize>(a: [f64; N], b: [f64; N]) -> f64 {
    inner(&a, &b)
}

/// Σ a b of as many components as the shorter of the two has.
#[inline(always)]
pub fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// a × b.
#[inline]
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Length, √(Σ a²), of any number of components; NaN where one is NaN.
#[inline]
pub fn norm(a: impl AsRef<[f64]>) -> f64 {
    let a = a.as_ref();
    inner(a, a).sqrt()
}

/// Length of a vector whose squares may overflow or vanish.
#[inline]
pub fn scaled_norm(a: Vec3) -> f64 {
    let scale = greatest(a);
    if scale == 0.0 || !scale.is_finite() {
        return scale;
    }
    let unit = [a[0] / scale, a[1] / scale, a[2] / scale];
    scale * dot(unit, unit).sqrt()
}

/// The largest magnitude of a component.
#[inline(always)]
pub fn greatest(a: Vec3) -> f64 {
    a[0].abs().max(a[1].abs()).max(a[2].abs())
}

/// a at length 1; NaN where a has no length.
#[inline]
pub fn unit(a: Vec3) -> Vec3 {
    scaled(a, 1.0 / norm(a))
}

/// The mean of some points; NaN of none.
#[inline]
pub fn middle(points: &[Vec3]) -> Vec3 {
    let sum = points.iter().fold([0.0; 3], |sum, point| add(sum, *point));
    scaled(sum, 1.0 / points.len() as f64)
}
