//! Quality of a fit: whether the residuals are noise, or show that the model does not fit.
//!
//! The data themselves show their noise: differences of successive positions remove a smooth motion
//! and leave the noise (Hall, Kay and Titterington 1990). Residuals far above this noise show a
//! wrong model. So do residuals that are correlated in time or between neighbouring nodes.

use super::Datum;
use crate::job::fit::runs::evenly;
use catena_base::text::number::short;
use catena_scene::recorded::{Precision, Width};
use std::collections::BTreeMap;

/// Correlation of neighbouring residuals above which they have a pattern.
const CORRELATION: f64 = 0.3;
/// Correlation above which residuals with a pattern are not noise.
const NO_NOISE: f64 = 0.6;
/// Minimum correlation of a pattern, in standard deviations of the correlation of random residuals.
const DEVIATIONS: f64 = 3.5;
/// Maximum root mean square of residuals that are noise, as a multiple of the noise of the data.
const NOISES: f64 = 2.0;
/// Root mean square of the residuals, as a multiple of the rounding of the file, below which a
/// pattern comes from the printed digits.
const ROUNDINGS: f64 = 10.0;
/// Root mean square of the residuals, as a share of the largest coordinate, below which a pattern
/// comes from the rounding of a `double`. This rounding grows with the motion.
pub(in crate::job) const ROUNDED: f64 = 1e-9;
/// Share of the largest coordinate below which a pattern comes from the rounding of a `float`.
pub(in crate::job) const ROUNDED_SINGLE: f64 = 1e-5;
/// Excess of the squared residuals over the rounding of the digits that shows another cause, in
/// standard deviations of the mean square of rounding.
const BEYOND: f64 = 5.0;
/// Variance of the square of a number that is uniformly distributed around 0, over the squared mean
/// of that square.
const SPREAD_OF_EVEN: f64 = 0.8;
/// Root mean square of noise of one unit in the last digit, as a multiple of the rounding of this
/// digit: the root of 12. Measured data have at least as many digits as their noise justifies.
const MEASURED: f64 = 3.464_101_615_137_754_4;
/// Minimum share that differences leave of correlated noise, whose correlation is at most
/// [`NO_NOISE`]. They leave less of a smooth pattern.
const LEFT_OF_NOISE: f64 = 0.5;
/// Maximum number of frames between two residuals whose product is summed.
const LAGS: usize = 4;
/// Sum of products of residuals, in its standard deviations, beyond which they are not independent.
/// About one of several thousand independent series exceeds it.
const DEPENDENT: f64 = 4.0;
/// Minimum number of differences for an estimate of the noise.
const MIN_DIFFERENCES: f64 = 8.0;
/// Coefficients of differences. Each leaves the noise times the root of the sum of their squares.
const DIFFERENCES: [&[f64]; 3] =
    [&[1.0, -2.0, 1.0], &[1.0, -3.0, 3.0, -1.0], &[1.0, -4.0, 6.0, -4.0, 1.0]];

/// Comparison of the residuals of a fit with the noise of its data.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// Root mean square of the residuals that are not exactly 0.
    pub rms: f64,
    /// Noise of the data, but at least the rounding of their digits. `None` if there are too few
    /// frames or they are not evenly spaced.
    pub noise: Option<f64>,
    /// Ratio of the root mean square of the residuals to the root mean square of the rounding of
    /// printed digits. `None` if the digits or independent noise explain the residuals.
    pub beyond_digits: Option<f64>,
    /// Whether the residuals come from the rounding of a `double` in the run, which is not noise of
    /// the data.
    pub is_rounding: bool,
    /// Correlation of successive residuals in time.
    pub in_time: f64,
    /// Correlation of residuals of neighbouring nodes.
    pub from_node_to_node: f64,
    /// Whether residuals are correlated in time, and between neighbouring nodes, more than chance
    /// allows.
    pub has_pattern: [bool; 2],
}

