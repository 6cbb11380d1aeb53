//! Fits charts to a given width, such as the column width of a paper.

use super::grid::shares;
use super::layout::layout;
use super::plot::{Chart, Mark, Plot};
use super::typeface::Typeface;

/// Minimum preferred width of frames, in pixels. Narrower frames are used only if the chart has one
/// column, or if the figure would be too high.
const MIN: f64 = 150.0;

/// Minimum width of frames in a compact figure, in pixels, and in a compact figure that would
/// otherwise be higher than a page.
const MIN_COMPACT: [f64; 2] = [64.0, 40.0];

/// Minimum height of frames in a compact figure, in pixels.
const MIN_HIGH: f64 = 44.0;

/// Maximum number of plots side by side in a compact figure.
const MAX_COLUMNS: usize = 8;

/// Maximum number of pictures side by side in a compact figure. Each is a row of frames.
const PICTURE_COLUMNS: usize = 2;

/// Usable height of a paper's page, in CSS pixels: 235 mm.
const PAGE: f64 = 888.0;

/// Preferred maximum height of a figure relative to its width.
const PREFERRED: f64 = 1.17;

/// Preferred maximum height of a figure of any width, in CSS pixels: 99 mm.
const PREFERRED_MIN: f64 = 374.0;

/// Maximum ratio of a frame's height to the figure's width.
const HIGHEST: f64 = 0.85;

/// Fits a chart to a figure width. Frames get the available width, with fewer columns if they would
/// be too narrow. A figure that would be too high becomes compact.
pub(super) fn fitted(chart: &Chart, width: f64, typeface: &Typeface) -> Chart {
    let roomy = roomy(chart, width, typeface);
    let limit = (PREFERRED * width).clamp(PREFERRED_MIN, PAGE);
    let high = height(&roomy, typeface);
    if high <= limit {
        return roomy;
    }
    let compact = compact(chart, width, limit, typeface);
    compact.filter(|compact| height(compact, typeface) < high).unwrap_or(roomy)
}

/// Height of a chart on paper, in CSS pixels.
pub(super) fn height(chart: &Chart, typeface: &Typeface) -> f64 {
    chart.zoom() * layout(chart, typeface).size[1]
}

/// Chart with frames of the preferred width, and a label at each axis.
fn roomy(chart: &Chart, width: f64, typeface: &Typeface) -> Chart {
    let maximum = chart.columns.clamp(1, chart.plots.len().max(1));
    let mut narrow = None;
    for columns in (1..=maximum).rev() {
        let chart = with_columns(chart, width, columns, typeface);
        // Frames without axes stay readable at small sizes.
        let is_bare = chart.plots.iter().all(is_bare) && chart.plot_size[0] >= 40.0;
        if chart.plot_size[0] >= MIN || is_bare {
            return chart;
        }
        narrow = Some(chart);
    }
    narrow.unwrap_or_else(|| Chart { width: Some(width), ..chart.clone() })
}

/// Compact chart with the largest frames that keep it within the limit. If no chart is within the
/// limit, the lowest chart.
fn compact(chart: &Chart, width: f64, limit: f64, typeface: &Typeface) -> Option<Chart> {
    let chart = Chart { is_compact: true, plots: grouped(&chart.plots), ..chart.clone() };
    let maximum = if has_picture(&chart) { PICTURE_COLUMNS } else { MAX_COLUMNS };
    let maximum = chart.plots.len().clamp(1, maximum);
    let tried = (1..=maximum).map(|columns| {
        let chart = lowered(with_columns(&chart, width, columns, typeface), limit, typeface);
        let high = height(&chart, typeface);
        (chart, high)
    });
    let tried: Vec<(Chart, f64)> = tried.collect();
    for minimum in MIN_COMPACT {
        let wide = || tried.iter().filter(|(chart, _)| chart.plot_size[0] >= minimum);
        let fits = wide().filter(|(_, high)| *high <= limit);
        let lowest = || wide().min_by(|a, b| a.1.total_cmp(&b.1));
        let best = fits.max_by(|a, b| size(&a.0).total_cmp(&size(&b.0))).or_else(lowest);
        if let Some((chart, _)) = best.filter(|(_, high)| *high <= PAGE) {
            return Some(chart.clone());
        }
    }
    tried.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(chart, _)| chart)
}

