//! Rows as lines of CSV. Numbers read back bit-identical.

use super::{Column, ColumnKind, Value};
use catena_base::text::csv::{Number, cell};
use std::fmt::Write as _;

/// First line, without its terminator.
pub fn header(columns: &[Column]) -> String {
    let names: Vec<String> = columns.iter().map(|column| cell(&column.name)).collect();
    names.join(",")
}

/// Line of a row, without its terminator. Cells without a value are empty.
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

/// Parses the cells of a row. Returns `None` if they do not match the columns.
pub fn read_cells(record: &csv::StringRecord, columns: &[Column]) -> Option<Vec<Value>> {
    if record.len() != columns.len() {
        return None;
    }
    let value = |(text, column): (&str, &Column)| match column.kind {
        _ if text.is_empty() => Some(Value::None),
        ColumnKind::Whole => text.parse().ok().map(Value::Whole),
        ColumnKind::Real => text.parse().ok().map(Value::Real),
        ColumnKind::Text => Some(Value::Text(text.into())),
    };
    record.iter().zip(columns).map(value).collect()
}
