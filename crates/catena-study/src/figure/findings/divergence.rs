//! Sentences about divergence: bodies, times, and each step compared with its limit.

use super::words::{bodies, frame, method, named_count, ratio, some, three};
use super::{BodyFacts, Facts, LimitFacts};
use catena_base::text::{list::quoted, number::counted, number::short};

pub(super) fn sentences(facts: &Facts) -> Vec<String> {
    let mut lost: Vec<(&BodyFacts, u64)> =
        facts.bodies.iter().filter_map(|body| Some((body, body.diverged()?))).collect();
    lost.sort_by(|a, b| a.0.time(a.1).total_cmp(&b.0.time(b.1)));
    let named = named_count(lost.len());
    let mut all: Vec<String> = lost[..named]
        .iter()
        .map(|(body, at)| {
            format!("{} diverged at {}{}.", quoted(&body.label), frame(body, *at), cause(body))
        })
        .collect();
    if let Some((body, at)) = lost.last().filter(|_| named < lost.len()) {
        let more = lost.len() - named;
        all.push(format!("{more} more bodies diverged, the last at {}.", frame(body, *at)));
    }
    all.extend(bounded(facts));
    all.extend(without_run(facts));
    all
}

/// Sentences about the steps of bodies whose runs no figure has simulated.
fn without_run(facts: &Facts) -> Vec<String> {
    let known = facts.bodies.iter().filter(|body| body.film.is_none() && !body.chooses_its_step);
    let known: Vec<(&BodyFacts, LimitFacts)> =
        known.filter_map(|body| Some((body, body.limit?))).collect();
    let is_within =
        |limit: &LimitFacts, dt: f64| limit.longest.is_some_and(|longest| dt <= longest);
    let (within, over_limit): (Vec<_>, Vec<_>) =
        known.into_iter().partition(|(body, limit)| is_within(limit, body.dt));
    let named = named_count(over_limit.len());
    let mut sentences: Vec<String> = over_limit
        .iter()
        .take(named)
        .map(|(body, limit)| {
            let why = match limit.longest {
                None => grows(body, *limit),
                Some(longest) => over(body, *limit, longest),
            };
            format!("{} is not stable: {why}.", quoted(&body.label))
        })
        .collect();
    if named < over_limit.len() {
        sentences.push(format!("{} more bodies are not stable.", over_limit.len() - named));
    }
    if !within.is_empty() {
        let who = bodies(within.iter().map(|(body, _)| (*body, String::new())));
        let [verb, step] = match within.len() {
            1 => ["is", "its step"],
            _ => ["are", "their steps"],
        };
        let all: Vec<&BodyFacts> = within.iter().map(|(body, _)| *body).collect();
        sentences.push(format!("{who} {verb} stable for small motions at {step}{}.", steps(&all)));
    }
    sentences
}

/// Clause about the cause of a divergence, with the numbers that it follows from.
fn cause(body: &BodyFacts) -> String {
    if body.chooses_its_step {
        return ", although its steps are adaptive".into();
    }
    if body.method.limit.is_none() {
        return cause_of_held(body);
    }
    let Some(limit) = body.limit else { return String::new() };
    match limit.longest {
        None => format!(": {}", grows(body, limit)),
        Some(longest) if body.dt > longest => format!(": {}", over(body, limit, longest)),
        Some(longest) if longest.is_finite() => format!(
            "; its dt {} is {} the longest stable step {} of small motions, so this limit does not \
             explain the divergence",
            short(body.dt),
            ratio(body.dt / longest),
            three(longest)
        ),
        Some(_) => {
            "; small motions are stable at any step, so no stability limit explains the divergence"
                .into()
        }
    }
}

/// Clause about the cause of a divergence under a method that integrates no springs.
fn cause_of_held(body: &BodyFacts) -> String {
    match &body.held {
        Some((longest, what)) if body.dt > *longest => format!(
            ": its dt {} is {} the longest stable step {} of {what}",
            short(body.dt),
            ratio(body.dt / longest),
            three(*longest)
        ),
        _ => {
            let method = method(&body.method);
            format!(
                "; {method} does not integrate springs, so no stability limit explains the \
                     divergence"
            )
        }
    }
}

