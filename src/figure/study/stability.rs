//! A map of stable and unstable runs over substeps and stiffness, with the predicted limit.

use super::{Study, Subject};
use crate::analysis::stability::map::StabilityMap;
use crate::figure::chart::{Axis, Chart, Dash, Mark, Marker, Plot, Scale};
use crate::render::theme::Ink;
use crate::text::number::short;
use image::Rgb;

const STABLE: Ink = Rgb([205, 226, 240]);
const UNSTABLE: Ink = Rgb([244, 205, 185]);
const PREDICTED: Ink = Rgb([17, 24, 32]);

/// The edges of cells around values that rise by about equal factors.
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

/// A map for each body; `None` without maps.
pub fn study(maps: &[(Subject<'_>, StabilityMap)]) -> Option<Study> {
    if maps.is_empty() {
        return None;
    }
    let plots = maps.iter().map(|(subject, map)| plot(subject, map)).collect();
    let agree =
        maps.iter().map(|(_, map)| agreement(map)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    let finding = format!(
        "Each cell is a run of its own: blue ones survive, orange ones are lost. The line is where the spectrum of M⁻¹K says that the limit lies; \
         {} of {} cells lie on the side of it that it says. The dot is the scene itself.",
        agree.0, agree.1
    );
    let chart = Chart {
        title: "Which steps survive".into(),
        caption: finding.clone(),
        columns: maps.len().min(2),
        plots,
        plot_size: [380.0, 320.0],
        one_scale: false,
    };
    Some(Study { name: "stability_map".into(), chart, finding })
}

/// The number of cells on the predicted side, and of all cells with a prediction.
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
                classes: vec![("survives".into(), STABLE), ("is lost".into(), UNSTABLE)],
            },
            Mark::Line {
                points: line,
                color: PREDICTED,
                label: Some("predicted".into()),
                dash: Dash::Solid,
                width: 1.6,
            },
            Mark::Points {
                points: vec![[setup.substeps as f64, own]],
                color: subject.color,
                label: Some("this scene".into()),
                shape: Marker::Disc,
                size: 8.0,
            },
        ],
        notes: vec![format!("survived for a time of {}", short(map.time))],
        ..Plot::default()
    }
}
