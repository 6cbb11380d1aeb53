//! Cell of a chart's grid with its plot.

use crate::figure::chart::frame::PlotFrame;
use crate::figure::chart::names::{PlotNames, Swatch};
use crate::figure::chart::path::Point;
use crate::figure::chart::text_sizes::{LINE, MEDIUM};

/// Gap between the frame and the label above its vertical axis. The topmost number extends into it.
pub(super) const ABOVE: f64 = 6.0;

/// Plot with the text around its frame.
pub(super) struct PlotCell<'a> {
    pub panel: PlotFrame<'a>,
    pub names: PlotNames,
    /// Lines of the title, of the axis labels and of the notes. In a compact figure each note is
    /// one line, and the figure draws it below all plots.
    pub title: Vec<String>,
    /// Sample of the line that the title names, in a corner of the frame. The legend then has no
    /// entry for it.
    pub title_swatch: Option<Swatch>,
    pub labels: [Vec<String>; 2],
    pub notes: Vec<String>,
    /// Distance from the frame's left edge to the left end of the title.
    pub title_left: f64,
    /// Distance from the frame to the title, the same for all titles of a row.
    pub title_lift: f64,
    /// Text size of the title.
    pub title_size: f64,
    /// Width of the numbers at the vertical axis, and height of the numbers at the horizontal axis.
    pub numbers: [f64; 2],
    /// Index of the line below the frame that holds the common factor of the horizontal axis.
    pub factor_line: usize,
    /// Top left corner of the frame.
    pub at: Point,
}

impl PlotCell<'_> {
    /// Height of the label above the vertical axis, or of the factor if there is no label.
    pub fn height_above(&self) -> f64 {
        match self.labels[1].len() {
            0 if self.panel.has_factor(1) => LINE,
            0 => 0.0,
            lines => lines as f64 * 1.3 * MEDIUM + ABOVE,
        }
    }

    /// Number of lines taken by the label of the horizontal axis and its factor.
    pub fn lines_below(&self) -> usize {
        let factor = if self.panel.has_factor(0) { self.factor_line + 1 } else { 0 };
        self.labels[0].len().max(factor)
    }
}
