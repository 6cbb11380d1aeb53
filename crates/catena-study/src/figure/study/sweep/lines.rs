//! Quantity over one axis: a line through the medians, and a band from the minimum to the maximum
//! if other axes vary as well.

use super::super::{NumberTable, Study, multiples, nth_look};
use super::data::{Factor, RowGroup, SweepData, Without, groups};
use super::maps::upper_first;
use super::{ShownQuantity, gaps, named, others, plotted, why_empty};
use crate::figure::chart::{Axis, Chart, Mark, Plot, span_of};
use catena_draw::theme::mix;
use image::Rgb;

/// Maximum number of lines in one plot.
const MAX_LINES: usize = 8;

/// Maximum count of axis numbers at which each gets a marker.
const MAX_MARKED: usize = 24;

/// Creates the figure. Returns `None` if no axis consists of a few distinct numbers.
pub(super) fn study(data: &SweepData, quantity: &ShownQuantity) -> Option<Study> {
    let gridded = data.factors.iter().filter(|it| it.is_gridded());
    // Among axes with equally many numbers the first is x.
    let x = gridded.rev().max_by_key(|factor| factor.levels.len())?;
    let words: Vec<&Factor> =
        others(data, &[x]).into_iter().filter(|it| it.words.len() > 1).collect();
    let (plots, remarks) = divided(data, quantity, &words);
    let title = format!("{} over {}", quantity.title(), x.name);
    let mut has_band = false;
    let plots: Vec<Plot> = plots
        .into_iter()
        .map(|(name, lines)| {
            let (marks, has_bands) = marks(x, quantity, &lines);
            has_band |= has_bands;
            Plot {
                title: Some(name).filter(|name| !name.is_empty()),
                x: Axis {
                    label: x.name.clone(),
                    scale: x.scale(),
                    range: whole_range(x, quantity, &lines),
                    ..Axis::default()
                },
                y: Axis {
                    label: quantity.measured.axis_label(),
                    scale: quantity.scale(),
                    ..Axis::default()
                },
                marks,
                notes: survivors(x, quantity, &lines),
                ..Plot::default()
            }
        })
        .collect();
    let caption = format!("{} {remarks}", caption(data, quantity, &title, has_band));
    let caption = caption.trim_end().to_string();
    let (columns, plot_size) = match plots.len() {
        1 => (1, [620.0, 320.0]),
        count => multiples(count, 2, [420.0, 280.0], None),
    };
    let chart = Chart {
        title,
        caption: caption.clone(),
        columns,
        plots,
        plot_size,
        one_scale: true,
        ..Chart::default()
    };
    let (name, table) = (format!("{}_lines", quantity.measured.name), NumberTable::default());
    Some(Study { name, chart, caption, remarks: String::new(), table })
}

/// Caption with a description of the figure and of the runs without a value.
fn caption(data: &SweepData, quantity: &ShownQuantity, title: &str, has_band: bool) -> String {
    let missing = gaps(data, quantity, |_| true).map(upper_first);
    let missing = missing.map_or(String::new(), |runs| format!(" {runs} are not included."));
    if !has_band {
        return format!("{title}.{missing}");
    }
    let of_others = match missing.is_empty() {
        true => "",
        false => " So medians are those of the other runs, and may jump where some are missing.",
    };
    format!(
        "{title}: medians, and bands from the minimum to the maximum over everything else that \
         varies.{missing}{of_others}"
    )
}

/// Names and lines of the plots: one plot if lines are few, otherwise one per word of the first
/// factor.
fn divided(
    data: &SweepData,
    quantity: &ShownQuantity,
    words: &[&Factor],
) -> (Vec<(String, Vec<RowGroup>)>, String) {
    let all = groups(data, words);
    let Some((first, rest)) = words.split_first().filter(|_| all.len() > MAX_LINES) else {
        return (vec![(String::new(), all)], String::new());
    };
    let reason = |rows: &[usize]| why_empty(data, quantity, rows);
    let (plots, mut remarks) = plotted(data, &[first], |rows| quantity.is_in(rows), reason);
    let mut left_out = 0;
    let lines = |plot: RowGroup| {
        let is_in = |row: &usize| plot.rows.binary_search(row).is_ok();
        let mut lines = groups(data, rest);
        lines.iter_mut().for_each(|line| line.rows.retain(is_in));
        left_out += lines.len().saturating_sub(MAX_LINES);
        lines.truncate(MAX_LINES);
        (plot.name, lines)
    };
    let plots = plots.into_iter().map(lines).collect();
    if left_out > 0 {
        remarks = format!("{remarks} {left_out} more lines are in the table.").trim().into();
    }
    (plots, remarks)
}

