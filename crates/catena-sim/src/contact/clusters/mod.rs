//! Clusters of nodes that move together, and a proof that most clusters stay apart.
//!
//! A proof predicts that each node moves by the same displacement in every step. Each pair of
//! nearby clusters has a clearance of its own, the distance between their parts during the
//! predicted motion. All other pairs share one clearance. Each step only computes the deviation of
//! each cluster from the prediction, as an interval per axis. The relative deviation of a pair must
//! stay within its clearance at both ends of a step. This suffices for the whole step, because the
//! set of allowed deviations is convex and paths are straight. Only relative motion matters, so
//! bodies may fall, fly and swing. Pairs with little clearance are listed by the [`Measure`] and
//! checked in each step.
//!
//! The distance of two parts in the predicted motion is at least a linear function of time, its
//! projection on their direction at the start. The minimum of such functions is concave, so it lies
//! above the line between its values at the start and at the horizon, the last step of the proof.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

mod clearance;
mod course;
mod groups;

use super::BoundedMotion;
use crate::body::vector::norm;
use crate::body::{Model, State};
use crate::instructions::Instructions;
pub(super) use clearance::{Clearance, LONG};
use course::Course;
pub(super) use groups::{Size, groups};
use pulp::NullaryFnOnce;

/// Maximum number of nodes per cluster.
pub(super) const LARGEST: usize = 16;

/// Lanes of the loop over the remainder of a run.
const HALF: usize = LANES / 2;

/// Number of steps that the clearance of a near pair should last at the pair's current deviation
/// per step.
const NEAR_STEPS: f64 = 8.0;
/// Number of steps that the clearance of every pair should last at the pair's current deviation per
/// step, above 1. Closer parts are listed.
const MIN_STEPS: f64 = 2.0;
/// Clearance of listed parts, as a fraction of the contact distance.
const LISTED: f64 = 0.05;
/// Number of steps that the shared clearance of all other pairs should last at the current maximum
/// deviation per step.
const FAR_STEPS: f64 = 16.0;

/// Maximum predicted displacement, as a multiple of the extent of the body.
const FARTHEST: f64 = 8.0;

/// Maximum number of near pairs per cluster. In denser heaps, the whole body is searched instead.
const CROWD: usize = 40;

/// Relative safety margin of distances, because the computed time of a hit loses half of the
/// digits.
pub(super) const BLUR: f64 = 1e-6;

/// Lanes of a running minimum.
const LANES: usize = 8;

/// Distance measure between two clusters.
pub(super) trait Measure {
    /// Removes all listed parts, before the first pair of a proof.
    fn begin(&mut self);

    /// Removes repeated parts from the list, after the last pair of a proof.
    fn end(&mut self);

    /// Returns the minimum clearance between parts of two clusters: distance minus contact
    /// distance. Both clusters may be the same one. Parts closer than `skin` at the end of the
    /// first step are listed and do not count. Positions and strides come from `clusters`.
    fn room(&mut self, clusters: &ClusterLayout, pair: (usize, usize), skin: f64) -> Clearance;

