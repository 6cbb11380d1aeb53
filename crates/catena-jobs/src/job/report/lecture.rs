//! Figures for lectures on methods: time reversal, area in phase space, convergence of iterations.

use super::budgets::{ITERATIONS, PHASE_AREA, REVERSAL};
use super::plan::{Figures, ReportPlan};
use crate::job::report::grouping::split;
use catena_analysis::{
    iterations::{NoIterations, convergence},
    phase_area::{NoArea, phase_area},
    reversal::{affordable_frames, reversal},
};
use catena_base::text::list::quoted;
use catena_study::figure::study::{
    Subject, iterations as iterations_figure, phase_area as area_figure,
    reversal as reversal_figure,
};
use rayon::prelude::*;
use std::sync::Arc;

/// Frame before the step that the figure of iterations shows, if the film has this frame.
const ITERATED: u64 = 30;

/// Computes a result for each body in parallel, and separates results from reasons.
fn of_each<'a, T: Send>(
    plan: &ReportPlan<'a>,
    what: &str,
    find: impl Fn(&Subject<'a>) -> Result<T, String> + Sync,
) -> (Vec<(Subject<'a>, T)>, Vec<String>) {
    let subjects = plan.subjects();
    let all = subjects.len() as u64;
    let found: Vec<_> = subjects
        .into_par_iter()
        .map(|subject| {
            let found = find(&subject);
            plan.extent.add_one(all);
            (subject, found)
        })
        .collect();
    split(found, what)
}

/// Makes the figure of time-reversed runs.
pub(super) fn reversals(plan: &ReportPlan<'_>) -> Figures {
    let wanted = plan.frames.saturating_sub(1);
    if wanted == 0 {
        return Figures::or(None, "No forward and backward run: it needs at least two frames.");
    }
    let share = plan.share(REVERSAL);
    let (found, mut left_out) = of_each(plan, "No forward and backward run", |subject| {
        let frames = affordable_frames(&subject.body.setup, wanted, share);
        if frames == 0 {
            return Err("one frame forward and back exceeds the work limit of the figure".into());
        }
        let setup = Arc::new(share.bound(&subject.body.setup));
        reversal(&setup, frames, &|| ()).map_err(str::to_string)
    });
    for (subject, reversal) in found.iter().filter(|(_, it)| it.frames < wanted) {
        left_out.push(format!(
            "{} is reversed after {} of {wanted} frames, because of the work limit of the figure.",
            quoted(&subject.label),
            reversal.frames
        ));
    }
    Figures { studies: reversal_figure::study(&found).into_iter().collect(), left_out }
}

/// Makes the figure of areas in phase space.
pub(super) fn areas(plan: &ReportPlan<'_>) -> Figures {
    let share = plan.share(PHASE_AREA);
    let (found, left_out) = of_each(plan, "No area in phase space", |subject| {
        phase_area(&subject.body.setup, share).map_err(|reason| {
            match reason {
                NoArea::Restless => {
                    "with only gravity and Hookean springs, it has no shape at rest to oscillate \
                     about"
                }
                NoArea::Large => "it has too many free coordinates to compute its modes",
                NoArea::Still => "none of its modes oscillates",
                NoArea::Lost => {
                    "other modes are unstable with its method and grow beyond the square of starts"
                }
                NoArea::Work => "three periods of 24 starts exceed the work limit of the figure",
            }
            .into()
        })
    });
    Figures { studies: area_figure::study(&found).into_iter().collect(), left_out }
}

/// Makes the figure of the convergence of iterations.
pub(super) fn iterations(plan: &ReportPlan<'_>) -> Figures {
    let share = plan.share(ITERATIONS);
    let frames = ITERATED.min(plan.frames.saturating_sub(1));
    let iterates = |subject: &Subject<'_>| subject.body.setup.method.iterations().is_some();
    if !plan.subjects().iter().any(iterates) {
        let reason = "No figure of iterations: no method of the scene corrects lengths \
                      iteratively.";
        return Figures::or(None, reason);
    }
    let (found, left_out) = of_each(plan, "No figure of iterations", |subject| {
        convergence(&subject.body.setup, frames, share).map_err(|reason| {
            match reason {
                NoIterations::None => "its method does not correct lengths iteratively",
                NoIterations::Lost => "it diverges before the step that the figure shows",
                NoIterations::Work => "its steps exceed the work limit of the figure",
            }
            .into()
        })
    });
    Figures { studies: iterations_figure::study(&found).into_iter().collect(), left_out }
}
