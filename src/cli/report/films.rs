//! Figures of the film itself: chosen frames, energy and the way of a node.

use super::studies::{Made, Plan};
use crate::analysis::settling::{tip, way};
use crate::figure::study::{energy, paths, strip};
use crate::sim::{Outcome, Setup, Simulation, ledger::Gains};
use rayon::prelude::*;
use std::sync::Arc;

/// So many times as far as others, or as its own length, a body that diverges is followed.
const FAR: f64 = 2.0;

pub(super) fn strip_of(plan: &Plan<'_>) -> Made {
    let last = plan.frames - 1;
    let mut chosen =
        plan.args.strip.clone().unwrap_or_else(|| (0..5).map(|i| i * last / 4).collect());
    chosen.sort_unstable();
    chosen.dedup();
    let all = plan.subjects();
    let panels = all.iter().map(|subject| subject.panel + 1).max().unwrap_or(0);
    let labels: Vec<String> =
        plan.scene.panels[..panels].iter().map(|panel| panel.label.clone()).collect();
    let runs: Vec<Vec<(Vec<f64>, Option<u64>)>> =
        all.par_iter().map(|subject| stills(&subject.body.setup, &chosen)).collect();
    let mut stills = Vec::new();
    for place in 0..chosen.len() {
        let mut row = Vec::new();
        for (subject, run) in all.iter().zip(&runs) {
            let (x, diverged) = run[place].clone();
            row.push(strip::Still { subject: subject.clone(), x, diverged });
        }
        stills.push(row);
    }
    let lost = all.iter().zip(&runs).filter_map(|(subject, run)| {
        let frame = run.last()?.1?;
        Some(format!("{} diverged at frame {frame}.", subject.label))
    });
    let mut made = Made::or(strip::study(&labels, &chosen, &stills), "There is no frame to show.");
    made.left_out.extend(lost);
    made
}

/// Positions at chosen frames, rising; the last ones in order where the run has diverged, and since when.
fn stills(setup: &Arc<Setup>, chosen: &[u64]) -> Vec<(Vec<f64>, Option<u64>)> {
    let mut run = Simulation::new(Arc::clone(setup));
    let mut x = run.state().x.clone();
    let mut diverged = None;
    let mut made = Vec::new();
    for &frame in chosen {
        while run.frame() < frame && diverged.is_none() {
            run.advance_frame();
            match run.outcome() {
                Outcome::Fine => x.clone_from(&run.state().x),
                Outcome::Diverged { frame, .. } => diverged = Some(frame),
            }
        }
        made.push((x.clone(), diverged));
    }
    made
}

pub(super) fn energies(plan: &Plan<'_>) -> Made {
    let mut accounts: Vec<energy::Account<'_>> = plan
        .subjects()
        .into_par_iter()
        .map(|subject| {
            let frames = plan.affordable(&subject);
            let (moments, residual) = ledger(&subject.body.setup, frames);
            energy::Account { subject, moments, residual }
        })
        .collect();
    // On one scale a body that explodes would flatten all others: it ends where it is far beyond them.
    let is_lost = |account: &energy::Account<'_>| {
        (account.moments.len() as u64) < plan.affordable(&account.subject)
    };
    let greatest =
        |moments: &[Entry]| moments.iter().map(|moment| moment.1.abs()).fold(0.0, f64::max);
    let calm = accounts.iter().filter(|account| !is_lost(account));
    let most = FAR * calm.map(|account| greatest(&account.moments)).fold(0.0, f64::max);
    for account in accounts.iter_mut().filter(|account| is_lost(account)) {
        if most > 0.0 {
            let end = account.moments.iter().position(|moment| moment.1.abs() > most);
            account.moments.truncate(end.unwrap_or(account.moments.len()));
        }
    }
    let mut made =
        Made::or(energy::study(&accounts), "No ledger of energy: there is no second frame.");
    made.left_out.extend(plan.shortened("energy"));
    made
}

/// Time, change of the energy since the start, and what came from where.
type Entry = (f64, f64, Gains);

/// The ledger of a run since its start, frame by frame up to where it diverges, and the greatest residual as a share of what was turned over.
fn ledger(setup: &Arc<Setup>, frames: u64) -> (Vec<Entry>, f64) {
    let mut run = Simulation::new(Arc::clone(setup));
    run.keep_ledger();
    let (mut moments, mut worst) = (Vec::new(), 0.0_f64);
    for frame in 0..frames {
        if frame > 0 {
            run.advance_frame();
        }
        if run.outcome() != Outcome::Fine {
            break;
        }
        let Some(sum) = run.ledger().map(|ledger| ledger.run) else { break };
        moments.push((run.state().t, sum.change(), sum.gains));
        if sum.turned_over > 0.0 {
            worst = worst.max(sum.residual().abs() / sum.turned_over);
        }
    }
    (moments, worst)
}

pub(super) fn path_figures(plan: &Plan<'_>) -> Made {
    let paths: Vec<paths::Path<'_>> = plan
        .subjects()
        .into_par_iter()
        .map(|subject| {
            let setup = &subject.body.setup;
            let last = setup.model.nodes() - 1;
            let node = plan.args.node.map_or_else(|| tip(setup), |node| node as usize).min(last);
            let frames = plan.affordable(&subject);
            let mut moments = way(setup, node, frames);
            if (moments.len() as u64) < frames {
                // A body that explodes ends where it is far from anything.
                let most = FAR * setup.model.rest_length();
                let start = moments.first().map_or([0.0; 3], |moment| moment.x);
                let far = |x: &[f64; 3]| x.iter().zip(&start).any(|(x, s)| (x - s).abs() > most);
                let end = moments.iter().position(|moment| far(&moment.x));
                moments.truncate(end.unwrap_or(moments.len()));
            }
            paths::Path { node, moments, subject }
        })
        .collect();
    let reason = "No path of a node: there is no second frame.";
    let mut made = Made::or(paths::path(&paths), reason);
    made.studies.extend(paths::portrait(&paths));
    made.left_out.extend(plan.shortened("path and phase portrait"));
    made
}
