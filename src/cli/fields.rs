//! `catena fields`: the fields of a scene, as a list or one by one.

use super::{Failure, args::FieldsArgs, mentions, say};
use crate::scene::grammar::Grammar;
use crate::scene::reference::{
    TOP, TopField, field_elsewhere, fields_at, fields_like, option_elsewhere, things_called,
    written,
};
use crate::scene::{FieldInfo, Scope, fields};
use crate::text::wrap::wrapped;
use serde_json::{Value, json};

pub(super) fn run(args: &FieldsArgs) -> Result<(), Failure> {
    let found = match &args.path {
        None => fields(),
        Some(path) => fields_at(path),
    };
    let top = args.path.as_ref().and_then(|path| TOP.iter().find(|field| field.name == path));
    match (&args.path, top) {
        (_, Some(field)) => print_top_field(field, args.json),
        (Some(path), None) if found.is_empty() => Err(unknown(path)),
        _ if args.json => {
            let all: Vec<Value> = found.iter().map(as_json).collect();
            say::json(&format!("{:#}\n", Value::Array(all)))
        }
        (None, None) => say::lines(list(&found)),
        (Some(_), None) => match &found[..] {
            [field] => say::lines(page(field)),
            several => say::lines(several.iter().flat_map(row)),
        },
    }
}

/// Error about a path without a field.
fn unknown(path: &str) -> Failure {
    let near = fields_like(path);
    let advice = if let Some(advice) = field_elsewhere(path) {
        advice
    } else if !near.is_empty() {
        format!("did you mean {}?", near.join(" or "))
    } else if let Some(advice) = option_elsewhere(path) {
        advice
    } else if !things_called(path).is_empty() {
        format!("`{path}` is the name of a value: see catena methods {path}")
    } else if let Some(advice) = mentions::advice(path) {
        advice
    } else {
        "`catena fields` lists all fields".into()
    };
    Failure::Usage(format!("a scene has no field `{path}`; {advice}"))
}

/// All fields, grouped by their scope.
fn list(all: &[FieldInfo]) -> Vec<String> {
    let mut lines = vec!["At the top of a scene".to_owned()];
    for field in TOP {
        lines.extend(wrapped(&format!("  {}", field.name), field.summary, 26));
    }
    let parts = [
        (Scope::Scene, "The picture: in base"),
        (Scope::Panel, "A panel: in base, or in the `with` of a panel"),
        (Scope::Body, "A body: anywhere"),
    ];
    for (scope, title) in parts {
        lines.extend([String::new(), title.into()]);
        lines.extend(all.iter().filter(|field| field.scope == scope).flat_map(row));
    }
    lines.extend([
        String::new(),
        "`catena fields PATH` explains a field; --set PATH=VALUE sets it in any command.".into(),
    ]);
    lines
}

fn row(field: &FieldInfo) -> Vec<String> {
    wrapped(&format!("  {}", field.path), field.first_sentence(), 26)
}

/// Full description of a field.
fn page(field: &FieldInfo) -> Vec<String> {
    let mut lines = vec![field.path.clone(), String::new()];
    lines.extend(wrapped("", &field.summary, 2));
    lines.push(String::new());
    let place = match field.scope {
        Scope::Scene => "base and the command line (applies to the whole picture)",
        Scope::Panel => "base, the `with` of a panel, and the command line (applies to a panel)",
        Scope::Body => "anywhere: base, the `with` of a panel or a body, and the command line",
    };
    let parts = [
        ("unit", if field.unit == "-" { "none" } else { field.unit }.to_owned()),
        ("default", field.default().unwrap_or_else(|| "not set".into())),
        ("value", field.expected.clone()),
        ("used in", place.into()),
    ];
    for (what, text) in parts {
        lines.extend(wrapped(&format!("  {what}"), &text, 14));
    }
    // For a list, the names come from its elements.
    let things = [field.grammar, field.grammar.element()].map(Grammar::things).concat();
    let things: Vec<&str> = things.iter().map(|thing| thing.name).collect();
    if !things.is_empty() {
        lines.extend(wrapped("  names", &things.join(", "), 14));
    }
    lines.extend([String::new(), "Example".into()]);
    lines.extend(written(&field.example()).iter().map(|line| format!("  {line}")));
    lines
}

/// Prints a field at the top of a scene.
fn print_top_field(field: &TopField, as_json: bool) -> Result<(), Failure> {
    let TopField { name, summary, example } = field;
    if as_json {
        let value = json!([{"path": name, "summary": summary, "place": "top", "example": example}]);
        return say::json(&format!("{value:#}\n"));
    }
    let mut lines = vec![(*name).to_owned(), String::new()];
    lines.extend(wrapped("", summary, 2));
    lines.push(String::new());
    lines.extend(wrapped("  used in", "Scene(…), at the top", 14));
    lines.extend([String::new(), "Example".into()]);
    lines.extend(example.lines().map(|line| format!("  {line}")));
    say::lines(lines)
}

fn as_json(field: &FieldInfo) -> Value {
    json!({
        "path": field.path,
        "summary": field.summary,
        "unit": if field.unit == "-" { Value::Null } else { field.unit.into() },
        "default": field.default(),
        "value": field.expected,
        "place": field.scope.places(),
        "words": field.grammar.choices().iter().map(|word| word.name).collect::<Vec<_>>(),
        "example": written(&field.example()).join("\n"),
    })
}
