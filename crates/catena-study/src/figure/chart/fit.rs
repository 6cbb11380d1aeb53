//! Fits charts to a given width, such as that of a column of a paper.

use super::layout::layout;
use super::plot::{Chart, Mark, Plot};
use super::typeface::Typeface;

/// Minimum preferred width of frames, in pixels. Narrower ones are only used if no smaller number
/// of columns is left.
const LEAST: f64 = 150.0;

/// Minimum width of frames in a figure that would otherwise be higher than a page, in pixels.
const LEAST_HIGH: f64 = 84.0;

/// Usable height of a paper's page, in pixels: 235 mm.
const PAGE: f64 = 888.0;

/// Maximum ratio of a frame's height to the figure's width.
const HIGHEST: f64 = 0.85;

/// Fits a chart to a figure width. Frames get the available width, with fewer columns if they would
/// be too narrow, and more if the figure would be higher than a page. Text keeps its size.
pub(super) fn fitted(chart: &Chart, width: f64, typeface: &Typeface) -> Chart {
    let most = chart.columns.clamp(1, chart.plots.len().max(1));
    let tried = (1..=most).rev().map(|columns| with_columns(chart, width, columns, typeface));
    let mut narrow = None;
    // Chart with the most columns whose frames are wide enough for a figure of many plots.
    let mut low: Option<Chart> = None;
    for chart in tried {
        if chart.plot_size[0] >= LEAST {
            let is_high = layout(&chart, typeface).size[1] > PAGE;
            return low.filter(|_| is_high).unwrap_or(chart);
        }
        if chart.plot_size[0] >= LEAST_HIGH && low.is_none() {
            low = Some(chart.clone());
        }
        // Frames without axes stay readable at small sizes.
        if chart.plots.iter().all(is_bare) && chart.plot_size[0] >= 40.0 {
            return chart;
        }
        narrow = Some(chart);
    }
    narrow.unwrap_or_else(|| Chart { width: Some(width), ..chart.clone() })
}

fn is_bare(plot: &Plot) -> bool {
    plot.x.is_hidden && plot.y.is_hidden
}

/// Arranges the chart in `columns` columns, with the widest frames that fit.
fn with_columns(chart: &Chart, width: f64, columns: usize, typeface: &Typeface) -> Chart {
    let [wide, high] = chart.frame_size();
    let mut fitted = Chart { columns, width: Some(width), ..chart.clone() };
    let mut frame = (width / columns as f64).floor();
    // Pictures keep their proportions.
    let pictures = |plot: &Plot| plot.marks.iter().any(|mark| matches!(mark, Mark::Picture { .. }));
    let has_picture = chart.plots.iter().any(pictures);
    loop {
        // In a figure with one column, frames become flatter instead of smaller.
        let height = if has_picture {
            frame * high / wide
        } else {
            (frame * high / wide).max(high.min(0.62 * frame)).min(HIGHEST * width)
        };
        fitted.plot_size = [frame, height.round()];
        let over = layout(&fitted, typeface).needed - width;
        if over <= 0.0 || frame <= 40.0 {
            return fitted;
        }
        frame = (frame - (over / columns as f64).ceil().max(1.0)).max(40.0);
    }
}
