//! Clusters of nodes that move together, and a proof that most clusters stay apart.
//!
//! A new proof gives each pair of nearby clusters its own clearance, the distance between their
//! parts. All other pairs share one clearance. Each step only computes the displacement of each
//! cluster since the proof, as an interval per axis. The relative motion of a pair must stay within
//! its clearance at both ends of a step. This suffices for the whole step, because the set of
//! allowed motions is convex and paths are straight. Only relative motion matters, so bodies may
//! fall, fly and swing. Pairs with little clearance are listed by the [`Measure`] and checked in
//! each step.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

mod groups;

use crate::body::Model;
use crate::body::vector::norm;
use crate::instructions::Instructions;
pub(super) use groups::{Size, groups};
use pulp::NullaryFnOnce;

/// Maximum number of nodes per cluster.
pub(super) const LARGEST: usize = 16;

/// Lanes of the loop over the remainder of a run.
const HALF: usize = LANES / 2;

/// Number of steps that the clearance of a near pair should last at the pair's current speed.
const NEAR_STEPS: f64 = 8.0;
/// Number of steps that the shared clearance of all other pairs should last at the current maximum
/// speed.
const FAR_STEPS: f64 = 16.0;

/// Maximum number of near pairs per cluster. In denser heaps, the whole body is searched instead.
const CROWD: usize = 40;

/// Relative safety margin of distances, because the computed time of a hit loses half of the
/// digits.
pub(super) const BLUR: f64 = 1e-6;

/// Lanes of a running minimum.
const LANES: usize = 8;

/// Distance measure between two clusters.
pub(super) trait Measure {
    /// Returns the minimum distance between parts of two clusters, minus their contact distance.
    /// Both clusters may be the same one. Parts closer than `skin` are listed and do not count for
    /// the minimum. Positions come from `clusters`.
    fn room(&mut self, clusters: &ClusterLayout, pair: (usize, usize), skin: f64) -> f64;

    /// Returns the maximum relative motion that a clearance of `free` allows.
    fn usable(&self, free: f64) -> f64 {
        free
    }
}

/// Nodes of each cluster and their positions.
#[derive(Default)]
pub(super) struct ClusterLayout {
    /// Nodes of all clusters, concatenated.
    pub(super) nodes: Vec<usize>,
    /// Start index of each cluster in `nodes`.
    pub(super) first: Vec<usize>,
    /// Positions per axis, in the order of `nodes`.
    pub(super) at: [Vec<f64>; 3],
    /// Runs of consecutive nodes, as first node and count.
    runs: Vec<(usize, usize)>,
    /// Start index of each cluster in `runs`.
    first_run: Vec<usize>,
    axes: usize,
    /// Number of nodes of the body.
    body: usize,
}

/// A pair of near clusters, with their maximum relative displacement along an axis.
#[derive(Clone, Copy)]
struct Near {
    a: usize,
    b: usize,
    room: f64,
}

/// An interval per axis.
#[derive(Clone, Copy)]
struct ClusterSpan {
    low: [f64; 3],
    high: [f64; 3],
}

