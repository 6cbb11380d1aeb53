//! `catena man`: manual pages, generated from the commands, the guides and the tables of scenes.

use super::args::ManArgs;
use super::{Failure, guide, say};
use crate::cli::guide::{CODES, ENVIRONMENT, FILES, Guide};
use crate::job::{TEMPLATES, Template};
use crate::output::{OutputError, atomic, stdout};
use crate::scene::reference::{KINDS, TOP, Thing};
use crate::scene::{FieldInfo, Scope, fields};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};
use std::io::{IsTerminal, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, io};

/// A manual page.
struct Page {
    /// Name without the section.
    name: String,
    section: &'static str,
    /// Text in the troff language.
    text: String,
}

pub(super) fn run(args: &ManArgs) -> Result<(), Failure> {
    let pages = pages().map_err(stdout::refused)?;
    if let Some(folder) = &args.out {
        return write(&pages, folder);
    }
    let name = match args.command.as_deref() {
        None | Some("catena") => "catena".to_owned(),
        Some(command) => format!("catena-{}", command.trim_start_matches("catena-")),
    };
    match pages.iter().find(|page| page.name == name) {
        Some(page) => {
            let is_terminal = io::stdout().is_terminal();
            if is_terminal && show(&page.text) {
                return Ok(());
            }
            stdout::print(&page.text)?;
            if is_terminal {
                let command = args.command.as_deref().unwrap_or("catena");
                say::aside(&format!(
                    "note: this is the source of the page; `catena man {command} | man -l -` shows it"
                ));
            }
            Ok(())
        }
        None => {
            let short = |page: &Page| Some(page.name.strip_prefix("catena-")?.to_owned());
            let names: Vec<String> = pages.iter().filter_map(short).collect();
            let known = names.join(", ");
            Err(Failure::Usage(format!("no manual page {name}; the pages are {known}")))
        }
    }
}

/// Shows a page with the pager of `man`. Returns whether that succeeded. It fails if there is no
/// `man`, or if `man` cannot read standard input.
fn show(text: &str) -> bool {
    let begun = Command::new("man").args(["-l", "-"]).stdin(Stdio::piped()).spawn();
    let Ok(mut reader) = begun else { return false };
    if let Some(mut input) = reader.stdin.take() {
        // Writing fails if the user closes the pager early.
        let _ = input.write_all(text.as_bytes());
    }
    reader.wait().is_ok_and(|status| status.success())
}

/// Writes all pages into a folder.
fn write(pages: &[Page], folder: &Path) -> Result<(), Failure> {
    for page in pages {
        let inside = folder.join(format!("man{}", page.section));
        atomic::refuse_link(&inside)?;
        fs::create_dir_all(&inside)
            .map_err(|cause| OutputError::new("make the folder", &inside, cause))?;
        let path = inside.join(format!("{}.{}", page.name, page.section));
        let refuse = |cause| OutputError::new("write", &path, cause);
        atomic::write_to(&path, |file| file.write_all(page.text.as_bytes()).map_err(refuse))?;
    }
    let count = pages.len();
    say::lines([format!("{count} manual pages in {}", folder.display())])
}

/// Returns all pages: of catena, of each command, and of scenes.
fn pages() -> io::Result<Vec<Page>> {
    let mut command = guide::command().disable_help_subcommand(true);
    command.build();
    let mut pages = vec![command_page(&command)?];
    for one in command.get_subcommands() {
        pages.push(command_page(one)?);
    }
    pages.push(scene_page(&command)?);
    Ok(pages)
}

/// Returns a page in pure ASCII, which every troff reads in every locale.
fn ascii(text: &[u8]) -> String {
    let mut all = String::new();
    for letter in String::from_utf8_lossy(text).chars() {
        match letter.is_ascii() {
            true => all.push(letter),
            false => all += &format!("\\[u{:04X}]", u32::from(letter)),
        }
    }
    all
}

/// Appends text to a page.
fn add(out: &mut Vec<u8>, fill: impl FnOnce(&mut Roff)) -> io::Result<()> {
    let mut roff = Roff::new();
    fill(&mut roff);
    roff.to_writer(out)
}

/// Version of catena for the footer of a page.
fn version(command: &clap::Command) -> String {
    format!("catena {}", command.get_version().unwrap_or(env!("CARGO_PKG_VERSION")))
}

