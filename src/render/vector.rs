//! Vectors of three components, for points and directions in space.

/// A point or a direction in space.
pub type Vec3 = [f64; 3];

/// a + b.
pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a - b.
pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a times a number.
pub fn scaled(a: Vec3, by: f64) -> Vec3 {
    a.map(|value| value * by)
}

/// a·b.
pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Length of a.
pub fn norm(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// a over its length; NaN if that is 0.
pub fn unit(a: Vec3) -> Vec3 {
    scaled(a, 1.0 / norm(a))
}

/// The mean of some points.
pub fn middle(points: &[Vec3]) -> Vec3 {
    let sum = points.iter().fold([0.0; 3], |sum, point| add(sum, *point));
    scaled(sum, 1.0 / points.len() as f64)
}
