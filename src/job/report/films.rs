//! Figures of the film itself: chosen frames, energy and the way of a node.

use super::{
    budgets::{ENERGY, PATHS, STRIP},
    plan::{Figures, Plan},
};
use crate::analysis::node_path::{PathEnd, farthest_node, node_path};
use crate::figure::study::{energy, paths, strip};
use crate::sim::{Outcome, Setup, Simulation, run::ledger::Gains};
use rayon::prelude::*;
use std::sync::Arc;

/// A body that diverges is followed until it is so many times as far as the others, or as its own
/// length.
const FAR: f64 = 2.0;

pub(super) fn strip_of(plan: &Plan<'_>) -> Figures {
    let all = plan.subjects();
    let most = plan.share(STRIP);
    let affordable = all.iter().map(|subject| most.frames(&subject.body.setup, plan.frames));
    let last = affordable.min().unwrap_or(plan.frames).max(1) - 1;
    let spread = || (0..5).map(|i| i * last / 4).collect();
    let mut chosen = plan.options.strip.clone().unwrap_or_else(spread);
    chosen.sort_unstable();
    chosen.dedup();
    let panels = all.iter().map(|subject| subject.panel + 1).max().unwrap_or(0);
    let labels: Vec<String> =
        plan.scene.panels[..panels].iter().map(|panel| panel.label.clone()).collect();
    let runs: Vec<Vec<(Vec<f64>, Option<u64>)>> = all
        .par_iter()
        .map(|subject| {
            let each = || plan.extent.add_one(all.len() as u64 * chosen.last().unwrap_or(&0));
            stills(&Arc::new(most.bound(&subject.body.setup)), &chosen, &each)
        })
        .collect();
    let whole = runs.iter().map(Vec::len).min().unwrap_or(0);
    let too_far = chosen.split_off(whole);
    let mut stills = Vec::new();
    for place in 0..chosen.len() {
        let mut row = Vec::new();
        for (subject, run) in all.iter().zip(&runs) {
            let (x, diverged) = run[place].clone();
            row.push(strip::BodyAtFrame { subject: subject.clone(), x, diverged });
        }
        stills.push(row);
    }
    let lost = all.iter().zip(&runs).filter_map(|(subject, run)| {
        let frame = run.last()?.1?;
        Some(format!("{} diverged at frame {frame}.", subject.label))
    });
    let mut made =
        Figures::or(strip::study(&labels, &chosen, &stills), "There is no frame to show.");
    made.left_out.extend(lost);
    let is_cut = plan.options.strip.is_none() && last + 1 < plan.frames;
    if is_cut || !too_far.is_empty() {
        let last = chosen.last().copied().unwrap_or(0);
        made.left_out.push(format!(
            "Chosen frames: none is later than {last}, where the work of the figure is used up."
        ));
    }
    made
}

/// Positions at chosen frames, in rising order, and since when the run has diverged: from there on
/// the positions are those before. Frames beyond the budget of the run are missing. `each` is
/// called after a frame.
fn stills(setup: &Arc<Setup>, chosen: &[u64], each: &dyn Fn()) -> Vec<(Vec<f64>, Option<u64>)> {
    let mut run = Simulation::new(Arc::clone(setup));
    let mut x = run.state().x.clone();
    let mut diverged = None;
    let mut made = Vec::new();
    for &frame in chosen {
        while run.frame() < frame && diverged.is_none() {
            run.advance_frame();
            if run.refusal().is_some() {
                return made;
            }
            each();
            match run.outcome() {
                Outcome::Fine => x.clone_from(&run.state().x),
                Outcome::Diverged { frame, .. } => diverged = Some(frame),
            }
        }
        made.push((x.clone(), diverged));
    }
    made
}

