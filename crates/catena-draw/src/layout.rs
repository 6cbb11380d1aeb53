//! Layout of a picture: text sizes, and positions of title, labels, panels and numbers.

use super::notes::{MAX_LINES, Notes, lines_of};
use super::number_format::NumberFormats;
use super::numbers::{NumberBlock, items};
use super::rect::Rect;
use crate::font::Font;
use crate::label_lines::{
    MAX_WRAPPED, column_lines, label_lines, label_room, legend_lines, legend_rows, row_lines,
};
use crate::sizes::{Sizes, bar_height};
use catena_base::text::number::counted;
use catena_scene::{Arrangement, Body, ColorBy, Decoration, Panel, Scene};

/// Rectangles of a panel's elements, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelLayout {
    /// Whole panel; its outermost pixels are the border.
    pub frame: Rect,
    /// Label, if the panel has one.
    pub label: Option<Rect>,
    /// Labels of the bodies, if there are several and panels do not share them.
    pub legend: Option<Rect>,
    /// Area in which bodies are drawn.
    pub plot: Rect,
    /// Area for notes about different physics, if the panel has notes and enough space.
    pub notes: Option<Rect>,
    /// Area for the live numbers, if there is enough space.
    pub numbers: Option<Rect>,
}

/// Rectangles of all elements of a picture, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Title, if the scene has one.
    pub title: Option<Rect>,
    /// Colour bars, if colours show a quantity.
    pub color_bars: Option<Rect>,
    /// Area for notes about different physics that all panels of a sweep share.
    pub notes: Option<Rect>,
    /// Labels of the bodies, if all panels of shapes have the same.
    pub legend: Option<Rect>,
    /// Labels of the rows of a grid.
    pub rows: Vec<Rect>,
    /// Labels of the columns of a grid.
    pub columns: Vec<Rect>,
    /// One layout per panel, in the order of the scene.
    pub panels: Vec<PanelLayout>,
    /// Text sizes.
    pub sizes: Sizes,
    /// Setting of the live numbers, if there are any.
    pub numbers: Option<NumberBlock>,
}

/// Error for a picture that is too small for its panels.
#[derive(Debug, thiserror::Error)]
#[error(
    "a picture of {width}x{height} is too small for {}: {left_w}x{left_h} pixels per panel are left\n  help: make it larger with --size or `size` in the scene{}",
    counted(*panels as u64, "panel"),
    if *panels > 1 { ", or show fewer panels" } else { "" }
)]
pub struct TooSmall {
    width: u32,
    height: u32,
    panels: usize,
    left_w: i32,
    left_h: i32,
}

/// Minimum side of a plot in pixels.
const MIN_PLOT: i32 = 24;

/// Label sizes relative to the usual size, tried in order until no label is cut.
const LABEL_SIZES: [f64; 3] = [1.0, 0.9, 0.8];

/// Computes the layout of a picture of `size`, in pixels. `aspect` is width over height of the
/// panels' content.
///
/// # Errors
/// A plot would be narrower or lower than 24 pixels.
pub fn layout(scene: &Scene, size: [u32; 2], font: &Font, aspect: f64) -> Result<Layout, TooSmall> {
    let usual = Sizes::of(size);
    let of = |share: f64| {
        let sizes = Sizes { label: share * usual.label, ..usual };
        layout_with(scene, size, font, sizes, aspect)
    };
    let is_whole = |layout: &Layout| !cuts_labels(scene, font, layout);
    let whole = LABEL_SIZES.into_iter().filter_map(|share| of(share).ok()).find(is_whole);
    // If a label is cut at every size, the usual size applies.
    whole.map_or_else(|| of(LABEL_SIZES[0]), Ok)
}