impl Quality {
    /// Compares the residuals with the data, by node and frame. `grown` returns the distance that
    /// rounding of a `double` causes in the run, if known.
    pub(super) fn of(
        data: &[Datum],
        places: &[[f64; 3]],
        of_file: &Precision,
        grown: impl FnOnce() -> Option<f64>,
    ) -> Self {
        let sums = Sums::of(data, places, of_file);
        let Sums { squares, count, largest, of_digits, series, time, nodes, lags } = &sums;
        let (squares, count, largest) = (*squares, *count, *largest);
        let rms = if count > 0.0 { f64::sqrt(squares / count) } else { 0.0 };
        let rounding = of_file.rounding(largest);
        let of_digits = f64::sqrt(*of_digits / f64::max(count, 1.0));
        let rounded = match of_file.width {
            Width::Single => ROUNDED_SINGLE * largest,
            // Larger residuals exceed rounding and smaller ones are within the digits, so `grown`
            // is not needed.
            _ if rms > ROUNDED * largest || rms <= of_digits => ROUNDED * largest,
            _ => grown().map_or(ROUNDED * largest, |grown| grown.min(ROUNDED * largest)),
        };
        let is_beyond_digits = rms > rounded.max(ROUNDINGS * rounding);
        let noise = noise(series.values(), |it| it.value).map(|noise| noise.max(rounding));
        let explained = of_digits.max(rounded.min(ROUNDED * largest));
        let maximum =
            explained * f64::sqrt(1.0 + BEYOND * f64::sqrt(SPREAD_OF_EVEN / count.max(1.0)));
        let is_noise = || {
            let is_left =
                || noise_left(series.values()).is_some_and(|left| left > LEFT_OF_NOISE * rms);
            // Below the rounding of a float, a pattern may come from a program that uses floats.
            rms > MEASURED * of_digits
                && (!lags.iter().chain([nodes]).any(Products::are_dependent)
                    || (rms > ROUNDED_SINGLE * largest
                        && is_correlated_noise([time, nodes], squares, is_left)))
        };
        let is_unexplained = rms > maximum && !is_noise();
        Self {
            rms,
            beyond_digits: is_unexplained.then(|| rms / explained),
            noise,
            is_rounding: of_file.width != Width::Single && rms > of_digits && rms <= rounded,
            in_time: time.correlation(squares),
            from_node_to_node: nodes.correlation(squares),
            has_pattern: [time, nodes].map(|it| is_beyond_digits && it.is_pattern(squares)),
        }
        .without_digits(is_beyond_digits)
    }

    /// Returns the relative rounding of a number, and the distance below which rounding of the
    /// motion is invisible in a file.
    pub(super) fn rounding(data: &[Datum], of_file: &Precision) -> [f64; 2] {
        let places = data.iter().flat_map(|datum| datum.place);
        let largest = places.fold(0.0, |maximum: f64, value| maximum.max(value.abs()));
        let (share, rounded) = match of_file.width {
            Width::Single => (f64::from(f32::EPSILON), ROUNDED_SINGLE),
            Width::Double | Width::Unknown => (f64::EPSILON, ROUNDED),
        };
        [share, of_file.rounding(largest).max(rounded * largest)]
    }

    /// Removes a noise estimate that would make residuals within the digits of the file look large.
    fn without_digits(self, is_beyond_digits: bool) -> Self {
        let noise = self.noise.filter(|_| is_beyond_digits);
        Self { noise, ..self }
    }

    /// Whether the residuals are noise, as far as the data show.
    pub fn fits(&self) -> bool {
        let is_large = self.noise.is_some_and(|noise| self.rms > NOISES * noise);
        let correlations = [self.in_time, self.from_node_to_node];
        let mut patterns = self.has_pattern.into_iter().zip(correlations);
        !is_large && !patterns.any(|(is_one, correlation)| is_one && correlation > NO_NOISE)
    }

    /// Factor by which correlated residuals widen intervals: they carry as much information as
    /// fewer independent residuals.
    pub fn widening(&self) -> f64 {
        let correlations = [self.in_time, self.from_node_to_node];
        let patterns = self.has_pattern.into_iter().zip(correlations).filter(|(is_one, _)| *is_one);
        patterns.map(|(_, it)| f64::sqrt((1.0 + it) / (1.0 - it).max(0.01))).product()
    }

    /// Whether intervals can be computed: the residuals are independent noise, or noise with a
    /// known correlation.
    pub fn has_intervals(&self) -> bool {
        self.fits() && self.beyond_digits.is_none()
    }

    /// Describes residuals that pass [`Self::fits`] although neither printed digits nor independent
    /// noise explains them. `None` for all others.
    pub fn digits_remark(&self) -> Option<String> {
        let times = self.beyond_digits.filter(|_| self.fits())?;
        Some(format!(
            "the residual is {} times the rounding of the printed digits, and it is not independent \
             noise: another number of substeps, a missing force or a float leaves such a residual. \
             The estimates compensate for it, so no interval is given; `catena identify` tries \
             other substeps",
            short(times)
        ))
    }

    /// Describes residuals that are not noise, or that are correlated noise.
    pub fn residual_remark(&self) -> Option<String> {
        let [in_time, of_nodes] = self.has_pattern;
        let mut signs = Vec::new();
        if let Some(noise) = self.noise.filter(|noise| self.rms > NOISES * noise) {
            let times = short(self.rms / noise);
            let (rms, noise) = (short(self.rms), short(noise));
            signs.push(format!("their rms {rms} is {times} times the noise of the data, {noise}"));
        }
        if in_time {
            let how = short(self.in_time);
            signs.push(format!("successive residuals are correlated ({how})"));
        }
        if of_nodes {
            let how = short(self.from_node_to_node);
            signs.push(format!("residuals of neighbouring nodes are correlated ({how})"));
        }
        if signs.is_empty() {
            return None;
        }
        let signs = signs.join(", and ");
        Some(match self.fits() {
            true => format!(
                "the residuals are correlated: {signs}; intervals are {} times as wide as without \
                 correlation",
                short(self.widening())
            ),
            false => format!(
                "the model does not fit the data: the residuals are not noise, since {signs}; no \
                 interval is given, and the estimates are those of the nearest wrong model; \
                 docs/slips.md lists what programs often do differently"
            ),
        })
    }
}

