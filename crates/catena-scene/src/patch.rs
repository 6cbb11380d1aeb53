//! Overrides of a scene from the command line: `--set rope.nodes=8`.

use super::diagnostic::{Fault, nearest};
use super::files::Files;
use super::other_names::{other_field, quantity};
use super::schema::fields;
use super::source::{Source, TypedOption};
use super::unknown_field::{
    called_here, last, of_rods, option_advice, paths_called, similar_siblings,
};
use catena_base::text::shell;
use catena_ron::syntax_fault;
use std::{ops::Range, str::FromStr, sync::Arc};

/// New value of one field, above all layers of the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// Path of the field, such as `rope.nodes`.
    path: String,
    value: String,
    /// Option of the command line that changes the field.
    option: &'static str,
}

impl FromStr for Patch {
    type Err = String;

    /// Parses `PATH=VALUE`.
    fn from_str(text: &str) -> Result<Self, String> {
        let Some((path, value)) = text.split_once('=') else {
            let meant = text.split_once(':').map_or_else(
                || ", such as rope.nodes=8".into(),
                |(path, value)| format!(": write {}={}", path.trim(), value.trim()),
            );
            return Err(format!("expected PATH=VALUE{meant}"));
        };
        let path = path.trim();
        check_path(path, "--set")?;
        if value.trim().is_empty() {
            return Err(format!("the value after `{path}=` is missing"));
        }
        // Text such as `1, b: 2` would set more than one field.
        if let Err(error) = ron::value::RawValue::from_ron(value) {
            return Err(match syntax_fault(value) {
                Some(Fault { message, help: Some(help), .. }) => format!("{message}; {help}"),
                Some(Fault { message, .. }) => message,
                None if value.contains(',') => several(path, value),
                None => format!("`{value}` is not one value: {}", error.code),
            });
        }
        Ok(Self { path: path.into(), value: value.into(), option: "--set" })
    }
}

/// Returns the error of several values in place of one.
fn several(path: &str, value: &str) -> String {
    if let Some((first, rest)) = value.split_once(',').filter(|(_, rest)| rest.contains('=')) {
        return format!(
            "write a separate --set for each change: --set {path}={} --set {}",
            first.trim(),
            rest.trim()
        );
    }
    let is_digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let decimal = value
        .split_once(',')
        .filter(|(whole, rest)| is_digits(whole.trim_start_matches('-')) && is_digits(rest));
    let decimal = decimal.map_or(String::new(), |(whole, rest)| {
        format!("; a decimal is written with a point: {path}={whole}.{rest}")
    });
    format!(
        "`{value}` is more than one value; a vector needs parentheses: '{path}=({value})'{decimal}"
    )
}

impl Patch {
    /// Returns the change as if another command-line option had made it.
    #[must_use]
    pub fn of_option(self, option: &'static str) -> Self {
        Self { option, ..self }
    }

    /// Returns the path of the field that the change sets.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Returns `PATH=VALUE`, as it was typed.
    pub fn text(&self) -> String {
        format!("{}={}", self.path, self.value)
    }

    /// Returns the layer of the change for a scene with these files.
    pub(super) fn source(&self, files: &Arc<Files>) -> Source {
        let (text, option) = self.layer();
        Source::new(format!("{} {}", self.option, self.text()), text, files).typed(option)
    }

    /// Returns the text of the layer, and the positions of its parts in the typed text.
    fn layer(&self) -> (String, TypedOption) {
        let (text, parts) = layer_text(&self.path, &self.value, [0, self.path.len() + 1]);
        let change = self.text();
        (text, TypedOption { text: change.as_str().into(), change, parts, has_lines: false })
    }

    /// Replaces the advice of a fault by advice for the command line, if there is any. `shapes`
    /// holds the shapes of the scene's bodies.
    pub(super) fn advise(
        &self,
        fault: Fault,
        shapes: &[&str],
        is_read: impl Fn(&str) -> bool,
    ) -> Fault {
        let in_quotes = Self { value: format!("{:?}", self.value.trim()), ..self.clone() };
        if is_read(&in_quotes.layer().0) {
            let help = format!("in a shell: {} {}", self.option, shell::quoted(in_quotes.text()));
            return Fault { message: "expected text in quotes".into(), ..fault }.help(help);
        }
        let shown = |path: &str| format!("{} {path}={}", self.option, self.value);
        match meant(&self.path, &fault, shapes, &shown) {
            Some(help) => fault.help(help),
            None if self.option == "--load" => {
                let known = fault.help.as_ref().map_or(String::new(), |help| format!("{help}; "));
                fault.help(format!("{known}{LOADS}"))
            }
            None => fault,
        }
    }
}

/// Returns the text of a layer that sets one field: `(rope: (nodes: 8))` sets `rope.nodes` to 8,
/// and `parts.ball.solid.mass` sets the mass of the part "ball". Also returns the spans of names
/// and value in this text, each with its offset in the typed text. `typed` holds the offsets of
/// path and value in the typed text.
pub(super) fn layer_text(
    path: &str,
    value: &str,
    typed: [usize; 2],
) -> (String, Vec<(Range<usize>, usize)>) {
    let (mut text, mut parts) = (String::new(), Vec::new());
    let mut at = typed[0];
    let mut closing = String::new();
    let mut path = path;
    let of_part = path.strip_prefix("parts.").and_then(|inside| inside.split_once('.'));
    if let Some((name, inside)) = of_part {
        // The names of the list and of the part are typed text; the brackets are not.
        text += "(part_changes: [(name: \"";
        parts.push((1..1 + PART_CHANGES.len(), at));
        parts.push((text.len()..text.len() + name.len(), at + "parts.".len()));
        text += name;
        text += "\", with: ";
        closing += ")])";
        at += path.len() - inside.len();
        path = inside;
    }
    for part in path.split('.') {
        text.push('(');
        parts.push((text.len()..text.len() + part.len(), at));
        text += part;
        text += ": ";
        at += part.len() + 1;
    }
    parts.push((text.len()..text.len() + value.len(), typed[1]));
    text += value;
    text += &")".repeat(path.split('.').count());
    text += &closing;
    (text, parts)
}

