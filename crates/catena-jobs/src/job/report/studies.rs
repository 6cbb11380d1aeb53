//! Selection of a scene's figures, and the runs behind them.

use super::{
    ReportError,
    budgets::{self, SHAPES, SPECTRA},
    films, lecture, maps,
    plan::{Figures, ReportPlan},
    references, regions,
    settling::{never_at_rest, settling},
    strip,
};
use crate::job::Interruption;
use crate::job::report::grouping::split;
use catena_analysis::{
    modes::{self, natural},
    node_path::telling_nodes,
    order::{self, DampingForces},
    settle::{Ending, rest_state, settle},
    shape::{RestShape, farthest, shape},
    statics::{equilibrium, max_quick_nodes},
};
use catena_base::text::number::counted;
use catena_sim::{Setup, Simulation};
use catena_study::figure::findings::{AccuracyFacts, Fact, RestFacts};
use catena_study::figure::study::{
    Study, Subject, dispersion as dispersion_figure, modes as modes_figure, order as order_figure,
    shape as shape_figure,
};
use rayon::prelude::*;
use std::sync::Arc;

/// Error, as a share of a body's length, for which the findings state the step of each method.
const ACCURATE: f64 = 0.01;
/// Maximum distance from an unstable equilibrium at which a body counts as being there. The
/// distance is relative to the length of a still body, and to the distance of a moving body from
/// its solved rest.
const NEAR: f64 = 1e-3;

/// Function that makes some of the figures.
type FigureMaker = fn(&ReportPlan<'_>) -> Figures;

/// Figures that are made together.
pub(super) struct FigurePart {
    /// Figure whose caption lists what exceeded the budget. Its name also identifies the part in
    /// progress reports and in `--only`.
    pub(super) figure: &'static str,
    /// Other figures that are made with it.
    pub(super) others: &'static [&'static str],
    pub(super) make: FigureMaker,
}

const fn part(
    figure: &'static str,
    others: &'static [&'static str],
    make: FigureMaker,
) -> FigurePart {
    FigurePart { figure, others, make }
}

/// All parts, in the order of the page.
pub(super) const PARTS: [FigurePart; 13] = [
    part("strip", &[], strip::strip_of),
    part("energy_over_time", &["energy"], films::energies),
    part("stability_map", &[], maps::stability),
    part("stability_regions", &[], regions::regions),
    part("reversal", &[], lecture::reversals),
    part("phase_area", &[], lecture::areas),
    part("iterations", &[], lecture::iterations),
    part("order", &["work_precision"], orders),
    part("modes", &["dispersion"], mode_figures),
    part("shape", &[], shapes),
    part("settling", &[], settling),
    part("path", &["phase_portrait", "spectrum"], films::path_figures),
    part("reference", &[], references::of_plan),
];

