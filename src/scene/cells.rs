//! Which panels a scene has: a list, a sweep, or the product of rows and columns.

use super::build::Arrangement;
use super::diagnostic::Fault;
use super::error::SceneError;
use super::limits::{Limits, too_many};
use super::load::Source;
use super::locate::locate;
use super::schema::{Layer, SceneFile, Settings};
use super::stack::{Placed, Stack};
use super::values::Whole;

/// A panel to be: its label and what lies over the base.
pub(super) struct Cell<'a> {
    pub(super) label: Option<String>,
    pub(super) layers: Stack<'a>,
}

/// The panels of a scene file in order, and how they stand.
pub(super) fn cells<'a>(
    source: &Source,
    file: &'a SceneFile,
    in_file: &impl Fn(&str, &'a Settings) -> Placed<'a>,
    columns_wanted: Option<Whole<1, 1024>>,
    limits: &Limits,
) -> Result<(Vec<Cell<'a>>, Arrangement), SceneError> {
    let refuse_at = |path: &str, fault: Fault| {
        let span = locate(&source.text, path).unwrap_or(0..0);
        let fault = Fault { field: Some(path.into()), ..fault }.at(span);
        Err(source.error(fault))
    };
    let panels_fault = |count: usize| too_many(count as u64, "panels", limits.panels);

    let sweep_cells = |path: &str, list: &'a [Layer]| {
        if list.len() as u64 > limits.panels {
            return refuse_at(path, panels_fault(list.len()));
        }
        let cell = |(index, layer): (usize, &'a Layer)| Cell {
            label: layer.label.clone(),
            layers: vec![in_file(&format!("{path}[{index}].with"), &layer.with)],
        };
        let cells: Vec<_> = list.iter().enumerate().map(cell).collect();
        let columns = columns_wanted.map(|columns| columns.0 as usize);
        Ok((cells, Arrangement::Flow { columns }))
    };

    let Some(grid) = &file.grid.0 else {
        let (mut cells, arrangement) = sweep_cells("panels", &file.panels.0)?;
        if cells.is_empty() {
            // A scene without panels shows its base.
            cells.push(Cell { label: None, layers: Vec::new() });
        }
        return Ok((cells, arrangement));
    };
    if !file.panels.0.is_empty() {
        let fault = Fault::new("a scene has either `panels` or a `grid`");
        return refuse_at("grid", fault.help("leave one of the two out"));
    }
    let (rows, columns) = match (&grid.rows.0[..], &grid.columns.0[..]) {
        ([], []) => {
            let fault = Fault::new("the grid has neither rows nor columns, so it has no panel");
            return refuse_at("grid", fault.help("write at least one (label: \"…\", with: (…))"));
        }
        // One list alone is a sweep, whose panels flow like any others.
        ([], sweep) => return sweep_cells("grid.columns", sweep),
        (sweep, []) => return sweep_cells("grid.rows", sweep),
        both => both,
    };
    if columns_wanted.is_some() {
        let fault = Fault::new("`columns` has no meaning in a grid with rows and columns");
        let path =
            if locate(&source.text, "base.columns").is_some() { "base.columns" } else { "grid" };
        return refuse_at(path, fault.help("leave `columns` out"));
    }
    let count = rows.len().saturating_mul(columns.len());
    if count as u64 > limits.panels {
        return refuse_at("grid", panels_fault(count));
    }

    let name = |layer: &Layer, kind: &str, index: usize| {
        layer.label.clone().unwrap_or_else(|| format!("{kind} {}", index + 1))
    };
    let mut cells = Vec::with_capacity(count);
    for (i, row) in rows.iter().enumerate() {
        for (j, column) in columns.iter().enumerate() {
            cells.push(Cell {
                label: Some(format!("{}, {}", name(row, "row", i), name(column, "column", j))),
                layers: vec![
                    in_file(&format!("grid.rows[{i}].with"), &row.with),
                    in_file(&format!("grid.columns[{j}].with"), &column.with),
                ],
            });
        }
    }
    let names = |list: &[Layer], kind| {
        list.iter().enumerate().map(|(index, layer)| name(layer, kind, index)).collect()
    };
    let arrangement =
        Arrangement::Grid { rows: names(rows, "row"), columns: names(columns, "column") };
    Ok((cells, arrangement))
}
