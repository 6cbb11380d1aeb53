//! What is said of a run that took more than was left to it, which nobody could know before.

use super::Failure;
use crate::scene::{Body, Scene};
use crate::sim::{Excess, Refusal, Simulation};
use crate::text::number::duration;

/// The failure of the first simulation that does not go on; they come in the order of the bodies.
pub(super) fn refused<'a>(
    scene: &Scene,
    simulations: impl Iterator<Item = &'a Simulation>,
) -> Option<Failure> {
    let bodies = scene.panels.iter().enumerate().flat_map(|(index, panel)| {
        panel.bodies.iter().map(move |body| (format!("panel {index} ({})", panel.label), body))
    });
    let (refusal, place, body) = bodies
        .zip(simulations)
        .find_map(|((panel, body), simulation)| Some((simulation.refusal()?, panel, body)))?;
    Some(Failure::Refused(format!("{}: {place}: {}", scene.name, said(refusal, body))))
}

fn said(Refusal { excess, frame }: Refusal, body: &Body) -> String {
    let label = &body.label;
    match excess {
        Excess::Pairs(most) => format!(
            "in frame {frame} more than {most} pairs of nodes of {label} may touch each other in one step, and each takes memory\n  \
             help: lower `contact.thickness` or the number of nodes, and look whether something draws all nodes to one place; \
             --unlimited lifts this limit"
        ),
        Excess::Work(most) => format!(
            "up to frame {frame} {label} takes more than {} of one core, which is what is left to it: {} is counted while it runs\n  \
             help: lower `frames`, `substeps` or the number of nodes{}; --minutes N allows more, and --unlimited lifts this limit",
            duration(u128::from(most)),
            counted(body),
            if body.setup.chooses_its_step() { ", or raise the tolerance" } else { "" },
        ),
    }
}

/// What takes the work that is not known before.
fn counted(body: &Body) -> &'static str {
    let setup = &body.setup;
    let iterates = setup.method.cost().is_open && !setup.method.chooses_steps();
    match (setup.chooses_its_step(), iterates, setup.contacts.is_empty()) {
        (true, ..) => "how it divides its steps",
        (_, true, _) => "how often it iterates",
        (.., false) => "how often nodes touch",
        _ => "what it does",
    }
}
