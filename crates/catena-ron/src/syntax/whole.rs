//! Faults of whole files that are neither a scene nor a sweep: other formats, files with merge
//! conflict markers, files with only comments.

use crate::fault::Fault;
use crate::token::bare;
use std::ops::Range;

/// Returns the fault of a whole file that should have the form `title(…)`.
pub fn whole_fault(text: &str, title: &str) -> Option<Fault> {
    if let Some(place) = merge_mark(text) {
        let help = "keep one version, and remove the lines with <<<<<<<, ======= and >>>>>>>";
        return Some(Fault::with_help(place, "this is a merge conflict marker", help));
    }
    let body = bare(text);
    let start = text.len() - body.len();
    let at = |length: usize| start..start + length.max(1).min(body.len());
    if body.is_empty() {
        let help = format!("add a `{title}(…)`");
        return Some(Fault::with_help(0..0, "the file contains only comments", help));
    }
    if body.starts_with("#![") {
        let length = body.find('\n').unwrap_or(body.len());
        let message = "lines such as `#![enable(…)]` are not needed";
        return Some(Fault::with_help(at(length), message, "remove the line"));
    }
    let first = body.split('\n').next().unwrap_or_default().trim_end();
    if let Some(format) = other_format(body, first) {
        let message = format!("this looks like {format}; catena reads RON");
        let help = format!("write the file as {}, with // before comments", example(title));
        return Some(Fault::with_help(at(first.len()), message, help));
    }
    let length = body.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(body.len());
    let (word, after) = (&body[..length], bare(&body[length..]));
    let opening = after.chars().next();
    let fault = |message: String, help: String| Some(Fault::with_help(at(length), message, help));
    let no_braces = || "write ( ) instead of { }, and names without quotes".into();
    let as_shown = || format!("write the file as {}", example(title));
    let shown = &word[..word.floor_char_boundary(40)];
    match (word, opening) {
        ("", Some('(')) => None,
        ("", Some('{')) => {
            fault(format!("a file must begin with `{title}(`, not with {{"), no_braces())
        }
        ("", Some('[')) => {
            fault(format!("a file must begin with `{title}(`, not with a list"), as_shown())
        }
        ("", _) => None,
        (word, Some(':' | '=')) => fault(
            format!("a file must begin with `{title}(`"),
            format!("wrap everything in {title}( ): {title}({word}: …)"),
        ),
        (word, Some('{')) if word == title => {
            fault(format!("`{title}` must be followed by parentheses, not by {{ }}"), no_braces())
        }
        (word, opening) if word == title && !matches!(opening, Some('(' | ')')) => {
            fault(format!("`{title}` must be followed by parentheses"), as_shown())
        }
        (word, _) if word.eq_ignore_ascii_case("Sweep") && word != "Sweep" => fault(
            format!("a sweep must begin with `Sweep(`, not with `{shown}`"),
            "write Sweep(…)".into(),
        ),
        (word, _) if word != title => fault(
            format!("a file must begin with `{title}(`, not with `{shown}`"),
            format!("write {title}(…)"),
        ),
        _ => None,
    }
}

/// Returns a minimal example of such a file.
fn example(title: &str) -> &'static str {
    match title {
        "Sweep" => "Sweep(scene: \"compare.ron\", axes: {\"substeps\": [8, 16]})",
        _ => "Scene(base: (drag: 0.1))",
    }
}

/// Returns the first merge conflict marker.
fn merge_mark(text: &str) -> Option<Range<usize>> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with("<<<<<<<") || line.starts_with(">>>>>>>") {
            return Some(at..at + line.trim_end().len());
        }
        at += line.len();
    }
    None
}

/// Returns the format of a file, recognised by its start.
fn other_format(body: &str, first: &str) -> Option<&'static str> {
    let is_name = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "_-. \"".contains(c))
    };
    let inside = first.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let inside_braces = body.strip_prefix('{').map(str::trim_start);
    if inside_braces.is_some_and(|rest| rest.starts_with('"')) {
        return Some("JSON");
    }
    if body.starts_with('<') {
        return Some("XML");
    }
    let is_key = first.strip_suffix(':').is_some_and(is_name);
    if first == "---" || first.starts_with("%YAML") || first.starts_with("- ") || is_key {
        return Some("YAML");
    }
    let is_table = inside.is_some_and(|name| is_name(name.trim_matches(['[', ']'])));
    (is_table && body.contains('=')).then_some("TOML")
}
