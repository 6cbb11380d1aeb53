//! What is said about bodies at the end of a render.

use crate::analysis::settle::Ending;
use crate::cli::cautions::bodies;
use crate::scene::{Body, Panel, Scene};
use crate::sim::Arrangement;
use crate::text::number::counted;

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
        let steps = counted(*count, "step");
        format!("{label}: {steps} did not converge; more {} help", remedy(body))
    };
    counts.map(line).collect()
}

/// The fields of a scene that make more steps of a body converge.
fn remedy(body: &Body) -> &'static str {
    let iterates = body.method.options.iter().any(|option| option.name == "iterations");
    // A rope's matrix is solved directly.
    let is_direct =
        body.method.name == "ImplicitEuler" && body.setup.model.arrangement == Arrangement::Chain;
    match iterates && !is_direct {
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
