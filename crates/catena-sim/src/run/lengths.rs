//! Rest lengths that change with time, as of a rope that is paid out or reeled in.
//!
//! All springs of a rope are multiplied by one factor, l(t)/l(0), so that they stay equally long. A
//! length is constant during a step. Methods that integrate springs get that of the middle of the
//! step, or of another time that [`share_of_lengths`] names, which is of second order; those that
//! hold lengths get that of its end. Between steps, the springs have the lengths of the time of the
//! state.
//!
//! [`share_of_lengths`]: crate::method::Integrator::share_of_lengths

use crate::body::Model;
use crate::drive::track::{Animated, Extent, Track};
use crate::identity::{Identifier, Identity};

/// Springs whose rest lengths follow a curve.
#[derive(Clone, Debug)]
pub struct LengthOverTime {
    /// Indices of the springs in the model.
    pub springs: Vec<usize>,
    /// Length of the rope over time, above 0. The springs of the model have those at time 0.
    pub length: Animated<1>,
    /// Whether the springs keep stiffness times length, as material does that is paid out.
    /// Otherwise they keep their stiffness.
    pub keeps_axial: bool,
}
crate::identity!(LengthOverTime { springs, length, keeps_axial });

impl LengthOverTime {
    /// Rest length at a time, as a multiple of that at time 0.
    pub fn factor(&self, t: f64) -> f64 {
        let [at] = self.length.at(t).0;
        let [start] = self.length.at(0.0).0;
        at / start
    }

    /// Minimum and maximum factor over all times; `None` if unknown.
    pub fn range(&self) -> Option<(f64, f64)> {
        let [extremes] = self.length.extremes()?;
        let ([start], (low, high)) = (self.length.at(0.0).0, extremes.range());
        Some((low / start, high / start))
    }
}

/// Ropes whose lengths change, each with springs of its own. Most setups have none.
#[derive(Clone, Debug, Default)]
pub struct ChangingLengths(pub Vec<LengthOverTime>);

impl Identity for ChangingLengths {
    /// Adds nothing where no length changes.
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

    /// Gives the springs of `model` their lengths at a time. `first` is the model at time 0.
    pub fn apply(&self, first: &Model, t: f64, model: &mut Model) {
        for change in &self.0 {
            scale(change, first, change.factor(t), model);
        }
    }

    /// Gives each spring the least or the greatest length that it ever has.
    pub(super) fn apply_extreme(&self, first: &Model, is_greatest: bool, model: &mut Model) {
        for change in &self.0 {
            let (low, high) = change.range().unwrap_or((1.0, 1.0));
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
