//! Advice on a field that stands where there is none of its name.

use super::diagnostic::{Fault, UnknownField, nearest};
use super::schema::fields;
use crate::text::list::listed;

/// What papers and other programs call a field, and its name in scenes.
const SYNONYMS: [(&str, &str); 9] = [
    ("g", "gravity"),
    ("k", "stiffness"),
    ("ks", "stiffness"),
    ("kd", "damping"),
    ("m", "mass"),
    ("method", "integrator"),
    ("pinned", "pins"),
    ("resolution", "size"),
    ("solver", "integrator"),
];

/// Replaces the help of a fault about an unknown field by where the field belongs, if that is
/// known.
pub(super) fn advise(fault: Fault) -> Fault {
    match fault.unknown_field.as_deref().and_then(advice) {
        Some(help) => fault.help(help),
        None => fault,
    }
}

fn advice(UnknownField { name, known }: &UnknownField) -> Option<String> {
    let name = name.as_str();
    let owners = owners(name);
    if !owners.is_empty() {
        let called: Vec<String> = owners.iter().map(|owner| format!("`{}`", last(owner))).collect();
        let help = format!("`{name}` is a field of {}", listed(&called));
        return Some(match written(name, &owners, known) {
            Some(how) => format!("{help}: write {how}"),
            None => help,
        });
    }
    if ["with", "label"].contains(&name) && known.contains(&"panels") {
        return Some(
            "`with` and `label` are fields of a panel: write `panels: [(label: …, with: (…))]`; what all panels share stands in `base`"
                .into(),
        );
    }
    if ["dt", "step", "time_step", "timestep"].contains(&name) {
        return Some("a step lasts `frame_time` / `substeps`: set these two".into());
    }
    if let Some((_, meant)) = SYNONYMS.iter().find(|(word, _)| *word == name) {
        let how = written(meant, &self::owners(meant), known)
            .map_or(String::new(), |how| format!(": write {how}"));
        return Some(format!("`{name}` is called `{meant}` here{how}"));
    }
    // A name that is nearer elsewhere than here was meant for there.
    let here = nearest(name, known.iter().copied()).map_or(usize::MAX, |(distance, _)| distance);
    let all = fields();
    let leaves = all.iter().map(|field| last(&field.path));
    let (_, meant) = nearest(name, leaves).filter(|(distance, _)| *distance < here)?;
    let how = written(meant, &self::owners(meant), known)
        .map_or(String::new(), |how| format!(" write {how}"));
    Some(format!("did you mean `{meant}`?{how}"))
}

/// The paths of the structs that have a field of this name; `base` stands for settings themselves.
fn owners(name: &str) -> Vec<String> {
    let mut owners: Vec<String> = Vec::new();
    for field in fields() {
        let mut path = "base".to_owned();
        for part in field.path.split('.') {
            if part == name && !owners.contains(&path) {
                owners.push(path.clone());
            }
            path = format!("{path}.{part}");
        }
    }
    owners
}

/// How the field is written inside a struct that knows these names; `None` if it does not lie below
/// that struct.
fn written(name: &str, owners: &[String], known: &[&str]) -> Option<String> {
    let way = |owner: &String| {
        let mut parts: Vec<&str> = owner.split('.').collect();
        match known.iter().find(|name| ["base", "with"].contains(name)) {
            Some(wrapper) => parts[0] = wrapper,
            None => {
                parts.remove(0);
            }
        }
        let is_below = parts.first().is_some_and(|first| known.contains(first));
        let open: String = parts.iter().map(|part| format!("{part}: (")).collect();
        is_below.then(|| format!("`{open}{name}: …{}`", ")".repeat(parts.len())))
    };
    let ways: Vec<String> = owners.iter().filter_map(way).collect();
    (!ways.is_empty()).then(|| ways.join(" or "))
}

/// The last name of a path.
fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
