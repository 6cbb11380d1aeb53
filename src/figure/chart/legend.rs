//! The legend: names without a place at their marks, in columns below the plots.

use super::frame::{LINE, SMALL};
use super::names::{MarkName, Swatch};
use super::number::number;
use super::path::Point;
use super::plot::Dash;
use super::svg::{PageInk, SvgWriter, TextLine};
use super::typeface::Typeface;
use crate::render::text::Align;

/// The width of the sample of a line, and of those of other marks.
const SWATCHES: [f64; 2] = [30.0, 12.0];

/// The gap between two columns.
const GAP: f64 = 20.0;

/// A legend laid out for a width.
pub(super) struct Legend {
    /// The lines, each with the sample of the mark that it begins to name.
    lines: Vec<(Option<Swatch>, String)>,
    columns: usize,
    column: f64,
    swatch: f64,
}

impl Legend {
    pub fn new(names: &[MarkName], width: f64, typeface: &Typeface) -> Self {
        let text = |name: &MarkName| typeface.width(&name.text, SMALL);
        let has_lines = names.iter().any(|name| matches!(name.swatch, Swatch::Line(..)));
        let swatch = SWATCHES[usize::from(!has_lines)];
        // Names that are wider than the figure have several lines.
        let longest = names.iter().map(text).fold(0.0, f64::max);
        let room = (width - swatch - 6.0).max(40.0);
        let broken = |name: &MarkName| {
            let lines = typeface.wrap(&name.text, SMALL, room).into_iter();
            let swatches = [Some(name.swatch)].into_iter().chain(std::iter::repeat(None));
            swatches.zip(lines).collect::<Vec<_>>()
        };
        let lines: Vec<(Option<Swatch>, String)> = names.iter().flat_map(broken).collect();
        let column = swatch + 6.0 + longest.min(room) + GAP;
        let most = ((width + GAP) / column).floor().max(1.0) as usize;
        // The fewest rows, then the fewest columns that give so many rows.
        let rows = lines.len().div_ceil(most).max(1);
        let columns = lines.len().div_ceil(rows).max(1);
        Self { lines, columns, column, swatch }
    }

    /// Its height, with a gap above.
    pub fn height(&self) -> f64 {
        let rows = self.lines.len().div_ceil(self.columns);
        if rows == 0 { 0.0 } else { 8.0 + rows as f64 * (LINE + 2.0) }
    }

    /// Width of the longest row.
    pub fn width(&self) -> f64 {
        if self.lines.is_empty() { 0.0 } else { self.columns as f64 * self.column - GAP }
    }

    /// Draws the names column by column, each from top to bottom.
    pub fn draw(&self, sheet: &mut SvgWriter<'_>, [left, top]: Point) {
        let rows = self.lines.len().div_ceil(self.columns).max(1);
        for (index, (sample, text)) in self.lines.iter().enumerate() {
            let x = left + (index / rows) as f64 * self.column;
            let y = top + 8.0 + ((index % rows) as f64 + 0.5) * (LINE + 2.0);
            if let Some(sample) = sample {
                swatch(sheet, sample, self.swatch, [x, y]);
            }
            let line = TextLine::new(text, SMALL, Align::Left);
            sheet.text((x + self.swatch + 6.0, y + 0.35 * SMALL), PageInk::Text, line);
        }
    }
}

/// Draws the sample of a mark, `room` wide: x is its left end, y its middle.
fn swatch(sheet: &mut SvgWriter<'_>, swatch: &Swatch, room: f64, [x, y]: Point) {
    match *swatch {
        Swatch::Line(ink, width, dash, marker) => {
            let line = format!("M{} {}h{}", number(x), number(y), number(room));
            sheet.stroke(ink, width, dash, &line);
            if let Some((shape, size)) = marker {
                sheet.markers(shape, size.clamp(4.0, 10.0), ink, &[[x + room / 2.0, y]]);
            }
        }
        Swatch::Marker(ink, shape, size) => {
            let size = size.clamp(4.0, 10.0);
            sheet.markers(shape, size, ink, &[[x + room / 2.0, y]]);
        }
        Swatch::Square(ink) => {
            let corner =
                format!("M{} {}h12v10h-12z", number(x + room / 2.0 - 6.0), number(y - 5.0));
            sheet.area(ink, false, &corner);
        }
    }
}

/// Draws the line from the end of a mark to its name beside the frame.
///
/// It must not look like more of the mark: dots lead to the border, and a thin line from there to
/// the name.
pub(super) fn leader(
    sheet: &mut SvgWriter<'_>,
    swatch: &Swatch,
    [[x, y], to]: [Point; 2],
    right: f64,
) {
    let ink = swatch.ink();
    if x + 6.0 < right {
        let path = format!("M{} {}H{}", number(x + 5.0), number(y), number(right));
        sheet.stroke(ink, 0.9, Dash::Dotted, &path);
    }
    let path = format!(
        "M{} {}L{} {}",
        number(right + 4.0),
        number(y),
        number(to[0] - 30.0),
        number(to[1])
    );
    sheet.stroke(ink, 0.9, Dash::Solid, &path);
    self::swatch(sheet, swatch, 26.0, [to[0] - 29.0, to[1]]);
}
