//! Which figures a scene gets, and the runs behind them.

use super::super::args::ReportArgs;
use super::{films, maps};
use crate::analysis::{
    budget::Amount,
    modes::{self, natural},
    order::{self, Damping},
    rest::rest_state,
    settle::{Ending, RestRule, settle},
    settling::{over_drag, over_substeps},
    shape::shape,
    stability::predict::predict,
};
use crate::figure::study::{
    Study, Subject, modes as modes_figure, order as order_figure, settling as settling_figure,
    shape as shape_figure, subjects,
};
use crate::scene::Scene;
use crate::sim::Setup;
use rayon::prelude::*;

/// More bodies than this get no plot of their own in a figure.
const MOST_BODIES: usize = 8;
/// What one run until rest may take: of a body at rest, or of one variant.
const REST: Amount = Amount { seconds: 2.4 };
/// What a run of the whole film, frame by frame, may take.
const FILM: Amount = Amount { seconds: 20.0 };

/// What is asked for.
pub(super) struct Plan<'a> {
    pub(super) frames: u64,
    pub(super) scene: &'a Scene,
    pub(super) args: &'a ReportArgs,
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
    pub(super) fn subjects(&self) -> Vec<Subject<'a>> {
        let mut all = subjects(self.scene);
        all.truncate(MOST_BODIES);
        all
    }

    pub(super) fn film_time(&self, setup: &Setup) -> f64 {
        self.frames as f64 * setup.frame_time
    }

    /// How many frames of the film a figure may follow a body.
    pub(super) fn affordable(&self, subject: &Subject<'_>) -> u64 {
        FILM.frames(&subject.body.setup, self.frames)
    }

    /// Which bodies a figure follows for less than the film.
    pub(super) fn shortened(&self, figure: &str) -> Vec<String> {
        let short = |subject: Subject<'_>| {
            let frames = self.affordable(&subject);
            (frames < self.frames).then(|| {
                let label = subject.label;
                format!("{label}: {figure} of {frames} frames of {}, which use up the work of the figure.", self.frames)
            })
        };
        self.subjects().into_iter().filter_map(short).collect()
    }

    /// Frames that a run until rest may take, of those that the scene allows.
    fn rest_limit(&self, subject: &Subject<'_>, setup: &Setup) -> u64 {
        REST.frames(setup, self.scene.panels[subject.panel].rest.limit)
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
        ("chosen frames", films::strip_of),
        ("stability", maps::stability),
        ("order", orders),
        ("modes", mode_figures),
        ("shape", shapes),
        ("settling", settling),
        ("energy", films::energies),
        ("paths", films::path_figures),
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
    pub(super) fn or(study: Option<Study>, reason: &str) -> Self {
        let left_out = if study.is_none() { vec![reason.into()] } else { Vec::new() };
        Self { studies: study.into_iter().collect(), left_out }
    }
}

fn orders(plan: &Plan<'_>) -> Made {
    let setup = &plan.scene.panels[0].bodies[0].setup;
    match order::orders(setup, Damping::Without) {
        Ok(orders) => {
            let damped = order::is_damped(setup).then(|| order::orders(setup, Damping::With));
            let studies = order_figure::studies(&orders, damped.as_ref());
            Made { studies, left_out: Vec::new() }
        }
        Err(reason) => Made::or(None, &order_figure::missing(reason)),
    }
}

