//! Where everything stands in a picture.

use super::numbers::{NumberBlock, items};
use super::text::Font;
use crate::scene::{Arrangement, Decoration, Panel, Scene};

/// A rectangle of whole pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width.
    pub w: i32,
    /// Height.
    pub h: i32,
}

impl Rect {
    /// One past the last column.
    pub fn right(self) -> i32 {
        self.x + self.w
    }

    /// One past the last row.
    pub fn bottom(self) -> i32 {
        self.y + self.h
    }

    /// The common part; of size zero when there is none.
    pub fn intersect(self, other: Self) -> Self {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let (w, h) = (self.right().min(other.right()) - x, self.bottom().min(other.bottom()) - y);
        Self { x, y, w: w.max(0), h: h.max(0) }
    }

    /// Takes a margin off all sides.
    pub fn shrunk(self, by: i32) -> Self {
        Self { x: self.x + by, y: self.y + by, w: self.w - 2 * by, h: self.h - 2 * by }
    }

    /// Cuts a strip off the top.
    fn cut_top(&mut self, height: i32) -> Self {
        let strip = Self { h: height, ..*self };
        self.y += height;
        self.h -= height;
        strip
    }

    /// Cuts a strip off the bottom.
    fn cut_bottom(&mut self, height: i32) -> Self {
        self.h -= height;
        Self { y: self.bottom(), h: height, ..*self }
    }
}

/// Where the parts of a panel stand.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelBox {
    /// The border.
    pub frame: Rect,
    /// The label.
    pub label: Option<Rect>,
    /// The labels of the bodies, where there are several.
    pub legend: Option<Rect>,
    /// Where ropes are drawn.
    pub plot: Rect,
    /// Where the live numbers stand.
    pub numbers: Option<Rect>,
}

/// Heights of text lines and gaps, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// The title of a picture.
    pub title: f64,
    /// Labels of panels, rows and columns.
    pub label: f64,
    /// Live numbers and notes.
    pub number: f64,
    /// Between panels and around them.
    pub gap: i32,
}

impl Sizes {
    /// Sizes for a picture, proportional to it but never illegible.
    pub fn of([width, height]: [u32; 2]) -> Self {
        let unit = (f64::from(width) / 1280.0).min(f64::from(height) / 720.0).clamp(0.68, 3.0);
        Self {
            title: 25.0 * unit,
            label: 17.0 * unit,
            number: 14.5 * unit,
            gap: (14.0 * unit).round() as i32,
        }
    }

    /// Height of a strip that holds a line of this size.
    pub fn strip(size: f64) -> i32 {
        (size * 1.7).round() as i32
    }
}

/// Where all parts of a picture stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The title, where there is one.
    pub title: Option<Rect>,
    /// Labels of the rows of a grid.
    pub rows: Vec<Rect>,
    /// Labels of the columns of a grid.
    pub columns: Vec<Rect>,
    /// One a panel.
    pub panels: Vec<PanelBox>,
    /// Text sizes.
    pub sizes: Sizes,
    /// How the live numbers are set, where there are any.
    pub numbers: Option<NumberBlock>,
}

/// The picture is too small for what it should hold.
#[derive(Debug, thiserror::Error)]
#[error(
    "a picture of {width}x{height} is too small for {panels} panels: {left_w}x{left_h} pixels a panel are left\n  help: make it larger with --size or `size` in the scene, or show fewer panels"
)]
pub struct TooSmall {
    width: u32,
    height: u32,
    panels: usize,
    left_w: i32,
    left_h: i32,
}

/// The smallest side of a plot, in pixels.
const LEAST_PLOT: i32 = 24;

