//! Rows of tables: the items that a row requires elsewhere exist, and every type that should be a
//! row is one.

use super::walk;
use crate::repository;
use catena::sim::{
    body::{material::MATERIALS, shape::path::SHAPES},
    contact::collider::COLLIDERS,
    drive::{
        curve::CURVES,
        event::{action::ACTIONS, condition::CONDITIONS},
    },
    force::{applied::FORCES, flow::FLOWS, law::LAWS},
    method::{METHODS, control::STEP_CONTROLS},
    named::{Info, OptionInfo},
    slip::SLIPS,
};
use std::fs;

/// A table of types that scenes can name.
struct Table {
    /// Name of the table in the code.
    name: &'static str,
    /// Trait of its rows.
    item: &'static str,
    /// Folder of its rows, below crates/catena-sim/src; the table is in its `mod.rs`.
    folder: &'static str,
    /// Names of its rows, with their options.
    rows: Vec<(&'static str, &'static [OptionInfo])>,
}

fn tables() -> Vec<Table> {
    let methods = METHODS.iter().map(|row| (row.name, row.options)).collect();
    let slips = SLIPS.iter().map(|row| (row.name, row.options)).collect();
    let of = |name, item, folder, rows: &'static [Info]| {
        let rows = rows.iter().map(|row| (row.name, row.options)).collect();
        Table { name, item, folder, rows }
    };
    vec![
        Table { name: "METHODS", item: "Method", folder: "method", rows: methods },
        Table { name: "SLIPS", item: "Slip", folder: "slip", rows: slips },
        of("STEP_CONTROLS", "StepControl", "method/control", STEP_CONTROLS),
        of("LAWS", "SpringLaw", "force/law", LAWS),
        of("FLOWS", "Flow", "force/flow", FLOWS),
        of("FORCES", "AppliedForce", "force/applied", FORCES),
        of("MATERIALS", "Material", "body/material", MATERIALS),
        of("COLLIDERS", "Collider", "contact/collider", COLLIDERS),
        of("CURVES", "Curve", "body/curve", CURVES),
        of("SHAPES", "RopeShape", "body/shape/path", SHAPES),
        of("ACTIONS", "Action", "drive/event/action", ACTIONS),
        of("CONDITIONS", "Condition", "drive/event/condition", CONDITIONS),
    ]
}

/// Whether a page has `name` in the first cell of a row.
fn has_row(page: &str, name: &str) -> bool {
    let cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    cells.into_iter().any(|cell| cell.contains(&format!("`{name}`")))
}

/// Asserts that docs/scene-format.md describes these rows and their options.
fn assert_described<'a>(tables: impl IntoIterator<Item = &'a Table>) {
    let page = fs::read_to_string(repository("docs/scene-format.md")).unwrap();
    for (name, options) in tables.into_iter().flat_map(|table| &table.rows) {
        assert!(has_row(&page, name), "docs/scene-format.md: describe `{name}`");
        for option in *options {
            let option = option.name;
            let is_there = page.contains(&format!("`{option}`"));
            assert!(is_there, "docs/scene-format.md: describe `{option}` of `{name}`");
        }
    }
}

#[test]
fn the_scene_format_describes_every_method() {
    assert_described(&tables()[..1]);
}

#[test]
fn the_scene_format_describes_every_other_choice() {
    assert_described(&tables()[1..]);
}

/// Types of a file that are rows of a table: those with an `impl` of its trait, and rows of macros
/// that generate such types.
fn declared<'a>(text: &'a str, item: &str) -> Vec<&'a str> {
    let makes = text.contains(&format!("impl {item} for $")) || text.contains("method_rows! {");
    let start =
        |line: &&str| line.ends_with("! {") && !line.starts_with(' ') && !line.starts_with("macro");
    let rows = text.lines().skip_while(|line| !start(line)).take_while(|line| *line != "}");
    let rows = rows.filter_map(|line| line.strip_prefix("    ")?.split_once(" {"));
    let rows =
        rows.map(|(name, _)| name).filter(|name| makes && name.chars().all(char::is_alphanumeric));
    let begin = format!("impl {item} for ");
    let impls = text.lines().filter_map(|line| line.strip_prefix(&begin)?.strip_suffix(" {"));
    rows.chain(impls).collect()
}

/// Asserts that every type in a table's folder that could be a row is one.
fn assert_listed(table: &Table) {
    let Table { name: list, item, folder, rows } = table;
    let mut count = 0;
    walk(&repository("crates/catena-sim/src").join(folder), &mut |path, text| {
        for name in declared(text, item) {
            count += 1;
            assert!(
                rows.iter().any(|(row, _)| *row == name),
                "{} declares it; crates/catena-sim/src/{folder}/mod.rs: add `{name}` to {list}",
                path.display()
            );
        }
    });
    assert_eq!(count, rows.len(), "{list}: the test has not found the file of every row");
}

#[test]
fn every_method_stands_in_the_table() {
    assert_listed(&tables()[0]);
}

#[test]
fn every_other_choice_stands_in_its_table() {
    tables()[1..].iter().for_each(assert_listed);
}
