//! Files of colliders: meshes, and rows of heights.

use super::data_file::{DataError, check_rows, too_many_points};
use super::mesh_file::MeshFormat;
use super::welded::Welded;
use crate::diagnostic::Fault;
use crate::files::Files;
use crate::separator::content;
use catena_sim::Collider;
use catena_sim::contact::collider::file::{FileContent, FileKind, WantedFile};
use std::sync::Arc;

/// Content of a file, and the line of each triangle or row.
type Lines = (FileContent, Vec<usize>);

/// Reads the file that a collider names, if any, and returns the collider with its content.
///
/// # Errors
/// Returns a fault when the file cannot be read, or its content is not a valid solid.
pub(crate) fn completed(
    files: &Files,
    collider: Arc<dyn Collider>,
) -> Result<Arc<dyn Collider>, Fault> {
    let Some(WantedFile { name, kind }) = collider.wanted_file() else { return Ok(collider) };
    let shows_text = files.shows_text(name);
    let read = match kind {
        FileKind::Mesh => mesh(files, name)?,
        FileKind::Rows => rows(files, name)?,
    };
    let (content, lines) = read.map_err(|wrong: DataError| wrong.fault(name, shows_text))?;
    collider.with_file(content).map_err(|bad| {
        let line = bad.entry.and_then(|entry| lines.get(entry));
        let place = match (line, bad.entry) {
            (Some(line), _) => format!(":{line}"),
            (None, Some(entry)) => format!(", triangle {entry}"),
            (None, None) => String::new(),
        };
        let wrong = DataError::at(place, bad.message);
        let fault = wrong.fault(name, shows_text);
        bad.help.map_or(fault.clone(), |help| fault.help(help))
    })
}

/// Reads a mesh. Vertices at equal positions are merged, because STL repeats them for every
/// triangle.
fn mesh(files: &Files, name: &str) -> Result<Result<Lines, DataError>, Fault> {
    let bytes = files.bytes(name)?;
    let found = match MeshFormat::of(name, &bytes) {
        MeshFormat::Obj => MeshFormat::Obj.read(files.text(name)?.as_bytes()),
        other => other.read(&bytes),
    };
    Ok(found.and_then(|found| {
        few_points(files, found.positions.len())?;
        let welded = Welded::new(&found.positions, &found.facets, 0.0);
        let line = |facet: &usize| found.facet_lines.get(*facet).copied();
        let lines = welded.kept_facets.iter().filter_map(line).collect();
        Ok((FileContent::Mesh { points: welded.positions, facets: welded.facets }, lines))
    }))
}

/// Rejects a solid with more points than the maximum number of points in a file.
fn few_points(files: &Files, count: usize) -> Result<(), DataError> {
    let maximum = files.max_points();
    if count as u64 > maximum { Err(too_many_points(maximum)) } else { Ok(()) }
}

/// Reads rows of numbers, separated by commas, semicolons, tabs or spaces.
fn rows(files: &Files, name: &str) -> Result<Result<Lines, DataError>, Fault> {
    let text = files.text(name)?;
    if let Err(wrong) = check_rows(&text) {
        return Ok(Err(wrong));
    }
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    for (line, row) in content(&text) {
        let cells = row.split([',', ';', '\t', ' ']).map(str::trim).filter(|cell| !cell.is_empty());
        let mut heights = Vec::new();
        for cell in cells {
            match cell.parse::<f64>() {
                Ok(height) if height.is_finite() => heights.push(height),
                _ => return Ok(Err(DataError::new(line, "expected a finite number").found(cell))),
            }
        }
        rows.push(heights);
        lines.push(line);
    }
    if let Err(wrong) = few_points(files, rows.iter().map(Vec::len).sum()) {
        return Ok(Err(wrong));
    }
    Ok(Ok((FileContent::Rows(rows), lines)))
}
