//! A quantity over one axis: a line through the medians, and a band from the least to the greatest
//! where other axes vary as well.

use super::super::{NumberTable, Study, nth_look};
use super::data::{Factor, Group, SweepData, groups};
use super::maps::upper_first;
use super::{Quantity, is_log, others};
use crate::figure::chart::{Axis, Chart, Mark, Plot, Scale};
use crate::render::theme::mix;
use image::Rgb;

/// More lines than these are too many for one plot.
const MOST_LINES: usize = 8;

/// The figure; `None` without an axis of some numbers.
pub(super) fn study(data: &SweepData, quantity: &Quantity) -> Option<Study> {
    let gridded = data.factors.iter().filter(|it| it.is_gridded());
    // Of equally many numbers the first axis is x.
    let x = gridded.rev().max_by_key(|factor| factor.levels.len())?;
    let words: Vec<&Factor> =
        others(data, &[x]).into_iter().filter(|it| !it.words.is_empty()).collect();
    let mut lines = groups(data, &words);
    let left_out = lines.len().saturating_sub(MOST_LINES);
    lines.truncate(MOST_LINES);
    let (marks, has_band) = marks(x, quantity, &lines);
    let title = format!("{} over {}", upper_first(quantity.label), x.name);
    let caption = match has_band {
        true => format!(
            "{title}: medians, and bands from the least to the greatest of what else varies."
        ),
        false => format!("{title}."),
    };
    let scale = |is_log: bool| if is_log { Scale::Log } else { Scale::Linear };
    let plot = Plot {
        x: Axis { label: x.name.clone(), scale: scale(is_log(&x.levels)), ..Axis::default() },
        y: Axis {
            label: quantity.label.into(),
            scale: scale(quantity.is_log()),
            ..Axis::default()
        },
        marks,
        ..Plot::default()
    };
    let chart = Chart {
        title,
        caption: caption.clone(),
        columns: 1,
        plots: vec![plot],
        plot_size: [620.0, 320.0],
        one_scale: false,
        width: None,
    };
    let remarks = match left_out {
        0 => String::new(),
        more => format!("{more} more lines are in the table."),
    };
    let (name, table) = (format!("{}_lines", quantity.name), NumberTable::default());
    Some(Study { name, chart, caption, remarks, table })
}

/// The bands, and the lines on them; whether there is a band at all.
fn marks(x: &Factor, quantity: &Quantity, lines: &[Group]) -> (Vec<Mark>, bool) {
    let (mut bands, mut marks) = (Vec::new(), Vec::new());
    for (index, group) in lines.iter().enumerate() {
        let look = nth_look(index);
        let points = summaries(x, quantity, group);
        if points.is_empty() {
            continue;
        }
        let of = |place: usize| points.iter().map(|(x, y)| [*x, y[place]]).collect::<Vec<_>>();
        if points.iter().any(|(_, [low, _, high])| low != high) {
            // Light enough for lines of other colours upon it.
            let color = mix(look.color, Rgb([255; 3]), 160);
            bands.push(Mark::Area { upper: of(2), lower: of(0), color, label: None });
        }
        let label = Some(group.name.clone()).filter(|name| !name.is_empty());
        marks.push(look.line(of(1), label, 1.6));
    }
    let has_band = !bands.is_empty();
    bands.extend(marks);
    (bands, has_band)
}

/// For each number of the axis the least, the median and the greatest of a quantity.
fn summaries(x: &Factor, quantity: &Quantity, group: &Group) -> Vec<(f64, [f64; 3])> {
    let mut at: Vec<Vec<f64>> = vec![Vec::new(); x.levels.len()];
    for row in &group.rows {
        let value = quantity.values[*row];
        let place = x.levels.binary_search_by(|level| level.total_cmp(&x.values[*row]));
        if let Ok(place) = place
            && value.is_finite()
        {
            at[place].push(value);
        }
    }
    let summary = |(level, mut values): (&f64, Vec<f64>)| {
        values.sort_by(f64::total_cmp);
        let last = values.len().checked_sub(1)?;
        let median = 0.5 * (values[last / 2] + values[last.div_ceil(2)]);
        Some((*level, [values[0], median, values[last]]))
    };
    x.levels.iter().zip(at).filter_map(summary).collect()
}
