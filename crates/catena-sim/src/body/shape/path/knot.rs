//! Named knots: open ones with straight ends between start and end, and closed ones.
//!
//! An open knot is a uniform cubic B-spline. Its control points come from a polynomial long knot
//! (Shastri 1992, "Polynomial representations of knots"). The points were relaxed under repulsion
//! between strands to increase the distances between them. The minimum distance between strands is
//! 0.08 of the size for the overhand knot and 0.07 for the figure eight. The trefoil is the torus
//! knot (2, 3), with strands 0.3 of its width apart. The closed figure eight is ((2 + cos 2t) cos
//! 3t, (2 + cos 2t) sin 3t, 1.3 sin 4t), with strands 0.19 of its width apart.

use super::toward::{self, TOWARD};
use super::{Geometry, Line, RopeShape};
use crate::body::vector::{Vec3, along, cross, norm, scaled, unit};
use crate::named::{BadOption, Components, Info, OptionInfo, OptionKind};
use serde::Deserialize;
use std::f64::consts::PI;

/// Type of a knot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum KnotName {
    /// The open trefoil, as tied in a rope.
    Overhand,
    /// The open figure eight.
    FigureEight,
    /// The closed overhand knot.
    Trefoil,
    /// The closed figure eight.
    ClosedFigureEight,
}

/// Shape of a rope with a knot.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knot {
    /// Type of the knot.
    pub name: KnotName,
    /// Length of an open knot along the line from start to end; the default is half of the line.
    #[serde(default)]
    pub size: Option<f64>,
    /// Direction in which the knot extends from the line between start and end.
    #[serde(default)]
    pub toward: Option<Components>,
}

const NAME: OptionInfo = OptionInfo {
    name: "name",
    summary: "name of the knot",
    default: OptionInfo::NEEDED,
    range: "Overhand or FigureEight, which are open, or Trefoil or ClosedFigureEight, which are \
            closed; with at least 24 nodes in a scene with three axes",
    kind: OptionKind::Words(&["Overhand", "FigureEight", "Trefoil", "ClosedFigureEight"]),
    ..OptionInfo::PLAIN
};

const SIZE: OptionInfo = OptionInfo {
    name: "size",
    summary: "length along the line from start to end that an open knot occupies",
    default: "half of the distance",
    range: "a number above 0, at most the distance from start to end; a closed knot always reaches from start to end",
    unit: "length",
    ..OptionInfo::PLAIN
};

/// Minimum number of nodes of a knotted rope.
const MIN_NODES: usize = 24;

impl Knot {
    pub(super) const INFO: Info = Info {
        name: "Knot",
        summary: "knot in space, given by its name",
        options: &[NAME, SIZE, TOWARD],
    };

    /// Returns half of the control points of an open knot, and the factors that mirror them to the
    /// other half.
    fn control_points(self) -> Option<(&'static [Vec3], Vec3)> {
        match self.name {
            KnotName::Overhand => Some((&OVERHAND, [-1.0, 1.0, -1.0])),
            KnotName::FigureEight => Some((&FIGURE_EIGHT, [-1.0, -1.0, -1.0])),
            KnotName::Trefoil | KnotName::ClosedFigureEight => None,
        }
    }

    /// Returns the position on a closed knot of width 2, for a parameter from 0 to 1.
    fn closed(self, share: f64) -> Vec3 {
        let t = 2.0 * PI * share;
        let (radius, around, across) = match self.name {
            KnotName::ClosedFigureEight => {
                (2.0 + libm::cos(2.0 * t), 3.0 * t, 1.3 * libm::sin(4.0 * t))
            }
            _ => (2.2 + libm::cos(3.0 * t), 2.0 * t, libm::sin(3.0 * t)),
        };
        let widest = if self.name == KnotName::ClosedFigureEight { 3.0 } else { 3.2 };
        scaled([radius * libm::cos(around), radius * libm::sin(around), across], 1.0 / widest)
    }
}

