//! Columns of the comparison, one per body, then the hanging chains; and its table.

use catena_analysis::{
    settle::{Ending, Settled},
    shape::farthest,
};
use catena_base::text::number::signed_percent;
use catena_draw::{
    events::BodyChanges,
    scene_inks,
    theme::{Ink, Theme},
};
use catena_scene::{Body, Panel, Scene, ShownRig, Style};
use catena_sim::{
    Arrangement, Model, SpringMemory,
    body::{hanging::LinkLaw, measure},
};

/// Column of the comparison.
#[derive(Clone, Debug)]
pub struct SteadyColumn<'a> {
    pub(super) title: String,
    pub(super) ink: Ink,
    /// Panel of the body or, for a hanging chain, of the body it is compared with.
    pub(super) panel: &'a Panel,
    pub(super) model: &'a Model,
    pub(super) styles: &'a [Style],
    /// Final positions, flat by axis.
    pub(super) x: Vec<f64>,
    /// Plastic strain and breaks of the springs.
    pub(super) springs: SpringMemory,
    /// Rest length of each segment.
    pub rests: Vec<f64>,
    /// Length of each segment; for a broken segment, the width of the gap.
    pub lengths: Vec<f64>,
    /// Length of each segment of the corresponding hanging chain, if there is one.
    pub reference: Option<Vec<f64>>,
    pub(super) kind: ColumnKind,
    /// Changes of the body by events.
    pub(super) changes: BodyChanges,
    /// Rig that the body is attached to.
    pub(super) rig: Option<&'a ShownRig>,
    /// Final simulated time; `None` for a hanging chain.
    pub(super) t: Option<f64>,
}

/// Origin of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ColumnKind {
    Run(Ending),
    /// A run that is compared with its solved rest, with the distance of the farthest node from
    /// that rest.
    Compared(Ending, f64),
    Reference,
    /// Rest from the balance of forces.
    Solved,
}

/// Rest of a body from the balance of its forces.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvedShape {
    /// Positions, flat by axis.
    pub x: Vec<f64>,
    /// Time from which the body is at rest at these positions.
    pub time: f64,
}

impl SteadyColumn<'_> {
    /// Whether the body diverged.
    pub(super) fn has_diverged(&self) -> bool {
        matches!(self.ending(), Some(Ending::Diverged { .. }))
    }

    /// End of the run; `None` for shapes from the balance of forces.
    pub(super) fn ending(&self) -> Option<Ending> {
        match self.kind {
            ColumnKind::Run(ending) | ColumnKind::Compared(ending, _) => Some(ending),
            ColumnKind::Reference | ColumnKind::Solved => None,
        }
    }

    /// Whether the body is a sheet rather than a rope.
    pub(super) fn is_sheet(&self) -> bool {
        self.model.arrangement != Arrangement::Chain
    }
}

/// Creates all columns: one per body, then the hanging chains that the bodies should match.
pub fn columns<'a>(scene: &'a Scene, settled: &[Settled]) -> Vec<SteadyColumn<'a>> {
    columns_with_solved(scene, settled, &vec![None; settled.len()])
}