/// Lays out a picture of `size`. `aspect` is width over height of what the panels show.
///
/// # Errors
/// When the panels would be too small to see anything.
pub fn layout(scene: &Scene, size: [u32; 2], font: &Font, aspect: f64) -> Result<Layout, TooSmall> {
    let sizes = Sizes::of(size);
    let full = scene.decoration == Decoration::Full;
    let mut area = Rect { x: 0, y: 0, w: size[0] as i32, h: size[1] as i32 };
    if full {
        area = area.shrunk(sizes.gap);
    }
    let title = scene
        .title
        .as_ref()
        .filter(|_| full)
        .map(|_| area.cut_top(Sizes::strip(sizes.title) + sizes.gap / 3));

    let gap = if full { sizes.gap } else { 0 };
    let (rows, columns, frames, labelled) = match &scene.arrangement {
        Arrangement::Flow { columns } => {
            let count = scene.panels.len();
            let columns =
                columns.unwrap_or_else(|| best_columns(count, area, gap, aspect)).min(count);
            let frames = cells(area, count.div_ceil(columns), columns, gap);
            (Vec::new(), Vec::new(), frames[..count].to_vec(), full)
        }
        Arrangement::Grid { rows, columns } => {
            let mut column_strip = None;
            let mut row_width = 0;
            if full {
                let widest = rows.iter().map(|row| font.width(row, sizes.label)).max().unwrap_or(0);
                row_width = (widest + sizes.gap).min(area.w / 5);
                column_strip = Some(area.cut_top(Sizes::strip(sizes.label)));
            }
            let labels_x = area.x;
            area.x += row_width;
            area.w -= row_width;
            let frames = cells(area, rows.len(), columns.len(), gap);
            let row_labels = frames
                .iter()
                .step_by(columns.len())
                .map(|cell| Rect { x: labels_x, w: row_width, ..*cell })
                .collect();
            let column_labels = frames[..columns.len()]
                .iter()
                .filter_map(|cell| column_strip.map(|strip| Rect { x: cell.x, w: cell.w, ..strip }))
                .collect();
            (if full { row_labels } else { Vec::new() }, column_labels, frames, false)
        }
    };

    let smallest = frames.iter().map(|frame| (frame.w, frame.h)).min().unwrap_or((0, 0));
    let bodies = scene.panels.iter().map(|panel| panel.bodies.len()).max().unwrap_or(1);
    let frame_time = scene.panels.first().map_or(1.0, |panel| panel.bodies[0].setup.frame_time);
    let items = items(scene);
    let block = || NumberBlock::fit(font, sizes, smallest, bodies, (&items, frame_time));
    let numbers = if full { block() } else { None };
    let panels: Vec<_> = frames
        .iter()
        .zip(&scene.panels)
        .map(|(frame, panel)| panel_box(*frame, panel, sizes, labelled, full, numbers.as_ref()))
        .collect();

    match panels.iter().find(|panel| panel.plot.w < LEAST_PLOT || panel.plot.h < LEAST_PLOT) {
        None => Ok(Layout { title, rows, columns, panels, sizes, numbers }),
        Some(PanelBox { plot, .. }) => Err(TooSmall {
            width: size[0],
            height: size[1],
            panels: scene.panels.len(),
            left_w: plot.w.max(0),
            left_h: plot.h.max(0),
        }),
    }
}

fn panel_box(
    frame: Rect,
    panel: &Panel,
    sizes: Sizes,
    labelled: bool,
    framed: bool,
    numbers: Option<&NumberBlock>,
) -> PanelBox {
    let mut plot = if framed { frame.shrunk(1) } else { frame };
    // In a grid the rows and columns are the labels; several bodies still need a legend.
    let has_legend = framed && panel.bodies.len() > 1;
    let label = (labelled && (panel.is_named || !has_legend))
        .then(|| plot.cut_top(Sizes::strip(sizes.label)));
    let legend = has_legend.then(|| plot.cut_top(Sizes::strip(sizes.label)));
    let numbers = numbers.map(|block| plot.cut_bottom(block.height(panel.bodies.len())));
    PanelBox { frame, label, legend, plot, numbers }
}

/// Splits an area into equal cells, row by row; what is left over goes to the last ones.
fn cells(area: Rect, rows: usize, columns: usize, gap: i32) -> Vec<Rect> {
    let edge = |start: i32, length: i32, count: usize, index: usize| {
        let whole = i64::from(length + gap) * index as i64 / count as i64;
        start + whole as i32
    };
    let mut cells = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        for column in 0..columns {
            let (x, y) = (edge(area.x, area.w, columns, column), edge(area.y, area.h, rows, row));
            let w = edge(area.x, area.w, columns, column + 1) - gap - x;
            let h = edge(area.y, area.h, rows, row + 1) - gap - y;
            cells.push(Rect { x, y, w, h });
        }
    }
    cells
}

/// The number of columns that shows things of this aspect largest; side by side where it makes no difference.
fn best_columns(count: usize, area: Rect, gap: i32, aspect: f64) -> usize {
    let scale = |columns: usize| {
        let rows = count.div_ceil(columns) as f64;
        let w = f64::from(area.w + gap) / columns as f64 - f64::from(gap);
        // Label and numbers take about this much of each panel's height.
        let h = f64::from(area.h + gap) / rows - f64::from(gap) - 60.0;
        (w / aspect).min(h)
    };
    let mut best = count;
    for columns in (1..count).rev() {
        if scale(columns) > scale(best) {
            best = columns;
        }
    }
    best
}
