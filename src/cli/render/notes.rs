//! What is said about a scene and its bodies at the end of a render.

use super::bodies;
use crate::analysis::{settle::Ending, stability::warning};
use crate::render::text::Font;
use crate::scene::{Arrangement, Body, Panel, Scene, comparability};

/// What should be known before the pictures are believed: panels that are not equal physics, and steps over their limit.
/// `frames` is how far the render goes.
pub(super) fn cautions(scene: &Scene, frames: u64, font: &Font) -> Vec<String> {
    let mut lines: Vec<String> =
        comparability::notes(scene).into_iter().map(|note| format!("note: {note}")).collect();
    lines.extend(missing_letters(scene, font));
    for ((_, body), label) in bodies(scene).into_iter().zip(scene.body_labels()) {
        let warning =
            warning(&body.setup, frames).map(|warning| format!("warning: {label}: {warning}"));
        lines.extend(warning);
    }
    lines
}

/// Says which letters of titles and labels no typeface can draw.
fn missing_letters(scene: &Scene, font: &Font) -> Option<String> {
    let mut text = scene.title.clone().unwrap_or_default();
    if let Arrangement::Grid { rows, columns } = &scene.arrangement {
        rows.iter().chain(columns).for_each(|label| text += label);
    }
    for (panel, body) in bodies(scene) {
        text += &panel.label;
        text += &body.label;
    }
    let letters: String = font.missing(&text).into_iter().collect();
    (!letters.is_empty()).then(|| {
        format!("note: no typeface has the letters {letters}, boxes stand for them; --font FILE names one that has them")
    })
}

/// What is worth saying about how the bodies ended.
pub(super) fn notes(scene: &Scene, endings: &[Option<Ending>]) -> Vec<String> {
    let lines = scene.body_labels().into_iter().zip(endings).filter_map(|(name, ending)| {
        let line = match (*ending)? {
            Ending::AtRest { frame } => format!("{name}: at rest from frame {frame}"),
            Ending::Moving { frame, speed } => {
                format!("{name}: still moving at frame {frame}, greatest speed {speed:.3e}")
            }
            Ending::Diverged { frame } => format!("{name}: diverged at frame {frame}"),
        };
        Some(line)
    });
    lines.collect()
}

/// Which bodies took steps that are less exact than asked for, and what helps.
pub(super) fn unconverged(scene: &Scene, counts: &[u64]) -> Vec<String> {
    let labelled = bodies(scene).into_iter().zip(scene.body_labels());
    let counts = labelled.zip(counts).filter(|(_, count)| **count > 0);
    let line = |(((_, body), label), count): (((&Panel, &Body), String), &u64)| {
        format!("{label}: {count} steps did not converge; more {} help", remedy(body))
    };
    counts.map(line).collect()
}

/// The fields of a scene that make more steps of a body converge.
fn remedy(body: &Body) -> &'static str {
    match body.method.options.iter().any(|option| option.name == "iterations") {
        true => "`iterations` of its integrator or more `substeps`",
        false => "`substeps`",
    }
}

pub(super) fn diverged(scene: &Scene, endings: &[Option<Ending>]) -> Vec<String> {
    let endings = scene.body_labels().into_iter().zip(endings);
    let lines = endings.filter_map(|(label, ending)| match ending {
        Some(Ending::Diverged { frame }) => Some(format!("{label} diverged at frame {frame}")),
        _ => None,
    });
    lines.collect()
}
