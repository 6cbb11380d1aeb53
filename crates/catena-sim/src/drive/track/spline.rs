//! B-splines of any degree p over any knots u: v(t) = Σ N_{i,p}(t) P_i, by de Boor's recursion.
//!
//! Let k be such that u_k <= t < u_{k+1}. Rounds r = 1 … p compute d_j = (1 - a) d_{j-1} + a d_j
//! with a = (t - u_j)/(u_{j+p-r+1} - u_j). The derivative is p (d_k - d_{k-1})/(u_{k+1} - u_k),
//! with the d of the second to last round. Source: de Boor, "A Practical Guide to Splines", X;
//! Piegl and Tiller, "The NURBS Book", 2 and 3.

use super::{Extent, Extremes, Track};
use crate::body::curve::spans::PlaceAndRate;
use crate::named::BadOption;
use std::array::from_fn;

/// Maximum degree p. A value depends on p + 1 points.
const HIGHEST_DEGREE: usize = 15;

/// A B-spline with n points and degree p. Its range is from knot p to knot n, and it is constant
/// outside.
#[derive(Clone, Debug, PartialEq)]
pub struct SplineTrack<const D: usize> {
    degree: usize,
    knots: Vec<f64>,
    points: Vec<[f64; D]>,
}
crate::identity!([const D: usize] SplineTrack[D] { degree, knots, points });

impl<const D: usize> SplineTrack<D> {
    /// Creates a spline from knots, which are times in ascending order. n points of degree p need n
    /// + p + 1 knots.
    ///
    /// # Errors
    /// Returns an error if the degree is not from 1 to 15, or if there are fewer than p + 1 points.
    /// The number of knots must match, knots must not decrease, and knot p must be before knot n.
    /// All numbers must be finite.
    pub fn new(degree: usize, knots: Vec<f64>, points: Vec<[f64; D]>) -> Result<Self, BadOption> {
        let is_fine = (1..=HIGHEST_DEGREE).contains(&degree);
        BadOption::unless(is_fine, "degree", "a whole number from 1 to 15")?;
        let is_fine = points.len() > degree && points.iter().flatten().all(|x| x.is_finite());
        let expected = format!("at least {} points of finite numbers", degree + 1);
        BadOption::unless(is_fine, "points", expected)?;
        let count = points.len() + degree + 1;
        let expected = format!("{count} knots: number of points + degree + 1");
        BadOption::unless(knots.len() == count, "knots", expected)?;
        let rise = knots.windows(2).all(|pair| pair[0] <= pair[1]);
        let are_fine = rise && knots.iter().all(|knot| knot.is_finite());
        BadOption::unless(are_fine, "knots", "finite times in non-decreasing order")?;
        let has_span = knots[degree] < knots[points.len()];
        let expected = format!("knots[{degree}] below knots[{}]", points.len());
        BadOption::unless(has_span, "knots", expected)?;
        Ok(Self { degree, knots, points })
    }

    /// Creates a spline from its first point to its last. `start` and `end` are knots p + 1 times
    /// each, and the other knots are evenly spaced.
    ///
    /// # Errors
    /// Returns the errors of [`SplineTrack::new`].
    pub fn clamped(
        degree: usize,
        start: f64,
        end: f64,
        points: Vec<[f64; D]>,
    ) -> Result<Self, BadOption> {
        let last = points.len();
        Self::even(degree, start, end, points, |i| i.clamp(degree, last))
    }

    /// Creates a spline over evenly spaced knots that include `start` and `end`. The spline begins
    /// near its first points and ends near its last.
    ///
    /// # Errors
    /// Returns the errors of [`SplineTrack::new`].
    pub fn uniform(
        degree: usize,
        span: (f64, f64),
        points: Vec<[f64; D]>,
    ) -> Result<Self, BadOption> {
        Self::even(degree, span.0, span.1, points, |i| i)
    }

