//! Computes the positions of all parts of a figure.

use super::{
    frame::{LARGE, LINE, MEDIUM, PlotFrame, SMALL},
    legend::Legend,
    names::{MarkName, PlotNames, REST, is_same, names},
    path::Point,
    plot::{self, Chart},
    range::spans,
    typeface::Typeface,
};

/// Margin around the figure, in pixels.
const MARGIN: f64 = 14.0;

/// Margin around a figure of a given width, in pixels: the page has its own margin.
const CLOSE: f64 = 2.0;

/// Gap between two plots with their margins, in pixels.
const GAP: f64 = 14.0;

/// Plot with the text around its frame.
pub(super) struct PlotCell<'a> {
    pub panel: PlotFrame<'a>,
    pub names: PlotNames,
    /// Lines of the title, of the axis labels and of the notes.
    pub title: Vec<String>,
    pub labels: [Vec<String>; 2],
    pub notes: Vec<String>,
    /// Width of the numbers at the vertical axis, and height of those at the horizontal one.
    pub numbers: [f64; 2],
    /// Index of the line below the frame that holds the common factor of the horizontal axis.
    pub factor_line: usize,
    /// Top left corner of the frame.
    pub at: Point,
}

impl PlotCell<'_> {
    /// Number of lines taken by the label of the horizontal axis and its factor.
    pub fn lines_below(&self) -> usize {
        let factor = if self.panel.has_factor(0) { self.factor_line + 1 } else { 0 };
        self.labels[0].len().max(factor)
    }
}

/// Positions of all parts of a figure, in pixels.
pub(super) struct FigureLayout<'a> {
    pub size: [f64; 2],
    /// Width that the plots need, including margins; a given width may be smaller.
    pub needed: f64,
    /// Lines of the title, and the baseline of the first.
    pub title: Vec<String>,
    pub title_at: Point,
    pub cells: Vec<PlotCell<'a>>,
    pub legend: Legend,
    pub legend_at: Point,
    /// Note about characters that cannot be drawn, and its first baseline.
    pub missing: Vec<String>,
    pub missing_at: Point,
}

/// Space around a frame: left, top, right, bottom.
#[derive(Clone, Copy, Default)]
struct Margins([f64; 4]);

pub(super) fn layout<'a>(chart: &'a Chart, typeface: &Typeface) -> FigureLayout<'a> {
    let columns = chart.columns.clamp(1, chart.plots.len().max(1));
    let margin = if chart.width.is_some() { CLOSE } else { MARGIN };
    let mut cells = cells(chart, columns, typeface);
    let margins_of_cells: Vec<Margins> = cells.iter().map(|cell| margins(cell, typeface)).collect();
    let inner = inner_width(&margins_of_cells, columns, chart.frame_size()[0]);

    let heading = if chart.width.is_some() { "" } else { &chart.title };
    let needed = inner + 2.0 * margin;
    let title = typeface.wrap(heading, LARGE, inner.max(260.0));
    let title_at = [margin, margin + 0.95 * LARGE];
    let top = margin + title.len() as f64 * LARGE * 1.35 + if title.is_empty() { 0.0 } else { 4.0 };
    let mut y = place(&mut cells, &margins_of_cells, columns, chart.frame_size(), [margin, top]);

    let room = chart.width.map_or(inner, |width| width - 2.0 * margin);
    let legend = Legend::new(&legend_names(&cells), room, typeface);
    // The legend is below the first frame, or further left if it is wide.
    let left = cells.first().map_or(margin, |cell| cell.at[0]);
    let legend_at = [left.min(room + margin - legend.width()).max(margin), y];
    y += legend.height();
    let missing = typeface.wrap(&missing(chart, typeface), SMALL, inner.max(260.0));
    let missing_at = [margin, y + LINE];
    y += missing.len() as f64 * LINE + if missing.is_empty() { 0.0 } else { 4.0 };

    let written = title.iter().map(|line| typeface.width(line, LARGE));
    let written = written.chain(missing.iter().map(|line| typeface.width(line, SMALL)));
    let inner = written.fold(inner.max(legend.width()), f64::max);
    let wide = (inner + 2.0 * margin).ceil();
    let size = [chart.width.unwrap_or(wide), (y + margin).ceil()];
    FigureLayout { size, needed, title, title_at, cells, legend, legend_at, missing, missing_at }
}

