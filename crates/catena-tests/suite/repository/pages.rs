//! Markdown pages: their list, links, headings and code.

use crate::repository;
use std::fs;

/// Paths of all pages of the book: the README, the pages of docs/ and docs/decisions/, and the
/// scenes.
pub(super) fn every_page() -> Vec<String> {
    let own = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "scenes/README.md"];
    let mut pages: Vec<String> = own.map(String::from).into();
    for folder in ["docs", "docs/decisions"] {
        for entry in fs::read_dir(repository(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") && name != "SUMMARY.md" {
                pages.push(format!("{folder}/{name}"));
            }
        }
    }
    pages.sort();
    pages
}

/// A part of a page that shows input or output.
pub(super) enum Block<'a> {
    /// Text indented by four spaces, or between unmarked or `sh` fences.
    Code(Vec<&'a str>),
    /// Text between `text` fences: the output of the previous command.
    Output(Vec<&'a str>),
    /// Text between `rust` fences.
    Program(Vec<&'a str>),
}

/// Blocks of a page, in order.
pub(super) fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(kind) = line.strip_prefix("```") {
            let inside: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            match kind {
                "" | "sh" => blocks.push(Block::Code(inside)),
                "text" => blocks.push(Block::Output(inside)),
                "rust" => blocks.push(Block::Program(inside)),
                _ => {}
            }
        } else if let Some(code) = line.strip_prefix("    ") {
            let mut inside = vec![code];
            while let Some(code) = lines.next_if(|line| line.starts_with("    ")) {
                inside.push(&code[4..]);
            }
            blocks.push(Block::Code(inside));
        }
    }
    blocks
}

/// A page without its code.
fn prose(page: &str) -> String {
    let mut is_fenced = false;
    let mut kept = String::new();
    for line in page.lines() {
        let is_fence = line.starts_with("```");
        is_fenced ^= is_fence;
        if !is_fence && !is_fenced && !line.starts_with("    ") {
            kept += line;
        }
        kept.push('\n');
    }
    kept
}

/// Targets of the links and pictures of a page.
pub(super) fn links(page: &str) -> Vec<&str> {
    let prose = prose(page);
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let targets: Vec<&str> = targets.collect();
    // Targets as slices of the page itself, which lives longer than the prose.
    targets
        .iter()
        .filter_map(|target| page.find(target).map(|at| &page[at..][..target.len()]))
        .collect()
}

/// Anchors of a page's headings: lower case, spaces as hyphens, without punctuation.
pub(super) fn headings(page: &str) -> impl Iterator<Item = String> {
    let prose = prose(page);
    let lines: Vec<String> =
        prose.lines().filter(|line| line.starts_with('#')).map(String::from).collect();
    lines.into_iter().map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        title
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect()
    })
}
