//! Estimates from all data: the frames that are compared, and the minima of the sum of squares.

use super::places;
use super::quality::Quality;
use super::runs::{Datum, Runs};
use catena_analysis::fit::{
    Accepted, Estimate, FitError, Fitted, Parameter, accepted, fit as least_squares, other_starts,
    profiled,
};
use catena_base::text::number::{counted, short};
use catena_scene::recorded::Precision;

/// Estimates with the data that they come from.
pub(super) struct Found {
    pub(super) fitted: Fitted,
    pub(super) data: Vec<Datum>,
    pub(super) places: Vec<[f64; 3]>,
    pub(super) quality: Quality,
    /// Remark about frames in which rounding separates two runs of the method.
    pub(super) blurred: Option<String>,
    /// Whether such frames are compared as well, because there are too few others.
    pub(super) is_lost: bool,
    /// Sentence about another minimum whose residuals are nearly as small.
    pub(super) rival: Option<String>,
    /// Findings about values beyond the linear intervals.
    pub(super) beyond: Beyond,
}

/// A fit to solve: the runs with their data, and the precision of the data.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) runs: &'a Runs<'a>,
    pub(super) precision: &'a Precision,
    pub(super) proceeds: &'a dyn Fn() -> bool,
}

/// Maximum ratio between the residuals of more and of fewer frames that counts as the same noise.
const ALIKE: f64 = 1.5;

/// Remark about the frame from which rounding separates two runs.
fn separates(end: u64) -> String {
    format!("; after frame {end} rounding alone separates two runs of this method")
}

/// Remark that frames after `end` are not compared.
fn blurred_after(end: u64) -> String {
    format!(
        "; compared up to frame {end}: later on, rounding alone separates two runs of this method"
    )
}

/// Root mean square of the residuals, as a multiple of the noise of the data, above which the
/// minimum may be one of several.
const DOUBTFUL: f64 = 1.1;
/// Maximum difference between the sums of squares at two minima, in variances of a residual, for
/// which the data do not decide between the minima.
const UNDECIDED: f64 = 12.0;
/// Minimum distance of two different minima: in standard errors, and relative to the values.
const APART: [f64; 2] = [5.0, 1e-6];

/// Effect of a value, in extents of the motion, above which the sum of squares may have several
/// minima.
const FOLDED: f64 = 2.0;
/// Maximum number of searches through all values. Each begins at a better value than the one
/// before.
const ROUNDS: usize = 6;
/// Maximum number of runs of a search through all values.
const MAX_RUNS: u128 = 3000;
/// Minimum number of runs for which such a search is worthwhile.
const MIN_RUNS: u128 = 100;
/// Maximum estimated work of such a search, in nanoseconds of one core. Simultaneous runs take a
/// fraction of this time.
const MAX_WORK: u128 = 4_000_000_000;