/// Maximum margin of a column's frames on one side, since they share their x.
fn widest(margins: &[Margins], columns: usize, column: usize, side: usize) -> f64 {
    let of_column = margins.iter().skip(column).step_by(columns);
    of_column.map(|room| room.0[side]).fold(0.0, f64::max)
}

/// Width of all columns with their margins.
fn inner_width(margins: &[Margins], columns: usize, width: f64) -> f64 {
    let column = |column: usize| {
        widest(margins, columns, column, 0) + width + widest(margins, columns, column, 2)
    };
    (0..columns).map(column).sum::<f64>() + GAP * (columns - 1) as f64
}

/// Positions every plot, row by row from a corner, and returns the end of the last row.
fn place(
    cells: &mut [PlotCell<'_>],
    margins: &[Margins],
    columns: usize,
    [width, height]: [f64; 2],
    [left, mut y]: Point,
) -> f64 {
    for (row, rooms) in margins.chunks(columns).enumerate() {
        // The frames of a row share their y.
        let highest = |side: usize| rooms.iter().map(|room| room.0[side]).fold(0.0, f64::max);
        let mut x = left;
        for column in 0..columns {
            x += widest(margins, columns, column, 0);
            if let Some(cell) = cells.get_mut(row * columns + column) {
                cell.at = [x.round(), (y + highest(1)).round()];
            }
            x += width + widest(margins, columns, column, 2) + GAP;
        }
        y += highest(1) + height + highest(3) + GAP;
    }
    y - if cells.is_empty() { 0.0 } else { GAP }
}

/// Creates all plots. Names are placed from right to left, since a plot omits names that a plot
/// further right has.
fn cells<'a>(chart: &'a Chart, columns: usize, typeface: &Typeface) -> Vec<PlotCell<'a>> {
    let spans = spans(chart);
    let mut cells: Vec<PlotCell<'a>> = Vec::new();
    for (index, spans) in spans.into_iter().enumerate() {
        let panel = PlotFrame::new(chart, index, spans, typeface);
        let plot = panel.plot;
        let [width, height] = panel.size;
        let lines = |text: &str, length: f64| typeface.wrap(text, MEDIUM, length);
        let title = plot.title.as_deref().map_or(Vec::new(), |title| lines(title, width));
        let label = |axis: usize, text: &str, length: f64| {
            if panel.is_written[axis] { lines(text, length) } else { Vec::new() }
        };
        let labels = [label(0, &plot.x.label, width), label(1, &plot.y.label, height)];
        let notes: Vec<String> =
            panel.notes().iter().flat_map(|note| typeface.wrap(note, SMALL, width)).collect();
        let numbers = [numbers_width(&panel, typeface), numbers_height(&panel, typeface)];
        let names = PlotNames::default();
        let factor_line = factor_line(&panel, &labels[0], typeface);
        let at = [0.0; 2];
        cells.push(PlotCell { panel, names, title, labels, notes, numbers, factor_line, at });
    }
    for row in cells.chunks_mut(columns) {
        let mut known: Vec<MarkName> = Vec::new();
        for cell in row.iter_mut().rev() {
            let is_known = |name: &MarkName| known.iter().any(|other| is_same(other, name));
            cell.names = names(&cell.panel, typeface, is_known);
            known.extend(cell.names.at_end.iter().map(|at_end| at_end.name.clone()));
            known.extend(cell.names.legend.iter().cloned());
        }
    }
    cells
}

