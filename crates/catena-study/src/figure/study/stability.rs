//! Map of stable and unstable runs over substeps and stiffness, with the predicted limit.

use super::{DARK, NumberTable, Study, Subject, multiples};
use crate::figure::chart::{Axis, CellClass, Chart, Dash, Mark, Marker, Plot, Scale};
use catena_analysis::stability::map::StabilityMap;
use catena_base::text::number::short;
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

/// Figure with one map per body. Returns `None` without maps.
pub fn study(maps: &[(Subject<'_>, StabilityMap)]) -> Option<Study> {
    if maps.is_empty() {
        return None;
    }
    let plots = maps.iter().map(|(subject, map)| plot(subject, map)).collect();
    let caption = "Which steps survive: each cell is a run of its own. The line is where the spectrum of M⁻¹K says that the limit lies, and the dot is the scene itself.";
    let (columns, plot_size) = multiples(maps.len(), 2, [380.0, 320.0], None);
    let chart = Chart {
        title: "Which steps survive".into(),
        caption: caption.into(),
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
    let remarks = "Plain cells survive, hatched ones are lost.".into();
    Some(Study { name: "stability_map".into(), chart, caption: caption.into(), remarks, table })
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

fn plot(subject: &Subject<'_>, map: &StabilityMap) -> Plot {
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
            Mark::Points {
                points: vec![[setup.substeps as f64, own]],
                color: DARK,
                label: Some("this scene".into()),
                shape: Marker::Disc,
                size: 8.0,
            },
        ],
        notes: notes(setup.substeps, map),
        ..Plot::default()
    }
}

/// Notes below a map: the time of its runs, and the scene's own place if it is beyond the map.
fn notes(own: u64, map: &StabilityMap) -> Vec<String> {
    let mut notes = vec![format!("Runs last for a time of {}.", short(map.time))];
    let side = match (map.substeps.first(), map.substeps.last()) {
        (Some(first), _) if own < *first => Some("left"),
        (_, Some(last)) if own > *last => Some("right"),
        _ => None,
    };
    notes.extend(side.map(|side| format!("This scene, with {own} substeps, lies further {side}.")));
    notes
}
