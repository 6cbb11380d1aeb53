//! The longest stable step of each body of a scene.

use super::{RunError, options::count, prepare::limited, threads};
use catena_analysis::stability::{Stability, StabilityTimes, stability};
use catena_scene::{
    Body, Limits, Scene,
    limits::{PlannedRun, Product},
};
use rayon::prelude::*;

/// How stability is looked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StabilityOptions {
    /// How many frames a run has to survive to count as stable, from 1 to [`super::MOST_FRAMES`];
    /// `None` takes the scene's.
    pub frames: Option<u64>,
    /// What the run may take.
    pub limits: Limits,
    /// How many threads run, from 1 to 1024; `None` takes the rayon pool of the caller. The numbers
    /// do not depend on it.
    pub threads: Option<u16>,
}

/// Finds the longest stable step of each body, panel by panel: predicted from its spectrum, then
/// measured by runs.
///
/// # Errors
/// When an option is out of its range, or a run would take more than the limits allow.
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
