//! Intervals of a fit, from the slopes at the best values and from the sum of squares itself.

use super::found::{Beyond, Found};
use super::quality::Quality;
use catena_analysis::fit::Fitted;

/// Removes all intervals if the model does not fit or leaves unexplained residuals. Otherwise
/// widens the intervals for correlated residuals and for accepted values beyond their ends. Returns
/// sentences about intervals with accepted values beyond them.
pub(super) fn judge(
    fitted: &mut Fitted,
    quality: &Quality,
    beyond: &Beyond,
    is_fine: bool,
) -> Vec<String> {
    let (widening, is_fine) = (quality.widening(), is_fine && quality.has_intervals());
    let mut told = Vec::new();
    for (k, it) in fitted.estimates.iter_mut().enumerate() {
        let value = it.value;
        let widened = |end: f64| value + widening * (end - value);
        it.error = it.error.filter(|_| is_fine).map(|error| error * widening);
        it.interval = it.interval.filter(|_| is_fine).map(|ends| ends.map(widened));
        if let Some(linear) = it.interval {
            let accepted = beyond.accepted.as_ref().map(|it| it.ends);
            let other = accepted.or(beyond.profiles.get(k).copied().flatten()).unwrap_or(linear);
            let all = [linear[0].min(other[0]), linear[1].max(other[1])];
            it.interval = Some(all).filter(|ends| ends.iter().all(|end| end.is_finite()));
            told.extend(beyond.told(it));
        }
    }
    told
}

impl Found {
    /// Whether intervals around the best values are valid.
    pub(super) fn has_intervals(&self) -> bool {
        self.is_fine() && !self.is_lost && self.rival.is_none()
    }
}
