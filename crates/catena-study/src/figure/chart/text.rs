//! Texts of a chart, and characters in them that no face has.

use super::plot::{Axis, Chart, Mark};
use super::typeface::Typeface;

/// Characters of a chart that no face of a typeface has, each once, in order.
pub(super) fn missing(chart: &Chart, typeface: &Typeface) -> Vec<char> {
    typeface.missing(&all(chart))
}

/// Concatenates all texts of a chart, without the numbers at ticks.
fn all(chart: &Chart) -> String {
    let mut all = vec![chart.title.as_str()];
    for plot in &chart.plots {
        all.extend(plot.title.as_deref());
        for Axis { label, categories, is_hidden, .. } in [&plot.x, &plot.y] {
            if !is_hidden {
                all.push(label);
                all.extend(categories.iter().map(String::as_str));
            }
        }
        all.extend(plot.notes.iter().map(String::as_str));
        plot.marks.iter().for_each(|mark| of_mark(mark, &mut all));
    }
    all.concat()
}

fn of_mark<'a>(mark: &'a Mark, all: &mut Vec<&'a str>) {
    match mark {
        Mark::Line { label, .. }
        | Mark::Points { label, .. }
        | Mark::Area { label, .. }
        | Mark::Rule { label, .. } => all.extend(label.as_deref()),
        Mark::Cells { classes, .. } => all.extend(classes.iter().map(|(name, _)| name.as_str())),
        Mark::Picture { .. } => {}
        Mark::Text { text, .. } => all.push(text),
    }
}
