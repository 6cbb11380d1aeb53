//! Charts: data, and its drawing.
//!
//! A [`Chart`] is data. [`Chart::svg`] draws it, [`Chart::csv`] lists its numbers, and
//! [`export`](super::export) makes PNG and PDF from the SVG. Text is drawn as outlines of a
//! [`Typeface`], so that a chart looks the same everywhere, or as text with an embedded subset of
//! the typeface.
//!
//! Points that are not finite break a line. Values without a position on their axis, such as 0 on a
//! logarithmic axis, are omitted and counted in a note.

mod axes;
mod axis;
mod cell;
mod cells;
mod color_bar;
mod csv;
mod draw;
mod fit;
mod frame;
mod grid;
pub mod label;
mod layout;
mod legend;
mod marks;
mod names;
mod paper_page;
mod path;
mod patterns;
mod plot;
mod range;
mod shared;
mod span;
mod svg;
mod text_sizes;
pub mod ticks;
mod typeface;
mod words;

pub use color_bar::ColorBar;
pub(in crate::figure) use paper_page::PaperPage;
pub use patterns::{Dash, Marker};
pub use plot::{CellClass, CellLook, Chart, Mark, Plot};
pub use typeface::{Typeface, Words};

pub use crate::figure::chart::axis::Axis;
pub use crate::figure::chart::axis::Scale;
pub use crate::figure::chart::frame::REST;
pub use crate::figure::chart::span::AxisSpan;
pub(super) use crate::figure::chart::span::span_of;
use catena_draw::theme::Theme;
use catena_scene::Color;

/// Colours of figures: a theme for white paper.
pub fn paper() -> Theme {
    Theme::new(Color([255; 3]))
}

impl Chart {
    /// Draws the chart as SVG. All ids in it begin with `name`, so that charts with different names
    /// can be in one page.
    pub fn svg(&self, name: &str, typeface: &Typeface, theme: &Theme) -> String {
        draw::draw(self, name, typeface, theme)
    }

    /// Fits the chart to a figure width in CSS pixels, 96 per inch. Frames get the available width,
    /// and text keeps its size of 8 to 9 points.
    pub fn fitted(&self, width: f64, typeface: &Typeface) -> Self {
        fit::fitted(self, width, typeface)
    }

    /// Height of the chart on paper in CSS pixels.
    pub fn height(&self, typeface: &Typeface) -> f64 {
        fit::height(self, typeface)
    }

    /// Formats the data of the chart as CSV: the header `plot,title,mark,kind,label,x,y,x2,y2`,
    /// then one row per point.
    ///
    /// Plots and marks are counted from 1. A row of an area has a point of each of its lines. A row
    /// of cells has two opposite corners, or the name on an axis of names. A rule leaves the column
    /// of the other axis empty.
    pub fn csv(&self) -> String {
        csv::rows(self)
    }

    /// Characters that no face of a typeface has. They are drawn as boxes, and a note below the
    /// chart counts them.
    pub fn missing(&self, typeface: &Typeface) -> Vec<char> {
        plot::missing(self, typeface)
    }
}
