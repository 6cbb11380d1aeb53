//! What is said about differences, on standard error and in reports.

use super::{Cure, Difference, cures, differences};
use crate::scene::build::Scene;
use crate::text::number::short;

/// So many quantities get a sentence of their own; the others are named in one more.
const SENTENCES: usize = 4;

/// The longest settings that stand in a sentence.
const LONGEST: usize = 120;

/// A sentence each for the quantities that matter most, and one that names the others; empty where
/// all is equal.
pub fn notes(scene: &Scene) -> Vec<String> {
    let all = differences(scene);
    let groups: Vec<&[Difference]> = all.chunk_by(|a, b| a.quantity == b.quantity).collect();
    let (told, named) = groups.split_at(groups.len().min(SENTENCES));
    let firsts: Vec<&Difference> = told.iter().map(|group| &group[0]).collect();
    let cures = cures::of_firsts(scene, &firsts);
    let labels = scene.body_labels();
    let cure_of =
        |group: &[Difference]| cures.iter().find(|cure| cure.quantity == group[0].quantity);
    let mut notes: Vec<String> =
        told.iter().map(|group| sentence(group, cure_of(group), &labels)).collect();
    let names: Vec<&str> = named.iter().map(|group| group[0].quantity.name).collect();
    match &names[..] {
        [] => {}
        [_] => notes.push(format!(
            "{} too; the table of `catena report` shows it",
            named[0][0].quantity.differs()
        )),
        many => notes.push(format!(
            "{} more differ: {}; the table of `catena report` shows them",
            many.len(),
            many.join(", ")
        )),
    }
    notes
}

/// What differs between which bodies, and what would make it equal.
fn sentence(group: &[Difference], cure: Option<&Cure>, labels: &[String]) -> String {
    let (first, rest) = (&group[0], &group[1..]);
    let (lead, label) = (&labels[first.lead], &labels[first.place]);
    let differs = first.quantity.differs();
    let what = match first.here.told_apart(&first.there) {
        Some([here, there]) => format!("{differs}: {there} in {lead}, {here} in {label}"),
        None => format!("{differs} between {lead} and {label}"),
    };
    let ratio = first.here.ratio(&first.there);
    let times = ratio.map_or(String::new(), |ratio| format!(", {} times as much", short(ratio)));
    let cure = match cure.map(|cure| cure.settings.as_str()) {
        Some(settings) if settings.len() <= LONGEST => {
            format!("; `{settings}` in {label} would make it equal")
        }
        Some(_) => format!("; what sets it in {lead} would make it equal in {label} too"),
        None => format!("; no setting of {label} was found that makes it equal"),
    };
    let more = match rest {
        [] => String::new(),
        [one] => match one.here.told_apart(&first.there) {
            Some([here, _]) => format!("; {here} in {} too", labels[one.place]),
            None => format!("; it differs in {} too", labels[one.place]),
        },
        many => format!("; {} more differ too", many.len()),
    };
    format!("{what}{times}{cure}{more}")
}
