//! Figures of a sweep: maps over two axes, lines with bands over one, points of samples, and what
//! the table says in words.

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
use data::{Group, SHOWN, groups};

/// The most plots of a figure.
const MOST_PLOTS: usize = 24;

/// All figures that a sweep has something to show in.
pub fn studies(data: &SweepData) -> Vec<Study> {
    let mut all: Vec<Study> = maps::statuses(data).into_iter().collect();
    for (name, label) in SHOWN {
        let Some(values) = data.varied(name) else { continue };
        let quantity = Quantity { name, label, values };
        all.extend(maps::quantity(data, &quantity));
        all.extend(lines::study(data, &quantity));
        all.extend(scatter::study(data, &quantity));
    }
    all
}

/// A column of the table that is shown.
struct Quantity {
    name: &'static str,
    label: &'static str,
    values: Vec<f64>,
}

impl Quantity {
    /// Whether factors tell more of it than differences: it is above 0 and spans two powers of ten.
    fn is_log(&self) -> bool {
        let [low, high] = self.ends();
        low > 0.0 && high > 100.0 * low
    }

    /// Its least and its greatest value.
    fn ends(&self) -> [f64; 2] {
        let finite = self.values.iter().filter(|value| value.is_finite());
        finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], it| [a.min(*it), b.max(*it)])
    }
}

/// Whether numbers of an axis, which ascend, lie by about equal factors rather than differences.
fn is_log(levels: &[f64]) -> bool {
    let [first, .., last] = levels else { return false };
    let middle = levels[levels.len() / 2];
    let is_near_factor = levels.len() == 2 || {
        let means = [(first * last).sqrt(), 0.5 * (first + last)];
        middle < 0.5 * (means[0] + means[1])
    };
    *first > 0.0 && *last >= 8.0 * first && is_near_factor
}

/// The factors that are neither of these.
fn others<'a>(data: &'a SweepData, used: &[&Factor]) -> Vec<&'a Factor> {
    let is_used = |factor: &&Factor| used.iter().any(|other| std::ptr::eq(*other, *factor));
    data.factors.iter().filter(|factor| !is_used(factor)).collect()
}

/// The groups of rows that have a plot each, and what to say of those that have none.
fn plotted(data: &SweepData, factors: &[&Factor]) -> (Vec<Group>, String) {
    let mut all = groups(data, factors);
    let count = all.len();
    all.truncate(MOST_PLOTS);
    let remarks = match count - all.len() {
        0 => String::new(),
        more => format!("{more} more combinations are in the table and have no plot."),
    };
    (all, remarks)
}
