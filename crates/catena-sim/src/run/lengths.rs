//! Rest lengths that change with time, as of a rope that is paid out or reeled in.
//!
//! All springs of a rope are multiplied by one factor, l(t)/l(0), so that they stay equally long. A
//! length is constant during a step. Methods that integrate springs get that of the middle of the
//! step, or of another time that [`share_of_lengths`] names, which is of second order; those that
//! hold lengths get that of its end. Between steps, the springs have the lengths of the time of the
//! state.
//!
//! [`share_of_lengths`]: crate::method::Integrator::share_of_lengths

use super::Setup;
use crate::body::Model;
use crate::drive::track::{Animated, Extent, Track};
use crate::identity::{Identifier, Identity};
use crate::named::BadSetup;

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
    fn apply_extreme(&self, first: &Model, is_greatest: bool, model: &mut Model) {
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

impl Setup {
    /// Model with the least length that each spring ever has.
    pub fn shortest_model(&self) -> Model {
        let mut model = self.model.clone();
        self.lengths.apply_extreme(&self.model, false, &mut model);
        model
    }

    /// Model with the greatest length that each spring ever has.
    pub fn longest_model(&self) -> Model {
        let mut model = self.model.clone();
        self.lengths.apply_extreme(&self.model, true, &mut model);
        model
    }

    /// Returns the setup with the lengths that its springs have at a time, for good.
    #[must_use]
    pub fn with_lengths_at(mut self, t: f64) -> Self {
        let lengths = std::mem::take(&mut self.lengths);
        lengths.apply(&self.model.clone(), t, &mut self.model);
        self
    }

    /// Checks lengths over time: springs of the model that no event makes, and lengths above 0.
    pub(super) fn check_lengths(&self) -> Result<(), BadSetup> {
        let follower = self.flow.as_ref().filter(|law| law.follows_way());
        if let (Some(law), false) = (follower, self.lengths.is_empty()) {
            let name = law.info().name;
            let message = format!(
                "the law {name} follows the strain along its way, which a change of length would break off: write one number, or choose another law"
            );
            return Err(BadSetup::new("lengths", message));
        }
        let count = self.model.springs.len() - self.joints();
        let mut is_taken = vec![false; if self.lengths.is_empty() { 0 } else { count }];
        for (index, change) in self.lengths.0.iter().enumerate() {
            let field = |name: &str| format!("lengths[{index}].{name}");
            for &spring in &change.springs {
                let is_free = is_taken.get_mut(spring).map(|it| !std::mem::replace(it, true));
                let message =
                    format!("spring {spring} is not one of the {count}, or is named twice");
                BadSetup::unless(is_free == Some(true), field("springs"), message)?;
            }
            let (low, high) = change.range().unwrap_or((f64::NAN, f64::NAN));
            let is_fine = low > 0.0 && high.is_finite();
            let message = "expected a curve whose least and greatest values are known and above 0";
            BadSetup::unless(is_fine, field("length"), message)?;
        }
        Ok(())
    }
}
