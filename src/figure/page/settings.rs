//! The table of settings: a row a body, with what differs from the first one marked.

use crate::figure::study::Subject;
use crate::render::theme::Ink;
use crate::scene::equal::{damping_rate, law};
use crate::text::number::short;

/// A body's row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The body.
    pub label: String,
    /// Its colour, as style sheets write it.
    pub color: String,
    /// What it is set to.
    pub cells: Vec<Cell>,
}

/// A setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// What it is.
    pub text: String,
    /// Whether it differs from the first row.
    pub differs: bool,
}

/// Names of the columns, and the rows.
pub fn settings(subjects: &[Subject<'_>]) -> (Vec<&'static str>, Vec<Row>) {
    let texts: Vec<Vec<(&str, String)>> = subjects.iter().map(cells).collect();
    let columns = texts.first().map_or(Vec::new(), |row| row.iter().map(|cell| cell.0).collect());
    let row = |(subject, row): (&Subject<'_>, &Vec<(&str, String)>)| Row {
        label: subject.label.clone(),
        color: hex(subject.color),
        cells: row
            .iter()
            .zip(&texts[0])
            // That methods differ is what the panels are for.
            .map(|(cell, first)| Cell {
                text: cell.1.clone(),
                differs: cell.1 != first.1 && cell.0 != "method",
            })
            .collect(),
    };
    (columns, subjects.iter().zip(&texts).map(row).collect())
}

fn hex(ink: Ink) -> String {
    let [r, g, b] = ink.0;
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn cells(subject: &Subject<'_>) -> Vec<(&'static str, String)> {
    let setup = &*subject.body.setup;
    let model = &setup.model;
    let all = |values: &mut dyn Iterator<Item = f64>| -> String {
        let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
        for value in values {
            (low, high) = (low.min(value), high.max(value));
        }
        match (low, high) {
            _ if low > high => "-".into(),
            _ if low == high => short(low),
            _ => format!("{} to {}", short(low), short(high)),
        }
    };
    let gravity = subject.body.gravity.iter().map(|g| short(*g)).collect::<Vec<_>>().join(", ");
    vec![
        ("method", subject.body.method.title.into()),
        ("dt", setup.dt().to_string()),
        ("substeps", setup.substeps.to_string()),
        ("frame time", short(setup.frame_time)),
        ("c/m", short(damping_rate(setup))),
        ("law", law(setup)),
        ("nodes", model.nodes().to_string()),
        ("k", all(&mut model.structural().iter().map(|spring| spring.stiffness))),
        ("mass of a node", all(&mut model.mass.iter().copied())),
        ("rest length", short(model.rest_length())),
        ("gravity", format!("({gravity})")),
    ]
}
