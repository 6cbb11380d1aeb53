//! Legend: names that are not placed at their marks, in columns or rows below the plots.

use super::cells::{CellBox, draw_hatched};
use super::names::{MarkName, Swatch};
use super::path::{Point, number};
use super::patterns::Dash;
use super::plot::CellClass;
use super::svg::{PageInk, SvgWriter, TextLine};
use super::typeface::Typeface;
use crate::figure::chart::text_sizes::{LINE, SMALL};
use catena_draw::{is_right_to_left, text::Align};

/// Widths in pixels: of a line sample, and of other samples.
const SWATCHES: [f64; 2] = [30.0, 12.0];

/// Horizontal gap between two names.
const GAP: f64 = 20.0;

/// Gap between a sample and its name.
const SPACING: f64 = 6.0;

/// Legend arranged for a width.
pub(super) struct Legend {
    /// Lines of the names, each with a sample if a name starts there.
    lines: Vec<LegendLine>,
    /// Number of rows, and width of the longest.
    rows: usize,
    width: f64,
    /// Whether the legend runs from right to left.
    is_mirrored: bool,
}

/// Line of a name.
struct LegendLine {
    swatch: Option<Swatch>,
    text: String,
    /// Width of the sample.
    room: f64,
    /// Left end of the sample, and index of the row.
    x: f64,
    row: usize,
}

impl Legend {
    pub fn new(names: &[MarkName], width: f64, typeface: &Typeface) -> Self {
        let lines = lines(names, width, typeface);
        let texts: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
        let is_mirrored = is_right_to_left(&texts.join(" "));
        let mut legend = Self { lines, rows: 0, width: 0.0, is_mirrored };
        legend.set_in_columns(width, typeface);
        // Names of very different lengths leave columns half empty.
        let rows = legend.rows;
        if legend.lines.iter().all(|line| line.swatch.is_some()) {
            legend.set_in_rows(width, typeface);
        }
        // Columns are easier to read, so rows must save a third.
        if 3 * legend.rows > 2 * rows {
            legend.set_in_columns(width, typeface);
        }
        legend
    }

    /// Arranges the names in columns of equal width, each filled from top to bottom.
    fn set_in_columns(&mut self, width: f64, typeface: &Typeface) {
        let swatch = self.lines.iter().map(|line| line.room).fold(0.0, f64::max);
        let longest =
            self.lines.iter().map(|line| typeface.width(&line.text, SMALL)).fold(0.0, f64::max);
        let column = swatch + SPACING + longest + GAP;
        let maximum = ((width + GAP) / column).floor().max(1.0) as usize;
        // The minimum number of rows, then the minimum number of columns for it.
        let rows = self.lines.len().div_ceil(maximum).max(1);
        let columns = self.lines.len().div_ceil(rows).max(1);
        let rows = self.lines.len().div_ceil(columns);
        for (index, line) in self.lines.iter_mut().enumerate() {
            line.room = swatch;
            (line.x, line.row) = ((index / rows) as f64 * column, index % rows);
        }
        self.rows = rows;
        self.width = if rows == 0 { 0.0 } else { columns as f64 * column - GAP };
    }

    /// Arranges the names one after the other, each with its own width.
    fn set_in_rows(&mut self, width: f64, typeface: &Typeface) {
        let (mut x, mut row, mut longest) = (0.0, 0, 0.0_f64);
        for line in &mut self.lines {
            line.room = line.swatch.map_or(line.room, |swatch| sample_width(&swatch));
            let needed = line.room + SPACING + typeface.width(&line.text, SMALL);
            if x > 0.0 && x + needed > width {
                (x, row) = (0.0, row + 1);
            }
            (line.x, line.row) = (x, row);
            longest = longest.max(x + needed);
            x += needed + GAP;
        }
        (self.rows, self.width) = (if self.lines.is_empty() { 0 } else { row + 1 }, longest);
    }

    /// Height of the legend, including the gap above.
    pub fn height(&self) -> f64 {
        if self.rows == 0 { 0.0 } else { 8.0 + self.rows as f64 * (LINE + 2.0) }
    }