fn layout_with(
    scene: &Scene,
    size: [u32; 2],
    font: &Font,
    sizes: Sizes,
    aspect: f64,
) -> Result<Layout, TooSmall> {
    let full = scene.decoration == Decoration::Full;
    let notes = if full && !scene.shapes_only { Notes::of(scene) } else { Notes::default() };
    let mut area = Rect { x: 0, y: 0, w: size[0] as i32, h: size[1] as i32 };
    if full {
        area = area.shrunk(sizes.gap);
    }
    let (title, common) =
        head(&mut area, scene.title.as_deref().filter(|_| full), &notes, font, sizes);

    let has_shared = full && shares_legend(scene);
    let legend = has_shared.then(|| cut_shared_legend(&mut area, scene, font, sizes));
    let color_bars = if full { cut_color_bars(&mut area, scene, sizes) } else { None };

    let PanelRects { rows, columns, frames, labelled } = match &scene.arrangement {
        Arrangement::Flow { columns } => {
            let labels = |width: i32| !full || labels_fit(scene, width, font, sizes);
            flow_frames(scene.panels.len(), *columns, area, sizes, full, aspect, &labels)
        }
        Arrangement::Grid { rows, columns } => grid_frames(rows, columns, area, font, sizes, full),
    };

    let smallest = frames.iter().map(|frame| (frame.w, frame.h)).min();
    let (width, height) = smallest.unwrap_or((0, 0));
    let bodies = scene.panels.iter().map(|panel| panel.bodies.len()).max().unwrap_or(1);
    let items = items(scene);
    let formats = NumberFormats::of(scene);
    let block = || NumberBlock::fit(font, sizes, [width, height], bodies, &items, formats);
    let numbers = if full && !scene.shapes_only { block() } else { None };
    let words = TextLines { has_shared, ..TextLines::of(scene, &frames, font, sizes, labelled) };
    let mut panels: Vec<_> = frames
        .iter()
        .zip(&scene.panels)
        .map(|(frame, panel)| panel_layout(*frame, panel, sizes, full, &words, numbers.as_ref()))
        .collect();
    cut_notes(&mut panels, &notes, font, sizes);

    match panels.iter().find(|panel| panel.plot.w < MIN_PLOT || panel.plot.h < MIN_PLOT) {
        None => {
            let notes = common;
            Ok(Layout { title, color_bars, notes, legend, rows, columns, panels, sizes, numbers })
        }
        Some(PanelLayout { plot, .. }) => Err(TooSmall {
            width: size[0],
            height: size[1],
            panels: scene.panels.len(),
            left_w: plot.w.max(0),
            left_h: plot.h.max(0),
        }),
    }
}

/// Places `count` panels in reading order. `None` columns chooses the number that makes them
/// largest.
fn flow_frames(
    count: usize,
    columns: Option<usize>,
    area: Rect,
    sizes: Sizes,
    full: bool,
    aspect: f64,
    labels_fit: &dyn Fn(i32) -> bool,
) -> PanelRects {
    let gap = if full { sizes.gap } else { 0 };
    let columns = columns
        .unwrap_or_else(|| best_columns(count, area, gap, sizes, aspect, labels_fit))
        .min(count);
    let mut frames = cells(area, count.div_ceil(columns), columns, gap)[..count].to_vec();
    // Panels of an incomplete last row are centred.
    let last = count % columns;
    if last > 0 {
        let full = frames[columns - 1].right() - frames[0].x;
        let held = frames[count - 1].right() - frames[count - last].x;
        frames[count - last..].iter_mut().for_each(|frame| frame.x += (full - held) / 2);
    }
    PanelRects { rows: Vec::new(), columns: Vec::new(), frames, labelled: full }
}

/// Whether the labels of all panels fit at this panel width, possibly one size smaller.
fn labels_fit(scene: &Scene, width: i32, font: &Font, sizes: Sizes) -> bool {
    let size = LABEL_SIZES[1] * sizes.label;
    scene.panels.iter().all(|panel| {
        let room = label_room(width - 2, size, 1, panel.bodies.len() == 1);
        let lines = font.wrap(&panel.label, size, room, MAX_WRAPPED);
        lines.last().is_none_or(|line| !line.ends_with('…'))
    })
}

/// Reserves the areas of the title and of common notes at the top.
fn head(
    area: &mut Rect,
    title: Option<&str>,
    notes: &Notes,
    font: &Font,
    sizes: Sizes,
) -> (Option<Rect>, Option<Rect>) {
    let title = title.map(|text| {
        let lines = font.wrap(text, sizes.title, area.w, MAX_WRAPPED).len();
        area.cut_top(Sizes::strip_of(sizes.title, lines) + sizes.gap / 3)
    });
    let size = sizes.note();
    let lines = lines_of(&notes.common, font, size, area.w, MAX_WRAPPED).len();
    let height = Sizes::strip_of(size, lines);
    // A low picture reserves its height for panels.
    let notes = (lines > 0 && height < area.h / 8).then(|| area.cut_top(height));
    (title, notes)
}

/// Reserves the area of colour bars at the bottom, if colours show a quantity.
fn cut_color_bars(area: &mut Rect, scene: &Scene, sizes: Sizes) -> Option<Rect> {
    let mut bodies = scene.panels.iter().flat_map(|panel| &panel.bodies);
    let has_scales = bodies.any(|body| body.style.color_by != ColorBy::None);
    has_scales.then(|| {
        let bars = area.cut_bottom(bar_height(sizes));
        area.cut_bottom(sizes.gap * 2 / 3);
        bars
    })
}

