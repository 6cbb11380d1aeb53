//! The data of a chart: its plots, their axes and marks.

use catena_draw::theme::Ink;

/// A figure of one or more plots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// The heading above the figure.
    pub title: String,
    /// One or two sentences for readers who cannot see the figure.
    pub caption: String,
    /// The number of plots side by side.
    pub columns: usize,
    /// The plots, from left to right and then downwards.
    pub plots: Vec<Plot>,
    /// Width and height of a plot's frame, in CSS pixels.
    pub plot_size: [f64; 2],
    /// Whether all plots share the ranges of their axes.
    pub one_scale: bool,
    /// The width of the whole figure in CSS pixels, from [`Chart::fitted`]; `None` lets the plots
    /// decide. A figure of a given width has no heading, since it stands in a page with a caption.
    pub width: Option<f64>,
}

/// Marks in a frame with two axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot {
    /// The heading above the frame.
    pub title: Option<String>,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The marks, the first at the bottom. Areas and maps lie below all others.
    pub marks: Vec<Mark>,
    /// Whether a unit is equally long along both axes.
    pub equal_aspect: bool,
    /// Lines of small text below the frame.
    pub notes: Vec<String>,
}

/// One axis of a plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// The quantity with its unit.
    pub label: String,
    /// How values are placed along the axis.
    pub scale: Scale,
    /// The values at its ends, which may descend; `None` takes them from the data.
    pub range: Option<[f64; 2]>,
    /// Whether the axis has neither ticks nor label.
    pub is_hidden: bool,
    /// Names in place of numbers: the first stands at 0.5, the second at 1.5, and so on.
    pub categories: Vec<String>,
}

/// How values are placed along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences have equal lengths.
    #[default]
    Linear,
    /// Equal ratios have equal lengths.
    Log,
    /// Both signs and 0: linear below ten to this power, logarithmic far above it.
    SymLog(i32),
}

/// Something that is drawn in a plot.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A line through points.
    Line {
        /// Its points, in the order in which they are joined.
        points: Vec<[f64; 2]>,
        /// Its colour.
        color: Ink,
        /// Written at its end, or in the legend where there is no room.
        label: Option<String>,
        /// Its pattern.
        dash: Dash,
        /// Its width in CSS pixels.
        width: f64,
    },
    /// A marker at each point.
    Points {
        /// The centres of the markers.
        points: Vec<[f64; 2]>,
        /// Their colour.
        color: Ink,
        /// Written beside a single point, and in the legend otherwise.
        label: Option<String>,
        /// The shape of a marker.
        shape: Marker,
        /// The width of a marker in CSS pixels.
        size: f64,
    },
    /// The area between two lines.
    Area {
        /// One line.
        upper: Vec<[f64; 2]>,
        /// The other line, in the same direction.
        lower: Vec<[f64; 2]>,
        /// Its colour.
        color: Ink,
        /// Written at its end.
        label: Option<String>,
    },
    /// A straight line across the plot, such as a limit.
    Rule {
        /// The value at which it crosses its axis.
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
        /// The left edges of the columns, and the right edge of the last.
        x_edges: Vec<f64>,
        /// The lower edges of the rows, and the upper edge of the last.
        y_edges: Vec<f64>,
        /// The index of each rectangle's class, row by row. An index without a class leaves it
        /// empty.
        values: Vec<usize>,
        /// Name and colour of each class.
        classes: Vec<(String, Ink)>,
    },
    /// A picture over a part of the plot.
    Picture {
        /// Its lower left and its upper right corner.
        corners: [[f64; 2]; 2],
        /// The bytes of a PNG file.
        png: Vec<u8>,
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
    /// A stroke, then a dot.
    DashDotted,
    /// Long strokes.
    LongDashed,
    /// A stroke, then two dots.
    DashDotDotted,
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
    /// An empty square.
    OpenSquare,
    /// A diagonal cross.
    Cross,
    /// An upright cross.
    Plus,
    /// A filled triangle.
    Triangle,
    /// An empty triangle.
    OpenTriangle,
    /// A filled square on its corner.
    Diamond,
    /// An empty square on its corner.
    OpenDiamond,
    /// A filled triangle on its corner.
    Wedge,
    /// An empty triangle on its corner.
    OpenWedge,
}

impl Chart {
    /// The PNG files of the pictures in the chart, in the order in which they are drawn.
    pub(crate) fn pictures(&self) -> impl Iterator<Item = &[u8]> {
        self.plots.iter().flat_map(|plot| &plot.marks).filter_map(|mark| match mark {
            Mark::Picture { png, .. } => Some(png.as_slice()),
            _ => None,
        })
    }

    /// Width and height of a frame, limited to 40 to 10,000 CSS pixels.
    pub(super) fn frame_size(&self) -> [f64; 2] {
        self.plot_size.map(|size| if size.is_finite() { size.clamp(40.0, 10_000.0) } else { 300.0 })
    }
}
