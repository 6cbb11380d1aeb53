//! Sentences about differences, for standard error and reports.

use super::measures::HELD;
use super::purpose::Purposes;
use super::remedies::{FoundRemedies, MOST_BUILT, Remedy, SearchExtent, of_firsts};
use super::{Difference, differences};
use crate::parts::Scene;
use catena_base::text::{list::quoted, number::count};

/// Number of quantities that get a sentence of their own. One more sentence names the others.
const SENTENCES: usize = 4;

/// Maximum length of printed settings in characters. For longer ones, such as a thousand pins, only
/// the fields are named.
const LONGEST: usize = 600;

/// Length in bytes above which settings are printed once. Later sentences refer to the first.
const LONG: usize = 60;

/// Returns a sentence for each of the most important quantities that differ, and one that names the
/// others. The result is empty if all are equal.
pub fn notes(scene: &Scene) -> Vec<String> {
    notes_within(scene, MOST_BUILT)
}

/// Returns the sentences of [`notes`] with a search for remedies that builds at most `most` nodes
/// in total. Differences that labels mention or a grid varies are left out.
pub fn notes_within(scene: &Scene, most: u64) -> Vec<String> {
    let mut purposes = Purposes::of(scene);
    let mut all = differences(scene);
    all.retain(|difference| !purposes.include(difference));
    let groups: Vec<&[Difference]> = all.chunk_by(|a, b| a.quantity == b.quantity).collect();
    let (told, named) = groups.split_at(groups.len().min(SENTENCES));
    let firsts: Vec<&Difference> = told.iter().map(|group| &group[0]).collect();
    let search = of_firsts(scene, &firsts, most);
    let labels: Vec<String> = scene.body_labels().iter().map(|label| quoted(label)).collect();
    let mut notes: Vec<String> =
        told.iter().map(|group| sentences(group, &search, &labels)).collect();
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

/// Describes the difference between two bodies, its remedy, and other bodies that differ.
fn sentences(group: &[Difference], search: &FoundRemedies, labels: &[String]) -> String {
    let (first, rest) = (&group[0], &group[1..]);
    let (reference, label) = (&labels[first.reference], &labels[first.place]);
    let (differs, symbol) = first.quantity.sentence();
    let what = match first.here.told_apart(&first.there).map(|pair| pair.map(plain)) {
        Some([here, there]) => {
            format!("{differs}: {symbol}{there} in {reference}, {here} in {label}.")
        }
        None => format!("{differs} between {reference} and {label}."),
    };
    let remedy = remedy(first, search, label);
    let more = match rest {
        [] => String::new(),
        [one] => match one.here.told_apart(&first.there).map(|pair| pair.map(plain)) {
            Some([here, _]) => format!(" It also differs in {}: {here}.", labels[one.place]),
            None => format!(" It also differs in {}.", labels[one.place]),
        },
        many => format!(" It also differs in {} more bodies.", many.len()),
    };
    format!("{what} {remedy}{more}")
}

/// Rewords a value for sentences.
fn plain(value: &str) -> &str {
    if value == HELD { "rigid segments instead of springs" } else { value }
}

/// Describes the remedy of a difference in the body with this label, or why there is none.
fn remedy(difference: &Difference, search: &FoundRemedies, label: &str) -> String {
    let at = (difference.panel, difference.body);
    let here = |remedy: &&Remedy| (remedy.panel, remedy.body) == at;
    let mut remedies = search.remedies.iter().filter(here);
    let Some(found) = remedies.clone().find(|it| it.quantity == difference.quantity) else {
        let of_body = search.unfinished.iter().find(|(panel, body, _)| (*panel, *body) == at);
        return match of_body.map(|(.., extent)| extent) {
            None => format!("No setting of {label} was found that makes it equal."),
            Some(SearchExtent::Nothing) => {
                "No settings were tried to make it equal: the bodies are too large.".into()
            }
            Some(SearchExtent::Part) => {
                "The search for a remedy stopped early: the bodies are too large.".into()
            }
        };
    };
    let same =
        remedies.find(|it| (&it.settings, &it.left_out) == (&found.settings, &found.left_out));
    match same.filter(|same| same.quantity != found.quantity && found.settings.len() > LONG) {
        Some(same) => {
            format!("The settings named for {} make it equal too.", same.quantity.name)
        }
        None => format!("To compare like with like, {}.", in_words(found, label)),
    }
}

/// Describes what a remedy sets and removes in the body with this label.
fn in_words(remedy: &Remedy, label: &str) -> String {
    let quoted = |paths: &[String]| {
        let all: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
        all.join(", ")
    };
    let set = match &*remedy.settings {
        "" => return format!("remove {} from {label}", quoted(&remedy.left_out)),
        settings if settings.chars().count() <= LONGEST => format!("set `{settings}` in {label}"),
        settings => format!(
            "set {} in {label} (too long to print: {} characters)",
            quoted(&remedy.fields),
            count(settings.chars().count() as u128)
        ),
    };
    match &remedy.left_out[..] {
        [] => set,
        gone => format!("{set} and remove {} there", quoted(gone)),
    }
}