/// Whether all panels of a picture of shapes have the same bodies in the same colours, so that they
/// can share one legend.
fn shares_legend(scene: &Scene) -> bool {
    let Some((first, others)) = scene.panels.split_first() else { return false };
    let is_same = |a: &Body, b: &Body| {
        a.label == b.label && a.style.color.is_some() && a.style.color == b.style.color
    };
    let has_same = |panel: &Panel| {
        let pairs = panel.bodies.iter().zip(&first.bodies);
        panel.bodies.len() == first.bodies.len() && pairs.into_iter().all(|(a, b)| is_same(a, b))
    };
    let has_many = first.bodies.len() > 1 && !others.is_empty();
    scene.shapes_only && has_many && others.iter().all(has_same)
}

/// Reserves the area of a legend for all panels.
fn cut_shared_legend(area: &mut Rect, scene: &Scene, font: &Font, sizes: Sizes) -> Rect {
    let bodies = scene.panels.first().into_iter().flat_map(|panel| &panel.bodies);
    let labels: Vec<&str> = bodies.map(|body| &*body.label).collect();
    let lines = legend_lines(font, sizes.label, area.w, &labels);
    area.cut_top(Sizes::strip_of(sizes.label, lines))
}

/// Number of lines of the text in each panel. All panels have the same numbers of lines, so that
/// their plots have equal sizes.
struct TextLines {
    /// Lines of the label. `None` if panels have no labels of their own.
    label: Option<usize>,
    legend: usize,
    /// Whether all panels share one legend.
    has_shared: bool,
}

impl TextLines {
    fn of(scene: &Scene, frames: &[Rect], font: &Font, sizes: Sizes, labelled: bool) -> Self {
        let (mut label, mut legend) = (1, 1);
        for (panel, frame) in scene.panels.iter().zip(frames) {
            // Only panels that are much higher than their text get a second line.
            if f64::from(frame.h) < 9.0 * sizes.label {
                continue;
            }
            let has_ink = panel.bodies.len() == 1;
            let room = label_room(frame.w - 2, sizes.label, 1, has_ink);
            label = label.max(font.wrap(&panel.label, sizes.label, room, MAX_WRAPPED).len());
            let labels: Vec<&str> = panel.bodies.iter().map(|body| &*body.label).collect();
            legend = legend.max(legend_lines(font, sizes.label, frame.w - 2, &labels));
        }
        let label = (labelled && !is_named_by_title(scene)).then_some(label);
        Self { label, legend, has_shared: false }
    }
}

/// Whether a label is redundant: a title already names the method of the only body.
fn is_named_by_title(scene: &Scene) -> bool {
    match &scene.panels[..] {
        [only] => scene.title.is_some() && only.bodies.len() == 1 && !only.is_named,
        _ => false,
    }
}

/// Reserves the area of notes about different physics in each plot. All have the height of the
/// panel with the most lines.
fn cut_notes(panels: &mut [PanelLayout], notes: &Notes, font: &Font, sizes: Sizes) {
    let size = sizes.note();
    let margin = Sizes::margin(size);
    let lines = panels.iter().zip(&notes.panels).map(|(panel, notes)| {
        // Small panels reserve their height for ropes.
        let room = (panel.plot.h / 4 - margin) / Sizes::line(size);
        let maximum = MAX_LINES.min(room.max(0) as usize);
        lines_of(notes, font, size, panel.plot.w - 2 * margin, maximum).len()
    });
    let maximum = lines.max().unwrap_or(0);
    if maximum > 0 {
        for panel in panels {
            let height = maximum as i32 * Sizes::line(size) + margin;
            panel.notes = Some(panel.plot.cut_bottom(height));
        }
    }
}

/// Rectangles of the panels and of the labels of a grid.
struct PanelRects {
    /// Labels of rows.
    rows: Vec<Rect>,
    /// Labels of columns.
    columns: Vec<Rect>,
    /// One rectangle per panel.
    frames: Vec<Rect>,
    /// Whether panels have labels of their own.
    labelled: bool,
}

/// Divides an area among the panels of a grid. With `full`, there are labels for its rows and
/// columns.
fn grid_frames(
    rows: &[String],
    column_names: &[String],
    mut area: Rect,
    font: &Font,
    sizes: Sizes,
    full: bool,
) -> PanelRects {
    let (labels_x, columns) = (area.x, column_names.len());
    if !full {
        let frames = cells(area, rows.len(), columns, 0);
        return PanelRects { rows: Vec::new(), columns: Vec::new(), frames, labelled: false };
    }
    let widest = rows.iter().map(|row| font.width(row, sizes.label)).max().unwrap_or(0);
    let row_width = (widest + sizes.gap).min(area.w / 5);
    area.x += row_width;
    area.w -= row_width;
    let wrapped = |name: &String| {
        let width = area.w / columns.max(1) as i32 - sizes.gap;
        font.wrap(name, sizes.label, width, MAX_WRAPPED).len()
    };
    let lines = column_names.iter().map(wrapped).max().unwrap_or(1);
    let strip = area.cut_top(Sizes::strip_of(sizes.label, lines));
    let frames = cells(area, rows.len(), columns, sizes.gap);
    let row_label = |cell: &Rect| Rect { x: labels_x, w: row_width, ..*cell };
    let column_label = |cell: &Rect| Rect { x: cell.x, w: cell.w, ..strip };
    PanelRects {
        rows: frames.iter().step_by(columns).map(row_label).collect(),
        columns: frames[..columns].iter().map(column_label).collect(),
        frames,
        labelled: false,
    }
}