    /// Clearance that may be used completely, in steps of up to twice this length. A larger
    /// clearance may be used to a third, or to this length if that is more. Infinite if steps may
    /// have any length.
    fn slow(&self) -> f64 {
        f64::INFINITY
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
    /// Predicted displacements per step and axis, in the order of `nodes`.
    pub(super) pace: [Vec<f64>; 3],
    /// Number of steps of the prediction.
    pub(super) horizon: f64,
    /// Runs of consecutive nodes, as first node and count.
    runs: Vec<(usize, usize)>,
    /// Start index of each cluster in `runs`.
    first_run: Vec<usize>,
    axes: usize,
    /// Number of nodes of the body.
    body: usize,
}

/// A pair of near clusters.
#[derive(Clone, Copy)]
struct Near {
    a: usize,
    b: usize,
    clearance: Clearance,
    /// Part of the clearance that the predicted motion of a step uses.
    used: f64,
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
    course: Course,
    near: Vec<Near>,
    /// Clearance of all other pairs.
    far: Clearance,
    /// Maximum relative deviation of any two clusters along an axis.
    room: f64,
    /// Maximum deviation of a cluster, which limits the rounding errors.
    drift: f64,
    rounding: f64,
    /// See [`Measure::slow`].
    slow: f64,
    /// Deviations from the prediction.
    moved: Vec<ClusterSpan>,
    /// Workspace for the deviations at the end of a motion.
    later: Vec<ClusterSpan>,
    /// Predicted displacements per step.
    paces: Vec<ClusterSpan>,
    boxes: Vec<ClusterSpan>,
    /// Zeros, flat by axis.
    zeros: Vec<f64>,
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
            course: Course::default(),
            near: Vec::new(),
            far: Clearance::NONE,
            room: 0.0,
            drift: 0.0,
            rounding: 0.0,
            slow: f64::INFINITY,
            moved: spans.clone(),
            later: spans.clone(),
            paces: vec![ClusterSpan { low: [0.0; 3], high: [0.0; 3] }; groups.len()],
            boxes: spans,
            zeros: vec![0.0; model.nodes() * model.axes],
            order: (0..groups.len()).collect(),
        }
    }

    /// Removes the proof.
    pub(super) fn forget(&mut self) {
        self.course.forget();
    }

    /// Removes the proof and everything that is known about earlier steps.
    pub(super) fn restart(&mut self) {
        self.course.restart();
    }

    /// Whether the proof covers a motion from `state`.
    pub(super) fn covers(&mut self, state: &State, frame: &BoundedMotion) -> bool {
        let BoundedMotion { middles, ends, error, count, .. } = frame;
        let Self { layout, course, .. } = self;
        let (now, last) = (course.steps, course.steps + count);
        if course.centre.is_empty() || !course.has_reached(state) || last > course.horizon {
            return false;
        }
        // All positions lie between these control points, and so do the deviations.
        let (centre, stride) = (&course.centre, &course.stride);
        layout.spans(&state.x, centre, stride, now, &mut self.moved);
        for (x, steps) in [(middles, now + 0.5 * count), (ends, last)] {
            layout.spans(x, centre, stride, steps, &mut self.later);
            for (span, later) in self.moved.iter_mut().zip(&self.later) {
                for axis in 0..layout.axes {
                    span.low[axis] = span.low[axis].min(later.low[axis]);
                    span.high[axis] = span.high[axis].max(later.high[axis]);
                }
            }
        }
        for span in &mut self.moved {
            for axis in 0..layout.axes {
                span.low[axis] -= error;
                span.high[axis] += error;
            }
        }
        // Clearances never grow, so they have their minimum at the end.
        self.course.steps = last;
        let holds = self.is_proof();
        self.course.steps = now;
        holds
    }

    /// Whether there is a proof at a state that has lasted for only a small fraction of the time
    /// that the last one did. A new one would not allow much more.
    pub(super) fn is_young(&self, state: &State) -> bool {
        self.course.is_young(state)
    }

    /// Counts the steps of a motion that the proof covers.
    pub(super) fn pass(&mut self, frame: &BoundedMotion, time: f64) {
        self.course.pass(frame.count, time);
    }

    /// Predicts a motion from `state`, before a new proof.
    pub(super) fn plan_motion(&mut self, state: &State, frame: &BoundedMotion) {
        self.course.plan_motion(state, &frame.ends, frame.count);
    }

    /// Predicts the motion from the start of the current step on, before a new proof.
    pub(super) fn plan(&mut self, start: &State, end: &State) {
        self.course.plan(&start.x, &end.x);
    }

    /// Predicted displacements per step, flat by axis.
    pub(super) fn strides(&mut self) -> &mut Vec<f64> {
        &mut self.course.stride
    }

    /// Counts a step from `start` to `end`. Returns whether the proof still holds, so that no
    /// unlisted parts come close in this step.
    pub(super) fn follow(&mut self, start: &State, end: &State) -> bool {
        self.course.count(start, end);
        self.hold(&end.x)
    }

    /// Counts a step without a proof.
    pub(super) fn skip(&mut self, start: &State, end: &State) {
        self.course.count(start, end);
        self.course.forget();
    }

    /// Updates the deviations of the clusters to positions `x` at the end of the current step.
    /// Returns whether the proof holds. The proof must have held at the start of the step.
    pub(super) fn hold(&mut self, x: &[f64]) -> bool {
        if self.course.centre.is_empty() || self.course.steps > self.course.horizon {
            return false;
        }
        let Self { layout, course: Course { centre, stride, steps, .. }, moved, .. } = self;
        layout.spans(x, centre, stride, *steps, moved);
        self.is_proof()
    }

    /// Lowers `reach` to each node's allowed displacement along an axis, for a proof without
    /// predicted motion. The proof holds while every node stays within its reach.
    pub(super) fn limit(&self, reach: &mut [f64]) {
        let mut lower = |cluster: usize, room: f64| {
            for &node in &self.layout.nodes[self.layout.range(cluster)] {
                reach[node] = reach[node].min(0.5 * room);
            }
        };
        for near in &self.near {
            lower(near.a, self.allowed(near));
            lower(near.b, self.allowed(near));
        }
        (0..self.moved.len()).for_each(|cluster| lower(cluster, self.room.min(self.drift)));
    }

    /// Returns the maximum relative deviation of a pair along an axis in the current step.
    #[inline]
    fn allowed(&self, near: &Near) -> f64 {
        (self.usable(near.clearance.after(self.course.steps)) - near.used) * self.per_root()
    }

    /// Returns the maximum relative deviation that a clearance of `free` allows.
    #[inline]
    fn usable(&self, free: f64) -> f64 {
        free.min(self.slow.max(free * (1.0 / 3.0)))
    }

    /// Returns the maximum share of an axis in a vector that may have any direction.
    #[inline]
    fn per_root(&self) -> f64 {
        if self.layout.axes == 2 { std::f64::consts::FRAC_1_SQRT_2 } else { 0.577_350_269_189_625 }
    }

    /// Whether the relative deviations of all clusters are within their clearances.
    fn is_proof(&self) -> bool {
        let (moved, axes) = (&self.moved, self.layout.axes);
        let mut holds = true;
        let all = together(moved);
        for axis in 0..axes {
            holds &= all.high[axis] - all.low[axis] <= self.room;
            holds &= all.high[axis] <= self.drift && -all.low[axis] <= self.drift;
        }
        for near in &self.near {
            let (a, b) = (&moved[near.a], &moved[near.b]);
            let allowed = self.allowed(near);
            for axis in 0..axes {
                holds &= a.high[axis] - b.low[axis] <= allowed;
                holds &= b.high[axis] - a.low[axis] <= allowed;
            }
        }
        holds
    }

    /// Creates a proof for a step from `start` to `end`, for parts that touch at a distance of at
    /// most `thickness` and nodes that move by `strides` per step, as [`Clusters::plan`] predicted.
    /// Only measures pairs whose clearance does not follow from the last proof. Returns `false` if
    /// the motion is too large for a proof.
    pub(super) fn prove(
        &mut self,
        start: &[f64],
        end: &[f64],
        strides: &[f64],
        thickness: f64,
        measure: &mut impl Measure,
    ) -> bool {
        let is_carried = self.carry(start, strides);
        self.layout.copy_positions(start, strides);
        let Self { layout, moved, paces, zeros, .. } = self;
        layout.spans(end, start, strides, 1.0, moved);
        layout.spans(strides, zeros, zeros, 0.0, paces);
        let extent = self.fit() + norm(sides(&together(&self.boxes)));
        (self.drift, self.rounding) = (16.0 * extent, 256.0 * f64::EPSILON * extent);
        self.slow = measure.slow();
        let pace = together(&self.paces);
        let fastest = (0..3).map(|axis| pace.high[axis].max(-pace.low[axis])).fold(0.0, f64::max);
        let longest = FARTHEST * extent / fastest;
        if longest < 1.0 || longest.is_nan() {
            return false;
        }
        let wanted = self.course.horizon.min(longest.floor());
        // If something approaches within the first horizon, one step may still be clear.
        let attempts = [(is_carried, wanted), (false, wanted), (false, 1.0)];
        let is_proved = attempts.into_iter().skip(usize::from(!is_carried)).any(|attempt| {
            (self.course.horizon, self.layout.horizon) = (attempt.1, attempt.1);
            self.measure_pairs(thickness, measure, attempt.0) && self.is_proof()
        });
        measure.end();
        match is_proved {
            true => self.course.centre.extend_from_slice(start),
            false => self.course.fail(),
        }
        is_proved
    }

    /// Carries all clearances over from the last proof, at the positions `x` where it ended, to a
    /// prediction with the displacements `strides` per step. Returns `false` if there was none.
    fn carry(&mut self, x: &[f64], strides: &[f64]) -> bool {
        let (centre, stride, steps) = &self.course.ended;
        if centre.is_empty() {
            return false;
        }
        // Positions relative to the old prediction, and strides relative to the old ones.
        self.layout.spans(x, centre, stride, *steps, &mut self.moved);
        self.layout.spans(strides, stride, &self.zeros, 0.0, &mut self.later);
        for near in &mut self.near {
            let (moved, later) = (&self.moved, &self.later);
            let deviation = apart(&moved[near.a], &moved[near.b], self.layout.axes);
            let deviation = deviation + self.rounding;
            let change = apart(&later[near.a], &later[near.b], self.layout.axes);
            near.clearance = near.clearance.carried(*steps, deviation, change);
        }
        let extent = |spans: &[ClusterSpan]| {
            let (all, axes) = (together(spans), self.layout.axes);
            apart(&all, &all, axes)
        };
        let deviation = extent(&self.moved) + self.rounding;
        self.far = self.far.carried(*steps, deviation, extent(&self.later));
        true
    }

    /// Computes the clearances of all pairs up to the horizon; of a `partial` proof only those that
    /// have become too small. Returns `false` if there are too many pairs.
    fn measure_pairs(
        &mut self,
        thickness: f64,
        measure: &mut impl Measure,
        is_partial: bool,
    ) -> bool {
        let (root, horizon) = ((self.layout.axes as f64).sqrt(), self.layout.horizon);
        let used = self.used(norm(sides(&together(&self.paces))));
        if is_partial && !self.far.suffices(horizon) {
            return false;
        }
        if !is_partial {
            if !self.find_pairs(thickness, used) {
                return false;
            }
            measure.begin();
        }
        self.room = (self.usable(self.far.after(horizon)) - used) * self.per_root();
        let mut near = std::mem::take(&mut self.near);
        for Near { a, b, clearance, used } in &mut near {
            *used = self.used(self.pace(*a, *b));
            if is_partial && clearance.suffices(horizon) {
                continue;
            }
            let step = self.step(*a, *b);
            let apart = self.gap(*a, *b) * (1.0 - BLUR) - thickness - self.rounding;
            let wanted = (NEAR_STEPS * root * step).max(thickness) + *used;
            *clearance = match *a != *b && apart >= wanted {
                true => Clearance::constant(apart, LONG * horizon),
                false => {
                    let skin = (LISTED * thickness).max(MIN_STEPS * root * step) + *used;
                    let skin = skin + 2.0 * self.rounding;
                    measure.room(&self.layout, (*a, *b), skin).reduced(self.rounding)
                }
            };
        }
        self.near = near;
        true
    }

    /// Finds the near pairs, and the clearance of all others. Returns `false` if there are too
    /// many. `used` is the part of the clearance that the predicted motion uses.
    fn find_pairs(&mut self, thickness: f64, used: f64) -> bool {
        let (axes, rounding) = (self.layout.axes, self.rounding);
        let (all, root) = (together(&self.moved), (axes as f64).sqrt());
        let step = (0..axes).map(|axis| all.high[axis] - all.low[axis]);
        let step = step.fold(0.0, f64::max);
        let size = self.boxes.iter().map(|it| norm(sides(it))).sum::<f64>();
        let size = size / self.boxes.len().max(1) as f64;
        let minimum = thickness + 1.1 * root * step + used + 2.0 * rounding;
        // Without `clamp`, because it panics on NaN, and sizes are NaN after an overflow.
        let wanted = thickness + (FAR_STEPS * root * step).max(0.5 * size).min(6.0 * size) + used;
        let found = [minimum.max(wanted), minimum].into_iter().find(|far| self.find_near(*far));
        let Some(far) = found else { return false };
        let free = (far - thickness) * (1.0 - BLUR) - rounding;
        self.far = Clearance::constant(free, LONG * self.layout.horizon);
        true
    }

    /// Returns the part of a clearance that a predicted relative displacement of `pace` per step
    /// uses.
    fn used(&self, pace: f64) -> f64 {
        if self.slow < f64::INFINITY { 0.5 * pace * (1.0 + BLUR) } else { 0.0 }
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

    /// Returns the maximum relative deviation of two clusters along an axis in the first step.
    fn step(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (&self.moved[a], &self.moved[b]);
        let along = |axis: usize| (a.high[axis] - b.low[axis]).max(b.high[axis] - a.low[axis]);
        (0..self.layout.axes).map(along).fold(0.0, f64::max)
    }

    /// Returns the maximum predicted displacement of two clusters per step, relative to each other.
    fn pace(&self, a: usize, b: usize) -> f64 {
        apart(&self.paces[a], &self.paces[b], self.layout.axes)
    }

    /// Returns the minimum distance of the boxes of two clusters within [`LONG`] horizons.
    fn gap(&self, a: usize, b: usize) -> f64 {
        let (pace_a, pace_b) = (&self.paces[a], &self.paces[b]);
        let (a, b, horizon) = (&self.boxes[a], &self.boxes[b], LONG * self.layout.horizon);
        norm([0, 1, 2].map(|k: usize| {
            let above =
                (b.low[k] - a.high[k]) + (horizon * (pace_b.low[k] - pace_a.high[k])).min(0.0);
            let below =
                (a.low[k] - b.high[k]) + (horizon * (pace_a.low[k] - pace_b.high[k])).min(0.0);
            above.max(below).max(0.0)
        }))
    }

    /// Lists all pairs of clusters within distance `far` within [`LONG`] horizons, including each
    /// cluster with itself. Returns `false` if there are too many.
    fn find_near(&mut self, far: f64) -> bool {
        let mut near = std::mem::take(&mut self.near);
        near.clear();
        let is_complete = far.is_finite() && self.list_near(far, &mut near);
        self.near = near;
        is_complete
    }

    fn list_near(&mut self, far: f64, near: &mut Vec<Near>) -> bool {
        let all = together(&self.boxes);
        let long = sides(&all);
        let axis = (1..3).fold(0, |best, axis| if long[axis] > long[best] { axis } else { best });
        // Ranges of the paths along the axis, relative to the mean motion.
        let pace = together(&self.paces);
        let mean = 0.5 * (pace.low[axis] + pace.high[axis]);
        let horizon = LONG * self.layout.horizon;
        let low = |a: usize| {
            self.boxes[a].low[axis] + (horizon * (self.paces[a].low[axis] - mean)).min(0.0)
        };
        let high = |a: usize| {
            self.boxes[a].high[axis] + (horizon * (self.paces[a].high[axis] - mean)).max(0.0)
        };
        let ranges: Vec<(f64, f64)> = (0..self.boxes.len()).map(|a| (low(a), high(a))).collect();
        let mut order = std::mem::take(&mut self.order);
        order.sort_unstable_by(|a, b| ranges[*a].0.total_cmp(&ranges[*b].0).then(a.cmp(b)));
        let pair = |a, b| Near { a, b, clearance: Clearance::NONE, used: 0.0 };
        // Sums of both ranges have rounding errors.
        let end = far + self.rounding;
        let mut is_complete = true;
        for (place, &a) in order.iter().enumerate() {
            near.push(pair(a, a));
            let rest = order[place + 1..].iter();
            for &b in rest.take_while(|b| ranges[**b].0 <= ranges[a].1 + end) {
                if self.gap(a, b) <= far {
                    near.push(pair(a.min(b), a.max(b)));
                }
            }
            if near.len() > CROWD * (place + 8) {
                is_complete = false;
                break;
            }
        }
        self.order = order;
        is_complete
    }
}

