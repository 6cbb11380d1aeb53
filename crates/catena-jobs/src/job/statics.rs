//! Rest of each body of a scene, solved directly instead of simulated.

use super::{RunError, draw, frames::FrameError, prepare::limited, threads};
use catena_analysis::statics::{Equilibrium, Friction, MINUTE, NoRest, equilibrium_with};
use catena_scene::{
    Body, Fit, Limits, Scene,
    limits::{PlannedRun, Product},
};
use catena_sim::{Setup, identity::is_same};
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
    /// Friction of contacts.
    pub friction: Friction,
}

/// Rest of a body. `None` for a rig without ropes.
pub type BodyRest = Option<Result<Equilibrium, NoRest>>;

/// Finds the rest of each body in the order of the panels, from the balance of forces. A body
/// without rest has the reason instead.
///
/// # Errors
/// An option is out of range, or the scene exceeds the limits.
pub fn statics(scene: &Scene, options: &StaticsOptions) -> Result<Vec<BodyRest>, RunError> {
    let scene = limited(scene, &options.limits, &PlannedRun::up_to(1, Product::Numbers))?;
    let bodies: Vec<&Body> = scene.panels.iter().flat_map(|panel| &panel.bodies).collect();
    let same = first_alike(&bodies);
    let effort = MINUTE * options.limits.effort();
    let find = |(index, body): (usize, &&Body)| {
        let is_first = same[index] == index && !body.is_rig_alone();
        is_first.then(|| equilibrium_with(&body.setup, effort, options.friction))
    };
    let found: Vec<BodyRest> =
        threads::with(options.threads, || bodies.par_iter().enumerate().map(find).collect())?;
    Ok(same.into_iter().map(|first| found[first].clone()).collect())
}

/// Index of the first body with the same setup as each body. Equal bodies have equal rests.
pub(super) fn first_alike(bodies: &[&Body]) -> Vec<usize> {
    let alike = |a: &Body, b: &Body| {
        a.is_rig_alone() == b.is_rig_alone()
            && (Arc::ptr_eq(&a.setup, &b.setup) || is_same(a.setup.as_ref(), b.setup.as_ref()))
    };
    let first = |index: usize| (0..index).find(|&other| alike(bodies[other], bodies[index]));
    (0..bodies.len()).map(|index| first(index).unwrap_or(index)).collect()
}

/// Draws every body at rest. A body without rest is drawn at its start.
///
/// # Errors
/// The scene exceeds the limits, or its size is too small for its panels.
pub fn rest_picture(scene: &Scene, rests: &[BodyRest]) -> Result<RgbImage, RunError> {
    let mut scene = scene.clone();
    (scene.frames, scene.shapes_only, scene.fit) = (1, true, Fit::Frames);
    for panel in &mut scene.panels {
        (panel.motion, panel.view_motion) = (None, None);
    }
    let mut rests = rests.iter();
    for panel in &mut scene.panels {
        let is_alone = panel.bodies.len() == 1;
        for (body, rest) in panel.bodies.iter_mut().zip(&mut rests) {
            let note = placed_at(body, rest);
            // The only body of a panel is named by the panel's label.
            let label = if is_alone { &mut panel.label } else { &mut body.label };
            label.push_str(note);
            panel.is_named |= is_alone && !note.is_empty();
        }
    }
    match draw(&scene, 0) {
        Ok(image) => Ok(image),
        Err(FrameError::Run(error)) => Err(error),
        // The drawing of one frame cannot be interrupted.
        Err(FrameError::Interrupted) => Err(RunError::Option("interrupted".into())),
    }
}

/// Moves a body to its rest. Returns a suffix for its label. A body without rest stays at its
/// start.
fn placed_at(body: &mut Body, rest: &BodyRest) -> &'static str {
    let rest = match rest {
        Some(Ok(rest)) => rest,
        Some(Err(_)) => return ": no rest, start shown",
        None => return "",
    };
    // Pins are at their positions at the time of the rest.
    let setup = Setup {
        initial: rest.state(),
        start_time: rest.time,
        warm_up: 0,
        impulses: Vec::new(),
        ..body.setup.as_ref().clone()
    };
    body.setup = Arc::new(setup);
    if rest.is_unstable() { ": unstable balance" } else { "" }
}
