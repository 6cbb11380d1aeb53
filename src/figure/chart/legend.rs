//! The names that found no place at their marks, in columns below the plots.

use super::Dash;
use super::ends::{Name, Swatch};
use super::panel::{LINE, SMALL};
use super::path::Point;
use super::svg::{Role, Sheet, Words, number};
use super::typeface::Typeface;
use crate::render::text::Align;

/// Width of what stands for a mark.
const SWATCH: f64 = 22.0;

/// Between two columns.
const GAP: f64 = 20.0;

/// A legend of a width.
pub(super) struct Legend {
    names: Vec<Name>,
    columns: usize,
    column: f64,
}

impl Legend {
    pub fn new(names: Vec<Name>, width: f64, typeface: &Typeface) -> Self {
        let text = |name: &Name| typeface.width(&name.text, SMALL);
        let column = SWATCH + 6.0 + names.iter().map(text).fold(0.0, f64::max) + GAP;
        let most = ((width + GAP) / column).floor().max(1.0) as usize;
        // The fewest rows, then the fewest columns that make so many rows.
        let rows = names.len().div_ceil(most).max(1);
        let columns = names.len().div_ceil(rows).max(1);
        Self { names, columns, column }
    }

    /// Height, with some room above.
    pub fn height(&self) -> f64 {
        let rows = self.names.len().div_ceil(self.columns);
        if rows == 0 { 0.0 } else { 8.0 + rows as f64 * (LINE + 2.0) }
    }

    /// Width of the longest row.
    pub fn width(&self) -> f64 {
        if self.names.is_empty() { 0.0 } else { self.columns as f64 * self.column - GAP }
    }

    /// Draws the rows, read downwards column by column.
    pub fn draw(&self, sheet: &mut Sheet<'_>, [left, top]: Point) {
        let rows = self.names.len().div_ceil(self.columns).max(1);
        for (index, name) in self.names.iter().enumerate() {
            let x = left + (index / rows) as f64 * self.column;
            let y = top + 8.0 + ((index % rows) as f64 + 0.5) * (LINE + 2.0);
            swatch(sheet, &name.swatch, [x, y]);
            let words = Words {
                text: &name.text,
                size: SMALL,
                align: Align::Left,
                eighths: 0,
                has_halo: false,
            };
            sheet.text((x + SWATCH + 6.0, y + 0.35 * SMALL), Role::Text, words);
        }
    }
}

/// What stands for a mark: `x` is its left end, `y` its middle.
fn swatch(sheet: &mut Sheet<'_>, swatch: &Swatch, [x, y]: Point) {
    match *swatch {
        Swatch::Line(ink, width, dash) => {
            let line = format!("M{} {}h{}", number(x), number(y), number(SWATCH));
            sheet.stroke(ink, width, dash, &line);
        }
        Swatch::Marker(ink, shape, size) => {
            let size = size.clamp(4.0, 10.0);
            sheet.markers(shape, size, ink, &[[x + SWATCH / 2.0, y]]);
        }
        Swatch::Square(ink) => {
            let corner =
                format!("M{} {}h12v10h-12z", number(x + SWATCH / 2.0 - 6.0), number(y - 5.0));
            sheet.area(ink, false, &corner);
        }
    }
}

/// From the end of a mark to its name beside the frame.
pub(super) fn leader(
    sheet: &mut Sheet<'_>,
    swatch: &Swatch,
    [from, to]: [Point; 2],
    frame_right: f64,
) {
    let (ink, width, dash) = match *swatch {
        Swatch::Line(ink, width, dash) => (ink, width.min(1.5), dash),
        Swatch::Marker(ink, ..) | Swatch::Square(ink) => (ink, 1.5, Dash::Solid),
    };
    let [x, y] = from;
    let bend = frame_right.max(x) + 3.0;
    let path = format!(
        "M{} {}L{} {}L{} {}h4",
        number(x + 1.0),
        number(y),
        number(bend),
        number(y),
        number(to[0] - 4.0),
        number(to[1])
    );
    sheet.stroke(ink, width, dash, &path);
    if let Swatch::Marker(ink, shape, size) = *swatch {
        sheet.markers(shape, size.min(8.0), ink, &[to]);
    }
}
