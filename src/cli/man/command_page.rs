//! Manual page of a command.

use super::{Page, add, ascii, version};
use crate::cli::guide::{CODES, ENVIRONMENT, FILES, Guide};
use clap::Command;
use clap_mangen::{
    Man,
    roff::{Roff, bold, italic, roman},
};
use std::io;

/// Returns the page of a command, which must have been built so that it has its full name.
pub(super) fn page(command: &Command) -> io::Result<Page> {
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
    add(&mut out, |roff| notes(roff, guide))?;
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

fn notes(roff: &mut Roff, guide: Option<&Guide>) {
    for note in guide.map_or(&[][..], |guide| guide.notes) {
        roff.control("PP", []);
        roff.text([roman(*note)]);
    }
}

/// The commands, each with the name of its page.
fn commands(roff: &mut Roff, command: &Command) {
    roff.control("SH", ["COMMANDS"]);
    for one in command.get_subcommands().filter(|one| !one.is_hide_set()) {
        let about = one.get_about().map(ToString::to_string).unwrap_or_default();
        roff.control("TP", []);
        roff.text([bold(format!("catena-{}", one.get_name())), roman("(1)")]);
        roff.text([roman(about)]);
    }
}

/// A section of terms with their meanings.
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

/// References to other pages.
fn see_also(roff: &mut Roff, others: &[&str]) {
    roff.control("SH", ["SEE ALSO"]);
    let all: Vec<&str> = others.iter().copied().chain(["catena-scene(5)"]).collect();
    roff.text([italic(all.join(", "))]);
}
