//! Estimates from all data: the frames that count, and the minima of the sum of squares.

use super::places;
use super::quality::Quality;
use super::runs::{Datum, Runs};
use catena_analysis::fit::{
    Estimate, FitError, Fitted, Parameter, fit as least_squares, other_starts,
};
use catena_base::text::number::short;
use catena_scene::recorded::Precision;

/// Estimates with the data that they come from.
pub(super) struct Found {
    pub(super) fitted: Fitted,
    pub(super) data: Vec<Datum>,
    pub(super) places: Vec<[f64; 3]>,
    pub(super) quality: Quality,
    /// Remark about frames that rounding blurs.
    pub(super) blurred: Option<String>,
    /// Whether blurred frames had to count, since the others are too few.
    pub(super) is_lost: bool,
    /// Sentence about another minimum that is nearly as good.
    pub(super) rival: Option<String>,
}

/// Data and the runs that are compared with them.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) runs: &'a Runs<'a>,
    pub(super) precision: &'a Precision,
    pub(super) proceeds: &'a dyn Fn() -> bool,
}

/// Residuals of more frames, as a multiple of those of fewer, up to which both are the same noise.
const ALIKE: f64 = 1.5;

/// Remark about the frame from which rounding separates two runs.
fn separates(end: u64) -> String {
    format!("; after frame {end} rounding alone separates two runs of this method")
}

/// Remark about frames that are left out.
fn blurred_after(end: u64) -> String {
    format!(
        "; compared up to frame {end}: later on, rounding alone separates two runs of this method"
    )
}

/// Root mean square of the residuals, as a multiple of the noise of the data, above which the
/// minimum may be one of several.
const DOUBTFUL: f64 = 1.1;
/// Difference of the sums of squares of two minima, in variances of a residual, up to which data do
/// not decide between them.
const UNDECIDED: f64 = 12.0;
/// Distance of two minima in standard errors, and relative to the values, beyond which they are not
/// the same.
const APART: [f64; 2] = [5.0, 1e-6];

impl Question<'_> {
    /// Fits all data.
    fn fit(&self, runs: &Runs<'_>, parameters: &[Parameter]) -> Result<Found, FitError> {
        let fitted = least_squares(runs, parameters, self.proceeds)?;
        let data = runs.data.to_vec();
        let places = places(&data, &fitted.residuals);
        let quality = Quality::of(&data, &places, self.precision);
        let (blurred, rival) = (None, None);
        Ok(Found { fitted, data, places, quality, blurred, is_lost: false, rival })
    }

    /// Fits the data from the start values and, where the residuals may be those of another
    /// minimum, from the valleys of a scan.
    pub(super) fn best(&self, parameters: &[Parameter], is_local: bool) -> Result<Found, FitError> {
        let whole = self.fit(self.runs, parameters)?;
        if is_local || !whole.is_doubtful() || !(self.proceeds)() {
            return self.sharp(whole, parameters);
        }
        let first_frames = self.runs.begun_with_first_frames();
        let begun = |start: &Vec<f64>| {
            let begin = |(it, start): (&Parameter, &f64)| Parameter { start: *start, ..it.clone() };
            let parameters: Vec<Parameter> = parameters.iter().zip(start).map(begin).collect();
            self.fit(&first_frames, &parameters).ok()
        };
        let starts = other_starts(self.runs, parameters);
        let (first, start_rms) = (whole.fitted.start_residuals.clone(), whole.fitted.start_rms);
        let mut all: Vec<Found> = starts.iter().filter_map(begun).collect();
        all.push(whole);
        all.extend(self.fit(&first_frames, parameters));
        // The minimum of the given start comes first among equals.
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

    /// Fits the data up to the frame from which rounding separates two runs of the method by more
    /// than the digits of the file, or by more than the noise of the data. Later frames depend on
    /// the order of additions as much as on what varies.
    fn sharp(&self, whole: Found, parameters: &[Parameter]) -> Result<Found, FitError> {
        let Self { runs, precision, proceeds } = *self;
        if !proceeds() {
            return Ok(whole);
        }
        let last = whole.data.last().map_or(0, |datum| datum.frame);
        let [share, rounding] = Quality::rounding(&whole.data, precision);
        let sharp_end = |found: &Found, most: f64| {
            let point: Vec<f64> = found.fitted.estimates.iter().map(|it| it.value).collect();
            runs.sharp_end(&point, share, most).unwrap_or(0)
        };
        let until = |end: u64| {
            let data = &whole.data[..whole.data.partition_point(|datum| datum.frame <= end)];
            let found = self.fit(&runs.with(data), parameters).ok()?;
            Some(Found { blurred: Some(blurred_after(end)), ..found })
        };
        let end = sharp_end(&whole, rounding);
        if end >= last {
            return Ok(whole);
        }
        let Some(sharp) = until(end) else {
            let told = format!("{}, so no interval is given", separates(end));
            return Ok(Found { blurred: Some(told), is_lost: true, ..whole });
        };
        match (sharp.is_fine(), whole.is_fine()) {
            // A wrong model does not fit the beginning either.
            (false, false) => return Ok(whole),
            (false, true) => return Ok(sharp),
            (true, _) => {}
        }
        // Noise hides what rounding does up to its own size.
        let noise = if sharp.quality.has_intervals() { sharp.quality.rms } else { 0.0 };
        let later = sharp_end(&sharp, rounding.max(noise));
        let longer = match later {
            later if later <= end => None,
            later if later >= last => Some(whole),
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

    /// Whether the residuals may be those of another minimum: they are no noise, or more than that
    /// of the data.
    fn is_doubtful(&self) -> bool {
        let is_large = self.quality.noise.is_some_and(|noise| self.quality.rms > DOUBTFUL * noise);
        let has_pattern = self.quality.has_pattern.contains(&true);
        !self.is_fine() || is_large || has_pattern || self.quality.beyond_digits.is_some()
    }

    /// Describes another minimum that is nearly as good as this one.
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
        // Where values make up for each other, equal minima are everywhere, and that is told.
        if !is_near || !is_apart || !own.alike.is_empty() {
            return None;
        }
        let values: Vec<String> =
            pairs().map(|(_, it)| format!("{} = {}", it.name, short(it.value))).collect();
        Some(format!(
            "another minimum is nearly as good: {} leaves an rms residual of {}, and this one {}. \
             The data do not decide, so no interval is given; more frames or more nodes would",
            values.join(", "),
            short(other.fitted.rms),
            short(own.rms)
        ))
    }
}
