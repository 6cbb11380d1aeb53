//! Choice of a panel by its label or its number.

use super::RunError;
use catena_scene::{Arrangement, Limits, Panel, Patch, Scene, load_whole};

/// Returns the index of a panel in the scene: by its label, by a part of its label that no other
/// panel has, or by its number from 1.
///
/// # Errors
/// No panel has the label or number, or several have the label.
pub fn find_panel(scene: &Scene, wanted: &str) -> Result<usize, RunError> {
    let panels = || scene.panels.iter().enumerate();
    let is_it = |(_, panel): &(usize, &Panel)| panel.label == wanted;
    let labelled: Vec<usize> = panels().filter(is_it).map(|(index, _)| index).collect();
    let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match (&labelled[..], number.filter(|index| *index < scene.panels.len())) {
        ([index], _) => Ok(*index),
        ([], Some(index)) => Ok(index),
        ([], None) => with_part(scene, wanted),
        (_, _) => Err(RunError::Option(format!(
            "several panels are called “{wanted}”; choose one by its number: {}",
            listed_panels(panels().filter(is_it))
        ))),
    }
}

/// Returns the index of the only panel whose label contains `wanted`, ignoring case. A number is
/// not accepted as a part of a label.
fn with_part(scene: &Scene, wanted: &str) -> Result<usize, RunError> {
    let panels = || scene.panels.iter().enumerate();
    let part = wanted.to_lowercase();
    let may_be = !part.trim().is_empty() && part.parse::<f64>().is_err();
    let has_part =
        |(_, panel): &(usize, &Panel)| may_be && panel.label.to_lowercase().contains(&part);
    let found: Vec<usize> = panels().filter(has_part).map(|(index, _)| index).collect();
    match &found[..] {
        [index] => Ok(*index),
        [] => Err(RunError::Option(format!(
            "there is no panel “{wanted}”; the panels are {}",
            listed_panels(panels())
        ))),
        _ => Err(RunError::Option(format!(
            "several panels have “{wanted}” in their labels; choose one by its number: {}",
            listed_panels(panels().filter(has_part))
        ))),
    }
}

/// Returns the index of a panel, by its label or by its number from 1. All panels that the scene
/// describes are counted, even those that changes make equal.
///
/// # Errors
/// No panel has the label or number, or several have the label.
pub fn panel_index(scene: &Scene, wanted: &str, limits: &Limits) -> Result<usize, RunError> {
    let changes = scene.changes();
    let patches = changes.iter().map(|change| change.parse::<Patch>().map_err(RunError::Option));
    let whole = load_whole(&scene.source_text(), &patches.collect::<Result<Vec<_>, _>>()?, limits)?;
    find_panel(&whole, wanted)
}

/// Returns a scene that contains only one of its panels. `index` must exist.
pub fn with_panel(scene: &Scene, index: usize) -> Scene {
    let mut scene = scene.clone();
    scene.panels = scene.panels.into_iter().skip(index).take(1).collect();
    scene.arrangement = Arrangement::Flow { columns: None };
    scene
}

/// Maximum number of panels in a message.
const MAX_LISTED: usize = 12;

/// Panels with their numbers, as text.
pub(super) fn listed_panels<'a>(panels: impl Iterator<Item = (usize, &'a Panel)>) -> String {
    let mut all: Vec<String> =
        panels.map(|(index, panel)| format!("{} “{}”", index + 1, panel.label)).collect();
    if all.len() > MAX_LISTED {
        let others = all.len() - MAX_LISTED;
        all.truncate(MAX_LISTED);
        all.push(format!("{others} more"));
    }
    all.join(", ")
}
