//! Short fits of many programs, which tell where a whole fit is worth its time.

use super::runs::{Datum, Runs};
use super::{FitOptions, parameters};
use catena_analysis::fit::fit as least_squares;
use catena_scene::Scene;
use catena_sim::Setup;
use std::cell::Cell;
use std::sync::Arc;

/// Maximum number of iterations. A program that needs more is not the one that wrote the data.
const MOST_ITERATIONS: u64 = 40;

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

/// Fits fields of a body that has other settings to some data. Returns the root mean square of the
/// residuals. `None` if no run can be compared.
pub(in crate::job) fn trial(
    scene: &Scene,
    options: &FitOptions,
    settings: &[(String, String)],
    data: &[Datum],
) -> Option<f64> {
    let parameters = parameters(scene, options).ok()?;
    let body = scene.variation(options.panel, options.body, &options.limits)?;
    let runs = Runs::new(&body, &options.vary, data).of(settings);
    let iterations = Cell::new(0);
    let proceeds = || {
        iterations.set(iterations.get() + 1);
        iterations.get() < MOST_ITERATIONS
    };
    let fitted = least_squares(&runs, &parameters, &proceeds).ok()?;
    Some(fitted.rms)
}
