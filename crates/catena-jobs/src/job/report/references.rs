//! Figure of the distances between bodies and their reference motions.

use super::budgets::REFERENCES;
use super::plan::{Figures, ReportPlan};
use catena_sim::{Outcome, Simulation};
use catena_study::figure::findings::{Fact, Finding, Topic};
use catena_study::figure::study::Subject;
use catena_study::figure::study::reference::{ReferenceHistory, nearest, study};
use rayon::prelude::*;
use std::sync::Arc;

/// Makes the figure. A scene without references has no such figure, and no reason is given.
pub(super) fn of_plan(plan: &ReportPlan<'_>) -> Figures {
    let compared = |subject: &Subject<'_>| subject.body.reference.is_some();
    let subjects: Vec<_> = plan.all_subjects().into_iter().filter(compared).collect();
    if subjects.is_empty() {
        return Figures { studies: Vec::new(), left_out: Vec::new() };
    }
    let all = subjects.len() as u64 * plan.frames;
    let (histories, notes): (Vec<_>, Vec<_>) =
        subjects.into_par_iter().map(|subject| history(plan, subject, all)).unzip();
    if let Some(sentence) = nearest(&histories) {
        plan.learn(Fact::Sentence(Finding::new(Topic::Reference, sentence)));
    }
    let reason = "No distance from a reference: no file has data for these frames.";
    let mut made = Figures::or(study(&histories), reason);
    made.left_out.extend(notes.into_iter().flatten());
    made
}

/// Simulates a body, and measures its distance in each frame with data.
fn history<'a>(
    plan: &ReportPlan<'_>,
    subject: Subject<'a>,
    all: u64,
) -> (ReferenceHistory<'a>, Option<String>) {
    let setup = plan.share_of_all(REFERENCES).bound(&subject.body.setup);
    let nodes = setup.model.nodes();
    let mut run = Simulation::new(Arc::new(setup));
    let (mut moments, mut note) = (Vec::new(), None);
    let mut diverged = None;
    for frame in 0..plan.frames {
        if frame > 0 {
            run.advance_frame();
        }
        if run.refusal().is_some() {
            note = Some(plan.shortened(&subject.label, "the distance", frame as usize));
            break;
        }
        if let Outcome::Diverged { frame, .. } = run.outcome() {
            diverged = Some(frame);
            break;
        }
        let Some(reference) = &subject.body.reference else { break };
        let found = reference.motion.compare(frame, &run.state().x, nodes);
        if found.count > 0 {
            moments.push((frame, run.state().t, found));
        }
        plan.extent.add_one(all);
    }
    (ReferenceHistory { subject, moments, diverged }, note)
}
