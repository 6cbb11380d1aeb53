//! Where a field belongs that is written where it does not.

use super::diagnostic::{Fault, nearest};
use super::schema::fields;

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

/// The fault of a field that is none of `names`, which are those of the struct that it stands in.
pub(super) fn unknown(name: &str, names: &[&str]) -> Fault {
    let fault = Fault::unknown("field", name, names);
    let homes = homes(name);
    if !homes.is_empty() {
        let called: Vec<String> = homes.iter().map(|home| format!("`{}`", last(home))).collect();
        let help = format!("`{name}` is a field of {}", called.join(" and "));
        return fault.help(match written(name, &homes, names) {
            Some(how) => format!("{help}: write {how}"),
            None => help,
        });
    }
    if ["with", "label"].contains(&name) && names.contains(&"panels") {
        return fault.help(
            "`with` and `label` are fields of a panel: write `panels: [(label: …, with: (…))]`; what all panels share stands in `base`",
        );
    }
    if ["dt", "step", "time_step", "timestep"].contains(&name) {
        return fault.help("a step lasts `frame_time` / `substeps`: set these two");
    }
    if let Some((_, meant)) = SYNONYMS.iter().find(|(word, _)| *word == name) {
        let homes = self::homes(meant);
        let how =
            written(meant, &homes, names).map_or(String::new(), |how| format!(": write {how}"));
        return fault.help(format!("`{name}` is called `{meant}` here{how}"));
    }
    // A name that is nearer elsewhere than here was meant for there.
    let here = nearest(name, names.iter().copied()).map_or(usize::MAX, |(distance, _)| distance);
    let all = fields();
    let leaves = all.iter().map(|field| last(&field.path));
    match nearest(name, leaves).filter(|(distance, _)| *distance < here) {
        Some((_, meant)) => {
            let homes = self::homes(meant);
            let how =
                written(meant, &homes, names).map_or(String::new(), |how| format!(" write {how}"));
            fault.help(format!("did you mean `{meant}`?{how}"))
        }
        None => fault,
    }
}

/// The paths of the structs that have a field of this name; that of settings themselves is `base`.
fn homes(name: &str) -> Vec<String> {
    let mut homes: Vec<String> = Vec::new();
    for field in fields() {
        let mut path = "base".to_owned();
        for part in field.path.split('.') {
            if part == name && !homes.contains(&path) {
                homes.push(path.clone());
            }
            path = format!("{path}.{part}");
        }
    }
    homes
}

/// How the field is written from a struct that has these names; `None` where it cannot be from
/// there.
fn written(name: &str, homes: &[String], names: &[&str]) -> Option<String> {
    let way = |home: &String| {
        let mut parts: Vec<&str> = home.split('.').collect();
        match names.iter().find(|name| ["base", "with"].contains(name)) {
            Some(wrapper) => parts[0] = wrapper,
            None => {
                parts.remove(0);
            }
        }
        let is_below = parts.first().is_some_and(|first| names.contains(first));
        let open: String = parts.iter().map(|part| format!("{part}: (")).collect();
        is_below.then(|| format!("`{open}{name}: …{}`", ")".repeat(parts.len())))
    };
    let ways: Vec<String> = homes.iter().filter_map(way).collect();
    (!ways.is_empty()).then(|| ways.join(" or "))
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