/// Returns the page of a command. The command must have been built, so that it has its full name.
fn command_page(command: &clap::Command) -> io::Result<Page> {
    let name = command.get_display_name().unwrap_or("catena").to_owned();
    let is_root = name == "catena";
    let guide = Guide::of(if is_root { "" } else { command.get_name() });
    let man = Man::new(command.clone())
        .title(name.to_uppercase())
        .section("1")
        .date("")
        .source(version(command))
        .manual("catena");
    let mut out = Vec::new();
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    add(&mut out, |roff| note_paragraphs(roff, guide))?;
    man.render_options_section(&mut out)?;
    if is_root {
        add(&mut out, |roff| commands(roff, command))?;
    }
    add(&mut out, |roff| {
        let codes = guide.map_or(CODES.to_vec(), Guide::exit_codes);
        terms(roff, "EXIT STATUS", &codes);
        terms(roff, "ENVIRONMENT", ENVIRONMENT);
        terms(roff, "FILES", FILES);
        examples(roff, guide);
        let others: &[&str] = if is_root { &[] } else { &["catena(1)"] };
        see_also(roff, others);
    })?;
    Ok(Page { name, section: "1", text: ascii(&out) })
}

fn note_paragraphs(roff: &mut Roff, guide: Option<&Guide>) {
    for note in guide.map_or(&[][..], |guide| guide.notes) {
        roff.control("PP", []);
        roff.text([roman(*note)]);
    }
}

/// Adds the commands, each with the name of its page.
fn commands(roff: &mut Roff, command: &clap::Command) {
    roff.control("SH", ["COMMANDS"]);
    for one in command.get_subcommands().filter(|one| !one.is_hide_set()) {
        let about = one.get_about().map(ToString::to_string).unwrap_or_default();
        roff.control("TP", []);
        roff.text([bold(format!("catena-{}", one.get_name())), roman("(1)")]);
        roff.text([roman(about)]);
    }
}

/// Adds a section of terms with their meanings.
fn terms(roff: &mut Roff, title: &str, all: &[(&str, &str)]) {
    roff.control("SH", [title]);
    for (term, meaning) in all {
        roff.control("TP", []);
        roff.text([bold(*term)]);
        roff.text([roman(*meaning)]);
    }
}

fn examples(roff: &mut Roff, guide: Option<&Guide>) {
    let all = guide.map_or(&[][..], |guide| guide.examples);
    if all.is_empty() {
        return;
    }
    roff.control("SH", ["EXAMPLES"]);
    for (command, what) in all {
        let mut letters = what.chars();
        let first = letters.next().map_or(String::new(), |first| first.to_uppercase().collect());
        roff.control("PP", []);
        roff.text([roman(format!("{first}{}:", letters.as_str()))]);
        roff.control("PP", []);
        roff.control("EX", []);
        for line in command.lines() {
            roff.text([roman(format!("    {line}"))]);
        }
        roff.control("EE", []);
    }
}

/// Adds references to other pages.
fn see_also(roff: &mut Roff, others: &[&str]) {
    roff.control("SH", ["SEE ALSO"]);
    let all: Vec<&str> = others.iter().copied().chain(["catena-scene(5)"]).collect();
    roff.text([italic(all.join(", "))]);
}

fn scene_page(command: &clap::Command) -> io::Result<Page> {
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
            roff.text([roman(format!("Used in {}", kind.place))]);
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
    roff.text([roman("catena-scene - format of catena scenes")]);
    roff.control("SH", ["SYNOPSIS"]);
    lines(
        roff,
        "Scene(\n    title: \"…\",\n    base: (FIELD: VALUE, …),\n    panels: [(label: \"…\", with: (FIELD: VALUE, …)), …],\n)",
    );
    roff.control("SH", ["DESCRIPTION"]);
    let paragraphs = [
        "A scene is a file in RON, Rusty Object Notation: names and values in parentheses, lists in brackets, words without quotes, text in quotes, and comments after //. All fields are optional.",
        "A panel consists of layers. Each layer contains only the differences from the layers \
         below it: the defaults, base, the with of the panel or of its row and column in a grid, \
         the with of a body, and --set PATH=VALUE of the command line. Fields inside a field are \
         replaced one by one. Lists, and names with options, are replaced as a whole.",
        "A scene is three-dimensional if one of its vectors has three components, such as gravity: (0, -9.81, 0), and planar otherwise. Any consistent units of length, mass and time can be used.",
    ];
    for text in paragraphs {
        roff.control("PP", []);
        roff.text([roman(text)]);
    }
}

/// Adds lines with their layout preserved.
fn lines(roff: &mut Roff, text: &str) {
    roff.control("EX", []);
    for line in text.lines() {
        roff.text([roman(line)]);
    }
    roff.control("EE", []);
}

/// Adds all fields, grouped by their scope.
fn settings(roff: &mut Roff) {
    let parts = [
        (Scope::Scene, "FIELDS OF THE PICTURE", "Allowed in base."),
        (Scope::Panel, "FIELDS OF A PANEL", "Allowed in base and in the with of a panel."),
        (Scope::Body, "FIELDS OF A BODY", "Allowed in base and in the with of a panel or a body."),
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
    let default = field.default().unwrap_or_else(|| "not set".into());
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
