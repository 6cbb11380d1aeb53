//! Interval of values that the data accept, computed from the sum of squares itself.
//!
//! The linear interval depends only on the slopes at the best value. If the motion depends strongly
//! on the value, the sum of squares has many local minima. Then distant values may fit equally
//! well, or even better. A search by exclusion finds them. The search divides a range of values
//! into segments. A segment is excluded as soon as the beginning of the data exceeds the sum of
//! squares that is allowed for all data. This is valid since the sum only grows with more data. The
//! remaining segments are compared with increasing parts of the data, and divided if their
//! residuals are nonlinear. Bates and Watts, "Nonlinear Regression Analysis", chapter 6, describe
//! such profiles, and Jaulin et al., "Applied Interval Analysis", chapter 6, exclusion.

use super::scan::REACH;
use super::{Parameter, Residuals};

/// Initial number of segments on each side of the best value.
const SEGMENTS: usize = 12;
/// Maximum number of remaining segments.
const MAX_SEGMENTS: usize = 192;
/// Bend of a segment above which it is divided, relative to the square root of the allowed sum of
/// squares.
const BENT: f64 = 0.1;
/// Bend of a segment with all data above which it is divided, relative to the square root of the
/// allowed excess.
const BENT_AT_LAST: f64 = 0.5;
/// Error of the parabola of a segment, as a share of its bend.
const DOUBT: f64 = 0.5;
/// Number of points at which the sum of squares along a segment is evaluated.
const POINTS: usize = 32;
/// Number of standard deviations by which the sum of squares of the remaining data may fall below
/// its mean.
const DEVIATIONS: f64 = 4.0;
/// Width of a segment, relative to its value, below which it is not divided.
const NARROWEST: f64 = 1e-14;
/// Minimum improvement of the sum of squares for another value to count as better, in variances of
/// a residual.
const BETTER: f64 = 0.02;

/// Sum of squares up to which values are accepted.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    /// Smallest sum of squares so far.
    pub minimum: f64,
    /// Variance of a residual.
    pub variance: f64,
    /// Accepted excess over the smallest sum of squares, in variances of a residual.
    pub excess: f64,
    /// Number of data that depend on the value.
    pub numbers: usize,
}

/// Values that the data accept.
#[derive(Clone, Debug, PartialEq)]
pub struct Accepted {
    /// Lowest and highest accepted value.
    pub ends: [f64; 2],
    /// Number of separate intervals of accepted values between the ends.
    pub stretches: usize,
    /// Value with a sum of squares below `enough`; `None` if there is none.
    pub better: Option<f64>,
    /// Sum of squares below which another value is better.
    pub enough: f64,
    /// Whether the whole range was searched.
    pub is_whole: bool,
}

/// Finds the values that the data accept, between half and twice the best value. `step` is called
/// after each part of the data. Returns `None` if `step` returns false, or if the best value is 0,
/// which has no scale. Takes at most about the time of `max_runs` runs with all data. The field
/// `is_whole` of the result is `true` if this sufficed.
pub fn accepted(
    model: &dyn Residuals,
    parameter: &Parameter,
    allowed: Allowed,
    max_runs: f64,
    step: &dyn Fn() -> bool,
) -> Option<Accepted> {
    let mut search = AcceptedSearch { model, allowed, runs: 0.0, max_runs, is_whole: true };
    let mut all = search.begin(parameter)?;
    let last = model.parts() - 1;
    for part in 0..=last {
        all = search.sharpened(all, part);
        if !step() {
            return None;
        }
    }
    search.evaluated(&all)
}

/// A value and its residuals; `None` if the model has no result there.
type AcceptedNode = (f64, Option<Vec<f64>>);

/// Residuals at both ends and in the middle of a range of values.
#[derive(Clone)]
struct Segment {
    nodes: [AcceptedNode; 3],
    /// Minimum bend of the segment: a quarter of the bend of the segment that it was divided from.
    /// Its own middle may be on the line between its ends by chance.
    least_bend: f64,
}

/// Coefficients of the sum of squares as a polynomial in the position along a segment, from 0 to 1.
type Quartic = [f64; 5];

