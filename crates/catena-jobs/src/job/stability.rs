//! Maximum stable step of each body of a scene.

use super::{
    RunError,
    options::{count, within},
    prepare::limited,
    threads,
};
use catena_analysis::stability::{Stability, StabilityTimes, stability};
use catena_scene::{
    Body, Limits, Scene,
    limits::{PlannedRun, Product},
};
use rayon::prelude::*;

/// Options of the search for stable steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StabilityOptions {
    /// Number of frames that a stable run must survive, from 1 to [`super::MAX_FRAMES`]. `None`
    /// uses the number of the scene.
    pub frames: Option<u64>,
    /// Budget of the runs of each body in counted seconds of one core. At least 0, and infinite for
    /// no limit. `None` means 4, and less in a scene with more than twelve bodies.
    pub study_time: Option<f64>,
    /// Index of the panel whose bodies are studied. `None` studies all.
    pub panel: Option<usize>,
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
/// An option is out of range, the scene has no such panel, or a run would exceed the limits.
pub fn stable_steps(scene: &Scene, options: &StabilityOptions) -> Result<Vec<Stability>, RunError> {
    let frames = count(options.frames, scene)?;
    let scene = limited(scene, &options.limits, &PlannedRun::up_to(frames, Product::Numbers))?;
    let panels = scene.panels.iter().enumerate();
    let chosen = panels.filter(|(index, _)| options.panel.is_none_or(|panel| panel == *index));
    let bodies: Vec<&Body> = chosen.flat_map(|(_, panel)| &panel.bodies).collect();
    if bodies.is_empty() {
        let panel = options.panel.unwrap_or_default() + 1;
        let what = format!("there is no panel {panel}: panels are counted from 1");
        return Err(RunError::Option(what));
    }
    within("study_time", options.study_time.unwrap_or(0.0), 0.0..=f64::INFINITY)?;
    let usual = || StabilityTimes::among(bodies.len());
    let amounts = options.study_time.map_or_else(usual, StabilityTimes::of_seconds);
    let find = |body: &&Body| {
        let film = frames as f64 * body.setup.frame_time;
        stability(&body.setup, film, amounts)
    };
    threads::with(options.threads, || bodies.par_iter().map(find).collect())
}
