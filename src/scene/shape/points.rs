//! Points of a file: rows of numbers, as CSV or as JSON.

use super::rows::{RowReader, quoted, too_long, too_many_points};
use crate::scene::diagnostic::Fault;
use serde::de::{self, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use std::fmt;

/// Numbers beyond this are far from anything drawn, and their squares overflow.
const LARGEST: f64 = 1e100;

/// Reads the points of a text; the ending of the file's name says how it is written. A CSV file may
/// begin with a row of names. A file may have at most `most` points.
pub(super) fn read(
    text: &str,
    name: &str,
    (axes, most): (usize, u64),
) -> Result<Vec<[f64; 3]>, Fault> {
    let (_, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let points = match ending.to_ascii_lowercase().as_str() {
        "csv" | "txt" => of_csv(text, name, (axes, most))?,
        "json" => of_json(text, name, (axes, most))?,
        _ => {
            let fault = Fault::new(format!("{name}: points are in a .csv or a .json file"));
            return Err(fault.help("rename the file, or write the points with Points(points: […])"));
        }
    };
    if points.is_empty() {
        return Err(Fault::new(format!("{name} has no points")));
    }
    Ok(points)
}

/// A point of the first numbers of a row of `count`, or what is wrong with it.
fn point(row: &[f64], count: usize, axes: usize) -> Result<[f64; 3], String> {
    if count != axes {
        let scene = if axes == 2 { "planar" } else { "three-dimensional" };
        return Err(format!("expected {axes} numbers, since the scene is {scene}, found {count}"));
    }
    match row.iter().find(|value| !value.is_finite() || value.abs() > LARGEST) {
        Some(value) => Err(format!("expected a number from -1e100 to 1e100, found {value}")),
        None => Ok([0, 1, 2].map(|axis| row.get(axis).copied().unwrap_or(0.0))),
    }
}

fn of_csv(text: &str, name: &str, (axes, most): (usize, u64)) -> Result<Vec<[f64; 3]>, Fault> {
    let (rows, row_start) = RowReader::new(text);
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(rows);
    let mut points = Vec::new();
    for (index, record) in reader.records().enumerate() {
        row_start.next();
        let record = record.map_err(|error| match error.kind() {
            csv::ErrorKind::Io(_) => too_long(name, text),
            _ => Fault::new(format!("{name}: {error}")),
        })?;
        if points.len() as u64 >= most {
            return Err(too_many_points(name, most));
        }
        let line = record.position().map_or(0, csv::Position::line);
        let at = |message: String| Fault::new(format!("{name}:{line}: {message}"));
        let numbers: Result<Vec<f64>, _> = record.iter().map(str::parse).collect();
        match numbers {
            Ok(row) => points.push(point(&row, row.len(), axes).map_err(at)?),
            // Names of columns.
            Err(_) if index == 0 && record.iter().all(|cell| cell.parse::<f64>().is_err()) => {}
            Err(_) => {
                let bad = record.iter().find(|cell| cell.parse::<f64>().is_err());
                let bad = quoted(bad.unwrap_or_default());
                return Err(at(format!("expected numbers, found {bad:?}")));
            }
        }
    }
    Ok(points)
}

fn of_json(text: &str, name: &str, (axes, most): (usize, u64)) -> Result<Vec<[f64; 3]>, Fault> {
    let (mut points, mut fault) = (Vec::new(), None);
    let list = PointList { axes, most, name, points: &mut points, fault: &mut fault };
    let mut json = serde_json::Deserializer::from_str(text);
    let read = list.deserialize(&mut json).and_then(|()| json.end());
    match (fault, read) {
        (Some(fault), _) => Err(fault),
        (None, Ok(())) => Ok(points),
        (None, Err(error)) => {
            let what = quoted(&error.to_string());
            let fault = Fault::new(format!("{name}:{}:{}: {what}", error.line(), error.column()));
            Err(fault.help("write a list of lists of numbers: [[0, 0], [1, 0.5]]"))
        }
    }
}

/// Reads a list of points one by one.
struct PointList<'a> {
    axes: usize,
    most: u64,
    name: &'a str,
    points: &'a mut Vec<[f64; 3]>,
    /// The fault of a point that is a list of numbers.
    fault: &'a mut Option<Fault>,
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
        while let Some((row, count)) = list.next_element_seed(Numbers)? {
            let index = self.points.len();
            let found = match point(&row[..count.min(3)], count, self.axes) {
                _ if index as u64 >= self.most => Err(too_many_points(self.name, self.most)),
                Err(what) => Err(Fault::new(format!("{}, point {index}: {what}", self.name))),
                Ok(point) => Ok(point),
            };
            match found {
                Ok(point) => self.points.push(point),
                Err(fault) => {
                    *self.fault = Some(fault);
                    return Err(de::Error::custom("a point cannot be used"));
                }
            }
        }
        Ok(())
    }
}

/// Reads a list of numbers: the first three, and how many there are.
struct Numbers;

impl<'de> DeserializeSeed<'de> for Numbers {
    type Value = ([f64; 3], usize);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Numbers {
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
