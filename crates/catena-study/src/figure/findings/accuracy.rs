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
    let steps = reached.into_iter().enumerate().filter_map(|(index, need)| step(index, need));
    let steps: Vec<String> = steps.collect();
    if !steps.is_empty() {
        all.push(format!(
            "{place}, positions at t = {} are accurate to {percent} % of its length with {}.",
            short(accuracy.time),
            some(&steps)
        ));
    }
    if !missed.is_empty() {
        let names: Vec<String> = missed.into_iter().map(|need| method(&need.method)).collect();
        all.push(format!(
            "{place}, no tested step makes positions accurate to {percent} % of its length with \
             {}.",
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

/// Phrase for the body that the numbers describe.
fn place(facts: &Facts, accuracy: &AccuracyFacts) -> String {
    let body = if facts.bodies.len() > 1 { "the first body" } else { "this body" };
    match &accuracy.left_out[..] {
        [] => format!("On {body}"),
        words => {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            format!("On {body} without {}", listed(&words))
        }
    }
}

/// Step and work of a method. The first item of a list states what is counted.
fn step(index: usize, need: &MethodNeed) -> Option<String> {
    let (dt, forces) = need.enough?;
    let what = if index == 0 { " of the forces" } else { "" };
    Some(format!("{} at dt = {} ({forces} evaluations{what})", method(&need.method), short(dt)))
}

/// Sentence about the methods with the fewest evaluations of forces. Linear systems of implicit
/// methods are not counted.
fn least_work(facts: &Facts, accuracy: &AccuracyFacts) -> Option<String> {
    let work = |need: &MethodNeed| need.enough.map(|(_, forces)| forces);
    let minimum = accuracy.needs.iter().filter_map(work).min()?;
    let best: Vec<&MethodNeed> =
        accuracy.needs.iter().filter(|need| work(need) == Some(minimum)).collect();
    let names: Vec<String> = best.iter().map(|need| method(&need.method)).collect();
    let need = if best.len() == 1 { "needs" } else { "need" };
    let is_listed = best.iter().any(|need| is_own(facts, need));
    let count = if is_listed { String::new() } else { format!(": {minimum}") };
    Some(format!(
        "Of all methods of catena, {} {need} the fewest evaluations of the forces for this \
         accuracy{count}.",
        some(&names)
    ))
}