/// Field of settings of single parts.
const PART_CHANGES: &str = "part_changes";

/// Rejects a text that is not the path of a field inside `base`.
pub(super) fn check_path(path: &str, option: &str) -> Result<(), String> {
    let is_name =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !path.split('.').all(is_name) {
        return Err(format!("`{path}` is not a path of names joined by dots, such as rope.nodes"));
    }
    if ["title.", "panels.", "grid."].iter().any(|group| path.starts_with(group)) {
        return Err(outside_base(option));
    }
    Ok(())
}

/// Advice about the two values of a load.
const LOADS: &str = "write both values of a load as the field is written, with different numbers, \
                     such as rope.length=2:3 or 'gravity=(0,-1):(0,-20)'";

/// Returns advice about paths outside `base`.
fn outside_base(option: &str) -> String {
    format!("{option} changes a field of `base`; edit the file to change fields next to `base`")
}

/// Returns advice on a path that does not exist: the paths that it may mean, each formatted by
/// `shown`. `shapes` holds the shapes of the scene's bodies.
pub(super) fn meant(
    path: &str,
    fault: &Fault,
    shapes: &[&str],
    shown: &dyn Fn(&str) -> String,
) -> Option<String> {
    if !fault.message.starts_with("there is no field") {
        return None;
    }
    if let Some(inside) = path.strip_prefix("base.").filter(|_| path.contains('.')) {
        return Some(format!("omit `base.`: {}", shown(inside)));
    }
    if ["title", "panels", "grid", "base"].contains(&path) {
        return Some(outside_base("--set"));
    }
    let found = fault.field.as_deref().unwrap_or(path);
    // Inside the value, the fault's own advice is better.
    if found.strip_prefix(path).is_some_and(|inside| inside.starts_with('.')) {
        return None;
    }
    if let Some(how) = quantity(last(found)) {
        return Some(how.into());
    }
    let is_in_rod = found.rsplit_once('.').is_some_and(|(group, _)| last(group) == "rod");
    if let (true, Some(meant), Some((group, _))) =
        (is_in_rod, of_rods(last(found)), found.rsplit_once('.'))
    {
        let here = shown(&format!("{group}.{meant}"));
        return Some(format!("`{}` of a rod is called `{meant}`: {here}", last(found)));
    }
    let paths = |name: &str| in_group(path, paths_called(name, shapes));
    if let Some(other) = other_field(last(found)) {
        let how = |meant: &str| {
            let shown: Vec<String> = paths(meant).iter().map(|path| shown(path)).collect();
            (!shown.is_empty()).then(|| shown.join(" or "))
        };
        return Some(called_here(last(found), other, &how));
    }
    let meant = similar_paths(path, found, &paths);
    let group = similar_group(found)
        .filter(|group| !meant.iter().any(|path| path.split('.').next() == Some(group)));
    if meant.is_empty() && group.is_none() {
        return option_advice(path);
    }
    let mut shown: Vec<String> = meant.iter().map(|path| shown(path)).collect();
    shown.extend(group.map(|it| format!("a field of `{it}`, which `catena fields {it}` lists")));
    Some(format!("did you mean {}?", shown.join(" or ")))
}

/// Returns the group of fields, such as `rope`, whose name is similar to an unknown top-level name.
fn similar_group(found: &str) -> Option<String> {
    let all: Vec<String> = fields().into_iter().map(|field| field.path).collect();
    let groups = all.iter().filter_map(|path| path.split_once('.')).map(|(group, _)| group);
    let is_top = !found.contains('.');
    let (_, group) = nearest(found, groups).filter(|_| is_top)?;
    // A field with this name is a better suggestion than a group.
    let is_field =
        nearest(found, all.iter().filter(|path| !path.contains('.')).map(String::as_str));
    is_field.is_none().then(|| group.to_owned())
}

/// Returns paths similar to one that does not exist. `found` is its first unknown part, and `paths`
/// returns the paths of a name.
fn similar_paths(path: &str, found: &str, paths: &dyn Fn(&str) -> Vec<String>) -> Vec<String> {
    let all: Vec<String> = fields().into_iter().map(|field| field.path).collect();
    // A path that differs only in case is preferred over similar names.
    if let Some(same) = all.iter().find(|known| known.eq_ignore_ascii_case(path)) {
        return vec![same.clone()];
    }
    // A similar field of the same group is preferred, unless another field has that name.
    let is_elsewhere = all.iter().any(|path| last(path) == last(found));
    let inside = if is_elsewhere || found != path { Vec::new() } else { similar_siblings(path) };
    if !inside.is_empty() {
        return inside;
    }
    // A reference is usually set as a whole, so a misspelt `nodes` does not mean its `node`.
    let of_bodies = all.iter().filter(|path| !path.starts_with("reference."));
    let name = nearest(last(found), of_bodies.map(|path| last(path)))
        .or_else(|| nearest(last(found), all.iter().map(|path| last(path))));
    name.map_or(Vec::new(), |(_, name)| paths(name))
}

/// Returns the paths in the group of `path`, or all paths if there are none.
fn in_group(path: &str, all: Vec<String>) -> Vec<String> {
    let group = |path: &str| path.rsplit_once('.').map_or("", |(group, _)| group).to_owned();
    let same: Vec<String> =
        all.iter().filter(|other| group(other) == group(path)).cloned().collect();
    if same.is_empty() { all } else { same }
}
