//! Choice of a panel by its label or its number.

use super::RunError;
use catena_scene::{Arrangement, Limits, Panel, Patch, Scene, load_whole};

/// Returns the index of a panel in the scene, by its label or by its number from 1.
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
        ([], None) => Err(RunError::Option(format!(
            "no panel “{wanted}”; the panels are {}",
            listed_panels(panels())
        ))),
        (_, _) => Err(RunError::Option(format!(
            "several panels are called “{wanted}”: choose one by its number, of {}",
            listed_panels(panels().filter(is_it))
        ))),
    }
}

/// Returns the index of a panel among all that the scene describes, with those that changes make
/// equal, by its label or by its number from 1.
///
/// # Errors
/// No panel has the label or number, or several have the label.
pub fn panel_index(scene: &Scene, wanted: &str, limits: &Limits) -> Result<usize, RunError> {
    let changes = scene.changes();
    let patches = changes.iter().map(|change| change.parse::<Patch>().map_err(RunError::Option));
    let whole = load_whole(&scene.source_text(), &patches.collect::<Result<Vec<_>, _>>()?, limits)?;
    find_panel(&whole, wanted)
}

/// Returns a scene with one of its panels alone, which has to be there.
pub fn with_panel(scene: &Scene, index: usize) -> Scene {
    let mut scene = scene.clone();
    scene.panels = scene.panels.into_iter().skip(index).take(1).collect();
    scene.arrangement = Arrangement::Flow { columns: None };
    scene
}

/// Maximum number of panels in a message.
const MOST_LISTED: usize = 12;

/// Panels with their numbers, as text.
pub(super) fn listed_panels<'a>(panels: impl Iterator<Item = (usize, &'a Panel)>) -> String {
    let mut all: Vec<String> =
        panels.map(|(index, panel)| format!("{} “{}”", index + 1, panel.label)).collect();
    if all.len() > MOST_LISTED {
        let others = all.len() - MOST_LISTED;
        all.truncate(MOST_LISTED);
        all.push(format!("{others} more"));
    }
    all.join(", ")
}