/// Index of the first label line that leaves space for the common factor, or of the line below the
/// label.
fn factor_line(panel: &PlotFrame<'_>, label: &[String], typeface: &Typeface) -> usize {
    let factor = panel.ticks[0].factor.as_deref().unwrap_or_default();
    let factor = typeface.width(factor, SMALL) + SMALL;
    let is_free =
        |text: &String| typeface.width(text, MEDIUM) / 2.0 + factor <= panel.size[0] / 2.0;
    label.iter().position(is_free).unwrap_or(label.len())
}

/// Width of the numbers at the vertical axis.
fn numbers_width(panel: &PlotFrame<'_>, typeface: &Typeface) -> f64 {
    let ticks = &panel.ticks[1].major;
    let widths = ticks.iter().map(|tick| typeface.width(&tick.label, SMALL));
    if panel.is_written[1] { 8.0 + widths.fold(0.0, f64::max) } else { 0.0 }
}

/// Height of the numbers at the horizontal axis: one line, or that of rotated names.
fn numbers_height(panel: &PlotFrame<'_>, typeface: &Typeface) -> f64 {
    let ticks = &panel.ticks[0].major;
    if !panel.is_written[0] || ticks.is_empty() {
        return 0.0;
    }
    let widths = ticks.iter().map(|tick| typeface.width(&tick.label, SMALL));
    let longest = widths.fold(0.0, f64::max);
    6.0 + if panel.is_turned { (longest + SMALL) * std::f64::consts::FRAC_1_SQRT_2 } else { LINE }
}

fn margins(cell: &PlotCell<'_>, typeface: &Typeface) -> Margins {
    let PlotCell { panel, names, title, labels, notes, numbers, .. } = cell;
    let line = MEDIUM * 1.3;
    let up = if labels[1].is_empty() { 0.0 } else { labels[1].len() as f64 * line + 8.0 };
    let top = title.len() as f64 * line + if title.is_empty() { 0.0 } else { 4.0 };
    let top = top + if panel.has_factor(1) { LINE } else { 0.0 };
    let mut bottom = numbers[1] + cell.lines_below() as f64 * line;
    bottom += if notes.is_empty() { 0.0 } else { 4.0 + notes.len() as f64 * LINE };
    let mut room = Margins([numbers[0] + up, top.max(6.0), names.width.max(2.0), bottom + 4.0]);
    // Numbers at the ends of the horizontal axis extend beyond it, rotated ones only to the left.
    let written = if panel.is_written[0] { panel.ticks[0].major.as_slice() } else { &[] };
    for tick in written {
        let (x, width) = (tick.share * panel.size[0], typeface.width(&tick.label, SMALL));
        let [left, right] = if panel.is_turned {
            [width * std::f64::consts::FRAC_1_SQRT_2, 4.0]
        } else {
            [width / 2.0; 2]
        };
        room.0[0] = room.0[0].max(left - x);
        room.0[2] = room.0[2].max(right - (panel.size[0] - x));
    }
    room
}

/// Names in the legend, each once.
fn legend_names(cells: &[PlotCell<'_>]) -> Vec<MarkName> {
    let mut all: Vec<MarkName> = Vec::new();
    for name in cells.iter().flat_map(|cell| &cell.names.legend) {
        if !all.iter().any(|other| other == name) {
            all.push(name.clone());
        }
    }
    all.sort_by_key(|name| name.swatch.ink() == REST);
    all
}

/// Note about characters that no face has; empty without any.
fn missing(chart: &Chart, typeface: &Typeface) -> String {
    let missing = plot::missing(chart, typeface);
    if missing.is_empty() {
        return String::new();
    }
    let shown: Vec<String> =
        missing.iter().take(8).map(|letter| format!("U+{:04X}", u32::from(*letter))).collect();
    let more = if missing.len() > shown.len() { ", …" } else { "" };
    let say = match missing.len() {
        1 => "1 character is missing in the font and is drawn as a box".into(),
        count => format!("{count} characters are missing in the font and are drawn as boxes"),
    };
    format!("{say}: {}{more}", shown.join(", "))
}
