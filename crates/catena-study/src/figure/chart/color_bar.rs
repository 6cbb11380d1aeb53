//! Colour bar of a figure: the colours of a quantity, with ticks at round numbers.

use super::path::{Point, number};
use super::svg::{PageInk, SvgWriter, TextLine};
use super::ticks::{Ticks, ticks};
use super::typeface::Typeface;
use crate::figure::chart::axis::Scale;
use crate::figure::chart::span::{AxisSpan, span_of};
use crate::figure::chart::text_sizes::{LINE, SMALL};
use catena_draw::{text::Align, theme::Ink};

/// Height of the coloured bar, in pixels.
const HEIGHT: f64 = 10.0;
/// Length of a major tick, in pixels. Minor ticks have half of this length.
const TICK: f64 = 4.0;

/// Maximum width of the bar in pixels.
const WIDEST: f64 = 340.0;

/// Minimum distance between ticks, in pixels.
const TICK_ROOM: f64 = 44.0;

/// Colours of a quantity, which all plots of a figure share.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorBar {
    /// Quantity with its unit.
    pub label: String,
    /// Ends of the bar, at round numbers.
    pub span: AxisSpan,
    /// Colours from the lower end to the upper one.
    pub inks: Vec<Ink>,
    /// Whether the quantity is a number of things, which has no fractions.
    pub is_whole: bool,
}

impl ColorBar {
    /// Creates a bar for values between two ends, which are extended to round numbers.
    pub fn new(label: String, scale: Scale, range: [f64; 2], inks: Vec<Ink>) -> Self {
        Self { label, span: span_of(scale, range), inks, is_whole: false }
    }

    /// Index of the colour of a value; `None` for values without a place on the bar.
    pub fn place(&self, value: f64) -> Option<usize> {
        let share = self.span.share(value).filter(|share| share.is_finite())?;
        let last = self.inks.len().checked_sub(1)?;
        Some(((share.max(0.0) * self.inks.len() as f64) as usize).min(last))
    }

    /// Lowest and highest value of a colour.
    pub fn values_of(&self, index: usize) -> [f64; 2] {
        let count = self.inks.len().max(1) as f64;
        [index, index + 1].map(|edge| self.span.value_at(edge as f64 / count))
    }

    /// Ticks of a bar of a width in pixels.
    fn ticks(&self, width: f64, typeface: &Typeface) -> Ticks {
        let maximum = (width / TICK_ROOM).max(2.0) as usize;
        let [low, high] = self.span.range();
        // Steps below 1 would have fractions.
        let is_fine = self.is_whole && self.span.scale == Scale::Linear;
        let maximum =
            if is_fine { maximum.min((high - low).floor().max(2.0) as usize) } else { maximum };
        let fits = |ticks: &Ticks| {
            let mut places: Vec<(f64, f64)> = ticks
                .major
                .iter()
                .map(|tick| (tick.share * width, typeface.width(&tick.label, SMALL)))
                .collect();
            places.sort_by(|a, b| a.0.total_cmp(&b.0));
            let apart = |pair: &[(f64, f64)]| pair[1].0 - pair[0].0 - (pair[0].1 + pair[1].1) / 2.0;
            places.windows(2).all(|pair| apart(pair) >= 0.5 * SMALL)
        };
        let all = (2..=maximum.max(2)).rev().map(|maximum| ticks(&self.span, maximum));
        all.into_iter().find(fits).unwrap_or_else(|| ticks(&self.span, 2))
    }
}

/// Colour bar with its size.
pub(super) struct PlacedBar<'a> {
    bar: &'a ColorBar,
    label: Vec<String>,
    width: f64,
    ticks: Ticks,
}

impl<'a> PlacedBar<'a> {
    pub fn new(bar: &'a ColorBar, room: f64, typeface: &Typeface) -> Self {
        let width = (room - 2.0 * SMALL).clamp(60.0, WIDEST);
        let ticks = bar.ticks(width, typeface);
        let label = match &ticks.factor {
            Some(factor) => format!("{} ({factor})", bar.label),
            None => bar.label.clone(),
        };
        Self { bar, label: typeface.wrap(&label, SMALL, room), width, ticks }
    }

    /// Height of the bar with its label and numbers, including the gap above.
    pub fn height(&self) -> f64 {
        8.0 + self.label.len() as f64 * LINE + HEIGHT + TICK + LINE
    }

    /// Draws the label, the colours and the numbers; `left` and `top` are the top left corner of
    /// the whole bar.
    pub fn draw(&self, sheet: &mut SvgWriter<'_>, [left, top]: Point) {
        let mut y = top + 8.0;
        for line in &self.label {
            y += LINE;
            let at = (left, y - 0.3 * LINE);
            sheet.write_text(at, PageInk::Text, TextLine::new(line, SMALL, Align::Left));
        }
        let count = self.bar.inks.len().max(1) as f64;
        for (index, ink) in self.bar.inks.iter().enumerate() {
            let edge = |index: usize| left + index as f64 / count * self.width;
            let [from, to] = [edge(index), edge(index + 1)].map(number);
            let [high, low] = [y, y + HEIGHT].map(number);
            sheet.draw_area(*ink, true, &format!("M{from} {high}H{to}V{low}H{from}Z"));
        }
        let foot = y + HEIGHT;
        let mut path = format!("M{} {}h{}", number(left), number(foot), number(self.width));
        let major = self.ticks.major.iter().map(|tick| (tick.share, TICK));
        let minor = self.ticks.minor.iter().map(|share| (*share, 0.5 * TICK));
        for (share, length) in major.chain(minor) {
            let x = left + share * self.width;
            path += &format!("M{} {}v{}", number(x), number(foot), number(length));
        }
        sheet.draw_rule(PageInk::Axis, 1.0, &path);
        for tick in &self.ticks.major {
            let at = (left + tick.share * self.width, foot + TICK + 0.9 * SMALL);
            sheet.write_text(at, PageInk::Text, TextLine::new(&tick.label, SMALL, Align::Center));
        }
    }
}