/// A figure's part for each body, or why a body has none.
fn split<'a, T>(
    all: Vec<(Subject<'a>, Result<T, String>)>,
    what: &str,
) -> (Vec<(Subject<'a>, T)>, Vec<String>) {
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    for (subject, part) in all {
        match part {
            Ok(part) => found.push((subject, part)),
            Err(reason) => left_out.push(format!("{what} of {}: {reason}.", subject.label)),
        }
    }
    (found, left_out)
}

/// Why nothing is run.
const TOO_LONG: &str = "one frame alone takes more work than the figure may";

fn restless(limit: u64) -> String {
    format!("it does not come to rest within {limit} frames")
}

fn spectrum_of(plan: &Plan<'_>, subject: &Subject<'_>) -> Result<modes::Comparison, String> {
    let body = subject.body;
    if !natural::is_small(&body.setup) {
        let most = natural::MOST_COORDINATES;
        return Err(format!("it has more than {most} free coordinates"));
    }
    let limit = plan.rest_limit(subject, &body.setup);
    if limit == 0 {
        return Err(TOO_LONG.into());
    }
    let rest = rest_state(&body.setup, &body.gravity, body.has_reference, limit)
        .ok_or_else(|| restless(limit))?;
    let natural = modes::natural_about(&body.setup, &body.gravity, body.has_reference, &rest)
        .ok_or("there is no shape of rigid links to swing about")?;
    modes::compare(&body.setup, &rest, natural)
        .map_err(|missing| modes_figure::missing(missing).into())
}

fn mode_figures(plan: &Plan<'_>) -> Made {
    let all: Vec<_> = plan
        .subjects()
        .into_par_iter()
        .map(|subject| {
            let found = spectrum_of(plan, &subject);
            (subject, found)
        })
        .collect();
    let (found, left_out) = split(all, "No spectrum");
    let highest: Vec<_> = plan
        .subjects()
        .into_iter()
        .filter_map(|subject| {
            let body = subject.body;
            let found = predict(&body.setup, &body.gravity, body.has_reference)?;
            Some((subject, found.highest.omega))
        })
        .collect();
    let mut studies: Vec<Study> = modes_figure::spectra(&found).into_iter().collect();
    studies.push(modes_figure::dispersions(&highest));
    Made { studies, left_out }
}

fn shapes(plan: &Plan<'_>) -> Made {
    let all: Vec<_> = plan
        .subjects()
        .into_par_iter()
        .map(|subject| {
            let body = subject.body;
            let limit = plan.rest_limit(&subject, &body.setup);
            if limit == 0 {
                return (subject, Err(TOO_LONG.into()));
            }
            let rule = RestRule::for_body(&body.setup, &body.gravity, None, None, limit);
            let settled = settle(&body.setup, rule, &|_| true);
            let found = match settled.ending {
                Ending::AtRest { .. } => Ok(shape(
                    &body.setup,
                    (&settled.state, &settled.springs),
                    &body.gravity,
                    body.has_reference,
                )),
                Ending::Moving { .. } => Err(restless(limit)),
                Ending::Diverged { frame } => Err(format!("it diverges at frame {frame}")),
            };
            (subject, found)
        })
        .collect();
    let (found, left_out) = split(all, "No segments at rest");
    Made { studies: shape_figure::study(&found).into_iter().collect(), left_out }
}

fn settling(plan: &Plan<'_>) -> Made {
    let (mut sweeps, mut left_out) = (Vec::new(), Vec::new());
    for subject in plan.subjects() {
        let body = subject.body;
        let setup = &*body.setup;
        let mut substeps: Vec<u64> = (-3..=3)
            .map(|i| (setup.substeps as f64 * libm::exp2(f64::from(i))).round().max(1.0) as u64)
            .collect();
        substeps.dedup();
        let finest = Setup { substeps: *substeps.last().unwrap_or(&1), ..setup.clone() };
        let limit = plan.rest_limit(&subject, &finest);
        let asked = plan.scene.panels[subject.panel].rest.limit;
        if limit < asked {
            left_out.push(format!(
                "{}: variants are followed for {limit} frames of {asked} towards rest, which use up their work.",
                subject.label
            ));
        }
        if limit == 0 {
            continue;
        }
        let rule = RestRule::for_body(setup, &body.gravity, None, None, limit);
        let g = body.gravity.iter().map(|g| g * g).sum::<f64>().sqrt();
        let rate = (g / setup.model.rest_length()).sqrt();
        let rates: Vec<f64> = (-4..=3).map(|i| rate * libm::exp2(f64::from(i))).collect();
        sweeps.push(settling_figure::Sweep {
            substeps: over_substeps(setup, rule, &substeps),
            drag: if rate > 0.0 { over_drag(setup, rule, &rates) } else { Vec::new() },
            limit,
            subject,
        });
    }
    Made { studies: settling_figure::study(&sweeps).into_iter().collect(), left_out }
}
