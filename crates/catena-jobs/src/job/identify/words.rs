//! Descriptions of candidates.

use super::Match;
use super::base::Bases;
use super::candidate::Candidate;
use super::named::Variant;
use super::verdict::Finalist;
use catena_base::text::number::counted;
use catena_scene::fields;
use catena_sim::named::{OptionInfo, OptionKind};
use std::collections::HashSet;

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
        parts.extend(departures(candidate, bases).iter().map(PanelField::description));
    }
    parts.join(", ")
}

/// Maximum number of fields that are listed to distinguish two candidates.
const MAX_FIELDS: usize = 4;

/// Appends to the phrase of a candidate the fields in which its panel differs from the panel of
/// another candidate. If the phrases are still equal, appends the start or the offset of frames.
pub(super) fn apart(bases: &Bases, found: Match, it: &Finalist<'_>, other: &Finalist<'_>) -> Match {
    let is_same = found.phrase == phrase(other.candidate, bases);
    let mut parts = fields_apart(bases, it.candidate, other.candidate);
    parts.retain(|part| !found.phrase.split(", ").any(|known| known == part));
    let [own, others] = [it, other].map(|it| bases.all[it.candidate.base].from_data);
    if is_same && own != others {
        let begin = if own { "the file's first positions" } else { "the scene's start" };
        parts.push(format!("from {begin}"));
    }
    if is_same && it.offset != other.offset {
        parts.push(format!("with frame k of the file as frame k {:+}", it.offset));
    }
    if parts.is_empty() {
        return found;
    }
    Match { phrase: format!("{}, {}", found.phrase, parts.join(", ")), ..found }
}

/// Returns the fields in which the panels of two candidates differ, with the values of the first
/// one.
fn fields_apart(bases: &Bases, one: &Candidate, other: &Candidate) -> Vec<String> {
    let [one, other] = [one, other].map(|it| match it.own {
        Some(own) => bases.own[own].panel,
        None => bases.all[it.base].panel,
    });
    if one == other {
        return Vec::new();
    }
    let differs = fields_of_panels(bases, one, other);
    let mut all: Vec<String> =
        differs.iter().take(MAX_FIELDS).map(PanelField::description).collect();
    if all.is_empty() {
        all.push(format!("of panel {}", one + 1));
    }
    all
}

/// Returns the fields in which a candidate's body differs from the scene's own panel with the same
/// method. An example is a drag that only other panels have.
fn departures(candidate: &Candidate, bases: &Bases) -> Vec<PanelField> {
    let name = candidate.setup.method.info().name;
    let base = &bases.all[candidate.base];
    let mut panels = bases.own.iter().filter(|own| own.setup.method.info().name == name);
    let apart = panels.clone().map(|own| fields_of_panels(bases, base.panel, own.panel));
    match panels.any(|own| own.panel == base.panel) {
        true => Vec::new(),
        false => apart.min_by_key(Vec::len).unwrap_or_default(),
    }
}

/// A field of a body, and its value in one of two panels.
#[derive(Clone)]
struct PanelField {
    path: String,
    /// Text of the value. `None` if the panel does not have the field.
    value: Option<String>,
}

impl PanelField {
    /// Describes the field and its value.
    fn description(&self) -> String {
        match &self.value {
            None => format!("without {}", self.path),
            Some(value) => format!("{} {value}", self.path),
        }
    }
}

/// Returns the fields in which two panels differ, apart from methods and steps, with the values of
/// the first one.
fn fields_of_panels(bases: &Bases, one: usize, other: usize) -> Vec<PanelField> {
    let is_motion = |path: &str| {
        let first = path.split('.').next().unwrap_or(path);
        !["integrator", "substeps", "slips", "style", "view", "reference", "rest"].contains(&first)
    };
    let value = |panel: usize, path: &str| bases.scene.value_of(panel, 0, path);
    let fields = fields().into_iter().filter(|field| is_motion(&field.path));
    let differs = fields.filter_map(|field| {
        let (own, others) = (value(one, &field.path), value(other, &field.path));
        let own_or_default = own.clone().or_else(|| field.default());
        (own != others).then_some(PanelField { path: field.path, value: own_or_default })
    });
    let differs: Vec<PanelField> = differs.collect();
    // The fields inside a shape are more specific than the whole shape.
    let has_inner = |path: &str| {
        let prefix = format!("{path}.");
        differs.iter().any(|other| other.path.starts_with(&prefix))
    };
    differs.iter().filter(|field| !has_inner(&field.path)).cloned().collect()
}

