//! Errors of jobs.

use catena_base::text::number::duration;
use catena_draw::TooSmall;
use catena_output::OutputError;
use catena_scene::{Body, Scene, SceneError};
use catena_sim::{Excess, Refusal, Setup, Simulation};

/// Error that prevents or ends a job.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An option is out of range, or does not fit the scene.
    #[error("{0}")]
    Option(String),
    /// A file of data cannot be used. Advice is on a line of its own.
    #[error("{0}")]
    Data(String),
    /// The scene would exceed the limits.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The picture is too small for the panels of the scene.
    #[error("{scene}: {error}")]
    TooSmall {
        /// Name of the scene in messages.
        scene: String,
        /// Description of the missing space.
        error: TooSmall,
    },
    /// A running simulation exceeded a limit that no estimate could predict.
    #[error("{0}")]
    Exhausted(String),
    /// A file could not be read or written, or there is not enough memory.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Returns the error of the first simulation that has exhausted its budget. `simulations` has the
/// order of the bodies.
pub(super) fn refused<'a>(
    scene: &Scene,
    simulations: impl Iterator<Item = &'a Simulation>,
) -> Option<RunError> {
    let bodies = scene.panels.iter().flat_map(|panel| &panel.bodies).zip(scene.body_labels());
    let (refusal, body, label) = bodies
        .zip(simulations)
        .find_map(|((body, label), simulation)| Some((simulation.refusal()?, body, label)))?;
    Some(RunError::Exhausted(format!("{}: {}", scene.name, refusal_message(refusal, body, &label))))
}

fn refusal_message(Refusal { excess, frame }: Refusal, body: &Body, label: &str) -> String {
    match excess {
        Excess::Pairs(maximum) => format!(
            "in frame {frame}, more than {maximum} pairs of nodes of {label} may touch each other in \
            one step, which would take too much memory\n  \
             help: lower `contact.thickness` or the number of nodes, and check whether something pulls all nodes to one point; \
             --unlimited lifts this limit"
        ),
        Excess::Setup => format!("{label} cannot be simulated with these settings"),
        Excess::Work(maximum) => format!(
            "up to frame {frame}, {label} takes more than its remaining budget of {} of CPU time, \
            because {} is known only during the run\n  \
             help: lower `frames`, `substeps` or the number of nodes{}; --minutes N allows more, and --unlimited lifts this limit",
            duration(u128::from(maximum)),
            counted(&body.setup),
            remedies(&body.setup),
        ),
    }
}

/// Changes of options that reduce the work of a step control or method: direction, and name of the
/// option.
const CHANGES: [(&str, &str); 3] =
    [("raise", "tolerance"), ("raise", "safety"), ("lower", "iterations")];

/// Advice for a step control or method whose work is not known before the run.
fn remedies(setup: &Setup) -> String {
    let (control, method) = (setup.step_control.info(), setup.method.info());
    let control = (setup.step_control.chooses_steps(), control.name, control.options);
    let method = (setup.method.cost().is_open, method.name, method.options);
    let mut all = String::new();
    for (_, name, options) in [control, method].into_iter().filter(|(is_open, ..)| *is_open) {
        let has = |wanted: &str| options.iter().any(|option| option.name == wanted);
        let changes = CHANGES.iter().filter(|(_, option)| has(option));
        let changes: Vec<String> =
            changes.map(|(change, option)| format!("{change} the `{option}`")).collect();
        if !changes.is_empty() {
            all += &format!("; {} of {name}", changes.join(" or "));
        }
    }
    all
}

/// Cause of the work that is not known before the run.
fn counted(setup: &Setup) -> &'static str {
    let iterates = setup.method.cost().is_open && !setup.method.chooses_steps();
    match (setup.chooses_its_step(), iterates, setup.contacts.is_empty()) {
        (true, ..) => "the number of substeps",
        (_, true, _) => "the number of iterations",
        (.., false) => "the number of contacts",
        _ => "the work",
    }
}
