//! Numbers in readable form.

/// Formats a number with at most `count` significant digits and no trailing zeros. Numbers below
/// 1e-4 or from 1e6 on get a power of ten.
pub fn digits(value: f64, count: usize) -> String {
    let text = format!("{value:.*e}", count.saturating_sub(1));
    let Ok(rounded) = text.parse::<f64>() else { return text };
    let is_plain = !rounded.is_finite() || rounded == 0.0 || PLAIN.contains(&rounded.abs());
    if is_plain { format!("{rounded}") } else { format!("{rounded:e}") }
}

/// Range of magnitudes that are written without a power of ten.
const PLAIN: std::ops::Range<f64> = 1e-4..1e6;
