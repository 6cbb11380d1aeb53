//! Computes the positions of all parts of a figure.

use super::color_bar::PlacedBar;
use super::frame::{LARGE, PlotFrame};
use super::grid::{GridRow, PlotGrid};
use super::legend::Legend;
use super::names::{MarkName, PlotNames, Swatch, is_same, legend_names, names, swatch_of};
use super::path::Point;
use super::plot::{Chart, Plot};
use super::range::spans;
use super::shared::{PlacedLabel, SharedLabels};
use super::typeface::Typeface;
use super::{plot, shared};
use crate::figure::chart::cell::PlotCell;
use crate::figure::chart::text_sizes::{LINE, MEDIUM, SMALL};

/// Margin around the figure, in pixels.
const MARGIN: f64 = 14.0;

/// Margin around a figure of a given width, in pixels: the page has its own margin.
const CLOSE: f64 = 2.0;

/// Gap between two plots with their margins, in pixels.
const GAP: f64 = 14.0;

/// Positions of all parts of a figure, in pixels.
pub(super) struct FigureLayout<'a> {
    pub size: [f64; 2],
    /// Width that the plots need, including margins; a given width may be smaller.
    pub needed: f64,
    /// Lines of the title, and the baseline of the first.
    pub title: Vec<String>,
    pub title_at: Point,
    pub cells: Vec<PlotCell<'a>>,
    /// Number of rows of plots.
    pub rows: usize,
    /// Labels that plots share.
    pub labels: Vec<PlacedLabel>,
    /// Note lines for all plots of a compact figure, and the first baseline.
    pub foot: Vec<String>,
    pub foot_at: Point,
    pub legend: Legend,
    pub legend_at: Point,
    /// Colour bar and its top left corner.
    pub bar: Option<(PlacedBar<'a>, Point)>,
    /// Note about characters that cannot be drawn, and its first baseline.
    pub missing: Vec<String>,
    pub missing_at: Point,
}

/// Space around a frame: left, top, right, bottom.
#[derive(Clone, Copy, Default)]
struct Margins([f64; 4]);

pub(super) fn layout<'a>(chart: &'a Chart, typeface: &Typeface) -> FigureLayout<'a> {
    let grid = PlotGrid::new(chart);
    let room = chart.room();
    let margin = if room.is_some() { CLOSE } else { MARGIN };
    let (mut cells, rooms) = arranged(chart, &grid, typeface);
    let shared = SharedLabels::new(chart, &grid, typeface);
    let columns = Columns::new(&grid, &rooms, chart);
    let inner = columns.inner();

    let heading = if room.is_some() { "" } else { &chart.title };
    let needed = inner + 2.0 * margin;
    let title = typeface.wrap(heading, LARGE, inner.max(260.0));
    let title_at = [margin, margin + 0.95 * LARGE];
    let top = margin + title.len() as f64 * LARGE * 1.35 + if title.is_empty() { 0.0 } else { 4.0 };
    let corner = [margin, top];
    let (mut y, labels) = columns.place(&mut cells, &rooms, shared, corner);

    let room = room.map_or(inner, |width| width - 2.0 * margin);
    let foot = if chart.is_compact { shared::notes(&cells, room, typeface) } else { Vec::new() };
    let foot_at = [margin, y + LINE];
    y += foot.len() as f64 * LINE + if foot.is_empty() { 0.0 } else { 4.0 };
    let bar = chart.color_bar.as_ref().map(|bar| {
        let left = cells.first().map_or(margin, |cell| cell.at[0]);
        (PlacedBar::new(bar, room + margin - left, typeface), [left, y])
    });
    y += bar.as_ref().map_or(0.0, |(bar, _)| bar.height());
    let mut names = legend_names(cells.iter().map(|cell| &cell.names));
    names.retain(|name| !is_in_title(name, &cells));
    let legend = Legend::new(&names, room, typeface);
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
    let size = [chart.room().unwrap_or(wide), (y + margin).ceil()];
    FigureLayout {
        size,
        needed,
        title,
        title_at,
        cells,
        rows: grid.rows.len(),
        labels,
        foot,
        foot_at,
        legend,
        legend_at,
        bar,
        missing,
        missing_at,
    }
}

/// Plots with the space around their frames. Frames across all columns are as wide as the frames of
/// all columns together.
fn arranged<'a>(
    chart: &'a Chart,
    grid: &PlotGrid,
    typeface: &Typeface,
) -> (Vec<PlotCell<'a>>, Vec<Margins>) {
    let made = |wide: f64| {
        let cells = cells(chart, grid, &grid.sizes(chart, wide), typeface);
        let rooms: Vec<Margins> = cells.iter().map(|cell| margins(cell, typeface)).collect();
        (cells, rooms)
    };
    let first = made(chart.frame_size()[0] * grid.columns as f64);
    if !grid.has_wide() {
        return first;
    }
    let inner = Columns::new(grid, &first.1, chart).inner();
    let outer = |(row, rooms): (&GridRow, &[Margins])| {
        let room = rooms.get(row.first).filter(|_| row.is_wide);
        room.map_or(0.0, |room| room.0[0] + room.0[2])
    };
    let taken = grid.rows.iter().map(|row| outer((row, &first.1))).fold(0.0, f64::max);
    made((inner - taken).max(chart.frame_size()[0]))
}

