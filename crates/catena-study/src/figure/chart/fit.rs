//! Charts of a given width, such as that of a column of a paper.

use super::layout::layout;
use super::plot::{Chart, Mark, Plot};
use super::typeface::Typeface;

/// Frames are at least this wide, in pixels, as long as there are fewer columns to try.
const LEAST: f64 = 150.0;

/// Frames are at least this wide in a figure that would else be higher than a page.
const LEAST_HIGH: f64 = 84.0;

/// The height of what fits on a page of a paper, in pixels: 235 mm.
const PAGE: f64 = 888.0;

/// The widest that a frame's height may be beside the width of the figure.
const HIGHEST: f64 = 0.85;

/// The chart with the width of its figure set: frames are made as wide as that leaves room for,
/// with fewer of them side by side where they would be too narrow, and more where the figure would
/// be higher than a page. Text keeps its size.
pub(super) fn fitted(chart: &Chart, width: f64, typeface: &Typeface) -> Chart {
    let most = chart.columns.clamp(1, chart.plots.len().max(1));
    let tried = (1..=most).rev().map(|columns| with_columns(chart, width, columns, typeface));
    let mut narrow = None;
    // The one with the most columns whose frames are not too narrow for a figure of many.
    let mut low: Option<Chart> = None;
    for chart in tried {
        if chart.plot_size[0] >= LEAST {
            let is_high = layout(&chart, typeface).size[1] > PAGE;
            return low.filter(|_| is_high).unwrap_or(chart);
        }
        if chart.plot_size[0] >= LEAST_HIGH && low.is_none() {
            low = Some(chart.clone());
        }
        // Frames without axes lose nothing by being small.
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

/// The chart with so many columns, its frames as wide as fits.
fn with_columns(chart: &Chart, width: f64, columns: usize, typeface: &Typeface) -> Chart {
    let [wide, high] = chart.frame_size();
    let mut fitted = Chart { columns, width: Some(width), ..chart.clone() };
    let mut frame = (width / columns as f64).floor();
    // Pictures keep their proportions.
    let pictures = |plot: &Plot| plot.marks.iter().any(|mark| matches!(mark, Mark::Picture { .. }));
    let has_picture = chart.plots.iter().any(pictures);
    loop {
        // Frames become flatter and not smaller where the figure has one column.
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