    /// Creates a spline over evenly spaced knots. `which` maps each knot to one of them.
    fn even(
        degree: usize,
        start: f64,
        end: f64,
        points: Vec<[f64; D]>,
        which: impl Fn(usize) -> usize,
    ) -> Result<Self, BadOption> {
        let is_fine = degree >= 1 && points.len() > degree;
        BadOption::unless(is_fine, "points", "more points than the degree")?;
        let pieces = (points.len() - degree) as f64;
        let knot = |i: usize| match which(i) {
            i if i == degree => start,
            i if i == points.len() => end,
            i => start + (end - start) * (i as f64 - degree as f64) / pieces,
        };
        let knots = (0..points.len() + degree + 1).map(knot).collect();
        Self::new(degree, knots, points)
    }

    /// Returns the Bernstein coefficients of a component in the span from knot k to k + 1.
    /// Coefficient c is the blossom with c arguments at the second knot and the others at the
    /// first.
    fn coefficients(&self, k: usize, axis: usize) -> Vec<f64> {
        let (p, low, high) = (self.degree, self.knots[k], self.knots[k + 1]);
        let coefficient = |count: usize| {
            let mut d: Vec<f64> = self.points[k - p..=k].iter().map(|point| point[axis]).collect();
            for round in 1..=p {
                let t = if round <= count { high } else { low };
                for j in (round..=p).rev() {
                    let (from, until) = (self.knots[k - p + j], self.knots[k + 1 + j - round]);
                    let a = (t - from) / (until - from);
                    d[j] = (1.0 - a) * d[j - 1] + a * d[j];
                }
            }
            d[p]
        };
        (0..=p).map(coefficient).collect()
    }

    /// Returns the value and the rate at a time in the span from knot k to k + 1, which must not be
    /// empty.
    fn within(&self, k: usize, t: f64) -> PlaceAndRate<D> {
        let p = self.degree;
        let mut d = [[0.0; D]; HIGHEST_DEGREE + 1];
        d[..=p].copy_from_slice(&self.points[k - p..=k]);
        for round in 1..p {
            for j in (round..=p).rev() {
                let (low, high) = (self.knots[k - p + j], self.knots[k + 1 + j - round]);
                let a = (t - low) / (high - low);
                d[j] = from_fn(|axis| (1.0 - a) * d[j - 1][axis] + a * d[j][axis]);
            }
        }
        let (low, high, [from, to]) = (self.knots[k], self.knots[k + 1], [d[p - 1], d[p]]);
        let a = (t - low) / (high - low);
        let slope = p as f64 / (high - low);
        let value = from_fn(|axis| (1.0 - a) * from[axis] + a * to[axis]);
        (value, from_fn(|axis| slope * (to[axis] - from[axis])))
    }
}

impl<const D: usize> Track<D> for SplineTrack<D> {
    fn at(&self, t: f64) -> PlaceAndRate<D> {
        let (first, last) = (self.degree, self.points.len());
        let (start, end) = (self.knots[first], self.knots[last]);
        let inner = t.clamp(start, end);
        let is_behind = |knot: &f64| *knot <= inner && *knot < end;
        let above = self.knots[first..last].partition_point(is_behind).max(1);
        let (value, rate) = self.within(first + above - 1, inner);
        let is_outside = t < start || t >= end;
        (value, if is_outside { [0.0; D] } else { rate })
    }

    fn extent(&self) -> Extent {
        Extent::Bounded(self.knots[self.degree], self.knots[self.points.len()])
    }

    fn vanishes(&self, component: usize) -> bool {
        self.points.iter().all(|point| point.get(component) == Some(&0.0))
    }

    fn extremes(&self) -> Option<[Extremes; D]> {
        let of_span = |k: usize| {
            let (from, until) = (self.knots[k], self.knots[k + 1]);
            let time = |s: f64| from + (until - from) * s;
            from_fn(|axis| Extremes::of_piece(&self.coefficients(k, axis), time))
        };
        let spans = self.degree..self.points.len();
        let spans = spans.filter(|&k| self.knots[k] < self.knots[k + 1]).map(of_span);
        spans.reduce(|all, next| from_fn(|axis| all[axis].with(next[axis])))
    }
}
