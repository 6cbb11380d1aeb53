//! Formats numbers for people.

pub use catena_ron::digits;

/// Formats a number for a sentence, with at most four significant digits.
pub fn short(value: f64) -> String {
    digits(value, 4)
}

/// Formats a number with three to five digits and trailing zeros: 401.20, 0.0312, 1.25e7. The width
/// stays nearly constant from frame to frame.
pub fn tabular(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if size == 0.0 => "0".into(),
        _ if !(1e-3..1e6).contains(&size) => format!("{value:.2e}"),
        _ if size < 1.0 => format!("{value:.4}"),
        _ if size < 10.0 => format!("{value:.3}"),
        _ if size < 1e4 => format!("{value:.2}"),
        _ => format!("{value:.0}"),
    }
}

/// Formats a length for a table column, with about six digits: 0.031250, 401.201, 1.2500e7.
pub fn six_digits(value: f64) -> String {
    match value.abs() {
        size if (1e-3..1.0).contains(&size) => format!("{value:.6}"),
        size if (1.0..10.0).contains(&size) => format!("{value:.5}"),
        size if (10.0..100.0).contains(&size) => format!("{value:.4}"),
        size if (100.0..1e5).contains(&size) => format!("{value:.3}"),
        _ => format!("{value:.4e}"),
    }
}

/// Formats a percentage with its sign but without `%`: +0.1250, -1.5e4. A value that rounds to zero
/// has no sign.
pub fn signed_percent(percent: f64) -> String {
    match percent {
        _ if percent.abs() < 5e-5 => "0.0000".into(),
        _ if percent.abs() < 1e3 => format!("{percent:+.4}"),
        _ => format!("{percent:+.1e}"),
    }
}

/// Formats a part of a whole in percent, with up to three decimals. Rounding never gives 0 % or 100
/// % for a true part: `less than 0.001%`, `more than 99.9%`.
pub fn percent(part: u64, whole: u64) -> String {
    let value = part as f64 * 100.0 / whole.max(1) as f64;
    let digits = if value >= 10.0 { 1 } else { 3 };
    match without_zeros(&format!("{value:.digits$}")) {
        "0" if part > 0 => "less than 0.001%".into(),
        "100" if part < whole => "more than 99.9%".into(),
        text => format!("{text}%"),
    }
}

/// Removes trailing zeros from a decimal fraction, and the decimal point if no digit follows it.
pub fn without_zeros(decimal: &str) -> &str {
    decimal.trim_end_matches('0').trim_end_matches('.')
}

/// Formats a count: in full below ten million, otherwise with three digits and a power of ten.
pub fn count(value: u128) -> String {
    if value < 10_000_000 { value.to_string() } else { format!("{:.2e}", value as f64) }
}

/// Formats a count with its noun, in the plural unless the count is 1: `1 substep`, `2 substeps`.
pub fn counted(count: u64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

/// Formats a size in bytes, KiB, MiB, GiB or TiB.
pub fn bytes(count: u128) -> String {
    bytes_with(count, 0).text
}

/// Formats a duration in nanoseconds as seconds, minutes, hours, days or years.
pub fn duration(nanoseconds: u128) -> String {
    duration_with(nanoseconds, 0).text
}

/// Formats two sizes with enough digits to tell them apart: `1.02 GiB` and `1.00 GiB`.
pub fn compared_bytes(pair: [u128; 2]) -> [String; 2] {
    told_apart(pair, bytes_with)
}

/// Formats two durations with enough digits to tell them apart: `1.02 minutes` and `1 minute`.
pub fn compared_durations(pair: [u128; 2]) -> [String; 2] {
    told_apart(pair, duration_with)
}

/// Text of an amount, and the amount that the text states.
struct Rounded {
    text: String,
    value: f64,
}

/// Maximum number of further digits that a comparison may take.
const MAX_FURTHER: usize = 12;

/// Formats two amounts with the fewest further digits whose values have the order of the amounts.
fn told_apart(pair: [u128; 2], format: impl Fn(u128, usize) -> Rounded) -> [String; 2] {
    let wanted = pair[0].cmp(&pair[1]);
    let at = |further: usize| pair.map(|amount| format(amount, further));
    let is_clear = |[a, b]: &[Rounded; 2]| a.value.total_cmp(&b.value) == wanted;
    let found = (0..MAX_FURTHER).map(at).find(is_clear);
    found.unwrap_or_else(|| at(MAX_FURTHER)).map(|rounded| rounded.text)
}

/// Formats a size with further decimals.
fn bytes_with(count: u128, further: usize) -> Rounded {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let (mut value, mut unit, mut factor) = (count as f64, 0, 1.0);
    while value >= 1024.0 && unit + 1 < units.len() {
        (value, unit, factor) = (value / 1024.0, unit + 1, factor * 1024.0);
    }
    if unit == 0 {
        return Rounded { text: format!("{count} bytes"), value: count as f64 };
    }
    let number = format!("{value:.*}", 1 + further);
    Rounded { value: stated(&number) * factor, text: format!("{number} {}", units[unit]) }
}

/// Formats a duration with further digits.
fn duration_with(nanoseconds: u128, further: usize) -> Rounded {
    let units = [
        ("second", 1_000_000_000),
        ("minute", 60_000_000_000),
        ("hour", 3_600_000_000_000),
        ("day", 86_400_000_000_000),
        ("year", 31_557_600_000_000_000),
    ];
    let found = units.iter().rev().find(|(_, length)| nanoseconds >= *length);
    let Some((unit, length)) = found else {
        let number = digits(1e-9 * nanoseconds as f64, 2 + further);
        return Rounded { value: stated(&number) * 1e9, text: format!("{number} seconds") };
    };
    let count = nanoseconds as f64 / *length as f64;
    let number = match (nanoseconds == *length, count < 9.95) {
        (true, _) => "1".into(),
        (_, true) => format!("{count:.*}", 1 + further),
        (_, false) if count < 1e7 => format!("{count:.further$}"),
        _ => format!("{count:.*e}", 1 + further),
    };
    let plural = if number == "1" { "" } else { "s" };
    Rounded { value: stated(&number) * *length as f64, text: format!("{number} {unit}{plural}") }
}

/// Returns the value of a formatted number.
fn stated(number: &str) -> f64 {
    number.parse().unwrap_or(f64::NAN)
}
