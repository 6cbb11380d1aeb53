//! Frames of plots, with their ranges and ticks, and notes on hidden lines.

use super::grid::PlotGrid;
use super::path::Point;
use super::plot::{Chart, Mark, Plot};
use super::ticks::{Ticks, named, ticks};
use super::typeface::Typeface;
use crate::figure::chart::axis::Axis;
use crate::figure::chart::axis::Scale;
use crate::figure::chart::span::AxisSpan;
use crate::figure::chart::text_sizes::{LINE, SMALL};
use catena_base::text::{list::listed, number::counted};
use catena_draw::theme::Ink;
use image::Rgb;

/// Ink of marks that serve as a comparison; the legend lists them last.
pub const REST: Ink = Rgb([168, 173, 179]);

/// Text size of the title of a figure, in pixels.
pub(super) const LARGE: f64 = 15.0;

/// Plot with its frame, ranges and ticks.
pub(super) struct PlotFrame<'a> {
    pub plot: &'a Plot,
    /// Width and height of the frame, in pixels.
    pub size: [f64; 2],
    /// Horizontal and vertical range.
    pub spans: [AxisSpan; 2],
    /// Horizontal and vertical ticks.
    pub ticks: [Ticks; 2],
    /// Whether each axis has its numbers and label. In a row or column of plots on one scale, only
    /// one plot has them.
    pub is_written: [bool; 2],
    /// Whether all plots share labels and notes, which are then written outside the frame.
    pub is_compact: bool,
    /// Whether the names at the horizontal axis are rotated, since they do not fit.
    pub is_turned: bool,
    /// Available width for names next to the frame, in pixels.
    pub side_room: f64,
    /// Whether several rows of plots share the same names, which are then written once.
    pub is_repeated: bool,
}

impl<'a> PlotFrame<'a> {
    /// Creates the frame of a plot, given its index and the sizes and ranges of all frames.
    pub fn new(
        chart: &'a Chart,
        grid: &PlotGrid,
        index: usize,
        sizes: &[[f64; 2]],
        all: &[[AxisSpan; 2]],
        typeface: &Typeface,
    ) -> Self {
        let plot = &chart.plots[index];
        let (size, spans) = (sizes[index], all[index]);
        // A summary plot keeps most of its width.
        let max_wide = if grid.is_wide(index) { 0.35 * size[0] } else { f64::INFINITY };
        let mut panel = Self {
            plot,
            size,
            spans,
            ticks: [Ticks::default(), Ticks::default()],
            is_written: written_axes(chart, grid, index, all),
            is_compact: chart.is_compact,
            is_turned: false,
            side_room: side_room(chart).min(max_wide),
            is_repeated: (chart.one_scale || chart.is_compact) && grid.rows.len() > 1,
        };
        if !plot.y.is_hidden {
            let step = name_step(&plot.y, size[1], LINE);
            let all = |maximum| of_axis(&plot.y, &spans[1], maximum, step);
            let wanted = (size[1] / upright_room(&plot.y)) as usize;
            panel.ticks[1] =
                choose_ticks(wanted, all, |ticks| !chart.is_compact || stand_apart(ticks, size[1]));
        }
        if !plot.x.is_hidden {
            let all = |step| move |maximum| of_axis(&plot.x, &spans[0], maximum, step);
            let fits = |ticks: &Ticks| panel.fits(ticks, typeface);
            let mut ticks = choose_ticks((size[0] / 55.0) as usize, all(1), fits);
            panel.is_turned = !plot.x.categories.is_empty() && !panel.fits(&ticks, typeface);
            if panel.is_turned {
                ticks = all(name_step(&plot.x, size[0], TURNED))(ticks.major.len());
            }
            panel.ticks[0] = ticks;
        }
        panel
    }

    /// Whether the numbers along the horizontal axis fit side by side.
    fn fits(&self, ticks: &Ticks, typeface: &Typeface) -> bool {
        let ticks = ticks.major.iter();
        let mut places: Vec<(f64, f64)> = ticks
            .map(|tick| (tick.share * self.size[0], typeface.width(&tick.label, SMALL)))
            .collect();
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        places
            .windows(2)
            .all(|pair| pair[1].0 - pair[0].0 >= (pair[0].1 + pair[1].1) / 2.0 + SMALL * 0.8)
    }

    /// Whether an axis shows a common factor of its numbers.
    pub fn has_factor(&self, axis: usize) -> bool {
        self.is_written[axis] && self.ticks[axis].factor.is_some()
    }

    /// Position of a data point in the frame; `None` if a coordinate has no position on its axis.
    pub fn place(&self, [x, y]: [f64; 2]) -> Option<Point> {
        let (x, y) = (self.spans[0].share(x)?, self.spans[1].share(y)?);
        Some([x * self.size[0], (1.0 - y) * self.size[1]])
    }

