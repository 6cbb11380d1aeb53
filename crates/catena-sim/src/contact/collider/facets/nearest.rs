//! The point of a triangle that is nearest to a point (Ericson 2005, "Real-Time Collision
//! Detection", 5.1.5).

use crate::body::vector::{Vec3, along, dot, sub};

/// Part of a triangle that contains the nearest point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FacetPart {
    /// Interior of the triangle.
    Face,
    /// Edge k, from corner k to the next one.
    Edge(usize),
    /// Corner k.
    Corner(usize),
}

/// Fraction of a side by which the interior of a triangle extends beyond its edges and corners. The
/// interiors of neighbours then overlap, so that no path passes between them.
const OVERLAP: f64 = 1e-10;

/// Returns the part of a triangle that is nearest to a point, and the nearest point.
#[inline]
pub(super) fn nearest([a, b, c]: [Vec3; 3], point: Vec3) -> (FacetPart, Vec3) {
    let (ab, ac, ap) = (sub(b, a), sub(c, a), sub(point, a));
    let (d1, d2) = (dot(ab, ap), dot(ac, ap));
    let close = OVERLAP * (dot(ab, ab) + dot(ac, ac));
    if d1 <= 0.0 && d2 <= 0.0 && (-d1).max(-d2) > close {
        return (FacetPart::Corner(0), a);
    }
    let bp = sub(point, b);
    let (d3, d4) = (dot(ab, bp), dot(ac, bp));
    if d3 >= 0.0 && d4 <= d3 && d3.max(d3 - d4) > close {
        return (FacetPart::Corner(1), b);
    }
    let cp = sub(point, c);
    let (d5, d6) = (dot(ab, cp), dot(ac, cp));
    if d6 >= 0.0 && d5 <= d6 && d6.max(d6 - d5) > close {
        return (FacetPart::Corner(2), c);
    }
    let (vc, vb, va) = (d1 * d4 - d3 * d2, d5 * d2 - d1 * d6, d3 * d6 - d5 * d4);
    let minimum = -OVERLAP * (va + vb + vc);
    if vc <= minimum && d1 >= 0.0 && d3 <= 0.0 {
        return (FacetPart::Edge(0), along(a, d1 / (d1 - d3), ab));
    }
    if vb <= minimum && d2 >= 0.0 && d6 <= 0.0 {
        return (FacetPart::Edge(2), along(a, d2 / (d2 - d6), ac));
    }
    if va <= minimum && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let share = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return (FacetPart::Edge(1), along(b, share, sub(c, b)));
    }
    let sum = va + vb + vc;
    if sum <= 0.0 || sum.is_nan() {
        // A triangle without area has corners and edges only.
        return (FacetPart::Corner(0), a);
    }
    (FacetPart::Face, along(along(a, vb / sum, ab), vc / sum, ac))
}
