//! Sentences about errors: the step that each method needs, and its work.

use super::words::{method, some, three};
use super::{AccuracyFacts, Facts, MethodNeed};
use catena_base::text::{list::listed, number::short};

pub(super) fn sentences(facts: &Facts) -> Vec<String> {
    let Some(accuracy) = &facts.accuracy else { return Vec::new() };
    let own = accuracy.needs.iter().filter(|need| is_own(facts, need));
    let (reached, missed): (Vec<&MethodNeed>, Vec<&MethodNeed>) =
        own.partition(|need| need.enough.is_some());
    let place = place(facts, accuracy);
    let percent = three(100.0 * accuracy.error);
    let mut all = Vec::new();
    let steps: Vec<String> = reached.into_iter().filter_map(step).collect();
    if !steps.is_empty() {
        all.push(format!(
            "{place}, positions at t = {} are exact to {percent} % of its length with {}.",
            short(accuracy.time),
            some(&steps)
        ));
    }
    if !missed.is_empty() {
        let names: Vec<String> = missed.into_iter().map(|need| method(&need.method)).collect();
        all.push(format!(
            "{place}, no step that was tried makes positions exact to {percent} % of its length with {}.",
            some(&names)
        ));
    }
    all.extend(least_work(facts, accuracy));
    all
}

/// Whether a method is one of the scene's.
pub(super) fn is_own(facts: &Facts, need: &MethodNeed) -> bool {
    facts.bodies.iter().any(|body| body.method.name == need.method.name)
}

/// The body that the numbers are about.
fn place(facts: &Facts, accuracy: &AccuracyFacts) -> String {
    let body = if facts.bodies.len() > 1 { "the first body" } else { "the body" };
    match &accuracy.left_out[..] {
        [] => format!("On {body}"),
        words => {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            format!("On {body} without {}", listed(&words))
        }
    }
}

/// Step and work of a method.
fn step(need: &MethodNeed) -> Option<String> {
    let (dt, forces) = need.enough?;
    let name = method(&need.method);
    Some(format!("{name} at dt = {} ({forces} evaluations of the forces)", short(dt)))
}

/// Sentence about the method with the least work.
fn least_work(facts: &Facts, accuracy: &AccuracyFacts) -> Option<String> {
    let enough = accuracy.needs.iter().filter_map(|need| Some((need, need.enough?)));
    let (best, (dt, forces)) = enough.min_by_key(|(_, (_, forces))| *forces)?;
    let is_own = is_own(facts, best);
    let name = method(&best.method);
    Some(match is_own {
        true => format!("Of all methods of catena, {name} takes the least work for this."),
        false => format!(
            "Of all methods of catena, {name} takes the least work for this: {forces} evaluations, with dt = {}.",
            short(dt)
        ),
    })
}
