//! `catena man`: manual pages, generated from the commands, the guides and the tables of scenes.

mod command_page;
mod scene_page;

use super::{Failure, args::ManArgs, guide, say};
use crate::output::{OutputError, atomic, stdout};
use clap::Command;
use clap_mangen::roff::Roff;
use std::{
    fs,
    io::{self, IsTerminal},
    path::Path,
};

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
            stdout::print(&page.text)?;
            if io::stdout().is_terminal() {
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
            Err(Failure::Usage(format!(
                "there is no manual page {name}; there are those of {known}"
            )))
        }
    }
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

/// All pages: those of catena, of each command, and of scenes.
fn pages() -> io::Result<Vec<Page>> {
    let mut command = guide::command().disable_help_subcommand(true);
    command.build();
    let mut pages = vec![command_page::page(&command)?];
    for one in command.get_subcommands() {
        pages.push(command_page::page(one)?);
    }
    pages.push(scene_page::page(&command)?);
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
fn version(command: &Command) -> String {
    format!("catena {}", command.get_version().unwrap_or(env!("CARGO_PKG_VERSION")))
}