/// Positions of the columns of plots.
struct Columns<'a> {
    grid: &'a PlotGrid,
    /// Maximum margin of each column's frames to the left and to the right, since they share their
    /// x.
    margins: Vec<[f64; 2]>,
    frame: [f64; 2],
    /// Gaps between columns and between rows.
    gaps: [f64; 2],
}

impl<'a> Columns<'a> {
    fn new(grid: &'a PlotGrid, rooms: &[Margins], chart: &Chart) -> Self {
        let mut margins = vec![[0.0_f64; 2]; grid.columns];
        for row in grid.rows.iter().filter(|row| !row.is_wide) {
            for (column, room) in rooms.iter().skip(row.first).take(row.count).enumerate() {
                let [left, right] = margins[column];
                let is_last = column + 1 == row.count && row.count < grid.columns;
                let own = if is_last { 0.0 } else { room.0[2] };
                margins[column] = [left.max(room.0[0]), right.max(own)];
            }
        }
        let gaps = if chart.is_compact { [6.0, 4.0] } else { [GAP, GAP] };
        let mut columns = Self { grid, margins, frame: chart.frame_size(), gaps };
        columns.widen_for_last_plots(rooms);
        columns
    }

    /// Widens columns for the names beside the last plots of unfilled rows, which may cover the
    /// empty places of the row.
    fn widen_for_last_plots(&mut self, rooms: &[Margins]) {
        for row in self.grid.rows.iter().filter(|row| !row.is_wide && row.count > 0) {
            let last = row.count - 1;
            let empty: f64 = self.margins[row.count..]
                .iter()
                .map(|[left, right]| self.gaps[0] + left + self.frame[0] + right)
                .sum();
            let needed = rooms[row.first + last].0[2] - empty;
            self.margins[last][1] = self.margins[last][1].max(needed);
        }
    }

    /// Width of all columns with their margins.
    fn inner(&self) -> f64 {
        let columns = self.margins.iter().map(|[left, right]| left + self.frame[0] + right);
        columns.sum::<f64>() + self.gaps[0] * (self.margins.len() as f64 - 1.0)
    }

    /// Positions every plot, row by row from a corner. Returns the end of the last row, and the
    /// labels that plots share.
    fn place(
        &self,
        cells: &mut [PlotCell<'_>],
        rooms: &[Margins],
        shared: SharedLabels,
        [left, mut y]: Point,
    ) -> (f64, Vec<PlacedLabel>) {
        let mut labels = Vec::new();
        let mut places = shared.groups.into_iter();
        for rows in self.grid.groups() {
            let group = places.next();
            y += group.as_ref().map_or(0.0, |group| group.place_above([left, y], &mut labels));
            for row in rows {
                let plots = row.first..row.first + row.count;
                // The frames of a row share their y.
                let highest = |side: usize| {
                    rooms[plots.clone()].iter().map(|room| room.0[side]).fold(0.0, f64::max)
                };
                let mut x = left;
                for (column, [before, after]) in self.margins.iter().enumerate() {
                    x += before;
                    if column < row.count {
                        let cell = &mut cells[row.first + column];
                        let own = if row.is_wide { left + rooms[row.first].0[0] } else { x };
                        cell.at = [own.round(), (y + highest(1)).round()];
                    }
                    x += self.frame[0] + after + self.gaps[0];
                }
                let height = cells[row.first].panel.size[1];
                y += highest(1) + height + highest(3) + self.gaps[1];
            }
            let across = [left, left + self.inner()];
            y += group.map_or(0.0, |group| group.place_below(across, y, &mut labels));
        }
        (y - if cells.is_empty() { 0.0 } else { self.gaps[1] }, labels)
    }
}

/// Creates all plots. Names are placed from right to left, since a plot omits names that a plot to
/// its right has.
fn cells<'a>(
    chart: &'a Chart,
    grid: &PlotGrid,
    sizes: &[[f64; 2]],
    typeface: &Typeface,
) -> Vec<PlotCell<'a>> {
    let spans = spans(chart, sizes);
    let title_size = if chart.is_compact { SMALL } else { MEDIUM };
    let mut cells: Vec<PlotCell<'a>> = Vec::new();
    for index in 0..chart.plots.len() {
        let panel = PlotFrame::new(chart, grid, index, sizes, &spans, typeface);
        let plot = panel.plot;
        let [width, _] = panel.size;
        let title_swatch = title_swatch(chart, &panel);
        let label = |axis: usize, text: &str, length: f64| {
            let is_own = panel.is_written[axis] && !chart.is_compact;
            if is_own { typeface.wrap(text, MEDIUM, length) } else { Vec::new() }
        };
        let numbers = [numbers_width(&panel, typeface), numbers_height(&panel, typeface)];
        let upright = match &panel.ticks[1].factor {
            Some(factor) => format!("{} ({factor})", plot.y.label),
            None => plot.y.label.clone(),
        };
        let labels = [label(0, &plot.x.label, width), label(1, &upright, width + numbers[0])];
        let is_left = title_swatch.is_some() || !labels[1].is_empty();
        let [title_left, title_width] = title_room(chart, width, numbers[0], is_left);
        let title = title(chart, grid, index, title_size, title_width, typeface);
        let notes = panel.notes();
        let notes: Vec<String> = match chart.is_compact {
            true => notes,
            false => notes.iter().flat_map(|note| typeface.wrap(note, SMALL, width)).collect(),
        };
        let names = PlotNames::default();
        let factor_line = factor_line(&panel, &labels[0], typeface);
        let at = [0.0; 2];
        cells.push(PlotCell {
            panel,
            names,
            title,
            title_swatch,
            title_left,
            title_lift: 0.0,
            title_size,
            labels,
            notes,
            numbers,
            factor_line,
            at,
        });
    }
    for row in &grid.rows {
        fill_row(&mut cells[row.first..row.first + row.count], typeface);
    }
    cells
}