/// Bands and the lines on them, and whether there is a band.
fn marks(x: &Factor, quantity: &ShownQuantity, lines: &[RowGroup]) -> (Vec<Mark>, bool) {
    let (mut bands, mut marks) = (Vec::new(), Vec::new());
    for (index, group) in lines.iter().enumerate() {
        let look = nth_look(index);
        let points = summaries(x, quantity, group);
        if points.is_empty() {
            continue;
        }
        let of = |place: usize| points.iter().map(|(x, y)| [*x, y[place]]).collect::<Vec<_>>();
        if points.iter().any(|(_, [low, _, high])| low != high) {
            // Light enough for lines of other colours on top.
            let color = mix(look.color, Rgb([255; 3]), 160);
            bands.push(Mark::Area { upper: of(2), lower: of(0), color, label: None });
        }
        let label = Some(group.name.clone()).filter(|name| !name.is_empty());
        marks.push(look.line(of(1), label.clone(), 1.6));
        if x.levels.len() <= MAX_MARKED {
            marks.push(look.points(of(1), label, 4.8));
        }
    }
    let has_band = !bands.is_empty();
    bands.extend(marks);
    (bands, has_band)
}

/// Full range of the axis if the first or the last number has no point, so that the gap is visible.
/// `None` derives it from the points.
fn whole_range(x: &Factor, quantity: &ShownQuantity, lines: &[RowGroup]) -> Option<[f64; 2]> {
    let [first, .., last] = x.levels[..] else { return None };
    let has_point = |level: f64| {
        let mut rows = lines.iter().flat_map(|line| &line.rows);
        rows.any(|row| x.values[*row] == level && quantity.values[*row].is_finite())
    };
    if has_point(first) && has_point(last) {
        return None;
    }
    let span = span_of(x.scale(), [first, last]);
    Some([0.0, 1.0].map(|share| span.value_at(share)))
}

/// Notes about lines and axis numbers without lost runs, for a quantity that only lost runs have.
/// Lines with the same numbers share a note.
fn survivors(x: &Factor, quantity: &ShownQuantity, lines: &[RowGroup]) -> Vec<String> {
    if quantity.measured.without != Without::Survivors {
        return Vec::new();
    }
    let mut notes: Vec<(String, Vec<String>)> = Vec::new();
    for line in lines {
        let lost: Vec<f64> = summaries(x, quantity, line).into_iter().map(|(x, _)| x).collect();
        let has_rows = |level: f64| line.rows.iter().any(|row| x.values[*row] == level);
        let calm = ranges(x, |level| has_rows(level) && !lost.contains(&level));
        let what = match (calm.is_empty(), lost.is_empty()) {
            (true, _) => continue,
            (false, true) => String::new(),
            (false, false) => format!("no run is lost at {} {}", x.name, named(calm)),
        };
        let name = if line.name.is_empty() { "all" } else { &line.name };
        match notes.iter_mut().find(|(known, _)| *known == what) {
            Some((_, names)) => names.push(name.to_owned()),
            None => notes.push((what, vec![name.to_owned()])),
        }
    }
    let sentence = |(what, names): (String, Vec<String>)| match &*what {
        "" => format!("No run is lost: {}.", named(names)),
        _ => format!("{}: {what}.", named(names)),
    };
    notes.into_iter().map(sentence).collect()
}

/// Numbers of the axis that satisfy `has`, with consecutive numbers written as ranges.
fn ranges(x: &Factor, has: impl Fn(f64) -> bool) -> Vec<String> {
    let levels: Vec<(f64, bool)> = x.levels.iter().map(|level| (*level, has(*level))).collect();
    let runs = levels.chunk_by(|a, b| a.1 == b.1).filter(|run| run[0].1);
    let text = |run: &[(f64, bool)]| match run {
        [(only, _)] => x.level_name(*only),
        [(a, _), (b, _)] => format!("{} and {}", x.level_name(*a), x.level_name(*b)),
        [(first, _), .., (last, _)] => {
            format!("{} to {}", x.level_name(*first), x.level_name(*last))
        }
        [] => String::new(),
    };
    runs.map(text).collect()
}

/// Minimum, median and maximum of a quantity for each number of the axis.
fn summaries(x: &Factor, quantity: &ShownQuantity, group: &RowGroup) -> Vec<(f64, [f64; 3])> {
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
