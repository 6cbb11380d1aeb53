//! Map of stable and unstable runs over substeps and stiffness, with the predicted limit.

use super::{DARK, NumberTable, Study, Subject, multiples};
use crate::figure::chart::{Axis, CellClass, Chart, Dash, Mark, Marker, Plot, Scale};
use catena_analysis::budget::CoreTime;
use catena_analysis::stability::map::StabilityMap;
use catena_base::text::{
    list::{listed, quoted},
    number::short,
};
use catena_draw::theme::Ink;
use image::Rgb;

const STABLE: Ink = Rgb([222, 236, 246]);
const UNSTABLE: Ink = Rgb([214, 140, 105]);

/// Edges of cells around values that rise by about equal factors.
fn edges(values: &[f64]) -> Vec<f64> {
    let middle = |a: f64, b: f64| (a * b).sqrt();
    let mut edges: Vec<f64> = values.windows(2).map(|pair| middle(pair[0], pair[1])).collect();
    if let ([first, ..], [.., last]) = (values, values) {
        let (low, high) = match edges[..] {
            [] => (0.5 * first, 2.0 * last),
            [low, .., high] => (first * first / low, last * last / high),
            [one] => (first * first / one, last * last / one),
        };
        edges.insert(0, low);
        edges.push(high);
    }
    edges
}

