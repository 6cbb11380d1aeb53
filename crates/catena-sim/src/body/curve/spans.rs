//! Positions and velocities between keys: straight, cubic and smooth spans.

use std::array::from_fn;

/// Position and velocity; in general a value and its time derivative.
pub(crate) type PlaceAndRate<const D: usize = 3> = ([f64; D], [f64; D]);

/// Weighted sum of points.
pub(crate) fn blend<const N: usize, const D: usize>(
    weights: [f64; N],
    points: [[f64; D]; N],
) -> [f64; D] {
    from_fn(|axis| weights.iter().zip(&points).map(|(w, point)| w * point[axis]).sum())
}

/// Constant rate that leads from one value to another in the given time.
pub(crate) fn rate<const D: usize>(from: [f64; D], to: [f64; D], time: f64) -> [f64; D] {
    from_fn(|axis| (to[axis] - from[axis]) / time)
}

/// Straight line that starts at `from` at time `t0` and reaches `to` at `t1`.
pub(crate) fn linear<const D: usize>(
    t0: f64,
    from: [f64; D],
    t1: f64,
    to: [f64; D],
    t: f64,
) -> PlaceAndRate<D> {
    let velocity = rate(from, to, t1 - t0);
    (from_fn(|axis| from[axis] + (t - t0) * velocity[axis]), velocity)
}

/// Cubic Bézier piece of four control points at 0 <= s <= 1, and its derivative with respect to s.
pub(crate) fn bezier<const D: usize>(points: [[f64; D]; 4], s: f64) -> PlaceAndRate<D> {
    let r = 1.0 - s;
    let position = [r * r * r, 3.0 * r * r * s, 3.0 * r * s * s, s * s * s];
    let velocity = [-3.0 * r * r, 3.0 * r * (r - 2.0 * s), 3.0 * s * (2.0 * r - s), 3.0 * s * s];
    (blend(position, points), blend(velocity, points))
}

/// Position of a time among keys.
pub(crate) enum Location {
    /// Outside, nearest to this key. The curve rests there.
    Key(usize),
    /// At or after this key and before the next.
    Behind(usize),
}

/// Finds `t` among `count` keys at the times `time(i)`. The time of the last key counts as outside.
pub(crate) fn find(count: usize, time: impl Fn(usize) -> f64, t: f64) -> Location {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = usize::midpoint(low, high);
        if time(middle) <= t { low = middle + 1 } else { high = middle }
    }
    if low == 0 {
        Location::Key(0)
    } else if low == count {
        Location::Key(count - 1)
    } else {
        Location::Behind(low - 1)
    }
}

/// End of a piece: time, position and velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Knot<const D: usize = 3> {
    pub(crate) t: f64,
    pub(crate) point: [f64; D],
    pub(crate) tangent: [f64; D],
}

/// Cubic Hermite piece between two knots.
pub(crate) fn hermite<const D: usize>(from: Knot<D>, to: Knot<D>, t: f64) -> PlaceAndRate<D> {
    let h = to.t - from.t;
    let s = (t - from.t) / h;
    let points = [from.point, to.point, from.tangent, to.tangent];
    let (bulge, r) = (s * s * (3.0 - 2.0 * s), 1.0 - s);
    let position = blend([1.0 - bulge, bulge, h * s * r * r, -h * s * s * r], points);
    let slope = 6.0 * s * r / h;
    let velocity = blend([-slope, slope, r * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)], points);
    (position, velocity)
}
