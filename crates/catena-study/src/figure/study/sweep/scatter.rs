//! Quantity over each axis of a sample: one point per row.

use super::super::{Look, NumberTable, Study, multiples, nth_look};
use super::data::{Factor, STATUSES, SweepData, groups};
use super::maps::status_table;
use super::{ShownQuantity, plotted};
use crate::figure::chart::{Axis, Chart, Plot};
use catena_draw::theme::Ink;
use image::Rgb;

/// Maximum number of points per colour. A larger number is thinned evenly, since the points would
/// only hide each other.
const MAX_POINTS: usize = 2000;

/// Maximum number of colours in one plot.
const MAX_GROUPS: usize = 6;

/// Colours of statuses as points, darker than the colours of cells, since a point is small.
const POINT_INKS: [Ink; STATUSES.len()] =
    [Rgb([64, 125, 175]), Rgb([196, 78, 32]), Rgb([120, 80, 150]), Rgb([130, 130, 130])];

fn axis(factor: &Factor) -> Axis {
    Axis { label: factor.name.clone(), scale: factor.scale(), ..Axis::default() }
}

/// Figure of survival in a sample, over its first two axes. Returns `None` if all survive, or it
/// has fewer axes.
pub(super) fn statuses(data: &SweepData) -> Option<Study> {
    let mut sampled = data.factors.iter().filter(|it| it.is_continuous());
    let (x, y) = sampled.next().zip(sampled.next())?;
    if data.statuses.iter().all(|status| *status == 0) {
        return None;
    }
    let words: Vec<&Factor> = data.factors.iter().filter(|it| !it.words.is_empty()).collect();
    let (groups, remarks) = plotted(data, &words, |_| true, |_| "");
    let plots = groups.iter().map(|group| {
        let every = group.rows.len().div_ceil(MAX_POINTS).max(1);
        let marks = (0..).zip(STATUSES).zip(POINT_INKS).filter_map(|((status, name), ink)| {
            let rows = group.rows.iter().filter(|row| data.statuses[**row] == status);
            let points: Vec<_> =
                rows.step_by(every).map(|row| [x.values[*row], y.values[*row]]).collect();
            let mark = Look { color: ink, ..nth_look(status.into()) };
            let mark = mark.points(points, Some(name.into()), 3.0);
            data.statuses.contains(&status).then_some(mark)
        });
        let title = Some(group.name.clone()).filter(|name| !name.is_empty());
        Plot { title, x: axis(x), y: axis(y), marks: marks.collect(), ..Plot::default() }
    });
    let (columns, plot_size) = multiples(groups.len(), 2, [360.0, 300.0], None);
    let caption = format!("Status of the sample points, over {} and {}.", x.name, y.name);
    let chart = Chart {
        title: "Which points survive".into(),
        caption: caption.clone(),
        columns,
        plots: plots.collect(),
        plot_size,
        one_scale: true,
        ..Chart::default()
    };
    Some(Study {
        name: "status_scatter".into(),
        chart,
        caption,
        remarks,
        table: status_table(data),
    })
}

/// Creates the figure. Returns `None` if there is no sampled axis.
pub(super) fn study(data: &SweepData, quantity: &ShownQuantity) -> Option<Study> {
    let sampled: Vec<&Factor> = data.factors.iter().filter(|it| it.is_continuous()).collect();
    if sampled.is_empty() {
        return None;
    }
    let words: Vec<&Factor> = data.factors.iter().filter(|it| !it.words.is_empty()).collect();
    let mut colors = groups(data, &words);
    let remarks = match colors.len().saturating_sub(MAX_GROUPS) {
        0 => String::new(),
        more => format!("{more} more colours are in the table."),
    };
    colors.truncate(MAX_GROUPS);
    let plot = |factor: &&Factor| {
        let marks = colors.iter().enumerate().map(|(index, group)| {
            let every = group.rows.len().div_ceil(MAX_POINTS).max(1);
            let rows = group.rows.iter().step_by(every);
            let points = rows.map(|row| [factor.values[*row], quantity.values[*row]]);
            let finite = |point: &[f64; 2]| point.iter().all(|it| it.is_finite());
            let label = Some(group.name.clone()).filter(|name| !name.is_empty());
            nth_look(index).points(points.filter(finite).collect(), label, 2.5)
        });
        Plot {
            x: axis(factor),
            y: Axis {
                label: quantity.measured.axis_label(),
                scale: quantity.scale(),
                ..Axis::default()
            },
            marks: marks.collect(),
            ..Plot::default()
        }
    };
    let (columns, plot_size) = multiples(sampled.len(), 2, [360.0, 260.0], None);
    let title = format!("{} of each point", quantity.title());
    let caption = format!("{} at each sample point, over each sampled axis.", quantity.title());
    let chart = Chart {
        title,
        caption: caption.clone(),
        columns,
        plots: sampled.iter().map(plot).collect(),
        plot_size,
        one_scale: false,
        ..Chart::default()
    };
    let (name, table) = (format!("{}_scatter", quantity.measured.name), NumberTable::default());
    Some(Study { name, chart, caption, remarks, table })
}