impl ClusterLayout {
    /// Returns the index range of a cluster in `nodes`.
    pub(super) fn range(&self, cluster: usize) -> std::ops::Range<usize> {
        self.first[cluster]..self.first[cluster + 1]
    }

    /// Copies the positions and strides of all clustered nodes.
    fn copy_positions(&mut self, x: &[f64], stride: &[f64]) {
        let Self { nodes, at, pace, axes, body, .. } = self;
        for (to, from) in [(at, x), (pace, stride)] {
            for (axis, to) in to.iter_mut().enumerate().take(*axes) {
                let of_axis = &from[axis * *body..][..*body];
                to.clear();
                to.extend(nodes.iter().map(|&node| of_axis[node]));
            }
        }
    }

    /// Computes the deviation interval of each cluster at `x` from the motion by `stride` per step,
    /// after a number of steps from `from`.
    fn spans(
        &self,
        x: &[f64],
        from: &[f64],
        stride: &[f64],
        steps: f64,
        moved: &mut [ClusterSpan],
    ) {
        let motion = (x, from, stride);
        match self.axes {
            2 => Instructions::best().run(Spans::<2> { layout: self, motion, steps, moved }),
            _ => Instructions::best().run(Spans::<3> { layout: self, motion, steps, moved }),
        }
    }
}

