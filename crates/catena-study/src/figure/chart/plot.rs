//! Data of a chart: plots with their axes and marks, and all texts.

use super::{
    color_bar::ColorBar,
    patterns::{Dash, Marker},
    typeface::Typeface,
};
use crate::figure::chart::axis::Axis;
use catena_draw::theme::Ink;

/// Width of a figure below which its text is small, in CSS pixels: 120 mm.
const NARROW: f64 = 453.5;

/// Size of small text relative to normal text.
const SMALL_TEXT: f64 = 0.85;

/// Figure of one or more plots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Heading above the figure.
    pub title: String,
    /// One or two sentences for readers who cannot see the figure.
    pub caption: String,
    /// Number of plots side by side.
    pub columns: usize,
    /// Plots, row by row from left to right.
    pub plots: Vec<Plot>,
    /// Width and height of a plot's frame, in CSS pixels.
    pub plot_size: [f64; 2],
    /// Whether all plots share the ranges of their axes.
    pub one_scale: bool,
    /// Width of the whole figure in CSS pixels, set by [`Chart::fitted`]; `None` derives it from
    /// the plots. A figure of a given width has no heading, since its page has a caption.
    pub width: Option<f64>,
    /// Colours of the quantity that the maps show.
    pub color_bar: Option<ColorBar>,
    /// Whether plots share their labels, names and notes, which makes a figure of many plots lower.
    pub is_compact: bool,
}

/// Marks in a frame with two axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// Heading above the frame.
    pub title: Option<String>,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Marks, starting with the bottom one. Areas and maps are below all other marks.
    pub marks: Vec<Mark>,
    /// Whether a unit has the same length along both axes.
    pub equal_aspect: bool,
    /// Lines of small text below the frame.
    pub notes: Vec<String>,
    /// Whether the plot summarises all others. If frames are narrow, the summary gets a separate
    /// row.
    pub is_main: bool,
}

/// Graphical element of a plot.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// Line through points.
    Line {
        /// Points, in the order in which they are joined.
        points: Vec<[f64; 2]>,
        /// Colour of the line.
        color: Ink,
        /// Name, written at the line's end, or in the legend if there is no space.
        label: Option<String>,
        /// Pattern of the line.
        dash: Dash,
        /// Width of the line in CSS pixels.
        width: f64,
    },
    /// Marker at each point.
    Points {
        /// Centres of the markers.
        points: Vec<[f64; 2]>,
        /// Colour of the markers.
        color: Ink,
        /// Name, written beside a single point, and in the legend otherwise.
        label: Option<String>,
        /// Shape of the markers.
        shape: Marker,
        /// Width of a marker in CSS pixels.
        size: f64,
    },
    /// Area between two lines.
    Area {
        /// First line.
        upper: Vec<[f64; 2]>,
        /// Second line, in the same direction.
        lower: Vec<[f64; 2]>,
        /// Colour of the area.
        color: Ink,
        /// Name, written at the area's end.
        label: Option<String>,
    },
    /// Straight line across the plot, such as a limit.
    Rule {
        /// Value at which it crosses its axis.
        at: f64,
        /// Whether it crosses the vertical axis.
        is_horizontal: bool,
        /// Colour of the line.
        color: Ink,
        /// Name, written along the line.
        label: Option<String>,
        /// Pattern of the line.
        dash: Dash,
    },
    /// Map of rectangles, each of one class.
    Cells {
        /// Left edges of the columns, and the right edge of the last.
        x_edges: Vec<f64>,
        /// Lower edges of the rows, and the upper edge of the last.
        y_edges: Vec<f64>,
        /// Class index of each rectangle, row by row. An index without a class leaves it empty.
        values: Vec<usize>,
        /// Name and appearance of each class.
        classes: Vec<CellClass>,
    },
    /// Picture over a part of the plot.
    Picture {
        /// Lower left and upper right corner.
        corners: [[f64; 2]; 2],
        /// Bytes of a PNG file.
        png: Vec<u8>,
    },
    /// Text in the plot.
    Text {
        /// Middle of the text.
        at: [f64; 2],
        /// Text to write.
        text: String,
        /// Colour of the text.
        color: Ink,
    },
}

/// Class of the cells of a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellClass {
    /// Name of the class.
    pub name: String,
    /// Colour of its cells.
    pub ink: Ink,
    /// Appearance of its cells, and the place of its explanation.
    pub look: CellLook,
}

/// Appearance of the cells of a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CellLook {
    /// Filled cells, with their name in the legend.
    #[default]
    Named,
    /// Hatched cells, with their name in the legend and a border around all of them.
    Hatched,
    /// Colour of the figure's [`ColorBar`], without a name in the legend.
    Shade,
}

impl CellClass {
    /// Creates a class of filled cells.
    pub fn named(name: impl Into<String>, ink: Ink) -> Self {
        Self { name: name.into(), ink, look: CellLook::Named }
    }

    /// Creates a class of hatched cells.
    pub fn hatched(name: impl Into<String>, ink: Ink) -> Self {
        Self { look: CellLook::Hatched, ..Self::named(name, ink) }
    }
}

impl Chart {
    /// PNG files of the pictures in the chart, in drawing order.
    pub(crate) fn pictures(&self) -> impl Iterator<Item = &[u8]> {
        self.plots.iter().flat_map(|plot| &plot.marks).filter_map(|mark| match mark {
            Mark::Picture { png, .. } => Some(png.as_slice()),
            _ => None,
        })
    }

    /// Size of everything on paper relative to its size in the layout: below 1 for narrow figures,
    /// whose text has 7 to 8 points.
    pub(super) fn zoom(&self) -> f64 {
        if self.width.is_some_and(|width| width < NARROW) { SMALL_TEXT } else { 1.0 }
    }

    /// Given width in units of the layout.
    pub(super) fn room(&self) -> Option<f64> {
        self.width.map(|width| width / self.zoom())
    }

    /// Width and height of a frame, limited to between 40 and 10,000 CSS pixels.
    pub(super) fn frame_size(&self) -> [f64; 2] {
        self.plot_size.map(|size| if size.is_finite() { size.clamp(40.0, 10_000.0) } else { 300.0 })
    }
}

/// Characters of a chart that no face of a typeface has, without duplicates and sorted.
pub(super) fn missing(chart: &Chart, typeface: &Typeface) -> Vec<char> {
    typeface.missing(&all(chart))
}

/// Concatenates all texts of a chart, without the numbers at ticks.
fn all(chart: &Chart) -> String {
    let mut all = vec![chart.title.as_str()];
    all.extend(chart.color_bar.iter().map(|bar| bar.label.as_str()));
    for plot in &chart.plots {
        all.extend(plot.title.as_deref());
        for Axis { label, categories, is_hidden, .. } in [&plot.x, &plot.y] {
            if !is_hidden {
                all.push(label);
                all.extend(categories.iter().map(String::as_str));
            }
        }
        all.extend(plot.notes.iter().map(String::as_str));
        plot.marks.iter().for_each(|mark| add_mark_texts(mark, &mut all));
    }
    all.join("\n")
}

fn add_mark_texts<'a>(mark: &'a Mark, all: &mut Vec<&'a str>) {
    match mark {
        Mark::Line { label, .. }
        | Mark::Points { label, .. }
        | Mark::Area { label, .. }
        | Mark::Rule { label, .. } => all.extend(label.as_deref()),
        Mark::Cells { classes, .. } => {
            all.extend(classes.iter().map(|class| class.name.as_str()));
        }
        Mark::Picture { .. } => {}
        Mark::Text { text, .. } => all.push(text),
    }
}
