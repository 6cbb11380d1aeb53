//! A quantity over each axis of a sample: a point a row.

use super::super::{NumberTable, Study, multiples, nth_look};
use super::Quantity;
use super::data::{Factor, SweepData, groups};
use super::maps::upper_first;
use crate::figure::chart::{Axis, Chart, Plot, Scale};

/// More points than these of one colour are thinned evenly: they would only hide each other.
const MOST_POINTS: usize = 2000;

/// More colours than these are too many for one plot.
const MOST_GROUPS: usize = 6;

/// The figure; `None` without an axis of a sample.
pub(super) fn study(data: &SweepData, quantity: &Quantity) -> Option<Study> {
    let sampled: Vec<&Factor> = data.factors.iter().filter(|it| it.is_continuous()).collect();
    if sampled.is_empty() {
        return None;
    }
    let words: Vec<&Factor> = data.factors.iter().filter(|it| !it.words.is_empty()).collect();
    let mut colors = groups(data, &words);
    colors.truncate(MOST_GROUPS);
    let scale = |is_log: bool| if is_log { Scale::Log } else { Scale::Linear };
    let plot = |factor: &&Factor| {
        let marks = colors.iter().enumerate().map(|(index, group)| {
            let every = group.rows.len().div_ceil(MOST_POINTS).max(1);
            let rows = group.rows.iter().step_by(every);
            let points = rows.map(|row| [factor.values[*row], quantity.values[*row]]);
            let finite = |point: &[f64; 2]| point.iter().all(|it| it.is_finite());
            let label = Some(group.name.clone()).filter(|name| !name.is_empty());
            nth_look(index).points(points.filter(finite).collect(), label, 2.5)
        });
        let ends = factor
            .values
            .iter()
            .fold([f64::INFINITY, 0.0], |[a, b]: [f64; 2], it| [a.min(*it), b.max(*it)]);
        Plot {
            x: Axis {
                label: factor.name.clone(),
                scale: scale(super::is_log(&ends)),
                ..Axis::default()
            },
            y: Axis {
                label: quantity.label.into(),
                scale: scale(quantity.is_log()),
                ..Axis::default()
            },
            marks: marks.collect(),
            ..Plot::default()
        }
    };
    let (columns, plot_size) = multiples(sampled.len(), 2, [360.0, 260.0], None);
    let title = format!("{} of each point", upper_first(quantity.label));
    let caption = format!("{title} of the sample, over each axis that it fills.");
    let chart = Chart {
        title,
        caption: caption.clone(),
        columns,
        plots: sampled.iter().map(plot).collect(),
        plot_size,
        one_scale: false,
        width: None,
    };
    let (name, table) = (format!("{}_scatter", quantity.name), NumberTable::default());
    Some(Study { name, chart, caption, remarks: String::new(), table })
}
