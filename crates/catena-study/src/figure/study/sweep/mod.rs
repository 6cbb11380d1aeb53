//! Figures of a sweep: maps over two axes, lines with bands over one, points of samples, and
//! findings in sentences.

mod data;
mod findings;
mod lines;
mod maps;
mod scatter;
mod sheet;

pub use data::{Factor, STATUSES, SweepData};
pub use findings::findings;
pub use sheet::{SheetPicture, sheet};

use super::Study;
use crate::figure::chart::Scale;
use catena_base::text::{list::listed, number::counted};
use data::{Measured, RowGroup, SHOWN, Without, groups};
use maps::upper_first;

/// Maximum number of combinations without a plot that a remark names.
const MAX_NAMES: usize = 6;

/// Maximum number of plots of a figure.
const MAX_PLOTS: usize = 24;

/// Creates all figures for which a sweep has data.
pub fn studies(data: &SweepData) -> Vec<Study> {
    let mut all: Vec<Study> = maps::statuses(data).into_iter().collect();
    all.extend(scatter::statuses(data));
    for measured in SHOWN {
        let Some(values) = data.varied(&measured) else { continue };
        let quantity = ShownQuantity { measured, values };
        all.extend(maps::quantity(data, &quantity));
        all.extend(lines::study(data, &quantity));
        all.extend(scatter::study(data, &quantity));
    }
    all
}

/// Column of the table that is shown.
struct ShownQuantity {
    measured: Measured,
    values: Vec<f64>,
}

impl ShownQuantity {
    /// Name in figures, with a capital letter.
    fn title(&self) -> String {
        upper_first(self.measured.label)
    }

    /// Whether any of these rows has a value.
    fn is_in(&self, rows: &[usize]) -> bool {
        rows.iter().any(|row| self.values[*row].is_finite())
    }

    /// Whether a logarithmic scale suits the quantity: it is positive and spans two powers of ten.
    fn is_log(&self) -> bool {
        let [low, high] = self.range();
        low > 0.0 && high > 100.0 * low
    }

    /// Scale of the axis.
    fn scale(&self) -> Scale {
        if self.is_log() { Scale::Log } else { Scale::Linear }
    }

    /// Minimum and maximum value.
    fn range(&self) -> [f64; 2] {
        let finite = self.values.iter().filter(|value| value.is_finite());
        finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], it| [a.min(*it), b.max(*it)])
    }
}

/// Factors other than these.
fn others<'a>(data: &'a SweepData, used: &[&Factor]) -> Vec<&'a Factor> {
    let is_used = |factor: &&Factor| used.iter().any(|other| std::ptr::eq(*other, *factor));
    data.factors.iter().filter(|factor| !is_used(factor)).collect()
}

/// Groups of rows that get a plot, and sentences about the groups that do not. `has_plot` returns
/// whether the rows of a group have anything to draw, and `reason` explains why they do not.
fn plotted(
    data: &SweepData,
    factors: &[&Factor],
    has_plot: impl Fn(&[usize]) -> bool,
    reason: impl Fn(&[usize]) -> &'static str,
) -> (Vec<RowGroup>, String) {
    let (mut all, empty): (Vec<RowGroup>, Vec<RowGroup>) =
        groups(data, factors).into_iter().partition(|group| has_plot(&group.rows));
    let mut remarks: Vec<String> = Vec::new();
    for why in empty.chunk_by(|a, b| reason(&a.rows) == reason(&b.rows)) {
        let names: Vec<String> = why.iter().map(|group| group.name.clone()).collect();
        if let Some(first) = why.first() {
            remarks.push(format!("No plot of {}: {}.", named(names), reason(&first.rows)));
        }
    }
    let more = all.len().saturating_sub(MAX_PLOTS);
    all.truncate(MAX_PLOTS);
    if more > 0 {
        let combinations = counted(more as u64, "more combination");
        let have = if more == 1 { "is in the table and has" } else { "are in the table and have" };
        remarks.push(format!("{combinations} {have} no plot."));
    }
    (all, remarks.join(" "))
}

/// List of names. The last item may be a count of further names.
fn named(mut names: Vec<String>) -> String {
    let more = names.len().saturating_sub(MAX_NAMES);
    names.truncate(MAX_NAMES);
    names.extend((more > 0).then(|| format!("{more} more")));
    listed(&names)
}

/// Reason why a quantity's plot would be empty.
fn why_empty(data: &SweepData, quantity: &ShownQuantity, rows: &[usize]) -> &'static str {
    let doubts = data.doubts();
    let is_lost = |row: usize| data.statuses[row] != 0;
    let is_wreck = |row: usize| is_lost(row) || doubts(row) != [false; 2];
    let is_endless = |row: usize| quantity.values[row] == f64::INFINITY;
    let all = |is_so: &dyn Fn(usize) -> bool| rows.iter().all(|row| is_so(*row));
    match quantity.measured.without {
        Without::Survivors => "no run there diverges",
        Without::Lost | Without::Wrecks if all(&is_lost) => "no run finished normally",
        Without::Wrecks if all(&is_wreck) => "every run failed, diverged or may be unstable",
        Without::Some if all(&is_endless) => "every step is stable there",
        Without::Lost | Without::Wrecks | Without::Some => "no run there has a value",
    }
}

/// Describes the runs without a value of a quantity, among the shown rows. `None` if all have one.
fn gaps(
    data: &SweepData,
    quantity: &ShownQuantity,
    is_shown: impl Fn(usize) -> bool,
) -> Option<&'static str> {
    let without = || {
        let all = (0..data.rows()).filter(|row| !quantity.values[*row].is_finite());
        all.filter(|row| is_shown(*row))
    };
    without().next()?;
    let doubts = data.doubts();
    let is_lost = |row: usize| data.statuses[row] != 0;
    let is_wreck = |row: usize| is_lost(row) || doubts(row) != [false; 2];
    let is_endless = |row: usize| quantity.values[row] == f64::INFINITY;
    Some(match quantity.measured.without {
        Without::Survivors => "runs that do not diverge",
        Without::Lost | Without::Wrecks if without().all(is_lost) => "runs that diverge or fail",
        Without::Wrecks if without().all(is_wreck) => "runs that diverge, fail or may be unstable",
        Without::Lost => "runs without a value, such as those that diverge or fail,",
        Without::Wrecks => {
            "runs without a value, such as those that diverge, fail or may be unstable,"
        }
        Without::Some if without().all(is_endless) => "runs in which every step is stable",
        Without::Some if without().any(is_endless) => {
            "runs without a value, and those in which every step is stable,"
        }
        Without::Some => "runs without a value",
    })
}