struct Spans<'a, const A: usize> {
    layout: &'a ClusterLayout,
    /// Positions, positions at the start and strides.
    motion: (&'a [f64], &'a [f64], &'a [f64]),
    steps: f64,
    moved: &'a mut [ClusterSpan],
}

impl<'a, const A: usize> NullaryFnOnce for Spans<'a, A> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { layout: ClusterLayout { runs, first_run, body, .. }, motion, steps, moved } =
            self;
        for (span, ends) in moved.iter_mut().zip(first_run.windows(2)) {
            let runs = &runs[ends[0]..ends[1]];
            for axis in 0..A {
                let of_axis = |values: &'a [f64]| &values[axis * body..][..*body];
                let (x, from, stride) = motion;
                let motion = (of_axis(x), of_axis(from), of_axis(stride));
                (span.low[axis], span.high[axis]) = extremes(runs, motion, steps);
            }
        }
    }
}

/// Returns the minimum and the maximum of x - (from + steps * stride) in `runs`.
#[inline(always)]
fn extremes(
    runs: &[(usize, usize)],
    (x, from, stride): (&[f64], &[f64], &[f64]),
    steps: f64,
) -> (f64, f64) {
    let (mut low, mut high) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
    for &(first, count) in runs {
        let (x, from) = (&x[first..][..count], &from[first..][..count]);
        let stride = &stride[first..][..count];
        let mut done = 0;
        while done + LANES <= count {
            let (x, from) = (&x[done..][..LANES], &from[done..][..LANES]);
            let stride = &stride[done..][..LANES];
            for lane in 0..LANES {
                let change = x[lane] - (from[lane] + steps * stride[lane]);
                low[lane] = if change < low[lane] { change } else { low[lane] };
                high[lane] = if change > high[lane] { change } else { high[lane] };
            }
            done += LANES;
        }
        while done + HALF <= count {
            let (x, from) = (&x[done..][..HALF], &from[done..][..HALF]);
            let stride = &stride[done..][..HALF];
            for lane in 0..HALF {
                let change = x[lane] - (from[lane] + steps * stride[lane]);
                low[lane] = if change < low[lane] { change } else { low[lane] };
                high[lane] = if change > high[lane] { change } else { high[lane] };
            }
            done += HALF;
        }
        for ((x, from), stride) in x[done..].iter().zip(&from[done..]).zip(&stride[done..]) {
            let change = x - (from + steps * stride);
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

/// Returns the maximum difference of two vectors in two spans.
fn apart(a: &ClusterSpan, b: &ClusterSpan, axes: usize) -> f64 {
    let mut farthest = [0.0; 3];
    for (k, value) in farthest.iter_mut().enumerate().take(axes) {
        *value = (a.high[k] - b.low[k]).max(b.high[k] - a.low[k]);
    }
    norm(farthest)
}