impl Question<'_> {
    /// Fits all data.
    fn fit(&self, runs: &Runs<'_>, parameters: &[Parameter]) -> Result<Found, FitError> {
        let fitted = least_squares(runs, parameters, self.proceeds)?;
        let data = runs.data.to_vec();
        let places = places(&data, &fitted.residuals);
        let point: Vec<f64> = fitted.estimates.iter().map(|it| it.value).collect();
        let quality = Quality::of(&data, &places, self.precision, || runs.grown(&point));
        let (is_lost, blurred, rival, beyond) = (false, None, None, Beyond::default());
        Ok(Found { fitted, data, places, quality, blurred, is_lost, rival, beyond })
    }

    /// Fits the data as [`Self::best`] does, and finds the range of values that they accept.
    pub(super) fn answer(
        &self,
        parameters: &[Parameter],
        is_local: bool,
    ) -> Result<Found, FitError> {
        let mut found = self.best(parameters, is_local)?;
        if is_local {
            return Ok(found);
        }
        if let [parameter] = parameters
            && found.is_folded()
        {
            self.search_all(&mut found, parameter);
        }
        if found.beyond.accepted.is_none() {
            self.widen(&mut found, parameters);
        }
        Ok(found)
    }

    /// Searches all values of the only parameter for values that the data accept. If the search
    /// finds a better value, it begins again from that value.
    fn search_all(&self, found: &mut Found, parameter: &Parameter) {
        let last = found.data.last().map_or(0, |datum| datum.frame);
        let setup = self.runs.built(&[found.fitted.estimates[0].value]).ok();
        let work = setup.map_or(u128::MAX, |it| it.frame_cost().saturating_mul(last.into()));
        let max_runs = MAX_RUNS.min(MAX_WORK / work.max(1));
        found.beyond.is_too_long = max_runs < MIN_RUNS;
        if found.beyond.is_too_long || found.is_lost {
            return;
        }
        for round in 1..=ROUNDS {
            let at = |start: f64| Parameter { start, ..parameter.clone() };
            let runs = self.runs.with(&found.data);
            let runs = runs.begun_with_first_frames();
            let allowed = found.fitted.allowed(found.quality.widening());
            let value = found.fitted.estimates[0].value;
            let Some(all) = accepted(&runs, &at(value), allowed, max_runs as f64, self.proceeds)
            else {
                return;
            };
            let better = all.better.and_then(|value| self.fit(&runs, &[at(value)]).ok());
            let better = better.filter(|other| other.fitted.allowed(1.0).minimum < all.enough);
            let is_best = all.is_whole && better.is_none();
            let Some(other) = better.filter(|_| round < ROUNDS) else {
                // Even if the fit did not converge, the search has found no better value.
                found.fitted.has_converged |= is_best;
                found.rival = found.rival.take().filter(|_| !is_best);
                found.beyond.accepted = Some(all);
                return;
            };
            found.rival = None;
            found.quality = other.quality;
            found.places = other.places;
            let first = std::mem::replace(&mut found.fitted, other.fitted);
            found.fitted.estimates[0].start = parameter.start;
            found.fitted.start_residuals = first.start_residuals;
            found.fitted.start_rms = first.start_rms;
        }
    }

    /// Extends intervals if the data accept values beyond their ends.
    fn widen(&self, found: &mut Found, parameters: &[Parameter]) {
        let quality = &found.quality;
        // Rounding errors of a run do not depend smoothly on its values.
        if !found.is_fine() || !quality.has_intervals() || quality.is_rounding || found.is_lost {
            return;
        }
        let runs = self.runs.with(&found.data);
        let allowed = found.fitted.allowed(found.quality.widening());
        found.beyond.profiles = profiled(&runs, parameters, &found.fitted, allowed, self.proceeds);
    }

    /// Fits the data from the start values. If the residuals may belong to another minimum, also
    /// fits from the minima of a scan.
    pub(super) fn best(&self, parameters: &[Parameter], is_local: bool) -> Result<Found, FitError> {
        let full = self.fit(self.runs, parameters)?;
        if is_local || !full.is_doubtful() || !(self.proceeds)() {
            return self.sharp(full, parameters);
        }
        let first_frames = self.runs.begun_with_first_frames();
        let begun = |start: &Vec<f64>| {
            let begin = |(it, start): (&Parameter, &f64)| Parameter { start: *start, ..it.clone() };
            let parameters: Vec<Parameter> = parameters.iter().zip(start).map(begin).collect();
            self.fit(&first_frames, &parameters).ok()
        };
        let led = self.fit(&first_frames, parameters).ok();
        // The caller searches all values if one value varies and the motion depends strongly on it.
        let is_settled = parameters.len() == 1
            && led.as_ref().is_some_and(|led| led.is_folded() && !led.is_doubtful());
        let starts = if is_settled { Vec::new() } else { other_starts(self.runs, parameters) };
        let (first, start_rms) = (full.fitted.start_residuals.clone(), full.fitted.start_rms);
        let mut all: Vec<Found> = starts.iter().filter_map(begun).collect();
        all.push(full);
        all.extend(led);
        // Among equal minima, the one found from the given start comes first.
        all.reverse();
        all.sort_by(|a, b| a.fitted.rms.total_cmp(&b.fitted.rms));
        let rival = all
            .split_first()
            .and_then(|(best, others)| others.iter().find_map(|other| best.undecided_from(other)));
        let Some(best) = all.into_iter().next() else { return Err(FitError::Start) };
        let at = |(it, own): (&Parameter, &Estimate)| Parameter { start: own.value, ..it.clone() };
        let near: Vec<Parameter> = parameters.iter().zip(&best.fitted.estimates).map(at).collect();
        let mut found = self.sharp(best, &near)?;
        for (it, parameter) in found.fitted.estimates.iter_mut().zip(parameters) {
            it.start = parameter.start;
        }
        if found.fitted.start_residuals.len() == first.len() {
            (found.fitted.start_residuals, found.fitted.start_rms) = (first, start_rms);
        }
        Ok(Found { rival, ..found })
    }

    /// Fits the data up to the frame from which rounding separates two runs of the method. The
    /// separation counts if it exceeds the digits of the file and the noise of the data. Later
    /// frames depend on the order of additions as much as on the parameters.
    fn sharp(&self, full: Found, parameters: &[Parameter]) -> Result<Found, FitError> {
        let Self { runs, precision, proceeds } = *self;
        if !proceeds() {
            return Ok(full);
        }
        let last = full.data.last().map_or(0, |datum| datum.frame);
        let [share, rounding] = Quality::rounding(&full.data, precision);
        let sharp_end = |found: &Found, maximum: f64| {
            let point: Vec<f64> = found.fitted.estimates.iter().map(|it| it.value).collect();
            runs.sharp_end(&point, share, maximum).unwrap_or(0)
        };
        let until = |end: u64| {
            let data = &full.data[..full.data.partition_point(|datum| datum.frame <= end)];
            let found = self.fit(&runs.with(data), parameters).ok()?;
            Some(Found { blurred: Some(blurred_after(end)), ..found })
        };
        let end = sharp_end(&full, rounding);
        if end >= last {
            return Ok(full);
        }
        let Some(sharp) = until(end) else {
            let remark = format!("{}, so no interval is given", separates(end));
            return Ok(Found { blurred: Some(remark), is_lost: true, ..full });
        };
        match (sharp.is_fine(), full.is_fine()) {
            // A wrong model does not fit the first frames either.
            (false, false) => return Ok(full),
            (false, true) => return Ok(sharp),
            (true, _) => {}
        }
        // Noise hides effects of rounding that are smaller than the noise.
        let noise = if sharp.quality.has_intervals() { sharp.quality.rms } else { 0.0 };
        let later = sharp_end(&sharp, rounding.max(noise));
        let longer = match later {
            later if later <= end => None,
            later if later >= last => Some(full),
            later => until(later),
        };
        let is_alike = |longer: &Found| longer.is_fine() && longer.quality.rms <= ALIKE * noise;
        Ok(longer.filter(is_alike).unwrap_or(sharp))
    }
}

