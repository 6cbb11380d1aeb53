//! Rest lengths that change with time, for example because a rope is paid out or reeled in.
//!
//! All springs of a rope are multiplied by one factor, l(t)/l(0), so that they stay equally long. A
//! length is constant during a step. Methods that integrate springs use the length at the middle of
//! the step, which is of second order, or at another time that [`share_of_lengths`] returns.
//! Methods that hold lengths use the length at the end of the step. Between steps, the springs have
//! the lengths for the time of the state.
//!
//! [`share_of_lengths`]: crate::method::Integrator::share_of_lengths

use crate::body::Model;
use crate::drive::event::Reeled;
use crate::drive::track::KeyTrack;
use crate::drive::track::{Animated, Extent, Track};
use crate::identity::{Identifier, Identity};

/// Springs whose rest lengths follow a curve.
#[derive(Clone, Debug)]
pub struct LengthOverTime {
    /// Indices of the springs in the model.
    pub springs: Vec<usize>,
    /// Length of the rope over time, above 0. The springs of the model have the lengths at time 0.
    pub length: Animated<1>,
    /// Whether each spring keeps its stiffness times length, as a rope of constant E A does.
    /// Otherwise it keeps its stiffness.
    pub keeps_axial: bool,
}
crate::identity!(LengthOverTime { springs, length, keeps_axial });

impl LengthOverTime {
    /// Ratio of the rest length at a time to the rest length at time 0.
    pub fn factor(&self, t: f64) -> f64 {
        let [at] = self.length.at(t).0;
        let [start] = self.length.at(0.0).0;
        at / start
    }

    /// Sets the length after an event: it changes linearly between two times.
    pub(super) fn reel(&mut self, reeled: &Reeled) {
        let ([start], [from, until]) = (self.length.at(0.0).0, reeled.times);
        // The model has the length at time 0.
        let before = (from > 0.0).then_some((0.0, [start]));
        let [first, last] = reeled.lengths;
        let keys: Vec<_> =
            before.into_iter().chain([(from.max(0.0), [first]), (until, [last])]).collect();
        // The times increase, and the lengths are finite.
        if let Ok(track) = KeyTrack::linear(&keys) {
            self.length = Animated::moving(track);
        }
    }

    /// Minimum and maximum factor over all times; `None` if unknown.
    pub fn range(&self) -> Option<(f64, f64)> {
        let [extremes] = self.length.extremes()?;
        let ([start], (low, high)) = (self.length.at(0.0).0, extremes.range());
        Some((low / start, high / start))
    }
}

/// Ropes whose lengths change, each with its own springs. Empty in most setups.
#[derive(Clone, Debug, Default)]
pub struct ChangingLengths(pub Vec<LengthOverTime>);

impl Identity for ChangingLengths {
    /// Adds nothing if no length changes.
    fn identify(&self, to: &mut Identifier<'_>) {
        if !self.0.is_empty() {
            self.0.identify(to);
        }
    }
}

impl ChangingLengths {
    /// Whether no length changes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Time range in which lengths change.
    pub fn extent(&self) -> Extent {
        Extent::of_all(self.0.iter().map(|it| it.length.extent()))
    }

    /// Sets the lengths of the springs of `model` at a time. `first` is the model at time 0.
    pub fn apply(&self, first: &Model, t: f64, model: &mut Model) {
        for change in &self.0 {
            scale(change, first, change.factor(t), model);
        }
    }

    /// Sets each spring to its minimum or maximum length over all times. `reels` are lengths that
    /// events may set, as pairs of a rope's index and its length.
    pub(super) fn apply_extreme(
        &self,
        first: &Model,
        reels: &[(usize, f64)],
        is_greatest: bool,
        model: &mut Model,
    ) {
        for (index, change) in self.0.iter().enumerate() {
            let (mut low, mut high) = change.range().unwrap_or((1.0, 1.0));
            let [start] = change.length.at(0.0).0;
            for (_, length) in reels.iter().filter(|(rope, _)| *rope == index) {
                (low, high) = (low.min(length / start), high.max(length / start));
            }
            scale(change, first, if is_greatest { high } else { low }, model);
        }
    }
}

/// Multiplies the rest lengths of springs by a factor.
fn scale(change: &LengthOverTime, first: &Model, factor: f64, model: &mut Model) {
    for &j in &change.springs {
        let (from, to) = (&first.springs[j], &mut model.springs[j]);
        to.rest_length = from.rest_length * factor;
        to.stiffness = if change.keeps_axial { from.stiffness / factor } else { from.stiffness };
    }
}