impl RopeShape for Knot {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        let is_open = self.control_points().is_some();
        SIZE.check(self.size.is_none_or(|size| is_open && size > 0.0 && size <= 1e100))
    }

    fn fits(&self, axes: usize, nodes: usize) -> Result<(), BadOption> {
        NAME.check(axes == 3 && nodes >= MIN_NODES)?;
        toward::check(self.toward.as_ref(), axes)
    }

    fn line(&self, ends: [Vec3; 2]) -> Result<Line, String> {
        let (offset, side) = toward::frame(ends, self.toward.as_ref())?;
        let (ahead, length) = (unit(offset), norm(offset));
        let middle = along(ends[0], 0.5, offset);
        let other = cross(ahead, side);
        let placed =
            move |[x, y, z]: Vec3| along(along(along(middle, x, ahead), y, side), z, other);
        let Some((half, mirror)) = self.control_points() else {
            let (knot, radius) = (*self, 0.5 * length);
            let map = move |share: f64| {
                let [x, y, z] = knot.closed(share);
                placed(scaled([-x, y, z], radius))
            };
            return Ok(Line { geometry: Geometry::Smooth(Box::new(map)), is_closed: true });
        };
        let size = self.size.unwrap_or(0.5 * length);
        if size > length {
            return Err(format!(
                "its size {size} is more than the distance from start to end, {length}"
            ));
        }
        let (end, leg) = (0.5 * length, 0.5 * (length - size));
        let points = controls(half, mirror, size, end, leg);
        let pieces = points.len() - 3;
        Ok(Line::open(Geometry::Smooth(Box::new(move |share| {
            let at = share * pieces as f64;
            let index = (at as usize).min(pieces - 1);
            placed(spline(&points[index..index + 4], at - index as f64))
        }))))
    }
}

/// Returns all control points: the knot of this size in the middle and a straight leg on either
/// side. `leg` is the length of a leg and `end` the distance of its outer end from the middle.
fn controls(half: &[Vec3], mirror: Vec3, size: f64, end: f64, leg: f64) -> Vec<Vec3> {
    // Pieces of a leg are about as long as the pieces of the knot. Points beyond the ends at equal
    // intervals make the spline end at the ends of the rope.
    let steps = ((leg / (0.07 * size)) as usize).clamp(1, 10_000);
    let step = leg / steps as f64;
    let legs = (0..=steps + 1).map(|i| [step * i as f64 - step - end, 0.0, 0.0]);
    let knot = half.iter().map(|point| scaled(*point, size));
    // The knot starts at the end of the leg.
    let first: Vec<Vec3> = legs.take(steps + 1).chain(knot).collect();
    let other = first[..first.len() - 1].iter().rev();
    let other = other.map(|point| [0, 1, 2].map(|axis| mirror[axis] * point[axis]));
    first.iter().copied().chain(other).collect()
}

/// A piece of a uniform cubic B-spline of four control points.
fn spline(points: &[Vec3], u: f64) -> Vec3 {
    let v = 1.0 - u;
    let weights = [
        v * v * v / 6.0,
        (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0,
        (3.0 * v * v * v - 6.0 * v * v + 4.0) / 6.0,
        u * u * u / 6.0,
    ];
    let sum = |sum: Vec3, (weight, point): (&f64, &Vec3)| along(sum, *weight, *point);
    weights.iter().zip(points).fold([0.0; 3], sum)
}

/// First half of the overhand knot of size 1 about the origin; the middle is last.
const OVERHAND: [Vec3; 17] = [
    [-0.5, 0.0, 0.0],
    [-0.4265, 0.0082, -0.023],
    [-0.3589, 0.0188, -0.0596],
    [-0.2926, 0.0251, -0.0996],
    [-0.2234, 0.02, -0.1339],
    [-0.1523, -0.004, -0.1503],
    [-0.0925, -0.0486, -0.1349],
    [-0.0613, -0.101, -0.0887],
    [-0.0523, -0.1501, -0.0294],
    [-0.0386, -0.1951, 0.0321],
    [0.0032, -0.2273, 0.0874],
    [0.0724, -0.2271, 0.1187],
    [0.1354, -0.1856, 0.111],
    [0.1583, -0.1219, 0.0768],
    [0.1334, -0.0603, 0.0398],
    [0.0742, -0.0186, 0.0149],
    [0.0, -0.0044, 0.0],
];

/// First half of the figure eight of size 1 about the origin; the middle is last.
const FIGURE_EIGHT: [Vec3; 21] = [
    [-0.5, 0.0, 0.0],
    [-0.4344, -0.0342, -0.0245],
    [-0.3849, -0.0822, -0.0628],
    [-0.3394, -0.1289, -0.1071],
    [-0.285, -0.1645, -0.1512],
    [-0.2144, -0.176, -0.1818],
    [-0.1419, -0.1511, -0.1769],
    [-0.1029, -0.1, -0.1335],
    [-0.1002, -0.0434, -0.0791],
    [-0.1064, 0.0196, -0.0323],
    [-0.0969, 0.0893, 0.0021],
    [-0.0594, 0.1537, 0.0248],
    [0.0048, 0.1949, 0.0393],
    [0.0814, 0.2001, 0.0515],
    [0.1499, 0.1681, 0.0688],
    [0.1917, 0.1091, 0.0966],
    [0.1928, 0.0391, 0.1289],
    [0.1487, -0.0212, 0.1442],
    [0.0808, -0.0462, 0.1209],
    [0.0289, -0.032, 0.0657],
    [0.0, 0.0, 0.0],
];