impl Found {
    pub(super) fn is_fine(&self) -> bool {
        self.quality.fits() && self.fitted.has_converged
    }

    /// Whether the motion depends so strongly on a value that the sum of squares may have several
    /// minima. This is the case if, according to the slopes, doubling the value would move a node
    /// by more than [`FOLDED`] extents of the motion.
    fn is_folded(&self) -> bool {
        let range = |axis: usize| {
            let all = self.data.iter().map(|datum| datum.place[axis]);
            let extremes = all.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], it| {
                [low.min(it), high.max(it)]
            });
            extremes[1] - extremes[0]
        };
        let extent = (0..3).map(range).fold(0.0, f64::max);
        self.fitted.estimates.iter().any(|it| it.effect > FOLDED * extent)
    }

    /// Whether the residuals may belong to another minimum: they have a pattern, or exceed the
    /// noise of the data.
    fn is_doubtful(&self) -> bool {
        let is_large = self.quality.noise.is_some_and(|noise| self.quality.rms > DOUBTFUL * noise);
        let has_pattern = self.quality.has_pattern.contains(&true);
        !self.is_fine() || is_large || has_pattern || self.quality.beyond_digits.is_some()
    }

    /// Describes another minimum whose residuals are nearly as small.
    fn undecided_from(&self, other: &Self) -> Option<String> {
        let (own, freedom) = (&self.fitted, self.fitted.freedom as f64);
        let excess = freedom * (other.fitted.rms * other.fitted.rms / (own.rms * own.rms) - 1.0);
        let pairs = || own.estimates.iter().zip(&other.fitted.estimates);
        let is_apart = pairs().any(|(a, b)| {
            let [errors, share] = APART;
            let error = a.error.unwrap_or(0.0).max(b.error.unwrap_or(0.0));
            (a.value - b.value).abs() > (errors * error).max(share * a.value.abs())
        });
        let is_near = excess <= UNDECIDED && other.fitted.has_converged && self.is_fine();
        // If values compensate for each other, equal minima are everywhere. A warning already says
        // so.
        if !is_near || !is_apart || !own.alike.is_empty() {
            return None;
        }
        let values: Vec<String> =
            pairs().map(|(_, it)| format!("{} = {}", it.name, short(it.value))).collect();
        Some(format!(
            "another minimum is nearly as good: {} leaves an rms residual of {}, and this one {}. \
             The data do not decide between them, so no interval is given; more frames or nodes would",
            values.join(", "),
            short(other.fitted.rms),
            short(own.rms)
        ))
    }
}

/// Findings about values beyond the linear intervals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beyond {
    /// Values that the data accept, if only one value varies and the motion depends strongly on it.
    pub(crate) accepted: Option<Accepted>,
    /// Whether a search through all other values would take too long.
    pub(crate) is_too_long: bool,
    /// Intervals that are longer than the linear ones.
    pub(crate) profiles: Vec<Option<[f64; 2]>>,
}

impl Beyond {
    /// Returns a sentence about an interval that does not follow from the slopes alone.
    pub(super) fn interval_remark(&self, it: &Estimate) -> Option<String> {
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
                 and the interval may be too short: try fewer frames (--frames N)"
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
