//! Numbers of an axis with constant differences or ratios.

use super::super::diagnostic::Fault;
use super::super::read::{FromRon, title, whole};
use catena_ron::Node;
use std::fmt;

/// Spacing of numbers between two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spacing {
    /// Constant differences.
    Linear,
    /// Constant ratios.
    Log,
    /// Constant differences, rounded to whole numbers.
    Whole,
    /// Constant ratios, rounded to whole numbers.
    WholeLog,
}

/// Names in scene syntax, with their meanings.
pub const INTERVALS: [(&str, &str); 4] = [
    ("Linear", "Linear(from, to, count): equally spaced; without a count, sampled"),
    ("Log", "Log(from, to, count): logarithmically spaced; without a count, sampled"),
    ("Whole", "Whole(from, to, count): equally spaced, rounded to whole numbers"),
    ("WholeLog", "WholeLog(from, to, count): logarithmically spaced, rounded to whole numbers"),
];

/// Spacing of each name.
const SPACINGS: [(&str, Spacing); 4] = [
    (INTERVALS[0].0, Spacing::Linear),
    (INTERVALS[1].0, Spacing::Log),
    (INTERVALS[2].0, Spacing::Whole),
    (INTERVALS[3].0, Spacing::WholeLog),
];

/// Numbers between two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    spacing: Spacing,
    from: f64,
    to: f64,
}

/// Advice about the arguments of an interval: its ends and the count.
const EXPECTED: &str = "expected Linear(from, to, count), or Linear(from, to) for a sampled axis; \
                        likewise Log, Whole and WholeLog";

/// Maximum integer of an interval; f64 represents all smaller integers exactly.
const MAX_WHOLE: f64 = 1e15;

impl Interval {
    /// Reads `Log(1, 1e4, 32)`, or `Log(1, 1e4)` without a count.
    pub(super) fn read(node: Node<'_>) -> Result<(Self, Option<u64>), Fault> {
        let refused = |message: &str| Fault::with_help(node.bare_span(), message, EXPECTED);
        let (name, place) = title(node).ok_or_else(|| refused("expected a list or an interval"))?;
        let Some((_, spacing)) = SPACINGS.iter().find(|(known, _)| *known == name) else {
            let names = SPACINGS.map(|(name, _)| name);
            return Err(Fault::unknown("interval", name, &names).at(place));
        };
        let all: Vec<Node<'_>> = node.entries().collect();
        if all.iter().any(|child| !child.name().is_empty()) {
            return Err(refused("expected numbers without names"));
        }
        let number = |index: usize| -> Result<f64, Fault> {
            let child = *all.get(index).ok_or_else(|| refused("a number is missing"))?;
            let value = f64::from_ron(child)?;
            let fault = || Fault::new("expected a finite number, at most 1e100");
            let is_fine = value.is_finite() && value.abs() <= 1e100;
            if is_fine { Ok(value) } else { Err(fault().at(child.span())) }
        };
        let (from, to) = (number(0)?, number(1)?);
        let count = |child: &Node<'_>| whole(*child, "the third value, the count", 0);
        let count = all.get(2).map(count).transpose()?;
        if all.len() > 3 {
            return Err(refused("expected only two ends and a count"));
        }
        Self { spacing: *spacing, from, to }.checked(&refused)?;
        if count == Some(0) || (count == Some(1) && from != to) {
            return Err(refused("an interval with different ends needs a count of at least 2"));
        }
        Ok((Self { spacing: *spacing, from, to }, count))
    }

    fn checked(&self, refused: &dyn Fn(&str) -> Fault) -> Result<(), Fault> {
        let Self { spacing, from, to } = *self;
        if self.is_log() && (from <= 0.0 || to <= 0.0) {
            let (name, low) = (self.name(), from.min(to));
            let what = format!("`{name}` needs both ends above 0, but one is {}", written(low));
            let other = if self.is_whole() { "Whole" } else { "Linear" };
            let text = format!("{other}({}, {}, count)", written(from), written(to));
            let help = "a logarithmic interval cannot contain 0; start above 0, or write";
            return Err(refused(&what).help(format!("{help} {text}")));
        }
        let is_whole = |end: f64| end.fract() == 0.0 && end.abs() <= MAX_WHOLE;
        let needs_whole = matches!(spacing, Spacing::Whole | Spacing::WholeLog);
        if needs_whole && !(is_whole(from) && is_whole(to)) {
            return Err(refused("an interval of whole numbers needs whole numbers at both ends"));
        }
        Ok(())
    }

    /// Whether the numbers have constant ratios.
    pub(super) fn is_log(&self) -> bool {
        matches!(self.spacing, Spacing::Log | Spacing::WholeLog)
    }

    /// Returns number `index` of `count`. The first and the last are the ends. Numbers between are
    /// rounded to twelve digits, so that `Log(1, 1000, 4)` gives 1, 10, 100 and 1000.
    pub(super) fn number(&self, index: u64, count: u64) -> f64 {
        let last = count.saturating_sub(1);
        let exact = match index {
            0 => self.from,
            index if index == last => self.to,
            index => round_off(self.between(self.from, self.to, index as f64 / last as f64)),
        };
        if self.is_whole() { libm::round(exact) } else { exact }
    }

    /// Returns the number at the fraction `share` of the interval; `share` is at least 0 and below
    /// 1. For integers, each one covers the part of the interval from itself to the next integer.
    pub(super) fn at(&self, share: f64) -> f64 {
        if !self.is_whole() {
            return self.between(self.from, self.to, share);
        }
        let (low, high) = (self.from.min(self.to), self.from.max(self.to));
        libm::floor(self.between(low, high + 1.0, share)).clamp(low, high)
    }

    /// Whether all numbers are integers of at least 0.
    pub(super) fn counts(&self) -> bool {
        self.is_whole() && self.from.min(self.to) >= 0.0
    }

    /// Returns the name in scene syntax.
    fn name(&self) -> &'static str {
        let named = SPACINGS.iter().find(|(_, spacing)| *spacing == self.spacing);
        named.map_or("", |(name, _)| name)
    }

    /// Returns the interval restricted to integers in scene syntax, with a count if there is one.
    /// Returns `None` if it is already restricted, or an end is not an integer.
    pub(super) fn in_whole(&self, count: Option<u64>) -> Option<String> {
        if self.is_whole() || self.from.fract() != 0.0 || self.to.fract() != 0.0 {
            return None;
        }
        let spacing = if self.is_log() { Spacing::WholeLog } else { Spacing::Whole };
        let text = Self { spacing, ..*self }.to_string();
        let count = count.map(|count| format!(", {count})"));
        Some(count.map_or(text.clone(), |count| text.trim_end_matches(')').to_owned() + &count))
    }

    fn is_whole(&self) -> bool {
        matches!(self.spacing, Spacing::Whole | Spacing::WholeLog)
    }

    fn between(&self, from: f64, to: f64, share: f64) -> f64 {
        if self.is_log() { from * libm::pow(to / from, share) } else { from + (to - from) * share }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({}, {})", self.name(), written(self.from), written(self.to))
    }
}

/// Rounds a number to twelve significant digits.
fn round_off(number: f64) -> f64 {
    format!("{number:.11e}").parse().unwrap_or(number)
}

/// Formats a number in scene syntax. Integers have no decimal point, so that they fit integer
/// fields.
pub(super) fn written(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < MAX_WHOLE {
        format!("{number:.0}")
    } else {
        format!("{number:?}")
    }
}
