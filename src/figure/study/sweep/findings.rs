//! What the table of a sweep says, in sentences.

use super::data::{Factor, SHOWN, STATUSES, SweepData, groups};
use crate::text::number::{counted, percent, short};

/// Sentences about how runs ended and how far quantities reach, the most important first.
pub fn findings(data: &SweepData) -> Vec<String> {
    let mut all = vec![endings(data)];
    let words: Vec<&Factor> = data.factors.iter().filter(|it| it.words.len() > 1).collect();
    if data.statuses.contains(&1) {
        all.extend(words.iter().map(|factor| shares(data, factor)));
        all.extend(limits(data, &words));
    }
    all.extend(SHOWN.iter().filter_map(|(name, label)| ends(data, name, label)));
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

/// Which share diverged, for each word of a factor.
fn shares(data: &SweepData, factor: &Factor) -> String {
    let part = |group: &super::data::Group| {
        let lost = group.rows.iter().filter(|row| data.statuses[**row] == 1).count();
        format!("{} {}", group.name, percent(lost as u64, group.rows.len() as u64))
    };
    let parts: Vec<String> = groups(data, &[factor]).iter().map(part).collect();
    format!("Diverged by {}: {}.", factor.name, parts.join(", "))
}

/// Up to which number of an axis every run survives, for each combination of words.
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
            all.push(format!("Every run survives by {}: {}.", axis.name, parts.join(", ")));
        }
    }
    all
}

/// Where a quantity is least and greatest.
fn ends(data: &SweepData, name: &str, label: &str) -> Option<String> {
    let values = data.varied(name)?;

    let finite = || values.iter().enumerate().filter(|(_, value)| value.is_finite());
    let least = finite().min_by(|a, b| a.1.total_cmp(b.1))?;
    // Of several greatest ones the first counts.
    let greatest = finite().min_by(|a, b| b.1.total_cmp(a.1))?;
    let at =
        |(row, value): (usize, &f64)| format!("{} (variant {})", short(*value), data.variants[row]);
    let named = super::maps::upper_first(label);
    Some(format!("{named}: from {} to {}.", at(least), at(greatest)))
}
