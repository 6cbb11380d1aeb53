//! Rest of each body of a scene, solved instead of waited for.

use super::{RunError, draw, frames::FrameError, prepare::limited, threads};
use catena_analysis::statics::{Equilibrium, NoRest, equilibrium};
use catena_scene::{
    Body, Limits, Scene,
    limits::{PlannedRun, Product},
};
use catena_sim::Setup;
use image::RgbImage;
use rayon::prelude::*;
use std::sync::Arc;

/// Options of the search for rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StaticsOptions {
    /// Limits on the run.
    pub limits: Limits,
    /// Number of threads, 1 to 1024. `None` uses the caller's rayon pool. The numbers do not depend
    /// on it.
    pub threads: Option<u16>,
}

/// Rest of a body; `None` for a rig without ropes.
pub type BodyRest = Option<Result<Equilibrium, NoRest>>;

/// Finds the rest of each body in the order of the panels, from the balance of forces. A body
/// without rest has the reason instead.
///
/// # Errors
/// An option is out of range, or the scene exceeds the limits.
pub fn statics(scene: &Scene, options: &StaticsOptions) -> Result<Vec<BodyRest>, RunError> {
    let scene = limited(scene, &options.limits, &PlannedRun::up_to(1, Product::Numbers))?;
    let bodies: Vec<&Body> = scene.panels.iter().flat_map(|panel| &panel.bodies).collect();
    let find = |body: &&Body| (!body.is_rig_alone()).then(|| equilibrium(&body.setup));
    threads::with(options.threads, || bodies.par_iter().map(find).collect())
}

/// Draws every body at rest. A body without rest is drawn at its start.
///
/// # Errors
/// The scene exceeds the limits, or its size is too small for its panels.
pub fn rest_picture(scene: &Scene, rests: &[BodyRest]) -> Result<RgbImage, RunError> {
    let mut scene = scene.clone();
    let bodies = scene.panels.iter_mut().flat_map(|panel| &mut panel.bodies);
    for (body, rest) in bodies.zip(rests) {
        let Some(Ok(rest)) = rest else {
            body.label.push_str(": no rest, as it starts");
            continue;
        };
        // Pins are where they are at the time of the rest.
        let setup = Setup {
            initial: rest.state(),
            start_time: rest.time,
            warm_up: 0,
            impulses: Vec::new(),
            ..body.setup.as_ref().clone()
        };
        body.setup = Arc::new(setup);
    }
    match draw(&scene, 0) {
        Ok(image) => Ok(image),
        Err(FrameError::Run(error)) => Err(error),
        // Nothing asks the drawing of one frame to stop.
        Err(FrameError::Interrupted) => Err(RunError::Option("interrupted".into())),
    }
}