fn panel_layout(
    frame: Rect,
    panel: &Panel,
    sizes: Sizes,
    framed: bool,
    words: &TextLines,
    numbers: Option<&NumberBlock>,
) -> PanelLayout {
    let mut plot = if framed { frame.shrunk(sizes.hairline()) } else { frame };
    // Row and column labels of a grid replace panel labels, but several bodies still need a legend.
    let has_legend = framed && panel.bodies.len() > 1 && !words.has_shared;
    let lines = words.label.filter(|_| panel.is_named || !has_legend);
    let label = lines.map(|lines| plot.cut_top(Sizes::strip_of(sizes.label, lines)));
    let legend = has_legend.then(|| plot.cut_top(Sizes::strip_of(sizes.label, words.legend)));
    let numbers = numbers.map(|block| plot.cut_bottom(block.height(panel.bodies.len())));
    PanelLayout { frame, label, legend, plot, notes: None, numbers }
}

/// Splits an area into equal cells, row by row. The last cells get the remaining pixels.
fn cells(area: Rect, rows: usize, columns: usize, gap: i32) -> Vec<Rect> {
    let edge = |start: i32, length: i32, count: usize, index: usize| {
        let offset = i64::from(length + gap) * index as i64 / count as i64;
        start + offset as i32
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

/// Number of columns that shows content of this aspect as large as possible, in panels wide enough
/// for their labels. Among numbers with nearly equal scales, the one with the fewest empty cells
/// wins, then the largest.
fn best_columns(
    count: usize,
    area: Rect,
    gap: i32,
    sizes: Sizes,
    aspect: f64,
    labels_fit: &dyn Fn(i32) -> bool,
) -> usize {
    // Approximate height of label and numbers in each panel.
    let words = 3.5 * sizes.label;
    let scale = |columns: usize| {
        let rows = count.div_ceil(columns) as f64;
        let w = f64::from(area.w + gap) / columns as f64 - f64::from(gap);
        let h = f64::from(area.h + gap) / rows - f64::from(gap) - words;
        (w / aspect).min(h)
    };
    // Fewer columns only make panels wider.
    let width = |columns: usize| (area.w + gap) / columns as i32 - gap;
    let maximum = (1..=count).rev().find(|columns| labels_fit(width(*columns))).unwrap_or(count);
    let largest = (1..=maximum).map(scale).fold(f64::NEG_INFINITY, f64::max);
    let is_large = |columns: &usize| scale(*columns) >= largest - 0.02 * largest.abs();
    // Two rows of two look better than a row of three and a single panel.
    let left_over = |columns: &usize| count.next_multiple_of(*columns) - count;
    (1..=maximum).rev().filter(is_large).min_by_key(left_over).unwrap_or(maximum)
}

/// Whether a layout cuts the label of a panel, body, row or column.
pub fn cuts_labels(scene: &Scene, font: &Font, layout: &Layout) -> bool {
    let (sizes, size) = (layout.sizes, layout.sizes.label);
    let is_cut = |text: &str, lines: &[String]| {
        let drawn = lines.last().is_some_and(|line| line.ends_with('…'));
        drawn && !text.ends_with('…')
    };
    if let Arrangement::Grid { rows, columns } = &scene.arrangement {
        let of_row =
            |(area, name): (&Rect, &String)| is_cut(name, &row_lines(font, sizes, *area, name));
        let of_column =
            |(area, name): (&Rect, &String)| is_cut(name, &column_lines(font, size, *area, name));
        let rows_are_cut = layout.rows.iter().zip(rows).any(of_row);
        if rows_are_cut || layout.columns.iter().zip(columns).any(of_column) {
            return true;
        }
    }
    layout.panels.iter().zip(&scene.panels).any(|(place, panel)| {
        let has_ink = panel.bodies.len() == 1;
        let of_label =
            |area| is_cut(&panel.label, &label_lines(font, size, area, &panel.label, has_ink));
        let of_legend = |area| {
            let labels: Vec<&str> = panel.bodies.iter().map(|body| &*body.label).collect();
            let drawn = legend_rows(font, size, area, &labels).into_iter().flatten();
            drawn.zip(&labels).any(|(drawn, label)| drawn != *label)
        };
        place.label.is_some_and(of_label) || place.legend.is_some_and(of_legend)
    })
}
