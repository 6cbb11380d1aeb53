//! What is to be seen in a chart: its plots, their axes and marks.

use crate::render::theme::Ink;

/// A figure of one or more plots.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What the figure shows, above it.
    pub title: String,
    /// One or two sentences for those who cannot see it.
    pub caption: String,
    /// How many plots stand side by side.
    pub columns: usize,
    /// From left to right, then downwards.
    pub plots: Vec<Plot>,
    /// Width and height of a plot's frame, in CSS pixels.
    pub plot_size: [f64; 2],
    /// Whether all plots have the same ranges.
    pub one_scale: bool,
}

/// Marks in a frame with two axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// Stands above the frame.
    pub title: Option<String>,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, the first at the bottom. Areas and maps lie below everything else.
    pub marks: Vec<Mark>,
    /// Whether a unit has the same length along both axes.
    pub equal_aspect: bool,
    /// Small lines below the frame.
    pub notes: Vec<String>,
}

/// One axis of a plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What is measured, with its unit.
    pub label: String,
    /// How values are placed.
    pub scale: Scale,
    /// Where it begins and ends, taken from the data where it is left out. It may run backwards.
    pub range: Option<[f64; 2]>,
    /// Whether it has neither ticks nor a label.
    pub is_hidden: bool,
    /// Names in place of numbers: the first stands at 0.5, the second at 1.5, and so on.
    pub categories: Vec<String>,
}

/// How values are placed along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences, equal lengths.
    #[default]
    Linear,
    /// Equal ratios, equal lengths.
    Log,
}

/// Something drawn in a plot.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through points.
    Line {
        /// In the order in which they are joined.
        points: Vec<[f64; 2]>,
        /// Its colour.
        color: Ink,
        /// Written at its end, or in the legend where there is no room.
        label: Option<String>,
        /// Its pattern.
        dash: Dash,
        /// In pixels.
        width: f64,
    },
    /// A marker at each point.
    Points {
        /// Where they stand.
        points: Vec<[f64; 2]>,
        /// Their colour.
        color: Ink,
        /// Written beside a single point, and in the legend otherwise.
        label: Option<String>,
        /// What a point looks like.
        shape: Marker,
        /// Width of a marker in pixels.
        size: f64,
    },
    /// What lies between two lines.
    Area {
        /// One line.
        upper: Vec<[f64; 2]>,
        /// The other one, in the same direction.
        lower: Vec<[f64; 2]>,
        /// Its colour.
        color: Ink,
        /// Written at its end.
        label: Option<String>,
    },
    /// A straight line across the plot, such as a limit.
    Rule {
        /// Where it crosses its axis.
        at: f64,
        /// Whether it crosses the vertical axis.
        is_horizontal: bool,
        /// Its colour.
        color: Ink,
        /// Written along it.
        label: Option<String>,
        /// Its pattern.
        dash: Dash,
    },
    /// A map of rectangles, each of one class.
    Cells {
        /// Where columns begin, and where the last one ends.
        x_edges: Vec<f64>,
        /// Where rows begin, and where the last one ends.
        y_edges: Vec<f64>,
        /// The class of each rectangle, row by row. Numbers that are no class leave it empty.
        values: Vec<usize>,
        /// Name and colour of each class.
        classes: Vec<(String, Ink)>,
    },
    /// Words in the plot.
    Text {
        /// The middle of the words.
        at: [f64; 2],
        /// The words.
        text: String,
        /// Their colour.
        color: Ink,
    },
}

/// The pattern of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dash {
    /// Without gaps.
    #[default]
    Solid,
    /// Strokes.
    Dashed,
    /// Dots.
    Dotted,
}

/// The shape of a marker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Marker {
    /// A filled circle.
    #[default]
    Disc,
    /// An empty circle.
    Ring,
    /// A filled square.
    Square,
    /// A diagonal cross.
    Cross,
    /// A filled triangle.
    Triangle,
}

impl Chart {
    /// Width and height of a frame, as far as they make sense.
    pub(super) fn frame_size(&self) -> [f64; 2] {
        self.plot_size.map(|size| if size.is_finite() { size.clamp(40.0, 10_000.0) } else { 300.0 })
    }
}
