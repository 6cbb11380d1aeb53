//! Sentences about the state of rest: the first body at rest, and times and places of rest.

use super::words::{bodies, frame};
use super::{BodyFacts, Facts, RestFacts};
use catena_analysis::settle::Ending;
use catena_base::text::{
    list::quoted,
    number::{short, six_digits, without_zeros},
};

/// Maximum number of bodies whose rest is described individually.
const MAX: usize = 3;

pub(super) fn sentences(facts: &Facts) -> Vec<String> {
    let mut all = when(facts);
    all.extend(from_solved(facts));
    all.extend(unstable(facts));
    all.extend(never(facts));
    all
}

/// Sentence about bodies that can never come to rest.
fn never(facts: &Facts) -> Option<String> {
    let cause = |body| {
        let body: &BodyFacts = body;
        Some((body, body.rest.as_ref()?.unrest?.to_string()))
    };
    let text = bodies(facts.bodies.iter().filter_map(cause));
    (!text.is_empty()).then(|| format!("Never at rest: {text}."))
}

/// Sentence about the distance of each body from its solved rest.
fn from_solved(facts: &Facts) -> Option<String> {
    let near = |body| {
        let body: &BodyFacts = body;
        let rest = body.rest.as_ref()?;
        let distance = *rest.solved.as_ref()?.as_ref().ok()?;
        let description = match rest.ending {
            Ending::AtRest { .. } => short(distance),
            Ending::Moving { frame, .. } => format!("{} at frame {frame}", short(distance)),
            Ending::Diverged { .. } => return None,
        };
        Some((body, description))
    };
    let text = bodies(facts.bodies.iter().filter_map(near));
    (!text.is_empty())
        .then(|| format!("Distance of the farthest node from its position in equilibrium: {text}."))
}

/// Sentence about bodies whose runs end in an unstable balance.
fn unstable(facts: &Facts) -> Option<String> {
    let cause = |body| {
        let body: &BodyFacts = body;
        let square = body.rest.as_ref()?.unstable?;
        Some((body, format!("ω² = {}", short(square))))
    };
    let text = bodies(facts.bodies.iter().filter_map(cause));
    (!text.is_empty()).then(|| {
        format!(
            "In an unstable equilibrium, where a body stays only because nothing disturbs it: \
             {text}. With a small force or a displaced start, the body leaves it."
        )
    })
}

/// Sentences about when bodies come to rest.
fn when(facts: &Facts) -> Vec<String> {
    let rested = |body| {
        let body: &BodyFacts = body;
        match body.rest.as_ref()?.ending {
            Ending::AtRest { frame } => Some((body, frame)),
            _ => None,
        }
    };
    let mut all: Vec<(&BodyFacts, u64)> = facts.bodies.iter().filter_map(rested).collect();
    all.sort_by(|a, b| a.0.time(a.1).total_cmp(&b.0.time(b.1)));
    match &all[..] {
        [] => Vec::new(),
        [(body, at)] => {
            let first = if is_first(facts, body, body.time(*at)) { " first," } else { "" };
            let rests = format!("{} comes to rest{first}", quoted(&body.label));
            vec![format!("{rests} at {}{}.", frame(body, *at), place(body))]
        }
        [(first, at), .., (_, end)] if at == end => {
            let who = match (all.len(), facts.bodies.len()) {
                (2, 2) => "Both bodies come to rest".to_owned(),
                (count, bodies) if count == bodies => format!("All {count} bodies come to rest"),
                (count, bodies) => format!("{count} of {bodies} bodies come to rest"),
            };
            let place = if all.len() <= MAX { places(&all) } else { String::new() };
            vec![format!("{who} at {}{place}.", frame(first, *at))]
        }
        [(first, at), others @ ..] => in_order(facts, first, *at, others),
    }
}

/// Whether other bodies exist and none of them can have come to rest before `time`.
fn is_first(facts: &Facts, body: &BodyFacts, time: f64) -> bool {
    let is_later = |other: &BodyFacts| match other.rest.as_ref().map(|rest| rest.ending) {
        Some(_) if other.rest.as_ref().is_some_and(|rest| rest.unrest.is_some()) => true,
        Some(Ending::Moving { frame, .. } | Ending::AtRest { frame }) => other.time(frame) >= time,
        Some(Ending::Diverged { .. }) => true,
        None => false,
    };
    let mut others = facts.bodies.iter().filter(|other| !std::ptr::eq(*other, body));
    facts.bodies.len() > 1 && others.all(is_later)
}

/// Sentences about bodies that rest one after another.
fn in_order(
    facts: &Facts,
    first: &BodyFacts,
    at: u64,
    others: &[(&BodyFacts, u64)],
) -> Vec<String> {
    let rank = if is_first(facts, first, first.time(at)) { " first," } else { "" };
    let mut sentences = vec![format!(
        "{} comes to rest{rank} at {}{}.",
        quoted(&first.label),
        frame(first, at),
        place(first)
    )];
    if others.len() < MAX {
        sentences.extend(others.iter().map(|(body, at)| {
            format!("{} comes to rest at {}{}.", quoted(&body.label), frame(body, *at), place(body))
        }));
    } else if let Some((last, end)) = others.last() {
        let count = others.len();
        let when = frame(last, *end);
        sentences.push(format!(
            "{count} others come to rest, the last of them {} at {when}.",
            quoted(&last.label)
        ));
    }
    sentences
}

/// Clause about the places of several bodies at rest.
fn places(all: &[(&BodyFacts, u64)]) -> String {
    let with_place = all.iter().filter_map(|(body, _)| {
        let text = farthest_place(body.rest.as_ref()?)?;
        Some((*body, text))
    });
    let text = bodies(with_place);
    if text.is_empty() { text } else { format!(": {text}") }
}

/// Clause about the place of a body at rest.
fn place(body: &BodyFacts) -> String {
    let description = body.rest.as_ref().and_then(farthest_place);
    description.map_or(String::new(), |description| format!(", with {description}"))
}

/// Place of the node farthest from the pins, and the length of a rope.
fn farthest_place(rest: &RestFacts) -> Option<String> {
    let tip = rest.tip.as_ref()?;
    let at: Vec<String> = tip.position.iter().map(|value| place_of(*value)).collect();
    let length = rest.length.map_or(String::new(), |length| {
        format!(" and a length of {}", without_zeros(&six_digits(length)))
    });
    Some(format!("node {} at ({}){length}", tip.node, at.join(", ")))
}

/// Coordinate with about five digits; a rounding error becomes 0.
fn place_of(value: f64) -> String {
    let text = format!("{value:.3}");
    match without_zeros(&text) {
        "-0" | "" => "0".into(),
        text => text.into(),
    }
}