/// Sums over the residuals.
#[derive(Default)]
struct Sums {
    /// Sum of the squares of the residuals that are not exactly 0.
    squares: f64,
    /// Number of residuals that are not exactly 0.
    count: f64,
    /// Largest coordinate of the data.
    largest: f64,
    /// Sum of the mean squared rounding errors of the coordinates.
    of_digits: f64,
    /// Residuals by node and axis.
    series: BTreeMap<(usize, usize), Series>,
    /// Products of successive residuals in time.
    time: Products,
    /// Products of residuals of neighbouring nodes.
    nodes: Products,
    /// Products of residuals by the number of frames between them.
    lags: [Products; LAGS],
}

impl Sums {
    fn of(data: &[Datum], places: &[[f64; 3]], of_file: &Precision) -> Self {
        let mut all = Self::default();
        let mut neighbour: Option<(&Datum, [f64; 3])> = None;
        for (datum, place) in data.iter().zip(places) {
            let residual = [0, 1, 2].map(|k| place[k] - datum.place[k]);
            if let Some((other, before)) = neighbour.replace((datum, residual))
                && other.frame == datum.frame
                && other.node + 1 == datum.node
            {
                (0..3).for_each(|k| all.nodes.add(before[k], residual[k]));
            }
            for (axis, (value, residual)) in datum.place.into_iter().zip(residual).enumerate() {
                all.largest = all.largest.max(value.abs());
                // Coordinates that agree exactly, such as coordinates of pins, carry no
                // information.
                if residual != 0.0 {
                    all.squares += residual * residual;
                    all.of_digits += evenly(of_file.rounding(value));
                    all.count += 1.0;
                }
                let own = all.series.entry((datum.node, axis)).or_default();
                all.time.add(own.last().map_or(0.0, |last| last.residual), residual);
                for (lag, before) in all.lags.iter_mut().zip(own.iter().rev()) {
                    lag.add(before.residual, residual);
                }
                own.push(FrameMoment { frame: datum.frame, value, residual });
            }
        }
        all
    }
}

/// Sum of the products of neighbouring residuals.
#[derive(Clone, Copy, Default)]
struct Products {
    sum: f64,
    squares: f64,
    count: f64,
}

impl Products {
    fn add(&mut self, before: f64, residual: f64) {
        let product = before * residual;
        self.sum += product;
        self.squares += product * product;
        self.count += 1.0;
    }

    fn correlation(&self, squares: f64) -> f64 {
        if squares > 0.0 { (self.sum / squares).clamp(-1.0, 1.0) } else { 0.0 }
    }

    /// Whether the residuals depend on each other: random signs would give a smaller sum.
    fn are_dependent(&self) -> bool {
        self.sum.abs() > DEPENDENT * f64::sqrt(self.squares)
    }

    fn is_pattern(&self, squares: f64) -> bool {
        self.squares > 0.0
            && self.correlation(squares) > CORRELATION
            && self.sum > DEVIATIONS * f64::sqrt(self.squares)
    }
}

/// One coordinate of a node in a frame.
#[derive(Clone, Copy, Debug)]
struct FrameMoment {
    frame: u64,
    value: f64,
    residual: f64,
}

/// One coordinate of a node over time.
type Series = Vec<FrameMoment>;

/// Whether residuals are noise whose correlation widens intervals: neighbours are correlated, and
/// differences leave as large a share as they leave of such noise.
fn is_correlated_noise(
    products: [&Products; 2],
    squares: f64,
    is_left: impl FnOnce() -> bool,
) -> bool {
    let patterns = || products.iter().filter(|it| it.is_pattern(squares));
    patterns().next().is_some()
        && patterns().all(|it| it.correlation(squares) <= NO_NOISE)
        && is_left()
}

/// Noise of the residuals, estimated from their differences.
fn noise_left<'a>(series: impl Iterator<Item = &'a Series> + Clone) -> Option<f64> {
    noise(series, |it| it.residual)
}

/// Noise of evenly spaced data: the minimum estimate over all orders of differences. Series whose
/// residuals are all 0, such as the series of pins, are skipped.
fn noise<'a>(
    series: impl Iterator<Item = &'a Series> + Clone,
    number: impl Fn(&FrameMoment) -> f64,
) -> Option<f64> {
    let of_order = |coefficients: &&[f64]| {
        let weight: f64 = coefficients.iter().map(|it| it * it).sum();
        let (mut squares, mut count) = (0.0, 0.0);
        let moving = series.clone().filter(|own| own.iter().any(|it| it.residual != 0.0));
        for window in moving.flat_map(|own| own.windows(coefficients.len())) {
            let step = window[1].frame - window[0].frame;
            if window.windows(2).all(|pair| pair[1].frame - pair[0].frame == step) {
                let values = window.iter().zip(*coefficients);
                let difference: f64 = values.map(|(it, by)| by * number(it)).sum();
                squares += difference * difference / weight;
                count += 1.0;
            }
        }
        (count >= MIN_DIFFERENCES).then(|| f64::sqrt(squares / count))
    };
    DIFFERENCES.iter().filter_map(of_order).min_by(f64::total_cmp)
}
