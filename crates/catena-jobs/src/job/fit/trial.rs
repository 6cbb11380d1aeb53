//! Short fits of many programs, which show whether a whole fit is worth its time.

use super::runs::{Datum, Runs};
use super::{FitOptions, parameters};
use catena_analysis::fit::{Parameter, Residuals, fit as least_squares, other_starts};
use catena_scene::Scene;
use catena_sim::Setup;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Maximum number of iterations. A program that needs more is not the one that wrote the data.
const MAX_ITERATIONS: usize = 40;
/// Number of iterations without a worthwhile gain after which a fit far from the data ends.
const PATIENCE: usize = 4;
/// Maximum ratio of the residuals after and before a worthwhile gain.
const WORTHWHILE: f64 = 0.9;
/// Minimum residual of a fit that is far from the data, as a multiple of the residual that the
/// digits of the data explain.
const HOPELESS: f64 = 10.0;
/// Maximum number of starts from a scan.
const STARTS: usize = 3;

/// Returns the setup of a body with other settings, as in the runs of a short fit.
pub(in crate::job) fn setup_of(
    scene: &Scene,
    options: &FitOptions,
    settings: &[(String, String)],
) -> Option<Arc<Setup>> {
    let body = scene.variation(options.panel, options.body, &options.limits)?;
    let settings: Vec<_> =
        settings.iter().map(|(path, value)| (path.as_str(), value.clone())).collect();
    body.setup(&settings).ok()
}

/// Result of a short fit.
pub(in crate::job) struct Trial {
    /// Root mean square of the residuals.
    pub(in crate::job) rms: f64,
    /// Estimated values.
    pub(in crate::job) values: Vec<f64>,
}

/// Fits fields of a body with other settings to data. `goal` is the residual that the digits of the
/// data explain: far above it, the search ends when it no longer improves. `None` if no run can be
/// compared with the data.
pub(in crate::job) fn trial(
    scene: &Scene,
    options: &FitOptions,
    settings: &[(String, String)],
    data: &[Datum],
    goal: f64,
) -> Option<Trial> {
    with_runs(scene, options, settings, data, |runs, parameters| search(runs, parameters, goal))
}

/// Fits like [`trial`], and also from the best starts of a scan. Returns the best result.
pub(in crate::job) fn scanned_trial(
    scene: &Scene,
    options: &FitOptions,
    settings: &[(String, String)],
    data: &[Datum],
    goal: f64,
) -> Option<Trial> {
    with_runs(scene, options, settings, data, |runs, parameters| {
        let starts = other_starts(runs, parameters).into_iter().take(STARTS);
        let begun = |start: Vec<f64>| {
            let begin = |(it, start): (&Parameter, f64)| Parameter { start, ..it.clone() };
            let parameters: Vec<Parameter> = parameters.iter().zip(start).map(begin).collect();
            search(runs, &parameters, goal)
        };
        let first = search(&runs.begun_with_first_frames(), parameters, goal);
        let all = starts.filter_map(begun).chain(search(runs, parameters, goal)).chain(first);
        all.min_by(|a, b| a.rms.total_cmp(&b.rms))
    })
}

/// Calls `fit` with the runs of a body with other settings, and with the parameters that vary.
fn with_runs(
    scene: &Scene,
    options: &FitOptions,
    settings: &[(String, String)],
    data: &[Datum],
    fit: impl FnOnce(&Runs<'_>, &[Parameter]) -> Option<Trial>,
) -> Option<Trial> {
    let parameters = parameters(scene, options).ok()?;
    let body = scene.variation(options.panel, options.body, &options.limits)?;
    fit(&Runs::new(&body, &options.vary, data).of(settings), &parameters)
}

/// Runs that record their minimum residual over all data.
struct Watched<'a> {
    runs: &'a Runs<'a>,
    minimum: Cell<f64>,
}

impl Residuals for Watched<'_> {
    fn parts(&self) -> usize {
        self.runs.parts()
    }

    fn share(&self, part: usize) -> f64 {
        self.runs.share(part)
    }

    fn at(&self, points: &[Vec<f64>], part: usize) -> Vec<Option<Vec<f64>>> {
        let found = self.runs.at(points, part);
        if part + 1 == self.parts() {
            let mean = |all: &Vec<f64>| {
                let squares: f64 = all.iter().map(|it| it * it).sum();
                (squares / all.len().max(1) as f64).sqrt()
            };
            let minimum = found.iter().flatten().map(mean).fold(self.minimum.get(), f64::min);
            self.minimum.set(minimum);
        }
        found
    }
}

fn search(runs: &Runs<'_>, parameters: &[Parameter], goal: f64) -> Option<Trial> {
    let watched = Watched { runs, minimum: Cell::new(f64::INFINITY) };
    let history = RefCell::new(Vec::new());
    let proceeds = || {
        let (mut history, minimum) = (history.borrow_mut(), watched.minimum.get());
        history.push(minimum);
        let before = history.len().checked_sub(PATIENCE + 1).and_then(|at| history.get(at));
        let is_stuck = before.is_some_and(|before| minimum > WORTHWHILE * before);
        let is_far = minimum.is_finite() && minimum > HOPELESS * goal;
        history.len() < MAX_ITERATIONS && !(is_far && is_stuck)
    };
    let fitted = least_squares(&watched, parameters, &proceeds).ok()?;
    let values = fitted.estimates.iter().map(|it| it.value).collect();
    Some(Trial { rms: fitted.rms, values })
}
