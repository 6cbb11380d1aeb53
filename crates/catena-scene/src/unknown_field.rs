//! Advice on unknown fields.

use super::diagnostic::{Fault, UnknownField, nearest, similar};
use super::schema::fields;
use catena_base::text::list::listed;

/// Names of fields in papers and other programs, with their names in scenes.
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

/// Quantities that are not fields, and the fields that determine them.
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
            "`{name}` belongs next to `base`, not in it: write `Scene(base: (…), {name}: …)`"
        ));
    }
    if ["with", "label"].contains(&name) && is_base {
        return Some(format!(
            "`{name}` is a field of a panel or body: write `panels: [(label: …, with: (…))]` next to `base`"
        ));
    }
    if ["with", "label"].contains(&name) && known.contains(&"panels") {
        return Some(
            "`with` and `label` are fields of a panel: write `panels: [(label: …, with: (…))]`; shared settings belong in `base`"
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
    // If the unknown name is part of a known one, the fault already has suitable help.
    if nearest(name, known.iter().copied()).is_none() && !similar(name, known).is_empty() {
        return None;
    }
    // A name that is more similar to a field elsewhere was probably meant for there.
    let here = nearest(name, known.iter().copied()).map_or(usize::MAX, |(distance, _)| distance);
    let all = fields();
    let leaves = all.iter().map(|field| last(&field.path));
    let (_, meant) = nearest(name, leaves).filter(|(distance, _)| *distance < here)?;
    let how = written(meant, &self::owners(meant), known)
        .map_or(String::new(), |how| format!(" write {how}"));
    Some(format!("did you mean `{meant}`?{how}"))
}

/// Returns paths similar to one whose group exists but whose last name is unknown.
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

/// Returns the paths of the structs that have a field of this name. `base` represents the settings
/// themselves.
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

/// Describes how to write the field inside a struct with these known names. Returns `None` if the
/// field is not inside that struct.
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

/// Returns the last name of a path.
fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
