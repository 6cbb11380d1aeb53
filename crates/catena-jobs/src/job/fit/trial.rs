//! Short fits of many programs, which tell where a whole fit is worth its time.

use super::runs::{Datum, Runs};
use super::{FitOptions, parameters};
use catena_analysis::fit::{Parameter, fit as least_squares, other_starts};
use catena_scene::Scene;
use catena_sim::Setup;
use std::cell::Cell;
use std::sync::Arc;

/// Maximum number of iterations. A program that needs more is not the one that wrote the data.
const MOST_ITERATIONS: u64 = 40;
/// Number of starts of a scan from which a fit searches.
const STARTS: usize = 3;

/// Returns the setup of a body with other settings, as the runs of a short fit have it.
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
    /// Estimates.
    pub(in crate::job) values: Vec<f64>,
}

/// Fits fields of a body that has other settings to some data. `None` if no run can be compared.
pub(in crate::job) fn trial(
    scene: &Scene,
    options: &FitOptions,
    settings: &[(String, String)],
    data: &[Datum],
) -> Option<Trial> {
    let parameters = parameters(scene, options).ok()?;
    let body = scene.variation(options.panel, options.body, &options.limits)?;
    let runs = Runs::new(&body, &options.vary, data).of(settings);
    search(&runs, &parameters)
}

/// Fits like [`trial`], also from the best starts of a scan.
pub(in crate::job) fn scanned_trial(
    scene: &Scene,
    options: &FitOptions,
    settings: &[(String, String)],
    data: &[Datum],
) -> Option<Trial> {
    let parameters = parameters(scene, options).ok()?;
    let body = scene.variation(options.panel, options.body, &options.limits)?;
    let runs = Runs::new(&body, &options.vary, data).of(settings);
    let starts = other_starts(&runs, &parameters).into_iter().take(STARTS);
    let begun = |start: Vec<f64>| {
        let begin = |(it, start): (&Parameter, f64)| Parameter { start, ..it.clone() };
        let parameters: Vec<Parameter> = parameters.iter().zip(start).map(begin).collect();
        search(&runs, &parameters)
    };
    let first = search(&runs.begun_with_first_frames(), &parameters);
    let all = starts.filter_map(begun).chain(search(&runs, &parameters)).chain(first);
    all.min_by(|a, b| a.rms.total_cmp(&b.rms))
}

fn search(runs: &Runs<'_>, parameters: &[Parameter]) -> Option<Trial> {
    let iterations = Cell::new(0);
    let proceeds = || {
        iterations.set(iterations.get() + 1);
        iterations.get() < MOST_ITERATIONS
    };
    let fitted = least_squares(runs, parameters, &proceeds).ok()?;
    let values = fitted.estimates.iter().map(|it| it.value).collect();
    Some(Trial { rms: fitted.rms, values })
}
