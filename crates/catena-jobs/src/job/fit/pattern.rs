//! Patterns of residuals in time, which show that a model lacks something that the data have.

use super::Datum;
use catena_scene::recorded::Precision;
use std::collections::BTreeMap;

/// Correlation of successive residuals above which they have a pattern.
const CORRELATION: f64 = 0.3;
/// Correlation above which residuals have a pattern, in standard deviations of random residuals.
const DEVIATIONS: f64 = 3.5;
/// Root mean square of the residuals, as a multiple of the rounding of the file, below which a
/// pattern is that of printed digits.
const ROUNDINGS: f64 = 10.0;
/// Root mean square of the residuals, as a share of the largest coordinate, below which a pattern
/// comes from rounding.
const ROUNDED: f64 = 1e-9;

/// Whether residuals follow each other in time more than chance allows, and are far larger than
/// the digits of the file explain.
pub(super) fn has_pattern(data: &[Datum], places: &[[f64; 3]], of_file: &Precision) -> bool {
    let mut previous: BTreeMap<usize, [f64; 3]> = BTreeMap::new();
    let (mut products, mut squared_products) = (0.0, 0.0);
    let (mut squares, mut count, mut largest) = (0.0, 0.0, 0.0_f64);
    for (datum, place) in data.iter().zip(places) {
        let residual = [0, 1, 2].map(|k| place[k] - datum.place[k]);
        let before = previous.insert(datum.node, residual);
        for k in 0..3 {
            largest = largest.max(datum.place[k].abs());
            // Coordinates that agree exactly, such as those of pins, say nothing.
            if residual[k] != 0.0 {
                squares += residual[k] * residual[k];
                count += 1.0;
            }
            let product = before.map_or(0.0, |before| before[k] * residual[k]);
            products += product;
            squared_products += product * product;
        }
    }
    if count == 0.0 || squared_products == 0.0 {
        return false;
    }
    let rms = f64::sqrt(squares / count);
    let explained = (ROUNDINGS * of_file.rounding(largest)).max(ROUNDED * largest);
    rms > explained
        && products > CORRELATION * squares
        && products > DEVIATIONS * f64::sqrt(squared_products)
}
