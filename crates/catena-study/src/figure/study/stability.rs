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

/// Edges of cells around values in an approximately geometric sequence.
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

/// Figure with one map per body. `budget` is the user's budget for the runs, if any. Returns `None`
/// if there are no maps.
pub fn study(maps: &[(Subject<'_>, StabilityMap)], budget: Option<CoreTime>) -> Option<Study> {
    if maps.is_empty() {
        return None;
    }
    let plots = maps.iter().map(|(subject, map)| plot(subject, map, budget)).collect();
    let caption = caption(maps);
    let (columns, plot_size) = multiples(maps.len(), 2, [380.0, 320.0], None);
    let chart = Chart {
        title: "Which steps survive".into(),
        caption: caption.clone(),
        columns,
        plots,
        plot_size,
        ..Chart::default()
    };
    let (table, remarks) = (table(maps), remarks(maps));
    Some(Study { name: "stability_map".into(), chart, caption, remarks, table })
}

fn table(maps: &[(Subject<'_>, StabilityMap)]) -> NumberTable {
    let mut table =
        NumberTable::new(&["body", "cells", "as predicted", "substeps", "predicted limit"]);
    for (subject, map) in maps {
        let (agree, all) = agreement(map);
        table.rows.push(vec![
            subject.label.clone(),
            map.survived.len().to_string(),
            if all == 0 { "-".into() } else { format!("{agree} of {all}") },
            subject.body.setup.substeps.to_string(),
            own_limit(subject, map, &map.predicted).map_or("-".into(), short),
        ]);
    }
    table
}

/// Describes the content of the figure: cells, lines, and marks of scenes within their maps.
fn caption(maps: &[(Subject<'_>, StabilityMap)]) -> String {
    let has = |is_so: &dyn Fn(&(Subject<'_>, StabilityMap)) -> bool| maps.iter().any(is_so);
    let mut text = "Stable and unstable steps: each cell is a separate run.".to_owned();
    if has(&|(_, map)| map.predicted.iter().any(Option::is_some)) {
        text += " The line is the stability limit predicted by the spectrum of M⁻¹K.";
    }
    if has(&|(_, map)| map.grown.iter().any(Option::is_some)) {
        text += " On the dashed line, the highest mode grows by a factor of a million during the \
                 runs.";
    }
    if has(&|(subject, map)| is_within(subject, map) && !is_lost(map)) {
        text += " A dot marks the scene itself.";
    }
    if has(&|(subject, map)| is_within(subject, map) && is_lost(map)) {
        text += " A cross marks a scene whose film diverges.";
    }
    text
}

/// Explains the cells, and names scenes whose film ends differently from the run of their cell.
fn remarks(maps: &[(Subject<'_>, StabilityMap)]) -> String {
    let all = || maps.iter().flat_map(|(_, map)| &map.survived);
    let mut text = match (all().any(|it| *it), all().any(|it| !*it)) {
        (true, false) => "All cells survive.",
        (false, true) => "All cells diverge.",
        _ => "Plain cells survive, and hatched cells diverge.",
    }
    .to_owned();
    let named = |is_so: &dyn Fn(&Subject<'_>, &StabilityMap) -> bool| {
        let of = maps.iter().filter(|(subject, map)| is_so(subject, map));
        let labels: Vec<String> = of.map(|(subject, _)| quoted(&subject.label)).collect();
        let count = labels.len();
        (count > 0).then(|| (listed(&labels), count == 1))
    };
    let lost_later = |subject: &Subject<'_>, map: &StabilityMap| {
        is_lost(map) && own_cell(subject, map) == Some(true)
    };
    let of_time = named(&|subject, map| lost_later(subject, map) && is_shorter(map));
    if let Some((labels, is_one)) = of_time {
        let does = if is_one {
            "survives the time of the map and diverges"
        } else {
            "survive the time of the map and diverge"
        };
        text += &format!(
            " {labels} {does} later; a higher --study-time SECONDS makes the runs of the map \
             longer."
        );
    }
    let others = named(&|subject, map| lost_later(subject, map) && !is_shorter(map));
    if let Some((labels, is_one)) = others {
        let does = if is_one { "diverges" } else { "diverge" };
        text += &format!(
            " {labels} {does} in a cell that survives: the run of a cell uses the substeps and the \
             stiffness at its centre."
        );
    }
    let calm = named(&|subject, map| {
        own_cell(subject, map) == Some(false) && map.film.is_some_and(|film| film.survived)
    });
    if let Some((labels, is_one)) = calm {
        let does = if is_one { "survives its film" } else { "survive their film" };
        text += &format!(
            " {labels} {does} in a cell that diverges: a cell counts as diverged when a spring \
             stretches three times as far as in a stable run."
        );
    }
    text
}

/// Index of the cell around a scene; `None` if the scene is outside the map.
fn own_place(subject: &Subject<'_>, map: &StabilityMap) -> Option<usize> {
    let setup = &subject.body.setup;
    let own = setup.model.springs.first().map_or(0.0, |spring| spring.stiffness);
    let substeps: Vec<f64> = map.substeps.iter().map(|it| *it as f64).collect();
    let column = cell_of(setup.substeps as f64, &edges(&substeps))?;
    Some(cell_of(own, &edges(&map.stiffness))? * substeps.len() + column)
}

/// Whether the run of the cell around a scene survived. `None` if the scene is outside the map.
fn own_cell(subject: &Subject<'_>, map: &StabilityMap) -> Option<bool> {
    map.survived.get(own_place(subject, map)?).copied()
}

/// Whether a scene is within its map.
fn is_within(subject: &Subject<'_>, map: &StabilityMap) -> bool {
    own_place(subject, map).is_some()
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

/// Substeps of a line at the scene's own stiffness, the middle of the map.
fn own_limit(subject: &Subject<'_>, map: &StabilityMap, line: &[Option<f64>]) -> Option<f64> {
    let own = subject.body.setup.model.springs.first()?.stiffness;
    let rows = map.stiffness.iter().zip(line);
    let near = rows.min_by(|a, b| (a.0 - own).abs().total_cmp(&(b.0 - own).abs()))?;
    *near.1
}

/// Returns the number of cells on the predicted side, and the number of all cells with a
/// prediction. The prediction is the dashed line if there is one, since runs diverge there.
fn agreement(map: &StabilityMap) -> (usize, usize) {
    let mut counts = (0, 0);
    let line = if map.grown.is_empty() { &map.predicted } else { &map.grown };
    for (row, predicted) in line.iter().enumerate() {
        let Some(predicted) = predicted else { continue };
        for (column, &substeps) in map.substeps.iter().enumerate() {
            let says = substeps as f64 > *predicted;
            let was = map.survived[row * map.substeps.len() + column];
            counts = (counts.0 + usize::from(says == was), counts.1 + 1);
        }
    }
    counts
}

/// Line over the rows of a map that have a number of substeps.
fn line(map: &StabilityMap, substeps: &[Option<f64>]) -> Vec<[f64; 2]> {
    let rows = substeps.iter().zip(&map.stiffness);
    rows.filter_map(|(substeps, stiffness)| Some([(*substeps)?, *stiffness])).collect()
}

fn plot(subject: &Subject<'_>, map: &StabilityMap, budget: Option<CoreTime>) -> Plot {
    let substeps: Vec<f64> = map.substeps.iter().map(|&substeps| substeps as f64).collect();
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
    let cells = Mark::Cells {
        values: map.survived.iter().map(|&survived| usize::from(!survived)).collect(),
        classes: vec![
            CellClass::named("survives", STABLE),
            CellClass::hatched("is lost", UNSTABLE),
        ],
        x_edges: x_edges.clone(),
        y_edges: y_edges.clone(),
    };
    let drawn = |points: Vec<[f64; 2]>, label: &str, dash: Dash| {
        let label = Some(label.into());
        (!points.is_empty()).then_some(Mark::Line { points, color: DARK, label, dash, width: 1.6 })
    };
    let mut marks = vec![cells];
    marks.extend(drawn(line(map, &map.grown), "grows 10⁶ times", Dash::Dashed));
    marks.extend(drawn(line(map, &map.predicted), "predicted", Dash::Solid));
    marks.push(this_scene([setup.substeps as f64, own], is_lost(map)));
    Plot {
        title: Some(subject.label.clone()),
        x: axis("substeps a frame", span(&x_edges)),
        y: axis("stiffness k of a spring", span(&y_edges)),
        marks,
        notes: notes(subject, map, budget),
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

/// Notes below a map: the time of its runs, and objects outside the map.
fn notes(subject: &Subject<'_>, map: &StabilityMap, budget: Option<CoreTime>) -> Vec<String> {
    let time = short(map.time);
    let mut notes = match map.film.filter(|_| is_shorter(map)) {
        Some(film) => vec![
            format!("Runs last for a time of {time}, and the film for {}.", short(film.time)),
            match budget {
                Some(budget) => {
                    format!("The map has {budget}; --study-time SECONDS allows longer runs.")
                }
                None => "--study-time SECONDS allows longer runs.".into(),
            },
        ],
        None => vec![format!("Runs last for a time of {time}.")],
    };
    let (first, last) = (map.substeps.first(), map.substeps.last());
    let side = |substeps: f64| match (first, last) {
        (Some(first), _) if substeps < *first as f64 => Some("left"),
        (_, Some(last)) if substeps > *last as f64 => Some("right"),
        _ => None,
    };
    let own = subject.body.setup.substeps;
    if let Some(side) = side(own as f64).filter(|_| !is_within(subject, map)) {
        notes.push(format!("This scene, with {own} substeps, lies further {side}."));
    }
    if !map.grown.is_empty() {
        notes.push(match own_limit(subject, map, &map.predicted) {
            Some(limit) => {
                let beyond = side(limit).map_or(String::new(), |side| format!(", further {side}"));
                format!(
                    "With k as in the scene, no motion grows from {} substeps on{beyond}.",
                    limit.ceil()
                )
            }
            None => "With every number of substeps, a run is lost sooner or later.".into(),
        });
    }
    notes
}