pub(super) fn energies(plan: &Plan<'_>) -> Figures {
    let (mut accounts, notes): (Vec<(energy::EnergyHistory<'_>, PathEnd)>, Vec<Option<String>>) =
        plan.subjects()
            .into_par_iter()
            .map(|subject| {
                let setup = plan.share(ENERGY).bound(&subject.body.setup);
                let each = || plan.extent.add_one(plan.subjects().len() as u64 * plan.frames);
                let (moments, residual, end) = ledger(Arc::new(setup), plan.frames, &each);
                let notes = short(plan, &subject.label, "energy", moments.len(), end);
                ((energy::EnergyHistory { subject, moments, residual }, end), notes)
            })
            .unzip();
    // On one scale a body that explodes would flatten all others, so its curve ends where it is far
    // beyond them.
    let is_lost = |(_, end): &&(energy::EnergyHistory<'_>, PathEnd)| *end == PathEnd::Diverged;
    let greatest =
        |moments: &[Entry]| moments.iter().map(|moment| moment.1.abs()).fold(0.0, f64::max);
    let calm = accounts.iter().filter(|account| !is_lost(account));
    let most = FAR * calm.map(|(account, _)| greatest(&account.moments)).fold(0.0, f64::max);
    for (account, _) in accounts.iter_mut().filter(|account| is_lost(&&**account)) {
        if most > 0.0 {
            let end = account.moments.iter().position(|moment| moment.1.abs() > most);
            account.moments.truncate(end.unwrap_or(account.moments.len()));
        }
    }
    let accounts: Vec<_> = accounts.into_iter().map(|(account, _)| account).collect();
    let mut made =
        Figures::or(energy::study(&accounts), "No ledger of energy: there is no second frame.");
    made.left_out.extend(notes.into_iter().flatten());
    made
}

/// Time, change of the energy since the start, and the gains that make it up.
type Entry = (f64, f64, Gains);

/// The ledger of a run since its start, frame by frame; the greatest residual as a share of the
/// energy turned over; and how the run ended. `each` is called after a frame.
fn ledger(setup: Arc<Setup>, frames: u64, each: &dyn Fn()) -> (Vec<Entry>, f64, PathEnd) {
    let mut run = Simulation::new(setup);
    run.keep_ledger();
    let (mut moments, mut worst) = (Vec::new(), 0.0_f64);
    for frame in 0..frames {
        if frame > 0 {
            run.advance_frame();
        }
        if let Some(end) = PathEnd::end(&run) {
            return (moments, worst, end);
        }
        let Some(sum) = run.ledger().map(|ledger| ledger.run) else { break };
        moments.push((run.state().t, sum.change(), sum.gains));
        each();
        if sum.turned_over > 0.0 {
            worst = worst.max(sum.residual().abs() / sum.turned_over);
        }
    }
    (moments, worst, PathEnd::Whole)
}

/// The note on a run that used up its budget.
fn short(
    plan: &Plan<'_>,
    label: &str,
    figure: &str,
    frames: usize,
    end: PathEnd,
) -> Option<String> {
    (end == PathEnd::Refused).then(|| plan.shortened(label, figure, frames))
}

pub(super) fn path_figures(plan: &Plan<'_>) -> Figures {
    let (paths, notes): (Vec<paths::NodePath<'_>>, Vec<Option<String>>) = plan
        .subjects()
        .into_par_iter()
        .map(|subject| {
            let setup = &subject.body.setup;
            let last = setup.model.nodes() - 1;
            let node = plan
                .options
                .node
                .map_or_else(|| farthest_node(setup), |node| node as usize)
                .min(last);
            let bound = Arc::new(plan.share(PATHS).bound(setup));
            let (mut moments, end) = node_path(&bound, node, plan.frames);
            plan.extent.add_one(plan.subjects().len() as u64);
            let name = "path and phase portrait";
            let note = short(plan, &subject.label, name, moments.len(), end);
            if end == PathEnd::Diverged {
                // The path of a body that explodes ends where it is far from anything.
                let most = FAR * setup.model.rest_length();
                let start = moments.first().map_or([0.0; 3], |moment| moment.x);
                let far = |x: &[f64; 3]| x.iter().zip(&start).any(|(x, s)| (x - s).abs() > most);
                let end = moments.iter().position(|moment| far(&moment.x));
                moments.truncate(end.unwrap_or(moments.len()));
            }
            (paths::NodePath { node, moments, subject }, note)
        })
        .unzip();
    let reason = "No path of a node: there is no second frame.";
    let mut made = Figures::or(paths::path(&paths), reason);
    made.studies.extend(paths::portrait(&paths));
    made.left_out.extend(notes.into_iter().flatten());
    made
}