const NOTHING: ClusterSpan = ClusterSpan { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

/// All clusters of a body.
pub(super) struct Clusters {
    pub(super) layout: ClusterLayout,
    /// Positions at the time of the proof, flat by axis; empty if there is no proof.
    centre: Vec<f64>,
    near: Vec<Near>,
    /// Maximum relative displacement of any two clusters along an axis.
    room: f64,
    /// Maximum displacement of a cluster, which limits the rounding errors.
    drift: f64,
    rounding: f64,
    moved: Vec<ClusterSpan>,
    boxes: Vec<ClusterSpan>,
    order: Vec<usize>,
}

impl Clusters {
    /// Creates one cluster per group of nodes. A node may be in several groups.
    pub(super) fn new(groups: &[Vec<usize>], model: &Model) -> Self {
        let mut layout =
            ClusterLayout { axes: model.axes, body: model.nodes(), ..ClusterLayout::default() };
        for group in groups {
            layout.first.push(layout.nodes.len());
            layout.first_run.push(layout.runs.len());
            for &node in group {
                let is_first = layout.runs.len() == *layout.first_run.last().unwrap_or(&0);
                match layout.runs.last_mut() {
                    Some((first, count)) if !is_first && *first + *count == node => *count += 1,
                    _ => layout.runs.push((node, 1)),
                }
            }
            layout.nodes.extend(group);
        }
        layout.first.push(layout.nodes.len());
        layout.first_run.push(layout.runs.len());
        let spans = vec![NOTHING; groups.len()];
        Self {
            layout,
            centre: Vec::new(),
            near: Vec::new(),
            room: 0.0,
            drift: 0.0,
            rounding: 0.0,
            moved: spans.clone(),
            boxes: spans,
            order: (0..groups.len()).collect(),
        }
    }

    /// Removes the proof.
    pub(super) fn forget(&mut self) {
        self.centre.clear();
    }

    /// Updates the motion of the clusters to positions `x`. Returns whether the proof still holds,
    /// so that no unlisted parts come close. The proof must have held at the start of the step.
    pub(super) fn hold(&mut self, x: &[f64]) -> bool {
        if self.centre.is_empty() {
            return false;
        }
        self.layout.spans(x, &self.centre, &mut self.moved);
        self.is_proof()
    }

    /// Lowers `reach` to each node's allowed displacement along an axis. The proof holds while
    /// every node stays within its reach.
    pub(super) fn limit(&self, reach: &mut [f64]) {
        let mut lower = |cluster: usize, room: f64| {
            for &node in &self.layout.nodes[self.layout.range(cluster)] {
                reach[node] = reach[node].min(0.5 * room);
            }
        };
        for Near { a, b, room } in &self.near {
            lower(*a, *room);
            lower(*b, *room);
        }
        (0..self.moved.len()).for_each(|cluster| lower(cluster, self.room.min(self.drift)));
    }

    /// Whether the relative motion of all clusters is within their clearances.
    fn is_proof(&self) -> bool {
        let (moved, axes) = (&self.moved, self.layout.axes);
        let mut holds = true;
        for Near { a, b, room } in &self.near {
            let (a, b) = (&moved[*a], &moved[*b]);
            for axis in 0..axes {
                holds &= a.high[axis] - b.low[axis] <= *room;
                holds &= b.high[axis] - a.low[axis] <= *room;
            }
        }
        let all = together(moved);
        for axis in 0..axes {
            holds &= all.high[axis] - all.low[axis] <= self.room;
            holds &= all.high[axis] <= self.drift && -all.low[axis] <= self.drift;
        }
        holds
    }

    /// Creates a proof for a step from `start` to `end`, for parts that touch at a distance of at
    /// most `thickness`. Returns `false` if the motion is too large for a proof.
    pub(super) fn prove(
        &mut self,
        start: &[f64],
        end: &[f64],
        thickness: f64,
        measure: &mut impl Measure,
    ) -> bool {
        self.centre.clear();
        self.layout.copy_positions(start);
        self.layout.spans(end, start, &mut self.moved);
        let root = (self.layout.axes as f64).sqrt();
        let all = together(&self.moved);
        let step = (0..self.layout.axes).map(|axis| all.high[axis] - all.low[axis]);
        let step = step.fold(0.0, f64::max);
        let extent = self.fit() + norm(sides(&together(&self.boxes)));
        (self.drift, self.rounding) = (16.0 * extent, 256.0 * f64::EPSILON * extent);
        let rounding = self.rounding;
        let size = self.boxes.iter().map(|it| norm(sides(it))).sum::<f64>();
        let size = size / self.boxes.len().max(1) as f64;
        let minimum = thickness + 1.1 * root * step + 2.0 * rounding;
        // Without `clamp`, because it panics on NaN, and sizes are NaN after an overflow.
        let wanted = thickness + (FAR_STEPS * root * step).max(0.5 * size).min(6.0 * size);
        let found = [minimum.max(wanted), minimum].into_iter().find(|far| self.find_near(*far));
        let Some(far) = found else { return false };
        self.room = measure.usable((far - thickness) * (1.0 - BLUR) - rounding) / root;
        let mut near = std::mem::take(&mut self.near);
        for Near { a, b, room } in &mut near {
            let step = self.step(*a, *b);
            let (minimum, wanted) = (1.1 * root * step, NEAR_STEPS * root * step);
            let apart = gap(&self.boxes[*a], &self.boxes[*b]) * (1.0 - BLUR) - thickness - rounding;
            let free = match *a != *b && apart >= wanted.max(0.1 * thickness) {
                true => apart,
                false => {
                    let skin = wanted.max(0.1 * thickness).min(thickness).max(minimum);
                    measure.room(&self.layout, (*a, *b), skin + 2.0 * rounding) - rounding
                }
            };
            *room = measure.usable(free) / root;
        }
        self.near = near;
        if !self.is_proof() {
            return false;
        }
        self.centre.extend_from_slice(start);
        true
    }

    /// Fits boxes to all clusters. Returns the maximum absolute coordinate.
    fn fit(&mut self) -> f64 {
        let ClusterLayout { first, at, axes, .. } = &self.layout;
        let mut greatest = 0.0_f64;
        for (index, span) in self.boxes.iter_mut().enumerate() {
            *span = ClusterSpan { low: [0.0; 3], high: [0.0; 3] };
            for (axis, at) in at.iter().enumerate().take(*axes) {
                let values = &at[first[index]..first[index + 1]];
                span.low[axis] = values.iter().copied().fold(f64::INFINITY, f64::min);
                span.high[axis] = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                greatest = greatest.max(span.low[axis].abs()).max(span.high[axis].abs());
            }
        }
        greatest
    }

    /// Returns the maximum relative displacement of two clusters along an axis in the step.
    fn step(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (&self.moved[a], &self.moved[b]);
        let along = |axis: usize| (a.high[axis] - b.low[axis]).max(b.high[axis] - a.low[axis]);
        (0..self.layout.axes).map(along).fold(0.0, f64::max)
    }

    /// Lists all pairs of clusters within distance `far`, including each cluster with itself.
    /// Returns `false` if there are too many.
    fn find_near(&mut self, far: f64) -> bool {
        self.near.clear();
        if !far.is_finite() {
            return false;
        }
        let all = together(&self.boxes);
        let long = sides(&all);
        let axis = (1..3).fold(0, |best, axis| if long[axis] > long[best] { axis } else { best });
        let boxes = &self.boxes;
        self.order.sort_unstable_by(|a, b| {
            boxes[*a].low[axis].total_cmp(&boxes[*b].low[axis]).then(a.cmp(b))
        });
        for (place, &a) in self.order.iter().enumerate() {
            self.near.push(Near { a, b: a, room: 0.0 });
            let rest = self.order[place + 1..].iter();
            for &b in rest.take_while(|b| boxes[**b].low[axis] <= boxes[a].high[axis] + far) {
                if gap(&boxes[a], &boxes[b]) <= far {
                    self.near.push(Near { a: a.min(b), b: a.max(b), room: 0.0 });
                }
            }
            if self.near.len() > CROWD * (place + 8) {
                return false;
            }
        }
        true
    }
}

impl ClusterLayout {
    /// Returns the index range of a cluster in `nodes`.
    pub(super) fn range(&self, cluster: usize) -> std::ops::Range<usize> {
        self.first[cluster]..self.first[cluster + 1]
    }

    /// Copies the positions of all clustered nodes.
    fn copy_positions(&mut self, x: &[f64]) {
        for axis in 0..self.axes {
            let of_axis = &x[axis * self.body..][..self.body];
            self.at[axis].clear();
            self.at[axis].extend(self.nodes.iter().map(|&node| of_axis[node]));
        }
    }

    /// Computes the displacement interval of each cluster between two positions.
    fn spans(&self, x: &[f64], from: &[f64], moved: &mut [ClusterSpan]) {
        match self.axes {
            2 => Instructions::best().run(Spans::<2> { layout: self, x, from, moved }),
            _ => Instructions::best().run(Spans::<3> { layout: self, x, from, moved }),
        }
    }
}

struct Spans<'a, const A: usize> {
    layout: &'a ClusterLayout,
    x: &'a [f64],
    from: &'a [f64],
    moved: &'a mut [ClusterSpan],
}

