//! Rows as lines of csv, which read back to the same bits.

use super::{Column, ColumnKind, Value};
use crate::text::csv::{Number, cell};
use std::fmt::Write as _;

/// The first line, without its end.
pub fn header(columns: &[Column]) -> String {
    let names: Vec<String> = columns.iter().map(|column| cell(&column.name)).collect();
    names.join(",")
}

/// The line of a row, without its end. Cells without a value are empty.
pub fn line(cells: &[Value]) -> String {
    let mut line = String::new();
    for (index, value) in cells.iter().enumerate() {
        if index > 0 {
            line.push(',');
        }
        // Writing to a string cannot fail.
        let _ = match value {
            Value::Whole(number) => write!(line, "{number}"),
            Value::Real(number) => write!(line, "{}", Number(*number)),
            Value::Text(text) => line.write_str(&cell(text)),
            Value::None => Ok(()),
        };
    }
    line
}

/// Reads a line back; `None` where it has other columns.
pub fn read_line(line: &str, columns: &[Column]) -> Option<Vec<Value>> {
    let cells = split(line)?;
    if cells.len() != columns.len() {
        return None;
    }
    let value = |(text, column): (String, &Column)| match column.kind {
        _ if text.is_empty() => Some(Value::None),
        ColumnKind::Whole => text.parse().ok().map(Value::Whole),
        ColumnKind::Real => text.parse().ok().map(Value::Real),
        ColumnKind::Text => Some(Value::Text(text)),
    };
    cells.into_iter().zip(columns).map(value).collect()
}

/// The cells of a line, without the quotes around some.
fn split(line: &str) -> Option<Vec<String>> {
    let (mut cells, mut cell, mut rest) = (Vec::new(), String::new(), line);
    loop {
        if let Some(quoted) = rest.strip_prefix('"') {
            let end = quoted.find('"')?;
            cell += &quoted[..end];
            rest = &quoted[end + 1..];
            // Two quotes stand for one inside of a quoted cell.
            if rest.starts_with('"') {
                cell.push('"');
                continue;
            }
        } else {
            let end = rest.find(',').unwrap_or(rest.len());
            cell += &rest[..end];
            rest = &rest[end..];
        }
        cells.push(std::mem::take(&mut cell));
        match rest.strip_prefix(',') {
            Some(behind) => rest = behind,
            None => return rest.is_empty().then_some(cells),
        }
    }
}