/// Creates all columns: one per body, then the shapes that the bodies should match. A body with a
/// solved rest gets that shape instead of the hanging chain.
pub fn columns_with_solved<'a>(
    scene: &'a Scene,
    settled: &[Settled],
    solved: &[Option<SolvedShape>],
) -> Vec<SteadyColumn<'a>> {
    let theme = Theme::of(scene);
    let mut runs = Vec::new();
    // Each chain, with the label of the first body that it corresponds to.
    let mut references: Vec<(SteadyColumn<'a>, String)> = Vec::new();
    let inks = scene_inks(scene, theme.panel);
    let bodies = scene.panels.iter().zip(inks).flat_map(|(panel, inks)| {
        panel.bodies.iter().zip(inks).map(move |(body, ink)| (panel, body, ink))
    });
    let labels = scene.body_labels();
    let outcomes = settled.iter().zip(solved);
    for (((panel, body, ink), (settled, solved)), title) in bodies.zip(outcomes).zip(labels) {
        let model = &body.setup.model;
        let chain = reference(panel, body, &theme);
        let shape = solved.as_ref().map(|solved| solved_column(panel, body, solved, &theme));
        let kind = match solved {
            Some(solved) => {
                let distance = farthest(model, &settled.state.x, &solved.x);
                ColumnKind::Compared(settled.ending, distance)
            }
            None => ColumnKind::Run(settled.ending),
        };
        runs.push(SteadyColumn {
            title: title.clone(),
            ink,
            panel,
            model,
            styles: &body.part_styles,
            rests: if settled.rests.is_empty() { rests(model) } else { settled.rests.clone() },
            lengths: measure::segment_lengths(model, &settled.state.x),
            springs: settled.springs.clone(),
            x: settled.state.x.clone(),
            // A broken rope is not a hanging chain.
            reference: chain
                .as_ref()
                .filter(|_| !settled.springs.broken.contains(&true))
                .map(|column| column.lengths.clone()),
            kind,
            changes: changes(body, settled),
            rig: body.rig.as_ref(),
            t: Some(settled.state.t),
        });
        if let Some(new) = shape.or(chain) {
            let is_known =
                |(old, _): &(SteadyColumn<'_>, _)| old.title == new.title && old.x == new.x;
            if !references.iter().any(is_known) {
                references.push((new, title));
            }
        }
    }
    runs.extend(with_distinct_titles(references));
    runs
}

/// Changes of a body by events until it settled.
fn changes(body: &Body, settled: &Settled) -> BodyChanges {
    let (pinned, joints) = (settled.pinned.clone(), body.setup.joints());
    BodyChanges { pinned, joints, marks: Vec::new() }
}

/// Rest length of each spring.
fn rests(model: &Model) -> Vec<f64> {
    model.springs.iter().map(|spring| spring.rest_length).collect()
}

/// Adds labels to titles that would otherwise be equal.
fn with_distinct_titles(columns: Vec<(SteadyColumn<'_>, String)>) -> Vec<SteadyColumn<'_>> {
    let titles: Vec<String> = columns.iter().map(|(column, _)| column.title.clone()).collect();
    let is_shared = |title: &String| titles.iter().filter(|other| *other == title).count() > 1;
    let renamed = columns.into_iter().map(|(column, label)| match is_shared(&column.title) {
        true => SteadyColumn { title: format!("{}: {label}", column.title), ..column },
        false => column,
    });
    renamed.collect()
}

/// Hanging chain for a body: rigid if its method enforces lengths, elastic otherwise.
fn reference<'a>(panel: &'a Panel, body: &'a Body, theme: &Theme) -> Option<SteadyColumn<'a>> {
    let (model, link_law) = (&body.setup.model, body.setup.link_law());
    let name = match link_law {
        LinkLaw::Rigid => "Hanging chain, rigid",
        LinkLaw::Elastic => "Hanging chain, elastic",
    };
    let x = body.setup.hanging_chain(link_law)?;
    Some(SteadyColumn {
        title: name.into(),
        ink: theme.muted,
        springs: SpringMemory::default(),
        panel,
        model,
        styles: &body.part_styles,
        rests: rests(model),
        lengths: measure::segment_lengths(model, &x),
        x,
        reference: None,
        kind: ColumnKind::Reference,
        changes: BodyChanges::NONE,
        rig: None,
        t: None,
    })
}

/// Rest of a body from the balance of its forces.
fn solved_column<'a>(
    panel: &'a Panel,
    body: &'a Body,
    solved: &SolvedShape,
    theme: &Theme,
) -> SteadyColumn<'a> {
    let model = &body.setup.model;
    SteadyColumn {
        title: "Solved rest".into(),
        ink: theme.muted,
        springs: SpringMemory::default(),
        panel,
        model,
        styles: &body.part_styles,
        rests: rests(&(*body.setup).clone().with_lengths_at(solved.time).model),
        lengths: measure::segment_lengths(model, &solved.x),
        x: solved.x.clone(),
        reference: None,
        kind: ColumnKind::Solved,
        changes: BodyChanges::NONE,
        rig: body.rig.as_ref(),
        t: Some(solved.time),
    }
}

/// Heading of a plot or a table.
pub(super) fn heading(column: &SteadyColumn<'_>) -> String {
    if column.is_sheet() {
        return format!("{:>14} {:>10}", "of all threads", "strain");
    }
    match column.reference {
        Some(_) => "strain (%), theory in grey".into(),
        None => "strain (%) of segments".into(),
    }
}

/// Lines of the table of a sheet, which has too many segments for a plot: the maximum, the mean and
/// the minimum strain. Empty for a rope.
pub(super) fn table(column: &SteadyColumn<'_>) -> Vec<String> {
    if column.is_sheet() { sheet(column) } else { Vec::new() }
}

fn sheet(column: &SteadyColumn<'_>) -> Vec<String> {
    let intact = || (0..column.lengths.len()).filter(|&j| !column.springs.is_broken(j));
    let strain = |j: usize| {
        let rest = column.rests[j];
        100.0 * (column.lengths[j] - rest) / rest
    };
    let count = intact().count();
    let mut lines = Vec::new();
    if count > 0 {
        let mean = intact().map(strain).sum::<f64>() / count as f64;
        let greatest = intact().map(strain).fold(f64::NEG_INFINITY, f64::max);
        let minimum = intact().map(strain).fold(f64::INFINITY, f64::min);
        let line = |(name, value)| format!("{name:>14} {:>9}%", signed_percent(value));
        lines.extend([("greatest", greatest), ("mean", mean), ("least", minimum)].map(line));
    }
    let broken = column.lengths.len() - count;
    lines.extend((broken > 0).then(|| format!("{:>14} {broken:>10}", "broken")));
    lines
}

/// Splits a text at a space, so that the first line is as long as fits.
pub(super) fn two_lines(text: &str, fits: impl Fn(&str) -> bool) -> [String; 2] {
    if fits(text) {
        return [text.into(), String::new()];
    }
    let split =
        text.match_indices(' ').map(|(at, _)| at).take_while(|&at| fits(&text[..at])).last();
    let (first, second) = split.map_or((text, ""), |at| (&text[..at], &text[at + 1..]));
    [first.into(), second.into()]
}