    /// Position like [`PlotFrame::place`], but values at or below 0 on a logarithmic axis are at
    /// the lower border, since areas start at 0.
    pub fn place_low(&self, [x, y]: [f64; 2]) -> Option<Point> {
        let is_low = self.plot.y.scale == Scale::Log && y <= 0.0;
        let foot = || {
            let x = self.spans[0].share(x)?;
            Some([x * self.size[0], self.size[1]])
        };
        if is_low { foot() } else { self.place([x, y]) }
    }

    /// Positions of a line's points in the frame; `None` for points without a position.
    pub fn line(&self, points: &[[f64; 2]]) -> Vec<Option<Point>> {
        points.iter().map(|point| self.place(*point)).collect()
    }

    /// Whether a position is inside the frame, up to rounding.
    pub fn holds(&self, [x, y]: Point) -> bool {
        (-0.01..=self.size[0] + 0.01).contains(&x) && (-0.01..=self.size[1] + 0.01).contains(&y)
    }

    /// Notes below the frame: the plot's own, then the number of omitted points and the names of
    /// hidden lines.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = self.plot.notes.clone();
        let count = self.left_out();
        if count > 0 {
            let points = counted(count as u64, "point");
            notes.push(format!("{points} at or below 0 left out"));
        }
        notes.extend(note(self));
        notes
    }

    /// Number of finite points without a position on a logarithmic axis.
    fn left_out(&self) -> usize {
        let scales = [self.plot.x.scale, self.plot.y.scale];
        let is_out = |point: &&[f64; 2]| {
            let is_low = |(value, scale): (&f64, Scale)| scale == Scale::Log && *value <= 0.0;
            point.iter().all(|value| value.is_finite()) && point.iter().zip(scales).any(is_low)
        };
        let count = |mark: &Mark| match mark {
            Mark::Line { points, .. } | Mark::Points { points, .. } => {
                points.iter().filter(is_out).count()
            }
            Mark::Area { upper, .. } => upper.iter().filter(is_out).count(),
            _ => 0,
        };
        self.plot.marks.iter().map(count).sum()
    }
}

/// Chooses about `wanted` ticks: fewer if their labels do not fit, more if there would be fewer
/// than three. If a single label would be left, closer ticks are used, with a label at every second
/// or third.
fn choose_ticks(
    wanted: usize,
    ticks: impl Fn(usize) -> Ticks,
    fits: impl Fn(&Ticks) -> bool,
) -> Ticks {
    let wanted = wanted.max(3);
    let has_three = |ticks: &Ticks| ticks.major.len() >= 3 && fits(ticks);
    let fewer = (2..=wanted).rev().map(&ticks).find(|ticks| fits(ticks));
    if let Some(found) = fewer.as_ref().filter(|ticks| has_three(ticks)) {
        return found.clone();
    }
    let more = (wanted + 1..=wanted + 4).map(&ticks).find(has_three);
    let enough = fewer.as_ref().filter(|ticks| ticks.major.len() >= 2).cloned();
    if let Some(found) = more.or(enough) {
        return found;
    }
    let thinned = fewer.is_some().then(|| {
        let all = (2..=wanted + 8).map(&ticks).flat_map(|ticks| {
            let steps = 1..ticks.major.len();
            steps.map(move |step| thinned(&ticks, step)).collect::<Vec<_>>()
        });
        all.into_iter().find(|ticks| ticks.major.len() >= 2 && fits(ticks))
    });
    thinned.flatten().or(fewer).unwrap_or_else(|| ticks(2))
}

/// Ticks of which every `step`-th keeps its label, including the tick at 0.
fn thinned(ticks: &Ticks, step: usize) -> Ticks {
    let first = ticks.major.iter().position(|tick| tick.value == 0.0).unwrap_or(0) % step;
    let keeps = |index: usize| index % step == first;
    let (mut major, mut minor) = (Vec::new(), ticks.minor.clone());
    for (index, tick) in ticks.major.iter().enumerate() {
        match keeps(index) {
            true => major.push(tick.clone()),
            false => minor.push(tick.share),
        }
    }
    Ticks { major, minor, factor: ticks.factor.clone() }
}

/// Approximate space per tick of a vertical axis, in pixels. Ticks of a symmetric logarithmic axis
/// are unevenly spaced, on both sides of 0.
fn upright_room(axis: &Axis) -> f64 {
    if matches!(axis.scale, Scale::SymLog(_)) { 26.0 } else { 36.0 }
}

/// Minimum distance of rotated names, in pixels.
const TURNED: f64 = 14.0;

/// Interval of the written names of an axis if each needs `room` pixels: 1 writes every name, 2
/// every second one.
fn name_step(axis: &Axis, length: f64, room: f64) -> usize {
    (axis.categories.len() as f64 * room / length).ceil().max(1.0) as usize
}

