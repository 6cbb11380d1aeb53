//! The pages about methods and about the library match the code.

use super::pages::{Block, blocks};
use crate::repository;
use catena::sim::method::{METHODS, MethodInfo};
use std::fs;

/// The row of docs/methods.md for a method.
fn row(method: &MethodInfo) -> String {
    let order = match (method.order, method.damped_order) {
        (Some(order), Some(damped)) if damped != order => format!("{order}, damped {damped}"),
        (Some(order), _) => order.to_string(),
        (None, _) => "-".into(),
    };
    let limit = match method.limit {
        None => "-".into(),
        Some(0.0) => "none".into(),
        Some(f64::INFINITY) => "any".into(),
        Some(limit) => format!("{}", (limit * 1e4).round() / 1e4),
    };
    format!("| `{}` | {order} | {limit} | {} |", method.name, method.summary)
}

#[test]
fn the_page_on_methods_describes_each() {
    let page = fs::read_to_string(repository("docs/methods.md")).unwrap();
    let rows: Vec<String> = METHODS.iter().map(row).collect();
    let missing: Vec<&str> = rows
        .iter()
        .map(String::as_str)
        .filter(|row| !page.lines().any(|line| line == *row))
        .collect();
    assert!(missing.is_empty(), "docs/methods.md lacks these rows:\n{}", missing.join("\n"));
    let table =
        page.lines().filter(|line| line.starts_with("| `") && line.matches(" | ").count() == 3);
    assert_eq!(
        table.count(),
        METHODS.len(),
        "docs/methods.md has a row about a method that is gone"
    );
    let advice = page.split("## Each in a sentence").nth(1).unwrap();
    for method in METHODS {
        let is_there = advice.contains(&format!("`{}`", method.name));
        assert!(is_there, "docs/methods.md: say when to choose `{}`", method.name);
    }
}

#[test]
fn programs_of_the_page_on_the_library_are_examples() {
    let page = fs::read_to_string(repository("docs/library.md")).unwrap();
    let mut count = 0;
    for block in blocks(&page) {
        let Block::Program(lines) = block else { continue };
        let folders = ["examples", "crates/catena-sim/examples"];
        let examples = folders.iter().flat_map(|folder| fs::read_dir(repository(folder)).unwrap());
        let mut texts = examples.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
        assert!(
            texts.any(|text| text.lines().eq(lines.iter().copied())),
            "docs/library.md has a program that is no example:\n{}",
            lines.join("\n")
        );
        count += 1;
    }
    assert_eq!(count, 3);
}
