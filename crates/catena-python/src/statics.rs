//! Rest of each body, from the balance of forces.

use crate::{data::of_json, errors, options, scene::Scene, waiting::wait_for};
use catena::analysis::statics::Friction;
use catena::job::{self, Interruption, StaticsOptions};
use pyo3::prelude::*;

/// Finds the rest of each body from the balance of its forces, as catena statics does.
///
/// No time passes, so neither damping nor steps matter. A body without rest has the reason and what
/// to do instead.
///
/// With friction, contacts that slid from the start to the rest have their whole friction
/// (Coulomb's limit) instead of none.
///
/// Returns a dict: scene, and bodies, one dict each: panel, label, method, rest, and with a rest
/// positions, tensions, pins with forces and moments, contacts, residual, iterations, stability,
/// modes with omega_squared and shape, length, time, left, warnings and more; otherwise reason
/// and help. An unstable balance has rest false, and all of these.
#[pyfunction]
#[pyo3(signature = (scene, *, friction=false, minutes=None, unlimited=false, threads=None))]
pub(crate) fn statics<'py>(
    py: Python<'py>,
    scene: &Bound<'py, Scene>,
    friction: bool,
    minutes: Option<f64>,
    unlimited: bool,
    threads: Option<i64>,
) -> PyResult<Bound<'py, PyAny>> {
    let loaded = scene.get().loaded();
    let options = StaticsOptions {
        limits: options::limits(&loaded.limits, minutes, unlimited)?,
        threads: options::threads(threads)?,
        friction: if friction { Friction::Limit } else { Friction::LeftOut },
    };
    let found = wait_for(py, move |_: &dyn Interruption| {
        let rests = job::statics(&loaded.scene, &options)?;
        Ok(job::statics_json(&loaded.scene, &rests).to_string())
    })?;
    of_json(py, &found.map_err(|error| errors::of_run(py, &error))?)
}
