//! Findings about the table of a sweep, as sentences.

use super::data::{Factor, Measured, SHOWN, STATUSES, SweepData, Without, groups};
use catena_base::text::number::{counted, percent, short};

/// Sentences about the outcomes of runs and the ranges of quantities, the most important first.
pub fn findings(data: &SweepData) -> Vec<String> {
    let mut all = vec![endings(data)];
    all.extend(doubtful(data));
    let words: Vec<&Factor> = data.factors.iter().filter(|it| it.words.len() > 1).collect();
    if data.statuses.contains(&1) {
        all.extend(words.iter().map(|factor| shares(data, factor)));
        all.extend(limits(data, &words));
    }
    all.extend(SHOWN.iter().filter_map(|measured| extremes(data, measured)));
    all
}

fn endings(data: &SweepData) -> String {
    let rows = data.rows() as u64;
    let of = |index: usize| data.statuses.iter().filter(|it| usize::from(**it) == index).count();
    let parts: Vec<String> = (0..STATUSES.len())
        .filter(|index| of(*index) > 0)
        .map(|index| {
            format!("{} {} ({})", of(index), STATUSES[index], percent(of(index) as u64, rows))
        })
        .collect();
    format!("{}: {}.", counted(rows, "row"), parts.join(", "))
}

/// Sentence about the number of finished runs whose results are doubtful.
fn doubtful(data: &SweepData) -> Option<String> {
    let doubts = data.doubts();
    let fine: Vec<usize> = (0..data.rows()).filter(|row| data.statuses[*row] == 0).collect();
    let count = |is_one: &dyn Fn([bool; 2]) -> bool| {
        fine.iter().filter(|row| is_one(doubts(**row))).count()
    };
    let (over, torn) = (count(&|[over, _]| over), count(&|[_, torn]| torn));
    let parts = [
        (over, "take steps longer than the predicted limit"),
        (torn, "stretch a spring to more than twice its length"),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(rows, _)| *rows > 0)
        .map(|(rows, what)| format!("{rows} {what}"))
        .collect();
    let all = count(&|[over, torn]| over || torn);
    (all > 0).then(|| {
        format!(
            "Of {} that did not diverge, {all} may be unstable, with meaningless results: {}. Only \
             runs that reach `strain_limit` count as diverged. Figures and extremes of energy, \
             rest and the tip omit these rows.",
            counted(fine.len() as u64, "row"),
            parts.join(", ")
        )
    })
}

/// Sentence about the diverged share for each word of a factor.
fn shares(data: &SweepData, factor: &Factor) -> String {
    let part = |group: &super::data::RowGroup| {
        let lost = group.rows.iter().filter(|row| data.statuses[**row] == 1).count();
        format!("{} {}", group.name, percent(lost as u64, group.rows.len() as u64))
    };
    let parts: Vec<String> = groups(data, &[factor]).iter().map(part).collect();
    format!("Diverged by {}: {}.", factor.name, parts.join(", "))
}

/// Sentences about the range of an axis in which every run survives, for each combination of words.
fn limits(data: &SweepData, words: &[&Factor]) -> Vec<String> {
    let mut all = Vec::new();
    for axis in data.factors.iter().filter(|it| it.is_gridded() && it.levels.len() > 2) {
        let mut parts = Vec::new();
        for group in groups(data, words) {
            let lost = |level: &f64| {
                let mut rows = group.rows.iter().filter(|row| axis.values[**row] == *level);
                rows.any(|row| data.statuses[*row] == 1)
            };
            let safe: Vec<f64> = axis.levels.iter().copied().take_while(|it| !lost(it)).collect();
            let name = if group.name.is_empty() { "all" } else { &group.name };
            match safe.last() {
                Some(last) if safe.len() < axis.levels.len() => {
                    parts.push(format!("{name} up to {}", short(*last)));
                }
                Some(_) => parts.push(format!("{name} everywhere")),
                None => {}
            }
        }
        if !parts.is_empty() {
            all.push(format!(
                "Ranges of {} in which every run survives: {}.",
                axis.name,
                parts.join(", ")
            ));
        }
    }
    all
}

/// Sentence about the minimum and maximum of a quantity.
fn extremes(data: &SweepData, measured: &Measured) -> Option<String> {
    let values = data.varied(measured)?;
    let finite = || values.iter().enumerate().filter(|(_, value)| value.is_finite());
    let minimum = finite().min_by(|a, b| a.1.total_cmp(b.1))?;
    // Among equal maxima the first is named.
    let greatest = finite().min_by(|a, b| b.1.total_cmp(a.1))?;
    let at =
        |(row, value): (usize, &f64)| format!("{} (variant {})", short(*value), data.variants[row]);
    let named = super::maps::upper_first(measured.label);
    let endless = values.iter().filter(|value| **value == f64::INFINITY).count() as u64;
    let endless = match (measured.without, endless) {
        (Without::Some, 1..) => format!("; every step is stable in {}", counted(endless, "row")),
        _ => String::new(),
    };
    Some(format!("{named}: from {} to {}{endless}.", at(minimum), at(greatest)))
}
