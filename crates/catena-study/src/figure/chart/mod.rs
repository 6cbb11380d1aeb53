//! Charts: data to be shown, and how they are drawn.
//!
//! A [`Chart`] is data. [`Chart::svg`] draws it, [`Chart::csv`] lists its numbers, and
//! [`export`](super::export) makes PNG and PDF from the SVG. Words are outlines of a [`Typeface`],
//! so that a chart looks the same everywhere, or text with the part of the typeface that it needs.
//!
//! Points that are not finite break a line. Values without a place on their axis, such as 0 on a
//! logarithmic one, are left out, and a note says how many.

mod axes;
mod csv;
mod draw;
mod fit;
mod frame;
mod hidden;
pub mod label;
mod layout;
mod legend;
mod marks;
mod names;
mod number;
mod path;
mod plot;
mod range;
mod span;
mod subset;
mod svg;
mod text;
pub mod ticks;
mod typeface;
mod words;

pub use names::REST;
pub use plot::{Axis, Chart, Dash, Mark, Marker, Plot, Scale};
pub use span::AxisSpan;
pub use typeface::{Typeface, Words};

use catena_draw::theme::Theme;
use catena_scene::Color;

/// The colours of figures: a theme for white paper.
pub fn paper() -> Theme {
    Theme::new(Color([255; 3]))
}

impl Chart {
    /// The chart as SVG. All ids in it begin with `name`, so that charts of different names can
    /// stand in one page.
    pub fn svg(&self, name: &str, typeface: &Typeface, theme: &Theme) -> String {
        draw::draw(self, name, typeface, theme)
    }

    /// The chart with the width of its figure set, in CSS pixels, of which 96 are an inch: frames
    /// are as wide as that leaves room for, and text keeps its size of 8 to 9 points.
    pub fn fitted(&self, width: f64, typeface: &Typeface) -> Self {
        fit::fitted(self, width, typeface)
    }

    /// The numbers of the chart as csv: the header `plot,title,mark,kind,label,x,y,x2,y2`, then a
    /// row for each point.
    ///
    /// Plots and marks are counted from 1. A row of an area has a point of its upper line and one
    /// of its lower line, a row of cells has two opposite corners or the name on an axis of names,
    /// and a rule leaves the column of the other axis empty.
    pub fn csv(&self) -> String {
        csv::rows(self)
    }

    /// The characters that no face of a typeface has. They are drawn as boxes, and a note below the
    /// chart counts them.
    pub fn missing(&self, typeface: &Typeface) -> Vec<char> {
        text::missing(self, typeface)
    }
}