/// Ticks of an axis: at most `maximum` numbers, or every `step`-th name.
fn of_axis(axis: &Axis, span: &AxisSpan, maximum: usize, step: usize) -> Ticks {
    if axis.categories.is_empty() {
        ticks(span, maximum)
    } else {
        named(span, &axis.categories, step)
    }
}

/// Available width for names. In a figure of a given width, most of it is reserved for frames.
fn side_room(chart: &Chart) -> f64 {
    chart.room().map_or(f64::INFINITY, |width| 0.3 * width / chart.columns.max(1) as f64)
}

/// Whether the numbers along a vertical axis fit one above the other.
fn stand_apart(ticks: &Ticks, height: f64) -> bool {
    let mut places: Vec<f64> = ticks.major.iter().map(|tick| tick.share * height).collect();
    places.sort_by(f64::total_cmp);
    places.windows(2).all(|pair| pair[1] - pair[0] >= SMALL)
}

/// Whether the plot's axes are written. Plots on one scale with equal axes write them once per row
/// or column.
fn written_axes(
    chart: &Chart,
    grid: &PlotGrid,
    index: usize,
    spans: &[[AxisSpan; 2]],
) -> [bool; 2] {
    let is_alike = |axis: usize, other: usize| {
        let [a, b] = [index, other].map(|index| {
            let plot = &chart.plots[index];
            [&plot.x, &plot.y][axis]
        });
        let is_shared =
            chart.one_scale || chart.is_compact && spans[index][axis] == spans[other][axis];
        is_shared
            && !b.is_hidden
            && (&a.label, a.scale, a.range, &a.categories)
                == (&b.label, b.scale, b.range, &b.categories)
    };
    let plot = &chart.plots[index];
    [
        !plot.x.is_hidden && !grid.below(index).is_some_and(|other| is_alike(0, other)),
        !plot.y.is_hidden && !grid.left(index).is_some_and(|other| is_alike(1, other)),
    ]
}

/// Maximum distance of indistinguishable lines, in pixels.
const NEAR: f64 = 0.8;

/// Maximum number of points of a line that are checked.
const MAX_SAMPLES: usize = 60;

/// Note about lines that are completely hidden under others.
pub(super) fn note(panel: &PlotFrame<'_>) -> Option<String> {
    let lines: Vec<(&str, Vec<Option<Point>>)> = panel
        .plot
        .marks
        .iter()
        .filter_map(|mark| match mark {
            // Comparison lines share one name.
            Mark::Line { color: REST, .. } => None,
            Mark::Line { points, label: Some(label), .. } => Some((&**label, panel.line(points))),
            _ => None,
        })
        .collect();
    // Each covering line, with the lines under it.
    let mut covered: Vec<(&str, Vec<String>)> = Vec::new();
    for (index, (name, line)) in lines.iter().enumerate() {
        let over = lines[index + 1..].iter().rev().find(|(_, other)| covers(panel, other, line));
        let Some((over, _)) = over else { continue };
        match covered.iter_mut().find(|(known, _)| known == over) {
            Some((_, under)) => under.push(without_number(name)),
            None => covered.push((over, vec![without_number(name)])),
        }
    }
    let covered = covered.iter().map(|(over, under)| {
        let lie = if under.len() == 1 { "lies" } else { "lie" };
        format!("{} {lie} under {}", listed(under), without_number(over))
    });
    let covered: Vec<String> = covered.collect();
    (!covered.is_empty()).then(|| format!("Hidden: {}.", covered.join("; ")))
}

/// Name without the number that a chart appends after a colon.
fn without_number(name: &str) -> String {
    name.split(": ").next().unwrap_or(name).into()
}

/// Whether the line `over` covers the whole visible part of the line `under`.
fn covers(panel: &PlotFrame<'_>, over: &[Option<Point>], under: &[Option<Point>]) -> bool {
    let shown: Vec<Point> =
        under.iter().copied().flatten().filter(|point| panel.holds(*point)).collect();
    let every = shown.len().div_ceil(MAX_SAMPLES).max(1);
    let is_near = |point: &Point| {
        over.windows(2).any(|pair| match pair {
            [Some(a), Some(b)] => distance_squared(*point, *a, *b) <= NEAR * NEAR,
            _ => false,
        })
    };
    shown.len() > 1 && shown.iter().step_by(every).chain(shown.last()).all(is_near)
}

/// Squared distance of a point from a segment.
fn distance_squared(p: Point, a: Point, b: Point) -> f64 {
    let (along, to) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let square = along[0] * along[0] + along[1] * along[1];
    let share = if square > 0.0 {
        ((along[0] * to[0] + along[1] * to[1]) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let [x, y] = [to[0] - share * along[0], to[1] - share * along[1]];
    x * x + y * y
}