/// Aligns the titles of a row of plots, and places the names of their marks.
fn fill_row(cells: &mut [PlotCell<'_>], typeface: &Typeface) {
    let lift = cells.iter().map(PlotCell::height_above).fold(0.0, f64::max);
    let mut known: Vec<MarkName> = Vec::new();
    for cell in cells.iter_mut().rev() {
        cell.title_lift = lift;
        let is_known = |name: &MarkName| known.iter().any(|other| is_same(other, name));
        cell.names = names(&cell.panel, typeface, is_known);
        known.extend(cell.names.at_end.iter().map(|at_end| at_end.name.clone()));
        known.extend(cell.names.legend.iter().cloned());
    }
}

/// Left end and width of a title. With `is_left` the title begins at the left end of the vertical
/// axis's numbers, which saves lines; otherwise at the frame.
fn title_room(chart: &Chart, width: f64, numbers: f64, is_left: bool) -> [f64; 2] {
    let left = if is_left { -numbers } else { 0.0 };
    let room = match (chart.room(), chart.columns) {
        (Some(room), 1) => (room - 2.0 * CLOSE - numbers).max(width),
        _ => width,
    };
    [left, (room - left).max(40.0)]
}

/// Lines of a plot's title. In a compact figure, other groups repeat the titles of the first group,
/// each shortened to one line.
fn title(
    chart: &Chart,
    grid: &PlotGrid,
    index: usize,
    size: f64,
    width: f64,
    typeface: &Typeface,
) -> Vec<String> {
    let plot = &chart.plots[index];
    // In a compact figure, the label of a summary plot suffices.
    let Some(text) = plot.title.as_deref().filter(|_| !(chart.is_compact && plot.is_main)) else {
        return Vec::new();
    };
    let lines = typeface.wrap(text, size, width);
    let is_repeated = chart.is_compact
        && grid.group(index) > 0
        && chart.plots[..index].iter().any(|plot| plot.title.as_deref() == Some(text));
    match &lines[..] {
        [_, _, ..] if is_repeated => vec![typeface.shortened(text, size, width)],
        _ => lines,
    }
}

/// Sample of the line that a plot's title names. In a compact figure with a plot per body, these
/// samples replace the legend of the plot of all bodies.
fn title_swatch(chart: &Chart, panel: &PlotFrame<'_>) -> Option<Swatch> {
    let title = panel.plot.title.as_deref().filter(|_| chart.is_compact && !panel.plot.is_main)?;
    let is_title = |plot: &&Plot| plot.title.as_deref() == Some(title);
    if chart.plots.iter().filter(is_title).count() != 1 {
        return None;
    }
    let mut mains = chart.plots.iter().filter(|plot| plot.is_main);
    mains.find_map(|plot| swatch_of(plot, title))
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

/// Height of the numbers at the horizontal axis: one line, or the height of rotated names.
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
    let PlotCell { panel, names, title, notes, numbers, .. } = cell;
    let notes: &[String] = if panel.is_compact { &[] } else { notes };
    let line = MEDIUM * 1.3;
    let top = title.len() as f64 * 1.3 * cell.title_size + if title.is_empty() { 0.0 } else { 4.0 };
    let lift = if title.is_empty() { cell.height_above() } else { cell.title_lift };
    let top = top + lift;
    let mut bottom = numbers[1] + cell.lines_below() as f64 * line;
    bottom += if notes.is_empty() { 0.0 } else { 4.0 + notes.len() as f64 * LINE };
    let mut room = Margins([numbers[0], top.max(6.0), names.width.max(2.0), bottom + 4.0]);
    // Numbers at the ends of the horizontal axis extend beyond it; rotated numbers extend only to
    // the left.
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

/// Whether the sample of a name is next to a title.
fn is_in_title(name: &MarkName, cells: &[PlotCell<'_>]) -> bool {
    let is_same = |cell: &PlotCell<'_>| {
        cell.title_swatch.is_some() && cell.panel.plot.title.as_deref() == Some(&name.text)
    };
    cells.iter().any(is_same)
}

/// Note about characters that no face has; empty if there are none.
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