impl Segment {
    /// Sum of squares along a parabola of residuals. `None` if the model has no result at a node of
    /// the segment.
    fn quartic(&self) -> Option<Quartic> {
        let [(_, a), (_, middle), (_, b)] = &self.nodes;
        let (a, middle, b) = (a.as_ref()?, middle.as_ref()?, b.as_ref()?);
        let mut all = [0.0; 5];
        for ((a, middle), b) in a.iter().zip(middle).zip(b) {
            let bent = 2.0 * (a - 2.0 * middle + b);
            let slope = b - a - bent;
            all[0] += a * a;
            all[1] += 2.0 * a * slope;
            all[2] += slope * slope + 2.0 * a * bent;
            all[3] += 2.0 * slope * bent;
            all[4] += bent * bent;
        }
        Some(all)
    }

    /// Minimum of the sum of squares along the segment.
    fn minimum(&self) -> Option<f64> {
        let quartic = self.quartic()?;
        let all = (0..=POINTS).map(|point| along(&quartic, point as f64 / POINTS as f64));
        Some(all.fold(f64::INFINITY, f64::min))
    }

    /// Bend: the distance of the residuals at the middle from the line between the ends.
    fn bend(&self) -> Option<f64> {
        let [(_, a), (_, middle), (_, b)] = &self.nodes;
        let triples = a.as_ref()?.iter().zip(middle.as_ref()?).zip(b.as_ref()?);
        let bends = triples.map(|((a, middle), b)| middle - 0.5 * (a + b));
        Some(bends.map(|bend| bend * bend).sum::<f64>().sqrt().max(self.least_bend))
    }

    fn has_no_value(&self) -> bool {
        self.nodes.iter().all(|(_, residuals)| residuals.is_none())
    }

    /// Whether the segment is wide enough to be divided.
    fn is_divisible(&self) -> bool {
        let [low, middle, high] = [0, 1, 2].map(|index| self.nodes[index].0);
        high - low > NARROWEST * middle.abs()
    }

    /// Both halves, whose middles have no residuals yet.
    fn halves(self) -> [Self; 2] {
        let least_bend = 0.25 * self.bend().unwrap_or(self.least_bend);
        let [a, middle, b] = self.nodes;
        let between = |a: &AcceptedNode, b: &AcceptedNode| (0.5 * (a.0 + b.0), None);
        let (low, high) = (between(&a, &middle), between(&middle, &b));
        let half = |nodes: [AcceptedNode; 3]| Self { nodes, least_bend };
        [half([a, low, middle.clone()]), half([middle, high, b])]
    }
}

/// Sum of squares at a position along a segment, from 0 to 1.
fn along(quartic: &Quartic, share: f64) -> f64 {
    quartic.iter().rev().fold(0.0, |sum, coefficient| sum * share + coefficient).max(0.0)
}

/// State of a search by exclusion.
struct AcceptedSearch<'a> {
    model: &'a dyn Residuals,
    allowed: Allowed,
    /// Work up to this point, in runs with all data.
    runs: f64,
    max_runs: f64,
    is_whole: bool,
}

