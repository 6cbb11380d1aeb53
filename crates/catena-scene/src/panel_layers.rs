//! Panels of a scene: a list, or the product of rows and columns.

use super::diagnostic::Fault;
use super::error::SceneError;
use super::labels::of_grid_line;
use super::limits::{Limits, too_many};
use super::parts::Arrangement;
use super::schema::Layer;
use super::stack::{ParsedScene, Stack, merged};
use catena_ron::Node;

/// Layers of one panel above the base, and the label that the scene sets.
pub(super) struct PanelLayers<'a> {
    pub(super) label: Option<String>,
    pub(super) layers: Stack<'a>,
}

/// Returns the panels of a scene in order, and their arrangement.
///
/// # Errors
/// Returns an error when `panels` and `grid` contradict each other, or there are too many panels.
pub(super) fn panel_layers<'a>(
    parsed: &'a ParsedScene,
    limits: &Limits,
) -> Result<(Vec<PanelLayers<'a>>, Arrangement), SceneError> {
    let all: Stack<'_> = parsed.lower().into_iter().chain(parsed.overrides()).collect();
    let columns = merged(&all).columns.map(|columns| columns.0 as usize);

    let file = &parsed.file;
    let Some(grid) = &file.grid.0 else {
        let mut panels = sweep(parsed, limits, "panels", &file.panels.0)?;
        if panels.is_empty() {
            // A scene without panels shows its base.
            panels.push(PanelLayers { label: None, layers: Vec::new() });
        }
        return Ok((panels, Arrangement::Flow { columns }));
    };
    if !file.panels.0.is_empty() {
        let fault = Fault::new("a scene cannot have both `panels` and a `grid`");
        return Err(refuse_at(parsed, "grid", fault.help("remove one of the two")));
    }
    let flow = |path: &str, list: &'a [Layer]| {
        Ok((sweep(parsed, limits, path, list)?, Arrangement::Flow { columns }))
    };
    match (&grid.rows.0[..], &grid.columns.0[..]) {
        ([], []) => {
            let fault = Fault::new("the grid has no rows and no columns");
            let help = "add at least one (label: \"…\", with: (…))";
            Err(refuse_at(parsed, "grid", fault.help(help)))
        }
        // A single list is arranged like `panels`.
        ([], list) => flow("grid.columns", list),
        (list, []) => flow("grid.rows", list),
        _ if columns.is_some() => {
            let fault = Fault::new("`columns` cannot be set in a grid with rows and columns");
            let is_in_base = parsed.source.root().locate("base.columns").is_some();
            let path = if is_in_base { "base.columns" } else { "grid" };
            Err(refuse_at(parsed, path, fault.help("remove `columns`")))
        }
        (rows, columns) => product(parsed, limits, rows, columns),
    }
}

/// Returns the error of a fault in the field of the scene file at `path`.
fn refuse_at(parsed: &ParsedScene, path: &str, fault: Fault) -> SceneError {
    let span = parsed.source.root().locate(path).map_or(0..0, Node::span);
    let fault = Fault { field: Some(path.into()), ..fault }.at(span);
    parsed.source.error(fault)
}

/// Returns one panel for each entry of the list at `path`.
fn sweep<'a>(
    parsed: &'a ParsedScene,
    limits: &Limits,
    path: &str,
    list: &'a [Layer],
) -> Result<Vec<PanelLayers<'a>>, SceneError> {
    let count = list.len() as u64;
    if count > limits.panels {
        return Err(refuse_at(parsed, path, too_many(count, "panels", limits.panels)));
    }
    let panel = |(index, layer): (usize, &'a Layer)| PanelLayers {
        label: layer.label.clone(),
        layers: vec![parsed.in_file(&format!("{path}[{index}].with"), &layer.with)],
    };
    Ok(list.iter().enumerate().map(panel).collect())
}

/// Returns one panel for each pair of a row and a column, row by row. The column is above the row.
fn product<'a>(
    parsed: &'a ParsedScene,
    limits: &Limits,
    rows: &'a [Layer],
    columns: &'a [Layer],
) -> Result<(Vec<PanelLayers<'a>>, Arrangement), SceneError> {
    let count = rows.len().saturating_mul(columns.len());
    if count as u64 > limits.panels {
        let fault = too_many(count as u64, "panels", limits.panels);
        return Err(refuse_at(parsed, "grid", fault));
    }
    let labels = |list: &[Layer], kind: &str| -> Vec<String> {
        list.iter().enumerate().map(|(index, layer)| of_grid_line(layer, kind, index)).collect()
    };
    let (row_labels, column_labels) = (labels(rows, "row"), labels(columns, "column"));
    let mut panels = Vec::with_capacity(count);
    for (i, row) in rows.iter().enumerate() {
        for (j, column) in columns.iter().enumerate() {
            panels.push(PanelLayers {
                label: Some(format!("{}, {}", row_labels[i], column_labels[j])),
                layers: vec![
                    parsed.in_file(&format!("grid.rows[{i}].with"), &row.with),
                    parsed.in_file(&format!("grid.columns[{j}].with"), &column.with),
                ],
            });
        }
    }
    Ok((panels, Arrangement::Grid { rows: row_labels, columns: column_labels }))
}
