//! Selection of the exported panel by its label or number.

use crate::job::RunError;
use catena_scene::{Panel, Scene};

/// Returns the index of a panel in the scene.
///
/// # Errors
/// No panel has the label or number, or several have the label.
pub(super) fn find(scene: &Scene, wanted: &str) -> Result<usize, RunError> {
    let panels = || scene.panels.iter().enumerate();
    let is_it = |(_, panel): &(usize, &Panel)| panel.label == wanted;
    let labelled: Vec<usize> = panels().filter(is_it).map(|(index, _)| index).collect();
    let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    match (&labelled[..], number.filter(|index| *index < scene.panels.len())) {
        ([index], _) => Ok(*index),
        ([], Some(index)) => Ok(index),
        ([], None) => Err(RunError::Option(format!(
            "there is no panel “{wanted}”; there are {}",
            listed(panels())
        ))),
        (_, _) => Err(RunError::Option(format!(
            "several panels are called “{wanted}”: choose one by its number, of {}",
            listed(panels().filter(is_it))
        ))),
    }
}

/// Maximum number of panels in a message.
const MOST: usize = 12;

/// Panels with their numbers, as text.
fn listed<'a>(panels: impl Iterator<Item = (usize, &'a Panel)>) -> String {
    let mut all: Vec<String> =
        panels.map(|(index, panel)| format!("{} “{}”", index + 1, panel.label)).collect();
    if all.len() > MOST {
        let others = all.len() - MOST;
        all.truncate(MOST);
        all.push(format!("{others} more"));
    }
    all.join(", ")
}
