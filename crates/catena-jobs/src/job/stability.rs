//! Maximum stable step of each body of a scene.

use super::{RunError, options::count, prepare::limited, threads};
use catena_analysis::stability::{Stability, StabilityTimes, stability};
use catena_scene::{
    Body, Limits, Scene,
    limits::{PlannedRun, Product},
};
use rayon::prelude::*;

/// Options of the search for stable steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StabilityOptions {
    /// Number of frames that a stable run must survive, from 1 to [`super::MOST_FRAMES`]. `None`
    /// uses the number of the scene.
    pub frames: Option<u64>,
    /// Limits on the run.
    pub limits: Limits,
    /// Number of threads, 1 to 1024. `None` uses the caller's rayon pool. The numbers do not depend
    /// on it.
    pub threads: Option<u16>,
}

/// Finds the maximum stable step of each body in the order of the panels. The step is predicted
/// from the spectrum and then measured by runs.
///
/// # Errors
/// An option is out of range, or a run would exceed the limits.
pub fn stable_steps(scene: &Scene, options: &StabilityOptions) -> Result<Vec<Stability>, RunError> {
    let frames = count(options.frames, scene)?;
    let scene = limited(scene, &options.limits, &PlannedRun::up_to(frames, Product::Numbers))?;
    let bodies: Vec<&Body> = scene.panels.iter().flat_map(|panel| &panel.bodies).collect();
    let amounts = StabilityTimes::among(bodies.len());
    let find = |body: &&Body| {
        let film = frames as f64 * body.setup.frame_time;
        stability(&body.setup, film, amounts)
    };
    threads::with(options.threads, || bodies.par_iter().map(find).collect())
}
