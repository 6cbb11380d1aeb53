//! Round numbers, for the ticks of axes and scales.

/// Smallest step of 1, 2 or 5 times a power of ten that divides a length into at most `maximum`
/// parts, as mantissa and exponent.
pub fn round_step(length: f64, maximum: i64) -> (i64, i32) {
    let raw = length / maximum as f64;
    let exponent = libm::log10(raw.max(f64::MIN_POSITIVE)).floor() as i32;
    let fits = |(mantissa, exponent): &(i64, i32)| {
        *mantissa as f64 * power(*exponent) * maximum as f64 >= length * (1.0 - 1e-9)
    };
    [(1, exponent), (2, exponent), (5, exponent)]
        .into_iter()
        .find(fits)
        .unwrap_or((1, exponent + 1))
}

/// Ten to an integer power, correctly rounded.
pub fn power(exponent: i32) -> f64 {
    decimal(1, exponent)
}

/// Nearest `f64` to `digits` times a power of ten.
pub fn decimal(digits: i64, exponent: i32) -> f64 {
    format!("{digits}e{exponent}").parse().unwrap_or(0.0)
}
