//! Precision of printed numbers: their distance from the numbers that a program computed.

use super::Recorded;

/// Maximum number of positions from which the precision is determined.
const MAX_POSITIONS: usize = 100_000;
/// Minimum number of significant digits from which `float` and `double` can be distinguished.
const SINGLE_DIGITS: usize = 8;
/// Unit of the last place of 53 bits, relative to the number.
const EPSILON: f64 = f64::EPSILON;

/// Floating-point type with which a program computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// `float`: all numbers fit into 24 bits.
    Single,
    /// `double`: some numbers need more than 24 bits.
    Double,
    /// Unknown, because numbers have too few digits.
    Unknown,
}

/// Precision of the coordinates in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// Maximum number of significant digits of a coordinate.
    pub digits: usize,
    /// Maximum number of digits after the decimal point.
    pub decimals: i32,
    /// Floating-point type of the numbers before they were printed.
    pub width: Width,
}

/// Returns the number of digits in the shortest text of a number, and the power of ten of the first
/// digit.
fn digits(value: f64) -> (usize, i32) {
    let text = format!("{:e}", value.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let count = mantissa.bytes().filter(u8::is_ascii_digit).count();
    (count, exponent.parse().unwrap_or(0))
}

impl Recorded {
    /// Determines the precision of the coordinates from their digits.
    pub fn precision(&self) -> Precision {
        let all = || {
            let values = self.samples.iter().take(MAX_POSITIONS).flat_map(|sample| sample.place);
            values.filter(|value| *value != 0.0)
        };
        let (mut maximum, mut decimals) = (1, 0);
        for value in all() {
            let (count, first) = digits(value);
            maximum = maximum.max(count);
            decimals = decimals.max(count as i32 - 1 - first);
        }
        // Programs print a float with a fixed number of significant digits, with the shortest
        // unique text, or with a fixed number of decimals. The last has many digits if a motion
        // diverges.
        let after_point = usize::try_from(decimals).unwrap_or_default();
        let is_single = |value: f64| {
            let single = value as f32;
            format!("{:.*e}", maximum.min(17) - 1, f64::from(single)).parse() == Ok(value)
                || format!("{single:e}").parse() == Ok(value)
                || format!("{:.after_point$}", f64::from(single)).parse() == Ok(value)
        };
        let width = match maximum {
            0..SINGLE_DIGITS => Width::Unknown,
            _ if all().all(is_single) => Width::Single,
            _ => Width::Double,
        };
        Precision { digits: maximum, decimals, width }
    }
}

/// Distance from an integer below which the rounding of a logarithm decides its integer part.
const ON_EDGE: f64 = 1e-9;

/// Returns the power of ten of a number's first digit, the same as from [`digits`].
fn first_digit(value: f64) -> i32 {
    let power = libm::log10(value.abs());
    let is_sure = (power - power.round()).abs() > ON_EDGE;
    if is_sure && power.is_finite() { power.floor() as i32 } else { digits(value).1 }
}

impl Precision {
    /// Returns the maximum distance of a printed number from the number before it was printed: half
    /// a unit of its last digit.
    pub fn rounding(&self, value: f64) -> f64 {
        let first = first_digit(value);
        let last = (first + 1 - self.digits as i32).max(-self.decimals);
        let printed = 0.5 * libm::exp10(f64::from(last));
        printed.max(0.5 * EPSILON * value.abs())
    }
}
