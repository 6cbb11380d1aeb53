//! Sentences about what cannot be concluded.

use super::words::{bodies, method, three};
use super::{BodyFacts, Facts};
use catena_analysis::settle::Ending;
use catena_base::text::{
    list::listed,
    number::{counted, short},
};

/// Minimum ratio of the energy taken by damping to the method's own energy change at which damping
/// hides the method.
const HIDES: f64 = 10.0;

pub(super) fn sentences(facts: &Facts) -> Vec<String> {
    let mut all: Vec<String> = differing(facts).into_iter().collect();
    all.extend(damped(facts));
    all.extend(cut(facts));
    all.extend(restless(facts));
    all.extend(unsolved(facts));
    all.extend(without_order(facts));
    all.push(one_run(facts));
    all
}

/// Names of the scene's methods, without repetition.
fn methods(facts: &Facts) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = facts.bodies.iter().map(|body| body.method.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Sentence about bodies that differ in more than one respect.
fn differing(facts: &Facts) -> Option<String> {
    let names: Vec<String> = facts.differences.iter().map(ToString::to_string).collect();
    let has_methods = methods(facts).len() > 1;
    match (has_methods, &names[..]) {
        (_, []) | (false, [_]) => None,
        (true, names) => Some(format!(
            "The bodies differ in {} as well as in their methods, so a difference between their \
             results may not be due to the method alone.",
            listed(names)
        )),
        (false, names) => Some(format!(
            "The bodies differ in {}, so a difference between their results may not be due to one \
             of these alone.",
            listed(names)
        )),
    }
}

/// Sentence about damping that exceeds the methods' own changes of energy.
fn damped(facts: &Facts) -> Option<String> {
    let hidden = facts.bodies.iter().filter_map(|body| {
        let film = body.film?;
        let [minimum, greatest, _] = film.method;
        let own = greatest.max(-minimum);
        let factor = -film.damping / own;
        (own > 0.0 && factor >= HIDES).then(|| (body, format!("{} times as much", three(factor))))
    });
    let hidden: Vec<(&BodyFacts, String)> = hidden.collect();
    (!hidden.is_empty()).then(|| {
        format!(
            "Damping removed far more energy than the method itself added or removed in {}: the \
             loss of energy there is not due to the method.",
            bodies(hidden)
        )
    })
}

/// Sentence about runs that were cut.
fn cut(facts: &Facts) -> Option<String> {
    let short_runs = facts.bodies.iter().filter_map(|body| {
        let film =
            body.film.filter(|film| film.frames < facts.frames && film.diverged.is_none())?;
        Some((body, format!("{} of {} frames", film.frames, facts.frames)))
    });
    let cut = bodies(short_runs);
    (!cut.is_empty()).then(|| {
        format!(
            "Runs ended early at their work limit: {cut}. What happens later is unknown; a \
                 higher `--study-time` continues them."
        )
    })
}

/// Sentence about bodies that do not come to rest.
fn restless(facts: &Facts) -> Option<String> {
    let moving = facts.bodies.iter().filter_map(|body| {
        let rest = body.rest.as_ref()?;
        let Ending::Moving { frame, speed } = rest.ending else { return None };
        rest.unrest.is_none().then_some((body, rest, frame, speed))
    });
    let moving: Vec<_> = moving.collect();
    if moving.is_empty() {
        return None;
    }
    let description = |(body, _, frame, speed): &(_, _, u64, f64)| {
        (*body, format!("speed {} at frame {frame}", short(*speed)))
    };
    let cut = match moving.iter().any(|(_, rest, frame, _)| *frame < rest.limit) {
        true => " A work limit ended runs before their last frame.",
        false => "",
    };
    Some(format!(
        "It is unknown whether these come to rest: {}; rest means a speed below {}.{cut}",
        bodies(moving.iter().map(description)),
        range(moving.iter().map(|(_, rest, _, _)| rest.speed))
    ))
}

/// Sentence about bodies whose rest cannot be solved from the balance of forces.
fn unsolved(facts: &Facts) -> Option<String> {
    let without = facts.bodies.iter().filter_map(|body| {
        let reason = body.rest.as_ref()?.solved.as_ref()?.as_ref().err()?;
        Some((body, reason.clone()))
    });
    let text = bodies(without);
    (!text.is_empty()).then(|| format!("No equilibrium is available for comparison: {text}."))
}

/// Minimum and maximum of values, or their only value.
fn range(values: impl Iterator<Item = f64>) -> String {
    let range_of_speeds =
        values.fold([f64::INFINITY, 0.0_f64], |[a, b], it| [a.min(it), b.max(it)]);
    let [minimum, greatest] = range_of_speeds.map(short);
    if minimum == greatest { minimum } else { format!("{minimum} to {greatest}") }
}

/// Sentence about methods that do not converge to the scene's springs as steps shrink.
fn without_order(facts: &Facts) -> Option<String> {
    facts.accuracy.as_ref()?;
    let mut names: Vec<String> = Vec::new();
    for body in facts.bodies.iter().filter(|body| body.method.order.is_none()) {
        let name = method(&body.method);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| {
        format!(
            "The step that {} would need for this accuracy is not defined: shorter steps converge \
             to fixed lengths, not to the springs of the scene.",
            listed(&names)
        )
    })
}

/// Sentence about the number of runs.
fn one_run(facts: &Facts) -> String {
    let each = match facts.bodies.len() {
        1 => "This is one run from one start".to_owned(),
        _ => format!(
            "Each of the {} is one run from one start",
            counted(facts.bodies.len() as u64, "body").replace("bodys", "bodies")
        ),
    };
    format!(
        "{each}: `catena sweep` shows whether the results hold for other starts, masses and stiffnesses."
    )
}
