//! Notes about bodies at the end of a render.

use crate::analysis::lengths::is_beyond_help;
use crate::analysis::settle::Ending;
use crate::job::{self, BodyOutcome};
use crate::scene::{Body, Scene};
use crate::sim::Arrangement;
use crate::text::{
    list::quoted,
    number::{counted, short},
};

/// Known endings of the bodies.
pub(super) fn endings(bodies: &[BodyOutcome]) -> Vec<String> {
    let lines = bodies.iter().filter_map(|BodyOutcome { label, ending, from_solved, .. }| {
        let label = quoted(label);
        let away = from_solved.map(|distance| format!("{} from its equilibrium", short(distance)));
        let line = match ((*ending)?, away) {
            (Ending::AtRest { frame }, None) => format!("{label}: at rest from frame {frame}"),
            (Ending::AtRest { frame }, Some(away)) => {
                format!("{label}: at rest from frame {frame}, {away}")
            }
            (Ending::Moving { frame, .. }, Some(away)) => {
                format!("{label}: at frame {frame}, {away}")
            }
            (Ending::Moving { frame, speed }, None) => {
                format!("{label}: still moving at frame {frame}, maximum speed {}", short(speed))
            }
            (Ending::Diverged { frame }, _) => format!("{label}: diverged at frame {frame}"),
        };
        Some(line)
    });
    lines.collect()
}

/// Notes about bodies with steps that did not converge, with advice.
pub(super) fn unconverged(scene: &Scene, outcomes: &[BodyOutcome]) -> Vec<String> {
    let all = job::bodies(scene).into_iter().zip(outcomes);
    let counts = all.filter(|(_, outcome)| outcome.unconverged > 0);
    let lines = counts.map(|((_, body), outcome)| {
        let steps = counted(outcome.unconverged, "step");
        let label = quoted(&outcome.label);
        if is_beyond_help(&body.setup, scene.frames) {
            return format!(
                "{label}: {steps} did not converge; more `iterations` or `substeps` do not help, \
                 because not all of its lengths can be kept"
            );
        }
        format!("{label}: {steps} did not converge; more {} help", remedy(body))
    });
    lines.collect()
}

/// Fields of a scene whose increase makes more steps of a body converge.
fn remedy(body: &Body) -> &'static str {
    let iterates = body.method.options.iter().any(|option| option.name == "iterations");
    // The matrix of a rope is solved directly.
    let is_direct =
        body.method.name == "ImplicitEuler" && body.setup.model.arrangement == Arrangement::Chain;
    // SHAKE solves for all lengths together. If some solutions fail, the step is too long.
    let is_solved = body.method.name == "Shake";
    match iterates && !is_direct && !is_solved {
        true => "`iterations` of its integrator or more `substeps`",
        false => "`substeps`",
    }
}

/// Notes about routes whose nodes have reached a stop.
pub(super) fn stops(bodies: &[BodyOutcome]) -> Vec<String> {
    let all = bodies.iter().flat_map(|body| body.route_stops.iter().map(|it| (&body.label, *it)));
    all.filter_map(|(label, times)| stop(label, times)).collect()
}

/// Note about a route, with the times at which a node first reached its stop and its winch first
/// slipped. `None` if neither happened.
pub(super) fn stop(label: &str, times: [Option<f64>; 2]) -> Option<String> {
    let label = quoted(label);
    Some(match times {
        [None, None] => return None,
        [Some(stop), None] => {
            format!("{label}: a node of its route is at its stop from time {}", short(stop))
        }
        [None, Some(slip)] => format!("{label}: its winch slips from time {}", short(slip)),
        [Some(stop), Some(slip)] => format!(
            "{label}: a node of its route is at its stop from time {}, and its winch slips from time {}",
            short(stop),
            short(slip)
        ),
    })
}

/// Sentences about bodies that diverged by the last requested frame.
pub(super) fn diverged(bodies: &[BodyOutcome]) -> Vec<String> {
    let lines = bodies.iter().filter_map(|BodyOutcome { label, diverged, .. }| {
        diverged.map(|frame| format!("{} diverged at frame {frame}", quoted(label)))
    });
    lines.collect()
}
