//! Curves: polylines, such as the ropes of a body.

use catena_sim::vector::{Vec3, sub};
use catena_sim::{Form, Model, State};

/// Maximum number of crossings.
pub const MAX_CROSSINGS: usize = 1_000_000;

/// Polyline in space; a planar one has z = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Corners, in order.
    pub points: Vec<Vec3>,
    /// Whether a segment joins the last point to the first.
    pub is_closed: bool,
}

/// Reason why a topological number of curves cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TopologyError {
    /// A coordinate is infinite or NaN.
    #[error("a coordinate is not a finite number")]
    NotFinite,
    /// A linking number was requested of an open curve.
    #[error("a linking number needs two closed curves")]
    Open,
    /// The direction of a projection has no length.
    #[error("the direction of the projection is zero or not finite")]
    NoDirection,
    /// The projection has more than [`MAX_CROSSINGS`](super::MAX_CROSSINGS) crossings.
    #[error("the projection has more than {} crossings", super::MAX_CROSSINGS)]
    TooManyCrossings,
}

impl Curve {
    /// Creates an open curve, with ends at the first and last point.
    pub fn open(points: &[Vec3]) -> Self {
        Self { points: points.to_vec(), is_closed: false }
    }

    /// Creates a closed curve.
    pub fn closed(points: &[Vec3]) -> Self {
        Self { points: points.to_vec(), is_closed: true }
    }

    /// Number of segments.
    pub fn segments(&self) -> usize {
        let count = self.points.len();
        if self.is_closed && count > 1 { count } else { count.saturating_sub(1) }
    }

    /// Whether two segments share an end.
    pub(super) fn are_neighbours(&self, i: usize, j: usize) -> bool {
        let apart = i.abs_diff(j);
        apart <= 1 || (self.is_closed && apart + 1 == self.segments())
    }
}

/// Ropes of a body as curves, each with the index of its part.
pub fn curves(model: &Model, state: &State) -> Vec<(usize, Curve)> {
    let (n, parts) = (model.nodes(), model.part_list());
    let ropes = parts.iter().enumerate().filter_map(|(index, part)| match part.form {
        Form::Rope { closed } => {
            let points = part.nodes.iter().map(|&node| state.position(n, node)).collect();
            Some((index, Curve { points, is_closed: closed }))
        }
        _ => None,
    });
    ropes.collect()
}

/// Points of curves, translated and scaled into the cube from -1 to 1. This changes no topological
/// number and keeps products in range.
pub(super) fn scaled_points(curves: &[&Curve]) -> Result<Vec<Vec<Vec3>>, TopologyError> {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for point in curves.iter().flat_map(|curve| &curve.points) {
        if !point.iter().all(|value| value.is_finite()) {
            return Err(TopologyError::NotFinite);
        }
        for axis in 0..3 {
            (low[axis], high[axis]) = (low[axis].min(point[axis]), high[axis].max(point[axis]));
        }
    }
    let middle = [0, 1, 2].map(|axis: usize| 0.5 * low[axis] + 0.5 * high[axis]);
    let half = (0..3).map(|axis| 0.5 * high[axis] - 0.5 * low[axis]).fold(0.0, f64::max);
    let half = if half > 0.0 && half.is_finite() { half } else { 1.0 };
    let scaled = |point: &Vec3| sub(*point, middle).map(|value| value / half);
    Ok(curves.iter().map(|curve| curve.points.iter().map(scaled).collect()).collect())
}