/// Figure with one map per body, whose runs had a budget. Returns `None` without maps.
pub fn study(maps: &[(Subject<'_>, StabilityMap)], budget: CoreTime) -> Option<Study> {
    if maps.is_empty() {
        return None;
    }
    let plots = maps.iter().map(|(subject, map)| plot(subject, map, budget)).collect();
    let caption = "Which steps survive: each cell is a run of its own. The line is where the spectrum of M⁻¹K says that the limit lies, and the dot is the scene itself.";
    let crosses = if maps.iter().any(|(_, map)| is_lost(map)) { CROSS } else { "" };
    let caption = format!("{caption}{crosses}");
    let (columns, plot_size) = multiples(maps.len(), 2, [380.0, 320.0], None);
    let chart = Chart {
        title: "Which steps survive".into(),
        caption: caption.clone(),
        columns,
        plots,
        plot_size,
        ..Chart::default()
    };
    let mut table =
        NumberTable::new(&["body", "cells", "as predicted", "substeps", "predicted limit"]);
    for (subject, map) in maps {
        let (agree, all) = agreement(map);
        let limit = own_limit(subject, map).map_or("-".into(), short);
        let substeps = subject.body.setup.substeps.to_string();
        table.rows.push(vec![
            subject.label.clone(),
            all.to_string(),
            agree.to_string(),
            substeps,
            limit,
        ]);
    }
    let remarks = remarks(maps);
    Some(Study { name: "stability_map".into(), chart, caption, remarks, table })
}

/// Sentence about the marks of scenes that diverge.
const CROSS: &str = " A cross is a scene whose film diverges.";

/// Explains the cells, and names scenes that are lost although the cells around them survive.
fn remarks(maps: &[(Subject<'_>, StabilityMap)]) -> String {
    let mut text = "Plain cells survive, hatched ones are lost.".to_owned();
    let lost = maps.iter().filter(|(_, map)| is_lost(map) && is_shorter(map));
    let labels: Vec<String> = lost.map(|(subject, _)| quoted(&subject.label)).collect();
    if !labels.is_empty() {
        let does = if labels.len() == 1 { "diverges" } else { "diverge" };
        text += &format!(
            " {} {does} later than the runs of the map last; --study-time SECONDS lets them last \
             longer.",
            listed(&labels)
        );
    }
    let calm = maps.iter().filter(|(subject, map)| survives_in_lost_cell(subject, map));
    let labels: Vec<String> = calm.map(|(subject, _)| quoted(&subject.label)).collect();
    if !labels.is_empty() {
        let does = if labels.len() == 1 { "survives its film" } else { "survive their film" };
        text += &format!(
            " {} {does} in a cell that is lost: a cell is lost when a spring stretches three times \
             as far as in a calm run.",
            listed(&labels)
        );
    }
    text
}

/// Whether a scene survives its film although the cell around it is lost.
fn survives_in_lost_cell(subject: &Subject<'_>, map: &StabilityMap) -> bool {
    let setup = &subject.body.setup;
    let own = setup.model.springs.first().map_or(0.0, |spring| spring.stiffness);
    let substeps: Vec<f64> = map.substeps.iter().map(|it| *it as f64).collect();
    let column = cell_of(setup.substeps as f64, &edges(&substeps));
    let row = cell_of(own, &edges(&map.stiffness));
    let cell = row.zip(column).map(|(row, column)| row * substeps.len() + column);
    let survived = cell.and_then(|cell| map.survived.get(cell));
    survived == Some(&false) && map.film.is_some_and(|film| film.survived)
}

/// Index of the cell with a value, by the edges of the cells.
fn cell_of(value: f64, edges: &[f64]) -> Option<usize> {
    edges.windows(2).position(|pair| (pair[0]..pair[1]).contains(&value))
}

/// Whether the scene's own film diverges.
fn is_lost(map: &StabilityMap) -> bool {
    map.film.is_some_and(|film| !film.survived)
}

/// Whether the runs of a map are shorter than the film.
fn is_shorter(map: &StabilityMap) -> bool {
    map.film.is_some_and(|film| map.time < (1.0 - 1e-9) * film.time)
}

/// Predicted substeps at the scene's own stiffness, the middle of the map.
fn own_limit(subject: &Subject<'_>, map: &StabilityMap) -> Option<f64> {
    let own = subject.body.setup.model.springs.first()?.stiffness;
    let rows = map.stiffness.iter().zip(&map.predicted);
    let near = rows.min_by(|a, b| (a.0 - own).abs().total_cmp(&(b.0 - own).abs()))?;
    *near.1
}

/// Number of cells on the predicted side, and of all cells with a prediction.
fn agreement(map: &StabilityMap) -> (usize, usize) {
    let mut counts = (0, 0);
    for (row, predicted) in map.predicted.iter().enumerate() {
        let Some(predicted) = predicted else { continue };
        for (column, &substeps) in map.substeps.iter().enumerate() {
            let says = substeps as f64 > *predicted;
            let was = map.survived[row * map.substeps.len() + column];
            counts = (counts.0 + usize::from(says == was), counts.1 + 1);
        }
    }
    counts
}

fn plot(subject: &Subject<'_>, map: &StabilityMap, budget: CoreTime) -> Plot {
    let substeps: Vec<f64> = map.substeps.iter().map(|&substeps| substeps as f64).collect();
    let line = map.predicted.iter().zip(&map.stiffness);
    let line = line.filter_map(|(substeps, stiffness)| Some([(*substeps)?, *stiffness])).collect();
    let setup = &subject.body.setup;
    let own = setup.model.springs.first().map_or(0.0, |spring| spring.stiffness);
    let (x_edges, y_edges) = (edges(&substeps), edges(&map.stiffness));
    let span = |edges: &[f64]| Some([*edges.first()?, *edges.last()?]);
    let axis = |label: &str, range| Axis {
        label: label.into(),
        scale: Scale::Log,
        range,
        ..Axis::default()
    };
    Plot {
        title: Some(subject.label.clone()),
        x: axis("substeps a frame", span(&x_edges)),
        y: axis("stiffness k of a spring", span(&y_edges)),
        marks: vec![
            Mark::Cells {
                x_edges,
                y_edges,
                values: map.survived.iter().map(|&survived| usize::from(!survived)).collect(),
                classes: vec![
                    CellClass::named("survives", STABLE),
                    CellClass::hatched("is lost", UNSTABLE),
                ],
            },
            Mark::Line {
                points: line,
                color: DARK,
                label: Some("predicted".into()),
                dash: Dash::Solid,
                width: 1.6,
            },
            this_scene([setup.substeps as f64, own], is_lost(map)),
        ],
        notes: notes(setup.substeps, map, budget),
        ..Plot::default()
    }
}

/// Mark of the scene itself, judged by its own film.
fn this_scene(at: [f64; 2], is_lost: bool) -> Mark {
    let (label, shape) = match is_lost {
        true => ("this scene diverges", Marker::Cross),
        false => ("this scene", Marker::Disc),
    };
    Mark::Points { points: vec![at], color: DARK, label: Some(label.into()), shape, size: 8.0 }
}

/// Notes below a map: the time of its runs, and the scene's own place if it is beyond the map.
fn notes(own: u64, map: &StabilityMap, budget: CoreTime) -> Vec<String> {
    let time = short(map.time);
    let mut notes = match map.film.filter(|_| is_shorter(map)) {
        Some(film) => vec![
            format!("Runs last for a time of {time}, and the film for {}.", short(film.time)),
            format!("The map has {budget}; --study-time SECONDS allows longer runs."),
        ],
        None => vec![format!("Runs last for a time of {time}.")],
    };
    let side = match (map.substeps.first(), map.substeps.last()) {
        (Some(first), _) if own < *first => Some("left"),
        (_, Some(last)) if own > *last => Some("right"),
        _ => None,
    };
    notes.extend(side.map(|side| format!("This scene, with {own} substeps, lies further {side}.")));
    notes
}
