//! Manual page of scenes: their fields, and the values with names.

use super::{Page, add, ascii, version};
use crate::job::{TEMPLATES, Template};
use crate::scene::reference::{KINDS, TOP, Thing};
use crate::scene::{FieldInfo, Scope, fields};
use clap::Command;
use clap_mangen::roff::{Roff, bold, italic, roman};
use std::io;

pub(super) fn page(command: &Command) -> io::Result<Page> {
    let mut out = Vec::new();
    add(&mut out, |roff| {
        let source = version(command);
        roff.control("TH", ["CATENA-SCENE", "5", "", source.as_str(), "catena"]);
        head(roff);
        roff.control("SH", ["TOP OF A SCENE"]);
        for field in TOP {
            roff.control("TP", []);
            roff.text([bold(field.name)]);
            roff.text([roman(field.summary)]);
        }
        settings(roff);
        for kind in KINDS {
            roff.control("SH", [kind.title.to_uppercase().as_str()]);
            roff.text([roman(format!("Stands in {}", kind.place))]);
            for thing in kind.things() {
                named(roff, &thing);
            }
        }
        tail(roff);
    })?;
    Ok(Page { name: "catena-scene".into(), section: "5", text: ascii(&out) })
}

fn head(roff: &mut Roff) {
    roff.control("SH", ["NAME"]);
    roff.text([roman("catena-scene - what a scene of catena may say")]);
    roff.control("SH", ["SYNOPSIS"]);
    lines(
        roff,
        "Scene(\n    title: \"…\",\n    base: (FIELD: VALUE, …),\n    panels: [(label: \"…\", with: (FIELD: VALUE, …)), …],\n)",
    );
    roff.control("SH", ["DESCRIPTION"]);
    let paragraphs = [
        "A scene is a text in RON, Rusty Object Notation: names and values in parentheses, lists in brackets, words without \
         quotes, texts with quotes, and comments behind //. Everything may be left out.",
        "A panel is a stack of layers, each of which says only what differs from those below it: the defaults, base, the with of \
         the panel or of its row and column in a grid, the with of a body, and --set PATH=VALUE of the command line. Fields inside \
         a field are replaced one by one; lists, and names with options, as a whole.",
        "A scene is in space where one of its vectors has three components, such as gravity: (0, -9.81, 0), and in the plane \
         otherwise. Units are the scene's own: any consistent set of length, mass and time will do.",
    ];
    for text in paragraphs {
        roff.control("PP", []);
        roff.text([roman(text)]);
    }
}

/// Lines with their layout preserved.
fn lines(roff: &mut Roff, text: &str) {
    roff.control("EX", []);
    for line in text.lines() {
        roff.text([roman(line)]);
    }
    roff.control("EE", []);
}

/// All fields, grouped by their scope.
fn settings(roff: &mut Roff) {
    let parts = [
        (Scope::Scene, "FIELDS OF THE PICTURE", "They stand in base."),
        (Scope::Panel, "FIELDS OF A PANEL", "They stand in base, or in the with of a panel."),
        (
            Scope::Body,
            "FIELDS OF A BODY",
            "They stand in base, or in the with of a panel or a body.",
        ),
    ];
    let all = fields();
    for (scope, title, place) in parts {
        roff.control("SH", [title]);
        roff.text([roman(place)]);
        for field in all.iter().filter(|field| field.scope == scope) {
            setting(roff, field);
        }
    }
}

fn setting(roff: &mut Roff, field: &FieldInfo) {
    roff.control("TP", []);
    roff.text([bold(field.path.as_str())]);
    roff.text([roman(field.summary.as_str())]);
    roff.control("br", []);
    let unit = if field.unit == "-" { "" } else { field.unit };
    let default = field.default().unwrap_or_else(|| "left out".into());
    let unit = if unit.is_empty() { String::new() } else { format!(" Unit: {unit}.") };
    roff.text([roman(format!("Value: {}.{unit} Default: ", field.expected)), italic(default)]);
}

fn named(roff: &mut Roff, thing: &Thing) {
    roff.control("TP", []);
    roff.text([bold(thing.name)]);
    let order = thing.method.and_then(|method| method.order);
    let order = order.map_or(String::new(), |order| format!("; order {order}"));
    roff.text([roman(format!("{}{order}", thing.summary))]);
    for option in &thing.options {
        let unit = Some(option.unit).filter(|unit| *unit != "-");
        let unit = unit.map(|unit| format!("unit: {unit}"));
        let facts = [Some(option.expected.clone()), unit, option.default.map(Into::into)];
        let facts: Vec<String> = facts.into_iter().flatten().collect();
        roff.control("RS", []);
        roff.control("TP", []);
        roff.text([bold(option.name)]);
        roff.text([roman(format!("{} ({})", option.summary, facts.join("; ")))]);
        roff.control("RE", []);
    }
}

fn tail(roff: &mut Roff) {
    roff.control("SH", ["EXAMPLES"]);
    let text = Template::of("compare").unwrap_or(&TEMPLATES[0]).text;
    lines(roff, text);
    roff.control("PP", []);
    let names: Vec<&str> = TEMPLATES.iter().map(|template| template.name).collect();
    roff.text([roman(format!(
        "catena new --template writes this and others: {}.",
        names.join(", ")
    ))]);
    roff.control("SH", ["SEE ALSO"]);
    roff.text([italic("catena(1), catena-fields(1), catena-methods(1), catena-new(1)")]);
}
