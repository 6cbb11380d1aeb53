//! Advice on a field that stands where there is none of its name.

use super::diagnostic::{Fault, UnknownField, nearest, similar};
use super::schema::fields;
use catena_base::text::list::listed;

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

/// Quantities that are no fields, and the fields that make them.
const QUANTITIES: [(&[&str], &str); 4] = [
    (
        &["dt", "step", "time_step", "timestep"],
        "a step lasts `frame_time` / `substeps`: set these two",
    ),
    (
        &["fps", "frame_rate", "framerate"],
        "the frames of a scene are `frame_time` apart: write `frame_time: 0.016666667` for 60 in a second; `--fps` is the rate of a film",
    ),
    (
        &["duration", "seconds", "end_time", "t_end"],
        "a scene has `frames` frames, `frame_time` apart: their product is how long it lasts",
    ),
    (
        &["total_mass", "node_mass", "weight"],
        "`mass` is that of each node: divide that of the whole by the number of nodes",
    ),
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
    let is_base = known.contains(&"rope") && known.contains(&"frames");
    if ["title", "panels", "grid", "base"].contains(&name) && is_base {
        return Some(format!(
            "`{name}` stands beside `base`, not in it: write `Scene(base: (…), {name}: …)`"
        ));
    }
    if ["with", "label"].contains(&name) && is_base {
        return Some(format!(
            "`{name}` is a field of a panel or body: write `panels: [(label: …, with: (…))]` beside `base`"
        ));
    }
    if ["with", "label"].contains(&name) && known.contains(&"panels") {
        return Some(
            "`with` and `label` are fields of a panel: write `panels: [(label: …, with: (…))]`; what all panels share stands in `base`"
                .into(),
        );
    }
    if let Some((_, how)) = QUANTITIES.iter().find(|(names, _)| names.contains(&name)) {
        return Some((*how).into());
    }
    if let Some((_, meant)) = SYNONYMS.iter().find(|(word, _)| *word == name) {
        let how = written(meant, &self::owners(meant), known)
            .map_or(String::new(), |how| format!(": write {how}"));
        return Some(format!("`{name}` is called `{meant}` here{how}"));
    }
    // A part of a name that is known here has its own help.
    if nearest(name, known.iter().copied()).is_none() && !similar(name, known).is_empty() {
        return None;
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

/// The paths of fields that a path may have been meant to be whose last name is wrong, and which
/// lies in a group that there is.
pub(super) fn beside(path: &str) -> Vec<String> {
    let Some((group, name)) = path.rsplit_once('.') else { return Vec::new() };
    let all = fields();
    let inside = |field: &'_ str| -> Option<String> {
        let rest = field.strip_prefix(group)?.strip_prefix('.')?;
        (!rest.contains('.')).then(|| rest.to_owned())
    };
    let names: Vec<String> = all.iter().filter_map(|field| inside(&field.path)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    similar(name, &names).into_iter().map(|name| format!("{group}.{name}")).collect()
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
