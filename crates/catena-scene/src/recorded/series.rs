//! Rows of a time series: a time and some numbers per line of a file.

use super::DataError;
use super::columns::without_unit;
use super::samples::decoded;
use super::table::{Cell, Table};
use crate::diagnostic::Fault;
use crate::files::Files;
use catena_sim::drive::curve::{SeriesFile, SeriesRow};

/// Maximum number of names in a message.
const MOST_NAMES: usize = 20;

/// Advice of tables, and what it is for a series.
const NODES: &str = "write a row per node and frame, such as 0,15,-400,200";
const TIMES: &str = "write a row per time, such as 0.5,-400,200";

/// Reads the rows of a file, with `count` numbers each. `refused` returns what is expected in place
/// of a number that does not fit.
///
/// # Errors
/// Returns a fault with the line when the file cannot be read, has no such columns, or when its
/// times do not rise, or a number does not fit.
pub(crate) fn series(
    files: &Files,
    source: &SeriesFile,
    count: usize,
    refused: &dyn Fn(f64) -> Option<&'static str>,
) -> Result<Vec<SeriesRow>, Fault> {
    let bytes = files.bytes(&source.file)?;
    let read = decoded(&bytes).and_then(|text| read(&text, source, count, refused));
    read.map_err(|wrong| wrong.fault(&source.file, files.shows_text(&source.file)))
}

fn read(
    text: &str,
    source: &SeriesFile,
    count: usize,
    refused: &dyn Fn(f64) -> Option<&'static str>,
) -> Result<Vec<SeriesRow>, DataError> {
    let is_known = |word: &String| is_time(word) || source.columns.contains(word);
    let is_header = |words: &[String]| words.len() > 1 && words.iter().any(is_known);
    let table = Table::of(text, is_header).map_err(|wrong| wrong.in_place_of(NODES, TIMES))?;
    let time = match &source.time {
        Some(name) => column(&table, name, "time")?,
        None => (0..table.width).find(|index| is_time(&name_of(&table, *index))).unwrap_or(0),
    };
    let values = value_columns(&table, source, time, count)?;
    let (mut rows, mut cells) = (Vec::<SeriesRow>::new(), Vec::new());
    for row in table.rows() {
        table.cells(row, &mut cells)?;
        let number = |index: usize, refused: &dyn Fn(f64) -> Option<&'static str>| {
            let cell = cells[index];
            let wrong = |what: String| DataError::at(Table::place(row, cell), what);
            match Cell::of(cell) {
                Cell::Number(value) => match refused(value) {
                    None => Ok(value),
                    Some(expected) => Err(wrong(format!("expected {expected}")).found(cell)),
                },
                _ if cell.is_empty() => Err(wrong("this cell is empty: expected a number".into())),
                _ if Cell::is_beyond(cell) => {
                    Err(wrong("expected a number from -1e100 to 1e100".into()).found(cell))
                }
                Cell::Missing | Cell::Text => Err(wrong("expected a number".into()).found(cell)),
            }
        };
        let t = number(time, &|_| None)?;
        if rows.last().is_some_and(|(before, _)| *before >= t) {
            let place = Table::place(row, cells[time]);
            let wrong = DataError::at(place, "this time is not above the one of the row before");
            return Err(wrong.help("sort the rows by time, and keep one row per time"));
        }
        let own = values.iter().map(|index| number(*index, refused));
        rows.push((t, own.collect::<Result<_, _>>()?));
    }
    Ok(rows)
}

/// Whether a name is that of a time.
fn is_time(name: &str) -> bool {
    let name = without_unit(name).0;
    name.eq_ignore_ascii_case("t") || name.eq_ignore_ascii_case("time")
}

/// Name of a column; empty if it has none.
fn name_of(table: &Table<'_>, index: usize) -> String {
    let names = table.header.as_ref().map(|header| &header.names);
    names.and_then(|names| names.get(index)).map_or(String::new(), |name| name.trim().to_owned())
}

/// Returns the column of a name, or of a number from 1.
fn column(table: &Table<'_>, name: &str, option: &str) -> Result<usize, DataError> {
    let all = || 0..table.width;
    let is_exact = |index: &usize| name_of(table, *index) == name;
    let is_alike = |index: &usize| {
        let own = name_of(table, *index);
        !own.is_empty() && without_unit(&own).0.eq_ignore_ascii_case(name)
    };
    let number = || name.parse::<usize>().ok()?.checked_sub(1).filter(|index| *index < table.width);
    let found = all().find(is_exact).or_else(|| all().find(is_alike)).or_else(number);
    found.ok_or_else(|| {
        let wrong = DataError::at(String::new(), format!("there is no column {name:?}"));
        wrong.help(format!("`{option}` is {}", choices(table)))
    })
}

/// Words for the columns of a file.
fn choices(table: &Table<'_>) -> String {
    let names: Vec<String> = (0..table.width).map(|index| name_of(table, index)).collect();
    match names.iter().all(String::is_empty) || names.len() > MOST_NAMES {
        true => format!("a number from 1 to {}", table.width),
        false => format!("one of {}, or its number from 1", names.join(", ")),
    }
}

/// Returns the columns of the values: those that are named, x, y and z, or all but the time.
fn value_columns(
    table: &Table<'_>,
    source: &SeriesFile,
    time: usize,
    count: usize,
) -> Result<Vec<usize>, DataError> {
    let option = if count == 1 { "column" } else { "columns" };
    if !source.columns.is_empty() {
        return source.columns.iter().map(|name| column(table, name, option)).collect();
    }
    let axis = |name: &&str| {
        let is_it = |index: &usize| without_unit(&name_of(table, *index)).0 == *name;
        (0..table.width).find(is_it)
    };
    let axes: Vec<usize> = ["x", "y", "z"].iter().take(count).filter_map(axis).collect();
    if count > 1 && axes.len() == count {
        return Ok(axes);
    }
    let others: Vec<usize> = (0..table.width).filter(|index| *index != time).collect();
    if others.len() == count {
        return Ok(others);
    }
    let what = format!("{} columns beside the time, expected {count}", others.len());
    let wrong = DataError::at(String::new(), what);
    Err(wrong.help(format!("choose with `{option}`: {}", choices(table))))
}
