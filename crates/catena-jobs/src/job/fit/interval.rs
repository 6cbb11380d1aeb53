//! Intervals of a fit, from the slopes at the best values and from the sum of squares itself.

use super::found::Found;
use super::quality::Quality;
use catena_analysis::fit::{Accepted, Estimate, Fitted};
use catena_base::text::number::counted;

/// Findings about values beyond the linear intervals.
#[derive(Clone, Debug, Default)]
pub(super) struct Beyond {
    /// Values that the data accept, where one value varies on which they depend strongly.
    pub(super) accepted: Option<Accepted>,
    /// Whether the runs for all other values take too long.
    pub(super) is_too_long: bool,
    /// Intervals that are longer than the linear ones.
    pub(super) profiles: Vec<Option<[f64; 2]>>,
}

/// Removes the intervals of a model that does not fit or leaves an unexplained rest, and widens
/// the others: those of correlated residuals, and those beyond which values are accepted. Returns
/// sentences about these.
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

impl Beyond {
    /// Sentence about an interval that is no plain one.
    fn told(&self, it: &Estimate) -> Option<String> {
        let name = &it.name;
        if it.interval.is_none() {
            return Some(format!(
                "the data do not bound `{name}`: they accept values far beyond the best one, so it \
                 has no interval"
            ));
        }
        if self.is_too_long || self.accepted.as_ref().is_some_and(|it| !it.is_whole) {
            return Some(format!(
                "the motion depends on `{name}` so strongly that not all values could be compared, \
                 so the interval may be too short; fewer frames depend on it less (--frames N)"
            ));
        }
        let count = self.accepted.as_ref()?.stretches;
        (count > 1).then(|| {
            format!(
                "the data accept {} of values of `{name}`, and none between them: the interval has \
                 all of them. More frames or more nodes would decide",
                counted(count as u64, "separate range")
            )
        })
    }
}

impl Found {
    /// Whether the intervals of the best values hold.
    pub(super) fn has_intervals(&self) -> bool {
        self.is_fine() && !self.is_lost && self.rival.is_none()
    }
}
