//! Vectors of three components, and the one question behind every round collider: when does a point on a straight way
//! reach a ball? Not a collider itself.

/// Σ a b.
pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a - b.
pub(crate) fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a + s b.
pub(crate) fn along(a: [f64; 3], s: f64, b: [f64; 3]) -> [f64; 3] {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

/// The largest magnitude of a component.
pub(crate) fn greatest(a: [f64; 3]) -> f64 {
    a[0].abs().max(a[1].abs()).max(a[2].abs())
}

/// Length; squares neither overflow nor vanish.
pub(crate) fn length(a: [f64; 3]) -> f64 {
    let scale = greatest(a);
    if scale == 0.0 || !scale.is_finite() {
        return scale;
    }
    let unit = a.map(|value| value / scale);
    scale * dot(unit, unit).sqrt()
}

/// a at length 1; upwards where a has no length.
pub(crate) fn direction(a: [f64; 3]) -> [f64; 3] {
    let size = length(a);
    if size > 0.0 { a.map(|value| value / size) } else { [0.0, 1.0, 0.0] }
}

/// The first share of `way`, 0 to 1, at which a point that begins at `from` is no further than `radius` from the
/// origin; `None` when it does not come so close, or when the way only leads away.
///
/// |from + s way|² = radius² is solved through the point of the line that is nearest to the origin: the textbook
/// discriminant loses all digits where the way is much longer than the radius.
pub(crate) fn reach(from: [f64; 3], way: [f64; 3], radius: f64) -> Option<f64> {
    if dot(from, way) >= 0.0 {
        return None;
    }
    if length(from) <= radius {
        return Some(0.0);
    }
    let size = length(way);
    let unit = way.map(|value| value / size);
    let before = -dot(from, unit);
    let nearest = along(from, before, unit);
    let half_chord = radius * radius - dot(nearest, nearest);
    if half_chord < 0.0 {
        return None;
    }
    let share = (before - half_chord.sqrt()) / size;
    (share <= 1.0).then_some(share.max(0.0))
}
