//! Ticks at round numbers, and their labels. Unlike numbers in sentences, labels have a true minus
//! sign, and their common factor is written once per axis.

use crate::figure::chart::axis::Scale;
use crate::figure::chart::span::AxisSpan;
use catena_base::text::round::{decimal, round_step};

/// Ticks of an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ticks {
    /// Ticks with a label.
    pub major: Vec<Tick>,
    /// Positions of ticks without a label along the axis, from 0 to 1.
    pub minor: Vec<f64>,
    /// Common factor and summand of all labels, such as "×10⁻³" or "+ 1000".
    pub factor: Option<String>,
}

/// Tick with a label.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Value: the number nearest to its decimal digits.
    pub value: f64,
    /// Position along the axis, from 0 to 1.
    pub share: f64,
    /// Label without the common factor.
    pub label: String,
}

/// Ticks of a span: at most `maximum`, or at most two if `maximum` is smaller.
pub fn ticks(span: &AxisSpan, maximum: usize) -> Ticks {
    let maximum = maximum.max(2) as f64;
    match span.scale {
        Scale::Linear => linear(span.range(), maximum, |value| span.share_of(value)),
        Scale::Log => logarithmic(span, maximum),
        Scale::SymLog(decade) => of_both_signs(span, decade, maximum),
    }
}

/// Ticks of an axis of names, each in the middle of its unit, at every `step`-th name from the
/// first.
pub fn named(span: &AxisSpan, names: &[String], step: usize) -> Ticks {
    let tick = |(index, name): (usize, &String)| {
        let value = index as f64 + 0.5;
        Tick { value, share: span.share_of(value), label: name.clone() }
    };
    let shown = names.iter().enumerate().step_by(step.max(1));
    Ticks { major: shown.map(tick).collect(), ..Ticks::default() }
}

fn linear([low, high]: [f64; 2], maximum: f64, share: impl Fn(f64) -> f64) -> Ticks {
    let (mantissa, exponent) = round_step(high - low, maximum as i64);
    let step = decimal(mantissa, exponent);
    let [first, last] = [(low / step - 1e-6).ceil(), (high / step + 1e-6).floor()];
    if !(first.abs() < 1e14 && last.abs() < 1e14) {
        return Ticks::default();
    }
    let digits: Vec<i64> = (first as i64..=last as i64).map(|n| n * mantissa).collect();
    let (labels, factor) = labels_and_factor(&digits, exponent);
    let tick = |(digits, label): (&i64, String)| {
        let value = decimal(*digits, exponent);
        Tick { value, share: share(value).clamp(0.0, 1.0), label }
    };
    Ticks { major: digits.iter().zip(labels).map(tick).collect(), minor: Vec::new(), factor }
}

/// Labels of numbers with a common exponent, and their common factor.
fn labels_and_factor(digits: &[i64], exponent: i32) -> (Vec<String>, Option<String>) {
    let maximum = digits.iter().map(|digits| digits.abs()).max().unwrap_or(0);
    let (Some(&first), Some(&last)) = (digits.first(), digits.last()) else {
        return (Vec::new(), None);
    };
    // Numbers with the same leading digits are written as differences from a base with those
    // digits.
    let base = if maximum >= 100_000 {
        let mut unit = 10;
        while unit <= last - first {
            unit *= 10;
        }
        first.div_euclid(unit) * unit
    } else {
        0
    };
    let maximum = digits.iter().map(|digits| (digits - base).abs()).max().unwrap_or(0);
    let size = exponent + maximum.max(1).ilog10() as i32;
    let common = if (-3..5).contains(&size) { 0 } else { 3 * size.div_euclid(3) };
    let label = |digits: &i64| plain(digits - base, exponent - common);
    let factor = match (common, base) {
        (0, 0) => None,
        (0, _) => Some(summand(base, exponent)),
        (_, 0) => Some(format!("×{}", power_of_ten(common))),
        _ => Some(format!("×{} {}", power_of_ten(common), summand(base, exponent))),
    };
    (digits.iter().map(label).collect(), factor)
}

/// Formats `digits` times a power of ten, without an exponent.
fn plain(digits: i64, exponent: i32) -> String {
    let sign = if digits < 0 { "−" } else { "" };
    let size = digits.unsigned_abs();
    match (size, exponent) {
        (0, _) => "0".into(),
        (_, 0..) => format!("{sign}{size}{}", "0".repeat(exponent as usize)),
        _ => {
            let places = exponent.unsigned_abs() as usize;
            let text = format!("{size:0>width$}", width = places + 1);
            let (whole, rest) = text.split_at(text.len() - places);
            format!("{sign}{whole}.{rest}")
        }
    }
}

/// Formats a summand with its sign. A long one becomes a mantissa times a power of ten.
fn summand(digits: i64, exponent: i32) -> String {
    let sign = if digits < 0 { "−" } else { "+" };
    let mut size = digits.abs();
    let mut exponent = exponent;
    while size != 0 && size % 10 == 0 {
        size /= 10;
        exponent += 1;
    }
    let length = size.max(1).ilog10() as i32;
    let text = if (-9..7).contains(&exponent) && (-4..7).contains(&(length + exponent)) {
        plain(size, exponent)
    } else {
        format!("{}×{}", plain(size, -length), power_of_ten(exponent + length))
    };
    format!("{sign} {text}")
}

