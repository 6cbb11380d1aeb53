//! Which figures a scene gets, and the runs behind them.

use super::super::args::ReportArgs;
use crate::analysis::{
    modes::{self, natural},
    order,
    rest::rest_state,
    settle::RestRule,
    settling::{over_drag, over_substeps, tip, way},
    shape::shape,
    stability::{map::Map, predict::predict},
};
use crate::figure::study::{
    Study, Subject, energy, modes as modes_figure, order as order_figure, paths,
    settling as settling_figure, shape as shape_figure, stability as stability_figure, strip,
    subjects,
};
use crate::scene::Scene;
use crate::sim::{Outcome, Setup, Simulation, ledger::Gains};
use rayon::prelude::*;
use std::sync::Arc;

/// More bodies than this get no plot of their own in a figure.
const MOST_BODIES: usize = 8;
/// Steps of a spring that one run of a sweep may take.
const MOST_WORK: f64 = 2e8;
/// So many times as far as others, or as its own length, a body that diverges is followed.
const FAR: f64 = 2.0;
/// Periods of the highest mode that a run of the map has to survive, at most.
const MAP_PERIODS: f64 = 300.0;

/// What is asked for.
pub(super) struct Plan<'a> {
    pub(super) frames: u64,
    scene: &'a Scene,
    args: &'a ReportArgs,
}

/// The figures, and why others are missing.
pub(super) struct Made {
    pub(super) studies: Vec<Study>,
    pub(super) left_out: Vec<String>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(scene: &'a Scene, args: &'a ReportArgs) -> Self {
        Self { frames: args.frames.unwrap_or(scene.frames), scene, args }
    }

    /// The bodies that get plots.
    fn subjects(&self) -> Vec<Subject<'a>> {
        let mut all = subjects(self.scene);
        all.truncate(MOST_BODIES);
        all
    }

    fn film_time(&self, setup: &Setup) -> f64 {
        self.frames as f64 * setup.frame_time
    }
}

