//! Candidates in words.

use super::base::Bases;
use super::candidate::Candidate;
use super::named::Variant;
use catena_base::text::number::counted;
use catena_sim::named::{OptionInfo, OptionKind};
use catena_sim::slip::SLIPS;

/// Returns a candidate as a phrase: method, options, slips and steps.
pub(super) fn phrase(candidate: &Candidate, bases: &Bases) -> String {
    let setup = &candidate.setup;
    let mut parts = vec![setup.method.info().title.to_owned()];
    match (&candidate.method, candidate.own) {
        (Some(method), _) => {
            parts.extend(
                method.options.iter().map(|(info, value)| format!("{} {value}", info.name)),
            );
        }
        (None, Some(own)) => {
            let own = &bases.own[own].stepping;
            parts.extend(own.iter().map(|(name, value)| format!("{name} {value}")));
        }
        (None, None) => {}
    }
    parts.extend(setup.slips.iter().map(|slip| slip.info().title.to_owned()));
    parts.push(counted(setup.substeps, "substep"));
    let base = &bases.all[candidate.base];
    if candidate.own.is_none() {
        parts.extend(base.changes.iter().filter(|it| *it != "slips=[]").cloned());
    }
    parts.join(", ")
}

/// Returns the changes of a scene that lead to a candidate, as `PATH=VALUE`.
pub(super) fn changes(candidate: &Candidate, bases: &Bases) -> Vec<String> {
    let Some(method) = &candidate.method else { return Vec::new() };
    let mut all = bases.all[candidate.base].changes.clone();
    all.push(format!("integrator={}", method.written()));
    all.push(format!("substeps={}", candidate.setup.substeps));
    all.retain(|change| change != "slips=[]");
    if !candidate.slips.is_empty() {
        let slips: Vec<String> = candidate.slips.iter().map(Variant::written).collect();
        all.push(format!("slips=[{}]", slips.join(", ")));
    } else if !candidate.setup.slips.is_empty() {
        all.push("slips=[]".into());
    }
    all
}

/// Returns what is printed rather than correct in a candidate, a sentence each.
pub(super) fn remarks(candidate: &Candidate) -> Vec<String> {
    let mut all = Vec::new();
    for (info, value) in candidate.method.iter().flat_map(|method| &method.options) {
        all.extend(clause(info, value));
    }
    for slip in &candidate.setup.slips {
        let name = slip.info().name;
        let known = SLIPS.iter().find(|info| info.name == name);
        all.extend(known.map(|info| format!("{}: {}", info.title, info.summary)));
        all.push(format!("correct: {}", slip.correct()));
    }
    all
}

/// Returns the part of an option's summary that is about a word.
fn clause(info: &OptionInfo, value: &str) -> Option<String> {
    let OptionKind::Words(_) = info.kind else { return None };
    let parts = info.summary.split("; ");
    let own = parts.into_iter().find(|part| part.starts_with(value))?;
    Some(format!("{}: {own}", info.name))
}
