//! Points of a file: rows of numbers, as CSV or as JSON.

use crate::scene::diagnostic::Fault;

/// Numbers beyond this are far from anything drawn, and their squares overflow.
const LARGEST: f64 = 1e100;

/// Reads the points of a text; the ending of the file's name says how it is written. A CSV file may
/// begin with a row of names.
pub(super) fn read(text: &str, name: &str, axes: usize) -> Result<Vec<[f64; 3]>, Fault> {
    let (_, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let points = match ending.to_ascii_lowercase().as_str() {
        "csv" | "txt" => of_csv(text, name, axes)?,
        "json" => of_json(text, name, axes)?,
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

fn of_csv(text: &str, name: &str, axes: usize) -> Result<Vec<[f64; 3]>, Fault> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let mut points = Vec::new();
    for (index, record) in reader.records().enumerate() {
        let record = record.map_err(|error| Fault::new(format!("{name}: {error}")))?;
        let line = record.position().map_or(0, csv::Position::line);
        let at = |message: String| Fault::new(format!("{name}:{line}: {message}"));
        let numbers: Result<Vec<f64>, _> = record.iter().map(str::parse).collect();
        match numbers {
            Ok(row) => points.push(point(&row, axes).map_err(at)?),
            // Names of columns.
            Err(_) if index == 0 && record.iter().all(|cell| cell.parse::<f64>().is_err()) => {}
            Err(_) => {
                let bad = record.iter().find(|cell| cell.parse::<f64>().is_err());
                return Err(at(format!("expected numbers, found {:?}", bad.unwrap_or_default())));
            }
        }
    }
    Ok(points)
}

fn of_json(text: &str, name: &str, axes: usize) -> Result<Vec<[f64; 3]>, Fault> {
    let rows: Vec<Vec<f64>> = serde_json::from_str(text).map_err(|error| {
        let fault = Fault::new(format!("{name}:{}:{}: {error}", error.line(), error.column()));
        fault.help("write a list of lists of numbers: [[0, 0], [1, 0.5]]")
    })?;
    let rows = rows.iter().enumerate().map(|(index, row)| {
        point(row, axes).map_err(|message| Fault::new(format!("{name}, point {index}: {message}")))
    });
    rows.collect()
}
