//! Labels of simulated values when `--set` or an axis overrides values that panels set.
//!
//! A label describes the values beside it. If an override replaces such a value, a new label is
//! generated from the simulated values. Panels and bodies that become equal are shown once.

mod described;
mod equal_runs;
mod layer_text;
mod overridden;
mod rename;
mod told;

pub(super) use layer_text::SceneTexts;
pub(super) use overridden::Overridden;
pub(super) use rename::rename;
pub(super) use told::LabelText;

use super::parts::Arrangement;
use described::Described;
use equal_runs::EqualRuns;
use layer_text::{LayerText, NamedText};

/// Index of a panel in the scene file, and its shown bodies.
#[derive(Clone, Debug)]
pub(super) struct ShownPanel {
    /// Index among all panels of the file; row by row in a grid.
    pub(super) index: usize,
    /// Indices in its list of bodies; `None` shows all of them.
    pub(super) bodies: Option<Vec<usize>>,
}

/// Shown part of a scene.
pub(super) struct Shown {
    pub(super) panels: Vec<ShownPanel>,
    pub(super) arrangement: Arrangement,
    /// Labels of groups of panels, rows, columns or bodies whose runs have become equal.
    pub(super) equal: Vec<Vec<String>>,
    /// Indices of shown panels that repeat the run of another.
    pub(super) repeated: Vec<usize>,
}

/// Leaves out panels and bodies that overrides make equal to others. `count` is the number of
/// panels.
pub(super) fn shown(
    texts: Option<&SceneTexts<'_>>,
    count: usize,
    arrangement: Arrangement,
) -> Shown {
    let Some(texts) = texts else {
        let panels = (0..count).map(|index| ShownPanel { index, bodies: None }).collect();
        return Shown { panels, arrangement, equal: Vec::new(), repeated: Vec::new() };
    };
    let mut equal = Vec::new();
    let (kept, fewer) = kept_panels(texts, count, arrangement.clone(), &mut equal);
    let mut panel =
        |index: usize| ShownPanel { index, bodies: kept_bodies(texts, index, &mut equal) };
    if texts.keeps_equal {
        let repeated = (0..count).filter(|index| !kept.contains(index)).collect();
        kept.iter().for_each(|index| drop(panel(*index)));
        let panels = (0..count).map(|index| ShownPanel { index, bodies: None }).collect();
        return Shown { panels, arrangement, equal, repeated };
    }
    let panels = kept.into_iter().map(panel).collect();
    Shown { panels, arrangement: fewer, equal, repeated: Vec::new() }
}

/// Returns the indices of the panels that are shown, and their arrangement.
fn kept_panels(
    texts: &SceneTexts<'_>,
    count: usize,
    arrangement: Arrangement,
    equal: &mut Vec<Vec<String>>,
) -> (Vec<usize>, Arrangement) {
    let mut of = |list: &[NamedText<'_>], kind: &str| {
        let is_stale = |it: &NamedText<'_>| is_stale(texts, &[], it);
        let runs = EqualRuns::of(list, texts, is_stale);
        equal.extend(runs.groups.iter().map(|group| names(list, group, kind)));
        runs.kept
    };
    match arrangement {
        Arrangement::Grid { rows, columns } => {
            let across = columns.len();
            let (down, right) = (of(&texts.rows, "row"), of(&texts.columns, "column"));
            let panels = down.iter().flat_map(|row| right.iter().map(move |at| row * across + at));
            let only = |all: Vec<String>, kept: &[usize]| -> Vec<String> {
                kept.iter().map(|at| all[*at].clone()).collect()
            };
            let panels = panels.collect();
            (panels, Arrangement::Grid { rows: only(rows, &down), columns: only(columns, &right) })
        }
        Arrangement::Flow { columns } => {
            let kept = match [&texts.panels, &texts.rows, &texts.columns].map(Vec::len) {
                [0, 0, 0] => (0..count).collect(),
                [0, 0, _] => of(&texts.columns, "panel"),
                [0, ..] => of(&texts.rows, "panel"),
                _ => of(&texts.panels, "panel"),
            };
            let columns = columns.map(|columns| columns.min(kept.len()));
            (kept, Arrangement::Flow { columns })
        }
    }
}

/// Returns the indices of the bodies of a panel that are shown, or `None` if all are.
fn kept_bodies(
    texts: &SceneTexts<'_>,
    panel: usize,
    equal: &mut Vec<Vec<String>>,
) -> Option<Vec<usize>> {
    let (list, own) = (bodies_of(texts, panel), texts.own_of_panel(panel));
    let runs = EqualRuns::of(&list, texts, |it| is_stale(texts, &own, it));
    equal.extend(runs.groups.iter().map(|group| names(&list, group, "body")));
    (runs.kept.len() < list.len()).then_some(runs.kept)
}

/// Returns the bodies that the highest layer of a panel lists.
fn bodies_of<'a>(texts: &SceneTexts<'a>, panel: usize) -> Vec<NamedText<'a>> {
    let own = texts.own_of_panel(panel);
    let layers = texts.below.iter().chain(own).chain(&texts.above).rev();
    layers
        .into_iter()
        .find(|layer| layer.settings.bodies.is_some())
        .map_or(Vec::new(), LayerText::bodies)
}

/// Whether the label of an entry contradicts the simulated values. `over` holds the layers between
/// the entry and the base.
fn is_stale(texts: &SceneTexts<'_>, over: &[&LayerText<'_>], it: &NamedText<'_>) -> bool {
    let below = texts.below.iter().chain(over.iter().copied()).collect();
    let described = Described { texts, below, own: vec![&it.layer], inner: Vec::new() };
    it.label.is_some_and(|label| described.is_stale(label))
}

/// Returns the labels of a group of entries, or their numbers for unlabelled ones.
fn names(list: &[NamedText<'_>], group: &[usize], kind: &str) -> Vec<String> {
    let first = usize::from(matches!(kind, "row" | "column"));
    let name = |at: &usize| match list[*at].label {
        Some(label) => format!("\"{label}\""),
        None => format!("{kind} {}", at + first),
    };
    group.iter().map(name).collect()
}
