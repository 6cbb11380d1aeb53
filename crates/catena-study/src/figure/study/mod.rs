//! Figures of a report, one file each. A figure is a chart, a short caption, and a table of its
//! numbers.

pub mod dispersion;
pub mod energy;
pub mod energy_total;
pub mod fit;
pub mod iterations;
mod look;
pub mod modes;
pub mod order;
pub mod paths;
pub mod phase_area;
pub mod reference;
pub mod regions;
pub mod reversal;
pub mod settling;
pub mod shape;
pub mod stability;
pub mod strip;
pub mod sweep;

use look::PAPER;
pub use look::{Look, method_look, nth_look};

use super::chart::{Chart, Mark};
use catena_base::text::csv;
use catena_draw::{palette::readable, scene_inks, theme::Ink};
use catena_scene::{Arrangement, Body, Scene};
use image::Rgb;

/// Names of the figures of every scene.
pub const NAMES: [&str; 16] = [
    "strip",
    "energy_over_time",
    "energy",
    "stability_map",
    "stability_regions",
    "reversal",
    "phase_area",
    "order",
    "work_precision",
    "modes",
    "dispersion",
    "shape",
    "settling",
    "path",
    "phase_portrait",
    "spectrum",
];

/// Names of figures that only some scenes have.
pub const OF_SOME_SCENES: [&str; 2] = ["iterations", "reference"];

/// Complete figure: a chart with its caption, remarks and numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// Name of its files, without extension.
    pub name: String,
    /// Chart of the figure.
    pub chart: Chart,
    /// Description of the chart in one or two sentences, with instructions for reading it.
    pub caption: String,
    /// Additional remarks: the measurement, and facts that the chart does not show.
    pub remarks: String,
    /// Numbers behind the chart.
    pub table: NumberTable,
}

/// Table of numbers for a figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumberTable {
    /// Names of the columns.
    pub head: Vec<String>,
    /// Rows, each with a cell per column.
    pub rows: Vec<Vec<String>>,
}

impl NumberTable {
    /// Creates a table without rows.
    pub fn new(head: &[&str]) -> Self {
        Self { head: head.iter().map(ToString::to_string).collect(), rows: Vec::new() }
    }

    /// Lines of the table as text, with columns of equal width.
    pub fn aligned(&self) -> Vec<String> {
        let rows = || [&self.head].into_iter().chain(&self.rows);
        let length = |cell: &String| cell.chars().count();
        let width =
            |column: usize| rows().filter_map(|row| row.get(column)).map(length).max().unwrap_or(0);
        let line = |row: &Vec<String>| {
            let cells = row.iter().enumerate().map(|(column, cell)| {
                format!("{cell}{}", " ".repeat(width(column).saturating_sub(length(cell))))
            });
            cells.collect::<Vec<_>>().join("  ").trim_end().to_string()
        };
        rows().map(line).collect()
    }

    /// Lines of the table as csv. Cells without a value are empty.
    pub fn csv(&self) -> Vec<String> {
        let cell = |cell: &String| match cell.parse::<f64>() {
            Ok(_) => cell.clone(),
            Err(_) if cell == "-" => String::new(),
            Err(_) => csv::cell(cell).to_string(),
        };
        let line = |row: &Vec<String>| row.iter().map(cell).collect::<Vec<_>>().join(",");
        [&self.head].into_iter().chain(&self.rows).map(line).collect()
    }
}

/// Body of a scene, with its label and its look in figures.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// Index of its panel.
    pub panel: usize,
    /// Label of the body; see [`Scene::body_labels`].
    pub label: String,
    /// Look of the body: its method's pattern and marker if all methods differ, otherwise
    /// individual ones. The colour is the one in frames, darkened if it would be too light on
    /// paper.
    pub look: Look,
    /// Number of bodies per row of the scene's grid, if each panel has one body.
    pub grid_columns: Option<usize>,
    /// Body of the scene.
    pub body: &'a Body,
}

/// Collects all bodies of a scene, in order.
pub fn subjects(scene: &Scene) -> Vec<Subject<'_>> {
    let bodies = scene
        .panels
        .iter()
        .enumerate()
        .flat_map(|(panel, it)| it.bodies.iter().map(move |body| (panel, body)));
    let bodies: Vec<_> = bodies
        .zip(scene.body_labels())
        .map(|((panel, body), label)| (panel, label, body))
        .collect();
    let is_alone =
        |name: &str| bodies.iter().filter(|(_, _, body)| body.method.name == name).count() == 1;
    let all_differ = bodies.iter().all(|(_, _, body)| is_alone(body.method.name));
    let inks = scene_inks(scene, PAPER).into_iter().flatten();
    let look = |((index, (_, _, body)), ink): ((usize, &(usize, String, &Body)), Ink)| {
        let look = if all_differ { method_look(body.method.name) } else { nth_look(index) };
        // A scene may have colours for a black background.
        Look { color: readable(ink, PAPER), ..look }
    };
    let looks: Vec<Look> = bodies.iter().enumerate().zip(inks).map(look).collect();
    let grid_columns = match &scene.arrangement {
        Arrangement::Grid { columns, .. } if bodies.len() == scene.panels.len() => {
            Some(columns.len())
        }
        _ => None,
    };
    let named = bodies.into_iter().zip(looks);
    named
        .map(|((panel, label, body), look)| Subject { panel, label, look, grid_columns, body })
        .collect()
}

/// Number of plots side by side and their size, for one plot per body. A few bodies get `columns`
/// and `size`, many bodies smaller plots.
///
/// `grid` is the number of bodies per row of the scene's own grid, if all of them are shown.
fn multiples(
    count: usize,
    columns: usize,
    [width, height]: [f64; 2],
    grid: Option<usize>,
) -> (usize, [f64; 2]) {
    if count <= FEW {
        return (count.clamp(1, columns), [width, height]);
    }
    let square = (1..=6).find(|columns| columns * columns >= count).unwrap_or(6);
    let columns = grid.filter(|grid| (2..=8).contains(grid)).unwrap_or(square);
    (columns, [width.min(150.0), (height * 150.0 / width.max(150.0)).min(height)])
}

/// Maximum number of plots at full size.
const FEW: usize = 8;

/// Creates a line with about eight markers, which share its name. Lines of different `index` have
/// markers at different positions.
fn marked_line(points: Vec<[f64; 2]>, look: Look, label: &str, index: usize) -> [Mark; 2] {
    let every = points.len().div_ceil(8).max(1);
    let first = (index * every / 3) % every;
    let marked = points.iter().skip(first).step_by(every).copied().collect();
    look.line_with(points, marked, label, 1.6)
}

/// Colour of text and lines that belong to no body.
const DARK: Ink = Rgb([17, 24, 32]);

/// Label of a time axis: scenes have their own units.
const TIME: &str = "t, units of time";
