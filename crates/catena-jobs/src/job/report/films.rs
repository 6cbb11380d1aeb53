//! Figures of the film itself: energy, and paths of nodes.

use super::{
    budgets::{ENERGY, PATHS},
    plan::{Figures, MAX_BODIES, ReportPlan},
};
use catena_analysis::node_path::{NodeMoment, PathEnd, node_paths, telling_nodes};
use catena_sim::{Outcome, Setup, Simulation};
use catena_study::figure::findings::{Fact, FilmFacts};
use catena_study::figure::study::{Study, energy, energy_total, paths};
use rayon::prelude::*;
use std::sync::Arc;

/// Maximum extent of the chart for a diverging body, as a multiple of the range of the other bodies
/// or of its own length.
const FAR: f64 = 2.0;

pub(super) fn energies(plan: &ReportPlan<'_>) -> Figures {
    let all = plan.all_subjects().len() as u64 * plan.frames;
    let (mut accounts, notes): (Vec<energy::EnergyHistory<'_>>, Vec<Option<String>>) = plan
        .all_subjects()
        .into_par_iter()
        .map(|subject| {
            let setup = plan.share_of_all(ENERGY).bound(&subject.body.setup);
            let run = LedgerRun::of(Arc::new(setup), plan.frames, &|| plan.extent.add_one(all));
            let note = short(plan, &subject.label, "energy", run.moments.len(), run.end);
            let LedgerRun { moments, max_kinetic, residual, diverged, end } = run;
            let shown = moments.len();
            let is_cut = end == PathEnd::Diverged;
            let history = energy::EnergyHistory {
                subject,
                moments,
                max_kinetic,
                residual,
                diverged,
                is_cut,
                shown,
            };
            (history, note)
        })
        .unzip();
    for (index, account) in accounts.iter().enumerate() {
        let gains = account.moments.iter().map(|(_, _, gains)| gains);
        plan.learn(Fact::Film(index, FilmFacts::new(gains, account.diverged)));
    }
    // On a common scale an exploding body would flatten all others, so its areas are cut off.
    let greatest = |moments: &[energy::Moment]| {
        moments.iter().map(|moment| moment.1.abs()).fold(0.0, f64::max)
    };
    let calm = accounts.iter().filter(|account| account.diverged.is_none());
    let calm = calm.map(|account| greatest(&account.moments)).fold(0.0, f64::max);
    for account in accounts.iter_mut().filter(|account| account.diverged.is_some()) {
        // If all bodies diverge, the values before the divergence set the scale.
        let until = account.diverged.map_or(0, |frame| frame as usize).min(account.shown);
        let maximum = FAR * if calm > 0.0 { calm } else { greatest(&account.moments[..until]) };
        let end = account.moments.iter().position(|moment| moment.1.abs() > maximum);
        account.shown = end.unwrap_or(account.shown);
    }
    let total = energy_total::study(&accounts);
    accounts.truncate(MAX_BODIES);
    let mut made = Figures::or(total, "No energy ledger: it needs at least two frames.");
    made.studies.extend(energy::study(&accounts));
    made.left_out.extend(notes.into_iter().flatten());
    made
}

/// Energy ledger of a run from its start, frame by frame. Includes frames after a divergence.
struct LedgerRun {
    moments: Vec<energy::Moment>,
    /// Maximum kinetic energy before the divergence.
    max_kinetic: f64,
    /// Maximum residual before the divergence, as a share of the energy turnover.
    residual: f64,
    diverged: Option<u64>,
    /// End of the run. `Diverged` means that its numbers are no longer finite.
    end: PathEnd,
}

impl LedgerRun {
    /// Simulates the run. `each` is called after every frame.
    fn of(setup: Arc<Setup>, frames: u64, each: &dyn Fn()) -> Self {
        let mut run = Simulation::new(setup);
        run.keep_ledger();
        let (moments, residual, diverged) = (Vec::new(), 0.0_f64, None);
        let (end, max_kinetic) = (PathEnd::Whole, 0.0);
        let mut made = Self { moments, max_kinetic, residual, diverged, end };
        for frame in 0..frames {
            if frame > 0 {
                run.advance_frame();
            }
            if run.refusal().is_some() {
                made.end = PathEnd::Refused;
                break;
            }
            if let Outcome::Diverged { frame, .. } = run.outcome() {
                made.diverged = Some(frame);
            }
            let Some(sum) = run.ledger().map(|ledger| ledger.run) else { break };
            if !sum.change().is_finite() {
                made.end = PathEnd::Diverged;
                break;
            }
            made.moments.push((run.state().t, sum.change(), sum.gains));
            each();
            if made.diverged.is_none() {
                made.max_kinetic = made.max_kinetic.max(sum.end.kinetic);
            }
            if sum.turned_over > 0.0 && made.diverged.is_none() {
                made.residual = made.residual.max(sum.residual().abs() / sum.turned_over);
            }
        }
        made
    }
}

/// Note about a run that exhausted its budget.
fn short(
    plan: &ReportPlan<'_>,
    label: &str,
    figure: &str,
    frames: usize,
    end: PathEnd,
) -> Option<String> {
    (end == PathEnd::Refused).then(|| plan.shortened(label, figure, frames))
}

pub(super) fn path_figures(plan: &ReportPlan<'_>) -> Figures {
    let is_one_of_many = plan.subjects().len() > 3;
    let (mut bodies, notes): (Vec<paths::BodyPaths<'_>>, Vec<Option<String>>) = plan
        .subjects()
        .into_par_iter()
        .map(|subject| {
            let setup = &subject.body.setup;
            let last = setup.model.nodes() - 1;
            let mut nodes = match &plan.options.nodes {
                Some(nodes) => nodes.iter().map(|&node| (node as usize).min(last)).collect(),
                None => telling_nodes(setup),
            };
            // Node numbers beyond the end of a short body refer to its last node.
            let mut known = Vec::new();
            nodes.retain(|node| {
                !known.contains(node) && {
                    known.push(*node);
                    true
                }
            });
            let bound = Arc::new(plan.share(PATHS).bound(setup));
            let (moments, end) = node_paths(&bound, &nodes, plan.frames);
            plan.extent.add_one(plan.subjects().len() as u64);
            let name = "paths, phase portraits and spectra";
            let count = moments.first().map_or(0, Vec::len);
            let note = short(plan, &subject.label, name, count, end);
            let is_lost = end == PathEnd::Diverged;
            let nodes = nodes.into_iter().zip(moments);
            let nodes = nodes.map(|(node, moments)| paths::NodePath { node, moments }).collect();
            (paths::BodyPaths { nodes, subject, is_one_of_many, is_lost }, note)
        })
        .unzip();
    end_where_far(&mut bodies);
    let studies: Vec<Study> = paths::studies(&bodies);
    let reason = "No paths of nodes: they need at least two frames.";
    let none = studies.is_empty().then(|| reason.to_string());
    let left_out = none.into_iter().chain(notes.into_iter().flatten()).collect();
    Figures { studies, left_out }
}

/// Cuts off the paths of diverged bodies where they are far away, or far faster than all other
/// bodies.
fn end_where_far(bodies: &mut [paths::BodyPaths<'_>]) {
    let speed = |moment: &NodeMoment| moment.v.iter().map(|v| v * v).sum::<f64>().sqrt();
    let calm = bodies.iter().filter(|body| !body.is_lost);
    let moments = calm.flat_map(|body| body.nodes.iter().flat_map(|path| &path.moments));
    let fast = FAR * moments.map(speed).fold(0.0, f64::max);
    for body in bodies.iter_mut().filter(|body| body.is_lost) {
        let far = FAR * body.subject.body.setup.model.rest_length();
        let is_over = |path: &paths::NodePath, moment: &NodeMoment| {
            let start = path.moments.first().map_or([0.0; 3], |moment| moment.x);
            let is_far = moment.x.iter().zip(&start).any(|(x, s)| (x - s).abs() > far);
            is_far || (fast > 0.0 && speed(moment) > fast)
        };
        let end = |path: &paths::NodePath| path.moments.iter().position(|it| is_over(path, it));
        // All nodes of a body are cut off at the same time.
        if let Some(end) = body.nodes.iter().filter_map(end).min() {
            body.nodes.iter_mut().for_each(|path| path.moments.truncate(end));
        }
    }
}
