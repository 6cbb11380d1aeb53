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

/// Returns what is printed rather than correct in a candidate, and what other programs do the same,
/// a sentence each.
pub(super) fn remarks(candidate: &Candidate, bases: &Bases) -> Vec<String> {
    let mut all = Vec::new();
    let options = options(candidate, bases);
    for (info, value) in &options {
        all.extend(clause(info, value));
    }
    all.extend(as_velocities(candidate.setup.method.info().name, &options));
    for slip in &candidate.setup.slips {
        let name = slip.info().name;
        let known = SLIPS.iter().find(|info| info.name == name);
        all.extend(known.map(|info| format!("{}: {}", info.title, info.summary)));
        all.push(format!("correct: {}", slip.correct()));
    }
    all
}

/// Returns the options of a candidate's method that are not the defaults, with their values.
fn options(candidate: &Candidate, bases: &Bases) -> Vec<(&'static OptionInfo, String)> {
    if let Some(method) = &candidate.method {
        return method.options.clone();
    }
    let Some(own) = candidate.own.map(|own| &bases.own[own]) else { return Vec::new() };
    let known = candidate.setup.method.info().options;
    let option = |(name, value): &(String, String)| {
        Some((known.iter().find(|info| info.name == name)?, value.clone()))
    };
    own.stepping.iter().filter_map(option).collect()
}

/// Returns the program with velocities that has the positions of a damped Verlet.
fn as_velocities(method: &str, options: &[(&'static OptionInfo, String)]) -> Option<String> {
    let value = |name: &str| {
        options.iter().find(|(info, _)| info.name == name).map(|(_, value)| value.as_str())
    };
    let share = value("damping").filter(|_| method == "ForceVerlet")?;
    if share.parse() == Ok(0.0) {
        return None;
    }
    let step = match value("damping_of") {
        Some("Step") => "v = (1 - d) (v + a dt), so `v *= 1 - d` after the force",
        _ => "v = (1 - d) v + a dt, so `v *= 1 - d` before the force",
    };
    Some(format!("semi-implicit Euler has the same positions with {step}; here d = {share}"))
}

/// Returns the part of an option's summary that is about a word.
fn clause(info: &OptionInfo, value: &str) -> Option<String> {
    let OptionKind::Words(_) = info.kind else { return None };
    let parts = info.summary.split("; ");
    let own = parts.into_iter().find(|part| part.starts_with(value))?;
    Some(format!("{}: {own}", info.name))
}