/// Size of frames, for comparison: the area of a frame, with its width limited to twice its height.
fn size(chart: &Chart) -> f64 {
    let [width, height] = chart.plot_size;
    width.min(2.0 * height) * height.min(width)
}

/// Plots in groups that share their labels, in the order of their first members.
fn grouped(plots: &[Plot]) -> Vec<Plot> {
    let mut groups: Vec<Vec<Plot>> = Vec::new();
    for plot in plots {
        match groups.iter_mut().find(|group| shares(&group[0], plot)) {
            Some(group) => group.push(plot.clone()),
            None => groups.push(vec![plot.clone()]),
        }
    }
    groups.concat()
}

/// Lowers the frames of a chart until its height is within a limit, as long as they stay readable.
fn lowered(mut chart: Chart, limit: f64, typeface: &Typeface) -> Chart {
    if has_picture(&chart) {
        return with_small_pictures(chart, limit, typeface);
    }
    let [width, natural] = chart.plot_size;
    // A figure with units of one length along both axes would be mostly empty at the sides.
    let flattest = if chart.plots.iter().any(|plot| plot.equal_aspect) { 0.52 } else { 0.36 };
    let minimum = (flattest * width).max(MIN_HIGH).min(natural);
    for _ in 0..3 {
        let layout = layout(&chart, typeface);
        let over = layout.size[1] - limit / chart.zoom();
        if over <= 0.0 || chart.plot_size[1] <= minimum {
            break;
        }
        let rows = layout.rows.max(1) as f64;
        let lower = (chart.plot_size[1] - (over / rows).ceil()).max(minimum);
        chart.plot_size = [width, lower.floor()];
    }
    narrowed(chart, typeface)
}

/// Narrows the frames of a chart until it fits its width. The numbers at the axes may change and
/// need more space when frames with equal units are lowered.
fn narrowed(mut chart: Chart, typeface: &Typeface) -> Chart {
    let Some(room) = chart.room() else { return chart };
    for _ in 0..4 {
        let over = layout(&chart, typeface).needed - room;
        if over <= 0.0 {
            break;
        }
        let step = (over / chart.columns.max(1) as f64).ceil();
        chart.plot_size[0] = (chart.plot_size[0] - step).max(40.0);
    }
    chart
}

/// Scales the frames of a chart of pictures until its height is within a limit, as long as they
/// stay readable.
fn with_small_pictures(chart: Chart, limit: f64, typeface: &Typeface) -> Chart {
    let [width, high] = chart.plot_size;
    let mut small = chart;
    for percent in (40..=100).rev().step_by(4) {
        let scale = f64::from(percent) / 100.0;
        small.plot_size = [(scale * width).floor(), (scale * high).floor().max(1.0)];
        if height(&small, typeface) <= limit {
            break;
        }
    }
    small
}

fn is_bare(plot: &Plot) -> bool {
    plot.x.is_hidden && plot.y.is_hidden
}

fn has_picture(chart: &Chart) -> bool {
    let is_picture = |mark: &Mark| matches!(mark, Mark::Picture { .. });
    chart.plots.iter().any(|plot| plot.marks.iter().any(is_picture))
}

/// Arranges the chart in `columns` columns, with the widest frames that fit.
fn with_columns(chart: &Chart, width: f64, columns: usize, typeface: &Typeface) -> Chart {
    let [wide, high] = chart.frame_size();
    let mut fitted = Chart { columns, width: Some(width), ..chart.clone() };
    let room = fitted.room().unwrap_or(width);
    let mut frame = (room / columns as f64).floor();
    // Pictures keep their proportions.
    let has_picture = has_picture(chart);
    loop {
        // In a figure with one column, frames become flatter instead of smaller.
        let height = if has_picture {
            frame * high / wide
        } else {
            (frame * high / wide).max(high.min(0.62 * frame)).min(HIGHEST * room)
        };
        fitted.plot_size = [frame, height.round()];
        let over = layout(&fitted, typeface).needed - room;
        if over <= 0.0 || frame <= 40.0 {
            return fitted;
        }
        frame = (frame - (over / columns as f64).ceil().max(1.0)).max(40.0);
    }
}
