//! What is said about a scene and its bodies at the end of a render.

use super::bodies;
use crate::analysis::{settle::Ending, stability::warning};
use crate::render::text::Font;
use crate::scene::{Arrangement, Body, Panel, Scene, equal};

/// What should be known before the pictures are believed: panels that are not equal physics, and steps over their limit.
/// `frames` is how far the render goes.
pub(super) fn cautions(scene: &Scene, frames: u64, font: &Font) -> Vec<String> {
    let mut lines: Vec<String> =
        equal::notes(scene).into_iter().map(|note| format!("note: {note}")).collect();
    lines.extend(missing_letters(scene, font));
    for (panel, body) in bodies(scene) {
        let warning = warning(&body.setup, frames)
            .map(|warning| format!("warning: {}: {warning}", name(panel, body)));
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
    let lines = bodies(scene).into_iter().zip(endings).filter_map(|((panel, body), ending)| {
        let name = name(panel, body);
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

/// Which bodies took steps that are less exact than asked for.
pub(super) fn unconverged(scene: &Scene, counts: &[u64]) -> Vec<String> {
    let counts = bodies(scene).into_iter().zip(counts).filter(|(_, count)| **count > 0);
    let line = |((panel, body), count): ((&Panel, &Body), &u64)| {
        format!("{}: {count} steps did not converge", name(panel, body))
    };
    counts.map(line).collect()
}

pub(super) fn diverged(scene: &Scene, endings: &[Option<Ending>]) -> Vec<String> {
    let endings = bodies(scene).into_iter().zip(endings);
    let lines = endings.filter_map(|((panel, body), ending)| match ending {
        Some(Ending::Diverged { frame }) => {
            Some(format!("{} diverged at frame {frame}", name(panel, body)))
        }
        _ => None,
    });
    lines.collect()
}

fn name(panel: &Panel, body: &Body) -> String {
    match panel.bodies.len() {
        1 => panel.label.clone(),
        _ => format!("{}: {}", panel.label, body.label),
    }
}
