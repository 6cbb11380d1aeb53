//! Rest state of each body, from the balance of forces.

use crate::{data::of_json, errors, options, scene::Scene, waiting::wait_for};
use catena::analysis::statics::Friction;
use catena::job::{self, Interruption, StaticsOptions};
use pyo3::prelude::*;

/// Finds the rest state of each body from the balance of its forces, as catena statics does.
///
/// No time passes, so neither damping nor steps matter. For a body without a rest state, the result
/// has the reason and advice.
///
/// With friction=True, contacts that slid between the start and the rest state have the maximum
/// friction (Coulomb's limit) instead of none.
///
/// Returns a dict with scene and bodies. bodies has one dict per body: panel, label, method and
/// rest (a bool). If rest is True, the dict also has positions, tensions, pins with forces and
/// moments, contacts, residual, iterations, stability, modes with omega_squared and shape, length,
/// time, left, warnings and more. Otherwise it has reason and help. An unstable balance has rest
/// False and all of these keys.
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
