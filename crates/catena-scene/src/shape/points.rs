//! Points of a rope from a CSV or JSON file.
//!
//! Columns of CSV are separated by commas, semicolons, tabs or spaces. A decimal comma is accepted
//! if commas are not separators.

use super::data_file::{self, DataError, quoted, too_many_points};
use crate::diagnostic::Fault;
use crate::separator::{Separator, content, without_empty_end};
use serde::de::{self, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use std::fmt;

/// Maximum magnitude of a number. The squares of larger ones would overflow.
const LARGEST: f64 = 1e100;

/// Reads the points of a text in the format of the file extension. Messages quote the file only if
/// `shows_text` is set. A file may have at most `maximum` points.
pub(super) fn read(
    text: &str,
    name: &str,
    shows_text: bool,
    axes: usize,
    maximum: u64,
) -> Result<Vec<[f64; 3]>, Fault> {
    let (_, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let points = match ending.to_ascii_lowercase().as_str() {
        "csv" | "tsv" | "txt" => {
            data_file::check_lines(text, name)?;
            of_csv(text, axes, maximum)
        }
        "json" => of_json(text, axes, maximum),
        _ => {
            let fault = Fault::new(format!("{name}: points must be in a .csv or .json file"));
            return Err(fault.help("rename the file, or write the points with Points(points: […])"));
        }
    };
    let points = points.map_err(|wrong| wrong.fault(name, shows_text))?;
    if points.is_empty() {
        return Err(Fault::new(format!("{name} has no points")));
    }
    Ok(points)
}

/// Converts a row of `count` numbers to a point, or returns the reason why that is impossible.
fn point(row: &[f64], count: usize, axes: usize) -> Result<[f64; 3], String> {
    if count != axes {
        let scene = if axes == 2 { "planar" } else { "three-dimensional" };
        return Err(format!("expected {axes} numbers, since the scene is {scene}, found {count}"));
    }
    match row.iter().find(|value| !value.is_finite() || value.abs() > LARGEST) {
        Some(value) => Err(format!("expected a number from -1e100 to 1e100, found {value:?}")),
        None => Ok([0, 1, 2].map(|axis| row.get(axis).copied().unwrap_or(0.0))),
    }
}

fn of_csv(text: &str, axes: usize, maximum: u64) -> Result<Vec<[f64; 3]>, DataError> {
    let mut points = Vec::new();
    visit_rows(text, |line, row| {
        if points.len() as u64 >= maximum {
            return Err(too_many_points(maximum));
        }
        let point = point(row, row.len(), axes);
        points.push(point.map_err(|message| DataError::new(line, message))?);
        Ok(())
    })?;
    Ok(points)
}

fn of_json(text: &str, axes: usize, maximum: u64) -> Result<Vec<[f64; 3]>, DataError> {
    let (mut points, mut wrong) = (Vec::new(), None);
    let list = PointList { axes, maximum, points: &mut points, wrong: &mut wrong };
    let mut json = serde_json::Deserializer::from_str(text);
    let read = list.deserialize(&mut json).and_then(|()| json.end());
    match (wrong, read) {
        (Some(wrong), _) => Err(wrong),
        (None, Ok(())) => Ok(points),
        (None, Err(error)) => {
            let place = format!(":{}:{}", error.line(), error.column());
            let wrong = DataError::at(place, "expected a list of lists of numbers");
            Err(wrong
                .detail(&quoted(&error.to_string()))
                .help("write a list such as [[0, 0], [1, 0.5]]"))
        }
    }
}

/// Visitor that reads a list of points one by one.
struct PointList<'a> {
    axes: usize,
    maximum: u64,
    points: &'a mut Vec<[f64; 3]>,
    /// Error of a point that is a list of numbers, because the visitor's own errors carry only
    /// text.
    wrong: &'a mut Option<DataError>,
}

impl<'de> DeserializeSeed<'de> for PointList<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for PointList<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of points")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some((row, count)) = list.next_element_seed(NumberRow)? {
            let index = self.points.len();
            let found = match point(&row[..count.min(3)], count, self.axes) {
                _ if index as u64 >= self.maximum => Err(too_many_points(self.maximum)),
                Err(what) => Err(DataError::at(format!(", point {index}"), what)),
                Ok(point) => Ok(point),
            };
            match found {
                Ok(point) => self.points.push(point),
                Err(wrong) => {
                    *self.wrong = Some(wrong);
                    return Err(de::Error::custom("a point cannot be used"));
                }
            }
        }
        Ok(())
    }
}

/// Visitor that reads a list of numbers: the first three, and their total count.
struct NumberRow;

impl<'de> DeserializeSeed<'de> for NumberRow {
    type Value = ([f64; 3], usize);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for NumberRow {
    type Value = ([f64; 3], usize);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let (mut row, mut count) = ([0.0; 3], 0);
        while let Some(number) = list.next_element()? {
            if let Some(value) = row.get_mut(count) {
                *value = number;
            }
            count += 1;
        }
        Ok((row, count))
    }
}

/// Maximum number of columns per row.
const MAX_COLUMNS: usize = 64;

/// Visits all rows of a text with their line numbers. Blank lines, comments after `#`, a header row
/// and empty cells at the end of a row are skipped.
fn visit_rows(
    text: &str,
    mut visit: impl FnMut(usize, &[f64]) -> Result<(), DataError>,
) -> Result<(), DataError> {
    let rows = content(text).map(|(_, row)| row);
    let is_number = |cell: &str| Separator::number(cell).is_some();
    let separator = Separator::of(rows, MAX_COLUMNS, is_number).unwrap_or(Separator::Comma);
    let (mut cells, mut numbers) = (Vec::new(), Vec::new());
    let mut is_first = true;
    for (line, row) in content(text) {
        separator.cells(row, MAX_COLUMNS, &mut cells);
        without_empty_end(&mut cells);
        if cells.len() > MAX_COLUMNS {
            return Err(DataError::new(line, format!("more than {MAX_COLUMNS} columns")));
        }
        numbers.clear();
        numbers.extend(cells.iter().map_while(|cell| Separator::number(cell)));
        if numbers.len() == cells.len() {
            if !cells.is_empty() {
                visit(line, &numbers)?;
            }
        } else if !is_first || cells.iter().any(|cell| Separator::number(cell).is_some()) {
            return Err(separator.wrong(line, cells[numbers.len()]));
        }
        is_first &= cells.is_empty();
    }
    Ok(())
}