/// Parts with a requested figure.
pub(super) fn wanted(plan: &ReportPlan<'_>) -> Vec<&'static FigurePart> {
    let is_wanted = |part: &&FigurePart| {
        plan.wants(part.figure) || part.others.iter().any(|name| plan.wants(name))
    };
    PARTS.iter().filter(is_wanted).collect()
}

/// Makes all requested figures, and passes each part to `done` with the names of the remaining
/// parts.
///
/// # Errors
/// The errors of `done`, and an interruption between two parts.
pub(super) fn all(
    plan: &ReportPlan<'_>,
    interruption: &dyn Interruption,
    mut done: impl FnMut(&FigurePart, Figures, Vec<&'static str>) -> Result<(), ReportError>,
) -> Result<(), ReportError> {
    let parts = wanted(plan);
    for (index, part) in parts.iter().enumerate() {
        if interruption.is_set() {
            return Err(ReportError::Interrupted);
        }
        // The player was part 1.
        plan.extent.begin(part.figure, index + 2, parts.len() + 1);
        let mut made = (part.make)(plan);
        made.studies.retain(|study| plan.wants(&study.name));
        done(part, made, parts[index + 1..].iter().map(|part| part.figure).collect())?;
    }
    if interruption.is_set() { Err(ReportError::Interrupted) } else { Ok(()) }
}

fn orders(plan: &ReportPlan<'_>) -> Figures {
    let setup = &plan.scene.panels[0].bodies[0].setup;
    let is_damped = order::is_damped(setup);
    let share = budgets::scale(plan.options.study_time);
    let each = |methods| plan.extent.add_one(methods as u64 * (1 + u64::from(is_damped)));
    let orders = |damping| order::orders_within(setup, damping, share, &each);
    match orders(DampingForces::Without) {
        Ok(undamped) => {
            plan.learn(Fact::Accuracy(AccuracyFacts::new(&undamped, ACCURATE)));
            let damped = is_damped.then(|| orders(DampingForces::With));
            let studies = order_figure::studies(&undamped, damped.as_ref(), &plan.all_subjects());
            Figures { studies, left_out: Vec::new() }
        }
        Err(reason) => Figures::or(None, &order_figure::missing(reason)),
    }
}

/// Reason why a body has no state of rest. `limit` is the last frame of the wait.
fn restless(ending: Ending, limit: u64) -> String {
    match ending {
        Ending::Diverged { frame, .. } => format!("it diverges at frame {frame}"),
        Ending::Moving { frame: 0, .. } => {
            "a single frame exceeds the work limit of the figure".into()
        }
        Ending::Moving { frame, .. } if frame < limit => {
            format!(
                "it is still moving at frame {frame}, when the work limit of the figure was reached"
            )
        }
        Ending::Moving { .. } | Ending::AtRest { .. } => {
            format!("it does not come to rest within {}", counted(limit, "frame"))
        }
    }
}

fn spectrum_of(
    plan: &ReportPlan<'_>,
    subject: &Subject<'_>,
) -> Result<modes::ModeComparison, String> {
    let body = subject.body;
    if !natural::is_small(&body.setup) {
        let maximum = natural::MAX_COORDINATES;
        return Err(format!("it has more than {maximum} free coordinates, the maximum"));
    }
    if let Some(unrest) = plan.unrest(subject) {
        return Err(never_at_rest(unrest));
    }
    let limit = plan.rest_limit(subject);
    let maximum = plan.share(SPECTRA).shared(2);
    let setup = maximum.bound(&body.setup);
    let rest = rest_state(&setup, limit).map_err(|ending| match ending {
        // The run that was lost has other drag than the film.
        Ending::Diverged { .. } => "it diverges".into(),
        ending => restless(ending, limit),
    })?;
    let natural = modes::natural_about(&setup, &rest)
        .ok_or("it has no equilibrium with rigid links to oscillate about")?;
    modes::compare(&setup, &rest, natural, maximum)
        .map_err(|missing| modes_figure::missing(missing).into())
}

fn mode_figures(plan: &ReportPlan<'_>) -> Figures {
    let all: Vec<_> = plan
        .subjects()
        .into_par_iter()
        .map(|subject| {
            let found = spectrum_of(plan, &subject);
            plan.extent.add_one(plan.subjects().len() as u64);
            (subject, found)
        })
        .collect();
    let (found, left_out) = split(all, "No spectrum");
    let highest: Vec<_> = plan
        .subjects()
        .into_iter()
        .zip(plan.predictions())
        .filter_map(|(subject, found)| Some((subject, found.as_ref()?.highest.omega)))
        .collect();
    let mut studies: Vec<Study> = modes_figure::spectra(&found).into_iter().collect();
    studies.push(dispersion_figure::study(&plan.all_subjects(), &highest));
    Figures { studies, left_out }
}

fn shapes(plan: &ReportPlan<'_>) -> Figures {
    let all: Vec<_> = plan
        .subjects()
        .into_par_iter()
        .map(|subject| {
            let body = subject.body;
            let limit = plan.rest_limit(&subject);
            let rule = plan.rest_rule(&subject, limit);
            let setup = Arc::new(plan.patience(SHAPES, &body.setup).bound(&body.setup));
            let continues = |_: &Simulation| {
                plan.extent.add_one(plan.subjects().len() as u64 * limit);
                true
            };
            let settled = settle(&setup, rule, &continues);
            let tip = telling_nodes(&setup).first().copied();
            let is_still = matches!(settled.ending, Ending::AtRest { .. });
            let (solved, unstable) = from_solved(&body.setup, &settled.state.x, is_still);
            let from_solved = solved.as_ref().and_then(|solved| solved.as_ref().ok().copied());
            let fact = RestFacts::new(&setup, &settled, rule, tip);
            let unrest = fact.unrest;
            let fact = RestFacts { solved, unstable, ..fact };
            let found = match settled.ending {
                Ending::AtRest { .. } => Ok(RestShape {
                    from_solved,
                    ..shape(&body.setup, &settled.state, &settled.springs)
                }),
                ending => Err(unrest.map_or_else(|| restless(ending, limit), never_at_rest)),
            };
            (fact, (subject, found))
        })
        .collect();
    let (facts, all): (Vec<RestFacts>, Vec<_>) = all.into_iter().unzip();
    for (index, fact) in facts.into_iter().enumerate() {
        plan.learn(Fact::Rest(index, fact));
    }
    let (found, left_out) = split(all, "No segments at rest");
    Figures { studies: shape_figure::study(&found).into_iter().collect(), left_out }
}

/// Returns the distance of the farthest node from the solved rest of a body, or why there is no
/// rest. Also returns the smallest ω² of an unstable equilibrium if the body is at one that the
/// search for this rest passed. A body that `is_still` must be nearer to that equilibrium than to
/// the rest, and a moving body far nearer. `None` for bodies whose solution would take too long.
fn from_solved(
    setup: &Setup,
    x: &[f64],
    is_still: bool,
) -> (Option<Result<f64, String>>, Option<f64>) {
    if setup.model.nodes() > max_quick_nodes(&setup.model) {
        return (None, None);
    }
    let found = match equilibrium(setup) {
        Ok(found) => found,
        Err(reason) => return (Some(Err(reason.to_string())), None),
    };
    let away = farthest(&setup.model, x, &found.x);
    if let Some([reason, _]) = found.unrest() {
        let is_there = away <= NEAR * setup.model.rest_length();
        return (Some(Err(reason)), found.smallest().filter(|_| is_still && is_there));
    }
    let reach = if is_still { away } else { NEAR * away };
    let left = found.left.as_ref().filter(|left| farthest(&setup.model, x, &left.x) < reach);
    (Some(Ok(away)), left.and_then(|left| left.smallest()))
}
