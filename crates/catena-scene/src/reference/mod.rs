//! Reference of the scene format, one item at a time: for lookup, completion and pages.
//!
//! [`KINDS`] lists the things that scenes name, and [`fields`] the fields that they set. Each has
//! an example: the contents of `base: (…)` in a valid scene.

mod examples;
mod kinds;
mod words;

pub use kinds::{KINDS, Kind, Thing, kind_called, thing_elsewhere, things_called, things_like};
pub use words::{NamedWord, words, words_called};

use super::diagnostic::similar;
use super::layered::FieldInfo;
use super::other_names::{other_field, quantity};
use super::patch::layer_text;
use super::schema::{default_of, fields};
use super::unknown_field::{
    SHAPES, called_here, last, option_advice, paths_called, similar_siblings,
};
use crate::grammar::Scope;
use catena_base::text::wrap::{COLUMNS, wrapped_to};
use examples::FIELD_EXAMPLES;

impl Scope {
    /// Returns the places where a field of this scope is allowed, besides the command line.
    pub fn places(self) -> &'static str {
        match self {
            Self::Scene => "base",
            Self::Panel => "base, panel",
            Self::Body => "anywhere",
        }
    }
}

impl FieldInfo {
    /// Returns the default of the field in scene syntax on one line, if it has one.
    pub fn default(&self) -> Option<String> {
        let text = default_of(&self.path)?;
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Returns the contents of `base: (…)` for a scene that sets the field. File names refer to
    /// files in `scenes/`.
    pub fn example(&self) -> String {
        let written = FIELD_EXAMPLES.iter().find(|(path, _)| *path == self.path);
        match (written, self.default()) {
            (Some((_, text)), _) => (*text).to_owned(),
            (None, default) => {
                let (text, _) = layer_text(&self.path, &default.unwrap_or_default(), [0, 0]);
                text[1..text.len() - 1].to_owned()
            }
        }
    }

    /// Returns the first sentence of the summary.
    pub fn first_sentence(&self) -> &str {
        self.summary.find(". ").map_or(self.summary.as_str(), |end| &self.summary[..=end])
    }
}

/// Returns the lines of the scene whose `base` contains an example. A short scene is one line.
/// Otherwise each field of `base` has one line, or more if it is long.
pub fn written(example: &str) -> Vec<String> {
    let whole = format!("Scene(base: ({example}))");
    if whole.chars().count() + 2 <= COLUMNS {
        return vec![whole];
    }
    let mut lines = vec!["Scene(base: (".to_owned()];
    for part in parts(example) {
        let indented = wrapped_to(COLUMNS - 6, "", &format!("{part},"), 4);
        let more = indented.iter().skip(1).map(|line| format!("    {line}"));
        lines.extend(indented.iter().take(1).cloned().chain(more));
    }
    lines.push("))".into());
    lines
}

/// Splits an example at the commas outside brackets.
fn parts(example: &str) -> Vec<&str> {
    let (mut all, mut depth, mut is_text, mut start) = (Vec::new(), 0, false, 0);
    for (at, letter) in example.char_indices() {
        match letter {
            '"' => is_text = !is_text,
            '(' | '[' if !is_text => depth += 1,
            ')' | ']' if !is_text => depth -= 1,
            ',' if !is_text && depth == 0 => {
                all.push(example[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(example[start..].trim());
    all
}

/// Returns the field with a path, or else all fields below it, such as all fields of `rope`. A
/// leading `base.` is ignored.
pub fn fields_at(path: &str) -> Vec<FieldInfo> {
    let path = path.trim_matches('.').to_lowercase();
    let path = path.strip_prefix("base.").unwrap_or(&path);
    let prefix = format!("{path}.");
    let mut all = fields();
    all.retain(|field| field.path == path || field.path.starts_with(&prefix));
    all
}

/// Returns advice on a name that courses and other programs use for a field.
pub fn field_elsewhere(path: &str) -> Option<String> {
    let name = last(path);
    if let Some(how) = quantity(name) {
        return Some(how.into());
    }
    let how = |meant: &str| {
        let paths = paths_called(meant, &SHAPES);
        (!paths.is_empty()).then(|| paths.join(" or "))
    };
    other_field(name).map(|other| called_here(name, other, &how))
}

/// Returns the fields that a name from courses and other programs means for a shape such as `rope`,
/// as pairs of path and role. The role is empty if there is one field.
pub fn fields_meant(name: &str, shape: &str) -> Vec<(String, &'static str)> {
    let means = other_field(last(name)).map_or(&[][..], |other| other.means);
    let paths = means.iter().flat_map(|(meant, role)| {
        paths_called(meant, &[shape]).into_iter().map(move |path| (path, *role))
    });
    paths.collect()
}

/// Returns advice on a name that is an option of a method or step control.
pub fn option_elsewhere(path: &str) -> Option<String> {
    option_advice(last(path))
}

/// Returns the paths of all fields with a last name.
pub fn fields_called(name: &str) -> Vec<String> {
    let all = fields().into_iter().map(|field| field.path);
    all.filter(|path| last(path) == name).collect()
}

/// Returns paths of fields similar to an unknown one, best first.
pub fn fields_like(path: &str) -> Vec<String> {
    let path = path.to_lowercase();
    let all = fields();
    let named = fields_called(last(&path));
    if !named.is_empty() {
        return named;
    }
    let inside = similar_siblings(&path);
    if !inside.is_empty() {
        return inside;
    }
    let paths: Vec<&str> = all.iter().map(|field| field.path.as_str()).collect();
    let near = similar(&path, &paths);
    if !near.is_empty() && path.contains('.') {
        return near.into_iter().map(Into::into).collect();
    }
    let mut names: Vec<String> = all.iter().map(|field| last(&field.path).to_owned()).collect();
    names.sort();
    names.dedup();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let meant = similar(last(&path), &names);
    let meant: Vec<String> = meant.into_iter().flat_map(fields_called).collect();
    if meant.is_empty() { near.into_iter().map(Into::into).collect() } else { meant }
}

/// Top-level field of a scene.
#[derive(Clone, Copy, Debug)]
pub struct TopField {
    /// Name of the field.
    pub name: &'static str,
    /// Description of the field.
    pub summary: &'static str,
    /// Complete scene that sets the field.
    pub example: &'static str,
}

/// All top-level fields of a scene.
pub const TOP: &[TopField] = &[
    TopField {
        name: "title",
        summary: "Title above the panels. If omitted, there is none.",
        example: "Scene(title: \"A rope\")",
    },
    TopField {
        name: "base",
        summary: "Settings shared by all panels.",
        example: "Scene(base: (substeps: 32, rope: (nodes: 8)))",
    },
    TopField {
        name: "panels",
        summary: "A list of (label: \"…\", with: (…)), one per panel, in order. If a label is omitted, it is the method's name.",
        example: "Scene(panels: [(with: (integrator: Rk4)), (label: \"heavy\", with: (rope: (mass: 5)))])",
    },
    TopField {
        name: "grid",
        summary: "(rows: […], columns: […]), each a list like panels, with one panel per row and column. If only one of the two is set, its panels are laid out like `panels`. Cannot be combined with `panels`.",
        example: "Scene(grid: (\n    rows: [(with: (substeps: 16)), (with: (substeps: 64))],\n    \
            columns: [(with: (integrator: Rk4)), (with: (integrator: Xpbd))],\n))",
    },
];