/// Formats a power of ten with a superscript exponent.
fn power_of_ten(exponent: i32) -> String {
    let raise = |digit: char| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4'..='9' => char::from_u32('⁴' as u32 + digit as u32 - '4' as u32).unwrap_or('⁰'),
        _ => '⁰',
    };
    format!("10{}", exponent.to_string().chars().map(raise).collect::<String>())
}

/// Ticks at 0 and at evenly spaced powers of ten of both signs. Each side that reaches its first
/// power of ten has at least one tick, however short the side is.
fn of_both_signs(span: &AxisSpan, decade: i32, maximum: f64) -> Ticks {
    let [low, high] = span.range();
    let middle = span.share_of(0.0);
    let inside = |sign: i64, exponent: i32| {
        let value = decimal(sign, exponent);
        let share = span.share(value).filter(|share| (-1e-9..=1.0 + 1e-9).contains(share))?;
        // The first power of ten is less than a decade from 0, and both labels need space.
        if sign != 0 && (share - middle).abs() < 0.45 / maximum {
            return None;
        }
        let sign = if sign < 0 { "−" } else { "" };
        Some(Tick { value, share, label: format!("{sign}{}", power_of_ten(exponent)) })
    };
    // Largest power of ten of a side within the axis.
    let farthest = |sign: i64, reach: f64| {
        let top = reach.max(0.0).ceil() as i32 + decade;
        (decade..=top).rev().find(|exponent| inside(sign, *exponent).is_some())
    };
    let [below, above] = [farthest(-1, -low), farthest(1, high)];
    let Some(top) = below.max(above) else {
        let zero = inside(0, 0).map(|tick| Tick { label: "0".into(), ..tick });
        return Ticks { major: zero.into_iter().collect(), minor: Vec::new(), factor: None };
    };
    let every = |step: usize| -> Vec<Tick> {
        let powers: Vec<i32> = (decade..=top).rev().step_by(step).collect();
        // Powers of the longer side, or the largest power of a side that contains none of them.
        let side = |sign: i64, farthest: Option<i32>| -> Vec<Tick> {
            let common: Vec<Tick> =
                powers.iter().filter_map(|exponent| inside(sign, *exponent)).collect();
            if common.is_empty() {
                return farthest.and_then(|exponent| inside(sign, exponent)).into_iter().collect();
            }
            common
        };
        let zero = inside(0, 0).map(|tick| Tick { label: "0".into(), ..tick });
        let below = side(-1, below).into_iter();
        below.chain(zero).chain(side(1, above).into_iter().rev()).collect()
    };
    let steps = (1..=top.saturating_sub(decade).max(1) as usize + 1).map(every);
    let major = steps.into_iter().find(|ticks| ticks.len() as f64 <= maximum).unwrap_or_default();
    Ticks { major, minor: Vec::new(), factor: None }
}

fn logarithmic(span: &AxisSpan, maximum: f64) -> Ticks {
    let [low, high] = span.range();
    let length = high - low;
    let inside = |mantissas: &[i64]| -> Vec<(i64, i32)> {
        let decades = low.floor() as i32..=high.floor() as i32;
        let all = decades.flat_map(|k| mantissas.iter().map(move |m| (*m, k)));
        let place = |(m, k): &(i64, i32)| f64::from(*k) + libm::log10(*m as f64);
        all.filter(|tick| (low - 1e-9..=high + 1e-9).contains(&place(tick))).collect()
    };
    let place = |(m, k): &(i64, i32)| span.share_of(f64::from(*k) + libm::log10(*m as f64));
    let minor = |ticks: &[(i64, i32)]| ticks.iter().map(place).collect::<Vec<f64>>();
    let fits = |ticks: &[(i64, i32)]| (2..=maximum as usize).contains(&ticks.len());
    let (major, minor) = if length < 2.0 {
        // Within two decades: ticks at 1, 2 and 5, at all mantissas, at 1 and 3, or as on a linear
        // axis.
        let all = minor(&inside(&[2, 3, 4, 5, 6, 7, 8, 9]));
        let choices = [inside(&[1, 2, 5]), inside(&[1, 2, 3, 4, 5, 6, 7, 8, 9]), inside(&[1, 3])];
        match choices.into_iter().find(|ticks| fits(ticks) && (length > 0.3 || ticks.len() > 3)) {
            Some(major) => (major, all),
            None if length < 1.0 => {
                let bounds = [low, high].map(|end| libm::pow(10.0, end));
                return linear(bounds, maximum, |value| span.share_of(libm::log10(value)));
            }
            None => (inside(&[1]), all),
        }
    } else {
        let step = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200];
        let step = step.into_iter().find(|step| length / f64::from(*step) < maximum).unwrap_or(200);
        let decades = inside(&[1]);
        let major = decades.iter().filter(|(_, k)| k.rem_euclid(step) == 0).copied().collect();
        let between = inside(&[2, 3, 4, 5, 6, 7, 8, 9]);
        let minor = match step {
            1 if length <= 7.0 => minor(&between),
            1 => Vec::new(),
            _ if length <= 60.0 => minor(&decades),
            _ => Vec::new(),
        };
        (major, minor)
    };
    let is_plain = major.iter().all(|(_, k)| (-2..=3).contains(k));
    let tick = |tick: &(i64, i32)| {
        let (mantissa, exponent) = *tick;
        let label = match mantissa {
            _ if is_plain => plain(mantissa, exponent),
            1 => power_of_ten(exponent),
            _ => format!("{mantissa}×{}", power_of_ten(exponent)),
        };
        Tick { value: decimal(mantissa, exponent), share: place(tick), label }
    };
    Ticks { major: major.iter().map(tick).collect(), minor, factor: None }
}
