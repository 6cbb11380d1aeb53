//! Points of a file: rows of numbers, as CSV or as JSON.

use super::csv;
use super::wrong::Wrong;
use crate::scene::diagnostic::Fault;

/// Numbers beyond this are far from anything drawn, and their squares overflow.
const LARGEST: f64 = 1e100;

/// Reads the points of a text; the ending of the file's name says how it is written. A message
/// shows text of the file only where `shows_text` allows it.
pub(super) fn read(
    text: &str,
    (name, shows_text): (&str, bool),
    axes: usize,
) -> Result<Vec<[f64; 3]>, Fault> {
    let (_, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let points = match ending.to_ascii_lowercase().as_str() {
        "csv" | "tsv" | "txt" => of_csv(text, axes),
        "json" => of_json(text, axes),
        _ => {
            let fault = Fault::new(format!("{name}: points are in a .csv or a .json file"));
            return Err(fault.help("rename the file, or write the points with Points(points: […])"));
        }
    };
    let points = points.map_err(|wrong| wrong.fault(name, shows_text))?;
    if points.is_empty() {
        return Err(Fault::new(format!("{name} has no points")));
    }
    Ok(points)
}

/// A point of a row, or what is wrong with it.
fn point(row: &[f64], axes: usize) -> Result<[f64; 3], String> {
    if row.len() != axes {
        let scene = if axes == 2 { "planar" } else { "three-dimensional" };
        return Err(format!(
            "expected {axes} numbers, since the scene is {scene}, found {}",
            row.len()
        ));
    }
    match row.iter().find(|value| !value.is_finite() || value.abs() > LARGEST) {
        Some(value) => Err(format!("expected a number from -1e100 to 1e100, found {value}")),
        None => Ok([0, 1, 2].map(|axis| row.get(axis).copied().unwrap_or(0.0))),
    }
}

fn of_csv(text: &str, axes: usize) -> Result<Vec<[f64; 3]>, Wrong> {
    let mut points = Vec::new();
    csv::rows(text, |line, row| {
        points.push(point(row, axes).map_err(|message| Wrong::new(line, message))?);
        Ok(())
    })?;
    Ok(points)
}

fn of_json(text: &str, axes: usize) -> Result<Vec<[f64; 3]>, Wrong> {
    let rows: Vec<Vec<f64>> = serde_json::from_str(text).map_err(|error| {
        let place = format!(":{}:{}", error.line(), error.column());
        let wrong = Wrong::at(place, "expected a list of lists of numbers").detail(&error);
        wrong.help("such as [[0, 0], [1, 0.5]]")
    })?;
    let rows = rows.iter().enumerate().map(|(index, row)| {
        point(row, axes).map_err(|message| Wrong::at(format!(", point {index}"), message))
    });
    rows.collect()
}
