//! Labels of simulated values when `--set` or an axis overrides values that panels set.
//!
//! A label describes values of its layer. If an override replaces one of them, a new label is
//! generated from the simulated values. Panels and bodies that become equal are shown once.

mod label_text;
mod layer_text;
mod rename;

pub(super) use label_text::LabelText;
pub(super) use layer_text::SceneTexts;
pub(super) use rename::rename;

use super::parts::Arrangement;
use crate::parts::ShownPanel;
use label_text::{Described, is_same};
use layer_text::{LayerText, NamedText};
use std::collections::HashMap;

/// Shown part of a scene.
pub(super) struct ShownScene {
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
) -> ShownScene {
    let Some(texts) = texts else {
        let panels = (0..count).map(|index| ShownPanel { index, bodies: None }).collect();
        return ShownScene { panels, arrangement, equal: Vec::new(), repeated: Vec::new() };
    };
    let mut equal = Vec::new();
    let (kept, fewer) = kept_panels(texts, count, arrangement.clone(), &mut equal);
    let mut panel =
        |index: usize| ShownPanel { index, bodies: kept_bodies(texts, index, &mut equal) };
    if texts.keeps_equal {
        let repeated = (0..count).filter(|index| !kept.contains(index)).collect();
        kept.iter().for_each(|index| drop(panel(*index)));
        let panels = (0..count).map(|index| ShownPanel { index, bodies: None }).collect();
        return ShownScene { panels, arrangement, equal, repeated };
    }
    let panels = kept.into_iter().map(panel).collect();
    ShownScene { panels, arrangement: fewer, equal, repeated: Vec::new() }
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

/// Returns the indices of the bodies of a panel that are shown, or `None` if all are shown.
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
    let layers = texts.lower.iter().chain(own).chain(&texts.above).rev();
    layers
        .into_iter()
        .find(|layer| layer.settings.bodies.is_some())
        .map_or(Vec::new(), LayerText::bodies)
}

/// Whether the label of an entry contradicts the simulated values. `over` holds the layers between
/// the entry and the base.
fn is_stale(texts: &SceneTexts<'_>, over: &[&LayerText<'_>], it: &NamedText<'_>) -> bool {
    let lower = texts.lower.iter().chain(over.iter().copied()).collect();
    let described = Described { texts, lower, own: vec![&it.layer], inner: Vec::new() };
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

/// Fields by their paths, with their texts.
type PanelValues = Vec<(String, String)>;

/// Values of a layer that differ from the layers below all panels.
#[derive(PartialEq)]
struct OwnValues {
    /// Values that are simulated.
    kept: PanelValues,
    /// Values that overrides replace.
    replaced: PanelValues,
}

impl OwnValues {
    fn of(layer: &LayerText<'_>, texts: &SceneTexts<'_>) -> Self {
        let mut own = Self { kept: Vec::new(), replaced: Vec::new() };
        own.add(layer, &texts.lower, texts);
        own
    }

    /// Adds the fields of a layer that differ from the `lower` layers, and the fields of its
    /// bodies.
    fn add(&mut self, layer: &LayerText<'_>, lower: &[LayerText<'_>], texts: &SceneTexts<'_>) {
        let lower = |path: &str| lower.iter().rev().find_map(|layer| layer.get(path));
        // Colours distinguish runs but do not affect them.
        let is_color = |path: &str| matches!(path, "style.color" | "rig.color");
        let paths = layer.paths.iter().filter(|path| *path != "bodies" && !is_color(path));
        for path in paths {
            let value = layer.get(path).unwrap_or_default();
            if lower(path).is_some_and(|lower| is_same(&lower, &value)) {
                continue;
            }
            // Changes of parts add to each other.
            let list = match texts.is_overridden(path) && path != "part_changes" {
                true => &mut self.replaced,
                false => &mut self.kept,
            };
            list.push((path.clone(), value));
        }
        if texts.is_overridden("bodies") {
            return;
        }
        let bodies = layer.bodies();
        let shown = EqualRuns::of(&bodies, texts, |_| false).kept;
        for (index, body) in bodies.iter().enumerate() {
            let mut own = Self { kept: Vec::new(), replaced: Vec::new() };
            own.add(&body.layer, &[], texts);
            let renamed = |place: usize| {
                move |(path, value): (String, String)| (format!("bodies[{place}].{path}"), value)
            };
            self.replaced.extend(own.replaced.into_iter().map(renamed(index)));
            let Some(place) = shown.iter().position(|shown| *shown == index) else { continue };
            if let [_] = shown[..] {
                // A panel with one body runs the same as a panel without a list.
                self.kept.retain(|(path, _)| !body.layer.paths.contains(path));
                let is_own = |(path, value): &(String, String)| {
                    lower(path).is_none_or(|lower| !is_same(&lower, value))
                };
                self.kept.extend(own.kept.into_iter().filter(is_own));
            } else {
                self.kept.push(renamed(place)((String::new(), String::new())));
                self.kept.extend(own.kept.into_iter().map(renamed(place)));
            }
        }
    }
}

/// Entries of a list, some of which are equal runs.
pub(crate) struct EqualRuns {
    /// Indices of the entries that are kept, in order.
    pub(super) kept: Vec<usize>,
    /// Groups of entries that have become equal, each in order.
    pub(super) groups: Vec<Vec<usize>>,
}

impl EqualRuns {
    /// Returns no equal runs: all entries of a list with `count` entries are kept.
    pub(super) fn none(count: usize) -> Self {
        Self { kept: (0..count).collect(), groups: Vec::new() }
    }

    /// Finds entries that differ in the scene but become equal by overrides. Each group keeps the
    /// first entry whose label is valid.
    pub(super) fn of(
        list: &[NamedText<'_>],
        texts: &SceneTexts<'_>,
        is_stale: impl Fn(&NamedText<'_>) -> bool,
    ) -> Self {
        let mut own: Vec<OwnValues> =
            list.iter().map(|it| OwnValues::of(&it.layer, texts)).collect();
        if own.iter().all(|own| own.replaced.is_empty()) {
            return Self::none(list.len());
        }
        own.iter_mut().for_each(|own| {
            own.kept.sort();
            own.replaced.sort();
        });
        let mut alike: HashMap<&PanelValues, Vec<usize>> = HashMap::new();
        for (index, own) in own.iter().enumerate() {
            alike.entry(&own.kept).or_default().push(index);
        }
        let was_different =
            |group: &Vec<usize>| group.iter().any(|at| own[*at].replaced != own[group[0]].replaced);
        let mut groups: Vec<Vec<usize>> = alike.into_values().filter(was_different).collect();
        groups.sort();
        let stay = |group: &Vec<usize>| {
            group.iter().copied().find(|at| !is_stale(&list[*at])).unwrap_or(group[0])
        };
        let mut is_kept = vec![true; list.len()];
        for group in &groups {
            group.iter().for_each(|at| is_kept[*at] = false);
            is_kept[stay(group)] = true;
        }
        let kept = (0..list.len()).filter(|at| is_kept[*at]).collect();
        Self { kept, groups }
    }
}
