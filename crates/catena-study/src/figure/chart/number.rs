//! Numbers in SVG, with fixed decimals and no digits that a renderer does not need.

/// Formats a coordinate with at most two decimals. Infinities and NaN become 0.
pub(super) fn number(value: f64) -> String {
    let value = if value.is_finite() { value.clamp(-1e9, 1e9) } else { 0.0 };
    let hundredths = (value * 100.0).round() as i64;
    let (sign, size) = (if hundredths < 0 { "-" } else { "" }, hundredths.unsigned_abs());
    let (whole, rest) = (size / 100, size % 100);
    match rest {
        0 => format!("{sign}{whole}"),
        _ if rest % 10 == 0 => format!("{sign}{whole}.{}", rest / 10),
        _ => format!("{sign}{whole}.{rest:02}"),
    }
}

/// Formats a factor with six decimals.
pub(super) fn factor(value: f64) -> String {
    if value == 0.0 { "0".into() } else { format!("{value:.6}") }
}
