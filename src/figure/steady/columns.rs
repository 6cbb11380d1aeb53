//! What the comparison shows: a column a body, then the hanging chains.

use crate::analysis::{
    hanging::{Law, hanging_chain},
    settle::{Ending, Settled},
};
use crate::render::{
    body_inks,
    theme::{Ink, Theme},
};
use crate::scene::{Body, Panel, Scene, Style};
use crate::sim::{Arrangement, Model, SpringMemory, body::measure};

/// One column of the comparison.
#[derive(Clone, Debug)]
pub struct Column<'a> {
    pub(super) title: String,
    pub(super) ink: Ink,
    /// The panel that it is of, or is to be compared with.
    pub(super) panel: &'a Panel,
    pub(super) model: &'a Model,
    pub(super) style: Style,
    /// Positions at the end, flat by axis.
    pub(super) x: Vec<f64>,
    /// What its springs have been through.
    pub(super) springs: SpringMemory,
    /// Length of each segment, the gap where it has broken.
    pub lengths: Vec<f64>,
    /// Length of each segment of the hanging chain for the same rope.
    pub reference: Option<Vec<f64>>,
    pub(super) kind: Kind,
}

/// Where a column comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Run(Ending),
    Reference,
}

impl Column<'_> {
    /// Whether the method lost the body.
    pub(super) fn has_diverged(&self) -> bool {
        matches!(self.kind, Kind::Run(Ending::Diverged { .. }))
    }

    /// Whether it shows a sheet rather than a rope.
    pub(super) fn is_sheet(&self) -> bool {
        self.model.arrangement != Arrangement::Chain
    }
}

/// Everything that the comparison shows: a column a body, then the hanging chains they should match.
pub fn columns<'a>(scene: &'a Scene, settled: &[Settled]) -> Vec<Column<'a>> {
    let theme = Theme::of(scene);
    let mut runs = Vec::new();
    // Each with the label of the first body that it is for.
    let mut references: Vec<(Column<'a>, String)> = Vec::new();
    let bodies = scene.panels.iter().flat_map(|panel| {
        panel.bodies.iter().zip(body_inks(panel)).map(move |(body, ink)| (panel, body, ink))
    });
    let labels = scene.body_labels();
    for (((panel, body, ink), settled), title) in bodies.zip(settled).zip(labels) {
        let reference = reference(panel, body, &theme);
        runs.push(Column {
            title: title.clone(),
            ink,
            panel,
            model: &body.setup.model,
            style: body.style,
            lengths: measure::segment_lengths(&body.setup.model, &settled.state.x),
            springs: settled.springs.clone(),
            x: settled.state.x.clone(),
            // A rope that broke is no hanging chain any more.
            reference: reference
                .as_ref()
                .filter(|_| !settled.springs.broken.contains(&true))
                .map(|column| column.lengths.clone()),
            kind: Kind::Run(settled.ending),
        });
        if let Some(new) = reference {
            let is_known = |(old, _): &(Column<'_>, _)| old.title == new.title && old.x == new.x;
            if !references.iter().any(is_known) {
                references.push((new, title));
            }
        }
    }
    runs.extend(told_apart(references));
    runs
}

/// Adds the label to the titles that would be the same.
fn told_apart(columns: Vec<(Column<'_>, String)>) -> Vec<Column<'_>> {
    let titles: Vec<String> = columns.iter().map(|(column, _)| column.title.clone()).collect();
    let is_shared = |title: &String| titles.iter().filter(|other| *other == title).count() > 1;
    let renamed = columns.into_iter().map(|(column, label)| match is_shared(&column.title) {
        true => Column { title: format!("{}: {label}", column.title), ..column },
        false => column,
    });
    renamed.collect()
}

/// The hanging chain for a body: rigid where its method holds lengths, elastic otherwise.
fn reference<'a>(panel: &'a Panel, body: &'a Body, theme: &Theme) -> Option<Column<'a>> {
    let (model, method) = (&body.setup.model, &body.setup.method);
    if !body.has_reference {
        return None;
    }
    let (law, name) = if method.holds_lengths() {
        (Law::Rigid, "Hanging chain, rigid")
    } else {
        (Law::Elastic, "Hanging chain, elastic")
    };
    let x = hanging_chain(&body.setup.as_taken().model, &body.setup.initial.x, &body.gravity, law)?;
    Some(Column {
        title: name.into(),
        ink: theme.muted,
        springs: SpringMemory::default(),
        panel,
        model,
        style: body.style,
        lengths: measure::segment_lengths(model, &x),
        x,
        reference: None,
        kind: Kind::Reference,
    })
}