/// Clause about a method that is unstable at every step size.
fn grows(body: &BodyFacts, limit: LimitFacts) -> String {
    format!(
        "{} has no stable step on an undamped rope, and each step of dt = {} makes the stiffest mode (ω = {}) grow by {}",
        method(&body.method),
        short(body.dt),
        three(limit.omega),
        growth(limit.growth)
    )
}

/// Clause about a step above its limit.
fn over(body: &BodyFacts, limit: LimitFacts, longest: f64) -> String {
    format!(
        "its dt {} is {} the longest stable step {} of its stiffest mode (ω = {})",
        short(body.dt),
        ratio(body.dt / longest),
        three(longest),
        three(limit.omega)
    )
}

/// Growth per step, in percent or as a factor.
fn growth(factor: f64) -> String {
    match factor {
        factor if factor.is_infinite() => "more than the largest number".into(),
        factor if factor >= 2.0 => format!("a factor of {}", three(factor)),
        factor => format!("{} %", three(100.0 * (factor - 1.0))),
    }
}

/// Sentences about bodies that did not diverge.
fn bounded(facts: &Facts) -> Vec<String> {
    let stays = |body: &&BodyFacts| {
        body.film.is_some_and(|film| film.diverged.is_none() && film.frames == facts.frames)
    };
    let all: Vec<&BodyFacts> = facts.bodies.iter().filter(stays).collect();
    let Some(first) = all.first() else { return Vec::new() };
    let is_over = |body: &&BodyFacts| {
        body.limit.is_some_and(|limit| limit.longest.is_none_or(|longest| body.dt > longest))
            && !body.chooses_its_step
    };
    let (over_limit, within): (Vec<&BodyFacts>, Vec<&BodyFacts>) =
        all.iter().copied().partition(|body| is_over(body));
    let frames = counted(facts.frames, "frame");
    let end = short(first.time(facts.frames - 1));
    let mut sentences = Vec::new();
    if !within.is_empty() {
        let who = match within.len() {
            count if count == facts.bodies.len() && count > 1 => "No body diverged".into(),
            _ => {
                format!("{} did not diverge", bodies(within.iter().map(|it| (*it, String::new()))))
            }
        };
        let steps = steps(&within);
        sentences.push(format!("{who} in {frames} (up to t = {end}){steps}."));
    }
    let clauses: Vec<String> = over_limit
        .into_iter()
        .filter_map(|body| {
            let limit = body.limit?;
            let why = match limit.longest {
                None => grows(body, limit),
                Some(longest) => over(body, limit, longest),
            };
            Some(format!("{} did not diverge in {frames}, although {why}", quoted(&body.label)))
        })
        .collect();
    let (named, others) = clauses.split_at(named_count(clauses.len()));
    sentences.extend(named.iter().map(|clause| format!("{clause}.")));
    if !others.is_empty() {
        let more = others.len();
        sentences.push(format!(
            "{more} more bodies exceed their stability limit, but did not \
                                diverge."
        ));
    }
    sentences
}

/// Clause about the steps of bodies within their limits.
fn steps(all: &[&BodyFacts]) -> String {
    let share = |body: &BodyFacts| {
        let longest = body.limit?.longest.filter(|it| it.is_finite() && !body.chooses_its_step)?;
        Some((body.dt / longest, longest))
    };
    let mut shares: Vec<(&BodyFacts, f64, f64)> =
        all.iter().filter_map(|body| share(body).map(|(part, step)| (*body, part, step))).collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    match &shares[..] {
        [] => String::new(),
        many if many.len() <= 3 => {
            let one = |(body, part, longest): &(&BodyFacts, f64, f64)| {
                let whose = match all {
                    [_] => "its dt".to_owned(),
                    _ => format!("the dt of {}", quoted(&body.label)),
                };
                format!(
                    "{whose} is {} % of its longest stable step {}",
                    three(100.0 * part),
                    three(*longest)
                )
            };
            let parts: Vec<String> = many.iter().map(one).collect();
            format!("; {}", some(&parts))
        }
        many => {
            let range = [many.last(), many.first()];
            let range: Vec<String> =
                range.into_iter().flatten().map(|it| three(100.0 * it.1)).collect();
            format!("; their steps are {} % of the longest stable steps", range.join(" to "))
        }
    }
}