/// What makes some of the figures.
type Maker = fn(&Plan<'_>) -> Made;

/// Makes all figures; `say` is told what is being worked at.
pub(super) fn all(plan: &Plan<'_>, say: &dyn Fn(&str)) -> Made {
    let mut made = Made { studies: Vec::new(), left_out: Vec::new() };
    let count = subjects(plan.scene).len();
    if count > MOST_BODIES {
        made.left_out.push(format!("Figures show the first {MOST_BODIES} of {count} bodies."));
    }
    let makers: [(&str, Maker); 8] = [
        ("chosen frames", strip_of),
        ("stability", stability),
        ("order", orders),
        ("modes", mode_figures),
        ("shape", shapes),
        ("settling", settling),
        ("energy", energies),
        ("paths", path_figures),
    ];
    for (name, make) in makers {
        say(name);
        let part = make(plan);
        made.studies.extend(part.studies);
        made.left_out.extend(part.left_out);
    }
    made
}

impl Made {
    /// A figure, or the reason why there is none.
    fn or(study: Option<Study>, reason: &str) -> Self {
        let left_out = if study.is_none() { vec![reason.into()] } else { Vec::new() };
        Self { studies: study.into_iter().collect(), left_out }
    }
}

fn strip_of(plan: &Plan<'_>) -> Made {
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

fn stability(plan: &Plan<'_>) -> Made {
    let mut maps = Vec::new();
    for subject in plan.subjects() {
        let body = subject.body;
        let setup = &*body.setup;
        if setup.chooses_its_step() {
            continue;
        }
        let Some(found) = predict(setup, &body.gravity, body.has_reference) else { continue };
        let Some(step) = found.longest_step.filter(|step| step.is_finite()) else { continue };
        let period = 2.0 * std::f64::consts::PI / found.highest.omega;
        let time = plan.film_time(setup).min(MAP_PERIODS * period).max(20.0 * period);
        let middle = setup.frame_time / step;
        let most = (middle * 4.0).max(1.0);
        let work = time / setup.frame_time * most * setup.model.springs.len() as f64;
        if work > 0.1 * MOST_WORK {
            continue;
        }
        // From a quarter of the substeps that are needed to four times as many; stiffness likewise, whose root counts.
        // The scene's own substeps are in it, unless they are far off.
        let own = setup.substeps as f64;
        let (low, high) = (
            (own / 1.5).clamp(middle / 32.0, middle / 4.0),
            (own * 1.5).clamp(middle * 4.0, middle * 32.0),
        );
        let step = libm::log2(high / low) / 24.0;
        let mut substeps: Vec<u64> = (0..=24)
            .map(|i| (low * libm::exp2(f64::from(i) * step)).round().max(1.0) as u64)
            .collect();
        substeps.dedup();
        let factors: Vec<f64> = (-8..=8).map(|i| libm::exp2(f64::from(i) / 2.0)).collect();
        let reference = (&body.gravity[..], body.has_reference);
        let map = Map::measure(setup, reference, substeps, &factors, time);
        maps.extend(map.map(|map| (subject, map)));
    }
    let study = stability_figure::study(&maps);
    Made::or(
        study,
        "No map of stability: no body has a limit that runs of a moderate length could show.",
    )
}

fn orders(plan: &Plan<'_>) -> Made {
    let first = &plan.scene.panels[0].bodies[0];
    let plain = order::undamped(&first.setup);
    let is_damped = plain.forces.len() != first.setup.forces.len();
    match order::orders(&plain) {
        Some(orders) => {
            let damped = if is_damped { order::orders(&first.setup) } else { None };
            let studies = order_figure::studies(&orders, damped.as_ref());
            Made { studies, left_out: Vec::new() }
        }
        None => Made::or(
            None,
            "No figures of order: the first body is too large, or nothing pulls it back.",
        ),
    }
}

fn mode_figures(plan: &Plan<'_>) -> Made {
    let found: Vec<_> = plan
        .subjects()
        .into_par_iter()
        .filter_map(|subject| {
            let body = subject.body;
            if !natural::is_small(&body.setup) {
                return None;
            }
            let limit =
                frames_within_reach(&body.setup, plan.scene.panels[subject.panel].rest.limit);
            let rest = rest_state(&body.setup, &body.gravity, body.has_reference, limit)?;
            let natural =
                modes::natural_about(&body.setup, &body.gravity, body.has_reference, &rest)?;
            let comparison = modes::compare(&body.setup, &rest, natural)?;
            Some((subject, comparison))
        })
        .collect();
    let highest: Vec<_> = plan
        .subjects()
        .into_iter()
        .filter_map(|subject| {
            let body = subject.body;
            let found = predict(&body.setup, &body.gravity, body.has_reference)?;
            Some((subject, found.highest.omega))
        })
        .collect();
    let reason = "No spectrum of the run: bodies are too large for all of their modes, or do not come to rest.";
    let mut made = Made::or(modes_figure::spectra(&found), reason);
    made.studies.push(modes_figure::dispersions(&highest));
    made
}

fn shapes(plan: &Plan<'_>) -> Made {
    let found: Vec<_> = plan
        .subjects()
        .into_par_iter()
        .filter_map(|subject| {
            let body = subject.body;
            let limit =
                frames_within_reach(&body.setup, plan.scene.panels[subject.panel].rest.limit);
            let rule = RestRule::for_body(&body.setup, &body.gravity, None, None, limit);
            let settled = crate::analysis::settle::settle(&body.setup, rule, &|_| true);
            let is_at_rest =
                matches!(settled.ending, crate::analysis::settle::Ending::AtRest { .. });
            is_at_rest.then(|| {
                let found = shape(
                    &body.setup,
                    (&settled.state, &settled.springs),
                    &body.gravity,
                    body.has_reference,
                );
                (subject, found)
            })
        })
        .collect();
    Made::or(shape_figure::study(&found), "No figure of segments at rest: no body came to rest.")
}

/// Frames that a run may go on for.
fn frames_within_reach(setup: &Setup, limit: u64) -> u64 {
    let a_frame = (setup.substeps as usize * setup.model.springs.len()).max(1) as f64;
    limit.min((MOST_WORK / a_frame) as u64).max(1)
}

fn settling(plan: &Plan<'_>) -> Made {
    let mut sweeps = Vec::new();
    let mut most = 0;
    for subject in plan.subjects() {
        let body = subject.body;
        let setup = &*body.setup;
        let mut substeps: Vec<u64> = (-3..=3)
            .map(|i| (setup.substeps as f64 * libm::exp2(f64::from(i))).round().max(1.0) as u64)
            .collect();
        substeps.dedup();
        let finest = Setup { substeps: *substeps.last().unwrap_or(&1), ..setup.clone() };
        let limit = frames_within_reach(&finest, plan.scene.panels[subject.panel].rest.limit);
        most = most.max(limit);
        let rule = RestRule::for_body(setup, &body.gravity, None, None, limit);
        let g = body.gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
        let rate = (g / setup.model.rest_length()).sqrt();
        let rates: Vec<f64> = (-4..=3).map(|i| rate * libm::exp2(f64::from(i))).collect();
        sweeps.push(settling_figure::Sweep {
            substeps: over_substeps(setup, rule, &substeps),
            drag: if rate > 0.0 { over_drag(setup, rule, &rates) } else { Vec::new() },
            subject,
        });
    }
    Made::or(settling_figure::study(&sweeps, most), "No figure of settling.")
}

fn energies(plan: &Plan<'_>) -> Made {
    let mut accounts: Vec<energy::Account<'_>> = plan
        .subjects()
        .into_par_iter()
        .map(|subject| {
            let (moments, residual) = ledger(&subject.body.setup, plan.frames);
            energy::Account { subject, moments, residual }
        })
        .collect();
    // On one scale a body that explodes would flatten all others: it ends where it is far beyond them.
    let is_lost = |account: &energy::Account<'_>| (account.moments.len() as u64) < plan.frames;
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
    Made::or(energy::study(&accounts), "No ledger of energy: there is only one frame.")
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

fn path_figures(plan: &Plan<'_>) -> Made {
    let paths: Vec<paths::Path<'_>> = plan
        .subjects()
        .into_par_iter()
        .map(|subject| {
            let setup = &subject.body.setup;
            let last = setup.model.nodes() - 1;
            let node = plan.args.node.map_or_else(|| tip(setup), |node| node as usize).min(last);
            let mut moments = way(setup, node, plan.frames);
            if (moments.len() as u64) < plan.frames {
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
    let reason = "No path of a node: there is only one frame.";
    let mut made = Made::or(paths::path(&paths), reason);
    made.studies.extend(paths::portrait(&paths));
    made
}