    /// Width of the longest row.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Draws the names with their samples. Each sample is on the side where its name begins.
    pub fn draw(&self, sheet: &mut SvgWriter<'_>, [left, top]: Point) {
        for line in &self.lines {
            let y = top + 8.0 + (line.row as f64 + 0.5) * (LINE + 2.0);
            let (sample_x, text_x, align) = if self.is_mirrored {
                let x = left + self.width - line.x - line.room;
                (x, x - SPACING, Align::Right)
            } else {
                let x = left + line.x;
                (x, x + line.room + SPACING, Align::Left)
            };
            if let Some(sample) = &line.swatch {
                draw_swatch(sheet, sample, line.room, [sample_x, y]);
            }
            let text = TextLine::new(&line.text, SMALL, align);
            sheet.write_text((text_x, y + 0.35 * SMALL), PageInk::Text, text);
        }
    }
}

/// Splits the names into lines; names wider than the figure have several.
fn lines(names: &[MarkName], width: f64, typeface: &Typeface) -> Vec<LegendLine> {
    let widest = names.iter().map(|name| sample_width(&name.swatch)).fold(0.0, f64::max);
    let room = (width - widest - SPACING).max(40.0);
    let broken = |name: &MarkName| {
        let swatches = [Some(name.swatch)].into_iter().chain(std::iter::repeat(None));
        let line = |(swatch, text)| LegendLine { swatch, text, room: widest, x: 0.0, row: 0 };
        swatches.zip(typeface.wrap(&name.text, SMALL, room)).map(line).collect::<Vec<_>>()
    };
    names.iter().flat_map(broken).collect()
}

fn sample_width(swatch: &Swatch) -> f64 {
    SWATCHES[usize::from(!matches!(swatch, Swatch::Line(..)))]
}

/// Draws the sample of a mark, `room` wide: x is its left end, y its middle.
pub(super) fn draw_swatch(sheet: &mut SvgWriter<'_>, swatch: &Swatch, room: f64, [x, y]: Point) {
    match *swatch {
        Swatch::Line(ink, width, dash, marker) => {
            let line = format!("M{} {}h{}", number(x), number(y), number(room));
            sheet.draw_stroke(ink, width, dash, &line);
            if let Some((shape, size)) = marker {
                sheet.draw_markers(shape, size.clamp(4.0, 10.0), ink, &[[x + room / 2.0, y]]);
            }
        }
        Swatch::Marker(ink, shape, size) => {
            let size = size.clamp(4.0, 10.0);
            sheet.draw_markers(shape, size, ink, &[[x + room / 2.0, y]]);
        }
        Swatch::Hatched(ink) => {
            let [left, top] = [x + room / 2.0 - 6.0, y - 5.0];
            let class = CellClass::hatched("", ink);
            draw_hatched(sheet, &class, &[CellBox([left, top, left + 12.0, top + 10.0])]);
        }
        Swatch::Square(ink) => {
            let corner =
                format!("M{} {}h12v10h-12z", number(x + room / 2.0 - 6.0), number(y - 5.0));
            sheet.draw_area(ink, false, &corner);
        }
    }
}

/// Draws the connection from the end of a mark to its name beside the frame. It is dotted up to the
/// border and thin beyond, so that it does not look like a part of the mark.
pub(super) fn draw_leader(
    sheet: &mut SvgWriter<'_>,
    swatch: &Swatch,
    [[x, y], to]: [Point; 2],
    right: f64,
) {
    let ink = swatch.ink();
    if x + 6.0 < right {
        let path = format!("M{} {}H{}", number(x + 5.0), number(y), number(right));
        sheet.draw_stroke(ink, 0.9, Dash::Dotted, &path);
    }
    let path = format!(
        "M{} {}L{} {}",
        number(right + 4.0),
        number(y),
        number(to[0] - 30.0),
        number(to[1])
    );
    sheet.draw_stroke(ink, 0.9, Dash::Solid, &path);
    draw_swatch(sheet, swatch, 26.0, [to[0] - 29.0, to[1]]);
}