/// Returns the changes of a scene that give a candidate, as `PATH=VALUE`.
pub(super) fn changes(candidate: &Candidate, bases: &Bases) -> Vec<String> {
    let Some(method) = &candidate.method else { return Vec::new() };
    let mut all = bases.all[candidate.base].changes.clone();
    let departures = departures(candidate, bases).into_iter();
    all.extend(departures.filter_map(|it| Some(format!("{}={}", it.path, it.value?))));
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

/// Returns the changes of a scene that give a candidate, and changes that give all other panels the
/// same fields. With all of these changes, every panel is the candidate, so it is shown only once.
pub(super) fn changes_of_all(candidate: &Candidate, bases: &Bases) -> Vec<String> {
    let mut all = changes(candidate, bases);
    if candidate.own.is_some() {
        return all;
    }
    let panel = bases.all[candidate.base].panel;
    let name = |change: &str| change.split_once('=').map(|(name, _)| name.to_owned());
    let mut known: HashSet<String> = all.iter().filter_map(|change| name(change)).collect();
    let others = (0..bases.scene.panels.len()).filter(|other| *other != panel);
    let mut equal = Vec::new();
    for PanelField { path, value } in others.flat_map(|other| fields_of_panels(bases, panel, other))
    {
        let Some(value) = value else { continue };
        if known.insert(path.clone()) {
            equal.push(format!("{path}={value}"));
        }
    }
    all.splice(0..0, equal);
    all
}

/// Returns one sentence for each fault that a candidate reproduces and for each equivalent program.
pub(super) fn remarks(candidate: &Candidate, bases: &Bases) -> Vec<String> {
    let mut all = Vec::new();
    let options = options(candidate, bases);
    for (info, value) in &options {
        all.extend(clause(info, value));
    }
    all.extend(as_velocities(candidate.setup.method.info().name, &options));
    for slip in &candidate.setup.slips {
        let info = slip.info();
        all.push(format!("{}: {}", info.title, info.summary));
        all.push(format!("correct: {}", slip.correct()));
    }
    all
}

/// Returns the non-default options of a candidate's method, with their values.
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

/// Describes the program with velocities that has the same positions as a damped Verlet method.
fn as_velocities(method: &str, options: &[(&'static OptionInfo, String)]) -> Option<String> {
    let value = |name: &str| {
        options.iter().find(|(info, _)| info.name == name).map(|(_, value)| value.as_str())
    };
    let share = value("damping").filter(|_| method == "ForceVerlet")?;
    let is_damped = share.parse() != Ok(0.0);
    is_damped.then(|| damped_velocities(share, value("damping_of") == Some("Step")))
}

/// Describes the semi-implicit Euler that has the same positions as force Verlet with the damping
/// `share`. `of_step` tells whether the damping acts on the whole step.
pub(super) fn damped_velocities(share: &str, of_step: bool) -> String {
    let step = match of_step {
        true => "v = (1 - d) (v + a dt), so `v *= 1 - d` after the force",
        false => "v = (1 - d) v + a dt, so `v *= 1 - d` before the force",
    };
    format!("semi-implicit Euler has the same positions with {step}; here d = {share}")
}

/// Returns the part of an option's summary that describes a word.
fn clause(info: &OptionInfo, value: &str) -> Option<String> {
    let OptionKind::Words(_) = info.kind else { return None };
    let parts = info.summary.split("; ");
    let own = parts.into_iter().find(|part| part.starts_with(value))?;
    Some(format!("{}: {own}", info.name))
}