impl AcceptedSearch<'_> {
    /// Divides the range on both sides of the best value.
    fn begin(&self, parameter: &Parameter) -> Option<Vec<Segment>> {
        let best = parameter.start;
        if best == 0.0 || !best.is_finite() {
            return None;
        }
        let growth = libm::exp(libm::log(REACH) / SEGMENTS as f64);
        let mut values = vec![best];
        let (mut up, mut down) = (best, best);
        for _ in 0..SEGMENTS {
            up *= growth;
            down /= growth;
            values.extend([up, down].into_iter().filter(|it| parameter.bounds.contains(*it)));
        }
        values.sort_by(f64::total_cmp);
        let segment = |pair: &[f64]| Segment {
            nodes: [pair[0], 0.5 * (pair[0] + pair[1]), pair[1]].map(|value| (value, None)),
            least_bend: 0.0,
        };
        Some(values.windows(2).map(segment).collect())
    }

    /// Maximum sum of squares over a part of the data at which a value is not excluded. The
    /// remaining data are expected to add about one variance per number.
    fn maximum(&self, part: usize) -> f64 {
        let Allowed { minimum, variance, excess, numbers } = self.allowed;
        let rest = numbers as f64 * (1.0 - self.model.share(part));
        let of_rest = (rest - DEVIATIONS * f64::sqrt(2.0 * rest)).max(0.0);
        minimum + (excess - of_rest) * variance
    }

    /// Computes the missing residuals of segments.
    fn fill(&mut self, segments: &mut [Segment], part: usize) {
        let missing = segments.iter().flat_map(|it| &it.nodes).filter(|it| it.1.is_none());
        let mut values: Vec<f64> = missing.map(|it| it.0).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let points: Vec<Vec<f64>> = values.iter().map(|value| vec![*value]).collect();
        self.runs += self.model.share(part) * points.len() as f64;
        let mut found = self.model.at(&points, part);
        for residuals in &mut found {
            let is_finite = |all: &Vec<f64>| all.iter().all(|it| it.is_finite());
            *residuals = residuals.take().filter(is_finite);
        }
        for node in segments.iter_mut().flat_map(|it| &mut it.nodes).filter(|it| it.1.is_none()) {
            let index = values.binary_search_by(|value| value.total_cmp(&node.0));
            node.1 = index.ok().and_then(|index| found.get(index)?.clone());
        }
    }

    /// Excludes the segments that a part of the data does not accept, and divides those with a
    /// large bend.
    fn sharpened(&mut self, mut open: Vec<Segment>, part: usize) -> Vec<Segment> {
        for node in open.iter_mut().flat_map(|it| &mut it.nodes) {
            node.1 = None;
        }
        let maximum = self.maximum(part).sqrt();
        let is_last = part + 1 == self.model.parts();
        let own = f64::sqrt(self.allowed.excess * self.allowed.variance);
        let straight =
            if is_last { (BENT_AT_LAST * own).min(BENT * maximum) } else { BENT * maximum };
        let mut done = Vec::new();
        while !open.is_empty() {
            self.fill(&mut open, part);
            let mut next = Vec::new();
            for segment in open {
                let bend = segment.bend().unwrap_or(f64::INFINITY);
                let minimum = segment.minimum().map_or(0.0, f64::sqrt);
                if segment.has_no_value() || (bend.is_finite() && minimum > maximum + DOUBT * bend)
                {
                    continue;
                }
                self.is_whole &= self.runs <= self.max_runs;
                if bend <= straight || !segment.is_divisible() || self.runs > self.max_runs {
                    done.push(segment);
                } else {
                    next.extend(segment.halves());
                }
            }
            open = next;
        }
        if done.len() > MAX_SEGMENTS {
            self.is_whole = false;
            let minimum = |it: &Segment| it.minimum().unwrap_or(f64::INFINITY);
            done.sort_by(|a, b| minimum(a).total_cmp(&minimum(b)));
            done.truncate(MAX_SEGMENTS);
        }
        done.sort_by(|a, b| a.nodes[0].0.total_cmp(&b.nodes[0].0));
        done
    }

    /// Returns the ends of the accepted values, and the best value among them.
    fn evaluated(&self, segments: &[Segment]) -> Option<Accepted> {
        let Allowed { minimum, variance, excess, .. } = self.allowed;
        let maximum = minimum + excess * variance;
        let mut stretches: Vec<[f64; 2]> = Vec::new();
        let enough = minimum - BETTER * variance;
        let mut best = (enough, None);
        for segment in segments {
            let Some(quartic) = segment.quartic() else { continue };
            let [low, high] = [segment.nodes[0].0, segment.nodes[2].0];
            let at = |share: f64| low + share * (high - low);
            let mut before = (0.0, along(&quartic, 0.0));
            for point in 0..=POINTS {
                let share = point as f64 / POINTS as f64;
                let sum = along(&quartic, share);
                if sum < best.0 {
                    best = (sum, Some(at(share)));
                }
                let crossing =
                    || at(before.0 + (share - before.0) * (maximum - before.1) / (sum - before.1));
                let own = match [before.1 <= maximum, sum <= maximum] {
                    [true, true] => Some([at(before.0), at(share)]),
                    [true, false] => Some([at(before.0), crossing()]),
                    [false, true] => Some([crossing(), at(share)]),
                    [false, false] => None,
                };
                before = (share, sum);
                let Some(own) = own else { continue };
                match stretches.last_mut().filter(|last| last[1] >= own[0]) {
                    Some(last) => last[1] = last[1].max(own[1]),
                    None => stretches.push(own),
                }
            }
        }
        let ends = [stretches.first()?[0], stretches.last()?[1]];
        let (stretches, better) = (stretches.len(), best.1);
        Some(Accepted { ends, stretches, better, enough, is_whole: self.is_whole })
    }
}
