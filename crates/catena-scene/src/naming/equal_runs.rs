//! Panels and bodies that overrides make equal, which are drawn once.

use super::described::is_same;
use super::layer_text::{LayerText, NamedText, SceneTexts};
use std::collections::HashMap;

/// Fields by their paths, with their texts.
type Values = Vec<(String, String)>;

/// Values of a layer that differ from the layers below all panels.
#[derive(PartialEq)]
struct OwnValues {
    /// Values that are simulated.
    kept: Values,
    /// Values that overrides replace.
    replaced: Values,
}

impl OwnValues {
    fn of(layer: &LayerText<'_>, texts: &SceneTexts<'_>) -> Self {
        let mut own = Self { kept: Vec::new(), replaced: Vec::new() };
        own.add("", layer, texts);
        own
    }

    /// Adds the fields of a layer and of its bodies, with a path prefix.
    fn add(&mut self, prefix: &str, layer: &LayerText<'_>, texts: &SceneTexts<'_>) {
        let below = |path: &str| texts.below.iter().rev().find_map(|layer| layer.get(path));
        // Colours distinguish runs but do not affect them.
        let is_color = |path: &str| matches!(path, "style.color" | "rig.color");
        let paths = layer.paths.iter().filter(|path| *path != "bodies" && !is_color(path));
        for path in paths {
            let value = layer.get(path).unwrap_or_default();
            if prefix.is_empty() && below(path).is_some_and(|below| is_same(&below, &value)) {
                continue;
            }
            let list = match texts.is_overridden(path) {
                true => &mut self.replaced,
                false => &mut self.kept,
            };
            list.push((format!("{prefix}{path}"), value));
        }
        if texts.is_overridden("bodies") {
            return;
        }
        for (index, body) in layer.bodies().iter().enumerate() {
            let prefix = format!("{prefix}bodies[{index}].");
            self.kept.push((prefix.clone(), String::new()));
            self.add(&prefix, &body.layer, texts);
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
    /// Keeps all entries of a list with `count` entries.
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
        let mut alike: HashMap<&Values, Vec<usize>> = HashMap::new();
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