impl<const A: usize> NullaryFnOnce for Spans<'_, A> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { layout: ClusterLayout { runs, first_run, body, .. }, x, from, moved } = self;
        for (span, ends) in moved.iter_mut().zip(first_run.windows(2)) {
            let runs = &runs[ends[0]..ends[1]];
            for axis in 0..A {
                let (x, from) = (&x[axis * body..][..*body], &from[axis * body..][..*body]);
                (span.low[axis], span.high[axis]) = extremes(runs, x, from);
            }
        }
    }
}

/// Returns the minimum and the maximum of x - from in `runs`.
#[inline(always)]
fn extremes(runs: &[(usize, usize)], x: &[f64], from: &[f64]) -> (f64, f64) {
    let (mut low, mut high) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
    for &(first, count) in runs {
        let (x, from) = (&x[first..][..count], &from[first..][..count]);
        let (mut xs, mut froms) = (x.chunks_exact(LANES), from.chunks_exact(LANES));
        for (x, from) in (&mut xs).zip(&mut froms) {
            for lane in 0..LANES {
                let change = x[lane] - from[lane];
                low[lane] = if change < low[lane] { change } else { low[lane] };
                high[lane] = if change > high[lane] { change } else { high[lane] };
            }
        }
        let (x, from) = (xs.remainder(), froms.remainder());
        let (mut xs, mut froms) = (x.chunks_exact(HALF), from.chunks_exact(HALF));
        for (x, from) in (&mut xs).zip(&mut froms) {
            for lane in 0..HALF {
                let change = x[lane] - from[lane];
                low[lane] = if change < low[lane] { change } else { low[lane] };
                high[lane] = if change > high[lane] { change } else { high[lane] };
            }
        }
        for (x, from) in xs.remainder().iter().zip(froms.remainder()) {
            let change = x - from;
            low[0] = if change < low[0] { change } else { low[0] };
            high[0] = if change > high[0] { change } else { high[0] };
        }
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            let (one, other) = (low[lane], low[lane + width]);
            low[lane] = if one < other { one } else { other };
            let (one, other) = (high[lane], high[lane + width]);
            high[lane] = if one > other { one } else { other };
        }
        width /= 2;
    }
    (low[0], high[0])
}

/// Returns the smallest interval per axis that contains all `spans`.
fn together(spans: &[ClusterSpan]) -> ClusterSpan {
    spans.iter().fold(NOTHING, |mut all, span| {
        for axis in 0..3 {
            all.low[axis] = all.low[axis].min(span.low[axis]);
            all.high[axis] = all.high[axis].max(span.high[axis]);
        }
        all
    })
}

fn sides(span: &ClusterSpan) -> [f64; 3] {
    [0, 1, 2].map(|axis| span.high[axis] - span.low[axis])
}

/// Returns the distance of two boxes.
fn gap(a: &ClusterSpan, b: &ClusterSpan) -> f64 {
    norm([0, 1, 2].map(|k: usize| (b.low[k] - a.high[k]).max(a.low[k] - b.high[k]).max(0.0)))
}
