//! Rows of a time series. Each line of a file has a time and one or more numbers.

use super::DataError;
use super::columns::{seconds, without_unit};
use super::samples::decoded;
use super::table::{Cell, Table};
use crate::diagnostic::Fault;
use crate::files::Files;
use catena_sim::drive::curve::{SeriesFile, SeriesRow};

/// Maximum number of names in a message.
const MAX_NAMES: usize = 20;

/// Advice about tables of nodes, which messages about a series replace by [`TIMES`].
const NODES: &str = "write a row per node and frame, such as 0,15,-400,200";
/// Advice about the rows of a series.
const TIMES: &str = "write a row per time, such as 0.5,-400,200";

/// Reads the rows of a file, with `count` numbers each. For an invalid number, `refused` returns a
/// description of the expected values.
///
/// # Errors
/// Returns a fault with the line when the file cannot be read, lacks a column, its times do not
/// increase, or a number is invalid.
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
    check_columns(&table, source, time, &values)?;
    let unit = seconds(without_unit(&name_of(&table, time)).1);
    let (mut rows, mut cells) = (Vec::<SeriesRow>::new(), Vec::new());
    for row in table.rows() {
        table.cells(row, &mut cells)?;
        let number = |index: usize, refused: &dyn Fn(f64) -> Option<&'static str>| {
            let cell = cells[index];
            let wrong = |what: String| DataError::at(row.place(cell), what);
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
        let t = unit * number(time, &|_| None)?;
        if rows.last().is_some_and(|(before, _)| *before >= t) {
            let place = row.place(cells[time]);
            let wrong =
                DataError::at(place, "this time is not later than the time of the previous row");
            return Err(wrong.help("sort the rows by time, and keep one row per time"));
        }
        let own = values.iter().map(|index| number(*index, refused));
        rows.push((t, own.collect::<Result<_, _>>()?));
    }
    Ok(rows)
}

/// Whether a column with this name has times.
fn is_time(name: &str) -> bool {
    let name = without_unit(name).0;
    name.eq_ignore_ascii_case("t") || name.eq_ignore_ascii_case("time")
}

/// Returns the name of a column; empty if the column has none.
fn name_of(table: &Table<'_>, index: usize) -> String {
    let names = table.header.as_ref().map(|header| &header.names);
    names.and_then(|names| names.get(index)).map_or(String::new(), |name| name.trim().to_owned())
}

/// Returns the index of the column with a name, or with a number counted from 1.
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
        wrong.help(format!("`{option}` must be {}", choices(table)))
    })
}

/// Rejects a column that is used twice, a name that two columns have, and columns with different
/// units.
fn check_columns(
    table: &Table<'_>,
    source: &SeriesFile,
    time: usize,
    values: &[usize],
) -> Result<(), DataError> {
    let line = table.header.as_ref().map_or(String::new(), |header| format!(":{}", header.line));
    let called = |index: usize| match name_of(table, index) {
        name if name.is_empty() => format!("column {}", index + 1),
        name => format!("column {name:?}"),
    };
    let used = || [time].into_iter().chain(values.iter().copied()).enumerate();
    for (place, index) in used() {
        if let Some((first, _)) = used().take(place).find(|(_, other)| *other == index) {
            let twice = if first == 0 { "the time and a value" } else { "two values" };
            let what = format!("{} is {twice}", called(index));
            return Err(DataError::at(line, what).help("choose a different column for each"));
        }
        let name = name_of(table, index);
        let twin = (0..table.width).find(|other| *other != index && name_of(table, *other) == name);
        let number = (index + 1).to_string();
        let is_by_number =
            source.columns.contains(&number) || source.time.as_ref() == Some(&number);
        if let Some(twin) = twin.filter(|_| !name.is_empty() && !is_by_number) {
            let [one, other] = [index.min(twin) + 1, index.max(twin) + 1];
            let what = format!("columns {one} and {other} are both called {name:?}");
            let help =
                format!("rename one of them, or choose columns by number, such as \"{one}\"");
            return Err(DataError::at(line, what).help(help));
        }
    }
    let unit = |index: &usize| without_unit(&name_of(table, *index)).1.to_owned();
    let units: Vec<String> = values.iter().map(unit).filter(|unit| !unit.is_empty()).collect();
    match units.iter().find(|unit| **unit != units[0]) {
        Some(other) => {
            let what = format!("the columns have different units: {} and {other}", units[0]);
            let help = "convert one of them in the file, since `scale` applies to all columns";
            Err(DataError::at(line, what).help(help))
        }
        None => Ok(()),
    }
}

/// Describes the columns of a file for messages.
fn choices(table: &Table<'_>) -> String {
    let names: Vec<String> = (0..table.width).map(|index| name_of(table, index)).collect();
    match names.iter().all(String::is_empty) || names.len() > MAX_NAMES {
        true => format!("a number from 1 to {}", table.width),
        false => format!("one of {}, or its number from 1", names.join(", ")),
    }
}

/// Returns the columns of the values: the given columns, else x, y and z, else all except the time.
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
    let what = format!("{} columns besides the time, expected {count}", others.len());
    let wrong = DataError::at(String::new(), what);
    Err(wrong.help(format!("choose with `{option}`: {}", choices(table))))
}
