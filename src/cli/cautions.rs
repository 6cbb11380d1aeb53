//! What should be known of a scene before its pictures are believed; every command that reads a
//! scene for pictures says it.

use crate::analysis::stability::{warning, warning_amount};
use crate::render::text::Font;
use crate::scene::{Arrangement, Body, Panel, Scene, comparability};
use std::fmt;

/// One such thing.
pub(super) struct Caution {
    /// `note`, or `warning` where the pictures will be wrong.
    kind: &'static str,
    /// What it is.
    pub(super) text: String,
}

impl fmt::Display for Caution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.text)
    }
}

/// Panels that are not equal physics, letters that no typeface has, and steps over their limit in
/// so many frames.
pub(super) fn cautions(scene: &Scene, frames: u64, font: &Font) -> Vec<Caution> {
    let mut all = physics(scene, frames);
    all.extend(missing_letters(scene, font));
    all
}

/// Those of them that do not depend on how letters are drawn.
pub(super) fn physics(scene: &Scene, frames: u64) -> Vec<Caution> {
    let note = |text| Caution { kind: "note", text };
    let mut all: Vec<Caution> = comparability::notes(scene).into_iter().map(note).collect();
    let bodies = bodies(scene);
    let most = warning_amount(bodies.len());
    let labelled = bodies.into_iter().zip(scene.body_labels());
    all.extend(labelled.filter_map(|((_, body), label)| {
        let text = format!("{label}: {}", warning(&body.setup, frames, most)?);
        Some(Caution { kind: "warning", text })
    }));
    all
}

/// Which letters of titles and labels no typeface can draw.
fn missing_letters(scene: &Scene, font: &Font) -> Option<Caution> {
    let mut text = scene.title.clone().unwrap_or_default();
    if let Arrangement::Grid { rows, columns } = &scene.arrangement {
        rows.iter().chain(columns).for_each(|label| text += label);
    }
    for (panel, body) in bodies(scene) {
        text += &panel.label;
        text += &body.label;
    }
    let letters: String = font.missing(&text).into_iter().collect();
    (!letters.is_empty()).then(|| Caution {
        kind: "note",
        text: format!("no typeface has the letters {letters}, boxes stand for them; --font FILE names one that has them"),
    })
}

/// All bodies with their panels, in the order of the scene.
pub(super) fn bodies(scene: &Scene) -> Vec<(&Panel, &Body)> {
    let of_panel = |panel| -> Vec<(&Panel, &Body)> {
        let panel: &Panel = panel;
        panel.bodies.iter().map(|body| (panel, body)).collect()
    };
    scene.panels.iter().flat_map(of_panel).collect()
}
